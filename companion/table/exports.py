"""Games as files for people and other programs: the record, what every seat had at each step and where its points
came from (CSV), the whole story (JSON).

Here: what is in them and where they are written. Not here: the format of a record (``record``). A game that still runs is told as nobody's:
its hidden parts are ``?``, its secret moves are left out.
"""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import msgspec

from companion.rules.game import Game
from companion.rules.view import Section, Table, Text
from companion.table import disk, record
from companion.table.history import standing
from companion.table.story import Progress, Source, Story
from companion.words import LANGUAGES, render

FOLDER = "exports"
NOBODY = "nobody"
"""The reader of a running game's record: a seat that nobody has, which sees what everybody sees."""


class State(Source, Protocol):
    def state(self, game_id: str) -> bytes: ...


def record_text(game: Game[Any, Any], source: State, game_id: str) -> str:
    """The record: of an ended game all of it; of a running one where it stands, its hidden parts ``?``. Raises JournalError."""
    saved = source.game(game_id)
    if saved.ended is not None:
        return record.export(game, source, game_id)
    state = msgspec.json.decode(source.state(game_id), type=game.State)
    lines = [f"jinmaku {record.FORMAT} {game.id} rules {game.version}", f"# {render(Text('story.running_record'), LANGUAGES[0])}"]
    if saved.facts_hash:
        lines.append(f"facts {saved.facts_hash}")
    return "\n".join([*lines, *record.position(game, state, NOBODY), "moves"]) + "\n"


def csv_text(story: Story, lang: str = LANGUAGES[0]) -> str:
    """One line a step: when, who, where the game stood, every counter and place of honor of every seat, and what was said."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    columns = [(seat, name) for seat in story.seats for name in story.names]
    heads = [*(f"{seat}.{name}" for seat, name in columns), *(f"{seat}.honor" for seat in story.seats)]
    writer.writerow(["step", "revision", "time", "seat", "phase", "where", *heads, "said"])
    for step, one in enumerate(story.moments):
        numbers = [one.counters.get(seat, {}).get(name) for seat, name in columns]
        places = [one.order.index(seat) + 1 if seat in one.order else None for seat in story.seats]
        said = " ".join(render(line.text, lang) for line in one.said)
        where = render(one.title, lang), render(one.subtitle, lang)
        writer.writerow([step, one.revision, _time(one.made), one.seat, *where, *numbers, *places, said])
    return out.getvalue()


def points_text(story: Story, lang: str = LANGUAGES[0]) -> str:
    """What every point came from: one line a source, one column a seat; empty where the game counts none."""
    table = story.sources(len(story.moments) - 1)
    out = io.StringIO()
    if table is not None:
        told = _table(table, lang)
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(told["heads"])
        writer.writerows(told["rows"])
    return out.getvalue()


def json_text(story: Story, game: Game[Any, Any], source: Source, lang: str = LANGUAGES[0]) -> str:
    """The same and more, for programs: one object; the moves only of an ended game."""
    saved = source.game(story.game_id)
    rows = {row.revision: row for row in standing(source.rows(story.game_id, states=False))} if saved.ended is not None else {}
    steps = []
    for one in story.moments:
        said = [{"text": render(line.text, lang), "clause": line.clause} for line in one.said]
        step = {
            "revision": one.revision, "time": _time(one.made), "seat": one.seat, "phase": [render(one.title, lang), render(one.subtitle, lang)],
            "said": said, "counters": one.counters, "honor": one.order,
        }  # fmt: skip
        if one.revision and one.revision in rows:
            step["moves"] = list(record.said(game, rows[one.revision]))
        steps.append(step)
    section, sources = story.score(), story.sources(len(story.moments) - 1)
    whole = {
        "game": saved.game, "id": saved.id, "rules": saved.rules, "facts": saved.facts_hash, "seats": saved.seats, "options": saved.options,
        "names": saved.setup.names, "bots": saved.setup.bots, "ended": saved.ended is not None,
        "counters": {name: render(node.text, lang) for name, node in story.names.items()},
        "score": [_table(node, lang) for node in section.nodes if isinstance(node, Table)] if isinstance(section, Section) else [],
        "sources": _table(sources, lang) if sources is not None else None,
        "steps": steps,
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(whole), indent=1).decode() + "\n"


def save(
    game: Game[Any, Any],
    source: State,
    story: Story,
    folder: Path,
    *,
    lang: str = LANGUAGES[0],
    progress: Progress = lambda _done, _all: None,
) -> tuple[Path, ...]:
    """Writes record, CSV and points below ``folder``; the paths. Raises JournalError, OSError; then no half file is left."""
    story.read(progress)
    home = folder / FOLDER
    disk.make_home(home)
    name = f"{story.game_id}-{story.moments[-1].revision}"
    texts = {home / f"{name}.txt": record_text(game, source, story.game_id), home / f"{name}.csv": csv_text(story, lang)}
    if points := points_text(story, lang):
        texts[home / f"{name}-points.csv"] = points
    for path, text in texts.items():
        part = path.with_name(f"{path.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    return tuple(texts)


def _table(node: Table, lang: str) -> dict[str, Any]:
    rows = [[render(cell, lang) if isinstance(cell, Text) else cell for cell in row] for row in node.rows]
    return {"title": render(node.text, lang), "heads": [render(head, lang) for head in node.heads], "rows": rows}


def _time(made: int) -> str:
    return datetime.fromtimestamp(made, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
