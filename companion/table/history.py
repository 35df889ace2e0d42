"""The history: rows as a tree, and the line of play that stands.

Here: which rows stand, what a seat may take back alone, who must agree to more, what can be redone, and which chance was cancelled and is
owed again. Not here: states (``journal``), words, what a command means. Every row is told to it once, when made or when a game resumes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from companion.rules.game import CHANCE, Event, Seat
from companion.rules.view import Text
from companion.table.journal import Row
from companion.table.moves import Moved

PLAY, CORRECT, UNDO, REDO, NOTE = "play", "correct", "undo", "redo", "note"
"""Sorts of rows: a command of the game, corrections, a state restored, and what changes no state (yes and no, a figure ticked off)."""


class Node(Struct, frozen=True):
    """One row that changed the state."""

    revision: int
    parent: int
    """The row it follows; -1 before the first."""
    seat: Seat
    acted: tuple[Seat, ...] = ()
    """Whose yes it needs to go back beyond it."""
    learned: tuple[Seat, ...] = ()
    """Who learned something by it."""
    sealed: bool = False
    """A secret answer that showed nobody anything while others were asked too."""
    moved: tuple[Moved, ...] = ()
    said: Text | None = None
    """Its first sentence that everybody may read."""


class Undone(Struct, frozen=True):
    """One undo that may be undone."""

    row: int
    to: int
    """Where the game stood before it."""
    kept: tuple[int, ...]
    """Chance that was owed again then."""
    agreed: tuple[Seat, ...]
    """Who undid it, and whose yes that took."""


class History:
    """Stands at one row of the tree: ``at``."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        self.seats = tuple(seats)
        self.at = 0
        self.last = 0
        """The newest row that changed the state, an undo too."""
        self.kept: tuple[int, ...] = ()
        """Rows of chance that an undo cancelled: their commands are given again, in this order."""
        self.undone: tuple[Undone, ...] = ()
        self._nodes: dict[int, Node] = {0: Node(0, -1, "")}
        self._paths: dict[int, tuple[Node, ...]] = {}
        """Worked out since the last row: every seat is offered much the same."""

    # What is told

    def play(self, node: Node, again: int | None = None) -> None:
        """A command or correction follows; ``again``: the cancelled row whose command it gives once more."""
        self._nodes[node.revision] = node
        self.at = self.last = node.revision
        self.kept = tuple(row for row in self.kept if row != again)
        if again is None or node.seat == CHANCE:
            self.undone = ()
        self._anew()

    def undo(self, revision: int, first: int, by: Seat) -> None:
        """The row ``revision`` takes back everything from ``first`` on."""
        path = self.path(first)
        agreed = (by, *self.needed(by, first))
        self.undone = (*self.undone, Undone(revision, self.at, self.kept, agreed))
        self.kept = (*(node.revision for node in path if node.seat == CHANCE), *self.kept)
        self.at, self.last = path[0].parent, revision
        self._anew()

    def redo(self, revision: int) -> None:
        """The row ``revision`` restores what the newest undo took back."""
        undone = self.undone[-1]
        self.undone = self.undone[:-1]
        self.at, self.kept, self.last = undone.to, undone.kept, revision
        self._anew()

    def _anew(self) -> None:
        self._paths = {}

    # What is asked

    def upwards(self) -> Iterator[Node]:
        """The rows that stand, newest first, without the start."""
        node = self._nodes[self.at]
        while node.parent >= 0:
            yield node
            node = self._nodes[node.parent]

    def path(self, first: int) -> tuple[Node, ...]:
        """From ``first`` to where the game stands; empty where ``first`` does not stand."""
        if first not in self._paths:
            self._paths[first] = self._path(first)
        return self._paths[first]

    def _path(self, first: int) -> tuple[Node, ...]:
        found: list[Node] = []
        for node in self.upwards():
            found.append(node)
            if node.revision == first:
                return tuple(reversed(found))
            if node.revision < first:
                break
        return ()

    def reach(self, by: Seat) -> Iterator[tuple[Node, tuple[Seat, ...], bool]]:
        """Every row that stands, newest first, with whose yes it takes to go back beyond it, in the order they sit, and whether nobody's: what
        a seat may take back alone.
        """
        whose: set[Seat] = set()
        taught, alone = False, True
        for node in self.upwards():
            if not node.sealed:
                whose.update(node.acted, node.learned)
                taught = taught or by in node.learned
            free = alone and node.seat == by and not node.learned and by_itself(node.acted, by)
            alone = free or (alone and node.sealed and node.seat != by)
            # who has learned something cannot allow it to itself
            asked = self.seats if taught or by_itself(whose, by) else whose
            yield node, () if free else tuple(seat for seat in self.seats if seat in asked and seat != by), free

    def needed(self, by: Seat, first: int) -> tuple[Seat, ...]:
        """Whose yes it takes to take back everything from ``first`` on; everybody's, where it does not stand."""
        everybody = tuple(seat for seat in self.seats if seat != by)
        return next((needed for node, needed, _ in self.reach(by) if node.revision == first), everybody)

    def redoable(self, by: Seat) -> tuple[Undone, tuple[Seat, ...]] | None:
        """The newest undo, and whose yes it takes to undo that."""
        if not self.undone:
            return None
        undone = self.undone[-1]
        return undone, tuple(seat for seat in self.seats if seat in undone.agreed and seat != by)

    def undone_path(self) -> tuple[Node, ...]:
        """The rows that the newest undo took back."""
        standing = {0, *(node.revision for node in self.upwards())}
        path = [self._nodes[self.undone[-1].to]]
        while path[-1].parent not in standing:
            path.append(self._nodes[path[-1].parent])
        return tuple(reversed(path))


def by_itself(seats: Collection[Seat], by: Seat) -> bool:
    """No other seat is among them."""
    return not seats or (len(seats) == 1 and by in seats)


def learners(events: Iterable[Event], seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """Who learned something they did not know."""
    shown = [event for event in events if event.reveals]
    if not shown:
        return ()
    if any(event.to is None for event in shown):
        return tuple(seats)
    return tuple(seat for seat in seats if any(seat in (event.to or ()) for event in shown))


def public(events: Iterable[Event]) -> Text | None:
    """The first sentence everybody may read."""
    return next((event.text for event in events if event.to is None), None)


def standing(rows: Iterable[Row]) -> list[Row]:
    """Of all rows of a game, in order, those of the line of play that stands; the start first."""
    by_revision: dict[int, Row] = {}
    parents: dict[int, int] = {}
    at = 0
    for row in rows:
        if row.sort in {UNDO, REDO}:
            assert row.base is not None
            at = row.base
        elif row.sort != NOTE:
            by_revision[row.revision], parents[row.revision] = row, at if row.revision else -1
            at = row.revision
    line: list[Row] = []
    while at >= 0:
        line.append(by_revision[at])
        at = parents[at]
    return line[::-1]


def moved_of(row: Row) -> tuple[Moved, ...]:
    return msgspec.json.decode(row.moved, type=tuple[Moved, ...])
