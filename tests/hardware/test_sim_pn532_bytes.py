"""The simulated chip's frames and commands: right ones are answered, and no bytes at all upset it."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hardware.sim import pn532_wire as wire
from hardware.sim.antenna import Antenna
from hardware.sim.pn532_chip import FIRMWARE, Chip, heard_first
from hardware.sim.tags import Classic, Ntag, Phone, crc_a

KOI, LOTUS = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("0411223344AABB")


def framed(code, data=b""):
    """A host command as any driver would write it."""
    body = bytes((0xD4, code)) + data
    size = len(body)
    head = (
        bytes((size, -size & 0xFF))
        if size < 255
        else b"\xff\xff" + size.to_bytes(2, "big") + bytes((-sum(size.to_bytes(2, "big")) & 0xFF,))
    )
    return b"\x00\x00\xff" + head + body + bytes((-sum(body) & 0xFF, 0))


commands = st.builds(wire.Command, st.integers(0, 255), st.binary(max_size=263))
frames = st.one_of(commands, st.just(wire.Ack()), st.just(wire.Nack()))


def written(frame):
    if isinstance(frame, wire.Command):
        return framed(frame.code, frame.data)
    return wire.ACK if isinstance(frame, wire.Ack) else bytes.fromhex("0000FFFF0000")


@given(st.lists(frames, max_size=6), st.data())
def test_frames_come_out_however_the_bytes_are_cut(sent, data):
    stream = b"".join(b"\x00" * data.draw(st.integers(0, 12)) + written(frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = wire.Decoder()
    got = [frame for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True) for frame in decoder.feed(stream[start:end])]
    assert got == sent
    assert decoder.broken == 0


@given(st.binary(max_size=400))
@example(b"\x00\xff\xff\xff\xff\xff\x02")
@example(b"\x00\xff" * 100)
def test_any_bytes_leave_the_decoder_sound_and_small(noise):
    decoder = wire.Decoder()
    assert all(isinstance(frame, wire.Frame) for frame in decoder.feed(noise))
    assert decoder.waiting <= 280
    decoder.idle()
    assert decoder.feed(framed(0x02)) == [wire.Command(0x02, b"")]


@given(st.binary(max_size=60), st.integers(0, 7))
def test_a_flipped_bit_never_makes_another_command(data, bit):
    good = framed(0x4A, data)
    for at in range(3, len(good) - 1):
        spoilt = good[:at] + bytes((good[at] ^ 1 << bit,)) + good[at + 1 :]
        for frame in wire.Decoder().feed(spoilt + bytes(300)):
            assert not isinstance(frame, wire.Command) or frame == wire.Command(0x4A, data)


def test_frames_from_a_chip_and_impossible_lengths_are_noise():
    decoder = wire.Decoder()
    assert decoder.feed(wire.answer(0x02, FIRMWARE)) == []
    assert decoder.feed(b"\x00\x00\xff\xff\xff\xff\xff\x02" + b"\x00\x00\xff\x01\xff\xd4\x2c\x00") == []
    assert decoder.broken == 3
    assert len(wire.answer(0x00, bytes(263))) == 3 + 5 + 265 + 2


def test_half_an_extended_head_waits_for_the_rest():
    decoder, whole = wire.Decoder(), framed(0x00, bytes(260))
    assert decoder.feed(whole[:6]) == []
    assert decoder.feed(whole[6:]) == [wire.Command(0x00, bytes(260))]


def chip_with(*tags):
    antenna = Antenna(lambda: 0.0)
    for tag in tags:
        antenna.put(tag)
    return Chip(antenna)


def test_the_house_commands_answer_as_the_manual_says():
    chip = chip_with()
    assert chip.command(0x02, b"") == FIRMWARE
    assert chip.command(0x00, b"\x00hello") == b"\x00hello"
    assert chip.command(0x00, b"\x01") == b"\x00"
    assert chip.command(0x00, b"\x42") is None
    assert chip.command(0x04, b"") == b"\x00\x00\x00\x00"
    assert chip.command(0x0C, b"") == b"\xff\x07\x02"
    assert chip.command(0x14, b"\x01\x00\x00") == b""
    assert chip.command(0x08, b"\x63\x01\x3b\x63\x02\x00") == b""
    assert chip.command(0x06, b"\x63\x01\x63\x02\x63\x7f") == b"\x3b\x00\x00"
    assert chip.command(0x52, b"\x01") == b"\x00"


@pytest.mark.parametrize(
    ("code", "data"), [(0x99, b""), (0x02, b"x"), (0x04, b"x"), (0x06, b"\x63"), (0x08, b"\x63\x01"), (0x0C, b"x"), (0x12, b"")]
)
def test_wrong_commands_are_syntax_errors(code, data):
    assert chip_with().command(code, data) is None


@pytest.mark.parametrize(
    ("code", "data"), [(0x10, b"\x63"), (0x32, b""), (0x4A, b"\x01"), (0x4A, b"\x03\x00"), (0x40, b""), (0x40, b"\x01"), (0x44, b"")]
)
def test_short_or_impossible_parameters_are_syntax_errors_too(code, data):
    assert chip_with().command(code, data) is None


def test_a_tag_is_found_activated_and_asked():
    koi = Ntag(KOI)
    chip = chip_with(koi)
    assert chip.command(0x4A, b"\x01\x00") == b"\x01\x01\x00\x44\x00\x07" + KOI
    assert chip.command(0x04, b"") == b"\x00\x01\x01\x01\x00\x00\x00\x00"
    assert chip.command(0x40, b"\x01\x30\x00") == b"\x00" + bytes(koi.memory[:16])
    assert chip.command(0x42, b"\x30\x70") == b"\x02"  # a 4-bit NAK looks like a CRC error
    chip.command(0x4A, b"\x01\x00")
    chip.command(0x08, b"\x63\x03\x00")  # receive without CRC check
    data = bytes(koi.memory[:16])
    assert chip.command(0x42, b"\x30\x00") == b"\x00" + data + crc_a(data)
    assert chip.command(0x42, b"\x30\x70") == b"\x00\x00"
    assert chip.command(0x42, b"\x30\x00") == b"\x01"  # a refused tag is silent
    chip.command(0x4A, b"\x01\x00")
    chip.command(0x08, b"\x63\x02\x00")  # send without CRC: the tag complains
    assert chip.command(0x42, b"\x30\x00") == b"\x02"
    chip.antenna.take(koi)
    assert chip.command(0x42, b"\x30\x00") == b"\x01"
    chip.command(0x32, b"\x01\x00")
    assert chip.command(0x42, b"\x30\x00") == b"\x27"
    assert chip.air > 0


def test_a_refused_answer_can_be_scripted():
    chip = chip_with(Ntag(KOI))
    chip.naks = 1
    for status in (b"\x02", b"\x00"):
        chip.command(0x4A, b"\x01\x00")
        assert chip.command(0x42, b"\x30\x00")[:1] == status


def test_of_several_tags_anticollision_ends_at_the_same_one_and_a_uid_picks_any():
    koi, lotus, card = Ntag(KOI), Ntag(LOTUS), Classic(b"\x11\x22\x33\x44")
    for order in ((koi, lotus, card), (card, lotus, koi)):
        chip = chip_with(*order)
        assert chip.command(0x4A, b"\x01\x00")[6:] == heard_first(order).uid
        assert chip.command(0x4A, b"\x01\x00\x88" + KOI)[6:] == KOI
        assert chip.command(0x4A, b"\x01\x00\x88" + LOTUS)[6:] == LOTUS
        assert chip.command(0x4A, b"\x01\x00\x11\x22\x33\x44")[6:] == card.uid
        assert chip.command(0x4A, b"\x01\x00\x88" + bytes(7)) == b"\x00"
        assert chip.command(0x06, b"\x63\x39") == b"\x00"  # somebody answered, though not that one
        assert chip.command(0x4A, b"\x01\x04") == b"\x00"  # Jewel tags: none


def test_a_phone_is_another_one_after_each_field_reset():
    chip = chip_with(Phone())
    first = chip.command(0x4A, b"\x01\x00")[6:]
    assert chip.command(0x4A, b"\x01\x00")[6:] == first
    chip.command(0x32, b"\x05\x00\x00\x00")
    chip.command(0x32, b"\x01\x01")
    assert chip.command(0x4A, b"\x01\x00")[6:] == first
    chip.command(0x32, b"\x01\x02")
    assert chip.command(0x4A, b"\x01\x00")[6:] != first
    chip.command(0x32, b"\x01\x02")
    chip.command(0x32, b"\x01\x01")
    assert chip.field


def test_speed_changes_only_when_the_host_confirms():
    chip = chip_with()
    chip.confirm_speed()
    assert chip.command(0x10, b"\x07") == b""
    assert chip.speed == 115200
    chip.confirm_speed()
    assert chip.speed == 921600
    assert chip.command(0x16, b"\x20") == b"\x00"
    assert chip.asleep


@given(st.lists(st.tuples(st.sampled_from([*Chip._HANDLERS, 0x99]), st.binary(max_size=40)), max_size=20))
def test_no_command_upsets_the_chip(commands):
    chip = chip_with(Ntag(KOI), Phone(), Classic(b"\x11\x22\x33\x44"))
    for code, data in commands:
        answer = chip.command(code, data)
        assert answer is None or len(wire.answer(code, answer)) <= 300
