"""The messenger at a real broker with real phones: playing, dropping out, coming back, moving house."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from sync_rig import Clock
from sync_table import Table, views_agree
from toy import CountTo, Hide

from companion.sync import link, messenger
from companion.sync.topics import Topics
from phone import Phone


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


def test_phones_play_over_tcp_and_websocket(table: Table) -> None:
    with table.phone("koi", web=True) as koi, table.phone("lotus", "ru") as lotus:
        koi.wait_online()
        lotus.wait_online()
        table.until(lambda: table.messenger.status() == {"koi": "online", "lotus": "online", "turtle": "vacant"})
        assert koi.order({"do": "count", "seat": "koi", "n": 1})["events"] == ["koi counts to 1"]
        views_agree(table, koi, lotus)
        refusal = lotus.order({"do": "count", "seat": "lotus", "n": 9})["refusal"]
        assert refusal["text"] == "Дальше 2 никто не считает."
        assert lotus.order({"do": "count", "seat": "koi", "n": 2})["ok"] is False  # nobody commands another seat
        table.play("koi", Hide("koi", "from the tablet"))
        views_agree(table, koi, lotus)
        assert lotus.talk.view["log"][-1]["text"] == "koi прячет слово"
    table.until(lambda: table.messenger.status()["koi"] == "asleep")
    assert set(table.messenger.greetings()) == {"koi", "lotus"}


def of(table: Table, topic: str) -> list[bytes]:
    """What the table has published there."""
    return [payload for name, payload in list(table.left) if name == topic]


def test_the_open_table_waits_for_a_quiet_moment_but_not_for_ever(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    names = Topics(table.game_id)
    table.until(lambda: table.messenger._since == 0 and bool(of(table, names.open)))
    monkeypatch.setattr(messenger, "REST", 60.0)
    monkeypatch.setattr(messenger, "BUSY", 8)
    table.play("koi", CountTo("koi", 1))
    table.until(lambda: table.messenger._since > 0)
    assert json.loads(of(table, names.open)[-1])["revision"] == 0
    for _ in range(9):
        table.messenger.takeovers()
    table.until(lambda: json.loads(of(table, names.open)[-1])["revision"] == 1)


def test_the_open_table_is_retained_in_english_and_only_said_when_it_changes(table: Table) -> None:
    names = Topics(table.game_id)
    with table.phone("koi", "ru") as koi:
        koi.wait_online()
        for n in (1, 2):
            koi.order({"do": "hide", "seat": "koi", "word": f"CANARY {n}"})
        koi.order({"do": "count", "seat": "koi", "n": 1})
        table.until(lambda: json.loads(of(table, names.open)[-1])["revision"] == 3)
        down = [topic for topic, _ in table.left if topic in {names.open, names.down("koi")}]
        assert down[-2:] == [names.down("koi"), names.open], "who plays is shown it first"
    first, second = [Phone(table.url(table.messenger.guest), "127.0.0.1", table.server.mqtt_port) for _ in range(2)]
    with first:
        first.wait(lambda phone: phone.heard and json.loads(phone.heard[-1][1])["revision"] == 3)
    with second:
        second.wait(lambda phone: phone.heard)
    topic, payload, retained = second.heard[0]
    public = json.loads(payload)
    assert (topic, retained, public["game"], public["revision"]) == (names.open, True, table.game_id, 3)
    assert public["view"]["title"] == "The table"
    assert "prompts" not in public["view"] or public["view"]["prompts"] == []
    assert b"CANARY" not in payload
    said = of(table, names.open)
    assert len(said) <= len(set(said)) + 1  # once more where the line came up just as the first was said


def test_twenty_broken_connections_and_every_view_equals_the_desks_after_each(table: Table) -> None:
    with table.phone("koi") as koi, table.phone("lotus", web=True) as lotus, table.phone("turtle", "ru") as turtle:
        phones = [koi.wait_online(), lotus.wait_online(), turtle.wait_online()]
        for n in range(1, 21):
            player = phones[n % 3]
            seat = player.talk.bond.seat
            table.cut("" if n % 2 else seat)  # everybody, the table included, or one phone
            player.wait(lambda phone, n=n: phone.connects > n // 3)
            player.wait_online()
            assert player.order({"do": "hide", "seat": seat, "word": f"{seat} {n}"}, order_id=f"h{n}")["ok"]
            assert player.order({"do": "count", "seat": seat, "n": n}, order_id=f"c{n}")["ok"]
            views_agree(table, *phones)
    assert table.referee.revision == 40


def test_a_broker_that_stops_and_comes_back_is_found_again(table: Table) -> None:
    with table.phone("koi") as koi:
        koi.wait_online()
        for n in (1, 2, 3):
            table.server.stop()
            table.server._asked = (table.server.port, table.server.mqtt_port)
            table.play("lotus", CountTo("lotus", n))
            table.server.start()
            views_agree(table, koi)
            assert koi.order({"do": "hide", "seat": "koi", "word": str(n)})["ok"]


def test_the_table_starts_without_a_broker_and_attaches_when_it_comes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    table = Table(tmp_path)
    try:
        table.messenger.stop()
        port = table.server.mqtt_port
        table.server.stop()
        table.begin()
        assert table.messenger.offer("koi").epoch == 1
        assert not table.messenger.online
        table.server._asked = (0, port)
        table.server.start()
        with table.phone("koi") as koi:
            koi.wait_online()
        assert table.messenger.online
    finally:
        table.stop()
    assert sum("cannot be reached" in record.getMessage() and record.levelno == logging.WARNING for record in caplog.records) <= 1


def test_a_restarted_table_keeps_its_phones_without_their_doing(table: Table) -> None:
    with table.phone("koi") as koi:
        koi.wait_online()
        koi.order({"do": "count", "seat": "koi", "n": 1})
        table.messenger.stop()
        koi.wait(lambda phone: any(topic.endswith("presence/table") and b"false" in payload for topic, payload, _ in phone.heard))
        table.play("lotus", CountTo("lotus", 2))
        connects = koi.connects
        table.begin()
        views_agree(table, koi)
        assert koi.connects == connects
        assert koi.order({"do": "count", "seat": "koi", "n": 3})["ok"]


def test_taking_a_seat_over_moves_it_and_ends_the_old_phone(table: Table) -> None:
    with table.phone("koi") as old, table.phone("lotus") as lotus:
        old.wait_online()
        lotus.wait_online()
        with table.phone("koi", "ru") as new:
            new.wait(lambda phone: phone.talk.state == "waiting")
            table.until(lambda: table.asked == [("koi", True)])
            assert [t.seat for t in table.messenger.takeovers()] == ["koi"]
            assert old.order({"do": "hide", "seat": "koi", "word": "still mine"})["ok"]
            assert table.messenger.decide("koi", yes=True)
            new.wait_online()
            old.wait(lambda phone: phone.talk.state == "revoked")
            old.wait(lambda phone: phone.refused)  # its broker user is gone: it cannot even connect
            assert new.order({"do": "count", "seat": "koi", "n": 1})["ok"]
            views_agree(table, new, lotus)
            assert not table.messenger.decide("koi", yes=True)
    assert [key.epoch for key in table.journal.seat_keys(table.game_id) if key.seat == "koi"] == [2]


def test_a_refused_newcomer_is_told_and_ends(table: Table) -> None:
    with table.phone("koi") as old, table.phone("koi") as new:
        # both codes were shown while the seat was vacant: whoever came second finds its code dead
        table.until(lambda: table.messenger.status()["koi"] == "online")
        late = new if old.talk.state == "online" else old
        late.wait(lambda phone: phone.refused)
    with table.phone("koi") as third:
        third.wait(lambda phone: phone.talk.state == "waiting")
        assert table.messenger.decide("koi", yes=False)
        third.wait(lambda phone: phone.talk.state == "revoked")
        third.wait(lambda phone: phone.refused)


def test_a_takeover_nobody_answers_ends_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messenger, "PULSE", 0.01)
    clock = Clock()
    table = Table(tmp_path, clock=clock)
    try:
        with table.phone("koi") as old:
            old.wait_online()
            with table.phone("koi") as new:
                new.wait(lambda phone: phone.talk.state == "waiting")
                clock.now += 61
                table.until(lambda: table.asked == [("koi", True), ("koi", False)])
                new.wait(lambda phone: phone.talk.state == "revoked")
            assert old.order({"do": "count", "seat": "koi", "n": 1})["ok"]
    finally:
        table.stop()
