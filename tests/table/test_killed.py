"""The plug is pulled at random moments of a fast game with undos: nothing acknowledged is missing, nothing is applied twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from table_games import Player, game_of
from test_undo_properties import assert_sound

from companion.table.journal import Journal
from companion.table.referee import Order, Referee

SOAK = os.environ.get("JINMAKU_SOAK") == "1"
KILLS = 200 if SOAK else 4
TOP = Path(__file__).parents[2]
PATHS = os.pathsep.join(map(str, (TOP, TOP / "tests" / "table", TOP / "tests" / "rules")))


@pytest.mark.scaled
@pytest.mark.timeout(3600 if SOAK else 90)
@pytest.mark.parametrize("name", ["pebbles", "rising_sun"] if SOAK else ["rising_sun"])
def test_whatever_was_acknowledged_before_a_kill_is_there_after_it(tmp_path: Path, name: str) -> None:
    path, rng, game_id = tmp_path / "journal.sqlite", random.Random(7), "new"
    acknowledged: dict[tuple[str, str], int] = {}
    newest = 0
    for kill in range(KILLS):
        command = [sys.executable, str(Path(__file__).parent / "killed_player.py"), str(path), game_id, name, str(kill)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": PATHS}) as player:
            assert player.stdout is not None
            _, game_id, revision = player.stdout.readline().split()
            assert int(revision) >= newest, "it goes on where it stood"
            lines = [player.stdout.readline().strip() for _ in range(rng.randrange(4, 40))]  # not so long: a disk may be slow
            time.sleep(rng.random() * 0.02)
            player.send_signal(signal.SIGKILL)
            lines += player.stdout.read().split("\n")[:-1]  # the last one may be cut
        for seat, order_id, revision in map(str.split, lines):
            newest = int(revision)
            if order_id != "-":
                acknowledged[seat, order_id] = newest
        journal = Journal(path)
        assert journal.aside is None
        referee = Referee.resume(game_of(name), journal, game_id)
        assert referee.revision >= newest
        for (seat, order_id), revision in acknowledged.items():
            assert referee.submit(seat, Order(order_id, 0, msgspec.Raw(b"{}"))).revision == revision
        newest = referee.revision
        if kill % 20 == KILLS % 20 or kill == KILLS - 1:
            assert_sound(Player(referee, rng))
        journal.close()
    assert len(acknowledged) > KILLS
