"""A serial line that misbehaves on request: bytes in, what is left of them out.

Here: the faults. Not here: file descriptors, processes (``track``, ``track_board``).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Literal

Way = Literal["both", "down", "up"]
"""``down`` is from the host to the device."""


class Line:
    """Both directions of one line. Without faults it passes everything on."""

    def __init__(self, seed: int = 1, sleep: Callable[[float], object] = time.sleep) -> None:
        self._random = random.Random(seed)
        self._sleep = sleep
        self.heal()

    def heal(self) -> None:
        """All faults end."""
        self._left: int | None = None
        self._snaps = False
        self._garble: tuple[float, Way] = (0.0, "both")
        self._twice: tuple[int, Way] = (0, "both")
        self._pause = 0.0
        self.snapped = False
        """``drop_after(..., vanish=True)`` has run out: the whole port should go now."""

    def drop_after(self, n: int, *, vanish: bool = False) -> None:
        """After ``n`` more bytes, both ways counted together, nothing passes; or the port vanishes."""
        self._left, self._snaps = n, vanish

    def garble(self, rate: float, way: Way = "both") -> None:
        """Each byte has this chance that one of its bits flips."""
        self._garble = (rate, way)

    def duplicate(self, pieces: int, way: Way = "both") -> None:
        """The next pieces, as they arrive, pass twice."""
        self._twice = (pieces, way)

    def slow(self, seconds: float) -> None:
        """Each byte takes this long."""
        self._pause = seconds

    def passed(self, data: bytes, way: Literal["down", "up"]) -> bytes:
        """What arrives at the other end."""
        rate, which = self._garble
        if rate and which in {"both", way}:
            data = bytes(b ^ (1 << self._random.randrange(8)) if self._random.random() < rate else b for b in data)
        times, which = self._twice
        if times and which in {"both", way}:
            data *= 2
            self._twice = (times - 1, which)
        if self._left is not None:
            data = data[: self._left]
            self._left -= len(data)
            self.snapped = self._snaps and not self._left
        if self._pause:
            self._sleep(self._pause * len(data))
        return data
