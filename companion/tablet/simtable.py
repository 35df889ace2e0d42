"""The window of a simulated table: the map with every figure on it, the seats' reserves beside it; figures are dragged, and readers see them.

Here: the page, its shelf, its strip and its bar. Not here: the finger (``carrying``), where pieces lie and which reader sees them
(``companion.simtable`` is handed in). It knows no rule: a hand may put anything anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from kivy.clock import Clock

from companion.look.lamps import on_screen
from companion.rules.game import View
from companion.rules.view import Section, Stack, Text, Zone
from companion.table.desk import Update
from companion.tablet import buttons, counters, drawing, lettering, pills
from companion.tablet.board import Board
from companion.tablet.buttons import Button, Placed
from companion.tablet.carrying import Carry
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.page import Page
from companion.tablet.page_app import PageApp
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD, Session
from companion.tablet.theme import Style
from companion.tablet.zones import Zones
from companion.words import render

SHELF = 300
"""Width of the reserves, in design units."""
LOOKS = 0.1
"""Seconds between two looks at the strip."""
ONE, READER, BOX = "one", "reader", ""


def say(session: Any, key: str, **args: int | str | Text) -> str:
    return str(session.speech.say(Text(f"simtable.{key}", args)))


class _Still:
    """A table on which nobody asks anything: what a session needs for its board."""

    def __init__(self, table: Any) -> None:
        self.desk = self
        self.game, self.board, self.data = table.spec.game, table.spec.board, Path()
        self.sides: Mapping[str, str] = {}

    def touch(self, place: str) -> None:
        """A finger without a figure means nothing here."""

    def play(self, *_: Any, **__: Any) -> None:
        """Nobody asks anything."""

    def why(self, *_: Any, **__: Any) -> None:
        """As above."""


class Shelf(Part):
    """The reserves, the box and, where there is one, the reader: all that is not on the map."""

    def __init__(self, *args: Any, page: SimPage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page = page

    def content(self) -> Any:
        return (tuple(sorted(self._page.where.items())), self._page.target, self._page.held, self.session.theme)

    def paint(self, pen: Pen) -> None:
        m = pen.m
        pen.rect(0, 0, self.wide, self.high, "paper")
        pen.rect(0, 0, m.px(2), self.high, "ink")
        spec = self._page.table.spec
        rows = [(f"reserve.{seat}", self.session.speech.say(text), f"clan/{seat}", 1.0) for seat, text in spec.seats.items()]
        rows.append((BOX, say(self.session, "box"), "figure/monster", 1.0))
        if spec.layout == ONE:
            rows.insert(0, (READER, say(self.session, "reader"), "ui/reader", 1.25))
        gap, pad = m.px(8), m.px(10)
        unit = (self.high - 2 * pad - gap * (len(rows) - 1)) / sum(share for *_, share in rows)
        y = float(pad)
        for place, text, mark, share in rows:
            self._paint_row(pen, place, text, mark, pad, y, self.wide - 2 * pad, min(unit, m.px(124)) * share)
            y += min(unit, m.px(124)) * share + gap

    def _paint_row(self, pen: Pen, place: str, text: str, mark: str, x: float, y: float, w: float, h: float) -> None:
        m = pen.m
        aimed = self._page.target == f"zone:{place}"
        edge = "vermilion" if aimed or place == READER else "edge"
        pen.box(x, y, w, h, "land_lit" if aimed else "raised", edge, m.px(4 if aimed else 2), m.px(8))
        head = min(m.px(26), h * 0.3)
        pen.mark(mark, x + m.px(8), y + m.px(6), head)
        px = lettering.fitted(text, BOLD, m.sp(15), round(w - head - m.px(28)), m.sp(11))
        pen.line(text, x + m.px(14) + head, y + m.px(6) + head / 2, BOLD, px)
        self.spot(f"zone:{place}", x, y, w, h, text=text, value={stack.kind: stack.count for stack in self._page.stacks(place)})
        stacks = self._page.stacks(place)
        size = min(h - head - m.px(20), m.px(46))
        step = min((w - m.px(20) - size * 1.3) / max(1, len(stacks) - 1), size * 1.5)
        cy = y + m.px(6) + head + (h - m.px(6) - head) / 2
        for i, stack in enumerate(stacks):
            cx = x + m.px(10) + step * i + size * 0.6
            if stack.mark == counters.STRONGHOLD:
                counters.stronghold(pen, stack.seat, cx, cy, size * 0.86)
                self._count(pen, stack.count, cx, cy, size)
            else:
                counters.draw(pen, stack.seat, stack.mark, stack.count, cx, cy, size)
            spoken = self.session.speech.say(stack.text)
            self.spot(
                f"stack:{place}:{stack.kind}", cx - size * 0.6, cy - size * 0.6, size * 1.2, size * 1.2, text=spoken, value=stack.count
            )

    @staticmethod
    def _count(pen: Pen, count: int, x: float, y: float, size: float) -> None:
        if count > 1:
            pen.disc(x + size * 0.4, y - size * 0.36, size * 0.24, "ink")
            pen.line(str(count), x + size * 0.4, y - size * 0.36, DISPLAY, round(size * 0.38), "paper", "centre")


class Lamps(Part):
    """The strip, lamp by lamp, as the firmware drives it."""

    def __init__(self, *args: Any, page: SimPage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page = page

    def content(self) -> Any:
        return (self._page.lamps, self.session.theme)

    def paint(self, pen: Pen) -> None:
        m, lamps = pen.m, self._page.lamps
        pen.rect(0, 0, self.wide, self.high, "sunk")
        size = m.px(22)
        pen.mark("ui/strip", m.px(12), (self.high - size) / 2, size, "ink_soft")
        left = m.px(44)
        step = (self.wide - left - m.px(12)) / max(1, len(lamps))
        for i, rgb in enumerate(lamps):
            colour = on_screen(rgb)
            pen.disc(left + step * (i + 0.5), self.high / 2, min(step * 0.38, m.px(8)), colour, None if colour else "edge", m.px(1))
        lit = [i for i, rgb in enumerate(lamps) if on_screen(rgb)]
        self.spot("strip", 0, 0, self.wide, self.high, text=say(self.session, "strip"), value=lit)


class Bar(Part):
    """What to do, whether the app agrees, and a few buttons."""

    def __init__(self, *args: Any, page: SimPage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page = page

    def content(self) -> Any:
        return (self._page.agrees, self._page.held, self.session.theme)

    def paint(self, pen: Pen) -> None:
        m, s, page = pen.m, self.session, self._page
        pen.rect(0, 0, self.wide, self.high, "paper")
        pen.rect(0, 0, self.wide, m.px(2), "ink")
        other = "Русский" if s.speech.following() == "ru" else "English"
        every = [
            Button("lang", other, s.next_language, value=s.speech.lang, question=False),
            Button("theme", s.speech.say("night" if s.theme == "day" else "day"), s.next_theme, value=s.theme, question=False),
        ]
        if not page.agrees:
            every.insert(0, Button("settle", say(s, "settle"), page.table.settle, mark="ui/undo", tone="main", question=False))
        x = float(self.wide - m.px(12))
        row = m.finger(76)
        y = (self.high - row) / 2 + m.px(1)
        for button in reversed(every):
            wide = buttons.width(button, pen.style)
            x -= wide
            buttons.paint(self, pen, Placed(button, x, y, wide, row))
            x -= m.gap
        words = say(s, "agrees" if page.agrees else "differs")
        left = m.px(16)
        high = pills.high(pen.style)
        pills.paint(pen, "ok" if page.agrees else "careful", words, left, y + m.px(4), round(x - left))
        self.spot("agrees", left, y, x - left, high, text=words, value=page.agrees)
        piece = page.table.pieces.get(page.held)
        text = say(s, "in_hand", what=page.name(piece.uid)) if piece is not None else say(s, f"how_{page.table.spec.layout}")
        room = round(x - left - m.px(8))
        px = lettering.fitted(text, TEXT, m.sp(17), room, m.sp(12))
        pen.line(lettering.cut(text, TEXT, px, room), left, y + row - m.sp(14), TEXT, px, "ink")
        self.spot("how", left, y + high, x - left, row - high, text=text)


class SimPage(Page):
    """``table`` is a ``companion.simtable.physical.Physical``."""

    def __init__(self, table: Any, **kwargs: Any) -> None:
        self.table = table
        self.where: Mapping[str, str] = table.where()
        self.lamps: tuple[Any, ...] = ()
        self.agrees = True
        self.held = ""
        """The UID of the piece that is in the hand."""
        self.target = ""
        """The name of the spot the hand is over."""
        self._serial = 0
        self._poll: Any = None
        super().__init__(game=table.spec.game, language=table.spec.language, theme=table.spec.theme, **kwargs)

    # ------------------------------------------------------------------ what is shown

    def make_session(self, language: str, theme: str, clock: Callable[[], float]) -> Any:
        self._drawing = drawing.parse(self.table.spec.board)
        places = frozenset(zone.id for zone in self.table.spec.zones)
        session = Session(_Still(self.table), places, changed=self.dirty, later=self.inbox.put, clock=clock)
        session.page, session.theme, session.speech.lang = BOARD, theme, language
        session.take(self._picture())
        return session

    def make_parts(self) -> Sequence[Part]:
        s, guard = self.session, self.guard
        self.board: Any = Zones(s, guard) if self._drawing is None else Board(s, guard, drawing=self._drawing)
        self.shelf, self.strip, self.bar = Shelf(s, guard, page=self), Lamps(s, guard, page=self), Bar(s, guard, page=self)
        self.carry = Carry(s, guard, page=self)
        return (self.board, self.shelf, self.strip, self.bar, self.carry)

    def arrange(self, style: Style) -> Sequence[tuple[Part, Box]]:
        m = style.m
        top, low = m.px(40), m.finger(76) + m.px(24)
        side = min(m.px(SHELF), m.width // 3)
        middle = Box(0, top, m.width - side, m.height - top - low)
        self.board.settle(middle, m)
        board = Box(0, 0, m.width, m.height) if self._drawing is not None else middle
        return (
            (self.board, board),
            (self.shelf, Box(m.width - side, top, side, m.height - top - low)),
            (self.strip, Box(0, 0, m.width, top)),
            (self.bar, Box(0, m.height - low, m.width, low)),
            (self.carry, Box(0, 0, m.width, m.height)),
        )

    def stacks(self, place: str) -> tuple[Stack, ...]:
        """What lies at a place, kind by kind; without the piece in the hand."""
        found: dict[str, list[Any]] = {}
        for uid, piece in self.table.pieces.items():
            if self.where.get(uid) == place and uid != self.held:
                found.setdefault(piece.kind, []).append(piece)
        return tuple(Stack(kind, len(pile), pile[0].text, pile[0].mark, pile[0].seat) for kind, pile in found.items())

    def name(self, uid: str) -> str:
        """A piece as people say it."""
        piece = self.table.pieces[uid]
        return str(self.session.speech.say(Text("table.figure", {"figure": piece.text, "name": piece.name}) if piece.name else piece.text))

    def _picture(self) -> Update:
        """The table as a view: what a board needs."""
        self._serial += 1
        spec = self.table.spec
        zones = tuple(Zone(zone.id, zone.text, self.stacks(zone.id), "", zone.mark) for zone in spec.zones)
        words = Text("simtable.title")
        seats = Section("seats", words, tuple(Section(seat, text, (), f"clan/{seat}", seat) for seat, text in spec.seats.items()))
        view = View(words, words, (Section("board", words, zones), seats), (), (), ())
        return Update("simtable", self._serial, view, {}, {}, (), None)

    # ------------------------------------------------------------------ life

    def start(self) -> None:
        self.table.changed = lambda: self.later(self.look)
        self._poll = Clock.schedule_interval(lambda _dt: self._watch(), LOOKS)
        self.look()

    def stop(self) -> None:
        self.table.changed = lambda: None
        if self._poll is not None:
            self._poll.cancel()

    def look(self) -> None:
        """Everything as it is now."""
        self.where, self.agrees = self.table.where(), self.table.agrees()
        self.session.take(self._picture())
        self.dirty()

    def _watch(self) -> None:
        lamps = tuple(self.table.lamps())
        if lamps != self.lamps:
            self.lamps = lamps
            self.dirty()

    # ------------------------------------------------------------------ hands

    def pick(self, place: str, kind: str) -> str:
        """Which piece of a stack a hand takes: the last one; where seats share a stack, one of that seat. "": none."""
        here = [piece for uid, piece in self.table.pieces.items() if self.where.get(uid) == place]
        seat = next((piece.seat for piece in self.table.pieces.values() if piece.kind == kind), "")
        best = [piece.uid for piece in here if piece.kind == kind] or [piece.uid for piece in here if piece.seat == seat]
        return best[-1] if best else ""

    def hold(self, uid: str) -> None:
        """Takes a piece in the hand; "" lets go of it where it was."""
        self.held, self.target = uid, ""
        self.session.touched = ""
        self.look()

    def aim(self, wid: str) -> None:
        """The hand is over this spot."""
        if wid != self.target:
            self.target = wid
            self.session.touched = wid.removeprefix("zone:")
            self.dirty()

    def drop(self, wid: str) -> None:
        """Sets the piece in the hand down there; beside everything it stays where it was."""
        uid, place = self.held, wid.removeprefix("zone:")
        self.held, self.target, self.session.touched = "", "", ""
        if uid and wid:
            self.table.move(uid, place)
        self.look()


def run(table: Any, *, on_ready: Callable[[Any], None] | None = None) -> None:
    """The window, until it is closed."""
    title = render(Text("simtable.title"), table.spec.language)
    PageApp(lambda: SimPage(table), title=f"Jinmaku: {title}", on_ready=on_ready).run()
