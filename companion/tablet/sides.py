"""Who sits where round the tablet: seats go clockwise, as on the table. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

SOUTH, WEST, NORTH, EAST = "south", "west", "north", "east"
TURN = {SOUTH: 0, EAST: 90, NORTH: 180, WEST: 270}
"""Degrees, counter-clockwise, by which a thing turns to face that side."""

_PLANS = ("", "S", "SN", "SWE", "SWNE", "SSWNE", "SSWNNE", "SSWWNNE", "SSWWNNEE")
_NAMES = {"S": SOUTH, "W": WEST, "N": NORTH, "E": EAST}


class Spot(NamedTuple):
    """A side, and the ``slot``-th of ``slots`` places on it, clockwise."""

    side: str
    slot: int
    slots: int


def seated(seats: Sequence[str], turned: int = 0) -> dict[str, Spot]:
    """Where each seat sits; ``turned`` moves everybody that many places on. More than eight share the eight plans' sides."""
    plan = _PLANS[min(len(seats), len(_PLANS) - 1)]
    letters = plan + "S" * (len(seats) - len(plan))
    places = [Spot(_NAMES[letter], letters[:i].count(letter), letters.count(letter)) for i, letter in enumerate(letters)]
    return {seat: places[(i + turned) % len(places)] for i, seat in enumerate(seats)}
