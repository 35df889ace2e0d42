"""What each Season card does, one test a card by its name, with the timing, single-gain and stacking rules (RS-2.11 to 2.18): spring, and together."""

from __future__ import annotations

from pathlib import Path

import pytest
from cards_rig import at, begin_war, recruit, summoned, war
from rs_rig import FACTS, GAME, accepted, choices, lines, position, refused
from rs_said import told

from companion.rules.game import Applied, GiveCard
from companion.rules.rising_sun import after, force

# ------------------------------------------------------------------ spring


def test_komainu_is_a_shinto_too_and_may_worship_when_summoned():
    s = at("deck train", "display sp-komainu", "koi edo stronghold", "koi coins 2", "shrines raijin")
    s = accepted(s, "koi choose train", "koi buy sp-komainu", "koi summon komainu edo")
    assert "koi worship raijin" in choices(s, "koi")


def test_oni_of_skulls_has_force_3_where_its_owner_is_lowest():
    s = at("honor koi lotus turtle dragonfly", "turtle edo oni_of_skulls", "turtle cards sp-oni-of-skulls", "koi edo bushi")
    assert force.total(FACTS, s, "turtle", "edo") == 3
    s = at("honor turtle koi lotus dragonfly", "turtle edo oni_of_skulls", "turtle cards sp-oni-of-skulls", "koi edo bushi")
    assert force.total(FACTS, s, "turtle", "edo") == 1


def test_path_of_the_lion_gives_the_daimyo_1_force_and_yurei_too():
    s = at("koi edo daimyo yurei", "koi cards sp-path-of-the-lion su-yurei")
    assert force.total(FACTS, s, "koi", "edo") == 2 + 3


def test_righteousness_gives_1_point_for_each_own_figure_killed():
    s = summoned("dragonfly cards sp-path-of-the-ninja", "koi edo bushi", "koi cards sp-righteousness sp-righteousness")
    assert accepted(s, "dragonfly kill koi bushi edo").vp["koi"] == 2


def test_way_of_the_shogun_gives_3_coins_at_the_start_of_war_and_copies_stack():
    """C-031."""
    s = begin_war(war("koi cards sp-way-of-the-shogun sp-way-of-the-shogun", "lotus cards sp-way-of-the-shogun"))
    assert (s.coins["koi"], s.coins["lotus"]) == (6, 3)


def test_benevolence_gives_one_spent_coin_away_for_honor_and_2_points():
    s = at("deck train", "display sp-way-of-the-shogun", "lotus coins 5", "turn lotus", "lotus cards sp-benevolence")
    s = accepted(s, "lotus choose train as train", "lotus buy sp-way-of-the-shogun")
    assert choices(s, "lotus") == ["lotus share koi", "lotus share turtle", "lotus share dragonfly", "lotus done"]
    s = accepted(s, "lotus share turtle")
    assert (s.coins["lotus"], s.coins["turtle"], s.vp["lotus"], s.honor[0]) == (4, 1, 2, "lotus")


def test_benevolence_needs_a_coin_for_each_copy():
    """C-097: the discounted card cost 1."""
    s = at("deck train", "display sp-way-of-the-shogun", "koi coins 5", "koi cards sp-benevolence sp-benevolence", "turtle coins 9")
    s = accepted(s, "koi choose train", "koi buy sp-way-of-the-shogun", "koi share turtle")
    assert (s.vp["koi"], s.asks) == (2, ())
    s = at("deck marshal", "koi coins 5", "koi cards sp-benevolence sp-benevolence", "koi edo bushi")
    s = accepted(s, "koi choose marshal", "koi build oshu", "koi share turtle", "koi share lotus")
    assert s.vp["koi"] == 4
    assert "koi move bushi edo oshu" in choices(s, "koi")


def test_benevolence_was_not_owned_while_it_was_bought_and_asks_nothing_of_what_is_free():
    s = at("deck train", "display sp-benevolence sp-benevolence sp-honesty", "koi coins 5", "koi cards sp-honesty")
    after_buy = accepted(s, "koi choose train", "koi buy sp-benevolence")
    assert after_buy.asks == ()
    s = at("deck train", "display sp-honesty", "koi coins 5", "koi cards sp-benevolence")
    assert accepted(s, "koi choose train", "koi buy sp-honesty").asks == ()


def test_path_of_the_kenin_places_a_bushi_at_an_own_stronghold_after_a_summon():
    s = summoned("dragonfly cards sp-path-of-the-kenin sp-path-of-the-kenin", "dragonfly oshu stronghold")
    places = ["dragonfly place bushi hokkaido", "dragonfly place bushi oshu", "dragonfly done"]
    assert choices(s, "dragonfly") == places  # not any Province: placing is no Summon, wings or not
    s = accepted(s, "dragonfly place bushi oshu")
    assert choices(s, "dragonfly") == places
    s = accepted(s, "dragonfly place bushi oshu")
    assert s.pieces["dragonfly"]["oshu"] == {"stronghold": 1, "bushi": 2}
    assert s.doing is None


def test_placing_triggers_nothing_that_follows_a_summon():
    """C-016: one Coin of the Path of the Warlord, for the Summon alone."""
    s = summoned("dragonfly cards sp-path-of-the-kenin sp-path-of-the-warlord")
    assert accepted(s, "dragonfly place bushi hokkaido").coins["dragonfly"] == 1


def test_path_of_the_light_places_a_shinto_on_a_shrine_at_the_end_of_a_recruit():
    s = at(
        "doing recruit by dragonfly now turtle left dragonfly bonus dragonfly",
        "turtle kyoto stronghold",
        "turtle cards sp-path-of-the-light",
        "dragonfly oshu stronghold",
        "shrines raijin fujin",
    )
    s = accepted(s, "turtle summon bushi kyoto")
    assert s.doing.now == "dragonfly"  # not before everybody has performed (RS-2.12)
    s = accepted(s, "dragonfly done")
    assert choices(s, "turtle") == ["turtle place shinto shrine.1", "turtle place shinto shrine.2", "turtle done"]
    assert accepted(s, "turtle place shinto shrine.2").pieces["turtle"]["shrine.2"] == {"shinto": 1}


def test_path_of_the_light_acts_though_its_owner_summoned_nothing():
    s = at("doing recruit by koi now koi", "koi edo stronghold", "koi cards sp-path-of-the-light", "shrines raijin")
    assert "koi place shinto shrine.1" in choices(accepted(s, "koi done"), "koi")


def test_courage_gives_2_points_for_each_token_however_it_was_taken():
    s = war(
        "wars edo kyoto oshu nagato kansai kyushu",
        "koi edo bushi",
        "koi kyoto bushi",
        "koi cards sp-courage sp-courage",
        "lotus cards sp-courage",
    )
    s = accepted(s, "table done")
    assert s.tokens == {"koi": ("spring:kyoto", "spring:edo")}
    assert (s.vp["koi"], s.vp["lotus"]) == (8, 0)


def test_path_of_the_ninja_kills_any_bushi_on_the_map_and_loses_honor():
    s = summoned("dragonfly cards sp-path-of-the-ninja", "koi edo bushi daimyo", "lotus kyoto shinto", "honor koi dragonfly lotus turtle")
    assert choices(s, "dragonfly") == ["dragonfly kill dragonfly bushi hokkaido", "dragonfly kill koi bushi edo", "dragonfly done"]
    s = accepted(s, "dragonfly kill koi bushi edo")
    assert s.pieces["koi"]["edo"] == {"daimyo": 1}
    assert s.honor == ("koi", "lotus", "dragonfly", "turtle")
    assert s.doing is None


def test_way_of_the_righteous_takes_a_coin_from_each_player_with_less_honor():
    s = begin_war(war("lotus cards sp-way-of-the-righteous", "koi coins 3", "lotus coins 1", "turtle coins 2", "dragonfly coins 0"))
    assert s.coins == {"koi": 3, "lotus": 2, "turtle": 1, "dragonfly": 0}
    s = begin_war(war("koi cards sp-way-of-the-righteous sp-way-of-the-righteous", "lotus coins 1", "turtle coins 5"))
    assert s.coins == {"koi": 3, "lotus": 0, "turtle": 3, "dragonfly": 0}


def test_honesty_gives_an_allied_chooser_2_points_but_not_for_betray():
    allied = ("deck harvest betray", "ally koi lotus", "koi cards sp-honesty sp-honesty")
    assert accepted(at(*allied), "koi choose harvest").vp["koi"] == 4
    assert accepted(at(*allied), "koi choose betray").vp["koi"] == 0
    assert accepted(at("deck harvest", "koi cards sp-honesty"), "koi choose harvest").vp["koi"] == 0


def test_honesty_is_told_by_its_name_after_the_choice():
    s = at("deck harvest", "ally koi lotus", "koi cards sp-honesty")
    assert told(s, "koi choose harvest")[:2] == ["RS-6.3! Koi chooses Harvest.", "RS-2.18: Honesty: Koi gains 2 points."]


def test_path_of_the_patron_gives_2_coins_where_two_players_have_less_honor():
    card = "dragonfly cards sp-path-of-the-patron"
    assert summoned(card, "honor koi dragonfly lotus turtle").coins["dragonfly"] == 2
    assert summoned(card, "honor koi lotus dragonfly turtle").coins["dragonfly"] == 0


def test_path_of_the_warlord_gives_1_coin_for_a_whole_recruit():
    """C-017."""
    s = recruit("dragonfly oshu stronghold*3", "dragonfly cards sp-path-of-the-warlord")
    s = accepted(s, *["dragonfly summon bushi hokkaido"] * 4, "dragonfly done")
    assert s.coins["dragonfly"] == 1
    assert accepted(recruit("dragonfly cards sp-path-of-the-warlord"), "dragonfly done").coins["dragonfly"] == 0


@pytest.mark.parametrize("what", ["train", "raijin"])
def test_a_bought_monster_and_raijins_bushi_are_a_summon_each(what):
    card = "koi cards sp-path-of-the-warlord"
    if what == "train":
        s = at("deck train", "display sp-oni-of-skulls", "koi coins 1", "koi edo stronghold", card, "shrines raijin")
        s = accepted(s, "koi choose train", "koi buy sp-oni-of-skulls", "koi summon oni_of_skulls edo")
    else:
        s = at("step kami 1", "shrines raijin", "koi shrine.1 shinto", card)
        s = accepted(s, "table done", "koi summon bushi edo")
    assert s.coins["koi"] == 1


def test_while_cards_after_a_summon_ask_nothing_is_left_of_the_summon_itself():
    s = accepted(recruit("dragonfly cards sp-path-of-the-kenin", "shrines raijin"), "dragonfly summon shinto hokkaido", "dragonfly done")
    assert (s.doing.stage, s.doing.fresh, s.doing.pending) == ("after", None, "")


# ------------------------------------------------------------------ together


def test_every_card_of_the_box_has_a_test_of_its_name():
    source = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_rising_sun_cards*.py"))
    names = {name.split("-", 1)[1].replace("-", "_") for name in FACTS.cards}
    assert [name for name in sorted(names) if f"def test_{name}" not in source] == []


def test_cards_after_a_summon_are_asked_together_and_answered_in_any_order():
    s = summoned("dragonfly cards sp-path-of-the-kenin sp-path-of-the-ninja su-path-of-the-monkey", "koi coins 2", "koi edo bushi")
    assert choices(s, "dragonfly") == [
        "dragonfly place bushi hokkaido",
        "dragonfly kill dragonfly bushi hokkaido",
        "dragonfly kill koi bushi edo",
        "dragonfly use su-path-of-the-monkey",
        "dragonfly done",
    ]
    s = accepted(s, "dragonfly use su-path-of-the-monkey")
    assert choices(s, "dragonfly")[-1] == "dragonfly done"
    assert len(choices(s, "dragonfly")) == 4
    assert [a.what for a in s.asks] == [after.KENIN, after.NINJA]
    assert accepted(s, "dragonfly done").doing is None


def test_a_bought_monster_is_summoned_after_benevolence_has_been_answered():
    s = at("deck train", "display sp-oni-of-skulls", "koi coins 3", "koi edo stronghold", "koi cards sp-benevolence sp-path-of-the-kenin")
    s = accepted(s, "koi choose train", "koi buy sp-oni-of-skulls")
    assert choices(s, "koi")[0] == "koi share lotus"
    assert refused(s, "koi summon oni_of_skulls edo") == "RS-2.18"
    s = accepted(s, "koi done", "koi summon oni_of_skulls edo")
    assert choices(s, "koi") == ["koi place bushi edo", "koi done"]


def test_the_shrines_go_on_after_cards_have_answered_raijins_summon():
    s = at(
        "step kami 1",
        "shrines raijin hachiman",
        "koi shrine.1 shinto",
        "lotus shrine.2 shinto",
        "koi edo stronghold",
        "koi cards sp-path-of-the-kenin",
    )
    s = accepted(s, "table done", "koi summon bushi oshu")
    assert (choices(s, "koi"), s.ronin["lotus"]) == (["koi place bushi edo", "koi done"], 0)
    s = accepted(s, "koi place bushi edo")
    assert s.ronin["lotus"] == 2
    assert s.doing is None


def test_the_next_performs_after_cards_have_answered():
    s = at(
        "doing recruit by turtle now koi left lotus turtle",
        "koi edo stronghold",
        "lotus nagato stronghold",
        "koi cards sp-path-of-the-kenin",
    )
    s = accepted(s, "koi summon bushi edo")
    assert s.doing.stage == "after"
    s = accepted(s, "koi done")
    assert (s.doing.now, s.doing.stage) == ("lotus", "")


def test_a_recruit_ends_when_the_cards_of_its_end_have_answered():
    s = recruit("dragonfly oshu stronghold", "lotus cards sp-path-of-the-light", "shrines raijin")
    s = accepted(s, "dragonfly summon bushi oshu", "dragonfly summon shinto hokkaido", "dragonfly done")
    what_is_performed = [line for line in lines(s) if line.startswith(("doing", "stage", "used", "fresh", "ask"))]
    assert what_is_performed == ["doing recruit by dragonfly now dragonfly bonus dragonfly", "stage end", "ask lotus sp-path-of-the-light"]
    assert position("\n".join(lines(s))) == s
    s = accepted(s, "lotus place shinto shrine.1")
    assert (s.doing, FACTS.steps[s.step]) == (None, "mandate 2")


def test_where_a_correction_takes_the_asking_card_away_what_waited_goes_on():
    s = summoned("dragonfly cards sp-path-of-the-kenin", "koi coins 1")
    corrected = GAME.correct(s, GiveCard("", after.KENIN))
    assert isinstance(corrected, Applied)
    assert GAME.faults(corrected.state) == ()
    assert (corrected.state.asks, corrected.state.doing, FACTS.steps[corrected.state.step]) == ((), None, "mandate 2")


def test_a_question_written_after_the_end_of_the_game_can_be_left():
    s = at("season autumn", "step over", "ask koi sp-benevolence", "koi cards sp-benevolence")
    s = accepted(s, "koi done")
    assert (GAME.prompts(s), s.war) == ((), 0)


def test_while_a_card_asks_nobody_else_acts_but_gifts_go_on():
    s = summoned("dragonfly cards sp-path-of-the-kenin", "koi coins 2", "deck recruit")
    assert refused(s, "koi choose recruit") == "RS-2.11"
    assert refused(s, "koi place bushi edo") == "RS-2.11"
    assert refused(s, "dragonfly place shinto hokkaido") == "RS-2.11"
    assert accepted(s, "koi give lotus coins 1 ronin 0").asks == s.asks


def test_where_starts_of_war_get_in_each_others_way_the_higher_honor_says_first_or_last():
    """RS-2H.6: the Righteous would find nothing in Lotus's purse before Lotus's Shogun has acted."""
    s = begin_war(war("koi cards sp-way-of-the-righteous", "lotus cards sp-way-of-the-shogun", "turtle cards sp-way-of-the-shogun"))
    assert choices(s, "koi") == ["koi early", "koi late"]
    assert refused(s, "lotus early") == "RS-2H.6"
    assert refused(s, "koi done") == "RS-2H.6"
    last = accepted(s, "koi late", "lotus late")
    assert last.coins == {"koi": 2, "lotus": 2, "turtle": 2, "dragonfly": 0}
    assert last.asks == ()
    first = accepted(s, "koi early", "lotus early")
    assert first.coins == {"koi": 0, "lotus": 3, "turtle": 3, "dragonfly": 0}


def test_the_war_goes_on_when_the_order_has_been_said():
    cards = ("koi cards sp-way-of-the-righteous", "lotus cards sp-way-of-the-shogun", "turtle cards sp-way-of-the-shogun")
    s = begin_war(war("wars edo kyoto oshu nagato kansai kyushu", "koi edo bushi", "lotus edo bushi", *cards))
    s = accepted(s, "koi early")
    assert s.battle is None  # Lotus has still to say
    s = accepted(s, "lotus early")
    assert (s.war, s.battle.place) == (1, "edo")


def test_the_war_goes_on_after_the_only_question_of_a_written_position():
    s = war(
        "ask koi order", "koi cards sp-way-of-the-shogun", "wars edo kyoto oshu nagato kansai kyushu", "koi edo bushi", "lotus edo bushi"
    )
    s = accepted(s, "koi early")
    assert (s.coins["koi"], s.war, s.battle.place) == (3, 1, "edo")


def test_where_they_do_not_nobody_is_asked():
    s = begin_war(war("koi cards sp-way-of-the-shogun", "lotus cards sp-way-of-the-shogun"))
    assert s.asks == ()


def test_no_card_asks_out_of_season():
    s = at("deck recruit", "koi cards su-path-of-the-monkey sp-path-of-the-ninja", "lotus coins 3", "lotus edo bushi")
    for line in ("koi use su-path-of-the-monkey", "koi kill lotus bushi edo", "koi place bushi edo", "koi share lotus", "koi early"):
        assert refused(s, line) == "RS-2.18"
    assert refused(s, "koi pardon lotus") == "RS-2.18"
