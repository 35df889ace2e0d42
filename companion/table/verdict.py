"""The command ``referee FILE``: judges a record line by line.

Here: its arguments, what it prints, its exit codes (contract 5). Not here: the format (``record``), or any rule.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TextIO

from companion.rules.game import CHANCE, TABLE, TIME, Applied, Event, Game, Prompt, Refusal, Seat
from companion.rules.view import Text
from companion.table import corrections, games, record, record_file
from companion.table.facts import FactsError
from companion.table.match import with_lawful
from companion.table.record import Record, RecordError, Step
from companion.words import render

LAWFUL, REFUSED, NO_RECORD = 0, 1, 2
"""Exit codes: every command was lawful; one was refused; the file is no record, or cannot be read."""

Load = Callable[[str, Path | None], games.Loaded]


class _Parser(argparse.ArgumentParser):
    """Speaks to ``err`` and raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise _Stop(f"{message}\n{self.format_usage()}".rstrip())


class _Stop(Exception):  # noqa: N818 - it ends the command, it is not shown as an error
    """One sentence, and no verdict."""


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="referee", description="Judge a record: every command, lawful or not, and why.", add_help=False)
    parser.add_argument("file", metavar="FILE", help="a record (docs/record.md); - is standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--seat", metavar="NAME", help="tell only what this seat may know")
    parser.add_argument("--prompts", action="store_true", help="add whose turn it is, and the choices")
    parser.add_argument("--override", metavar="TOML", type=Path, help="the table owner's facts")
    parser.add_argument("-h", "--help", action="store_true", help="say this")
    return parser


def referee_main(argv: Sequence[str], out: TextIO, err: TextIO | None = None, load: Load = games.load) -> int:
    """Judges the record named in ``argv``. Verdicts go to ``out``, faults of the file to ``err`` (standard error); returns the exit code."""
    err = err or sys.stderr
    if {"-h", "--help"} & set(argv):
        print(_parser().format_help(), end="", file=out)
        return LAWFUL
    try:
        asked = _parser().parse_args(argv)
        name, text = asked.file, record_file.read(asked.file)
    except (_Stop, record_file.FileError) as stop:
        print(stop, file=err)
        return NO_RECORD
    try:
        return _judge(asked, record.parse(text), out, err, load)
    except RecordError as fault:
        print(f"{name}, {fault}", file=err)
        if asked.json:
            print(
                json.dumps({"error": {"line": fault.line, "column": fault.column, "expected": fault.expected}}, ensure_ascii=False),
                file=out,
            )
    except (_Stop, FactsError) as fault:
        print(fault, file=err)
    return NO_RECORD


def _judge(asked: argparse.Namespace, rec: Record, out: TextIO, err: TextIO, load: Load) -> int:
    if rec.game not in games.GAMES and load is games.load:
        raise rec.head.fault(2, "a game this program plays: " + ", ".join(games.GAMES))
    loaded = load(rec.game, asked.override)
    game = loaded.game
    if asked.seat is not None and asked.seat not in rec.seats:
        raise _Stop(f"no seat {asked.seat!r} in the record: write one of {', '.join(rec.seats)}")
    if rec.facts and rec.facts != loaded.facts.digest:
        print(f"note: played with other facts ({rec.facts}) than these ({loaded.facts.digest}): name its override file", file=err)
    state = record.begin(game, rec)
    commands = [record.hear(game, line) for line in rec.moves]
    scribe = _Json(game, asked, out) if asked.json else _Plain(game, asked, out)
    code = LAWFUL
    if asked.prompts:
        scribe.prompts(0, state)
    for n, (line, step) in enumerate(zip(rec.moves, record.replay(game, state, commands), strict=True), start=1):
        scribe.step(n, line.line, step)
        if isinstance(step.outcome, Applied):
            state = step.outcome.state
        else:
            code = REFUSED
        if asked.prompts:
            scribe.prompts(n, state)
    scribe.position(record.position(game, state, asked.seat))
    return code


class _Scribe:
    """What both ways of printing share: what the reader may know."""

    def __init__(self, game: Game[Any, Any], asked: argparse.Namespace, out: TextIO) -> None:
        self._game = game
        self._reader: Seat | None = asked.seat
        self._out = out

    def _command(self, step: Step) -> tuple[str, bool]:
        """The command as the reader may know it, and whether it is hidden.

        Hidden are chance, another seat's answer to a secret question, and whatever another seat was refused: at a table only that seat
        hears of it, and it may name what nobody else may know (a tile, though the question is closed).
        """
        said = record.say(self._game, step.command)
        seat = _seat(step.command)
        if self._reader in {None, seat} or seat in {TABLE, TIME}:
            return said, False
        refused = isinstance(step.outcome, Refusal)
        secret = refused or seat == CHANCE or any(p.private and p.seat == seat for p in self._game.prompts(step.state))
        return (f"{seat} ?", True) if secret else (said, False)

    def _events(self, events: Sequence[Event]) -> list[str]:
        return [_say(e.text) for e in events if self._reader is None or e.to is None or self._reader in e.to]

    def _refusal(self, step: Step, refusal: Refusal) -> Refusal:
        seat = _seat(step.command)
        asked = [p for p in self._game.prompts(step.state) if p.seat == seat and not p.optional]
        mine = [choice.text for p in asked if not p.private or self._reader in {None, seat} for choice in p.choices]
        return with_lawful(refusal, mine)

    def _open(self, state: Any) -> list[Prompt[Any]]:
        return [p for p in self._game.prompts(state) if self._reader in {None, p.seat}]


class _Plain(_Scribe):
    def step(self, n: int, line: int, step: Step) -> None:  # noqa: ARG002 - JSON tells the line
        said, hidden = self._command(step)
        if isinstance(step.outcome, Applied):
            print(f"{n} ok {said} | {'; '.join(self._events(step.outcome.events))}".rstrip(), file=self._out)
        elif hidden:
            print(f"{n} no {said} | refused", file=self._out)
        else:
            refusal = self._refusal(step, step.outcome)
            lawful = "; ".join(_say(text) for text in refusal.lawful) or "nothing"
            print(f"{n} no {said} | {refusal.clause} {_say(refusal.text)} | lawful: {lawful}", file=self._out)

    def prompts(self, n: int, state: Any) -> None:  # noqa: ARG002 - JSON tells the number
        for prompt in self._open(state):
            choices = "; ".join(self._game.notation.say(choice.command) for choice in prompt.choices)
            print(f"  {prompt.seat}{' may' if prompt.optional else ''}: {prompt.clause} {_say(prompt.text)} | {choices}", file=self._out)

    def position(self, lines: Sequence[str]) -> None:
        print("position", *lines, sep="\n", file=self._out)


class _Json(_Scribe):
    def step(self, n: int, line: int, step: Step) -> None:
        said, hidden = self._command(step)
        told: dict[str, Any] = {"n": n, "line": line, "ok": isinstance(step.outcome, Applied), "command": said}
        if isinstance(step.outcome, Applied):
            told["events"] = self._events(step.outcome.events)
        elif hidden:
            told |= {"clause": "", "reason": "refused", "lawful": []}
        else:
            refusal = self._refusal(step, step.outcome)
            told |= {"clause": refusal.clause, "reason": _say(refusal.text), "lawful": [_say(text) for text in refusal.lawful]}
        self._print(told)

    def prompts(self, n: int, state: Any) -> None:
        prompts = [
            {
                "seat": prompt.seat,
                "optional": prompt.optional,
                "clause": prompt.clause,
                "text": _say(prompt.text),
                "choices": [self._game.notation.say(choice.command) for choice in prompt.choices],
            }
            for prompt in self._open(state)
        ]
        self._print({"n": n, "prompts": prompts})

    def position(self, lines: Sequence[str]) -> None:
        self._print({"position": list(lines)})

    def _print(self, told: Mapping[str, Any]) -> None:
        print(json.dumps(told, ensure_ascii=False), file=self._out)


def _seat(command: Any) -> Seat:
    """Whose command it is; a correction is the table's."""
    return TABLE if isinstance(command, corrections.KINDS) else str(command.seat)


def _say(text: Text) -> str:
    return render(text, "en")
