"""The loop, the board under stand-ins, and the start."""

from __future__ import annotations

import importlib
import io
import itertools
import os
import runpy
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Error, Hello, Identity, Picture, Ping, Segment, Settings
from firmware_proto.firmware import loop
from firmware_proto.firmware.loop import FRAME_MS, REFRESH_MS, run
from firmware_proto.firmware.store import PICTURE, SETTINGS, Store
from firmware_proto.framing import Reader
from hardware.sim.track_board import STUBS

RED = Picture(9, 255, (Segment(0, 2, (100, 0, 0)),))


class EndOfTestError(Exception):
    pass


class Board:
    """Does what a script says at given times; ends the loop when it is over."""

    device = b"12345678"

    def __init__(self, script: dict[int, bytes], until: int = 2000) -> None:
        self.t, self.script, self.until = 0, dict(script), until
        self.back = b""
        self.shown: list[tuple[int, bytes]] = []
        self.claims: list[tuple[int, bool]] = []

    def now(self) -> int:
        return self.t

    def wait(self, ms: int) -> None:
        next_event = min([t for t in self.script if t > self.t], default=self.t + ms)
        self.t = min(self.t + max(1, ms), next_event)
        if self.t >= self.until:
            raise EndOfTestError

    def read(self) -> bytes:
        due = [t for t in self.script if t <= self.t]
        return b"".join(self.script.pop(t) for t in sorted(due))

    def write(self, data: bytes) -> None:
        self.back += data

    def show(self, frame: bytes | bytearray) -> None:
        self.shown.append((self.t, bytes(frame)))

    def claim(self, mine: bool) -> None:
        self.claims.append((self.t, mine))

    def said(self):
        return [codec.unpack(p) for p in Reader().feed(self.back)]


def play(board: Board, at: str, trouble: str = "") -> Board:
    with pytest.raises(EndOfTestError):
        run(board, Store(at), trouble)
    return board


@pytest.fixture
def at(tmp_path: Path) -> str:
    return f"{tmp_path}/"


def test_hello_picture_and_lamps(at: str):
    board = play(Board({10: codec.pack(Hello(1, 2)), 20: codec.pack(RED)}), at)
    assert isinstance(board.said()[0], Identity)
    assert board.said()[1] == Ack(9, RED.crc(), 0)
    first = next((t, f) for t, f in board.shown if f[:6] == bytes((0, 100, 0)) * 2)
    assert first[0] == 20
    assert sum(first[1]) == 200


def test_calm_from_the_first_moment(at: str):
    board = play(Board({}), at)
    assert board.shown[0][0] <= FRAME_MS
    assert sum(board.shown[0][1]) > 0


def test_a_still_picture_is_refreshed_once_a_second_and_a_moving_one_all_the_time(at: str):
    still = play(Board({1: codec.pack(Hello(1, 2)) + codec.pack(RED), 4000: codec.pack(Ping(1))}, 5000), at)
    times = [t for t, _ in still.shown if t > 20]
    assert all(b - a >= REFRESH_MS for a, b in itertools.pairwise(times))
    assert len(times) >= 3
    moving = Picture(9, 255, (Segment(0, 2, (200, 0, 0), 0xFFF000, 2160),))
    busy = play(Board({1: codec.pack(Hello(1, 2)) + codec.pack(moving)}, 2160), at)
    assert len(busy.shown) > 3 * len([t for t, _ in still.shown if t < 2160])


def test_new_settings_are_kept_and_used_at_once(at: str):
    told = codec.pack(Hello(1, 2)) + codec.pack(Settings(3, lamps=7)) + codec.pack(RED)
    board = play(Board({5: told}), at)
    assert len(board.shown[-1][1]) == 21
    assert Store(at).settings().lamps == 7


def test_the_picture_before_the_reset_is_back_on_the_strip_at_once(at: str):
    Path(at, PICTURE).write_bytes(codec.pack(RED))
    board = play(Board({}, 6000), at)
    assert board.shown[0][1][:3] == bytes((0, 100, 0))
    assert board.shown[-1][1][:3] != bytes((0, 100, 0))  # nobody came


def test_goodbye_forgets_it(at: str):
    Path(at, PICTURE).write_bytes(codec.pack(RED))
    play(Board({5: codec.pack(Hello(1, 2)) + codec.pack(Bye(3))}), at)
    assert not Path(at, PICTURE).exists()


def test_ctrl_c_is_data_only_while_a_host_talks(at: str):
    board = play(Board({50: codec.pack(Hello(1, 2))}, 7000), at)
    assert [mine for _, mine in board.claims] == [True, False]
    assert board.claims[0][0] == 50
    assert 5050 <= board.claims[1][0] <= 5100
    assert play(Board({}), at).claims == []


def test_why_it_started_again_is_the_first_thing_it_says(at: str):
    board = play(Board({}), at, "MemoryError: 4096")
    assert board.said() == [Error(0, codec.STARTED_AGAIN, "MemoryError: 4096")]


# ------------------------------------------------------------------------------------------------- under the stand-ins


@pytest.fixture
def board_module(monkeypatch: pytest.MonkeyPatch, at: str) -> Iterator[ModuleType]:
    """``board`` on the stand-ins, in an empty flash."""
    monkeypatch.syspath_prepend(str(STUBS))
    monkeypatch.delenv("JINMAKU_SIM_DEVICE", raising=False)
    monkeypatch.chdir(at)
    yield importlib.import_module("firmware_proto.firmware.board")
    for name in ("machine", "micropython", "firmware_proto.firmware.board", "firmware_proto.firmware.main"):
        sys.modules.pop(name, None)


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch, board_module: ModuleType) -> Iterator[tuple[int, int]]:
    """Pipes for the chip's standard streams: (write here, read here)."""
    down, up = os.pipe(), os.pipe()
    with os.fdopen(down[0], "rb", buffering=0) as stdin, os.fdopen(up[1], "wb", buffering=0) as stdout:
        streams = SimpleNamespace(
            stdin=SimpleNamespace(buffer=stdin, fileno=stdin.fileno), stdout=SimpleNamespace(buffer=stdout), stderr=io.StringIO()
        )
        monkeypatch.setattr(board_module, "sys", streams)
        monkeypatch.setattr(sys.modules["machine"], "sys", streams)
        yield down[1], up[0]
    os.close(down[1])
    os.close(up[0])


@pytest.mark.parametrize("wire", ["usb", "uart"])
def test_the_line_is_raw_bytes_both_ways(chip, board_module, wire: str):
    board = board_module.Board(wire)
    assert board.device == bytes(8)
    assert board.read() == b""
    board.wait(0)
    board.wait(5)
    os.write(chip[0], b"\x03\r\n\0")
    board.wait(1000)
    got = b""
    while len(got) < 4:
        got += board.read()
    assert got == b"\x03\r\n\0"
    board.claim(True)
    board.write(b"\r\n\0\xff")
    assert os.read(chip[1], 9) == b"\r\n\0\xff"


@pytest.mark.parametrize("wire", ["usb", "uart"])
def test_a_line_that_has_ended_says_so(chip, board_module, wire: str):
    board = board_module.Board(wire)
    with Path(os.devnull).open("rb", buffering=0) as ended:
        os.dup2(ended.fileno(), board_module.sys.stdin.fileno())
    with pytest.raises(EOFError):
        board.read()


def test_time_never_jumps_back(chip, board_module, monkeypatch: pytest.MonkeyPatch):
    wrap = 1 << 30
    ticks = deque([wrap - 10, wrap - 10, 5, 2000, 1999 + wrap // 2 - 1])
    monkeypatch.setattr(time, "ticks_ms", ticks.popleft, raising=False)
    board = board_module.Board()
    assert [board.now() for _ in range(4)] == [0, 15, 2010, 2010 + wrap // 2 - 2]


def test_a_shorter_strip_darkens_what_it_no_longer_reaches(chip, board_module):
    board = board_module.Board()
    for frame in (b"\x01" * 9, b"\x02" * 3, bytearray(b"\x03" * 3)):
        board.show(frame)
    assert board_module.sys.stderr.getvalue().split("\n")[:3] == ["lamps 010101010101010101", "lamps 020202000000000000", "lamps 030303"]


def test_a_wrong_timing_or_an_input_pin_would_show(chip, board_module):
    machine = sys.modules["machine"]
    out = machine.Pin(3, machine.Pin.OUT)
    for pin, encoding, timing in (
        (machine.Pin(3), 0, board_module.WS2812_NS),
        (out, 1, board_module.WS2812_NS),
        (out, 0, (100, 850, 800, 450)),
    ):
        with pytest.raises(ValueError, match="no WS2812"):
            machine.bitstream(pin, encoding, timing, b"")


def test_the_start_survives_whatever_happens_and_tells(chip, board_module, monkeypatch: pytest.MonkeyPatch):
    main = importlib.import_module("firmware_proto.firmware.main")
    monkeypatch.setattr(main, "BREATH_MS", 1)
    troubles: list[str] = []

    def broken(board, store, trouble) -> None:
        troubles.append(trouble)
        raise (KeyboardInterrupt() if len(troubles) == 3 else OSError(f"Überraschung {len(troubles)}" + "x" * 200))

    monkeypatch.setattr(main, "run", broken)
    main.main()
    assert troubles[0] == ""
    assert troubles[1].startswith("OSError: ?berraschung 1xxx")
    assert len(troubles[2]) == codec.MAX_TEXT


def test_the_start_uses_the_wire_that_the_settings_name(board_module, monkeypatch: pytest.MonkeyPatch):
    Path(SETTINGS).write_text('{"wire": "uart"}')
    used = []
    monkeypatch.setattr(board_module, "Board", used.append)
    monkeypatch.setattr(loop, "run", lambda *_: (_ for _ in ()).throw(EOFError))
    runpy.run_module("firmware_proto.firmware.main", run_name="__main__")
    assert used == ["uart"]
