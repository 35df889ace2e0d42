"""The serial line: whole frames out of whatever comes in."""

import errno
import os
import pty
import threading
import time
import tty

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.nfc.line import ACK, Line
from hardware.sim.pn532_wire import answer


@pytest.fixture(scope="module")
def ends():
    """A line and the far end of its wire."""
    far, near = pty.openpty()
    tty.setraw(far)
    tty.setraw(near)
    line = Line(os.ttyname(near), patience=0.02)
    line.open(line.port)
    yield line, far
    line.close()
    os.close(far)
    os.close(near)


def fresh(line):
    line.write(ACK[:1])
    line._acks = 0


@settings(max_examples=40)
@given(st.binary(max_size=300), st.binary(max_size=200))
def test_a_frame_is_found_after_any_noise_that_does_not_look_like_one(ends, noise, data):
    line, far = ends
    fresh(line)
    frame = answer(0x4A, data)
    os.write(far, noise.replace(b"\x00\xff", b"") + frame)
    found = line.read(200)
    if not noise.endswith(b"\x00") and b"\x00\xff" not in noise.replace(b"\x00\xff", b""):
        assert bytes(found) == frame


@settings(max_examples=40)
@given(st.binary(max_size=600))
def test_any_bytes_end_in_a_frame_or_an_error_of_the_system(ends, noise):
    line, far = ends
    fresh(line)
    os.write(far, noise)
    with pytest.raises(OSError, match=r"Input/output|timed out") as caught:  # noqa: PT012 - frames, then the end
        for _ in range(200):
            assert line.read(1).startswith(b"\x00\x00\xff")
    assert any(noise) or caught.value.errno == errno.ETIMEDOUT
    assert len(line._buffer) < 300


def test_silence_and_nonsense_are_told_apart(ends):
    line, far = ends
    fresh(line)
    with pytest.raises(TimeoutError):
        line.read(1)
    os.write(far, ACK)
    assert line.read(100) == ACK
    with pytest.raises(TimeoutError):  # the pause after a frame is no noise
        line.read(1)
    os.write(far, b"login: ")
    with pytest.raises(OSError, match="Input/output") as caught:
        line.read(1)
    assert caught.value.errno == errno.EIO


def test_half_frames_wait_for_their_rest(ends):
    line, far = ends
    for cut in (3, 4, 6, 8, 12):
        fresh(line)
        frame = answer(0x00, bytes(260))
        os.write(far, frame[:cut])
        threading.Timer(0.01, os.write, (far, frame[cut:])).start()
        assert bytes(line.read(5000)) == frame


def test_a_storm_of_acknowledgements_ends(ends):
    line, far = ends
    fresh(line)
    os.write(far, ACK * 20)
    with pytest.raises(OSError, match="Input/output"):  # noqa: PT012 - the first few are in order
        for _ in range(20):
            line.read(100)


def test_a_waiting_read_can_be_cancelled_and_resumed(ends):
    line, far = ends
    fresh(line)
    threading.Timer(0.02, line.cancel).start()
    began = time.monotonic()
    with pytest.raises(OSError, match="cancel") as caught:
        line.read(5000)
    assert caught.value.errno == errno.ECANCELED
    assert time.monotonic() - began < 2
    line.resume()
    os.write(far, ACK)
    assert line.read(100) == ACK


def test_listening_hears_only_what_is_said(ends):
    line, far = ends
    fresh(line)
    assert not line.listen(0.02)
    os.write(far, b"$GPGGA")
    assert line.listen(0.5)


def test_a_port_that_is_not_there_or_closed_is_an_error_of_the_system(tmp_path):
    line = Line(str(tmp_path / "none"))
    with pytest.raises(OSError, match="No such file"):
        line.open(line.port)
    plain = tmp_path / "file"
    plain.touch()
    with pytest.raises(OSError, match="configure"):
        line.open(str(plain))
    odd = tmp_path / "tty;reboot"
    with pytest.raises(ValueError, match="may hold only letters"):
        line.open(str(odd))
    for use in (lambda: line.write(ACK), lambda: line.read(1)):
        with pytest.raises(OSError, match="No such device"):
            use()
    assert line.baudrate == 0
    line.baudrate = 9600
    line.close()


def test_a_pulled_cable_is_gone_for_good():
    far, near = pty.openpty()
    line = Line(os.ttyname(near))
    line.open(line.port)
    os.close(near)
    os.close(far)
    for use in (lambda: line.read(10), lambda: line.write(ACK), lambda: line.open(line.port, 9600)):
        line.gone = False
        with pytest.raises(OSError, match="Input/output"):
            use()
        assert line.gone
    line.close()
    line.close()
