"""The games this house plays: from a game's id to a Game bound to its facts.

Here: the list and the loading. Not here: rules, or the reading of files (``facts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.rules.game import Game, Kind, Place
from companion.rules.offer import Offer
from companion.table import facts
from companion.table.bots import Taste
from companion.table.facts import FactsError, Fault
from companion.table.journal import Journal
from companion.table.listing import Listing


class OtherFactsError(ValueError):
    """The facts asked for are not those the saved game began with; the message says what to do."""


def _plainly(error: Any) -> FactsError:
    """The rules' own complaint, naming file, key and fix."""
    return FactsError(Fault(f"{f.file}.toml", f.key, "the rules cannot use this", f.fix) for f in error.faults)


class Loaded(Struct, frozen=True):
    """A game ready to play, with the facts it is bound to."""

    game: Game[Any, Any]
    facts: facts.Facts


class Box(Struct, frozen=True):
    """Every kind of figure and every place of a game; empty: not known."""

    kinds: tuple[Kind, ...] = ()
    places: tuple[Place, ...] = ()


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
            raise _plainly(error) from error
        return game

    def offer(self, tables: Mapping[str, Any]) -> Offer:
        """What is to be decided before it begins. Raises FactsError."""
        parsing, offering = import_module(f"{self.package}.facts"), import_module(f"{self.package}.offer")
        try:
            made: Offer = offering.offer(parsing.parse(tables))
        except parsing.FactsError as error:
            raise _plainly(error) from error
        return made

    def taste(self) -> Taste:
        """What its bots like."""
        liked: Taste = import_module(f"{self.package}.taste").scores
        return liked

    def box(self, game: Any) -> Box:
        """What may be named where figures and places are written down, whoever plays. ``game`` is one of this package, bound to its facts."""
        named = import_module(f"{self.package}.box")
        return Box(named.kinds(game.facts), named.places(game.facts))


GAMES: Mapping[str, Entry] = {"rising_sun": Entry("companion.rules.rising_sun", "RisingSun")}
"""By id."""


def load(game_id: str, override: Path | None = None) -> Loaded:
    """A game with its facts, the owner's override laid over them. Raises FactsError; KeyError for a game not in GAMES."""
    entry = GAMES[game_id]
    read = facts.load(game_id, override)
    return Loaded(entry.bind(read.tables), read)


def offers(override: Path | None = None) -> tuple[Offer, ...]:
    """What every game of GAMES offers, the owner's facts laid over its own. Raises FactsError."""
    return tuple(entry.offer(facts.load(game_id, override).tables) for game_id, entry in GAMES.items())


def load_saved(journal: Journal | Listing, game_id: str, override: Path | None = None) -> Loaded:
    """The game of a saved one, bound to the very facts it began with; where those were not kept, to today's.

    An ``override`` must give these same facts: nobody plays on believing that other facts hold. Raises JournalError, FactsError,
    OtherFactsError; KeyError for a game not in GAMES.
    """
    saved = journal.game(game_id)
    tables = journal.facts(game_id)
    today = load(saved.game, override) if tables is None or override is not None else None
    if override is not None and today is not None and saved.facts_hash not in ("", today.facts.digest):
        raise OtherFactsError(
            f"game {game_id} began with other facts ({saved.facts_hash}) than {override.name} gives ({today.facts.digest}): "
            "add --new to begin a game with that file, or leave --override away to go on with this one"
        )
    if tables is None:
        assert today is not None
        return today
    return Loaded(GAMES[saved.game].bind(tables), facts.facts(tables))


def box(game: Game[Any, Any]) -> Box:
    """What is in the box of a game that this house plays; of another one nothing is known."""
    return GAMES[game.id].box(game) if game.id in GAMES else Box()
