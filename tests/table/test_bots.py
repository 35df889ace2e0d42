"""Bots: lawful, repeatable, and choosing by taste from what their seat sees."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import Done, Give, Pebbles, Put, say
from table_desk import Table

from companion.rules.game import Amounts, Choice, Prompt, Refusal, View
from companion.table.bots import WHIM, Bot, filled, run, sample, seat_bot
from companion.table.chance import ByHand, Chance
from companion.table.commands import Agree, Object, Undo
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.referee import Referee

SEATS = ("koi", "lotus", "turtle")


def played(journal: Journal, seed: int) -> list[bytes]:
    referee = Referee.create(Pebbles(), journal, SEATS, {}, chance=Chance.seeded(1))
    run(referee, {seat: Bot(seat, seed) for seat in SEATS})
    assert referee.state.phase == "over"
    return [row.command for row in journal.rows(referee.game_id)]


def test_the_same_seed_plays_the_same_game(journal: Journal) -> None:
    assert played(journal, 1) == played(journal, 1) != played(journal, 2)


def test_running_stops_where_nobody_may_answer_and_at_a_limit(journal: Journal, tmp_path: Path) -> None:
    referee = Referee.create(Pebbles(), journal, SEATS, {}, chance=Chance.seeded(1))
    assert run(referee, {seat: Bot(seat) for seat in SEATS}, commands=3) == 3
    assert run(referee, {"fox": Bot("fox")}) == 0
    waiting = Referee.create(Pebbles(), journal, SEATS, {}, chance=ByHand())
    assert run(waiting, {"koi": Bot("koi")}) == 0


def test_an_offer_that_is_refused_is_a_fault_of_the_rules(journal: Journal) -> None:
    class Wrong(Pebbles):
        def apply(self, s: Any, c: Any) -> Any:
            return Refusal("X-1", say("no"))

    referee = Referee.create(Pebbles(), journal, SEATS, {}, chance=Chance.seeded(1))
    referee.game = Wrong()
    with pytest.raises(RuntimeError, match="was offered and refused"):
        run(referee, {seat: Bot(seat) for seat in SEATS})


def view(*prompts: Prompt[Any]) -> View:
    return View(say("x"), say("x"), (), prompts, (), ())


def test_optional_prompts_are_answered_on_a_whim() -> None:
    may = Prompt("koi", say("x"), "", (Choice(Done("may"), say("x")),), optional=True)
    must = Prompt("koi", say("x"), "", (Choice(Done("must"), say("x")),))
    bot = Bot("koi")
    assert bot.answer(view()) is None
    whims = sum(bot.answer(view(may, must)) == Done("may") for _ in range(2000)) / 2000
    waits = sum(bot.answer(view(may)) is None for _ in range(2000)) / 2000
    assert whims == pytest.approx(WHIM, abs=0.02)
    assert waits == pytest.approx(1 - WHIM, abs=0.02)


def test_a_bot_agrees_to_what_others_ask_for_and_takes_nothing_back(journal: Journal) -> None:
    ask = Prompt("koi", say("x"), "", (Choice(Agree("koi", 4), say("yes")), Choice(Object("koi", 4), say("no"))))
    back = Prompt("koi", say("x"), "", (Choice(Undo("koi", 1, 1), say("x")),), optional=True)
    assert Bot("koi").answer(view(ask, back)) == Agree("koi", 4)
    assert all(Bot("koi", seed).answer(view(back)) is None for seed in range(200))


def test_a_bot_says_again_what_had_to_wait(journal: Journal) -> None:
    figures = parse("".join(f"04{n:012X} {seat}/pebble {n}\n" for n, seat in enumerate(("koi", "lotus") * 9)))
    table = Table(Referee.create(Pebbles(), journal, ("koi", "lotus"), {}, chance=Chance.seeded(1)), figures)
    leave = seat_bot(table.desk, Bot("lotus", 3, lambda _, prompt: [float(isinstance(c.command, Put)) * 9 for c in prompt.choices]))
    table.pick()
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    table.settle()
    assert table.desk._referee.state.phase == "put" and table.map["lotus"] == {}, "it has its tile, and waits for koi's figure"
    table.press("Done: Koi pebble comes to Edo")
    table.settle()
    assert table.map["lotus"] != {}
    leave()
    table.desk.stop()


def test_taste_weighs_the_choices() -> None:
    prompt = Prompt("koi", say("x"), "", tuple(Choice(Done(name), say("x")) for name in "ab"))
    bot = Bot("koi", taste=lambda view, prompt: [1000.0, 998.0])
    liked = sum(bot.answer(view(prompt)).seat == "a" for _ in range(2000)) / 2000
    assert liked == pytest.approx(0.88, abs=0.03)


@given(
    st.dictionaries(st.sampled_from("abc"), st.tuples(st.integers(0, 5), st.integers(0, 9))),
    st.integers(0, 20),
    st.integers(0, 20),
    st.integers(),
)
def test_amounts_are_sampled_within_their_limits(each: dict[str, tuple[int, int]], low: int, high: int, seed: int) -> None:
    each = {name: (min(pair), max(pair)) for name, pair in each.items()}
    amounts = Amounts(each, (min(low, high), max(low, high)))
    try:
        found = sample(amounts, random.Random(seed))
    except ValueError:
        assert sum(b for _, b in each.values()) < amounts.total[0] or sum(a for a, _ in each.values()) > amounts.total[1]
        return
    assert all(each[name][0] <= n <= each[name][1] for name, n in found.items())
    assert amounts.total[0] <= sum(found.values()) <= amounts.total[1]


def test_only_choices_with_amounts_are_filled() -> None:
    rng = random.Random(1)
    assert filled(Choice(Done("koi"), say("x")), rng) == Done("koi")
    assert filled(Choice(Give("koi", "lotus"), say("x"), amounts=Amounts({"coins": (2, 2)}, (2, 2))), rng) == Give(
        "koi", "lotus", {"coins": 2}
    )
