"""A game's board drawing, ``data/board.toml``, as typed values: zones, borders, routes, shrines. Pure; y runs down.

Not here: pixels. A drawing that is broken is no drawing: the tablet then lists the zones instead and says why in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from companion.tablet.stroke import distance, inside

LOGGER = logging.getLogger(__name__)
Point = tuple[float, float]
BLUR, BESIDE = 0.15, 0.3
"""Of a finger's reach: how near a border two lit places cannot be told apart, and how far into a dark one a lit one is still meant."""
REWARDS = {"vp": "token/victory_point", "coins": "token/coin", "ronin": "token/ronin"}


class Area(Struct, frozen=True):
    """A zone of the map and where things stand in it."""

    name: str
    outline: list[Point]
    label: Point
    figures: list[Point]
    pitch: float
    war: Point | None = None
    reward: dict[str, int] = {}
    reward_at: Point | None = None
    strongholds: list[Point] = []
    few: list[Point] = []
    few_pitch: float = 0
    name_ja: str = ""


class Edge(Struct, frozen=True):
    between: tuple[str, str]
    line: list[Point]


class Shrine(Struct, frozen=True):
    """A round place off the map, ``shrine.<slot>`` in views."""

    slot: int
    at: Point
    label: Point
    worshippers: list[Point]


class Drawing(Struct, frozen=True):
    """The whole board, in the units of ``size``."""

    schema: int
    game: str
    size: tuple[float, float]
    metric: dict[str, Any]
    zone: dict[str, Area]
    border: list[Edge] = []
    route: list[Edge] = []
    coast: dict[str, list[Point]] = {}
    shrine: list[Shrine] = []
    decor: dict[str, list[Point]] = {}

    @property
    def rings(self) -> list[list[Point]]:
        """Every coast line: the main land's, and the islands' own outlines."""
        joined = {zone for edge in self.border for zone in edge.between}
        return [*self.coast.values(), *(area.outline for name, area in self.zone.items() if name not in joined)]

    @property
    def places(self) -> frozenset[str]:
        return frozenset(self.zone) | {f"shrine.{shrine.slot}" for shrine in self.shrine}

    def at(self, x: float, y: float, near: float, lit: frozenset[str] = frozenset()) -> str:
        """The place a finger at a point of the board means; "": none within ``near``, a finger's reach. See ``meant``."""
        return next(iter(self.meant(x, y, near, lit)), "")

    def meant(self, x: float, y: float, near: float, lit: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The places a finger may mean, likeliest first; more than one: lit ones too near to tell apart.

        On land: the zone that holds the point, or a lit one just beside it where that zone is dark. At sea: the nearest within ``near``,
        lit ones first.
        """
        reach = self.metric.get("shrine", 120) / 2
        for shrine in self.shrine:
            if (shrine.at[0] - x) ** 2 + (shrine.at[1] - y) ** 2 <= max(reach, near) ** 2:
                return (f"shrine.{shrine.slot}",)
        gaps = {name: distance(area.outline, x, y) for name, area in self.zone.items()}
        here = next((name for name, area in self.zone.items() if inside(area.outline, x, y)), "")
        if not here:
            close = sorted((name not in lit, gap, name) for name, gap in gaps.items() if gap <= near)
            here = close[0][2] if close else ""
            beside = [name for _, gap, name in close[1:2] if name in lit and here in lit and gap - gaps[here] <= near * BLUR]
            return (here, *beside) if here else ()
        beside = sorted((gap, name) for name, gap in gaps.items() if name in lit and name != here)
        if beside and here in lit:
            return (here, beside[0][1]) if beside[0][0] <= near * BLUR else (here,)
        return (beside[0][1],) if beside and beside[0][0] <= near * BESIDE else (here,)


def parse(table: Mapping[str, Any] | None) -> Drawing | None:
    """The drawing of a merged ``board`` table; None where there is none or it cannot be read."""
    if not table:
        return None
    try:
        return msgspec.convert(table, Drawing, strict=False)
    except msgspec.ValidationError as fault:
        LOGGER.warning("board.toml is no drawing (%s): the zones are listed instead", fault)
        return None


def packaged(game: str) -> Mapping[str, Any] | None:
    """The drawing that comes with a game, without any override."""
    import tomllib  # noqa: PLC0415 - no table needs it

    source = files("companion.rules") / game / "data" / "board.toml"
    return tomllib.loads(source.read_text(encoding="utf-8")) if game.isidentifier() and source.is_file() else None
