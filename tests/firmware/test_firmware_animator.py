"""What the lamps do, moment by moment."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_firmware_codec import pictures

from firmware_proto.codec import FULL, Picture, Segment, Settings
from firmware_proto.firmware import animator
from firmware_proto.firmware.animator import BAR_MS, CALM_RGB, CALM_RHYTHM, Animator, calm, level, milliamps, peak

TOKENS = tomllib.loads((Path(animator.__file__).parents[2] / "companion" / "look" / "tokens.toml").read_text())["led"]
ROOMY = Settings(cap_ma=65535)


def bits(rhythm: str) -> int:
    return int(rhythm, 4)


def picture(*segments: Segment, brightness: int = 255) -> Picture:
    return Picture(0, brightness, segments)


def lamps(shown: Picture, t: int = 0, **settings) -> list[tuple[int, int, int]]:
    """In the order rgb, whatever the strip's."""
    told = Settings(**{"cap_ma": 65535, **settings})
    frame = Animator(told, shown).frame(t)
    at = [told.order.index(c) for c in "rgb"]
    return [tuple(frame[i + k] for k in at) for i in range(0, len(frame), 3)]


def test_calm_and_the_length_of_a_bar_are_the_looks():
    assert list(CALM_RGB) == TOKENS["idle_rgb"]
    assert bits(TOKENS["idle_rhythm"]) == CALM_RHYTHM
    assert TOKENS["step_ms"] * TOKENS["steps"] == BAR_MS
    assert Settings().cap_ma == TOKENS["current_cap_ma"]
    assert Settings().brightness == round(TOKENS["default_brightness"] * 255)
    assert TOKENS["ease_ms"] * 2 == TOKENS["step_ms"]


@pytest.mark.parametrize(("step", "digit"), list(enumerate("330330330000")))
def test_each_step_stands_still_in_its_second_half(step: int, digit: str):
    rhythm = bits("330330330000")
    for t in (90, 120, 179):
        assert level(rhythm, BAR_MS, 180 * step + t) == int(digit) * 85


def test_a_step_is_eased_into_over_its_first_half():
    rhythm = bits("300000000000")
    rising = [level(rhythm, BAR_MS, t) for t in range(0, 91, 5)]
    falling = [level(rhythm, BAR_MS, 180 + t) for t in range(0, 91, 5)]
    assert rising[0] == 0
    assert rising[-1] == 255
    assert rising == sorted(rising)
    assert falling == sorted(falling, reverse=True)
    assert falling[0] >= 254
    assert falling[-1] == 0


@given(st.integers(0, FULL), st.sampled_from([480, 1000, 2160, 65535]), st.integers(0, 2**40))
def test_nothing_ever_flashes(rhythm: int, period: int, t: int):
    now, soon = level(rhythm, period, t), level(rhythm, period, t + 1)
    assert 0 <= now <= peak(rhythm, period)
    assert abs(now - soon) <= 255 * 2 * 24 // period + 3


@given(st.integers(0, FULL), st.integers(480, 65535), st.integers(0, 10**6))
def test_a_bar_comes_round(rhythm: int, period: int, t: int):
    assert level(rhythm, period, t) == level(rhythm, period, t + period) == level(rhythm, period, t + period * 2**31)


def test_a_period_of_nought_stands_still_at_the_first_step():
    assert {level(bits("200000000003"), 0, t) for t in range(0, 3000, 100)} == {170}
    assert peak(bits("200000000003"), 0) == 170
    assert peak(bits("200000000003"), 480) == 255


def test_a_segment_lights_its_lamps_and_no_others():
    shown = lamps(picture(Segment(2, 3, (255, 0, 10))), lamps=8)
    assert shown == [(0, 0, 0)] * 2 + [(255, 0, 10)] * 3 + [(0, 0, 0)] * 3


def test_a_later_segment_covers_an_earlier_one():
    shown = lamps(picture(Segment(0, 4, (9, 9, 9)), Segment(1, 1, (0, 0, 0))), lamps=4)
    assert shown == [(9, 9, 9), (0, 0, 0), (9, 9, 9), (9, 9, 9)]


def test_segments_beyond_the_strips_end_are_cut():
    assert lamps(picture(Segment(3, 10, (1, 1, 1)), Segment(200, 5, (2, 2, 2))), lamps=5) == [(0, 0, 0)] * 3 + [(1, 1, 1)] * 2


def test_a_strip_mounted_the_other_way_round_is_turned():
    shown = lamps(picture(Segment(0, 1, (1, 0, 0)), Segment(1, 2, (0, 2, 0))), lamps=5, first=2, reversed=True)
    assert shown == [(0, 0, 0)] * 2 + [(0, 0, 0), (0, 0, 0), (0, 2, 0), (0, 2, 0), (1, 0, 0)]


@pytest.mark.parametrize("order", ["rgb", "rbg", "grb", "gbr", "brg", "bgr"])
def test_every_colour_order(order: str):
    frame = Animator(Settings(lamps=1, order=order, cap_ma=1000), picture(Segment(0, 1, (10, 20, 30)))).frame(0)
    assert dict(zip(order, frame, strict=True)) == {"r": 10, "g": 20, "b": 30}


def test_brightness_scales_linearly():
    assert lamps(picture(Segment(0, 1, (255, 128, 4)), brightness=64), lamps=1) == [(64, 32, 1)]
    assert lamps(picture(Segment(0, 1, (255, 255, 255)), brightness=0), lamps=1) == [(0, 0, 0)]


def test_gamma_darkens_the_middle_and_keeps_the_ends():
    shown = picture(
        Segment(0, 1, (255, 255, 255), bits("1" * 12)), Segment(1, 1, (255, 255, 255), bits("2" * 12)), Segment(2, 1, (255, 0, 0))
    )
    assert [r for r, _, _ in lamps(shown, lamps=3)] == [85, 170, 255]
    assert [r for r, _, _ in lamps(shown, lamps=3, gamma=True)] == [28, 113, 255]


@given(pictures, st.integers(0, 5000), st.tuples(st.integers(1, 255), st.integers(0, 40)), st.integers(20, 3000), st.booleans())
def test_no_moment_draws_more_than_the_cap(shown: Picture, t: int, strip: tuple[int, int], cap: int, gamma: bool):
    count, first = strip
    settings = Settings(lamps=count, first=first, cap_ma=cap, gamma=gamma)
    frame = Animator(settings, shown).frame(t)
    assert len(frame) == 3 * (first + count)
    assert milliamps(frame) <= max(cap, first + count)


def test_the_cap_dims_all_lamps_alike_and_no_lamp_when_there_is_power():
    white = Segment(0, 30, (255, 255, 255))
    red = Segment(30, 30, (100, 0, 0))
    free = lamps(picture(white, red))
    held = lamps(picture(white, red), cap_ma=500)
    assert free[0] == (255, 255, 255)
    assert 0.9 < (held[0][0] / held[30][0]) / 2.55 < 1.1
    assert lamps(picture(red), cap_ma=500)[30] == (100, 0, 0)


def test_a_steady_lamp_does_not_dim_when_another_one_shines():
    shown = picture(Segment(0, 30, (255, 255, 255), bits("333333000000"), BAR_MS), Segment(30, 30, (255, 255, 255)))
    steady = {lamps(shown, t, cap_ma=500)[40] for t in range(0, 2160, 60)}
    assert len(steady) == 1


def test_rounding_up_does_not_beat_the_cap():
    assert set(lamps(picture(Segment(0, 60, (1, 1, 1))), cap_ma=70)) == {(0, 0, 0)}
    assert set(lamps(picture(Segment(0, 60, (1, 1, 1))), cap_ma=75)) == {(1, 1, 1)}


def test_a_cap_below_the_resting_current_leaves_the_strip_dark():
    assert set(lamps(picture(Segment(0, 60, (255, 255, 255))), cap_ma=60)) == {(0, 0, 0)}


def test_calm_lights_every_lamp_and_breathes():
    settings = Settings(lamps=7)
    quiet, bright = (Animator(settings).frame(t)[0:21] for t in (170, 180 * 4))
    assert 0 < sum(Animator(settings).frame(170)) < sum(Animator(settings).frame(180 * 4 + 90))
    assert len(quiet) == len(bright) == 21
    assert calm(settings).segments[0].length == 7
    assert milliamps(Animator(Settings()).frame(0)) < 120
