"""One poll of one field: who lies there, found with one tag per question. Pure but for the question itself.

nfcpy asks the chip for one tag at a time, and of several in the field anticollision always ends at the same one. So
after the open question every tag that lay here is asked for by its UID, and, while anything lies here, a few
of the known ones too: that finds a second figure set beside the first. A stack of unknown tags cannot be told apart.
"""

from collections.abc import Callable, Collection, Sequence

Sense = Callable[[bytes | None], bytes | None]
"""Ask the field: for anyone (None) or for one UID; the UID that answered, or None."""


class Sweep:
    """Polls one field; remembers only whose turn it is to be asked."""

    def __init__(self, ask: int = 4) -> None:
        self._ask = ask
        self._next = 0
        self._met: set[bytes] = set()
        """What the last poll found: asked for again, or a tag met by its turn would wait a whole round to be seen twice."""

    def __call__(
        self, sense: Sense, lying: Collection[bytes], known: Callable[[], Sequence[bytes]] = tuple, ask: int | None = None
    ) -> set[bytes]:
        """All UIDs found in this poll; ``ask``: how many of the known ones are asked for, where it is not the usual number."""
        found: set[bytes] = set()
        anyone = sense(None)
        if anyone is not None:
            found.add(anyone)
        for uid in (*lying, *self._met.difference(lying)):
            if uid not in found and sense(uid) == uid:
                found.add(uid)
        if found:
            for uid in self._turn(known(), self._ask if ask is None else ask):
                if uid not in found and uid not in lying and uid not in self._met and sense(uid) == uid:
                    found.add(uid)
        self._met = set(found)
        return found

    def _turn(self, known: Sequence[bytes], ask: int) -> list[bytes]:
        count = min(ask, len(known))
        if not count:
            return []
        turn = [known[(self._next + step) % len(known)] for step in range(count)]
        self._next = (self._next + count) % len(known)
        return turn
