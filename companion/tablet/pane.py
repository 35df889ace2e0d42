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
        """What goes on the canvas; empty until there is something to show, for a graphics card takes its time over each new pane."""
        self._fbo: Any = None
        self._sheet: Any = None

    def renew(self) -> None:
        """Another picture in the same place, where there is one."""
        if self._fbo is not None:
            self._make()

    def _make(self) -> None:
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

    def settle(self) -> None:
        """Draws at once, and lets go of how: buffers of a thousand strokes that nobody looks at again."""
        self._fbo.draw()
        self._ink.clear()

    def resize(self, w: int, h: int) -> None:
        """A part that is nowhere (0 wide) shows nothing."""
        size = (max(1, w), max(1, h))
        if self._fbo is None:
            if not (w and h):
                return
            self._size = size
            self._make()
        elif size != self._size:
            self._size = size
            self._fbo.size = size
            self._sheet.texture = self._fbo.texture
        self._sheet.size = (w, h) if w and h else (0, 0)
