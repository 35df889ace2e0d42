"""What is to be said of the table's health, and when: once it is known, and again when it has changed. Here: which lines. Not here: where they go."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from companion.tablet.port import Health

PATIENCE: Final = 2.0
"""Seconds that a device has to be found before it is said that it was not, and that a table takes to come up."""
WAITING, OK = "waiting", "ok"


class Bulletin:
    """Of one open game, from when this is made; ``clock`` in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._began = clock()
        self._said: dict[str, str] = {}
        """Line -> the tone it was said in."""
        self._since: dict[str, float] = {}
        """Line -> since when it waits."""

    def news(self, lines: Iterable[Health]) -> list[Health]:
        """Those to be said now. Only a change of tone is news; what waits is given a moment; what comes later and is well is no news."""
        now, here, out = self._clock(), {line.id: line for line in lines}, []
        self._said = {name: tone for name, tone in self._said.items() if name in here}
        self._since = {name: self._since.get(name, now) for name, line in here.items() if line.tone == WAITING}
        for name, line in here.items():
            if line.tone == self._said.get(name) or (line.tone == WAITING and now - self._since[name] < PATIENCE):
                continue
            late = now - self._began > PATIENCE and name not in self._said
            self._said[name] = line.tone
            if not (late and line.tone == OK):
                out.append(line)
        return out
