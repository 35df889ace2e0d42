"""Each Kami, each Clan's ability and each War Advantage under its name, as the dossier has it (RS-7.5, 9.8 to 9.14, 10.1 to 10.7).

Cards have their tests by name in ``test_rising_sun_cards*``. What is new in the box, or named anew, fails here until it has its test.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from cards_rig import at
from rs_rig import FACTS, GAME, accepted, choices
from rs_said import told, why

from companion.rules.rising_sun import force
from companion.rules.rising_sun.state import ADVANTAGES

ABILITIES = {
    "koi": "eddies_in_the_stream",
    "lotus": "dictate_the_flow",
    "turtle": "shell_of_the_eternal",
    "dragonfly": "gossamer_wings",
    "bonsai": "sacred_bounty",
    "fox": "wily_presence",
}
SPOTS = {"seppuku": "seppuku", "hostage": "take_hostage", "ronin": "hire_ronin", "poets": "imperial_poets"}


def test_every_kami_clan_and_war_advantage_has_a_test_of_its_name():
    assert (set(ABILITIES), set(SPOTS)) == (set(FACTS.clans), set(ADVANTAGES))
    source = Path(__file__).read_text("utf-8")
    names = (*FACTS.kami, *(f"{clan}_{ability}" for clan, ability in ABILITIES.items()), *SPOTS.values())
    assert [name for name in names if f"def test_{name}_" not in source] == []


# ------------------------------------------------------------------ Kami


def blessed(kami, *lines):
    """Lotus has won the Shrine of the Kami, and the Kami Turn has come to it."""
    return accepted(at("step kami 1", f"shrines {kami}", "lotus shrine.1 shinto", *lines), "table done")


def test_amaterasu_takes_the_worshipper_to_the_top_and_everyone_above_moves_down_one():
    assert blessed("amaterasu", "honor koi turtle dragonfly lotus").honor == ("lotus", "koi", "turtle", "dragonfly")
    assert blessed("amaterasu", "honor koi turtle lotus dragonfly").honor == ("lotus", "koi", "turtle", "dragonfly")
    assert blessed("amaterasu", "honor lotus koi turtle dragonfly").honor == ("lotus", "koi", "turtle", "dragonfly")


def test_fujin_allows_two_moves_over_borders_or_routes_of_two_figures_or_one_figure_twice():
    s = blessed("fujin", "lotus oshu bushi daimyo")
    assert choices(s, "lotus") == [
        *(f"lotus move {kind} oshu {to}" for kind in ("bushi", "daimyo") for to in ("hokkaido", "kyoto", "edo")),
        "lotus done",
    ]
    once = accepted(s, "lotus move bushi oshu hokkaido")
    assert accepted(once, "lotus move bushi hokkaido kansai").pieces["lotus"]["kansai"] == {"bushi": 1}
    two = accepted(once, "lotus move daimyo oshu edo")
    assert (two.pieces["lotus"]["hokkaido"], two.pieces["lotus"]["edo"]) == ({"bushi": 1}, {"daimyo": 1})
    assert two.doing is None
    assert "shrine.1" in two.pieces["lotus"]  # who worships is not on the Map
    assert accepted(once, "lotus done").doing is None  # up to two


def test_hachiman_gives_2_ronin():
    s = blessed("hachiman", "lotus ronin 1")
    assert s.ronin == {"koi": 0, "lotus": 3, "turtle": 0, "dragonfly": 0}


def test_raijin_summons_1_bushi_to_any_province():
    s = blessed("raijin")
    assert choices(s, "lotus") == [*(f"lotus summon bushi {place}" for place in FACTS.provinces), "lotus done"]
    s = accepted(s, "lotus summon bushi kyushu")
    assert s.pieces["lotus"]["kyushu"] == {"bushi": 1}
    assert s.doing is None
    assert blessed("raijin", "lotus edo bushi*6").doing is None  # none is left


def test_ryujin_sells_1_card_at_its_full_cost():
    s = blessed("ryujin", "display sp-righteousness sp-path-of-the-lion sp-courage", "lotus coins 2")
    assert choices(s, "lotus") == ["lotus buy sp-path-of-the-lion", "lotus buy sp-righteousness", "lotus done"]
    s = accepted(s, "lotus buy sp-righteousness")
    assert (s.coins["lotus"], s.cards["lotus"], s.doing) == (0, ("sp-righteousness",), None)


def test_susanoo_gives_1_point_for_each_stronghold_on_the_map():
    s = blessed("susanoo", "lotus edo stronghold*2", "lotus oshu stronghold", "koi edo stronghold")
    assert s.vp == {"koi": 0, "lotus": 3, "turtle": 0, "dragonfly": 0}


def test_tsukuyomi_gives_2_coins():
    assert blessed("tsukuyomi", "lotus coins 1").coins == {"koi": 0, "lotus": 3, "turtle": 0, "dragonfly": 0}


# ------------------------------------------------------------------ Clans


def battle(*lines, bids):
    """Everybody with Coins in Nagato has bid, in the words of the record."""
    s = accepted(at("step war 6", "wars edo oshu kansai kyushu shikoku nagato", *lines), "table done")
    return accepted(s, *(f"{seat} bid {said}" for seat, said in bids.items()))


def test_koi_eddies_in_the_stream_turns_ronin_into_coins_and_hires_the_coins_it_did_not_bid():
    s = accepted(at("step war", "koi ronin 3", "koi coins 1", "lotus ronin 2"), "table done")
    assert (s.coins["koi"], s.ronin["koi"], s.ronin["lotus"]) == (4, 0, 2)
    s = battle("koi nagato bushi", "koi coins 4", "lotus nagato bushi*3", bids={"koi": "ronin 1"})
    assert told(s, "koi hire yes")[:2] == ["RS-9.10: Koi hires ronin: +3 Force.", "RS-9.11: Koi wins the battle of Nagato with Force 4."]
    hired = accepted(s, "koi hire yes")
    assert (hired.coins["koi"], hired.coins["lotus"]) == (3, 1)  # kept; the one bid goes to Lotus


def test_lotus_dictate_the_flow_lays_any_tile_face_down_and_declares_any_mandate():
    s = at("turn lotus", "deck train harvest train train", "koi edo bushi", "lotus oshu bushi")
    assert choices(s, "lotus") == [f"lotus choose {tile} as {word}" for tile in ("train", "harvest") for word in FACTS.mandates]
    s = accepted(s, "lotus choose train as betray")
    assert (s.doing.what, s.track[-1].tile, s.track[-1].mandate) == ("betray", "train", "betray")
    assert "train" not in str(GAME.view(s, "koi").sections[0])  # the tile stays hidden
    assert why(at("deck recruit recruit train train"), "koi choose recruit as betray") == ("RS-10.2", "only_lotus_declares")


def test_turtle_shell_of_the_eternal_gives_strongholds_force_and_moves_them_but_they_are_no_figures():
    s = at("doing marshal by turtle now turtle", "turtle kyoto stronghold*2 bushi", "koi edo stronghold")
    assert (force.total(FACTS, s, "turtle", "kyoto"), force.total(FACTS, s, "koi", "edo")) == (3, 0)
    s = accepted(s, "turtle move stronghold kyoto edo")
    assert s.pieces["turtle"]["edo"] == {"stronghold": 1}
    assert why(s, "turtle move stronghold edo oshu") == ("RS-6M.1", "moved_already")
    alone = at("deck harvest", "turtle oshu stronghold", "ally koi turtle")
    assert accepted(alone, "koi choose harvest").coins["turtle"] == 1 + 3  # its Force counts in a Harvest
    lost = accepted(
        at("step war 6", "wars edo oshu kansai kyushu shikoku nagato", "turtle nagato stronghold bushi", "koi nagato bushi*3"), "table done"
    )
    assert lost.pieces["turtle"]["nagato"] == {"stronghold": 1}  # only the Bushi died
    won = accepted(
        at("step war 6", "wars edo oshu kansai kyushu shikoku nagato", "turtle nagato stronghold*3", "koi nagato bushi*2"), "table done"
    )
    assert won.tokens == {"turtle": ("spring:nagato",)}


def test_dragonfly_gossamer_wings_summons_and_moves_to_any_province():
    s = at("doing recruit by koi now dragonfly", "dragonfly hokkaido stronghold")
    assert {said.split()[-1] for said in choices(s, "dragonfly") if "bushi" in said} == set(FACTS.provinces)
    assert accepted(s, "dragonfly summon bushi nagato").doing is None  # as many as it has Strongholds
    s = at("doing marshal by koi now dragonfly", "dragonfly hokkaido bushi", "koi oshu bushi")
    others = set(FACTS.provinces) - {"hokkaido"}
    assert {said.split()[-1] for said in choices(s, "dragonfly") if "bushi" in said} == others


@pytest.mark.parametrize(("card", "cost"), [("sp-courage", 1), ("sp-path-of-the-warlord", 1), ("sp-path-of-the-lion", 0)])
def test_bonsai_sacred_bounty_pays_at_most_1_coin_and_discounts_come_after(card, cost):
    def bought(*lines):
        s = at(f"display {card}", "bonsai coins 5", *lines, seats="koi lotus turtle bonsai")
        return 5 - accepted(s, f"bonsai buy {card}").coins["bonsai"]

    assert bought("doing train by koi now bonsai") == cost
    assert bought("doing train by bonsai now bonsai bonus bonsai") == 0
    assert bought("step kami 1", "shrines ryujin", "doing ryujin by bonsai now bonsai") == cost
    s = at("doing marshal by bonsai now bonsai bonus bonsai", "bonsai coins 1", "bonsai edo bushi", seats="koi lotus turtle bonsai")
    assert accepted(s, "bonsai build oshu").coins["bonsai"] == 0


def test_fox_wily_presence_puts_a_bushi_where_it_has_no_figure_as_war_begins():
    s = accepted(at("step war", "fox edo bushi", "fox oshu stronghold", seats="koi lotus turtle fox"), "table done")
    assert choices(s, "fox") == [*(f"fox place bushi {place}" for place in FACTS.provinces if place != "edo"), "fox done"]
    assert accepted(s, "fox place bushi oshu").pieces["fox"]["oshu"] == {"stronghold": 1, "bushi": 1}


# ------------------------------------------------------------------ War Advantages


def test_seppuku_kills_all_own_figures_or_none_for_a_point_and_honor_each():
    s = battle(
        "lotus nagato daimyo bushi shinto",
        "lotus coins 1",
        "koi nagato bushi*4",
        "honor koi turtle dragonfly lotus",
        bids={"lotus": "seppuku 1"},
    )
    died = accepted(s, "lotus seppuku yes")
    assert (died.vp["lotus"], died.honor) == (3, ("lotus", "koi", "turtle", "dragonfly"))
    assert "nagato" not in died.pieces["lotus"]
    assert died.tokens == {"koi": ("spring:nagato",)}
    lived = accepted(s, "lotus seppuku no")
    assert (lived.vp["lotus"], lived.honor) == (0, ("koi", "turtle", "dragonfly", "lotus"))


def test_take_hostage_captures_any_figure_of_another_but_a_daimyo_and_steals_a_point():
    lines = ("lotus nagato bushi*5", "lotus coins 1", "koi nagato daimyo shinto", "koi vp 2", "turtle nagato bushi", "ally lotus turtle")
    s = battle(*lines, bids={"lotus": "hostage 1"})
    assert choices(s, "lotus") == ["lotus hostage koi shinto", "lotus hostage turtle bushi", "lotus hostage none"]
    taken = accepted(s, "lotus hostage koi shinto")
    assert taken.pieces["koi"]["hostage.lotus"] == {"shinto": 1}
    assert (taken.vp["koi"], taken.vp["lotus"]) == (1, 1)
    ally = accepted(s, "lotus hostage turtle bushi")
    assert (ally.vp["turtle"], ally.vp["lotus"]) == (0, 0)  # who has no point loses none


def test_hire_ronin_adds_1_force_for_each_ronin_which_are_kept():
    s = battle("lotus nagato bushi", "lotus coins 1", "lotus ronin 3", "koi nagato bushi*3", bids={"lotus": "ronin 1"})
    hired = accepted(s, "lotus hire yes")
    assert (hired.tokens, hired.ronin["lotus"]) == ({"lotus": ("spring:nagato",)}, 3)
    assert accepted(s, "lotus hire no").tokens == {"koi": ("spring:nagato",)}


def test_imperial_poets_gives_a_point_for_each_kill_of_any_owner_but_not_for_hostages():
    lines = ("lotus nagato bushi*2", "lotus coins 2", "koi nagato bushi*5", "turtle nagato bushi shinto")
    s = battle(*lines, bids={"lotus": "hostage 1 poets 1"})
    s = accepted(s, "lotus hostage turtle bushi")
    assert s.vp["lotus"] == 2 + 1  # its own two and the Shinto of Turtle; the hostage is none, and Turtle had no point to lose
