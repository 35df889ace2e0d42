"""Moves of pieces, as the difference of two placements.

Here: which pieces went where, as a multiset match. Not here: individuals (``twin``), rules, words. The place "" is the box: pieces that
are in no placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from companion.rules.game import Kind, Place

BOX: Place = ""
RESERVE: Place = "reserve"
"""So a game calls its reserves: ``reserve``, ``reserve.koi``."""

Counts = Mapping[Place, int]
Placement = Mapping[Place, Mapping[Kind, int]]
_NOTHING: Final[Mapping[Kind, int]] = {}
Hints = Iterable[tuple[Kind, Place, Place]]
"""(kind, from, to): how hands would do it, where several ways lead to the same placement."""


class Moved(Struct, frozen=True, array_like=True, order=True):
    """One piece of a kind that went from a place to a place."""

    kind: Kind
    frm: Place
    to: Place


def difference(before: Placement, after: Placement, hints: Hints = ()) -> tuple[Moved, ...]:
    """The fewest moves that make ``after`` of ``before``; in an order of their own, the same every time."""
    if before is after:
        return ()
    changes: dict[Kind, dict[Place, int]] = {}
    for place, now in after.items():
        was = before.get(place, _NOTHING)
        if was is not now and not _same(was, now):
            _count(changes, place, was, now)
    for place, was in before.items():
        if place not in after:
            _count(changes, place, was, _NOTHING)
    return paired(changes, hints)


def _count(changes: dict[Kind, dict[Place, int]], place: Place, was: Mapping[Kind, int], now: Mapping[Kind, int]) -> None:
    for kind in {*was, *now}:
        change = now.get(kind, 0) - was.get(kind, 0)
        if change:
            changes.setdefault(kind, {})[place] = change


def net(moved: Iterable[Moved], hints: Hints = ()) -> tuple[Moved, ...]:
    """What is left of several moves one after the other."""
    return paired(_changes(moved, 1), hints)


def back(moved: Sequence[Moved]) -> tuple[Moved, ...]:
    """The moves that undo these."""
    return paired(_changes(moved, -1), ((one.kind, one.to, one.frm) for one in reversed(moved)))


def _changes(moved: Iterable[Moved], way: int) -> dict[Kind, dict[Place, int]]:
    changes: dict[Kind, dict[Place, int]] = {}
    for one in moved:
        change = changes.setdefault(one.kind, {})
        change[one.frm] = change.get(one.frm, 0) - way
        change[one.to] = change.get(one.to, 0) + way
    return changes


def paired(changes: Mapping[Kind, Mapping[Place, int]], hints: Hints = ()) -> tuple[Moved, ...]:
    """Joins every place that lost pieces of a kind with one that gained some; what has no partner came from, or went into, the box."""
    found: list[Moved] = []
    hinted: tuple[tuple[Kind, Place, Place], ...] | None = None
    for kind in sorted(changes):
        change = changes[kind]
        if len(change) == 2 and -1 in change.values() and 1 in change.values():  # almost always: one piece went from here to there
            frm, to = change
            found.append(Moved(kind, frm, to) if change[frm] < 0 else Moved(kind, to, frm))
            continue
        lost = {place: -n for place, n in change.items() if n < 0 and place != BOX}
        won = {place: n for place, n in change.items() if n > 0 and place != BOX}
        if len(lost) > 1 or len(won) > 1:
            hinted = tuple(hints) if hinted is None else hinted  # looked for only where there is a doubt
        found.extend(
            Moved(kind, frm, to)
            for what, frm, to in hinted or ()
            if what == kind and lost.get(frm) and won.get(to) and _take(lost, frm, won, to)
        )
        gone = [place for place in sorted(lost) for _ in range(lost[place])]
        come = [place for place in sorted(won) for _ in range(won[place])]
        more = max(len(gone), len(come))
        gone += [BOX] * (more - len(gone))
        come += [BOX] * (more - len(come))
        found.extend(Moved(kind, frm, to) for frm, to in zip(gone, come, strict=True))
    return tuple(found)


def add(places: dict[Place, int], place: Place, n: int) -> None:
    """Changes a count by place; the box has none."""
    if place != BOX:
        places[place] = places.get(place, 0) + n
        if not places[place]:
            del places[place]


def shifted(places: Counts, frm: Place, to: Place) -> Counts:
    """A count by place after one piece has gone from a place to a place."""
    new = dict(places)
    add(new, frm, -1)
    add(new, to, 1)
    return new


def off_board(place: Place) -> bool:
    return place == BOX or place.partition(".")[0] == RESERVE


def by_kind(placement: Placement) -> dict[Kind, dict[Place, int]]:
    """The same, kind by kind."""
    found: dict[Kind, dict[Place, int]] = {}
    for place, pile in placement.items():
        for kind, n in pile.items():
            if n:
                found.setdefault(kind, {})[place] = n
    return found


_same: Callable[[Any, Any], bool] = dict.__eq__
"""Counters compare slowly; one that holds noughts is looked at closer."""


def _take(lost: dict[Place, int], frm: Place, won: dict[Place, int], to: Place) -> bool:
    lost[frm] -= 1
    won[to] -= 1
    return True
