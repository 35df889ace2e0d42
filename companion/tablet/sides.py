"""The sides of the tablet as a screen needs them: how far a thing is turned to face one. Who sits where is ``table.seating``. Pure."""

from __future__ import annotations

from companion.table.seating import EAST, NORTH, SIDES, SOUTH, WEST, Spot, seated

TURN = {SOUTH: 0, EAST: 90, NORTH: 180, WEST: 270}
"""Degrees, counter-clockwise, by which a thing turns to face that side."""

__all__ = ["EAST", "NORTH", "SIDES", "SOUTH", "TURN", "WEST", "Spot", "seated"]
