"""Ten minutes, no hardware: the program is started with nothing, a game is made by touches and keys in the real window, left, and gone on with."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.running import Display, Table, free_ports, until

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    display = Display()
    made = Table(tmp_path, free_ports(1)[0], display=display)
    yield made
    code = made.stop()
    display.close()
    assert code == 0, made.log.read_text(encoding="utf-8")[-3000:]


def setups(table: Table) -> dict[str, dict[str, Any]]:
    """What the journal keeps of who sits where, as another program reads it."""
    with sqlite3.connect(f"file:{table.home / 'data' / 'jinmaku.sqlite'}?mode=ro", uri=True) as db:
        return {game: json.loads(setup) for game, setup in db.execute("SELECT id, setup FROM games")}


def type_on_keyboard(table: Table, text: str) -> None:
    """A real keyboard, not the screen's keys."""
    assert table.display is not None
    subprocess.run(
        ["xdotool", "type", "--delay", "40", text], env={"DISPLAY": f":{table.display.number}", "PATH": "/usr/bin:/bin"}, check=True
    )


def test_a_game_is_made_by_touches_left_and_gone_on_with(table: Table) -> None:
    table.start()
    assert table.look()["game"] == "" and table.widget("saved:none")
    table.press("new:rising_sun")
    table.press("name:koi")
    for sign in "anna":
        before = table.widget("typed")
        table.press(f"key:{sign}")
        until(f"the letter {sign}", lambda: table.widget("typed") != before)  # noqa: B023 - asked at once
    table.press("key:done")
    until("the keys to go", lambda: table.widget("typed") is None)
    table.press("name:lotus")
    until("the keys", lambda: table.widget("key:done"))
    type_on_keyboard(table, "Ivan")
    until("the name to be typed", lambda: (table.widget("typed") or {"value": ""})["value"] == "Ivan")
    table.press("key:done")
    until("the keys to go", lambda: table.widget("typed") is None)
    table.press("remove:dragonfly")
    until("three players", lambda: table.widget("name:dragonfly") is None and table.widget("name:turtle"))
    table.press("begin")
    first = until("a game to stand", lambda: table.look()["game"])
    until("its table", lambda: table.widget("join:koi"))
    assert setups(table) == {
        first: {"names": {"koi": "Anna", "lotus": "Ivan"}, "sides": {"koi": "south", "lotus": "west", "turtle": "east"}}
    }
    assert table.look()["placement"]["edo"] == {"koi/daimyo": 1, "koi/bushi": 1, "koi/stronghold": 1}

    table.press("home")
    until("the game to be left", lambda: not table.look()["game"])
    line = until("the list", lambda: table.widget(f"saved:{first}"))
    assert line["text"].startswith("Anna, Ivan, Turtle. Rising Sun")
    table.press("new:rising_sun")
    until("the form", lambda: table.widget("name:koi"))
    table.press("begin")
    second = until("another game", lambda: table.look()["game"])
    until("its table", lambda: table.widget("home"))
    table.press("home")
    until("both in the list", lambda: table.widget(f"saved:{first}") and table.widget(f"saved:{second}"))
    table.press(f"saved:{first}")
    until("the first game again", lambda: table.look()["game"] == first and table.widget("join:turtle"))
    table.press("begin")
    until("the board", lambda: table.widget("zone:edo"))

    table.kill()
    table.start()
    assert table.look()["game"] == first, "the newest goes on at once"
