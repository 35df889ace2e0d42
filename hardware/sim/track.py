"""A simulated LED track: the real firmware behind a serial port, and the strip it drives, to look at.

``TrackSim().path`` is a port pyserial opens; ``lamps()`` is what the eye would see. Faults on request. Run it alone with
``python -m hardware.sim.track``. Here: the port (a pty) and the strip. Not here: the process (``track_board``), the faults' arithmetic
(``track_line``), and anything the firmware does: those are the files that go onto a Pico.
"""

from __future__ import annotations

import argparse
import logging
import os
import queue
import select
import signal
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_proto import codec
from firmware_proto.codec import Ack, Picture, Pong
from firmware_proto.framing import Reader
from hardware.sim.lodging import Lodging
from hardware.sim.track_board import Board, fill_flash, find_interpreter
from hardware.sim.track_line import Line, Way

LOGGER = logging.getLogger(__name__)

DEVICE = bytes.fromhex("e66118604b2f5a2c")
"""The made-up unique id of a Pico."""
HUNG_UP = 0.03
"""s. How often a port that nobody has open is looked at: the kernel reports it as hung up all the time."""


class TrackSim:
    """Plugged in and running when made; ``close`` it, or use it in a ``with``."""

    def __init__(
        self, interpreter: str | None = None, *, lamps: int = 60, order: str = "grb", device: bytes = DEVICE, flash: Path | None = None
    ) -> None:
        """``interpreter``: a path, else the MicroPython that is installed, else this Python. ``lamps`` and ``order`` are
        the strip's own. ``flash``: a directory that outlives the simulator; else a new one.
        """
        self._found = find_interpreter(interpreter)
        self.interpreter = self._found.name
        """What runs the firmware; says so when it is not a real MicroPython."""
        self._lodging = Lodging("jinmaku-track-")
        self._home = self._lodging.path
        self.path = str(self._home / "ttyTRACK")
        """The port. It stays the same when the device is plugged in again; while it is unplugged there is none."""
        self.flash = flash or self._home / "flash"
        self.log: deque[str] = deque(maxlen=100)
        """What the firmware said on its error stream besides driving lamps: nothing, if all is well."""
        self._device = device
        self._order = order
        self._line = Line()
        self._changed = threading.Condition()
        self._lamps = [(0, 0, 0)] * lamps
        self._driven = 0
        self._picture: Picture | None = None
        self._known: dict[int, Picture] = {}
        self._orders: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._ear, self._mouth = os.pipe()
        self._open = True
        self._master = -1
        self._board: Board | None = None
        fill_flash(self.flash)
        self._plug()
        self._thread = threading.Thread(target=self._run, name="track-sim", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------------------------------------------------ to look at

    def lamps(self) -> list[tuple[int, int, int]]:
        """(r, g, b) of each lamp of the strip as it is driven now; an unpowered strip is dark."""
        with self._changed:
            return list(self._lamps)

    def picture(self) -> Picture | None:
        """The picture the firmware last said it shows; None: calm, or it has not said."""
        with self._changed:
            return self._picture

    @property
    def frames(self) -> int:
        """How often the strip was driven."""
        return self._driven

    @property
    def pid(self) -> int | None:
        """The firmware's process."""
        return self._board.pid if self._board else None

    def until(self, true: Callable[[TrackSim], object], seconds: float = 10.0) -> bool:
        """Wait until ``true(self)``; False when the time is over first."""
        end = time.monotonic() + seconds
        with self._changed:
            while not true(self):
                if time.monotonic() >= end:
                    return False
                self._changed.wait(0.05)
            return True

    # ---------------------------------------------------------------------------------------------------------- faults

    def drop_after(self, n: int, *, vanish: bool = False) -> None:
        """After ``n`` more bytes (both ways together) the line is dead; or the device is pulled out."""
        self._do(lambda: self._line.drop_after(n, vanish=vanish))

    def garble(self, rate: float, way: Way = "both") -> None:
        """Each byte has this chance of a flipped bit."""
        self._do(lambda: self._line.garble(rate, way))

    def duplicate(self, pieces: int, way: Way = "both") -> None:
        """The next pieces pass twice."""
        self._do(lambda: self._line.duplicate(pieces, way))

    def slow(self, seconds: float) -> None:
        """Each byte takes this long."""
        self._do(lambda: self._line.slow(seconds))

    def heal(self) -> None:
        """The line is well again."""
        self._do(self._line.heal)

    def inject(self, data: bytes, way: Way = "both") -> None:
        """Bytes that nobody sent: ``down`` into the device, ``up`` into the host."""

        def now() -> None:
            if way != "up":
                self._down(data)
            if way != "down":
                self._up(data)

        self._do(now)

    def reset(self) -> None:
        """The device starts again; its port stays (a board with its own USB chip, or a crash)."""

        def now() -> None:
            if self._board:
                self._board.off()
                self._power()

        self._do(now)

    def vanish(self) -> None:
        """Pulled out: no port, no power, no light. ``appear`` plugs it in again."""
        self._do(self._unplug)

    def appear(self) -> None:
        """Plugged in (again)."""
        self._do(self._plug)

    def freeze(self) -> None:
        """The firmware hangs until ``thaw`` or ``reset``."""
        self._do(lambda: self._board.signal(signal.SIGSTOP) if self._board else None)

    def thaw(self) -> None:
        """It goes on as if nothing had been."""
        self._do(lambda: self._board.signal(signal.SIGCONT) if self._board else None)

    def close(self) -> None:
        """Everything is gone: port, process, files. A second time does nothing."""
        if not self._open:
            return

        def now() -> None:
            self._unplug()
            self._open = False

        self._do(now)
        self._thread.join()
        os.close(self._ear)
        os.close(self._mouth)
        self._lodging.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # ------------------------------------------------------------------------- all below runs on the simulator's thread

    def _do(self, order: Callable[[], object]) -> None:
        """File descriptors are opened, used and closed by one thread only; others ask it, and wait until it is done."""
        if not self._open:
            raise ValueError("this simulated LED track is closed")
        done = threading.Event()

        def both() -> None:
            try:
                order()
            finally:
                done.set()

        self._orders.put(both)
        os.write(self._mouth, b"!")
        done.wait(10)

    def _plug(self) -> None:
        if self._master >= 0:
            return
        self._line.heal()
        self._master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        Path(self.path).symlink_to(os.ttyname(slave))
        os.close(slave)  # a port that is open here would look busy to whoever looks before opening
        self._deaf_until = 0.0
        self._power()

    def _power(self) -> None:
        self._board = Board(self._found, self.flash, self._device)
        self._from_host, self._from_device = Reader(), Reader()
        self._half = b""

    def _unplug(self) -> None:
        if self._board:
            self._board.off()
            self._board = None
        if self._master >= 0:
            Path(self.path).unlink(missing_ok=True)
            os.close(self._master)
            self._master = -1
        with self._changed:
            self._lamps = [(0, 0, 0)] * len(self._lamps)
            self._picture = None
            self._changed.notify_all()

    def _run(self) -> None:
        while self._open:
            board, now = self._board, time.monotonic()
            listen = [self._ear]
            if board:
                listen += [board.out, board.pin]
                if now >= self._deaf_until:
                    listen.append(self._master)
            ready, _, _ = select.select(listen, [], [], HUNG_UP)
            if self._ear in ready:
                os.read(self._ear, 1)
                self._orders.get()()
                continue  # it may have closed what else was ready
            if board and board.pin in ready:
                self._see(os.read(board.pin, 65536))
            if board and board.out in ready:
                self._up(self._line.passed(self._read(board.out), "up"))
            if board and self._master in ready:
                self._down(self._line.passed(self._read(self._master), "down"))
            if self._line.snapped:
                self._unplug()
            elif board and not board.running():
                self.log.append("the firmware's process ended")
                board.off()
                self._board = None

    def _read(self, fd: int) -> bytes:
        try:
            return os.read(fd, 4096)
        except OSError:  # nobody has the port open
            self._deaf_until = time.monotonic() + HUNG_UP
            return b""

    def _down(self, data: bytes) -> None:
        for payload in self._from_host.feed(data):
            message = codec.unpack(payload)
            if isinstance(message, Picture):
                self._known = {**dict(list(self._known.items())[-15:]), message.crc(): message}
        while data and self._board:
            try:
                data = data[os.write(self._board.into, data) :]
            except BlockingIOError:
                return  # frozen: a real UART loses bytes too
            except BrokenPipeError:
                return  # it has just ended

    def _up(self, data: bytes) -> None:
        for payload in self._from_device.feed(data):
            message = codec.unpack(payload)
            if isinstance(message, Ack | Pong):
                with self._changed:
                    self._picture = self._known.get(message.crc)
                    self._changed.notify_all()
        if time.monotonic() >= self._deaf_until and self._master >= 0:
            try:
                os.write(self._master, data)
            except OSError:  # full, because nobody reads it
                LOGGER.debug("the simulated strip's host does not read")

    def _see(self, data: bytes) -> None:
        *lines, self._half = (self._half + data).split(b"\n")
        for line in lines:
            word, _, rest = line.partition(b" ")
            if word == b"lamps":
                self._drive(bytes.fromhex(rest.decode()))
            else:
                self.log.append(line.decode(errors="replace"))

    def _drive(self, wire: bytes) -> None:
        """As WS2812 lamps do: each takes the first three bytes it sees and passes on the rest. Who gets none keeps its colour."""
        at = [self._order.index(c) for c in "rgb"]
        with self._changed:
            for i in range(min(len(self._lamps), len(wire) // 3)):
                r, g, b = (wire[3 * i + k] for k in at)
                self._lamps[i] = (r, g, b)
            self._driven += 1
            self._changed.notify_all()


def main(argv: list[str] | None = None) -> int:
    """Say where the port is, then the lamps whenever they have changed, once a second; until Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m hardware.sim.track", description="A simulated LED track on a serial port.")
    parser.add_argument("--interpreter", help="path of a MicroPython (default: the installed one)")
    parser.add_argument("--lamps", type=int, default=60)
    parser.add_argument("--for", dest="seconds", type=float, default=float("inf"), metavar="SECONDS")
    chosen = parser.parse_args(argv)
    with TrackSim(chosen.interpreter, lamps=chosen.lamps) as sim:
        print(f"port {sim.path}\nfirmware under {sim.interpreter}", flush=True)  # noqa: T201 - this is what the command is for
        end, last = time.monotonic() + chosen.seconds, [(0, 0, 0)]
        try:
            while time.monotonic() < end:
                sim.until(lambda _: False, min(1.0, max(0.0, end - time.monotonic())))
                if sim.lamps() != last:
                    last = sim.lamps()
                    print(" ".join("%02x%02x%02x" % lamp for lamp in last), flush=True)  # noqa: T201, UP031 - as above; the shortest way to say it
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
