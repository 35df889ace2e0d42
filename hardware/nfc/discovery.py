"""Where a reader may be: what `find` means, and which ports are plausible enough to be asked.

Only lists; nothing is opened here. A port's name is never a reader's identity: a reader bound to a place is
found by the socket it is plugged into or by its adapter's serial number.

    auto                     any USB reader or UART adapter that turns out to be one
    /dev/ttyUSB0, COM3       this port (also nfcpy's way: tty:USB0:pn532)
    usb, usb:054c:06c3       a USB reader, of this maker and model
    serial:A50285BI          the UART adapter with this serial number
    socket:1-1.4             whatever is plugged into this USB socket
"""

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from hardware.nfc.line import SAFE_NAME
from hardware.nfc.said import Said, said

# A PN532 board hangs on one of these bridges. A Pico, an Arduino, a modem or a GPS brings its own USB and is left alone.
UART_BRIDGES = frozenset({0x0403, 0x10C4, 0x1A86, 0x067B})  # FTDI, Silicon Labs, WCH, Prolific
_OTHERS = re.compile(r"zig.?bee|z-?wave|conbee|sonoff|gps|gnss|modem|thread|matter", re.IGNORECASE)


class Port(Protocol):
    """What pyserial tells about a port."""

    device: str
    vid: int | None
    description: str
    serial_number: str | None
    location: str | None


USB_MODELS = frozenset(
    {
        (0x04CC, 0x0531), (0x04CC, 0x2533), (0x04E6, 0x5591), (0x04E6, 0x5593), (0x054C, 0x0193), (0x054C, 0x02E1), (0x054C, 0x06C1),
        (0x054C, 0x06C3), (0x072F, 0x2200),
    }
)  # fmt: skip
"""Maker and model of the USB readers that nfcpy has a driver for, as it lists them itself: where none is plugged in, it need not be loaded."""

UsbReader = tuple[int, int, int, int]
"""Vendor, product, bus and address, as nfcpy lists them."""


class Candidate(msgspec.Struct, frozen=True):
    """A device worth asking."""

    device: str
    """A port, or `usb:bus:address`."""
    named: bool
    """The owner said it is this one: no need for shyness."""

    @property
    def usb(self) -> bool:
        return self.device.startswith("usb:")


class Find(msgspec.Struct, frozen=True):
    """Where to look: `kind` is auto, port, usb, serial or socket."""

    kind: str
    value: str = ""

    @classmethod
    def parse(cls, text: str) -> "Find":
        """Read a `find` as the owner writes it; ValueError says what is wrong."""
        kind, _, value = text.partition(":")
        if text == "auto":
            return cls("auto")
        if kind == "usb" and re.fullmatch(r"usb(:[0-9a-fA-F]{4}){0,2}", text):
            return cls("usb", value.lower())
        if kind in {"serial", "socket"} and value:
            return cls(kind, value)
        nfcpy = re.fullmatch(r"(tty|com):([A-Za-z0-9-]+)(:pn532)?", text)
        if nfcpy:
            return cls("port", nfcpy[2] if nfcpy[1] == "com" else f"/dev/tty{nfcpy[2]}")
        if text.startswith("/") or re.fullmatch(r"COM\d+", text):
            if not SAFE_NAME.fullmatch(text):
                raise ValueError(f"the port name {text!r} may hold only letters, digits and / . _ : + -")
            return cls("port", text)
        raise ValueError(
            f"{text!r} does not say where the reader is: write auto, a port such as /dev/ttyUSB0, usb, usb:VVVV:PPPP, serial:NUMBER or socket:1-1.4"
        )


class Search(msgspec.Struct, frozen=True):
    """What a look at the system found."""

    candidates: tuple[Candidate, ...]
    passed_over: tuple[Said, ...] = ()
    """What is there and was not taken, with the reason."""


def serial_ports() -> list[Port]:
    """The serial ports of this machine."""
    from serial.tools import list_ports  # noqa: PLC0415 - slow to import, and tests list their own

    return [*list_ports.comports()]


def usb_plugged(buses: Path = Path("/sys/bus")) -> set[tuple[int, int]] | None:
    """Maker and model of everything on the USB of this machine; None: the system does not say (it is no Linux)."""
    if not buses.is_dir():
        return None
    found: set[tuple[int, int]] = set()
    for device in buses.glob("usb/devices/*"):
        try:
            maker, model = (int((device / name).read_text(encoding="ascii"), 16) for name in ("idVendor", "idProduct"))
        except (OSError, ValueError):  # an interface, or just unplugged
            continue
        found.add((maker, model))
    return found


def usb_readers() -> list[UsbReader]:
    """USB readers that nfcpy has a driver for. OSError if libusb is missing."""
    plugged = usb_plugged()
    if plugged is not None and not plugged & USB_MODELS:
        return []
    import nfc.clf.device  # noqa: PLC0415 - nfcpy loads libusb bindings, needed only where USB readers are looked for
    import nfc.clf.transport  # noqa: PLC0415

    found: Iterable[UsbReader] = nfc.clf.transport.USB.find("usb") or ()
    return [reader for reader in found if reader[:2] in nfc.clf.device.usb_device_map]


def search(
    find: Find,
    *,
    block: Sequence[str] = (),
    ports: Callable[[], Sequence[Port]] = serial_ports,
    usb: Callable[[], Sequence[UsbReader]] = usb_readers,
    exists: Callable[[str], bool] = os.path.exists,
) -> Search:
    """Look once. `block` holds patterns of port names to leave alone (`/dev/ttyUSB1`, `/dev/ttyACM*`)."""
    if find.kind == "port":
        here = find.value.startswith("COM") or exists(find.value)
        return Search((Candidate(find.value, named=True),) if here else (), () if here else (said("absent", device=find.value),))
    candidates: list[Candidate] = []
    passed: list[Said] = []
    if find.kind in {"auto", "usb"}:
        try:
            candidates += [Candidate(f"usb:{bus:03}:{address:03}", named=True) for *model, bus, address in usb() if _is_model(find, model)]
        except (OSError, ImportError):  # libusb is loaded on first use
            if find.kind == "usb":
                passed.append(said("no_libusb"))
    if find.kind != "usb":
        for port in sorted(ports(), key=lambda port: (len(port.device), port.device)):
            if any(fnmatch.fnmatch(port.device, pattern) for pattern in block):
                passed.append(said("blocked", device=port.device))
            elif find.kind == "auto" and (port.vid not in UART_BRIDGES or _OTHERS.search(port.description or "")):
                passed.append(said("unlikely", device=port.device))
            elif find.kind == "auto" or find.value == (port.serial_number if find.kind == "serial" else port.location):
                candidates.append(Candidate(port.device, named=find.kind != "auto"))
    return Search(tuple(candidates), tuple(passed))


def _is_model(find: Find, model: Sequence[int]) -> bool:
    return [int(part, 16) for part in find.value.split(":") if part] == list(model)[: find.value.count(":") + bool(find.value)]
