"""Frames and messages: total, exact, and nobody's noise."""

from __future__ import annotations

import random

import on_device
import pytest
from cobs import cobs
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_proto import codec
from firmware_proto.codec import (
    FULL,
    KINDS,
    MAX_LAMPS,
    MAX_SEGMENTS,
    MIN_PERIOD,
    ORDERS,
    Ack,
    Bye,
    Error,
    Fault,
    Hello,
    Identity,
    Message,
    Picture,
    Ping,
    Pong,
    Segment,
    Settings,
)
from firmware_proto.framing import MAX_FRAME, Reader, decode, encode, frame

lumpy = st.lists(st.sampled_from([b"\0", b"\1", b"\xff", b"\1" * 253, b"\1" * 254, b"\1" * 255, b"\0\0"])).map(b"".join)
u8, u16, u32 = st.integers(0, 255), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
words = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)


@st.composite
def segments(draw: st.DrawFn) -> Segment:
    first = draw(st.integers(0, MAX_LAMPS - 1))
    period = draw(st.just(0) | st.integers(MIN_PERIOD, 0xFFFF))
    return Segment(first, draw(st.integers(1, MAX_LAMPS - first)), draw(st.tuples(u8, u8, u8)), draw(st.integers(0, FULL)), period)


pictures = st.builds(Picture, u16, u8, st.lists(segments(), max_size=MAX_SEGMENTS).map(tuple))
messages = st.one_of(
    st.builds(Hello, u16, u32),
    st.builds(
        Identity,
        u16,
        u32,
        st.binary(min_size=8, max_size=8),
        role=words,
        lamps=st.integers(1, 255),
        firmware=words,
        features=u16,
        version=st.integers(0, 9),
    ),
    pictures,
    st.builds(Ack, u16, u32, u16),
    st.builds(Ping, u16),
    st.builds(Pong, u16, u32, u32),
    st.builds(
        Settings,
        u16,
        lamps=st.integers(1, 255),
        first=u8,
        reversed=st.booleans(),
        order=st.sampled_from(ORDERS),
        cap_ma=st.integers(1, 0xFFFF),
        brightness=u8,
        gamma=st.booleans(),
    ),
    st.builds(Bye, u16),
    st.builds(Error, u16, u8, words),
)


@pytest.mark.parametrize("check", on_device.CHECKS, ids=lambda c: c.__name__)
def test_the_checks_that_the_microcontroller_passes(check):
    check()


@given(st.binary(max_size=600) | lumpy)
def test_cobs_is_the_same_as_everybody_elses(data: bytes):
    assert encode(data) == cobs.encode(data)
    assert decode(encode(data)) == data


@given(st.binary(max_size=300) | lumpy)
def test_cobs_refuses_exactly_what_everybody_else_refuses(data: bytes):
    try:
        expected = cobs.decode(data)
    except cobs.DecodeError:
        expected = None
    assert decode(data) == expected


@given(messages)
def test_a_message_comes_back_as_it_was(message: Message):
    (payload,) = Reader().feed(codec.pack(message))
    back = codec.unpack(payload)
    assert back == message
    assert hash(back) == hash(message)
    assert repr(back) == repr(message)


@given(messages, u16)
def test_a_message_is_sent_under_another_number(message: Message, seq: int):
    (payload,) = Reader().feed(codec.pack(message, seq))
    back = codec.unpack(payload)
    assert (back.seq, back.body()) == (seq, message.body())


@settings(max_examples=300)
@given(st.binary(max_size=80) | st.builds(lambda k, d: bytes((k.KIND, 0, 1)) + d, st.sampled_from(KINDS), st.binary(max_size=40)))
def test_any_payload_is_a_message_or_a_named_fault(payload: bytes):
    message = codec.unpack(payload)
    if isinstance(message, Fault):
        assert message.name
        assert str(message) == message.text
        Error(0, codec.NOT_UNDERSTOOD, message.text[: codec.MAX_TEXT])  # so that the device can always say it
    else:
        (again,) = Reader().feed(codec.pack(message))
        assert again == payload


@given(st.lists(messages, min_size=1, max_size=4), st.integers(1, 9))
def test_pieces_of_any_size_make_the_same_frames(told: list[Message], size: int):
    line = b"".join(codec.pack(m) for m in told)
    reader = Reader()
    out: list[bytes] = []
    for i in range(0, len(line), size):
        out += reader.feed(line[i : i + size])
    assert [codec.unpack(p) for p in out] == told
    assert reader.bad == 0


@settings(max_examples=200)
@given(st.binary(max_size=2000))
def test_noise_is_held_only_up_to_a_limit_and_never_stops_the_next_frame(noise: bytes):
    reader = Reader()
    reader.feed(noise)
    assert len(reader._held) <= MAX_FRAME
    assert reader.feed(codec.pack(Ping(7)))[-1] == b"G\0\7"


def test_the_largest_picture_fits_the_limit():
    full = Picture(1, 255, tuple(Segment(i, 1, (255, 255, 255), FULL, 0xFFFF) for i in range(MAX_SEGMENTS)))
    assert len(codec.pack(full)) - 2 <= MAX_FRAME
    assert Reader().feed(codec.pack(full))


def test_no_flipped_bit_ever_makes_another_picture():
    picture = Picture(1, 64, tuple(Segment(i * 3, 2, (i, 0, 255), 0xF0F0F0, 2160) for i in range(4)))
    line = codec.pack(picture) + codec.pack(Ping(2))
    for bit in range(len(line) * 8):
        flipped = bytearray(line)
        flipped[bit // 8] ^= 1 << bit % 8
        for payload in Reader().feed(bytes(flipped)):
            assert codec.unpack(payload) in {picture, Ping(2)}


def test_no_mangled_line_ever_makes_another_picture():
    pick = random.Random(3)
    picture = Picture(1, 64, tuple(Segment(i, 1, (i, i, 255), 0xF0F0F0, 2160) for i in range(20)))
    line = codec.pack(picture)
    for _ in range(3000):
        mangled = bytearray(line)
        for _ in range(pick.randrange(1, 12)):
            mangled[pick.randrange(len(mangled))] = pick.randrange(256)
        if pick.random() < 0.5:
            del mangled[pick.randrange(len(mangled)) :][: pick.randrange(5)]
        for payload in Reader().feed(bytes(mangled)):
            assert codec.unpack(payload) == picture


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Ping(65536), "seq is 65536, must be 0 to 65535"),
        (lambda: Segment(250, 6, (0, 0, 0)), "length is 6, must be 1 to 5"),
        (lambda: Segment(0, 1, (0, 256, 0)), "colour is 256, must be 0 to 255"),
        (lambda: Segment(0, 1, (0, 0, 0), 0, 479), "period is 479, must be 480 to 65535"),
        (lambda: Picture(0, 0, tuple(Segment(0, 1, (0, 0, 0)) for _ in range(65))), "number of segments is 65, must be 0 to 64"),
        (lambda: Settings(order="rgbw"), "colour order must be one of rgb, rbg, grb, gbr, brg, bgr"),
        (lambda: Identity(0, 0, b"short", role="track", lamps=1, firmware="1"), "device id length is 5, must be 8 to 8"),
        (lambda: Error(0, 1, "ä"), "text must be at most 120 printable ASCII characters"),
        (lambda: Error(0, 1, "a" * 121), "text must be at most 120 printable ASCII characters"),
    ],
)
def test_what_the_wire_cannot_carry_is_refused_when_it_is_made(make, text):
    with pytest.raises(Fault) as caught:
        make()
    assert caught.value.text == text


def test_a_pictures_name_does_not_depend_on_its_number_and_is_never_calm():
    one, two = (Picture(n, 64, (Segment(0, 1, (1, 2, 3)),)) for n in (1, 2))
    assert one != two
    assert one.crc() == two.crc() != 0


def test_a_later_hello_is_still_a_hello():
    later = b"H\0\1" + Hello.MAGIC + b"2" + bytes(4) + b"and more"
    assert codec.unpack(later) == Hello(1, 0, version=2)
    fault = codec.unpack(b"H\0\1" + Hello.MAGIC + b"1" + bytes(4) + b"and more")
    assert isinstance(fault, Fault)
    assert fault.name == "length"


def test_identities_of_any_length_are_total():
    whole = codec.pack(Identity(1, 2, b"12345678", role="track", lamps=60, firmware="0.1.0"))
    (payload,) = Reader().feed(whole)
    for n in range(3, len(payload)):
        fault = codec.unpack(payload[:n])
        assert isinstance(fault, Fault)
        assert fault.name == "length"
    for more in (b"x", b"\0"):
        assert isinstance(codec.unpack(payload + more), Fault)
    assert isinstance(codec.unpack(payload[:3] + b"\xff" + payload[4:]), Fault)
    assert isinstance(codec.unpack(b"E\0\1\1\1ab"), Fault)


def test_frames_begin_and_end_with_a_zero_and_have_none_inside():
    whole = frame(bytes(range(256)) * 2)
    assert whole[0] == whole[-1] == 0
    assert 0 not in whole[1:-1]


def test_a_message_is_not_its_look_alike():
    assert Ping(1) != Bye(1)
    assert Ping(1) != 1
