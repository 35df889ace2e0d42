"""A figure's counter as SVG: a clan's mark with its rim, chips under it for a stack, a foot for the kind. The same on the map and on a label.

Here: the drawing. Not here: its number, pixels, paper.
"""

from __future__ import annotations

from functools import lru_cache

from companion.look import marks as look
from companion.look.theme import GILT, INK, PAPER, Theme

ROOM = 1.5
"""A counter's drawing is this much larger than the counter: chips and foot stand out of it."""
_EDGE = look.BOX * (ROOM - 1) / 2
PLAIN = "figure/bushi"
"""The commonest figure has no foot: a bare mark is a Bushi."""


@lru_cache(maxsize=128)
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
            out.append(at(24, 24, 30, look.coloured(foot, INK)))
    if look.has(clan) and foot != PLAIN and look.has(foot):
        fill, ink = (INK, GILT) if foot == "figure/daimyo" else (PAPER, INK)
        out.append(f'<circle cx="41.3" cy="40.3" r="11.3" fill="{fill}" stroke="{rim}" stroke-width="1.6"/>')
        out.append(at(41.3, 40.3, 15.2, look.coloured(foot, ink)))
    side = look.BOX * ROOM
    return look.sheet("".join(out), (-_EDGE, -_EDGE, side, side))


def at(x: float, y: float, size: float, body: str) -> str:
    """A mark's body as large as ``size``, its middle at (x, y)."""
    k = size / look.BOX
    return f'<g transform="translate({x - size / 2:g},{y - size / 2:g}) scale({k:g})">{body}</g>'
