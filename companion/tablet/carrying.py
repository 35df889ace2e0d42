"""The finger that carries a figure: takes it from a stack, shows it under the finger, sets it down. A press without a drag takes it up too.

Here: touches and the figure under the finger. Not here: what moving means (the page it works for).
"""

from __future__ import annotations

from typing import Any

from companion.tablet import counters, lettering
from companion.tablet.fonts import BOLD
from companion.tablet.part import Part
from companion.tablet.pen import Pen

SLACK = 12
"""A finger that moves less, in design units, has only pressed."""


class Carry(Part):
    """Covers the page; what it does not want is passed on to the parts below."""

    solid = False

    def __init__(self, *args: Any, page: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page = page
        self._began: tuple[float, float] | None = None
        self._dragged = False
        self._taken = False

    def content(self) -> Any:
        return (self._page.held, self.session.theme)

    def paint(self, _pen: Pen) -> None:
        """The figure itself is drawn by ``_show``: it moves with every touch."""
        self.over.clear()

    # ------------------------------------------------------------------ what is under the finger

    def _stack(self, x: float, y: float) -> tuple[str, str] | None:
        """The place and kind of the stack at a window point, or of the nearest within a finger's width."""
        if self.style is None:
            return None
        reach = self.style.m.target / 2
        best: tuple[float, str] | None = None
        for part in self._page.parts:
            if part.box.w <= 0 or not part.collide_point(x, y):
                continue
            lx, ly = part.inward(x, y)
            for spot in part.spots:
                if spot.wid.startswith("stack:"):
                    cx, cy = spot.middle
                    far = max(0.0, abs(lx - cx) - spot.w / 2, abs(ly - cy) - spot.h / 2)
                    far += ((lx - cx) ** 2 + (ly - cy) ** 2) ** 0.5 / 1000
                    if far <= reach and (best is None or far < best[0]):
                        best = (far, spot.wid)
        if best is None:
            return None
        _, place, kind = best[1].split(":", 2)
        return place, kind

    def _goal(self, x: float, y: float) -> str:
        """The name of the zone at a window point; of several parts the upper one."""
        for part in reversed(self._page.parts):
            if part is self or part.box.w <= 0 or not part.collide_point(x, y):
                continue
            lx, ly = part.inward(x, y)
            found = next((spot.wid for spot in reversed(part.spots) if spot.wid.startswith("zone:") and spot.holds(lx, ly)), "")
            if found or part is not self._page.board:
                return found
        return ""

    # ------------------------------------------------------------------ fingers

    def on_touch_down(self, touch: Any) -> bool:
        if getattr(touch, "button", "left") not in {"left", None} or self._began is not None:
            return False
        x, y = touch.pos
        if not self._page.held:
            stack = self._stack(x, y)
            uid = self._page.pick(*stack) if stack is not None else ""
            if not uid:
                return False
            self._page.hold(uid)
            self._taken = True
        elif not self._goal(x, y) and self._page.bar.collide_point(x, y):
            return False
        touch.grab(self)
        self._began, self._dragged = (x, y), False
        self._show(x, y)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is not self or self._began is None or self.style is None:
            return False
        x, y = touch.pos
        slack = self.style.m.px(SLACK)
        self._dragged = self._dragged or abs(x - self._began[0]) + abs(y - self._began[1]) > slack
        self._page.aim(self._goal(x, y))
        self._show(x, y)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        pressed = self._taken and not self._dragged
        self._began, self._taken = None, False
        self.over.clear()
        if not pressed:  # else it stays in the hand, and the next press says where it goes
            self._page.drop(self._goal(*touch.pos))
        return True

    def _show(self, x: float, y: float) -> None:
        """The figure under the finger, and its name above it."""
        self.over.clear()
        piece = self._page.table.pieces.get(self._page.held)
        if piece is None or self.style is None:
            return
        pen = Pen(self.over, self.style, self.high)
        m = pen.m
        lx, ly = self.inward(x, y)
        size = m.px(62)
        if piece.mark == counters.STRONGHOLD:
            counters.stronghold(pen, piece.seat, lx, ly, size)
        else:
            counters.draw(pen, piece.seat, piece.mark, 1, lx, ly, size)
        name = self._page.name(piece.uid)
        wide = lettering.width(name, BOLD, m.sp(16)) + m.px(20)
        top = ly - size * 0.6 - m.sp(28)
        left = min(max(0.0, lx - wide / 2), self.wide - wide)
        pen.box(left, top, wide, m.sp(26), "ink", None, 0, m.px(6))
        pen.line(name, left + wide / 2, top + m.sp(13), BOLD, m.sp(16), "paper", "centre")
