"""The year written, set right, and gone on with: record lines, impossible positions, corrections, games that began with rules 1."""

from __future__ import annotations

import random

import msgspec
import pytest
from rs_rig import GAME, accepted, choices, lines, position
from suite import pick

from companion.rules.game import Applied, PositionError, Refusal, SetCounter, SetStep
from companion.rules.rising_sun.state import Tea

FOUR = "seats koi lotus turtle dragonfly\n"


def at(*said):
    return position(FOUR + "\n".join(said))


def drinking(*said):
    return at("step tea", *said)


def again(s):
    """The position read back from its own lines."""
    return position("\n".join(lines(s)))


def asked(s):
    return [p.seat for p in GAME.prompts(s) if not p.optional]


# ------------------------------------------------------------------ records


@pytest.mark.parametrize(
    "said",
    [
        ("step tea", "offered koi lotus", "declined turtle koi", "content dragonfly turtle"),
        (
            "koi tokens spring:kyoto summer:edo",
            "lotus allied spring autumn",
            "season autumn",
            "step over",
            "koi scored play 20 tokens 3 sets 10",
        ),
        (
            "doing recruit by koi now koi",
            "stage after",
            "ask koi sp-path-of-the-kenin n 2",
            "koi cards sp-path-of-the-kenin sp-path-of-the-kenin",
        ),
        ("doing marshal by koi now koi", "used hokkaido-oshu waived extra", "ask koi au-oni-of-hate place edo victim lotus"),
    ],
)
def test_lines_of_the_year_read_back_as_they_were_written(said):
    s = at(*said)
    assert again(s) == s


@pytest.mark.parametrize(
    "said",
    [
        ("step mandate 2", "offered koi lotus"),
        ("step tea", "offered koi"),
        ("step tea", "offered koi koi"),
        ("step tea", "content koi koi"),
        ("koi tokens spring:atlantis",),
        ("koi tokens spring:edo spring:edo",),
        ("koi allied winter",),
        ("koi scored luck 3",),
        ("koi scored play",),
        ("stage after",),
        ("doing recruit by koi now koi", "stage later"),
        ("ask koi sp-komainu",),
        ("ask koi su-mercy place atlantis",),
        ("ask koi su-mercy victim bonsai",),
        ("ask koi su-mercy n many",),
        ("ask koi su-mercy at edo",),
        ("ask bonsai su-mercy",),
    ],
)
def test_lines_of_the_year_that_say_nothing_are_complained_of(said):
    with pytest.raises(PositionError):
        at(*said)


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (("koi tokens spring:edo", "lotus tokens spring:edo"), "token_twice"),
        (("step tea", "offered koi lotus", "ally koi turtle"), "tea_offer"),
        (("step tea", "owed wars"), "tea_step"),
        (("ask koi su-mercy place edo",), "ask"),
        (("doing recruit by koi now koi", "stage after"), "stage"),
    ],
)
def test_what_is_impossible_about_the_year_is_named(said, fault):
    assert f"rs.fault.{fault}" in [r.text.key for r in GAME.faults(at(*said))]


def test_a_question_a_correction_has_emptied_can_be_left():
    s = at("ask koi sp-path-of-the-kenin", "koi cards sp-path-of-the-kenin", "doing recruit by koi now koi", "stage after")
    assert choices(s, "koi") == ["koi done"]
    assert accepted(s, "koi done").doing is None


# ------------------------------------------------------------------ corrections


def corrected(s, correction):
    result = GAME.correct(s, correction)
    assert isinstance(result, Applied), result
    return result.state


def test_the_table_sets_a_token_right():
    s = at("season summer", "koi tokens spring:edo")
    s = corrected(s, SetCounter("lotus", "token.spring:edo", 1))
    assert s.tokens == {"lotus": ("spring:edo",)}
    assert corrected(s, SetCounter("lotus", "token.spring:edo", 0)).tokens == {}
    for wrong in (SetCounter("lotus", "token.spring:atlantis", 1), SetCounter("lotus", "token.spring:edo", 2)):
        result = GAME.correct(s, wrong)
        assert isinstance(result, Refusal)
        assert result.clause == "RS-1.3"


def test_an_alliance_the_table_makes_at_tea_voids_what_the_two_have_said():
    s = accepted(drinking(), "koi offer turtle", "dragonfly offer koi", "lotus done")
    s = corrected(s, SetCounter("koi", "ally.lotus", 1))
    assert s.tea == Tea()
    assert asked(s) == ["turtle", "dragonfly"]
    s = corrected(s, SetCounter("koi", "ally.lotus", 0))
    assert asked(s) == ["koi", "lotus", "turtle", "dragonfly"]


def test_who_is_content_stays_so_where_two_others_are_made_allies():
    s = corrected(accepted(drinking(), "dragonfly done"), SetCounter("koi", "ally.lotus", 1))
    assert (s.tea, asked(s)) == (Tea(done=("dragonfly",)), ["turtle"])


def test_an_alliance_of_this_season_is_remembered_behind_those_before():
    s = accepted(at("season autumn", "koi allied spring", "ally koi lotus", "deck betray"), "koi choose betray")
    assert s.allied == {"koi": ("spring", "autumn"), "lotus": ("autumn",)}


def test_the_table_goes_back_to_tea():
    s = corrected(at("step mandate 3"), SetStep("tea"))
    assert (s.tea, s.step, s.track) == (Tea(), 0, ())
    assert corrected(s, SetStep("mandate 1")).tea is None


# ------------------------------------------------------------------ games that began with rules 1


def begun_with_rules_1(s):
    """The position as a journal of rules 1 kept it: without what came later."""
    kept = msgspec.to_builtins(s)
    for name in ("war", "battle", "tokens", "tea", "asks", "allied", "scored"):
        del kept[name]
    del kept["options"]["bids"]
    if kept["doing"]:
        kept["doing"].pop("stage", None)
    return msgspec.json.decode(msgspec.json.encode(kept), type=GAME.State)


@pytest.mark.parametrize(
    "said",
    [
        ("step mandate 5", "koi edo bushi stronghold", "shrines raijin fujin"),
        ("doing recruit by turtle now koi left turtle", "koi edo stronghold"),
        (
            "doing train by turtle now koi left turtle",
            "used buy",
            "pending oni_of_skulls",
            "koi cards sp-oni-of-skulls",
            "koi edo stronghold",
        ),
        ("step war", "wars edo kyoto oshu nagato kansai kyushu", "koi edo bushi", "lotus edo bushi", "ally koi turtle"),
        ("season autumn", "step war", "koi vp 9"),
        ("season autumn", "step over"),
        ("owed mandates wars", "season summer", "display sp-komainu"),
    ],
)
def test_a_game_that_began_with_rules_1_goes_on_to_its_winner(said):
    rng = random.Random(1)
    s = begun_with_rules_1(at(*said))
    GAME.view(s, None)
    while prompts := GAME.prompts(s):
        result = GAME.apply(s, pick(prompts, rng))
        assert isinstance(result, Applied)
        s = result.state
        GAME.view(s, "koi")
    assert ("step over" in lines(s)) and (bool(s.scored) or "step over" in said)
