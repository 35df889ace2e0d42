"""The scribe: drafts the rows of the journal.

Here: what a row holds beside the command: stamps, the answer, the pieces it moved, whether it is a sealed answer. Not here: judging, writing
to disk (``referee``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import Choice, Event, Game, Kind, Place, Prompt, Seat
from companion.table.commands import is_house
from companion.table.history import CORRECT, NOTE, PLAY
from companion.table.journal import Row
from companion.table.logs import may_read
from companion.table.moves import Moved, Placement, difference
from companion.table.orders import Answer
from companion.table.stamps import Stamps
from companion.table.steward import Deed, Entry


class Stand(Struct, frozen=True):
    """Where a game stands."""

    revision: int
    state: Any
    prompts: tuple[Prompt[Any], ...]
    stamps: Stamps
    placement: Placement


class Draft(Struct, frozen=True):
    """A row that is not written yet, and where the game stands after it."""

    row: Row
    entry: Entry
    answer: Answer
    stand: Stand


class Scribe:
    """One game's."""

    def __init__(self, game: Game[Any, Any], seats: Sequence[Seat]) -> None:
        self._game = game
        self._seats = tuple(seats)

    def draft(self, stand: Stand, seat: Seat, order_id: str | None, command: Any, deed: Deed) -> Draft:
        """The row that follows ``stand``."""
        revision = stand.revision + 1
        if deed.sort == NOTE:
            after = Stand(revision, stand.state, stand.prompts, stand.stamps.asked(deed.asked, revision), stand.placement)
        else:
            prompts = self._game.prompts(deed.state)
            stamps = stand.stamps.changed(_changed(stand.prompts, prompts, seat), revision)
            after = Stand(revision, deed.state, prompts, stamps, self._game.placement(deed.state))
        moved: tuple[Moved, ...] = ()
        if deed.sort in {PLAY, CORRECT}:
            moved = difference(stand.placement, after.placement, _gestures(stand.prompts, seat, command))
        sealed = deed.sort == PLAY and self._sealed(stand.prompts, after.prompts, seat, command, deed.events)
        answer = Answer(order_id or "", ok=True, revision=revision, events=tuple(e for e in deed.events if may_read(e, seat)))
        encode = msgspec.json.encode
        row = Row(
            revision,
            seat,
            order_id,
            encode(command),
            encode(after.state),
            encode(deed.events),
            encode(answer),
            encode(after.stamps.shown),
            sort=deed.sort,
            base=deed.base,
            sealed=sealed,
            moved=encode(moved),
        )
        entry = Entry(revision, seat, deed.sort, deed.events, command if is_house(command) else None, deed.base, sealed, moved)
        return Draft(row, entry, answer, after)

    def _sealed(
        self, before: Sequence[Prompt[Any]], after: Sequence[Prompt[Any]], seat: Seat, command: Any, events: Iterable[Event]
    ) -> bool:
        """A secret answer to a question that others are asked too, that stays open, and that showed nobody anything."""
        for prompt in before:
            if prompt.private and prompt.seat == seat and seat in self._seats and _taken(prompt, command) is not None:
                others = {one.seat for one in before if one.private and one.clause == prompt.clause} - {seat}
                still = any(one.private and one.clause == prompt.clause for one in question(after, seat))
                return bool(others) and still and not any(event.reveals for event in events)
        return False


def _changed(before: tuple[Prompt[Any], ...], after: tuple[Prompt[Any], ...], seat: Seat) -> set[Seat]:
    """Who is asked something else now. A seat's own command counts always: a second tap on the same button is not a second command."""
    if after is before:
        return {seat}
    old, new = _questions(before), _questions(after)
    return {seat, *(one for one in (*old, *new) if old.get(one) != new.get(one))}


def _questions(prompts: Iterable[Prompt[Any]]) -> dict[Seat, list[Prompt[Any]]]:
    found: dict[Seat, list[Prompt[Any]]] = {}
    for prompt in prompts:
        found.setdefault(prompt.seat, []).append(prompt)
    return found


def question(prompts: Iterable[Prompt[Any]], seat: Seat) -> list[Prompt[Any]]:
    return [prompt for prompt in prompts if prompt.seat == seat]


def _taken(prompt: Prompt[Any], command: Any) -> Choice[Any] | None:
    """The choice of this prompt that the command takes."""
    for choice in prompt.choices:
        if choice.command == command:
            return choice
        if (
            choice.amounts is not None
            and type(choice.command) is type(command)
            and msgspec.structs.replace(command, amounts=choice.command.amounts) == choice.command
        ):
            return choice
    return None


def _gestures(prompts: Iterable[Prompt[Any]], seat: Seat, command: Any) -> Iterator[tuple[Kind, Place, Place]]:
    """How hands do it, by the choice that was taken."""
    for prompt in prompts:
        choice = _taken(prompt, command) if prompt.seat == seat else None
        if choice is not None:
            yield from ((one.kind, one.frm, one.to) for one in choice.gestures)
            return
