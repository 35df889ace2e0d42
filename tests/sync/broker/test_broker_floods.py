"""Seated phones that send too much: they are slowed down, then closed; nobody else notices, least of all the house's own client."""

import asyncio
import contextlib
import logging
from pathlib import Path

import aiohttp
import pytest
from broker_harness import Clock, Raw, auth, come, may, new_broker, spares, until

from companion.sync import wires
from companion.sync.broker import Broker, Limits
from companion.sync.broker.meter import Meter
from companion.sync.broker.packets import (
    Connack,
    Connect,
    Pingreq,
    Pingresp,
    Puback,
    Publish,
    Pubrec,
    Pubrel,
    Suback,
    Subscribe,
    Will,
    encode,
)
from companion.sync.server import Server

UP = "game/koi/up/1"
TIGHT = Limits(rate=10, burst=5, byte_rate=1000, byte_burst=2000, patience=3)


def flood(count: int, payload: bytes = b"x") -> bytes:
    return b"".join(encode(Publish(UP, payload + b"%d" % n)) for n in range(count))


def test_a_burst_passes_and_the_rest_waits_its_turn_and_is_not_lost() -> None:
    clock = Clock()
    broker = new_broker(clock, TIGHT)
    table, koi = come(broker, "table"), come(broker, "koi")
    table.subscribe("game/#")
    assert koi.link.feed(flood(8)) == pytest.approx(0.1)  # CONNECT was the first of five
    assert [payload for _, payload in table.heard()] == [b"x0", b"x1", b"x2", b"x3"]
    assert koi.link.feed(b"") == pytest.approx(0.1)  # asked again too early: nothing happens
    assert table.heard() == []
    clock.now += 0.25
    assert koi.link.feed(b"") == pytest.approx(0.05)
    assert [payload for _, payload in table.heard()] == [b"x4", b"x5"]
    clock.now += 1
    assert koi.link.feed(b"") == 0
    assert [payload for _, payload in table.heard()] == [b"x6", b"x7"]
    assert not koi.gone


def test_who_goes_on_is_closed_with_one_line_and_nothing_that_waited_comes_through(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    broker = new_broker(clock, TIGHT)
    table = come(broker, "table")
    table.subscribe("game/#")
    koi = come(broker, "koi", will=Will(UP, b"gone", 0, retain=False))
    wait = koi.link.feed(flood(10_000))
    for _ in range(40):
        if koi.gone:
            break
        clock.now += wait
        wait = koi.link.feed(b"")
    assert koi.gone and wait == 0 and koi.link.feed(flood(3)) == 0
    heard = [payload for _, payload in table.heard()]
    assert heard[:5] == [b"x0", b"x1", b"x2", b"x3", b"x4"] and heard[-1] == b"gone" and len(heard) < 40
    assert not table.gone
    assert [record.getMessage() for record in caplog.records] == [
        "MQTT 'koi-1' at test closed: it kept sending more than 10 packets or 1000 bytes a second"
    ]


def test_a_pause_in_time_is_forgiven() -> None:
    clock = Clock()
    broker = new_broker(clock, TIGHT)
    koi = come(broker, "koi")
    for _ in range(10):
        koi.link.feed(flood(9))
        clock.now += 2
        assert koi.link.feed(b"") == 0
        clock.now += 2
    assert not koi.gone


def test_bytes_count_as_well_and_one_large_message_passes_on_credit() -> None:
    clock = Clock()
    broker = new_broker(clock, TIGHT)
    table, koi = come(broker, "table"), come(broker, "koi")
    table.subscribe("game/#")
    assert koi.link.feed(flood(2, b"L" * 5000)) > 3  # the second waits until the debt of the first is paid
    assert len(table.heard()) == 1
    clock.now += 3.1
    assert koi.link.feed(b"") == 0
    assert len(table.heard()) == 1


def test_everything_that_costs_work_counts_and_an_acknowledgement_that_is_due_does_not() -> None:
    broker = new_broker(limits=TIGHT)
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe("game/koi/down/#")
    for _ in range(50):
        table.publish("game/koi/down/1", b"view", 1)
        [packet] = koi.wire.take()
        assert isinstance(packet, Publish)
        assert koi.link.feed(encode(Puback(packet.packet_id))) == 0
    assert koi.link.feed(encode(Publish(UP, b"x", 2, packet_id=7)) + encode(Pubrel(7))) == 0
    assert koi.link.feed(encode(Pingreq()) * 3) > 0  # CONNECT, SUBSCRIBE, PUBLISH and two of these are the five
    assert koi.wire.take()[-1] == Pingresp()
    for packet in (Puback(9), Pubrel(9), Subscribe(1, (("game/open/#", 0),)), Pingreq()):
        strict = new_broker(limits=Limits(burst=1, rate=1))
        assert come(strict, "koi").link.feed(encode(packet)) > 0, packet


def test_coming_back_does_not_refill_the_account_and_another_user_has_its_own(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    broker = new_broker(clock, TIGHT)
    koi = come(broker, "koi")
    koi.link.feed(flood(9))
    koi.link.lost()
    assert come(broker, "koi", code=3).gone  # coming and going leaves wills behind: it is sending too
    assert "user 'koi' has sent too much" in caplog.text
    assert not come(broker, "lotus").gone
    clock.now += 0.1
    koi = come(broker, "koi")
    assert koi.link.feed(encode(Pingreq())) > 0


def test_the_houses_own_client_is_neither_slowed_nor_refused() -> None:
    broker = new_broker(limits=TIGHT)
    for _ in range(30):
        table = come(broker, "table")
        assert table.link.feed(encode(Publish("game/open/1", b"x" * 900)) * 50) == 0


def test_a_flood_cannot_cost_the_houses_own_client_its_line() -> None:
    """What it does not take in time is dropped from the oldest on, and it stays."""
    broker = new_broker(limits=Limits(queue=20, inflight=5, rate=1e9, burst=1e9, byte_rate=1e9, byte_burst=1e9))
    table, koi = come(broker, "table"), come(broker, "koi")
    table.subscribe("game/#")
    for n in range(100):
        koi.publish(UP, b"%d" % n, 1)
    sent = [packet for packet in table.wire.take() if isinstance(packet, Publish)]
    assert [packet.payload for packet in sent] == [b"0", b"1", b"2", b"3", b"4"]
    for packet in sent:
        table.say(Puback(packet.packet_id))
    assert not table.gone
    session = broker._sessions["table-1"]
    assert session.lost == 80 and session.queued == 15
    lotus = come(broker, "lotus")
    lotus.subscribe("game/open/#")
    for n in range(100):
        table.publish("game/open/1", b"%d" % n, 1)
    assert lotus.gone  # while anybody else is closed


def test_nor_do_bytes_that_have_not_left() -> None:
    broker = new_broker(limits=Limits(backlog=1000))
    table, koi = come(broker, "table"), come(broker, "koi")
    table.subscribe("game/#")
    table.wire.stuck = 5000
    assert koi.publish(UP, b"at most once") == []
    koi.publish(UP, b"at least once", 1)
    assert not table.gone and broker._sessions["table-1"].lost == 1
    table.wire.stuck = 0
    assert table.heard() == [(UP, b"at least once")]


def test_a_message_longer_than_its_topic_may_carry_is_dropped_with_one_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    broker = Broker(auth, may, spares=spares, most=lambda user, topic: 10 if user == "koi" and "/up/" in topic else 100)
    table = come(broker, "table")
    table.subscribe("game/#")
    koi = come(broker, "koi", will=Will(UP, b"long" * 3, 0, retain=True))
    assert koi.publish(UP, bytes(11), 1) == [Puback(1)]  # or it would come back with it for ever
    assert koi.publish(UP, bytes(11), 2) == [Pubrec(1)]
    koi.publish(UP, bytes(10))
    koi.publish("game/lotus/up/1", bytes(11))
    assert table.heard() == [(UP, bytes(10))] and not koi.gone
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == ["MQTT 'koi-1' at test may not publish 11 bytes to 'game/koi/up/1'; its further attempts are dropped without a word"]
    koi.link.lost()
    assert table.heard() == [] and broker.counts.retained == 0
    assert "the will of user 'koi' to 'game/koi/up/1' is not allowed" in caplog.text


@pytest.mark.logs_errors
def test_when_nobody_can_say_how_long_a_message_may_be_it_is_too_long() -> None:
    broker = Broker(auth, may, spares=spares, most=lambda _user, _topic: 1 // 0)
    table, koi = come(broker, "table"), come(broker, "koi")
    table.subscribe("game/#")
    koi.publish(UP)
    assert table.heard() == [] and not koi.gone


def test_accounts_that_are_full_again_are_forgotten() -> None:
    clock = Clock()
    meter = Meter(TIGHT, clock)
    assert meter.wait("koi", 3000) == 0 and meter.wait("koi", 0) == pytest.approx(1.001)
    meter.tidy()
    assert len(meter) == 1
    clock.now += 3
    meter.tidy()
    assert len(meter) == 0


# -- over sockets


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wires, "PAUSE", 0.01)


def _served(bundle: Path, limits: Limits) -> Server:
    server = Server(Broker(auth, may, spares=spares, limits=limits), bundle, "127.0.0.1", 0)
    server.start()
    return server


@pytest.mark.usefixtures("quick")
def test_over_tcp_a_burst_is_only_delayed(bundle: Path) -> None:
    server = _served(bundle, Limits(rate=200, burst=10))
    table, koi = Raw(server.mqtt_port), Raw(server.mqtt_port)
    table.say(Connect("table-1", True, 0, "table", b"t"), Subscribe(1, (("game/#", 0),)))
    assert [table.hear(), table.hear()] == [Connack(), Suback(1, (0,))]
    koi.say(Connect("koi-1", True, 0, "koi", b"k"))
    koi.socket.sendall(flood(40))
    assert [table.hear() for _ in range(40)] == [Publish(UP, b"x%d" % n) for n in range(40)]
    koi.say(Pingreq())
    assert [koi.hear(), koi.hear()] == [Connack(), Pingresp()]  # and read on
    koi.socket.sendall(flood(100))
    koi.close()  # with a pause under way
    server.stop()
    table.close()


async def _over_websocket(server: Server) -> None:
    table = Raw(server.mqtt_port)
    table.say(Connect("table-1", True, 0, "table", b"t"), Subscribe(1, (("game/#", 0),)))
    assert [table.hear(), table.hear()] == [Connack(), Suback(1, (0,))]
    async with (
        aiohttp.ClientSession() as client,
        client.ws_connect(f"http://127.0.0.1:{server.port}/mqtt", protocols=["mqtt"]) as ws,
    ):
        await ws.send_bytes(encode(Connect("koi-1", True, 0, "koi", b"k")) + flood(40))
        heard = [await ws.receive(5)]
        assert [table.hear() for _ in range(40)] == [Publish(UP, b"x%d" % n) for n in range(40)]
        await ws.send_bytes(encode(Pingreq()))
        heard.append(await ws.receive(5))
        assert [message.data for message in heard] == [encode(Connack()), encode(Pingresp())]
        await ws.send_bytes(flood(1000))
        assert (await ws.receive(5)).type is aiohttp.WSMsgType.CLOSE
    table.close()


@pytest.mark.usefixtures("quick")
def test_over_a_websocket_a_burst_is_only_delayed_and_a_flood_closed(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _served(bundle, Limits(rate=200, burst=10, patience=0.5))
    asyncio.run(_over_websocket(server))
    server.stop()
    assert caplog.text.count("kept sending more than 200 packets") == 1


def test_a_closed_flood_leaves_nothing_unread_behind(bundle: Path) -> None:
    server = _served(bundle, Limits(patience=0.0))
    koi = Raw(server.mqtt_port)
    koi.say(Connect("koi-1", True, 0, "koi", b"k"))
    with contextlib.suppress(OSError):
        for _ in range(200):
            koi.socket.sendall(flood(1000))
    until(lambda: server._broker.counts.connected == 0)
    koi.close()
    server.stop()
