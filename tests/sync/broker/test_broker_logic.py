"""The broker's logic with a clock in hand and no sockets: delivery, QoS, retained, wills, what ends a connection."""

import logging

import pytest
from broker_harness import Client, Clock, auth, come, may, new_broker
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.broker import Broker, Limits
from companion.sync.broker.packets import (
    Connack,
    Connect,
    Disconnect,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Pubcomp,
    Publish,
    Pubrec,
    Pubrel,
    Subscribe,
    Unsuback,
    Unsubscribe,
    Will,
    encode,
)

DOWN = "game/koi/down/1"
UP = "game/koi/up/1"
OPEN = "game/open/1"


def test_a_message_reaches_whoever_subscribed_and_nobody_else() -> None:
    broker = new_broker()
    table, koi, lotus = come(broker, "table"), come(broker, "koi"), come(broker, "lotus")
    assert koi.subscribe("game/koi/down/#", "game/open/+") == (1, 1)
    assert lotus.subscribe("game/open/+", qos=0) == (0,)
    assert table.publish(DOWN, b"hand", 1, packet_id=7) == [Puback(7)]
    assert table.publish(OPEN, b"all", 1, packet_id=8) == [Puback(8)]
    assert koi.heard() == [(DOWN, b"hand"), (OPEN, b"all")]
    assert lotus.wire.take() == [Publish(OPEN, b"all")]


def test_qos_is_the_lower_of_publication_and_subscription() -> None:
    broker = new_broker()
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe(OPEN, qos=1)
    for published, heard in ((0, 0), (1, 1), (2, 1)):
        table.publish(OPEN, qos=published, packet_id=3)
        [packet] = koi.wire.take()
        assert isinstance(packet, Publish) and packet.qos == heard


def test_a_subscription_at_qos_2_is_granted_1_and_says_so() -> None:
    assert come(new_broker(), "koi").subscribe("game/koi/down/a", qos=2) == (1,)


def test_overlapping_filters_give_one_copy_at_the_highest_qos() -> None:
    broker = new_broker()
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe("game/open/#", qos=0)
    koi.subscribe("game/open/+", qos=1)
    table.publish(OPEN, qos=1)
    assert koi.wire.take() == [Publish(OPEN, b"x", 1, packet_id=1)]


def test_an_unsubscribed_filter_gives_nothing_more() -> None:
    broker = new_broker()
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe("game/open/#", DOWN)
    assert koi.say(Unsubscribe(4, ("game/open/#", "never/there"))) == [Unsuback(4)]
    table.publish(OPEN)
    table.publish(DOWN)
    assert koi.heard() == [(DOWN, b"x")]


def test_inbound_qos_2_is_forwarded_exactly_once_even_across_connections() -> None:
    broker = new_broker()
    table = come(broker, "table")
    table.subscribe("game/#")
    koi = come(broker, "koi", clean=False)
    message = Publish(UP, b"once", 2, packet_id=5)
    assert koi.say(message) == [Pubrec(5)]
    assert koi.say(Publish(UP, b"once", 2, dup=True, packet_id=5)) == [Pubrec(5)]
    koi.link.lost()
    koi = come(broker, "koi", clean=False)
    assert koi.say(Publish(UP, b"once", 2, dup=True, packet_id=5), Pubrel(5)) == [Pubrec(5), Pubcomp(5)]
    assert table.heard() == [(UP, b"once")]
    assert koi.say(Pubrel(5)) == [Pubcomp(5)]
    koi.say(message)
    assert table.heard() == [(UP, b"once")]


def test_qos_2_messages_never_released_are_bounded() -> None:
    koi = come(new_broker(limits=Limits(inflight=3)), "koi")
    for number in range(1, 4):
        koi.publish(UP, qos=2, packet_id=number)
    koi.publish(UP, qos=2, packet_id=4)
    assert koi.gone


def test_retained_messages_meet_new_subscribers_and_an_empty_one_ends_them() -> None:
    broker = new_broker()
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe(OPEN)
    table.publish(OPEN, b"old", 1, retain=True)
    table.publish(OPEN, b"new", 1, retain=True)
    assert [packet.retain for packet in koi.wire.take() if isinstance(packet, Publish)] == [False, False]
    lotus = come(broker, "lotus")
    lotus.subscribe("game/open/#")
    assert lotus.retained == [Publish(OPEN, b"new", 1, retain=True, packet_id=1)]
    lotus.subscribe(OPEN, qos=0)
    assert lotus.retained == [Publish(OPEN, b"new", 0, retain=True)]
    table.publish(OPEN, b"", retain=True)
    table.publish("game/open/none", b"", retain=True)
    assert koi.heard() == [(OPEN, b"")]
    assert lotus.heard() == [(OPEN, b""), ("game/open/none", b"")]
    lotus.subscribe("game/open/#")
    assert lotus.retained == []


def test_purge_forgets_retained_messages_of_one_game_only() -> None:
    broker = new_broker()
    table = come(broker, "table")
    for topic in ("game/a/1", "game/a/2", "game/b/1"):
        table.publish(topic, retain=True)
    broker.purge("game/a/")
    broker.purge("game/none/")
    table.subscribe("game/#", qos=0)
    assert table.retained == [Publish("game/b/1", b"x", retain=True)]
    assert broker.counts.retained == 1


def test_retained_messages_are_bounded_and_the_live_ones_still_arrive(caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker(limits=Limits(retained=2, retained_bytes=60))
    table = come(broker, "table")
    table.subscribe("game/#", qos=0)
    for topic, payload in (("game/1", b"a"), ("game/2", b"b"), ("game/3", b"c"), ("game/1", b"x" * 60), ("game/1", b"d")):
        assert (topic, payload) in [(p.topic, p.payload) for p in table.publish(topic, payload, retain=True) if isinstance(p, Publish)]
    table.subscribe("game/#", qos=0)
    assert [(p.topic, p.payload) for p in table.retained if isinstance(p, Publish)] == [("game/1", b"d"), ("game/2", b"b")]
    assert caplog.text.count("no room to retain") == 2


def test_a_will_goes_out_when_a_client_is_lost_and_not_when_it_says_goodbye() -> None:
    broker = new_broker()
    table = come(broker, "table")
    table.subscribe("game/#")
    will = Will(UP, b"gone", 2, retain=True)
    come(broker, "koi", will=will).say(Disconnect())
    assert table.heard() == []
    come(broker, "koi", will=will).link.lost()
    assert table.wire.take() == [Publish(UP, b"gone", 1, packet_id=1)]
    table.subscribe("game/#", qos=0)
    assert table.retained == [Publish(UP, b"gone", 0, retain=True)]


def test_a_will_goes_out_on_garbage_silence_and_takeover() -> None:
    clock = Clock()
    broker = new_broker(clock)
    table = come(broker, "table")
    table.subscribe("game/#")
    will = Will(UP, b"gone", 0)
    come(broker, "koi", will=will).link.feed(b"\x00\x00")
    assert table.heard() == [(UP, b"gone")]
    silent = come(broker, "koi", will=will, keepalive=10)
    clock.now += 15
    broker.tick()
    assert not silent.gone
    clock.now += 1
    broker.tick()
    assert silent.gone and table.heard() == [(UP, b"gone")]
    come(broker, "koi", will=will)
    birth = Client(broker)  # the old will comes before what the new connection says, even in one piece
    birth.say(Connect("koi-1", user="koi", password=b"k"), Publish(UP, b"back"))
    assert table.heard() == [(UP, b"gone"), (UP, b"back")]


def test_a_will_one_may_not_publish_is_dropped(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    broker = new_broker()
    lotus = come(broker, "lotus")
    lotus.subscribe("game/lotus/down/#")
    come(broker, "koi", will=Will("game/lotus/down/1", b"forged")).link.lost()
    assert lotus.heard() == []
    assert "the will of user 'koi' to 'game/lotus/down/1' is not allowed" in caplog.text


def test_pings_keep_a_client_alive_and_no_keepalive_means_no_promise() -> None:
    clock = Clock()
    broker = new_broker(clock)
    pinging, quiet = come(broker, "koi", keepalive=10), come(broker, "lotus")
    for _ in range(20):
        clock.now += 14
        assert pinging.say(Pingreq()) == [Pingresp()]
        broker.tick()
    assert not pinging.gone and not quiet.gone


def test_mqtt_5_is_told_so_in_its_own_words_and_3_1_in_those_of_3_1() -> None:
    five, old = Client(new_broker()), Client(new_broker())
    five.link.feed(b"\x10\x0d\x00\x04MQTT\x05\x02\x00\x3c\x00\x00\x00")
    assert five.wire.data == b"\x20\x03\x00\x84\x00" and five.gone
    old.link.feed(b"\x10\x0e\x00\x06MQIsdp\x03\x02\x00\x3c\x00\x00")
    assert old.wire.take() == [Connack(1)] and old.gone


@pytest.mark.parametrize("packet", [Pingreq(), Publish(OPEN, b"x"), Subscribe(1, (("#", 0),)), Disconnect()])
def test_nothing_but_connect_may_come_first(packet: Packet, caplog: pytest.LogCaptureFixture) -> None:
    client = Client(new_broker())
    assert client.say(packet) == [] and client.gone
    assert f"not MQTT: {type(packet).__name__.upper()} before CONNECT" in caplog.text


@pytest.mark.parametrize("packet", [Connect("koi-1", user="koi", password=b"k"), Connack(), Pingresp(), Pubrec(1), Pubcomp(1), Unsuback(1)])
def test_what_a_client_may_not_say_ends_its_connection_only(packet: Packet, caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker()
    koi, lotus = come(broker, "koi"), come(broker, "lotus")
    koi.say(packet)
    assert koi.gone and not lotus.gone
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "is not what a connected client sends" in caplog.text and "'koi-1' at test" in caplog.text


def test_nothing_is_heard_after_the_end() -> None:
    koi = come(new_broker(), "koi")
    assert koi.say(Disconnect(), Pingreq()) == []
    koi.link.feed(encode(Pingreq()))
    koi.link.send(b"late")
    assert koi.wire.take() == []


def test_kick_ends_connections_and_sessions_of_that_user_only() -> None:
    broker = new_broker()
    table = come(broker, "table")
    table.subscribe("game/koi/up/#")
    here = come(broker, "koi", "koi-1", will=Will(UP, b"gone"))
    come(broker, "koi", "koi-2", clean=False).link.lost()
    lotus = come(broker, "lotus")
    broker.kick("koi")
    broker.kick("nobody")
    assert here.gone and not lotus.gone
    assert set(broker._sessions) == {"table-1", "lotus-1"}
    assert table.heard() == [(UP, b"gone")]
    assert not broker._tree.find(OPEN)


def test_kick_and_purge_are_done_where_the_rim_says() -> None:
    broker = new_broker()
    koi = come(broker, "koi")
    later: list[object] = []
    broker.run_on(later.append)
    broker.kick("koi")
    broker.purge("game/")
    assert not koi.gone and len(later) == 2
    for work in later:
        work()
    assert koi.gone
    broker.run_on(None)


def test_stop_closes_everything_without_a_word() -> None:
    broker = new_broker()
    stranger, koi = Client(broker), come(broker, "koi", will=Will(UP, b"gone"))
    broker.stop()
    assert stranger.gone and koi.gone and broker.counts.connected == broker.counts.strangers == 0


def test_a_broken_access_list_lets_nobody_through(caplog: pytest.LogCaptureFixture) -> None:
    broker = Broker(lambda *_: "yes", may)  # truthy is not True
    assert come(broker, "koi", code=5).gone
    assert "wrong password" in caplog.text


def test_who_comes_before_anybody_can_be_known_is_asked_to_come_again_and_not_called_wrong(caplog: pytest.LogCaptureFixture) -> None:
    broker = Broker(lambda *_: None, may)
    koi = come(broker, "koi", code=3)
    assert koi.gone and not koi.link.refused
    assert caplog.text == ""  # a table that starts is no reason to warn


@pytest.mark.logs_errors
def test_a_raising_access_list_lets_nobody_through(caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: object) -> bool:
        raise KeyError("no such seat")

    assert come(Broker(broken, may), "koi", code=5).gone
    broker = Broker(auth, broken)
    table = come(broker, "table")
    assert table.subscribe("game/x") == (0x80,)
    assert table.publish("game/x", qos=1) == [Puback(1)]
    assert "the access list failed, so the answer is no" in caplog.text and "KeyError" in caplog.text


@pytest.mark.logs_errors
def test_a_fault_of_the_broker_costs_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    broker = new_broker()
    koi, lotus = come(broker, "koi"), come(broker, "lotus")
    with monkeypatch.context() as patch:
        patch.setattr(broker, "unsubscribe", lambda *_: 1 / 0)
        koi.say(Unsubscribe(1, ("a",)))
    assert koi.gone and not lotus.gone
    assert lotus.say(Pingreq()) == [Pingresp()]


@given(st.lists(st.tuples(st.sampled_from(["koi", "lotus", "new"]), st.binary(max_size=60)), max_size=12))
def test_noise_on_some_connections_never_reaches_another(noise: list[tuple[str, bytes]]) -> None:
    broker = new_broker()
    clients = {"koi": come(broker, "koi"), "lotus": come(broker, "lotus")}
    steady, table = come(broker, "koi", "koi-steady"), come(broker, "table")
    steady.subscribe("game/koi/down/#")
    for n, (who, data) in enumerate(noise):
        link = Client(broker).link if who == "new" else clients[who].link
        link.feed(data)
        table.publish(DOWN, str(n).encode(), 1)
        [packet] = steady.wire.take()
        assert isinstance(packet, Publish) and packet.payload == str(n).encode()
        steady.say(Puback(packet.packet_id))
    broker.tick()
