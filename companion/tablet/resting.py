"""When the question has changed, fingers need a moment: what they were after is gone, and another seat's choice may lie under them.

Here: which touches still count, on an injected clock. Not here: what is touched (``part``), what a question is (``question``). Pure.
"""

from __future__ import annotations

from collections.abc import Callable

PAUSE = 0.35
"""Seconds after a question can be seen in which its choices do nothing: no finger that comes sooner has read it."""


class Rest:
    """``asking`` rises with every question. A touch is meant for the one it began on, and for none that had just appeared."""

    def __init__(self, clock: Callable[[], float], pause: float = PAUSE) -> None:
        self._clock, self._pause = clock, pause
        self._until = 0.0
        self.unseen = False
        self.asking = 0
        self.shown = False
        """There is a screen, which says ``seen``: a question that is not on it yet cannot be answered."""

    def begin(self) -> None:
        """Another question."""
        self.asking += 1
        self.unseen = self.shown
        self._until = self._clock() + self._pause

    def seen(self, asking: int) -> None:
        """That question is on the screen now, however long it took to be drawn."""
        if self.unseen and asking == self.asking:
            self.unseen = False
            self._until = self._clock() + self._pause

    @property
    def quiet(self) -> bool:
        """No touch answers the question now."""
        return self.unseen or self._clock() < self._until
