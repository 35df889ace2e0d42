"""Counters: a clan's mark with its rim, chips under it for a stack, a foot for the kind, a number from two up. As on the tag's label.

The same counter stands on the map, in buttons and in reserves.
"""

from __future__ import annotations

from typing import Final

from companion.look import marks as look
from companion.look.counters import PLAIN, ROOM, at, source
from companion.tablet import marks
from companion.tablet.fonts import DISPLAY
from companion.tablet.pen import Pen

__all__ = ["PLAIN", "STRONGHOLD", "draw", "source", "stronghold"]

STRONGHOLD = "place/stronghold"
STEP: Final = 4
"""Counters grow by so many pixels: the map is a little larger or smaller for each side it faces, and they need not be drawn anew for that."""


def draw(
    pen: Pen, seat: str, foot: str, count: int, x: float, y: float, size: float, *, turn: float = 0, alpha: float = 1.0, number: bool = True
) -> None:
    """A counter ``size`` wide whose middle is (x, y)."""
    px = STEP * round(size * ROOM / STEP)
    with pen.turned(x, y, turn):
        pen.image(marks.svg(source(pen.style.theme, seat, foot, count), px, px), round(x - px / 2), round(y - px / 2), px, px, alpha=alpha)
        if count > 1 and number:
            r = min(max(size * 0.225, pen.m.sp(13) * 0.62), size * 0.3)
            bx, by = x + size * 0.40, y - size * 0.36
            pen.disc(bx, by, r, "ink")
            pen.line(str(count), bx, by, DISPLAY, round(r * 1.6), "paper", "centre")


def stronghold(pen: Pen, seat: str, x: float, y: float, size: float, *, turn: float = 0) -> None:
    """A castle: a square in the clan's dye with its letter."""
    clan = pen.style.theme.clan(seat)
    rim = pen.style.hex("ink")
    body = f'<rect x="1.6" y="1.6" width="44.8" height="44.8" rx="4" fill="{clan.base}" stroke="{rim}" stroke-width="2.8"/>' + at(
        19, 19, 31, look.coloured(STRONGHOLD, clan.on)
    )
    px = round(size)
    with pen.turned(x, y, turn):
        pen.svg(look.sheet(body), round(x - px / 2), round(y - px / 2), px, px)
        pen.line(clan.letter, x + size * 0.27, y + size * 0.25, DISPLAY, max(7, round(size * 0.4)), clan.on, "centre")
