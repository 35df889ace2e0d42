"""What is made of nfcpy's many ways to fail, with nfcpy replaced by a script (USB readers cannot be simulated)."""

import errno
import logging
import types

import pytest

from hardware.nfc import frontend
from hardware.nfc.discovery import Candidate
from hardware.nfc.frontend import SerialFront, UsbFront, front_for
from hardware.nfc.trouble import FrontError

USB = Candidate("usb:001:023", named=True)
PORT = Candidate("/dev/ttyUSB0", named=True)


class Target(types.SimpleNamespace):
    sdd_res = None


class Script:
    """A stand-in for nfcpy: `answers` are returned or raised in turn."""

    def __init__(self, *answers):
        self.answers, self.asked, self.closed = list(answers), [], 0
        self.device = None
        self.clf = types.SimpleNamespace(
            RemoteTarget=lambda kind: Target(kind=kind),
            ContactlessFrontend=lambda: self,
            pn532=types.SimpleNamespace(init=lambda _line: self.next()),
        )

    def next(self):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def open(self, path):
        self.asked.append(path)
        self.device = f"SCM SCL3711 at {path}"
        return self.next()

    def sense(self, target):
        self.asked.append(bytes(target.sel_req) if hasattr(target, "sel_req") else target.kind)
        return self.next()

    def close(self):
        self.closed += 1
        raise AttributeError("nfcpy closes a device that is gone")


@pytest.fixture
def script(monkeypatch):
    def play(*answers):
        played = Script(*answers)
        monkeypatch.setattr(frontend, "_nfcpy", lambda: played)
        return played

    return play


def test_a_usb_reader_is_opened_asked_and_closed(script):
    played = script(True, None, Target(sdd_res=b"\x04" + bytes(6)), Target(sdd_res=None))
    front = front_for(USB)
    assert isinstance(front, UsbFront)
    front.open()
    front.handshake()
    assert front.model == "SCM SCL3711"
    assert front.sense(None) is None
    assert front.sense(b"\x04" + bytes(6)) == b"\x04" + bytes(6)
    assert front.sense(None) is None  # a Type 1 tag has no such number
    assert played.asked == ["usb:001:023", "106A", b"\x04" + bytes(6), "106A"]
    front.cancel()
    front.close()
    front.close()
    assert played.closed == 1


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (False, "stranger"),
        (OSError(errno.EACCES, "no"), "denied_usb"),
        (OSError(errno.ENODEV, "gone"), "lost"),
        (IndexError("bytearray index out of range"), "garbled"),
    ],
)
def test_a_usb_reader_that_does_not_open_says_why(script, answer, key):
    script(answer)
    with pytest.raises(FrontError) as caught:
        UsbFront(USB).handshake()
    assert caught.value.said.key == key


@pytest.mark.parametrize(
    ("error", "key", "fatal"),
    [
        (OSError(errno.EIO, "broken"), "lost", False),
        (OSError(errno.ENODEV, "gone"), "lost", True),
        (AssertionError(), "garbled", False),
    ],
)
def test_a_usb_reader_that_fails_in_play_says_why(script, error, key, fatal):
    script(True, error)
    front = UsbFront(USB)
    front.handshake()
    with pytest.raises(FrontError) as caught:
        front.sense(None)
    assert (caught.value.said.key, caught.value.fatal) == (key, fatal)


class DeafLine:
    """A line on which nothing is ever heard."""

    def __init__(self, *answers):
        self.answers, self.gone, self.heard, self.speeds = list(answers), False, 0, []

    def open(self, _port, speed=115200):
        self.speeds.append(speed)

    def write(self, _frame):
        pass

    def read(self, _timeout):
        answer = self.answers.pop(0) if self.answers else OSError(errno.ETIMEDOUT, "silence")
        if isinstance(answer, Exception):
            raise answer
        return bytearray(answer)


def handshake(script, line, *answers):
    script(*answers)
    front = SerialFront(PORT)
    front._line = line
    with pytest.raises(FrontError) as caught:
        front.handshake()
    return caught.value.said.key


def test_silence_is_asked_at_every_speed_before_it_is_silence(script):
    line = DeafLine()
    assert handshake(script, line, OSError(errno.ETIMEDOUT, "silence")) == "silent"
    assert line.speeds == [921600, 460800, 230400, 115200]
    noise = DeafLine(bytes(6), bytes(6), bytes(6))
    assert handshake(script, noise, OSError(errno.ETIMEDOUT, "silence")) == "silent"


def test_calling_back_ends_when_we_are_told_to_stop_or_the_cable_is_pulled(script):
    line = DeafLine(OSError(errno.ECANCELED, "cancelled"))
    handshake(script, line, OSError(errno.ETIMEDOUT, "silence"))
    assert line.speeds == [921600, 115200]
    pulled = DeafLine()
    pulled.write = lambda _frame: setattr(pulled, "gone", True)
    assert handshake(script, pulled, OSError(errno.ETIMEDOUT, "silence")) == "lost"
    assert pulled.speeds == [921600]


def test_a_port_refused_during_the_handshake_is_explained(script):
    line = DeafLine()
    line.heard = 3
    assert handshake(script, line, OSError(errno.EACCES, "no")) == "denied_here"


def test_other_failures_in_play_are_explained_by_their_number(script):
    script(OSError(errno.ETIMEDOUT, "silence"))
    front = SerialFront(PORT)
    front._clf = frontend._nfcpy()
    with pytest.raises(FrontError) as caught:
        front.sense(None)
    assert caught.value.said.key == "silent"
    front._line.gone = True
    front.close()


def test_nfcpys_own_error_log_is_silenced_unless_somebody_set_it():
    logger = logging.getLogger("nfc")
    before = logger.level
    try:
        logger.setLevel(logging.INFO)
        frontend._nfcpy()
        assert logger.level == logging.CRITICAL
        logger.setLevel(logging.DEBUG)
        frontend._nfcpy()
        assert logger.level == logging.DEBUG
    finally:
        logger.setLevel(before)
