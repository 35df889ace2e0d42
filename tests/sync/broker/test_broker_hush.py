"""A log that one bad neighbour cannot fill."""

import logging

import pytest
from broker_harness import Client, Clock, come, new_broker

from companion.sync.broker import Limits
from companion.sync.broker.hush import Hush


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    caplog.clear()
    return found


def test_who_connects_badly_again_and_again_gets_a_few_lines_a_minute_and_one_that_counts(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    broker = new_broker(clock)
    for _ in range(100):
        Client(broker).link.feed(b"\x00garbage")
        assert come(broker, "koi", password=b"guess", code=5).gone
    first = lines(caplog)
    assert len(first) == 5 and "packet type 0 does not exist" in first[0] and "wrong password" in first[1]
    clock.now += 59
    broker.tick()
    assert lines(caplog) == []
    clock.now += 1
    broker.tick()
    broker.tick()
    assert lines(caplog) == ["195 more warnings about 'test' were left out within 60 s"]
    Client(broker).link.feed(b"\x00garbage")
    assert len(lines(caplog)) == 1
    clock.now += 60
    broker.tick()
    assert lines(caplog) == []  # nothing was left out


def test_the_count_is_told_when_the_next_warning_comes_before_the_tick(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    hush = Hush(Limits(warnings=1), clock)
    for _ in range(3):
        hush.warn("192.0.2.1", "it is %s", "bad")
    clock.now += 61
    hush.warn("192.0.2.1", "it is worse")
    assert lines(caplog) == ["it is bad", "2 more warnings about '192.0.2.1' were left out within 60 s", "it is worse"]


def test_one_address_takes_nothing_from_another_and_addresses_are_bounded(caplog: pytest.LogCaptureFixture) -> None:
    hush = Hush(Limits(warnings=1, warned=2), Clock())
    assert [hush.passes(about) for about in ("a", "a", "b", "b", "b", "a")] == [True, False, True, False, False, False]
    assert hush.passes("c")  # the oldest is forgotten, not without a word
    assert lines(caplog) == ["2 more warnings about 'a' were left out within 60 s"]
    assert len(hush._known) == 2


def test_a_retained_message_there_is_no_room_for_is_one_line_too(caplog: pytest.LogCaptureFixture) -> None:
    table = come(new_broker(limits=Limits(retained=0, warnings=2)), "table")
    for _ in range(10):
        table.publish("game/open/1", retain=True)
    assert len(lines(caplog)) == 2
