"""What a correction has taken away is neither paid for nor given twice: prey of Mercy, Strongholds of a Recruit, an Ally of a Mandate."""

from __future__ import annotations

from cards_rig import at
from rs_rig import FACTS, GAME, accepted, choices, lines, position
from rs_said import offered, told, why
from war_rig import FOUR, bid, war

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
        "season autumn",
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


def test_a_written_question_of_mercy_without_prey_can_only_be_left():
    s = at("season autumn", "doing marshal by turtle now turtle", "turtle cards su-mercy", "ask turtle su-mercy place kyoto")
    assert choices(s, "turtle") == ["turtle done"]
    assert accepted(s, "turtle done").vp["turtle"] == 0


VICTORY = ("lotus nagato bushi*3", "koi nagato bushi", "lotus cards su-mercy")


def test_mercy_in_a_battle_is_paid_for_nobody_who_was_corrected_away():
    s = corrected(bid(war(*VICTORY, head=f"season summer\n{FOUR}")), MovePiece("koi", "bushi", "nagato", "edo"))
    assert offered(s) == ["lotus spare no | Nobody is left to be killed: go on | ui/ok"]
    assert why(s, "lotus spare yes") == ("RS-2.18", "nobody_to_spare")
    assert told(s, "lotus spare no")[0] == "RS-9.7: Nobody wins Imperial Poets: nothing was bid on it."  # and nothing about mercy
    s = accepted(s, "lotus spare no")
    assert (s.vp["lotus"], s.pieces["koi"]["edo"]) == (0, {"bushi": 1})


def test_mercy_in_a_battle_is_not_paid_without_its_card():
    s = corrected(bid(war(*VICTORY, head=f"season summer\n{FOUR}")), GiveCard("koi", "su-mercy"))
    assert choices(s, "lotus") == ["lotus spare no"]
    assert why(s, "lotus spare yes") == ("RS-2.18", "nobody_to_spare")
    assert told(s, "lotus spare no")[:2] == ["RS-2.18: Lotus shows no mercy.", "RS-9.13: 1 figure of Koi is killed."]


def test_an_ally_is_nobody_to_spare():
    s = corrected(bid(war(*VICTORY, head=f"season summer\n{FOUR}")), SetCounter("koi", "ally.lotus", 1))
    assert choices(s, "lotus") == ["lotus spare no"]


# ------------------------------------------------------------------ Strongholds of a Recruit


def recruiting(bonus, *said):
    """Koi has chosen Recruit, and Turtle performs; those of ``bonus`` have it."""
    return at(f"doing recruit by koi now turtle left dragonfly koi bonus {bonus}", *said)


def test_a_summon_counts_though_its_stronghold_was_corrected_away():
    """RS-6R.1: as many Summons as Strongholds on the Map; one has been made, and one Stronghold is left."""
    s = accepted(recruiting("koi", "turtle kyoto stronghold", "turtle edo stronghold"), "turtle summon bushi kyoto")
    assert {said.split()[-1] for said in choices(s, "turtle")} == {"edo", "done"}
    s = corrected(s, MovePiece("turtle", "stronghold", "kyoto", "reserve"))
    assert choices(s, "turtle") == ["turtle done"]
    assert why(s, "turtle summon bushi edo") == ("RS-6.7", "no_bonus_summon")
    # Put back it is no new one: what was Summoned there is remembered.
    s = corrected(s, MovePiece("turtle", "stronghold", "reserve", "kyoto"))
    assert {said.split()[-1] for said in choices(s, "turtle")} == {"edo", "done"}


def test_a_stronghold_that_is_corrected_elsewhere_gives_no_second_summon():
    s = accepted(recruiting("koi", "turtle kyoto stronghold", "turtle edo stronghold", "koi edo stronghold"), "turtle summon bushi kyoto")
    s = corrected(s, MovePiece("turtle", "stronghold", "kyoto", "oshu"))
    assert [said for said in choices(s, "turtle") if "bushi" in said] == ["turtle summon bushi oshu", "turtle summon bushi edo"]
    s = accepted(s, "turtle summon bushi edo")
    assert s.doing.now == "koi"  # two Strongholds, two Summons


def test_the_bonus_is_spent_where_no_stronghold_stands_any_more():
    s = accepted(
        recruiting("koi turtle", "ally koi turtle", "turtle kyoto stronghold", "turtle edo stronghold"),
        "turtle summon bushi kyoto",
        "turtle summon bushi edo",
    )
    s = corrected(s, MovePiece("turtle", "stronghold", "kyoto", "reserve"))
    assert choices(s, "turtle") == ["turtle done"]
    assert why(s, "turtle summon bushi edo") == ("RS-6R.1", "no_summon_left")


def test_a_bonus_spent_where_a_stronghold_stood_once_is_not_spent_again():
    s = recruiting("koi turtle", "ally koi turtle", "turtle kyoto stronghold", "turtle edo stronghold")
    s = corrected(accepted(s, "turtle summon bushi kyoto"), MovePiece("turtle", "stronghold", "kyoto", "oshu"))
    s = accepted(s, "turtle summon bushi edo")
    assert {said.split()[-1] for said in choices(s, "turtle")} == {"oshu", "done"}


def test_more_summons_than_strongholds_that_are_left_are_no_fault_but_more_than_the_box_has_are():
    s = accepted(recruiting("koi", "turtle kyoto stronghold*2", "turtle edo stronghold"), *(("turtle summon bushi kyoto",) * 2))
    s = corrected(s, *(MovePiece("turtle", "stronghold", "kyoto", "reserve"),) * 2)
    assert choices(s, "turtle") == ["turtle done"]
    for said, found in (("edo*4 oshu", []), ("edo*5 oshu", ["rs.fault.summons"])):
        assert [one.text.key for one in GAME.faults(recruiting("koi", "turtle edo stronghold", f"used {said}"))] == found


# ------------------------------------------------------------------ the Ally of a Mandate


HOMES = ("turtle kyoto stronghold", "koi edo stronghold")


def test_an_alliance_that_is_corrected_away_takes_the_bonus_with_it():
    """RS-6.7: the chooser and the chooser's Ally, if there is one."""
    s = recruiting("koi turtle", "ally koi turtle", *HOMES)
    s = corrected(accepted(s, "turtle summon bushi kyoto"), SetCounter("turtle", "ally.koi", 0))
    assert s.doing.bonus == ("koi",)
    assert choices(s, "turtle") == ["turtle done"]
    assert why(s, "turtle summon bushi kyoto") == ("RS-6.7", "no_bonus_summon")
    s = accepted(s, "turtle done", "koi summon bushi edo", "koi summon bushi edo")  # the chooser has its own
    assert s.doing is None


def test_what_was_done_with_the_bonus_stays_done():
    s = recruiting("koi turtle", "ally koi turtle", *HOMES, "turtle coins 0")
    s = corrected(accepted(s, "turtle summon bushi kyoto", "turtle summon shinto kyoto"), SetCounter("turtle", "ally.koi", 0))
    assert s.doing.now == "koi"
    assert s.pieces["turtle"]["kyoto"] == {"stronghold": 1, "bushi": 1, "shinto": 1}


def test_an_alliance_that_is_made_in_the_middle_of_a_mandate_brings_the_bonus():
    s = at(
        "doing train by koi now lotus left turtle dragonfly bonus koi",
        "display sp-righteousness sp-courage",
        "turtle coins 1",
        "lotus coins 1",
    )
    s = corrected(s, SetCounter("lotus", "ally.koi", 1))
    assert s.doing.bonus == ("koi", "lotus")
    cost = FACTS.cards["sp-righteousness"].cost
    assert accepted(s, "lotus buy sp-righteousness").coins["lotus"] == 1 - (cost - 1)


def test_an_alliance_of_two_others_brings_nobody_a_bonus():
    s = recruiting("koi", *HOMES)
    assert corrected(s, SetCounter("lotus", "ally.turtle", 1)).doing.bonus == ("koi",)
    betrayal = at("doing betray by koi now koi")
    assert corrected(betrayal, SetCounter("koi", "ally.turtle", 1)).doing.bonus == ()
