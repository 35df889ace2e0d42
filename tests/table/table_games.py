"""Games for tests of the table: the tiny ones and Rising Sun, played at random through the referee."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from pebbles import Pebbles
from toy_blocks import SIDES, Blocks
from toy_tokens import Tokens

from companion.rules.game import Prompt
from companion.table import commands as say
from companion.table import games
from companion.table.bots import filled
from companion.table.chance import Chance
from companion.table.journal import Journal
from companion.table.match import INSIDE
from companion.table.referee import Answer, Order, Referee

CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
SIZES = {"pebbles": ("koi", "lotus", "turtle"), "tokens": ("crab", "crane", "lion"), "blocks": SIDES, "rising_sun": CLANS[:4]}


@cache
def game_of(name: str) -> Any:
    made: dict[str, Any] = {"pebbles": Pebbles, "tokens": Tokens, "blocks": Blocks}
    return made[name]() if name in made else games.load(name).game


def fast(path: Path) -> Journal:
    """A journal that need not survive: a thousand rows in a moment."""
    journal = Journal(path)
    journal._db.execute("PRAGMA synchronous=OFF")
    return journal


@dataclass
class Player:
    """Plays every seat at random, with ids of its own."""

    referee: Referee
    rng: random.Random
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)

    @classmethod
    def at(cls, name: str, path: Path, seed: int) -> Player:
        referee = Referee.create(game_of(name), fast(path / "j.sqlite"), SIZES[name], {}, chance=Chance.seeded(seed))
        return cls(referee, random.Random(seed))

    def give(self, command: Any) -> Answer:
        """Anybody's command, the table's own ones too."""
        referee = self.referee
        if command.seat in INSIDE:
            return referee.submit_internal(command.seat, command)
        order = Order(f"n{len(self.answers)}", referee.stamp(command.seat), msgspec.Raw(msgspec.json.encode(command)))
        answer = referee.submit(command.seat, order)
        self.answers[command.seat, order.id] = answer
        return answer

    def done(self, command: Any) -> Answer:
        answer = self.give(command)
        assert answer.ok, (command, answer.refusal)
        return answer

    def some(self, optional: float = 0.2) -> Any | None:
        """A lawful command of the game; None: it is over."""
        prompts = self.referee.prompts()
        must, may = [p for p in prompts if not p.optional], [p for p in prompts if p.optional]
        if not prompts:
            return None
        asked: Prompt[Any] = self.rng.choice(may if may and (not must or self.rng.random() < optional) else must)
        return filled(self.rng.choice(asked.choices), self.rng)

    def play(self, commands: int) -> int:
        """Plays on; how many commands were given."""
        for n in range(commands):
            command = self.some()
            if command is None:
                return n
            self.done(command)
        return commands

    def undos(self, seat: str) -> list[say.Undo]:
        """Every undo offered to a seat (or TABLE), nearest first."""
        prompts = self.referee.table() if seat in INSIDE else self.referee.view(seat).prompts
        return [c.command for p in prompts for c in p.choices if isinstance(c.command, say.Undo)]

    def asked(self, seat: str, kind: type = object) -> list[Any]:
        """Commands offered to a seat (or TABLE) by the table itself."""
        prompts = self.referee.table() if seat in INSIDE else self.referee.view(seat).prompts
        return [c.command for p in prompts for c in p.choices if say.is_house(c.command) and isinstance(c.command, kind)]

    def everybody_agrees(self) -> None:
        """The table answers for all who are asked."""
        for command in self.asked("table", say.Agree):
            self.done(command)

    def taken_back(self, first: int) -> None:
        """Back to before a row, whatever it takes: by its own seat alone, else by the table with everybody's yes."""
        history = self.referee._steward.history
        last = history.last
        seat = next((one for one in self.referee.seats if not history.needed(one, first)), "")
        if seat:
            assert say.Undo(seat, first, last) in self.undos(seat)
            self.done(say.Undo(seat, first, last))
            return
        self.done(say.Undo("table", first, last))
        self.everybody_agrees()

    def seen(self) -> dict[str, Any]:
        """What the game looks like from everywhere; not what the table itself adds."""
        referee = self.referee
        views = {seat: referee.view(seat) for seat in (*referee.seats, None)}
        return {
            "state": referee.state,
            "prompts": referee.prompts(),
            "lights": referee.lights(),
            "placement": referee.game.placement(referee.state),
            "views": {
                seat: (v.title, v.subtitle, v.sections, v.waits, tuple(p for p in v.prompts if not say.is_house(p.choices[0].command)))
                for seat, v in views.items()
            },
        }

    def whole(self) -> dict[str, Any]:
        """All there is to see, logs and the table's own questions too."""
        referee = self.referee
        views = {seat: referee.view(seat) for seat in (*referee.seats, None)}
        return self.seen() | {"views": views, "table": referee.table(), "stamps": referee.stamps(), "revision": referee.revision}

    def resumed(self) -> Player:
        """The same table after a restart."""
        referee = self.referee
        return Player(Referee.resume(referee.game, referee.journal, referee.game_id), self.rng, self.answers)
