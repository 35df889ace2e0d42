"""First answers: an order is obeyed once, and whoever sends it again hears what was answered the first time.

Here: what was answered to which id: accepted orders in the journal, refusals in memory only. Not here: judging (``referee``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import msgspec

from companion.rules.game import Refusal, Seat
from companion.table.journal import Journal
from companion.table.orders import MAX_ID, Answer

KEPT_REFUSALS = 1024
"""How many refusals are remembered for repeated ids."""


class FirstAnswers:
    """One game's."""

    def __init__(self, journal: Callable[[], Journal], game_id: str) -> None:
        self._journal = journal
        self._game_id = game_id
        self._refused: OrderedDict[tuple[Seat, str], Answer] = OrderedDict()
        self._accepted: set[tuple[Seat, str | None]] = set()
        """Ids of accepted orders: only of these is the journal asked for the first answer."""

    def accepted(self, seat: Seat, order_id: str | None) -> None:
        """The journal has a row of this order."""
        self._accepted.add((seat, order_id))

    def refused(self, seat: Seat, order_id: str, revision: int, refusal: Refusal) -> Answer:
        """The answer that says no, remembered."""
        answer = Answer(order_id, ok=False, revision=revision, refusal=refusal)
        if len(order_id) <= MAX_ID:
            self._refused[seat, order_id] = answer
        while len(self._refused) > KEPT_REFUSALS:
            self._refused.popitem(last=False)
        return answer

    def first(self, seat: Seat, order_id: str) -> Answer | None:
        """What this order was answered; None: it is new. Raises JournalError."""
        refused = self._refused.get((seat, order_id))
        if refused is not None or (seat, order_id) not in self._accepted:
            return refused
        accepted = self._journal().answer(self._game_id, seat, order_id)
        return None if accepted is None else msgspec.json.decode(accepted, type=Answer)
