"""The real Strip, pyserial, a pty, the real firmware under a real MicroPython, and the lamps read back."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Iterator

import pytest

from hardware.sim.track import TrackSim
from hardware.track import Finder, Lamp, Strip, load
from hardware.track.health import State
from hardware.track.wire import PortError, holder

LAMPS = {
    "mandate.1": Lamp((255, 0, 0)),
    "mandate.2": Lamp((0, 255, 0), "330330330000"),
    "vp.koi": Lamp((0, 0, 255), value=10, max=10),
    "vp.lotus": Lamp((90, 0, 90), value=1, max=10),
}
WANTED = load().picture(LAMPS)


@pytest.fixture
def sim() -> Iterator[TrackSim]:
    with TrackSim() as sim:
        yield sim


@pytest.fixture
def strip(sim: TrackSim) -> Iterator[Strip]:
    strip = Strip(Finder(sim.path))
    strip.start()
    yield strip
    strip.stop()


def until(true: Callable[[], object], seconds: float = 15.0) -> bool:
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def ready(strip: Strip) -> bool:
    return until(lambda: strip.health().state is State.READY)


def painted(sim: TrackSim) -> bool:
    """The steady lamps are as told, at a quarter of their drive; everything unnamed is dark."""
    return sim.until(
        lambda s: (
            s.lamps()[:3] == [(64, 0, 0)] * 2 + [(0, 0, 0)]
            and s.lamps()[40:50] == [(0, 0, 64)] * 9 + [(0, 0, 0)]
            and s.lamps()[50:52] == [(23, 0, 23), (0, 0, 0)]
            and s.lamps()[5:40] == [(0, 0, 0)] * 35
        )
    )


def test_a_picture_is_on_the_lamps_and_moves_in_its_rhythm(sim: TrackSim, strip: Strip):
    strip.show(LAMPS)
    assert ready(strip)
    assert painted(sim)
    seen: set[tuple[int, int, int]] = set()
    assert sim.until(lambda s: seen.add(s.lamps()[3]) or {(0, 64, 0), (0, 0, 0)} <= seen)
    assert sim.picture()
    assert sim.picture().crc() == WANTED.crc()
    assert strip.health().device == "e66118604b2f5a2c"


def test_a_new_picture_is_on_the_lamps_within_the_second(sim: TrackSim, strip: Strip):
    """The third quickest of five: a machine that is held up once says nothing of the strip."""
    assert ready(strip)
    took = []
    for drive in (200, 100, 200, 100, 200):
        began = time.monotonic()
        strip.show({"war": Lamp((0, 0, drive))})
        assert sim.until(lambda s, blue=drive // 4: s.lamps()[30:33] == [(0, 0, blue)] * 2 + [(0, 0, 0)])
        took.append(time.monotonic() - began)
    assert sorted(took)[2] < 1, took


def test_a_firmware_that_is_killed_comes_back_repainted(sim: TrackSim, strip: Strip):
    strip.show(LAMPS)
    assert ready(strip)
    sim.reset()
    assert sim.until(lambda s: s.lamps()[5:10] != [(0, 0, 0)] * 5)  # calm, all lamps
    assert painted(sim)
    assert ready(strip)


def test_pulled_out_and_plugged_in_it_is_repainted(sim: TrackSim, strip: Strip, caplog: pytest.LogCaptureFixture):
    strip.show(LAMPS)
    assert ready(strip)
    sim.vanish()
    assert until(lambda: strip.health().state is State.LOST)
    assert "lost (the port is gone)" in strip.health().line
    sim.appear()
    assert painted(sim)
    assert ready(strip)
    assert len([r for r in caplog.records if r.levelno >= logging.WARNING]) == 1


def test_plugged_in_after_the_start_it_is_found(sim: TrackSim):
    sim.vanish()
    strip = Strip(Finder(sim.path))
    strip.show(LAMPS)
    strip.start()
    assert until(lambda: "no port that could be it" in strip.health().line)
    sim.appear()
    assert painted(sim)
    strip.stop()


def test_garbage_on_the_line_costs_nothing_but_a_moment(sim: TrackSim, strip: Strip):
    strip.show(LAMPS)
    assert ready(strip)
    sim.garble(0.01)
    for i in range(20):
        strip.show({"war": Lamp((i, 0, 0))})
        sim.inject(bytes(range(256)), "both")
        time.sleep(0.02)
    sim.heal()
    strip.show(LAMPS)
    assert painted(sim)
    assert ready(strip)


def test_a_host_that_dies_leaves_a_calm_strip(sim: TrackSim):
    strip = Strip(Finder(sim.path))
    strip.show(LAMPS)
    strip.start()
    assert ready(strip)
    assert painted(sim)
    strip.turn = lambda: time.sleep(0.05)  # the thread lives and says nothing any more
    assert sim.until(lambda s: len(set(s.lamps())) == 1 and s.lamps()[0][0] > 0, 12)
    assert strip._clock.now() - strip._spoke > 4, "three words may be lost"
    strip.stop()


def test_a_host_that_ends_leaves_a_calm_strip_at_once(sim: TrackSim):
    strip = Strip(Finder(sim.path))
    strip.show(LAMPS)
    strip.start()
    assert ready(strip)
    strip.stop()
    assert sim.until(lambda s: len(set(s.lamps())) == 1 and s.lamps()[0][0] > 0, 3), "long before it would have missed the host"
    assert holder(sim.path) is None


def test_a_port_without_permission_says_the_one_command(sim: TrackSim, caplog: pytest.LogCaptureFixture):
    def denied(path: str):
        raise PortError("permission", f"no permission for {path}: run  sudo usermod -aG dialout aiko  then log out and in again")

    from dataclasses import replace

    strip = Strip(lambda: [replace(c, opener=denied) for c in Finder(sim.path)()])
    strip.start()
    assert until(lambda: "sudo usermod -aG dialout aiko" in strip.health().line)
    assert strip.health().tone == "careful"
    strip.stop()
    assert [r.levelno for r in caplog.records if "no permission" in r.getMessage()] == [logging.WARNING]


def test_a_second_program_is_told_who_has_the_strip(sim: TrackSim, strip: Strip):
    assert ready(strip)
    other = Strip(Finder(sim.path))
    other.start()
    assert until(lambda: "is in use by another part of this program" in other.health().line)
    other.stop()


@pytest.mark.soak
@pytest.mark.timeout(200)
@pytest.mark.logs_errors
def test_an_evening_of_bad_luck_ends_in_the_right_picture(sim: TrackSim, strip: Strip, caplog: pytest.LogCaptureFixture):
    luck = random.Random()
    mishaps = (
        lambda: sim.garble(luck.random() * 0.03),
        lambda: sim.drop_after(luck.randrange(300), vanish=luck.random() < 0.5),
        lambda: sim.duplicate(luck.randrange(5)),
        lambda: sim.slow(luck.random() * 0.0005),
        lambda: sim.inject(luck.randbytes(luck.randrange(500)), luck.choice(("both", "down", "up"))),
        sim.reset,
        sim.vanish,
        sim.appear,
        sim.freeze,
        sim.thaw,
        sim.heal,
    )
    end = time.monotonic() + 90
    while time.monotonic() < end:
        luck.choice(mishaps)()
        strip.show({f"mandate.{luck.randrange(1, 8)}": Lamp((luck.randrange(256), 0, 9))})
        time.sleep(luck.random() * 0.4)
    sim.vanish()
    sim.appear()
    strip.show(LAMPS)
    assert until(lambda: strip.health().state is State.READY, 15)
    assert painted(sim)
    assert not [r for r in caplog.records if r.levelno >= logging.ERROR]
