"""Our own addresses on the local network, the likeliest first.

Here: asking the system, with the standard library only, and ordering. Not here: what is done with them (``join``). Nothing is sent:
connecting a UDP socket only asks the routing table.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import struct
from collections.abc import Callable, Iterable
from typing import Final

LOOPBACK: Final = "127.0.0.1"
_ELSEWHERE: Final = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
"""A documentation address (takes the default route) and one of each private range (where there is no way out)."""
_VIRTUAL: Final = (
    "docker",
    "br-",
    "veth",
    "virbr",
    "vbox",
    "vmnet",
    "vmware",
    "tun",
    "tap",
    "wg",
    "tailscale",
    "zt",
    "utun",
    "lxc",
    "podman",
)
_SIOCGIFADDR: Final = 0x8915

Found = tuple[str, str]
"""Interface name ("" for unknown) and IPv4 address."""


def routed() -> list[Found]:
    """The addresses this computer would be seen from."""
    out = []
    for there in _ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((there, 9))
            out.append(("", str(probe.getsockname()[0])))
    return out


def interfaces() -> list[Found]:
    """Every interface's address, where the system tells (Linux)."""
    try:
        import fcntl  # noqa: PLC0415 - not on Windows
    except ImportError:
        return []
    out = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # an interface without an address, or another system's number for the question
                answer = fcntl.ioctl(probe.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                out.append((name, socket.inet_ntoa(answer[20:24])))
    return out


def named() -> list[Found]:
    """What this computer's own name leads to: all there is on other systems."""
    with contextlib.suppress(OSError):
        return [("", str(info[4][0])) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return []


SOURCES: Final[tuple[Callable[[], Iterable[Found]], ...]] = (routed, interfaces, named)


def addresses(sources: Iterable[Callable[[], Iterable[Found]]] = SOURCES) -> list[str]:
    """IPv4 addresses a phone may reach us at, each once, likeliest first: of the routed ones private before public, then other
    interfaces, then virtual ones, link-local ones, and loopback last (always there, for a browser on this computer).
    """
    rank: dict[str, tuple[int, int]] = {}
    virtual: set[str] = set()
    order = 0
    for source in sources:
        for name, address in source():
            if name.startswith(_VIRTUAL):
                virtual.add(address)
            order += 1
            rank.setdefault(address, (_kind(address), order))
    usable = [address for address, (kind, _) in rank.items() if kind < _NEVER]
    usable.sort(key=lambda address: (address in virtual, *rank[address]))
    usable.sort(key=lambda address: rank[address][0] >= _LOCAL)
    return [*(address for address in usable if address != LOOPBACK), LOOPBACK]


_PRIVATE, _PUBLIC, _LOCAL, _NEVER = range(4)


def _kind(address: str) -> int:
    try:
        ip = ipaddress.IPv4Address(address)
    except ValueError:
        return _NEVER
    if ip.is_loopback or ip.is_unspecified or ip.is_multicast or ip.is_reserved:
        return _NEVER
    if ip.is_link_local:
        return _LOCAL
    return _PRIVATE if ip.is_private else _PUBLIC
