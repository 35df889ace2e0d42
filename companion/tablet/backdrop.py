"""What lies behind every page that is no board: paper, with the folds of the camp's curtain just to be seen."""

from __future__ import annotations

from companion.look import marks as look
from companion.tablet import marks
from companion.tablet.pen import Pen
from companion.tablet.theme import mixed

FOLD = 256


def paint(pen: Pen, w: int, h: int) -> None:
    """Fills the whole part."""
    pen.rect(0, 0, w, h, "paper")
    paper, shade = pen.style.hex("paper"), pen.style.hex("sunk" if pen.style.theme.dark else "ink")
    deep = 9 if pen.style.theme.dark else 1
    stops = "".join(
        f'<stop offset="{at}" stop-color="{mixed(paper, shade, alpha * deep)}"/>'
        for at, alpha in ((0, 0.055), (0.1, 0.012), (0.47, 0), (0.93, 0.02), (1, 0.045))
    )
    body = f'<defs><linearGradient id="f" x1="0" x2="1" y1="0" y2="0">{stops}</linearGradient></defs><rect width="256" height="8" fill="url(#f)"/>'
    fold = pen.m.px(FOLD)
    texture = marks.svg(look.sheet(body, (0, 0, FOLD, 8)), fold, 8)
    for i in range(w // fold + 1):
        pen.image(texture, i * fold, 0, fold, h)
