"""The list of saved games: read, and nothing else.

Here: what a journal's file says of its games, also while a table has it open, also when it is damaged. Not here: writing (``journal``), or
what a position means (``games``).
"""

from __future__ import annotations

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.table import disk
from companion.table.disk import JournalError
from companion.table.migrations import APPLICATION_ID, MIGRATIONS
from companion.table.rows import Row, fetched, rows_of
from companion.table.setup import Setup, decoded

OPEN_STEPS = 1 << 20
"""Games may be opened that often between two rows before their order is lost."""
NEXT_OPENED = f"SELECT MAX((SELECT MAX(rowid) FROM rows) * {OPEN_STEPS}, (SELECT MAX(opened) FROM games)) + 1"  # noqa: S608 - a constant
WITH_SETUP = 3
"""The first version of the file that keeps a game's setup and when it was opened."""


class SavedGame(Struct, frozen=True):
    """One game of the journal, for a list to choose from."""

    id: str
    game: str
    rules: int
    facts_hash: str
    seats: tuple[str, ...]
    options: dict[str, str]
    created: int
    ended: int | None
    revision: int
    """Of its newest row."""
    touched: int
    """When its newest row was made, Unix seconds."""
    setup: Setup = Setup()


def saved_games(db: sqlite3.Connection, game_id: str | None = None) -> tuple[SavedGame, ...]:
    """Every game, or the one of this id; the one played or opened last first, whatever the clock said. Raises sqlite3.Error."""
    kept = db.execute("PRAGMA user_version").fetchone()[0] >= WITH_SETUP
    setup, opened = ("g.setup", "g.opened") if kept else ("'{}'", "0")
    columns = f"g.id, g.game, g.rules, g.facts_hash, g.seats, g.options, g.created, g.ended, r.revision, r.made, {setup}"
    newest = "JOIN rows r ON r.game = g.id AND r.revision = (SELECT MAX(revision) FROM rows WHERE game = g.id)"
    # Rows are only ever added behind the others: rowid counts them.
    order = f"MAX(r.rowid * {OPEN_STEPS}, {opened}) DESC"
    ask = f"SELECT {columns} FROM games g {newest} WHERE ?1 IS NULL OR g.id = ?1 ORDER BY {order}"  # noqa: S608 - constants
    return tuple(
        SavedGame(
            id=found,
            game=game,
            rules=rules,
            facts_hash=facts_hash,
            seats=msgspec.json.decode(seats, type=tuple[str, ...]),
            options=msgspec.json.decode(options, type=dict[str, str]),
            created=created,
            ended=ended,
            revision=revision,
            touched=made,
            setup=decoded(told),
        )
        for found, game, rules, facts_hash, seats, options, created, ended, revision, made, told in db.execute(ask, (game_id,)).fetchall()
    )


class Listing:
    """A journal's file, opened to be read only. Nothing is made, moved, migrated or locked. Close it."""

    def __init__(self, path: Path) -> None:
        """Raises JournalError in plain words, also for a file that is damaged or no journal."""
        self.path = path
        if not path.is_file() or path.stat().st_size == 0:
            raise JournalError(f"{path} is not there, or empty: there is no game yet")
        # A file that nobody writes is read as it lies: SQLite then makes no files beside it.
        living = path.with_name(path.name + "-wal").exists()
        with self._plainly():
            self._db = sqlite3.connect(
                f"{path.resolve().as_uri()}?{'mode=ro' if living else 'immutable=1'}", uri=True, isolation_level=None
            )
        try:
            with self._plainly():
                self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        refuse_strangers(self._db, self.path)
        found = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise sqlite3.DatabaseError(found)

    def close(self) -> None:
        self._db.close()

    def games(self) -> tuple[SavedGame, ...]:
        """Every game, the one played last first. Raises JournalError."""
        with self._plainly():
            return saved_games(self._db)

    def game(self, game_id: str) -> SavedGame:
        """The one of this id, which ``games`` listed. Raises JournalError."""
        with self._plainly():
            return saved_games(self._db, game_id)[0]

    def facts(self, game_id: str) -> dict[str, Any] | None:
        """The facts the game began with; None: they were not kept. Raises JournalError."""
        with self._plainly():
            kept = self._db.execute("SELECT facts FROM games WHERE id = ?", (game_id,)).fetchone()[0]
            return msgspec.json.decode(zlib.decompress(kept), type=dict[str, Any]) if kept else None

    def rows(self, game_id: str, first: int = 0, *, states: bool = True) -> Iterator[Row]:
        """As ``Journal.rows``. Raises JournalError."""
        with self._plainly():
            found = fetched(self._db, "game = ? AND revision >= ? ORDER BY revision", game_id, first, states=states)
        return rows_of(found, self.path)

    def state(self, game_id: str) -> bytes:
        """Where the game stands, JSON. Raises JournalError."""
        ask = "SELECT state FROM rows WHERE game = ? ORDER BY revision DESC LIMIT 1"
        with self._plainly():
            return zlib.decompress(self._db.execute(ask, (game_id,)).fetchone()[0])

    @contextlib.contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, zlib.error) as fault:
            if isinstance(fault, sqlite3.Error) and not disk.is_damage(fault):
                raise JournalError(f"{self.path} cannot be read: {disk.plain(fault)}") from fault
            raise JournalError(
                f"{self.path} is damaged ({fault}). Nothing was changed; run would move it aside and begin an empty journal: "
                "put an earlier copy of the file in its place first, if you have one"
            ) from fault


def refuse_strangers(db: sqlite3.Connection, path: Path, known: int = len(MIGRATIONS)) -> None:
    """Raises JournalError where the file is not ours, or of a later time; sqlite3.Error."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    whose = db.execute("PRAGMA application_id").fetchone()[0]
    tables = db.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
    if whose != APPLICATION_ID and (whose or version or tables):
        raise JournalError(f"{path} is another program's database: choose another --data directory")
    if version > known:
        newer = f"journal {version}, this one knows {known}"
        raise JournalError(f"{path} was written by a newer Jinmaku ({newer}): update this program")
