"""The steward: judges what people say to the table itself, and knows when the game must wait for hands.

Here: taking back with barriers and consent, agreeing, ticking off, setting right, and the question whether table and app agree. Not here:
writing anything down (``referee``), how it is asked and shown (``house``), where figures are (``twin``), any rule of a game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import (
    CHANCE,
    TABLE,
    Correction,
    Event,
    Game,
    Kind,
    MovePiece,
    Prompt,
    Refusal,
    Seat,
    SetCounter,
)
from companion.rules.view import Text
from companion.table import commands as say
from companion.table.consent import Consent, Request
from companion.table.history import CORRECT, NOTE, PLAY, REDO, UNDO, History, Node, learners, moved_of, public
from companion.table.journal import Row
from companion.table.levels import Levels, event, sentence
from companion.table.moves import Moved, Placement, back, difference
from companion.table.naming import Names
from companion.table.sentences import brings_back, some, takes_back
from companion.table.setup import LEVELS, STRICT
from companion.table.twin import TRUST, Twin

FAR = 60
"""How many rows back it is looked for who moved a kind of figure."""


class Entry(Struct, frozen=True):
    """One row, as far as the steward needs it. ``command`` only where it is the table's own."""

    revision: int
    seat: Seat
    sort: str
    events: tuple[Event, ...]
    command: Any = None
    base: int | None = None
    sealed: bool = False
    moved: tuple[Moved, ...] = ()

    @classmethod
    def of(cls, row: Row) -> Entry:
        """Of a row read from the journal, with or without its state."""
        events = msgspec.json.decode(row.events, type=tuple[Event, ...])
        command = say.DECODER.decode(row.command) if row.sort in {NOTE, UNDO, REDO, CORRECT} else None
        return cls(row.revision, row.seat, row.sort, events, command, row.base, row.sealed, moved_of(row))


class Deed(Struct, frozen=True):
    """What an accepted command of the table comes to; the referee writes it down."""

    sort: str
    events: tuple[Event, ...] = ()
    base: int | None = None
    """undo, redo: the row whose state stands again"""
    state: Any = None
    """correct: the state after it"""
    asked: tuple[Seat, ...] = ()
    """Who has a question to answer now."""
    moved: tuple[Moved, ...] = ()
    """undo, redo: how the pieces go back"""
    twin: Twin | None = None
    """What is known of the figures after it, where that changes."""
    command: Any = None
    """What is written down in the order's place, where the table adds something to it."""


class Steward:
    """One table's. ``take`` every row in order, then ``stand`` where the game stands."""

    def __init__(self, game: Game[Any, Any], seats: Sequence[Seat], clock: Callable[[], int] = lambda: 0, level: str = STRICT) -> None:
        """``clock``: Unix seconds, for what is told of figures."""
        self._clock = clock
        self.seats = tuple(seats)
        self.history = History(seats)
        self.twin = Twin()
        self.consent = Consent()
        self.levels = Levels(game, seats, level)
        self._mend: say.Mend | None = None
        self._game = game
        self._restored = False
        self._prompts: Sequence[Prompt[Any]] = ()
        self._placement: Placement = {}

    # What is told

    def take(self, entry: Entry) -> None:
        """A row was written, or read again."""
        if entry.sort == NOTE:
            self._noted(entry)
            return
        given_again = entry.base is not None and entry.sort == PLAY
        self.consent.go_on(entry.seat, entry.command, again=given_again)
        self._mend = say.Mend(TABLE) if self._mend is not None and entry.sort == CORRECT else None
        if entry.sort == UNDO:
            self.history.undo(entry.revision, entry.command.first, entry.seat)
        elif entry.sort == REDO:
            self.history.redo(entry.revision)
        else:
            acted = self._acted(entry.command) if entry.sort == CORRECT else self.seats
            node = Node(
                entry.revision,
                self.history.at,
                entry.seat,
                (entry.seat,) if entry.seat in self.seats else acted,
                learners(entry.events, self.seats),
                entry.sealed,
                entry.moved,
                public(entry.events),
            )
            self.history.play(node, entry.base)
        self._restored = entry.sort in {UNDO, REDO} or (self._restored and given_again and entry.seat != CHANCE)

    def _noted(self, entry: Entry) -> None:
        command = entry.command
        match command:
            case say.Undo() | say.Redo() | say.Correct() | say.Adopt():
                what = entry.events[0].text.args["what"]
                assert isinstance(what, Text)
                self.consent.ask(Request(entry.revision, entry.seat, command, what, self._needed(entry.seat, command)))
            case say.Agree(seat, _, absent):
                self.consent.agree(absent or seat)
            case say.Object():
                self.consent.object()
            case say.Mend():
                self._mend = command if command.begin else None
            case say.Level():
                self.levels.level = command.level

    def stand(self, placement: Placement, prompts: Sequence[Prompt[Any]]) -> None:
        """Where the game stands; the twin was told when it was made (``Hands.after``)."""
        self.levels.forget()
        self._placement, self._prompts = placement, prompts

    def know(self, twin: Twin) -> None:
        """Another twin follows the table from now on."""
        self.twin = twin
        twin.stand(self._placement)

    # What is asked

    @property
    def mend(self) -> say.Mend | None:
        """The table is setting something right by hand; one that only records always is."""
        return say.Mend(TABLE) if self._mend is None and self.levels.records else self._mend

    @property
    def repairing(self) -> bool:
        """Figures are owed by an undo: nothing else goes on."""
        return self._restored and bool(self.twin.owed())

    def debtor(self, kind: Kind) -> Seat:
        """Whose command last moved this kind of figure; the table's where nobody's did."""
        nodes = islice(self.history.upwards(), FAR)
        return next((node.seat for node in nodes if any(one.kind == kind for one in node.moved)), TABLE)

    def late(self) -> tuple[Moved, ...]:
        """Moves still owed though the part of their seat has ended, or the game was taken back."""
        return self._late(self.twin, self._prompts, {})

    def differs(self) -> bool:
        """Table and app do not agree."""
        return self.twin.layout != TRUST and bool(self.twin.astray() or self.late())

    def _late(self, twin: Twin, prompts: Iterable[Prompt[Any]], movers: Mapping[Kind, Seat]) -> tuple[Moved, ...]:
        owed = twin.owed()
        asked = _moving(prompts) if owed else frozenset()
        return tuple(one for one in owed if self._restored or (movers.get(one.kind) or self.debtor(one.kind)) not in asked)

    def waits(self, seat: Seat, before: Placement, after: Placement, prompts: Iterable[Prompt[Any]], names: Names) -> Refusal | None:
        """Why a lawful command has to wait for hands while they differ; None: it need not. One by which they agree again never waits."""
        if self.repairing:
            return Refusal("", Text("table.repair_first", {"what": self.work(names)}))
        moved = difference(before, after)
        if not moved:
            return None  # secret answers and money go on
        twin = copy(self.twin)
        twin.stand(after, ((one.kind, one.frm, one.to) for one in moved))
        if not twin.astray() and not self._late(twin, prompts, {one.kind: seat for one in moved}):
            return None
        return Refusal("", Text("table.differs", {"what": self.work(names)}))

    @property
    def request(self) -> Request | None:
        """What everybody is being asked."""
        return self.consent.request

    def may_ask(self, seat: Seat, command: Any) -> bool:
        """The others may be bothered with it now."""
        return not self.consent.why_not(seat, command)

    def due(self) -> Request | None:
        """A request everybody has agreed to."""
        return self.request if self.request is not None and not self.request.open else None

    # What is said to the table

    def judge(self, seat: Seat, command: Any, state: Any, names: Names) -> Refusal | Deed:
        """A command of the table's own, of a seat or of TABLE."""
        match command:
            case say.Undo() | say.Redo() | say.Correct() | say.Adopt():
                return self._asking(seat, command, state, names)
            case say.Agree(_, to, absent):
                return self._agreed(seat, to, absent, names)
            case say.Object(_, to):
                return self._objected(seat, to, names)
            case say.Tick(_, kind, frm, to, left):
                return self._ticked(Moved(kind, frm, to), left)
            case say.Overrule():
                return self._overruled(seat, command, state, names)
        if seat != TABLE:
            return _no("table.host_only")
        if isinstance(command, say.Mend):
            return Deed(NOTE)
        if isinstance(command, say.Level):
            return self._levelled(command.level)
        if not self.twin.to_make():
            return _no("table.changed")
        twin = copy(self.twin)
        twin.waive()
        return Deed(NOTE, (_event("table.event_waive", what=self.work(names)),), twin=twin)

    def _asking(self, seat: Seat, command: Any, state: Any, names: Names) -> Refusal | Deed:
        deed = self.effect(seat, command, state, names)
        if isinstance(deed, Refusal):
            return deed
        needed = self._needed(seat, command)
        if not needed:
            return deed
        request, why = self.request, self.consent.why_not(seat, command)
        if why:
            return _no(why, **({} if request is None else {"seat": names.seat(request.seat)}))
        events = [_event(f"table.event_ask_{say.name(command)}", seat=names.seat(seat), what=_what(deed))]
        if request is not None and request.seat != seat:
            events.append(_event("table.event_lapses", seat=names.seat(request.seat)))
        return Deed(NOTE, tuple(events), asked=needed)

    def _needed(self, seat: Seat, command: Any) -> tuple[Seat, ...]:
        match command:
            case say.Undo(_, first):
                return self.history.needed(seat, first)
            case say.Redo():
                return self._redo_needs(seat)
        return () if self.levels.records else self._affected(command.what)

    def effect(self, seat: Seat, command: Any, state: Any, names: Names) -> Refusal | Deed:
        """What it comes to when nobody has to be asked, or everybody has agreed."""
        match command:
            case say.Undo(_, first, last):
                path = self.history.path(first)
                if not path or last != self.history.last or path[0].seat == CHANCE:
                    return _no("table.changed")
                event = _event("table.event_undo", seat=names.seat(seat), what=takes_back(path, names))
                return Deed(UNDO, (event,), path[0].parent, moved=back([one for node in path for one in node.moved]))
            case say.Redo(_, to, last):
                found = self.history.redoable(seat)
                if found is None or (found[0].to, found[0].row) != (to, last):
                    return _no("table.changed")
                path = self.history.undone_path()
                event = _event("table.event_redo", seat=names.seat(seat), what=brings_back(path, names))
                return Deed(REDO, (event,), to, moved=tuple(one for node in path for one in node.moved))
        if seat != TABLE:
            return _no("table.host_only")
        what = say.corrections(command)
        if isinstance(command, say.Adopt) and Counter(what) != Counter(self.adoption(names)):
            return _no("table.changed")
        return self._corrected(what, state)

    def _overruled(self, seat: Seat, command: say.Overrule, state: Any, names: Names) -> Refusal | Deed:
        """Nobody is asked: they all have chosen a table that advises."""
        anyway = self.levels.overruled(seat, command.what)
        deed = _no("table.changed") if anyway is None else self._corrected(command.what, state)
        if anyway is None or isinstance(deed, Refusal):
            return deed
        written = msgspec.structs.replace(command, clause=anyway.refusal.clause)
        return msgspec.structs.replace(deed, events=(event(seat, anyway, names), *deed.events), command=written)

    def _levelled(self, level: str) -> Refusal | Deed:
        if level not in LEVELS or level == self.levels.level:
            return _no("table.changed")
        return Deed(NOTE, (_event("table.event_level", level=sentence(level)),))

    def _corrected(self, what: Sequence[Correction], state: Any) -> Refusal | Deed:
        events: tuple[Event, ...] = ()
        for one in what:
            outcome = self._game.correct(state, one)
            if isinstance(outcome, Refusal):
                return outcome
            state, events = outcome.state, events + outcome.events
        return Deed(CORRECT, events, state=state) if what else _no("table.changed")

    def _agreed(self, seat: Seat, to: int, absent: Seat, names: Names) -> Refusal | Deed:
        request = self.request
        who = absent if seat == TABLE else seat
        if request is None or request.revision != to or who not in request.open or (absent and seat != TABLE):
            return _no("table.changed")
        return Deed(NOTE, (_event("table.event_absent" if absent else "table.event_agree", seat=names.seat(who)),))

    def _objected(self, seat: Seat, to: int, names: Names) -> Refusal | Deed:
        request = self.request
        if request is None or request.revision != to or seat not in {*request.asked, request.seat, TABLE}:
            return _no("table.changed")
        return Deed(NOTE, (_event("table.event_withdraw" if seat == request.seat else "table.event_object", seat=names.seat(seat)),))

    def _ticked(self, moved: Moved, left: int) -> Refusal | Deed:
        if not left or self.twin.to_make().count(moved) != left:
            return _no("table.changed")
        twin = copy(self.twin)
        return Deed(NOTE, twin=twin) if twin.tick(moved, self._clock()) else _no("table.reader_knows")

    def _redo_needs(self, seat: Seat) -> tuple[Seat, ...]:
        found = self.history.redoable(seat)
        return () if found is None else found[1]

    def _acted(self, command: Any) -> tuple[Seat, ...]:
        """Whose yes it takes to go back beyond the table's correction: of those who were asked for it."""
        return () if self.levels.records or isinstance(command, say.Overrule) else self._affected(command.what)

    def _affected(self, what: Iterable[Correction]) -> tuple[Seat, ...]:
        """Whose pieces or counters these are; everybody, where a correction is not of one seat alone."""
        seats: set[Seat] = set()
        for one in what:
            if isinstance(one, MovePiece):
                owner = one.kind.partition("/")[0]
                seats.add(owner if owner in self.seats else one.seat)
            elif isinstance(one, SetCounter) and "." not in one.counter:
                seats.add(one.seat)
            else:
                seats.update(self.seats)
        return tuple(seat for seat in self.seats if seat in seats)

    # Words

    def work(self, names: Names) -> Text:
        """What hands have to do, in one sentence."""
        return some([names.move(one) for one in self.twin.to_make()])

    def follows(self, names: Names) -> Text:
        """What the app would do to agree with the table, in one sentence."""
        return some([names.move(one) for one in self.twin.adoption()])

    def adoption(self, names: Names) -> tuple[MovePiece, ...]:
        """Corrections by which the app would follow the table; empty: there are none."""
        return tuple(MovePiece(names.owner(one.kind), one.kind, one.frm, one.to) for one in self.twin.adoption())


def _moving(prompts: Iterable[Prompt[Any]]) -> frozenset[Seat]:
    """Seats in the middle of a part: they must answer a question in the open, or one that moves pieces."""
    must = (prompt for prompt in prompts if not prompt.optional)
    return frozenset(one.seat for one in must if not one.private or any(choice.gestures for choice in one.choices))


def _what(deed: Deed) -> Text:
    """What a deed would do, from what it would announce."""
    if deed.sort == CORRECT:
        return some([event.text for event in deed.events if event.to is None] or [Text("table.nothing")])
    what = deed.events[0].text.args["what"]
    assert isinstance(what, Text)
    return what


def _event(key: str, **args: int | str | Text) -> Event:
    return Event(Text(key, args))


def _no(key: str, **args: int | str | Text) -> Refusal:
    return Refusal("", Text(key, args))
