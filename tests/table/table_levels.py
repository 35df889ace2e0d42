"""A running desk of a certain level, and what is read off it, for tests of levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table_desk import Table

from companion.table.journal import Journal
from companion.words import render

SEATS = ("koi", "lotus")
Open = Callable[..., Table]


def offers(table: Table) -> list[str]:
    return [render(choice.text, "en") for _, choice in table.notice().offers]


def pressed(table: Table, index: int = 0) -> Any:
    """The button beside a notice."""
    seat, choice = table.notice().offers[index]
    return table.play(choice.command, seat)


def log(table: Table, seat: str | None = None) -> list[tuple[str, str]]:
    view = table.desk.current.open if seat is None else table.desk.current.seats[seat]
    return [(render(line.text, "en"), line.clause) for line in view.log]


def row(table: Table, journal: Journal) -> Any:
    return journal.last(table.desk._referee.game_id)
