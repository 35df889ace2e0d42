"""The log: the newest sentences of a game, for each reader those it may read.

Here: keeping and choosing sentences. Not here: words, or the journal, which keeps all of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from companion.rules.game import Event, Seat
from companion.rules.view import Line

LOG_LINES = 40
"""Newest sentences in a view."""


class Log:
    """One game's. What was undone stays: people have read it, and the undo is a sentence of its own."""

    def __init__(self) -> None:
        self._events: deque[tuple[int, Event]] = deque(maxlen=LOG_LINES * 5)
        self._made: dict[tuple[int, int, int], tuple[Event, Line]] = {}
        """A line stays the same object, so that what is kept by it (rendered views) is kept on."""
        self._common: tuple[Line, ...] | None = None
        """What everybody reads, where nothing of it is secret."""

    def add(self, revision: int, events: Iterable[Event]) -> None:
        self._common = None
        self._events.extend((revision, event) for event in events)

    def lines(self, reader: Seat | None) -> tuple[Line, ...]:
        """The newest sentences for this reader. Ids count only what it may read: a gap would tell of a secret."""
        if self._common is not None:
            return self._common
        secret = False
        found: list[tuple[int, Event]] = []
        for revision, event in reversed(self._events):
            if len(found) >= LOG_LINES and revision != found[-1][0]:
                break
            secret = secret or event.to is not None
            if may_read(event, reader):
                found.append((revision, event))
        lines: list[Line] = []
        at, number = -1, 0
        for revision, event in reversed(found):
            at, number = revision, number + 1 if revision == at else 0
            lines.append(self._line(revision, number, event))
        told = tuple(lines[-LOG_LINES:])
        if not secret:
            self._common = told
        return told

    def _line(self, revision: int, number: int, event: Event) -> Line:
        key = revision, number, id(event)
        made = self._made.get(key)
        if made is None:
            if len(self._made) > LOG_LINES * 20:
                self._made.clear()
            line = Line(event.text, event.clause, f"log.{revision}.{number}", private=event.to is not None)
            made = self._made[key] = event, line
        return made[1]


def may_read(event: Event, reader: Seat | None) -> bool:
    return event.to is None or reader in event.to
