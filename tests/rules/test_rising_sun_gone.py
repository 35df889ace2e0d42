"""What a correction has taken away is neither paid for nor given twice: prey of Mercy, Strongholds of a Recruit, an Ally of a Mandate."""

from __future__ import annotations

from cards_rig import at
from rs_rig import GAME, accepted, choices, lines, position
from rs_said import offered, told, why
from war_rig import bid, war

from companion.rules.game import Applied, GiveCard, MovePiece, SetCounter


def corrected(s, *corrections):
    """The position after these corrections; it can be, and reads back as it is."""
    for correction in corrections:
        result = GAME.correct(s, correction)
        assert isinstance(result, Applied), result
        s = result.state
        assert GAME.faults(s) == ()
        assert position("\n".join(lines(s))) == s
    return s


# ------------------------------------------------------------------ Mercy


def hungry(*said):
    """The Oni of Hate of Turtle, who has Mercy, has come to Kyoto."""
    s = at(
        "doing marshal by turtle now turtle",
        "turtle edo oni_of_hate bushi",
        "turtle cards au-oni-of-hate su-mercy",
        "koi kyoto bushi",
        *said,
    )
    return accepted(s, "turtle move oni_of_hate edo kyoto")


def test_mercy_for_an_oni_whose_prey_was_corrected_away_is_not_asked_and_not_paid():
    s = hungry()
    assert choices(s, "turtle") == ["turtle spare yes", "turtle spare no"]
    s = corrected(s, MovePiece("koi", "bushi", "kyoto", "edo"))
    assert (s.asks, s.vp["turtle"], s.pieces["koi"]["edo"]) == ((), 0, {"bushi": 1})
    assert choices(s, "turtle")[-1] == "turtle done"  # its Marshal goes on


def test_mercy_is_asked_for_as_long_as_one_of_several_would_die():
    s = hungry("lotus kyoto shinto")
    s = corrected(s, MovePiece("koi", "bushi", "kyoto", "edo"))
    assert choices(s, "turtle") == ["turtle spare yes", "turtle spare no"]
    assert accepted(s, "turtle spare yes").vp["turtle"] == 2
    # Kyoto's Daimyo is never picked out (RS-2.15), and what comes there later was not met by the Oni.
    s = corrected(s, MovePiece("lotus", "shinto", "kyoto", "reserve"), MovePiece("koi", "daimyo", "reserve", "kyoto"))
    assert s.asks == ()


VICTORY = ("lotus nagato bushi*3", "koi nagato bushi", "lotus cards su-mercy")


def test_mercy_in_a_battle_is_paid_for_nobody_who_was_corrected_away():
    s = corrected(bid(war(*VICTORY)), MovePiece("koi", "bushi", "nagato", "edo"))
    assert offered(s) == ["lotus spare no | Nobody is left to be killed: go on | ui/ok"]
    assert why(s, "lotus spare yes") == ("RS-2.18", "nobody_to_spare")
    assert told(s, "lotus spare no")[0] == "RS-9.7: Nobody wins Imperial Poets: nothing was bid on it."  # and nothing about mercy
    s = accepted(s, "lotus spare no")
    assert (s.vp["lotus"], s.pieces["koi"]["edo"]) == (0, {"bushi": 1})


def test_mercy_in_a_battle_is_not_paid_without_its_card():
    s = corrected(bid(war(*VICTORY)), GiveCard("koi", "su-mercy"))
    assert choices(s, "lotus") == ["lotus spare no"]
    assert why(s, "lotus spare yes") == ("RS-2.18", "nobody_to_spare")
    assert told(s, "lotus spare no")[:2] == ["RS-2.18: Lotus shows no mercy.", "RS-9.13: 1 figure of Koi is killed."]


def test_an_ally_is_nobody_to_spare():
    s = corrected(bid(war(*VICTORY)), SetCounter("koi", "ally.lotus", 1))
    assert choices(s, "lotus") == ["lotus spare no"]
