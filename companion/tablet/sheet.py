"""Sheets over the map: the log with the rest of the table, what a seat holds, the devices. One page at a time, closed by one press."""

from __future__ import annotations

from typing import Any

from companion.tablet import buttons, curtain, lettering, pills
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.nodes import Row, rows
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style

PLACED = frozenset({"track", "board", "seats", "private"})
"""Sections that have a place of their own."""


class Sheet(Part):
    solid = False

    def content(self) -> Any:
        s = self.session
        if not s.sheet or s.update is None:
            return None
        views = s.update.seats.get(s.sheet[1]) if s.sheet[0] == "seat" else None
        return (s.sheet, s.leaf, s.open, bool(s.pinned), s.update.open.log, s.update.open.sections, views, s.health)

    @property
    def private(self) -> Any:
        """The open seat's private section, when it has one."""
        s = self.session
        view = s.update.seats.get(s.sheet[1]) if s.sheet[:1] == ("seat",) else None
        return next((section for section in (view.sections if view is not None else ()) if section.id == "private" and section.nodes), None)

    def _rows(self) -> tuple[str, list[Row]]:
        s = self.session
        kind = s.sheet[0]
        if kind == "log":
            log = [Row(s.speech.say(line.text), note=line.clause) for line in reversed(s.update.open.log)]
            rest = [section for section in s.update.open.sections if section.id not in PLACED]
            return s.speech.say("log"), log + rows(rest, s.speech)
        if kind == "seat":
            private = self.private
            if s.open and private is not None:
                return s.speech.say(s.name(s.sheet[1])), rows(private.nodes, s.speech, opened=True)
            return s.speech.say(s.name(s.sheet[1])), rows(getattr(s.rows().get(s.sheet[1]), "nodes", ()), s.speech)
        return s.speech.say("health"), [
            Row(s.speech.say(line.name), note=s.speech.say(line.text), mark=line.mark, value=line.tone) for line in s.health
        ]

    def paint(self, pen: Pen) -> None:
        s, m = self.session, pen.m
        if not s.sheet or s.update is None:
            return
        pen.box(0, 0, self.wide, self.high, "raised", "ink", m.px(2), m.px(16))
        self.spot("sheet", 0, 0, self.wide, self.high, value=s.sheet[0], press=lambda: None)
        title, every = self._rows()
        pad, row = m.px(24), m.finger(64)
        left = float(pad)
        if s.sheet[0] == "seat" and pen.mark(f"clan/{s.sheet[1]}", pad, pad - m.px(6), m.px(44)):
            left += m.px(56)
        pen.line(title, left, pad + m.px(16), DISPLAY, m.sp(28))
        close = Button("sheet:close", s.speech.say("close"), lambda: s.press_sheet(*s.sheet), question=False)
        w = buttons.width(close, pen.style)
        buttons.paint(self, pen, Placed(close, self.wide - pad - w, m.px(10), w, row))
        top = float(m.px(10) + row + m.px(8))
        foot = row + m.px(16)
        leaves = self._leaves(pen.style, every, self.high - top - foot)
        leaf = leaves[s.leaf % len(leaves)]
        for entry, high in leaf:
            self._paint_row(pen, entry, pad, top, self.wide - 2 * pad, high)
            top += high
        self._paint_foot(pen, pad, self.high - foot, row, len(leaves))

    def _paint_foot(self, pen: Pen, pad: float, y: float, row: int, leaves: int) -> None:
        s, m = self.session, pen.m
        x = float(self.wide - pad)
        if leaves > 1:
            turn = Button(
                "sheet:next", s.speech.say("more"), lambda: s.press_leaf(1), f"{s.leaf % leaves + 1} / {leaves}", "ui/turn", question=False
            )
            w = buttons.width(turn, pen.style)
            buttons.paint(self, pen, Placed(turn, x - w, y, w, row))
            x -= w + m.gap
        left = float(pad)
        if self.private is not None:
            wide = min(m.px(300), x - pad)
            curtain.plate(self, pen, s.sheet[1], left, y, wide, row)
            left += wide + m.gap
        for button in self._may():
            w = min(buttons.width(button, pen.style), x - left)
            if w > m.target:
                buttons.paint(self, pen, Placed(button, left, y, w, row))
                left += w + m.gap

    def _may(self) -> list[Button]:
        """What the seat may do though nobody waits for it."""
        s = self.session
        if s.sheet[:1] != ("seat",):
            return []
        seat = s.sheet[1]
        return [
            Button(
                f"may:{seat}:{i}",
                s.speech.say(prompt.text),
                lambda i=i: s.press_ask(seat, i),
                mark="ui/plus",
                meaning=prompt,
                question=False,
            )
            for i, prompt in enumerate(s.prompts(seat))
            if prompt.optional
        ]

    def _leaves(self, style: Style, every: list[Row], room: float) -> list[list[tuple[Row, float]]]:
        m = style.m
        out: list[list[tuple[Row, float]]] = [[]]
        used = 0.0
        for entry in every:
            wide = round(self.wide - m.px(48) - m.px(60))
            lines = len(lettering.wrapped(entry.text, BOLD if entry.head else TEXT, m.sp(17), wide, 3))
            notes = len(lettering.wrapped(entry.note, TEXT, m.sp(14), wide, 2)) if entry.note else 0
            high = lines * m.sp(24) + notes * m.sp(19) + m.px(12)
            if used + high > room and out[-1]:
                out.append([])
                used = 0.0
            out[-1].append((entry, high))
            used += high
        return out

    def _paint_row(self, pen: Pen, entry: Row, x: float, y: float, w: float, h: float) -> None:
        m = pen.m
        pen.rect(x, y + h - 1, w, 1, "line")
        left = x + m.px(20) * entry.depth
        size = m.px(24)
        for mark in (f"clan/{entry.seat}" if entry.seat else "", entry.mark):
            if mark and pen.mark(mark, left, y + m.px(6), size):
                left += size + m.px(8)
        room = round(w - (left - x) - m.px(60))
        face = BOLD if entry.head else TEXT
        top = y + m.px(6)
        for line in lettering.wrapped(entry.text, face, m.sp(17), room, 3):
            pen.line(line, left, top + m.sp(12), face, m.sp(17))
            top += m.sp(24)
        for line in lettering.wrapped(entry.note, TEXT, m.sp(14), room, 2) if entry.note else ():
            pen.line(line, left, top + m.sp(9), TEXT, m.sp(14), "ink_soft")
            top += m.sp(19)
        if self.session.sheet[0] == "health":
            word = self.session.speech.say(f"tone_{entry.value}")
            pills.paint(pen, entry.value, word, x + w - pills.width(pen.style, word), y + m.px(5))
        elif entry.value:
            pen.line(entry.value, x + w, y + m.px(6) + m.sp(12), DISPLAY, m.sp(20), "ink", "right")
