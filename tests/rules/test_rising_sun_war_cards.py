"""Cards that decide in Battles, and Koi's Coins."""

from __future__ import annotations

import pytest
from rs_rig import FACTS, accepted, choices, position
from war_rig import FOUR, bid, war

from companion.rules.rising_sun import battle

# ------------------------------------------------------------------ cards


def test_mercy_spares_all_or_none():
    s = bid(war("koi nagato bushi*3", "koi cards su-mercy", "koi coins 1", "lotus nagato bushi*2"), koi=(0, 0, 0, 1))
    assert choices(s, "koi") == ["koi spare yes", "koi spare no"]
    spared = accepted(s, "koi spare yes")
    assert spared.pieces["lotus"]["nagato"] == {"bushi": 2}
    assert spared.vp["koi"] == 2
    killed = accepted(s, "koi spare no")
    assert "nagato" not in killed.pieces["lotus"]
    assert killed.vp["koi"] == 2  # the poets


def test_mercy_with_nobody_to_spare_is_not_asked():
    s = war("koi nagato bushi", "koi cards su-mercy", "turtle nagato stronghold")
    assert s.battle is None


def test_the_lowest_honor_of_an_oni_is_judged_among_all_participants():
    """Yaml sp-oni-of-skulls: also among those whose last figure has gone."""
    s = war("turtle nagato oni_of_skulls", "turtle cards sp-oni-of-skulls", "koi nagato bushi", "koi coins 1")
    assert battle.strength(FACTS, s, "turtle") == 3
    s = accepted(bid(s, koi=(1, 0, 0, 0)), "koi seppuku yes")
    assert s.tokens == {"turtle": ("spring:nagato",)}


@pytest.mark.parametrize(("option", "expected"), [("alive", ()), ("was_there", ("oni_of_souls",))])
def test_monsters_of_the_battle_are_remembered_only_where_that_decides(option, expected):
    s = war(
        "koi nagato oni_of_souls",
        "koi cards su-oni-of-souls",
        "lotus nagato bushi",
        "koi coins 1",
        head=f"option won_with_figure {option}\n{FOUR}",
    )
    assert s.battle.there == expected


# ------------------------------------------------------------------ Koi


def test_koi_turns_its_ronin_into_coins_as_the_war_begins():
    s = position("seats koi lotus turtle\nstep war\nkoi coins 2 ronin 3\nlotus ronin 1")
    s = accepted(s, "table done")
    assert (s.coins["koi"], s.ronin["koi"], s.ronin["lotus"]) == (5, 0, 1)


@pytest.mark.parametrize(("option", "expected"), [("no", 0), ("yes", 1)])
def test_koi_turning_ronin_is_a_gain_by_option(option, expected):
    text = (
        f"option koi_conversion_is_gain {option}\nseats koi lotus turtle\nstep war\nkoi coins 2 ronin 3\nlotus cards su-way-of-the-merchant"
    )
    assert accepted(position(text), "table done").coins["lotus"] == expected
