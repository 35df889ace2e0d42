"""What the strip says, how loud and how often, when things go wrong."""

from __future__ import annotations

import itertools
import logging

import pytest
from track_pretend import DEVICE, PATH, RED, Clock, Pretend, make, refuse, rewrite, run, until, wanted, warnings

from firmware_proto import codec
from firmware_proto.codec import Error, Hello
from hardware.track import strip as strip_module
from hardware.track import talk
from hardware.track.health import STRANGER_WAIT, Health, State
from hardware.track.ports import Candidate
from hardware.track.strip import Strip
from hardware.track.wire import PortError


def test_first_failure_is_loud_and_the_next_ones_are_not(board: Pretend, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    board.mute = True
    strip = make(board)
    run(strip, board.clock, 120)
    said = [r for r in caplog.records if "does not answer as an LED track" in r.getMessage()]
    assert [r.levelno for r in said][:3] == [logging.WARNING, logging.DEBUG, logging.DEBUG]
    assert len(warnings(caplog)) == 1
    assert "is the firmware on it?" in strip.health().line
    assert strip.health().line.startswith("LED track: not found, looking for ")


def test_waits_longer_each_time_but_never_longer_than_ten_seconds(board: Pretend):
    board.opening = PortError("busy", "in use")
    strip = make(board)
    tries: list[float] = []
    before = 0
    while board.clock.t < 1120:
        strip.turn()
        if board.opened > before:
            before = board.opened
            tries.append(board.clock.t)
    gaps = [b - a for a, b in itertools.pairwise(tries)]
    assert gaps[0] < gaps[2] < gaps[-1]
    assert max(gaps) <= 11
    assert strip.health().tone == "careful"


def test_a_board_that_is_plugged_in_again_is_asked_at_once(board: Pretend):
    board.mute = True
    strip = make(board)
    run(strip, board.clock, 60)
    board.plugged = False
    run(strip, board.clock, 2)
    board.plug()
    board.mute = False
    began = board.clock.t
    until(strip, State.READY)
    assert board.clock.t - began < 2


def test_nothing_plugged_in_is_no_warning_and_says_since_when(clock: Clock, caplog: pytest.LogCaptureFixture):
    strip = Strip(list, clock=clock)
    run(strip, clock, 40)
    assert strip.health().line == "LED track: not found, looking for 39 s; no port that could be it"
    assert (strip.health().state, strip.health().tone) == (State.ABSENT, "waiting")
    assert not warnings(caplog)


def test_found_even_after_ten_minutes(board: Pretend):
    board.plugged = False
    strip = make(board)
    run(strip, board.clock, 600)
    board.plug()
    until(strip, State.READY)


def test_the_third_disconnect_blames_the_cable(board: Pretend, caplog: pytest.LogCaptureFixture):
    strip = make(board)
    for _ in range(3):
        until(strip, State.READY)
        board.plugged = False
        until(strip, State.LOST)
        board.plug()
    said = warnings(caplog)
    assert "check its cable or hub" not in said[1]
    assert said[2] == f"LED track lost on {PATH} (the port is gone); that was time 3: check its cable or hub; the game goes on without it"
    assert "lost (the port is gone), looking for 0 s" in strip.health().line
    until(strip, State.READY)
    assert strip.health().line.endswith("lost 3 times so far: check its cable or hub")
    assert strip.health().tone == "careful"


def test_a_silent_firmware_is_lost_and_found_again(board: Pretend, caplog: pytest.LogCaptureFixture):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    board.mute = True
    until(strip, State.LOST)
    assert warnings(caplog) == [f"LED track lost on {PATH} (no answer); the game goes on without it"]
    board.mute = False
    until(strip, State.READY)
    assert board.closed >= 1


def test_a_device_with_another_role_is_refused_and_left_alone_for_long(board: Pretend, caplog: pytest.LogCaptureFixture):
    board.mangle = lambda data: rewrite(data, role="reader-2")
    strip = make(board)
    run(strip, board.clock, STRANGER_WAIT)
    assert strip.health().state is State.ABSENT
    assert warnings(caplog) == [f"{PATH} is reader-2, not the LED track"]
    assert board.opened == 1


def test_another_track_than_the_chosen_one_is_refused(board: Pretend, caplog: pytest.LogCaptureFixture):
    run(make(board, device="0011223344556677"), board.clock, 10)
    assert warnings(caplog) == [f"{PATH} is another LED track (e66118604b2f5a2c), not 0011223344556677"]
    until(make(board, device=DEVICE.hex()), State.READY)


def test_a_firmware_of_another_protocol_is_named_with_the_fix(board: Pretend, caplog: pytest.LogCaptureFixture, monkeypatch):
    future = Hello(1, 2, version=2)
    monkeypatch.setattr(talk, "quiet_hello", lambda pick: future)
    strip = make(board)
    run(strip, board.clock, 20)
    text = (
        f"the LED track on {PATH} cannot be used: firmware 0.1.0 speaks protocol 1, not 2; "
        "copy this version's firmware onto it (docs/hardware-track.md)"
    )
    assert warnings(caplog) == [text]
    assert text in strip.health().line
    assert strip.health().tone == "careful"


def test_an_identity_of_another_protocol_is_named_too(board: Pretend, caplog: pytest.LogCaptureFixture):
    board.mangle = lambda data: rewrite(data, version=3)
    run(make(board), board.clock, 20)
    assert "it speaks protocol 3, not 1" in warnings(caplog)[0]


def test_an_answer_to_another_programs_hello_is_not_ours(board: Pretend):
    board.mangle = lambda data: rewrite(data, nonce=1)
    strip = make(board)
    run(strip, board.clock, 5)
    assert strip.health().state is State.ABSENT


def test_a_satellite_receiver_and_a_card_reader_are_never_written_to(board: Pretend):
    for says, what in ((b"x\r\n$GPGGA,1234\r\n", "a satellite receiver"), (b"\x00\x00\xff\x00\xff\x00", "an NFC reader (PN532)")):
        board.says = says
        strip = make(board)
        strip.turn()
        assert strip.health().line.endswith(f"{PATH} is {what}; it is left alone")
        assert not board.link.awake


def test_a_refusal_of_something_else_is_told(board: Pretend, caplog: pytest.LogCaptureFixture):
    board.mangle = refuse
    run(make(board), board.clock, 3)
    assert warnings(caplog) == [f"the LED track on {PATH} said no: not like this"]


def test_a_refusal_in_the_middle_loses_the_strip_with_its_reason(board: Pretend):
    strip = make(board)
    until(strip, State.READY)
    board.mangle = refuse
    until(strip, State.LOST)
    assert "lost (not like this)" in strip.health().line


def test_a_device_that_shows_another_picture_than_it_took_is_lost(board: Pretend):
    strip = make(board)
    until(strip, State.READY)
    board.link._crc = lambda: 5
    strip.show(RED)
    until(strip, State.LOST)
    assert "it took the picture and shows another" in strip.health().line


def test_a_bad_line_is_told_once_and_shown(board: Pretend, caplog: pytest.LogCaptureFixture):
    beats = itertools.count()
    board.mangle = lambda data: b"" if next(beats) % 4 == 0 else data
    strip = make(board)
    until(strip, State.READY, turns=100)
    run(strip, board.clock, 60)
    assert len(warnings(caplog)) == 1
    assert "must be said again: check its cable" in warnings(caplog)[0]
    assert strip.health().tone == "careful"
    assert strip.health().state is State.READY


def test_several_ports_are_asked_in_order_until_one_is_the_track(clock: Clock):
    dumb, deaf, right = Pretend(clock, "/dev/ttyUSB0"), Pretend(clock, "/dev/ttyUSB1"), Pretend(clock, "/dev/ttyACM3")
    dumb.mute = True
    deaf.opening = PortError("permission", "no permission for /dev/ttyUSB1: run  sudo this")
    strip = Strip(lambda: [*dumb.find(), *deaf.find(), *right.find()], clock=clock)
    until(strip, State.READY)
    assert strip.health().port == "/dev/ttyACM3"


def test_a_port_nobody_expects_anything_of_fails_quietly(clock: Clock, caplog: pytest.LogCaptureFixture):
    board = Pretend(clock, expected=False)
    board.mute = True
    run(make(board), clock, 20)
    assert not warnings(caplog)


def test_a_readers_port_is_no_news_about_the_strip(clock: Clock, caplog: pytest.LogCaptureFixture):
    board = Pretend(clock, expected=False)
    board.opening = PortError("ours", "in use by another part of this program")
    strip = make(board)
    run(strip, clock, 20)
    assert strip.health().line.endswith("no port that could be it")
    assert strip.health().tone == "waiting"
    assert not warnings(caplog)


def test_missing_permission_is_loud_even_there(clock: Clock, caplog: pytest.LogCaptureFixture):
    board = Pretend(clock, expected=False)
    board.opening = PortError("permission", "no permission for it: run  sudo that")
    strip = make(board)
    run(strip, clock, 20)
    assert warnings(caplog) == ["no permission for it: run  sudo that"]
    assert strip.health().tone == "careful"


def test_a_firmware_that_started_again_says_why(board: Pretend, caplog: pytest.LogCaptureFixture):
    board.says = codec.pack(Error(0, codec.STARTED_AGAIN, "MemoryError: 4096"))
    until(make(board), State.READY)
    # what it said before it was greeted is only listened to for strangers; afterwards it is told
    board.inbox = board.says
    strip = make(board)
    until(strip, State.READY)
    board.inbox = board.says
    run(strip, board.clock, 2)
    assert warnings(caplog) == ["the LED track's firmware started again: MemoryError: 4096"]


def test_answers_nobody_understands_are_ignored(board: Pretend):
    from firmware_proto.framing import frame

    board.mangle = lambda data: frame(b"\xf0\x00\x01later") + codec.pack(Error(0xFFFF, 9, "to nobody")) + data
    strip = make(board)
    until(strip, State.READY)
    assert str(strip.health()) == strip.health().line


def test_a_wrong_rhythm_is_refused_and_changes_nothing(board: Pretend):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    with pytest.raises(ValueError, match="12 digits 0 to 3"):
        strip.show({"war": ((1, 1, 1), "4")})
    run(strip, board.clock, 3)
    assert board.link.picture.crc() == wanted(RED)


@pytest.mark.logs_errors
def test_a_watcher_that_fails_does_not_stop_the_strip(board: Pretend, caplog: pytest.LogCaptureFixture):
    def fails(_: Health) -> None:
        raise RuntimeError("no")

    until(make(board, on_state=fails), State.READY)
    assert "what watches the LED track failed; the track goes on" in caplog.messages


def test_the_thread_paints_and_says_goodbye(board: Pretend):
    strip = Strip(board.find)
    strip.show(RED)
    strip.start()
    for _ in range(400):
        if strip.health().state is State.READY:
            break
        strip._stopped.wait(0.01)
    assert board.link.picture.crc() == wanted(RED)
    strip.stop()
    assert board.link.picture is None
    assert strip.health().line == "LED track: switched off"
    assert board.closed == 1


def test_stopping_while_it_is_searching_takes_no_time(clock: Clock):
    board = Pretend(clock)
    board.mute = True
    strip = make(board)
    strip.stop()
    strip._run()
    assert board.opened == 0
    assert strip.health().state is State.ABSENT


def test_stopping_in_the_middle_of_a_greeting_gives_up_without_a_word(board: Pretend, caplog: pytest.LogCaptureFixture):
    board.mute = True
    strip = make(board)
    board.clock.listeners.append(lambda: strip._stopped.set() if board.clock.t > 1001 else None)
    strip.turn()
    assert board.clock.t < 1002
    assert not warnings(caplog)
    strip._leave()


def test_a_strip_pulled_out_while_the_program_ends_is_no_trouble(board: Pretend):
    strip = make(board)
    until(strip, State.READY)
    strip.stop()
    board.plugged = False
    strip._lose(OSError())
    strip._leave()
    assert strip.health().state is State.ABSENT


@pytest.mark.logs_errors
def test_the_thread_outlives_what_nobody_thought_of(board: Pretend, monkeypatch: pytest.MonkeyPatch, caplog):
    strip = make(board)
    until(strip, State.READY)
    turns = itertools.count()

    def broken() -> None:
        if next(turns) == 0:
            raise KeyError("surprise")
        strip._stopped.set()

    monkeypatch.setattr(strip, "turn", broken)
    strip._run()
    assert board.closed == 1
    assert "it goes on" in caplog.text


def test_no_picture_fits_into_two_rounds_of_the_table(board: Pretend):
    assert strip_module.PING_EVERY * 4 < 5
    assert Candidate("/dev/x") == Candidate("/dev/x")
