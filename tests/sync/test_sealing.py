"""The seal opens for one seat, one connection, one time, and for nothing else."""

from __future__ import annotations

import hashlib
import json
import random
import zlib

import make_vectors
import nacl.encoding
import nacl.hash
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.sync import sealing
from companion.sync.sealing import (
    Bond,
    Channel,
    Frame,
    SealError,
    open_hello,
    open_welcome,
    pad,
    seal_hello,
    seal_welcome,
    squeeze,
    stretch,
    unpad,
)

BOND = Bond("k3y5game", "koi", 3, bytes(range(32)))
PHONE, REFEREE = b"p" * 16, b"r" * 16


def ends(bond: Bond = BOND, nonces: tuple[bytes, bytes] = (PHONE, REFEREE)) -> tuple[Channel, Channel]:
    return Channel(bond, "u", nonces), Channel(bond, "d", nonces)


def refused(why: str, call: object, *args: object) -> str:
    with pytest.raises(SealError) as caught:
        call(*args)  # type: ignore[operator]
    assert caught.value.why == why
    return str(caught.value)


def test_the_vectors_are_what_the_code_does() -> None:
    assert make_vectors.FILE.read_text(encoding="utf-8") == make_vectors.text()


def test_the_vectors_open_in_order() -> None:
    vectors = json.loads(make_vectors.FILE.read_text(encoding="utf-8"))
    phone, referee = bytes.fromhex(vectors["phone"]), bytes.fromhex(vectors["referee"])
    here = Bond(vectors["bond"]["game"], vectors["bond"]["seat"], vectors["bond"]["epoch"], bytes.fromhex(vectors["bond"]["key"]))
    up, down = ends(here, (phone, referee))
    for step in vectors["script"]:
        frame = Frame.decode(bytes.fromhex(step["frame"]))
        opened = {
            "hello": lambda frame: open_hello(here, frame),
            "welcome": lambda frame: open_welcome(here, phone, frame),
        }.get(step["name"], up.open if step["direction"] == "d" else down.open)(frame)
        assert opened.decode() == step["content"]
        assert frame.counter == step["counter"]


@pytest.mark.parametrize("case", make_vectors.refused(), ids=lambda case: case["name"])
def test_the_refused_vectors_are_refused(case: dict[str, object]) -> None:
    here = make_vectors.BOND
    channel = Channel(here, "u", (make_vectors.PHONE, make_vectors.REFEREE))
    channel._heard = int(str(case["last"]))

    def phone(data: bytes) -> bytes:
        frame = Frame.decode(data)
        return open_welcome(here, make_vectors.PHONE, frame) if case["awaits"] else channel.open(frame)

    with pytest.raises(SealError):
        phone(bytes.fromhex(str(case["frame"])))


WORDS = st.lists(st.sampled_from(["Koi", "Lotus", "бусидо", "summons", "Bushi", "to", "Edo", ", "]), max_size=9000).map(" ".join)


@given(WORDS.map(str.encode), st.binary(max_size=900))
def test_every_view_that_fits_has_one_length_whatever_it_says(content: bytes, other: bytes) -> None:
    up, down = ends()
    data = down.seal(content)
    assert len(data) == len(down.seal(other)) == len(seal_welcome(BOND, PHONE, content)) or len(squeeze(content)) > 8188
    assert len(down.seal(other)) == 35 + 8192 + 16
    assert up.open(Frame.decode(data)) == content


def test_a_larger_view_is_squeezed_and_else_goes_to_the_next_power_of_two() -> None:
    up, down = ends()
    noise = random.Random(1).randbytes(300_000)
    for content, size in ((bytes(8188), 8192), (bytes(30_000), 8192), (noise[:8188], 8192), (noise[:8189], 16_384)):
        data = down.seal(content)
        assert len(data) == 35 + size + 16
        assert up.open(Frame.decode(data)) == content
    refused("long", down.seal, noise)


@pytest.mark.parametrize("content", [b"x", b"x\x01 nothing", zlib.compress(bytes(99))[:-3], zlib.compress(bytes(sealing.MAX_WHOLE + 1))])
def test_squeezed_content_that_cannot_be_read_is_refused(content: bytes) -> None:
    refused("content", stretch, content)


@given(st.binary(max_size=5000) | st.just(b"x") | st.just(b"x" * 9000))
def test_what_goes_in_comes_out_and_its_length_is_hidden(content: bytes) -> None:
    up, down = ends()
    data = up.seal(content)
    assert down.open(Frame.decode(data)) == content
    plain = len(data) - 35 - 16
    assert plain >= 1024
    assert plain & (plain - 1) == 0
    assert open_hello(BOND, Frame.decode(seal_hello(BOND, content))) == content
    assert open_welcome(BOND, PHONE, Frame.decode(seal_welcome(BOND, PHONE, content))) == content


@given(st.integers(0, (35 + 1024 + 16) * 8 - 1))
def test_any_flipped_bit_is_refused(bit: int) -> None:
    up, down = ends()
    data = bytearray(up.seal(b'{"t":"ready"}'))
    data[bit // 8] ^= 1 << bit % 8
    with pytest.raises(SealError):
        down.open(Frame.decode(bytes(data)))
    data[bit // 8] ^= 1 << bit % 8
    assert down.open(Frame.decode(bytes(data)))  # and nothing was spoilt by it


@given(st.integers(0, 1074), st.binary(max_size=3))
def test_a_cut_or_lengthened_frame_is_refused(cut: int, more: bytes) -> None:
    up, down = ends()
    data = up.seal(b"x")
    for wrong in (data[:cut], data + b"\0" + more):
        with pytest.raises(SealError):
            down.open(Frame.decode(wrong))


OTHERS = {
    "seat": Bond("k3y5game", "lotus", 3, BOND.key),
    "epoch": Bond("k3y5game", "koi", 4, BOND.key),
    "game": Bond("othergam", "koi", 3, BOND.key),
    "key": Bond("k3y5game", "koi", 3, bytes(32)),
}


@pytest.mark.parametrize("what", OTHERS)
def test_a_frame_of_another_seat_epoch_game_or_key_is_refused(what: str) -> None:
    why = "epoch" if what == "epoch" else "seal"
    data = ends(OTHERS[what])[0].seal(b"x")
    refused(why, ends()[1].open, Frame.decode(data))
    refused(why, open_hello, BOND, Frame.decode(seal_hello(OTHERS[what], b"x")))
    refused(why, open_welcome, BOND, PHONE, Frame.decode(seal_welcome(OTHERS[what], PHONE, b"x")))
    # and when the epoch in the open is changed to fit, the seal still does not
    frame = Frame.decode(data)
    refused("seal", ends()[1].open, Frame(3, frame.counter, frame.nonce, frame.box))


def test_a_frame_of_another_connection_or_direction_is_refused() -> None:
    up, down = ends()
    frame = Frame.decode(up.seal(b"x"))
    refused("seal", ends(nonces=(REFEREE, REFEREE))[1].open, frame)
    refused("seal", ends(nonces=(PHONE, PHONE))[1].open, frame)
    refused("seal", up.open, frame)  # an echo
    assert down.open(frame) == b"x"


def test_counters_only_rise_and_gaps_are_harmless() -> None:
    up, down = ends()
    frames = [Frame.decode(up.seal(b"%d" % i)) for i in range(5)]
    assert down.open(frames[0]) == b"0"
    refused("counter", down.open, frames[0])
    assert down.open(frames[3]) == b"3"
    for late in frames[:4]:
        refused("counter", down.open, late)
    assert down.open(frames[4]) == b"4"


def test_hello_and_welcome_do_not_pass_for_later_frames_nor_the_other_way_round() -> None:
    up, down = ends()
    refused("counter", down.open, Frame.decode(seal_hello(BOND, b"x")))
    refused("counter", open_hello, BOND, Frame.decode(up.seal(b"x")))
    refused("counter", open_welcome, BOND, PHONE, Frame.decode(down.seal(b"x")))
    refused("seal", open_hello, BOND, Frame.decode(seal_welcome(BOND, sealing.UNKNOWN, b"x")))


def test_a_welcome_to_an_earlier_hello_is_refused() -> None:
    refused("seal", open_welcome, BOND, REFEREE, Frame.decode(seal_welcome(BOND, PHONE, b"x")))


def test_a_channel_that_has_counted_to_the_end_says_so() -> None:
    up, _ = ends()
    up._sent = (1 << 64) - 1
    assert "say hello again" in refused("counter", up.seal, b"x")


def test_a_channel_needs_whole_nonces() -> None:
    refused("nonce", Channel, BOND, "u", (b"short", REFEREE))


def test_frames_over_the_limit_are_refused_before_any_work() -> None:
    refused("long", pad, bytes(sealing.MAX_DOWN - 3))
    assert len(pad(bytes(sealing.MAX_DOWN - 4))) == sealing.MAX_DOWN
    data = Channel(BOND, "d", (PHONE, REFEREE)).seal(random.Random(1).randbytes(sealing.MAX_UP))
    refused("long", Frame.decode, data, sealing.MAX_UP)
    refused("long", seal_hello, BOND, bytes(sealing.MAX_UP))


def test_a_frame_of_another_version_says_what_to_do() -> None:
    data = b"\3" + seal_hello(BOND, b"x")[1:]
    assert "reload" in refused("version", Frame.decode, data)


@pytest.mark.parametrize(
    "plain",
    [b"", bytes(1023), bytes(1025), bytes(1536), b"\0\0\4\0" + bytes(1020), b"\xff" * 1024, pad(b"abc")[:-1] + b"\1"],
    ids=["none", "short", "odd", "no power", "length over the end", "length far over", "not zeros"],
)
def test_padding_is_read_strictly(plain: bytes) -> None:
    refused("padding", unpad, plain)


@given(st.binary(max_size=3000))
@example(b"\1" + bytes(2000))
def test_no_bytes_break_the_frame_reader(data: bytes) -> None:
    try:
        frame = Frame.decode(data)
    except SealError:
        return
    assert frame.encode() == data
    with pytest.raises(SealError):
        ends()[1].open(frame)
    with pytest.raises(SealError):
        open_hello(BOND, frame)


@given(st.binary(max_size=3000))
@settings(max_examples=30)
def test_no_bytes_break_the_padding_reader(plain: bytes) -> None:
    try:
        content = unpad(plain)
    except SealError:
        return
    assert pad(content)[: len(plain)] == plain[: len(pad(content))]


def test_the_password_is_what_libsodium_says_too() -> None:
    ours = sealing.mqtt_password(BOND.key)
    theirs = nacl.hash.blake2b(b"", key=BOND.key, person=b"jinmaku-mqtt", digest_size=32, encoder=nacl.encoding.HexEncoder)
    assert ours == theirs.decode()
    assert ours != hashlib.blake2b(b"", key=BOND.key, digest_size=32).hexdigest()


def test_nothing_prints_a_key() -> None:
    assert BOND.key.hex() not in repr(BOND)
    assert repr(BOND.key) not in repr(BOND)
    assert repr(BOND) == "Bond(k3y5game koi.3)"


def test_nonces_and_keys_are_fresh() -> None:
    assert len({sealing.fresh_nonce() for _ in range(100)}) == 100
    assert len(sealing.fresh_key()) == 32
    assert seal_hello(BOND, b"x") != seal_hello(BOND, b"x")
