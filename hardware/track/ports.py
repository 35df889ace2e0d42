"""Which ports might be the track: a short list, best first. A port's name never says what hangs on it; only the handshake does.

Here: choosing from what the system lists. Not here: opening them (``wire``), asking them (``strip``).
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from hardware.track.wire import Wire, open_serial

LOGGER = logging.getLogger(__name__)

PICO = 0x2E8A
"""Raspberry Pi."""
BOARDS = {0x2E8A, 0x303A, 0x239A, 0x1A86, 0x10C4, 0x0403, 0x2341, 0x067B}
"""Makers of boards that MicroPython runs on, and of the USB chips such boards carry."""
NEVER = {(0x2E8A, 0x000C), (0x1546, None)}
"""A debug probe, whose port belongs to somebody's debugger; satellite receivers."""
PLAUSIBLE = re.compile(r"(/dev/(ttyACM|ttyUSB|cu\.usbmodem|cu\.usbserial|cu\.wchusbserial|cu\.SLAB)|COM\d)")


class Listed(Protocol):
    """What pyserial knows of a port."""

    @property
    def device(self) -> str: ...
    @property
    def vid(self) -> int | None: ...
    @property
    def pid(self) -> int | None: ...
    @property
    def serial_number(self) -> str | None: ...
    @property
    def description(self) -> str | None: ...


@dataclass(frozen=True)
class Candidate:
    """A port worth asking."""

    path: str
    note: str = ""
    """What the system says it is."""
    expected: bool = False
    """Named by the user, or made by Raspberry Pi: worth a warning when it is not the track."""
    opener: Callable[[str], Wire] = field(default=open_serial, compare=False)

    def open(self) -> Wire:
        """Raises PortError."""
        return self.opener(self.path)


class Finder:
    """Call it for the candidates of this moment."""

    def __init__(
        self,
        path: str | None = None,
        *,
        block: Sequence[str] = (),
        claimed: Callable[[], Iterable[str]] = tuple,
        listed: Callable[[], Iterable[Listed]] | None = None,
        exists: Callable[[str], bool] = lambda p: sys.platform == "win32" or Path(p).exists(),
    ) -> None:
        """``path``: this port and no other. ``block``: ports never to touch, as a path, ``vid:pid`` in hex, or a USB
        serial number. ``claimed``: ports that other parts of the program use or will use (readers).
        """
        self.path = path
        self._block = {b.lower() for b in block}
        self._claimed = claimed
        self._listed = listed or _comports
        self._exists = exists

    def __call__(self) -> tuple[Candidate, ...]:
        if self.path is not None:
            return (Candidate(self.path, "as told", expected=True),) if self._exists(self.path) else ()
        taken = {str(Path(p).resolve()) for p in self._claimed()}
        chosen = [p for p in self._listed() if self._may(p) and str(Path(p.device).resolve()) not in taken]
        chosen.sort(key=lambda p: (p.vid != PICO, p.vid not in BOARDS, p.device))
        return tuple(Candidate(p.device, p.description or "", expected=p.vid == PICO) for p in chosen)

    def _may(self, p: Listed) -> bool:
        ids = f"{p.vid or 0:04x}:{p.pid or 0:04x}"
        if {p.device.lower(), ids, (p.serial_number or "-").lower()} & self._block:
            return False
        if (p.vid, p.pid) in NEVER or (p.vid, None) in NEVER:
            return False
        # A port without USB ids is a modem, a console or Bluetooth: such a one must be named by the user.
        return p.vid is not None and (p.vid in BOARDS or PLAUSIBLE.match(p.device) is not None)


def _comports() -> Iterable[Listed]:
    from serial.tools import list_ports  # noqa: PLC0415 - takes its time, and only a search needs it

    try:
        return list_ports.comports()
    except (OSError, ValueError) as error:
        LOGGER.debug("the system would not list its ports: %s", error)
        return ()
