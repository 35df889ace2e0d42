"""The record: a game as lines of text that people read and programs replay (docs/record.md).

Here: the general part of the format, replay, export. Not here: a game's own lines (``Game.notation``), or the command ``referee``
(``verdict``). ``parse(text(x))`` is ``x``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from companion.rules.game import Aged, Applied, Game, NotationError, PositionError, Refusal, Seat
from companion.table import commands, corrections
from companion.table.history import CORRECT, standing
from companion.table.listing import SavedGame
from companion.table.rows import Row
from companion.words import LANGUAGES, render

FORMAT = 1
"""Version of the general part."""


class Rows(Protocol):
    """A journal, or a listing of one."""

    def game(self, game_id: str) -> SavedGame: ...
    def rows(self, game_id: str, first: int = 0, *, states: bool = True) -> Iterator[Row]: ...


class RecordError(ValueError):
    """Not a record: where, and what was expected there."""

    def __init__(self, line: int, column: int, expected: str) -> None:
        super().__init__(f"line {line}, column {column}: {expected}")
        self.line = line
        self.column = column
        self.expected = expected


class Words(Struct, frozen=True):
    """One line of a record, comment taken off."""

    line: int
    """1-based"""
    words: tuple[str, ...]
    columns: tuple[int, ...]
    """1-based, one more than words: the last is where the line ends."""

    def fault(self, word: int, expected: str) -> RecordError:
        """An error at this word; -1: behind the last."""
        return RecordError(self.line, self.columns[word if 0 <= word < len(self.columns) else -1], f"expected {expected}")


class Record(Struct, frozen=True):
    """A record taken apart; the game has not read its own lines yet."""

    game: str
    rules: int
    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    facts: str
    """Hash of the facts it was played with; "": not said."""
    position: tuple[Words, ...]
    """The game's lines; none: the game's own beginning."""
    moves: tuple[Words, ...]
    head: Words
    end: Words
    """The line ``moves``, or the last one."""


class Step(Struct, frozen=True):
    """One command (or correction) of a replay and what came of it. ``state`` is the one before it."""

    command: Any
    state: Any
    outcome: Applied[Any] | Refusal


def split(text: str) -> Iterator[Words]:
    """Lines with something on them."""
    for number, whole in enumerate(re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff")), start=1):
        comment = re.search(r"(^|\s)#", whole)
        line = whole if comment is None else whole[: comment.start()]
        found = list(re.finditer(r"\S+", line))
        if found:
            yield Words(number, tuple(m[0] for m in found), (*(m.start() + 1 for m in found), found[-1].end() + 1))


def parse(text: str) -> Record:
    """Takes a record apart. Raises RecordError."""
    lines = list(split(text))
    if not lines:
        raise RecordError(1, 1, "expected a record: its first line is like 'jinmaku 1 rising_sun rules 1'")
    head, seats, options, facts = lines[0], None, dict[str, str](), ""
    game, rules = _header(head)
    position: list[Words] = []
    end = lines[-1]
    at = len(lines)
    for i, line in enumerate(lines[1:], start=1):
        first = line.words[0]
        if first == "moves":
            if len(line.words) > 1:
                raise line.fault(1, "nothing behind 'moves'")
            end, at = line, i + 1
            break
        if first == "seats":
            if seats is not None:
                raise line.fault(0, "one line 'seats' only")
            seats = _seats(line)
        elif first == "option":
            _option(line, options)
        elif first == "facts":
            if len(line.words) != 2 or facts:
                raise line.fault(2 if len(line.words) > 2 else len(line.words) - 1, "'facts' and one hash, once")
            facts = line.words[1]
        else:
            position.append(line)
    if seats is None:
        raise end.fault(0, "a line 'seats' above this one, with every seat clockwise")
    return Record(game, rules, seats, options, facts, tuple(position), tuple(lines[at:]), head, end)


def _header(line: Words) -> tuple[str, int]:
    want = ("jinmaku", str(FORMAT), None, "rules", None)
    for i, word in enumerate(want):
        if i >= len(line.words) or (word is not None and line.words[i] != word):
            raise line.fault(i, f"{word!r}" if word else "the game's id" if i == 2 else "the rules version")
    if not re.fullmatch(r"[0-9]{1,9}", line.words[4]) or len(line.words) > 5:
        raise line.fault(min(len(line.words) - 1, 5), "the rules version, a number, and nothing behind it")
    return line.words[2], int(line.words[4])


def _seats(line: Words) -> tuple[Seat, ...]:
    seats = line.words[1:]
    if not seats:
        raise line.fault(1, "the seats, clockwise")
    for i, seat in enumerate(seats):
        if seat in seats[:i]:
            raise line.fault(i + 1, f"each seat once, and {seat} stands here twice")
    return seats


def _option(line: Words, options: dict[str, str]) -> None:
    if len(line.words) < 3:
        raise line.fault(len(line.words), "'option', its name and its value")
    if line.words[1] in options:
        raise line.fault(1, f"each option once, and {line.words[1]} stands above already")
    options[line.words[1]] = " ".join(line.words[2:])


def begin(game: Game[Any, Any], record: Record) -> Any:
    """The state before the first move. Raises RecordError, also for a position that is impossible."""
    if record.game != game.id:
        raise record.head.fault(2, f"the game {game.id}")
    if record.rules > game.version:
        raise record.head.fault(4, f"rules {game.version} or lower: this program knows no later ones, update it")
    options = {**game.former(record.rules), **record.options} if isinstance(game, Aged) else record.options
    try:
        if not record.position:
            return game.start(record.seats, options)
        state = game.notation.read(record.seats, options, [line.words for line in record.position])
    except PositionError as fault:
        if 0 <= fault.line < len(record.position):
            raise record.position[fault.line].fault(fault.word, fault.expected) from fault
        raise record.end.fault(0, fault.expected) from fault
    except ValueError as fault:
        raise RecordError(record.head.line, 1, str(fault)) from fault
    impossible = "; ".join(f"{ruling.clause} {render(ruling.text, LANGUAGES[0])}" for ruling in game.faults(state))
    if impossible:
        raise record.end.fault(0, f"a possible position above this line: {impossible}")
    return state


def hear(game: Game[Any, Any], line: Words) -> Any:
    """The command or correction of one line. Raises RecordError."""
    try:
        return corrections.hear(line.words) if corrections.is_correction(line.words) else game.notation.hear(line.words)
    except NotationError as fault:
        raise line.fault(fault.word, fault.expected) from fault


def replay(game: Game[Any, Any], state: Any, moves: Iterable[Any]) -> Iterator[Step]:
    """Every command and correction in turn; one that is refused changes nothing."""
    for command in moves:
        outcome = game.correct(state, command) if isinstance(command, corrections.KINDS) else game.apply(state, command)
        yield Step(command, state, outcome)
        if isinstance(outcome, Applied):
            state = outcome.state


def say(game: Game[Any, Any], command: Any) -> str:
    """The line of a command or correction."""
    return corrections.say(command) if isinstance(command, corrections.KINDS) else game.notation.say(command)


def position(game: Game[Any, Any], state: Any, reader: Seat | None = None) -> tuple[str, ...]:
    """A position as it stands in a record; for a ``reader`` what that seat may not see is ``?``."""
    return game.notation.position(state, reader)


def text(game: Game[Any, Any], state: Any, moves: Iterable[Any] = (), facts: str = "") -> str:
    """A record: ``state`` and the commands and corrections from there on."""
    lines = [f"jinmaku {FORMAT} {game.id} rules {game.version}"]
    if facts:
        lines.append(f"facts {facts}")
    lines += [*position(game, state), "moves", *(say(game, command) for command in moves)]
    return "\n".join(lines) + "\n"


def export(game: Game[Any, Any], journal: Rows, game_id: str) -> str:
    """The line of play that stands, secrets and all. Raises JournalError; msgspec.MsgspecError where other rules wrote it."""
    saved = journal.game(game_id)
    first, *rows = standing(journal.rows(game_id))
    state = msgspec.json.decode(first.state, type=game.State)
    return text(game, state, facts=saved.facts_hash) + "".join(f"{line}\n" for row in rows for line in said(game, row))


def said(game: Game[Any, Any], row: Row) -> Sequence[str]:
    """The line of a row, or those of its corrections; where they overrule a clause, that is said behind them."""
    if row.sort != CORRECT:
        return (say(game, msgspec.json.decode(row.command, type=game.Command)),)
    command = commands.DECODER.decode(row.command)
    assert isinstance(command, commands.Correct | commands.Adopt | commands.Overrule)
    mark = f"  # {row.seat} overrules {command.clause}".rstrip() if isinstance(command, commands.Overrule) else ""
    return [f"{corrections.say(one)}{mark}" for one in commands.corrections(command)]
