"""A tablet under test: a screen in the offscreen window, a clock that is advanced, fingers."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch

from companion.tablet.question import BOARD
from companion.tablet.screen import Screen

MM = 96 / 25.4


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Rig:
    def __init__(self, stand: Any, *, size: tuple[int, int] = (1280, 800), mm: float = MM, motion: bool = False) -> None:
        EventLoop.ensure_window()
        EventLoop.status = "started"
        self.stand, self.clock = stand, Clock()
        self.screen = Screen(stand, title="Rising Sun", clock=self.clock, millimetre=mm, size_hint=(None, None))
        self.screen.size = size
        self.session = self.screen.session
        self.session.motion = motion
        Window.add_widget(self.screen)
        self.screen.start()
        self.frames()

    def close(self) -> None:
        self.screen.stop()
        Window.remove_widget(self.screen)

    def on_board(self) -> Rig:
        self.session.show_page(BOARD)
        self.wait(1)
        return self

    def frames(self, n: int = 2) -> None:
        """So many frames at least, and as many more as the drawing is spread over."""
        for _ in range(n):
            EventLoop.idle()
        while self.screen.unfinished:
            EventLoop.idle()

    def wait(self, seconds: float) -> None:
        """Time passes for the tablet, not for us."""
        self.clock.now += seconds
        self.session.tick()
        self.frames()

    def until(self, done: Callable[[], bool], patience: float = 10) -> None:
        """Frames until another thread has done something."""
        end = time.monotonic() + patience
        while not done():
            assert time.monotonic() < end, "it did not happen"
            self.frames(1)
            time.sleep(0.002)

    def show(self, picture: Any) -> None:
        self.stand.desk.show(picture)
        self.frames()

    @property
    def dump(self) -> dict[str, dict[str, Any]]:
        return self.screen.dump()

    def spot(self, wid: str) -> dict[str, Any]:
        found = self.dump
        assert wid in found, f"{wid} is not on the screen: {sorted(found)}"
        return found[wid]

    def finger(self, wid_or_point: Any) -> UnitTestTouch:
        x, y = self.spot(wid_or_point)["centre"] if isinstance(wid_or_point, str) else wid_or_point
        touch = UnitTestTouch(x, self.screen.height - y)
        touch.sx, touch.sy = x / (Window.width - 1), (self.screen.height - y) / (Window.height - 1)
        return touch

    def press(self, wid_or_point: Any) -> None:
        touch = self.finger(wid_or_point)
        touch.touch_down()
        self.frames(1)
        touch.touch_up()
        self.frames(2)

    def hold(self, wid: str) -> UnitTestTouch:
        """Down, and down until the curtain is aside (Kivy's own clock must run for that)."""
        touch = self.finger(wid)
        touch.touch_down()
        self.until(lambda: self.session.open)
        return touch

    def slide(self, touch: UnitTestTouch, wid: str) -> None:
        x, y = self.spot(wid)["centre"]
        touch.touch_move(x, self.screen.height - y)
        self.frames(1)

    def lift(self, touch: UnitTestTouch) -> None:
        touch.touch_up()
        self.frames(2)
