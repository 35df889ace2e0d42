"""What the desk tells its watchers: the newest picture of the game, and what is to be said at the table. Here: the types. Not here: when (``desk``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.rules.game import Choice, Prompt, Seat, View
from companion.rules.view import Light, Text
from companion.table.setup import STRICT

Offers = tuple[tuple[Seat, Choice[Any]], ...]


class Notice(Struct, frozen=True):
    """Something to say once at the open table. ``serial`` rises: a screen that has shown one does not show it again."""

    serial: int
    tone: str
    """ok | careful | refused | waiting"""
    text: Text
    clause: str = ""
    seat: Seat = ""
    offers: Offers = ()
    """Lawful choices to touch instead; never a secret one. They stand for this revision only."""
    asks_place: bool = False
    """A figure was tapped and is in a hand: the place touched next is where it goes, whatever else a touch there would mean."""


class Update(Struct, frozen=True):
    """Everything a screen or messenger needs of one revision, at once."""

    game_id: str
    revision: int
    open: View
    seats: Mapping[Seat, View]
    stamps: Mapping[Seat, int]
    lights: tuple[Light, ...]
    notice: Notice | None
    table: tuple[Prompt[Any], ...] = ()
    """Questions of the seat TABLE, the host's too; those that must be answered first: any trusted screen answers them with ``play``."""
    bots: tuple[Seat, ...] = ()
    """Seats that a bot plays."""
    over: bool = False
    """The game has ended: it asks nobody anything."""
    level: str = STRICT
    """How strictly the rules are kept (``setup.LEVELS``)."""
