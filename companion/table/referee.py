"""The referee: the one writer. A command comes in, is judged, is journaled, and only then is it so.

Here: accepting (contract 3), stamps, first answers, restoring a state. Not here: threads (``desk``), rules, words, what
may be taken back and when the game waits for hands (``steward``). One thread at a time.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.rules.game import CHANCE, TABLE, TIME, Game, Prompt, Refusal, Seat, View
from companion.rules.view import Light, Text
from companion.table import commands, house
from companion.table.answers import FirstAnswers
from companion.table.chance import Chance, ChancePlayer, again
from companion.table.hands import Hands
from companion.table.history import NOTE, PLAY, REDO, UNDO, Node
from companion.table.journal import Journal, JournalError, SavedGame
from companion.table.levels import Levels
from companion.table.logs import LOG_LINES, Log
from companion.table.match import INSIDE, MAX_LAWFUL, with_lawful
from companion.table.nameplates import Nameplates
from companion.table.naming import Names
from companion.table.orders import MAX_COMMAND, Answer, Order, Reader
from companion.table.scribe import Draft, Scribe, Stand, question
from companion.table.setup import Setup
from companion.table.stamps import Stamps
from companion.table.steward import Deed, Entry, Steward
from companion.table.tally import Tally

__all__ = ["LOG_LINES", "MAX_COMMAND", "Answer", "Order", "Referee", "ResumeError"]

LOGGER = logging.getLogger(__name__)

MAX_DEALS = 100
"""Chance commands in a row; more is a fault of the rules, and the table stays open."""


class ResumeError(Exception):
    """Why a saved game cannot go on here, and what to do."""


class Referee:
    """One game at one table. Make it with ``create`` or ``resume``."""

    picture: int
    """Rises with everything that changes a view: every revision, and what becomes known of the figures."""
    _stand: Stand
    _names: Names | None
    _views: dict[Seat | None, View]
    _lights: tuple[Light, ...] | None

    def __init__(self, game: Game[Any, Any], journal: Journal, saved: SavedGame, chance: ChancePlayer | None) -> None:
        self.game = game
        self.journal = journal
        self.game_id = saved.id
        self.seats: tuple[Seat, ...] = saved.seats
        self.setup = saved.setup
        self._plates = Nameplates(saved.setup)
        self.options: Mapping[str, str] = saved.options
        self.picture = 0
        self._chance: ChancePlayer = chance or Chance()
        self._tally = Tally(game, lambda: self.journal, saved.id)
        self._answers = FirstAnswers(lambda: self.journal, saved.id)
        self._log = Log()
        self._reader = Reader(game, saved.seats)
        self._scribe = Scribe(game, saved.seats)
        self._steward = Steward(game, saved.seats, journal.now, saved.setup.level)
        self.hands = Hands(self._steward, lambda: self.journal, saved.id, self._look_anew)
        self._ended = saved.ended is not None
        row = journal.last(saved.id)
        try:
            state = msgspec.json.decode(row.state, type=game.State)
        except msgspec.MsgspecError as fault:
            raise ResumeError(
                f"game {saved.id} was saved by another version of {game.id} ({fault}): export its record with that version"
            ) from fault
        self._log.add(0, self.levels.told())
        stamps = Stamps.none((*self.seats, TABLE))
        for old in journal.rows(saved.id, states=False):
            entry = Entry.of(old)
            if old.revision:
                self._steward.take(entry)
            self._log.add(old.revision, entry.events)
            self._answers.accepted(old.seat, old.order_id)
            stamps = stamps.read(old.stamps, old.revision, note=old.sort == NOTE)
        self._be(Stand(row.revision, state, game.prompts(state), stamps, game.placement(state)))
        self._finish()

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
        setup: Setup | None = None,
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
            setup=setup,
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

    @property
    def revision(self) -> int:
        """Rises with every accepted command, and with nothing else."""
        return self._stand.revision

    @property
    def state(self) -> Any:
        return self._stand.state

    @property
    def levels(self) -> Levels:
        """How strictly this table keeps the rules now."""
        return self._steward.levels

    def stamp(self, seat: Seat) -> int:
        """The revision at which this seat (or TABLE) was last asked something new."""
        return self._stand.stamps.shown[seat]

    def stamps(self) -> dict[Seat, int]:
        return dict(self._stand.stamps.shown)

    def prompts(self) -> tuple[Prompt[Any], ...]:
        """The game's open questions; those of the table itself are in the views, and in ``table``. One that only records asks none."""
        return () if self.levels.records else self._stand.prompts

    def table(self) -> tuple[Prompt[Any], ...]:
        """What the seat TABLE is asked, by the game and by the table itself."""
        return self._asked(TABLE, tuple(prompt for prompt in self.prompts() if prompt.seat == TABLE))

    def lights(self) -> tuple[Light, ...]:
        if self._lights is None:
            self._lights = house.lights(self._steward, self.game.lights(self.state))
        return self._lights

    def view(self, seat: Seat | None) -> View:
        """What this seat (None: the open table) may see, the table's own questions and log and all. The same object until ``picture`` rises."""
        if seat not in self._views:
            if seat is not None and seat not in self.seats:
                raise ValueError(f"no seat {seat!r} at this table: {', '.join(self.seats)}")
            view = self.levels.shown(self.game.view(self.state, seat))
            self._views[seat] = msgspec.structs.replace(
                view,
                sections=(
                    *house.sections(self._steward, self.names()),
                    *self._tally.on(self._plates.on(view.sections), self.revision, self.state),
                ),
                prompts=self._asked(seat, view.prompts) if seat is not None else (),
                waits=(*house.waits(self._steward), *view.waits),
                log=self._log.lines(None if self.levels.records else seat),
            )
        return self._views[seat]

    def names(self) -> Names:
        """What things are called at the open table now."""
        if self._names is None:
            self._names = Names(self.game.view(self.state, None))
        return self._names

    def differs(self) -> Text | None:
        """What hands have to do before table and app agree; None: they agree."""
        return Text("table.differs", {"what": self._steward.work(self.names())}) if self._steward.differs() else None

    # What is done

    def man(self, seat: Seat, *, bot: bool) -> bool:
        """A bot plays this seat from now on, or no more; says whether that is new. It is on disk, so that it survives a restart. Raises JournalError."""
        bots = tuple(one for one in self.seats if (bot if one == seat else one in self.setup.bots))
        if bots == self.setup.bots:
            return False
        setup = msgspec.structs.replace(self.setup, bots=bots)
        self.journal.put_setup(self.game_id, setup)
        self.setup, self._plates = setup, Nameplates(setup)
        self._look_anew()
        return True

    def submit(self, seat: Seat, order: Order) -> Answer:
        """Judges an order. When the answer says ok, the command is on disk. An order that could not be saved may be sent again."""
        self._finish()  # what a full disk left undone
        try:
            known = self._answers.first(seat, order.id)
        except JournalError as fault:
            LOGGER.warning("%s", fault)
            return self._unsaved(order.id, fault)
        if known is not None:
            return known
        refusal, command = self._reader.read(seat, order)
        if refusal is None:
            outcome = self._judge(seat, command, order.stamp)
            if not isinstance(outcome, Refusal):
                return self._saved(seat, order.id, command, outcome)
            refusal = with_lawful(outcome, self._lawful(seat))
        return self._answers.refused(seat, order.id, self.revision, refusal)

    def submit_internal(self, seat: Seat, command: Any, stamp: int | None = None) -> Answer:
        """A command of CHANCE, TIME or TABLE, from inside this process only; with ``stamp`` only while that is the seat's own."""
        if seat not in INSIDE or command.seat != seat or (commands.is_house(command) and seat != TABLE):
            raise ValueError(f"{seat!r} is not one of {', '.join(sorted(INSIDE))}, or the command is another seat's")
        outcome = self._judge(seat, command, stamp)
        if not isinstance(outcome, Refusal):
            return self._saved(seat, None, command, outcome)
        return Answer("", ok=False, revision=self.revision, refusal=with_lawful(outcome, self._lawful(seat)))

    # Inside: judging

    def _judge(self, seat: Seat, command: Any, stamp: int | None) -> Deed | Refusal:
        """A command of the table itself, or of the game: by its rules, and whether it has to wait for hands."""
        if commands.is_house(command):
            return self._steward.judge(seat, command, self.state, self.names())
        if stamp is not None and not self._stand.stamps.fit(seat, stamp):
            return Refusal("", Text("table.stale"), self._lawful(seat))
        if self.levels.records:
            return Refusal("", Text("table.record_only"))
        outcome = self.game.apply(self.state, command)
        if isinstance(outcome, Refusal):
            if self.levels.order(command, outcome, self.state, self.prompts(), self.names()):
                self._look_anew()
            return outcome
        if seat not in {CHANCE, TIME} and self._steward.differs():
            state = outcome.state
            wait = self._steward.waits(seat, self._stand.placement, self.game.placement(state), self.game.prompts(state), self.names())
            if wait is not None:
                return wait
        return Deed(PLAY, outcome.events, state=outcome.state)

    def _lawful(self, seat: Seat) -> tuple[Text, ...]:
        """What this seat is asked for now; a gift is always lawful and no help."""
        mine = (p for p in self.prompts() if p.seat == seat and not p.optional)
        return tuple(choice.text for prompt in mine for choice in prompt.choices[:MAX_LAWFUL])[:MAX_LAWFUL]

    def _unsaved(self, order_id: str | None, fault: JournalError) -> Answer:
        """Not remembered: the same order may be sent again when the disk has room."""
        return Answer(order_id or "", ok=False, revision=self.revision, refusal=Refusal("", Text("table.unsaved", {"fault": str(fault)})))

    # Inside: writing

    def _saved(self, seat: Seat, order_id: str | None, command: Any, deed: Deed) -> Answer:
        try:
            answer = self._write(seat, order_id, command, deed)
        except JournalError as fault:
            LOGGER.warning("a command of %s was not accepted: %s", seat, fault)
            return self._unsaved(order_id, fault)
        self._finish()
        return answer

    def _write(self, seat: Seat, order_id: str | None, command: Any, deed: Deed) -> Answer:
        """All rows of one deed, on disk at once. Raises JournalError."""
        stand, taken_back = self._stand, self._steward.history.path(command.first) if deed.sort == UNDO else ()
        if deed.sort in {UNDO, REDO}:
            assert deed.base is not None
            row = self.journal.row(self.game_id, deed.base)
            deed = msgspec.structs.replace(deed, state=msgspec.json.decode(row.state, type=self.game.State))
        draft = self._scribe.draft(stand, seat, order_id, deed.command or command, deed)
        drafts = [draft]
        for node in taken_back[1:]:
            if node.sealed and node.seat != seat:
                drafts += self._sealed_again(drafts[-1].stand, node)
        after, moved = drafts[-1].stand, deed.moved or draft.entry.moved
        twin = self.hands.after(deed.twin or self._steward.twin, after.placement, moved)
        self.journal.append(self.game_id, *(one.row for one in drafts), twin=self.hands.unsaved(twin, told=deed.twin is not None))
        self.hands.saved()
        for one in drafts:
            self._answers.accepted(one.row.seat, one.row.order_id)
            self._log.add(one.row.revision, one.entry.events)
            self._steward.take(one.entry)
        self._steward.twin = twin
        self._be(after)
        return draft.answer

    def _sealed_again(self, stand: Stand, node: Node) -> list[Draft]:
        """A secret answer that another seat's undo took back, given again where its question is the same as it was."""
        row, before = self.journal.row(self.game_id, node.revision), self.journal.row(self.game_id, node.parent)
        asked = self.game.prompts(msgspec.json.decode(before.state, type=self.game.State))
        if question(asked, node.seat) != question(stand.prompts, node.seat):
            return []
        command = self._reader.game.decode(row.command)
        outcome = self.game.apply(stand.state, command)
        if isinstance(outcome, Refusal) or any(event.reveals for event in outcome.events):
            return []
        deed = Deed(PLAY, outcome.events, base=node.revision, state=outcome.state)
        return [self._scribe.draft(stand, node.seat, None, command, deed)]

    def _be(self, stand: Stand) -> None:
        """The game stands so, and its twin with it."""
        self._stand = stand
        self._names = None
        self._steward.stand(stand.placement, stand.prompts)
        self._look_anew()
        if bool(stand.prompts) is self._ended:
            self._mark_end(ended=not stand.prompts)

    def _look_anew(self) -> None:
        self.picture += 1
        self._views = {}
        self._lights = None

    def _mark_end(self, *, ended: bool) -> None:
        self._ended = ended
        try:
            (self.journal.end if ended else self.journal.reopen)(self.game_id)
        except JournalError as fault:  # only the list of games shows it
            LOGGER.warning("%s", fault)

    # Inside: what follows by itself

    def _finish(self) -> None:
        """What everybody has agreed to is done, and chance answers. What the disk refuses now is done with the next order."""
        try:
            self._do_agreed()
            self._deal()
        except JournalError as fault:
            LOGGER.warning("what follows by itself was not accepted: %s", fault)

    def _do_agreed(self) -> None:
        due = self._steward.due()
        if due is None:
            return
        deed = self._steward.effect(due.seat, due.command, self.state, self.names())
        if isinstance(deed, Refusal):
            LOGGER.error("what was agreed to is refused: %s", deed.text)
            self._steward.consent.object()
        else:
            self._write(due.seat, None, due.command, deed)

    def _deal(self) -> None:
        """Chance answers at once, also where nobody is asked: a set-up is one. Each of its commands is a row of its own."""
        for _ in range(MAX_DEALS):
            prompt = next((p for p in self._stand.prompts if p.seat == CHANCE), None)
            if prompt is None:
                return
            command, base = self._dealt(prompt)
            if command is None:
                return
            outcome = self.game.apply(self.state, command)
            if isinstance(outcome, Refusal):
                LOGGER.error("chance was refused: %s %s", outcome.clause, outcome.text)
                return
            self._write(CHANCE, None, command, Deed(PLAY, outcome.events, base=base, state=outcome.state))
        LOGGER.error("chance was asked more than %s times in a row", MAX_DEALS)

    def _dealt(self, prompt: Prompt[Any]) -> tuple[Any, int | None]:
        """What chance says, and which cancelled row said it first: an undo is no way to a new deal."""
        for kept in self._steward.history.kept:
            command = again(self._reader.game.decode(self.journal.row(self.game_id, kept).command), prompt, self._chance)
            if command is not None:
                return command, kept
        return self._chance.answer(prompt), None

    # Inside: showing

    def _asked(self, seat: Seat, own: tuple[Prompt[Any], ...]) -> tuple[Prompt[Any], ...]:
        must, may = house.prompts(self._steward, seat, self._stand, self.names())
        return (*must, *own, *may)
