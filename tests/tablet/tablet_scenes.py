"""Real moments of a real game, found by letting bots play: what the tablet has to show, not what somebody thought it would."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.desk import Desk, Update
from companion.table.figures import parse
from companion.table.games import load
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.twin import READERS

SEATS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
MOST = 900


def asked(update: Update) -> Iterator[tuple[str, Any]]:
    for seat, view in update.seats.items():
        yield from ((seat, prompt) for prompt in view.prompts if not prompt.optional)


def _draw(update: Update) -> bool:
    return any(prompt.private for _, prompt in asked(update))


def _says(clause: str) -> Callable[[Update], bool]:
    return lambda update: any(prompt.clause.startswith(clause) for _, prompt in asked(update))


def _war(update: Update) -> bool:
    return any(not prompt.optional and prompt.clause.startswith("RS-8") for prompt in update.table)


WANTED: dict[str, Callable[[Update], bool]] = {
    "draw": _draw,
    "recruit": _says("RS-6R"),
    "marshal": _says("RS-6M"),
    "train": _says("RS-6T"),
    "betray": _says("RS-6B"),
    "kami": _says("RS-7"),
    "war": _war,
}


@lru_cache(maxsize=1)
def scenes() -> dict[str, Update]:
    """Name -> the first such moment after some turns. The same ones every time."""
    loaded = load("rising_sun")
    found: dict[str, Update] = {}
    with tempfile.TemporaryDirectory() as home:
        journal = Journal(Path(home) / "scenes.sqlite")
        referee = Referee.create(loaded.game, journal, SEATS, {"ally": "koi dragonfly"}, facts_hash="", chance=Chance.seeded(3))
        bots = {seat: Bot(seat, 1) for seat in SEATS}
        while len(found) < len(WANTED) and referee.revision < MOST and run(referee, bots, 1):
            if referee.revision < 12:
                continue
            update = Desk(referee).current
            for name, fits in WANTED.items():
                if name not in found and fits(update):
                    found[name] = update
        other = Referee.create(loaded.game, journal, SEATS, {"ally": "koi dragonfly"}, facts_hash="", chance=Chance.seeded(3))
        run(other, {seat: Bot(seat, 1) for seat in SEATS}, 26)
        found["differs"] = _differs(other)
        journal.close()
    return found


def _differs(referee: Referee) -> Update:
    """A tagged Bushi of Koi lies where nobody expects it."""
    kind = "koi/bushi"
    count = sum(kinds[kind] for kinds in referee.game.placement(referee.state).values())
    desk = Desk(referee)
    tags = "".join(f"04A1B2C3D4E5{i:02X} {kind} {i}\n" for i in range(1, count + 1))
    desk.know(parse(tags), READERS, ("kyoto", "edo"))
    desk.sight("04A1B2C3D4E501", "kyoto")
    desk.start()
    desk.stop()
    return msgspec.structs.replace(desk.current, notice=None)
