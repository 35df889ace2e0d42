"""Why a port cannot be used, and the one command that mends it on this system.

Reads the file system (who may open a device, who has it open); changes nothing.
"""

import contextlib
import errno
import os
import re
import stat
from pathlib import Path

import msgspec

from hardware.nfc.said import Said, said

try:
    import grp
    import pwd
except ImportError:  # pragma: no cover - not a POSIX system
    grp = pwd = None  # type: ignore[assignment]

_GONE = {errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.EIO, errno.EBADF}
_BUSY = {errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK}
_KERNEL_DRIVERS = ("pn533_usb", "port100", "pn533_uart")
USB_NODE = re.compile(r"^usb:(\d{3}):(\d{3})$")


class Holder(msgspec.Struct, frozen=True):
    """A process that has a device open."""

    pid: int
    name: str

    def __str__(self) -> str:
        return f"{self.name} (process {self.pid})"


class FrontError(Exception):
    """A reader could not be opened, or failed: `said` tells people, `fatal` that trying on is useless."""

    def __init__(self, why: Said, *, fatal: bool = False) -> None:
        super().__init__(why.text)
        self.said, self.fatal = why, fatal


def node(device: str) -> str:
    """The file behind a device as we name it (`usb:001:023` is /dev/bus/usb/001/023)."""
    usb = USB_NODE.match(device)
    return f"/dev/bus/usb/{usb[1]}/{usb[2]}" if usb else device


def holders(device: str, proc: Path = Path("/proc")) -> tuple[Holder, ...]:
    """Other processes that have the device open, as far as the system lets us see."""
    wanted = os.path.realpath(node(device))
    found = []
    for entry in proc.iterdir() if proc.is_dir() else ():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if _open_in(entry, wanted):
                found.append(Holder(int(entry.name), (entry / "comm").read_text("utf-8", "replace").strip() or "?"))
        except OSError:  # not ours to look into, or ended meanwhile
            continue
    return tuple(sorted(found, key=lambda holder: holder.pid))


def _open_in(process: Path, file: str) -> bool:
    return any(str(link.readlink()) == file for link in (process / "fd").iterdir())


def denied(device: str) -> Said:
    """No permission: the command that gives it, for the group that owns this device."""
    if USB_NODE.match(device):
        rule = 'SUBSYSTEM==\\"usb\\", ENV{DEVTYPE}==\\"usb_device\\", MODE=\\"0660\\", TAG+=\\"uaccess\\"'
        command = f'echo "{rule}" | sudo tee /etc/udev/rules.d/70-jinmaku-nfc.rules && sudo udevadm control --reload'
        return said("denied_usb", device=device, command=command)
    try:
        about = Path(device).stat()
        group = grp.getgrgid(about.st_gid)
        user = pwd.getpwuid(os.getuid()).pw_name
    except (OSError, KeyError, AttributeError):
        return said("denied_here", device=device, command=f"sudo chmod a+rw {device}")
    shared = about.st_mode & stat.S_IRGRP and about.st_mode & stat.S_IWGRP
    if not shared or group.gr_gid == 0:
        return said("denied_here", device=device, command=f"sudo chmod a+rw {device}")
    if user in group.gr_mem and group.gr_gid not in os.getgroups():
        return said("denied_session", device=device, user=user, group=group.gr_name)
    return said("denied", device=device, command=f"sudo usermod -aG {group.gr_name} {user}")


def busy(device: str, proc: Path = Path("/proc"), modules: Path = Path("/sys/module")) -> Said:
    """Somebody else has it: who, and how to end that."""
    found = holders(device, proc)
    for holder in found:
        if holder.name == "pcscd":
            return said("busy_pcscd", device=device, pid=holder.pid)
    if found:
        return said("busy", device=device, holder=", ".join(map(str, found)))
    with contextlib.suppress(OSError):
        if _open_in(proc / str(os.getpid()), os.path.realpath(node(device))):
            return said("held", device=device, holder="another device of this table")
    for module in _KERNEL_DRIVERS:
        if (modules / module).exists():
            return said("busy_kernel", device=device, module=module)
    return said("busy_unknown", device=node(device))


def explain(error: BaseException, device: str) -> FrontError:
    """Any failure of a reader as one sentence."""
    if isinstance(error, FrontError):
        return error
    code = error.errno if isinstance(error, OSError) else None
    if code in {errno.EACCES, errno.EPERM}:
        return FrontError(denied(device), fatal=True)
    if code in _BUSY:
        return FrontError(busy(device), fatal=True)
    if code in _GONE:
        return FrontError(said("lost", device=device), fatal=code != errno.EIO)
    if code == errno.ETIMEDOUT:
        return FrontError(said("silent", device=device))
    return FrontError(said("failed", device=device, error=str(error) or type(error).__name__))
