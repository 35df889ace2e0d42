"""The story of a game: the line of play that stands, step by step, as the open table saw it; what every seat had at each step.

Here: reading it from the journal, and looking at one of its steps. Not here: plots, files (``exports``), or anything secret: only open views
and sentences that everybody may read come in.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from companion.rules.game import Counts, Event, Game, Seat, View
from companion.rules.view import Counter, Line, Section, Table, Text
from companion.table.history import standing
from companion.table.listing import SavedGame
from companion.table.nameplates import SEATS, Nameplates
from companion.table.rows import Row
from companion.table.tally import SCORE

KEPT = 64
"""Views that are not made anew when somebody steps to and fro."""

Progress = Callable[[int, int], object]
"""How many steps of how many are read."""


class Source(Protocol):
    """A ``Journal``, or a ``Listing`` of one that another program has open."""

    def game(self, game_id: str) -> SavedGame: ...
    def rows(self, game_id: str, first: int = 0, *, states: bool = True) -> Iterator[Row]: ...


class Moment(Struct, frozen=True):
    """One step: what was done, and how things stood then."""

    revision: int
    made: int
    """Unix seconds."""
    seat: Seat
    said: tuple[Line, ...]
    """What everybody may read of it; empty: it was a secret."""
    title: Text
    subtitle: Text
    counters: Mapping[Seat, Mapping[str, int | None]]
    """seat -> counter (``vp``) -> its value; None: not known."""
    order: tuple[Seat, ...]
    """The seats in the game's order of honor, the highest first."""


class Story:
    """Of one game. ``read`` on any thread; what it has read may be looked at from another."""

    def __init__(self, game: Game[Any, Any], source: Source, game_id: str) -> None:
        self._game, self._source, self.game_id = game, source, game_id
        saved = source.game(game_id)
        self.seats = saved.seats
        self.moments: tuple[Moment, ...] = ()
        self.names: dict[str, Counter] = {}
        """Counters of a seat, the first (what the game is won by) first, as one of them is called and drawn."""
        self._plates = Nameplates(saved.setup)
        self._reading = threading.Lock()
        self._known: dict[int, tuple[Moment, bytes]] = {}
        self._views: OrderedDict[int, View] = OrderedDict()
        self._sources: tuple[Moment, Table] | None = None

    def read(self, progress: Progress = lambda _done, _all: None) -> None:
        """The line as it stands now; what was read before is not read again.

        Raises JournalError; msgspec.MsgspecError where other rules wrote it.
        """
        with self._reading:
            self._read(progress)

    def _read(self, progress: Progress) -> None:
        line = [row.revision for row in standing(self._source.rows(self.game_id, states=False))]
        new = {revision for revision in line if revision not in self._known}
        if new:
            done = 0
            progress(done, len(new))
            for row in self._source.rows(self.game_id, min(new)):
                if row.revision in new:
                    self._known[row.revision] = self._moment(row), zlib.compress(row.state, 1)
                    done += 1
                    progress(done, len(new))
        self.moments = tuple(self._known[revision][0] for revision in line)

    def _moment(self, row: Row) -> Moment:
        view = self._game.view(msgspec.json.decode(row.state, type=self._game.State), None)
        rows = _seats(view)
        events = msgspec.json.decode(row.events, type=tuple[Event, ...])
        said = tuple(Line(event.text, event.clause) for event in events if event.to is None)
        counters = {}
        for section in rows:
            found = {node.id.removeprefix(f"{section.id}."): node for node in section.nodes if isinstance(node, Counter)}
            counters[section.id] = {name: node.value for name, node in found.items()}
            self.names = {**found, **self.names} if set(found) - set(self.names) else self.names
        return Moment(row.revision, row.made, row.seat, said, view.title, view.subtitle, counters, tuple(one.id for one in rows))

    # ------------------------------------------------------------------ looking

    def view(self, index: int) -> View:
        """The open table as it was at a step, without questions: nothing can be played there."""
        moment, state = self._known[self.moments[index].revision]
        found = self._views.pop(moment.revision, None)
        if found is None:
            found = self._game.view(self._state(state), None)
            sections = tuple(map(_unlit, self._plates.on(found.sections)))
            found = msgspec.structs.replace(found, sections=sections, prompts=(), waits=(), log=moment.said)
        self._views[moment.revision] = found
        while len(self._views) > KEPT:
            self._views.popitem(last=False)
        return found

    def _state(self, packed: bytes) -> Any:
        return msgspec.json.decode(zlib.decompress(packed), type=self._game.State)

    def sources(self, index: int) -> Table | None:
        """What every point until a step came from; None: the game counts none."""
        if not isinstance(self._game, Counts):
            return None
        if self._sources is None or self._sources[0] is not self.moments[index]:
            start, now = (self._state(self._known[self.moments[i].revision][1]) for i in (0, index))
            said = ((line.text, line.clause) for one in self.moments[: index + 1] for line in one.said)
            self._sources = self.moments[index], self._game.sources(start, now, said)
        return self._sources[1]

    def score(self) -> Section | None:
        """The game's own counting, at the last step; None: it has none."""
        return score(self.view(len(self.moments) - 1))

    def series(self, counter: str) -> dict[Seat, tuple[int | None, ...]]:
        """How a counter of every seat went; the seats in the order of the last step."""
        return {seat: tuple(one.counters.get(seat, {}).get(counter) for one in self.moments) for seat in self.moments[-1].order}

    def places(self) -> dict[Seat, tuple[int | None, ...]]:
        """Where every seat stood in the order of honor, 1 the highest."""
        return {seat: tuple(_place(one.order, seat) for one in self.moments) for seat in self.moments[-1].order}


def score(view: View) -> Section | None:
    """A game's own counting of its points, where it shows one."""
    return next((section for section in view.sections if section.id == SCORE), None)


def _unlit(section: Section) -> Section:
    """Nobody must act in the past."""
    nodes = tuple(_unlit(node) if isinstance(node, Section) else node for node in section.nodes)
    return msgspec.structs.replace(section, nodes=nodes, lit=False)


def _seats(view: View) -> tuple[Section, ...]:
    section = next((section for section in view.sections if section.id == SEATS), None)
    return tuple(node for node in (section.nodes if section is not None else ()) if isinstance(node, Section))


def _place(order: tuple[Seat, ...], seat: Seat) -> int | None:
    return order.index(seat) + 1 if seat in order else None
