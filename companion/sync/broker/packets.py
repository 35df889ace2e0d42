"""MQTT 3.1.1 control packets as values, and the bytes that say them. No sockets, no sessions, no clock; reading is ``parser``'s.

Both directions are here, so a test can speak as a client with the same codec. Section numbers are those of the OASIS
standard MQTT 3.1.1.
"""

from __future__ import annotations

from struct import Struct as Layout
from typing import Final

from msgspec import Struct

_U16 = Layout("!H")


class Will(Struct, frozen=True):
    """What the broker publishes for a client that goes without saying goodbye."""

    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False


class Connect(Struct, frozen=True):
    client_id: str
    clean: bool = True
    keepalive: int = 0
    """Seconds; 0 means the client promises nothing."""
    user: str | None = None
    password: bytes | None = None
    will: Will | None = None


class Foreign(Struct, frozen=True):
    """A CONNECT of another protocol version (5, or 3.1): recognised so that it can be refused politely, read no further."""

    level: int


class Connack(Struct, frozen=True):
    code: int = 0
    present: bool = False


class Publish(Struct, frozen=True):
    topic: str
    payload: bytes
    qos: int = 0
    retain: bool = False
    dup: bool = False
    packet_id: int = 0
    """1..65535 for QoS 1 and 2, else 0."""


class Puback(Struct, frozen=True):
    packet_id: int


class Pubrec(Struct, frozen=True):
    packet_id: int


class Pubrel(Struct, frozen=True):
    packet_id: int


class Pubcomp(Struct, frozen=True):
    packet_id: int


class Subscribe(Struct, frozen=True):
    packet_id: int
    filters: tuple[tuple[str, int], ...]


class Suback(Struct, frozen=True):
    packet_id: int
    codes: tuple[int, ...]


class Unsubscribe(Struct, frozen=True):
    packet_id: int
    filters: tuple[str, ...]


class Unsuback(Struct, frozen=True):
    packet_id: int


class Pingreq(Struct, frozen=True):
    pass


class Pingresp(Struct, frozen=True):
    pass


class Disconnect(Struct, frozen=True):
    pass


Acknowledgement = Puback | Pubrec | Pubrel | Pubcomp | Unsuback
Packet = Connect | Foreign | Connack | Publish | Acknowledgement | Subscribe | Suback | Unsubscribe | Pingreq | Pingresp | Disconnect


def length(n: int) -> bytes:
    """2.2.3: the remaining length, seven bits a byte."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def string(text: str) -> bytes:
    """1.5.3: UTF-8 after its own length."""
    return _binary(text.encode())


def publish_frame(topic: bytes, payload: bytes, *, qos: int, retain: bool, dup: bool = False, packet_id: int = 0) -> bytes:
    """A PUBLISH whose ``topic`` is already a ``string``: the fan-out encodes the topic once for everybody."""
    head = 0x30 | dup << 3 | qos << 1 | retain
    if not qos:
        return b"".join((bytes((head,)), length(len(topic) + len(payload)), topic, payload))
    return b"".join((bytes((head,)), length(len(topic) + 2 + len(payload)), topic, _U16.pack(packet_id), payload))


def encode(packet: Packet) -> bytes:
    """The packet's bytes. ``Foreign`` has none: nobody here speaks other versions."""
    match packet:
        case Publish():
            return publish_frame(
                string(packet.topic), packet.payload, qos=packet.qos, retain=packet.retain, dup=packet.dup, packet_id=packet.packet_id
            )
        case Connack():
            return bytes((0x20, 2, packet.present, packet.code))
        case Puback() | Pubrec() | Pubrel() | Pubcomp() | Unsuback():
            return _HEADS[type(packet)] + _U16.pack(packet.packet_id)
        case Suback():
            return _frame(0x90, _U16.pack(packet.packet_id) + bytes(packet.codes))
        case Subscribe():
            return _frame(0x82, _U16.pack(packet.packet_id) + b"".join(string(f) + bytes((qos,)) for f, qos in packet.filters))
        case Unsubscribe():
            return _frame(0xA2, _U16.pack(packet.packet_id) + b"".join(map(string, packet.filters)))
        case Pingreq():
            return b"\xc0\x00"
        case Pingresp():
            return b"\xd0\x00"
        case Disconnect():
            return b"\xe0\x00"
        case Connect():
            return _encode_connect(packet)
        case _:
            raise ValueError("a CONNECT of another protocol version cannot be encoded")


_HEADS: Final[dict[type[Acknowledgement], bytes]] = {
    Puback: b"\x40\x02",
    Pubrec: b"\x50\x02",
    Pubrel: b"\x62\x02",
    Pubcomp: b"\x70\x02",
    Unsuback: b"\xb0\x02",
}


def _binary(data: bytes) -> bytes:
    return _U16.pack(len(data)) + data


def _frame(head: int, body: bytes) -> bytes:
    return bytes((head,)) + length(len(body)) + body


def _encode_connect(packet: Connect) -> bytes:
    flags = packet.clean << 1
    parts = [string(packet.client_id)]
    if packet.will is not None:
        flags |= 4 | packet.will.qos << 3 | packet.will.retain << 5
        parts += [string(packet.will.topic), _binary(packet.will.payload)]
    if packet.user is not None:
        flags |= 128
        parts.append(string(packet.user))
    if packet.password is not None:
        flags |= 64
        parts.append(_binary(packet.password))
    return _frame(0x10, string("MQTT") + bytes((4, flags)) + _U16.pack(packet.keepalive) + b"".join(parts))
