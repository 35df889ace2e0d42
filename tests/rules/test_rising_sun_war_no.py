"""What a Battle refuses, what the table may set right in one, and positions that could not be (RS-8, 9)."""

from __future__ import annotations

import pytest
from rs_rig import FACTS, GAME, accepted, choices, position
from war_rig import FOUR, TWO, bid, war

from companion.rules.game import TABLE, Applied, MovePiece, PositionError, Refusal, SetCounter, SetStep
from companion.rules.rising_sun import commands as cmd
from companion.rules.rising_sun import steps, taste
from companion.words import render


def why(state, said):
    """Clause and sentence of a refusal."""
    command = GAME.notation.hear(said.split()) if isinstance(said, str) else said
    result = GAME.apply(state, command)
    assert isinstance(result, Refusal), said
    return result.clause, result.text.key.removeprefix("rs.no.")


def corrected(state, *corrections):
    for correction in corrections:
        result = GAME.correct(state, correction)
        assert isinstance(result, Applied), result
        state = result.state
    return state


THREE = ("koi nagato bushi*2", "koi coins 5", "lotus nagato bushi", "lotus coins 4", "turtle nagato stronghold shinto", "turtle coins 1")


def test_outside_a_battle_nothing_of_a_battle_is_said():
    s = position("koi edo bushi\ndeck recruit")
    for said in ("koi bid poets 1", "koi seppuku yes", "koi hostage none", "koi hire no", "koi odd lotus"):
        assert why(s, said) == ("RS-8.6", "no_battle")
    assert why(s, cmd.Bid(TABLE, "koi", {})) == ("RS-8.6", "no_battle")


def test_before_the_bids_are_shown():
    s = war(*THREE)
    assert why(s, "dragonfly bid poets 0") == ("RS-8.6", "not_in_battle")
    assert why(s, "koi seppuku yes") == ("RS-9.5", "bids_first")
    assert why(s, "koi odd lotus") == ("RS-9.5", "bids_first")
    assert why(s, "koi bid poets 6") == ("RS-9.3", "bid_too_much")
    assert why(s, cmd.Bid("koi", "", {"poets": -1})) == ("RS-9.3", "bid_below_zero")
    assert why(s, cmd.Bid("koi", "", {"honor": 1})) == ("RS-9.3", "unknown_advantage")
    assert why(s, cmd.Bid("koi", "lotus", {"poets": 1})) == ("RS-9.3", "own_bid_only")
    assert why(s, "table bid koi poets 1") == ("RS-9.3", "bids_are_secret")
    assert why(s, "table done") == ("RS-9.5", "battle_first")
    assert why(s, "koi done") == ("RS-9.5", "battle_first")
    assert why(s, "koi choose recruit") == ("RS-9.5", "battle_first")
    assert why(s, "koi give lotus coins 1 ronin 0") == ("RS-8.2", "no_gifts_in_war")
    assert why(s, "bonsai bid poets 0") == ("RS-3.1", "not_seated")


def test_behind_screens_the_table_writes_down_what_is_not_known():
    s = accepted(war(*THREE, head=f"option bids cardboard\n{FOUR}"), "table bid koi poets 1")
    assert why(s, "table bid koi poets 2") == ("RS-9.3", "bid_known")
    assert why(s, "table bid dragonfly poets 0") == ("RS-8.6", "not_in_battle")
    assert why(s, "table bid bonsai poets 0") == ("RS-8.6", "not_in_battle_name")
    assert why(s, "table bid lotus poets 5") == ("RS-9.3", "bid_too_much_of")


def test_advantages_in_their_order_and_by_their_winners():
    s = bid(war(*THREE), koi=(1, 1, 1, 0), lotus=(0, 2, 0, 0), turtle=(0, 0, 0, 1))
    assert why(s, "koi bid poets 0") == ("RS-9.4", "bids_shown")
    assert why(s, "lotus seppuku yes") == ("RS-9.6", "others_seppuku")
    assert why(s, "lotus hostage koi bushi") == ("RS-9.5", "before_hostage")
    assert why(s, "koi hire yes") == ("RS-9.5", "before_hire")
    assert why(s, "koi spare yes") == ("RS-9.5", "before_spare")
    assert why(s, "koi odd lotus") == ("RS-9.5", "before_odd")
    s = accepted(s, "koi seppuku no")
    assert why(s, "koi seppuku yes") == ("RS-9.5", "over_seppuku")
    assert why(s, "koi hostage lotus bushi") == ("RS-9.6", "others_hostage")
    assert why(s, "lotus hostage lotus bushi") == ("RS-9.9", "own_hostage")
    assert why(s, "lotus hostage dragonfly bushi") == ("RS-9.9", "hostage_of_fighter")
    assert why(s, "lotus hostage turtle stronghold") == ("RS-10.4", "stronghold_no_hostage")
    assert why(s, "lotus hostage turtle daimyo") == ("RS-9.9", "no_captive")
    assert why(s, "lotus hostage turtle bushi") == ("RS-9.9", "hostage_not_there")
    assert why(s, cmd.Hostage("lotus", "turtle", "ninja")) == ("RS-2.1", "unknown_kind")
    s = accepted(s, "lotus hostage none")
    assert why(s, "lotus hostage none") == ("RS-9.5", "over_hostage")
    assert why(s, "turtle hire yes") == ("RS-9.6", "others_hire")
    s = accepted(s, "koi hire no")
    assert s.battle.stage == "odd"
    assert why(s, "koi hire yes") == ("RS-9.5", "over_hire")
    assert why(s, "koi spare no") == ("RS-9.5", "over_spare")
    assert why(s, "lotus odd turtle") == ("RS-9.11", "others_odd")
    assert why(s, "koi odd dragonfly") == ("RS-9.15", "odd_to_loser")
    assert why(s, "koi odd koi") == ("RS-9.15", "odd_to_loser")


def test_only_the_winner_shows_mercy():
    s = bid(war("koi nagato bushi*3", "koi cards su-mercy", "koi coins 1", "lotus nagato bushi"), koi=(0, 0, 0, 1))
    assert why(s, "lotus spare yes") == ("RS-9.11", "others_spare")


# ------------------------------------------------------------------ set right by hand


def test_a_seat_whose_coins_are_set_right_bids_anew():
    s = accepted(war(*THREE), "koi bid poets 5", "lotus bid poets 1")
    s = corrected(s, SetCounter("koi", "coins", 2))
    assert s.battle.bids == {"lotus": (0, 0, 0, 1)}
    assert corrected(s, SetCounter("lotus", "vp", 2)).battle.bids == {"lotus": (0, 0, 0, 1)}


def test_a_battle_dropped_by_a_correction_gives_shown_bids_back():
    s = bid(war(*THREE), koi=(1, 1, 1, 0), lotus=(0, 2, 0, 0))
    assert s.coins["koi"] == 2
    s = corrected(s, SetStep("war 2"))
    assert (s.battle, s.war, s.coins["koi"], s.coins["lotus"]) == (None, 2, 5, 4)
    assert choices(s, TABLE) == ["table done"]
    assert steps.name(FACTS, accepted(s, "table done")) == "war end"  # nobody stands in the other Provinces
    sealed = accepted(war(*THREE), "koi bid poets 5")
    assert corrected(sealed, SetStep("war end")).coins["koi"] == 5
    assert steps.name(FACTS, corrected(sealed, SetStep("mandate 3"))) == "mandate 3"
    assert isinstance(GAME.correct(s, SetStep("war 7")), Refusal)


def test_hostages_can_be_set_right():
    s = position("step war end\nkoi edo bushi")
    s = corrected(s, MovePiece("koi", "koi/bushi", "edo", "hostage.lotus"))
    assert s.pieces["koi"]["hostage.lotus"] == {"bushi": 1}
    assert GAME.placement(s)["hostage.lotus"] == {"koi/bushi": 1}
    assert "hostage.lotus" in [node.id for section in GAME.view(s, None).sections[2].nodes for node in section.nodes]
    for to, kind in (("hostage.koi", "bushi"), ("hostage.lotus", "daimyo"), ("hostage.bonsai", "bushi")):
        assert isinstance(GAME.correct(s, MovePiece("koi", f"koi/{kind}", "reserve.koi", to)), Refusal)
    assert corrected(s, MovePiece("koi", "koi/bushi", "hostage.lotus", "reserve.koi")).pieces["koi"]["reserve"]["bushi"] == 6


# ------------------------------------------------------------------ impossible


BATTLE = f"{FOUR}\nkoi coins 3\nkoi nagato bushi\nlotus coins 3\nlotus nagato bushi\n"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("battle nagato seats koi lotus\nbid koi poets 4", "bid_too_much"),
        ("battle nagato seats koi lotus\nbid koi\nbid lotus", "all_have_bid"),
        ("battle nagato now seppuku seats koi lotus\nbid koi seppuku 1", "bids_missing"),
        ("battle nagato now hire seats koi lotus\nbid koi seppuku 1\nbid lotus", "nobody_asked"),
        ("battle nagato now odd seats koi lotus\nbid koi seppuku 1\nbid lotus", "battle_winner"),
        ("battle nagato now seppuku seats koi lotus winner koi\nbid koi seppuku 1\nbid lotus", "battle_winner"),
        ("battle nagato now odd seats koi lotus winner koi\nbid koi seppuku 1\nbid lotus", "no_odd"),
        ("battle nagato seats koi lotus winner koi", "battle_winner"),
        ("battle nagato seats koi lotus dead 7", "battle_early"),
        ("battle nagato now seppuku seats koi lotus taken koi\nbid koi seppuku 1\nbid lotus", "battle_early"),
        ("battle nagato now hire seats koi lotus hired koi\nbid koi ronin 1\nbid lotus", "battle_early"),
        ("battle nagato now spare seats koi lotus winner koi paid lotus\nbid koi ronin 1\nbid lotus", "battle_early"),
        ("battle nagato now seppuku seats koi lotus hired turtle\nbid koi seppuku 1\nbid lotus", "not_in_battle"),
        ("koi hostage.koi bushi", "captor"),
        ("koi hostage.bonsai bushi", "captor"),
        ("koi hostage.lotus daimyo", "no_captive"),
    ],
)
def test_impossible_battles_are_named(lines, fault):
    assert f"rs.fault.{fault}" in [ruling.text.key for ruling in GAME.faults(position(BATTLE + lines))]


def test_a_possible_battle_has_no_fault():
    s = position(BATTLE + "battle nagato now hostage seats koi lotus\nbid koi seppuku 1\nbid lotus hostage 2")
    assert GAME.faults(s) == ()
    assert choices(s, "lotus") == ["lotus hostage koi bushi", "lotus hostage none"]


@pytest.mark.parametrize(
    "lines",
    [
        "bid koi poets 1",
        "battle edo seats koi lotus",
        "battle nagato seats koi",
        "battle nagato seats koi koi",
        "battle nagato koi lotus",
        "battle nagato seats koi lotus seats koi lotus",
        "battle nagato now dinner seats koi lotus",
        "battle nagato seats koi lotus dead many",
        "battle nagato seats koi lotus there bushi",
        "battle nagato seats koi lotus\nbid turtle poets 1",
        "battle nagato seats koi lotus\nbid koi poets 1 poets 2",
        "battle nagato seats koi lotus\nbid koi honor 1",
        "battle nagato seats koi lotus\nbid koi poets",
        "battle nagato seats koi lotus\nbid koi ?\nbid koi ?",
        "battle atlantis seats koi lotus",
        "koi hostage.sun bushi",
    ],
)
def test_battle_lines_that_are_not_understood_are_named(lines):
    with pytest.raises(PositionError):
        position(BATTLE + lines)


def test_a_step_of_the_war_needs_its_war_number():
    with pytest.raises(PositionError):
        position("step war 1")
    with pytest.raises(PositionError):
        position(f"{FOUR.replace('war 1', 'war 7')}")
    with pytest.raises(PositionError):
        position("step war 2\nwars edo oshu nagato kansai kyushu shikoku\nbattle edo seats koi lotus")


# ------------------------------------------------------------------ liking


def liked(state, seat):
    prompt = next(p for p in GAME.prompts(state) if p.seat == seat)
    scores = taste.scores(GAME.view(state, seat), prompt)
    return GAME.notation.say(prompt.choices[scores.index(max(scores))].command)


def test_a_bot_dies_with_honor_only_where_it_would_lose():
    weak = bid(war("koi nagato bushi*3", "lotus nagato bushi", "lotus coins 3"), lotus=(1, 1, 1, 0))
    assert liked(weak, "lotus") == "lotus seppuku yes"
    strong = bid(war("koi nagato bushi", "lotus nagato bushi*3", "lotus coins 1"), lotus=(1, 0, 0, 0))
    assert liked(strong, "lotus") == "lotus seppuku no"
    taking = accepted(weak, "lotus seppuku yes")
    assert liked(taking, "lotus") == "lotus hostage koi bushi"
    assert liked(war(*TWO), "koi").startswith("koi bid")


# ------------------------------------------------------------------ before the War


@pytest.mark.parametrize("said", ["koi done", "koi choose recruit"])
def test_before_the_war_everybody_hears_that_the_table_begins_it_and_that_gifts_are_possible(said):
    s = position("step war\nkoi coins 2\nwars nagato edo oshu kansai kyushu shikoku")
    assert why(s, said) == ("RS-7.6", "war_waits")
    said_in = {lang: render(GAME.apply(s, GAME.notation.hear(said.split())).text, lang) for lang in ("en", "ru")}
    assert said_in == {
        "en": "The War Phase has not begun: the table begins it. Until then coins and ronin may still be given.",
        "ru": "Фаза войны не началась: её начинает стол. До этого ещё можно дарить монеты и ронинов.",
    }
    s = accepted(s, "koi give lotus coins 2 ronin 0", "table done")
    assert why(s, said) == ("RS-8.3", "war")  # nobody fought, and the table has not gone on to the next Season
