"""A log that one address cannot fill: a few warnings a minute about it, then one line that says how many were left out.

Not here: what is worth a warning. Runs on the broker's thread and clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.sync.broker.limits import Limits

_log = logging.getLogger(__name__)


class Hush:
    """Counts warnings by whom they are about: an address as a rule, else a user."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits, self._clock = limits, clock
        self._known: dict[str, tuple[float, int]] = {}  # about whom: since when, how many; oldest first

    def passes(self, about: str) -> bool:
        """May one more warning about them be told? Who asks has a warning; False: it has been counted instead."""
        since, count = self._known.get(about, (self._clock(), 0))
        if self._clock() - since >= self._limits.warnings_span:
            self._end(about)
            since, count = self._clock(), 0
        elif not count and len(self._known) >= self._limits.warned:
            self._end(next(iter(self._known)))
        self._known[about] = (since, count + 1)
        return count < self._limits.warnings

    def warn(self, about: str, message: str, *args: object) -> None:
        """A warning, if one more about them may be told."""
        if self.passes(about):
            _log.warning(message, *args)

    def tick(self) -> None:
        """Tell what was left out of the minutes that are over."""
        now = self._clock()
        for about in [about for about, (since, _) in self._known.items() if now - since >= self._limits.warnings_span]:
            self._end(about)

    def _end(self, about: str) -> None:
        _, count = self._known.pop(about)
        left_out = count - self._limits.warnings
        if left_out > 0:
            _log.warning("%d more warnings about %.64r were left out within %d s", left_out, about, self._limits.warnings_span)
