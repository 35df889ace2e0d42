"""The list of games that can go on: who played, how far they are, when they were last touched, and what is damaged.

Here: reading the journal for a list. Not here: the list on a screen, or going on with a game (``table.referee``).
"""

from __future__ import annotations

import logging
from datetime import datetime, tzinfo

import msgspec
from msgspec import Struct

from companion.rules.game import Seat
from companion.rules.view import Section, Text
from companion.table import games
from companion.table.facts import FactsError
from companion.table.journal import Journal, JournalError
from companion.table.listing import Listing, SavedGame
from companion.words import render

LOGGER = logging.getLogger(__name__)

MOST = 24
"""Games looked into; older ones stay in the journal, and ``--resume`` finds them."""
NAMES = 12
"""Names of earlier games that are offered again."""


class Seated(Struct, frozen=True):
    """One seat of a saved game."""

    seat: Seat
    text: Text
    name: str = ""


class SavedTable(Struct, frozen=True):
    """One line of the list."""

    id: str
    game: str
    text: Text
    """The game's name."""
    seats: tuple[Seated, ...]
    phase: tuple[Text, ...]
    """Where it stands, e.g. phase and season; empty where that cannot be read."""
    touched: int
    """Unix seconds."""
    revision: int
    ended: bool = False
    fault: Text | None = None
    """Why it cannot go on."""


def listed(journal: Journal | Listing) -> tuple[SavedTable, ...]:
    """The journal's games, the one played last first; one that cannot be read says so, and hides no other. Raises JournalError."""
    return tuple(_line(journal, saved) for saved in journal.games()[:MOST])


def players(journal: Journal) -> tuple[str, ...]:
    """Names of earlier games, those of the newest first, each once."""
    names = (name for saved in journal.games() for seat in saved.seats if (name := saved.setup.names.get(seat)))
    return tuple(dict.fromkeys(names))[:NAMES]


def when(touched: int, now: float, lang: str, zone: tzinfo | None = None) -> str:
    """``today, 20:41``, ``yesterday, 20:41``, ``12 Nov 2026``."""
    then, here = datetime.fromtimestamp(touched, zone), datetime.fromtimestamp(now, zone)
    days = (here.date() - then.date()).days
    if days in {0, 1}:
        return render(Text("lobby.today" if days == 0 else "lobby.yesterday", {"time": f"{then:%H:%M}"}), lang)
    from babel.dates import format_date  # noqa: PLC0415 - a table that goes on at once needs no calendar

    return str(format_date(then.date(), "d MMM y", locale=lang if lang in {"en", "ru"} else "en"))


def _line(journal: Journal | Listing, saved: SavedGame) -> SavedTable:
    raw = {seat: Text("table.raw", {"id": seat}) for seat in saved.seats}
    try:
        title, names, phase = _read(journal, saved)
        fault = None
    except (JournalError, FactsError, KeyError, ValueError, TypeError) as trouble:
        LOGGER.info("game %s cannot be listed whole: %s", saved.id, trouble)
        title, names, phase = Text("table.raw", {"id": saved.game}), raw, ()
        fault = _plainly(saved, trouble)
    seats = tuple(Seated(seat, names.get(seat, raw[seat]), saved.setup.names.get(seat, "")) for seat in saved.seats)
    return SavedTable(saved.id, saved.game, title, seats, phase, saved.touched, saved.revision, saved.ended is not None, fault)


def _read(journal: Journal | Listing, saved: SavedGame) -> tuple[Text, dict[Seat, Text], tuple[Text, ...]]:
    """The game's name, its seats' names, and where it stands."""
    entry = games.GAMES[saved.game]
    loaded = games.load_saved(journal, saved.id)
    state = msgspec.json.decode(journal.state(saved.id), type=loaded.game.State)
    view = loaded.game.view(state, None)
    section = next((section for section in view.sections if section.id == "seats"), None)
    names = {node.id: node.text for node in (section.nodes if section is not None else ()) if isinstance(node, Section)}
    return entry.offer(loaded.facts.tables).text, names, (view.title, view.subtitle)


def _plainly(saved: SavedGame, trouble: Exception) -> Text:
    if saved.game not in games.GAMES:
        return Text("lobby.no_such_game", {"game": saved.game})
    if isinstance(trouble, JournalError):
        return Text("lobby.damaged", {"fault": str(trouble)})
    return Text("lobby.other_version")
