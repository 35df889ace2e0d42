"""Rising Sun under the suite, from set-up to the winner: a seeded sample in ``make test``, 10,000 whole games in ``make soak``."""

from __future__ import annotations

import statistics

import pytest
from rs_rig import STARTS, rig
from suite import check_game, walk


@pytest.mark.timeout(120)
@pytest.mark.parametrize("seed", range(max(10, len(STARTS))))
def test_a_self_played_game_keeps_every_promise_of_the_contract(seed):
    assert check_game(rig(), seed, stride=10) > 60


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.soak) for block in range(1, 100))])
def test_no_war_is_fought_that_has_not_begun(block):
    bench = rig()
    for seed in range(block * 100, block * 100 + 100):
        began = ""
        for state, _, applied in walk(bench, seed):
            told = [event.text.key for event in applied.events]
            for key in told:
                began = state.season if key == "rs.event.war" else began
                assert key != "rs.event.war_comes" or began == state.season, (seed, state.season)
            assert told.count("rs.event.war_over") < 2, seed


def test_encoding_a_state_is_measured(record_property):
    bench = rig()
    check_game(bench, 7, stride=1000)
    record_property("encode_decode_ms", statistics.median(bench.decoded) * 1000)


@pytest.mark.soak
@pytest.mark.timeout(36000)
@pytest.mark.parametrize("block", range(100))
def test_ten_thousand_whole_games_without_a_fault(block):
    # Every command is checked; the slow checks (all commands twice, all readers, scrambled) are for every 25th position, 100,000 in all.
    for seed in range(1000 + block * 100, 1100 + block * 100):
        check_game(rig(), seed, stride=25)
