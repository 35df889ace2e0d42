"""How much each user may send: a bucket of packets and one of bytes, on the broker's clock. Not here: what happens to who sends more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.sync.broker.limits import Limits

_DUST: Final = 1e-6  # of a packet: a wait that was told must be long enough, however it was rounded


class Meter:
    """One account a user, whatever number of connections it has: coming back empties nothing and refills nothing."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self._limits, self._clock = limits, clock
        self._accounts: dict[str, tuple[float, float, float]] = {}  # packets left, bytes left, as of when

    def wait(self, user: str, size: int) -> float:
        """0: it may send these bytes now, and they are counted. Else nothing is counted, and so many seconds have to pass first.

        The bytes may overdraw the account once, so that a packet larger than the burst passes at all.
        """
        limits, now = self._limits, self._clock()
        packets, content, since = self._accounts.get(user, (limits.burst, limits.byte_burst, now))
        packets = min(limits.burst, packets + (now - since) * limits.rate)
        content = min(limits.byte_burst, content + (now - since) * limits.byte_rate)
        if packets > 1 - _DUST and content > 0:
            self._accounts[user] = (packets - 1, content - size, now)
            return 0.0
        self._accounts[user] = (packets, content, now)
        return max((1 - packets) / limits.rate, (1 - content) / limits.byte_rate)

    def tidy(self) -> None:
        """Forget accounts that are full again."""
        limits, now = self._limits, self._clock()
        for user, (packets, content, since) in list(self._accounts.items()):
            past = now - since
            if packets + past * limits.rate >= limits.burst and content + past * limits.byte_rate >= limits.byte_burst:
                del self._accounts[user]

    def __len__(self) -> int:
        return len(self._accounts)
