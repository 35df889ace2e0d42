"""One open serial port, as little of it as the track needs.

Here: opening it without disturbing what hangs on it, reading with a limit, and why it would not open, in words that help.
Not here: which ports to try (``ports``), what the bytes mean (``talk``).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

import serial

BAUD = 115200
OURSELVES = "another part of this program"


class Wire(Protocol):
    """Raises OSError when the device is gone."""

    def read(self, seconds: float) -> bytes:
        """What has arrived, at the latest after ``seconds``; then perhaps nothing."""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class PortError(OSError):
    """A port that cannot be used. ``kind``: permission | busy | ours | gone | other. The text says what to do."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class SerialWire:
    """A port opened by pyserial."""

    def __init__(self, path: str) -> None:
        """Raises what pyserial raises; see ``trouble``."""
        port = serial.Serial(exclusive=True if os.name == "posix" else None)
        port.port, port.baudrate, port.timeout, port.write_timeout = path, BAUD, 0.05, 1.0
        # Both lines up, and before it is open: a Pico is silent until DTR is up, and the circuit that resets an ESP32 wants the
        # two to differ. A board that resets all the same is waited for: the hello is repeated.
        port.dtr = port.rts = True
        port.open()
        self._port = port

    def read(self, seconds: float) -> bytes:
        end = time.monotonic() + seconds
        while True:
            data = bytes(self._port.read(max(1, self._port.in_waiting)))
            if data or time.monotonic() >= end:
                return data

    def write(self, data: bytes) -> None:
        self._port.write(data)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # it is gone; that is why it is being closed
            self._port.close()


def open_serial(path: str) -> Wire:
    """Raises PortError."""
    user = holder(path)
    if user:
        raise PortError("ours" if user == OURSELVES else "busy", f"{path} is in use by {user}; close that, or name another port")
    try:
        return SerialWire(path)
    except Exception as error:  # pyserial lets termios.error through, which is no OSError and not on every system
        raise trouble(path, error) from error


def trouble(path: str, error: Exception) -> PortError:
    """What pyserial said, as a sentence with the fix."""
    number = getattr(error, "errno", None)
    if number is None and "PermissionError" in str(error):
        number = errno.EACCES  # Windows' half of pyserial puts the cause into the text only
    if number in {errno.EACCES, errno.EPERM}:
        return PortError("permission", permission(path))
    if number in {errno.EBUSY, errno.EAGAIN}:
        return PortError("busy", f"{path} is in use by another program; close that, or name another port")
    if number in {errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO}:
        return PortError("gone", f"{path} is not there any more")
    return PortError("other", f"{path} would not open ({error})")


class Person(NamedTuple):
    """Who this program runs as."""

    name: str
    groups: Collection[int]
    """Groups of this process."""
    listed: Collection[int]
    """Groups the system lists for this user; a new one counts from the next log-in on."""


def whoami() -> Person:
    import grp  # noqa: PLC0415 - not on Windows
    import pwd  # noqa: PLC0415 - not on Windows

    me = pwd.getpwuid(os.getuid())
    listed = {g.gr_gid for g in grp.getgrall() if me.pw_name in g.gr_mem} | {me.pw_gid}
    return Person(me.pw_name, {*os.getgroups(), os.getegid()}, listed)


def _group_name(gid: int) -> str:
    import grp  # noqa: PLC0415 - not on Windows

    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return str(gid)


def permission(
    path: str,
    platform: str = sys.platform,
    who: Callable[[], Person] = whoami,
    look: Callable[[str], os.stat_result] = os.stat,
    group: Callable[[int], str] = _group_name,
) -> str:
    """The sentence for a port this user may not open, with the one command that changes it on this system."""
    if platform == "win32":
        return f"Windows gives {path} to one program at a time: close the other one (a serial monitor, Thonny)"
    if platform == "darwin":
        return f"no permission for {path}: run  sudo chmod a+rw {path}"
    try:
        about = look(path)
    except OSError:
        return f"no permission for {path}, and it cannot even be looked at: run  sudo chmod a+rw {path}"
    me = who()
    if not (stat.S_IMODE(about.st_mode) & 0o060 == 0o060 and about.st_gid):
        rule = 'SUBSYSTEM=="tty", ATTRS{idVendor}=="2e8a", TAG+="uaccess"'
        return (
            f"no permission for {path}, and no group has it: run  echo '{rule}' | sudo tee /etc/udev/rules.d/60-jinmaku.rules"
            " && sudo udevadm control --reload && sudo udevadm trigger  and plug the device in again"
        )
    if about.st_gid in me.listed and about.st_gid not in me.groups:
        return f"no permission for {path} yet: {me.name} is in group {group(about.st_gid)}, which counts after logging out and in again"
    return f"no permission for {path}: run  sudo usermod -aG {group(about.st_gid)} {me.name}  then log out and in again"


def holder(path: str, proc: Path = Path("/proc"), me: int | None = None) -> str | None:
    """Who has this port open, as far as this user may see it: ``ModemManager (process 812)``. None: nobody, or no telling."""
    target = os.path.realpath(path)
    for process in _directories(proc):
        if not process.name.isdigit():
            continue
        for fd in _directories(process / "fd"):
            try:
                if str(fd.readlink()) != target:
                    continue
                name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
            except OSError:
                continue  # it ended while we looked
            if int(process.name) == (os.getpid() if me is None else me):
                return OURSELVES
            return f"{name} (process {process.name})"
    return None


def _directories(path: Path) -> Iterable[Path]:
    try:
        return sorted(path.iterdir())
    except OSError:
        return ()
