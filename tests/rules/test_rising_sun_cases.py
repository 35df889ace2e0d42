"""The given cases of the Political Phase, each under its id (C-001 ... C-062, C-100, C-110)."""

from __future__ import annotations

import pytest
from rs_rig import FACTS, GAME, accepted, after_tea, choices, lines, position, refused

from companion.rules.game import Applied
from companion.rules.rising_sun import honor, kami, turns
from companion.rules.rising_sun.state import Played, work

HOME = """
koi coins 5 ronin 0 vp 0
koi edo daimyo bushi stronghold
lotus coins 7 ronin 0 vp 0
lotus nagato daimyo bushi stronghold
turtle coins 6 ronin 0 vp 0
turtle kyoto daimyo bushi stronghold
dragonfly coins 6 ronin 0 vp 0
dragonfly hokkaido daimyo bushi stronghold
"""


def at_home(*extra, without=""):
    """Everybody at home; a line of ``extra`` takes the place of the one that says the same thing."""
    said = [" ".join(line.split()[:2]) for line in extra]
    kept = [
        line for line in HOME.strip().splitlines() if " ".join(line.split()[:2]) not in said and not (without and line.startswith(without))
    ]
    return position("\n".join((*kept, *extra)))


def performing(order):
    """Who acts, in the order in which they are asked, when everybody is done at once."""
    s = order
    acted = []
    while s.doing is not None:
        acted.append(s.doing.now)
        s = accepted(s, f"{s.doing.now} done")
    return acted


# ------------------------------------------------------------------ Mandate order and deck


def test_c_001_order_of_recruit_is_left_of_the_chooser_first_and_the_chooser_last():
    s = at_home("turn lotus", "deck recruit", "step mandate 2")
    assert performing(accepted(s, "lotus choose recruit")) == ["turtle", "dragonfly", "koi", "lotus"]
    assert turns.order(FACTS, s.seats, "harvest", "lotus") == ("turtle", "dragonfly", "koi", "lotus")


def test_c_002_order_of_train_is_the_chooser_first_then_clockwise():
    s = at_home(
        "turn lotus", "deck train", "step mandate 2", "display sp-komainu sp-path-of-the-lion sp-righteousness sp-way-of-the-shogun"
    )
    assert performing(accepted(s, "lotus choose train")) == ["lotus", "turtle", "dragonfly", "koi"]


def test_c_004_the_seventh_mandate_turn_still_draws_four():
    s = at_home(
        "step mandate 7", "track recruit koi train as train lotus harvest turtle betray dragonfly harvest koi train as recruit lotus"
    )
    assert len(s.deck) == 4
    named = at_home(
        "step mandate 7",
        "deck recruit marshal marshal betray",
        "track recruit koi train as train lotus harvest turtle betray dragonfly harvest koi train as recruit lotus",
    )
    assert choices(named, "turtle") == ["turtle choose recruit", "turtle choose marshal", "turtle choose betray"]
    assert len(accepted(named, "turtle choose betray", "turtle done").deck) == 3


def test_c_005_after_the_third_mandate_comes_a_kami_turn_then_the_next_player():
    s = at_home(
        "step mandate 3",
        "track recruit koi recruit as recruit lotus",
        "deck harvest",
        "shrines raijin hachiman susanoo fujin",
        "koi shrine.1 shinto",
    )
    s = accepted(s, "turtle choose harvest")
    assert lines(s)[3] == "step kami 1"
    assert s.doing.what == "raijin"
    assert refused(s, "dragonfly choose harvest") == "RS-6.8"
    s = accepted(s, "koi done")
    assert FACTS.steps[s.step] == "mandate 4"
    assert s.turn == "dragonfly"


def test_c_007_the_first_mandate_of_spring_is_taken_by_the_top_of_the_honor_track():
    s = GAME.start(("turtle", "lotus", "bonsai"), {})
    assert s.honor[0] == s.turn == "lotus"
    assert position("seats lotus turtle bonsai\nhonor turtle lotus bonsai").turn == "turtle"


def test_c_008_in_summer_seating_is_what_it_was_however_honor_changed():
    s = at_home("season spring", "step war end", "turn koi", "honor dragonfly turtle lotus koi", "deck recruit ? ?")
    s = accepted(s, "table done", "chance shuffle mandates recruit recruit marshal marshal train train harvest harvest betray betray")
    s = accepted(s, "chance shuffle wars edo kyoto oshu kansai nagato shikoku kyushu hokkaido")
    assert s.season == "summer"
    assert s.turn == "koi"  # left of dragonfly, who took the seventh Mandate (RS-6.2)
    assert performing(accepted(after_tea(s), "koi choose recruit")) == ["lotus", "turtle", "dragonfly", "koi"]


def test_c_010_a_player_who_is_neither_chooser_nor_ally_has_no_extra_summon():
    s = accepted(at_home("deck recruit", "ally koi dragonfly"), "koi choose recruit", "lotus summon bushi nagato")
    assert s.doing.now == "turtle"
    assert refused(s, "lotus summon bushi nagato") == "RS-6.7"
    s = accepted(s, "turtle done", "dragonfly summon bushi edo")
    assert s.doing.now == "dragonfly"  # the chooser's ally has one more


# ------------------------------------------------------------------ Recruit and worship


def recruiting(*extra):
    """Lotus performs last, with two strongholds in Kyushu and one in Nagato."""
    s = at_home(
        "turn lotus", "step mandate 2", "deck recruit", "shrines raijin hachiman susanoo fujin", "lotus kyushu stronghold*2", *extra
    )
    return accepted(s, "lotus choose recruit", "turtle done", "dragonfly done", "koi done")


def test_c_011_two_summons_in_kyushu_one_in_nagato_and_one_more_in_either():
    s = recruiting()
    for last in ("kyushu", "nagato"):
        full = accepted(
            s, "lotus summon bushi kyushu", "lotus summon bushi kyushu", "lotus summon bushi nagato", f"lotus summon bushi {last}"
        )
        assert full.doing is None  # passed over: no summon is left
    late = accepted(s, "lotus summon bushi kyushu", "lotus summon bushi kyushu", "lotus summon bushi kyushu")
    assert refused(late, "lotus summon bushi kyushu") == "RS-6R.1"
    assert refused(s, "lotus summon bushi edo") == "RS-6R.1"


def test_c_013_a_shinto_already_on_the_map_does_not_go_to_a_shrine():
    s = recruiting("lotus edo shinto")
    assert refused(s, "lotus worship hachiman") == "RS-6R.4"
    assert refused(accepted(s, "lotus summon bushi kyushu"), "lotus worship hachiman") == "RS-6R.4"


def test_c_014_a_worshipping_shinto_neither_returns_to_the_map_nor_changes_its_shrine():
    s = accepted(at_home("deck marshal", "shrines raijin hachiman susanoo fujin", "lotus shrine.1 shinto"), "koi choose marshal")
    assert s.doing.now == "lotus"
    assert refused(s, "lotus move shinto shrine.1 nagato") == "RS-2.6"
    assert refused(s, "lotus move shinto shrine.1 shrine.2") == "RS-2.6"
    assert not any("shrine" in said for said in choices(s, "lotus"))


def test_c_019_dragonfly_summons_as_many_as_strongholds_and_one_more_anywhere():
    s = at_home("turn dragonfly", "step mandate 4", "deck recruit", "dragonfly oshu stronghold")
    s = accepted(s, "dragonfly choose recruit", "koi done", "lotus done", "turtle done")
    assert {said.split()[3] for said in choices(s, "dragonfly") if "summon" in said} == set(FACTS.provinces)
    s = accepted(s, "dragonfly summon bushi nagato", "dragonfly summon bushi kyushu")
    assert s.doing.now == "dragonfly"
    assert accepted(s, "dragonfly summon bushi nagato").doing is None


def test_c_020_a_monster_in_reserve_is_summoned_like_any_figure():
    s = recruiting("lotus cards sp-oni-of-skulls")
    assert accepted(s, "lotus summon oni_of_skulls nagato").pieces["lotus"]["nagato"]["oni_of_skulls"] == 1


# ------------------------------------------------------------------ Marshal


def marshalling(*extra, mine=("koi",)):
    """Koi chose Marshal and performs, or who is first of ``mine``."""
    s = accepted(at_home("turn koi", "deck marshal", *extra), "koi choose marshal")
    while s.doing.now not in mine:
        s = accepted(s, f"{s.doing.now} done")
    return s


def test_c_022_a_figure_takes_one_move_and_no_second():
    s = accepted(marshalling(), "koi move bushi edo kyoto")
    assert refused(s, "koi move bushi kyoto kansai") == "RS-6M.1"
    # Two of a kind in one place: the one that stood there still moves.
    s = accepted(marshalling("koi kyoto bushi"), "koi move bushi edo kyoto", "koi move bushi kyoto kansai")
    assert refused(s, "koi move bushi kyoto oshu") == "RS-6M.1"


def test_c_023_a_stronghold_may_be_built_where_its_owner_has_nothing_for_three_coins():
    s = accepted(marshalling("koi oshu stronghold"), "koi build shikoku")
    assert s.pieces["koi"]["shikoku"] == {"stronghold": 1}
    assert s.coins["koi"] == 2


def test_c_025_bonsai_builds_for_one_coin():
    s = position("seats koi lotus bonsai\nturn bonsai\nstep mandate 3\ndeck marshal\nbonsai coins 4\nbonsai kyushu daimyo stronghold bushi")
    s = accepted(s, "bonsai choose marshal", "bonsai build edo")
    assert s.coins["bonsai"] == 3


def test_c_026_turtle_strongholds_move_once_each_as_if_they_were_figures():
    s = marshalling(mine=("turtle",))
    s = accepted(s, "turtle move stronghold kyoto edo")
    assert s.pieces["turtle"]["edo"] == {"stronghold": 1}
    assert refused(s, "turtle move stronghold edo oshu") == "RS-6M.1"
    assert refused(marshalling(), "koi move stronghold edo kyoto") == "RS-10.4"


# ------------------------------------------------------------------ Train


def test_c_028_a_free_card_stays_free_for_the_ally_of_the_chooser():
    s = at_home("deck train", "ally koi lotus", "display sp-path-of-the-lion", "koi coins 0", "lotus coins 0")
    s = accepted(s, "koi choose train", "koi done", "lotus buy sp-path-of-the-lion")
    assert s.coins["lotus"] == 0
    assert s.cards["lotus"] == ("sp-path-of-the-lion",)


def test_c_029_nobody_buys_two_cards_in_one_train():
    s = at_home("deck train", "display sp-righteousness sp-path-of-the-lion")
    s = accepted(s, "koi choose train", "koi buy sp-righteousness")
    assert s.doing.now == "lotus"
    assert refused(s, "koi buy sp-path-of-the-lion") == "RS-6T.2"


def test_c_032_ryujin_sells_at_full_cost_to_who_chose_train_too():
    s = at_home(
        "step mandate 3",
        "track train koi betray as recruit lotus",
        "deck harvest",
        "shrines ryujin",
        "koi shrine.1 shinto",
        "display sp-righteousness",
    )
    s = accepted(s, "turtle choose harvest")
    assert s.doing.what == "ryujin"
    before = s.coins["koi"]
    assert accepted(s, "koi buy sp-righteousness").coins["koi"] == before - 2


# ------------------------------------------------------------------ Harvest


def test_c_034_a_player_with_no_province_gets_one_coin():
    s = position("seats koi lotus turtle\ndeck harvest\nlotus nagato bushi*2")
    s = accepted(s, "koi choose harvest")
    assert s.coins == {"koi": 1, "lotus": 1, "turtle": 1}
    assert s.vp == {"koi": 0, "lotus": 0, "turtle": 0}


def test_c_035_a_tie_in_kyoto_goes_to_the_higher_honor():
    extra = ("turn dragonfly", "step mandate 4", "deck harvest", "dragonfly kyoto bushi*2", "turtle kyoto daimyo bushi")
    s = at_home(*extra, "honor koi dragonfly turtle lotus")
    assert accepted(s, "dragonfly choose harvest").vp["dragonfly"] == 4
    s = at_home(*extra, "honor koi turtle dragonfly lotus")
    assert accepted(s, "dragonfly choose harvest").vp["dragonfly"] == 0


def test_c_037_where_chooser_and_ally_meet_only_the_stronger_gains():
    s = at_home("deck harvest", "ally koi lotus", "koi kansai bushi", "lotus kansai bushi*2", "koi edo daimyo")
    s = accepted(s, "koi choose harvest")
    assert (s.vp["koi"], s.vp["lotus"]) == (2, 3 + 1)  # Edo for Koi; Kansai and Nagato for Lotus


# ------------------------------------------------------------------ Betray


def betraying(*extra):
    return accepted(at_home("deck betray", *extra), "koi choose betray")


def test_c_040_an_allied_betrayer_ends_the_alliance_and_loses_honor():
    s = betraying("ally koi turtle")
    assert s.allies == {}
    assert s.honor == ("lotus", "koi", "turtle", "dragonfly")


def test_c_041_an_unallied_betrayer_keeps_honor():
    assert betraying("ally lotus turtle").honor == ("koi", "lotus", "turtle", "dragonfly")


def test_c_043_two_figures_of_one_player_are_not_both_replaced():
    s = accepted(betraying(), "koi replace lotus bushi nagato bushi")
    assert refused(s, "koi replace lotus bushi nagato bushi") == "RS-6B.2"
    assert not any("replace lotus" in said for said in choices(s, "koi"))


def test_c_044_a_bushi_is_not_replaced_by_a_shinto():
    s = betraying("koi edo bushi*6 daimyo stronghold")
    assert refused(s, "koi replace lotus bushi nagato shinto") == "RS-6B.3"


def test_c_046_any_monster_replaces_any_monster():
    s = betraying("turtle cards sp-oni-of-skulls", "turtle kyoto oni_of_skulls", "koi cards sp-komainu")
    assert accepted(s, "koi replace turtle oni_of_skulls kyoto komainu").pieces["koi"]["kyoto"] == {"komainu": 1}


def test_c_047_komainu_is_a_shinto_on_both_sides_of_the_swap():
    s = betraying("lotus edo shinto", "koi cards sp-komainu")
    assert accepted(s, "koi replace lotus shinto edo komainu").pieces["koi"]["edo"]["komainu"] == 1
    s = betraying("lotus cards sp-komainu", "lotus edo komainu")
    assert accepted(s, "koi replace lotus komainu edo shinto").pieces["lotus"]["reserve"]["komainu"] == 1


def test_c_049_yurei_counts_as_a_daimyo_and_is_never_replaced():
    s = betraying("lotus cards su-yurei", "lotus edo yurei", "koi cards sp-komainu")
    assert refused(s, "koi replace lotus yurei edo komainu") == "RS-2.15"


def test_c_050_a_shinto_on_a_shrine_is_not_replaced():
    s = betraying("lotus shrine.1 shinto", "shrines raijin hachiman susanoo fujin")
    assert refused(s, "koi replace lotus shinto shrine.1 shinto") == "RS-6B.5"


def test_c_052_the_former_ally_need_not_be_a_victim():
    s = accepted(betraying("ally koi turtle"), "koi replace lotus bushi nagato bushi", "koi replace dragonfly bushi hokkaido bushi")
    assert s.doing is None
    again = accepted(betraying("ally koi turtle"), "koi replace turtle bushi kyoto bushi")
    assert again.pieces["koi"]["kyoto"] == {"bushi": 1}


@pytest.mark.parametrize("seat", ["koi", "turtle", "lotus"])
def test_c_053_after_a_broken_alliance_nobody_allies_this_season(seat):
    s = accepted(betraying("ally koi turtle"), "koi done")
    for verb in ("offer", "accept", "decline"):
        assert refused(s, f"{seat} {verb} dragonfly") == "RS-5.3"


# ------------------------------------------------------------------ Kami Turns and Honor


def kami_turn(*extra):
    return accepted(
        at_home("step mandate 3", "track recruit koi recruit as recruit lotus", "deck harvest", *extra), "turtle choose harvest"
    )


def test_c_055_a_tie_on_a_shrine_goes_to_the_higher_honor():
    s = kami_turn("shrines susanoo", "koi shrine.1 shinto", "dragonfly shrine.1 shinto", "koi oshu stronghold")
    assert s.vp["koi"] == 2
    assert s.vp["dragonfly"] == 0


def test_c_056_honor_from_amaterasu_counts_at_the_next_shrine():
    s = kami_turn("shrines amaterasu hachiman", "dragonfly shrine.1 shinto", "dragonfly shrine.2 shinto", "lotus shrine.2 shinto")
    assert s.honor == ("dragonfly", "koi", "lotus", "turtle")
    assert s.ronin["dragonfly"] == 2
    assert s.ronin["lotus"] == 0


def test_c_058_worshippers_count_again_in_the_next_kami_turn():
    s = kami_turn("shrines tsukuyomi", "koi shrine.1 shinto")
    first = s.coins["koi"]
    w = work(FACTS, s)
    kami.run(w, 0)
    assert w.coins["koi"] == first + 2
    assert s.pieces["koi"]["shrine.1"] == {"shinto": 1}


def test_c_059_fujin_moves_one_figure_twice_or_two_once():
    s = kami_turn("shrines fujin", "koi shrine.1 shinto", "koi edo bushi daimyo stronghold")
    twice = accepted(s, "koi move bushi edo kyoto", "koi move bushi kyoto kansai")
    assert twice.doing is None
    assert twice.pieces["koi"]["kansai"] == {"bushi": 1}
    assert accepted(s, "koi move bushi edo kyoto", "koi move daimyo edo oshu").doing is None


def changed(change, seat, *extra):
    w = work(FACTS, position("\n".join(("seats koi lotus turtle", *extra))))
    change(w, seat)
    return w.honor


def test_c_061_the_top_clan_gains_nothing_by_gaining_honor():
    assert changed(honor.gain, "koi") == ("koi", "lotus", "turtle")
    assert changed(honor.gain, "lotus") == ("lotus", "koi", "turtle")


def test_c_062_the_bottom_clan_loses_nothing_by_losing_honor():
    assert changed(honor.lose, "turtle") == ("koi", "lotus", "turtle")
    assert changed(honor.lose, "lotus") == ("koi", "turtle", "lotus")


# ------------------------------------------------------------------ deals and Lotus


def test_c_100_a_broken_promise_is_nothing_to_the_referee():
    s = accepted(at_home("deck marshal"), "koi give lotus coins 2 ronin 0", "koi choose marshal")
    paid = accepted(s, "lotus move bushi nagato kansai")  # though it had promised to stay
    assert (paid.coins["koi"], paid.coins["lotus"]) == (3, 9)


def test_c_110_lotus_lays_any_tile_face_down_and_declares_betray():
    s = at_home("turn lotus", "step mandate 2", "ally lotus turtle", "deck train train harvest recruit")
    assert "lotus choose train as betray" in choices(s, "lotus")
    assert len(choices(s, "lotus")) == 3 * 5
    assert refused(s, "lotus choose marshal as betray") == "RS-6.3"
    done = accepted(s, "lotus choose train as betray")
    assert done.allies == {}
    assert done.honor == ("koi", "turtle", "lotus", "dragonfly")
    assert done.track[-1] == Played("train", "lotus", "betray")
    # The real tile is in nobody's view and in no sentence.
    result = GAME.apply(s, GAME.notation.hear(["lotus", "choose", "train", "as", "betray"]))
    assert isinstance(result, Applied)
    shown = [GAME.view(done, seat) for seat in (None, *done.seats)]
    assert "rs.mandate.train" not in repr(shown) + repr(result.events)
