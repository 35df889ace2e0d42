"""What people read of the Tea Ceremony, of a Season's end, of Kami Turns that wait, and of Winter, word by word (RS-4.5, 5, 7.1, 11, 12)."""

from __future__ import annotations

import pytest
from rs_rig import GAME, accepted, position
from rs_said import asked, choice, english, offered, told

DECK = "chance shuffle mandates recruit recruit marshal marshal train train harvest harvest betray betray"
WARS = "chance shuffle wars edo kyoto oshu kansai nagato shikoku kyushu hokkaido"
OFFER = "Tea Ceremony: offer an alliance, or stay alone"
ANSWER = "Tea Ceremony: you have an offer"
CONTENT = "done | No alliance | ui/ok | You stay alone; until the ceremony ends you may change your mind"


def at(*lines):
    return position("seats koi lotus turtle dragonfly\n" + "\n".join(lines))


def questions(s):
    """Who is asked what, and the answers without the seat that gives them."""
    found = {}
    for p in GAME.prompts(s):
        if not p.optional:
            assert (p.clause, p.private, p.detail) == ("RS-5.2", False, None)
            found[p.seat] = (english(p.text), [choice(c).removeprefix(f"{p.seat} ") for c in p.choices])
    return found


def offering(to):
    return f"offer {to} | Offer {to.title()} an alliance | clan/{to}"


def declining(n):
    """To be content while there are offers."""
    offers = "the offer" if n == 1 else f"all {n} offers"
    return f"done | No alliance | ui/ok | Declines {offers} to you; you may still offer yourself"


def answers(to):
    return [f"accept {to} | Become allies with {to.title()} | clan/{to}", f"decline {to} | Decline {to.title()}'s offer | clan/{to}"]


# ------------------------------------------------------------------ Tea Ceremony


def test_everybody_reads_whom_it_may_offer_what_was_offered_and_what_is_open():
    s = at("step tea")
    clans = ("koi", "lotus", "turtle", "dragonfly")
    assert questions(s) == {seat: (OFFER, [*(offering(to) for to in clans if to != seat), CONTENT]) for seat in clans}
    assert told(s, "koi offer lotus") == ["RS-5.2: Koi offers Lotus an alliance."]
    s = accepted(s, "koi offer lotus", "turtle offer lotus")
    said = questions(s)
    assert said["koi"] == (
        OFFER,
        [offering("turtle"), offering("dragonfly"), "decline lotus | Take back the offer to Lotus | clan/lotus", CONTENT],
    )
    assert said["lotus"] == (ANSWER, [*answers("koi"), *answers("turtle"), offering("dragonfly"), declining(2)])
    assert said["dragonfly"] == (OFFER, [offering("koi"), offering("lotus"), offering("turtle"), CONTENT])


def test_answers_at_tea_are_told_and_what_was_declined_is_not_offered_again():
    s = accepted(at("step tea"), "koi offer lotus", "turtle offer lotus", "koi offer dragonfly")
    assert told(s, "lotus decline koi") == ["RS-5.2: Lotus declines Koi's offer."]
    assert told(s, "koi decline lotus") == ["RS-5.2: Koi takes back the offer to Lotus."]
    assert told(s, "lotus accept turtle") == ["RS-5.2: Turtle and Lotus are allies."]
    assert told(s, "dragonfly done") == ["RS-5.2: Dragonfly declines Koi's offer.", "RS-5.2: Dragonfly wants no alliance."]
    assert told(s, "turtle done") == ["RS-5.2: Turtle takes back the offer to Lotus.", "RS-5.2: Turtle wants no alliance."]
    declined = accepted(s, "lotus decline koi")
    assert questions(declined)["koi"][1] == [
        offering("turtle"),
        "decline dragonfly | Take back the offer to Dragonfly | clan/dragonfly",
        CONTENT,
    ]
    assert offering("koi") in questions(declined)["lotus"][1]
    back = accepted(s, "koi decline lotus")
    assert offering("lotus") in questions(back)["koi"][1]
    assert questions(back)["lotus"] == (ANSWER, [*answers("turtle"), offering("koi"), offering("dragonfly"), declining(1)])
    assert "decline dragonfly | Take back the offer to Dragonfly | clan/dragonfly" in questions(back)["koi"][1]


def test_who_says_done_takes_its_offers_back_and_declines_those_it_got():
    s = accepted(at("step tea"), "koi offer lotus", "turtle offer koi", "dragonfly offer lotus", "koi done")
    said = questions(s)
    assert list(said) == ["lotus", "turtle", "dragonfly"]
    assert said["lotus"] == (ANSWER, [*answers("dragonfly"), offering("koi"), offering("turtle"), declining(1)])
    assert said["turtle"] == (OFFER, [offering("lotus"), offering("dragonfly"), CONTENT])  # Koi has declined
    assert said["dragonfly"][1] == [
        offering("koi"),
        offering("turtle"),
        "decline lotus | Take back the offer to Lotus | clan/lotus",
        CONTENT,
    ]


def test_who_is_content_may_still_offer_and_is_content_no_more():
    s = accepted(at("step tea"), "koi offer lotus", "lotus done")
    again = next(p for p in GAME.prompts(s) if p.seat == "lotus" and p.choices[0].text.key != "rs.choice.give")
    assert (again.optional, again.clause, english(again.text)) == (True, "RS-5.2", "Offer an alliance after all")
    assert [choice(c).removeprefix("lotus ") for c in again.choices] == [offering(to) for to in ("koi", "turtle", "dragonfly")]
    s = accepted(s, "lotus offer koi")
    assert questions(s)["koi"] == (ANSWER, [*answers("lotus"), offering("turtle"), offering("dragonfly"), declining(1)])
    assert questions(s)["lotus"][1][-2:] == ["decline koi | Take back the offer to Koi | clan/koi", CONTENT]


def test_two_allies_are_offered_nothing_more_and_the_last_two_end_the_ceremony():
    s = accepted(at("step tea"), "koi offer lotus", "turtle offer lotus", "lotus accept koi")
    assert questions(s) == {"turtle": (OFFER, [offering("dragonfly"), CONTENT]), "dragonfly": (OFFER, [offering("turtle"), CONTENT])}
    s = accepted(s, "dragonfly offer turtle")
    assert told(s, "turtle accept dragonfly") == [
        "RS-5.2: Dragonfly and Turtle are allies.",
        "RS-5.2: The Tea Ceremony is over.",
        "RS-6.3! Koi takes the Mandate deck and looks at the top 4 tiles.",
    ]
    s = accepted(s, "turtle done")
    assert told(s, "dragonfly done")[1] == "RS-5.2: The Tea Ceremony is over."


def test_a_ceremony_with_nobody_left_to_ask_waits_for_the_table():
    s = at("step tea", "ally koi lotus", "ally turtle dragonfly")
    assert asked(s) == "RS-5.2 table: Nobody is left for the Tea Ceremony: go on"
    assert offered(s) == ["table done | Begin the Political Phase | ui/turn"]
    assert told(s, "table done")[0] == "RS-5.2: The Tea Ceremony is over."


# ------------------------------------------------------------------ from Season to Season


def test_a_new_season_is_told_with_its_hostages_and_the_end_of_alliances():
    s = at(
        "step war end",
        "ally koi lotus",
        "turtle hostage.lotus bushi*2",
        "lotus hostage.turtle shinto",
        "dragonfly cards su-way-of-the-merchant",
    )
    assert told(s, "table done") == ["RS-4.1: Summer begins."]
    s = accepted(s, "table done", DECK)
    assert told(s, WARS)[-9:] == [
        "RS-4.5: Turtle takes 6 coins of income.",
        "RS-4.5: Dragonfly takes 6 coins of income.",
        "RS-4.5: Lotus returns 2 hostages: Bushi of Turtle.",
        "RS-4.5: Turtle returns a hostage: Shinto of Lotus.",
        "RS-4.5: Lotus gains 2 coins.",
        "RS-4.5: Turtle gains 1 coin.",
        "RS-2.13: Way of the Merchant: Dragonfly gains 1 coin.",  # for Lotus, who had 7 of income; Turtle was not richer
        "RS-5.1: All alliances end.",
        "RS-5.2: The Tea Ceremony begins.",
    ]


def test_a_kami_turn_that_was_not_begun_waits_for_the_table():
    s = at("step kami 1", "shrines hachiman", "koi shrine.1 shinto")
    assert asked(s) == "RS-7.1 table: Begin the Kami Turn"
    assert offered(s) == ["table done | The Kami Turn begins | place/shrine"]
    assert told(s, "table done")[:3] == ["RS-7.1: Kami Turn 1 begins.", "RS-7.2: Hachiman blesses Koi.", "RS-7.5: Koi gains 2 ronin."]


# ------------------------------------------------------------------ Winter

SCORING = (
    "season autumn",
    "step war end",
    "koi tokens spring:kyoto autumn:kyoto summer:edo summer:oshu",
    "koi vp 5",
    "ally koi lotus",
    "koi cards au-form-of-the-kitsune au-form-of-the-kitsune su-loyalty au-form-of-the-demon sp-oni-of-skulls",
    "koi edo stronghold*2",
    "turtle hostage.lotus bushi",
)


@pytest.mark.parametrize("loyalty", ["yes", "no"])
def test_winter_is_told_source_by_source(loyalty):
    more = ["RS-2.13: Loyalty: Koi gains 1 point."] if loyalty == "yes" else []
    assert told(at(f"option loyalty_in_winter {loyalty}", *SCORING), "table done") == [
        "RS-12.1: Winter: the points are counted.",
        "RS-4.5: Lotus returns a hostage: Bushi of Turtle.",
        "RS-4.5: Lotus gains 1 coin.",
        "RS-12.2: Form of the Kitsune: Koi gains 12 points.",
        *more,
        "RS-12.2: Form of the Demon: Koi gains 3 points.",
        *more,
        "RS-12.3: Koi scores 8 points for war province tokens.",
        *more,
        "RS-12.4: Koi scores 10 points for different provinces.",
        *more,
        f"RS-12.5: Koi wins with {42 if more else 38} points.",
    ]


def test_points_are_kept_by_source_each_source_once():
    s = accepted(at("option loyalty_in_winter yes", *SCORING, "lotus vp 3"), "table done")
    assert s.scored == {
        "koi": {"play": 5, "au-form-of-the-kitsune": 12, "au-form-of-the-demon": 3, "tokens": 8, "sets": 10, "loyalty": 4},
        "lotus": {"play": 3},
        "turtle": {"play": 0},
        "dragonfly": {"play": 0},
    }
    assert s.vp == {"koi": 42, "lotus": 3, "turtle": 0, "dragonfly": 0}


def test_a_shared_victory_names_both():
    s = at("season autumn", "step war end", "koi vp 7", "turtle vp 7", "ally koi turtle", "honor turtle koi lotus dragonfly")
    assert told(s, "table done") == [
        "RS-12.1: Winter: the points are counted.",
        "RS-12.6: Turtle and Koi share the victory with 7 points.",
    ]
