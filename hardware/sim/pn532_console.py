"""The simulated reader as a program of its own: prints its path, obeys one line at a time from standard input.

    put 04A1B2C3D4E5F6      take 04A1B2C3D4E5F6     tap 04A1B2C3D4E5F6 0.5
    list                    vanish                  back                    quit

`phone` in place of a UID is a phone with its random UIDs. The program ends with its input.
"""

import argparse
import sys
from collections.abc import Callable, Sequence

from hardware.sim.pn532 import PN532Sim


def _not_here(sim: PN532Sim, uid: str) -> str:
    return f"error: {uid} does not lie on this reader; here lies {' '.join(sim.lying()) or 'nothing'}"


def _take(sim: PN532Sim, words: list[str]) -> str:
    return f"took {words[0]}" if sim.take(words[0]) else _not_here(sim, words[0])


def _vanish(sim: PN532Sim, words: list[str]) -> str:
    del words
    sim.vanish()
    return "unplugged"


def _back(sim: PN532Sim, words: list[str]) -> str:
    del words
    sim.come_back()
    return f"plugged in at {sim.path}"


_SAYS: dict[str, tuple[int, Callable[[PN532Sim, list[str]], str]]] = {
    "put": (1, lambda sim, words: f"put {sim.put(words[0]).name}"),
    "take": (1, _take),
    "tap": (2, lambda sim, words: f"tapped {sim.tap(words[0], float(words[1])).name}"),
    "list": (0, lambda sim, _: " ".join(sim.lying()) or "empty"),
    "vanish": (0, _vanish),
    "back": (0, _back),
}


def obey(sim: PN532Sim, line: str) -> str:
    """Carry out one line; the answer is one line, `error: ...` with the reason if it could not."""
    words = line.split()
    if not words:
        return ""
    known = _SAYS.get(words[0].lower())
    if known is None:
        return f"error: {words[0]!r} is no command here; known are {', '.join(_SAYS)} and quit"
    count, act = known
    if len(words) - 1 != count:
        return f"error: {words[0].lower()} takes {count} word{'' if count == 1 else 's'} after it, not {len(words) - 1}"
    try:
        return act(sim, words[1:])
    except ValueError as fault:
        return f"error: {fault}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run until the input ends or says `quit`."""
    parser = argparse.ArgumentParser(prog="python -m hardware.sim.pn532", description="A simulated PN532 reader on a pseudo-terminal.")
    parser.add_argument("--link", metavar="PATH", help="name of the port to make (default: one in a temporary directory)")
    parser.add_argument("--real-time", action="store_true", help="take as long as a real wire and a real field would")
    options = parser.parse_args(argv)
    try:
        sim = PN532Sim(link=options.link, real_time=options.real_time)
    except OSError as fault:
        parser.exit(2, f"cannot make the port: {fault}\n")
    with sim:
        print(sim.path, flush=True)  # noqa: T201 - its output is its purpose
        for line in sys.stdin:
            if line.strip().lower() == "quit":
                break
            said = obey(sim, line)
            if said:
                print(said, flush=True)  # noqa: T201 - as above
    return 0
