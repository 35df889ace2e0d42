"""Ghosts: retained messages of tables that are over, found on the broker when this table starts.

Here: deciding which topics to empty. Not here: receiving or publishing. A broker may carry other living tables: what a table that
says it is there has retained is left alone, unless that game is known to be one of our own.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec
from msgspec import Struct

from companion.sync.patience import PRESENCE
from companion.sync.topics import TABLE, Topics, game_of


class Presence(Struct, frozen=True):
    """A birth or a will."""

    on: bool
    conn: str = ""


_PRESENCE = msgspec.json.Decoder(Presence)


def read_presence(payload: bytes) -> Presence | None:
    """None for anything else, an emptied topic included."""
    if len(payload) > PRESENCE:
        return None
    try:
        return _PRESENCE.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


class Ghosts:
    """Told of every retained message met while starting; says what to empty."""

    def __init__(self, game_id: str, former: Collection[str] = ()) -> None:
        """``former``: game ids of this very table, which cannot be played anywhere else."""
        self._game_id = game_id
        self._former = frozenset(former) - {game_id}
        self._topics: dict[str, str] = {}
        self._living: set[str] = set()

    def met(self, topic: str, payload: bytes) -> None:
        """A retained message."""
        game = game_of(topic)
        if game is None or game == self._game_id or not payload:
            return
        self._topics[topic] = game
        presence = read_presence(payload) if topic == Topics(game).presence(TABLE) else None
        if presence is not None and presence.on:
            self._living.add(game)

    def banish(self) -> tuple[str, ...]:
        """The topics to empty, forgotten here."""
        living = self._living - self._former
        out = tuple(sorted(topic for topic, game in self._topics.items() if game not in living))
        self._topics.clear()
        return out
