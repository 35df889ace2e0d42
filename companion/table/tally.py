"""What every point came from, of a running or ended game as it stands: counted from its journal, for the sheet of the end.

Here: reading the line that stands, and laying the table beside the game's own counting. Not here: which sentence gives a point (the game's
``Counts``), a step of the past (``story``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.game import Counts, Event, Game
from companion.rules.view import Section, Table, Text
from companion.table.disk import JournalError
from companion.table.history import standing
from companion.table.journal import Journal

LOGGER = logging.getLogger(__name__)
SCORE = "score"
"""Section of a game's own that counts its points."""


class Tally:
    """One game's. ``journal`` is asked anew each time: a journal can be moved."""

    def __init__(self, game: Game[Any, Any], journal: Callable[[], Journal], game_id: str) -> None:
        self._game, self._journal, self._id = game, journal, game_id
        self._kept: tuple[int, Table | None] = (-1, None)

    def on(self, sections: tuple[Section, ...], revision: int, state: Any) -> tuple[Section, ...]:
        """The table is added to the game's own counting, where it has begun to count; nothing else is changed."""
        if not any(section.id == SCORE for section in sections) or not isinstance(self._game, Counts):
            return sections
        table = self._table(self._game, revision, state)
        if table is None:
            return sections
        return tuple(replace(one, nodes=(*one.nodes, table)) if one.id == SCORE else one for one in sections)

    def _table(self, game: Counts, revision: int, state: Any) -> Table | None:
        """Kept for the newest revision. None: the journal could not be read."""
        if self._kept[0] != revision:
            try:
                self._kept = revision, self._read(game, state)
            except JournalError as fault:  # the game itself goes on
                LOGGER.warning("%s", fault)
                return None
        return self._kept[1]

    def _read(self, game: Counts, state: Any) -> Table:
        journal = self._journal()
        start = msgspec.json.decode(journal.row(self._id, 0).state, type=self._game.State)
        return game.sources(start, state, self._said(journal))

    def _said(self, journal: Journal) -> Iterator[tuple[Text, str]]:
        for row in standing(journal.rows(self._id, states=False)):
            for event in msgspec.json.decode(row.events, type=tuple[Event, ...]):
                if event.to is None:
                    yield event.text, event.clause
