"""The look on this window: colours as Kivy wants them, sizes in pixels. Made anew when theme, size or window changes."""

from __future__ import annotations

from functools import lru_cache

from companion.look.theme import Theme
from companion.tablet.measure import Measure

RGBA = tuple[float, float, float, float]


@lru_cache(maxsize=512)
def rgba(colour: str, alpha: float = 1.0) -> RGBA:
    """``#RRGGBB`` as four floats."""
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255, alpha)


def mixed(colour: str, other: str, share: float) -> str:
    """The first colour with a share of the second, as ``#RRGGBB``: a wash with no alpha to round."""
    pairs = zip((colour[i : i + 2] for i in (1, 3, 5)), (other[i : i + 2] for i in (1, 3, 5)), strict=True)
    return "#" + "".join(f"{round(int(a, 16) * (1 - share) + int(b, 16) * share):02X}" for a, b in pairs)


class Style:
    """Theme and measure in one hand."""

    def __init__(self, theme: Theme, measure: Measure) -> None:
        self.theme, self.m = theme, measure

    @property
    def key(self) -> tuple[object, ...]:
        """Equal keys draw equally."""
        return (self.theme.name, self.m)

    def hex(self, role: str) -> str:
        return self.theme.colour(role)

    def rgba(self, role: str, alpha: float = 1.0) -> RGBA:
        return rgba(self.theme.colour(role), alpha)
