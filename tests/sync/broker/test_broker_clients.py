"""Real clients (paho-mqtt) over TCP and WebSocket, and the crowd that comes and goes while one listener loses nothing."""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import threading
import time
from collections.abc import Iterator

import paho.mqtt.client as mqtt
import pytest
from broker_harness import PASSWORDS, until
from paho.mqtt.enums import CallbackAPIVersion

from companion.sync.broker import Broker
from companion.sync.link import rest
from companion.sync.server import Server

SOAK = os.environ.get("JINMAKU_SOAK") == "1"
BUSY = 136
"""MQTT 3.1.1's refusal 3, come again, as paho tells it."""


class Phone:
    """A paho client that remembers what happened to it."""

    def __init__(self, server: Server, transport: str, user: str, number: str = "1", *, clean: bool = True, version: int = 4) -> None:
        more = {} if version == 5 else {"clean_session": clean}
        self.client = mqtt.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"{user}-{number}",
            protocol=mqtt.MQTTProtocolVersion(version),
            transport=transport,
            reconnect_on_failure=False,
            **more,
        )
        if transport == "websockets":
            self.client.ws_set_options(path="/mqtt")
        self.port = server.port if transport == "websockets" else server.mqtt_port
        self.client.username_pw_set(user, PASSWORDS[user])
        self.heard: list[tuple[str, bytes, int, bool]] = []
        self.granted: dict[int, list[int]] = {}
        self.code: int | None = None
        self.present: bool | None = None
        self.gone: int | None = None
        self.client.on_connect = self._connected
        self.client.on_message = lambda _client, _data, m: self.heard.append((m.topic, m.payload, m.qos, m.retain))
        self.client.on_subscribe = lambda _client, _data, mid, codes, _properties: self.granted.__setitem__(
            mid, [code.value for code in codes]
        )
        self.client.on_disconnect = lambda _client, _data, _flags, code, _properties: setattr(self, "gone", code.value)

    def _connected(self, _client: object, _data: object, flags: mqtt.ConnectFlags, code: mqtt.ReasonCode, _properties: object) -> None:
        self.present, self.code = flags.session_present, code.value

    def come(self) -> Phone:
        self.client.connect("127.0.0.1", self.port, keepalive=20)
        self.client.loop_start()
        until(lambda: self.code is not None)
        return self

    def subscribe(self, topic_filter: str, qos: int = 1) -> list[int]:
        _, mid = self.client.subscribe(topic_filter, qos)
        until(lambda: mid in self.granted)
        return self.granted[mid]

    def publish(self, topic: str, payload: bytes, qos: int = 1, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, qos, retain).wait_for_publish(5)

    def leave(self) -> None:
        self.client.disconnect()
        rest(self.client)

    def vanish(self) -> None:
        """The radio dies: no DISCONNECT."""
        connection = self.client.socket()
        rest(self.client)
        if connection is not None:
            connection.close()


@contextlib.contextmanager
def phones(*all_of: Phone) -> Iterator[None]:
    try:
        yield
    finally:
        for phone in all_of:
            phone.leave()


@pytest.mark.parametrize("transport", ["tcp", "websockets"])
def test_paho_has_a_whole_evening(server: Server, transport: str) -> None:
    table = Phone(server, "tcp", "table").come()
    koi = Phone(server, transport, "koi")
    koi.client.will_set("game/koi/up/presence", b"off", 1, retain=True)
    koi.come()
    lotus = Phone(server, transport, "lotus").come()
    with phones(table, lotus):
        assert (koi.code, koi.present) == (0, False)
        assert table.subscribe("game/+/up/#") == [1]
        assert koi.subscribe("game/koi/down/#", 2) == [1]
        assert lotus.subscribe("game/koi/down/#") == [0x80] and lotus.subscribe("#") == [0x80]
        table.publish("game/open/state", b"snapshot", retain=True)
        assert lotus.subscribe("game/open/#") == [1]
        for qos in (0, 1, 2):
            table.publish("game/koi/down/1", b"hand %d" % qos, qos)
            koi.publish("game/koi/up/1", b"order %d" % qos, qos)
        table.publish("game/koi/down/big", b"x" * 200_000)
        until(lambda: len(koi.heard) == 4 and len(table.heard) == 3 and len(lotus.heard) == 1)
        assert [entry[1:3] for entry in koi.heard[:3]] == [(b"hand 0", 0), (b"hand 1", 1), (b"hand 2", 1)]
        assert koi.heard[3][1] == b"x" * 200_000
        assert [entry[1:3] for entry in table.heard] == [(b"order 0", 0), (b"order 1", 1), (b"order 2", 1)]
        assert lotus.heard == [("game/open/state", b"snapshot", 1, True)]
        koi.vanish()
        until(lambda: len(table.heard) == 4)
        assert table.heard[3][1] == b"off"
        assert lotus.gone is None


@pytest.mark.parametrize("transport", ["tcp", "websockets"])
def test_paho_sleeps_and_finds_what_it_missed(server: Server, transport: str) -> None:
    table = Phone(server, "tcp", "table").come()
    koi = Phone(server, transport, "koi", clean=False).come()
    koi.subscribe("game/koi/down/#")
    koi.vanish()
    for n in range(150):
        table.publish("game/koi/down/1", b"%d" % n)
    koi = Phone(server, transport, "koi", clean=False).come()
    with phones(table, koi):
        assert koi.present is True
        until(lambda: len(koi.heard) == 150)
        assert [int(entry[1]) for entry in koi.heard] == list(range(150))


@pytest.mark.parametrize("transport", ["tcp", "websockets"])
def test_paho_is_told_when_it_is_refused_replaced_or_too_new(server: Server, transport: str) -> None:
    first = Phone(server, transport, "koi").come()
    wrong = Phone(server, transport, "koi")
    wrong.client.username_pw_set("koi", "wrong")
    wrong.come()
    five = Phone(server, transport, "lotus", version=5).come()
    assert wrong.code == 135 and five.code == 132  # paho's names for refused and unsupported version
    assert first.gone is None
    second = Phone(server, transport, "koi").come()
    until(lambda: first.gone is not None)
    with phones(first, wrong, five, second):
        assert second.code == 0


def test_withdrawing_a_user_ends_its_phones_at_once(server: Server) -> None:
    koi, lotus = Phone(server, "websockets", "koi").come(), Phone(server, "websockets", "lotus").come()
    with phones(koi, lotus):
        server._broker.kick("koi")
        until(lambda: koi.gone is not None)
        assert lotus.gone is None


@pytest.mark.scaled
@pytest.mark.timeout(90)
def test_a_crowd_that_comes_and_goes_costs_a_steady_listener_nothing(server: Server) -> None:
    _churn(server, seconds=15 if SOAK else 1.5, crowd=6)


@pytest.mark.soak
@pytest.mark.timeout(180)
def test_a_crowd_for_two_minutes(server: Server) -> None:
    _churn(server, seconds=120, crowd=12)


def _churn(server: Server, seconds: float, crowd: int) -> None:
    """Clients connect, subscribe, publish and drop, half of them with a reset, while QoS 1 messages run past them."""
    broker: Broker = server._broker
    steady, table = Phone(server, "websockets", "koi", "steady").come(), Phone(server, "tcp", "table", "steady").come()
    steady.subscribe("game/koi/down/#")
    for n in range(40):
        table.publish(f"game/open/{n}", b"r" * 500, retain=True)
    stop = threading.Event()
    faults: list[str] = []
    visits = [0]

    def visit(number: int) -> None:
        rng = random.Random(number)
        while not stop.is_set():
            phone = Phone(server, rng.choice(["tcp", "websockets"]), "lotus", f"{number}", clean=rng.random() < 0.5)
            try:
                phone.come()
                if phone.code == BUSY:  # all of them are one seat, and a quick machine lets them use up what a seat may send
                    phone.leave()
                    stop.wait(0.1)
                    continue
                assert phone.code == 0
                visits[0] += 1
                assert phone.subscribe("game/open/#") == [1]
                assert phone.subscribe("game/koi/down/#") == [0x80]
                phone.publish("game/lotus/up/1", b"x" * rng.randrange(2000), rng.randrange(3))
                if rng.random() < 0.5:
                    phone.leave()
                    continue
                connection = phone.client.socket()
                if isinstance(connection, socket.socket):
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                phone.vanish()
            except (AssertionError, OSError) as fault:
                faults.append(f"{number}: {fault!r}")
                phone.leave()

    visitors = [threading.Thread(target=visit, args=(number,)) for number in range(min(crowd, 8))]
    for visitor in visitors:
        visitor.start()
    sent = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        table.client.publish("game/koi/down/1", b"%d" % sent, 1)
        sent += 1
        stop.wait(0.005)
    stop.set()
    for visitor in visitors:
        visitor.join()
    with phones(steady, table):
        until(lambda: len(steady.heard) >= sent)
        assert [int(entry[1]) for entry in steady.heard] == list(range(sent)), "lost, doubled or out of order"
        assert not faults and visits[0] > crowd
        until(lambda: broker.counts.connected == 2 and broker.counts.strangers == 0)
        assert broker.counts.sessions <= 2 + len(visitors)
