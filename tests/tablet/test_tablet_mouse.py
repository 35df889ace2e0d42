"""The mouse of the window when frames are late: where a press was, not where the pointer has got to."""

from __future__ import annotations

from typing import Any

from kivy.base import EventLoop
from kivy.core.window import Window

from companion.tablet import mouse


def frame(told: mouse.Mouse) -> list[tuple[str, int, int]]:
    """What a frame is told, as Kivy tells it: all that has come, and only then what it means."""
    events: list[tuple[str, Any]] = []
    told.update(lambda what, touch: events.append((what, touch)))
    return [(what, round(touch.sx * 100), round(touch.sy * 100)) for what, touch in events if touch.is_touch]


def test_a_drag_within_one_frame_begins_where_it_began() -> None:
    EventLoop.window = Window
    told = mouse.Mouse("mouse", "disable_on_activity,disable_multitouch")
    told.start()
    try:
        wide, high = Window.system_size

        def tell(what: str, x: float, y: float, *button: str) -> None:
            Window.dispatch(what, wide * x, high * y, *button, [])

        tell("on_mouse_down", 0.2, 0.3, "left")
        tell("on_mouse_move", 0.5, 0.5)
        tell("on_mouse_move", 0.8, 0.6)
        tell("on_mouse_up", 0.8, 0.6, "left")
        tell("on_mouse_down", 0.1, 0.1, "left")
        tell("on_mouse_up", 0.1, 0.1, "left")
        assert frame(told) == [("begin", 20, 70)]
        assert frame(told) == [("update", 80, 40), ("update", 80, 40), ("end", 80, 40), ("begin", 10, 90)]
        assert frame(told) == [("end", 10, 90)]
        assert frame(told) == []
    finally:
        told.stop()
