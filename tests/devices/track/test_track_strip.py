"""The strip on a pretended board, with time in the test's hand."""

from __future__ import annotations

import itertools
import random

import pytest
from track_pretend import BLUE, DEVICE, PATH, RED, SIXTY, Clock, Pretend, make, run, until, wanted, warnings

from hardware.track import Lamp
from hardware.track.health import Health, State
from hardware.track.layout import parse
from hardware.track.strip import NEXT, RESTARTABLE


def test_shows_what_was_asked_before_it_was_found(board: Pretend):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    assert board.link.picture and board.link.picture.crc() == wanted(RED)
    assert strip.health().line == f"LED track on {PATH}: 60 lamps, firmware 0.1.0"
    assert (strip.health().tone, strip.health().device) == ("ok", DEVICE.hex())


def test_states_pass_in_order_and_every_step_is_in_the_table(board: Pretend):
    seen: list[Health] = []
    strip = make(board, on_state=seen.append)
    until(strip, State.READY)
    board.plugged = False
    until(strip, State.LOST)
    board.plug()
    until(strip, State.READY)
    states = [h.state for h in seen]
    opening = [State.OPENING, State.HANDSHAKING, State.READY]
    assert states == [*opening, State.LOST, *opening]
    assert all(b in NEXT[a] for a, b in itertools.pairwise([State.ABSENT, *states]))
    assert set(NEXT) == set(State)
    assert {State.ABSENT, State.LOST} == RESTARTABLE


def test_newest_picture_wins(board: Pretend):
    strip = make(board)
    until(strip, State.READY)
    strip.show(RED)
    strip.show(BLUE)
    strip.turn()
    assert board.link.picture.crc() == wanted(BLUE)


def test_showing_nothing_is_the_calm_pattern(board: Pretend):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    strip.show(None)
    run(strip, board.clock, 3)
    assert board.link.picture is None
    assert board.link.awake


def test_a_picture_of_an_earlier_game_does_not_survive_a_new_host(board: Pretend):
    board.power(SIXTY.picture(RED))
    until(make(board), State.READY)
    assert board.link.picture is None


def test_tells_the_strips_calibration_at_every_greeting(board: Pretend):
    strip = make(board, layout=parse('[strip]\nlength=30\nreversed=true\norder="rgb"\n'))
    until(strip, State.READY)
    assert (board.link.settings.lamps, board.link.settings.reversed, board.link.settings.order) == (30, True, "rgb")
    strip.show(RED)
    strip.calibrate(SIXTY)
    run(strip, board.clock, 2)
    assert board.link.settings.lamps == 60
    assert board.link.picture.crc() == wanted(RED)


def test_a_picture_that_changed_on_the_device_is_painted_again(board: Pretend):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    board.link.picture = SIXTY.picture(BLUE)
    run(strip, board.clock, 2)
    assert board.link.picture.crc() == wanted(RED)


def test_a_reset_behind_an_open_port_ends_in_a_repaint(board: Pretend, caplog: pytest.LogCaptureFixture):
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY)
    board.power()
    run(strip, board.clock, 2)
    assert strip.health().state is State.READY
    assert board.link.picture.crc() == wanted(RED)
    assert board.opened == 1
    assert not warnings(caplog)


def test_a_reset_that_goes_on_resetting_loses_the_strip(board: Pretend):
    strip = make(board)
    until(strip, State.READY)
    board.link.awake = False
    board.mangle = lambda data: b"" if b"Pico" not in data and len(data) > 30 else data  # no identity comes through any more
    run(strip, board.clock, 3)
    until(strip, State.LOST)


def test_vanishing_at_every_byte_of_the_conversation_ends_in_the_right_picture(clock: Clock):
    whole = Pretend(clock)
    whole.left = 10**6
    strip = make(whole)
    strip.show(RED)
    until(strip, State.READY)
    run(strip, clock, 2.5)
    spent = 10**6 - whole.left
    assert spent > 200
    for n in range(1, spent + 2):
        clock = Clock()
        board = Pretend(clock)
        board.left = n
        strip = make(board)
        strip.show(RED)
        run(strip, clock, 4)
        assert not board.plugged
        assert strip.health().state in RESTARTABLE
        board.plug()
        until(strip, State.READY)
        assert board.link.picture.crc() == wanted(RED), n
        strip.stop()


def test_garbage_before_between_and_in_answers_is_survived(board: Pretend):
    pick = random.Random(5)
    board.says = pick.randbytes(300)

    def mangle(data: bytes) -> bytes:
        noise = pick.randbytes(pick.randrange(20))
        if pick.random() < 0.3:
            data = data[:5] + pick.randbytes(1) + data[6:]
        return noise + data

    board.mangle = mangle
    strip = make(board)
    strip.show(RED)
    until(strip, State.READY, turns=200)
    for i in range(100):
        strip.show({"mandate.1": Lamp((i, 0, 0))})
        run(strip, board.clock, 0.5)
    board.mangle = lambda data: data
    until(strip, State.READY, turns=200)
    run(strip, board.clock, 3)
    assert board.link.picture.segments[0].rgb == (99, 0, 0)
