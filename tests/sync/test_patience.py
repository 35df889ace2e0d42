"""What the table bears of bad phones, and which leavings of old tables it sweeps away."""

from __future__ import annotations

import logging

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sync_rig import GAME, Clock

from companion.sync.ghosts import Ghosts, Presence, read_presence
from companion.sync.patience import Complaints, Gate, most, spares
from companion.sync.topics import Topics

HERE, OTHER, LIVING, OWN = Topics(GAME), Topics("othergam"), Topics("livingga"), Topics("ownoldga")


def test_a_seat_may_send_a_burst_and_then_its_rate() -> None:
    clock = Clock()
    gate = Gate(clock, rate=50, burst=100)
    assert sum(gate.lets("koi") for _ in range(150)) == 100
    assert gate.lets("lotus")  # another seat has its own
    assert gate.dropped() == {"koi": 50}
    assert gate.dropped() == {}
    clock.now += 1
    assert sum(gate.lets("koi") for _ in range(150)) == 50
    clock.now += 3600
    assert sum(gate.lets("koi") for _ in range(150)) == 100


def test_a_seat_that_was_told_of_quietly_is_still_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    clock = Clock()
    complaints = Complaints(clock)
    complaints.add("koi", "seal", "a frame that does not open")
    for _ in range(3):
        complaints.add("koi", "disk", "a hello that waits for the disk", level=logging.WARNING)
        complaints.add("koi", "seal", "a frame that does not open")
    clock.now += 61
    complaints.add("koi", "disk", "a hello that waits for the disk", level=logging.WARNING)
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("INFO", "ignored from koi: a frame that does not open"),
        ("WARNING", "ignored from koi: a hello that waits for the disk"),
        ("WARNING", "ignored from koi: a hello that waits for the disk (and 2 more since the last such line)"),
    ]
    assert complaints.counts == {("koi", "seal"): 4, ("koi", "disk"): 4}


def test_a_birth_is_short_and_a_frame_as_long_as_frames_are() -> None:
    assert most("koi.1", HERE.presence("koi")) == 256
    assert most("table", HERE.presence("table")) == 256
    assert most("koi.1", HERE.up("koi")) == 65_600
    assert most("koi.1", "up") == 65_600
    assert most("table", HERE.down("koi")) > 1 << 20
    assert most("table", HERE.open) > 1 << 20
    assert [spares(user) for user in ("table", "koi.1", "guest", "")] == [True, False, False, False]


def on(value: bool) -> bytes:
    return msgspec.json.encode(Presence(value, "c"))


def test_what_tables_that_are_over_have_retained_is_swept_and_the_living_are_spared() -> None:
    ghosts = Ghosts(GAME, former=["ownoldga", GAME])
    for topic, payload in [
        (HERE.open, b"{}"),
        (HERE.presence("koi"), on(value=True)),
        (OTHER.presence("table"), on(value=False)),
        (OTHER.open, b"{}"),
        (OTHER.presence("koi"), on(value=True)),
        (OTHER.down("koi"), b"a leftover"),
        (OTHER.presence("lotus"), b""),
        (LIVING.open, b"{}"),
        (LIVING.presence("table"), on(value=True)),
        (OWN.open, b"{}"),
        (OWN.presence("table"), on(value=True)),
        ("somebody/else", b"x"),
        ("jinmaku/1/UPPER/open", b"x"),
    ]:
        ghosts.met(topic, payload)
    swept = {OTHER.open, OTHER.presence("table"), OTHER.presence("koi"), OTHER.down("koi"), OWN.open, OWN.presence("table")}
    assert set(ghosts.banish()) == swept
    assert ghosts.banish() == ()


def test_a_game_whose_table_said_nothing_readable_is_over() -> None:
    ghosts = Ghosts(GAME)
    ghosts.met(OTHER.presence("table"), b"\xff")
    assert ghosts.banish() == (OTHER.presence("table"),)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_presence_reader(payload: bytes) -> None:
    assert read_presence(payload) is None or isinstance(read_presence(payload), Presence)


def test_presence_is_read_strictly() -> None:
    assert read_presence(b'{"on":true,"conn":"a"}') == Presence(True, "a")
    assert read_presence(b'{"on":false}') == Presence(False, "")
    for payload in (
        b"",
        b"null",
        b'{"on":1}',
        b'{"conn":"a"}',
        b'{"on":true,"conn":7}',
        b'{"on":true,"conn":"' + b"a" * 300 + b'"}',
        b"[" * 200,
    ):
        assert read_presence(payload) is None
