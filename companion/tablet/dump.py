"""What is on the screen, for tests and the service: everything with a name, where it is and whether it takes a touch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.tablet.part import Part
from companion.tablet.spots import Spot


def spots(parts: Iterable[Part]) -> list[tuple[Part, Spot, tuple[float, float]]]:
    """The named spots of the parts that are shown, the lowest first, with their middles in window pixels from the top left."""
    return [(part, spot, middle) for part in parts if part.box.w > 0 for spot, middle in part.named()]


def dump(parts: Iterable[Part]) -> dict[str, dict[str, Any]]:
    """Name -> words, value, middle and size in window pixels, lit, enabled; of two with one name the topmost."""
    return {
        spot.wid: {
            "text": spot.text,
            "value": spot.value,
            "centre": [round(x, 1), round(y, 1)],
            "size": [round(v, 1) for v in ((spot.h, spot.w) if part.turn in {90, 270} else (spot.w, spot.h))],
            "lit": spot.lit,
            "enabled": bool(spot.press or spot.hold) and part.usable(spot),
        }
        for part, spot, (x, y) in spots(parts)
    }
