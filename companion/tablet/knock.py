"""What waits outside a curtain: a phone that asks for a seat, a question of the table itself. Its words and its buttons, and its strip on a sheet.

Nothing of it is private, and nothing of it touches the curtain: that closes when somebody goes to answer. Over the map it is a slip (``notice``).
"""

from __future__ import annotations

from typing import NamedTuple

from companion.rules.game import TABLE
from companion.tablet import buttons, house, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD, REFUSED, Session

TONE = "act"
LINES, LEADING = 3, 1.24
"""Most lines on a sheet, and their height."""


class Knock(NamedTuple):
    wid: str
    text: str
    buttons: tuple[Button, ...]


def phone(s: Session) -> Knock | None:
    """Another phone asks for a seat."""
    if not s.takeovers or s.page != BOARD:
        return None
    seat = s.takeovers[0]
    signs = {"yes": "ui/ok", "no": "ui/refused"}
    answers = (
        Button(f"takeover:{seat}:{word}", s.speech.say(word), lambda word=word: s.decide(seat, yes=word == "yes"), mark=sign, meaning=seat, question=False)
        for word, sign in signs.items()
    )  # fmt: skip
    return Knock(f"takeover:{seat}", s.speech.say("takeover", seat=s.name(seat)), tuple(answers))


def question(s: Session) -> Knock | None:
    """The table itself asks."""
    prompt = s.table_asks
    if prompt is None or s.page != BOARD:
        return None
    answer = Button("answer", s.speech.say("answer"), s.press_table, mark="ui/tap", meaning=prompt, question=False)
    return Knock("table_asks", s.speech.say("waits", seat=s.name(TABLE), text=prompt.text), (answer,))


def over_map(s: Session) -> Knock | None:
    """What a slip says: the table's question only where a private one stands on the panel, and never instead of an answer to a finger."""
    prompt, asks, said = s.prompt, s.table_asks, s.said
    hidden = asks is not None and s.seat != TABLE and prompt is not None and prompt.private
    told = asks is not None and s.differs and house.moves_figures(asks)  # by the panel beside the map
    urgent = said is not None and (said.tone == REFUSED or bool(said.offers))
    return phone(s) or (question(s) if hidden and not told and not urgent else None)


def on_sheet(s: Session) -> Knock | None:
    """What a seat's sheet says: what it hides. While the curtain is open that is all of the screen, on a small window."""
    if s.sheet[:1] != ("seat",):
        return None
    return phone(s) or (question(s) if s.open or s.seat != TABLE else None)


def strip(part: Part, pen: Pen, area: Box) -> Box:
    """At the top of a sheet; returns what is left of it."""
    m, found = pen.m, on_sheet(part.session)
    if found is None:
        return area
    colour, wash, mark = pen.style.theme.tone(TONE)
    row, size, x = m.finger(64), m.px(28), float(area.right - m.px(8))
    high = row + m.px(12)
    pen.box(area.x, area.y, area.w, high, wash, colour, m.px(2), m.px(8))
    pen.mark(mark, area.x + m.px(14), area.y + (high - size) / 2, size, colour)
    part.spot(found.wid, area.x, area.y, area.w, high, text=found.text)
    for button in reversed(found.buttons):
        w = buttons.width(button, pen.style)
        x -= w
        buttons.paint(part, pen, Placed(button, x, area.y + (high - row) / 2, w, row))
        x -= m.gap
    left = area.x + m.px(14) + size + m.px(12)
    px, room = m.sp(17), round(x - left)
    while px > m.sp(12) and len(lettering.wrapped(found.text, BOLD, px, room, 99)) * px * LEADING > high - m.px(6):
        px -= 1
    lines = lettering.wrapped(found.text, BOLD, px, room, max(1, min(LINES, int((high - m.px(6)) // (px * LEADING)))))
    top = area.y + (high - len(lines) * px * LEADING) / 2
    for i, line in enumerate(lines):
        pen.line(line, left, top + px * LEADING * (i + 0.5), BOLD, px)
    down = high + m.px(10)
    return Box(area.x, area.y + down, area.w, max(0, area.h - down))
