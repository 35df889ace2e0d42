"""Corrections set a position right by hand; ``faults`` says why one is impossible."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rs_rig import FACTS, GAME, accepted, choices, keys, lines, position
from suite import texts

from companion.rules.game import Applied, GiveCard, MovePiece, Refusal, SetCounter, SetStep
from companion.rules.rising_sun.state import Played

WORDS = keys("en") & keys("ru")
BASE = """
seats koi lotus turtle dragonfly
step mandate 2
track harvest koi
deck recruit marshal train betray recruit marshal train betray harvest
shrines raijin hachiman susanoo fujin
display sp-komainu sp-righteousness sp-righteousness
koi coins 3 ronin 1 vp 2 cards sp-oni-of-skulls
koi edo daimyo bushi*2 stronghold oni_of_skulls
lotus nagato daimyo bushi stronghold
turtle kyoto daimyo bushi stronghold
dragonfly hokkaido daimyo bushi stronghold
"""


def corrected(s, *corrections):
    for c in corrections:
        result = GAME.correct(s, c)
        assert isinstance(result, Applied), (c, result)
        assert result.events
        assert all(t.key in WORDS for t in texts(result.events))
        s = result.state
        assert GAME.faults(s) == ()
        assert position("\n".join(lines(s))) == s
        assert GAME.prompts(s)
    return s


def refused(s, c):
    result = GAME.correct(s, c)
    assert isinstance(result, Refusal)
    assert all(t.key in WORDS for t in texts(result))
    return result.clause


def test_a_piece_goes_where_the_table_says():
    s = corrected(position(BASE), MovePiece("koi", "bushi", "edo", "kyoto"), MovePiece("", "koi/shinto", "reserve.koi", "shrine.2"))
    assert s.pieces["koi"]["kyoto"] == {"bushi": 1}
    assert s.pieces["koi"]["shrine.2"] == {"shinto": 1}
    s = corrected(s, MovePiece("koi", "oni_of_skulls", "edo", "reserve"))
    assert s.pieces["koi"]["reserve"]["oni_of_skulls"] == 1


@pytest.mark.parametrize(
    ("correction", "expected"),
    [
        (MovePiece("fox", "bushi", "edo", "kyoto"), ("RS-3.1", "not_seated")),
        (MovePiece("", "komainu", "reserve", "edo"), ("RS-2.1", "whose_figure")),
        (MovePiece("koi", "bushi", "edo", "atlantis"), ("RS-2.6", "unknown_place")),
        (MovePiece("koi", "bushi", "atlantis", "edo"), ("RS-2.6", "unknown_place")),
        (MovePiece("koi", "ninja", "edo", "kyoto"), ("RS-2.1", "unknown_kind")),
        (MovePiece("koi", "bushi", "kyoto", "edo"), ("RS-2.4", "none_there")),
        (MovePiece("koi", "bushi", "edo", "edo"), ("RS-2.4", "none_there")),
        (MovePiece("koi", "bushi", "edo", "shrine.1"), ("RS-6R.4", "only_shinto_worship")),
        (SetCounter("fox", "coins", 1), ("RS-3.1", "not_seated")),
        (SetCounter("koi", "coins", -1), ("RS-13.3", "counter_range")),
        (SetCounter("koi", "coins", 1000), ("RS-13.3", "counter_range")),
        (SetCounter("koi", "wishes", 3), ("RS-13.3", "unknown_counter")),
        (SetCounter("koi", "honor", 0), ("RS-2H.1", "counter_range")),
        (SetCounter("koi", "honor", 5), ("RS-2H.1", "counter_range")),
        (SetCounter("koi", "ally.fox", 1), ("RS-5.2", "ally_other")),
        (SetCounter("koi", "ally.koi", 1), ("RS-5.2", "ally_other")),
        (SetCounter("koi", "ally.lotus", 2), ("RS-5.2", "counter_range")),
        (SetCounter("koi", "ally.lotus", 0), ("RS-5.2", "not_allies")),
        (SetCounter("koi", "token.spring:atlantis", 1), ("RS-1.3", "unknown_token")),
        (SetCounter("koi", "token.spring:edo", 2), ("RS-1.3", "counter_range")),
        (GiveCard("koi", "sp-nothing"), ("RS-1.4", "unknown_card")),
        (GiveCard("fox", "sp-komainu"), ("RS-3.1", "not_seated")),
        (GiveCard("koi", "su-yurei"), ("RS-6T.5", "card_not_there")),
        (GiveCard("", "sp-komainu"), ("RS-6T.5", "card_not_there")),
        (GiveCard("koi", "sp-oni-of-skulls"), ("RS-6T.5", "card_not_there")),
        (SetStep("mandate 9"), ("RS-6.1", "unknown_step")),
    ],
)
def test_a_correction_that_cannot_be_is_refused(correction, expected):
    result = GAME.correct(position(BASE), correction)
    assert isinstance(result, Refusal)
    assert (result.clause, result.text.key.removeprefix("rs.no.")) == expected
    assert all(t.key in WORDS for t in texts(result))


def test_counters_and_honor_are_set():
    s = corrected(position(BASE), *(SetCounter("koi", name, 7) for name in ("coins", "ronin", "vp")), SetCounter("koi", "honor", 3))
    assert (s.coins["koi"], s.ronin["koi"], s.vp["koi"]) == (7, 7, 7)
    assert s.honor == ("lotus", "turtle", "koi", "dragonfly")


def test_alliances_of_the_tea_ceremony_come_in_as_corrections():
    s = corrected(position(BASE), SetCounter("koi", "ally.lotus", 1))
    assert s.allies == {"koi": "lotus", "lotus": "koi"}
    result = GAME.correct(s, SetCounter("turtle", "ally.koi", 1))
    assert (result.clause, result.text.key) == ("RS-5.2", "rs.no.one_ally")
    assert corrected(s, SetCounter("lotus", "ally.koi", 0)).allies == {}


def test_one_token_of_several_is_taken_away_and_the_others_stay():
    s = corrected(
        position(f"season autumn\n{BASE}"),
        *(SetCounter("koi", f"token.{name}", 1) for name in ("spring:kyoto", "summer:edo", "spring:edo")),
    )
    assert s.tokens == {"koi": ("spring:kyoto", "spring:edo", "summer:edo")}  # by Season, then as the board names the Provinces
    s = corrected(s, SetCounter("koi", "token.spring:edo", 0), SetCounter("lotus", "token.spring:edo", 1))
    assert s.tokens == {"koi": ("spring:kyoto", "summer:edo"), "lotus": ("spring:edo",)}
    s = corrected(s, SetCounter("lotus", "token.spring:kyoto", 1), SetCounter("koi", "token.summer:edo", 0))
    assert s.tokens == {"lotus": ("spring:kyoto", "spring:edo")}


def test_a_card_brings_and_takes_its_monster():
    s = corrected(position(BASE), GiveCard("lotus", "sp-komainu"), GiveCard("lotus", "sp-oni-of-skulls"))
    assert s.pieces["lotus"]["reserve"]["komainu"] == 1
    assert s.pieces["lotus"]["reserve"]["oni_of_skulls"] == 1
    assert "oni_of_skulls" not in s.pieces["koi"]["edo"]
    s = corrected(s, GiveCard("", "sp-komainu"), GiveCard("turtle", "sp-righteousness"), GiveCard("", "sp-righteousness"))
    assert s.display == ("sp-komainu", "sp-righteousness", "sp-righteousness")
    only = position("seats koi lotus turtle\nkoi edo komainu\nkoi cards sp-komainu")
    assert "edo" not in corrected(only, GiveCard("", "sp-komainu")).pieces["koi"]


def test_the_track_is_set_forward_and_back():
    s = corrected(position(BASE), SetStep("mandate 4"))
    assert (s.track, len(s.deck), s.turn) == ((Played("harvest", "koi"), Played("?"), Played("?")), 7, "dragonfly")
    s = corrected(s, SetStep("mandate 1"))
    assert (s.track, len(s.deck), s.turn) == ((), 10, "koi")
    assert s.deck[0] == "harvest"
    performing = accepted(position(BASE), "lotus choose recruit")
    s = corrected(performing, SetStep("mandate 2"))
    assert (s.doing, s.turn, s.deck[0]) == (None, "lotus", "recruit")
    s = corrected(performing, SetStep("kami 1"))
    assert choices(s, "table") == ["table done"]
    s = accepted(s, "table done")
    assert FACTS.steps[s.step] == "mandate 4"
    assert choices(corrected(performing, SetStep("war")), "table") == ["table done"]
    assert GAME.prompts(corrected(s, SetStep("mandate 7")))
    over = GAME.correct(replace(s, season="autumn"), SetStep("over"))
    assert isinstance(over, Applied)
    assert GAME.prompts(over.state) == ()


def test_the_track_is_not_set_before_chance_has_paid():
    assert refused(GAME.start(("koi", "lotus", "turtle"), {}), SetStep("mandate 3")) == "RS-4.2"


def test_what_is_remembered_of_a_part_stays_true_of_the_pieces():
    s = position(BASE.replace("deck recruit marshal", "deck marshal recruit"))
    s = accepted(s, "lotus choose marshal", "turtle move bushi kyoto edo")
    s = corrected(s, MovePiece("turtle", "bushi", "edo", "reserve"))
    assert s.doing.moved == {}
    s = accepted(position(BASE), "lotus choose recruit", "turtle summon shinto kyoto")
    assert any("worship" in said for said in choices(s, "turtle"))
    s = corrected(s, MovePiece("turtle", "shinto", "kyoto", "reserve"))
    assert choices(s, "turtle") == ["turtle done"]
    s = accepted(s, "turtle done")
    assert s.doing.now == "dragonfly"
    two = position(
        BASE.replace("turtle kyoto daimyo bushi", "turtle kyoto daimyo bushi*2").replace("deck recruit marshal", "deck marshal recruit")
    )
    two = accepted(two, "lotus choose marshal", "turtle move bushi kyoto edo", "turtle move bushi kyoto edo")
    assert corrected(two, MovePiece("turtle", "bushi", "edo", "oshu")).doing.moved == {"edo": {"bushi": 1}}


def test_a_bought_monster_that_is_moved_by_hand_is_not_summoned_again():
    s = position(
        BASE.replace("deck recruit marshal train", "deck train recruit marshal").replace("koi coins 3", "lotus coins 5\nkoi coins 3")
    )
    s = accepted(s, "lotus choose train", "lotus buy sp-komainu")
    assert choices(s, "lotus") == ["lotus summon komainu nagato"]
    s = corrected(s, MovePiece("lotus", "komainu", "reserve", "edo"))
    assert choices(s, "lotus") == ["lotus done"]


def test_a_monster_whose_last_stronghold_was_corrected_away_waits_in_reserve():
    s = position(
        BASE.replace("deck recruit marshal train", "deck train recruit marshal").replace("koi coins 3", "lotus coins 5\nkoi coins 3")
    )
    s = accepted(s, "lotus choose train", "lotus buy sp-komainu")
    s = corrected(s, MovePiece("lotus", "stronghold", "nagato", "reserve"))
    assert choices(s, "lotus") == ["lotus done"]


# ------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ("koi kyoto bushi*5", "RS-13.3"),
        ("koi shrine.1 bushi", "RS-6R.4"),
        ("lotus kyoto oni_of_skulls", "RS-6T.3"),
        ("lotus cards sp-oni-of-skulls\nlotus kyoto oni_of_skulls", "RS-1.3"),
        ("lotus cards sp-righteousness", "RS-1.4"),
        ("wars edo kyoto", "RS-3.9"),
        ("doing marshal by lotus now turtle\nspent edo bushi", "RS-6M.1"),
        ("doing recruit by lotus now turtle\nfresh shinto edo", "RS-6R.4"),
        ("doing recruit by lotus now turtle\nfresh bushi kyoto", "RS-6R.4"),
        ("doing train by lotus now turtle\npending komainu", "RS-6T.3"),
        ("doing recruit by lotus now turtle\nused kyoto*6", "RS-6R.1"),
        ("doing betray by lotus now lotus\nused koi turtle dragonfly", "RS-6B.2"),
        ("doing betray by lotus now lotus\nused lotus", "RS-6B.2"),
    ],
)
def test_an_impossible_position_is_named_with_its_clause(change, clause):
    base = BASE
    if change.startswith("doing"):
        what = change.split()[1]
        base = base.replace(
            "deck recruit marshal train betray recruit marshal train betray harvest", f"track harvest koi {what} as {what} lotus"
        )
        base = base.replace("track harvest koi\n", "", 1)
    found = GAME.faults(position(base + change))
    assert clause in [f.clause for f in found]
    assert all(t.key in WORDS for t in texts(found))


def test_faults_that_no_record_can_write_are_named_too():
    s = position(BASE)
    broken = [
        (replace(s, honor=("koi", "koi", "lotus", "turtle")), "RS-2H.1"),
        (replace(s, allies={"koi": "lotus"}), "RS-5.2"),
        (replace(s, coins={**s.coins, "koi": -1}), "RS-13.3"),
        (replace(s, wars=("edo",) * 6), "RS-4.3"),
        (replace(s, shrines=("raijin", "raijin")), "RS-3.5"),
        (replace(s, deck=s.deck[1:]), "RS-13.3"),
        (replace(s, deck=("harvest",) * 9), "RS-1.6"),
        (replace(s, track=(Played("train", "koi", "harvest"),), deck=s.deck), "RS-10.2"),
    ]
    for state, clause in broken:
        found = GAME.faults(state)
        assert clause in [f.clause for f in found], clause
        assert all(t.key in WORDS for t in texts(found))
