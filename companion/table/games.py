"""The games this house plays: from a game's id to a Game bound to its facts.

Here: the list and the loading. Not here: rules, or the reading of files (``facts``).
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import Game, Kind, Place
from companion.rules.view import Text
from companion.table import facts
from companion.table.bots import Taste
from companion.table.facts import FactsError, Fault
from companion.table.journal import Journal
from companion.table.listing import Listing, SavedGame


class OtherFactsError(ValueError):
    """The facts asked for are not those the saved game began with; the message says what to do."""


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
            raise FactsError(Fault(f"{f.file}.toml", f.key, "the rules cannot use this", f.fix) for f in error.faults) from error
        return game

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


def load_saved(journal: Journal, game_id: str, override: Path | None = None) -> Loaded:
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


def phase(listing: Listing, saved: SavedGame) -> tuple[Text, ...]:
    """Where a saved game stands, as its open view is headed; empty where this program cannot tell. Raises JournalError."""
    if saved.game not in GAMES:
        return ()
    kept = listing.position(saved.id)
    try:
        game = GAMES[saved.game].bind(msgspec.json.decode(kept.facts)) if kept.facts else load(saved.game).game
        view = game.view(msgspec.json.decode(kept.state, type=game.State), None)
    except (msgspec.MsgspecError, FactsError, LookupError):  # of another version of the game
        return ()
    return view.title, view.subtitle
