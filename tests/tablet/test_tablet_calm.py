"""Nothing changes under a finger: what is drawn stays where it is, and what is pressed is what was meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from kivy.clock import Clock
from tablet_picture import Stand, raw, summon, tiles, update
from tablet_rig import Rig

from companion.look.tokens import tokens
from companion.rules.game import Choice
from companion.tablet.port import Health, SimTag
from companion.tablet.resting import PAUSE, Rest

Open = Callable[..., Rig]
SIZES = [(1280, 800), (800, 480)]


def spots(rig: Rig) -> dict[str, Any]:
    """Where whatever can be pressed on the table page is."""
    return {wid: (spot["centre"], spot["size"]) for wid, spot in rig.dump.items() if not wid.startswith("health:")}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("simulated", [True, False])
def test_no_button_of_the_table_page_moves_when_the_devices_are_known(open_tablet: Open, size: tuple[int, int], simulated: bool) -> None:
    stand = Stand(update(summon()))
    stand.complete, stand.lines = False, stand.lines[:1]
    rig = open_tablet(stand=stand, size=size)
    before = spots(rig)
    assert {"qr:lotus", "join:lotus", "begin"} <= before.keys(), "neither the codes nor the way on wait for a device"
    assert "lang" not in before and "turn" not in before
    stand.complete = True
    stand.lines = (*stand.lines, Health("track", "ok", raw("LED track"), raw("It is there.")))
    if simulated:
        stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig.until(lambda: "home" in rig.dump or "settings" in rig.dump or "turn" in rig.dump)
    after = spots(rig)
    assert before == {wid: box for wid, box in after.items() if wid in before}
    assert ("simtable" in after and "tray" in after) is simulated


def test_the_row_stays_as_it_is_while_the_simulated_table_is_open(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig = open_tablet(stand=stand)
    before = spots(rig)
    rig.press("simtable")
    stand.sims = ()
    rig.wait(1)
    assert spots(rig) == before
    assert not rig.spot("simtable")["enabled"] and not rig.spot("tray")["enabled"]
    stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig.wait(1)
    assert spots(rig) == before and rig.spot("simtable")["enabled"]


class Time:
    now = 10.0

    def __call__(self) -> float:
        return self.now


def test_a_question_rests_until_it_could_be_read() -> None:
    clock = Time()
    rest = Rest(clock)
    assert not rest.quiet and rest.asking == 0
    rest.begin()
    assert rest.quiet and rest.asking == 1
    clock.now += PAUSE - 0.01
    assert rest.quiet
    clock.now += 0.02
    assert not rest.quiet


def test_a_question_that_is_not_drawn_yet_cannot_be_answered_however_long_that_takes() -> None:
    clock = Time()
    rest = Rest(clock)
    rest.shown = True
    rest.begin()
    clock.now += 5
    assert rest.quiet
    rest.seen(rest.asking - 1)  # the one before
    assert rest.quiet
    rest.seen(rest.asking)
    clock.now += PAUSE - 0.01
    assert rest.quiet
    rest.seen(rest.asking)  # every frame says so; it is news once
    clock.now += 0.02
    assert not rest.quiet


def the_next_seat(revision: int = 2) -> Any:
    """Lotus is asked, and its choices are the very same words and commands that Koi had under the finger."""
    prompt = summon("lotus", ("edo", "kansai"), ("bushi",))
    return update(msgspec.structs.replace(prompt, choices=CHOICES), revision=revision)


CHOICES = tuple(Choice({"do": word}, raw(word.capitalize())) for word in ("yes", "no"))


def at_the_end_of_a_turn(open_tablet: Open) -> Rig:
    return open_tablet(update(msgspec.structs.replace(summon(), choices=CHOICES))).on_board()


@pytest.mark.parametrize("later", [0.0, 0.2, 0.34, 1.0, 30.0])
def test_a_touch_that_began_on_one_seats_choice_is_never_the_next_seats(open_tablet: Open, later: float) -> None:
    rig = at_the_end_of_a_turn(open_tablet)
    touch = rig.finger("choice:0")
    touch.touch_down()
    rig.frames(1)
    rig.show(the_next_seat())
    rig.session.side = "south"
    rig.clock.now += later
    x, y = rig.spot("choice:0")["centre"]
    touch.touch_move(x, rig.screen.height - y)
    touch.touch_up()
    rig.frames(1)
    assert rig.stand.desk.played == []


@pytest.mark.parametrize(("later", "plays"), [(0.0, False), (0.1, False), (0.34, False), (0.36, True)])
def test_nor_is_one_that_comes_right_after(open_tablet: Open, later: float, plays: bool) -> None:
    rig = at_the_end_of_a_turn(open_tablet)
    rig.press("choice:0")
    assert len(rig.stand.desk.played) == 1
    rig.show(the_next_seat())
    rig.clock.now += later
    touch = rig.finger("choice:0")
    touch.touch_down()
    rig.clock.now += 1
    touch.touch_up()
    rig.frames(1)
    assert [seat for seat, _ in rig.stand.desk.played[1:]] == ["lotus"] * plays


def test_a_place_under_the_finger_is_not_the_next_seats_either(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)))).on_board()
    touch = rig.finger("zone:edo")
    touch.touch_down()
    rig.frames(1)
    rig.show(update(summon("lotus", ("nagato",), ("bushi",)), revision=2))
    rig.show(update(summon(kinds=("bushi",)), revision=3))  # and round again: the very same question
    rig.clock.now += 2
    touch.touch_up()
    rig.frames(1)
    assert rig.stand.desk.played == []


def test_a_slow_picture_is_not_answered_before_it_is_there(open_tablet: Open) -> None:
    rig = at_the_end_of_a_turn(open_tablet)
    rig.session.take(the_next_seat())
    rig.clock.now += 1  # the drawing takes its time, and fingers that came meanwhile are heard after it
    assert rig.session.quiet
    rig.frames()
    assert rig.session.quiet
    rig.clock.now += PAUSE
    assert not rig.session.quiet


def test_a_curtain_does_not_open_on_the_next_seats_secret_under_a_finger_that_was_on_the_last(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    touch = rig.finger("curtain:koi")
    touch.touch_down()
    rig.show(update(tiles("lotus"), revision=2))
    before = Clock.get_boottime()
    rig.until(lambda: Clock.get_boottime() - before > tokens().touch.hold_ms / 1000 + 0.1)
    assert not rig.session.open
    touch.touch_up()
