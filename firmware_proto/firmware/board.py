"""The chip: clock, serial line, lamps. The only file of the firmware that imports what a desktop has not got.

Wiring: the strip's data on GP16 (through a level shifter, see docs/hardware-track.md). The line is USB; or UART 0 on GP0/GP1 at
115200 baud for a host without a free USB port (``"wire": "uart"`` in track.json).
"""

import select
import sys
import time

import machine
import micropython

DATA_PIN = 16
UART_PINS = (0, 1)
UART_BAUD = 115200
WS2812_NS = (400, 850, 800, 450)
"""High and low of a 0, high and low of a 1."""
CTRL_C = 3


class Usb:
    """The USB serial port, which MicroPython knows as standard input and output. The buffers are the raw bytes."""

    def __init__(self) -> None:
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def wait(self, ms: int) -> None:
        self._poll.poll(ms)

    def read(self) -> bytes:
        out = bytearray()
        while len(out) < 256 and self._poll.poll(0):
            piece = sys.stdin.buffer.read(1)  # more would wait for more
            if not piece:
                raise EOFError
            out.extend(piece)
        return bytes(out)

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)

    def claim(self, mine: bool) -> None:
        """While a host talks, byte 3 is data. Otherwise it is Ctrl-C, and mpremote gets its prompt."""
        micropython.kbd_intr(-1 if mine else CTRL_C)


class Uart:
    """Three wires to a host's own UART."""

    def __init__(self) -> None:
        tx, rx = UART_PINS
        self._uart = machine.UART(0, UART_BAUD, tx=machine.Pin(tx), rx=machine.Pin(rx), rxbuf=1024)

    def wait(self, ms: int) -> None:
        end = time.ticks_add(time.ticks_ms(), ms)  # type: ignore[attr-defined]  # MicroPython's own, as all ticks here
        while not self._uart.any() and time.ticks_diff(end, time.ticks_ms()) > 0:  # type: ignore[attr-defined]
            time.sleep_ms(1)  # type: ignore[attr-defined]

    def read(self) -> bytes:
        return (self._uart.read(256) or b"") if self._uart.any() else b""

    def write(self, data: bytes) -> None:
        self._uart.write(data)

    def claim(self, mine: bool) -> None:
        """The prompt is on USB, out of the way."""


class Board:
    """All of it. ``wire``: ``usb`` or ``uart``."""

    def __init__(self, wire: str = "usb") -> None:
        self.device: bytes = (machine.unique_id() + bytes(8))[:8]
        self._wire = Uart() if wire == "uart" else Usb()
        self._pin = machine.Pin(DATA_PIN, machine.Pin.OUT)
        self._lamps = 0
        self._ticks = time.ticks_ms()  # type: ignore[attr-defined]
        self._now = 0

    def now(self) -> int:
        """Milliseconds since the start. MicroPython's own count jumps back every few days; this one never does."""
        ticks = time.ticks_ms()  # type: ignore[attr-defined]
        self._now += time.ticks_diff(ticks, self._ticks)  # type: ignore[attr-defined]
        self._ticks = ticks
        return self._now

    def wait(self, ms: int) -> None:
        """At most this long, less when bytes arrive."""
        if ms > 0:
            self._wire.wait(ms)

    def read(self) -> bytes:
        """What has arrived; EOFError when nothing ever will (a simulator's host has gone)."""
        return self._wire.read()

    def write(self, data: bytes) -> None:
        self._wire.write(data)

    def claim(self, mine: bool) -> None:
        self._wire.claim(mine)

    def show(self, frame: bytes | bytearray) -> None:
        """Down the strip with it. Lamps that a shorter frame no longer reaches go dark."""
        lamps = len(frame) // 3
        out = frame + bytes(3 * (self._lamps - lamps)) if self._lamps > lamps else frame
        self._lamps = lamps
        machine.bitstream(self._pin, 0, WS2812_NS, out)
