"""The home screen's page: games that can go on, the way to a new one, and what else can be done before a game."""

from __future__ import annotations

from time import time
from typing import Any

from companion.lobby.saved import SavedTable, when
from companion.rules.view import Text
from companion.tablet import backdrop, buttons, lettering, pills
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.home_state import HOME
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.settings_row import settings_row


class HomePage(Part):
    """Covers the window. ``title`` is the program's name."""

    def __init__(self, *args: Any, title: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = title

    def content(self) -> Any:
        s = self.session
        if s.page != HOME:
            return None
        entries = tuple(entry.id for entry in s.lobby.entries)
        return (s.home, s.busy, s.trouble, s.leaf, s.theme, s.scale, entries, round(time() // 60))

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        if s.page != HOME:
            return
        backdrop.paint(pen, self.wide, self.high)
        pad, gap = m.px(28), m.gap
        row = m.finger(76)
        self._paint_head(pen, pad, m.px(20), row)
        top = m.px(20) + row + m.px(20)
        foot = pills.high(pen.style) + m.px(24) if self._said() is not None else m.px(20)
        high = self.high - top - foot
        side = round((self.wide - 2 * pad - m.px(24)) * 0.37)
        left = self.wide - 2 * pad - m.px(24) - side
        self._paint_saved(pen, pad, top, left, high)
        self._paint_ways(pen, pad + left + m.px(24), top, side, gap)
        self._paint_said(pen, pad, self.high - foot + m.px(4))

    def _paint_head(self, pen: Pen, x: float, y: float, h: float) -> None:
        m, s = pen.m, self.session
        size = min(m.px(58), h)
        pen.mark("ui/curtain", x, y + (h - size) / 2, size)
        left = x + size + m.px(18)
        used = settings_row(self, pen, self.wide - x, y, h, self.wide * 0.56)
        room = round(self.wide - x - used - left - m.px(16))
        px = lettering.fitted(self.title, DISPLAY, m.sp(34), room, m.sp(16))
        pen.line(self.title, left, y + h / 2 - m.sp(12), DISPLAY, px)
        pen.line(
            lettering.cut(s.speech.say(Text("lobby.subtitle")), TEXT, m.sp(15), room),
            left,
            y + h / 2 + m.sp(19),
            TEXT,
            m.sp(15),
            "ink_soft",
        )

    # ------------------------------------------------------------------ games that can go on

    def _paint_saved(self, pen: Pen, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        saved = s.home.saved if s.home is not None else ()
        if not saved:
            self._paint_nothing(pen, x, y, w, h)
            return
        gap = m.px(12)
        card = max(m.finger(104), m.sp(24) * 2 + m.px(44))
        fits = max(1, int((h + gap) // (card + gap)))
        more = len(saved) > fits
        if more and fits > 1:
            fits = max(1, int((h - m.finger(64)) // (card + gap)))
        leaves = -(-len(saved) // fits)
        first = s.leaf % leaves * fits
        top = y
        for one in saved[first : first + fits]:
            self._paint_game(pen, one, x, top, w, card)
            top += card + gap
        if more:
            note = s.speech.say(Text("lobby.page", {"n": s.leaf % leaves + 1, "m": leaves}))
            button = Button("leaf", s.speech.say("more"), s.press_leaf, note, "ui/turn")
            buttons.paint(self, pen, Placed(button, x, top, buttons.width(button, pen.style), m.finger(64)))

    def _paint_nothing(self, pen: Pen, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        words = s.speech.say(Text("lobby.reading" if s.home is None else "lobby.none_saved"))
        high = min(h, m.px(240))
        pen.dashed(x, y, w, high, "edge", max(1.4, 2 * m.unit), m.px(8))
        size = m.px(56)
        lines = lettering.wrapped(words, TEXT, m.sp(18), round(w - m.px(72)), 4)
        block = size + m.px(16) + m.sp(26) * len(lines)
        top = y + (high - block) / 2
        pen.mark("ui/curtain", x + w / 2 - size / 2, top, size, "ink_soft")
        for i, line in enumerate(lines):
            pen.line(line, x + w / 2, top + size + m.px(16) + m.sp(26) * (i + 0.5), TEXT, m.sp(18), "ink_soft", "centre")
        self.spot("saved:none", x, y, w, high, text=words)

    def _paint_game(self, pen: Pen, one: SavedTable, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        main = one.id == s.newest
        if one.fault is not None:
            pen.dashed(x, y, w, h, "edge", max(1.4, 2 * m.unit), m.px(8))
        else:
            pen.box(x, y, w, h, "raised", "vermilion" if main else "ink", m.px(4 if main else 2), m.px(8))
        pad = m.px(18)
        time_said = when(one.touched, time(), s.speech.lang)
        right = x + w - pad
        word, tone = self._state(one)
        pill = pills.width(pen.style, word) if word else 0
        if word:
            pills.paint(pen, tone, word, right - pill, y + h / 2 + m.px(2))
        stamp = pen.line(time_said, right, y + h / 2 - m.sp(14), TEXT, m.sp(15), "ink_soft", "right")
        end = right - max(stamp, pill) - m.px(16)
        self._paint_people(pen, one, x + pad, y + h / 2 - m.sp(14), end)
        said = self._line(one)
        lines = lettering.wrapped(said, TEXT, m.sp(15), round(end - x - pad), 2 if one.fault is not None else 1)
        for i, line in enumerate(lines):
            pen.line(line, x + pad, y + h / 2 + m.sp(16) + m.sp(19) * i - (m.sp(5) if len(lines) > 1 else 0), TEXT, m.sp(15), "ink_soft")
        self.spot(
            f"saved:{one.id}", x, y, w, h, text=f"{self._people(one)}. {said}", value={"id": one.id, "ended": one.ended, "revision": one.revision},
            lit=main, enabled=one.fault is None, press=(lambda: s.resume(one.id)) if one.fault is None else None, meaning=one.id, question=True,
        )  # fmt: skip

    def _state(self, one: SavedTable) -> tuple[str, str]:
        s = self.session
        if one.fault is not None:
            return s.speech.say(Text("lobby.broken")), "refused"
        if one.ended:
            return s.speech.say(Text("lobby.ended")), "ok"
        return (s.speech.say(Text("lobby.go_on")), "act") if one.id == s.newest else ("", "")

    def _line(self, one: SavedTable) -> str:
        s = self.session
        if one.fault is not None:
            return str(s.speech.say(one.fault))
        return " · ".join(s.speech.say(text) for text in (one.text, *one.phase))

    def _people(self, one: SavedTable) -> str:
        return ", ".join(seat.name or self.session.speech.say(seat.text) for seat in one.seats)

    def _paint_people(self, pen: Pen, one: SavedTable, x: float, y: float, end: float) -> None:
        """Marks with names as far as there is room, then marks alone."""
        m, s = pen.m, self.session
        size, px = m.px(30), m.sp(18)
        names = [seat.name or s.speech.say(seat.text) for seat in one.seats]
        wide = [size + m.px(7) + lettering.width(name, BOLD, px) + m.px(16) for name in names]
        plain = size + m.px(10)
        shown = next(n for n in range(len(names), -1, -1) if sum(wide[:n]) + plain * (len(names) - n) <= end - x or n == 0)
        for i, (seat, name) in enumerate(zip(one.seats, names, strict=True)):
            if x + size > end:
                break
            pen.mark(f"clan/{seat.seat}", x, y - size / 2, size)
            if i < shown:
                pen.line(name, x + size + m.px(7), y, BOLD, px)
            x += wide[i] if i < shown else plain

    # ------------------------------------------------------------------ other ways

    def _paint_ways(self, pen: Pen, x: float, y: float, w: float, gap: float) -> None:
        m, s = pen.m, self.session
        offers = s.lobby.offers
        tall = max(m.finger(104), m.px(104))
        for i, offer in enumerate(offers):
            detail = s.speech.say(offer.text) if len(offers) > 1 else s.speech.say(Text("lobby.new_detail"))
            tone = "plain" if s.newest or i else "main"
            button = Button(f"new:{offer.game}", s.speech.say(Text("lobby.new_game")), lambda i=i: s.new(i), detail, "ui/plus", tone=tone)
            buttons.paint(self, pen, Placed(button, x, y, w, tall))
            y += tall + gap
        row = m.finger(76)
        for entry in s.lobby.entries:
            button = Button(f"entry:{entry.id}", s.speech.say(entry.text), entry.press, mark=entry.mark)
            buttons.paint(self, pen, Placed(button, x, y, w, row))
            y += row + gap

    def _said(self) -> tuple[str, Text] | None:
        s = self.session
        if s.busy is not None:
            return "waiting", s.busy
        if s.trouble is not None:
            return "refused", s.trouble
        return ("careful", s.home.notice) if s.home is not None and s.home.notice is not None else None

    def _paint_said(self, pen: Pen, x: float, y: float) -> None:
        said = self._said()
        if said is not None:
            tone, text = said
            words = self.session.speech.say(text)
            pills.paint(pen, tone, words, x, y, self.wide - 2 * x)
            self.spot("said", x, y, self.wide - 2 * x, pills.high(pen.style), text=words, value=tone)
