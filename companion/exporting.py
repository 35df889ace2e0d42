"""The command ``export``: a game of the journal as files, or printed. Here: what is printed. Not here: what is in them (``table.exports``).

The journal is only read, also while a table has it open; so the files lie beside it, and nothing of a running game is told that not
everybody may know.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.rules.view import Text
from companion.table import exports, games
from companion.table.facts import FactsError
from companion.table.journal import JournalError
from companion.table.listing import Listing
from companion.table.story import Story
from companion.words import render

JOURNAL = "jinmaku.sqlite"
PATIENCE = 1.0
"""Seconds after which it is said how far it is."""


def export(data: Path, game_id: str, form: str, language: str) -> int:
    """``form``: record, csv, points or json, printed; "" writes record and both CSV. Returns the exit code."""
    try:
        with contextlib.closing(Listing(data / JOURNAL)) as listing:
            every = {one.id: one for one in listing.games()}
            saved = every.get(game_id) if game_id else next(iter(every.values()), None)
            if saved is None:
                known = f"there are: {', '.join(every)}" if every else "there is none yet"
                print(f"{data} has no game {game_id!r}: {known}", file=sys.stderr)
                return 1
            game = games.load_saved(listing, saved.id).game
            _write(game, listing, saved.id, form=form, data=data, language=language)
            if saved.ended is None:
                print(render(Text("story.running"), language), file=sys.stderr)
    except (JournalError, FactsError, OSError, KeyError, ValueError) as fault:
        print(_plainly(fault), file=sys.stderr)
        return 1
    return 0


def _write(game: Any, listing: Listing, game_id: str, *, form: str, data: Path, language: str) -> None:
    if form == "record":
        print(exports.record_text(game, listing, game_id), end="")
        return
    story = Story(game, listing, game_id)
    progress = _Progress(language)
    story.read(progress)
    progress.end()
    if form == "csv":
        print(exports.csv_text(story, language), end="")
    elif form == "points":
        print(exports.points_text(story, language), end="")
    elif form == "json":
        print(exports.json_text(story, game, listing, language), end="")
    else:
        for path in exports.save(game, listing, story, data, lang=language):
            print(path)


class _Progress:
    """One line that grows, where somebody watches and it takes long."""

    def __init__(self, language: str) -> None:
        self._language, self._began, self._said = language, time.monotonic(), False

    def __call__(self, done: int, of: int) -> None:
        if sys.stderr.isatty() and time.monotonic() - self._began > PATIENCE and done % 20 == 0:
            print(f"\r{render(Text('story.reading', {'n': done, 'of': of}), self._language)}", end="", file=sys.stderr, flush=True)
            self._said = True

    def end(self) -> None:
        if self._said:
            print(file=sys.stderr)


def _plainly(fault: Exception) -> str:
    if isinstance(fault, msgspec.MsgspecError):
        return f"that game was saved by another version of the rules ({fault}): export it with that version"
    if isinstance(fault, KeyError):
        return f"this program has no game called {fault}: update it"
    return getattr(fault, "strerror", None) or str(fault)
