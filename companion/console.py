"""The table without, or before, a window: what is printed, and what may be typed. Here: text in and out. Not here: composition (service)."""

from __future__ import annotations

import contextlib
import io
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion import pace, standings
from companion.bulletin import Bulletin
from companion.entries import enrolment
from companion.lobby import saved
from companion.lobby.form import FormError
from companion.lobby.port import CannotOpenError, Home
from companion.lobby.typed import listing, ordered
from companion.rules.game import TABLE
from companion.service import JOURNAL, CannotStandError, Service
from companion.settings import Settings
from companion.sitting import Sitting
from companion.sync import join
from companion.table.commands import Level
from companion.table.desk import Update
from companion.table.hints import apart
from companion.table.journal import JournalError
from companion.table.levels import sentence
from companion.table.listing import Listing
from companion.table.setup import LEVELS
from companion.words import render

HELP = """You may type: tap koi bushi edo   a simulated figure onto the reader, for a place (or without one)
              put koi bushi 1 edo, slide koi bushi edo kyoto, lift koi bushi 1, settle      on the simulated table (simtable opens it)
              list              the simulated figures        codes [koi]    join codes (of one seat, also of a held one)
              yes koi, no koi   answer a phone that asks for a held seat             quit
              games             the saved games              open ID        leave this game and go on with that one
              new koi=Anna lotus turtle=bot mandates=cardboard ally=koi+turtle       begin another game; names are optional
              new ... level=advise   how strictly it keeps the rules (strict, advise, record)      level record   so from now on
              bot koi, bot koi off                let a bot play a seat, take it back       export    write record and points into files
              points                              what every point came from until now
              table, table 1                      what the table itself is asked, and its first answer (begin the war, go on to the next season)"""
LOOK = 0.25
"""Seconds between two looks at the table's health."""
NO_GAME = "No game is open: type games, open ID, or new koi lotus turtle (clans clockwise). help shows the rest."


def run(settings: Settings) -> int:
    """Runs one table until it is stopped. Returns the exit code. Main thread only: SIGINT and SIGTERM stop the table while it runs."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return _run(settings)
    finally:
        for number, handler in before.items():  # a table that is closed is not closed again: there may be no thread any more to do it
            signal.signal(number, handler)


def _run(settings: Settings) -> int:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that has no Cyrillic shows question marks; it does not end the table
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    pace.prompt(coming_up=True)
    windowed = not settings.headless and _display()
    service = Service(settings)
    stopped = threading.Event()
    end: list[Callable[[], None]] = [stopped.set]

    def stop(*_: object) -> None:
        for ending in end:
            ending()

    def hang_up(*_: object) -> None:
        # A handler runs between two bytecodes of this very thread, which may hold the event's lock: another thread has to set it.
        threading.Thread(target=stop, name="good-bye", daemon=True).start()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hang_up)
    try:
        service.start(home=windowed, serve=not windowed)
    except CannotStandError as trouble:
        _say_trouble(trouble)
        return 1
    failed: list[CannotStandError] = []

    def stand() -> None:
        """What is left to be done when the window is there, or cannot be."""
        try:
            service.serve()
        except CannotStandError as trouble:
            failed.append(trouble)
            stop()
            return
        except BaseException:
            stop()  # a fault of ours; a table that no phone can reach must not look like one
            raise
        pace.settled()
        service.on_open = _both(lambda sitting: _opened(service, sitting), service.on_open)
        service.tell(lambda sitting: _opened(service, sitting, codes=windowed))
        if sys.stdin is not None:
            threading.Thread(target=_listen, args=(service, stop), name="console", daemon=True).start()

    def report() -> None:
        threading.Thread(target=_report, args=(service, stopped), name="health", daemon=True).start()

    def stand_and_report() -> None:
        stand()
        report()

    try:
        if settings.seconds is not None:
            timer = threading.Timer(settings.seconds, stop)
            timer.daemon = True
            timer.start()
        service.on_takeover = lambda seat, asking: _say_takeover(seat, asking=asking)
        if not windowed:
            stand()
        if not _window(service, end, stopped, stand_and_report):
            if windowed:
                stand()
            if service.sitting is None and not failed:
                service.open_default()
            if service.sitting is not None:
                _say_codes(service.sitting)
            report()
            while not stopped.wait(0.5):  # the kernel may hand a signal to any thread; only this one runs handlers, when it wakes
                pass
    finally:
        stopped.set()  # what the devices say of their own end is no news
        service.stop()
    if failed:
        _say_trouble(failed[0])
        return 1
    print("The table is closed; the game is saved.", flush=True)
    return 0


def _opened(service: Service, sitting: Sitting, *, codes: bool = True) -> None:
    """A game is open: what to know of it."""
    _say_hello(sitting)
    if sys.stdin is not None:
        sitting.desk.watch(_Notices(service.settings.language))
    if codes:
        _say_codes(sitting, pictures=False)


def list_games(data: Path, language: str = "en") -> int:
    """Prints the resume list; reads only, also while a table is running."""
    try:
        if not (data / JOURNAL).exists() or not (data / JOURNAL).stat().st_size:
            print(f"No game yet in {data}.")
            return 0
        with contextlib.closing(Listing(data / JOURNAL)) as journal:
            if found := saved.listed(journal):
                print(listing(Home(found), language))
    except (JournalError, OSError) as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def _display() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class _Notices:
    """Prints what the open table is told, once, and how the game ended: without a window nobody would hear it."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._told = -1
        self._over = False

    def __call__(self, update: Update) -> None:
        if update.over and not self._over:
            with contextlib.suppress(BrokenPipeError):
                print(standings.ending(update.open, self._language), flush=True)
        self._over = update.over
        notice = update.notice
        if notice is None or notice.serial <= self._told:
            return
        self._told = notice.serial
        offers = [] if apart(notice.text)[1] else [render(choice.text, self._language) for _, choice in notice.offers]
        with contextlib.suppress(BrokenPipeError):  # nobody reads any more, which is no fault of the table
            print(
                f"{render(notice.text, self._language)} {notice.clause}".rstrip() + (f" Lawful now: {'; '.join(offers)}" if offers else ""),
                flush=True,
            )


def _say_takeover(seat: str, *, asking: bool) -> None:
    print(
        f"Another phone asks for {seat}'s seat. Answer on the tablet, or type: yes {seat}   or   no {seat}"
        if asking
        else f"{seat}: that is settled.",
        flush=True,
    )


def _say_trouble(trouble: CannotStandError) -> None:
    print(f"The table cannot stand: {trouble}", file=sys.stderr)


def _window(service: Service, end: list[Callable[[], None]], stopped: threading.Event, stand: Callable[[], None]) -> bool:
    """Opens the window and stays in it; False: there is none, and it is said why. ``stand`` runs once the first picture is there."""
    if service.settings.headless:
        print("No window: headless, as asked. The table is played from phones.")
        return False
    if not _display():
        print("No display here, so no window: headless. The table is played from phones.")
        return False
    from companion.tablet import app  # noqa: PLC0415 - Kivy is loaded only where there is a display

    def ready(window: Any) -> None:
        service.screen, service.on_open = window.dump, _both(service.on_open, window.show)
        service.entries.append(enrolment(service.settings, window))
        end.append(window.close)
        if stopped.is_set():
            window.close()

    try:
        app.run(
            service.sitting,
            title="Jinmaku",
            lobby=service,
            on_ready=ready,
            on_shown=lambda: threading.Thread(target=stand, name="stand", daemon=True).start(),
        )
    except app.NoDisplayError as fault:
        print(f"{fault}; so headless, and the table is played from phones.")
        return False
    return True


def _both(first: Callable[[Sitting], None], then: Callable[[Sitting], None]) -> Callable[[Sitting], None]:
    def told(sitting: Sitting) -> None:
        first(sitting)
        then(sitting)

    return told


def _say_hello(sitting: Sitting) -> None:
    address = sitting.addresses()[0]
    print(f"Jinmaku: game {sitting.game_id}, {'resumed' if sitting.resumed else 'new'}: {', '.join(sitting.seats)}")
    print(f"Phones: http://{address}:{sitting.port}/  (scan a seat's code)")
    sys.stdout.flush()


def _report(service: Service, stopped: threading.Event) -> None:
    """Says the health of whichever game is open, as it becomes known and when it changes, until the table stops."""
    told: Sitting | None = None
    bulletin = Bulletin(time.monotonic)
    with contextlib.suppress(BrokenPipeError):  # nobody reads any more
        while True:
            sitting = service.sitting
            if sitting is not told:
                told, bulletin = sitting, Bulletin(time.monotonic)
            for line in bulletin.news(sitting.health()) if sitting is not None else ():
                print(f"  {render(line.name, service.settings.language)}: {render(line.text, service.settings.language)}", flush=True)
            if stopped.wait(LOOK):
                return


def _say_codes(sitting: Sitting, seats: Sequence[str] = (), *, pictures: bool = True) -> None:
    """An address, with its QR code or without, for these seats, or for every seat that no phone holds."""
    for seat, state in sitting.phones().items():
        if seat in seats or (not seats and state == "vacant"):
            url = sitting.join(seat)
            print(f"{seat}: {url}" + (f"\n{join.qr_text(url)}\n" if pictures else ""))
        elif not seats:
            print(f"{seat}: a phone holds this seat ({state}); codes {seat} shows a new code for another one")
    print(HELP, flush=True)


def _listen(service: Service, stop: Callable[[], None]) -> None:
    """Typed lines, until standard input ends."""
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["quit"]:
            stop()
            return
        try:
            if said := _typed(service, words):
                print(said, flush=True)
        except FormError as error:
            print("; ".join(render(fault.text, service.settings.language) for fault in error.faults), flush=True)
        except (OSError, ValueError, JournalError, CannotOpenError) as fault:
            print(f"That could not be done: {fault}", flush=True)


def _typed(service: Service, words: list[str]) -> str:
    words = [word.lower() if i == 0 else word for i, word in enumerate(words)]
    match words:
        case [] | ["help"]:
            return HELP
        case ["games"]:
            return listing(service.home(), service.settings.language)
        case ["open", game_id]:
            service.resume(game_id)
            return ""
        case ["new", *what]:
            service.begin(ordered(service.offers, what, service.readers).game())
            return ""
    if service.sitting is None:
        return NO_GAME
    return _typed_at(service.sitting, words)


def _table(sitting: Sitting, which: list[str]) -> str:
    """What the table itself must decide, numbered; with a number that is done. Without a window nobody else could."""
    update, language = sitting.desk.current, sitting.settings.language
    choices = [choice for prompt in update.table for choice in prompt.choices if not prompt.optional and choice.amounts is None]
    if not which:
        listed = [f"table {i}   {render(choice.text, language)}" for i, choice in enumerate(choices, 1)]
        return "\n".join(listed) or "The table is asked nothing."
    if not which[0].isdecimal() or not 1 <= int(which[0]) <= len(choices):
        return "There is no such answer: table lists them."
    sitting.desk.play(TABLE, choices[int(which[0]) - 1].command)
    return ""


def _bot(sitting: Sitting, seat: str, *, bot: bool) -> str:
    """Everybody is told; where it is so already, only who typed it."""
    if (seat in sitting.desk.current.bots) is bot:
        return f"A bot plays {seat} already." if bot else f"No bot plays {seat}."
    sitting.desk.man(seat, bot=bot)
    return ""


def _level(sitting: Sitting, level: str) -> str:
    """What the new level means; where it is none, those there are."""
    now = sitting.desk.current.level
    if level not in LEVELS:
        return f"The level cannot be {level!r}: choose {', '.join(LEVELS)}. It is {now}."
    if level == now:
        return f"The level is {level} already."
    sitting.desk.play(TABLE, Level(TABLE, level))
    return render(sentence(level), sitting.settings.language)


def _points(sitting: Sitting) -> str:
    """What every point came from until now."""
    story = sitting.story(lambda _done, _all: None)
    table = story.sources(len(story.moments) - 1)
    return "\n".join(standings.lines(table, sitting.settings.language)) if table is not None else "This game counts no points."


def _typed_at(sitting: Sitting, words: list[str]) -> str:
    """What is typed at an open game."""
    match words:
        case ["list"]:
            return sitting.devices.listed()
        case ["codes", *seats] if set(seats) <= set(sitting.seats):
            _say_codes(sitting, seats)
            return ""
        case [("yes" | "no") as word, seat] if seat in sitting.seats:
            sitting.decide(seat, word == "yes")
            return ""
        case ["bot", seat, *off] if seat.lower() in sitting.seats and off in ([], ["off"]):
            return _bot(sitting, seat.lower(), bot=not off)
        case ["table", *which] if len(which) <= 1:
            return _table(sitting, which)
        case ["points"]:
            return _points(sitting)
        case ["export"]:
            return "\n".join(map(str, sitting.export(sitting.settings.language)))
        case ["tap", *what] if what:
            return sitting.devices.typed_tap(what)
        case [("put" | "lift" | "slide" | "settle") as verb, *what] if what or verb == "settle":
            return sitting.devices.typed(verb, what)
        case ["level", level]:
            return _level(sitting, level.lower())
        case ["simtable"] if sitting.sim_table == "shut":
            sitting.open_sim_table()
            return ""
    return f"Not understood: {' '.join(words)}. {HELP}"
