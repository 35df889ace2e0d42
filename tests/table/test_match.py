"""From a seen figure to a choice: one fits, several are offered, none is explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from msgspec import Struct
from pebbles import Pebbles, Pick, Put, Shuffle, say

from companion.rules.game import CHANCE, Applied, Choice, Gesture, Prompt, Refusal
from companion.table import match

SEATS = ("koi", "lotus")


@pytest.fixture
def state() -> Any:
    game = Pebbles()
    state = game.start(SEATS, {})
    for command in (Shuffle(CHANCE, ("a", "b", "c", "d")), Pick("koi", "a"), Put("koi", "pebble", "edo")):
        state = game.apply(state, command).state
    return state


def test_a_figure_fits_every_choice_that_begins_with_it(state: Any) -> None:
    prompts = Pebbles().prompts(state)
    assert [c.command.place for _, c in match.fits(prompts, "koi/pebble", "edo")] == ["edo"]
    assert len(match.fits(prompts, "koi/pebble", "kyoto")) == 2  # put, or shift from edo
    assert match.fits(prompts, "lotus/pebble", "edo") == ()
    assert len(match.offers(prompts, "koi/pebble")) == 5


def test_secret_questions_and_chance_are_never_matched() -> None:
    gesture = (Gesture("koi/pebble", "reserve.koi", "edo"),)
    choice = Choice(Put("koi", "pebble", "edo"), say("x"), gesture)
    assert match.offers([Prompt("koi", say("x"), "", (choice,), private=True), Prompt(CHANCE, say("x"), "", (choice,))], "koi/pebble") == ()


def test_obligatory_questions_come_before_optional_ones() -> None:
    choice = Choice(Put("koi", "pebble", "edo"), say("x"), (Gesture("koi/pebble", "reserve.koi", "edo"),))
    prompts = [Prompt("lotus", say("x"), "", (choice,), optional=True), Prompt("koi", say("x"), "", (choice,))]
    assert [seat for seat, _ in match.offers(prompts, "koi/pebble")] == ["koi", "lotus"]


def test_what_fits_nothing_is_explained_by_the_nearest_command(state: Any) -> None:
    game = Pebbles()
    refusal = match.why_not(game, state, SEATS, "lotus/pebble", "edo")
    assert refusal.clause == "PB-4"  # what apply says of "lotus put pebble edo": lotus may only give now
    assert refusal.lawful[0].args["id"] == "a pebble to edo"
    assert match.why_not(game, state, SEATS, "koi/pebble", "shrine.1").clause == "PB-3"
    assert match.why_not(game, state, SEATS, "dragon", "edo").lawful != ()


def test_where_no_figure_moves_that_is_said(state: Any) -> None:
    game = Pebbles()
    picking = game.apply(game.start(SEATS, {}), Shuffle(CHANCE, ("a", "b", "c", "d"))).state
    refusal = match.why_not(game, picking, SEATS, "koi/pebble", "edo")
    assert (refusal.clause, refusal.text.key, refusal.lawful) == ("PB-2", "table.not_now", ())
    over = Pebbles.State(SEATS, 0, "over", coins=dict.fromkeys(SEATS, 0), map={})
    assert match.why_not(game, over, SEATS, "koi/pebble", "edo").clause == ""


class Step(Struct, frozen=True):
    seat: str
    kind: str
    place: str
    n: int = 3


@dataclass
class Yes:
    """A game that takes everything that is on no list."""

    said: list[Any]

    def prompts(self, state: Any) -> Any:
        choice = Choice(Step("koi", "bushi", "edo"), say("x"), (Gesture("koi/bushi", "reserve.koi", "edo"),))
        return (Prompt("koi", say("x"), "X-1", (choice,)),)

    def apply(self, state: Any, command: Any) -> Any:
        self.said.append(command)
        return Applied(state, ()) if command.seat == "koi" else Refusal("X-2", say("no"))


def test_the_nearest_command_has_the_seen_figure_its_owner_and_place() -> None:
    game: Any = Yes([])
    assert match.why_not(game, None, ("koi", "lotus"), "lotus/daimyo", "kyoto").clause == "X-2"
    assert match.why_not(game, None, ("koi", "lotus"), "oni", "kyoto").text.key == "table.not_now"
    assert game.said == [Step("lotus", "daimyo", "kyoto"), Step("koi", "oni", "kyoto")]
