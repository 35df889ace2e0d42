"""Asking the others: it never makes their answers stale, it is asked once, and the table itself is not kept waiting by a phone."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from pebbles import Done, Give, Pebbles, Put
from table_games import Player
from table_orders import order, pick, words

from companion.rules.game import TABLE, SetCounter
from companion.table import commands as table
from companion.table.consent import MOST, Consent
from companion.table.referee import Referee
from companion.words import render


@pytest.fixture
def player(referee: Referee) -> Player:
    """Koi may put pebbles; Lotus has given a coin twice, so that Koi has something to ask for."""
    pick(referee)
    player = Player(referee, random.Random(1))
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    player.done(Give("lotus", "koi", {"coins": 1}))
    return player


def refused(player: Player, command: Any) -> str:
    answer = player.give(command)
    assert answer.refusal is not None, "it was accepted"
    return answer.refusal.text.key


def asks(player: Player, seat: str, first: int) -> table.Undo:
    return table.Undo(seat, first, player.referee._steward.history.last)


def coins(seat: str, value: int) -> table.Correct:
    return table.Correct(TABLE, (SetCounter(seat, "coins", value),))


# Stamps


def test_what_a_seat_is_about_to_answer_is_not_made_stale_by_another_seat_s_asking(player: Player) -> None:
    """One phone may ask as it likes: what the others have on their screens goes on to count."""
    referee = player.referee
    seen = referee.stamp("koi")
    for first in (3, 2):
        player.done(asks(player, "lotus", first))
    assert referee.stamp("koi") > seen, "koi's phone calls"
    command = msgspec.json.encode(Put("koi", "pebble", "kyoto"))
    assert referee.submit("koi", order(command, seen, "late")).ok
    again = referee.submit("koi", order(command, referee.revision - 1, "twice"))
    assert again.refusal is not None and again.refusal.text.key == "table.stale", "a second tap is no second command"


def test_a_stamp_never_shown_or_of_an_older_question_is_stale_though_something_was_asked_since(player: Player) -> None:
    referee = player.referee
    shown = referee.stamp("koi")
    player.done(asks(player, "lotus", 3))
    command = msgspec.json.encode(Put("koi", "pebble", "kyoto"))
    for n, stamp in enumerate((shown - 1, referee.stamp("koi") + 1, 0, 10**30)):
        answer = referee.submit("koi", order(command, stamp, f"bad{n}"))
        assert answer.refusal is not None and answer.refusal.text.key == "table.stale"


def test_what_counts_as_stale_survives_a_restart(player: Player) -> None:
    seen = player.referee.stamp("koi")
    player.done(asks(player, "lotus", 3))
    again = player.resumed().referee
    assert again._stand == player.referee._stand
    assert again.submit("koi", order(msgspec.json.encode(Done("koi")), seen - 1, "early")).refusal is not None
    assert again.submit("koi", order(msgspec.json.encode(Done("koi")), seen, "late")).ok


def test_a_yes_counts_for_the_question_it_names_and_no_other(player: Player) -> None:
    first = player.done(asks(player, "koi", 3)).revision
    second = player.done(asks(player, "koi", 4)).revision
    assert refused(player, table.Agree("lotus", first)) == "table.changed"
    player.done(table.Agree("lotus", second))


# Asking again and again


def test_the_same_question_is_not_asked_twice_at_once(player: Player) -> None:
    ask = asks(player, "koi", 3)
    player.done(ask)
    before = player.referee.revision
    assert refused(player, ask) == "table.asked_already"
    assert player.referee.revision == before


@pytest.mark.parametrize("no", [table.Object("lotus", 0), table.Object("koi", 0), table.Object(TABLE, 0)], ids=lambda one: one.seat)
def test_what_was_refused_is_not_asked_again_until_somebody_else_has_played(player: Player, no: table.Object) -> None:
    to = player.done(asks(player, "koi", 5)).revision
    assert asks(player, "koi", 5) not in player.undos("koi")
    player.done(msgspec.structs.replace(no, to=to))
    assert asks(player, "koi", 5) not in player.undos("koi"), "nor offered"
    assert refused(player, asks(player, "koi", 5)) == "table.asked_before"
    again = player.resumed()
    assert refused(again, asks(again, "koi", 5)) == "table.asked_before", "a restart forgets nothing"
    player.done(Put("koi", "pebble", "kyoto"))
    assert refused(player, asks(player, "koi", 5)) == "table.asked_before", "its own play is no news"
    player.done(Give("lotus", "koi", {"coins": 1}))
    assert asks(player, "koi", 5) in player.undos("koi")
    player.done(asks(player, "koi", 5))


def test_a_seat_asks_for_a_few_things_and_then_waits(player: Player) -> None:
    for first in (5, 4, 3):
        player.done(asks(player, "koi", first))
    assert player.referee._steward.request is not None
    player.done(table.Object("koi", player.referee._steward.request.revision))
    assert MOST == 3
    assert refused(player, asks(player, "koi", 2)) == "table.asked_often"
    assert player.undos("koi") == []
    assert player.undos("lotus"), "others may"


def test_what_everybody_agreed_to_is_a_new_beginning(player: Player) -> None:
    player.done(asks(player, "koi", 3))
    player.everybody_agrees()
    (redo,) = player.asked("koi", table.Redo)
    player.done(redo)
    player.everybody_agrees()
    player.done(asks(player, "koi", 3))


def test_a_refused_redo_is_not_offered_again(player: Player) -> None:
    player.done(asks(player, "koi", 3))
    player.everybody_agrees()
    (redo,) = player.asked("lotus", table.Redo)
    player.done(table.Object("koi", player.done(redo).revision))
    assert player.asked("lotus", table.Redo) == [] and refused(player, redo) == "table.asked_before"


def test_a_yes_to_nothing_is_nothing() -> None:
    consent = Consent()
    consent.agree("koi")
    assert consent.request is None


# The table itself


def test_the_table_s_correction_replaces_a_phone_s_question_and_everybody_hears_of_it(player: Player) -> None:
    player.done(asks(player, "koi", 3))
    answer = player.done(coins("lotus", 2))
    assert words([event.text for event in answer.events]) == ["The table wants to set right: lotus has 2", "Koi's question lapses."]
    assert [render(line.text, "en") for line in player.referee.view("koi").log][-1] == "Koi's question lapses."
    request = player.referee._steward.request
    assert request is not None and (request.seat, request.asked) == (TABLE, ("lotus",))
    assert refused(player, asks(player, "koi", 4)) == "table.answer_first", "a phone does not replace the table's"
    player.done(table.Agree("lotus", request.revision))
    assert player.referee.state.coins["lotus"] == 2


def test_the_table_may_ask_as_often_as_it_likes_but_not_the_same_at_once(player: Player) -> None:
    for value in range(5):
        player.done(coins("lotus", value))
    assert refused(player, coins("lotus", 4)) == "table.asked_already"
    assert player.referee._steward.request is not None
    player.done(table.Object(TABLE, player.referee._steward.request.revision))
    player.done(coins("lotus", 4))


def test_the_table_is_offered_undos_while_a_phone_asks(player: Player) -> None:
    player.done(asks(player, "koi", 3))
    assert asks(player, TABLE, 5) in player.undos(TABLE)
    player.done(asks(player, TABLE, 5))
    assert player.referee._steward.request is not None and player.referee._steward.request.seat == TABLE
    assert player.resumed().whole() == player.whole()


def test_a_sealed_answer_given_again_is_nobody_s_play(game: Pebbles, player: Player) -> None:
    steward = player.referee._steward
    player.done(asks(player, "koi", 3))
    for seat, again in (("chance", False), ("time", False), ("lotus", True)):
        steward.consent.go_on(seat, None, again=again)
        assert not steward.may_ask("koi", asks(player, "koi", 3))
    steward.consent.go_on("lotus", None, again=False)
    assert steward.may_ask("koi", asks(player, "koi", 3))
