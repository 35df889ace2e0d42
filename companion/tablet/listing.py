"""Rows of text on leaves: the log, a seat's sheet, a rule. Measured so that every word fits; a clause beside a row opens its text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.tablet import lettering, pills
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.nodes import Row
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style

LINES = 6
"""Most lines of one sentence."""
Leaf = list[tuple[Row, float]]


def leaves(style: Style, every: list[Row], wide: float, room: float) -> list[Leaf]:
    """Which rows stand on which leaf, each with its height."""
    out: list[Leaf] = [[]]
    used = 0.0
    for row in every:
        high = _high(style, row, wide)
        if used + high > room and out[-1]:
            out.append([])
            used = 0.0
        out[-1].append((row, high))
        used += high
    return out


def _link(style: Style, row: Row) -> int:
    """Room at the end for the clause."""
    return style.m.px(24) + lettering.width(row.clause, BOLD, style.m.sp(15)) if row.clause else 0


def _end(style: Style, row: Row) -> int:
    m = style.m
    if row.tone:
        return pills.width(style, row.value) + m.px(14)
    return max(_link(style, row), lettering.width(row.value, DISPLAY, m.sp(20)) + m.px(20) if row.value else 0, m.px(8))


def _signs(style: Style, row: Row) -> int:
    return (style.m.px(24) + style.m.px(8)) * sum(1 for mark in (row.seat, row.mark) if mark)


def _room(style: Style, row: Row, wide: float) -> int:
    return round(wide - style.m.px(20) * row.depth - _signs(style, row) - _end(style, row))


def _texts(style: Style, row: Row, wide: float) -> tuple[tuple[str, ...], tuple[str, ...]]:
    m, room = style.m, _room(style, row, wide)
    face = BOLD if row.head else TEXT
    notes = lettering.wrapped(row.note, TEXT, m.sp(14), room, LINES) if row.note else ()
    return lettering.wrapped(row.text, face, m.sp(17), room, LINES), notes


def _high(style: Style, row: Row, wide: float) -> float:
    m = style.m
    lines, notes = _texts(style, row, wide)
    return max(len(lines) * m.sp(24) + len(notes) * m.sp(19) + m.px(12), m.finger(48) if row.clause else 0)


def paint(part: Part, pen: Pen, leaf: Leaf, box: Box, clause: Callable[[str], Any]) -> None:
    """One leaf in a rectangle; ``clause`` opens a rule."""
    y = float(box.y)
    for i, (row, high) in enumerate(leaf):
        _row(part, pen, i, row, box.x, y, box.w, high, clause)
        y += high


def _row(part: Part, pen: Pen, index: int, row: Row, x: float, y: float, w: float, h: float, clause: Callable[[str], Any]) -> None:
    m = pen.m
    pen.rect(x, y + h - 1, w, 1, "line")
    lines, notes = _texts(pen.style, row, w)
    block = len(lines) * m.sp(24) + len(notes) * m.sp(19)
    top = y + (h - block) / 2
    left = x + m.px(20) * row.depth
    size = m.px(24)
    for mark in (f"clan/{row.seat}" if row.seat else "", row.mark):
        if mark:
            pen.mark(mark, left, y + (h - size) / 2, size)
            left += size + m.px(8)
    face = BOLD if row.head else TEXT
    for line in lines:
        pen.line(line, left, top + m.sp(12), face, m.sp(17))
        top += m.sp(24)
    for line in notes:
        pen.line(line, left, top + m.sp(9), TEXT, m.sp(14), "ink_soft")
        top += m.sp(19)
    middle = y + h / 2
    if row.tone:
        pills.paint(pen, row.tone, row.value, x + w - pills.width(pen.style, row.value), middle - pills.high(pen.style) / 2)
    elif row.clause:
        wide = max(_link(pen.style, row), m.target)
        end = lettering.width(row.clause, BOLD, m.sp(15))
        pen.line(row.clause, x + w - m.px(4), middle, BOLD, m.sp(15), "indigo", "right")
        pen.rect(x + w - m.px(4) - end, middle + m.sp(15) * 0.62, end, max(1, m.px(1.5)), "indigo")
        part.spot(
            f"clause:{index}", x + w - wide, y, wide, h, text=row.clause, value=row.clause, press=lambda: clause(row.clause), meaning=row.clause
        )  # fmt: skip
    elif row.value:
        pen.line(row.value, x + w, middle, DISPLAY, m.sp(20), "ink", "right")
