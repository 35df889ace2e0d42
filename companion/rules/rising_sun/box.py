"""What is in the box: every kind of figure and every place there is, and the pieces these Clans can bring on the table.

Here: kinds with their counts, names and marks, and places. Not here: where a piece is (``placement``), or what it may do.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.game import Kind, Place, Seat
from companion.rules.rising_sun import reading, recruit, say
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, kind_id
from companion.rules.view import Stack


def kinds(facts: Facts) -> tuple[Kind, ...]:
    """Whoever plays."""
    return tuple(dict.fromkeys(kind_id(clan, kind) for clan in facts.clans for kind in facts.kinds))


def places(facts: Facts) -> tuple[Place, ...]:
    return (*(place for place in reading.places(facts) if place != RESERVE), *(f"{RESERVE}.{clan}" for clan in facts.clans))


def stacks(facts: Facts, seats: Sequence[Seat]) -> tuple[Stack, ...]:
    """Clan by Clan in the order of ``seats``, then the monsters, which are nobody's until they are bought."""
    own = [
        Stack(kind_id(seat, kind), n, say.kind(kind), recruit.figure_mark(kind), seat)
        for seat in seats
        for kind, n in facts.figures(seat).items()
        if n
    ]
    monsters = [Stack(kind, 1, say.kind(kind), recruit.figure_mark(kind)) for kind in facts.kinds if kind in facts.monsters]
    return (*own, *monsters)
