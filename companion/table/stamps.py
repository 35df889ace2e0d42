"""Stamps: which question an order answers.

Here: two numbers a seat. ``shown`` is the one that screens have and orders carry; it rises with every new question, the table's own too, so
that a phone calls and a late finger waits. ``own`` is where the seat's question of the game last changed: whatever was shown since then was
the same question, so that nobody else's asking makes an answer stale. Not here: what is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec
from msgspec import Struct

from companion.rules.game import Seat


class Stamps(Struct, frozen=True):
    """Of every seat, and of TABLE."""

    shown: dict[Seat, int]
    own: dict[Seat, int]

    @classmethod
    def none(cls, seats: Iterable[Seat]) -> Stamps:
        """Before the first row."""
        return cls(dict.fromkeys(seats, 0), {})

    def fit(self, seat: Seat, stamp: int) -> bool:
        """An order with this stamp answers the question of the game that the seat is asked now."""
        return self.own.get(seat, 0) <= stamp <= self.shown.get(seat, -1)

    def changed(self, seats: Collection[Seat], revision: int) -> Stamps:
        """These seats' questions of the game are others since ``revision``."""
        new = {seat: revision for seat in seats if seat in self.shown}
        return Stamps(self.shown | new, self.own | new)

    def asked(self, seats: Collection[Seat], revision: int) -> Stamps:
        """These seats are asked something by the table, beside the game."""
        return Stamps(self.shown | {seat: revision for seat in seats if seat in self.shown}, self.own)

    def read(self, row: bytes, revision: int, *, note: bool) -> Stamps:
        """After a row of the journal, which keeps what is shown."""
        shown = self.shown | msgspec.json.decode(row, type=dict[str, int])
        return Stamps(shown, self.own if note else self.own | {seat: at for seat, at in shown.items() if at == revision})
