"""A part's drawing kept as one picture: what has not changed costs one rectangle a frame, on every graphics card and on none.

One press draws the pictures of all parts: each frame buffer of its own would have a program of its own, which a graphics card has to be told
anew, and a computer without one compiles for a hundredth of a second.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from kivy.graphics import Callback, Color, Fbo, InstructionGroup, Rectangle
from kivy.graphics.opengl import (
    GL_COLOR_ATTACHMENT0,
    GL_COLOR_BUFFER_BIT,
    GL_FRAMEBUFFER,
    GL_RENDERER,
    GL_TEXTURE_2D,
    glClear,
    glClearColor,
    glColorMask,
    glFinish,
    glFramebufferTexture2D,
    glGetString,
)
from kivy.graphics.texture import Texture

PORTION = 32
"""So many instructions, three a stroke, are drawn at once where a program draws: it keeps some 40 kB for each stroke until the lot is done."""
SOFT = (b"llvmpipe", b"softpipe", b"swiftshader")


@cache
def soft() -> bool:
    """Whether a program draws, not a graphics card. To be asked when there is a window."""
    return any(name in bytes(glGetString(GL_RENDERER) or b"").lower() for name in SOFT)


class Press:
    """Draws strokes into textures, one after another."""

    def __init__(self) -> None:
        self._fbo: Any = None
        self._reach = (1, 1)

    def clear(self) -> None:
        """The graphics card has forgotten it."""
        self._fbo = None

    def draw(self, ink: InstructionGroup, texture: Texture) -> None:
        """The ink must paint every pixel, or what was there before shines through."""
        texture.bind()  # before that there is none on the card
        if self._fbo is None or any(has < wanted for has, wanted in zip(self._reach, texture.size, strict=True)):
            # A power of two, so that every pixel is met exactly; what is beyond the texture is not drawn.
            self._reach = tuple(1 << (max(has, wanted) - 1).bit_length() for has, wanted in zip(self._reach, texture.size, strict=True))
            self._fbo = Fbo(size=self._reach, texture=Texture.create(size=(1, 1), colorfmt="rgba"))  # its own it keeps for good
        fbo = self._fbo
        fbo.bind()
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.id, 0)
        fbo.release()
        fbo.add(ink)
        fbo.ask_update()
        fbo.draw()
        fbo.remove(ink)
        fbo.bind()  # blending has left holes in its alpha that mean nothing: the picture covers what lies under it
        glColorMask(0, 0, 0, 1)
        glClearColor(0, 0, 0, 1)
        glClear(GL_COLOR_BUFFER_BIT)
        glColorMask(1, 1, 1, 1)
        fbo.release()


PRESS = Press()


class Pane:
    """Shows ``ink`` as it was when it was last printed."""

    def __init__(self, ink: InstructionGroup) -> None:
        self._ink = ink
        self.frame = InstructionGroup()
        """What goes on the canvas; empty while the part is nowhere."""
        self._sheet: Any = None

    def renew(self) -> None:
        """Another picture in the same place: the old one is lost."""
        PRESS.clear()
        self.resize(0, 0)

    def resize(self, w: int, h: int) -> bool:
        """A part that is nowhere (0 wide) shows nothing, and keeps nothing. True: there is no picture yet."""
        if not (w and h):
            self.frame.clear()
            self._sheet = None
            return False
        if self._sheet is None or self._sheet.size != (w, h):
            self.frame.clear()
            self._sheet = Rectangle(texture=Texture.create(size=(w, h), colorfmt="rgba"), size=(w, h))
            self.frame.add(Color(1, 1, 1, 1))
            self.frame.add(self._sheet)
            return True
        return False

    def print(self, *, keep: bool) -> None:
        """Shows what the ink has become. ``keep``: else it is let go, buffers of a thousand strokes that nobody looks at again."""
        if soft():
            for i in range(len(self._ink.children) // PORTION * PORTION, 0, -PORTION):
                self._ink.insert(i, Callback(lambda _instruction: glFinish()))
        self.again()
        if not keep:
            self._ink.clear()

    def again(self) -> None:
        """Shows kept ink as it is now."""
        if self._sheet is not None:
            PRESS.draw(self._ink, self._sheet.texture)
            self.frame.flag_update()
