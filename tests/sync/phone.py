"""A phone in Python: what companion/phone does in the browser, for tests, bots and hostile clients.

``Talk`` is the protocol alone (docs/protocol.md), ``Phone`` puts it on MQTT with paho.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable
from typing import Any, Self

import msgspec
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.sync.join import read_fragment
from companion.sync.link import rest
from companion.sync.messages import from_b64, to_b64
from companion.sync.sealing import Bond, Channel, Frame, SealError, fresh_nonce, mqtt_password, open_welcome, seal_hello
from companion.sync.topics import GUEST, PROTOCOL, Topics, seat_user


class Talk:
    """One seat's phone across its connections. ``state``: new | greeting | waiting | online | moved | revoked | reload."""

    def __init__(self, bond: Bond, lang: str = "en", proto: int = PROTOCOL) -> None:
        self.bond = bond
        self.lang = lang
        self.proto = proto
        self.state = "new"
        self.last: dict[str, Any] = {}
        """The newest message down."""
        self.answers: dict[str, dict[str, Any]] = {}
        self.messages: list[dict[str, Any]] = []
        self.ignored = 0
        self._nonce = b""
        self._channel: Channel | None = None

    @property
    def view(self) -> dict[str, Any]:
        return self.last.get("view") or {}

    @property
    def stamp(self) -> int:
        return int(self.last.get("stamp", -1))

    @property
    def revision(self) -> int:
        return int(self.last.get("revision", -1))

    def hello(self) -> bytes:
        """Begins a connection; what was before it does not open any more."""
        self._nonce, self._channel, self.state = fresh_nonce(), None, "greeting"
        return seal_hello(self.bond, self._bytes({"t": "hello", "proto": self.proto, "lang": self.lang, "nonce": to_b64(self._nonce)}))

    def take(self, payload: bytes) -> list[bytes]:
        """A frame from the down topic; returns what to say at once."""
        try:
            frame = Frame.decode(payload)
            content = open_welcome(self.bond, self._nonce, frame) if self._channel is None else self._channel.open(frame)
        except SealError:
            self.ignored += 1
            return []
        message = msgspec.json.decode(content)
        greeted = self._channel is None
        self.messages.append(message)
        if message["t"] in {"moved", "revoked", "reload"}:
            self.state = message["t"]
            return []
        self.last = message
        if message["answer"]:
            self.answers[message["answer"]["id"]] = message["answer"]
        if greeted:
            self._channel = Channel(self.bond, "u", (self._nonce, from_b64(message["nonce"], 16)))
        self.state = "waiting" if message["waiting"] else "online"
        return [self.say({"t": "ready"})] if greeted else []

    def say(self, message: dict[str, Any]) -> bytes:
        assert self._channel is not None, "no welcome yet"
        return self._channel.seal(self._bytes(message))

    def order(self, command: Any, stamp: int | None = None, order_id: str = "") -> tuple[str, bytes]:
        """(its id, the frame)"""
        named = order_id or secrets.token_hex(8)
        return named, self.say({"t": "order", "id": named, "stamp": self.stamp if stamp is None else stamp, "command": command})

    @staticmethod
    def _bytes(message: dict[str, Any]) -> bytes:
        return msgspec.json.encode(message)


class Phone:
    """A phone on a broker. Its lock guards ``talk``; ``wait`` waits for something to become so."""

    def __init__(self, url: str, host: str, port: int, *, lang: str = "en", transport: Any = "tcp") -> None:
        self.talk = Talk(read_fragment(url), lang)
        bond = self.talk.bond
        self.topics = Topics(bond.game_id)
        self.user = GUEST if bond.seat == GUEST else seat_user(bond.seat, bond.epoch)
        self.conn = secrets.token_hex(8)
        self.heard: list[tuple[str, bytes, bool]] = []
        """Everything that came: topic, payload, retained."""
        self.refused: list[str] = []
        self.connects = 0
        self.happened = threading.Condition(threading.RLock())
        self._address = (host, port)
        self._table = ""
        client = Client(CallbackAPIVersion.VERSION2, client_id=f"{self.user}-{self.conn}", transport=transport)
        client.username_pw_set(self.user, mqtt_password(bond.key))
        client.reconnect_delay_set(1, 1)
        if self.user != GUEST:
            client.will_set(self.topics.presence(bond.seat), self._presence(on=False), qos=1, retain=True)
        client.on_connect = self._on_connect
        client.on_message = self._on_message
        client.on_disconnect = self._on_disconnect
        self.client = client

    def start(self) -> Self:
        self.client.connect_async(*self._address, keepalive=30)
        self.client.loop_start()
        return self

    def stop(self) -> None:
        """Leaves as a page does that is closed: it says so, since a clean DISCONNECT makes the broker forget the will."""
        if self.client.is_connected() and self.user != GUEST:
            self.client.publish(self.topics.presence(self.talk.bond.seat), self._presence(on=False), qos=1, retain=True)
        self.client.disconnect()
        rest(self.client)
        self.client.disconnect()  # the thread may have been about to connect anew
        self.client._reset_sockets()  # paho leaves its inner ones to the garbage collector

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def greet(self) -> None:
        with self.happened:
            self._publish(self.talk.hello())

    def order(self, command: Any, stamp: int | None = None, order_id: str = "", timeout: float = 10) -> dict[str, Any]:
        """Asks, waits for the answer, asks again with the same id when that was lost (a new connection, or two seconds of silence)."""
        with self.happened:
            named = order_id or secrets.token_hex(8)
            used = self.talk.stamp if stamp is None else stamp
            self.talk.answers.pop(named, None)
            until = time.monotonic() + timeout
            asked: tuple[int, float] | None = None
            while named not in self.talk.answers:
                now = time.monotonic()
                assert now < until, f"no answer to {command} in {timeout} s; {self.talk.state}"
                if self.talk.state == "online" and (asked is None or asked[0] != self.connects or now >= asked[1]):
                    asked = (self.connects, now + 2)
                    self._publish(self.talk.order(command, used, named)[1])
                self.happened.wait(min(until - now, 2))
            return self.talk.answers[named]

    def wait(self, so: Callable[[Phone], Any], timeout: float = 10) -> None:
        with self.happened:
            assert self.happened.wait_for(lambda: so(self), timeout), f"{self.user} is {self.talk.state}, last {self.talk.last}"

    def wait_online(self, timeout: float = 10) -> Self:
        self.wait(lambda phone: phone.talk.state == "online", timeout)
        return self

    def _publish(self, frame: bytes) -> None:
        self.client.publish(self.topics.up(self.talk.bond.seat), frame, qos=1)

    def _presence(self, *, on: bool) -> bytes:
        return msgspec.json.encode({"on": on, "conn": self.conn})

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _props: Any) -> None:
        with self.happened:
            if reason.is_failure:
                self.refused.append(str(reason))
            elif self.user == GUEST:
                client.subscribe(self.topics.open, 1)
            else:
                bond = self.talk.bond
                self.connects += 1
                client.subscribe([(self.topics.down(bond.seat), 1), (self.topics.open, 1), (self.topics.every_presence, 1)])
                client.publish(self.topics.presence(bond.seat), self._presence(on=True), qos=1, retain=True)
                self.greet()
            self.happened.notify_all()

    def _on_disconnect(self, *_: Any) -> None:
        with self.happened:
            if self.talk.state == "online":
                self.talk.state = "new"
            self.happened.notify_all()

    def _on_message(self, _client: Client, _data: Any, message: Any) -> None:
        with self.happened:
            payload = bytes(message.payload)
            self.heard.append((message.topic, payload, bool(message.retain)))
            if self.user != GUEST and message.topic == self.topics.down(self.talk.bond.seat):
                for frame in self.talk.take(payload):
                    self._publish(frame)
            elif message.topic == self.topics.presence("table") and payload:
                told = msgspec.json.decode(payload)
                restarted = told["on"] and self._table and told["conn"] != self._table
                if told["on"]:
                    self._table = told["conn"]
                if restarted or (told["on"] and self.talk.state == "greeting" and not message.retain):
                    self.greet()
            self.happened.notify_all()
