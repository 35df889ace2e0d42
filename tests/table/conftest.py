"""A table with the tiny game on it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "rules"))  # two more tiny games, whatever part of the tests is run

from pebbles import Pebbles
from table_desk import Table
from table_figures import FIGURES, ZONES
from table_levels import SEATS, Open

from companion.table.chance import Chance
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.setup import Setup


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = Journal(tmp_path / "journal.sqlite", clock=lambda: 1000.0, patience=0.05)
    yield opened
    opened.close()


@pytest.fixture
def game() -> Pebbles:
    return Pebbles()


@pytest.fixture
def referee(game: Pebbles, journal: Journal) -> Referee:
    """Koi must pick a tile; the deck lies a certain way."""
    return Referee.create(game, journal, ("koi", "lotus"), {"rounds": "2"}, chance=Chance.seeded(1))


@pytest.fixture
def opened(game: Pebbles, journal: Journal) -> Iterator[Open]:
    tables: list[Table] = []

    def opening(level: str, *, layout: str = "single") -> Table:
        referee = Referee.create(game, journal, SEATS, {"rounds": "2"}, chance=Chance.seeded(1), setup=Setup(level=level))
        table = Table(referee)
        table.desk.know(FIGURES, layout, ZONES)
        tables.append(table)
        return table

    yield opening
    for table in tables:
        table.desk.stop()
