"""The calibration file and what it makes of named lamps."""

from __future__ import annotations

import contextlib
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_proto.codec import FULL, MAX_LAMPS, Picture
from firmware_proto.firmware.animator import BAR_MS
from hardware.track import layout as layout_module
from hardware.track.layout import Lamp, LayoutError, load, parse, rhythm_bits

RED, BLUE = (255, 0, 0), (0, 0, 255)
SIXTY = load()


def spans(picture: Picture) -> list[tuple[int, int, tuple[int, int, int]]]:
    return [(s.first, s.length, s.rgb) for s in picture.segments]


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(LayoutError) as caught:
        parse(text, "my.toml")
    return caught.value.faults


def test_the_default_has_room_for_every_lamp_of_the_game():
    steps = [f"mandate.{i}" for i in range(1, 8)] + [f"kami.{i}" for i in range(1, 4)] + ["war", "chooser", "ally"]
    assert set(SIXTY.lamps) == set(steps)
    assert SIXTY.settings.lamps == 60
    assert [n for n, _ in sorted(SIXTY.lamps.items(), key=lambda i: i[1])][:5] == [
        "mandate.1",
        "mandate.2",
        "mandate.3",
        "kami.1",
        "mandate.4",
    ]
    assert parse("").settings == SIXTY.settings


def test_a_named_lamp_becomes_its_segment_and_the_rest_is_dark():
    picture = SIXTY.picture({"mandate.2": Lamp(RED, "330330000000"), "war": (BLUE, "222222222222"), "no.such": (RED, "3" * 12)})
    assert spans(picture) == [(3, 2, RED), (30, 2, BLUE)]
    assert [(s.rhythm, s.period) for s in picture.segments] == [(int("330330000000", 4), BAR_MS), (int("2" * 12, 4), 0)]
    assert picture.brightness == 64


def test_the_same_lamps_in_another_order_are_the_same_picture():
    lamps = {"war": Lamp(RED), "mandate.1": Lamp(BLUE)}
    assert SIXTY.picture(lamps) == SIXTY.picture(dict(reversed(lamps.items())))


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        (1, [(40, 10)]),
        (2, [(40, 5), (50, 5)]),
        (5, [(40, 2), (44, 2), (48, 2), (52, 2), (56, 2)]),
        (8, [(40, 1), (42, 1), (44, 1), (46, 1), (48, 1), (50, 1), (52, 1), (54, 1)]),
    ],
)
def test_bars_share_their_room_and_show_half_as_half(seats: int, expected: list[tuple[int, int]]):
    picture = SIXTY.picture({f"vp.{i}": Lamp(RED, value=5, max=10) for i in range(seats)})
    assert [(s.first, s.length) for s in picture.segments] == expected


@pytest.mark.parametrize(("value", "lit"), [(0, 0), (1, 1), (30, 6), (99, 18), (100, 19), (500, 19), (-3, 0)])
def test_a_bar_that_is_not_empty_shows_and_a_full_one_is_whole(value: int, lit: int):
    picture = SIXTY.picture({"vp.koi": Lamp(RED, value=value, max=100)})
    assert sum(s.length for s in picture.segments) == lit


def test_a_bar_of_nothing_is_dark():
    assert SIXTY.picture({"vp.koi": Lamp(RED, value=1, max=0)}).segments == ()


def test_more_seats_than_room_leave_the_last_ones_out():
    small = parse("[bars]\nvp = [0, 3]\n")
    assert len(small.picture({f"vp.{i}": Lamp(RED) for i in range(20)}).segments) == 3


@pytest.mark.parametrize("rhythm", ["", "3", "4" * 12, "3" * 13, "33333333333x"])
def test_a_rhythm_that_is_none_is_refused(rhythm: str):
    with pytest.raises(ValueError, match="12 digits 0 to 3"):
        SIXTY.picture({"war": (RED, rhythm)})


def test_a_colour_that_is_none_is_refused():
    with pytest.raises(ValueError, match="colour is 300"):
        SIXTY.picture({"war": ((300, 0, 0), "3" * 12)})


def test_rhythms_read_first_step_first():
    assert rhythm_bits("3" * 12) == FULL
    assert rhythm_bits("300000000000") == 0xC00000
    assert rhythm_bits("000000000001") == 1


def test_everything_in_the_file_is_used():
    text = """
        [strip]
        length = 30
        first = 2
        reversed = true
        order = "rgb"
        cap_ma = 900
        brightness = 1
        gamma = true
        [lamps]
        mandate.1 = [0, 4]
        "war" = [4, 1]
    """
    layout = parse(text)
    told = layout.settings
    assert (told.lamps, told.first, told.reversed, told.order, told.cap_ma, told.brightness, told.gamma) == (
        30,
        2,
        True,
        "rgb",
        900,
        255,
        True,
    )
    assert layout.lamps == {"mandate.1": (0, 4), "war": (4, 1)}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[strip\n", "is not TOML"),
        ("a = " + "9" * 5000, "is not TOML"),
        ("a = " + "[" * 5000, "nested too deep"),
        ("strip = 3", "strip must be a section: write [strip] on a line of its own"),
        ("[stripe]\n", "stripe is not known here; the sections are strip, lamps, bars"),
        ("[strip]\nlenght = 3", "strip.lenght is not known here; remove it"),
        ("[strip]\nlength = 0", "strip.length is 0, must be a whole number from 1 to 255"),
        ("[strip]\nlength = 60.0", "strip.length is 60.0, must be a whole number from 1 to 255"),
        ("[strip]\nfirst = true", "strip.first is True, must be a whole number from 0 to 255"),
        ("[strip]\ncap_ma = 70", "strip.cap_ma is 70, must be a whole number from 80 to 65535"),
        ('[strip]\norder = "rgbw"', "strip.order is 'rgbw', must be one of rgb, rbg, grb, gbr, brg, bgr"),
        ("[strip]\norder = []", "strip.order is [], must be one of"),
        ("[strip]\nbrightness = 64", "strip.brightness is 64, must be a number from 0 to 1"),
        ("[strip]\nbrightness = nan", "strip.brightness is nan, must be a number from 0 to 1"),
        ('[strip]\nreversed = "no"', "strip.reversed is 'no', must be true or false"),
        ("[lamps]\nwar = 3", "lamps.war is 3, must be [first lamp, how many]"),
        ("[lamps]\nwar = [1, 2, 3]", "lamps.war is [1, 2, 3], must be [first lamp, how many]"),
        ('[lamps]\nwar = ["a", 1]', "lamps.war is ['a', 1], must be [first lamp, how many]"),
        ("[lamps]\nwar = [59, 2]", "lamps.war is [59, 2], but this strip has lamps 0 to 59"),
        ("[lamps]\nwar = [0, 0]", "lamps.war is [0, 0], but this strip has lamps 0 to 59"),
        ("[lamps]\nwar = [0, 3]\nally = [2, 1]", "lamps.ally begins at lamp 2, which belongs to lamps.war; move one of them"),
        ("[lamps]\nwar = [0, 3]\n[bars]\nvp = [2, 9]", "bars.vp begins at lamp 2, which belongs to lamps.war; move one of them"),
        ("[lamps]\n" + "".join(f"a{i} = [{i}, 1]\n" for i in range(60)) + "[bars]\n", ""),
    ],
)
def test_every_fault_names_file_key_and_fix(text: str, fault: str):
    if not fault:
        assert len(parse(text).lamps) == 60
        return
    (only,) = faults(text)
    assert only.startswith("my.toml: ")
    assert fault in only


def test_all_faults_are_told_at_once():
    assert len(faults("[strip]\nlength = 0\nfirst = -1\n[lamps]\nwar = 1\n[boats]\n")) == 4


def test_more_names_than_the_line_carries_are_refused():
    text = "[strip]\nlength=200\ncap_ma=900\n[bars]\nvp = [100, 20]\n[lamps]\n" + "".join(f"a{i} = [{i}, 1]\n" for i in range(60))
    assert faults(text) == ("my.toml: lamps has 60 names, the line carries 52 beside 1 kinds of bars; remove some",)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path):
    with pytest.raises(LayoutError, match="cannot be read"):
        load(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"[strip]\n# \xff")
    with pytest.raises(LayoutError, match="is not UTF-8 text"):
        load(bad)
    bad.write_text("[strip]\nlength = 12\n")
    assert load(bad).settings.lamps == 12


def test_the_default_file_is_what_the_manual_shows():
    default = Path(layout_module.__file__).with_name("default.toml")
    manual = (Path(layout_module.__file__).parents[2] / "docs" / "hardware-track.md").read_text(encoding="utf-8")
    shown = re.search(r"```toml\n(.*?)```", manual, re.DOTALL)
    assert shown
    assert tomllib.loads(shown[1]) == tomllib.loads(default.read_text(encoding="utf-8"))


odd = (
    st.integers(-3, 300)
    | st.booleans()
    | st.floats()
    | st.sampled_from(["grb", "x", [], [1], [0, 2], [59, 2], ["a", 1], {}, {"a": 3}, {"1": [5, 1]}])
)
keys = st.sampled_from(["length", "first", "cap_ma", "order", "brightness", "gamma", "vp", "war", "mandate"])


@settings(max_examples=60)
@given(st.dictionaries(st.sampled_from(["strip", "lamps", "bars", "x"]), odd | st.dictionaries(keys, odd, max_size=4)))
def test_any_table_is_a_layout_or_faults(told):
    reading = layout_module._Reading("f")
    layout = reading.layout(told)
    if not reading.faults:
        assert 1 <= layout.settings.lamps <= MAX_LAMPS
        layout.picture({name: Lamp(RED) for name in [*layout.lamps, "vp.koi", "war.x"]})


@given(st.text(max_size=60))
def test_any_text_is_a_layout_or_faults(text: str):
    with contextlib.suppress(LayoutError):
        parse(text)
