"""Whole games of bots that follow taste, from set-up to the winner: ten in ``make test``, 2,000 in ``make soak``. Games by chance: the suite's."""

from __future__ import annotations

import random

import pytest
from rs_rig import FACTS, GAME, STARTS, conserved
from suite import filled

from companion.rules.game import Applied
from companion.rules.rising_sun import taste, winter

BLOCKS, GAMES = 20, 100


def game(seed):
    """A game of bots that follow taste; some whim keeps them from playing the same game each time."""
    rng = random.Random(seed)
    seats, options = STARTS[seed % len(STARTS)]
    s = GAME.start(seats, options)
    kept = conserved(s)
    while prompts := GAME.prompts(s):
        prompt = rng.choice([p for p in prompts if not p.optional])
        scores = taste.scores(GAME.view(s, prompt.seat), prompt)
        best = max(range(len(scores)), key=lambda i: scores[i] + rng.random())
        result = GAME.apply(s, filled(prompt.choices[best], rng))
        assert isinstance(result, Applied)
        s = result.state
        assert conserved(s) == kept
    return s


def ended(s):
    """What is true of every game that is over."""
    assert s.step == len(FACTS.steps)
    assert GAME.faults(s) == ()
    assert {seat: sum(points.values()) for seat, points in s.scored.items()} == dict(s.vp)
    assert not any(place.startswith("hostage.") for mine in s.pieces.values() for place in mine)  # RS-12.1
    assert sum(map(len, s.tokens.values())) <= len(FACTS.seasons) * FACTS.wars[len(s.seats)]
    assert max(s.vp.values()) == s.vp[winter.winners(s)[0]]
    return s


@pytest.mark.parametrize("seed", range(10))
def test_bots_play_from_set_up_to_the_winner(seed):
    s = ended(game(seed))
    assert s.tokens
    assert max(s.vp.values()) > 10


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("block", range(BLOCKS))
def test_two_thousand_games_by_taste_without_a_fault(block):
    for seed in range(block * GAMES, (block + 1) * GAMES):
        ended(game(seed))
