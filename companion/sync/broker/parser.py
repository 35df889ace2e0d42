"""Bytes in any pieces in, whole and well-formed packets out (h11's way). No sockets, no sessions, no clock.

What cannot be read raises ``Malformed`` naming the fault; what is read needs no further checking by anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NoReturn

from companion.sync.broker.packets import (
    Acknowledgement,
    Connack,
    Connect,
    Disconnect,
    Foreign,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Pubcomp,
    Publish,
    Pubrec,
    Pubrel,
    Suback,
    Subscribe,
    Unsuback,
    Unsubscribe,
    Will,
)
from companion.sync.broker.topics import filter_fault, topic_fault

FILTERS: Final = 256
"""Most filters taken in one SUBSCRIBE or UNSUBSCRIBE: one packet must not hold everybody up."""


class Malformed(Exception):  # noqa: N818 -- it names what the bytes are
    """The bytes are not MQTT 3.1.1; the message is the fault in plain words. The connection cannot be read any further."""


_NAMES: Final = (
    "", "CONNECT", "CONNACK", "PUBLISH", "PUBACK", "PUBREC", "PUBREL", "PUBCOMP", "SUBSCRIBE", "SUBACK", "UNSUBSCRIBE", "UNSUBACK", "PINGREQ",
    "PINGRESP", "DISCONNECT",
)  # fmt: skip


class Parser:
    """Bytes in, packets out. Feed with ``receive``, then call ``next_packet`` until it gives None.

    ``limit`` is the longest body taken; it may be changed between packets and is judged as soon as a header has told the length, so
    nobody can make the parser hold more than that. After ``Malformed`` the parser stays at that fault.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._buffer = bytearray()
        self._fault = ""

    def receive(self, data: bytes) -> None:
        """Take more bytes; nothing is read yet."""
        if not self._fault:
            self._buffer += data

    def next_packet(self) -> Packet | None:
        """The next whole packet, or None when more bytes are needed."""
        if self._fault:
            raise Malformed(self._fault)
        if len(self._buffer) < 2:
            return None
        try:
            return self._next()
        except Malformed as fault:
            self._fault = str(fault)
            self._buffer.clear()
            raise

    def _next(self) -> Packet | None:
        buffer = self._buffer
        size = buffer[1]
        start = 2
        if size > 127:
            size &= 127
            while True:
                if start == 5:
                    raise Malformed("a length of more than four bytes")
                if start >= len(buffer):
                    return None
                size |= (buffer[start] & 127) << 7 * (start - 1)
                start += 1
                if buffer[start - 1] < 128:
                    break
        kind, flags = buffer[0] >> 4, buffer[0] & 15
        read = _READERS[kind]
        if read is None:
            raise Malformed(f"packet type {kind} does not exist")
        if flags != _FLAGS[kind] and kind != 3:
            raise Malformed(f"{_NAMES[kind]} with flags {flags}")
        if size > self.limit:
            raise Malformed(f"{_NAMES[kind]} of {size} bytes; at most {self.limit} are taken here")
        end = start + size
        if len(buffer) < end:
            return None
        body = bytes(memoryview(buffer)[start:end])
        del buffer[:end]
        return read(_NAMES[kind], flags, body)


class _Body:
    """Walks one packet's body; every fault says in which packet."""

    __slots__ = ("at", "data", "name")

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data, self.at = name, data, 0

    def fault(self, what: str) -> NoReturn:
        raise Malformed(f"{self.name}: {what}")

    @property
    def left(self) -> int:
        return len(self.data) - self.at

    def u8(self) -> int:
        if self.left < 1:
            self.fault("ends too early")
        self.at += 1
        return self.data[self.at - 1]

    def u16(self) -> int:
        if self.left < 2:
            self.fault("ends too early")
        self.at += 2
        return self.data[self.at - 2] << 8 | self.data[self.at - 1]

    def packet_id(self) -> int:
        number = self.u16()
        if not number:
            self.fault("packet id 0")
        return number

    def binary(self) -> bytes:
        size = self.u16()
        if self.left < size:
            self.fault("ends too early")
        self.at += size
        return self.data[self.at - size : self.at]

    def string(self) -> str:
        try:
            text = self.binary().decode()  # strict: surrogates and overlong forms fail, as 1.5.3-1 asks
        except UnicodeDecodeError:
            self.fault("text that is not UTF-8")
        if "\0" in text:
            self.fault("text with a null character")
        return text

    def topic(self) -> str:
        topic = self.string()
        if fault := topic_fault(topic):
            self.fault(fault)
        return topic

    def filter(self) -> str:
        topic_filter = self.string()
        if fault := filter_fault(topic_filter):
            self.fault(fault)
        return topic_filter

    def qos(self, number: int) -> int:
        if number > 2:
            self.fault(f"QoS {number}")
        return number

    def end(self) -> None:
        if self.left:
            self.fault(f"{self.left} bytes too many")


def _connect(name: str, _flags: int, data: bytes) -> Connect | Foreign:
    body = _Body(name, data)
    protocol = body.string()
    level = body.u8()
    if protocol == "MQIsdp" or (protocol == "MQTT" and level != 4):
        return Foreign(level)
    if protocol != "MQTT":
        body.fault(f"protocol {protocol[:20]!r} instead of MQTT")
    flags = body.u8()
    keepalive = body.u16()
    client_id = body.string()
    if flags & 1:
        body.fault("the reserved flag is set")
    will = None
    if flags & 4:
        topic = body.topic()
        will = Will(topic, body.binary(), body.qos(flags >> 3 & 3), bool(flags & 32))
    elif flags & 0x38:
        body.fault("will flags without a will")
    if flags & 64 and not flags & 128:
        body.fault("a password without a user name")
    user = body.string() if flags & 128 else None
    password = body.binary() if flags & 64 else None
    body.end()
    return Connect(client_id, bool(flags & 2), keepalive, user, password, will)


def _connack(name: str, _flags: int, data: bytes) -> Connack:
    body = _Body(name, data)
    present, code = body.u8(), body.u8()
    body.end()
    if present > 1 or code > 5:
        body.fault("a reserved value")
    return Connack(code, bool(present))


def _publish(name: str, flags: int, data: bytes) -> Publish:
    body = _Body(name, data)
    qos = body.qos(flags >> 1 & 3)
    dup = flags > 7
    if dup and not qos:
        body.fault("marked as repeated at QoS 0")
    topic = body.topic()
    packet_id = body.packet_id() if qos else 0
    return Publish(topic, data[body.at :], qos, bool(flags & 1), dup, packet_id)


def _acknowledgement(make: Callable[[int], Acknowledgement]) -> Callable[[str, int, bytes], Packet]:
    def read(name: str, _flags: int, data: bytes) -> Packet:
        if len(data) != 2:
            _Body(name, data).fault("ends too early" if len(data) < 2 else f"{len(data) - 2} bytes too many")
        number = data[0] << 8 | data[1]
        if not number:
            _Body(name, data).fault("packet id 0")
        return make(number)

    return read


def _bare(packet: Pingreq | Pingresp | Disconnect) -> Callable[[str, int, bytes], Packet]:
    def read(name: str, _flags: int, data: bytes) -> Packet:
        _Body(name, data).end()
        return packet

    return read


def _subscribe(name: str, _flags: int, data: bytes) -> Subscribe:
    body = _Body(name, data)
    number = body.packet_id()
    filters: list[tuple[str, int]] = []
    while body.left:
        filters.append((body.filter(), body.qos(body.u8())))
        _count(body, len(filters))
    _count(body, len(filters))
    return Subscribe(number, tuple(filters))


def _unsubscribe(name: str, _flags: int, data: bytes) -> Unsubscribe:
    body = _Body(name, data)
    number = body.packet_id()
    filters: list[str] = []
    while body.left:
        filters.append(body.filter())
        _count(body, len(filters))
    _count(body, len(filters))
    return Unsubscribe(number, tuple(filters))


def _count(body: _Body, number: int) -> None:
    if not number:
        body.fault("names no filter")
    if number > FILTERS:
        body.fault(f"more than {FILTERS} filters at once")


def _suback(name: str, _flags: int, data: bytes) -> Suback:
    body = _Body(name, data)
    number = body.packet_id()
    codes = tuple(data[2:])
    if not codes or not set(codes) <= {0, 1, 2, 0x80}:
        body.fault("a reserved value")
    return Suback(number, codes)


_READERS: Final[tuple[Callable[[str, int, bytes], Packet] | None, ...]] = (
    None, _connect, _connack, _publish, _acknowledgement(Puback), _acknowledgement(Pubrec), _acknowledgement(Pubrel), _acknowledgement(Pubcomp),
    _subscribe, _suback, _unsubscribe, _acknowledgement(Unsuback), _bare(Pingreq()), _bare(Pingresp()), _bare(Disconnect()), None,
)  # fmt: skip
_FLAGS: Final = (0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 2, 0, 0, 0, 0, 0)
