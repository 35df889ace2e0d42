"""What a table without a window prints of points: at the end by itself, in between when asked."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from companion import standings
from companion.console import _Notices, _typed
from companion.rules.view import Table, Text
from companion.service import Service
from companion.settings import Settings
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.desk import Desk
from companion.table.games import load
from companion.table.journal import Journal
from companion.table.referee import Referee


def raw(words: str) -> Text:
    return Text("table.raw", {"id": words})


def test_a_table_is_printed_with_its_numbers_under_their_heads() -> None:
    table = Table("t", raw("T"), (raw("Source"), raw("Koi"), raw("B")), ((raw("Harvest"), 2, -10), (raw("X"), 0, 3)))
    assert standings.lines(table, "en") == ["Source   Koi    B", "Harvest    2  -10", "X          0    3"]


def test_the_end_of_a_game_is_printed_once_with_the_winner_and_every_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loaded = load("rising_sun")
    with contextlib.closing(Journal(tmp_path / "jinmaku.sqlite")) as journal:
        seats = ("koi", "lotus", "fox")
        referee = Referee.create(loaded.game, journal, seats, {}, chance=Chance.seeded(2))
        run(referee, {seat: Bot(seat, 1) for seat in seats})
        desk = Desk(referee)
        desk.start()
        told = _Notices("en")
        told(desk.current)
        told(desk.current)
        desk.stop()
        printed = capsys.readouterr().out
        first = max(referee.state.honor, key=lambda seat: referee.state.vp[seat])
        assert printed.startswith(f"{first.capitalize()} wins") and printed.count("Points by source") == 1
        assert (
            f"Total  {'  '.join(str(referee.state.vp[seat]) for seat in referee.state.honor)}".split() == printed.splitlines()[-1].split()
        )


def test_what_points_came_from_is_typed_for_in_the_middle_of_a_game(tmp_path: Path) -> None:
    table = Service(Settings(data=tmp_path, host="127.0.0.1", port=0, simulate=False, headless=True, addresses=("127.0.0.1",)))
    table.start()
    try:
        assert _typed(table, ["points"]).splitlines()[-1].split() == ["Total", "0", "0", "0", "0"]
    finally:
        table.stop()
