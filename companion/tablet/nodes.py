"""Any node of a view as rows of text: for the log, a seat's sheet, the rest of the table, and nodes this tablet has never heard of. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.rules.view import Card, Counter, Curtain, Line, Pieces, Plot, Section, Table, Text, Track, Zone
from companion.tablet.speech import Speech


class Row(NamedTuple):
    """One row: a sign, words, a number at the end, a small remark."""

    text: str
    value: str = ""
    note: str = ""
    mark: str = ""
    seat: str = ""
    head: bool = False
    depth: int = 0
    clause: str = ""
    tone: str = ""
    """``value`` is the word of a state."""


def rows(nodes: Iterable[Any], speech: Speech, *, opened: bool = False, depth: int = 0) -> list[Row]:
    """Curtains show what is behind them only when ``opened``."""
    out: list[Row] = []
    for node in nodes:
        out += _rows(node, speech, opened=opened, depth=depth)
    return out


def _rows(node: Any, speech: Speech, *, opened: bool, depth: int) -> list[Row]:
    say = speech.say
    if isinstance(node, Counter):
        return [Row(say(node.text), "?" if node.value is None else str(node.value), mark=node.mark, depth=depth)]
    if isinstance(node, (Pieces, Zone)):
        head = Row(say(node.text), getattr(node, "badge", ""), head=True, mark=getattr(node, "mark", ""), depth=depth)
        return [head, *(Row(say(s.text), str(s.count), mark=s.mark, seat=s.seat, depth=depth + 1) for s in node.stacks)]
    if isinstance(node, Card):
        return [
            Row(say(node.text), note=say(node.detail), mark=node.mark if node.face else "", seat=node.seat, depth=depth, clause=node.clause)
        ]
    if isinstance(node, Track):
        return [
            Row(say(node.text), head=True, depth=depth),
            *(Row(say(s.text), mark=s.mark, seat=s.seat, depth=depth + 1) for s in node.steps),
        ]
    if isinstance(node, Table):
        lines = [" · ".join(say(cell) if isinstance(cell, Text) else str(cell) for cell in row) for row in (node.heads, *node.rows) if row]
        return [Row(say(node.text), head=True, depth=depth), *(Row(line, depth=depth + 1) for line in lines)]
    if isinstance(node, Plot):
        series = (Row(name, " ".join(map(str, points[-12:])), depth=depth + 1) for name, points in node.series.items())
        return [Row(say(node.text), head=True, depth=depth), *series]
    if isinstance(node, Line):
        return [Row(say(node.text), depth=depth, clause=node.clause)]
    if isinstance(node, Curtain):
        inner = rows(node.nodes, speech, opened=opened, depth=depth + 1) if opened else []
        return [Row(say(node.text), head=True, mark="ui/curtain", depth=depth), *inner]
    if isinstance(node, Section):
        return [Row(say(node.text), head=True, mark=node.mark, depth=depth), *rows(node.nodes, speech, opened=opened, depth=depth)]
    text = getattr(node, "text", None)  # a node of a later version: its words are better than nothing
    return [Row(say(text), depth=depth)] if isinstance(text, Text) else []
