"""The table's own line to the broker: paho over TCP, subscribed anew on every connect, and quiet when the broker is away.

Here: the MQTT client and its thread. Not here: what is said. The handlers given run on paho's thread; whatever they raise is logged
and ends there (an exception out of a callback would end the thread). Nothing is queued for a broker that is away: who comes back
is shown everything anew.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol

import msgspec

from companion.sync.ghosts import Presence
from companion.sync.topics import ROOT, TABLE, Topics

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

LOGGER = logging.getLogger(__name__)

KEEPALIVE: Final = 30
RETRY: Final = (1, 8)
"""Seconds before the first and between later attempts to come back."""

P = ParamSpec("P")


class Handlers(Protocol):
    """Who listens; all on paho's thread."""

    def on_line(self, up: bool) -> None: ...

    def arrived(self, topic: str, payload: bytes, retained: bool) -> None: ...

    def taken(self, mid: int) -> None:
        """The broker has this publish."""


def guarded(callback: Callable[P, None]) -> Callable[P, None]:
    """Logs what ``callback`` raises, and lets the thread live."""

    @functools.wraps(callback)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            callback(*args, **kwargs)
        except Exception:
            LOGGER.exception("an MQTT callback failed; the line goes on")

    return run


def rest(client: Client) -> None:
    """Ends a client's thread, and waits for it."""
    with contextlib.suppress(AttributeError):  # paho forgets its thread when that ends, also between its own look at it and its wait for it
        client.loop_stop()


class Link:
    """One connection that comes back by itself. ``conn`` is its connection id in ``presence/table``."""

    def __init__(self, game_id: str, password: str, handlers: Handlers) -> None:
        self.conn = secrets.token_hex(8)
        self._topics = Topics(game_id)
        self._password = password
        self._handlers = handlers
        self._client: Client | None = None
        self._up = False
        self._told = False
        self._sweeping = True

    @property
    def up(self) -> bool:
        """Connected and subscribed."""
        return self._up

    def start(self, host: str, port: int) -> None:
        """Returns at once; ``on_line`` tells when the broker was reached."""
        self._client = client = self._made()
        client.connect_async(host, port, keepalive=KEEPALIVE)
        client.loop_start()

    def stop(self) -> None:
        """Says good-bye and ends the thread."""
        was_up, self._up = self._up, False  # first: nothing may be announced behind the good-bye
        client, self._client = self._client, None  # nobody else holds it: paho closes its inner sockets only when it is let go
        if client is None:
            return
        if was_up:
            info = client.publish(self._topics.presence(TABLE), self._presence(on=False), qos=1, retain=True)
            try:
                info.wait_for_publish(2.0)
            except (RuntimeError, ValueError):  # the line broke just now: the will says the same
                LOGGER.debug("no good-bye: the line is down")
        client.disconnect()
        rest(client)
        client.disconnect()  # again: the thread may have been about to connect anew, and ended with a socket open

    def _made(self) -> Client:
        from paho.mqtt.client import Client  # noqa: PLC0415 - half of the standard library comes with it, and codes are shown before
        from paho.mqtt.enums import CallbackAPIVersion  # noqa: PLC0415 - as above

        client = Client(CallbackAPIVersion.VERSION2, client_id=f"{TABLE}-{self.conn}")
        client.username_pw_set(TABLE, self._password)
        client.reconnect_delay_set(*RETRY)
        client.will_set(self._topics.presence(TABLE), self._presence(on=False), qos=1, retain=True)
        client.on_connect = guarded(self._on_connect)
        client.on_connect_fail = guarded(self._on_connect_fail)
        client.on_disconnect = guarded(self._on_disconnect)
        client.on_message = guarded(self._on_message)
        client.on_publish = guarded(self._on_publish)
        return client

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> int | None:
        """Any thread. The publish's number, for ``taken``; None: the broker is away and nothing was sent."""
        client = self._client
        if client is None or not self._up:
            return None
        return client.publish(topic, payload, qos=1, retain=retain).mid

    def announce(self) -> None:
        """Says that the table is here (again)."""
        self.publish(self._topics.presence(TABLE), self._presence(on=True), retain=True)

    def swept(self) -> None:
        """No more need to hear of other games."""
        client = self._client
        if self._sweeping and client is not None:
            self._sweeping = False
            client.unsubscribe([f"{ROOT}/+/open", f"{ROOT}/+/presence/+"])

    def _presence(self, *, on: bool) -> bytes:
        return msgspec.json.encode(Presence(on, self.conn))

    def _on_connect(self, client: Client, _data: Any, _flags: ConnectFlags, reason: ReasonCode, _props: Properties | None) -> None:
        if reason.is_failure:
            self._away(f"the broker refused the table: {reason}")
            return
        topics = [self._topics.every_up, self._topics.every_presence]
        if self._sweeping:
            topics += [f"{ROOT}/+/open", f"{ROOT}/+/presence/+"]
        client.subscribe([(topic, 1) for topic in topics])
        self._up, self._told = True, False
        LOGGER.info("connected to the broker")
        self.announce()
        self._handlers.on_line(up=True)

    def _on_connect_fail(self, _client: Client, _data: Any) -> None:
        self._away("the broker cannot be reached")

    def _on_disconnect(self, _client: Client, _data: Any, _flags: DisconnectFlags, reason: ReasonCode, _props: Properties | None) -> None:
        if self._up:
            self._up = False
            if reason.is_failure:
                self._away(f"the line to the broker broke: {reason}")
            self._handlers.on_line(up=False)

    def _away(self, why: str) -> None:
        """The first failure is loud, its repetitions are quiet."""
        LOGGER.log(logging.DEBUG if self._told else logging.WARNING, "%s; trying again", why)
        self._told = True

    def _on_message(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return  # a topic that is not text is nobody's
        self._handlers.arrived(topic, bytes(message.payload), bool(message.retain))

    def _on_publish(self, _client: Client, _data: Any, mid: int, _reason: ReasonCode, _props: Properties) -> None:
        self._handlers.taken(mid)
