"""The device's end of the conversation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_firmware_codec import messages

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Error, Hello, Identity, Message, Picture, Ping, Pong, Segment, Settings
from firmware_proto.firmware import VERSION
from firmware_proto.firmware.link import CALM_AFTER, Link
from firmware_proto.framing import Reader, frame

DEVICE = b"\1\2\3\4\5\6\7\x08"
RED = Picture(9, 64, (Segment(0, 3, (255, 0, 0)),))
BLUE = Picture(9, 64, (Segment(0, 3, (0, 0, 255)),))


def said(data: bytes) -> list[Message]:
    return [codec.unpack(p) for p in Reader().feed(data)]


class Host:
    def __init__(self, picture: Picture | None = None) -> None:
        self.link = Link(DEVICE, Settings(), picture)
        self.t = 0

    def say(self, message: Message) -> Message | None:
        answers = said(self.link.receive(codec.pack(message), self.t))
        return answers[0] if answers else None

    def wait(self, ms: int) -> None:
        self.t += ms
        self.link.tick(self.t)


@pytest.fixture
def host() -> Host:
    host = Host()
    host.say(Hello(1, 2))
    return host


HELLO_FIRST = Error(7, codec.HELLO_FIRST, "say hello first")
IDENTITY = Identity(7, 5, DEVICE, role="track", lamps=60, firmware=VERSION, features=3)
PICTURE, SETTINGS = Picture(7, 64, ()), Settings(7, lamps=3)
TABLE = [
    # said, answered while asleep, answered while awake
    (Hello(7, 5), IDENTITY, IDENTITY),
    (Ping(7), HELLO_FIRST, Pong(7, 0, 0)),
    (PICTURE, HELLO_FIRST, Ack(7, PICTURE.crc(), 0)),
    (SETTINGS, HELLO_FIRST, Ack(7, 0, 0)),
    (Bye(7), HELLO_FIRST, Ack(7, 0, 0)),
    (IDENTITY, None, None),
    (Ack(7, 1, 1), None, None),
    (Pong(7, 1, 1), None, None),
    (Error(7, 1, "x"), None, None),
]


@pytest.mark.parametrize(("message", "asleep", "awake"), TABLE, ids=lambda m: type(m).__name__)
def test_every_message_in_both_states(host: Host, message, asleep, awake):
    assert Host().say(message) == asleep
    assert host.say(message) == awake


def test_a_hello_of_another_version_is_answered_with_ours_and_wakes_nobody():
    host = Host()
    assert host.say(Hello(3, 4, version=7)) == Error(3, codec.WRONG_VERSION, f"firmware {VERSION} speaks protocol 1, not 7")
    assert not host.link.awake


def test_a_picture_is_shown_and_named_from_then_on(host: Host):
    assert host.say(RED) == Ack(9, RED.crc(), 0)
    assert host.link.picture == RED
    host.wait(100)
    assert host.say(Ping(4)) == Pong(4, 100, RED.crc())


def test_the_same_picture_again_is_the_same_object_so_nothing_is_drawn_anew(host: Host):
    host.say(RED)
    before = host.link.picture
    host.say(Picture(44, RED.brightness, RED.segments))
    assert host.link.picture is before


def test_the_newest_of_several_pictures_in_one_piece_wins(host: Host):
    answers = said(host.link.receive(codec.pack(RED, 1) + codec.pack(BLUE, 2), 0))
    assert answers == [Ack(1, RED.crc(), 0), Ack(2, BLUE.crc(), 0)]
    assert host.link.picture.crc() == BLUE.crc()


def test_settings_are_new_only_when_they_differ(host: Host):
    before = host.link.settings
    host.say(Settings(5))
    assert host.link.settings is before
    host.say(Settings(6, lamps=30, order="rgb"))
    assert (host.link.settings.lamps, host.link.settings.order) == (30, "rgb")


def test_goodbye_is_calm_at_once_and_leaves_nothing_to_remember(host: Host):
    host.say(RED)
    host.say(Bye(2))
    assert host.link.picture is host.link.keep is None
    assert host.say(Ping(3)) == Pong(3, 0, 0)


def test_five_seconds_of_silence_are_calm_and_need_a_hello(host: Host):
    host.say(RED)
    host.wait(CALM_AFTER - 1)
    assert host.link.picture == RED
    host.wait(1)
    assert host.link.picture is None
    assert host.link.keep == RED
    assert host.say(Ping(7)) == HELLO_FIRST


def test_any_word_from_the_host_starts_the_five_seconds_anew(host: Host):
    host.say(RED)
    for _ in range(10):
        host.wait(CALM_AFTER - 100)
        host.say(Ping(1))
    assert host.link.picture == RED


def test_noise_is_no_word_from_the_host(host: Host):
    host.say(RED)
    host.wait(CALM_AFTER - 100)
    host.link.receive(b"noise\0", host.t)
    host.wait(100)
    assert host.link.picture is None


def test_after_a_reset_the_last_picture_is_back_until_somebody_should_have_spoken():
    host = Host(RED)
    host.wait(CALM_AFTER - 1)
    assert host.link.picture == RED
    host.wait(1)
    assert host.link.picture is None


def test_noise_and_faults_are_counted_and_faults_are_answered(host: Host):
    assert host.link.receive(b"noise\0", 0) == b""
    (answer,) = said(host.link.receive(frame(b"?\0\x05"), 0))
    assert answer == Error(5, codec.NOT_UNDERSTOOD, "nobody knows messages of kind 63")
    (answer,) = said(host.link.receive(frame(b"?"), 0))
    assert answer == Error(0, codec.NOT_UNDERSTOOD, "a message has at least 3 bytes")
    assert host.say(RED) == Ack(9, RED.crc(), 3)


def test_the_count_of_bad_frames_stops_at_its_end(host: Host):
    host.link._faults = 10**6
    assert host.say(RED) == Ack(9, RED.crc(), 65535)


def test_uptime_wraps_with_its_field(host: Host):
    host.t = 2**32 + 5
    host.link.tick(host.t)
    host.say(Hello(1, 2))
    assert host.say(Ping(1)) == Pong(1, 5, 0)


def test_two_devices_wired_to_each_other_do_not_talk_for_ever():
    one, two = Link(DEVICE, Settings()), Link(DEVICE, Settings())
    line = codec.pack(Ping(1)) + frame(b"?\0\1")
    for link in (one, two, one, two):
        line = link.receive(line, 0)
    assert line == b""


@given(st.lists(st.binary(max_size=40) | messages.map(codec.pack), max_size=12))
def test_whatever_arrives_the_state_is_sound_and_the_answer_is_frames(pieces: list[bytes]):
    link = Link(DEVICE, Settings())
    for i, piece in enumerate(pieces):
        back = link.receive(piece, i * 700)
        assert all(isinstance(m, Message) for m in said(back))
        link.tick(i * 700)
        assert link.picture is None or link.awake
    link.receive(b"\0", 0)
    assert isinstance(said(link.receive(codec.pack(Hello(1, 2)), 9000))[-1], Identity)
