"""Where a Battle, Force and hostages come to their edges: nobody left, somebody corrected away, a second copy, another value (RS-2, 8, 9)."""

from __future__ import annotations

import pytest
from cards_rig import at, summoned
from rs_rig import FACTS, GAME, accepted, position, tables
from rs_said import english, told
from war_rig import FOUR, bid, war

from companion.rules.game import Applied, MovePiece, SetStep
from companion.rules.rising_sun import battle, force, hostages
from companion.rules.rising_sun.commands import Bid
from companion.rules.rising_sun.facts import parse
from companion.rules.rising_sun.state import work
from companion.rules.view import Line

ORDER = "honor koi lotus turtle dragonfly"


def corrected(s, correction):
    result = GAME.correct(s, correction)
    assert isinstance(result, Applied), result
    return result.state


# ------------------------------------------------------------------ bids


def test_what_is_not_named_in_a_bid_is_0():
    s = war("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus coins 1")
    result = GAME.apply(s, Bid("koi", "", {"hostage": 2}))
    assert result.state.battle.bids["koi"] == (0, 2, 0, 0)
    assert [english(e.text.args["seat"]) for e in result.events] == ["Koi", "Koi"]


def test_the_screen_of_a_battle_says_who_has_bid_and_who_has_not():
    s = accepted(war("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus coins 1"), "koi bid poets 1")
    sides = next(section for section in GAME.view(s, "turtle").sections if section.id == "battle").nodes[1:]
    said = {side.seat: [node.text.key for node in side.nodes if isinstance(node, Line)] for side in sides}
    assert said == {"koi": ["rs.battle.sealed"], "lotus": ["rs.battle.open"]}


# ------------------------------------------------------------------ advantages


def test_who_has_no_figures_left_is_not_killed_nor_spared():
    s = bid(war("koi nagato bushi*2", "koi cards su-mercy", "lotus nagato bushi", "lotus coins 1"), lotus=(1, 0, 0, 0))
    said = told(s, "lotus seppuku yes")
    assert [line for line in said if "killed" in line or "spare" in line] == []
    assert accepted(s, "lotus seppuku yes").battle is None  # Mercy has nobody to spare


def test_seppuku_of_figures_a_correction_took_away_kills_nobody():
    s = bid(war("koi nagato bushi*2", "lotus nagato bushi", "lotus coins 1"), lotus=(1, 0, 0, 0))
    s = corrected(s, MovePiece("lotus", "lotus/bushi", "nagato", "reserve.lotus"))
    s = accepted(s, "lotus seppuku yes")
    assert s.vp["lotus"] == 0
    assert s.tokens == {"koi": ("spring:nagato",)}


def test_own_figures_are_no_hostages():
    s = bid(war("koi nagato daimyo", "koi coins 1", "lotus nagato bushi", "lotus coins 1"), koi=(0, 0, 0, 1), lotus=(0, 1, 0, 0))
    assert s.battle is None  # only Lotus's own Bushi could be taken, so nobody is asked


def test_respect_asks_for_no_second_hostage_where_only_own_figures_are_left():
    s = war("koi nagato daimyo bushi", "koi vp 2", "lotus nagato bushi", "lotus coins 1", "lotus cards su-respect")
    s = accepted(bid(s, lotus=(0, 1, 0, 0)), "lotus hostage koi bushi")
    assert (s.battle, s.vp["lotus"]) == (None, 1)


def test_ronin_of_others_than_koi_are_tokens_only():
    s = war("koi nagato bushi*3", "lotus nagato bushi", "lotus coins 5", "lotus ronin 1")
    s = bid(s, lotus=(0, 0, 1, 0))
    assert battle.strength(FACTS, s, "lotus") == 1
    assert told(s, "lotus hire yes")[0] == "RS-9.10: Lotus hires ronin: +1 Force."


def test_reparations_that_were_paid_are_not_given_back_with_the_battle():
    s = war("koi nagato bushi*5", "koi coins 3", "lotus nagato bushi", "turtle nagato bushi", "turtle coins 2")
    s = bid(s, koi=(0, 0, 0, 3), turtle=(0, 0, 0, 2))
    assert (s.battle.stage, s.coins) == ("odd", {"koi": 0, "lotus": 1, "turtle": 1, "dragonfly": 0})
    assert corrected(s, SetStep("war 2")).coins == s.coins


# ------------------------------------------------------------------ Koi at the start of War


@pytest.mark.parametrize("n", [0, 1, 4])
def test_koi_turns_every_ronin_into_a_coin_one_as_well_as_many(n):
    s = accepted(at("step war", f"koi ronin {n}", "koi coins 2"), "table done")
    assert (s.ronin["koi"], s.coins["koi"]) == (0, 2 + n)


# ------------------------------------------------------------------ Force


def test_an_oni_is_lowest_among_all_who_fight_also_where_it_is_alone_by_now():
    """Yaml sp-oni-of-skulls: of all participants of a Battle, figures left or not. Koi has died and hired 2."""
    s = war(ORDER, "turtle nagato oni_of_skulls", "turtle cards sp-oni-of-skulls", "koi nagato bushi", "koi coins 4")
    s = accepted(bid(s, koi=(1, 0, 1, 0)), "koi seppuku yes")
    assert battle.strength(FACTS, s, "turtle") == 3
    assert accepted(s, "koi hire yes").tokens == {"turtle": ("spring:nagato",)}  # 3 against 2


def test_an_oni_is_not_lowest_where_somebody_lower_fights_though_its_last_figure_was_taken():
    s = war(
        ORDER, "turtle nagato oni_of_skulls", "turtle cards sp-oni-of-skulls", "koi nagato bushi*2", "koi coins 1", "dragonfly nagato bushi"
    )
    s = bid(s, koi=(0, 1, 0, 0))
    taken = accepted(s, "koi hostage dragonfly bushi")
    assert taken.tokens == {"koi": ("spring:nagato",)}  # 2 against 1


def test_an_oni_elsewhere_is_judged_by_who_stands_there_while_others_fight():
    s = war(
        ORDER,
        "koi nagato bushi",
        "koi coins 1",
        "lotus nagato bushi",
        "turtle kyoto oni_of_skulls",
        "turtle cards sp-oni-of-skulls",
        "koi kyoto bushi",
    )
    assert s.battle.place == "nagato"
    assert force.total(FACTS, s, "turtle", "kyoto") == 3


def test_a_daimyos_cards_add_nothing_to_other_monsters():
    s = at(
        "koi edo river_dragon", "koi oshu oni_of_hate", "koi cards au-river-dragon au-oni-of-hate sp-path-of-the-lion au-path-of-the-dragon"
    )
    assert (force.total(FACTS, s, "koi", "edo"), force.total(FACTS, s, "koi", "oshu")) == (5, 1)


def test_a_second_way_of_the_katana_adds_one_more():
    """RS-2.17; the base box has one copy."""
    s = accepted(at("step war", "koi shikoku bushi*2", "koi cards au-way-of-the-katana au-way-of-the-katana"), "table done")
    assert force.total(FACTS, s, "koi", "shikoku") == 2 * 3


def test_a_table_may_give_turtles_strongholds_another_force():
    raw = tables()
    raw["values"]["turtle_stronghold_force"]["value"] = 2
    assert force.total(parse(raw), at("turtle edo stronghold*3"), "turtle", "edo") == 6


# ------------------------------------------------------------------ kills and hostages


def test_a_bushi_a_card_kills_lies_in_its_owners_reserve():
    s = accepted(summoned("dragonfly cards sp-path-of-the-ninja", "koi edo bushi*2"), "dragonfly kill koi bushi edo")
    assert (s.pieces["koi"]["edo"]["bushi"], s.pieces["koi"]["reserve"]["bushi"]) == (1, 5)


def test_a_captor_is_paid_for_the_hostages_of_all_owners_and_kinds():
    w = work(FACTS, position(f"{FOUR}\nkoi hostage.lotus bushi*2 shinto\nturtle hostage.lotus bushi"))
    hostages.returned(w)
    assert w.coins["lotus"] == 4
    assert all("hostage.lotus" not in here for here in w.pieces.values())
