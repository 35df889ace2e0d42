"""Repair: where table and app differ, place by place, and what hands have to do. A panel beside the map while they differ, and a page.

Nothing is decided here: the ways out are choices of the table's own question, on the prompt panel.
"""

from __future__ import annotations

from typing import Any

from companion.tablet import house, lettering
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.house import Differs
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style

LINES = 3


class Repair(Part):
    """The panel; the screen gives it a place while table and app differ."""

    def content(self) -> Any:
        s = self.session
        section = house.owed(s.update.open) if s.update is not None else None
        return (section, s.differs)

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        pen.rect(0, 0, self.wide, self.high, "raised")
        pen.rect(0, 0, m.px(8), self.high, "ochre")
        x, y = m.px(28), m.px(14)
        size = m.px(36)
        pen.mark("ui/careful", x, y, size, "ochre")
        title = s.speech.say("differ")
        room = self.wide - x - size - m.px(28)
        px = lettering.fitted(title, DISPLAY, m.sp(26), round(room), m.sp(15))
        pen.line(lettering.cut(title, DISPLAY, px, round(room)), x + size + m.px(14), y + size / 2, DISPLAY, px)
        self.spot("repair", 0, 0, self.wide, self.high, text=title, lit=True, press=lambda: s.press_sheet("repair"))
        top = y + size + m.px(10)
        for line in lettering.wrapped(s.speech.say("differ_note"), TEXT, m.sp(15), self.wide - x - m.px(16), LINES):
            pen.line(line, x, top + m.sp(10), TEXT, m.sp(15), "ink_soft")
            top += m.sp(20)
        top += m.px(8)
        paint(self, pen, Box(x, round(top), self.wide - x - m.px(16), round(self.high - top - m.px(10))))


def _high(style: Style, differs: Differs, say: Any, wide: float) -> int:
    m, half = style.m, _half(style, wide)
    rows = max(len(_wrapped(style, say(differs.here), half)), len(_wrapped(style, say(differs.due), half)))
    return m.sp(27) + m.sp(19) + m.sp(21) * rows + m.px(18)


def _half(style: Style, wide: float) -> int:
    return round((wide - style.m.px(56) - style.m.px(24)) / 2)


def _wrapped(style: Style, text: str, room: int) -> tuple[str, ...]:
    return lettering.wrapped(text, BOLD, style.m.sp(16), room, LINES)


def paint(part: Part, pen: Pen, area: Box, *, across: int = 1) -> None:
    """Cards of places, then what hands have to do; what there is no room for is counted."""
    s, m = part.session, pen.m
    view = s.update.open
    say = s.speech.say
    places, moves = house.places(view), house.moves(view)
    if not places and not moves:
        for i, line in enumerate(lettering.wrapped(say("agree"), TEXT, m.sp(17), area.w, LINES)):
            pen.line(line, area.x, area.y + m.sp(24) * (i + 0.5), TEXT, m.sp(17), "pine")
        return
    wide = (area.w - m.gap * (across - 1)) / across
    room = round(wide - m.px(8))
    todo = [line for move in moves for line in lettering.wrapped(say(move), BOLD, m.sp(16), room, 2)]
    x, y, column = float(area.x), float(area.y), 0
    keep = min(len(todo), 2) * m.sp(22)
    shown = 0
    for number, place in enumerate(places, 1):
        high = _high(pen.style, place, say, wide)
        if y + high > area.bottom - keep:
            column += 1
            if column >= across:
                break
            x, y = area.x + column * (wide + m.gap), float(area.y)
        _card(part, pen, place, number, x, y, wide, high)
        shown += 1
        y += high + m.gap
    if shown < len(places):
        pen.line(say("more_places", n=len(places) - shown), x, area.bottom - m.sp(11), TEXT, m.sp(15), "ink_soft")
        return
    if across > 1 and places and column < across - 1:
        x, y = area.x + (column + 1) * (wide + m.gap), float(area.y)
    for line in todo:
        if y + m.sp(22) > area.bottom:
            break
        pen.line(line, x, y + m.sp(11), BOLD, m.sp(16))
        y += m.sp(22)


def _card(part: Part, pen: Pen, place: Differs, number: int, x: float, y: float, w: float, h: float) -> None:
    m, say = pen.m, part.session.speech.say
    stripe, half = m.px(40), _half(pen.style, w)
    pen.box(x, y, w, h, "ochre_wash", "ochre", m.px(2), m.px(8))
    pen.box(x, y, stripe, h, "ochre", "ochre", m.px(2), m.px(8))
    pen.line(str(number), x + stripe / 2, y + h / 2, DISPLAY, m.sp(22), "on_ochre", "centre")
    left, top = x + stripe + m.px(14), y + m.px(8)
    name = say(place.name)
    px = lettering.fitted(name, DISPLAY, m.sp(19), round(w - stripe - m.px(24)), m.sp(12))
    pen.line(name, left, top + m.sp(13), DISPLAY, px)
    top += m.sp(27)
    for i, (head, text) in enumerate((("lies_here", place.here), ("expected", place.due))):
        at = left + i * (half + m.px(8))
        pen.line(lettering.cut(say(head), TEXT, m.sp(14), half), at, top + m.sp(9), TEXT, m.sp(14), "ink_soft")
        for r, line in enumerate(_wrapped(pen.style, say(text), half)):
            pen.line(line, at, top + m.sp(19) + m.sp(21) * r + m.sp(11), BOLD, m.sp(16))
    part.spot(f"differs:{place.place}", x, y, w, h, text=f"{name}: {say(place.here)} / {say(place.due)}", value=number)
