"""Five tagged pebbles and a tag at a place, for tests of hands."""

from __future__ import annotations

from companion.table.figures import parse

FIGURES = parse(
    """04000000000001 koi/pebble 1
04000000000002 koi/pebble 2
04000000000003 koi/pebble 3
04000000000004 lotus/pebble 1
04000000000005 lotus/pebble 2
0400000000000E place edo
"""
)
KOI1, KOI2, KOI3, LOTUS1, LOTUS2, EDO = (tag.uid for tag in FIGURES.tags())
ZONES = ("edo", "kyoto", "oshu")
