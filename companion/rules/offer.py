"""What a game offers to those who begin one: its seats, how many may play, its options and why each exists.

Here: the types every game fills. Not here: the form that is filled in (``companion.lobby``), or what an option does (the game's rules).
Only what the game can do today is offered.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.rules.game import Seat
from companion.rules.view import Text


class Option(Struct, frozen=True):
    """One thing to be decided before a game. ``values`` are what ``Game.start`` takes, the default first."""

    name: str
    text: Text
    why: Text
    """Why there is a choice at all, in one sentence."""
    values: Mapping[str, Text]
    clause: str = ""


class Offer(Struct, frozen=True):
    """One game, for a form to be filled in."""

    game: str
    text: Text
    seats: Mapping[Seat, Text]
    """Every seat that may be taken, in the order they sit clockwise."""
    players: tuple[int, ...]
    """How many may play, in rising order."""
    options: tuple[Option, ...] = ()
    deck: str = ""
    """The option that says whether the app or the people shuffle; ``""``: none."""
    clockwise: str = ""
    """The clause that says so, where seats must sit in their order."""
    guests: frozenset[Seat] = frozenset()
    """Seats of another box: whoever has it may choose them; nobody is given one."""
    allies: str = ""
    """The clause of alliances, where some may begin allied (option ``ally``: ``koi turtle, lotus bonsai``)."""
