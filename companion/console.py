"""The table without, or before, a window: what is printed, and what may be typed. Here: text in and out. Not here: composition (service)."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.service import JOURNAL, CannotStandError, Service
from companion.settings import Settings
from companion.sync import join
from companion.table.journal import Journal, JournalError
from companion.words import render

HELP = "Type a simulated figure to put it on the reader, e.g.: tap koi bushi   or at a place: tap koi bushi edo   (also: list, codes, quit)"


def run(settings: Settings) -> int:
    """Runs one table until it is stopped. Returns the exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
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
        service.start()
    except CannotStandError as trouble:
        print(f"The table cannot stand: {trouble}", file=sys.stderr)
        return 1
    try:
        if settings.seconds is not None:
            timer = threading.Timer(settings.seconds, stop)
            timer.daemon = True
            timer.start()
        _say_hello(service)
        if settings.simulate is not False and service.tags():
            threading.Thread(target=_listen, args=(service, stop), name="console", daemon=True).start()
        if not _window(service, end, stopped):
            _say_codes(service)
            while not stopped.wait(0.5):  # the kernel may hand a signal to any thread; only this one runs handlers, when it wakes
                pass
    finally:
        service.stop()
    print("The table is closed; the game is saved.")
    return 0


def list_games(data: Path) -> int:
    """Prints the resume list."""
    if not (data / JOURNAL).exists():
        print(f"No game yet in {data}.")
        return 0
    try:
        journal = Journal(data / JOURNAL)
    except JournalError as fault:
        print(fault, file=sys.stderr)
        return 1
    for one in journal.games():
        print(f"{one.id}  {one.game}  {' '.join(one.seats)}  {'ended' if one.ended else f'at revision {one.revision}'}")
    journal.close()
    return 0


def _window(service: Service, end: list[Callable[[], None]], stopped: threading.Event) -> bool:
    """Opens the window and stays in it; False: there is none, and it is said why."""
    if service.settings.headless:
        print("No window: headless, as asked. The table is played from phones.")
        return False
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        print("No display here, so no window: headless. The table is played from phones.")
        return False
    from companion.tablet import app  # noqa: PLC0415 - Kivy is loaded only where there is a display

    def ready(window: Any) -> None:
        service.screen = window.dump
        end.append(window.close)
        if stopped.is_set():
            window.close()

    try:
        app.run(service, title="Jinmaku", on_ready=ready)
    except app.NoDisplayError as fault:
        print(f"{fault}; so headless, and the table is played from phones.")
        return False
    return True


def _say_hello(service: Service) -> None:
    address = service.addresses()[0]
    print(f"Jinmaku: game {service.desk.current.game_id}, {'resumed' if service.resumed else 'new'}: {', '.join(service.seats)}")
    print(f"Phones: http://{address}:{service.port}/  (scan a seat's code)")
    for line in service.health():
        print(f"  {render(line.name, service.settings.language)}: {render(line.text, service.settings.language)}")
    sys.stdout.flush()


def _say_codes(service: Service) -> None:
    """A QR code for every seat that no phone holds."""
    for seat, state in service.phones().items():
        if state == "vacant":
            url = service.join(seat)
            print(f"\n{seat}: {url}\n{join.qr_text(url)}")
        else:
            print(f"\n{seat}: a phone holds this seat ({state})")
    if service.tags():
        print(HELP)
    sys.stdout.flush()


def _listen(service: Service, stop: Callable[[], None]) -> None:
    """Typed lines, until standard input ends."""
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["quit"]:
            stop()
            return
        print(_typed(service, words), flush=True)


def _typed(service: Service, words: list[str]) -> str:
    language = service.settings.language
    match words:
        case []:
            return HELP
        case ["list"]:
            return "\n".join(f"{tag.uid}  {render(tag.text, language)}" for tag in service.tags())
        case ["codes"]:
            _say_codes(service)
            return ""
        case ["tap", *what] if what:
            return service.devices.typed_tap(what)
    return f"Not understood: {' '.join(words)}. {HELP}"
