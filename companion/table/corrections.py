"""Corrections as lines of a record: ``table correct koi coins 3``, ``table correct move koi bushi edo kyoto``.

Here: the words. Not here: what a correction does (``Game.correct``), or who must agree to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.rules.game import TABLE, Correction, GiveCard, MovePiece, NotationError, SetCounter, SetStep

HEAD = (TABLE, "correct")
NOBODY = "-"
"""In place of a seat: the piece says whose it is, or it is nobody's."""
KINDS = (MovePiece, SetCounter, GiveCard, SetStep)


def is_correction(words: Sequence[str]) -> bool:
    return tuple(words[:2]) == HEAD


def say(correction: Correction) -> str:
    """One line; ``hear(say(x).split())`` is ``x``."""
    match correction:
        case MovePiece(seat, kind, frm, to):
            rest: tuple[object, ...] = ("move", seat or NOBODY, kind, frm, to)
        case SetCounter(seat, counter, value):
            rest = (seat, counter, value)
        case GiveCard(seat, card):
            rest = ("card", seat or "display", card)
        case _:
            rest = ("step", correction.step)
    return " ".join(str(word) for word in (*HEAD, *rest))


def hear(words: Sequence[str]) -> Correction:
    """Raises NotationError."""
    what = words[2] if len(words) > 2 else ""
    if what == "move":
        _long(words, "move, a seat, a figure, from where, to where", 7)
        return MovePiece("" if words[3] == NOBODY else words[3], *words[4:])
    if what == "card":
        _long(words, "card, a seat (or display), a card", 5)
        return GiveCard("" if words[3] == "display" else words[3], words[4])
    if what == "step":
        if len(words) == 3:
            raise NotationError(3, "a step, like mandate 4")
        return SetStep(" ".join(words[3:]))
    _long(words, "a seat, a counter and its value, or move, card, step", 5)
    if not re.fullmatch(r"-?[0-9]{1,6}", words[4]):
        raise NotationError(4, "a number")
    return SetCounter(what, words[3], int(words[4]))


def _long(words: Sequence[str], expected: str, length: int) -> None:
    if len(words) != length:
        raise NotationError(min(len(words), length), expected)
