"""A real game that bots have played, behind a stand-in table that tells its story."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tablet_picture import Stand

from companion.table import exports
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.desk import Desk
from companion.table.games import GAMES, load
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.setup import Setup
from companion.table.story import Story

SEATS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")


class Told(Stand):
    """After ``commands`` of them, or at the end; ``stop`` ends it."""

    def __init__(self, home: Path, *, commands: int = 0, over: bool = False, bots: tuple[str, ...] = ("turtle",)) -> None:
        loaded = load("rising_sun")
        self.journal = Journal(home / "told.sqlite", clock=lambda: 1_790_000_000.0)
        setup = Setup({"koi": "Mira", "turtle": "Айко"}, bots=bots)
        self.referee = Referee.create(
            loaded.game,
            self.journal,
            SEATS,
            {"ally": "koi dragonfly"},
            facts_hash=loaded.facts.digest,
            chance=Chance.seeded(3),
            setup=setup,
        )
        taste = GAMES["rising_sun"].taste()
        run(self.referee, {seat: Bot(seat, 1, taste) for seat in SEATS}, 10_000 if over else commands)
        desk = Desk(self.referee)
        desk.start()
        super().__init__(None, home, desk=desk)
        self.board = loaded.facts.tables["board"]
        self._story = Story(self.referee.game, self.journal, self.referee.game_id)
        self.gate: Callable[[], None] = lambda: None
        """Reading waits here."""

    def story(self, progress: Any) -> Story:
        self.gate()
        self._story.read(progress)
        return self._story

    def export(self, lang: str) -> tuple[Path, ...]:
        return exports.save(self.referee.game, self.journal, self._story, self.data, lang=lang)

    def stop(self) -> None:
        self.desk.stop()
        self.journal.close()
