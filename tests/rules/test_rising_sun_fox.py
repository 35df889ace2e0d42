"""The Fox, a Clan of another box: Wily Presence at the start of War (RS-10.7), by each reading."""

from __future__ import annotations

import copy

import pytest
from rs_rig import FACTS, GAME, accepted, choices, position, refused, tables
from war_rig import events

from companion.rules.rising_sun.facts import FactsError, parse
from companion.words import render

SEATS = "seats koi lotus fox\nstep war\nwars nagato edo oshu kansai kyushu"
ALL_BUT = "fox kansai daimyo bushi stronghold\nfox oshu shinto"


def begun(*extra, head=SEATS):
    return accepted(position("\n".join((head, *extra))), "table done")


def offered(state):
    return [line.removeprefix("fox place bushi ") for line in choices(state, "fox")]


def test_the_fox_sits_between_dragonfly_and_bonsai_and_begins_in_kansai():
    s = GAME.start(("bonsai", "fox", "dragonfly"), {})
    assert s.seats == s.honor == ("dragonfly", "fox", "bonsai")
    assert s.pieces["fox"]["kansai"] == {"daimyo": 1, "bushi": 1, "stronghold": 1} and FACTS.clans["fox"].income == 5


def test_at_the_start_of_war_it_may_put_a_bushi_where_it_has_no_figure():
    s = begun("fox kansai daimyo bushi stronghold", "fox oshu shinto", "fox edo stronghold")
    assert offered(s) == ["hokkaido", "kyoto", "edo", "nagato", "shikoku", "kyushu", "fox done"], "a stronghold is no figure"
    assert s.asks[0].n == 5 and not s.war, "five Bushi are left in reserve, and the war waits"
    s = accepted(s, "fox place bushi edo", "fox place bushi nagato")
    assert offered(s) == ["hokkaido", "kyoto", "shikoku", "kyushu", "fox done"]
    s = accepted(s, "fox done")
    assert s.asks == () and s.war > 0 and s.pieces["fox"]["reserve"]["bushi"] == 3


def test_with_its_last_bushi_the_war_goes_on_and_they_fight():
    s = begun("koi nagato bushi", "koi coins 2", "fox hokkaido bushi*3", "fox kyushu bushi*2")
    assert s.asks[0].n == 1
    s = accepted(s, "fox place bushi nagato")
    assert s.battle is not None and s.battle.place == "nagato" and set(s.battle.seats) == {"koi", "fox"}


def test_by_option_only_where_there_is_war_this_season():
    s = begun("fox kansai bushi", head=f"option fox_scope war_provinces\n{SEATS}")
    assert offered(s) == ["oshu", "edo", "nagato", "kyushu", "fox done"]


def test_it_is_asked_nothing_without_a_bushi_in_reserve_or_a_province_without_its_figures():
    assert begun("fox hokkaido bushi*6").asks == ()
    assert (
        begun(
            "fox kansai daimyo bushi*2",
            *(f"fox {p} shinto" for p in ("edo", "oshu", "nagato")),
            "fox kyushu bushi",
            head=f"option fox_scope war_provinces\n{SEATS}",
        ).asks
        == ()
    )


def test_nobody_else_has_it_and_without_the_fox_nothing_is_asked():
    s = begun("koi edo bushi")
    assert {one.seat for one in s.asks} == {"fox"}
    assert accepted(position("seats koi lotus turtle\nstep war\nwars nagato edo oshu kansai kyushu"), "table done").asks == ()


def test_placing_is_no_summon_and_is_said_by_its_name():
    s = begun("fox cards sp-path-of-the-warlord", "fox coins 0")
    assert events(s, "fox place bushi edo") == ["placed"]
    assert accepted(s, "fox place bushi edo").coins["fox"] == 0
    text = next(c.detail for p in GAME.prompts(s) for c in p.choices if c.detail)
    assert render(text, "en") == "Wily Presence" and render(text, "ru") == "Лисья хитрость"


def test_it_acts_in_its_place_by_honor_beside_the_cards_of_others():
    s = begun("honor koi fox lotus", "koi cards sp-way-of-the-righteous", "fox cards sp-way-of-the-shogun", "lotus coins 2")
    assert [choices(s, "koi"), s.asks[0].what] == [["koi early", "koi late"], "order"]
    s = accepted(s, "koi early")
    assert (s.coins["koi"], s.coins["lotus"]) == (1, 1)
    assert s.coins["fox"] == 3 and s.asks[0].what == "wily_presence"


def test_others_wait_and_are_told_for_what():
    s = begun()
    assert refused(s, "koi done") == "RS-10.7" and refused(s, "fox place bushi shrine.1") == "RS-10.7"
    result = GAME.apply(s, GAME.notation.hear(["koi", "place", "bushi", "edo"]))
    assert render(result.text, "en") == "Fox is asked first: Wily Presence."


def test_its_question_reads_back_and_is_possible_only_at_the_start_of_war():
    s = begun("fox edo bushi")
    lines = GAME.notation.position(s)
    assert "ask fox wily_presence n 5" in lines
    assert position("\n".join(lines)) == s and GAME.faults(s) == ()
    for wrong in ("step mandate 1", "step war 2", "step war\nask koi wily_presence", "step war\nask koi order"):
        head = wrong if "ask" in wrong else f"{wrong}\nask fox wily_presence"
        found = GAME.faults(position(f"seats koi lotus fox\nwars nagato edo oshu kansai kyushu\n{head}"))
        assert "rs.fault.ask_war" in [one.text.key for one in found], wrong


def test_facts_of_older_games_know_no_fox_and_go_on():
    old = copy.deepcopy(tables())
    del old["clans"]["fox"]
    assert parse(old).order == ("koi", "lotus", "turtle", "dragonfly", "bonsai")
    old["clans"]["sun"] = old["clans"]["koi"] | {"rank": 2}
    with pytest.raises(FactsError, match="the rules know no such thing; known: koi, lotus, turtle, dragonfly, bonsai, fox"):
        parse(old)
