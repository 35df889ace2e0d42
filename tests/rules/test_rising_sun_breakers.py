"""What people who tried to break the game have found: impossible positions that were believed, sentences that said something else than was so."""

from __future__ import annotations

import pytest
from rs_rig import GAME, accepted, choices, lines, position
from war_rig import FOUR, bid, events, war

from companion.rules.game import Applied, GiveCard, Refusal, SetCounter, SetStep
from companion.words import render

THREE = "seats koi lotus turtle\n"
SEATS = "seats koi lotus turtle dragonfly\n"
FIGHT = ("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus coins 2")


def faults(text):
    return [one.text.key.removeprefix("rs.fault.") for one in GAME.faults(position(THREE + text))]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("season summer\nstep over", "over_season"),
        ("season autumn\nstep over\nkoi vp 5\nkoi scored play 3", "scored"),
        ("season autumn\nstep war end\nkoi scored play 0 tokens 0", "scored_early"),
        ("season spring\nstep mandate 1\nkoi tokens autumn:edo", "token_later"),
        ("season summer\nstep mandate 1\nkoi tokens spring:edo autumn:edo", "token_later"),
        ("season spring\nstep mandate 1\nkoi allied autumn", "allied_later"),
        ("step tea\noffered koi lotus\ncontent koi", "tea_content"),
        ("step tea\noffered lotus koi\ncontent koi", "tea_content"),
        ("step war\nask koi order", "ask_war"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_reason(text, fault):
    assert fault in faults(text)
    found = next(one for one in GAME.faults(position(THREE + text)) if one.text.key == f"rs.fault.{fault}")
    assert all("rs." not in render(found.text, lang) for lang in ("en", "ru"))


@pytest.mark.parametrize(
    "text",
    [
        "season autumn\nstep over\nkoi vp 5\nkoi scored play 3 tokens 2\nkoi tokens spring:edo autumn:edo",
        "season autumn\nstep over",
        "season autumn\nstep mandate 1\nkoi tokens spring:edo summer:edo\nkoi allied spring",
        "step tea\noffered koi lotus\ncontent turtle",
        "step war\nkoi ronin 2\nask koi order",
    ],
)
def test_a_position_that_can_be_is_believed(text):
    assert faults(text) == []


def test_corrections_keep_to_that_too():
    over = position(THREE + "season autumn\nstep over\nkoi vp 5\nkoi scored play 3 tokens 2")
    for value, scored in ((9, {"play": 7, "tokens": 2}), (1, {"play": 1})):
        result = GAME.correct(over, SetCounter("koi", "vp", value))
        assert isinstance(result, Applied) and result.state.scored["koi"] == scored and GAME.faults(result.state) == ()
    back = GAME.correct(over, SetStep("war end")).state
    assert back.scored == {} and GAME.faults(back) == ()
    spring = position(THREE + "season spring\nstep mandate 1")
    for correction, why_not in (
        (SetStep("over"), ("RS-4.1", "rs.no.over_season")),
        (SetCounter("koi", "token.autumn:edo", 1), ("RS-8.4", "rs.no.token_later")),
    ):
        result = GAME.correct(spring, correction)
        assert isinstance(result, Refusal) and (result.clause, result.text.key) == why_not
    assert isinstance(GAME.correct(spring, SetCounter("koi", "token.autumn:edo", 0)), Applied)


def why(s, line):
    result = GAME.apply(s, GAME.notation.hear(line.split()))
    assert isinstance(result, Refusal), line
    return result.clause, render(result.text, "en")


def test_the_table_cannot_go_on_while_others_are_asked_and_is_told_why():
    assert why(war(*FIGHT), "table done") == ("RS-9.5", "First the battle is fought to its end: Nagato.")
    assert why(GAME.start(("koi", "lotus", "turtle"), {}), "table done")[0] == "RS-3.5"
    assert why(position(THREE + "step tea"), "table done")[0] == "RS-4.1"
    s = accepted(position(THREE + "step war\nkoi cards sp-way-of-the-righteous\nlotus cards sp-way-of-the-shogun"), "table done")
    assert why(s, "table done") == ("RS-2H.6", "Koi first says who goes first at the start of war.")
    assert why(position(THREE + "step mandate 1"), "table done") == ("RS-6.5", "Only a clan decides this.")


def test_a_bid_written_down_for_another_speaks_of_that_clan():
    s = war(*FIGHT, head=f"option bids cardboard\n{FOUR}")
    zero = "hostage 0 ronin 0 poets 0"
    assert why(s, f"table bid koi seppuku 9 {zero}") == ("RS-9.3", "Koi has 5 coins: all its bids together are at most that.")
    assert why(s, f"koi bid seppuku 9 {zero}") == ("RS-9.3", "All bids together are at most your 5 coins.")
    assert why(s, f"table bid dragonfly seppuku 1 {zero}")[1].startswith("Dragonfly has no part in this battle (Nagato)")


def test_to_show_no_mercy_is_said():
    s = bid(war(*FIGHT, "koi cards su-mercy"), koi=(0, 0, 0, 1))
    assert choices(s, "koi") == ["koi spare yes", "koi spare no"]
    assert events(s, "koi spare no")[:2] == ["no_mercy", "killed"]


def test_a_refused_gift_says_both_what_there_is_and_what_there_is_not():
    s = position(THREE + "step mandate 2\ntrack harvest koi\ndeck train\nkoi coins 1")
    assert why(s, "koi give lotus coins 0 ronin 9") == ("RS-2N.3", "You have 1 coin and 0 ronin to give.")


def test_betray_with_path_of_the_unrighteous_says_how_many_are_of_anybody():
    text = "step mandate 2\ntrack harvest koi\ndeck betray\nturn koi\nkoi kyoto daimyo\nlotus edo bushi*2 shinto*2\nturtle edo bushi shinto"
    s = accepted(position(f"{THREE}{text}\nkoi cards au-path-of-the-unrighteous"), "koi choose betray")
    prompt = GAME.prompts(s)[0]
    assert render(prompt.text, "en") == "Replace up to 3 figures of different players"
    assert render(prompt.detail, "en") == "1 of them by Path of the Unrighteous: of any player, worshippers too."
    plain = accepted(position(f"{THREE}{text}"), "koi choose betray")
    assert GAME.prompts(plain)[0].detail is None
    s = accepted(plain, "koi replace lotus bushi edo bushi", "koi replace turtle bushi edo bushi")
    assert why(s, "koi replace lotus bushi edo bushi")[1].startswith("Betray replaces one figure each of at most 2 players")


def test_susanoo_without_a_stronghold_says_so_and_not_that_it_gives_0_points():
    s = position(f"{THREE}step kami 1\nshrines susanoo\nkoi shrine.1 shinto")
    said = GAME.apply(s, GAME.notation.hear(["table", "done"])).events
    assert "Koi has no stronghold on the map: Susanoo gives nothing." in [render(one.text, "en") for one in said]
    assert lines(s)


ENDS_THE_YEAR = (
    "step mandate 7\nkoi cards su-path-of-the-samurai sp-way-of-the-shogun\nkoi coins 2\n"
    "doing recruit by koi now koi bonus koi\nused edo*2\nkoi edo stronghold"
)
KENIN_ASKS = "step mandate 2\nkoi edo stronghold\nkoi cards sp-path-of-the-kenin sp-path-of-the-kenin\ndoing recruit by koi now koi bonus koi\nused edo*2"


@pytest.mark.parametrize("last", ["koi place bushi oshu", "koi done"])
def test_the_answer_that_ends_the_last_mandate_does_not_begin_the_war(last):
    s = accepted(position(SEATS + ENDS_THE_YEAR), "koi done", last)
    assert (s.war, s.asks, GAME.prompts(s)[0].text.key) == (0, (), "rs.prompt.war_begins")
    s = accepted(s, "koi give lotus coins 1 ronin 0", "table done")
    assert s.coins["koi"] == 4 and s.war > 0  # 2, less the gift, and the Shogun's 3 as War begins (RS-8.1)


def test_a_correction_that_ends_the_last_mandate_does_not_begin_the_war_either():
    s = accepted(position(SEATS + ENDS_THE_YEAR.replace("su-path-of-the-samurai", "sp-path-of-the-kenin")), "koi done")
    s = GAME.correct(s, GiveCard("", "sp-path-of-the-kenin")).state
    assert (s.war, GAME.prompts(s)[0].text.key) == (0, "rs.prompt.war_begins")


def test_winter_is_not_scored_twice_where_the_table_goes_back_before_it():
    s = accepted(position(THREE + "season autumn\nstep war end\nkoi vp 5\nkoi tokens spring:edo summer:kyoto autumn:oshu"), "table done")
    back = GAME.correct(s, SetStep("war end")).state
    assert back.vp["koi"] == 5 < s.vp["koi"]
    assert accepted(back, "table done").vp == s.vp


def test_with_one_of_two_copies_gone_the_other_still_asks():
    s = accepted(position(SEATS + KENIN_ASKS), "koi done")
    assert s.asks[0].n == 2
    s = GAME.correct(s, GiveCard("", "sp-path-of-the-kenin")).state
    assert [(one.seat, one.n) for one in s.asks] == [("koi", 1)]
    assert GAME.correct(s, GiveCard("", "sp-path-of-the-kenin")).state.asks == ()


def test_who_has_nothing_left_to_do_at_the_start_of_war_is_not_asked():
    s = position(
        SEATS
        + "step war\nlotus cards sp-way-of-the-righteous\nturtle cards sp-way-of-the-shogun\nkoi ronin 1\nwars edo nagato kyoto oshu kansai shikoku"
    )
    s = accepted(s, "table done")
    for correction in (GiveCard("", "sp-way-of-the-shogun"), SetCounter("koi", "ronin", 0)):
        s = GAME.correct(s, correction).state
        assert GAME.faults(s) == ()


def test_a_hungry_oni_without_a_victim_is_no_question():
    assert faults("season autumn\ndoing marshal by koi now koi\nkoi cards au-oni-of-hate\nask koi au-oni-of-hate place edo") == ["ask_of"]
