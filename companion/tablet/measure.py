"""How big things are on this window: one unit for spaces and shapes, one for text, and the finger. Pure.

Design sizes are those of the 1280 x 800 drawing. Shapes follow the window; text follows it too but never below what a player can
read; a target is never below ``target_mm`` whatever the window says.
"""

from __future__ import annotations

from companion.look.tokens import tokens

DESIGN = (1280, 800)
UPRIGHT = 0.8
"""On its short side the same glass has less room along the reader's lines."""
LEAST_TEXT = 0.74
"""Of the design size, times the display's density: 15 sp becomes 11 sp, the least that is read at arm's length."""

MOST_TEXT = 2.0
"""Of what the window's size gives: larger letters would push the buttons off a small window."""


class Measure:
    """Sizes in pixels for one window. ``mm`` is pixels a millimetre, ``density`` Kivy's, ``scale`` the user's own."""

    def __init__(self, width: int, height: int, *, mm: float, density: float = 1.0, scale: float = 1.0) -> None:
        self.width, self.height, self.mm, self.scale = width, height, mm, scale
        fit = min(max(width, height) / DESIGN[0], min(width, height) / DESIGN[1]) * (1 if width >= height else UPRIGHT)
        self.unit = fit * min(max(scale, 0.9), 1.25)
        self.text = max(min(max(fit, LEAST_TEXT * density) * scale, MOST_TEXT * fit), LEAST_TEXT * density * min(scale, 1.0))
        self.target = round(tokens().touch.target_mm * mm)
        self.gap = max(round(tokens().touch.gap_mm * mm / 2), self.px(8))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[float, ...]:
        return self.width, self.height, self.mm, self.unit, self.text

    def px(self, size: float) -> int:
        """A shape or space of the drawing."""
        return max(1, round(size * self.unit)) if size else 0

    def sp(self, size: float) -> int:
        """A text size of the drawing, never below 8 pixels."""
        return max(8, round(size * self.text))

    def finger(self, size: float) -> int:
        """A target of the drawing: as drawn, or what a finger needs."""
        return max(self.px(size), self.target)
