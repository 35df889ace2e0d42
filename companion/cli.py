"""The command line: words in, Settings out. Here: parsing and one sentence for whatever is wrong. Not here: any work.

Exit codes: 0 done, 1 it could not be done (the sentence says why), 2 the command line is not understood, 130 Ctrl-C before it was done.
"""

from __future__ import annotations

import argparse
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import platformdirs

from companion.settings import Settings
from companion.table.setup import LEVELS, STRICT

DESCRIPTION = "Jinmaku: a referee, private phone screens, tagged figures and a lamp track for a physical board-game table."


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; without one, ``run``."""
    try:
        return _command(list(sys.argv[1:] if argv is None else argv))
    except BrokenPipeError:  # `| head` has seen enough
        sys.stdout = None  # nothing more can be flushed into it
        return 1
    except KeyboardInterrupt:
        return 130


def _interruptible() -> None:
    """From here on Ctrl-C is an exception again: what has been begun is put away. Only ``run`` minds signals itself."""
    if threading.current_thread() is threading.main_thread() and callable(signal.getsignal(signal.SIGINT)):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _command(words: list[str]) -> int:
    if words and words[0] in {"referee", "enrol", "games", "export"}:
        _interruptible()
    if words[:1] == ["referee"]:
        from companion.table.verdict import referee_main  # noqa: PLC0415 - a record needs no window, broker or device

        return referee_main(words[1:], sys.stdout)
    if words[:1] == ["enrol"]:
        from companion.enrolling import enrol_main  # noqa: PLC0415 - nor does a box of figures

        return enrol_main(words[1:])
    if not words or (words[0].startswith("-") and words[0] not in {"-h", "--help", "--version"}):
        words.insert(0, "run")
    parser = _parser()
    told = parser.parse_args(words)
    if told.command == "export":
        from companion.exporting import export  # noqa: PLC0415 - nor does a file of a game

        return export(told.data, told.game, told.form, told.language)
    if told.command == "games":
        from companion.console import list_games  # noqa: PLC0415 - nor does the list

        return list_games(told.data)
    if told.resume and (told.new or told.seats or told.position or told.option or told.ally or told.level):
        parser.error(
            "--resume goes on with a saved game, and --new, --seats, --option, --ally, --level and --position begin another: give one or the other"
        )
    from companion.console import run  # noqa: PLC0415 - the heavy half is loaded only to run a table

    return run(_settings(told))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jinmaku", description=DESCRIPTION)
    parser.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="open the table (also without a command); resumes the newest game")
    commands.add_parser("referee", help="judge a game record: referee FILE [--json] [--seat NAME] [--prompts]", add_help=False)
    commands.add_parser("enrol", help="give figures their tags: enrol --figures FILE [--sim]", add_help=False)
    games = commands.add_parser("games", help="list the games in the journal")
    files = commands.add_parser("export", help="write a game's record, and what every seat had at each step")
    files.add_argument("game", nargs="?", default="", metavar="GAME", help="its id in the list of games (default: the one played last)")
    form = files.add_mutually_exclusive_group()
    for name, what in (
        ("record", "the record"),
        ("csv", "points, honor and the rest step by step"),
        ("points", "what every point came from"),
        ("json", "the whole story"),
    ):
        form.add_argument(
            f"--{name}", dest="form", action="store_const", const=name, default="", help=f"print {what} instead of writing files"
        )
    files.add_argument("--language", choices=("en", "ru"), default="en", help="of the sentences")
    for command in (run, games, files):
        command.add_argument("--data", type=_folder, default=_home(), metavar="DIR", help="where the journal lives (default: %(default)s)")
    game = run.add_argument_group("the game")
    game.add_argument("--new", action="store_true", help="begin a new game, do not resume")
    game.add_argument("--resume", default="", metavar="ID", help="resume this game of the list")
    game.add_argument(
        "--seats", type=_names, default=(), metavar="A,B,C", help="clans clockwise, e.g. koi,lotus,turtle (begins a new game)"
    )
    game.add_argument(
        "--option", type=_option, action="append", default=[], metavar="NAME=VALUE", help="a rules option, e.g. mandates=cardboard"
    )
    game.add_argument("--ally", type=_names, action="append", default=[], metavar="A,B", help="two clans that begin allied")
    game.add_argument(
        "--bots", type=_names, default=(), metavar="A,B", help="clans that bots play, e.g. lotus,turtle; also of a saved game that goes on"
    )
    game.add_argument(
        "--level", choices=LEVELS, default="",
        help="strict: what the rules refuse is refused (default); advise: it can be done all the same, and is marked; record: moves are only written down",
    )  # fmt: skip
    game.add_argument("--position", type=_file, metavar="FILE", help="begin a new game from the position of a record")
    game.add_argument("--override", type=_file, metavar="FILE", help="your own facts (TOML), e.g. another mandate deck")
    devices = run.add_argument_group("devices")
    devices.add_argument("--figures", type=_file, metavar="FILE", help="UID file of the tagged figures")
    devices.add_argument(
        "--reader", type=_reader, action="append", default=[], metavar="PORT[=PLACE]", help="an NFC reader, lying at a place or not"
    )
    devices.add_argument("--track", default="", metavar="PORT", help="serial port of the LED track (default: found by handshake)")
    devices.add_argument("--calibration", type=_file, metavar="FILE", help="which lamp of the track is which (TOML)")
    simulation = devices.add_mutually_exclusive_group()
    simulation.add_argument(
        "--sim", dest="simulate", action="store_true", default=None, help="simulated devices, even if real ones are attached"
    )
    simulation.add_argument("--no-sim", dest="simulate", action="store_false", help="never simulate a device")
    devices.add_argument(
        "--sim-table", dest="sim_table", choices=("one", "zones"), default="", nargs="?", const="zones",
        help="a simulated table to move figures on: a reader under every place (zones, the default) or one reader",
    )  # fmt: skip
    network = run.add_argument_group("phones")
    network.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104 - phones must reach it
    network.add_argument("--port", type=_port, default=8788, help="port of the page (default: %(default)s; 0: any free one)")
    network.add_argument(
        "--address", type=_address, action="append", default=[], metavar="NAME", help="name or address for the QR codes (default: found)"
    )
    screen = run.add_argument_group("screen")
    screen.add_argument("--headless", action="store_true", help="no window, even if there is a display")
    screen.add_argument("--language", choices=("en", "ru"), default="en")
    screen.add_argument("--theme", choices=("day", "night"), default="day")
    screen.add_argument("--for", dest="seconds", type=_seconds, metavar="SECONDS", help="stop by itself after so long")
    screen.add_argument("--inspect", type=Path, metavar="SOCKET", help="tell what the table shows on this Unix socket (for tests)")
    return parser


class _Version(argparse.Action):
    """Looks the version up when it is asked for: reading what is installed takes longer than all the rest of the command line."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - as above

        try:
            found = version("jinmaku")
        except PackageNotFoundError:
            found = "(not installed, run from its folder)"
        parser._print_message(f"jinmaku {found}\n", sys.stdout)  # noqa: SLF001 - as argparse's own action does
        parser.exit()


def _settings(told: argparse.Namespace) -> Settings:
    options = list(told.option)
    if told.ally:
        options.append(("ally", ", ".join(" ".join(pair) for pair in told.ally)))
    return Settings(
        data=told.data,
        seats=told.seats,
        options=tuple(options),
        bots=told.bots,
        new=told.new or bool(told.seats or told.position or options or told.level),
        level=told.level or STRICT,
        resume=told.resume,
        position=told.position,
        override=told.override,
        figures=told.figures,
        host=told.host,
        port=told.port,
        addresses=tuple(told.address),
        readers=tuple(told.reader),
        track=told.track,
        calibration=told.calibration,
        simulate=True if told.sim_table else told.simulate,
        sim_table=told.sim_table,
        headless=told.headless,
        seconds=told.seconds,
        language=told.language,
        theme=told.theme,
        inspect=told.inspect,
    )


def _home() -> Path:
    return platformdirs.user_data_path("jinmaku", appauthor=False)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip().lower() for name in text.split(","))
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty name: write clans separated by commas, e.g. koi,lotus,turtle")
    return names


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE, e.g. mandates=cardboard")
    return name, value


def _reader(text: str) -> tuple[str, str]:
    port, _, place = text.partition("=")
    if not port:
        raise argparse.ArgumentTypeError(f"{text!r} names no port: write PORT or PORT=PLACE, e.g. /dev/ttyUSB0=kyoto")
    return port, place


def _address(text: str) -> str:
    if not text or set(text) & set(" /?#@\t"):
        raise argparse.ArgumentTypeError(f"{text!r} is no name or address of a computer, e.g. 192.168.4.20 or tablet.local")
    return text


def _folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("no directory is named: write --data DIR, or leave it away")
    return Path(text)


def _file(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text!r}")
    return path


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: give a number from 0 to 65535")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds, e.g. 20")
    return seconds
