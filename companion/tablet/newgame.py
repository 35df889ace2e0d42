"""The form of a new game as a page: its head with the tabs, what is wrong, and the button that begins. Here: the frame and the two shorter
tabs (cards and readers; options). Not here: the players (``newgame_players``), or what is right (``companion.lobby.form``).
"""

from __future__ import annotations

from typing import Any

from companion.lobby.form import Form
from companion.rules.offer import Option
from companion.rules.view import Text
from companion.table.setup import LAYOUTS, LEVELS
from companion.tablet import backdrop, buttons, lettering, newgame_players
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.home_state import NEW, PLAYERS, RULES, TABLE, TABS
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen

LEVEL = "level"
MARKS = {"": "ui/wifi", "single": "ui/reader", "places": "ui/tag", "readers": "ui/reader", "trust": "ui/ok", "none": "ui/tap"}


class NewGamePage(Part):
    """Covers the window."""

    def content(self) -> Any:
        s = self.session
        return (s.form, s.tab, s.leaf, s.busy, s.trouble, s.pairing, s.theme, s.scale) if s.page == NEW else None

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        if s.page != NEW or s.form is None:
            return
        backdrop.paint(pen, self.wide, self.high)
        pad, row = m.px(28), m.finger(76)
        self._paint_head(pen, s.form, pad, m.px(16), row)
        top, foot = m.px(16) + row + m.px(20), row + m.px(32)
        area = Box(pad, top, self.wide - 2 * pad, self.high - top - foot)
        {PLAYERS: newgame_players.paint, TABLE: _paint_table, RULES: _paint_rules}[s.tab](self, pen, s.form, area)
        self._paint_foot(pen, pad, self.high - row - m.px(16), row)

    def _paint_head(self, pen: Pen, form: Form, pad: float, y: float, h: float) -> None:
        m, s = pen.m, self.session
        back = Button("back", s.speech.say("back"), s.back, mark="ui/undo")
        w = buttons.width(back, pen.style)
        buttons.paint(self, pen, Placed(back, pad, y, w, h))
        tabs = [
            Button(f"tab:{tab}", s.speech.say(Text(f"lobby.tab_{tab}")), lambda tab=tab: s.turn_to(tab), value=s.tab == tab) for tab in TABS
        ]
        widths = [buttons.width(tab, pen.style) for tab in tabs]
        x = self.wide - pad - sum(widths) - m.gap * (len(tabs) - 1)
        room = round(x - pad - w - m.px(40))
        left = pad + w + m.px(20)
        title, game = s.speech.say(Text("lobby.new_game")), s.speech.say(form.offer.text)
        px = lettering.fitted(title, DISPLAY, m.sp(28), room, m.sp(14))
        pen.line(lettering.cut(title, DISPLAY, px, room), left, y + h / 2 - m.sp(12), DISPLAY, px)
        pen.line(lettering.cut(game, TEXT, m.sp(15), room), left, y + h / 2 + m.sp(16), TEXT, m.sp(15), "ink_soft")
        for tab, wide in zip(tabs, widths, strict=True):
            buttons.paint(self, pen, Placed(tab, x, y, wide, h))
            if tab.value:  # in ink: the page that is open asks for nothing
                pen.rect(x + m.px(12), y + h - m.px(14), wide - m.px(24), m.px(5), "ink")
            x += wide + m.gap

    def _paint_foot(self, pen: Pen, pad: float, y: float, h: float) -> None:
        """What is wrong, most urgent first, what mends it, and the button that begins."""
        m, s = pen.m, self.session
        begin = Button(
            "begin",
            s.speech.say(Text("lobby.begin")),
            None if s.blocking else s.begin,
            tone="off" if s.blocking else "main",
            value=s.blocking,
        )
        w = max(buttons.width(begin, pen.style), m.px(220))
        right = self.wide - pad
        buttons.paint(self, pen, Placed(begin, right - w, y, w, h))
        tone, text, fix = self._said()
        if text is None:
            return
        right -= w + m.px(20)
        if fix:
            mend = Button("mend", s.speech.say(Text("lobby.seat_in_order" if fix == "seat" else "lobby.mend")), s.mend, mark="ui/ok")
            wide = buttons.width(mend, pen.style)
            buttons.paint(self, pen, Placed(mend, right - wide, y, wide, h))
            right -= wide + m.px(16)
        words = s.speech.say(text)
        colour, _, mark = pen.style.theme.tone(tone)
        size = m.px(26)
        pen.mark(mark, pad, y + (h - size) / 2, size, colour)
        left = pad + size + m.px(12)
        px, room = m.sp(16), round(right - left)
        lines = lettering.wrapped(words, TEXT, px, room, 99)
        if len(lines) * m.sp(20) > h:
            px = m.sp(13)
            lines = lettering.wrapped(words, TEXT, px, room, max(1, int(h // m.sp(17))))
        pitch = round(px * 1.25)
        for i, line in enumerate(lines):
            pen.line(line, left, y + h / 2 + pitch * (i - (len(lines) - 1) / 2), TEXT, px, "ink")
        self.spot("fault", pad, y, right - pad, h, text=words, value=tone)

    def _said(self) -> tuple[str, Text | None, str]:
        """Tone, sentence, and the fix of what is most urgent."""
        s = self.session
        if s.busy is not None:
            return "waiting", s.busy, ""
        if s.trouble is not None:
            return "refused", s.trouble, ""
        fault = next(iter(s.faults), None)
        if fault is None:
            return "ok", None, ""
        return ("refused" if fault.blocks else "careful"), fault.text, fault.fix


# ---------------------------------------------------------------------- cards and readers


def _paint_table(part: NewGamePage, pen: Pen, form: Form, area: Box) -> None:
    m, s = pen.m, part.session
    gap = m.px(14)
    head = m.sp(24) + m.px(10)
    deck = next((option for option in form.offer.options if option.name == form.offer.deck), None)
    third = round((area.w - 2 * gap - m.px(14)) / 3)
    x = area.x
    high = min(round((area.h - head - 2 * gap) / 3), m.px(230))
    if deck is not None:
        pen.line(s.speech.say(deck.text), x, area.y + m.sp(12), DISPLAY, m.sp(20))
        for i, (value, text) in enumerate(deck.values.items()):
            why = s.speech.say(Text(f"lobby.deck_{value}_why")) if value in {"digital", "cardboard"} else ""
            box = Box(x, area.y + head + i * (high + gap), third, high)
            chosen = form.value(deck.name) == value
            _paint_choice(part, pen, box, f"deck:{value}", s.speech.say(text), why, "mandate/recruit" if value == "digital" else "token/honor",
                          chosen, lambda value=value: s.put(form.chosen(deck.name, value)))  # fmt: skip
        x += third + gap + m.px(14)
    wide = round((area.right - x - gap) / 2)
    pen.line(s.speech.say(Text("lobby.layout")), x, area.y + m.sp(12), DISPLAY, m.sp(20))
    for i, layout in enumerate(("", *LAYOUTS)):
        box = Box(x + i % 2 * (wide + gap), area.y + head + i // 2 * (high + gap), wide, high)
        name = layout or "auto"
        _paint_choice(part, pen, box, f"layout:{name}", s.speech.say(Text(f"lobby.layout_{name}")), s.speech.say(Text(f"lobby.layout_{name}_why")),
                      MARKS[layout], form.layout == layout, lambda layout=layout: s.put(form.seen_by(layout)))  # fmt: skip


def _paint_choice(part: NewGamePage, pen: Pen, box: Box, wid: str, text: str, why: str, mark: str, chosen: bool, press: Any) -> None:
    """One of several: a card with its name and its reason; the chosen one has the ok sign and a strong edge."""
    m = pen.m
    pen.box(box.x, box.y, box.w, box.h, "raised", "ink" if chosen else "edge", m.px(4 if chosen else 2), m.px(8))
    pad = m.px(16)
    size = m.px(30)
    left = box.x + pad + size + m.px(12)
    room = round(box.w - 2 * pad - size - m.px(12) - (m.px(28) if chosen else 0))
    px = lettering.fitted(text, BOLD, m.sp(18), room, m.sp(13))
    small = m.sp(15)
    lines = lettering.wrapped(why, TEXT, small, round(box.w - 2 * pad - size - m.px(12)), 99)
    if m.sp(24) + m.sp(19) * len(lines) > box.h - m.px(16):
        small = m.sp(13)
        lines = lettering.wrapped(
            why, TEXT, small, round(box.w - 2 * pad - size - m.px(12)), max(1, int((box.h - m.px(16) - m.sp(24)) // m.sp(17)))
        )
    pitch = round(small * 1.28)
    block = m.sp(26) + pitch * len(lines)
    top = box.y + (box.h - block) / 2
    pen.mark(mark, box.x + pad, top, size, "ink" if chosen else "ink_soft")
    pen.line(lettering.cut(text, BOLD, px, room), left, top + m.sp(13), BOLD, px)
    for i, line in enumerate(lines):
        pen.line(line, left, top + m.sp(26) + pitch * (i + 0.5), TEXT, small, "ink_soft")
    if chosen:
        sign = m.px(24)
        pen.mark("ui/ok", box.right - pad - sign + m.px(4), top + m.px(1), sign, "pine")
    part.spot(wid, *box, text=f"{text}. {why}", value=chosen, lit=chosen, press=press, meaning=wid)


# ---------------------------------------------------------------------- options


def _paint_rules(part: NewGamePage, pen: Pen, form: Form, area: Box) -> None:
    """How the rules are kept, then one row an option, the alliances last; as many as fit, the others a leaf further."""
    m, s = pen.m, part.session
    options = [option for option in form.offer.options if option.name != form.offer.deck]
    rows: list[Option | None] = [_level(form), *options, *([None] if form.offer.allies else [])]
    least = max(m.finger(76) + m.px(16), m.sp(22) + 2 * m.sp(18) + m.px(20))
    fits = max(1, area.h // least)
    more = len(rows) > fits
    if more:
        fits = max(1, (area.h - m.finger(64)) // least)
    leaves = -(-len(rows) // fits)
    shown = rows[s.leaf % leaves * fits :][:fits]
    room = area.h - (m.finger(64) + m.px(8) if more else 0)
    high = min(round(room / max(len(shown), 1)), m.px(118))
    for i, option in enumerate(shown):
        y = area.y + i * high
        if i:
            pen.rect(area.x, y, area.w, 1, "line")
        box = Box(area.x, y, area.w, high)
        if option is None:
            _paint_allies(part, pen, form, box)
        else:
            _paint_option(part, pen, form, option, box)
    if more:
        note = s.speech.say(Text("lobby.page", {"n": s.leaf % leaves + 1, "m": leaves}))
        button = Button("leaf", s.speech.say("more"), s.press_leaf, note, "ui/turn")
        w = buttons.width(button, pen.style)
        buttons.paint(part, pen, Placed(button, area.right - w, area.bottom - m.finger(64), w, m.finger(64)))


def _level(form: Form) -> Option:
    """No option of the game's: the reason is that of the level that is chosen."""
    return Option(LEVEL, Text("lobby.level"), Text(f"lobby.level_{form.level}_why"), {one: Text(f"lobby.level_{one}") for one in LEVELS})


def _paint_option(part: NewGamePage, pen: Pen, form: Form, option: Option, box: Box) -> None:
    m, s = pen.m, part.session
    row = m.finger(76)
    chosen = form.level if option.name == LEVEL else form.value(option.name)
    every = [
        Button(
            f"option:{option.name}:{value}",
            s.speech.say(text),
            lambda value=value: s.put(form.kept(value) if option.name == LEVEL else form.chosen(option.name, value)),
            mark="ui/ok" if chosen == value else "",
            tone="plain",
            value=chosen == value,
        )
        for value, text in option.values.items()
    ]
    right = box.right - _paint_values(part, pen, every, box.right, box.y + (box.h - row) / 2, row, box.w * 0.5)
    _paint_reason(part, pen, box, right - m.px(24), s.speech.say(option.text), s.speech.say(option.why), option.clause)


def _paint_values(part: NewGamePage, pen: Pen, every: list[Button], right: float, y: float, h: float, room: float) -> float:
    m = pen.m
    widths = [buttons.width(button._replace(mark="ui/ok"), pen.style) for button in every]
    total = sum(widths) + m.gap * (len(every) - 1)
    k = min(1.0, room / total)
    x = right - total * k
    for button, wide in zip(every, widths, strict=True):
        buttons.paint(part, pen, Placed(button, x, y, wide * k, h))
        if button.value:
            pen.box(x, y, wide * k, h, None, "ink", m.px(4), m.px(8))
        x += (wide + m.gap) * k
    return total * k


def _paint_reason(part: NewGamePage, pen: Pen, box: Box, right: float, text: str, why: str, clause: str) -> None:
    m = pen.m
    room = round(right - box.x)
    small = m.sp(15)
    lines = lettering.wrapped(why, TEXT, small, room, 99)
    if len(lines) > 2:
        small = m.sp(13)
        lines = lettering.wrapped(why, TEXT, small, room, 3 if box.h > m.sp(22) + 3 * m.sp(17) + m.px(6) else 2)
    pitch = round(small * 1.25)
    top = box.y + (box.h - m.sp(24) - pitch * len(lines)) / 2
    used = pen.line(lettering.cut(text, BOLD, m.sp(18), room), box.x, top + m.sp(12), BOLD, m.sp(18))
    if clause and used + m.px(90) < room:
        pen.line(clause, box.x + used + m.px(12), top + m.sp(13), BOLD, m.sp(13), "indigo")
    for i, line in enumerate(lines):
        pen.line(line, box.x, top + m.sp(24) + pitch * (i + 0.5), TEXT, small, "ink_soft")
    part.spot(f"why:{text}", box.x, box.y, room, box.h, text=f"{text} {clause}. {why}")


def _paint_allies(part: NewGamePage, pen: Pen, form: Form, box: Box) -> None:
    """A mark a player: allies are joined by their sign."""
    m, s = pen.m, part.session
    row = m.finger(76)
    seats = [*dict.fromkeys(seat for pair in form.pairs for seat in pair), *(seat for seat in form.seats if not form.ally(seat))]
    gap = m.gap
    joint = m.px(22)
    total = row * len(seats) + gap * (len(seats) - 1) + sum(joint for _ in form.pairs)
    x = right = box.right - total
    y = box.y + (box.h - row) / 2
    for i, seat in enumerate(seats):
        ally = form.ally(seat)
        tone = "pick" if s.pairing == seat else "plain"
        name = s.speech.say(form.offer.seats[seat])
        button = Button(f"ally:{seat}", "", lambda seat=seat: s.ally(seat), mark=f"clan/{seat}", tone=tone, value=ally)
        buttons.paint(part, pen, Placed(button, x, y, row, row))
        part.spots[-1].text = (
            s.speech.say(Text("lobby.pair", {"first": form.offer.seats[seat], "second": form.offer.seats[ally]})) if ally else name
        )
        x += row
        if ally and i % 2 == 0:
            size = m.px(26)
            pen.mark("ui/alliance", x + (gap + joint - size) / 2, y + (row - size) / 2, size, "ink")
            x += joint
        x += gap
    pairs = "; ".join(
        s.speech.say(Text("lobby.pair", {"first": form.offer.seats[a], "second": form.offer.seats[b]})) for a, b in form.pairs
    )
    title = s.speech.say(Text("lobby.allies"))
    why = pairs or s.speech.say(Text("lobby.allies_why"))
    _paint_reason(part, pen, box, right - m.px(24), title, why, form.offer.allies)
