"""The codec: what is said is what is read, in whatever pieces it comes; what is no MQTT has one fault with a name."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.broker.packets import (
    Connack,
    Connect,
    Disconnect,
    Foreign,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Pubcomp,
    Publish,
    Pubrec,
    Pubrel,
    Suback,
    Subscribe,
    Unsuback,
    Unsubscribe,
    Will,
    encode,
    length,
    string,
)
from companion.sync.broker.parser import FILTERS, Malformed, Parser

LIMIT = 1 << 20

text = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)
topic = text.filter(bool).map(lambda t: t.replace("+", "-").replace("#", "-"))
topic_filter = st.one_of(topic, st.sampled_from(["#", "+", "a/+/b", "a/#", "+/+", "$SYS/#"]))
number = st.integers(1, 65535)
payload = st.one_of(st.binary(max_size=40), st.sampled_from([b"", b"x" * 127, b"y" * 128, b"z" * 20000]))
will = st.builds(Will, topic, st.binary(max_size=20), st.integers(0, 2), st.booleans())
connect = st.builds(Connect, text, st.booleans(), st.integers(0, 65535), text, st.none() | st.binary(max_size=40), st.none() | will)
publish = st.one_of(
    st.builds(Publish, topic, payload, st.just(0), st.booleans()),
    st.builds(Publish, topic, payload, st.integers(1, 2), st.booleans(), st.booleans(), number),
)
packets = st.one_of(
    connect,
    st.builds(Connect, text, st.booleans(), st.integers(0, 65535)),
    publish,
    st.builds(Connack, st.integers(0, 5), st.booleans()),
    *(st.builds(kind, number) for kind in (Puback, Pubrec, Pubrel, Pubcomp, Unsuback)),
    st.builds(Subscribe, number, st.lists(st.tuples(topic_filter, st.integers(0, 2)), min_size=1, max_size=5).map(tuple)),
    st.builds(Unsubscribe, number, st.lists(topic_filter, min_size=1, max_size=5).map(tuple)),
    st.builds(Suback, number, st.lists(st.sampled_from([0, 1, 2, 0x80]), min_size=1, max_size=5).map(tuple)),
    st.sampled_from([Pingreq(), Pingresp(), Disconnect()]),
)


def read(pieces: Iterator[bytes] | list[bytes], limit: int = LIMIT) -> tuple[list[Packet], str]:
    """Everything read from the pieces, and the fault that ended it."""
    parser = Parser(limit)
    events: list[Packet] = []
    for piece in pieces:
        parser.receive(piece)
        try:
            while (packet := parser.next_packet()) is not None:
                events.append(packet)
        except Malformed as fault:
            with pytest.raises(Malformed, match=re.escape(str(fault))):  # it stays at its fault, whatever comes
                parser.next_packet()
            parser.receive(encode(Pingreq()))
            assert not parser._buffer
            return events, str(fault)
    return events, ""


@given(st.lists(packets, max_size=6))
def test_what_is_said_is_what_is_read(said: list[Packet]) -> None:
    assert read([b"".join(map(encode, said))]) == (said, "")


@given(st.lists(packets, max_size=4), st.data())
def test_pieces_of_any_size_give_the_same_packets(said: list[Packet], data: st.DataObject) -> None:
    stream = b"".join(map(encode, said))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=8)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(pieces) == (said, "")
    if len(stream) < 2000:
        assert read([bytes((byte,)) for byte in stream]) == (said, "")


@given(st.binary(max_size=200))
def test_random_bytes_give_packets_or_one_named_fault(noise: bytes) -> None:
    whole = read([noise])
    assert read([bytes((byte,)) for byte in noise]) == whole


@given(st.lists(packets, min_size=1, max_size=3), st.data())
def test_a_mutated_packet_gives_the_same_in_one_piece_and_byte_by_byte(said: list[Packet], data: st.DataObject) -> None:
    stream = bytearray(b"".join(map(encode, said))[:1500])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(stream) - 1))
        stream[at] = data.draw(st.integers(0, 255))
    assert read([bytes((byte,)) for byte in stream]) == read([bytes(stream)])


@given(packets, st.data())
def test_a_truncated_packet_waits_for_the_rest(said: Packet, data: st.DataObject) -> None:
    stream = encode(said)
    assert read([stream[: data.draw(st.integers(0, len(stream) - 1))]]) == ([], "")


@given(packets)
def test_a_longer_packet_than_allowed_is_refused_by_its_header_alone(said: Packet) -> None:
    stream = encode(said)
    if len(stream) > 2:
        events, fault = read([stream[:5]], limit=0)
        assert not events and "at most 0 are taken here" in fault


def test_the_limit_may_change_between_packets() -> None:
    parser = Parser(4)
    big = Publish("a", b"123456789")
    parser.receive(encode(Pingreq()) + encode(big))
    assert parser.next_packet() == Pingreq()
    parser.limit = 100
    assert parser.next_packet() == big


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"\x00\x00", "packet type 0 does not exist"),
        (b"\xf0\x00", "packet type 15 does not exist"),
        (b"\x11\x00", "CONNECT with flags 1"),
        (b"\x60\x02\x00\x01", "PUBREL with flags 0"),
        (b"\x80\x02", "SUBSCRIBE with flags 0"),
        (b"\xc0\x80\x80\x80\x80\x01", "a length of more than four bytes"),
        (b"\xc0\x01x", "PINGREQ: 1 bytes too many"),
        (b"\x40\x03\x00\x01x", "PUBACK: 1 bytes too many"),
        (b"\x40\x01x", "PUBACK: ends too early"),
        (b"\x40\x02\x00\x00", "PUBACK: packet id 0"),
        (b"\x36\x05\x00\x01a\x00\x01", "PUBLISH: QoS 3"),
        (b"\x38\x03\x00\x01a", "PUBLISH: marked as repeated at QoS 0"),
        (b"\x32\x05\x00\x01a\x00\x00", "PUBLISH: packet id 0"),
        (b"\x30\x03\x00\x01+", "PUBLISH: a topic name has a wildcard"),
        (b"\x30\x02\x00\x00", "PUBLISH: a topic is empty"),
        (b"\x30\x03\x00\x05a", "PUBLISH: ends too early"),
        (b"\x30\x03\x00\x01\xff", "PUBLISH: text that is not UTF-8"),
        (b"\x30\x05\x00\x03\xed\xa0\x80", "PUBLISH: text that is not UTF-8"),
        (b"\x30\x04\x00\x02a\x00", "PUBLISH: text with a null character"),
        (b"\x82\x02\x00\x01", "SUBSCRIBE: names no filter"),
        (b"\x82\x06\x00\x01\x00\x01a\x03", "SUBSCRIBE: QoS 3"),
        (b"\x82\x05\x00\x01\x00\x01a", "SUBSCRIBE: ends too early"),
        (b"\x82\x07\x00\x01\x00\x02#a\x01", "SUBSCRIBE: a filter has # elsewhere than alone at its end"),
        (b"\xa2\x02\x00\x01", "UNSUBSCRIBE: names no filter"),
        (b"\xa2\x06\x00\x01\x00\x02a+", "UNSUBSCRIBE: a filter has + inside a level"),
        (b"\x90\x02\x00\x01", "SUBACK: a reserved value"),
        (b"\x90\x03\x00\x01\x03", "SUBACK: a reserved value"),
        (b"\x20\x02\x02\x00", "CONNACK: a reserved value"),
        (b"\x20\x02\x00\x06", "CONNACK: a reserved value"),
        (b"\x10\x06\x00\x04HTTP", "CONNECT: ends too early"),
        (b"\x10\x09\x00\x04MQTT\x04\x02\x00", "CONNECT: ends too early"),
        (b"\x10\x07\x00\x04HTTP\x04", "CONNECT: protocol 'HTTP' instead of MQTT"),
        (b"\x10\x0c\x00\x04MQTT\x04\x03\x00\x00\x00\x00", "CONNECT: the reserved flag is set"),
        (b"\x10\x0c\x00\x04MQTT\x04\x0a\x00\x00\x00\x00", "CONNECT: will flags without a will"),
        (b"\x10\x0c\x00\x04MQTT\x04\x42\x00\x00\x00\x00", "CONNECT: a password without a user name"),
        (b"\x10\x10\x00\x04MQTT\x04\x1e\x00\x00\x00\x00\x00\x00\x00\x00", "CONNECT: a topic is empty"),
        (b"\x10\x11\x00\x04MQTT\x04\x1e\x00\x00\x00\x00\x00\x01w\x00\x00", "CONNECT: QoS 3"),
        (b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x00\x00\x00!", "CONNECT: 1 bytes too many"),
    ],
)
def test_every_fault_is_named(data: bytes, fault: str) -> None:
    assert read([data]) == ([], fault)


def test_one_packet_cannot_carry_endless_filters() -> None:
    for packet in (Subscribe(1, (("a", 0),) * (FILTERS + 1)), Unsubscribe(1, ("a",) * (FILTERS + 1))):
        assert read([encode(packet)])[1].endswith(f"more than {FILTERS} filters at once")


@pytest.mark.parametrize(("protocol", "level"), [("MQTT", 5), ("MQTT", 3), ("MQTT", 0x84), ("MQIsdp", 3)])
def test_another_version_is_recognised_and_not_read_further(protocol: str, level: int) -> None:
    body = string(protocol) + bytes((level,)) + b"\x02\x00\x3c\x05\x11\xff\xff\xff\xff\x00\x01a"
    assert read([b"\x10" + length(len(body)) + body]) == ([Foreign(level)], "")
    with pytest.raises(ValueError, match="another protocol version"):
        encode(Foreign(level))


@pytest.mark.parametrize("n", [0, 127, 128, 16383, 16384, 2097151, 2097152, 268435455])
def test_lengths_take_the_fewest_bytes_and_come_back(n: int) -> None:
    said = length(n)
    assert len(said) == 1 + (n > 127) + (n > 16383) + (n > 2097151)
    assert f"of {n} bytes" in read([b"\x30" + said], limit=n - 1)[1]
