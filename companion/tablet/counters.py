"""Counters: a clan's mark with its rim, chips under it for a stack, a foot for the kind, a number from two up. As on the tag's label.

The same counter stands on the map, in buttons and in reserves.
"""

from __future__ import annotations

from companion.look import marks as look
from companion.look.theme import GILT, INK, PAPER, Theme
from companion.tablet import marks
from companion.tablet.fonts import DISPLAY
from companion.tablet.pen import Pen

ROOM = 1.5
"""A counter's texture is this much larger than the counter: chips and foot stand out of it."""
_EDGE = look.BOX * (ROOM - 1) / 2
PLAIN = "figure/bushi"
"""The commonest figure has no foot: a bare mark is a Bushi."""
STRONGHOLD = "place/stronghold"


def source(theme: Theme, seat: str, foot: str, count: int) -> str:
    """The SVG of a counter without its number."""
    rim = theme.colour("ink")
    out = []
    clan = f"clan/{seat}"
    if look.has(clan):
        base = theme.clan(seat).base
        chips = range(min(count, 3) - 1, 0, -1)
        out += [f'<g transform="translate(0,{i * 4.8:g})">{look.silhouette(clan, base, rim, 3.4)}</g>' for i in chips]
        out.append(look.silhouette(clan, base, rim, 4.4) + look.body(clan))
    else:
        chips = range(min(count, 3) - 1, -1, -1)
        out += [f'<circle cx="24" cy="{24 + i * 4.8:g}" r="22" fill="{PAPER}" stroke="{INK}" stroke-width="3"/>' for i in chips]
        if look.has(foot):
            out.append(_at(24, 24, 30, look.coloured(foot, INK)))
    if look.has(clan) and foot != PLAIN and look.has(foot):
        fill, ink = (INK, GILT) if foot == "figure/daimyo" else (PAPER, INK)
        out.append(f'<circle cx="41.3" cy="40.3" r="11.3" fill="{fill}" stroke="{rim}" stroke-width="1.6"/>')
        out.append(_at(41.3, 40.3, 15.2, look.coloured(foot, ink)))
    side = look.BOX * ROOM
    return look.sheet("".join(out), (-_EDGE, -_EDGE, side, side))


def _at(x: float, y: float, size: float, body: str) -> str:
    k = size / look.BOX
    return f'<g transform="translate({x - size / 2:g},{y - size / 2:g}) scale({k:g})">{body}</g>'


def draw(
    pen: Pen, seat: str, foot: str, count: int, x: float, y: float, size: float, *, turn: float = 0, alpha: float = 1.0, number: bool = True
) -> None:
    """A counter ``size`` wide whose middle is (x, y)."""
    px = round(size * ROOM)
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
    body = f'<rect x="1.6" y="1.6" width="44.8" height="44.8" rx="4" fill="{clan.base}" stroke="{rim}" stroke-width="2.8"/>' + _at(
        19, 19, 31, look.coloured(STRONGHOLD, clan.on)
    )
    px = round(size)
    with pen.turned(x, y, turn):
        pen.svg(look.sheet(body), round(x - px / 2), round(y - px / 2), px, px)
        pen.line(clan.letter, x + size * 0.27, y + size * 0.25, DISPLAY, max(7, round(size * 0.4)), clan.on, "centre")
