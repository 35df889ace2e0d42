"""The command ``enrol``: figures get their tags in a window, or line by line where there is none.

Here: its arguments, what is printed, what may be typed. Not here: readers and the file (``enrol``), the window (``tablet.enrol``).
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from companion.enrol import CHECK, Enrol, Shown
from companion.rules.view import Text
from companion.table import games
from companion.table.enrolment import names
from companion.table.facts import FactsError
from companion.table.figures import FiguresError, load
from companion.table.naming import listed
from companion.words import LANGUAGES, render

HELP = """You may type: skip              not this one now             back           the one before
              yes, no           the question's answer        again          what was left out
              forget            take this piece's tag off    go koi bushi 2 that very piece
              left              what has no tag yet          check          roll-call: tap everything once
              labels            write the label sheet        tap [UID]      a simulated tag (with --sim)
              quit              everything is saved already"""
PATIENCE = 15.0
"""Seconds a typed simulated tag may take until its reader has seen it."""


def enrol_main(argv: Sequence[str], out: TextIO | None = None) -> int:
    """Runs until it is closed. Returns the exit code: 2 where the file, the game or a reader's name is wrong."""
    out = out or sys.stdout
    told = _parser().parse_args(argv)
    try:
        offer = next(one for one in games.offers(told.override) if one.game == told.game)
        seats = told.seats or tuple(offer.seats)[: max(offer.players)]
        if told.missing or told.labels:
            return _once(told, seats, out)
        enrol = Enrol(
            told.figures, seats, game=told.game, override=told.override, ports=told.reader, simulate=told.sim, places=not told.no_places
        )
    except StopIteration:
        print(f"no game called {told.game!r}: {', '.join(games.GAMES)}", file=sys.stderr)
        return 2
    except (FiguresError, FactsError, ValueError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 2
    enrol.start()
    try:
        enrol.check(on=told.check)
        if told.headless or not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or not _window(enrol, told):
            _Console(enrol, told.language, out).run(sys.stdin)
            enrol.on_change = lambda: None
    except KeyboardInterrupt:
        pass
    finally:
        enrol.stop()
    print(f"{told.figures} holds everything that was tapped.", file=out)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jinmaku enrol", description="Give every figure its tag: tap them one by one as they are named.")
    parser.add_argument(
        "--figures", type=Path, required=True, metavar="FILE", help="the UID file; begun if it is not there, else gone on with"
    )
    parser.add_argument("--game", default="rising_sun", help="whose box (default: %(default)s)")
    parser.add_argument("--seats", type=_names, default=(), metavar="A,B,C", help="only these clans (default: all)")
    parser.add_argument("--override", type=Path, metavar="FILE", help="your own facts (TOML)")
    reader = parser.add_mutually_exclusive_group()
    reader.add_argument("--reader", action="append", default=[], metavar="PORT", help="an NFC reader (default: found by itself)")
    reader.add_argument("--sim", action="store_true", help="a simulated reader and simulated tags, to try it")
    parser.add_argument("--no-places", action="store_true", help="no tags for places")
    parser.add_argument("--check", action="store_true", help="begin with the roll-call: is everything in the box?")
    parser.add_argument("--missing", action="store_true", help="only say which pieces have no tag; exit code 1 if any has none")
    parser.add_argument("--labels", type=Path, metavar="HTML", help="only write the label sheet")
    parser.add_argument("--headless", action="store_true", help="no window, even if there is a display")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    parser.add_argument("--theme", choices=("day", "night"), default="day")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip().lower() for name in text.split(",") if name.strip())


def _once(told: argparse.Namespace, seats: Sequence[str], out: TextIO) -> int:
    """What needs no reader."""
    from companion import labels  # noqa: PLC0415 - drawn only when wanted
    from companion.table.box import contents, missing  # noqa: PLC0415 - as above

    items = contents(games.load(told.game, told.override).game, seats)
    figures = load(told.figures)
    if told.labels:
        labels.save(told.labels, labels.sheet(items, figures, told.language, told.game))
        print(render(Text("enrol.labels_saved", {"file": str(told.labels)}), told.language), file=out)
        return 0
    absent = missing(items, figures)
    for item in absent:
        print(render(item.text, told.language), file=out)
    if not absent:
        print(render(Text("enrol.finished"), told.language), file=out)
    return 1 if absent else 0


def _window(enrol: Enrol, told: argparse.Namespace) -> bool:
    """Opens the window and stays in it; False: there is none, and it is said why."""
    from companion.tablet import app  # noqa: PLC0415 - Kivy is loaded only where there is a display

    try:
        app.open_window(told.figures.resolve().parent / ".jinmaku")
        from companion.tablet.enrol import run  # noqa: PLC0415 - only now may Kivy be imported

        run(enrol, language=told.language, theme=told.theme)
    except app.NoDisplayError as fault:
        print(f"{fault}; so line by line.", file=sys.stderr)
        return False
    return True


class _Console:
    """Prints what is wanted and what came of it, once; obeys typed lines."""

    def __init__(self, enrol: Enrol, language: str, out: TextIO) -> None:
        self._enrol, self._language, self._out = enrol, language, out
        self._told: tuple[str, ...] = ()
        self._lock = threading.Lock()

    def run(self, lines: TextIO) -> None:
        print(HELP, file=self._out)
        self._enrol.on_change = self.tell
        self.tell()
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                return
            try:
                said = self.typed(words)
            except (OSError, ValueError) as fault:
                said = f"That could not be done: {fault}"
            if said:
                print(said, file=self._out, flush=True)

    def typed(self, words: list[str]) -> str:
        enrol = self._enrol
        plain = {"skip": enrol.skip, "back": enrol.back, "again": enrol.again, "forget": enrol.forget}
        match words:
            case []:
                self.tell(anew=True)
            case [("yes" | "no") as word]:
                enrol.answer(yes=word == "yes")
            case [word] if word in plain:
                plain[word]()
            case ["go", *what] if (index := self._index(what)) is not None:
                enrol.go(index)
            case ["go", *what]:
                return f"There is no piece called {' '.join(what)!r}: write it like go koi bushi 2, or go edo."
            case ["left"]:
                return self._left()
            case ["check"]:
                enrol.check(on=enrol.shown().mode != CHECK)
            case ["labels"]:
                return self._say("labels_saved", file=str(enrol.labels(self._language)))
            case ["tap", *uid] if len(uid) < 2:
                self._tap("".join(uid))
            case _:
                return HELP
        return ""

    def tell(self, *, anew: bool = False) -> None:
        """What there is to say now, if that is new."""
        shown = self._enrol.shown()
        lines = tuple(line for line in self._lines(shown) if line)
        with self._lock:
            before = () if anew else self._told
            self._told = lines
            for line in lines:
                if line not in before:
                    print(line, file=self._out, flush=True)

    def _lines(self, shown: Shown) -> Sequence[str]:
        said = render(shown.said, self._language) if shown.said is not None else ""
        if shown.mode == CHECK:
            absent, more = names(shown.roll.missing(), 6)
            what = self._say("absent", what=listed(absent)) if absent else self._say("roll_done")
            return (shown.reader, said, f"{what} {self._say('missing_more', n=more) if more else ''}".rstrip())
        machine = shown.machine
        progress = self._say("progress", n=machine.done, total=machine.total)
        if machine.question is not None:
            yes, no = (render(text, self._language) for text in (machine.question.yes, machine.question.no))
            return (shown.reader, f"{said} [yes: {yes}; no: {no}]")
        item = machine.item
        if item is None:
            return (shown.reader, said, f"{self._say('finished_but' if machine.missing() else 'finished')} {progress}")
        return (shown.reader, said, f"{self._say('tap_place' if item.place else 'tap', what=item.text)} ({progress})")

    def _say(self, key: str, **args: int | str | Text) -> str:
        return render(Text(f"enrol.{key}", args), self._language)

    def _left(self) -> str:
        absent, more = names(self._enrol.shown().machine.missing(), 24)
        if not absent:
            return self._say("finished")
        return self._say("missing", what=listed(absent)) + (f" {self._say('missing_more', n=more)}" if more else "")

    def _index(self, words: Sequence[str]) -> int | None:
        wanted = " ".join(words).lower()
        for i, item in enumerate(self._enrol.items):
            known = item.place or f"{item.kind.replace('/', ' ')} {item.name}".rstrip()
            if wanted in {known, known.replace("_", " "), render(item.text, self._language).lower()}:
                return i
        return None

    def _tap(self, uid: str) -> None:
        """As long as the reader takes: the next line may be about it."""
        before = self._enrol.shown().taps
        self._enrol.simulate(uid)
        deadline = time.monotonic() + PATIENCE
        while self._enrol.shown().taps == before and time.monotonic() < deadline:
            time.sleep(0.02)
