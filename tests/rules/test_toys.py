"""The shared suite carries two very different games, and Tokens keeps its simultaneous answers secret and open to a second thought."""

from __future__ import annotations

import pytest
from suite import check_game
from toy_tokens import BORDERS, Place, Tokens
from toys import rigs

from companion.rules.game import Applied, Game


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("which", [0, 1], ids=["tokens", "blocks"])
def test_a_toy_passes_the_suite_like_any_game(which, seed):
    assert check_game(rigs()[which], seed) >= 3


def test_a_seat_may_answer_again_until_the_last_has_answered():
    game: Game = Tokens()
    s = game.start(("crab", "lion"), {})
    for face in ("1", "2"):
        applied = game.apply(s, Place("crab", face, BORDERS[0]))
        assert isinstance(applied, Applied)
        s = applied.state
        assert not any(e.reveals for e in applied.events)
        assert {p.seat for p in game.prompts(s)} == {"crab", "lion"}
    last = game.apply(s, Place("lion", "3", BORDERS[2]))
    assert isinstance(last, Applied)
    assert any(e.reveals for e in last.events)
    assert last.state.down == {BORDERS[0]: (("crab", "2"),), BORDERS[2]: (("lion", "3"),)}


def test_the_games_are_games_by_type():
    for rig in rigs():
        game: Game = rig.game
        assert game.version == 1
