"""What each card of the autumn does, one test a card by its name."""

from __future__ import annotations

import pytest
from cards_rig import at, begin_war, summoned, war
from rs_rig import FACTS, accepted, choices, refused
from rs_said import asked

from companion.rules.rising_sun import betray, force


def winter(*lines):
    return accepted(at("season autumn", "step war end", *lines), "table done")


def test_form_of_the_kitsune_gives_3_points_for_each_stronghold_on_the_map():
    """C-109."""
    assert winter("koi cards au-form-of-the-kitsune", "koi edo stronghold", "koi oshu stronghold").vp["koi"] == 6


def test_form_of_the_phoenix_gives_3_points_for_each_different_virtue():
    assert winter("koi cards au-form-of-the-phoenix au-form-of-the-phoenix sp-courage sp-courage su-mercy").vp["koi"] == 12


def test_path_of_the_dragon_gives_the_daimyo_3_force():
    assert force.total(FACTS, at("koi edo daimyo", "koi cards au-path-of-the-dragon sp-path-of-the-lion"), "koi", "edo") == 5


def test_river_dragon_has_force_5():
    assert force.total(FACTS, at("koi edo river_dragon", "koi cards au-river-dragon"), "koi", "edo") == 5


def test_way_of_the_moneylender_gives_5_coins():
    assert begin_war(war("koi cards au-way-of-the-moneylender")).coins["koi"] == 5


def test_form_of_the_beast_gives_3_points_for_each_monster_owned_in_reserve_too():
    assert winter("koi cards au-form-of-the-beast sp-komainu au-river-dragon", "koi edo river_dragon").vp["koi"] == 6


def test_way_of_the_katana_gives_bushi_force_2_in_the_war_only():
    lines = ("wars edo kyoto oshu nagato kansai kyushu", "koi edo bushi*2 shinto", "koi cards au-way-of-the-katana", "lotus edo bushi")
    assert force.total(FACTS, at(*lines), "koi", "edo") == 3
    assert force.total(FACTS, begin_war(war(*lines)), "koi", "edo") == 5


HATE = "turtle cards au-oni-of-hate"


def test_oni_of_hate_kills_a_bushi_or_shinto_of_each_player_with_more_honor_where_it_enters():
    lines = (
        "doing marshal by turtle now turtle",
        HATE,
        "turtle edo oni_of_hate bushi",
        "koi kyoto bushi daimyo",
        "lotus kyoto bushi shinto",
    )
    s = accepted(at(*lines, "dragonfly kyoto bushi"), "turtle move oni_of_hate edo kyoto")
    assert s.pieces["koi"]["kyoto"] == {"daimyo": 1}  # no choice there
    assert choices(s, "turtle") == ["turtle kill lotus bushi kyoto", "turtle kill lotus shinto kyoto"]
    s = accepted(s, "turtle kill lotus shinto kyoto")
    assert s.pieces["lotus"]["kyoto"] == {"bushi": 1}
    assert s.pieces["dragonfly"]["kyoto"] == {"bushi": 1}  # less Honor
    assert "turtle move bushi edo kyoto" in choices(s, "turtle")


@pytest.mark.parametrize("how", ["summon", "betray", "fujin"])
def test_oni_of_hate_enters_by_summon_betray_and_fujin_as_well(how):
    if how == "summon":
        s = at("doing recruit by turtle now turtle", HATE, "turtle kyoto stronghold", "koi kyoto bushi")
        s = accepted(s, "turtle summon oni_of_hate kyoto")
    elif how == "betray":
        s = at("doing betray by turtle now turtle", HATE, "lotus kyoto oni_of_skulls", "lotus cards sp-oni-of-skulls", "koi kyoto bushi")
        s = accepted(s, "turtle replace lotus oni_of_skulls kyoto oni_of_hate")
    else:
        s = at("step kami 1", "shrines fujin", "turtle shrine.1 shinto", HATE, "turtle edo oni_of_hate", "koi kyoto bushi")
        s = accepted(s, "table done", "turtle move oni_of_hate edo kyoto")
    assert "kyoto" not in s.pieces["koi"]


def test_oni_of_spite_steals_2_points_from_each_player_there_with_force_and_more_honor():
    s = at(
        "doing marshal by turtle now turtle",
        "turtle cards au-oni-of-spite su-loyalty",
        "ally turtle dragonfly",
        "turtle edo oni_of_spite",
        "koi kyoto bushi",
        "koi vp 5",
        "lotus kyoto bushi",
        "lotus vp 1",
        "dragonfly kyoto bushi",
        "dragonfly vp 4",
    )
    s = accepted(s, "turtle move oni_of_spite edo kyoto")
    assert s.vp == {"koi": 3, "lotus": 0, "turtle": 3 + 1, "dragonfly": 4}


def test_oni_of_spite_ignores_a_stronghold_alone():
    s = at(
        "doing marshal by turtle now turtle", "turtle cards au-oni-of-spite", "turtle edo oni_of_spite", "koi kyoto stronghold", "koi vp 5"
    )
    assert accepted(s, "turtle move oni_of_spite edo kyoto").vp["koi"] == 5


def test_form_of_the_demon_gives_3_points_for_each_oni_owned():
    assert winter("koi cards au-form-of-the-demon sp-oni-of-skulls sp-komainu au-oni-of-hate").vp["koi"] == 6


def test_path_of_the_spirit_gives_2_coins_and_2_points_to_the_highest_in_honor():
    s = summoned("dragonfly cards au-path-of-the-spirit", "honor dragonfly koi lotus turtle")
    assert (s.coins["dragonfly"], s.vp["dragonfly"]) == (2, 2)
    assert summoned("dragonfly cards au-path-of-the-spirit").vp["dragonfly"] == 0


def test_form_of_the_kindred_gives_3_points_for_each_season_with_an_alliance():
    lines = ("koi cards au-form-of-the-kindred", "lotus cards au-form-of-the-kindred", "koi allied spring summer")
    s = winter(*lines, "ally koi turtle")
    assert (s.vp["koi"], s.vp["lotus"]) == (9, 0)
    assert winter(*lines).vp["koi"] == 6


def test_form_of_the_kindred_counts_an_alliance_that_broke():
    s = at("deck betray", "ally koi lotus", "season autumn")
    s = accepted(s, "koi choose betray")
    assert s.allied == {"koi": ("autumn",), "lotus": ("autumn",)}


def test_path_of_the_unrighteous_replaces_one_more_of_any_player_worshippers_too():
    s = at(
        "doing betray by koi now koi",
        "koi cards au-path-of-the-unrighteous",
        "lotus edo bushi*3",
        "lotus shrine.2 shinto",
        "shrines fujin raijin",
        "turtle kyoto bushi",
        "turtle shrine.1 shinto",
    )
    assert "koi replace lotus shinto shrine.2 shinto" in choices(s, "koi")
    s = accepted(s, "koi replace lotus bushi edo bushi")
    again = accepted(s, "koi replace lotus bushi edo bushi", "koi replace turtle bushi kyoto bushi")
    assert again.pieces["koi"]["edo"] == {"bushi": 2}
    assert again.doing is None
    shrine = accepted(s, "koi replace lotus shinto shrine.2 shinto")
    assert shrine.pieces["koi"]["shrine.2"] == {"shinto": 1}
    assert refused(shrine, "koi replace lotus bushi edo bushi") == "RS-6B.2"
    assert refused(shrine, "koi replace turtle shinto shrine.1 shinto") == "RS-6B.5"


def test_path_of_the_unrighteous_puts_on_a_shrine_only_what_may_worship():
    s = at(
        "doing betray by koi now koi",
        "koi cards au-path-of-the-unrighteous sp-oni-of-skulls",
        "lotus cards sp-komainu",
        "lotus shrine.1 komainu",
        "shrines fujin",
    )
    assert choices(s, "koi") == ["koi replace lotus komainu shrine.1 shinto", "koi done"]
    assert refused(s, "koi replace lotus komainu shrine.1 oni_of_skulls") == "RS-6B.3"


def test_path_of_the_unrighteous_is_still_there_when_two_players_are_betrayed():
    s = at(
        "doing betray by koi now koi",
        "koi cards au-path-of-the-unrighteous",
        "lotus edo bushi",
        "turtle edo bushi",
        "dragonfly edo bushi*2",
    )
    assert (
        asked(s)
        == "RS-6B.2 koi: Replace up to 3 figures of different players | 1 of them by Path of the Unrighteous: of any player, worshippers too."
    )
    s = accepted(s, "koi replace lotus bushi edo bushi", "koi replace turtle bushi edo bushi")
    assert asked(s) == "RS-6B.2 koi: Replace 1 more figure | 1 of them by Path of the Unrighteous: of any player, worshippers too."
    assert choices(s, "koi") == ["koi replace dragonfly bushi edo bushi", "koi done"]
    s = accepted(s, "koi replace dragonfly bushi edo bushi")
    assert s.pieces["dragonfly"]["edo"] == {"bushi": 1}
    assert s.doing is None  # the third was the card's


def test_path_of_the_unrighteous_replaces_one_a_copy():
    s = at("doing betray by koi now koi", "koi cards au-path-of-the-unrighteous au-path-of-the-unrighteous", "lotus edo bushi*4")
    s = accepted(s, "koi replace lotus bushi edo bushi", "koi replace lotus bushi edo bushi")
    assert s.doing.used == {"lotus": 1, betray.EXTRA: 1}
    assert choices(s, "koi") == ["koi replace lotus bushi edo bushi", "koi done"]
    s = accepted(s, "koi replace lotus bushi edo bushi")
    assert s.doing is None
    assert (s.pieces["koi"]["edo"], s.pieces["lotus"]["edo"]) == ({"bushi": 3}, {"bushi": 1})
