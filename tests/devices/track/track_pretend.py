"""A pretended table for the Strip: a clock that tests move, and a board that is the firmware's real Link without its chip."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

import pytest

from firmware_proto import codec
from firmware_proto.codec import Error, Identity, Picture, Settings
from firmware_proto.firmware.link import Link
from firmware_proto.framing import Reader
from hardware.track import Lamp, load
from hardware.track.health import State
from hardware.track.ports import Candidate
from hardware.track.strip import Strip
from hardware.track.wire import PortError

DEVICE = bytes.fromhex("e66118604b2f5a2c")
PATH = "/dev/ttyACM0"


class Clock:
    def __init__(self) -> None:
        self.t = 1000.0
        self.listeners: list[Callable[[], None]] = []

    def now(self) -> float:
        return self.t

    def wait(self, event: threading.Event, seconds: float) -> None:
        if not event.is_set():
            self.pass_(seconds)

    def pass_(self, seconds: float) -> None:
        self.t += seconds
        for listener in self.listeners:
            listener()


class Pretend:
    """A board on a port."""

    def __init__(self, clock: Clock, path: str = PATH, *, expected: bool = True) -> None:
        self.clock, self.path, self.expected = clock, path, expected
        self.plugged = True
        self.mute = False
        self.left: int | None = None
        """Bytes, both ways, until it is pulled out."""
        self.opening: PortError | None = None
        self.opened = self.closed = 0
        self.says = b""
        """What it says unasked when its port is opened."""
        self.mangle: Callable[[bytes], bytes] = lambda data: data
        self.device = DEVICE
        self.power(None)
        clock.listeners.append(lambda: self.link.tick(self.ms()))

    def power(self, picture: Picture | None = None) -> None:
        """On, as after a reset."""
        self.born = self.clock.t
        self.link = Link(self.device, Settings(), picture)
        self.inbox = b""

    def ms(self) -> int:
        return int((self.clock.t - self.born) * 1000)

    def plug(self) -> None:
        self.plugged, self.left = True, None
        self.power()

    def find(self) -> list[Candidate]:
        return [Candidate(self.path, "Pico", expected=self.expected, opener=self.open)] if self.plugged else []

    def open(self, path: str) -> Pretend:
        self.opened += 1
        if self.opening:
            raise self.opening
        self.spend(b"")
        self.inbox = self.says
        return self

    def spend(self, data: bytes) -> bytes:
        if not self.plugged:
            raise OSError(5, "Input/output error")
        if self.left is not None:
            data = data[: self.left]
            self.left -= len(data)
            self.plugged = self.left > 0
        return data

    def read(self, seconds: float) -> bytes:
        out, self.inbox = self.inbox, b""
        if not out:
            self.spend(b"")
            self.clock.pass_(seconds)
        return self.spend(out)

    def write(self, data: bytes) -> None:
        answer = self.link.receive(self.spend(data), self.ms())
        if not self.mute:
            self.inbox += self.mangle(answer)

    def close(self) -> None:
        self.closed += 1


def run(strip: Strip, clock: Clock, seconds: float) -> None:
    """Let this much time pass."""
    end = clock.t + seconds
    turns = 0
    while clock.t < end:
        strip.turn()
        turns += 1
        assert turns < 10000, "time does not pass"


def until(strip: Strip, state: State, turns: int = 50) -> None:
    for _ in range(turns):
        if strip.health().state is state:
            return
        strip.turn()
    raise AssertionError(f"{strip.health()} instead of {state}")


SIXTY = load()
RED = {"mandate.1": Lamp((255, 0, 0), "333333000000")}
BLUE = {"mandate.2": Lamp((0, 0, 255))}


def make(board: Pretend, **more) -> Strip:
    return Strip(board.find, clock=board.clock, **{"layout": SIXTY, **more})


def wanted(lamps) -> int:
    return SIXTY.picture(lamps).crc()


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]


def rewrite(data: bytes, **more) -> bytes:
    out = b""
    for payload in Reader().feed(data):
        message = codec.unpack(payload)
        if isinstance(message, Identity):
            fields = {f: getattr(message, f) for f in Identity.FIELDS} | more
            message = Identity(fields.pop("seq"), fields.pop("nonce"), fields.pop("device"), **fields)
        out += codec.pack(message)
    return out


def refuse(data: bytes) -> bytes:
    return b"".join(codec.pack(Error(codec.unpack(p).seq, codec.NOT_UNDERSTOOD, "not like this")) for p in Reader().feed(data))
