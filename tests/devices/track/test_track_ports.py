"""Which ports are asked, how they are opened, and what is said when they cannot be."""

from __future__ import annotations

import contextlib
import errno
import os
import pty
import random
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
import serial

from firmware_proto import codec
from hardware.track import ports, wire
from hardware.track.ports import Candidate, Finder
from hardware.track.talk import Quality, quiet_hello
from hardware.track.wire import Person, PortError, holder, open_serial, permission, trouble


def port(device: str, vid: int | None = None, pid: int | None = None, serial_number: str | None = None, description: str = "a port"):
    return SimpleNamespace(device=device, vid=vid, pid=pid, serial_number=serial_number, description=description)


PICO = port("/dev/ttyACM1", 0x2E8A, 0x0005, "E66118604B2F5A2C", "Board in FS mode")
CH340 = port("/dev/ttyUSB0", 0x1A86, 0x7523)
UNKNOWN = port("/dev/ttyACM0", 0x9999, 1)
CONSOLE = port("/dev/ttyS0")
PROBE = port("/dev/ttyACM7", 0x2E8A, 0x000C)
GPS = port("/dev/ttyACM8", 0x1546, 0x01A7)
PRINTER = port("/dev/weird", 0x9999, 2)
ALL = [CONSOLE, CH340, UNKNOWN, PROBE, GPS, PRINTER, PICO]


def test_only_plausible_ports_and_the_best_first():
    found = Finder(listed=lambda: ALL)()
    assert [c.path for c in found] == ["/dev/ttyACM1", "/dev/ttyUSB0", "/dev/ttyACM0"]
    assert [c.expected for c in found] == [True, False, False]
    assert found[0].note == "Board in FS mode"


@pytest.mark.parametrize("block", ["/dev/ttyACM1", "2e8a:0005", "2E8A:0005", "e66118604b2f5a2c"])
def test_a_blocked_port_is_never_asked(block: str):
    assert "/dev/ttyACM1" not in [c.path for c in Finder(block=[block], listed=lambda: ALL)()]


def test_a_port_that_another_part_of_the_program_uses_is_left_to_it():
    assert [c.path for c in Finder(claimed=lambda: ["/dev/ttyUSB0"], listed=lambda: ALL)()] == ["/dev/ttyACM1", "/dev/ttyACM0"]


def test_a_named_port_is_the_only_one_and_need_not_be_there_yet(tmp_path: Path):
    path = tmp_path / "ttyS9"
    finder = Finder(str(path), listed=lambda: ALL)
    assert finder() == ()
    path.touch()
    assert finder() == (Candidate(str(path), "as told", expected=True),)


def test_a_system_that_will_not_list_its_ports_is_no_error(monkeypatch: pytest.MonkeyPatch):
    from serial.tools import list_ports

    assert isinstance(Finder()(), tuple)

    def fails() -> None:
        raise OSError("no")

    monkeypatch.setattr(list_ports, "comports", fails)
    assert Finder()() == ()


def test_windows_ports_are_there_when_they_are_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ports.sys, "platform", "win32")
    assert Finder("COM7")()


# ----------------------------------------------------------------------------------------------------------- opening


@pytest.fixture
def pair() -> Iterator[tuple[int, str]]:
    master, slave = pty.openpty()
    tty.setraw(slave)
    name = os.ttyname(slave)
    os.close(slave)
    yield master, name
    with contextlib.suppress(OSError):
        os.close(master)


def collect(read: Callable[[], bytes]) -> bytes:
    """Four bytes, which a busy machine may deliver one by one."""
    got = b""
    while len(got) < 4:
        got += read()
    return got


def test_bytes_pass_both_ways_and_waiting_has_an_end(pair):
    master, name = pair
    wired = open_serial(name)
    wired.write(b"\0\xff\r\n")
    assert collect(lambda: os.read(master, 9)) == b"\0\xff\r\n"
    os.write(master, b"\x03\x04\r\0")
    assert collect(lambda: wired.read(1)) == b"\x03\x04\r\0"
    assert wired.read(0.12) == b""
    wired.close()


def test_both_control_lines_are_up_before_the_port_opens(pair, monkeypatch: pytest.MonkeyPatch):
    seen = []
    real = serial.Serial.open

    def spy(self) -> None:
        seen.append((self.dtr, self.rts, self.baudrate))
        real(self)

    monkeypatch.setattr(serial.Serial, "open", spy)
    open_serial(pair[1]).close()
    assert seen == [(True, True, 115200)]


def test_a_device_that_is_pulled_out_raises_oserror_and_closes_quietly(pair):
    master, name = pair
    wired = open_serial(name)
    os.close(master)
    with pytest.raises(OSError, match=r"Input/output|device reports readiness"):
        wired.read(0.2)
    wired.close()


def test_a_port_in_use_is_named_with_its_user(pair):
    other = open_serial(pair[1])
    with pytest.raises(PortError, match="is in use by another part of this program; close that") as caught:
        open_serial(pair[1])
    assert caught.value.kind == "ours"
    other.close()


def test_a_port_locked_by_somebody_we_cannot_see_is_busy_too(pair, monkeypatch: pytest.MonkeyPatch):
    other = open_serial(pair[1])
    monkeypatch.setattr(wire, "holder", lambda path: None)
    with pytest.raises(PortError, match="in use by another program"):
        open_serial(pair[1])
    other.close()


def test_a_port_that_is_not_there_or_no_port_is_said_so(tmp_path: Path):
    with pytest.raises(PortError) as gone:
        open_serial(str(tmp_path / "none"))
    assert gone.value.kind == "gone"
    (tmp_path / "file").touch()
    with pytest.raises(PortError) as other:
        open_serial(str(tmp_path / "file"))
    assert other.value.kind == "other"
    assert "would not open" in str(other.value)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (serial.SerialException(errno.EACCES, "x"), "permission"),
        (serial.SerialException("could not open port 'COM3': PermissionError(13, 'Access is denied.', None, 5)"), "permission"),
        (serial.SerialException(errno.EBUSY, "x"), "busy"),
        (serial.SerialException(errno.EAGAIN, "x"), "busy"),
        (serial.SerialException(errno.ENOENT, "x"), "gone"),
        (OSError(errno.EIO, "x"), "gone"),
        (ValueError("bad baud rate"), "other"),
        (serial.SerialException("odd"), "other"),
    ],
)
def test_what_pyserial_says_becomes_a_kind(error: Exception, kind: str):
    assert trouble("/dev/ttyACM0", error).kind == kind


# -------------------------------------------------------------------------------------------------------- permission


def said(mode: int, gid: int, groups=(1000,), listed=(1000,), platform="linux") -> str:
    return permission(
        "/dev/ttyACM0",
        platform,
        lambda: Person("aiko", set(groups), set(listed)),
        lambda path: SimpleNamespace(st_mode=0o020000 | mode, st_gid=gid),
        lambda gid: {20: "dialout"}[gid],
    )


def test_the_group_of_the_port_is_the_one_command():
    assert said(0o660, 20) == "no permission for /dev/ttyACM0: run  sudo usermod -aG dialout aiko  then log out and in again"


def test_a_group_joined_since_the_log_in_needs_only_a_new_one():
    text = said(0o660, 20, listed=(1000, 20))
    assert text == "no permission for /dev/ttyACM0 yet: aiko is in group dialout, which counts after logging out and in again"


def test_a_port_no_group_may_use_needs_a_rule():
    for mode, gid in ((0o600, 20), (0o660, 0)):
        assert "| sudo tee /etc/udev/rules.d/60-jinmaku.rules" in said(mode, gid)
        assert 'TAG+="uaccess"' in said(mode, gid)


def test_other_systems_have_other_answers():
    assert "one program at a time" in said(0, 0, platform="win32")
    assert "sudo chmod a+rw /dev/ttyACM0" in said(0, 0, platform="darwin")


def test_a_port_that_cannot_be_looked_at_still_gets_a_command():
    def fails(path: str):
        raise OSError

    assert "run  sudo chmod" in permission("/dev/ttyACM0", "linux", look=fails)


def test_this_very_system_answers_without_help():
    assert wire.whoami().name
    assert wire._group_name(0) == "root"
    assert wire._group_name(987654) == "987654"
    assert "no permission for /dev/null" in permission("/dev/null", "linux")


def test_eacces_at_opening_becomes_that_sentence(pair, monkeypatch: pytest.MonkeyPatch):
    def denied(self) -> None:
        raise serial.SerialException(errno.EACCES, "could not open port: Permission denied")

    monkeypatch.setattr(serial.Serial, "open", denied)
    monkeypatch.setattr(wire, "permission", lambda path: f"no permission for {path}: run  sudo this")
    with pytest.raises(PortError, match="run  sudo this"):
        open_serial(pair[1])


# ------------------------------------------------------------------------------------------------------------ holder


def test_who_has_a_port_open_is_named_by_program_and_process(tmp_path: Path):
    device = tmp_path / "ttyACM0"
    device.touch()
    for pid, name in ((812, "ModemManager"), (5, "other")):
        fd = tmp_path / "proc" / str(pid) / "fd"
        fd.mkdir(parents=True)
        (fd / "3").symlink_to(device if pid == 812 else tmp_path)
        (fd.parent / "comm").write_text(name + "\n")
    (tmp_path / "proc" / "self").mkdir()
    link = tmp_path / "by-id"
    link.symlink_to(device)
    assert holder(str(link), tmp_path / "proc", me=1) == "ModemManager (process 812)"
    assert holder(str(link), tmp_path / "proc", me=812) == "another part of this program"
    assert holder(str(tmp_path / "ttyACM9"), tmp_path / "proc") is None
    assert holder(str(device), tmp_path / "no proc") is None
    (tmp_path / "proc" / "812" / "comm").unlink()
    assert holder(str(device), tmp_path / "proc") is None


# ------------------------------------------------------------------------------------------------------------- hello


def test_the_hello_is_letters_digits_and_spaces_whatever_is_drawn():
    nonces = set()
    for seed in range(20):
        hello = quiet_hello(random.Random(seed))
        line = codec.pack(hello)
        assert line[0] == line[-1] == 0
        assert all(chr(b).isascii() and (chr(b).isalnum() or b == 0x20) for b in line[1:-1])
        nonces.add(hello.nonce)
    assert len(nonces) == 20


def test_quality_speaks_up_only_when_it_knows_and_it_is_bad():
    quality = Quality()
    assert quality.lost == 0
    for _ in range(19):
        quality.note(answered=False)
    assert not quality.poor
    quality.note(answered=False)
    assert quality.poor
    for _ in range(95):
        quality.note(answered=True)
    assert quality.lost == 0.05
    assert not quality.poor
