"""A PN532 reader on a pseudo-terminal: nfcpy's own serial driver opens it and finds the tags laid on it.

Here live the port, the thread and the scripted faults; bytes are understood in `pn532_wire`, commands in
`pn532_chip`. Runnable: `python -m hardware.sim.pn532` prints its path and obeys lines on standard input.

The port is a symbolic link that keeps its name when the simulated cable is pulled and put back. The speed the host
has set is compared with the chip's: at the wrong speed nothing is understood, as on a real wire. So a host that dies
without saying good-bye leaves the chip at 921,600 baud, as a real one does.
"""

import contextlib
import os
import pty
import select
import termios
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self

from hardware.sim import pn532_wire as wire
from hardware.sim.antenna import Antenna
from hardware.sim.lodging import Lodging
from hardware.sim.pn532_chip import Chip
from hardware.sim.tags import Phone, Tag, tag_of

_SPEEDS = {getattr(termios, f"B{speed}"): speed for speed in (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)}
_NAP = 0.05
_STALE = 0.2  # half a frame older than this is given up
_WAKE_BYTES = 3  # a sleeping chip misses these while its clock starts


class PN532Sim:
    """A simulated reader, alive from construction until `close`.

    `path` is what a host opens. With `link` the port gets that name (the file must not exist), else one in a new
    temporary directory. `real_time` adds the time that bytes take on the wire and frames in the air.
    """

    def __init__(
        self, *, link: str | os.PathLike[str] | None = None, real_time: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._lodging = Lodging("jinmaku-pn532-") if link is None else None
        self.path: str = str(self._lodging.path / "ttyPN532") if self._lodging is not None else str(link)
        if os.path.lexists(self.path):
            raise FileExistsError(f"{self.path} is there already: name a port that does not exist yet")
        self.real_time = real_time
        self.silent = False
        """A chip that hears and never answers."""
        self.plugs = 0
        """How often the cable was plugged in."""
        self.log: deque[tuple[int, bytes]] = deque(maxlen=10_000)
        """Commands served, newest last."""
        self._clock = clock
        self._antenna = Antenna(clock)
        self._chip = Chip(self._antenna)
        self._decoder = wire.Decoder()
        self._shelf: dict[str, Tag] = {}
        self._lock = threading.RLock()
        self._closing = threading.Event()
        self._master: int | None = None
        self._slave = -1
        self._budget: int | None = None
        self._back: float | None = None
        self._back_at: float | None = None
        self._garble = self._lost_acks = self._deaf_bytes = 0
        self._last = b""
        self._heard_at = 0.0
        self._plug()
        self._thread = threading.Thread(target=self._run, name="pn532-sim", daemon=True)
        self._thread.start()

    # -- hands

    def tag(self, tag: Tag | str) -> Tag:
        """The tag itself, or the one of that UID: made on first use and kept, memory and all."""
        made = tag if isinstance(tag, Tag) else tag_of(tag)
        return self._shelf.setdefault("phone" if isinstance(made, Phone) else made.name, made)

    def put(self, tag: Tag | str, *, after: float = 0.0, seconds: float | None = None) -> Tag:
        """Lay a tag (or the tag of a UID) on the reader, `after` seconds from now, for `seconds` (None: until taken)."""
        with self._lock:
            laid = self.tag(tag)
            self._antenna.put(laid, after=after, seconds=seconds)
            return laid

    def take(self, tag: Tag | str) -> bool:
        """Lift a tag; False if it did not lie here."""
        with self._lock:
            return self._antenna.take(self.tag(tag))

    def tap(self, tag: Tag | str, seconds: float = 0.4) -> Tag:
        """Lay a tag down and lift it after `seconds`; returns at once."""
        return self.put(tag, seconds=seconds)

    def slide(self, tag: Tag | str, to: "PN532Sim", seconds: float = 0.2) -> None:
        """Move a tag to another reader: `seconds` between the two fields; below zero both see it that long."""
        moving = self.tag(tag)
        if seconds < 0:
            self.put(moving, seconds=-seconds)
        else:
            self.take(moving)
        to.put(moving, after=max(0.0, seconds))

    def lying(self) -> tuple[str, ...]:
        """UIDs of what lies here now."""
        with self._lock:
            return tuple(tag.name for tag in self._antenna.tags())

    # -- faults

    def weaken(self, tag: Tag | str, miss: int, of: int) -> None:
        """Weak coupling: the tag misses the first `miss` of every `of` senses (0 heals it)."""
        with self._lock:
            self._antenna.weaken(self.tag(tag), miss, of)

    def kill_field(self, dead: bool = True) -> None:
        """The coil no longer reaches any tag."""
        with self._lock:
            self._antenna.dead = dead

    def refuse(self, count: int) -> None:
        """The next `count` commands to tags are answered by a NAK."""
        with self._lock:
            self._chip.naks = count

    def garble(self, count: int) -> None:
        """The next `count` answers carry one wrong byte."""
        with self._lock:
            self._garble = count

    def lose_acks(self, count: int) -> None:
        """The next `count` acknowledgements never arrive."""
        with self._lock:
            self._lost_acks = count

    def say(self, data: bytes) -> None:
        """Send bytes nobody asked for."""
        with self._lock:
            self._send(data)

    def vanish(self, *, after: int = 0, back: float | None = None) -> None:
        """Pull the cable after `after` more bytes in either direction; with `back`, plug it in again that much later.

        On a cable that is out already this counts from when it is back.
        """
        with self._lock:
            self._budget, self._back = after, back
            if after == 0:
                self._unplug()

    def come_back(self) -> None:
        """Plug the cable in again: a freshly powered chip under the old name."""
        with self._lock:
            self._back_at = None
            if self._master is None:
                self._chip.power_up()
                self._decoder.idle()
                self._plug()

    @property
    def plugged(self) -> bool:
        """Whether the port is there."""
        return self._master is not None

    def close(self) -> None:
        """End the simulation and remove the port."""
        self._closing.set()
        self._thread.join(5)
        with self._lock:
            self._unplug()
            if self._lodging is not None:
                self._lodging.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # -- port

    def _plug(self) -> None:
        self._master, self._slave = pty.openpty()
        for end in (self._master, self._slave):
            tty.setraw(end)
        os.set_blocking(self._master, False)  # a wire does not wait for who listens
        link = Path(self.path)
        fresh = link.with_name(link.name + ".new")
        fresh.symlink_to(os.ttyname(self._slave))
        fresh.rename(link)
        self.plugs += 1

    def _unplug(self) -> None:
        self._budget = None
        if self._master is None:
            return
        Path(self.path).unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = None
        if self._back is not None:
            self._back_at, self._back = self._clock() + self._back, None

    def _run(self) -> None:
        while not self._closing.is_set():
            with self._lock:
                if self._master is None and self._back_at is not None and self._clock() >= self._back_at:
                    self.come_back()
                master = self._master
            if master is None:
                self._closing.wait(0.01)
                continue
            # select outside the lock, so that hands are free; the port may be gone afterwards
            with contextlib.suppress(OSError, ValueError):
                select.select([master], [], [], _NAP)
            with self._lock:
                if self._master == master:
                    self._listen(master)

    def _listen(self, master: int) -> None:
        most = 4096 if self._budget is None else max(1, min(4096, self._budget))
        try:
            data = os.read(master, most)
        except OSError:  # nothing there, or the last host has closed
            data = b""
        if not data:
            if self._decoder.waiting and self._clock() - self._heard_at > _STALE:
                self._decoder.idle()
            return
        self._heard_at = self._clock()
        if not self._spend(len(data)):
            return
        host = _SPEEDS.get(termios.tcgetattr(master)[4])
        if self._chip.next_speed is not None and host == self._chip.next_speed:
            self._chip.confirm_speed()
        if host != self._chip.speed and self._chip.next_speed is None:
            return  # wrong speed: noise
        if self._chip.asleep:
            self._chip.asleep, self._deaf_bytes = False, _WAKE_BYTES
        deaf, self._deaf_bytes = data[: self._deaf_bytes], max(0, self._deaf_bytes - len(data))
        self._wire_time(len(data))
        for frame in self._decoder.feed(data[len(deaf) :]):
            self._obey(frame)

    def _spend(self, count: int) -> bool:
        """Count bytes against a scripted `vanish`; False once the cable is out."""
        if self._budget is not None:
            self._budget -= count
            if self._budget <= 0:
                self._unplug()
        return self._master is not None

    def _obey(self, frame: wire.Frame) -> None:
        if isinstance(frame, wire.Ack):
            self._chip.confirm_speed()
        elif isinstance(frame, wire.Nack):
            self._send(self._last)
        else:
            self.log.append((frame.code, frame.data))
            if self.silent:
                return
            if self._lost_acks:
                self._lost_acks -= 1
            else:
                self._send(wire.ACK)
            data = self._chip.command(frame.code, frame.data)
            if self.real_time:
                time.sleep(self._chip.air)
            self._chip.air = 0.0
            self._last = wire.SYNTAX_ERROR if data is None else wire.answer(frame.code, data)
            self._send(self._spoilt(self._last))

    def _spoilt(self, data: bytes) -> bytes:
        if not self._garble:
            return data
        self._garble -= 1
        at = len(data) // 2
        return data[:at] + bytes((data[at] ^ 0x5A,)) + data[at + 1 :]

    def _send(self, data: bytes) -> None:
        if self._budget is not None:
            data = data[: self._budget]
        if self._master is None:
            return
        self._wire_time(len(data))
        with contextlib.suppress(BlockingIOError):
            os.write(self._master, data)
        self._spend(len(data))

    def _wire_time(self, count: int) -> None:
        if self.real_time:
            time.sleep(count * 10 / self._chip.speed)


if __name__ == "__main__":
    from hardware.sim.pn532_console import main

    raise SystemExit(main())
