"""Simulated tags against the public data sheets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.sim.antenna import Antenna
from hardware.sim.tags import Classic, Ntag, Phone, Tag, crc_a, tag_of

UID = bytes.fromhex("04A1B2C3D4E5F6")


def say(tag, *command):
    """Send a command with its CRC to a selected tag; the answer with its CRC checked and taken off."""
    tag.select()
    reply = tag.rf(bytes(command) + crc_a(bytes(command)))
    if reply is not None and len(reply) > 1:
        assert crc_a(reply[:-2]) == reply[-2:]
        return reply[:-2]
    return reply


@pytest.mark.parametrize(("data", "crc"), [("0000", "A01E"), ("1234", "26CF")])
def test_crc_a_is_that_of_the_standards_own_examples(data, crc):
    assert crc_a(bytes.fromhex(data)) == bytes.fromhex(crc)


@pytest.mark.parametrize(("kind", "pages", "storage", "capacity"), [(213, 45, 0x0F, 0x12), (215, 135, 0x11, 0x3E), (216, 231, 0x13, 0x6D)])
def test_each_ntag_has_its_size_version_and_check_bytes(kind, pages, storage, capacity):
    tag = Ntag(UID, kind)
    assert say(tag, 0x60) == bytes((0, 4, 4, 2, 1, 0, storage, 3))
    first = say(tag, 0x30, 0)
    assert first[:3] + first[4:8] == UID
    assert first[3] == 0x88 ^ UID[0] ^ UID[1] ^ UID[2]
    assert first[8] == UID[3] ^ UID[4] ^ UID[5] ^ UID[6]
    assert first[12:16] == bytes((0xE1, 0x10, capacity, 0))
    assert len(say(tag, 0x3A, 0, pages - 1)) == pages * 4
    assert say(tag, 0x30, pages) == b"\x00"
    assert say(tag, 0x3A, 0, pages) == b"\x00"
    assert len(say(tag, 0x3C, 0)) == 32


def test_reading_rolls_over_at_the_end_and_the_password_reads_as_zero():
    tag = Ntag(UID)
    tag.memory[-8:] = b"PASSWORD"
    assert say(tag, 0x30, 44) == bytes(4) + bytes(tag.memory[:12])
    assert say(tag, 0x30, 43)[:8] == bytes(8)


def test_what_is_written_is_read_and_what_is_fixed_stays():
    tag = Ntag(UID)
    assert say(tag, 0xA2, 8, 1, 2, 3, 4) == b"\x0a"
    assert say(tag, 0x30, 8)[:4] == b"\x01\x02\x03\x04"
    before = bytes(tag.memory)
    for page in (0, 1, 45, 200):
        assert say(tag, 0xA2, page, 0, 0, 0, 0) == b"\x00"
    assert say(tag, 0xA2, 3, 0, 0, 0, 0x0F) == b"\x0a"  # one-time programmable: bits are only added
    assert tag.memory[12:16] == before[12:15] + b"\x0f"
    assert say(tag, 0xA2, 2, 9, 9, 0x10, 0x01) == b"\x0a"  # locks pages 4 and 8
    assert tag.memory[8:12] == before[8:10] + b"\x10\x01"
    assert say(tag, 0xA2, 4, 0, 0, 0, 0) == say(tag, 0xA2, 8, 0, 0, 0, 0) == b"\x00"
    assert say(tag, 0xA2, 5, 0, 0, 0, 0) == say(tag, 0xA2, 20, 0, 0, 0, 0) == b"\x0a"


def test_a_tag_answers_only_when_selected_and_goes_quiet_after_a_refusal():
    tag = Ntag(UID)
    read = b"\x30\x00"
    assert tag.rf(read + crc_a(read)) is None
    tag.select()
    assert tag.rf(read + b"\x00\x00") == b"\x01"  # wrong CRC
    assert tag.rf(read + crc_a(read)) is None
    tag.select()
    assert tag.rf(b"\x50\x00" + crc_a(b"\x50\x00")) is None  # HLTA
    assert not tag.selected
    assert say(tag, 0x1A, 0x00) == b"\x00"
    assert say(Tag(UID), 0x30, 0) == b"\x00"


def test_a_classic_card_keeps_its_data_and_a_phone_its_number():
    assert say(Classic(b"\x11\x22\x33\x44"), 0x30, 0) == b"\x04"
    phone = Phone()
    numbers = set()
    for _ in range(5):
        numbers.add(phone.uid)
        phone.field_off()
    assert len(numbers) == 5
    assert {uid[0] for uid in numbers} == {8}
    assert say(phone, 0xE0, 0x80)[1:] == bytes.fromhex("788070") + b"\x02"
    assert say(phone, 0x02, 0x00, 0xA4, 0x04, 0x00) == b"\x02\x6a\x82"
    assert say(phone, 0xC2) is None
    assert repr(phone) == "Phone()"
    assert repr(Ntag(UID)) == "Ntag(04A1B2C3D4E5F6)"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Ntag(b"\x05" + bytes(6)), "starts with 04"),
        (lambda: Ntag(b""), "not nothing"),
        (lambda: Ntag(UID, 999), "NTAG999"),
        (lambda: Ntag(UID, 213, bytes(200)), "do not fit"),
        (lambda: Classic(UID), "has 4 bytes"),
        (lambda: tag_of("04A1"), "has 2 bytes"),
        (lambda: tag_of(""), "an empty UID"),
        (lambda: tag_of("koi"), "is no UID"),
    ],
)
def test_an_impossible_tag_is_refused_in_words(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_a_number_alone_makes_a_fitting_tag():
    assert isinstance(tag_of("04:a1:b2:c3:d4:e5:f6"), Ntag)
    assert isinstance(tag_of(b"\x11\x22\x33\x44"), Classic)
    assert isinstance(tag_of("Phone"), Phone)
    assert Ntag(UID, 216, bytes(300)).memory[16:20] == b"\x03\xff\x01\x2c"


@given(st.sampled_from([Ntag(UID), Classic(b"\x11\x22\x33\x44"), Phone()]), st.binary(max_size=12), st.booleans())
def test_no_frame_upsets_a_tag(tag, frame, checked):
    tag.select()
    reply = tag.rf(frame + crc_a(frame) if checked else frame)
    assert reply is None or len(reply) == 1 or crc_a(reply[:-2]) == reply[-2:]


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_tags_lie_from_when_until_when_they_are_told_to():
    clock, koi, lotus = Clock(), Ntag(UID), Classic(b"\x11\x22\x33\x44")
    antenna = Antenna(clock)
    antenna.put(koi, after=1.0, seconds=2.0)
    antenna.put(lotus)
    assert antenna.tags() == (lotus,)
    clock.now = 1.0
    assert set(antenna.tags()) == {lotus, koi}
    koi.select()
    clock.now = 3.0
    assert antenna.tags() == (lotus,)
    assert not koi.selected
    antenna.put(lotus)  # twice is once
    assert antenna.tags() == (lotus,)
    lotus.select()
    antenna.field_off()
    assert not lotus.selected
    assert antenna.take(lotus)
    assert not antenna.take(lotus)


def test_weak_coupling_misses_its_share_and_a_dead_field_everything():
    antenna, koi = Antenna(Clock()), Ntag(UID)
    antenna.put(koi)
    antenna.weaken(koi, 2, 3)
    assert [bool(antenna.sensed()) for _ in range(6)] == [False, False, True] * 2
    antenna.weaken(koi, 0, 3)
    assert antenna.sensed() == (koi,)
    assert antenna.reaches(koi)
    antenna.dead = True
    assert antenna.sensed() == ()
    assert not antenna.reaches(koi)
    assert antenna.tags() == (koi,)
