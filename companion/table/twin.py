"""The twin: what lies on the table, beside what the app says. The only file where a figure is an individual.

Here: where each tag was last told to be, which pieces still have to be moved (*owed*), and which lie where they should not (*astray*). Not
here: readers, words, files, time (it is told what time it is). Pieces are matched by kind and place: two Bushi swapped is no difference.

Of every kind there are three counts by place:

* ``state``: where the app has its pieces;
* ``told``: where hands are excused to have them. What ``state`` has elsewhere is owed, because the app moved on;
* ``lies``: where they are, for all that is known. What ``told`` has elsewhere is astray, because hands moved on.

``lies`` is made of tags whose place was told and of pieces nobody has told of yet (``anon``), which are believed to be where the app had
them. A hand's move that makes the table more like the app moves ``told`` too. A kind of which some piece carries no tag cannot be followed:
nothing of it is owed, and only a tag where the app has none is astray.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any, Literal, TypeVar, cast

from companion.rules.game import Kind, Place
from companion.table.figures import Figures
from companion.table.moves import BOX, RESERVE, Counts, Hints, Moved, Placement, add, by_kind, off_board, paired, shifted
from companion.table.sensed import Astray, Saved, Sensed

TRUST, SINGLE, PLACES, READERS = "trust", "single", "places", "readers"
"""Layouts: nothing is owed; one reader and a touched place; place tags; readers that are places."""
READER, TAP, TICK = "reader", "tap", "tick"
"""Who told where a figure is: the reader of a place, a tap with a place, a hand on a button."""
GRACE = 20.0
"""Seconds a lifted figure may be in a hand before it is missed."""
HINTS = 40
"""How many of the newest moves say which figure was meant to go where."""

T = TypeVar("T")
Told = Literal["known", "settled", "agrees", "astray"]


class Twin:
    """Follows one table. ``stand`` first; then every change of the app and of the table, in order.

    What it keeps is replaced, never changed: a plain ``copy`` shows what would be.
    """

    def __init__(
        self, layout: str = TRUST, figures: Figures | None = None, zones: Collection[Place] = (), saved: Saved | None = None
    ) -> None:
        self.figures = figures or Figures()
        self.layout = layout if len(self.figures) else TRUST
        self.zones = frozenset(zones) if self.layout == READERS else frozenset()
        self.news = False
        """Something became known because the app moved on, and it is not saved."""
        self._now = 0.0
        self._tags = {tag.uid: tag for tag in self.figures.tags() if tag.kind}
        self._count = Counter(tag.kind for tag in self._tags.values())
        kept = saved or Saved()
        self._sensed = {uid: sensed for uid, sensed in kept.sensed.items() if uid in self._tags}  # the newest last
        self._lifted: dict[str, float] = {}
        self._told: dict[Kind, Counts] = {kind: told for kind, told in kept.told.items() if kind in self._count}
        self.anon: dict[Kind, Counts] = {kind: kept.anon.get(kind, {}) for kind in self._told}
        self._state: dict[Kind, dict[Place, int]] | None = None
        self._hints: tuple[tuple[Kind, Place, Place], ...] = ()
        self._found: dict[Any, Any] = {}
        """What was worked out since anything changed; a new one with every change, so copies may share it."""

    def look(self, now: float) -> None:
        """The time is told."""
        self._now = now
        if self._lifted:
            self._found = {}

    def saved(self) -> Saved:
        """From now on there are no news."""
        self.news = False
        kinds = [kind for kind in self._told if self._followed(kind)]
        return Saved({kind: self._told[kind] for kind in kinds}, {kind: self.anon[kind] for kind in kinds}, self._sensed)

    # The app

    def stand(self, placement: Placement, hints: Hints = ()) -> None:
        """Where the app has its pieces now."""
        if not self._count:
            return
        before, self._state = self._state, by_kind(placement)
        self._hints = (*hints, *self._hints)[:HINTS]
        self._found = {}
        for kind in self._count:
            if before is None or self._app(kind) != before.get(kind, {}):
                self._moved_on(kind)

    # The table

    def sight(self, uid: str, place: Place, source: str, made: int = 0) -> Told:
        """A tag is at a place. ``settled``: so something is done that was to be done; ``agrees``: it may well be; ``known``: nothing new."""
        kind, last = self._tags[uid].kind, self._sensed.get(uid)
        work, was_astray = len(self.to_make()), self._is_astray(uid)
        if last is not None and last.place == place:
            self._sense(uid, Sensed(place, last.left, source, made))
            return "astray" if was_astray else "known"
        if last is None:
            left = self._unknown_from(kind, place, source)
            self._shift(kind, left, BOX)
        else:
            left = last.left if was_astray or not last.place else last.place
        self._sense(uid, Sensed(place, left, source, made))
        self._settle(kind)
        if self._is_astray(uid):
            return "astray"
        return "settled" if was_astray or len(self.to_make()) < work else "agrees"

    def lift(self, uid: str, place: Place, made: int = 0) -> bool:
        """A tag has left the reader of a place; whether that was news."""
        last = self._sensed.get(uid)
        if uid not in self._tags or place not in self.zones or last is None or last.place != place:
            return False  # it was seen elsewhere since, or never here
        kind, home = self._tags[uid].kind, place
        astray = next((one for one in self.astray() if one.tag.kind == kind and one.at == place), None)
        if astray is not None:  # whichever of its kind was taken away: one too many was there
            home, other = astray.left, self._sensed[astray.tag.uid]
            self._sense(astray.tag.uid, Sensed(place, last.left, other.source, other.made))
        if not self._followed(kind) or home not in self.zones:
            self._sense(uid, Sensed(home, place, READER, made) if home != BOX else None)  # where it came from, nobody looks
        else:
            self._sense(uid, Sensed("", home, READER, made))
            self._lifted = {**self._lifted, uid: self._now}
        self._settle(kind)
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
        return off_board(place) or self._app(kind).get(place, 0) > self._seen(kind)[place]

    def made_by(self, kind: Kind, place: Place) -> None:
        """A tapped figure has just come to a place: such a move is not owed, whichever figure of its kind was there before."""
        for moved in self.to_make():
            if (moved.kind, moved.to) == (kind, place) and (moved.frm == BOX or self.anon[kind].get(moved.frm)):
                self._shift(kind, moved.frm, place)
                self._settle(kind)
                return

    def came_from(self, uid: str, place: Place) -> None:
        """A figure that was told of for the first time has just made a move from here: where it was before need not be guessed."""
        kind, sensed = self._tags[uid].kind, self._sensed.get(uid)
        if sensed is not None and self.anon[kind].get(place) and Moved(kind, place, sensed.left) in self.to_make():
            self._shift(kind, place, sensed.left)
            self._sense(uid, Sensed(sensed.place, place, sensed.source, sensed.made))
            self._settle(kind)

    def tick(self, moved: Moved, made: int = 0) -> bool:
        """A hand says it has made this move; False: a reader of a place knows better, or no such move is to be made."""
        if moved not in self.to_make() or not self.by_hand(moved):
            return False
        kind, frm, to = moved.kind, moved.frm, moved.to
        known = [uid for uid, sensed in self._of(kind) if sensed.place == frm]  # the newest first; in a hand: place "", as BOX
        if known and (self._is_astray(known[0]) or not self.anon[kind].get(frm)):
            self._sense(known[0], Sensed(to, frm, TICK, made) if to != BOX else None)
        else:
            self._shift(kind, frm, to)
        self._settle(kind)
        return True

    def waive(self) -> None:
        """The app stops minding: what it says is believed, and of figures that lie elsewhere nothing is known any more."""
        for kind in self._count:
            self._believe(kind, self._of(kind))

    # What is to be done

    def owed(self) -> tuple[Moved, ...]:
        """Moves the app has made and hands have not."""
        return self._once("owed", lambda: paired(self._changes(lambda kind: self._told[kind], self._app), self._hints))

    def astray(self) -> tuple[Astray, ...]:
        """Figures where they should not be; what was lifted a moment ago may be in a hand."""
        return self._once("astray", lambda: tuple(one for kind in sorted(self._count) for one in self._astray(kind)))

    def to_make(self) -> tuple[Moved, ...]:
        """Every move by which hands make the table agree with the app: those owed, and figures astray put right. From BOX: out of the hand."""
        return self._once("work", lambda: paired(self._changes(self._lies, self._app), self._hints))

    def by_hand(self, moved: Moved) -> bool:
        """A button may say that it is done: no reader would know better."""
        return moved.frm not in self.zones and moved.to not in self.zones

    def adoption(self) -> tuple[Moved, ...]:
        """Moves by which the app would agree with the table; empty: there are none, or it cannot follow."""
        moves = paired(self._changes(self._app, lambda kind: self._lies(kind, self._reserve(kind))))
        return () if any(BOX in (one.frm, one.to) for one in moves) else moves

    def lying(self) -> dict[Place, tuple[Counter[Kind], Counter[Kind]]]:
        """Place by place where they differ: what lies there as far as is known, and what the app has there."""
        found: dict[Place, tuple[Counter[Kind], Counter[Kind]]] = {}
        for kind, change in self._changes(self._lies, self._app).items():
            for place in (place for place, n in change.items() if n):
                here, due = found.setdefault(place, (Counter(), Counter()))
                here[kind], due[kind] = self._lies(kind).get(place, 0), self._app(kind).get(place, 0)
        return found

    def follows(self, kind: Kind) -> bool:
        """Every piece of this kind has a tag, so that nothing can happen to it unseen."""
        return self._pieces(kind) > 0 and self._followed(kind)

    def in_hand(self) -> bool:
        """A figure was lifted a moment ago: look again soon."""
        return any(self._now - at <= GRACE for at in self._lifted.values())

    # Inside: one kind

    def _once(self, what: Any, make: Callable[[], T]) -> T:
        found = self._found
        if what not in found:
            found[what] = make()
        return cast("T", found[what])

    def _app(self, kind: Kind) -> Counts:
        return (self._state or {}).get(kind, {})

    def _changes(self, one: Callable[[Kind], Counts], other: Callable[[Kind], Counts]) -> dict[Kind, dict[Place, int]]:
        """What would have to come (or go, below 0) for the one to be the other."""
        changes: dict[Kind, dict[Place, int]] = {}
        for kind in self._count:
            was, now = one(kind), other(kind)
            if was != now:
                changes[kind] = {place: now.get(place, 0) - was.get(place, 0) for place in sorted({*was, *now})}
        return changes

    def _pieces(self, kind: Kind) -> int:
        return max(sum(self._app(kind).values()), sum(self._told.get(kind, {}).values()))

    def _followed(self, kind: Kind) -> bool:
        return self.layout != TRUST and self._pieces(kind) <= self._count[kind]

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

    def _lies(self, kind: Kind, lost: Place = BOX) -> Counts:
        """Where its pieces are believed to be; what is too long in a hand is at ``lost``."""
        return self._once(("lies", kind, lost), lambda: self._counted(kind, lost))

    def _counted(self, kind: Kind, lost: Place) -> Counts:
        if self.layout == TRUST:
            return self._app(kind)
        lies = dict(self.anon[kind])
        for uid, sensed in self._of(kind):
            add(lies, sensed.place or (lost if self._overdue(uid) else sensed.left), 1)
        return lies

    def _overdue(self, uid: str) -> bool:
        """Too long in a hand."""
        return self._now - self._lifted.get(uid, -math.inf) > GRACE

    def _is_astray(self, uid: str) -> bool:
        return any(one.tag.uid == uid for one in self.astray())

    def _astray(self, kind: Kind) -> Iterable[Astray]:
        lies, told = self._lies(kind), self._told[kind]
        for place in sorted({*lies, *told}):
            more = lies.get(place, 0) - told.get(place, 0)
            for uid, sensed in [(uid, one) for uid, one in self._of(kind) if one.place == place][: max(0, more)]:
                yield Astray(self._tags[uid], place, sensed.left)
            gone = [uid for uid, one in self._of(kind) if not one.place and one.left == place and self._overdue(uid)]
            for uid in gone[: max(0, -more)]:
                yield Astray(self._tags[uid], "", place)

    def _sense(self, uid: str, sensed: Sensed | None) -> None:
        """The newest that is known of a tag."""
        self._sensed = {other: known for other, known in self._sensed.items() if other != uid} | ({} if sensed is None else {uid: sensed})
        self._lifted = {other: at for other, at in self._lifted.items() if other != uid}
        self._found = {}

    def _shift(self, kind: Kind, frm: Place, to: Place) -> None:
        """A piece nobody has told of goes from a place to a place."""
        self.anon = {**self.anon, kind: shifted(self.anon[kind], frm, to)}
        self._found = {}

    def _unknown_from(self, kind: Kind, place: Place, source: str) -> Place:
        """Where the piece was that is told of for the first time, and now lies at ``place``: where a move was to be made from, else right
        there, else where nobody looks.
        """
        anon = self.anon[kind]
        owed = [one.frm for one in self.to_make() if (one.kind, one.to) == (kind, place) and (one.frm == BOX or anon.get(one.frm))]
        if owed and (source == TAP or not anon.get(place)):
            return owed[0]
        if anon.get(place):
            return place
        return min(anon, key=lambda one: (not off_board(one), one in self.zones, one), default=BOX)

    def _moved_on(self, kind: Kind) -> None:
        """The app has moved pieces of this kind."""
        if kind not in self._told or not self._followed(kind):
            astray = [one.tag.uid for one in self._astray(kind)] if kind in self._told else []
            self._believe(kind, [(uid, one) for uid, one in self._of(kind) if uid not in astray])
            for uid in astray:
                known = self._sensed[uid]
                place = known.place if self.anon[kind].get(known.place) else self._unknown_from(kind, known.left, READER)
                self._shift(kind, place, BOX)
            return
        self._settle(kind)

    def _believe(self, kind: Kind, tags: Iterable[tuple[str, Sensed]]) -> None:
        """All of it lies where the app has it; of these tags, those that cannot are forgotten."""
        left = dict(self._app(kind))
        for uid, sensed in tags:
            if left.get(sensed.place):
                add(left, sensed.place, -1)
            else:
                self._sense(uid, None)
        self._told, self.anon = {**self._told, kind: self._app(kind)}, {**self.anon, kind: left}
        self._found = {}

    def _settle(self, kind: Kind) -> None:
        """What hands have done that the app wants is excused."""
        state = self._app(kind)
        for uid, sensed in self._of(kind):
            if not sensed.place:
                self._put_away(uid, sensed)
        lies = self._lies(kind)
        for place in sorted(lies):
            while lies[place] > self._told[kind].get(place, 0) < state.get(place, 0):
                self._carry(kind, self._emptied(kind), place)
        for place in sorted(self._told[kind]):
            while self._told[kind].get(place, 0) > max(lies.get(place, 0), state.get(place, 0)) and self._fewer(kind):
                self._carry(kind, place, BOX)

    def _put_away(self, uid: str, sensed: Sensed) -> None:
        """A lifted figure that is not missed where it was went where nobody looks, if one is to be there."""
        kind = self._tags[uid].kind
        state, told = self._app(kind), self._told[kind]
        lies = Counter(self.anon[kind]) + self._seen(kind)
        if lies[sensed.left] < min(told.get(sensed.left, 0), state.get(sensed.left, 0)):
            return
        lacking = sorted((place for place in state if state[place] > lies[place]), key=lambda place: (place in self.zones, place))
        if not lacking or lacking[0] not in self.zones:
            self.news = True
            self._sense(uid, Sensed(lacking[0], sensed.left, READER, sensed.made) if lacking else None)

    def _fewer(self, kind: Kind) -> bool:
        """Hands have taken a piece off the board, and the app too."""
        told = sum(self._told[kind].values())
        return told > max(sum(self._lies(kind).values()), sum(self._app(kind).values()))

    def _emptied(self, kind: Kind) -> Place:
        """A place that hands have taken a piece from: one where the app has it no more, if there is one."""
        lies, told, state = self._lies(kind), self._told[kind], self._app(kind)
        places = [place for place in sorted(told) if told[place] > lies.get(place, 0)]
        return min(places, key=lambda place: (told[place] <= state.get(place, 0), place), default=BOX)

    def _carry(self, kind: Kind, frm: Place, to: Place) -> None:
        self._told = {**self._told, kind: shifted(self._told[kind], frm, to)}
        self._found = {}

    def _reserve(self, kind: Kind) -> Place:
        """The reserve a piece of this kind goes to; BOX where the game has none."""
        name = f"{RESERVE}.{kind.partition('/')[0]}"
        return name if any(name in places for places in (self._state or {}).values()) else BOX
