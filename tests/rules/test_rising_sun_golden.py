"""Six whole games, written down: played again they come to the same position, line by line. ``make_whole`` writes them."""

from __future__ import annotations

import pytest
from rs_rig import GAME, RECORDS, lines

from companion.rules.game import Applied
from companion.table import record

WHOLE = sorted((RECORDS / "whole").glob("*.txt"))


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.stem)
def test_a_whole_game_played_again_ends_the_same(path):
    text = path.read_text("utf-8")
    written = record.parse(text)
    state = record.begin(GAME, written)
    moves = [record.hear(GAME, line) for line in written.moves]
    for step in record.replay(GAME, state, moves):
        assert isinstance(step.outcome, Applied), record.say(GAME, step.command)
        state = step.outcome.state
    assert GAME.prompts(state) == ()
    assert list(lines(state)) == [line.removeprefix("#= ") for line in text.splitlines() if line.startswith("#= ")]


def test_there_are_six_and_every_number_of_clans_is_among_them():
    assert len(WHOLE) == 6
    assert {len(record.parse(path.read_text("utf-8")).seats) for path in WHOLE} == {3, 4, 5}
