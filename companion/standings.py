"""Tables of numbers as lines of text, for a table without a window: how a game ended, what points came from. Here: text. Not here: what is counted."""

from __future__ import annotations

from companion.rules.game import View
from companion.rules.view import Section, Table, Text
from companion.table.story import score
from companion.words import render


def lines(table: Table, language: str) -> list[str]:
    """Its heads and rows, numbers under their heads."""

    def say(cell: Text | int) -> str:
        return render(cell, language) if isinstance(cell, Text) else str(cell)

    rows = [[say(cell) for cell in row] for row in (table.heads, *table.rows)]
    wide = [max((len(row[i]) for row in rows if i < len(row)), default=0) for i in range(max(map(len, rows)))]
    return ["  ".join(cell.rjust(wide[i]) if i else cell.ljust(wide[i]) for i, cell in enumerate(row)).rstrip() for row in rows]


def ending(view: View, language: str) -> str:
    """Who has won, and the game's own counting."""
    found: Section | None = score(view)
    tables = [node for node in (found.nodes if found is not None else ()) if isinstance(node, Table)]
    told = [render(view.title, language)]
    for table in tables:
        told += ["", render(table.text, language), *lines(table, language)]
    return "\n".join(told)
