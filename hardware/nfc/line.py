"""The serial line under nfcpy's PN532 driver: opens a port for us alone and cuts what comes in into whole frames.

It has the shape of nfcpy's own serial transport and takes its place, because a table needs more of it: the
port is locked against other programs, noise before a frame is skipped instead of fatal, a storm of acknowledgements
ends, a read can be cancelled, and a pulled cable is told from a garbled answer. The meaning of frames stays with
nfcpy. (Frames: UM0701-02, 6.2.1.)
"""

import errno
import os
import re
import termios
import threading
import time

import serial

SAFE_NAME = re.compile(r"[A-Za-z0-9/._:+-]+")
ACK = bytes.fromhex("0000FF00FF00")
_SLICE = 0.05  # how often a waiting read looks whether it is cancelled
_STORM = 8  # acknowledgements in a row without an answer
_LONGEST = 265


def _fault(code: int) -> OSError:
    return OSError(code, os.strerror(code))


class Line:
    """One serial port. Every failure is an OSError; after one that means "gone", `gone` is true."""

    TYPE = "TTY"  # what nfcpy's drivers ask for
    manufacturer_name = None
    product_name = None

    def __init__(self, port: str, *, patience: float = 0.3) -> None:
        self.port = port
        self.gone = False
        """The port failed under us: the cable is out."""
        self.heard = 0
        """Bytes that ever came in."""
        self._patience = patience
        self._tty: serial.Serial | None = None
        self._buffer = bytearray()
        self._noise = False
        self._acks = 0
        self._cancelled = threading.Event()

    @property
    def baudrate(self) -> int:
        return int(self._tty.baudrate) if self._tty else 0

    @baudrate.setter
    def baudrate(self, speed: int) -> None:
        if self._tty is not None:
            try:
                self._tty.baudrate = speed
            except (OSError, termios.error) as error:
                self.gone = True
                raise _fault(errno.EIO) from error

    def open(self, port: str, baudrate: int = 115200) -> None:
        """Open the port, or change the speed of the open one (reopening could reset an adapter or lose the last bytes)."""
        if self._tty is not None:
            try:
                self._tty.flush()
            except (OSError, termios.error) as error:
                self.gone = True
                raise _fault(errno.EIO) from error
            self.baudrate = baudrate
            return
        port = os.path.realpath(port) if port.startswith("/") else port  # nfcpy treats a Raspberry Pi's ports by their true names
        if not SAFE_NAME.fullmatch(port):  # and hands the name to a shell
            raise ValueError(f"the port name {port!r} may hold only letters, digits and / . _ : + -")
        tty = serial.Serial(baudrate=baudrate, timeout=_SLICE, write_timeout=1.0, exclusive=True)
        tty.port, tty.dtr, tty.rts = port, False, False  # set before opening: what resets on DTR should not
        try:
            tty.open()
        except termios.error as error:
            raise _fault(errno.ENODEV) from error
        self._tty, self.port = tty, port

    def close(self) -> None:
        """Close the port; never raises, whatever became of the cable."""
        tty, self._tty = self._tty, None
        if tty is not None:
            try:
                tty.close()
            except (OSError, termios.error):
                self.gone = True

    def cancel(self) -> None:
        """End the read that is waiting, and all to come, with ECANCELED (from any thread)."""
        self._cancelled.set()

    def resume(self) -> None:
        """Allow reads again, to say good-bye."""
        self._cancelled.clear()

    def listen(self, seconds: float) -> bool:
        """Whether anything comes in unasked within `seconds`."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self._receive(deadline - time.monotonic()):
                return True
        return False

    def write(self, frame: bytes) -> None:
        """Send a frame; whatever came in before belongs to the past and is dropped."""
        tty = self._port()
        try:
            tty.reset_input_buffer()
            tty.write(bytes(frame))
        except serial.SerialTimeoutException as error:
            raise _fault(errno.EIO) from error
        except (OSError, termios.error) as error:
            self.gone = True
            raise _fault(errno.EIO) from error
        self._buffer.clear()
        self._noise = False
        if bytes(frame) != ACK:
            self._acks = 0

    def read(self, timeout: float) -> bytearray:
        """The next whole frame within `timeout` milliseconds (a slow adapter is given a little more)."""
        deadline = time.monotonic() + max(timeout / 1000, self._patience)
        while True:
            frame = self._cut()
            if frame is not None:
                self._acks = self._acks + 1 if frame == ACK else 0
                if self._acks > _STORM:
                    raise _fault(errno.EIO)
                return frame
            if self._cancelled.is_set():
                raise _fault(errno.ECANCELED)
            left = deadline - time.monotonic()
            if left <= 0:
                raise _fault(errno.EIO if self._noise or any(self._buffer) else errno.ETIMEDOUT)
            self._receive(left)

    def _port(self) -> serial.Serial:
        if self._tty is None:
            raise _fault(errno.ENODEV)
        return self._tty

    def _receive(self, left: float) -> bool:
        tty = self._port()
        try:
            tty.timeout = max(0.0, min(left, _SLICE))
            data = tty.read(max(1, tty.in_waiting))
        except (OSError, termios.error, TypeError) as error:  # TypeError: pyserial on a port closed under it
            self.gone = True
            raise _fault(errno.EIO) from error
        self.heard += len(data)
        self._buffer += data
        return bool(data)

    def _cut(self) -> bytearray | None:
        """Take one frame off the buffer, in the exact shape nfcpy compares with; noise before it is dropped."""
        buffer = self._buffer
        while True:
            start = buffer.find(b"\x00\xff")
            if start < 0:
                self._skip(len(buffer) - 1)  # the last byte may be half a start code
                return None
            if len(buffer) < start + 4:
                return None
            length, check, head = buffer[start + 2], buffer[start + 3], 4
            if (length, check) == (0x00, 0xFF):
                del buffer[: start + 4]
                return bytearray(ACK)
            if (length, check) == (0xFF, 0xFF):
                if len(buffer) < start + 7:
                    return None
                length, head = buffer[start + 4] << 8 | buffer[start + 5], 7
                right = sum(buffer[start + 4 : start + 7]) & 0xFF == 0
            else:
                right = (length + check) & 0xFF == 0
            if not right or not 1 <= length <= _LONGEST:
                self._skip(start + 2)
                continue
            end = start + head + length + 1
            if len(buffer) < end:
                return None
            frame = bytearray(b"\x00") + buffer[start:end] + b"\x00"
            del buffer[:end]
            return frame

    def _skip(self, count: int) -> None:
        if count > 0:
            self._noise = self._noise or any(self._buffer[:count])  # zeros are only pauses
            del self._buffer[:count]
