"""Consent: what is asked of others, who has said yes, and how often a seat may ask.

Here: one open question at a table, and the account of what seats have asked since the game moved on: a phone must not shake the others for
ever. Not here: whose yes it takes (``history``, ``steward``), what is done when all have agreed (``referee``).
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import CHANCE, TABLE, TIME, Seat
from companion.rules.view import Text
from companion.table import commands as say

MOST = 3
"""Questions of one seat until somebody else has played."""


class Request(Struct, frozen=True):
    """Something that takes the yes of others."""

    revision: int
    seat: Seat
    command: Any
    what: Text
    """What it would do, as everybody was told."""
    asked: tuple[Seat, ...]
    yes: tuple[Seat, ...] = ()

    @property
    def open(self) -> tuple[Seat, ...]:
        """Who has not answered."""
        return tuple(seat for seat in self.asked if seat not in self.yes)


class Consent:
    """One table's. Told of every row, in order."""

    def __init__(self) -> None:
        self.request: Request | None = None
        """The open question; there is never more than one."""
        self._asked: tuple[tuple[Seat, Any], ...] = ()
        """What seats have asked until somebody else played, whatever came of it."""

    # What is told

    def ask(self, request: Request) -> None:
        """A question is put; an earlier one lapses."""
        self.request = request
        if request.seat != TABLE:
            self._asked = (*self._asked, (request.seat, _subject(request.command)))

    def agree(self, seat: Seat) -> None:
        if self.request is not None:
            self.request = msgspec.structs.replace(self.request, yes=(*self.request.yes, seat))

    def object(self) -> None:
        """No, or never mind."""
        self.request = None

    def go_on(self, seat: Seat, command: Any, *, again: bool) -> None:
        """The state changed by this seat's row: the question lapses, or was agreed to. ``again``: the row was only given once more."""
        agreed = self.request is not None and not self.request.open and self.request.command == command
        self.request = None
        if agreed:
            self._asked = ()
        elif seat not in {CHANCE, TIME} and not again:
            self._asked = tuple(one for one in self._asked if one[0] == seat)

    # What is asked

    def why_not(self, seat: Seat, command: Any) -> str:
        """Why this may not be asked now, as a key of the catalogue (with ``seat``: who asks at the moment); "": it may."""
        if self.request is None and not self._asked:
            return ""
        request, subject = self.request, _subject(command)
        if request is not None and request.seat == seat and _subject(request.command) == subject:
            return "table.asked_already"
        if seat == TABLE:
            return ""  # it is never blocked by a phone
        if request is not None and request.seat != seat:
            return "table.answer_first"
        mine = [what for who, what in self._asked if who == seat]
        if subject in mine:
            return "table.asked_before"
        return "table.asked_often" if len(mine) >= MOST else ""


def _subject(command: Any) -> Any:
    """What a question is about, whenever it is asked: the row to go back beyond, the row to stand again, the corrections."""
    match command:
        case say.Undo():
            return "undo", command.first
        case say.Redo():
            return "redo", command.to
    return "correct", say.corrections(command)
