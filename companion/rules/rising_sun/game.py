"""Rising Sun as a Game: the one object the table talks to.

Here: which question is open, whether a command is among its choices, and what comes of it. Not here: what any Mandate does (each has its own
file), words, or notation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from msgspec.structs import replace

from companion.rules.game import TABLE, Applied, Choice, Correction, Game, Kind, Notation, Place, Prompt, Refusal, Ruling, Seat, View
from companion.rules.rising_sun import (
    ages,
    asks,
    betray,
    box,
    cleanup,
    correct,
    deck,
    entering,
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
    serpent,
    setup,
    sources,
    steps,
    tea,
    train,
    turns,
    view,
    war,
)
from companion.rules.rising_sun.commands import (
    Accept,
    Bid,
    Build,
    Buy,
    Choose,
    Decline,
    Done,
    Give,
    Hire,
    Hostage,
    Kill,
    Move,
    Odd,
    Offer,
    Order,
    Pardon,
    Replace,
    Seppuku,
    Share,
    Shuffle,
    Spare,
    Summon,
    Use,
    Worship,
)
from companion.rules.rising_sun.commands import Command as Said
from companion.rules.rising_sun.commands import Place as Put
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Here, Pieces, Work, work
from companion.rules.rising_sun.state import State as Position
from companion.rules.view import Light, Stack, Table, Text

_ASK: Mapping[str, Callable[[Facts, Here], Prompt[Said]]] = {
    "recruit": recruit.ask,
    "marshal": marshal.ask,
    "train": train.ask,
    "betray": betray.ask,
    "fujin": marshal.ask_fujin,
    "raijin": kami.ask_raijin,
    "ryujin": train.ask,
}


_BY_GIFT: Mapping[str, Callable[[Facts, Here], bool]] = {
    "marshal": marshal.by_gift,
    "fujin": marshal.fujin_by_gift,
    "train": train.by_gift,
    "ryujin": train.by_gift,
}
"""Where Coins are spent: whether a gift could open something to the performer."""


def _summon(w: Work, command: Summon) -> None:
    what = w.doing.what if w.doing else ""
    (recruit.summon if what == "recruit" else kami.summon if what == "raijin" else train.summon)(w, command)
    entering.entered(w, command.seat, command.kind, command.place)


def _tea(w: Work, command: Any) -> None:
    """Something is said in the Tea Ceremony; with the last word the first Mandate begins."""
    _TEA[type(command)](w, command)
    if tea.over(w):
        turns.begin(w)


_TEA: Mapping[type, Callable[[Work, Any], None]] = {
    Offer: tea.offer,
    Accept: tea.accept,
    Decline: tea.decline,
    Done: tea.content,
}


def _spare(w: Work, command: Spare) -> None:
    """Mercy in a Battle, or of a card that kills otherwise."""
    (asks.answer if w.asks else war.answer)(w, command)


def _done(w: Work, command: Done) -> None:
    """A seat gives up the rest of its part (RS-6.6); the table goes on."""
    if w.asks:
        asks.decline(w)
    elif w.tea is not None:
        _tea(w, command)
    elif command.seat != TABLE:
        w.events.append(say.done(command.seat))
        turns.finish(w)
    elif w.facts.steps[w.step] != steps.WAR:
        turns.begin(w)
    elif war.done(w):
        cleanup.run(w)


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
    **dict.fromkeys((Bid, Seppuku, Hostage, Hire, Odd), war.answer),
    Spare: _spare,
    **dict.fromkeys((Offer, Accept, Decline), _tea),
    **dict.fromkeys((Put, Kill, Use, Share, Order), asks.answer),
    Pardon: serpent.pardon,
}


class RisingSun:
    """See ``companion.rules.game.Game``. Safe to share between threads: what it keeps is replaced whole."""

    id = "rising_sun"
    version = 3
    Command: Any = Said
    State: Any = Position

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.notation: Notation[Position, Said] = notation.RisingSunNotation(facts)
        self._open: tuple[Position | None, tuple[Prompt[Said], ...]] = (None, ())
        self._public = view.Public(facts)
        self._placed: tuple[Pieces, placement.Placement] | None = None
        self._gifts: tuple[object, object, tuple[Prompt[Said], ...]] = (None, None, ())
        self._war = len(facts.steps) - 1

    def start(self, seats: Sequence[Seat], options: Mapping[str, str]) -> Position:
        """A new game; option ``ally`` names Allies at set-up (``koi turtle, lotus bonsai``). Seats are put in clan order (RS-3.1)."""
        return setup.start(self.facts, seats, options)

    def former(self, rules: int) -> Mapping[str, str]:
        """See ``companion.rules.game.Aged``."""
        return ages.former(rules)

    def box(self, seats: Sequence[Seat]) -> tuple[Stack, ...]:
        """Every piece these Clans can bring on the table: what tags are stuck on."""
        return box.stacks(self.facts, seats)

    def _ask(self, s: Here) -> tuple[Prompt[Said], ...]:
        """The questions but for gifts, those that must be answered first; none when the game is over."""
        if s.owed:
            return (setup.ask(self.facts, s),)
        if s.asks:
            return (asks.ask(self.facts, s),)
        doing = s.doing
        if doing is not None:
            return (_ASK[doing.what](self.facts, s),)
        if s.tea is not None:
            return tea.ask(s)
        if s.step >= len(self.facts.steps):
            return ()
        name = self.facts.steps[s.step]
        if name == steps.WAR:
            return war.ask(self.facts, s)
        return (war.ask_kami() if name.startswith("kami") else deck.ask(self.facts, s),)

    def _with_gifts(self, s: Position, asked: tuple[Prompt[Said], ...]) -> tuple[Prompt[Said], ...]:
        """All questions of a position, kept while it is the newest."""
        found = asked
        if asked and not s.owed and (s.step != self._war or war.waits(s)):  # RS-2N.3, 8.2
            kept = self._gifts  # the same for as long as nobody's purse changes
            if kept[0] is not s.coins or kept[1] is not s.ronin:
                kept = self._gifts = (s.coins, s.ronin, gifts.ask(s))
            tolls = serpent.ask(s) if s.doing is not None and serpent.owners(s.cards) else ()
            found = (*asked, *tolls, *kept[2])
        self._open = (s, found)
        return found

    def prompts(self, state: Position) -> tuple[Prompt[Said], ...]:
        kept = self._open
        return kept[1] if kept[0] is state else self._with_gifts(state, self._ask(state))

    def _offered(self, state: Position, command: Said) -> bool:
        """The command is an open choice; only then is it lawful now."""
        seat = command.seat
        kept = self._open
        for prompt in kept[1] if kept[0] is state else self.prompts(state):
            if prompt.seat == seat:
                for choice in prompt.choices:
                    if choice.command is command:
                        return _filled(choice, command)
                blank = _blank(command)
                for choice in prompt.choices:
                    if choice.command == blank and _filled(choice, command):
                        return True
        return False

    def apply(self, state: Position, command: Said) -> Applied[Position] | Refusal:
        if not self._offered(state, command):
            return refusals.explain(self.facts, state, command, self.prompts(state))
        w = work(self.facts, state)
        _DO[type(command)](w, command)
        turns.go_on(w, bool(state.asks))
        asked = self._ask(w)
        while len(asked) == 1 and len(asked[0].choices) == 1 and self._passes(w, asked[0]):
            turns.finish(w)
            turns.go_on(w, False)
            asked = self._ask(w)
        s = w.freeze()
        self._with_gifts(s, asked)
        return Applied(s, tuple(w.events))

    def _passes(self, w: Work, prompt: Prompt[Said]) -> bool:
        """The seat could only say that it is done (RS-6.6), whatever it were given (RS-2N.3; docs/adr/0010)."""
        if w.doing is None or w.asks or not isinstance(prompt.choices[0].command, Done):
            return False
        by_gift = _BY_GIFT.get(w.doing.what)
        return by_gift is None or not by_gift(self.facts, w)

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
        return lights.lights(self.facts, state, next(iter(self.prompts(state)), None))

    def correct(self, state: Position, correction: Correction) -> Applied[Position] | Refusal:
        return correct.correct(self.facts, state, correction)

    def faults(self, state: Position) -> tuple[Ruling, ...]:
        return faults.faults(self.facts, state)

    def sources(self, start: Position, now: Position, said: Iterable[tuple[Text, str]]) -> Table:
        return sources.table(self.facts, start, now, said)


def _blank(command: Said) -> Said:
    """The command as prompts list it: amounts and orders not yet filled in."""
    if isinstance(command, (Give, Bid)):
        return replace(command, amounts={})
    if isinstance(command, Shuffle):
        return replace(command, order=())
    return command


def _filled(choice: Choice[Said], command: Said) -> bool:
    """What the choice leaves open is filled in within its limits."""
    if choice.amounts is not None:
        amounts = cast("Give | Bid", command).amounts
        limits, (least, most) = choice.amounts.each, choice.amounts.total
        wrong = [name for name, n in amounts.items() if name not in limits or not limits[name][0] <= n <= limits[name][1]]
        return not wrong and least <= sum(amounts.values()) <= most
    if choice.shuffle is not None:
        return sorted(cast("Shuffle", command).order) == sorted(choice.shuffle)
    return True


if TYPE_CHECKING:

    def _conforms(game: RisingSun) -> Game[Position, Said]:
        return game
