"""The twin: what lies on the table, beside what the app says. The only file where a figure is an individual.

Here: where each tag was last told to be, which pieces still have to be moved (*owed*), and which lie where they should not (*astray*). Not
here: readers, words, files, time (it is told what time it is). Pieces are matched by kind and place: two Bushi swapped is no difference.

Of every kind it keeps two counts by place: ``state``, where the app has its pieces, and ``told``, where the table is known to have
them. What ``state`` has elsewhere than ``told`` is owed. A tag raises ``told`` where it is seen and ``state`` has room; where neither has
room for it, it is astray. A kind of which a piece carries no tag cannot be followed: its pieces are believed to be where the app says.
"""

from __future__ import annotations

import copy
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, Literal, TypeVar, cast

import msgspec
from msgspec import Struct

from companion.rules.game import Kind, Place
from companion.table.figures import Figures, Tag
from companion.table.moves import BOX, RESERVE, Hints, Moved, Placement, by_kind, off_board, paired

TRUST, SINGLE, PLACES, READERS = "trust", "single", "places", "readers"
LAYOUTS: Final = (TRUST, SINGLE, PLACES, READERS)
"""Nothing is owed; one reader and a touched place; place tags; readers that are places."""
READER, TAP, TICK = "reader", "tap", "tick"
"""Who told where a figure is: the reader of a place, a tap with a place, a hand on a button."""
GRACE = 20.0
"""Seconds a lifted figure may be in a hand before it is missed."""
HINTS = 40
"""How many of the newest moves say which figure was meant to go where."""

T = TypeVar("T")
Told = Literal["known", "settled", "agrees", "astray"]


class Sensed(Struct, frozen=True, array_like=True):
    """The last that was told of one tag."""

    place: Place
    """"": lifted from ``left``."""
    left: Place
    """Where it was before, and belonged as far as was known."""
    source: str
    made: int = 0
    """Unix seconds"""


class Astray(Struct, frozen=True):
    """A figure that is where neither the app nor an owed move has it."""

    tag: Tag
    at: Place
    """"": nobody knows; it was lifted from ``left``."""
    left: Place


class Saved(Struct, frozen=True):
    """What survives a restart."""

    told: dict[Kind, dict[Place, int]] = {}
    sensed: dict[str, Sensed] = {}


class Twin:
    """Follows one table. ``stand`` first; then every change of the app and of the table, in order."""

    def __init__(
        self, layout: str = TRUST, figures: Figures | None = None, zones: Collection[Place] = (), saved: Saved | None = None
    ) -> None:
        self.figures = figures or Figures()
        self.layout = layout if len(self.figures) else TRUST
        self.zones = frozenset(zones) if self.layout == READERS else frozenset()
        self._now = 0.0
        self._found: dict[Any, Any] = {}
        """What was worked out since anything changed; a new one with every change, so copies may share it."""
        self._tags = {tag.uid: tag for tag in self.figures.tags() if tag.kind}
        self._count = Counter(tag.kind for tag in self._tags.values())
        kept = saved or Saved()
        self._sensed = {uid: sensed for uid, sensed in kept.sensed.items() if uid in self._tags}  # the newest last
        self._lifted: dict[str, float] = {}
        self._told = {kind: dict(told) for kind, told in kept.told.items() if kind in self._count}
        self._state: dict[Kind, dict[Place, int]] = {}
        self._stands = False
        self._hints: tuple[tuple[Kind, Place, Place], ...] = ()

    @property
    def now(self) -> float:
        """The time, as it was last told."""
        return self._now

    @now.setter
    def now(self, now: float) -> None:
        self._now = now
        if self._lifted:
            self._found = {}

    def saved(self) -> Saved:
        return Saved({kind: told for kind, told in self._told.items() if self._followed(kind)}, self._sensed)

    def copy(self) -> Twin:
        """To see what would be: what a twin keeps is replaced, never changed."""
        return copy.copy(self)

    # The app

    def stand(self, placement: Placement, hints: Hints = ()) -> None:
        """Where the app has its pieces now."""
        if not self._count:
            return
        before, self._state = self._state if self._stands else None, by_kind(placement)
        self._stands = True
        self._hints = (*hints, *self._hints)[:HINTS]
        self._found = {}
        for kind in self._count:
            if before is None or self._state.get(kind) != before.get(kind):
                self._settle(kind)

    # The table

    def sight(self, uid: str, place: Place, source: str, made: int = 0) -> Told:
        """A tag is at a place. ``settled``: so something is done that was to be done; ``agrees``: it may well be; ``known``: nothing new."""
        kind, last = self._tags[uid].kind, self._sensed.get(uid)
        if last is not None and last.place == place:
            self._sense(uid, Sensed(place, last.left, source, made))
            return "astray" if self._is_astray(uid) else "known"
        before, was_astray = len(self.owed()), self._is_astray(uid)
        left = "" if last is None else last.left if was_astray else last.place or last.left
        self._sense(uid, Sensed(place, left, source, made))
        self._settle(kind)
        if source == TAP and len(self.owed()) == before:
            self.made_by(kind, place)  # a hand says so, even where a figure nobody has told of stands there already
        if self._is_astray(uid):
            return "astray"
        return "settled" if was_astray or len(self.owed()) < before else "agrees"

    def _is_astray(self, uid: str) -> bool:
        return any(one.tag.uid == uid for one in self.astray())

    def lift(self, uid: str, place: Place, made: int = 0) -> bool:
        """A tag has left the reader of a place; whether that was news."""
        last = self._sensed.get(uid)
        if uid not in self._tags or place not in self.zones or (last is not None and last.place != place):
            return False  # it was seen elsewhere since
        home = place if last is None or not self._is_astray(uid) else last.left
        if home not in self.zones:
            self._sense(uid, None)  # where it came from, nobody looks
            return True
        self._sense(uid, Sensed("", home, READER, made))
        self._lifted = {**self._lifted, uid: self.now}
        self._found = {}
        self._settle(self._tags[uid].kind)
        return True

    def where(self, uid: str) -> Place | None:
        """The last place it was told to be at, or was lifted from; None: nobody knows."""
        sensed = self._sensed.get(uid)
        return None if sensed is None else sensed.place or sensed.left

    def may_come_from(self, uid: str, place: Place) -> bool:
        """The tag may have been there: it was told so, or nothing is known of it and a piece nobody has told of is there."""
        known = self.where(uid)
        if known is not None:
            return place == known
        kind = self._tags[uid].kind
        return off_board(place) or self._state.get(kind, {}).get(place, 0) > self._seen(kind)[place]

    def made_by(self, kind: Kind, place: Place) -> None:
        """A tapped figure has just come to a place: such a move is not owed, whichever figure of its kind was there before."""
        for moved in self.owed():
            if (moved.kind, moved.to) == (kind, place):
                self._carry(moved)
                return

    def tick(self, moved: Moved, made: int = 0) -> bool:
        """A hand says it has made this move; False: a reader of a place knows better, or no such move is to be made."""
        if moved not in self.to_make() or not self.by_hand(moved):
            return False
        kind = moved.kind
        tags = [one.tag.uid for one in self.astray() if one.tag.kind == kind and one.at == moved.frm]
        if not tags:
            self._carry(moved)
            here = [uid for uid, sensed in self._of(kind) if sensed.place == moved.frm]
            tags = here[: max(0, len(here) - self._told[kind].get(moved.frm, 0))]
        for uid in tags[:1]:
            self._sense(uid, Sensed(moved.to, moved.frm, TICK, made) if moved.to != BOX else None)
        self._settle(kind)
        return True

    def waive(self) -> None:
        """The app stops minding: what it says is believed, and of figures astray nothing is known any more."""
        self._told = {kind: self._state.get(kind, {}) for kind in self._count}
        self._found = {}
        for one in self.astray(patient=False):
            self._sense(one.tag.uid, None)
        self._lifted, self._found = {}, {}

    # What is to be done

    def owed(self) -> tuple[Moved, ...]:
        """Moves the app has made and the table has not."""
        return self._once("owed", lambda: paired(self._changes(lambda kind: self._told.get(kind, {})), self._hints))

    def astray(self, *, patient: bool = True) -> tuple[Astray, ...]:
        """Figures where they should not be. ``patient``: what was lifted a moment ago may be in a hand."""
        if self.layout == TRUST:
            return ()
        return self._once(patient, lambda: tuple(one for kind in sorted(self._count) for one in self._astray(kind, patient=patient)))

    def to_make(self) -> tuple[Moved, ...]:
        """Every move by which hands make the table agree with the app: those owed, and figures astray put right. From BOX: out of the hand."""
        return self._once("work", lambda: paired(self._changes(lambda kind: self._lies(kind, BOX)), self._hints))

    def by_hand(self, moved: Moved) -> bool:
        """A button may say that it is done: no reader would know better."""
        return moved.frm not in self.zones and moved.to not in self.zones

    def adoption(self) -> tuple[Moved, ...]:
        """Moves by which the app would agree with the table; empty: there are none, or it cannot follow."""
        changes = self._changes(lambda kind: self._lies(kind, _reserve(self._state, kind)))
        moves = paired({kind: {place: -n for place, n in change.items()} for kind, change in changes.items()})
        return () if any(BOX in (one.frm, one.to) for one in moves) else moves

    def lying(self) -> dict[Place, tuple[Counter[Kind], Counter[Kind]]]:
        """Place by place where they differ: what lies there as far as is known, and what the app has there."""
        found: dict[Place, tuple[Counter[Kind], Counter[Kind]]] = {}
        for kind, change in self._changes(lambda kind: self._lies(kind, BOX)).items():
            for place in (place for place, n in change.items() if n and place != BOX):
                here, due = found.setdefault(place, (Counter(), Counter()))
                due[kind] = self._state.get(kind, {}).get(place, 0)
                here[kind] = due[kind] - change[place]
        return found

    def follows(self, kind: Kind) -> bool:
        """Every piece of this kind has a tag, so that nothing can happen to it unseen."""
        return self.layout != TRUST and 0 < self._pieces(kind) <= self._count[kind]

    def in_hand(self) -> bool:
        """A figure was lifted a moment ago: look again soon."""
        return any(self.now - at <= GRACE for at in self._lifted.values())

    # Inside: one kind

    def _once(self, what: Any, make: Callable[[], T]) -> T:
        found = self._found
        if what not in found:
            found[what] = make()
        return cast("T", found[what])

    def _changes(self, lies: Callable[[Kind], Mapping[Place, int]]) -> dict[Kind, dict[Place, int]]:
        """What would have to come (or go, below 0) for ``lies`` to be what the app has."""
        changes: dict[Kind, dict[Place, int]] = {}
        for kind in self._count:
            here, state = lies(kind), self._state.get(kind, {})
            if here != state:
                changes[kind] = {place: state.get(place, 0) - here.get(place, 0) for place in sorted({*here, *state})}
        return changes

    def _followed(self, kind: Kind) -> bool:
        return self.layout != TRUST and self._pieces(kind) <= self._count[kind]

    def _pieces(self, kind: Kind) -> int:
        return max(sum(self._state.get(kind, {}).values()), sum(self._told.get(kind, {}).values()))

    def _of(self, kind: Kind) -> list[tuple[str, Sensed]]:
        """What is known of its tags, the newest first."""
        return self._once("sensed", self._sorted).get(kind, [])

    def _sorted(self) -> dict[Kind, list[tuple[str, Sensed]]]:
        found: dict[Kind, list[tuple[str, Sensed]]] = {}
        for uid, sensed in reversed(self._sensed.items()):
            found.setdefault(self._tags[uid].kind, []).append((uid, sensed))
        return found

    def _seen(self, kind: Kind) -> Counter[Place]:
        return Counter(sensed.place for _, sensed in self._of(kind) if sensed.place)

    def _carry(self, moved: Moved) -> None:
        told = dict(self._told[moved.kind])
        _add(told, moved.frm, -1)
        _add(told, moved.to, 1)
        self._told, self._found = {**self._told, moved.kind: told}, {}

    def _sense(self, uid: str, sensed: Sensed | None) -> None:
        """The newest that is known of a tag."""
        self._sensed = {other: known for other, known in self._sensed.items() if other != uid} | ({} if sensed is None else {uid: sensed})
        self._lifted = {other: at for other, at in self._lifted.items() if other != uid}
        self._found = {}

    def _settle(self, kind: Kind) -> None:
        """Raises ``told`` to what tags show, as far as the app has it so."""
        state = self._state.get(kind, {})
        if kind not in self._told or not self._followed(kind):
            self._told, self._found = {**self._told, kind: state}, {}
            return
        seen = self._seen(kind)
        for uid, sensed in self._of(kind):
            place, left, told = sensed.place, sensed.left, self._told[kind]
            if place and seen[place] > told.get(place, 0) < state.get(place, 0):
                self._carry(Moved(kind, self._source(kind, left, seen), place))
            elif not place and told.get(left, 0) > max(state.get(left, 0), seen[left]):
                self._left(uid, sensed)

    def _left(self, uid: str, sensed: Sensed) -> None:
        """A piece that the app has moved on was lifted: it goes where nobody looks, if that is where it was to go."""
        kind = self._tags[uid].kind
        told, state = self._told[kind], self._state.get(kind, {})
        goal = next((place for place in sorted(state) if state[place] > told.get(place, 0)), BOX)
        if goal in self.zones:
            return  # the reader there will say
        self._carry(Moved(kind, sensed.left, goal))
        self._sense(uid, Sensed(goal, sensed.left, READER, sensed.made) if goal != BOX else None)

    def _source(self, kind: Kind, left: Place, seen: Mapping[Place, int]) -> Place:
        """Where the piece came from that has arrived: a place that has one to give."""
        told, state = self._told[kind], self._state.get(kind, {})
        surplus = [place for place in sorted(told) if told[place] > state.get(place, 0)]
        if left in surplus:
            return left
        return next((place for place in surplus if told[place] > seen[place]), surplus[0] if surplus else BOX)

    def _astray(self, kind: Kind, *, patient: bool) -> Iterator[Astray]:
        told, state, seen, tags = self._told[kind], self._state.get(kind, {}), self._seen(kind), self._of(kind)
        for place in sorted(seen):
            more = seen[place] - max(state.get(place, 0), told.get(place, 0))
            here = [(uid, sensed) for uid, sensed in tags if sensed.place == place]
            yield from (Astray(self._tags[uid], place, sensed.left) for uid, sensed in here[: max(0, more)])
        for place in sorted(self.zones):
            gone = self._gone(kind, place, min(state.get(place, 0), told.get(place, 0)) - seen[place])
            yield from (Astray(self._tags[uid], "", place) for uid in gone if not patient or self._overdue(uid))

    def _gone(self, kind: Kind, place: Place, n: int) -> list[str]:
        """Tags that were lifted from a place, at most so many, the newest first."""
        if n <= 0 or not self._followed(kind):
            return []
        return [uid for uid, sensed in self._of(kind) if not sensed.place and sensed.left == place][:n]

    def _overdue(self, uid: str) -> bool:
        """Too long in a hand."""
        return self.now - self._lifted.get(uid, -math.inf) > GRACE

    def _lies(self, kind: Kind, lost: Place) -> Mapping[Place, int]:
        """Where its pieces are believed to be: ``told``, but for those astray; what nobody sees any more is at ``lost``."""
        told, state, seen = self._told.get(kind, {}), self._state.get(kind, {}), self._seen(kind)
        lies = dict(told)
        for place in self.zones:
            for uid in self._gone(kind, place, told.get(place, 0) - seen[place]):
                if self._overdue(uid) or told[place] > state.get(place, 0):
                    _add(lies, place, -1)
                    _add(lies, lost, 1)
        for one in self.astray():
            if one.tag.kind == kind and one.at:
                spare = [place for place in sorted(lies, key=lambda place: (not off_board(place), place)) if lies[place] > seen[place]]
                seen_gone = [place for place in spare if place in self.zones]
                given = [place for place in spare if lies[place] > state.get(place, 0)]
                source = one.left if one.left in spare else (*seen_gone, *given, *spare, BOX)[0]
                _add(lies, source, -1)
                _add(lies, one.at, 1)
        return lies


def _add(places: dict[Place, int], place: Place, n: int) -> None:
    if place != BOX:
        places[place] = places.get(place, 0) + n
        if not places[place]:
            del places[place]


def _reserve(state: Mapping[Kind, Mapping[Place, int]], kind: Kind) -> Place:
    """The reserve a piece of this kind goes to; BOX where the game has none."""
    names = {f"{RESERVE}.{kind.partition('/')[0]}"} & {place for places in state.values() for place in places}
    return min(names, default=BOX)


def encoded(saved: Saved) -> bytes:
    return msgspec.json.encode(saved)


def decoded(blob: bytes | None) -> Saved:
    return Saved() if blob is None else msgspec.json.decode(blob, type=Saved)
