"""Why not, at tea, where cards ask, and where cards and Monsters close a way: clause and sentence, one test a sentence (RS-2.11 to 2.18, 5, 6B)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cards_rig import at, begin_war, summoned, war
from rs_rig import GAME, accepted, keys, position
from rs_said import why

from companion.rules.game import CHANCE, TABLE
from companion.rules.rising_sun import commands as cmd

HERE = Path(__file__).parent


def test_every_sentence_of_a_refusal_is_named_with_its_clause_by_a_test():
    """A new sentence in the catalogues without a test that is refused with it fails here."""
    source = "".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_rising_sun*.py")))
    named = set(re.findall(r'"RS-[0-9A-Z]+\.[0-9]+",\s+"(?:rs\.no\.)?([a-z_]+)"', source))
    assert sorted(key for key in keys("en") if key.startswith("rs.no.") and key.removeprefix("rs.no.") not in named) == []


# ------------------------------------------------------------------ Tea Ceremony


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("koi offer koi", ("RS-5.2", "ally_other")),
        ("koi offer bonsai", ("RS-5.2", "ally_other")),
        ("bonsai offer koi", ("RS-3.1", "not_seated")),
        ("lotus offer koi", ("RS-5.2", "offer_waits")),
        ("koi offer lotus", ("RS-5.2", "offered_already")),
        ("turtle offer dragonfly", ("RS-5.2", "offer_declined")),
        ("koi accept lotus", ("RS-5.2", "not_offered")),
        ("koi accept turtle", ("RS-5.2", "not_offered")),
        ("koi decline turtle", ("RS-5.2", "no_offer")),
        ("koi choose recruit", ("RS-4.1", "tea_first")),
        ("koi move bushi edo oshu", ("RS-4.1", "tea_first")),
        ("koi give bonsai coins 1 ronin 0", ("RS-2N.3", "gift_to_other")),
        (cmd.Done(TABLE), ("RS-4.1", "tea_first")),
        (cmd.Done(CHANCE), ("RS-6.5", "not_the_table")),
    ],
)
def test_at_tea(line, expected):
    s = accepted(at("step tea", "koi coins 2"), "koi offer lotus", "turtle offer dragonfly", "dragonfly decline turtle")
    assert why(s, line) == expected


def test_allies_and_who_is_content_say_nothing_more_at_tea():
    s = accepted(at("step tea"), "koi offer lotus", "lotus accept koi", "dragonfly done")
    assert why(s, "koi offer turtle") == ("RS-5.2", "has_ally")
    assert why(s, "turtle offer koi") == ("RS-5.2", "has_ally")
    assert why(s, "koi done") == ("RS-5.2", "has_ally")
    assert why(s, "dragonfly done") == ("RS-5.2", "tea_content")
    assert why(s, "dragonfly accept turtle") == ("RS-5.2", "not_offered")
    assert why(s, "dragonfly decline turtle") == ("RS-5.2", "no_offer")
    assert why(accepted(s, "dragonfly offer turtle", "turtle done"), "dragonfly offer turtle") == ("RS-5.2", "offer_declined")


def test_who_has_an_ally_is_named_to_the_one_who_asks():
    s = accepted(at("step tea"), "koi offer lotus", "lotus accept koi")
    for line in ("turtle offer koi", "koi offer turtle"):
        refusal = GAME.apply(s, GAME.notation.hear(line.split()))
        assert refusal.text.args["seat"].key == "rs.clan.koi"


def test_outside_the_ceremony_no_alliance_is_formed_and_before_it_no_seat_acts():
    assert why(at("step mandate 3"), "koi offer lotus") == ("RS-5.3", "tea_only")
    s = accepted(at("step war end"), "table done")
    assert why(s, "koi choose recruit") == ("RS-3.7", "owed_mandates")
    s = accepted(s, "chance shuffle mandates recruit recruit marshal marshal train train harvest harvest betray betray")
    assert why(s, "koi choose recruit") == ("RS-4.3", "owed_wars")


# ------------------------------------------------------------------ cards that ask


def test_while_a_card_asks():
    s = summoned("dragonfly cards sp-path-of-the-kenin", "koi coins 2", "deck recruit")
    assert why(s, "koi choose recruit") == ("RS-2.11", "card_first")
    assert why(s, "dragonfly place shinto hokkaido") == ("RS-2.11", "answer_card")
    assert why(s, "dragonfly choose recruit") == ("RS-2.11", "answer_card")
    assert why(s, cmd.Done(TABLE)) == ("RS-2.11", "card_first")


def test_while_the_start_of_war_asks_first_or_last():
    s = begin_war(war("koi cards sp-way-of-the-righteous", "lotus cards sp-way-of-the-shogun", "turtle cards sp-way-of-the-shogun"))
    assert why(s, "lotus early") == ("RS-2H.6", "order_first")
    assert why(s, "koi done") == ("RS-2H.6", "answer_order")
    assert why(s, "koi bid poets 1") == ("RS-2H.6", "answer_order")


def test_no_card_asks_out_of_season_and_there_is_no_toll_to_waive():
    s = at("deck recruit", "koi cards su-path-of-the-monkey sp-path-of-the-ninja su-mercy", "lotus coins 3", "lotus edo bushi")
    for line in (
        "koi use su-path-of-the-monkey",
        "koi kill lotus bushi edo",
        "koi place bushi edo",
        "koi share lotus",
        "koi early",
        "koi spare yes",
    ):
        assert why(s, line) == ("RS-2.18", "no_card_asks")
    assert why(s, "koi pardon lotus") == ("RS-2.18", "nothing_to_waive")


def test_a_route_that_cannot_be_paid_names_its_owner():
    s = at(
        "doing marshal by dragonfly now koi left dragonfly", "lotus cards su-path-of-the-serpent", "koi oshu bushi", "dragonfly edo bushi"
    )
    assert why(s, "koi move bushi oshu hokkaido") == ("RS-2.18", "toll")
    refusal = GAME.apply(s, GAME.notation.hear(["koi", "move", "bushi", "oshu", "hokkaido"]))
    assert refusal.text.args["to"].key == "rs.clan.lotus"


# ------------------------------------------------------------------ Moves


def test_a_figure_moves_once_in_a_marshal():
    s = at("doing marshal by dragonfly now koi left dragonfly", "koi oshu bushi", "koi edo bushi", "dragonfly hokkaido bushi")
    s = accepted(s, "koi move bushi oshu kyoto")
    assert why(s, "koi move bushi kyoto edo") == ("RS-6M.1", "moved_already")


def test_fujin_moves_twice():
    s = at("step kami 1", "shrines fujin", "doing fujin by koi now koi", "used move*2", "koi oshu bushi")
    assert why(s, "koi move bushi oshu edo") == ("RS-7.5", "fujin_over")


# ------------------------------------------------------------------ Betray


def test_yurei_is_replaced_by_nobody():
    s = at("doing betray by koi now koi", "lotus edo yurei bushi", "lotus cards su-yurei", "koi cards sp-komainu")
    assert why(s, "koi replace lotus yurei edo komainu") == ("RS-2.15", "counts_as_daimyo")


def test_two_figures_are_of_two_players():
    s = at("doing betray by koi now koi", "lotus edo bushi*2", "turtle kyoto bushi")
    s = accepted(s, "koi replace lotus bushi edo bushi")
    assert why(s, "koi replace lotus bushi edo bushi") == ("RS-6B.2", "victim_twice")


def test_nothing_is_replaced_by_what_is_not_in_reserve():
    s = at("doing betray by koi now koi", "lotus edo shinto", "koi kyoto shinto*3", "turtle kyoto bushi")
    assert why(s, "koi replace lotus shinto edo shinto") == ("RS-6B.3", "none_to_replace")


def test_only_what_may_worship_replaces_a_worshipper():
    s = at(
        "doing betray by koi now koi",
        "koi cards au-path-of-the-unrighteous sp-oni-of-skulls",
        "lotus cards sp-komainu",
        "lotus shrine.1 komainu",
        "shrines fujin",
    )
    assert why(s, "koi replace lotus komainu shrine.1 oni_of_skulls") == ("RS-6B.3", "not_on_that_shrine")


# ------------------------------------------------------------------ the end of a Battle


def test_an_odd_coin_goes_to_nobody_twice():
    s = position(
        "seats koi lotus turtle dragonfly\nstep war 6\nwars edo oshu kansai kyushu shikoku nagato\n"
        "koi nagato bushi*5\nkoi coins 5\nlotus nagato bushi\nturtle nagato bushi\ndragonfly nagato bushi"
    )
    s = accepted(s, "table done", "koi bid poets 5", "koi odd turtle")
    assert why(s, "koi odd turtle") == ("RS-9.15", "odd_twice")
