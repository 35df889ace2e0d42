"""A state in one word: sign, word and colour, always all three."""

from __future__ import annotations

from companion.tablet import lettering
from companion.tablet.fonts import BOLD
from companion.tablet.pen import Pen
from companion.tablet.theme import Style


def width(style: Style, text: str) -> int:
    m = style.m
    return m.px(18) + m.px(30) + lettering.width(text, BOLD, m.sp(15))


def high(style: Style) -> int:
    return max(style.m.px(28), style.m.sp(20) + style.m.px(6))


def paint(pen: Pen, tone: str, text: str, x: float, y: float, room: float = 0) -> float:
    """A pill with its upper left corner at (x, y); returns its width."""
    m = pen.m
    colour, wash, mark = pen.style.theme.tone(tone)
    px = lettering.fitted(text, BOLD, m.sp(15), round(room - m.px(48)), m.sp(11)) if room else m.sp(15)
    if room:
        text = lettering.cut(text, BOLD, px, round(room - m.px(48)))
    w, h = m.px(48) + lettering.width(text, BOLD, px), high(pen.style)
    pen.box(x, y, w, h, wash, None, 0, h // 2)
    size = m.px(18)
    pen.mark(mark, x + m.px(10), y + (h - size) / 2, size, colour)
    pen.line(text, x + m.px(36), y + h / 2, BOLD, px, colour)
    return float(w)
