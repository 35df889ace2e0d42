"""A part's drawing kept as one picture: what has not changed costs one rectangle a frame, on every graphics card and on none."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Fbo, InstructionGroup, Rectangle, RenderContext

OPAQUE = """$HEADER$
void main(void) {
    gl_FragColor = vec4(texture2D(texture0, tex_coord0).rgb, 1.0);
}
"""
"""The picture covers what lies under it: blending has left holes in its alpha that mean nothing."""


class Pane:
    """Holds ``ink`` and shows it. The ink must paint every pixel, or what was there before shines through."""

    def __init__(self, ink: InstructionGroup) -> None:
        self._ink = ink
        self._size = (1, 1)
        self.frame = InstructionGroup()
        """What goes on the canvas."""
        self._fbo: Any = None
        self.renew()

    def renew(self) -> None:
        """Another picture in the same place."""
        self.frame.clear()
        if self._fbo is not None:
            self._fbo.remove(self._ink)
        self._fbo = Fbo(size=self._size)
        self._fbo.add(self._ink)
        glass = RenderContext(fs=OPAQUE, use_parent_projection=True, use_parent_modelview=True)
        self._sheet = Rectangle(texture=self._fbo.texture, pos=(0, 0), size=self._size)
        glass.add(Color(1, 1, 1, 1))
        glass.add(self._sheet)
        self.frame.add(self._fbo)
        self.frame.add(glass)

    def resize(self, w: int, h: int) -> None:
        """A part that is nowhere (0 wide) shows nothing."""
        size = (max(1, w), max(1, h))
        if size != self._size:
            self._size = size
            self._fbo.size = size
            self._sheet.texture = self._fbo.texture
        self._sheet.size = (w, h) if w and h else (0, 0)
