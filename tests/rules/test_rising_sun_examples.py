"""The rulebook's worked examples E-1 to E-6, from their records, refusals included."""

from __future__ import annotations

import pytest
from rs_rig import FACTS, GAME, RECORDS, lines, run

from companion.rules.game import Applied
from companion.rules.rising_sun import battle


def example(name):
    text = (RECORDS / f"{name}.txt").read_text("utf-8")
    result = run(text)
    assert GAME.faults(result.before) == ()
    assert GAME.faults(result.state) == ()
    return result


def reserve(state, seat):
    return dict(state.pieces[seat]["reserve"])


def test_e_1_recruit_chosen_by_lotus():
    s = example("e_1").state
    assert s.pieces["lotus"]["kyushu"] == {"stronghold": 2, "bushi": 2, "shinto": 1}
    assert s.pieces["lotus"]["nagato"] == {"stronghold": 1, "daimyo": 1, "yurei": 1}
    assert s.pieces["lotus"]["shrine.2"] == {"shinto": 1}
    assert reserve(s, "lotus") == {"bushi": 4, "shinto": 1, "stronghold": 1}


def test_e_2_marshal_chosen_by_dragonfly_allied_with_koi():
    s = example("e_2").state
    assert {p: h for p, h in s.pieces["koi"].items() if p != "reserve"} == {
        "nagato": {"bushi": 1},
        "hokkaido": {"oni_of_blood": 1, "daimyo": 1},
        "edo": {"bushi": 1, "stronghold": 1},
        "shikoku": {"stronghold": 1},
        "shrine.3": {"shinto": 1},
    }
    assert s.coins["koi"] == 1


def test_e_3_train_chosen_by_turtle():
    s = example("e_3").state
    assert s.coins["turtle"] == 2
    assert s.pieces["turtle"]["kyoto"] == {"stronghold": 1, "daimyo": 1, "bushi": 1, "oni_of_skulls": 1}
    assert s.cards["turtle"] == ("sp-oni-of-skulls",)
    assert "sp-oni-of-skulls" not in s.display
    assert s.doing.now == "dragonfly"


def test_e_4_harvest_chosen_by_dragonfly():
    s = example("e_4").state
    assert s.coins == {"koi": 1, "lotus": 1, "turtle": 1, "dragonfly": 2}
    assert s.ronin == {"koi": 0, "lotus": 0, "turtle": 0, "dragonfly": 1}
    assert s.vp == {"koi": 0, "lotus": 0, "turtle": 0, "dragonfly": 8}


def betrayed(s):
    assert s.pieces["koi"]["kyoto"] == {"komainu": 1}
    assert s.pieces["koi"]["nagato"] == {"bushi": 1}
    assert reserve(s, "turtle")["oni_of_skulls"] == 1
    assert s.pieces["dragonfly"]["nagato"] == {"bushi": 1}
    assert reserve(s, "dragonfly")["bushi"] == 5


def test_e_5_betray_by_koi():
    result = example("e_5")
    betrayed(result.state)
    assert reserve(result.before, "koi") == {"komainu": 1, "bushi": 3, "stronghold": 3}
    assert result.state.honor == ("koi", "lotus", "turtle", "dragonfly")
    assert not any("kill" in key for key in result.events)


def test_e_5b_betray_by_koi_against_its_ally():
    result = example("e_5b")
    betrayed(result.state)
    assert result.state.honor == ("lotus", "koi", "turtle", "dragonfly")
    assert result.state.allies == {}
    first = result.moves[0].result
    assert isinstance(first, Applied)
    assert [e.text.key for e in first.events] == ["rs.event.chosen", "rs.event.alliance_broken", "rs.event.honor_lost"]


def test_e_5_no_bushi_of_that_type_left_to_replace_with():
    assert example("e_5_no_bushi").state.pieces["lotus"]["kansai"] == {"bushi": 1}


def test_e_6_a_battle_in_nagato():
    result = example("e_6")
    after = {m.line: m.result.state for m in result.moves if isinstance(m.result, Applied)}
    begun = after["table done"]
    assert {seat: battle.strength(FACTS, begun, seat) for seat in begun.battle.seats} == {"turtle": 4, "koi": 2, "lotus": 1}
    died = after["lotus seppuku yes"]
    assert (died.vp["lotus"], died.honor) == (4, ("lotus", "koi", "turtle", "dragonfly"))
    took = after["lotus hostage turtle oni_of_skulls"]
    assert (took.vp["turtle"], took.vp["lotus"]) == (4, 5)
    won = after["lotus hire yes"]
    assert won.tokens == {"lotus": ("spring:nagato",)}
    assert "nagato" not in won.pieces["koi"]
    assert won.pieces["turtle"]["nagato"] == {"bushi": 1}
    assert won.vp["koi"] == 7
    s = result.state
    assert s.coins == {"koi": 4, "lotus": 3, "turtle": 6, "dragonfly": 0}
    assert s.ronin["lotus"] == 3
    assert s.vp == {"koi": 7, "lotus": 5, "turtle": 4, "dragonfly": 0}
    assert s.pieces["turtle"]["hostage.lotus"] == {"oni_of_skulls": 1}


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.txt")), ids=lambda path: path.stem)
def test_a_refused_command_changes_nothing_and_a_record_prints_itself(record):
    result = run(record.read_text("utf-8"))
    assert any(m.clause for m in result.moves)
    assert lines(result.before)[0].startswith("seats")
