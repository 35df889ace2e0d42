"""Buttons: what they say, how large they are, how they fall into rows, how they are drawn. Every panel has the same ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.tablet import counters, lettering
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style


class Button(NamedTuple):
    """One thing to press. ``tone``: plain, pick (taken), main (the one to press), off (cannot be pressed)."""

    wid: str
    text: str
    press: Callable[[], None] | None
    detail: str = ""
    mark: str = ""
    counter: tuple[str, str] | None = None
    """Seat and foot, where the button stands for a figure."""
    tone: str = "plain"
    last: bool = False
    """It ends something: it stands at the end of the row."""
    value: Any = None
    meaning: Any = None
    question: bool = True
    step: Callable[[int], None] | None = None
    """It is a number to be made larger and smaller: less, number and more in one."""
    untold: Callable[[], None] | None = None
    """What pressing does instead where there was no room for ``detail``: nothing is done that was not said."""
    why: Callable[[], None] | None = None
    """What answers *Why not?* where it cannot be pressed."""


class Placed(NamedTuple):
    button: Button
    x: float
    y: float
    w: float
    h: float


ROOM, TIGHT = 250, 150
"""Most that a button's words may take, in design units: usually, and among many."""


def width(button: Button, style: Style, *, tight: bool = False) -> int:
    """As wide as its words, within reason."""
    m = style.m
    if button.step is not None:
        return 2 * m.finger(64) + max(m.px(60), lettering.width(button.detail, TEXT, m.sp(14)) + m.px(12))
    for room in (TIGHT, (TIGHT + ROOM) // 2, ROOM) if tight else (ROOM,):
        px, lines, details = _words(button, style, m.px(room))
        if px == m.sp(18) and " ".join(lines) == button.text:
            break
    inner = _inner(style, px, lines, details)
    sign = _sign(button, style)
    return max(m.finger(76), sign + (m.px(9) if sign and inner else 0) + inner + m.px(26))


def _sign(button: Button, style: Style) -> int:
    return style.m.px(46 if button.counter else 32) if button.mark or button.counter else 0


def _inner(style: Style, px: int, lines: Sequence[str], details: Sequence[str]) -> int:
    m = style.m
    words = [lettering.width(line, BOLD, px) for line in lines] + [lettering.width(line, TEXT, m.sp(14)) for line in details]
    return max(words, default=0)


def _words(button: Button, style: Style, room: int) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """Their size, up to two lines, and the whole detail in as many lines as there is room for: half a consequence is worse than none.

    A word that is wider than the room is set smaller.
    """
    m = style.m
    px = m.sp(18)
    lines = lettering.wrapped(button.text, BOLD, px, room, 2) if button.text else ()
    while px > m.sp(11 / max(m.scale, 1)) and " ".join(lines) != button.text:
        px -= 1
        lines = lettering.wrapped(button.text, BOLD, px, room, 2)
    spare = int((m.finger(76) - m.px(4) - m.sp(21) * len(lines)) // m.sp(18))
    if not button.detail or spare < 1:
        return px, lines, ()
    details = lettering.wrapped(button.detail, TEXT, m.sp(14), room, 99)
    fits = len(details) <= spare and all(lettering.width(line, TEXT, m.sp(14)) <= room for line in details)
    return px, lines, details if fits and " ".join(details) == button.detail else ()


def flow(widths: Sequence[int], rows: Sequence[int], gap: int) -> list[list[int]] | None:
    """Which button stands in which row, in order, left to right and top to bottom; None: they do not all fit."""
    out: list[list[int]] = [[] for _ in rows]
    row, left = 0, rows[0] if rows else 0
    for i, w in enumerate(widths):
        while row < len(rows) and out[row] and left < w:
            row += 1
            left = rows[row] if row < len(rows) else 0
        if row >= len(rows) or (not out[row] and rows[row] < w and row + 1 < len(rows)):
            row += 1
            if row >= len(rows):
                return None
            left = rows[row]
        out[row].append(i)
        left -= w + gap
    return out


def paint(part: Part, pen: Pen, placed: Placed) -> None:
    """Draws a button and makes it a spot of the part."""
    b, x, y, w, h = placed
    m = pen.m
    if b.step is not None:
        _paint_stepper(part, pen, placed)
        return
    if b.tone == "off":
        pen.dashed(x, y, w, h, "edge", max(1.4, 2 * m.unit), m.px(8))
    elif b.tone == "pick":
        pen.box(x, y, w, h, "vermilion_wash", "vermilion", m.px(4), m.px(8))
    elif b.tone == "main":
        pen.box(x, y, w, h, "vermilion", None, 0, m.px(8))
    else:
        pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(8))
    ink = {"off": "ink_off", "main": "on_vermilion"}.get(b.tone, "ink")
    soft = {"main": "on_vermilion"}.get(b.tone, "ink_soft")
    sign = _sign(b, pen.style)
    px, lines, details = _words(b, pen.style, round(w - m.px(24) - (sign + m.px(9) if sign else 0)))
    inner = _inner(pen.style, px, lines, details)
    gap = m.px(9) if sign and inner else 0
    left = x + max(m.px(8), (w - sign - gap - inner) / 2)
    if b.counter:
        counters.draw(pen, *b.counter, 1, left + sign / 2, y + h / 2, m.px(42))
    elif b.mark:
        pen.mark(b.mark, left, y + (h - sign) / 2, sign, ink)
    left += sign + gap
    pitch, small = m.sp(21), m.sp(18)
    top = y + (h - pitch * len(lines) - small * len(details)) / 2
    at, align = (left, "left") if sign else (x + w / 2, "centre")
    for i, line in enumerate(lines):
        pen.line(line, at, top + pitch * (i + 0.5), BOLD, px, ink, align)
    for i, line in enumerate(details):
        pen.line(line, at, top + pitch * len(lines) + small * (i + 0.5), TEXT, m.sp(14), soft, align)
        if b.why is not None:
            end = lettering.width(line, TEXT, m.sp(14))
            pen.rect(at - (0 if align == "left" else end / 2), top + pitch * len(lines) + small * (i + 1) - m.px(2), end, 1, soft)
    said = f"{b.text} ({b.detail})" if b.detail else b.text
    press = b.why or b.press
    if b.untold is not None and not details:
        press = b.untold
    part.spot(
        b.wid, x, y, w, h, text=said, value=b.value, lit=b.tone in {"pick", "main"}, enabled=press is not None, press=press,
        meaning=b.meaning, question=b.question,
    )  # fmt: skip


def _paint_stepper(part: Part, pen: Pen, placed: Placed) -> None:
    b, x, y, w, h = placed
    m, end = pen.m, pen.m.finger(64)
    step, name = b.step, b.wid.partition(":")[2]
    if step is None:
        return
    pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(8))
    for wid, left, mark, by in ((f"less:{name}", x, "ui/minus", -1), (f"more:{name}", x + w - end, "ui/plus", 1)):
        size = m.px(28)
        pen.mark(mark, left + (end - size) / 2, y + (h - size) / 2, size)
        part.spot(wid, left, y, end, h, text=b.detail, press=lambda by=by: step(by), meaning=name)
    pen.line(b.text, x + w / 2, y + h / 2 - m.sp(10), DISPLAY, m.sp(27), "ink", "centre")
    pen.line(b.detail, x + w / 2, y + h / 2 + m.sp(16), TEXT, m.sp(14), "ink_soft", "centre")
    part.spot(b.wid, x + end, y, w - 2 * end, h, text=b.detail, value=b.value)
