"""Whole games, written down: played again they come to the same position, line by line; six of today's rules, which ``make_whole`` writes, and six
of rules 2, before the table was asked to begin the War.
"""

from __future__ import annotations

import pytest
from rs_rig import GAME, RECORDS, lines

from companion.rules.game import Applied
from companion.table import record

WHOLE = sorted((RECORDS / "whole").glob("*.txt"))
OLD = sorted((RECORDS / "whole" / "rules_2").glob("*.txt"))
SINCE = "option war_opens at_once"
"""What a game of rules 2 says of itself today."""


@pytest.mark.parametrize("path", [*WHOLE, *OLD], ids=lambda path: f"{path.parent.stem}-{path.stem}")
def test_a_whole_game_played_again_ends_the_same(path):
    text = path.read_text("utf-8")
    written = record.parse(text)
    state = record.begin(GAME, written)
    moves = [record.hear(GAME, line) for line in written.moves]
    for step in record.replay(GAME, state, moves):
        assert isinstance(step.outcome, Applied), record.say(GAME, step.command)
        state = step.outcome.state
    assert GAME.prompts(state) == ()
    said = [line for line in lines(state) if line != SINCE or path in WHOLE]
    assert (SINCE in lines(state)) is (path in OLD)
    assert said == [line.removeprefix("#= ") for line in text.splitlines() if line.startswith("#= ")]


def test_there_are_six_and_every_number_of_clans_is_among_them():
    assert len(WHOLE) == len(OLD) == 6
    assert {record.parse(path.read_text("utf-8")).rules for path in WHOLE} == {GAME.version}
    assert {record.parse(path.read_text("utf-8")).rules for path in OLD} == {2}
    assert {len(record.parse(path.read_text("utf-8")).seats) for path in WHOLE} == {3, 4, 5}
