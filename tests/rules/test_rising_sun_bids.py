"""Bids of a Battle: sealed, changed, shown, and behind cardboard screens (RS-9.2 to 9.7)."""

from __future__ import annotations

from rs_rig import GAME, accepted, lines, position, refused
from war_rig import FOUR, TWO, bid, war

from companion.rules.game import TABLE, Refusal
from companion.rules.rising_sun import bids
from companion.rules.rising_sun.commands import Bid


def test_a_bid_stays_open_until_the_last_one_and_only_its_seat_sees_it():
    s = accepted(war(*TWO), "koi bid seppuku 5")
    asked = {p.seat: (p.optional, p.private) for p in GAME.prompts(s)}
    assert asked == {"lotus": (False, True), "koi": (True, True)}
    assert [w.seat for w in GAME.view(s, None).waits] == ["lotus"]
    again = accepted(s, "koi bid poets 1")
    assert again.battle.bids == {"koi": (0, 0, 0, 1)}
    own = [section.id for section in GAME.view(again, "koi").sections]
    assert own == ["battle", "track", "board", "seats", "private", "more"]
    assert "private" not in [section.id for section in GAME.view(again, "lotus").sections]
    assert "bid koi ?" in GAME.notation.position(again, "lotus")
    assert "bid koi seppuku 0 hostage 0 ronin 0 poets 1" in GAME.notation.position(again, "koi")


def test_amounts_of_a_bid_are_told_to_nobody_else_before_the_last():
    first = GAME.apply(war(*TWO), GAME.notation.hear(["koi", "bid", "seppuku", "2", "poets", "1"]))
    assert [(e.text.key, e.to, e.reveals) for e in first.events] == [
        ("rs.event.sealed", None, False),
        ("rs.event.own_bid", ("koi",), False),
    ]
    last = GAME.apply(first.state, GAME.notation.hear(["lotus", "bid"]))
    shown = [e for e in last.events if e.text.key == "rs.event.bids"]
    assert [e.text.args["seppuku"] for e in shown] == [2, 0]
    assert all(e.reveals for e in shown)


def test_lamps_show_the_province_that_is_fought_for_and_who_decides():
    s = war(*TWO)
    lamps = {light.name: (light.role, light.effect) for light in GAME.lights(s)}
    assert (lamps["war"], lamps["province.nagato"]) == (("war", "now"), ("war", "now"))
    s = bid(s, koi=(1, 0, 0, 0), lotus=(0, 1, 0, 0))
    assert {light.name: (light.role, light.effect) for light in GAME.lights(s)}["war"] == ("koi", "now")
    over = accepted(s, "koi seppuku no", "lotus hostage none")
    assert not any(light.name.startswith("province.") for light in GAME.lights(over))


def test_unbid_coins_stay_and_bid_ones_leave_at_once():
    s = bid(war(*TWO), koi=(1, 0, 0, 1), lotus=(0, 0, 0, 0))
    assert s.coins["koi"] == 3
    assert s.battle.stage == "seppuku"


def test_who_has_no_coins_is_not_asked():
    s = war("koi nagato bushi*2", "lotus nagato bushi")
    assert s.battle is None  # fought at once
    assert s.tokens == {"koi": ("spring:nagato",)}


def test_behind_cardboard_screens_bids_are_written_down_in_the_open():
    s = war(*TWO, head=f"option bids cardboard\n{FOUR}")
    assert {p.seat: (p.optional, p.private) for p in GAME.prompts(s)} == {
        "koi": (False, False),
        "lotus": (False, False),
        TABLE: (True, False),
    }
    s = accepted(s, "table bid koi seppuku 1 ronin 2")
    assert "bid koi seppuku 1 hostage 0 ronin 2 poets 0" in GAME.notation.position(s, "lotus")
    assert refused(s, "table bid koi poets 1") == "RS-9.3"
    assert isinstance(GAME.apply(s, Bid("lotus", "koi", {"poets": 1})), Refusal)
    s = accepted(s, "koi bid seppuku 2", "lotus bid poets 1")
    assert s.battle.bids == {"koi": (2, 0, 0, 0), "lotus": (0, 0, 0, 1)}
    assert refused(war(*TWO), "table bid koi seppuku 1") == "RS-9.3"


def test_a_bid_nobody_tells_is_asked_again():
    """A position told to one seat reads back; what is unknown is asked anew."""
    s = accepted(war(*TWO), "koi bid seppuku 5")
    told = GAME.notation.position(s, "lotus")
    again = position("\n".join(told))
    assert again.battle.bids == {"koi": ()}
    assert [p.seat for p in GAME.prompts(again) if not p.optional] == ["koi", "lotus"]
    assert not bids.complete(again.battle)


def test_the_position_of_a_battle_reads_back():
    s = accepted(bid(war(*TWO), koi=(1, 1, 0, 0)), "koi seppuku no")
    assert "battle nagato now hostage seats koi lotus" in lines(s)
    assert position("\n".join(lines(s))) == s


def test_a_position_with_a_sealed_bid_reads_back_from_what_another_seat_was_told():
    from companion.table import record

    s = accepted(war(*TWO), "koi bid seppuku 5")
    told = "\n".join(["jinmaku 1 rising_sun rules 2", *GAME.notation.position(s, "lotus"), "moves"])
    again = record.begin(GAME, record.parse(told + "\n"))
    assert not again.battle.bids["koi"]
    assert [p.seat for p in GAME.prompts(again) if not p.optional] == ["koi", "lotus"]
