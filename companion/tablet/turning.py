"""The way through the leaves of a sheet: two buttons at its lower right. Here: drawing them. Not here: what is on a leaf."""

from __future__ import annotations

from companion.tablet import buttons
from companion.tablet.buttons import Button, Placed
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import Session


def turners(part: Part, pen: Pen, area: Box, row: int, leaves: int) -> float:
    """Buttons to the leaves before and after, at the lower right; returns where they begin."""
    s, m = part.session, pen.m
    x = float(area.right)
    at = min(s.sheet_leaf, leaves - 1)
    note = f"{at + 1} / {leaves}"
    for wid, step, there in (("sheet:next", 1, at < leaves - 1), ("sheet:prev", -1, at > 0)):
        if leaves > 1:
            word = s.speech.say("more" if step > 0 else "back")
            press = (lambda step=step, at=at: _turn(s, at, step)) if there else None
            turn = Button(
                wid, word, press, note if step > 0 else "", "ui/turn" if step > 0 else "ui/undo", question=False, tone="plain" if there else "off"
            )  # fmt: skip
            w = buttons.width(turn, pen.style)
            buttons.paint(part, pen, Placed(turn, x - w, area.bottom - row, w, row))
            x -= w + m.gap
    return x


def _turn(s: Session, at: int, step: int) -> None:
    s.sheet_leaf = at
    s.press_sheet_leaf(step)
