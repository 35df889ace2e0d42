"""What the broker's tests speak with: a clock to turn, a wire that remembers, clients that talk packets."""

from __future__ import annotations

import http.client
import socket
import time
from collections.abc import Callable

from companion.sync.broker import Broker, Limits
from companion.sync.broker.packets import Connack, Connect, Packet, Publish, Suback, Subscribe, Will, encode
from companion.sync.broker.parser import Parser
from companion.sync.broker.topics import covers
from companion.sync.server import Server

PASSWORDS = {"table": b"t", "koi": b"k", "lotus": b"l", "ghost": b"g"}
SUB = {"table": ("game/#",), "koi": ("game/open/#", "game/koi/down/#"), "lotus": ("game/open/#", "game/lotus/down/#")}
PUB = {"table": ("game/#",), "koi": ("game/koi/up/#",), "lotus": ("game/lotus/up/#",)}


def auth(client_id: str, user: str, password: bytes) -> bool:
    """Client ids belong to users: ``koi-1`` to koi."""
    return PASSWORDS.get(user) == password and (not client_id or client_id.startswith(user + "-"))


def may(user: str, action: str, topic: str) -> bool:
    """ghost may come in and may do nothing."""
    return any(covers(allowed, topic) for allowed in (PUB if action == "pub" else SUB).get(user, ()))


def spares(user: str) -> bool:
    return user == "table"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Memory:
    """A wire that keeps what it is given."""

    def __init__(self) -> None:
        self.parser = Parser(1 << 28)
        self.data = b""
        self.closed = False
        self.stuck = 0

    def send(self, data: bytes) -> None:
        assert not self.closed
        self.data += data
        self.parser.receive(data)

    def close(self) -> None:
        self.closed = True

    def backlog(self) -> int:
        return self.stuck

    def take(self) -> list[Packet]:
        packets = []
        while (packet := self.parser.next_packet()) is not None:
            packets.append(packet)
        return packets


class Client:
    """Speaks to the broker's logic without a socket."""

    def __init__(self, broker: Broker) -> None:
        self.wire = Memory()
        self.link = broker.open(self.wire, "test")
        self.answer: Connack | None = None

    def say(self, *packets: Packet) -> list[Packet]:
        """Send packets in one piece; what came back since the last look."""
        self.link.feed(b"".join(map(encode, packets)))
        return self.wire.take()

    def heard(self) -> list[tuple[str, bytes]]:
        return [(packet.topic, packet.payload) for packet in self.wire.take() if isinstance(packet, Publish)]

    def publish(self, topic: str, payload: bytes = b"x", qos: int = 0, *, retain: bool = False, packet_id: int = 1) -> list[Packet]:
        return self.say(Publish(topic, payload, qos, retain=retain, packet_id=packet_id if qos else 0))

    def subscribe(self, *filters: str, qos: int = 1) -> tuple[int, ...]:
        packets = self.say(Subscribe(9, tuple((topic_filter, qos) for topic_filter in filters)))
        assert isinstance(packets[0], Suback) and packets[0].packet_id == 9
        self.retained = packets[1:]
        return packets[0].codes

    @property
    def gone(self) -> bool:
        return self.wire.closed


def new_broker(clock: Clock | None = None, limits: Limits | None = None) -> Broker:
    return Broker(auth, may, spares=spares, clock=clock or Clock(), limits=limits)


def come(
    broker: Broker,
    user: str,
    client_id: str | None = None,
    *,
    clean: bool = True,
    keepalive: int = 0,
    will: Will | None = None,
    password: bytes | None = None,
    code: int = 0,
) -> Client:
    """Connect and check the answer."""
    client = Client(broker)
    packets = client.say(
        Connect(
            f"{user}-1" if client_id is None else client_id, clean, keepalive, user, PASSWORDS[user] if password is None else password, will
        )
    )
    assert isinstance(packets[0], Connack) and packets[0].code == code, packets
    client.answer = packets[0]
    client.backlog = packets[1:]
    return client


def until(condition: Callable[[], bool]) -> None:
    """Another thread is about to make it so."""
    end = time.monotonic() + 15
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)


class Raw:
    """MQTT over a TCP socket, packet by packet."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        self.parser = Parser(1 << 28)

    def say(self, *packets: Packet) -> None:
        self.socket.sendall(b"".join(map(encode, packets)))

    def hear(self) -> Packet | None:
        while (packet := self.parser.next_packet()) is None:
            try:
                data = self.socket.recv(65536)
            except ConnectionError:
                data = b""
            if not data:
                return None
            self.parser.receive(data)
        return packet

    def close(self) -> None:
        self.socket.close()


def get(server: Server, path: str, method: str = "GET", headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    try:
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()
