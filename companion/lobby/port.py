"""What a home screen needs of the house: one facade that ``companion.service`` (or a test) implements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from companion.lobby.form import NewGame
from companion.lobby.saved import SavedTable
from companion.rules.offer import Offer
from companion.rules.view import Text


class Entry(Struct, frozen=True):
    """One more way from the home screen: pressing it calls ``press`` on the screen's thread."""

    id: str
    text: Text
    press: Callable[[], None]
    mark: str = ""


class Home(Struct, frozen=True):
    """What the home screen shows, read at once."""

    saved: tuple[SavedTable, ...] = ()
    names: tuple[str, ...] = ()
    """Players of earlier games."""
    notice: Text | None = None
    """Something to say of the journal itself."""


class CannotOpenError(Exception):
    """A game cannot be opened; the message is one sentence, and nothing has changed."""


class Lobby(Protocol):
    """The house, before and between games. ``home``, ``begin``, ``resume`` and ``leave`` may take a moment and are called on any thread."""

    data: Path
    language: str
    theme: str
    entries: Sequence[Entry]
    offers: Sequence[Offer]
    readers: int
    """How many readers are bound to a place."""
    table: Any
    """The open game as ``tablet.port.Table``; None: none is open."""

    def home(self) -> Home:
        """The list as it is now. Never raises."""

    def begin(self, game: NewGame) -> Any:
        """Begins and opens a game: a ``tablet.port.Table``. Raises CannotOpenError; then no game was begun."""

    def resume(self, game_id: str) -> Any:
        """Opens a saved game. Raises CannotOpenError."""

    def leave(self) -> None:
        """Closes the open game; it is saved, and its phones are told."""
