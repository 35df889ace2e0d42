"""Looks over the pen's shoulder: where every line of text was written, and which buttons lie over each other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

from tablet_rig import Rig

from companion.tablet import part as parts
from companion.tablet import pen as pens
from companion.tablet.board import Board
from companion.tablet.lettering import ELLIPSIS
from companion.tablet.part import Part

SLACK = 2.0
"""Pixels two things may share: rounding."""
EMPTY = 0.2
"""Of a line's height, above and below, that no letter reaches."""


class Written(NamedTuple):
    text: str
    x0: float
    y0: float
    x1: float
    y1: float

    def over(self, other: Written) -> bool:
        return min(self.x1, other.x1) - max(self.x0, other.x0) > SLACK and min(self.y1, other.y1) - max(self.y0, other.y0) > SLACK


class Spy(pens.Pen):
    """A pen that remembers its lines of text, in the part's own pixels."""

    lines: ClassVar[list[Written]] = []
    _turns: ClassVar[list[tuple[float, float, float]]] = []

    def line(self, text: str, x: float, y: float, *rest: Any, **more: Any) -> float:
        used = super().line(text, x, y, *rest, **more)
        if text:
            align = more.get("align", rest[3] if len(rest) > 3 else "left")
            px = more.get("px", rest[1] if len(rest) > 1 else 16)
            left = x - {"left": 0, "centre": used / 2, "right": used}[align]
            high = px * 1.4 * (1 - 2 * EMPTY)
            self.lines.append(self._turned(Written(text, left, y - high / 2, left + used, y + high / 2)))
        return used

    def _turned(self, line: Written) -> Written:
        points = [(line.x0, line.y0), (line.x1, line.y1)]
        for x, y, degrees in reversed(self._turns):
            for _ in range(int(degrees) // 90 % 4):
                points = [(x + (py - y), y - (px - x)) for px, py in points]
        (ax, ay), (bx, by) = points
        return Written(line.text, min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        self._turns.append((x, y, degrees))
        try:
            with super().turned(x, y, degrees):
                yield
        finally:
            self._turns.pop()


def written(part: Part) -> list[Written]:
    """Draws a part anew and tells what was written."""
    Spy.lines, Spy._turns = [], []
    parts.Pen = Spy  # type: ignore[misc]
    try:
        part.refresh(force=True)
    finally:
        parts.Pen = pens.Pen  # type: ignore[misc]
    return Spy.lines


def faults(rig: Rig, *, cut: bool = True) -> list[str]:
    """Everything that is clipped, written over, or cut short; and buttons that lie over each other by half."""
    found: list[str] = []
    for part in rig.screen.parts:
        if part.box.w <= 0:
            continue
        name = type(part).__name__
        lines = written(part)
        if not isinstance(part, Board):  # the map's names and numbers stand where the drawing has them
            found += [f"{name}: {line.text!r} leaves its part" for line in lines if not _within(line, part)]
            found += [f"{name}: {a.text!r} lies on {b.text!r}" for i, a in enumerate(lines) for b in lines[:i] if a.over(b)]
        if cut:
            found += [f"{name}: {line.text!r} is cut" for line in lines if line.text.endswith(ELLIPSIS)]
        found += [f"{name}: {pair}" for pair in _crossing(part)]
    return found


def _within(line: Written, part: Part) -> bool:
    return line.x0 >= -SLACK and line.y0 >= -SLACK and line.x1 <= part.wide + SLACK and line.y1 <= part.high + SLACK


def _crossing(part: Part) -> Iterator[str]:
    """Pressable rectangles that share some of themselves but not all."""
    every = [spot for spot in part.spots if (spot.press or spot.hold) and spot.hit is None]
    for i, a in enumerate(every):
        for b in every[:i]:
            w = min(a.x + a.w, b.x + b.w) - max(a.x, b.x)
            h = min(a.y + a.h, b.y + b.h) - max(a.y, b.y)
            whole = min(a.w * a.h, b.w * b.h)
            if w > SLACK and h > SLACK and w * h < whole * 0.98:
                yield f"{a.wid} and {b.wid} lie over each other"
