"""The mouse, event by event. Kivy keeps a touch as one object that its own mouse moves at once: when a frame is late, the press is told where
the pointer has got to meanwhile, and a drag takes nothing, or something else.

Here: a press ends what one frame is told. Not here: what a touch means (``part``, ``carrying``). Fingers need none of this: SDL's touch
provider moves them only when it tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from kivy.input.factory import MotionEventFactory
from kivy.input.providers.mouse import MouseMotionEventProvider

NAME = "mouse"
"""In place of Kivy's own."""


class Mouse(MouseMotionEventProvider):
    """Kivy's mouse; moves and a release that come with a press wait for the next frame."""

    def __init__(self, device: str, args: str) -> None:
        super().__init__(device, args)
        self._told: deque[tuple[bool, Callable[[], None]]] = deque()

    def on_mouse_press(self, *args: Any) -> None:
        press = super().on_mouse_press
        self._told.append((True, lambda: press(*args)))

    def on_mouse_motion(self, *args: Any) -> None:
        move = super().on_mouse_motion
        self._told.append((False, lambda: move(*args)))

    def on_mouse_release(self, *args: Any) -> None:
        release = super().on_mouse_release
        self._told.append((False, lambda: release(*args)))

    def update(self, dispatch_fn: Callable[[str, Any], None]) -> None:
        """What this frame is told."""
        press = False
        while self._told and not press:
            press, tell = self._told.popleft()
            tell()
        super().update(dispatch_fn)


def use() -> None:
    """Before the application runs: it makes its mouse then."""
    MotionEventFactory.register(NAME, Mouse)
