"""Checks that run on CPython and, unchanged, under MicroPython: ``micropython on_device.py DIRECTORY_OF_THE_PACKAGE``.

No pytest in here. With a second argument, a file of hex lines, it prints what each line, taken as a payload, says.
"""

import sys

if sys.implementation.name == "micropython":
    sys.path.insert(0, sys.argv[1])

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Error, Fault, Hello, Identity, Picture, Ping, Pong, Segment, Settings
from firmware_proto.firmware.animator import Animator, level, milliamps
from firmware_proto.firmware.link import Link
from firmware_proto.framing import Reader, decode, encode, frame

SAMPLES = (
    Hello(0x4141, 0xFFFFFFFF),
    Identity(1, 2, b"12345678", role="track", lamps=60, firmware="0.1.0", features=3),
    Picture(3, 64, ()),
    Picture(65535, 255, tuple([Segment(i, 1, (i, 0, 255 - i), 0xFC0FC0, 2160) for i in range(64)])),
    Ack(4, 0, 0),
    Ping(5),
    Pong(6, 0xFFFFFFFF, 1),
    Settings(7, lamps=255, first=255, reversed=True, order="bgr", cap_ma=65535, brightness=0, gamma=True),
    Bye(8),
    Error(0, codec.STARTED_AGAIN, "MemoryError: 4096 ~"),
)


def check_cobs_by_hand():
    for data, coded in (
        (b"", b"\1"),
        (b"\0", b"\1\1"),
        (b"\0\0", b"\1\1\1"),
        (b"\x11\x22\0\x33", b"\3\x11\x22\2\x33"),
        (b"\1" * 254, b"\xff" + b"\1" * 254),
        (b"\1" * 255, b"\xff" + b"\1" * 254 + b"\2\1"),
        (b"\1" * 254 + b"\0", b"\xff" + b"\1" * 254 + b"\1\1"),
    ):
        assert encode(data) == coded, data
        assert decode(coded) == data, coded
    assert decode(b"\xff" + b"\1" * 254 + b"\1") == b"\1" * 254  # as other encoders may write it
    for bad in (b"\2", b"\0", b"\3\1", b"\3\1\0", b"\1\0"):
        assert decode(bad) is None, bad


def check_every_message_survives_the_line_a_byte_at_a_time():
    for message in SAMPLES:
        reader = Reader()
        out = []
        for byte in codec.pack(message):
            out += reader.feed(bytes((byte,)))
        assert len(out) == 1
        assert codec.unpack(out[0]) == message, message
        assert reader.bad == 0


def check_reader_drops_what_is_broken_and_counts_it():
    good = codec.pack(Ping(1))
    reader = Reader()
    assert reader.feed(b"noise" + good) == reader.feed(good)
    assert reader.bad == 1
    assert reader.feed(good[:4] + good) != []
    assert reader.bad == 2
    assert reader.feed(b"x" * 5000) == []
    assert reader.feed(b"x" * 5000 + good) == reader.feed(good)
    assert reader.bad == 3
    assert reader.feed(b"\0\0\0") == []
    assert reader.bad == 3
    assert reader.feed(frame(b"")) == [b""]


def check_faults_are_named():
    for payload, name in (
        (b"", "length"),
        (b"P\0", "length"),
        (b"?\0\0", "kind"),
        (b"P\0\0", "length"),
        (b"P\0\0\x40\1", "length"),
        (b"P\0\0\x40\1\xff\1\0\0\0\0\0\0\0\0", "first lamp"),
        (b"P\0\0\x40\1\0\0\0\0\0\0\0\0\0\0", "length"),
        (b"P\0\0\x40\1\0\1\0\0\0\0\0\0\0\1", "period"),
        (b"P\0\0\x40\x41" + bytes(650), "length of the list"),
        (b"H\0\0" + bytes(40), "hello"),
        (b"G\0\0\0", "length"),
        (b"S\0\0\0\0\0\0\0\0\0", "lamps"),
        (b"S\0\0\1\0\4\0\0\1\0", "flags"),
        (b"S\0\0\1\0\0\6\0\1\0", "order"),
        (b"S\0\0\1\0\0\0\0\0\0", "current cap"),
        (b"E\0\0\0\1\n", "text"),
        (b"E\0\0\0\2a", "length"),
        (b"E\0\0", "length"),
    ):
        fault = codec.unpack(payload)
        assert isinstance(fault, Fault), payload
        assert fault.text
        if name != "length of the list":
            assert fault.name == name, (payload, fault.name)


def check_the_bar_eases_and_comes_round():
    rhythm = 0xFFF000
    assert [level(rhythm, 2160, t) for t in (0, 90, 1079, 1170, 2159)] == [0, 255, 255, 0, 0]
    assert 120 < level(rhythm, 2160, 45) < 135
    assert level(rhythm, 2160, 45) == level(rhythm, 2160, 45 + 2160 * 10**9)


def check_a_conversation():
    link = Link(b"12345678", Settings())
    reader = Reader()

    def say(message, now=0):
        return [codec.unpack(p) for p in reader.feed(link.receive(codec.pack(message), now))]

    assert say(Ping(1)) == [Error(1, codec.HELLO_FIRST, "say hello first")]
    assert isinstance(say(Hello(2, 99))[0], Identity)
    picture = SAMPLES[3]
    assert say(picture) == [Ack(65535, picture.crc(), 0)]
    assert say(Ping(4), 1234) == [Pong(4, 1234, picture.crc())]
    frame_now = Animator(link.settings, link.picture).frame(300)
    assert sum(frame_now) > 0
    assert milliamps(frame_now) <= 500
    assert say(Bye(5)) == [Ack(5, 0, 0)]


CHECKS = (
    check_cobs_by_hand,
    check_every_message_survives_the_line_a_byte_at_a_time,
    check_reader_drops_what_is_broken_and_counts_it,
    check_faults_are_named,
    check_the_bar_eases_and_comes_round,
    check_a_conversation,
)


def says(payload):
    message = codec.unpack(payload)
    return "fault " + message.name + ": " + message.text if isinstance(message, Fault) else repr(message)


if __name__ == "__main__":
    for check in CHECKS:
        check()
    print(sys.implementation.name, len(CHECKS), "checks hold")
    if len(sys.argv) > 2:
        with open(sys.argv[2]) as file:  # noqa: PTH123 - MicroPython has no pathlib
            for line in file:
                print(says(bytes.fromhex(line.strip())))
