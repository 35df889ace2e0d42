"""The referee: the one writer. A command comes in, is judged, is journaled, and only then is it so.

Here: accepting (contract 3), stamps, first answers, the readers' logs. Not here: threads (``desk``), rules, words. One thread at a time.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import CHANCE, TABLE, Applied, Event, Game, Prompt, Refusal, Seat, View
from companion.rules.view import Light, Line, Text
from companion.table.chance import Chance, ChancePlayer
from companion.table.journal import Journal, JournalError, Row, SavedGame
from companion.table.match import INSIDE, MAX_LAWFUL, with_lawful

LOGGER = logging.getLogger(__name__)

LOG_LINES = 40
"""Newest sentences in a view; older ones are in the journal."""
MAX_COMMAND = 16_384
"""Bytes of one command; a shuffled deck is a few hundred."""
MAX_ID = 64
KEPT_REFUSALS = 1024
"""How many refusals are remembered for repeated ids."""
MAX_DEALS = 100
"""Chance commands in a row; more is a fault of the rules, and the table stays open."""


class Order(Struct, frozen=True):
    """What a seat sends: its one decision, and the question it answers."""

    id: str
    """Unique; a repeated id gets the first answer again."""
    stamp: int
    """The seat's stamp when it saw the question."""
    command: msgspec.Raw


class Answer(Struct, frozen=True):
    """What the seat is answered. ``events`` holds only what that seat may read."""

    id: str
    ok: bool
    revision: int
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


class ResumeError(Exception):
    """Why a saved game cannot go on here, and what to do."""


class Referee:
    """One game at one table. Make it with ``create`` or ``resume``."""

    revision: int
    """Rises with every accepted command, and with nothing else."""
    state: Any
    _prompts: tuple[Prompt[Any], ...]
    _stamps: dict[Seat, int]
    _views: dict[Seat | None, View]
    _lights: tuple[Light, ...] | None

    def __init__(self, game: Game[Any, Any], journal: Journal, saved: SavedGame, chance: ChancePlayer | None) -> None:
        self.game = game
        self.journal = journal
        self.game_id = saved.id
        self.seats: tuple[Seat, ...] = saved.seats
        self.options: Mapping[str, str] = saved.options
        self._chance: ChancePlayer = chance or Chance()
        self._refused: OrderedDict[tuple[Seat, str], Answer] = OrderedDict()
        self._log: deque[tuple[int, Event]] = deque(maxlen=LOG_LINES * 5)
        self._command: msgspec.json.Decoder[Any] = msgspec.json.Decoder(game.Command)
        row = journal.last(saved.id)
        try:
            state = msgspec.json.decode(row.state, type=game.State)
        except msgspec.MsgspecError as fault:
            raise ResumeError(
                f"game {saved.id} was saved by another version of {game.id} ({fault}): export its record with that version"
            ) from fault
        for old in journal.rows(saved.id, max(0, row.revision - LOG_LINES)):
            self._log.extend((old.revision, event) for event in msgspec.json.decode(old.events, type=tuple[Event, ...]))
        self._stand(
            row.revision,
            state,
            game.prompts(state),
            dict.fromkeys((*self.seats, TABLE), 0) | msgspec.json.decode(row.stamps, type=dict[str, int]),
        )
        self._deal()

    @classmethod
    def create(
        cls,
        game: Game[Any, Any],
        journal: Journal,
        seats: Sequence[Seat],
        options: Mapping[str, str],
        *,
        facts_hash: str = "",
        facts: Mapping[str, Any] | None = None,
        chance: ChancePlayer | None = None,
        state: Any = None,
    ) -> Referee:
        """A new game, journaled; ``state`` where it does not begin at the beginning. ``chance`` None is the digital player.

        Raises ValueError for bad seats or options, JournalError.
        """
        begun = game.start(seats, options) if state is None else state
        game_id = "".join(secrets.choice("abcdefghijklmnopqrstuvwxyz0123456789") for _ in range(8))
        journal.begin(
            game_id,
            msgspec.json.encode(begun),
            game=game.id,
            rules=game.version,
            seats=seats,
            options=options,
            facts_hash=facts_hash,
            facts=facts,
        )
        return cls(game, journal, journal.game(game_id), chance)

    @classmethod
    def resume(
        cls, game: Game[Any, Any], journal: Journal, game_id: str, *, facts_hash: str | None = None, chance: ChancePlayer | None = None
    ) -> Referee:
        """The game exactly where it stood. Raises ResumeError in plain words, JournalError.

        ``facts_hash``: of the facts ``game`` is bound to; a game goes on only with the facts it began with (``Journal.facts`` keeps them).
        """
        saved = journal.game(game_id)
        if saved.game != game.id:
            raise ResumeError(f"game {game_id} is {saved.game}, not {game.id}: choose another game of the list")
        if facts_hash is not None and saved.facts_hash not in ("", facts_hash):
            raise ResumeError(
                f"game {game_id} began with other facts ({saved.facts_hash}, not {facts_hash}): use the override file it began with"
            )
        if saved.rules > game.version:
            raise ResumeError(f"game {game_id} needs rules {saved.rules} of {game.id}, this program has {game.version}: update it")
        return cls(game, journal, saved, chance)

    # What is so

    def stamp(self, seat: Seat) -> int:
        """The revision at which this seat's (or TABLE's) question last changed."""
        return self._stamps[seat]

    def stamps(self) -> dict[Seat, int]:
        return dict(self._stamps)

    def prompts(self) -> tuple[Prompt[Any], ...]:
        return self._prompts

    def lights(self) -> tuple[Light, ...]:
        if self._lights is None:
            self._lights = self.game.lights(self.state)
        return self._lights

    def view(self, seat: Seat | None) -> View:
        """What this seat (None: the open table) may see, log and all. The same object until the revision rises."""
        if seat not in self._views:
            if seat is not None and seat not in self.seats:
                raise ValueError(f"no seat {seat!r} at this table: {', '.join(self.seats)}")
            self._views[seat] = msgspec.structs.replace(self.game.view(self.state, seat), log=self._lines(seat))
        return self._views[seat]

    # What is done

    def submit(self, seat: Seat, order: Order) -> Answer:
        """Judges an order. When the answer says ok, the command is on disk. An order that could not be saved may be sent again."""
        self._deal()  # what a full disk left undone
        known = self._first_answer(seat, order.id)
        if known is not None:
            return known
        refusal, command = self._read(seat, order)
        if refusal is None and order.stamp != self._stamps[seat]:
            refusal = Refusal("", Text("table.stale"), self._lawful(seat))
        if refusal is None:
            outcome = self.game.apply(self.state, command)
            if isinstance(outcome, Applied):
                return self._saved(seat, order.id, command, outcome)
            refusal = with_lawful(outcome, self._lawful(seat))
        return self._refuse(seat, order.id, refusal)

    def submit_internal(self, seat: Seat, command: Any, stamp: int | None = None) -> Answer:
        """A command of CHANCE, TIME or TABLE, from inside this process only; with ``stamp`` only while that is the seat's own."""
        if seat not in INSIDE or command.seat != seat:
            raise ValueError(f"{seat!r} is not one of {', '.join(sorted(INSIDE))}, or the command is another seat's")
        refusal = None if stamp is None or stamp == self._stamps.get(seat) else Refusal("", Text("table.stale"), self._lawful(seat))
        if refusal is None:
            outcome = self.game.apply(self.state, command)
            if isinstance(outcome, Applied):
                return self._saved(seat, None, command, outcome)
            refusal = with_lawful(outcome, self._lawful(seat))
        return Answer("", ok=False, revision=self.revision, refusal=refusal)

    # Inside

    def _first_answer(self, seat: Seat, order_id: str) -> Answer | None:
        refused = self._refused.get((seat, order_id))
        if refused is not None or seat not in self.seats:
            return refused
        try:
            accepted = self.journal.answer(self.game_id, seat, order_id)
        except JournalError as fault:
            LOGGER.warning("%s", fault)
            return self._unsaved(order_id, fault)
        return None if accepted is None else msgspec.json.decode(accepted, type=Answer)

    def _read(self, seat: Seat, order: Order) -> tuple[Refusal | None, Any]:
        """The command, or why it is none of this seat's."""
        if seat not in self.seats:
            return Refusal("", Text("table.no_seat", {"seat": seat})), None
        if not 0 < len(order.id) <= MAX_ID:
            return Refusal("", Text("table.order_id", {"n": MAX_ID})), None
        raw = bytes(order.command)
        if len(raw) > MAX_COMMAND:
            return Refusal("", Text("table.command_long", {"n": MAX_COMMAND})), None
        try:
            command = self._command.decode(raw)
        except msgspec.ValidationError as fault:
            return Refusal("", _field(str(fault))), None
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
            return Refusal("", Text("table.command_json", {"fault": str(fault)})), None
        if command.seat != seat:
            return Refusal("", Text("table.command_seat", {"seat": seat, "named": command.seat})), None
        return None, command

    def _lawful(self, seat: Seat) -> tuple[Text, ...]:
        """What this seat is asked for now; a gift is always lawful and no help."""
        mine = (p for p in self._prompts if p.seat == seat and not p.optional)
        return tuple(choice.text for prompt in mine for choice in prompt.choices[:MAX_LAWFUL])[:MAX_LAWFUL]

    def _refuse(self, seat: Seat, order_id: str, refusal: Refusal) -> Answer:
        answer = Answer(order_id, ok=False, revision=self.revision, refusal=refusal)
        if len(order_id) <= MAX_ID:
            self._refused[seat, order_id] = answer
        while len(self._refused) > KEPT_REFUSALS:
            self._refused.popitem(last=False)
        return answer

    def _unsaved(self, order_id: str | None, fault: JournalError) -> Answer:
        """Not remembered: the same order may be sent again when the disk has room."""
        return Answer(order_id or "", ok=False, revision=self.revision, refusal=Refusal("", Text("table.unsaved", {"fault": str(fault)})))

    def _saved(self, seat: Seat, order_id: str | None, command: Any, applied: Applied[Any]) -> Answer:
        try:
            answer = self._accept(seat, order_id, command, applied)
        except JournalError as fault:
            LOGGER.warning("a command of %s was not accepted: %s", seat, fault)
            return self._unsaved(order_id, fault)
        self._deal()
        return answer

    def _accept(self, seat: Seat, order_id: str | None, command: Any, applied: Applied[Any]) -> Answer:
        revision = self.revision + 1
        prompts = self.game.prompts(applied.state)
        # A seat's own command always changes its stamp: a second tap on the same button is not a second command.
        stamps = {
            other: revision if other == seat or _question(prompts, other) != _question(self._prompts, other) else stamp
            for other, stamp in self._stamps.items()
        }
        answer = Answer(order_id or "", ok=True, revision=revision, events=tuple(e for e in applied.events if _may_read(e, seat)))
        encode = msgspec.json.encode
        row = Row(revision, seat, order_id, encode(command), encode(applied.state), encode(applied.events), encode(answer), encode(stamps))
        self.journal.append(self.game_id, row)
        self._log.extend((revision, event) for event in applied.events)
        self._stand(revision, applied.state, prompts, stamps)
        if not prompts:
            self._end()
        return answer

    def _stand(self, revision: int, state: Any, prompts: tuple[Prompt[Any], ...], stamps: dict[Seat, int]) -> None:
        self.revision = revision
        self.state = state
        self._prompts = prompts
        self._stamps = stamps
        self._views = {}
        self._lights = None

    def _end(self) -> None:
        try:
            self.journal.end(self.game_id)
        except JournalError as fault:  # only the list of games shows it
            LOGGER.warning("%s", fault)

    def _deal(self) -> None:
        """Chance answers at once; each of its commands is a row of its own."""
        for _ in range(MAX_DEALS):
            prompt = next((p for p in self._prompts if p.seat == CHANCE), None)
            command = None if prompt is None else self._chance.answer(prompt)
            if command is None:
                return
            outcome = self.game.apply(self.state, command)
            if isinstance(outcome, Refusal):
                LOGGER.error("chance was refused: %s %s", outcome.clause, outcome.text)
                return
            try:
                self._accept(CHANCE, None, command, outcome)
            except JournalError as fault:
                LOGGER.warning("chance was not accepted: %s", fault)
                return
        LOGGER.error("chance was asked more than %s times in a row", MAX_DEALS)

    def _lines(self, reader: Seat | None) -> tuple[Line, ...]:
        """The newest sentences for this reader. Ids count only what it may read: a gap would tell of a secret."""
        lines: list[Line] = []
        at, number = -1, 0
        for revision, event in self._log:
            if _may_read(event, reader):
                at, number = revision, number + 1 if revision == at else 0
                lines.append(Line(event.text, event.clause, f"log.{revision}.{number}", private=event.to is not None))
        return tuple(lines[-LOG_LINES:])


def _question(prompts: tuple[Prompt[Any], ...], seat: Seat) -> list[Prompt[Any]]:
    return [prompt for prompt in prompts if prompt.seat == seat]


def _may_read(event: Event, reader: Seat | None) -> bool:
    return event.to is None or reader in event.to


def _field(fault: str) -> Text:
    """Which field of a command is wrong, from what msgspec says."""
    said, _, path = fault.partition(" - at `$")
    missing = re.search(r"missing required field `(.+?)`", said)
    field = path.rstrip("`") + (f".{missing[1]}" if missing else "")
    return Text("table.command_field", {"field": field.lstrip(".") or "command", "fault": said})
