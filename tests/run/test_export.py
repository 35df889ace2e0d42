"""The command ``export``, and bots, as the owner types them."""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.console import _typed
from companion.service import CannotStandError, Service
from companion.settings import Settings
from companion.table import record


def house(home: Path, **more: Any) -> Service:
    return Service(Settings(data=home, host="127.0.0.1", port=0, simulate=False, headless=True, addresses=("127.0.0.1",), **more))


def until(true: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_a_game_is_exported_while_its_table_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = house(tmp_path)
    table.start()
    assert table.table is not None
    game_id = table.table.game_id
    try:
        typed = _typed(table, ["export"]).splitlines()
        assert [Path(line).suffix for line in typed] == [".txt", ".csv", ".csv"]
        assert main(["export", "--data", str(tmp_path)]) == 0
        told = capsys.readouterr()
        assert told.out.splitlines() == typed and "hidden is ?" in told.err
        assert main(["export", game_id, "--record", "--data", str(tmp_path)]) == 0
        assert record.parse(capsys.readouterr().out).seats == table.table.seats
        assert main(["export", game_id, "--csv", "--data", str(tmp_path)]) == 0
        assert "koi.vp" in next(csv.reader(io.StringIO(capsys.readouterr().out)))
        assert main(["export", game_id, "--points", "--data", str(tmp_path)]) == 0
        assert capsys.readouterr().out.splitlines()[0].startswith("Source,")
        assert main(["export", game_id, "--json", "--language", "ru", "--data", str(tmp_path)]) == 0
        assert json.loads(capsys.readouterr().out)["id"] == game_id
        assert main(["export", "nosuchid", "--data", str(tmp_path)]) == 1
        assert f"has no game 'nosuchid': there are: {game_id}" in capsys.readouterr().err
    finally:
        table.stop()


def test_where_nothing_was_played_nothing_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path)]) == 1
    assert "there is no game yet" in capsys.readouterr().err


def test_a_bot_is_given_a_seat_by_typing_or_at_the_start_and_stays_there(tmp_path: Path) -> None:
    table = house(tmp_path)
    table.start(home=True)
    assert _typed(table, ["new", "koi=Anna", "lotus=bot", "turtle"]) == ""
    desk = table.table.desk
    assert desk.current.bots == ("lotus",)
    assert _typed(table, ["bot", "koi"]) == ""
    until(lambda: desk.current.bots == ("koi", "lotus"))
    assert _typed(table, ["bot", "Koi"]) == "A bot plays koi already."
    assert _typed(table, ["bot", "turtle", "off"]) == "No bot plays turtle."
    assert "bot koi" in _typed(table, ["HELP"]) and _typed(table, ["Table"]) == "The table is asked nothing."
    assert _typed(table, ["bot", "lotus", "off"]) == ""
    until(lambda: desk.current.bots == ("koi",))
    assert _typed(table, ["bot", "sun"]).startswith("Not understood")
    table.stop()
    again = house(tmp_path, bots=("turtle",))
    again.start(home=True)
    desk = again.table.desk
    assert desk.current.bots == ("koi", "turtle")
    at = desk.current.revision
    until(lambda: desk.current.revision > at)
    again.stop()


def test_a_bot_s_clan_that_nobody_plays_is_said(tmp_path: Path) -> None:
    table = house(tmp_path, bots=("sun",))
    with pytest.raises(CannotStandError, match="--bots sun: nobody sits there"):
        table.start()
    plain = house(tmp_path)
    plain.start(home=True)
    assert plain.table is None, "no game was left behind"
    plain.stop()
