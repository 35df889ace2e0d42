"""What a simulated table is told when it is set up: its pieces, its places, and where everything lies.

Here: the record and its JSON. Not here: what is done with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import Kind, Place, Seat
from companion.rules.view import Text

ONE, ZONES = "one", "zones"
"""Layouts: one reader that figures are tapped on, or one under every place."""
READER: Place = "reader"
"""The place of the one reader."""
BOX: Place = ""
"""Where pieces are that are in nobody's hands."""


class Piece(Struct, frozen=True):
    """One tagged figure."""

    uid: str
    kind: Kind
    text: Text
    """Its kind's whole name."""
    name: str = ""
    seat: Seat = ""
    mark: str = ""


class Zone(Struct, frozen=True):
    """One place of the board."""

    id: Place
    text: Text
    mark: str = ""


class Spec(Struct, frozen=True):
    """One simulated table."""

    game: str
    layout: str
    pieces: tuple[Piece, ...]
    zones: tuple[Zone, ...]
    seats: Mapping[Seat, Text]
    placed: Mapping[str, Place] = {}
    """UID -> place; what is not named is in the box."""
    board: Mapping[str, Any] | None = None
    """The game's drawing."""
    language: str = "en"
    theme: str = "day"
    strip: bool = True

    @property
    def readers(self) -> tuple[Place, ...]:
        """The places that have a reader under them."""
        return (READER,) if self.layout == ONE else tuple(zone.id for zone in self.zones)

    @property
    def places(self) -> frozenset[Place]:
        """Every place a piece can be at."""
        return frozenset({BOX, *self.readers, *(zone.id for zone in self.zones), *(f"reserve.{seat}" for seat in self.seats)})


def encoded(spec: Spec) -> bytes:
    return msgspec.json.encode(spec)


def decoded(data: bytes) -> Spec:
    """Raises ValueError: it is no such record."""
    try:
        spec = msgspec.json.decode(data, type=Spec)
    except msgspec.MsgspecError as fault:
        raise ValueError(f"this is no simulated table ({fault})") from fault
    if spec.layout not in {ONE, ZONES}:
        raise ValueError(f"no layout {spec.layout!r}: {ONE} or {ZONES}")
    return spec
