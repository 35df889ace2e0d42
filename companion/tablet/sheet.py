"""Sheets over the map: the frame, its tabs and leaves, and which page it shows. One at a time, closed by one press.

Not here: what a page shows (``pages``, ``settings``, ``repair``, ``listing``).
"""

from __future__ import annotations

from typing import Any

from companion.tablet import buttons, curtain, knock, lettering, listing, pages, settings, turning
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import DISPLAY
from companion.tablet.layout import Box
from companion.tablet.nodes import Row, rows
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.sheets import TABS

PLACED = frozenset({"track", "board", "seats", "private", "owed", "score"})
"""Sections that have a place of their own."""
TAB_MARKS = {"log": "ui/log", "repair": "ui/tap", "health": "ui/wifi", "settings": "ui/settings"}


class Sheet(Part):
    solid = False

    def content(self) -> Any:
        s = self.session
        if not s.sheet or s.update is None:
            return None
        views = s.update.seats.get(s.sheet[1]) if s.sheet[0] in {"seat", "ask"} else None
        pins = (s.pins.typed, s.pins.first, s.pins.wrong, s.pins.passed)
        look = (s.theme, s.scale, s.motion, s.rotation, s.turned)
        known = (s.health, tuple(s.phones.items()), s.takeovers)
        return (s.sheet, s.sheet_leaf, s.open, bool(s.pinned), s.update.open, views, s.update.table, s.update.bots, known, pins, look)

    @property
    def private(self) -> Any:
        """The open seat's private section, when it has one."""
        s = self.session
        view = s.update.seats.get(s.sheet[1]) if s.sheet[:1] == ("seat",) else None
        return next((section for section in (view.sections if view is not None else ()) if section.id == "private" and section.nodes), None)

    def paint(self, pen: Pen) -> None:
        s, m = self.session, pen.m
        if not s.sheet or s.update is None:
            return
        pen.box(0, 0, self.wide, self.high, "raised", "ink", m.px(2), m.px(16))
        self.spot("sheet", 0, 0, self.wide, self.high, value=s.sheet[0], press=lambda: None)
        pad, row = m.px(24), m.finger(64)
        self._paint_head(pen, pad, m.px(10), row)
        top = m.px(10) + row + m.px(10)
        area = knock.strip(self, pen, Box(pad, top, self.wide - 2 * pad, self.high - top - m.px(14)))
        page = pages.PAGES.get(s.sheet[0])
        if page is not None:
            page(self, pen, area)
        elif s.sheet[0] == "settings":
            settings.paint(self, pen, area)
        else:
            self._paint_rows(pen, area, row)

    # ------------------------------------------------------------------ the head

    def _paint_head(self, pen: Pen, x: float, y: float, row: int) -> None:
        s, m = self.session, pen.m
        close = Button("sheet:close", s.speech.say("close"), s.close_sheet, question=False)
        w = buttons.width(close, pen.style)
        buttons.paint(self, pen, Placed(close, self.wide - x - w, y, w, row))
        room = self.wide - 2 * x - w - m.gap
        if s.sheet[0] in TABS:
            self._paint_tabs(pen, x, y, room, row)
            return
        seat = s.sheet[1] if s.sheet[0] in {"seat", "pin", "ask"} else ""
        size = m.px(44)
        if seat and pen.mark(f"clan/{seat}", x, y + (row - size) / 2, size):
            x += size + m.px(12)
            room -= size + m.px(12)
        title = pages.title(s)
        px = lettering.fitted(title, DISPLAY, m.sp(28), round(room), m.sp(15))
        pen.line(lettering.cut(title, DISPLAY, px, round(room)), x, y + row / 2, DISPLAY, px)

    def _paint_tabs(self, pen: Pen, x: float, y: float, room: float, row: int) -> None:
        """With words where there is room, else with signs, the open one always with its word."""
        s, m = self.session, pen.m
        every = [
            Button(
                f"sheet:{name}",
                s.speech.say(name),
                lambda name=name: s.open_sheet((name,)),
                mark=TAB_MARKS[name],
                tone="pick" if name == s.sheet[0] else "plain",
                value=name == "repair" and s.differs,
                question=False,
            )
            for name in TABS
        ]
        shown = every
        if sum(buttons.width(b, pen.style) + m.gap for b in every) - m.gap > room:
            shown = [b if b.tone == "pick" else b._replace(text="") for b in every]
        if sum(buttons.width(b, pen.style) + m.gap for b in shown) - m.gap > room:
            shown = [b._replace(text="") for b in every]
        for button, said in zip(shown, every, strict=True):
            w = buttons.width(button, pen.style)
            buttons.paint(self, pen, Placed(button, x, y, w, row))
            self.spots[-1].text = said.text
            x += w + m.gap

    # ------------------------------------------------------------------ pages of rows

    def _rows(self) -> list[Row]:
        s = self.session
        if s.sheet[0] == "log":
            log = [Row(s.speech.say(line.text), clause=line.clause) for line in reversed(s.update.open.log)]
            rest = [section for section in s.update.open.sections if section.id not in PLACED]
            return log + rows(rest, s.speech)
        if s.sheet[0] == "clause":
            return [Row(s.clause(s.sheet[1]) or s.speech.say("no_clause", clause=s.sheet[1]))]
        private = self.private
        if s.open and private is not None:
            return rows(private.nodes, s.speech, opened=True)
        return rows(getattr(s.rows().get(s.sheet[1]), "nodes", ()), s.speech)

    def _paint_rows(self, pen: Pen, area: Box, row: int) -> None:
        """The rows, then what may be done, then the curtain and the way to other leaves."""
        s, m = self.session, pen.m
        every = self._rows()
        lines = pages.lines(pen.style, self._may(), area.w)
        foot = len(lines) * (row + m.gap)
        last = row + m.gap
        whole = listing.leaves(pen.style, every, area.w, area.h - foot - (last if self.private is not None else 0))
        if len(whole) > 1 or self.private is not None:
            foot += last
            whole = listing.leaves(pen.style, every, area.w, area.h - foot)
        leaf = whole[min(s.sheet_leaf, len(whole) - 1)]
        listing.paint(self, pen, leaf, area, s.press_clause)
        pages.paint_lines(self, pen, lines, area.x, area.bottom - foot + m.gap, row)
        x = turning.turners(self, pen, area, row, len(whole))
        if self.private is not None:
            curtain.plate(self, pen, s.sheet[1], area.x, area.bottom - row, min(m.px(300), x - area.x), row)

    def _may(self) -> list[Button]:
        """What a seat, or at the log the whole table, may do though nobody waits for it."""
        s = self.session
        if s.sheet[0] not in {"seat", "log"}:
            return []
        story = [Button("story", s.speech.say("story"), s.open_story, mark="ui/story", question=False)]
        over = [Button("over", s.speech.say("standings"), lambda: s.open_sheet(("over",)), mark="token/victory_point", question=False)]
        told = (story if s.tells is not None else []) + (over if s.update.over else [])
        return (told if s.sheet[0] == "log" else []) + pages.may(s, s.sheet[1] if s.sheet[0] == "seat" else "table")
