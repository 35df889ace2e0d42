"""The journal's place on disk: its directory, what is moved aside, and what SQLite's complaints mean in plain words.

Here: paths and words. Not here: what is in the file (``journal``).
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path


class JournalError(Exception):
    """What went wrong, and what to do, in one or two sentences."""


def is_damage(fault: sqlite3.Error) -> bool:
    """The file itself is broken: not the disk, not its permissions, not another program."""
    return getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def plain(fault: sqlite3.Error) -> str:
    """One sentence: what is wrong and what to do."""
    code = getattr(fault, "sqlite_errorcode", 0) & 0xFF
    return {
        sqlite3.SQLITE_FULL: "the disk is full; free some space and try again",
        sqlite3.SQLITE_BUSY: "another program holds it locked; close that program and try again",
        sqlite3.SQLITE_LOCKED: "another program holds it locked; close that program and try again",
        sqlite3.SQLITE_READONLY: "it is write-protected; give this user the right to write",
        sqlite3.SQLITE_CANTOPEN: "it cannot be opened; check the path and its permissions",
        sqlite3.SQLITE_PERM: "it cannot be opened; check the path and its permissions",
        sqlite3.SQLITE_IOERR: f"the disk does not answer ({fault}); check it before playing on",
    }.get(code, f"{fault}; close the table and open it again")


def make_home(home: Path) -> None:
    """The directory, for its owner only where we make it."""
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        home.mkdir(mode=0o700, exist_ok=True)


def move_aside(path: Path) -> Path:
    """Renames the file and what SQLite keeps beside it; no earlier one is overwritten."""
    number = 1
    while (aside := path.with_name(f"{path.name}.bad-{number}")).exists():
        number += 1
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside


def make_file(path: Path) -> None:
    """The file, for its owner only; SQLite's own files beside it take its mode. Raises JournalError."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        path.chmod(0o600)
    except OSError as fault:
        raise JournalError(
            f"{path} cannot be written ({fault.strerror or fault}): check its permissions or choose another --data directory"
        ) from fault
    with contextlib.suppress(OSError):  # a directory cannot be synced everywhere
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
