"""A whole table on loopback: a real referee and desk, the real broker and server, the real messenger. Only the game is a toy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from toy import toy_referee

from companion.sync.broker import Broker, Limits
from companion.sync.join import join_url
from companion.sync.link import rest
from companion.sync.messenger import Messenger
from companion.sync.patience import most, spares
from companion.sync.server import Server
from companion.table.desk import Desk
from companion.table.journal import SeatKey
from companion.words import rendered
from phone import Phone


class Table:
    """Everything the messenger publishes is in ``left``."""

    def __init__(
        self, home: Path, *, may: Callable[[str, str, str], bool] | None = None, limits: Limits | None = None, **more: Any
    ) -> None:
        self.referee = toy_referee(home)
        self.journal = self.referee.journal
        self.game_id = self.referee.game_id
        self.desk = Desk(self.referee)
        self.desk.start()
        self.asked: list[tuple[str, bool]] = []
        self.changed = threading.Condition()
        self.more = more
        self.broker = Broker(self._auth, may or self._may, most=most, spares=spares, limits=limits)
        static = home / "static"
        static.mkdir()
        (static / "index.html").write_text("<title>page</title>")
        self.server = Server(self.broker, static, host="127.0.0.1", port=0)
        self.server.start()
        self.left: list[tuple[str, bytes]] = []
        self.phones: list[Phone] = []
        self.messenger = self.begin()

    def begin(self) -> Messenger:
        """A messenger of this table, as after a restart of the process."""
        self.messenger = Messenger(
            self.desk,
            self.journal,
            self.game_id,
            on_takeover=lambda seat, asking: self._note(self.asked.append, (seat, asking)),
            on_change=lambda: self._note(lambda _: None, None),
            on_gone=self.broker.kick,
            **self.more,
        )
        publish = self.messenger._link.publish

        def noted(topic: str, payload: bytes, *, retain: bool = False) -> int | None:
            mid = publish(topic, payload, retain=retain)
            if mid is not None:
                self.left.append((topic, payload))
            return mid

        self.messenger._link.publish = noted  # type: ignore[method-assign]
        self.messenger.start(port=self.server.mqtt_port)
        return self.messenger

    # the messenger is made after the broker that asks it, and made anew in some tests
    def _auth(self, client_id: str, user: str, password: bytes) -> bool:
        return self.messenger.auth(client_id, user, password)

    def _may(self, user: str, action: str, topic: str) -> bool:
        return self.messenger.may(user, action, topic)

    def play(self, seat: str, command: Any) -> None:
        """From the tablet; done when this returns."""
        done = threading.Event()
        self.desk.play(seat, command, lambda _answer: done.set())
        assert done.wait(5)

    def _note(self, what: Callable[[Any], None], value: Any) -> None:
        with self.changed:
            what(value)
            self.changed.notify_all()

    def until(self, so: Callable[[], Any], timeout: float = 10) -> None:
        """Waits for a callback of the messenger to make it so."""
        with self.changed:
            assert self.changed.wait_for(so, timeout), "it did not come to pass"

    def url(self, key: SeatKey) -> str:
        return join_url("127.0.0.1", self.server.port, self.game_id, key)

    def phone(self, seat: str, lang: str = "en", *, key: SeatKey | None = None, web: bool = False) -> Phone:
        """A phone that has scanned the seat's next code; not started."""
        url = self.url(key or self.messenger.offer(seat))
        port = self.server.port if web else self.server.mqtt_port
        phone = Phone(url, "127.0.0.1", port, lang=lang, transport="websockets" if web else "tcp")
        phone.client.ws_set_options(path="/mqtt")
        phone.client.reconnect_delay_set(0.02, 0.1)  # type: ignore[arg-type]
        self.phones.append(phone)
        return phone

    def on_server(self, work: Callable[[], None]) -> None:
        """Runs on the broker's thread, and waits."""
        done = threading.Event()

        def run() -> None:
            try:
                work()
            finally:
                done.set()

        self.server._loop.call_soon_threadsafe(run)
        assert done.wait(5)

    def cut(self, user: str = "") -> None:
        """Every connection (of a user) breaks at once, as when the Wi-Fi restarts."""

        def work() -> None:
            for session, wire in list(self.broker._links.items()):
                if session.user.startswith(user):
                    self.broker.drop(wire, "cut by the test")
            self.broker.settle()

        self.on_server(work)

    def stop(self) -> None:
        for phone in self.phones:
            phone.stop()
        self.messenger.stop()
        self.server.stop()
        self.desk.stop()
        self.journal.close()


class Spy:
    """Any MQTT client: what it was granted, and what it heard."""

    def __init__(self, table: Table, user: str, password: str, *filters: str) -> None:
        self.heard: list[tuple[str, bytes, bool]] = []
        self.granted: list[bool] = []
        self.refused = ""
        self.happened = threading.Condition()
        client = Client(CallbackAPIVersion.VERSION2, client_id=f"{user}-spy")
        client.username_pw_set(user, password)
        client.reconnect_delay_set(0.02, 0.1)
        client.on_connect = lambda c, _d, _f, reason, _p: (
            self._note("refused", str(reason)) if reason.is_failure else c.subscribe([(f, 1) for f in filters])
        )
        client.on_subscribe = lambda _c, _d, _m, codes, _p: self._note("granted", [not code.is_failure for code in codes])
        client.on_message = lambda _c, _d, m: self._note("heard", [*self.heard, (m.topic, bytes(m.payload), bool(m.retain))])
        client.connect_async("127.0.0.1", table.server.mqtt_port)
        client.loop_start()
        self.client = client

    def _note(self, name: str, value: Any) -> None:
        with self.happened:
            setattr(self, name, value)
            self.happened.notify_all()

    def wait(self, name: str) -> Any:
        with self.happened:
            assert self.happened.wait_for(lambda: getattr(self, name), 10), f"no {name}"
            return getattr(self, name)

    def wait_for(self, so: Any) -> None:
        with self.happened:
            assert self.happened.wait_for(so, 10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.disconnect()
        rest(self.client)
        self.client.disconnect()
        self.client._reset_sockets()


def views_agree(table: Table, *phones: Phone) -> None:
    """Every phone is shown exactly what the desk shows its seat."""
    for phone in phones:
        view = rendered(table.desk.current.seats[phone.talk.bond.seat], phone.talk.lang)
        phone.wait(lambda phone, view=view: phone.talk.state == "online" and phone.talk.view == view)
        assert phone.talk.stamp == table.desk.current.stamps[phone.talk.bond.seat]


def counted(phone: Phone) -> int:
    return int(phone.talk.view["sections"][0]["nodes"][0].get("value", 0))
