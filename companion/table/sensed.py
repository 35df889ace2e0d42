"""What is told of tags, and what of it survives a restart. Here: the types. Not here: what follows from them (``twin``)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.rules.game import Kind, Place
from companion.table.figures import Tag
from companion.table.moves import Counts


class Sensed(Struct, frozen=True, array_like=True):
    """The last that was told of one tag."""

    place: Place
    """"": lifted from a reader, and seen nowhere since."""
    left: Place
    """Where it was before, and belonged as far as was known."""
    source: str
    made: int = 0
    """Unix seconds"""


class Astray(Struct, frozen=True):
    """A figure that is where neither the app nor an owed move has it."""

    tag: Tag
    at: Place
    """"": nobody knows; it was lifted from ``left``."""
    left: Place


class Saved(Struct, frozen=True):
    """What survives a restart."""

    told: Mapping[Kind, Counts] = {}
    anon: Mapping[Kind, Counts] = {}
    sensed: Mapping[str, Sensed] = {}
