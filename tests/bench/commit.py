"""A command from the desk's side to acknowledged, beside a bare SQLite FULL commit of the same bytes. Interleaved, one process, one disk."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
import zlib
from pathlib import Path

import msgspec

from companion.table import games
from companion.table.journal import Journal
from companion.table.referee import Order, Referee
from tests.bench.ours import CLANS, chosen, play


def measure(commands: int = 400) -> tuple[list[float], list[float]]:
    """Seconds of each acknowledged command, and of each bare commit of its row; whole games, one after the other, in one journal."""
    rng = random.Random(7)
    play(1)  # as the other measures: what is made once is made
    with tempfile.TemporaryDirectory() as home:
        journal = Journal(Path(home) / "journal.sqlite")
        loaded = games.load("rising_sun")
        bare = sqlite3.connect(Path(home) / "bare.sqlite", isolation_level=None)
        bare.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE rows (n INTEGER PRIMARY KEY, row BLOB)")
        ours: list[float] = []
        theirs: list[float] = []
        referee = None
        while len(ours) < commands:
            if referee is None or not referee.prompts():
                referee = Referee.create(loaded.game, journal, CLANS, {}, facts_hash=loaded.facts.digest, facts=loaded.facts.tables)
            asked = next(prompt for prompt in referee.prompts() if not prompt.optional)
            if asked.seat not in CLANS:
                referee.submit_internal(asked.seat, asked.choices[0].command)
                continue
            command = chosen(rng.choice(asked.choices), rng)
            order = Order(f"bench-{len(ours)}", referee.stamp(asked.seat), msgspec.Raw(msgspec.json.encode(command)))
            begun = time.perf_counter()
            answer = referee.submit(asked.seat, order)
            ours.append(time.perf_counter() - begun)
            assert answer.ok, answer
            row = journal.last(referee.game_id)
            blob = b"".join((row.command, zlib.compress(row.state, 1), row.events, row.answer, row.stamps))
            begun = time.perf_counter()
            bare.execute("INSERT INTO rows (row) VALUES (?)", (blob,))
            theirs.append(time.perf_counter() - begun)
        bare.close()
        journal.close()
    return ours, theirs
