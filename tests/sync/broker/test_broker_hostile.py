"""People on the network who should hear nothing: whatever they subscribe to, publish or pretend to be."""

import logging

import pytest
from broker_harness import Client, come, new_broker
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.broker import Broker
from companion.sync.broker.packets import Publish, Subscribe, encode

SECRET = "game/koi/down/1"
GREEDY = [
    "#",
    "+",
    "/#",
    "+/#",
    "+/+/+",
    "+/+/+/+",
    "+/koi/#",
    "game/#",
    "game/+/down/#",
    "game/+/down/1",
    "game/koi/#",
    SECRET,
    "game/lotus/#",
]
DOLLAR = ["$SYS/#", "$SYS/broker/clients", "$share/g/#", "$share/g/game/koi/down/#", "$queue/#", "$CONTROL/#"]


@pytest.mark.parametrize("user", ["lotus", "ghost"])
def test_another_seat_hears_nothing_live_or_retained(user: str) -> None:
    broker = new_broker()
    table, thief = come(broker, "table"), come(broker, user)
    table.publish(SECRET, b"CANARY retained", 1, retain=True)
    assert thief.wire.take() == []
    for topic_filter in GREEDY + DOLLAR:
        assert thief.subscribe(topic_filter, qos=2) == (0x80,)
        assert thief.retained == []
    table.publish(SECRET, b"CANARY live", 1)
    table.publish(SECRET, b"CANARY live", 0)
    assert thief.wire.take() == [] and b"CANARY" not in thief.wire.data


def test_delivery_is_judged_even_when_the_subscription_slipped_through() -> None:
    """A careless access list that grants # must still not leak what the seat may not get."""
    rights = {"open": True}

    def careless(user: str, action: str, topic: str) -> bool:
        return user == "table" or action == "sub" or (action == "get" and topic.startswith(f"game/{user}/") and rights["open"])

    broker = Broker(lambda *_: True, careless)
    table, koi, lotus = come(broker, "table"), come(broker, "koi", clean=False), come(broker, "lotus")
    for client in (koi, lotus):
        assert client.subscribe("#") == (1,)
    table.publish(SECRET, b"1", 1, retain=True)
    assert lotus.subscribe("game/#") == (1,) and lotus.retained == []
    assert koi.heard() == [(SECRET, b"1")] and lotus.heard() == []
    koi.link.lost()
    table.publish(SECRET, b"2", 1)
    rights["open"] = False  # withdrawn while it waits
    koi = come(broker, "koi", clean=False)
    assert koi.backlog == []
    assert broker.counts.queued == 0 and broker._sessions["koi-1"]._bytes == 0
    rights["open"] = True
    table.publish(SECRET, b"3", 1)
    assert koi.heard() == [(SECRET, b"3")]


def test_nobody_forges_into_anothers_topics_and_one_warning_is_enough(caplog: pytest.LogCaptureFixture) -> None:
    broker = new_broker()
    koi, lotus, table = come(broker, "koi"), come(broker, "lotus"), come(broker, "table")
    koi.subscribe("game/koi/down/#", "game/open/#")
    table.subscribe("game/#")
    for topic in (SECRET, "game/open/1", "game/koi/up/1", "$SYS/x"):
        for qos in (0, 1, 2):
            lotus.publish(topic, b"forged", qos, retain=True)
    assert koi.heard() == [] and table.heard() == [] and broker.counts.retained == 0
    assert not lotus.gone
    assert caplog.text.count("may not publish") == 1


def test_not_even_the_table_has_business_under_dollar() -> None:
    broker = Broker(lambda *_: True, lambda *_: True)
    table = come(broker, "table")
    assert table.subscribe("$SYS/#", "#") == (0x80, 1)
    table.publish("$SYS/x", b"x", retain=True)
    assert table.wire.take() == [] and broker.counts.retained == 0


def test_a_log_line_cannot_be_forged_through_a_name(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    broker = new_broker()
    come(broker, "koi", "koi-1\nERROR all is lost")
    come(broker, "koi", "lotus\n", code=5)
    lotus = come(broker, "lotus")
    lotus.publish("game/\nERROR", b"x")
    lotus.subscribe("game/\nERROR")
    assert all("\n" not in record.getMessage() for record in caplog.records)
    assert b"k" not in [record.getMessage() for record in caplog.records]


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from(["game", "koi", "lotus", "down", "up", "open", "1", "+", "$SYS", ""]), min_size=1, max_size=5),
            st.booleans(),
        ),
        max_size=8,
    )
)
def test_no_filter_anybody_thinks_of_gets_a_canary(tries: list[tuple[list[str], bool]]) -> None:
    broker = new_broker()
    table = come(broker, "table")
    table.publish(SECRET, b"CANARY", 1, retain=True)
    thief = Client(broker)
    thief.say(*[])
    thief = come(broker, "lotus")
    for levels, rest in tries:
        topic_filter = "/".join(levels) + ("/#" if rest else "")
        if topic_filter:
            thief.link.feed(encode(Subscribe(1, ((topic_filter, 1),))))
        table.publish(SECRET, b"CANARY", 1)
    assert not [packet for packet in thief.wire.take() if isinstance(packet, Publish) and packet.topic == SECRET]
    assert b"CANARY" not in thief.wire.data
