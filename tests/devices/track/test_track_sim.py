"""The simulated track itself: that it is the real firmware, that its faults do what they say, and that nothing is left behind."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Error, Hello, Identity, Message, Picture, Ping, Pong, Segment, Settings
from firmware_proto.framing import Reader
from hardware.sim import track, track_board
from hardware.sim.track import DEVICE, TrackSim
from hardware.sim.track_board import SOURCE, find_interpreter
from hardware.sim.track_line import Line

RED = Picture(0, 255, (Segment(0, 2, (100, 0, 0)), Segment(59, 1, (0, 0, 30))))
REAL = find_interpreter().real


class Host:
    """Asks without pardon: one question, one answer, or None."""

    def __init__(self, sim: TrackSim) -> None:
        self.port = serial.Serial(sim.path, 115200, timeout=0.02)
        self.reader = Reader()
        self.seq = 0

    def ask(self, message: Message, seconds: float = 8.0) -> Message | None:
        self.seq += 1
        self.port.write(codec.pack(message, self.seq))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for payload in self.reader.feed(self.port.read(max(1, self.port.in_waiting))):
                answer = codec.unpack(payload)
                if isinstance(answer, Message) and answer.seq == self.seq:
                    return answer
        return None

    def greet(self) -> Identity:
        for _ in range(50):
            answer = self.ask(Hello(0, 7), 0.2)
            if isinstance(answer, Identity):
                return answer
        raise AssertionError("nobody answers")


@pytest.fixture(params=["micropython", "cpython"])
def sim(request: pytest.FixtureRequest) -> Iterator[TrackSim]:
    if request.param == "micropython" and not REAL:
        pytest.skip("no MicroPython wheel for this machine")
    with TrackSim(None if request.param == "micropython" else sys.executable) as sim:
        yield sim
        assert list(sim.log) == []


@pytest.fixture
def one() -> Iterator[TrackSim]:
    with TrackSim() as sim:
        yield sim


def test_it_says_what_it_runs_under(sim: TrackSim, request: pytest.FixtureRequest):
    name = "MicroPython" if "micropython" in request.node.name else "CPython"
    assert sim.interpreter.startswith(name)


def test_the_firmware_answers_and_drives_the_lamps(sim: TrackSim):
    host = Host(sim)
    identity = host.greet()
    assert (identity.device, identity.role, identity.lamps, identity.version) == (DEVICE, "track", 60, codec.VERSION)
    answer = host.ask(RED)
    assert isinstance(answer, Ack)
    assert answer.crc == RED.crc()
    assert sim.until(lambda s: s.lamps() == [(100, 0, 0)] * 2 + [(0, 0, 0)] * 57 + [(0, 0, 30)])
    assert sim.until(lambda s: s.picture() == RED or (s.picture() and s.picture().crc() == RED.crc()))
    pong = host.ask(Ping(0))
    assert isinstance(pong, Pong)
    assert pong.crc == RED.crc()
    assert pong.uptime < 60_000


def test_settings_outlive_a_reset_and_last_weeks_picture_does_not_come_back(sim: TrackSim):
    host = Host(sim)
    host.greet()
    assert isinstance(host.ask(Settings(0, lamps=10, order="rgb", cap_ma=600)), Ack)
    assert sim.until(lambda s: (s.flash / "track.json").exists())
    assert isinstance(host.ask(Bye(0)), Ack)
    sim.reset()
    assert host.greet().lamps == 10
    assert not (sim.flash / "track.pic").exists()


def test_the_flash_holds_the_very_files_of_this_repository(one: TrackSim):
    for file in ("codec.py", "framing.py", "firmware/link.py", "firmware/animator.py", "firmware/board.py", "firmware/loop.py"):
        assert (one.flash / "firmware_proto" / file).read_bytes() == (SOURCE / file).read_bytes()
    assert (one.flash / "main.py").read_bytes() == (SOURCE / "firmware" / "main.py").read_bytes()


def test_before_anybody_speaks_it_is_calm(one: TrackSim):
    assert one.until(lambda s: sum(sum(lamp) for lamp in s.lamps()) > 0)
    assert len(set(one.lamps())) == 1
    assert one.picture() is None


def test_a_strip_of_another_colour_order_shows_other_colours_until_it_is_told():
    with TrackSim(order="rgb") as sim:
        host = Host(sim)
        host.greet()
        host.ask(RED)
        assert sim.until(lambda s: s.lamps()[0] == (0, 100, 0))
        host.ask(Settings(0, order="rgb"))
        assert sim.until(lambda s: s.lamps()[0] == (100, 0, 0))


def test_over_its_uart_it_is_the_same(tmp_path: Path):
    flash = tmp_path / "flash"
    flash.mkdir()
    (flash / "track.json").write_text('{"wire": "uart", "lamps": 12}')
    with TrackSim(flash=flash) as sim:
        host = Host(sim)
        assert host.greet().lamps == 12
        host.ask(RED)
        assert sim.until(lambda s: s.lamps()[0] == (100, 0, 0))
    assert (flash / "main.py").exists()


def test_noise_is_counted_and_the_next_question_is_answered(one: TrackSim):
    host = Host(one)
    host.greet()
    one.inject(b"\x05garbage\0\2\0" + bytes(range(256)), "down")
    answer = host.ask(RED)
    assert isinstance(answer, Ack)
    assert answer.bad >= 2


def test_a_line_that_swallows_everything_heals(one: TrackSim):
    host = Host(one)
    host.greet()
    one.drop_after(3)
    assert host.ask(Ping(0), 0.2) is None
    one.heal()
    assert isinstance(host.ask(Ping(0)), Pong | Error)


def test_garbled_and_doubled_bytes_never_make_a_wrong_picture(one: TrackSim):
    host = Host(one)
    host.greet()
    one.garble(0.02)
    acked = sum(host.ask(Picture(0, 9, (Segment(i, 1, (i, i, i)),)), 0.1) is not None for i in range(20))
    assert 0 < acked < 20
    one.heal()
    one.duplicate(10)
    host.ask(Ping(0))
    assert host.greet()
    assert isinstance(host.ask(RED), Ack)
    assert one.until(lambda s: s.lamps()[0] == (100, 0, 0))


def test_a_slow_line_is_slow(one: TrackSim):
    host = Host(one)
    host.greet()
    one.slow(0.002)
    began = time.monotonic()
    assert isinstance(host.ask(Ping(0)), Pong)
    assert time.monotonic() - began > 0.03


def test_pulled_out_it_is_dark_and_gone_and_plugged_in_it_is_back(one: TrackSim):
    host = Host(one)
    host.greet()
    one.vanish()
    assert not Path(one.path).exists()
    assert set(one.lamps()) == {(0, 0, 0)}
    assert one.pid is None
    with pytest.raises(OSError, match=r"Input/output|readiness|write failed"):
        host.ask(Ping(0))
    one.reset()
    one.freeze()
    one.thaw()
    one.inject(b"x")
    one.appear()
    one.appear()
    assert Host(one).greet().device == DEVICE


def test_it_can_vanish_after_a_number_of_bytes(one: TrackSim):
    host = Host(one)
    host.greet()
    one.drop_after(5, vanish=True)
    with pytest.raises(OSError, match=r"Input/output|readiness|write failed"):
        host.ask(Ping(0))
    assert one.until(lambda s: not Path(s.path).exists())


def test_a_frozen_firmware_is_silent_and_a_flood_does_not_block_the_simulator(one: TrackSim):
    host = Host(one)
    host.greet()
    one.freeze()
    one.inject(bytes(200_000), "down")
    assert host.ask(Ping(0), 0.1) is None
    one.thaw()
    assert host.greet()


def test_a_host_that_does_not_read_does_not_block_it(one: TrackSim):
    host = Host(one)
    host.greet()
    one.inject(b"x" * 200_000, "up")
    host.port.reset_input_buffer()
    assert isinstance(host.ask(Ping(0)), Pong)


def test_a_firmware_that_ends_is_noticed(one: TrackSim):
    assert one.pid
    os.kill(one.pid, 9)
    assert one.until(lambda s: "the firmware's process ended" in s.log)
    one.close()


def test_nothing_is_left_behind():
    gc.collect()  # what tests before this one left to be closed some time
    before = open_files()
    sim = TrackSim()
    home, pid = Path(sim.path).parent, sim.pid
    sim.close()
    sim.close()
    assert not home.exists()
    assert not Path(f"/proc/{pid}").exists()
    assert open_files() == before
    with pytest.raises(ValueError, match="is closed"):
        sim.heal()


def test_the_firmware_ends_with_a_host_program_that_is_killed():
    program = "from hardware.sim.track import TrackSim\nimport time\ns = TrackSim()\nprint(s.pid, s._home, flush=True)\ntime.sleep(60)"
    host = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert host.stdout
    pid, home = host.stdout.readline().split()
    host.kill()
    host.wait()
    host.stdout.close()
    end = time.monotonic() + 10
    while not _has_ended(pid) and time.monotonic() < end:
        time.sleep(0.02)
    assert _has_ended(pid)
    subprocess.run(["rm", "-r", home], check=True)


def open_files() -> set[str]:
    return {p.name for p in Path("/proc/self/fd").iterdir()}


def _has_ended(pid: str) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_alone_it_prints_its_port_and_its_lamps(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    wait, waits = TrackSim.until, []

    def until(sim: TrackSim, *_: object) -> None:
        waits.append(wait(sim, lambda s: any(max(lamp) for lamp in s.lamps()), 20))
        if len(waits) > 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrackSim, "until", until)
    assert track.main(["--lamps", "3"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("/ttyTRACK")
    assert said[1].startswith("firmware under ")
    assert len(said[2].split()) == 3
    monkeypatch.undo()
    assert track.main(["--for", "0.1"]) == 0


def test_without_micropython_it_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(track_board.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(track_board.shutil, "which", lambda _: None)
    found = find_interpreter()
    assert not found.real
    assert "pip install 'jinmaku[sim]'" in found.name


def test_an_interpreter_that_does_not_run_is_an_oserror(tmp_path: Path):
    with pytest.raises(OSError, match="none"):
        TrackSim(str(tmp_path / "none"))


def test_faults_are_arithmetic():
    slept: list[float] = []
    line = Line(sleep=slept.append)
    assert line.passed(b"abc", "down") == b"abc"
    line.slow(0.5)
    line.duplicate(1, "up")
    assert line.passed(b"ab", "down") == b"ab"
    assert line.passed(b"ab", "up") == b"abab"
    assert line.passed(b"ab", "up") == b"ab"
    assert slept == [1.0, 2.0, 1.0]
    line.heal()
    line.garble(1.0, "up")
    assert line.passed(b"ab", "down") == b"ab"
    bent = line.passed(b"ab", "up")
    assert [(a ^ b).bit_count() for a, b in zip(bent, b"ab", strict=True)] == [1, 1]
    line.heal()
    line.drop_after(3, vanish=True)
    assert line.passed(b"ab", "down") == b"ab"
    assert not line.snapped
    assert line.passed(b"ab", "up") == b"a"
    assert line.snapped
    assert line.passed(b"ab", "up") == b""
