"""Tokens, marks, themes, lamps."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree as ET

import pytest

from companion.look import Theme, lamp, marks, tokens
from companion.look.lamps import on_screen, period_ms
from companion.rules.view import Light

HEX = re.compile(r"#[0-9A-F]{6}")


def test_both_themes_have_the_same_roles_and_plain_colours() -> None:
    colours = tokens().color
    assert set(colours) == {"day", "night"}
    assert set(colours["day"]) == set(colours["night"])
    assert all(HEX.fullmatch(value) for roles in colours.values() for value in roles.values())


def test_every_state_word_has_a_colour_a_wash_and_a_mark() -> None:
    for name in ("day", "night"):
        theme = Theme(name, "rising_sun")
        for tone in ("act", "ok", "waiting", "careful", "refused"):
            colour, wash, mark = theme.tone(tone)
            assert theme.colour(colour) != theme.colour(wash)
            assert marks.has(mark)
        assert theme.tone("no such word") == theme.tone("waiting")


def test_a_theme_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match=r"'noon'.*day, night"):
        Theme("noon")


def test_every_clan_has_its_mark_and_its_base_fills_the_shape() -> None:
    for game, clans in tokens().clan.items():
        theme = Theme("day", game)
        for seat, clan in clans.items():
            assert theme.clan(seat) == clan
            assert clan.base in marks.body(f"clan/{seat}")
            assert clan.base in marks.silhouette(f"clan/{seat}", clan.base, "#000000", 3)


def test_clans_are_known_without_their_game_and_strangers_are_grey() -> None:
    assert Theme("day").clan("koi").letter == "K"
    assert Theme("day", "rising_sun").clan("heron").letter == "H"
    assert Theme("day", "rising_sun").clan("").letter == "?"
    assert Theme("night").colour("#123456") == "#123456"


@pytest.mark.parametrize("name", marks.names())
def test_every_mark_is_plain_svg(name: str) -> None:
    root = ET.fromstring(marks.sheet(marks.body(name)))
    assert {child.tag.split("}")[-1] for child in root} <= {"path", "circle", "rect", "polygon"}
    assert "#1C1815" not in marks.coloured(name, "#FFFFFF") or name.startswith("clan/")


@pytest.mark.parametrize("name", ["", "koi", "clan/nobody", "../tokens", "clan/../clan/koi", "/etc/passwd"])
def test_a_mark_that_is_none_is_refused(name: str) -> None:
    assert not marks.has(name)
    with pytest.raises(KeyError, match="no mark called"):
        marks.body(name)


def test_a_lamp_takes_its_clans_colour_and_rhythm() -> None:
    now, done = lamp(Light("mandate.1", "koi", "now"), "rising_sun"), lamp(Light("mandate.1", "koi"), "rising_sun")
    assert now.rgb == done.rgb == (0, 0, 255)
    assert now.rhythm == (3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0)
    assert now.bits == 0b11_11_11_11_11_11_00_00_00_00_00_00
    assert set(done.rhythm) == {2}


def test_a_lamp_of_nobody_takes_its_roles_colour() -> None:
    assert lamp(Light("war", "war"), "rising_sun").rgb == (110, 8, 0)
    assert lamp(Light("x", "nobody knows"), "rising_sun").rgb == lamp(Light("x", "todo"), "rising_sun").rgb
    assert len(set(lamp(Light("kami.1", "kami", "now"), "rising_sun").rhythm)) > 1  # it breathes
    assert lamp(Light("mandate.1", "koi", "now"), "no such game").rgb == lamp(Light("x", "todo"), "").rgb


def test_attention_overrules_the_clan() -> None:
    assert lamp(Light("mandate.1", "koi", "attention"), "rising_sun").rgb == (255, 40, 0)


def test_no_two_clans_of_a_game_share_a_rhythm_in_any_rotation() -> None:
    for game, clans in tokens().led.clan.items():
        for a, b in itertools.combinations(clans, 2):
            one, other = (lamp(Light("x", seat, "now"), game).rhythm for seat in (a, b))
            assert all(one != other[i:] + other[:i] for i in range(12)), (game, a, b)


def test_every_rhythm_fills_the_wire() -> None:
    led = tokens().led
    assert period_ms() == led.step_ms * 12
    for drive in (*led.step.values(), *(d for clans in led.clan.values() for d in clans.values())):
        assert drive.rhythm == "clan" or (len(drive.rhythm) == 12 and set(drive.rhythm) <= set("0123"))


def test_a_lamp_on_a_screen_is_as_bright_as_light_looks() -> None:
    assert on_screen((0, 0, 255)) == "#2E2EFF"
    assert on_screen((10, 8, 6)) is None
