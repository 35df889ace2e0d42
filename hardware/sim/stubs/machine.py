"""Stands in for MicroPython's ``machine``: a chip whose serial line is standard input and output, and whose data pin is heard on
standard error, one line of hex for each time the strip is driven. Runs under MicroPython and CPython.
"""

import binascii
import os
import select
import sys
import time

WS2812_NS = (400, 850, 800, 450)
TOLERANCE_NS = 150
"""Of the data sheet. A strip driven outside it would show noise, so the stand-in refuses."""

if sys.implementation.name == "cpython":
    # What MicroPython has built in: its clock, and standard streams that keep nothing back in buffers of their own.
    _WRAP = 1 << 30
    time.ticks_ms = lambda: int(time.monotonic() * 1000) % _WRAP  # type: ignore[attr-defined]
    time.ticks_diff = lambda a, b: (a - b + _WRAP // 2) % _WRAP - _WRAP // 2  # type: ignore[attr-defined]
    time.ticks_add = lambda a, b: (a + b) % _WRAP  # type: ignore[attr-defined]
    time.sleep_ms = lambda ms: time.sleep(ms / 1000)  # type: ignore[attr-defined]
    if os.getenv("JINMAKU_SIM_DEVICE"):  # only in the simulator's own process, never in one that merely imports this
        import io

        sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False))
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False))


class Pin:
    """A pin with a number."""

    IN = 0
    OUT = 1

    def __init__(self, number, mode=-1):  # type: ignore[no-untyped-def]
        self.number = number
        self.mode = mode


class UART:
    """The line as a UART sees it."""

    def __init__(self, number, baud, tx=None, rx=None, rxbuf=256):  # type: ignore[no-untyped-def]
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def any(self):  # type: ignore[no-untyped-def]
        return 1 if self._poll.poll(0) else 0

    def read(self, most):  # type: ignore[no-untyped-def]
        piece = sys.stdin.buffer.read(1)
        if not piece:
            raise EOFError
        return piece

    def write(self, data):  # type: ignore[no-untyped-def]
        return sys.stdout.buffer.write(data)


def unique_id():  # type: ignore[no-untyped-def]
    return binascii.unhexlify(os.getenv("JINMAKU_SIM_DEVICE") or "0000000000000000")


def bitstream(pin, encoding, timing, data):  # type: ignore[no-untyped-def]
    if pin.mode != Pin.OUT or encoding != 0 or any(abs(timing[i] - WS2812_NS[i]) > TOLERANCE_NS for i in range(4)):
        raise ValueError("no WS2812 would understand this")
    sys.stderr.write("lamps " + binascii.hexlify(data).decode() + "\n")
