"""The life of one device as a table of states. Pure: the clock is handed in.

    absent -> opening -> handshaking -> ready -> lost -> opening ...

"Ready" is reached only through a fresh handshake. The first failure of each kind is told aloud, its repetitions
quietly; waiting between attempts doubles up to a cap. It never gives up.
"""

import enum
from collections.abc import Callable

from hardware.nfc.said import Said, said


class State(enum.StrEnum):
    """Where a device stands."""

    ABSENT = "absent"
    OPENING = "opening"
    HANDSHAKING = "handshaking"
    READY = "ready"
    LOST = "lost"


MAY: dict[State, frozenset[State]] = {
    State.ABSENT: frozenset({State.ABSENT, State.OPENING}),
    State.OPENING: frozenset({State.HANDSHAKING, State.ABSENT}),
    State.HANDSHAKING: frozenset({State.READY, State.ABSENT}),
    State.READY: frozenset({State.LOST, State.ABSENT}),
    State.LOST: frozenset({State.OPENING, State.ABSENT}),
}
"""Which state may follow which; ready to absent is our own switching off."""

OFTEN = 3
"""From this many losses on, the cable is suspected."""


class Life:
    """State, since when, how often lost, and how long to wait before the next attempt."""

    def __init__(self, clock: Callable[[], float], *, first: float = 0.25, cap: float = 5.0) -> None:
        self._clock, self._first, self._cap = clock, first, cap
        self.state = State.ABSENT
        self.said: Said = said("starting")
        self.since = clock()
        self.drops = 0
        self._wait = first
        self._told: set[str] = set()

    def move(self, state: State, why: Said) -> bool:
        """Go to `state`; True if this is to be told aloud. ValueError for a move the table does not know."""
        if state not in MAY[self.state]:
            raise ValueError(f"a device does not go from {self.state} to {state}")
        if state is not self.state:
            self.since = self._clock()
        self.state, self.said = state, why
        if state is State.READY:
            self._wait = self._first
            self._told.clear()
            return True
        if state in {State.OPENING, State.HANDSHAKING}:
            return False
        if state is State.LOST:
            self.drops += 1
        fresh = why.key not in self._told
        self._told.add(why.key)
        return fresh

    def wait(self) -> float:
        """Seconds to wait after a failed attempt: each time twice as long, up to the cap."""
        wait, self._wait = self._wait, min(self._wait * 2, self._cap)
        return wait
