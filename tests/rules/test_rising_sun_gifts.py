"""Gifts of Coins and the seats they could help: who is passed over (RS-2N, 6.6; docs/adr/0010)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rs_rig import GAME, accepted, choices, lines, position, refused

from companion.rules.game import Aged
from companion.table import record

TRAIN = "seats koi lotus turtle\nstep mandate 2\ntrack harvest koi\nally lotus turtle\ndeck train\ndisplay sp-righteousness\n"
HOMES = "koi edo daimyo stronghold\nlotus nagato daimyo stronghold\nturtle kyoto daimyo stronghold\n"
RICH = "koi coins 5\nturtle coins 5\n"
MARSHAL = "seats koi lotus turtle\nstep mandate 2\ntrack harvest koi\nally lotus turtle\ndeck train\nlotus coins 2\n"


def test_a_poor_seat_is_asked_in_train_and_buys_with_what_it_was_given():
    s = accepted(position(TRAIN + HOMES + RICH), "lotus choose train as train")
    assert choices(s, "lotus") == ["lotus done"]
    prompt = GAME.prompts(s)[0]
    assert (prompt.text.key, prompt.detail.key) == ("rs.prompt.train", "rs.detail.by_gift")
    s = accepted(s, "turtle give lotus coins 1 ronin 0")
    assert choices(s, "lotus") == ["lotus buy sp-righteousness", "lotus done"]
    assert GAME.prompts(s)[0].detail is None
    s = accepted(s, "lotus buy sp-righteousness")
    assert s.cards["lotus"] == ("sp-righteousness",)


def test_who_has_said_done_is_through_whatever_it_is_given():
    s = accepted(position(TRAIN + HOMES + RICH), "lotus choose train as train", "lotus done", "turtle give lotus coins 1 ronin 0")
    assert s.doing.now == "turtle"
    assert refused(s, "lotus buy sp-righteousness") == "RS-6T.2"


def test_nobody_is_asked_when_all_coins_together_buy_nothing():
    s = accepted(position(TRAIN + HOMES + "koi coins 0\nturtle ronin 3\n"), "lotus choose train as train")
    assert s.doing is None  # lotus and turtle pay 1 less, and there is not one Coin at the table
    assert "step mandate 3" in lines(s)


def test_the_ally_without_coins_may_still_build_after_its_last_move():
    s = accepted(position(MARSHAL + HOMES + RICH), "lotus choose train as marshal", "turtle done", "koi done")
    s = accepted(s, "lotus move daimyo nagato kansai")
    prompt = GAME.prompts(s)[0]
    assert (prompt.seat, prompt.text.key, prompt.detail.key) == ("lotus", "rs.prompt.build", "rs.detail.by_gift")
    assert choices(s, "lotus") == ["lotus done"]
    s = accepted(s, "turtle give lotus coins 1 ronin 0", "lotus build edo")
    assert s.pieces["lotus"]["edo"] == {"stronghold": 1}
    assert s.doing is None


@pytest.mark.parametrize("extra", ["koi coins 0\nturtle coins 0\n", RICH + "used build\n"])
def test_marshal_ends_by_itself_where_no_gift_could_help(extra):
    doing = "doing marshal by lotus now lotus bonus lotus turtle\n"
    s = position(
        MARSHAL.replace("harvest koi", "harvest koi train as marshal lotus").replace("deck train", "deck recruit") + HOMES + doing + extra
    )
    assert accepted(s, "lotus move daimyo nagato kansai").doing is None


def test_ryujin_waits_for_a_gift_too():
    text = "seats koi lotus turtle\nstep kami 1\ndisplay sp-righteousness\nshrines ryujin\nlotus shrine.1 shinto\nkoi coins 5\n"
    s = accepted(position(text), "table done")
    assert choices(s, "lotus") == ["lotus done"]
    s = accepted(s, "koi give lotus coins 5 ronin 0", "lotus buy sp-righteousness")
    assert s.cards["lotus"] == ("sp-righteousness",)


def test_the_asked_poor_seat_reads_back_from_a_record():
    s = accepted(position(TRAIN + HOMES + RICH), "lotus choose train as train")
    assert position("\n".join(lines(s))) == s
    assert GAME.prompts(position("\n".join(lines(s)))) == GAME.prompts(s)


# ------------------------------------------------------------------ before the War

LAST = "seats koi lotus turtle\nstep kami 3\nshrines hachiman tsukuyomi\nwars nagato edo oshu kansai kyushu\nkoi shrine.1 shinto\nkoi nagato bushi\nlotus nagato bushi\n"


def test_what_the_third_kami_turn_brought_can_be_given_before_the_war():
    s = accepted(position(LAST), "table done")
    assert s.ronin["koi"] == 2 and lines(s).count("step war") == 1
    prompt = next(p for p in GAME.prompts(s) if not p.optional)
    assert (prompt.seat, prompt.text.key, prompt.detail.key) == ("table", "rs.prompt.war_begins", "rs.detail.war_begins")
    s = accepted(s, "koi give lotus coins 0 ronin 2")
    assert (s.ronin["koi"], s.ronin["lotus"]) == (0, 2) and not s.war
    s = accepted(s, "table done")
    assert s.war and refused(s, "lotus give koi coins 0 ronin 1") == "RS-8.2"


def test_while_cards_of_the_start_of_war_ask_nothing_is_given():
    s = accepted(position(LAST + "koi cards sp-way-of-the-righteous\nlotus cards sp-way-of-the-shogun"), "table done", "table done")
    assert s.asks and not s.war and refused(s, "koi give lotus coins 0 ronin 1") == "RS-8.2"


def test_where_nobody_has_anything_to_give_the_war_begins_at_once():
    assert accepted(position(LAST.replace("hachiman tsukuyomi", "amaterasu")), "table done").war > 0


def test_games_of_earlier_rules_go_on_as_they_began():
    was = accepted(position(f"option war_opens at_once\n{LAST}"), "table done")
    assert was.war > 0 and "option war_opens at_once" in lines(was)
    state = position(LAST)
    old = replace(state, options={name: value for name, value in state.options.items() if name != "war_opens"})  # as its journal has it
    assert accepted(old, "table done").war > 0 and "option war_opens at_once" in lines(old)
    for rules, waits in ((1, False), (2, False), (3, True)):
        text = f"jinmaku 1 rising_sun rules {rules}\n{LAST}moves\n"
        assert (accepted(record.begin(GAME, record.parse(text)), "table done").war == 0) is waits
        begun = record.begin(GAME, record.parse(f"jinmaku 1 rising_sun rules {rules}\nseats koi lotus turtle\nmoves\n"))
        assert begun.options["war_opens"] == ("asked" if waits else "at_once")
    assert isinstance(GAME, Aged)
