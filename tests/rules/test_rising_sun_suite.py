"""Rising Sun under the suite: a seeded sample in ``make test``, 2,000 Political Phases in ``make soak``."""

from __future__ import annotations

import statistics

import pytest
from rs_rig import STARTS, rig
from suite import check_game


@pytest.mark.parametrize("seed", range(len(STARTS)))
def test_a_self_played_game_keeps_every_promise_of_the_contract(seed):
    assert check_game(rig(), seed, stride=6) > 60


def test_encoding_a_state_is_measured(record_property):
    bench = rig()
    check_game(bench, 7, stride=1000)
    record_property("encode_decode_ms", statistics.median(bench.decoded) * 1000)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_political_phases_without_a_fault(block):
    # A game is three Political Phases, so 34 games a block are more than a hundred.
    for seed in range(1000 + block * 34, 1000 + block * 34 + 34):
        check_game(rig(), seed, stride=1)
