"""A record in a file: read whole or not at all, and every fault names the file and the line.

Here: files of records. Not here: the format (``record``), or verdicts on moves (``verdict``).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.rules.game import Game, Seat
from companion.table import record

MAX_BYTES = 10_000_000


class FileError(ValueError):
    """One sentence: which file, where in it, and what was expected there."""


class Opening(Struct, frozen=True):
    """What a new game begins from."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    state: Any


def read(name: str) -> str:
    """The text of a file; ``-`` is standard input. Raises FileError."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with Path(name).open("rb") as stream:
                data = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as fault:  # ValueError: a zero byte in the name
        raise FileError(f"{name} cannot be read ({getattr(fault, 'strerror', None) or fault}): check the path") from fault
    if len(data) > MAX_BYTES:
        raise FileError(f"{name} is longer than {MAX_BYTES} bytes: name a record")
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        column = fault.start - data.rfind(b"\n", 0, fault.start)
        raise FileError(f"{name}, line {line}, column {column}: expected UTF-8 text") from fault


def opening(game: Game[Any, Any], path: Path) -> Opening:
    """The position of a record, to begin a game from; its moves are not made. Raises FileError."""
    text = read(str(path))
    try:
        written = record.parse(text)
        return Opening(written.seats, written.options, record.begin(game, written))
    except record.RecordError as fault:
        raise FileError(f"{path}, {fault}") from fault
