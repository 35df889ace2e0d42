"""Where every figure and Stronghold lies, in the house's words: ``edo``, ``shrine.2``, ``reserve.koi`` and ``koi/bushi``, ``oni_of_skulls``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.rules.game import Kind, Place, Seat
from companion.rules.rising_sun.state import RESERVE, Pieces, State, kind_id

Placement = Mapping[Place, Counter[Kind]]


def placement(s: State) -> Placement:
    return _with({}, s.pieces, {_where(seat, place): place for seat, mine in s.pieces.items() for place in mine})


def renewed(kept: Placement, old: Pieces, new: Pieces) -> Placement:
    """The placement of ``new``, from ``kept``, which is that of ``old`` (the same seats): untouched piles are the same objects."""
    changed: dict[Place, Place] = {}
    for seat, mine in new.items():
        before = old[seat]
        if before is not mine:
            changed |= {_where(seat, place): place for place in {*mine, *before} if before.get(place) is not mine.get(place)}
    return _with(kept, new, changed)


def _with(kept: Placement, pieces: Pieces, changed: Mapping[Place, Place]) -> Placement:
    found = dict(kept)
    for where, place in changed.items():
        pile = _pile(pieces, place, (where.removeprefix(f"{RESERVE}."),) if place == RESERVE else pieces)
        if pile:
            found[where] = pile
        else:
            found.pop(where, None)
    return found


def _pile(pieces: Pieces, place: Place, seats: Iterable[Seat]) -> Counter[Kind]:
    pile: Counter[Kind] = Counter()
    for seat in seats:
        for kind, n in pieces[seat].get(place, {}).items():
            pile[kind_id(seat, kind)] += n
    return pile


def _where(seat: Seat, place: Place) -> Place:
    return f"{RESERVE}.{seat}" if place == RESERVE else place
