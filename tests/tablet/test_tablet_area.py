"""Areas as triangles: they cover the ring, all of it and nothing else, once."""

from __future__ import annotations

import random
from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.tablet import drawing, stroke
from companion.tablet.area import triangles

Ring = list[tuple[float, float]]


def size(ring: Ring) -> float:
    return sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True)) / 2


def pieces(ring: Ring) -> list[Ring]:
    found = triangles(ring)
    return [[ring[i] for i in found[at : at + 3]] for at in range(0, len(found), 3)]


def covers(ring: Ring) -> None:
    cut = pieces(ring)
    assert len(cut) == len(ring) - 2
    assert sum(abs(size(piece)) for piece in cut) == pytest.approx(abs(size(ring)))
    for piece in cut:
        middle = (sum(x for x, _ in piece) / 3, sum(y for _, y in piece) / 3)
        assert abs(size(piece)) < 1e-6 or stroke.inside(ring, *middle)


@given(st.integers(3, 60), st.integers(0, 2**32), st.booleans())
def test_a_ring_of_any_shape_is_filled_whichever_way_round_it_runs(n: int, seed: int, back: bool) -> None:
    rng = random.Random(seed)
    ring = [(800 + r * cos(2 * pi * i / n), 500 + r * sin(2 * pi * i / n)) for i in range(n) for r in [rng.uniform(50, 400)]]
    covers(ring[::-1] if back else ring)


def test_every_zone_of_the_map_is_filled() -> None:
    board = drawing.parse(drawing.packaged("rising_sun"))
    assert board is not None
    for zone in board.zone.values():
        covers(list(zone.outline))


def test_a_comb_and_points_on_one_line_are_filled() -> None:
    covers([(0, 0), (9, 0), (9, 9), (8, 9), (8, 1), (6, 1), (6, 9), (5, 9), (5, 1), (3, 1), (3, 9), (0, 9)])
    covers([(0, 0), (1, 0), (2, 0), (3, 0), (3, 3), (2, 3), (0, 3)])


@pytest.mark.parametrize(
    "ring",
    [
        [],
        [(1.0, 1.0)],
        [(0.0, 0.0), (1.0, 1.0)],
        [(0.0, 0.0)] * 5,
        [(0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0)],  # across itself
        [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (5.0, 0.0), (9.0, 0.0), (9.0, 9.0)],
    ],
)
def test_what_is_no_ring_does_no_harm(ring: Ring) -> None:
    found = triangles(ring)
    assert len(found) % 3 == 0 and set(found) <= set(range(len(ring)))
