"""How much of a bad phone the table bears: how long a message may be, a bucket of frames a seat, and a log that does not repeat itself.

Here: ``most`` and ``spares``, which the embedded broker is lent; ``Gate`` and ``Complaints`` of the referee's own end, which hold on any
broker, on an injected clock. Not here: what a good frame is, and how the broker slows a flood down (``broker.link``).
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

from companion.sync.sealing import MAX_UP
from companion.sync.topics import TABLE

LOGGER = logging.getLogger(__name__)

RATE: Final = 50.0
BURST: Final = 100.0
QUIET: Final = 60.0
"""Seconds between two lines about one seat."""
LONGEST: Final = MAX_UP + 64
"""Bytes of a frame from a phone, its head and seal included."""
PRESENCE: Final = 256
"""Bytes of a birth or a will."""
_ANY: Final = 1 << 28  # more than MQTT can say


def most(_user: str, topic: str) -> int:
    """The longest payload of ours in this topic; what only the table publishes is as long as it needs."""
    words = topic.split("/")
    if words[-2:-1] == ["presence"]:
        return PRESENCE
    return LONGEST if words[-1] == "up" else _ANY


def spares(user: str) -> bool:
    """The referee's own client: a flood by others must not cost it its line."""
    return user == TABLE


class Gate:
    """Lets ``rate`` frames a second through for each seat, ``burst`` at once. ``lets`` on one thread, ``dropped`` on any."""

    def __init__(self, clock: Callable[[], float], rate: float = RATE, burst: float = BURST) -> None:
        self._clock = clock
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, tuple[float, float]] = {}
        self._guard = threading.Lock()
        self._dropped: Counter[str] = Counter()

    def lets(self, seat: str) -> bool:
        now = self._clock()
        left, since = self._buckets.get(seat, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._rate)
        passes = left >= 1
        self._buckets[seat] = (left - 1 if passes else left, now)
        if not passes:
            with self._guard:
                self._dropped[seat] += 1
        return passes

    def dropped(self) -> Counter[str]:
        """How many were not let through, by seat, since this was last asked."""
        with self._guard:
            out, self._dropped = self._dropped, Counter()
        return out


class Complaints:
    """Counts what was refused, and says so once a minute a seat and level. One thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: dict[tuple[str, int], float] = {}
        self._unsaid: Counter[tuple[str, int]] = Counter()
        self.counts: Counter[tuple[str, str]] = Counter()
        """(seat, why) -> how often"""

    def add(self, seat: str, why: str, message: str, times: int = 1, level: int = logging.INFO) -> None:
        """``message`` carries no content and no key."""
        self.counts[seat, why] += times
        now = self._clock()
        told = self._told.get((seat, level))
        if told is not None and now - told < QUIET:
            self._unsaid[seat, level] += times
            return
        self._told[seat, level] = now
        more = self._unsaid.pop((seat, level), 0)
        LOGGER.log(level, "ignored from %s: %s%s", seat, message, f" (and {more} more since the last such line)" if more else "")
