"""Rows of a journal: what one holds, and reading them from its file.

Here: ``Row`` and how it is read. Not here: writing (``journal``), or what rows mean (``history``).
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.table.disk import JournalError

_ROW = "revision, seat, order_id, command, state, events, answer, stamps, made, sort, base, sealed, moved"
_LEAN_ROW = _ROW.replace("state,", "x'' AS state,")


class Row(Struct, frozen=True):
    """One accepted command. ``command``, ``state``, ``events``, ``answer``, ``stamps`` and ``moved`` are JSON."""

    revision: int
    seat: str
    order_id: str | None
    command: bytes
    state: bytes
    events: bytes
    answer: bytes
    stamps: bytes = b"{}"
    made: int = 0
    sort: str = "play"
    """play | correct | undo | redo | note"""
    base: int | None = None
    """Of an undo or redo: the row whose state it restores. Of a command given again: the row that gave it first."""
    sealed: bool = False
    moved: bytes = b"[]"


def fetched(db: sqlite3.Connection, where: str, *values: str | int, states: bool = True) -> list[tuple[Any, ...]]:
    """As they lie in the file, the states packed, or left out. Raises sqlite3.Error."""
    return db.execute(f"SELECT {_ROW if states else _LEAN_ROW} FROM rows WHERE {where}", values).fetchall()  # noqa: S608 - constants


def rows_of(found: Iterable[tuple[Any, ...]], path: Path) -> Iterator[Row]:
    """Unpacked one by one. Raises JournalError for one that is damaged."""
    for revision, seat, order_id, command, state, events, answer, stamps, made, sort, base, sealed, moved in found:
        try:
            whole = zlib.decompress(state) if state else b""
        except zlib.error as fault:
            raise JournalError(f"{path}, row {revision} is damaged ({fault}): go on from an earlier copy of the file") from fault
        told = bytes(command), whole, bytes(events), bytes(answer), stamps.encode()
        yield Row(revision, seat, order_id, *told, made, sort, base, bool(sealed), moved.encode())
