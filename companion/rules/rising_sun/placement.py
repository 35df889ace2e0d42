"""Where every figure and Stronghold lies, in the house's words: ``edo``, ``shrine.2``, ``reserve.koi`` and ``koi/bushi``, ``oni_of_skulls``."""

from __future__ import annotations

from collections import Counter

from companion.rules.game import Kind, Place
from companion.rules.rising_sun.state import RESERVE, State, kind_id


def placement(s: State) -> dict[Place, Counter[Kind]]:
    found: dict[Place, Counter[Kind]] = {}
    for seat, mine in s.pieces.items():
        for place, here in mine.items():
            where = f"{RESERVE}.{seat}" if place == RESERVE else place
            pile = found.setdefault(where, Counter())
            for kind, n in here.items():
                pile[kind_id(seat, kind)] += n
    return {where: pile for where, pile in found.items() if pile}
