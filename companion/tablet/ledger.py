"""Tables of numbers on a sheet: a game's points by source, or how it stands. Numbers under their heads, a seat's row with its mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from companion.rules.view import Counter, Section, Table, Text
from companion.table.story import SCORE
from companion.tablet import buttons, lettering, turning
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style

LEAST = 11
TITLE, PITCH = 30, 22
"""Room for a table's name; and a row is never lower than that."""


def tables(s: Any) -> list[Table]:
    """The game's own counting; where it has none, what every seat has, in its order of honor."""
    section = s.sections().get(SCORE)
    own = [node for node in section.nodes if isinstance(node, Table)] if isinstance(section, Section) else []
    return own or [standings(s)]


def standings(s: Any) -> Table:
    rows = list(s.rows().values())
    first = [node for node in (rows[0].nodes if rows else ()) if isinstance(node, Counter)]
    heads = (Text("tablet.story_honor"), *(node.text for node in first))
    body = []
    for place, row in enumerate(rows, 1):
        values = {node.id.rsplit(".", 1)[-1]: node.value for node in row.nodes if isinstance(node, Counter)}
        cells = (values.get(node.id.rsplit(".", 1)[-1]) for node in first)
        body.append((row.text, place, *(Text("tablet.raw", {"id": "?"}) if value is None else value for value in cells)))
    return Table("standings", Text("tablet.standings"), (Text("tablet.raw", {"id": " "}), *heads), tuple(body))


def leaves(every: Sequence[Table], style: Style, high: float, *, named: bool = True) -> list[list[Table]]:
    """The tables leaf by leaf, none lower than can be read; a long one goes on on the next, under its heads again."""
    least = style.m.sp(PITCH)
    title = style.m.sp(TITLE) if named else 0
    most = max(1, int((high - title) / least) - 1)
    out: list[list[Table]] = []
    free = 0.0
    for table in every:
        for first in range(0, max(1, len(table.rows)), most):
            rows = table.rows[first : first + most]
            need = title + least * (len(rows) + 1)
            if need > free or first:
                out.append([])
                free = high
            out[-1].append(replace(table, rows=rows))
            free -= need + style.m.px(10)
    return out


def over(part: Part, pen: Pen, area: Box) -> None:
    """The sheet of a game that is over: its tables, leaf by leaf, and the ways to its story and files."""
    m, s = pen.m, part.session
    row = m.finger(76)
    story = Button("story", s.speech.say("story"), s.open_story, mark="ui/story", tone="main", question=False)
    room = area.h - row - m.px(14)
    whole = leaves(tables(s), pen.style, room)
    y = float(area.y)
    shown = whole[min(s.sheet_leaf, len(whole) - 1)]
    many = sum(len(table.rows) + 2 for table in shown)
    for table in shown:
        y += paint(part, pen, table, Box(area.x, round(y), area.w, round(room * (len(table.rows) + 2) / many)))
    x = turning.turners(part, pen, area, row, len(whole))
    if s.tells is not None:
        wide = min(buttons.width(story, pen.style) + m.px(60), x - area.x - m.gap)
        buttons.paint(part, pen, Placed(story, area.x, area.bottom - row, wide, row))


def paint(part: Part, pen: Pen, table: Table, area: Box, *, named: bool = True) -> float:
    """One table, with its name over it; returns how high it is."""
    m, s = pen.m, part.session
    marks = {s.speech.say(row.text): f"clan/{seat}" for seat, row in s.rows().items()}

    def say(cell: Text | int) -> str:
        return s.speech.say(cell) if isinstance(cell, Text) else str(cell)

    lines = [tuple(say(cell) for cell in row) for row in table.rows]
    heads = tuple(say(head) for head in table.heads)
    many = max((len(row) for row in (*lines, heads)), default=1)
    title = m.sp(TITLE) if named else 0
    pitch = min(float(m.sp(40)), (area.h - title) / max(1, len(lines) + 1))
    px = max(LEAST, min(m.sp(20), round(pitch * 0.6)))
    sign = min(m.px(28), int(pitch)) + m.px(10) if any(row and row[0] in marks for row in lines) else 0
    first = max([lettering.width(row[0], BOLD, px) for row in (*lines, heads) if row] or [0]) + sign + m.px(16)
    first = min(first, round(area.w * (0.45 if many < 5 else 0.36)))
    each = (area.w - first) / max(1, many - 1)
    if named:
        pen.line(lettering.cut(s.speech.say(table.text), DISPLAY, m.sp(20), area.w), area.x, area.y + title / 2, DISPLAY, m.sp(20))
    y = area.y + title
    plain, bold = (TEXT, m.sp(15), "ink_soft"), (BOLD, px, "ink")
    size = min(m.px(28), int(pitch))
    for i, head in enumerate(heads):  # a Clan over its column is known by its mark
        right = area.x + first + each * i
        if not i or not (head in marks and pen.mark(marks[head], right - size, y + (pitch - size) / 2, size)):
            _cell(pen, head, area.x if not i else right, y + pitch / 2, first if not i else each - m.px(8), plain, right=bool(i))
    for i, (row, cells) in enumerate(zip(table.rows, lines, strict=True)):
        y += pitch
        pen.rect(area.x, y, area.w, 1, "line")
        mark = marks.get(cells[0]) if cells else None
        left = float(area.x)
        if (mark and pen.mark(mark, left, y + (pitch - sign + m.px(10)) / 2, sign - m.px(10))) or sign:
            left += sign
        for j, cell in enumerate(cells):
            room = first - (left - area.x) if not j else each - m.px(8)
            _cell(pen, cell, left if not j else area.x + first + each * j, y + pitch / 2, room, bold, right=bool(j))
        part.spot(f"ledger:{table.id}:{i}", area.x, y, area.w, pitch, text=" ".join(cells), value=[c for c in row if isinstance(c, int)])
    return title + pitch * (len(lines) + 1) + m.px(10)


def _cell(pen: Pen, text: str, x: float, middle: float, room: float, how: tuple[str, int, str], *, right: bool) -> None:
    """From the left, or ending at ``x``; ``how``: face, largest size, colour."""
    face, most, role = how
    px = lettering.fitted(text, face, most, round(room), LEAST)
    pen.line(lettering.cut(text, face, px, round(room)), x, middle, face, px, role, "right" if right else "left")
