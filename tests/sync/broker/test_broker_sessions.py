"""The broker's memory with a clock in hand and no sockets: sessions, takeover, who gets in, and how much of anything is kept."""

import pytest
from broker_harness import Client, Clock, come, may, new_broker
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.broker import Broker, Limits
from companion.sync.broker.packets import (
    Connack,
    Connect,
    Disconnect,
    Packet,
    Pingreq,
    Puback,
    Publish,
    Subscribe,
    Will,
    encode,
)

DOWN = "game/koi/down/1"
UP = "game/koi/up/1"
OPEN = "game/open/1"


def test_a_persistent_session_gets_what_it_missed_in_order() -> None:
    broker = new_broker()
    table = come(broker, "table")
    koi = come(broker, "koi", clean=False)
    assert koi.answer == Connack(0, present=False)
    koi.subscribe("game/koi/down/#")
    table.publish(DOWN, b"0", 1)
    koi.link.lost()
    table.publish(DOWN, b"1", 1)
    table.publish(DOWN, b"lost: QoS 0 is not kept", 0)
    table.publish(DOWN, b"2", 1)
    koi = come(broker, "koi", clean=False)
    assert koi.answer == Connack(0, present=True)
    assert koi.backlog == [
        Publish(DOWN, b"0", 1, dup=True, packet_id=1),
        Publish(DOWN, b"1", 1, packet_id=2),
        Publish(DOWN, b"2", 1, packet_id=3),
    ]
    koi.say(Puback(1), Puback(2), Puback(3), Puback(3), Puback(99))
    koi.say(Disconnect())
    koi = come(broker, "koi", clean=False)
    assert koi.backlog == [] and broker.counts.queued == 0
    table.publish(DOWN, b"3", 1)
    assert koi.heard() == [(DOWN, b"3")]


def test_a_clean_connect_ends_the_persistent_session() -> None:
    broker = new_broker()
    table = come(broker, "table")
    koi = come(broker, "koi", clean=False)
    koi.subscribe("game/koi/down/#")
    koi.link.lost()
    table.publish(DOWN, b"old", 1)
    koi = come(broker, "koi", clean=True)
    assert koi.answer == Connack(0, present=False) and koi.backlog == []
    table.publish(DOWN, b"new", 1)
    assert koi.heard() == []
    koi.link.lost()
    assert come(broker, "koi", clean=False).answer == Connack(0, present=False)


def test_a_persistent_session_nobody_comes_back_to_is_forgotten() -> None:
    clock = Clock()
    broker = new_broker(clock, Limits(session_life=60))
    come(broker, "koi", clean=False).link.lost()
    connected = come(broker, "lotus", clean=False)
    clock.now += 60
    broker.tick()
    assert broker.counts.sessions == 2
    clock.now += 1
    broker.tick()
    assert broker.counts.sessions == 1 and not connected.gone
    assert come(broker, "koi", clean=False).answer == Connack(0, present=False)


def test_only_so_many_messages_are_on_their_way_at_once_and_all_arrive_in_order() -> None:
    broker = new_broker(limits=Limits(inflight=3))
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe(DOWN)
    for n in range(8):
        table.publish(DOWN, bytes((n,)), 1)
    heard: list[Publish] = []
    while batch := [packet for packet in koi.wire.take() if isinstance(packet, Publish)]:
        assert len(batch) <= 3
        heard += batch
        koi.link.feed(b"".join(encode(Puback(packet.packet_id)) for packet in batch))
    assert [packet.payload for packet in heard] == [bytes((n,)) for n in range(8)]


def test_packet_ids_go_round_and_skip_those_in_use() -> None:
    broker = new_broker()
    table, koi = come(broker, "table"), come(broker, "koi")
    koi.subscribe(DOWN)
    table.publish(DOWN, b"stays", 1)
    session = broker._sessions["koi-1"]
    session._last_id = 65534
    for _ in range(2):
        table.publish(DOWN, b"x", 1)
    assert [packet.packet_id for packet in koi.wire.take() if isinstance(packet, Publish)] == [1, 65535, 2]


def test_the_same_client_takes_over_and_its_old_connection_ends() -> None:
    broker = new_broker()
    old = come(broker, "koi", clean=False)
    old.subscribe(DOWN)
    new = come(broker, "koi", clean=False)
    assert old.gone and new.answer == Connack(0, present=True)
    come(broker, "table").publish(DOWN, b"x", 1)
    assert new.heard() == [(DOWN, b"x")] and old.heard() == []
    old.link.lost()  # the rim notices later
    assert not new.gone and broker.counts.connected == 2


def test_nobody_can_take_anothers_session_whatever_the_access_list_lets_through() -> None:
    broker = Broker(lambda _client, _user, _password: True, may)
    koi = come(broker, "koi", "shared", clean=False)
    koi.subscribe(DOWN)
    come(broker, "lotus", "shared", clean=False, code=2)
    assert not koi.gone
    koi.link.lost()
    come(broker, "table", "t").publish(DOWN, b"secret", 1)
    for clean in (False, True):
        thief = come(broker, "lotus", "shared", clean=clean, code=2)
        assert thief.gone and thief.backlog == []
    koi = come(broker, "koi", "shared", clean=False)
    assert koi.backlog == [Publish(DOWN, b"secret", 1, packet_id=1)]


def test_a_wrong_password_does_not_disturb_the_one_whose_name_was_used() -> None:
    broker = new_broker()
    koi = come(broker, "koi")
    koi.subscribe(DOWN)
    assert come(broker, "koi", password=b"wrong", code=5).gone
    assert come(broker, "koi", password=b"", code=5).link.refused
    assert come(broker, "lotus", "koi-1", code=5).gone
    come(broker, "table").publish(DOWN)
    assert koi.heard() == [(DOWN, b"x")]


@pytest.mark.parametrize(("user", "password"), [(None, None), ("", b"k"), ("koi", None)])
def test_anonymous_is_refused_without_asking(user: str | None, password: bytes | None) -> None:
    def never(*_: object) -> bool:
        raise AssertionError

    client = Client(Broker(never, never))
    assert client.say(Connect("koi-1", True, 0, user, password)) == [Connack(5)] and client.gone


def test_a_client_without_an_id_gets_a_session_of_its_own_only_if_clean() -> None:
    broker = new_broker()
    one, two = come(broker, "koi", ""), come(broker, "koi", "")
    assert not one.gone and broker.counts.sessions == 2
    two.subscribe(OPEN)
    one.link.lost()
    assert broker.counts.sessions == 1
    assert come(broker, "koi", "", clean=False, code=2).gone
    assert come(broker, "koi", "koi-" + "x" * 200, code=2).gone


def test_packets_before_connect_are_small_and_later_ones_bounded(caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker()
    stranger = Client(broker)
    stranger.link.feed(b"\x10\x81\x20")  # 4,097 bytes announced
    assert stranger.gone and "at most 4096" in caplog.text
    table = come(broker, "table")
    table.publish("game/x", b"x" * 256 * 1024)
    assert not table.gone
    table.publish("game/x", b"x" * 257 * 1024)
    assert table.gone


def test_a_stranger_has_ten_seconds_and_the_oldest_makes_room() -> None:
    clock = Clock()
    broker = new_broker(clock, Limits(strangers=2))
    first, second = Client(broker), Client(broker)
    third = Client(broker)
    assert first.gone and not second.gone
    clock.now += 5
    assert come(broker, "koi").answer == Connack(0)  # second had to go for this one
    assert second.gone
    clock.now += 5.1
    broker.tick()
    assert third.gone and broker.counts.strangers == 0 and broker.counts.connected == 1


def test_a_user_with_too_many_sessions_loses_its_own_longest_silent_one() -> None:
    clock = Clock()
    broker = new_broker(clock, Limits(sessions_per_user=3))
    table = come(broker, "table")
    clients = []
    for n in range(3):
        clock.now += 1
        clients.append(come(broker, "koi", f"koi-{n}", clean=n != 1))
    clock.now += 1
    clients[0].say(Pingreq())
    come(broker, "koi", "koi-3")
    assert [client.gone for client in clients] == [False, True, False]
    clients[2].link.lost()
    come(broker, "koi", "koi-4", clean=False).link.lost()
    clock.now += 1
    clients[0].say(Pingreq())
    assert "koi-4" in broker._sessions
    come(broker, "koi", "koi-5")
    come(broker, "koi", "koi-6")
    assert not clients[0].gone and not table.gone
    assert broker.counts.sessions == 4


def test_when_all_places_are_taken_those_away_make_room_and_then_newcomers_are_refused() -> None:
    clock = Clock()
    broker = new_broker(clock, Limits(sessions=3))
    for name in ("koi-1", "koi-2"):
        clock.now += 1
        come(broker, "koi", name, clean=False).link.lost()
    come(broker, "table")
    come(broker, "lotus")
    assert set(broker._sessions) == {"koi-2", "table-1", "lotus-1"}
    come(broker, "lotus", "lotus-2")
    assert come(broker, "koi", code=3).gone
    assert broker.counts.sessions == 3


def test_one_session_has_only_so_many_subscriptions() -> None:
    table = come(new_broker(limits=Limits(filters=2)), "table")
    assert table.subscribe("game/1", "game/2", "game/3", "game/2") == (1, 1, 0x80, 1)


def test_a_consumer_whose_bytes_do_not_leave_is_closed_and_nobody_else(caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker(limits=Limits(backlog=1000))
    table, koi, lotus = come(broker, "table"), come(broker, "koi", will=Will(UP, b"gone")), come(broker, "lotus")
    table.subscribe("game/koi/up/#", qos=0)
    koi.subscribe("game/open/#", qos=0)
    lotus.subscribe("game/open/#", qos=0)
    koi.wire.stuck = 1000
    answers = table.publish(OPEN, b"x", 1)
    assert koi.gone and lotus.heard() == [(OPEN, b"x")]
    assert Puback(1) in answers and Publish(UP, b"gone") in answers
    assert "a slow consumer: 1016 bytes wait for it" in caplog.text


def test_a_consumer_that_acknowledges_nothing_is_closed_and_its_session_keeps_what_fits(caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker(limits=Limits(queue=4, inflight=2))
    table, koi = come(broker, "table"), come(broker, "koi", clean=False)
    koi.subscribe(DOWN)
    for n in range(5):
        assert not koi.gone
        table.publish(DOWN, bytes((n,)), 1)
    assert koi.gone and "5 messages it has not acknowledged" in caplog.text
    for n in range(5, 8):
        table.publish(DOWN, bytes((n,)), 1)
    assert broker._sessions["koi-1"].lost == 4
    koi = come(broker, "koi", clean=False)
    rest = koi.say(Puback(1), Puback(2))
    assert [packet.payload for packet in rest if isinstance(packet, Publish)] == [
        b"\x06",
        b"\x07",
    ]  # 0 and 1 were sent once, 2..5 are the oldest that waited


def test_waiting_bytes_are_bounded_too() -> None:
    broker = new_broker(limits=Limits(queue_bytes=1000))
    table, koi = come(broker, "table"), come(broker, "koi", clean=False)
    koi.subscribe(DOWN)
    koi.link.lost()
    for n in range(50):
        table.publish(DOWN, bytes((n,)) * 100, 1)
    koi = come(broker, "koi", clean=False)
    kept = [packet.payload[0] for packet in koi.backlog if isinstance(packet, Publish)]
    assert kept == list(range(42, 50))
    session = broker._sessions["koi-1"]
    koi.say(*(Puback(n) for n in range(1, 9)))
    assert session.queued == 0 and session._bytes == 0


def test_the_wire_may_die_in_the_middle_of_anything() -> None:
    broker = new_broker(limits=Limits(backlog=60, inflight=2))
    table = come(broker, "table")
    koi = come(broker, "koi", clean=False)
    koi.subscribe("game/open/#", qos=0)
    koi.subscribe(DOWN)
    for n in range(4):
        if n == 2:
            koi.link.lost()
        table.publish(DOWN, bytes((n,)), 1)
    stuck = Client(broker)
    stuck.wire.stuck = 58  # takes no CONNACK
    stuck.say(Connect("koi-1", False, 0, "koi", b"k"))
    assert stuck.gone
    half = Client(broker)
    half.wire.stuck = 50  # takes the CONNACK, not the first of the messages sent again
    half.say(Connect("koi-1", False, 0, "koi", b"k"))
    assert half.gone and broker.counts.connected == 1
    table.publish(OPEN, b"r" * 20, retain=True)
    koi = come(broker, "koi", clean=False)
    assert [packet.payload for packet in koi.backlog if isinstance(packet, Publish)] == [b"\0", b"\1"]
    koi.wire.stuck = 50
    koi.say(Subscribe(1, (("game/open/#", 0), ("game/open/1", 0))))  # dies at the retained message
    assert koi.gone
    with_suback = come(broker, "lotus")
    with_suback.wire.stuck = 60
    with_suback.say(Subscribe(1, (("game/open/#", 0),)))
    assert with_suback.gone
    assert broker.counts.connected == 1 and not broker._wills


@given(st.data())
def test_nothing_acknowledged_is_lost_and_nothing_doubled_whatever_the_connection_does(data: st.DataObject) -> None:
    """A persistent subscriber that drops, comes back and acknowledges at whim gets every QoS 1 message, in order of first sight."""
    broker = new_broker(limits=Limits(inflight=3))
    table = come(broker, "table")
    koi: Client | None = come(broker, "koi", clean=False)
    koi.subscribe(DOWN)
    seen: list[int] = []
    unacknowledged: list[int] = []
    sent = 0

    def listen(packets: list[Packet]) -> None:
        for packet in packets:
            if isinstance(packet, Publish):
                value = packet.payload[0]
                assert value not in seen or packet.dup
                if value not in seen:
                    seen.append(value)
                unacknowledged.append(packet.packet_id)

    for action in data.draw(st.lists(st.sampled_from(["publish", "publish", "ack", "drop", "come"]), max_size=40)):
        if action == "publish":
            table.publish(DOWN, bytes((sent,)), 1)
            sent += 1
        elif action == "ack" and koi and unacknowledged:
            koi.link.feed(encode(Puback(unacknowledged.pop(0))))
        elif action == "drop" and koi:
            koi.link.lost()
            koi = None
            unacknowledged.clear()
        elif action == "come" and koi is None:
            koi = come(broker, "koi", clean=False)
            listen(koi.backlog)
        if koi:
            listen(koi.wire.take())
    if koi is None:
        koi = come(broker, "koi", clean=False)
        listen(koi.backlog)
    while unacknowledged:
        koi.link.feed(encode(Puback(unacknowledged.pop(0))))
        listen(koi.wire.take())
    assert seen == list(range(sent)) and broker.counts.queued == 0
