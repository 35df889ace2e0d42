"""A part of the screen: a rectangle that may be turned to a seat, draws itself from the session and knows its spots.

A part is drawn whole whenever what it shows has changed, never piece by piece, so it can be thrown away and drawn again at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, PopMatrix, PushMatrix, Rectangle, Rotate, Translate
from kivy.uix.widget import Widget

from companion.look.tokens import tokens
from companion.tablet import marks
from companion.tablet.layout import Box
from companion.tablet.pane import Pane
from companion.tablet.pen import Pen
from companion.tablet.session import Session
from companion.tablet.spots import Guard, Spot
from companion.tablet.theme import Style

LACKING = 20
"""Frames a part waits until nothing is missing. More are needed only where more is to be drawn than can be kept."""


class Part(Widget):
    """Subclasses give ``content`` (what they show, comparable) and ``paint`` (how)."""

    solid = True
    """It fills its whole rectangle: it is kept as one picture, drawn again only when it changes."""
    heavy = False
    """Its picture may come a frame after its strokes are laid: together they take too long for one."""
    moving = False
    """Some of what it has drawn changes by itself, lamps: how it was drawn is kept beside the picture, and ``moved`` shows the change."""

    def __init__(self, session: Session, guard: Guard, **kwargs: Any) -> None:
        super().__init__(size_hint=(None, None), **kwargs)
        self.session, self.guard = session, guard
        self.box = Box(0, 0, 0, 0)
        self.turn = 0
        self.style: Style | None = None
        self.spots: list[Spot] = []
        self._shown: Any = None
        self._unprinted = False
        """Its strokes are laid, the picture is still the one before."""
        self._lacked = 0
        """So many times in a row something was missing."""
        self._down: dict[Any, tuple[Spot, int]] = {}
        """What each finger began on, and the number of the question then."""
        self._holding: dict[Any, Any] = {}
        self.ink = InstructionGroup()
        self._pane = Pane(self.ink) if self.solid else None
        self._shade = InstructionGroup()
        self.over = InstructionGroup()
        """For what moves over the drawing for a moment."""
        self._motion: Any = None
        self._home: tuple[float, float] = (0, 0)
        self._move, self._spin = Translate(0, 0), Rotate(angle=0)
        for instruction in (PushMatrix(), self._move, self._spin):
            self.canvas.before.add(instruction)
        self.canvas.add(self.ink if self._pane is None else self._pane.frame)
        self.canvas.add(self._shade)
        self.canvas.add(self.over)
        self.canvas.after.add(PopMatrix())

    # ------------------------------------------------------------------ moving

    def shift(self, dx: float, dy: float) -> None:
        """Draws the part that far off for a moment; touches stay where it belongs."""
        self._move.xy = (self._home[0] + dx, self._home[1] + dy)

    def animate(self, ms: float, step: Callable[[float], None]) -> None:
        """Calls ``step`` with 0..1 (eased) until ``ms`` are over; the movement before is brought to its end first."""
        self.settle_down()
        began = Clock.get_boottime()
        step(0.0)

        def frame(_dt: float) -> bool:
            share = min(1.0, (Clock.get_boottime() - began) * 1000 / ms)
            step(1 - (1 - share) ** 3)
            return share < 1

        self._motion = (Clock.schedule_interval(frame, 0), step)

    def settle_down(self) -> None:
        """Whatever moves is where it was going."""
        if self._motion is not None:
            event, step = self._motion
            self._motion = None
            event.cancel()
            step(1.0)

    # ------------------------------------------------------------------ to be given

    def content(self) -> Any:
        """What the part shows; when it is equal, nothing is drawn anew."""
        raise NotImplementedError

    def paint(self, pen: Pen) -> None:
        """Draws, and fills ``spots`` through ``spot``."""
        raise NotImplementedError

    # ------------------------------------------------------------------ drawing

    @property
    def wide(self) -> int:
        """Width as its reader sees it."""
        return self.box.h if self.turn in {90, 270} else self.box.w

    @property
    def high(self) -> int:
        return self.box.w if self.turn in {90, 270} else self.box.h

    def place(self, box: Box, turn: int, style: Style, window: int) -> None:
        """Puts the part on the window (``window`` pixels high), turned by ``turn`` degrees.

        Where the others have left it less than nothing it is nowhere.
        """
        box = box._replace(w=max(0, box.w), h=max(0, box.h))
        if (box, turn) != (self.box, self.turn):
            self.settle_down()
        self.box, self.turn, self.style = box, turn, style
        self.pos, self.size = (box.x, window - box.bottom), (box.w, box.h)
        x, y = self.pos
        corner = {0: (x, y), 90: (x + box.w, y), 180: (x + box.w, y + box.h), 270: (x, y + box.h)}[turn]
        self._spin.angle = turn
        if corner != self._home:
            self._home = self._move.xy = corner

    def refresh(self, *, force: bool = False, hasty: bool = False) -> bool:
        """Draws what has changed; returns whether anything had. ``hasty``: some of it may be left to the next, ``owing`` says so."""
        if self.style is None:
            return False
        showing = (self.box, self.turn, self.style.key, self.session.speech.lang, self.content())
        if showing == self._shown and not force:
            self._print()
            return False
        self._shown = showing
        self.ink.clear()
        self._shade.clear()
        self.spots = []
        fresh = self._pane is not None and self._pane.resize(self.wide, self.high)
        waiting, self._unprinted = self._unprinted, False
        if self.box.w > 0 and self.box.h > 0:
            self.paint(Pen(self.ink, self.style, self.high))
            owed = marks.owed()
            if any(owed):
                self._shown = None
            self._lacked = self._lacked + 1 if owed.lacking else 0
            self._unprinted = self._pane is not None
            later = 0 < self._lacked < LACKING or (hasty and self.heavy and not waiting)  # what changes every frame is seen every other one
            if fresh or not later:
                self._print()
        return True

    def _print(self) -> None:
        if self._unprinted and self._pane is not None:
            self._unprinted = False
            self._pane.print(keep=self.moving)

    @property
    def owing(self) -> bool:
        """Its picture is not yet as it should be: of what takes long to draw, something is missing or another size of it stands in."""
        return self._unprinted or (self._shown is None and self.style is not None)

    @property
    def unseen(self) -> bool:
        """The picture is still the one before."""
        return self._unprinted

    def moved(self) -> None:
        """Shows how a moving part looks now."""
        if self._pane is not None:
            self._pane.again()

    def forget(self) -> None:
        """The next refresh draws, whatever has changed, on a new pane: the old one may be lost with its graphics card."""
        self._shown = None
        if self._pane is not None:
            self._pane.renew()

    def spot(self, wid: str, x: float, y: float, w: float, h: float, **more: Any) -> Spot:
        made = Spot(wid, x, y, w, h, **more)
        self.spots.append(made)
        return made

    @contextmanager
    def facing(self, pen: Pen, x: float, y: float, degrees: int) -> Iterator[None]:
        """What is drawn inside, spots too, is turned round (x, y) by quarters."""
        first = len(self.spots)
        with pen.turned(x, y, degrees):
            yield
        for spot in self.spots[first:]:
            dx, dy = spot.x + spot.w / 2 - x, spot.y + spot.h / 2 - y
            for _ in range(degrees // 90 % 4):
                dx, dy = dy, -dx
                spot.w, spot.h = spot.h, spot.w
            spot.x, spot.y = x + dx - spot.w / 2, y + dy - spot.h / 2

    # ------------------------------------------------------------------ where things are

    def inward(self, x: float, y: float) -> tuple[float, float]:
        """A window point (Kivy's, y up) in the part's own pixels, y down."""
        dx, dy = x - self.x, y - self.y
        lx, ly = {
            0: (dx, dy),
            90: (dy, self.box.w - dx),
            180: (self.box.w - dx, self.box.h - dy),
            270: (self.box.h - dy, dx),
        }[self.turn]
        return lx, self.high - ly

    def outward(self, x: float, y: float) -> tuple[float, float]:
        """A point of the part in window pixels, y down from the top left corner."""
        ly = self.high - y
        dx, dy = {0: (x, ly), 90: (self.box.w - ly, x), 180: (self.box.w - x, self.box.h - ly), 270: (ly, self.box.h - x)}[self.turn]
        return self.box.x + dx, self.box.y + self.box.h - dy

    def named(self) -> Iterator[tuple[Spot, tuple[float, float]]]:
        """Every spot with its middle in window pixels from the top left."""
        for spot in self.spots:
            yield spot, self.outward(*spot.middle)

    def usable(self, spot: Spot) -> bool:
        return spot.enabled and not (spot.question and self.session.quiet)

    # ------------------------------------------------------------------ fingers

    def at(self, x: float, y: float) -> Spot | None:
        """The topmost spot that can be pressed or held at a window point."""
        lx, ly = self.inward(x, y)
        return next((spot for spot in reversed(self.spots) if (spot.press or spot.hold) and spot.holds(lx, ly)), None)

    def on_touch_down(self, touch: Any) -> bool:
        if self.box.w <= 0 or not self.collide_point(*touch.pos):
            return False
        if getattr(touch, "button", "left") not in {"left", None}:
            return True
        touch.grab(self)
        spot = self.at(*touch.pos)
        if spot is not None and self.usable(spot):
            asking = self.session.asking
            self._down[touch.uid] = spot, asking
            self._press_shade(spot)
            if spot.hold is not None:
                hold = spot.hold

                def held(_dt: float) -> None:
                    if self.session.asking == asking:  # else another seat's secret would open under this seat's finger
                        hold(True)

                self._holding[touch.uid] = Clock.schedule_once(held, tokens().touch.hold_ms / 1000)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        return touch.grab_current is self

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        began, asking = self._down.pop(touch.uid, (None, 0))
        self._shade.clear()
        if began is None:
            return True
        here = self.at(*touch.pos)
        if began.hold is not None:
            self._holding.pop(touch.uid).cancel()
            if here is not None and here.press and here.wid != began.wid:
                self._fire(here, asking)
            began.hold(False)
        elif here is not None and here.wid == began.wid and here.meaning == began.meaning:
            self._fire(here, asking)
        return True

    def _fire(self, spot: Spot, asking: int) -> None:
        if spot.question and self.session.asking != asking:
            return  # the finger was on another question
        if spot.press is not None and self.usable(spot) and self.guard.allows(spot.wid):
            spot.press()

    def _press_shade(self, spot: Spot) -> None:
        if self.style is None or spot.hit is not None:
            return
        self._shade.clear()
        self._shade.add(Color(*self.style.rgba("ink", 0.10)))
        self._shade.add(Rectangle(pos=(spot.x, self.high - spot.y - spot.h), size=(spot.w, spot.h)))
