"""The journal: every accepted command and the state after it, on disk before anybody hears of it.

Here: one SQLite file (WAL, ``synchronous=FULL``) with several games and the seats' keys. Not here: what commands mean (``referee``).
Anything that goes wrong is a JournalError in plain words, and then nothing was written.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.table import disk
from companion.table.disk import JournalError
from companion.table.listing import NEXT_OPENED, SavedGame, refuse_strangers, saved_games
from companion.table.lock import Lock
from companion.table.migrations import APPLICATION_ID, MIGRATIONS
from companion.table.rows import Row, fetched, rows_of
from companion.table.setup import Setup, encoded

__all__ = ["Journal", "JournalError", "Row", "SavedGame", "SeatKey"]

LOGGER = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds to wait for a program that looks into the file (a backup) before a command is refused."""


ENOUGH = 50
"""Rows beside the file that are worth bringing into it. SQLite does it by itself at about three times as many, while somebody waits for it."""


class SeatKey(Struct, frozen=True):
    """One key of a seat: each showing of its QR code mints the next epoch."""

    seat: str
    epoch: int
    key: bytes
    held: bool


class Journal:
    """Thread-safe. One open Journal owns its file: a second program is refused in plain words."""

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time, patience: float = PATIENCE) -> None:
        """Opens or makes the file. A broken file is moved aside, never overwritten: ``aside`` then says where it lies."""
        self.path = Path(path)
        self.aside: Path | None = None
        self._clock = clock
        self._guard = threading.RLock()
        self._tidied = 0
        try:
            disk.make_home(self.path.parent)
            self._lock = Lock(self.path.with_name(self.path.name + ".lock"))
        except BlockingIOError as fault:
            raise JournalError(
                f"{self.path} is in use by {fault}: close the other table, or give this one its own --data directory"
            ) from fault
        except OSError as fault:
            raise JournalError(f"{self.path.parent} cannot be used ({fault.strerror or fault}): choose another --data directory") from fault
        try:
            self._db = self._open(patience)
        except BaseException:
            self._lock.free()
            raise

    def close(self) -> None:
        with self._guard:
            self._db.close()
            self._lock.free()

    def tidy(self) -> None:
        """Brings what was written lately from the log beside the file into the file; for when nobody waits. Nothing depends on it."""
        with self._guard, contextlib.suppress(sqlite3.Error):
            if self._db.total_changes - self._tidied >= ENOUGH:
                self._tidied = self._db.total_changes
                self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()

    # Games

    def begin(
        self,
        game_id: str,
        state: bytes,
        *,
        game: str,
        rules: int,
        seats: Sequence[str],
        options: Mapping[str, str],
        facts_hash: str = "",
        facts: Mapping[str, Any] | None = None,
        setup: Setup | None = None,
    ) -> None:
        """A new game; its row 0 is ``state``. With ``facts`` the game keeps the very facts it began with."""
        now = self.now()
        kept = b"" if facts is None else zlib.compress(msgspec.json.encode(facts), 1)
        seats_json, options_json = msgspec.json.encode(list(seats)).decode(), msgspec.json.encode(dict(options)).decode()
        with self._writing() as db:
            row = game_id, game, rules, facts_hash, kept, seats_json, options_json, now, encoded(setup or Setup())
            db.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,NULL,?,0)", row)
            self._insert(db, game_id, Row(0, "table", None, b"", state, b"[]", b""), now)

    def games(self) -> tuple[SavedGame, ...]:
        """Every game, the one played last first."""
        with self._reading() as db:
            return saved_games(db)

    def game(self, game_id: str) -> SavedGame:
        """Raises JournalError when there is none of this id."""
        with self._reading() as db:
            found = saved_games(db, game_id)
        if not found:
            raise JournalError(f"{self.path} has no game {game_id!r}: choose one of its list, or begin a new one")
        return found[0]

    def facts(self, game_id: str) -> dict[str, Any] | None:
        """The facts the game began with; None: they were not kept."""
        with self._reading() as db:
            row = db.execute("SELECT facts FROM games WHERE id = ?", (game_id,)).fetchone()
        return msgspec.json.decode(zlib.decompress(row[0]), type=dict[str, Any]) if row and row[0] else None

    def end(self, game_id: str) -> None:
        """The game is over. It stays in the journal."""
        with self._writing() as db:
            db.execute("UPDATE games SET ended = ? WHERE id = ? AND ended IS NULL", (self.now(), game_id))

    def reopen(self, game_id: str) -> None:
        """The end was taken back."""
        with self._writing() as db:
            db.execute("UPDATE games SET ended = NULL WHERE id = ?", (game_id,))

    def put_setup(self, game_id: str, setup: Setup) -> None:
        """Who sits there from now on."""
        with self._writing() as db:
            db.execute("UPDATE games SET setup = ? WHERE id = ?", (encoded(setup), game_id))

    def forget(self, game_id: str) -> None:
        """A game in which nobody has played yet goes without a trace; any other stays."""
        with self._writing() as db:
            db.execute(
                "DELETE FROM games WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM rows WHERE game = ?1 AND order_id NOT NULL)", (game_id,)
            )

    def opened(self, game_id: str) -> None:
        """It is on the table now: of all games the next start goes on with this one, whatever the clock says."""
        with self._writing() as db:
            db.execute(f"UPDATE games SET opened = ({NEXT_OPENED}) WHERE id = ?", (game_id,))  # noqa: S608 - a constant

    def now(self) -> int:
        """Unix seconds, by the journal's clock."""
        return int(self._clock())

    # Rows

    def append(self, game_id: str, *rows: Row, twin: bytes | None = None) -> None:
        """When this returns, the rows (and what is known of the figures) are on disk. When it raises, nothing of it is."""
        if len(rows) == 1 and twin is None:  # one statement is a transaction of its own, and quicker
            with self._guard, self._plainly("written"):
                self._insert(self._db, game_id, rows[0], self.now())
            return
        with self._writing() as db:
            for row in rows:
                self._insert(db, game_id, row, self.now())
            if twin is not None:
                db.execute("INSERT OR REPLACE INTO twins VALUES (?,?)", (game_id, twin))

    def last(self, game_id: str) -> Row:
        """The newest row: the state to go on from."""
        return next(self._rows("game = ? ORDER BY revision DESC LIMIT 1", game_id))

    def state(self, game_id: str) -> bytes:
        """Where the game stands, JSON."""
        return self.last(game_id).state

    def row(self, game_id: str, revision: int) -> Row:
        """Raises JournalError where there is none."""
        found = next(self._rows("game = ? AND revision = ?", game_id, revision), None)
        if found is None:
            raise JournalError(f"{self.path} has no row {revision} of game {game_id}: go on from an earlier copy of the file")
        return found

    def rows(self, game_id: str, first: int = 0, *, states: bool = True) -> Iterator[Row]:
        """All rows from revision ``first`` on, in order; without ``states`` those are empty, and a long game is quickly read."""
        return self._rows("game = ? AND revision >= ? ORDER BY revision", game_id, first, states=states)

    def twin(self, game_id: str) -> bytes | None:
        """What was last known of the figures; None: nothing."""
        with self._reading() as db:
            row = db.execute("SELECT twin FROM twins WHERE game = ?", (game_id,)).fetchone()
        return bytes(row[0]) if row else None

    def put_twin(self, game_id: str, twin: bytes) -> None:
        self.append(game_id, twin=twin)

    def answer(self, game_id: str, seat: str, order_id: str) -> bytes | None:
        """What an accepted order was answered the first time; None: no such order was accepted."""
        with self._reading() as db:
            row = db.execute("SELECT answer FROM rows WHERE game = ? AND seat = ? AND order_id = ?", (game_id, seat, order_id)).fetchone()
        return bytes(row[0]) if row else None

    # Keys of the seats (used by sync)

    def seat_keys(self, game_id: str) -> tuple[SeatKey, ...]:
        with self._reading() as db:
            found = db.execute("SELECT seat, epoch, key, held FROM seat_keys WHERE game = ? ORDER BY seat, epoch", (game_id,)).fetchall()
        return tuple(SeatKey(seat, epoch, bytes(key), bool(held)) for seat, epoch, key, held in found)

    def put_seat_key(self, game_id: str, key: SeatKey) -> None:
        """New or changed; by seat and epoch."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO seat_keys VALUES (?,?,?,?,?)", (game_id, key.seat, key.epoch, key.key, int(key.held)))

    def drop_seat_key(self, game_id: str, seat: str, epoch: int) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM seat_keys WHERE game = ? AND seat = ? AND epoch = ?", (game_id, seat, epoch))

    # Inside

    def _rows(self, where: str, *values: str | int, states: bool = True) -> Iterator[Row]:
        with self._reading() as db:
            found = fetched(db, where, *values, states=states)
        return rows_of(found, self.path)

    @staticmethod
    def _insert(db: sqlite3.Connection, game_id: str, row: Row, now: int) -> None:
        values = (
            game_id,
            row.revision,
            row.seat,
            row.order_id,
            row.command,
            zlib.compress(row.state, 1),
            row.events,
            row.answer,
            row.stamps.decode(),
            row.made or now,
            row.sort,
            row.base,
            int(row.sealed),
            row.moved.decode(),
        )
        db.execute("INSERT INTO rows VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", values)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._guard, self._plainly("read"):
            yield self._db

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on disk at the end, or nothing."""
        with self._guard, self._plainly("written"), _transaction(self._db):
            yield self._db

    @contextlib.contextmanager
    def _plainly(self, what: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as fault:
            raise JournalError(f"{self.path} cannot be {what}: {disk.plain(fault)}") from fault

    def _open(self, patience: float) -> sqlite3.Connection:
        fault = self._fault(patience)
        if fault:
            self.aside = disk.move_aside(self.path)
            LOGGER.warning("journal %s is damaged (%s): it was moved to %s, nothing of it was changed", self.path, fault, self.aside)
        with self._plainly("opened"):
            disk.make_file(self.path)
            db = self._connect(patience)
            try:
                db.execute("PRAGMA journal_mode=WAL")
                db.execute("PRAGMA synchronous=FULL")
                db.execute("PRAGMA foreign_keys=ON")
                self._migrate(db)
            except BaseException:
                db.close()
                raise
        return db

    def _connect(self, patience: float) -> sqlite3.Connection:
        return sqlite3.connect(self.path, timeout=patience, isolation_level=None, check_same_thread=False)

    def _fault(self, patience: float) -> str:
        """What is broken in the file; "" for sound or not there. Raises JournalError where it is not ours, or cannot be read now."""
        if not self.path.exists() or self.path.stat().st_size == 0:
            return ""
        with self._plainly("read"), contextlib.closing(self._connect(patience)) as db:
            try:
                found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
                self._refuse_strangers(db)
            except sqlite3.DatabaseError as fault:
                if not disk.is_damage(fault):
                    raise
                return str(fault)
        return "" if found == "ok" else str(found)

    def _refuse_strangers(self, db: sqlite3.Connection) -> None:
        refuse_strangers(db, self.path, len(MIGRATIONS))

    @staticmethod
    def _migrate(db: sqlite3.Connection) -> None:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        for number in range(version, len(MIGRATIONS)):
            with _transaction(db):
                for statement in MIGRATIONS[number]:
                    db.execute(statement)
                db.execute(f"PRAGMA application_id={APPLICATION_ID}")
                db.execute(f"PRAGMA user_version={number + 1}")


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # a full disk has already rolled it back
            db.execute("ROLLBACK")
        raise
