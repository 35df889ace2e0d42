"""Rising Sun as a Game: the one object the table talks to.

Here: which question is open, whether a command is among its choices, and what comes of it. Not here: what any Mandate does (each has its own
file), words, or notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from companion.rules.game import TABLE, Applied, Choice, Correction, Game, Kind, Notation, Place, Prompt, Refusal, Ruling, Seat, View
from companion.rules.rising_sun import (
    betray,
    correct,
    deck,
    faults,
    gifts,
    kami,
    lights,
    marshal,
    notation,
    placement,
    recruit,
    refusals,
    say,
    setup,
    train,
    turns,
    view,
    war,
)
from companion.rules.rising_sun.commands import Build, Buy, Choose, Done, Give, Move, Replace, Shuffle, Summon, Worship
from companion.rules.rising_sun.commands import Command as Said
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Pieces, Work, work
from companion.rules.rising_sun.state import State as Position
from companion.rules.view import Light

_ASK: Mapping[str, Callable[[Facts, Position], Prompt[Said]]] = {
    "recruit": recruit.ask,
    "marshal": marshal.ask,
    "train": train.ask,
    "betray": betray.ask,
    "fujin": marshal.ask_fujin,
    "raijin": kami.ask_raijin,
    "ryujin": train.ask,
}


def _summon(w: Work, command: Summon) -> None:
    what = w.doing.what if w.doing else ""
    (recruit.summon if what == "recruit" else kami.summon if what == "raijin" else train.summon)(w, command)


def _done(w: Work, command: Done) -> None:
    """A seat gives up the rest of its part (RS-6.6); the table goes on."""
    if command.seat != TABLE:
        w.events.append(say.done(command.seat))
        turns.finish(w)
    elif turns.step_name(w.facts, w) == "war":
        setup.cleanup(w)
    else:
        turns.begin(w)


_DO: Mapping[type, Callable[[Work, Any], None]] = {
    Choose: deck.choose,
    Summon: _summon,
    Worship: recruit.worship,
    Move: marshal.move,
    Build: marshal.build,
    Buy: train.buy,
    Replace: betray.replace,
    Give: gifts.give,
    Done: _done,
    Shuffle: setup.shuffle,
}


class RisingSun:
    """See ``companion.rules.game.Game``. Safe to share between threads: what it keeps is replaced whole."""

    id = "rising_sun"
    version = 1
    Command: Any = Said
    State: Any = Position

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.notation: Notation[Position, Said] = notation.RisingSunNotation(facts)
        self._asked: tuple[Position, Prompt[Said] | None] | None = None
        self._open: tuple[Position, tuple[Prompt[Said], ...]] | None = None
        self._public = view.Public(facts)
        self._placed: tuple[Pieces, placement.Placement] | None = None
        self._gifts = gifts.Gifts()

    def start(self, seats: Sequence[Seat], options: Mapping[str, str]) -> Position:
        """A new game; option ``ally`` names Allies at set-up (``koi turtle, lotus bonsai``). Seats are put in clan order (RS-3.1)."""
        return setup.start(self.facts, seats, options)

    def _ask(self, s: Position) -> Prompt[Said] | None:
        """The question that must be answered; None when the game is over."""
        kept = self._asked
        if kept is not None and kept[0] is s:
            return kept[1]
        prompt: Prompt[Said] | None
        if s.owed:
            prompt = setup.ask(self.facts, s)
        elif s.doing is not None:
            prompt = _ASK[s.doing.what](self.facts, s)
        elif s.step >= len(self.facts.steps):
            prompt = None
        else:
            name = self.facts.steps[s.step]
            if name == "war":
                prompt = war.ask(s.season == self.facts.seasons[-1])
            elif name.startswith("kami"):
                prompt = war.ask_kami()
            else:
                prompt = deck.ask(self.facts, s)
        self._asked = (s, prompt)
        return prompt

    def prompts(self, state: Position) -> tuple[Prompt[Said], ...]:
        kept = self._open
        if kept is not None and kept[0] is state:
            return kept[1]
        prompt = self._ask(state)
        if prompt is None:
            found: tuple[Prompt[Said], ...] = ()
        elif state.owed or state.step == len(self.facts.steps) - 1:  # the War Phase: RS-2N.3, 8.2
            found = (prompt,)
        else:
            found = (prompt, *self._gifts.prompts(state))
        self._open = (state, found)
        return found

    def find(self, state: Position, command: Said) -> Choice[Said] | None:
        """The open choice this command takes, or None: it is not lawful now."""
        seat = command.seat
        for prompt in self.prompts(state):
            if prompt.seat == seat:
                choices = prompt.choices
                for choice in choices:
                    if choice.command is command:
                        return choice if choice.amounts is None and choice.shuffle is None else None
                blank = _blank(command)
                for choice in choices:
                    if choice.command == blank and _filled(choice, command):
                        return choice
        return None

    def apply(self, state: Position, command: Said) -> Applied[Position] | Refusal:
        if self.find(state, command) is None:
            return refusals.explain(self.facts, state, command, self.prompts(state))
        w = work(self.facts, state)
        _DO[type(command)](w, command)
        return self._settle(w)

    def _settle(self, w: Work) -> Applied[Position]:
        """Passes over every seat that could only say it is done (RS-6.6)."""
        while True:
            s = w.freeze()
            prompt = self._ask(s)
            if prompt is None or len(prompt.choices) > 1 or not isinstance(prompt.choices[0].command, Done) or prompt.seat == TABLE:
                return Applied(s, tuple(w.events))
            turns.finish(w)

    def view(self, state: Position, seat: Seat | None) -> View:
        prompts = self.prompts(state)
        return view.view(self.facts, state, seat, prompts, self._public.frame(state, prompts))

    def placement(self, state: Position) -> Mapping[Place, Counter[Kind]]:
        kept = self._placed
        if kept is None or kept[0].keys() != state.pieces.keys():
            found = placement.placement(state)
        elif kept[0] is state.pieces:
            return kept[1]
        else:
            found = placement.renewed(kept[1], kept[0], state.pieces)
        self._placed = (state.pieces, found)
        return found

    def lights(self, state: Position) -> tuple[Light, ...]:
        return lights.lights(self.facts, state, self._ask(state))

    def correct(self, state: Position, correction: Correction) -> Applied[Position] | Refusal:
        return correct.correct(self.facts, state, correction)

    def faults(self, state: Position) -> tuple[Ruling, ...]:
        return faults.faults(self.facts, state)


def _blank(command: Said) -> Said:
    """The command as prompts list it: amounts and orders not yet filled in."""
    if isinstance(command, Give):
        return replace(command, amounts={})
    if isinstance(command, Shuffle):
        return replace(command, order=())
    return command


def _filled(choice: Choice[Said], command: Said) -> bool:
    """What the choice leaves open is filled in within its limits."""
    if choice.amounts is not None:
        amounts = cast("Give", command).amounts
        limits = choice.amounts.each
        return (
            all(name in limits and limits[name][0] <= n <= limits[name][1] for name, n in amounts.items())
            and choice.amounts.total[0] <= sum(amounts.values()) <= choice.amounts.total[1]
        )
    if choice.shuffle is not None:
        return sorted(cast("Shuffle", command).order) == sorted(choice.shuffle)
    return True


if TYPE_CHECKING:

    def _conforms(game: RisingSun) -> Game[Position, Said]:
        return game
