"""Levels: how strictly a table keeps the rules. The rules know none; this table does.

Here: what a refused figure or order would have done with pieces, so that it may be done all the same (*advise*), what a figure that was
moved changed (*record*), and what a table that only keeps the log does not show. Not here: any legality (the clause and the sentence are
those of the game's own refusal), writing anything down (``steward``, ``referee``), fingers and tags (``desk``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import TABLE, Choice, Correction, Event, Game, Gesture, Kind, MovePiece, Place, Prompt, Refusal, Seat, View
from companion.rules.view import Curtain, Section, Text
from companion.table import commands as say
from companion.table.match import INSIDE, MAX_LAWFUL, Offer
from companion.table.moves import RESERVE, Moved
from companion.table.naming import Names
from companion.table.sentences import some
from companion.table.setup import ADVISE, LEVELS, RECORD, STRICT

MOST = 8
"""Refusals of one seat that may still be overruled; older ones are refused for good."""
WHENCE = 3
"""From so many places at most a figure is offered to have come, where nobody knows."""


class Anyway(Struct, frozen=True):
    """Something the game has refused, and what would have come of it."""

    what: tuple[MovePiece, ...]
    refusal: Refusal


class Levels:
    """One table's. One thread, the referee's. ``forget`` whenever the game moves on: an older refusal is overruled no more."""

    def __init__(self, game: Game[Any, Any], seats: Sequence[Seat], level: str = STRICT) -> None:
        self._game = game
        self._seats = tuple(seats)
        self._refused: dict[Seat, tuple[Anyway, ...]] = {}
        self.level = level

    @property
    def advises(self) -> bool:
        return self.level == ADVISE

    @property
    def records(self) -> bool:
        return self.level == RECORD

    def forget(self) -> None:
        self._refused = {}

    # What may be done all the same

    def order(self, command: Any, refusal: Refusal, state: Any, prompts: Iterable[Prompt[Any]], names: Names) -> bool:
        """The game has refused a seat's order; whether its seat is offered to do it all the same: with figures of its own, and nothing else."""
        if not self.advises or command.seat in INSIDE:
            return False
        gestures = meant(prompts, command)
        if any(self._owner(one.kind, names) != command.seat for one in gestures):
            return False
        return self._offered(command.seat, tuple(self._move(one, names) for one in gestures), refusal, state)

    def figure(self, kind: Kind, place: Place, whence: Iterable[Place], refusal: Refusal, *, state: Any, names: Names) -> tuple[Offer, ...]:
        """The game has refused a figure a place: what anybody at the table may press instead. ``whence``: where it may be, the likeliest first."""
        found: list[Offer] = []
        for frm in tuple(whence)[:WHENCE] if self.advises else ():
            what = (self._move(Gesture(kind, frm, place), names),)
            if self._offered(TABLE, what, refusal, state):
                found.append((TABLE, _button(TABLE, what, names)))
        return tuple(found)

    def prompts(self, seat: Seat, names: Names) -> Iterator[Prompt[Any]]:
        """What a seat that was refused may press; the table's own stands beside its refusal (``figure``)."""
        if seat != TABLE:
            for one in self._refused.get(seat, ())[-1:]:
                text = Text("table.anyway_asks", {"why": one.refusal.text})
                yield Prompt(seat, text, one.refusal.clause, (_button(seat, one.what, names),), optional=True)

    def overruled(self, seat: Seat, what: tuple[MovePiece, ...]) -> Anyway | None:
        """That of the refusals which a seat now overrules; None: nothing of the kind was refused to it."""
        return next((one for one in reversed(self._refused.get(seat, ())) if one.what == what), None)

    def _offered(self, seat: Seat, what: tuple[MovePiece, ...], refusal: Refusal, state: Any) -> bool:
        """Remembers it, where the game can go on after it."""
        if not what or not self.possible(state, what):
            return False
        mine = [one for one in self._refused.get(seat, ()) if one.what != what]
        self._refused = {**self._refused, seat: (*mine, Anyway(what, refusal))[-MOST:]}
        return True

    def possible(self, state: Any, what: Iterable[Correction]) -> bool:
        """Corrections by which the game can go on: the rules do not refuse them, nor call the position impossible then."""
        known = self._game.faults(state)
        for one in what:
            outcome = self._game.correct(state, one)
            if isinstance(outcome, Refusal):
                return False
            state = outcome.state
        return all(fault in known for fault in self._game.faults(state))

    # What a moved figure changed

    def moves(self, kind: Kind, place: Place, whence: Iterable[Place], names: Names) -> tuple[Offer, ...]:
        """What a figure at a place can mean to a table that only records: it came from one of these."""
        found: list[Offer] = []
        for frm in dict.fromkeys(whence):
            if frm != place:
                move = self._move(Gesture(kind, frm, place), names)
                text = names.move(Moved(kind, frm, place))
                found.append((TABLE, Choice(say.Correct(TABLE, (move,)), text, mark=names.mark(kind))))
        return tuple(found[:MAX_LAWFUL])

    def home(self, kind: Kind, names: Names) -> Place:
        """The reserve a piece of this kind comes from, where a game counts none there."""
        owner = self._owner(kind, names)
        return f"{RESERVE}.{owner}" if owner else RESERVE

    # What is shown

    def shown(self, view: View) -> View:
        """A table that only records asks nothing, waits for nobody and keeps no secrets it could not know."""
        if not self.records:
            return view
        return msgspec.structs.replace(
            view, sections=tuple(_plain(section) for section in view.sections if _public(section)), prompts=(), waits=()
        )

    def told(self) -> tuple[Event, ...]:
        """The first line of the log, where the rules are not kept strictly."""
        return () if self.level == STRICT else (Event(sentence(self.level)),)

    def choices(self) -> tuple[Choice[Any], ...]:
        """The other levels, for the host of a table that is not strict."""
        others = (one for one in LEVELS if one != self.level) if self.level != STRICT else ()
        return tuple(Choice(say.Level(TABLE, one), sentence(one), mark="ui/careful") for one in others)

    # Inside

    def _owner(self, kind: Kind, names: Names) -> Seat:
        """Whose piece it is; "" for nobody's."""
        head = kind.partition("/")[0]
        return head if head in self._seats else names.owner(kind)

    def _move(self, gesture: Gesture, names: Names) -> MovePiece:
        return MovePiece(self._owner(gesture.kind, names), gesture.kind, gesture.frm, gesture.to)


def sentence(level: str) -> Text:
    """What a level means, in one sentence."""
    return Text(f"table.level_{level}")


def event(seat: Seat, one: Anyway, names: Names) -> Event:
    """What everybody is told when a refusal is overruled; it bears the clause."""
    args = {"seat": names.seat(seat), "what": some(_said(one.what, names)), "why": one.refusal.text}
    return Event(Text("table.event_overruled", args), one.refusal.clause)


def meant(prompts: Iterable[Prompt[Any]], command: Any) -> tuple[Gesture, ...]:
    """What hands would have done by a command that was refused: the gestures of the open choice that is most like it, with this command's own
    words where the choice's stood. Empty: no open choice is of its sort, or it moves no piece.
    """
    alike = [
        (sum(new == old for old, new in _fields(choice.command, command)), -i, choice)
        for i, choice in enumerate(choice for prompt in prompts if not prompt.private for choice in prompt.choices)
        if type(choice.command) is type(command) and choice.gestures
    ]
    if not alike:
        return ()
    choice = max(alike, key=lambda one: one[:2])[2]
    swap = {old: new for old, new in _fields(choice.command, command) if isinstance(old, str) and isinstance(new, str)}
    return tuple(Gesture(_worded(one.kind, "/", swap), _worded(one.frm, ".", swap), _worded(one.to, ".", swap)) for one in choice.gestures)


def _button(seat: Seat, what: tuple[MovePiece, ...], names: Names) -> Choice[Any]:
    return Choice(say.Overrule(seat, what), Text("table.anyway"), detail=some(_said(what, names)), mark="ui/careful")


def _said(what: Iterable[MovePiece], names: Names) -> list[Text]:
    return [names.move(Moved(one.kind, one.frm, one.to)) for one in what]


def _fields(old: Any, new: Any) -> Iterator[tuple[Any, Any]]:
    for field in msgspec.structs.fields(new):
        yield getattr(old, field.name), getattr(new, field.name)


def _worded(words: str, between: str, swap: Mapping[str, str]) -> str:
    """``koi/bushi`` or ``reserve.koi`` with other words for the whole or a part of it."""
    return swap.get(words) or between.join(swap.get(part, part) for part in words.split(between))


def _public(section: Section) -> bool:
    return not any(isinstance(node, Curtain) for node in section.nodes)


def _plain(section: Section) -> Section:
    """Without the sign that somebody must act."""
    nodes = tuple(_plain(node) if isinstance(node, Section) else node for node in section.nodes)
    return msgspec.structs.replace(section, nodes=nodes, lit=False)
