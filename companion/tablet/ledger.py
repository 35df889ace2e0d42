"""Tables of numbers on a sheet: a game's points by source, or how it stands. Numbers under their heads, a seat's row with its mark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.view import Counter, Section, Table, Text
from companion.table.story import SCORE
from companion.tablet import buttons, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen

LEAST = 11


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


def over(part: Part, pen: Pen, area: Box) -> None:
    """The sheet of a game that is over: its tables, and the ways to its story and files."""
    m, s = pen.m, part.session
    row = m.finger(76)
    story = Button("story", s.speech.say("story"), s.open_story, mark="ui/story", tone="main", question=False)
    room = area.h - row - m.px(14)
    every = tables(s)
    y = float(area.y)
    for table in every:
        y += paint(
            part, pen, table, Box(area.x, round(y), area.w, round((room - (y - area.y)) if table is every[-1] else room / len(every)))
        )
    if s.tells is not None:
        buttons.paint(part, pen, Placed(story, area.x, area.bottom - row, min(buttons.width(story, pen.style) + m.px(60), area.w), row))


def paint(part: Part, pen: Pen, table: Table, area: Box) -> float:
    """One table; returns how high it is."""
    m, s = pen.m, part.session
    marks = {s.speech.say(row.text): f"clan/{seat}" for seat, row in s.rows().items()}

    def say(cell: Text | int) -> str:
        return s.speech.say(cell) if isinstance(cell, Text) else str(cell)

    lines = [tuple(say(cell) for cell in row) for row in table.rows]
    heads = tuple(say(head) for head in table.heads)
    many = max((len(row) for row in (*lines, heads)), default=1)
    title = m.sp(30)
    pitch = min(float(m.sp(40)), (area.h - title) / max(1, len(lines) + 1))
    px = max(LEAST, min(m.sp(20), round(pitch * 0.6)))
    sign = min(m.px(28), int(pitch)) + m.px(10) if any(row and row[0] in marks for row in lines) else 0
    first = max([lettering.width(row[0], BOLD, px) for row in (*lines, heads) if row] or [0]) + sign + m.px(16)
    first = min(first, round(area.w * 0.45))
    each = (area.w - first) / max(1, many - 1)
    pen.line(lettering.cut(s.speech.say(table.text), DISPLAY, m.sp(20), area.w), area.x, area.y + title / 2, DISPLAY, m.sp(20))
    y = area.y + title
    _row(
        pen,
        heads,
        area.x,
        y + pitch / 2,
        first,
        each,
        lambda text, room: (TEXT, lettering.fitted(text, TEXT, m.sp(15), room, LEAST), "ink_soft"),
    )
    for i, (row, cells) in enumerate(zip(table.rows, lines, strict=True)):
        y += pitch
        pen.rect(area.x, y, area.w, 1, "line")
        mark = marks.get(cells[0]) if cells else None
        left = float(area.x)
        if (mark and pen.mark(mark, left, y + (pitch - sign + m.px(10)) / 2, sign - m.px(10))) or sign:
            left += sign
        _row(
            pen,
            cells,
            left,
            y + pitch / 2,
            first - (left - area.x),
            each,
            lambda text, room: (BOLD, lettering.fitted(text, BOLD, px, room, LEAST), "ink"),
        )
        part.spot(f"ledger:{table.id}:{i}", area.x, y, area.w, pitch, text=" ".join(cells), value=[c for c in row if isinstance(c, int)])
    return title + pitch * (len(lines) + 1) + m.px(10)


def _row(
    pen: Pen, cells: tuple[str, ...], x: float, middle: float, first: float, each: float, how: Callable[[str, int], tuple[str, int, str]]
) -> None:
    """The first cell from the left, the others from the right under their heads."""
    for i, cell in enumerate(cells):
        room = round(first if not i else each - pen.m.px(8))
        face, px, role = how(cell, room)
        at = x if not i else x + first + each * i
        pen.line(lettering.cut(cell, face, px, room), at, middle, face, px, role, "left" if not i else "right")
