"""Which rectangle each part of the screen gets. Pure; y runs down from the window's top edge.

Track on top; the prompt on the acting seat's side; honor at the right, or as a strip below when the prompt stands at a short side;
the map in what is left. The sea lies under everything.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.tablet.measure import Measure
from companion.tablet.sides import EAST, NORTH, SOUTH, WEST


class Box(NamedTuple):
    """Left, top, width, height in window pixels."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    def inset(self, dx: int, dy: int | None = None) -> Box:
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, max(0, self.w - 2 * dx), max(0, self.h - 2 * dy))

    def fitted(self, width: float, height: float) -> Box:
        """The largest box of that shape in the middle of this one."""
        k = min(self.w / width, self.h / height)
        w, h = round(width * k), round(height * k)
        return Box(self.x + (self.w - w) // 2, self.y + (self.h - h) // 2, w, h)

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom


class Layout(NamedTuple):
    track: Box
    prompt: Box
    """With its coloured bar; empty (w or h 0) when nobody is asked and nothing waits."""
    honor: Box
    strip: bool
    """Honor is a strip below the map."""
    free: Box
    """What the panels leave: the map stands in it."""


BAR = 8
"""The coloured edge of the prompt, in design units."""


def track_height(m: Measure) -> int:
    return max(m.finger(84), m.sp(27) + m.sp(20) + m.px(24))


def prompt_depth(m: Measure, side: str, rows: int) -> int:
    """How far the prompt reaches into the screen, without its bar."""
    button = m.finger(76)
    words = m.sp(31) + 2 * m.sp(23) + m.px(24)
    if side in {SOUTH, NORTH}:
        return max(rows * button + (rows - 1) * m.gap + m.px(36), words)
    return max(rows * button + (rows - 1) * m.gap + m.px(22), m.px(188) if rows > 1 else 0)


def honor_width(m: Measure) -> int:
    return min(max(m.px(232), m.sp(206)), round(m.width * 0.27))


def arrange(m: Measure, side: str, rows: int, *, asked: bool = True) -> Layout:
    """The screen with the prompt on ``side``, ``rows`` rows of buttons deep (0: no prompt)."""
    w, h = m.width, m.height
    top = track_height(m)
    track = Box(0, 0, w, top)
    depth = prompt_depth(m, side, rows) + m.px(BAR) if asked else 0
    if side in {EAST, WEST} and asked:
        below = max(m.px(116), m.sp(24) + m.sp(50) + m.px(36))
        prompt = Box(w - depth if side == EAST else 0, top, depth, h - top)
        rest = Box(0 if side == EAST else depth, top, w - depth, h - top)
        honor = Box(rest.x, h - below, rest.w, below)
        return Layout(track, prompt, honor, True, Box(rest.x, top, rest.w, rest.h - below))
    if h > w:  # a tablet that stands on its short side: honor below the map, beside the prompt
        below = max(m.px(116), m.sp(24) + m.sp(50) + m.px(36))
        prompt = Box(0, top if side == NORTH else h - depth, w, depth)
        y = top + depth if side == NORTH else top
        end = h if side == NORTH else h - depth
        return Layout(track, prompt, Box(0, end - below, w, below), True, Box(0, y, w, end - below - y))
    wide = honor_width(m)
    prompt = Box(0, top if side == NORTH else h - depth, w, depth)
    y = top + depth if side == NORTH else top
    honor = Box(w - wide, y, wide, h - top - depth)
    return Layout(track, prompt, honor, False, Box(0, y, w - wide, h - top - depth))


def beside(plan: Layout, m: Measure) -> tuple[Layout, Box]:
    """The same screen with a repair panel where honor stood, or beside the map where honor is a strip; and that panel's place."""
    room = plan.free
    want = min(max(m.px(400), m.sp(330)), round(m.width * 0.4))
    if plan.strip:
        return plan._replace(free=room._replace(w=room.w - want)), Box(room.right - want, room.y, want, room.h)
    right = plan.honor.right
    return plan._replace(honor=Box(0, 0, 0, 0), free=room._replace(w=right - want)), Box(right - want, room.y, want, room.h)


SIDES = (SOUTH, WEST, NORTH, EAST)
