"""The games this house plays: from a game's id to a Game bound to its facts.

Here: the list and the loading. Not here: rules, or the reading of files (``facts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.rules.game import Game
from companion.table import facts
from companion.table.bots import Taste
from companion.table.facts import FactsError, Fault
from companion.table.journal import Journal


class Loaded(Struct, frozen=True):
    """A game ready to play, with the facts it is bound to."""

    game: Game[Any, Any]
    facts: facts.Facts


class Entry(Struct, frozen=True):
    """Where a game's rules are: the package and the name of its Game."""

    package: str
    name: str

    def bind(self, tables: Mapping[str, Any]) -> Game[Any, Any]:
        """Its Game with these facts; the package is imported when it is first played. Raises FactsError."""
        rules, parsing = import_module(f"{self.package}.game"), import_module(f"{self.package}.facts")
        try:
            game: Game[Any, Any] = getattr(rules, self.name)(parsing.parse(tables))
        except parsing.FactsError as error:
            raise FactsError(Fault(f"{f.file}.toml", f.key, "the rules cannot use this", f.fix) for f in error.faults) from error
        return game

    def taste(self) -> Taste:
        """What its bots like."""
        liked: Taste = import_module(f"{self.package}.taste").scores
        return liked


GAMES: Mapping[str, Entry] = {"rising_sun": Entry("companion.rules.rising_sun", "RisingSun")}
"""By id."""


def load(game_id: str, override: Path | None = None) -> Loaded:
    """A game with its facts, the owner's override laid over them. Raises FactsError; KeyError for a game not in GAMES."""
    entry = GAMES[game_id]
    read = facts.load(game_id, override)
    return Loaded(entry.bind(read.tables), read)


def load_saved(journal: Journal, game_id: str, override: Path | None = None) -> Loaded:
    """The game of a saved one, bound to the very facts it began with; where those were not kept, to today's.

    Raises JournalError, FactsError; KeyError for a game not in GAMES.
    """
    saved = journal.game(game_id)
    tables = journal.facts(game_id)
    if tables is None:
        return load(saved.game, override)
    return Loaded(GAMES[saved.game].bind(tables), facts.facts(tables))
