"""Rubbish, sealed and not, on an up topic: counted, forgotten, and never acted on."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sync_rig import Rig
from toy import CountTo, Hide

from companion.sync import sealing


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Rig:
    """For tests that try many inputs: opening a journal costs more than they do."""
    return Rig(tmp_path_factory.mktemp("shared"))


@given(st.randoms(use_true_random=False))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_duplicated_and_reordered_frames_never_act_twice(tmp_path_factory: pytest.TempPathFactory, rng: random.Random) -> None:
    rig = Rig(tmp_path_factory.mktemp("game"))
    phone = rig.seated()
    frames = [phone.order(CountTo("koi", n), stamp=n - 1, order_id=f"o{n}")[1] for n in (1, 2, 3)]
    frames += [phone.order(Hide("koi", f"word {n}"), stamp=3, order_id=f"h{n}")[1] for n in (1, 2)]
    network = frames * 3
    rng.shuffle(network)
    for frame in network:
        rig.exchange.heard("koi", frame)
    ids = [order.id for _, _, order in rig.orders]
    assert len(ids) == len(set(ids))
    counters = [int(name[1]) + (3 if name[0] == "h" else 0) for name in ids]
    assert counters == sorted(counters)
    assert rig.referee.revision <= len(ids)


@given(
    st.lists(st.one_of(st.binary(max_size=1200), st.binary(min_size=1075, max_size=1075)), max_size=5),
    st.sampled_from(["koi", "x", "table"]),
)
@settings(max_examples=100)
def test_no_bytes_on_an_up_topic_do_anything(shared: Rig, payloads: list[bytes], seat: str) -> None:
    before = shared.exchange.complaints.counts.total()
    for payload in payloads:
        shared.exchange.heard(seat, payload)
    assert shared.wire == []
    assert shared.exchange.complaints.counts.total() == before + len(payloads)


BAD = [
    b"",
    b"null",
    b"[]",
    b"{}",
    b'{"t":"nonsense"}',
    b'{"t":"order"}',
    b'{"t":"order","id":"","stamp":1,"command":{}}',
    b'{"t":"order","id":"' + b"x" * 65 + b'","stamp":1,"command":{}}',
    b'{"t":"order","id":"a","stamp":-1,"command":{}}',
    b'{"t":"order","id":"a","stamp":1.5,"command":{}}',
    b'{"t":"order","id":"a","stamp":1,"command":}',
    b'{"t":"order","id":"a","stamp":1,"command":{"a":tru}}',
    b'{"t":"lang","lang":7}',
    b'{"t":"lang","lang":"' + b"x" * 17 + b'"}',
    b'{"t":"hello","proto":1,"nonce":"AAAA"}',
    b'\xff\xfe{"t":"ready"}',
    b'{"t":"ready"',
    b"[" * 5000,
    b'{"t":"order","id":"a","stamp":1,"command":' + b"[" * 5000 + b"}",
]


@pytest.mark.parametrize("content", BAD, ids=lambda content: content[:40].decode("latin-1"))
def test_sealed_nonsense_is_counted_and_the_connection_lives(rig: Rig, content: bytes) -> None:
    phone = rig.seated()
    assert phone._channel is not None
    rig.say(phone, phone._channel.seal(content))
    assert rig.counts("message") == 1
    assert rig.orders == []
    rig.say(phone, sealing.seal_hello(phone.bond, content))
    assert rig.counts("message") == 2
    assert rig.order(phone, CountTo("koi", 1))["ok"]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["t", "id", "stamp", "command", "lang", "proto", "nonce"]), inner),
        max_leaves=8,
    ),
    st.sampled_from(["hello", "ready", "order", "lang", "ping", "x"]),
)
@settings(max_examples=200)
def test_no_json_breaks_a_conversation(shared: Rig, value: object, kind: str) -> None:
    if not shared.phones:
        shared.seated()
    phone = shared.phones[0]
    content = json.dumps({**value, "t": kind} if isinstance(value, dict) else value).encode()
    assert phone._channel is not None
    shared.say(phone, phone._channel.seal(content), sealing.seal_hello(phone.bond, content))
    shared.say(phone, phone.say({"t": "ping"}))
    assert phone.state == "online"
