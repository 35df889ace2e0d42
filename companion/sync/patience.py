"""How much of a bad phone the table bears: a bucket of frames a seat, and a log that does not repeat itself.

Here: ``Gate`` and ``Complaints``; both run on an injected clock. Not here: what a good frame is.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

LOGGER = logging.getLogger(__name__)

RATE: Final = 50.0
BURST: Final = 100.0
QUIET: Final = 60.0
"""Seconds between two lines about one seat."""


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
    """Counts what was refused, and says so once a minute a seat. One thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._told: dict[str, float] = {}
        self._unsaid: Counter[str] = Counter()
        self.counts: Counter[tuple[str, str]] = Counter()
        """(seat, why) -> how often"""

    def add(self, seat: str, why: str, message: str, times: int = 1) -> None:
        """``message`` carries no content and no key."""
        self.counts[seat, why] += times
        now = self._clock()
        told = self._told.get(seat)
        if told is not None and now - told < QUIET:
            self._unsaid[seat] += times
            return
        self._told[seat] = now
        more = self._unsaid.pop(seat, 0)
        LOGGER.info("ignored from %s: %s%s", seat, message, f" (and {more} more since the last such line)" if more else "")
