"""Spots: everything on the screen that has a name. A test finds them, a finger presses them. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Point = tuple[float, float]


@dataclass
class Spot:
    """A rectangle of a part with a stable id; local pixels, y down from the part's upper left corner as its reader sees it."""

    wid: str
    x: float
    y: float
    w: float
    h: float
    text: str = ""
    value: Any = None
    lit: bool = False
    enabled: bool = True
    press: Callable[[], None] | None = None
    hold: Callable[[bool], None] | None = None
    """Called with True while it is held long enough, with False when it is let go."""
    meaning: Any = None
    """What pressing it does; a press that began on another meaning does nothing."""
    hit: Callable[[float, float], bool] | None = None
    """Whether a local point is on it, where it is no rectangle."""
    centre: Point | None = None
    """A point surely on it, where that is not the middle."""
    question: bool = False
    """It answers the question: for a moment after the question has changed it does nothing."""

    def holds(self, x: float, y: float) -> bool:
        if self.hit is not None:
            return self.hit(x, y)
        return self.x <= x <= self.x + self.w and self.y <= y <= self.y + self.h

    @property
    def middle(self) -> Point:
        return self.centre or (self.x + self.w / 2, self.y + self.h / 2)


class Guard:
    """Ignores a second press of one thing sooner than ``ms`` after the first."""

    def __init__(self, clock: Callable[[], float], ms: int) -> None:
        self._clock, self._gap = clock, ms / 1000
        self._last: dict[str, float] = {}

    def allows(self, wid: str) -> bool:
        now = self._clock()
        if now - self._last.get(wid, -1e9) < self._gap:
            return False
        self._last[wid] = now
        return True
