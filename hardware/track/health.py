"""How the LED track is: its states, what it remembers of failures, and the one line and level that people are told.

Here: words, counts, patience. Not here: threads, ports, bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from firmware_proto import codec
from firmware_proto.codec import Identity
from hardware.track.ports import Candidate
from hardware.track.talk import Quality, RefusedError, SilenceError
from hardware.track.wire import PortError

LOGGER = logging.getLogger(__name__)

FIRST_WAIT = 0.5
"""s. A board that was pulled out or reset is back on the bus after about this long."""
LONGEST_WAIT = 10.0
"""s. A strip that is put right must light up before anybody starts to look for a button to press."""
STRANGER_WAIT = 60.0
"""s. Something else lives on that port, or its firmware is too old: asking more often changes nothing. Pulling it out and in does."""
CABLE_AFTER = 3


class State(StrEnum):
    ABSENT = "absent"
    OPENING = "opening"
    HANDSHAKING = "handshaking"
    READY = "ready"
    LOST = "lost"


@dataclass(frozen=True)
class Health:
    """One line for people, and the rest for programs."""

    state: State
    tone: str
    """ok | waiting | careful"""
    line: str
    port: str = ""
    device: str = ""
    """The board's id in hex."""

    def __str__(self) -> str:
        return self.line


@dataclass
class _Failure:
    kind: str
    text: str
    times: int
    again: float
    expected: bool = True


class Memory:
    """What went wrong with which port, how loud that was said, and when to try it again."""

    def __init__(self, now: float) -> None:
        self.had = False
        """There has been a strip since the start."""
        self.off = False
        self.since = now
        """Since when there is none."""
        self.disconnects: dict[str, int] = {}
        """By device id."""
        self.last = ""
        """Why the strip was lost."""
        self._failures: dict[str, _Failure] = {}
        self._said: set[tuple[str, str]] = set()
        self._warned = False

    def seen(self, found: Sequence[Candidate]) -> None:
        """A port that is gone is forgotten: when it is back, something was plugged in, and is asked at once."""
        here = {c.path for c in found}
        for path in set(self._failures) - here:
            if self._failures[path].kind != "lost":
                self._said -= {(path, self._failures[path].kind)}
            del self._failures[path]

    def due(self, candidate: Candidate, now: float) -> bool:
        failure = self._failures.get(candidate.path)
        return failure is None or now >= failure.again

    def failed(self, candidate: Candidate, kind: str, text: str, now: float) -> None:
        """The first time is loud, if anybody expected otherwise; the same again is not."""
        before = self._failures.get(candidate.path)
        times = before.times + 1 if before else 1
        wait = STRANGER_WAIT if kind in {"stranger", "version"} else min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(times, 10))
        self._failures[candidate.path] = _Failure(kind, text, times, now + wait, candidate.expected)
        loud = logging.WARNING if candidate.expected or kind in {"permission", "version"} else logging.INFO
        self._say((candidate.path, kind), loud, text)

    def succeeded(self, candidate: Candidate) -> None:
        self.had = True
        self._failures.pop(candidate.path, None)
        self._said.clear()
        self._warned = False

    def lost(self, candidate: Candidate, device: bytes, error: Exception, now: float) -> None:
        count = self.disconnects[device.hex()] = self.disconnects.get(device.hex(), 0) + 1
        self.since = now
        self.last = str(error) if isinstance(error, SilenceError | RefusedError) else "the port is gone"
        self._failures[candidate.path] = _Failure("lost", self.last, 0, now + FIRST_WAIT)
        advice = f"; that was time {count}: check its cable or hub" if count >= CABLE_AFTER else ""
        self._say(
            (candidate.path, "lost"),
            logging.WARNING,
            f"LED track lost on {candidate.path} ({self.last}){advice}; the game goes on without it",
        )

    def warn_once(self) -> bool:
        """True the first time since the strip was found."""
        first, self._warned = not self._warned, True
        return first

    def tried(self) -> tuple[str, ...]:
        """One sentence a port. A reader's port is no news to anybody who looks for the strip."""
        return tuple(f.text for f in self._failures.values() if f.kind != "lost" and (f.expected or f.kind != "ours"))

    def blocked(self) -> bool:
        """Somebody has to do something: it will not come right by waiting."""
        return any(f.kind in {"permission", "version"} or (f.kind in {"busy", "ours"} and f.expected) for f in self._failures.values())

    def _say(self, key: tuple[str, str], level: int, text: str) -> None:
        LOGGER.log(logging.DEBUG if key in self._said else level, "%s", text)
        self._said.add(key)


def failure(candidate: Candidate, error: Exception, *, ours: bool) -> tuple[str, str]:
    """(kind, sentence) of an attempt that came to nothing. ``ours``: the sentence is made already, about a stranger."""
    if ours:
        return "stranger", str(error)
    if isinstance(error, PortError):
        return error.kind, str(error)
    if isinstance(error, RefusedError) and error.code == codec.WRONG_VERSION:
        return (
            "version",
            f"the LED track on {candidate.path} cannot be used: {error}; copy this version's firmware onto it (docs/hardware-track.md)",
        )
    if isinstance(error, RefusedError):
        return "refused", f"the LED track on {candidate.path} said no: {error}"
    if isinstance(error, SilenceError):
        note = f" ({candidate.note})" if candidate.note else ""
        return "silent", f"{candidate.path}{note} does not answer as an LED track; is the firmware on it? (docs/hardware-track.md)"
    return "gone", f"{candidate.path} went away while it was asked ({error})"


def foreign(heard: bytes) -> str | None:
    """What else evidently talks on a port, by what it says unasked. Only what is sure: a boot log is not."""
    if any(line.startswith((b"$GP", b"$GN", b"$GL")) for line in heard.split(b"\n")):
        return "a satellite receiver"
    if b"\x00\x00\xff\x00\xff\x00" in heard:
        return "an NFC reader (PN532)"
    return None


def poor_line(quality: Quality) -> str:
    """What to say of a bad line, once."""
    return f"{round(100 * quality.lost)} % of what is said to the LED track must be said again: check its cable, or put it on another port"


def judge(state: State, memory: Memory, *, now: float, at: Candidate | None, identity: Identity | None, quality: Quality | None) -> Health:
    """The state in one line."""
    port = at.path if at else ""
    if memory.off:
        return Health(state, "waiting", "LED track: switched off")
    if state is State.READY and identity:
        count = memory.disconnects.get(identity.device.hex(), 0)
        line = f"LED track on {port}: {identity.lamps} lamps, firmware {identity.firmware}"
        poor = quality is not None and quality.poor
        if poor and quality:
            line += "; " + poor_line(quality)
        if count >= CABLE_AFTER:
            line += f"; lost {count} times so far: check its cable or hub"
        return Health(state, "careful" if poor or count >= CABLE_AFTER else "ok", line, port, identity.device.hex())
    if state in {State.OPENING, State.HANDSHAKING}:
        return Health(state, "waiting", f"LED track: asking {port}", port)
    ago = f"for {round(now - memory.since)} s"
    tried = "; ".join(memory.tried()) or "no port that could be it"
    if state is State.LOST:
        return Health(state, "careful", f"LED track: lost ({memory.last}), looking {ago}; {tried}", port)
    return Health(state, "careful" if memory.blocked() else "waiting", f"LED track: not found, looking {ago}; {tried}")
