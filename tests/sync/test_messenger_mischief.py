"""The messenger among spies, floods, ghosts and faults of its own."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from sync_table import Spy, Table, counted, views_agree
from toy import SEATS, CountTo

from companion.sync import link, messenger, pictures
from companion.sync.broker import Limits
from companion.sync.sealing import mqtt_password
from companion.sync.topics import Topics


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "RETRY", (0.02, 0.1))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    try:
        yield table
    finally:
        table.stop()


# -- spies


CANARIES = {seat: f"CANARY{seat.upper()}" for seat in SEATS}


@pytest.mark.parametrize("acl", ["ours", "none at all"])
def test_a_hostile_seat_on_every_filter_reads_nobodys_secret(tmp_path: Path, acl: str) -> None:
    table = Table(tmp_path, may=None if acl == "ours" else lambda *_: True)
    try:
        key = table.messenger.offer("turtle")
        filters = ["#", "+/+/#", "$SYS/#", "+/+/+/+/+/+", f"jinmaku/1/{table.game_id}/seat/+/down", f"jinmaku/1/{table.game_id}/#"]
        with (
            table.phone("koi") as koi,
            table.phone("lotus", "ru") as lotus,
            table.phone("turtle", key=key) as turtle,
            Spy(table, f"turtle.{key.epoch}", mqtt_password(key.key), *filters) as spy,
        ):
            phones = [koi.wait_online(), lotus.wait_online(), turtle.wait_online()]
            granted = spy.wait("granted")
            for n, phone in enumerate(phones, 1):
                seat = phone.talk.bond.seat
                views_agree(table, phone)
                assert phone.order({"do": "hide", "seat": seat, "word": CANARIES[seat]})["ok"]
                assert not phone.order({"do": "count", "seat": seat, "n": 99})["ok"]
                assert phone.order({"do": "count", "seat": seat, "n": n})["ok"]
            table.cut("koi")
            views_agree(table, *phones)
            if acl == "ours":
                assert granted == [False] * len(filters)
                assert spy.heard == []
            else:
                spy.wait_for(
                    lambda: any("/seat/koi/down" in topic for topic, _, _ in spy.heard)
                )  # it hears the frames, and cannot open them
                assert any(topic.endswith("/seat/koi/up") for topic, _, _ in spy.heard)
        every_byte = b"".join(topic.encode() + payload for topic, payload in table.left)
        heard = b"".join(topic.encode() + payload for topic, payload, _ in spy.heard)
        for seat, phone in zip(SEATS, phones, strict=True):
            assert CANARIES[seat].encode() not in every_byte + heard
            assert CANARIES[seat] in json.dumps(phone.talk.messages)
            others = [CANARIES[other] for other in SEATS if other != seat]
            assert not any(canary in json.dumps(phone.talk.messages) for canary in others)
            key_bytes = phone.talk.bond.key
            assert key_bytes not in every_byte + heard
        for retained in table.broker._retained.find("#"):
            assert "/seat/" not in retained.topic
    finally:
        table.stop()


def test_strangers_do_not_get_in(table: Table) -> None:
    koi = table.messenger.offer("koi")
    for user, password in [
        ("koi.1", "guess"),
        ("koi.2", mqtt_password(koi.key)),
        ("table", ""),
        ("table", "table"),
        ("guest", "guest"),
        ("stranger", "x"),
    ]:
        with Spy(table, user, password, "#") as spy:
            assert spy.wait("refused")
            assert spy.heard == []


# -- mischief


FREE = Limits(rate=1e9, burst=1e9, byte_rate=1e12, byte_burst=1e12)
"""Like a broker that is not ours."""


def flooded(table: Table) -> None:
    """One phone floods while another plays, and comes back to its senses."""
    with table.phone("koi") as koi, table.phone("lotus") as lotus:
        koi.wait_online()
        lotus.wait_online()
        junk = bytes(2000)
        for _ in range(3000):
            lotus.client.publish(lotus.topics.up("lotus"), junk, qos=0)
        for n in range(1, 11):
            assert koi.order({"do": "count", "seat": "koi", "n": n})["ok"]
        lotus.wait(lambda phone: counted(phone) == 10)
        # its own orders come through again as soon as it stops
        assert lotus.order({"do": "count", "seat": "lotus", "n": 11}, timeout=15)["ok"]


def test_a_flood_from_one_phone_does_not_stall_the_table_on_any_broker(tmp_path: Path) -> None:
    table = Table(tmp_path, limits=FREE)
    try:
        flooded(table)
        counts = table.messenger.counts()
    finally:
        table.stop()
    assert counts["lotus", "flood"] > 1000
    assert counts["lotus", "version"] > 0
    assert ("koi", "flood") not in counts


def test_a_flood_does_not_even_reach_the_table_past_our_broker(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    table = Table(tmp_path, limits=Limits(patience=0.2))
    try:
        flooded(table)
        counts = table.messenger.counts()
    finally:
        table.stop()
    assert 0 < counts["lotus", "version"] < 500
    assert ("lotus", "flood") not in counts
    assert "closed: it kept sending more than 20 packets or 65536 bytes a second" in caplog.text
    assert "MQTT 'table-" not in caplog.text  # the referee's line stood through all of it


def test_oversized_and_retained_and_foreign_frames_are_ignored(table: Table) -> None:
    names = Topics(table.game_id)
    with table.phone("koi") as koi:
        koi.wait_online()
        koi.client.publish(names.up("koi"), bytes(200_000), qos=1)
        koi.client.publish(names.presence("koi"), b"\xff" * 50, qos=1)
        koi.client.publish(names.presence("koi"), b"", qos=1)
        koi.client.publish(names.up("koi"), koi.talk.order({"do": "count", "seat": "koi", "n": 1}, order_id="kept")[1], qos=1, retain=True)
        koi.wait(lambda phone: "kept" in phone.talk.answers)  # sent retained, it was heard as it came, like any other
        table.messenger.stop()
        table.begin()  # but to a table that starts it is a ghost
        koi.wait(lambda phone: phone.talk.state == "online" and phone.talk.last["t"] == "welcome")
        assert koi.order({"do": "hide", "seat": "koi", "word": "x"})["ok"]
    assert table.referee.revision == 2
    assert table.messenger.counts() == {}
    assert not [message for message in table.broker._retained.find("#") if message.topic == names.up("koi")]


def test_ghosts_of_a_table_that_is_over_are_swept_and_a_living_one_is_not(tmp_path: Path) -> None:
    table = Table(tmp_path)
    old, living = Topics("oldgamea"), Topics("livingga")
    try:
        table.messenger.stop()
        names = Topics(table.game_id)
        with Spy(table, "table", table.messenger._keys.password, "jinmaku/1/+/#") as before:
            before.wait("granted")
            for topic, payload in [
                (old.open, b'{"game":"oldgamea"}'),
                (old.presence("table"), b'{"on":false,"conn":"x"}'),
                (old.presence("koi"), b'{"on":true,"conn":"x"}'),
                (living.open, b"{}"),
                (living.presence("table"), b'{"on":true,"conn":"y"}'),
                (names.up("koi"), b"an old command"),
            ]:
                before.client.publish(topic, payload, qos=1, retain=True)
            before.wait_for(lambda: len(before.heard) >= 6)
        table.begin()
        with table.phone("koi") as koi:
            koi.wait_online()
            with Spy(table, "table", table.messenger._keys.password, "jinmaku/1/+/#") as after:
                after.wait_for(lambda: len([1 for _, payload, retained in after.heard if retained and payload]) >= 5)
                kept = {topic for topic, payload, retained in after.heard if retained and payload}
            assert kept == {living.open, living.presence("table"), names.open, names.presence("table"), names.presence("koi")}
            assert koi.order({"do": "count", "seat": "koi", "n": 1})["ok"]
    finally:
        table.stop()


def test_a_will_of_a_line_already_replaced_is_contradicted(table: Table) -> None:
    names = Topics(table.game_id)
    with table.phone("koi") as koi:
        koi.wait_online()
        will = msgspec.json.encode({"on": False, "conn": table.messenger._link.conn})
        seen = len(koi.heard)
        table.messenger._link.publish(names.presence("table"), will, retain=True)
        koi.wait(
            lambda phone: (
                [b"true" in payload for topic, payload, _ in phone.heard[seen:] if topic == names.presence("table")] == [False, True]
            )
        )


def test_good_bye_is_said_on_a_clean_exit(table: Table) -> None:
    with table.phone("koi") as koi:
        koi.wait_online()
        table.messenger.stop()
        koi.wait(lambda phone: [p for t, p, _ in phone.heard if t.endswith("presence/table")][-1].startswith(b'{"on":false'))


# -- nothing that goes wrong ends a thread


def test_the_api_answers_from_any_thread_and_from_callbacks(tmp_path: Path) -> None:
    found: list[Any] = []
    table = Table(tmp_path)
    try:
        table.messenger._on_change = lambda: found.append(table.messenger.takeovers())  # asks from the messenger's own thread
        with table.phone("koi") as koi:
            koi.wait_online()
            table.until(lambda: table.messenger.status()["koi"] == "online" or found)
        with pytest.raises(ValueError, match="no seat 'moon'"):
            table.messenger.offer("moon")
    finally:
        table.stop()
    assert found


@pytest.mark.logs_errors
def test_a_fault_in_one_piece_of_work_is_logged_and_the_next_is_done(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with table.phone("koi") as koi:
        koi.wait_online()
        with monkeypatch.context() as patch:
            patch.setattr(pictures.Pictures, "open", lambda _: 1 / 0)
            assert koi.order({"do": "count", "seat": "koi", "n": 1})["ok"]
            table.until(lambda: "the messenger could not finish something and goes on" in caplog.text)
        assert koi.order({"do": "count", "seat": "koi", "n": 2})["ok"]


@pytest.mark.logs_errors
@pytest.mark.parametrize("callback", ["on_connect", "on_connect_fail", "on_disconnect", "on_message", "on_publish"])
def test_a_fault_in_a_callback_is_logged_and_does_not_leave_it(callback: str, caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def __getattr__(self, _: str) -> Any:
            raise RuntimeError("on purpose")

    line = link.Link("k3y5game", "x", Broken())
    line._up = True
    line._client = client = line._made()
    broken = Broken()
    arguments = {"on_connect": 5, "on_connect_fail": 2, "on_disconnect": 5, "on_message": 3, "on_publish": 5}[callback]
    line._away = None  # type: ignore[assignment,method-assign]
    getattr(client, callback)(*[broken] * arguments)
    assert "an MQTT callback failed; the line goes on" in caplog.text


def test_a_topic_that_is_not_text_is_ignored() -> None:
    class Message:
        @property
        def topic(self) -> str:
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")

    line = link.Link("k3y5game", "x", None)  # type: ignore[arg-type]
    line._made().on_message(None, None, Message())  # type: ignore[misc]
    assert line.publish("a", b"b") is None  # and before it is up, nothing is sent


def test_a_table_with_a_wrong_password_says_so_and_keeps_trying(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    refused = threading.Event()
    caplog.set_level(logging.DEBUG, "companion.sync.link")

    class Watch(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if "the broker refused the table" in record.getMessage() and record.levelno == logging.DEBUG:
                refused.set()  # the second time, quietly

    logger = logging.getLogger("companion.sync.link")
    watch = Watch()
    logger.addHandler(watch)
    line = link.Link("k3y5game", "wrong", table.messenger)
    line.start("127.0.0.1", table.server.mqtt_port)
    assert refused.wait(10)
    assert not line.up
    line.stop()
    logger.removeHandler(watch)
    warnings = [r for r in caplog.records if "the broker refused the table" in r.getMessage() and r.levelno == logging.WARNING]
    assert len(warnings) == 1


def test_a_notice_of_the_open_table_is_sent_to_no_phone(table: Table) -> None:
    with table.phone("koi") as koi:
        koi.wait_online()
        table.until(lambda: table.messenger.status()["koi"] == "online")
        table.until(lambda: table.messenger._since == 0)  # the open table is out
        before = len(table.left)
        table.desk.sight("04000000000000", None)  # a tag nobody knows: a sentence for the tablet
        table.play("koi", CountTo("koi", 99))
        shown = table.desk.current
        assert shown.notice is not None
        table.messenger._saw(shown)
        table.messenger._saw(shown)
        table.messenger.takeovers()  # waits until all that is done
        assert len(table.left) == before
        assert koi.order({"do": "count", "seat": "koi", "n": 1})["ok"]


def test_what_comes_in_odd_order_at_the_start_is_harmless(table: Table) -> None:
    quiet = messenger.Messenger(table.desk, table.journal, table.game_id)
    quiet._came_up()  # before the first picture
    quiet._sweep()
    quiet._sweep()
    quiet._met("jinmaku/1/oldgamea/open", b"{}")  # after the sweep
    quiet.on_line(up=False)
    quiet.stop()  # never started
    line = quiet._link
    line._client = line._made()
    line.swept()
    line.swept()
    assert not quiet.online


def test_a_line_that_breaks_during_the_good_bye_ends_all_the_same() -> None:
    class Info:
        def wait_for_publish(self, _: float) -> None:
            raise RuntimeError("the line is down")

    class Broken:
        ended = 0

        def publish(self, *_: object, **__: object) -> Info:
            return Info()

        def disconnect(self) -> None:
            self.ended += 1

        loop_stop = disconnect

    line = link.Link("k3y5game", "x", None)  # type: ignore[arg-type]
    line._client, line._up = client, _ = Broken(), True  # type: ignore[assignment]
    line.stop()
    assert client.ended == 3
    assert not line.up


def test_a_thread_that_ends_just_as_it_is_waited_for_is_no_fault() -> None:
    """As paho's own does after a good-bye: it looks whether there is one, and when it waits there is none."""
    client = Client(CallbackAPIVersion.VERSION2)

    class Ending:
        def __eq__(self, _: object) -> bool:
            client._thread = None
            return False

        __hash__ = None  # type: ignore[assignment]

    client._thread = Ending()  # type: ignore[assignment]
    with pytest.raises(AttributeError):
        client.loop_stop()
    client._thread = Ending()  # type: ignore[assignment]
    link.rest(client)
    assert client._thread is None
