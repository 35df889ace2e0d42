"""Who sits where round the table: sides of the tablet, clockwise as on the table. Pure.

Here: sides, places on a side, and whether an order is clockwise. Not here: how far anything is turned on a screen (``tablet.sides``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

SOUTH, WEST, NORTH, EAST = "south", "west", "north", "east"
SIDES = (SOUTH, WEST, NORTH, EAST)
"""Clockwise, as somebody at the south edge sees the tablet from above."""

_PLANS = ("", "S", "SN", "SWE", "SWNE", "SSWNE", "SSWNNE", "SSWWNNE", "SSWWNNEE")
_NAMES = {"S": SOUTH, "W": WEST, "N": NORTH, "E": EAST}


class Spot(NamedTuple):
    """A side, and the ``slot``-th of ``slots`` places on it, clockwise."""

    side: str
    slot: int
    slots: int


def plan(count: int) -> tuple[str, ...]:
    """The side of each of ``count`` seats where nobody has said, clockwise from the south. More than eight crowd the south."""
    letters = _PLANS[min(count, len(_PLANS) - 1)]
    return tuple(_NAMES[letter] for letter in letters + "S" * (count - len(letters)))


def seated(seats: Sequence[str], turned: int = 0, sides: Mapping[str, str] | None = None) -> dict[str, Spot]:
    """Where each seat sits.

    With the ``sides`` they chose (for every seat one of SIDES) ``turned`` turns the table by quarters; without, everybody moves on by
    that many places.
    """
    if not sides or any(sides.get(seat) not in SIDES for seat in seats):
        chosen = plan(len(seats))
        places = _slots(chosen)
        return {seat: places[(i + turned) % len(places)] for i, seat in enumerate(seats)}
    return dict(zip(seats, _slots([turn(sides[seat], turned) for seat in seats]), strict=True))


def turn(side: str, quarters: int = 1) -> str:
    """The side that many quarters further clockwise."""
    return SIDES[(SIDES.index(side) + quarters) % len(SIDES)]


def is_clockwise(sides: Sequence[str]) -> bool:
    """Whether people in this order, at these sides, sit clockwise: once round the table and no further."""
    at = [SIDES.index(side) for side in sides]
    return sum(after < before for before, after in zip(at, (*at[1:], *at[:1]), strict=True)) <= 1


def _slots(sides: Sequence[str]) -> list[Spot]:
    """Those of one side stand on it in their order; who sits there last and first again stands before the first."""
    begin = next((i for i, side in enumerate(sides) if side != sides[i - 1]), 0)
    order = [(begin + i) % len(sides) for i in range(len(sides))]
    slots: dict[int, Spot] = {}
    for place, i in enumerate(order):
        before = sum(sides[j] == sides[i] for j in order[:place])
        slots[i] = Spot(sides[i], before, sides.count(sides[i]))
    return [slots[i] for i in range(len(sides))]
