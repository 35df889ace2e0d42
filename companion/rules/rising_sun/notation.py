"""Records: positions and commands of Rising Sun as readable lines, and back (docs/record.md).

Here: the words only. A position that reads well may still be impossible: ``faults`` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.rules.game import CHANCE, TABLE, Kind, NotationError, Place, PositionError, Seat
from companion.rules.rising_sun import commands as cmd
from companion.rules.rising_sun import position, reading
from companion.rules.rising_sun.commands import Command
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import ADVANTAGES, UNKNOWN, State

__all__ = ["PositionError", "RisingSunNotation"]

_SHUFFLED = ("mandates", "shrines", "wars")


class _Words:
    """Reads one command word by word; every complaint names the word."""

    def __init__(self, facts: Facts, words: Sequence[str]) -> None:
        self.facts = facts
        self.words = words
        self.at = 0

    def take(self, expected: str, among: Sequence[str] | Mapping[str, object] | None = None) -> str:
        if self.at >= len(self.words):
            raise NotationError(self.at, expected)
        word = self.words[self.at]
        if among is not None and word not in among:
            raise NotationError(self.at, f"{expected}: one of {', '.join(among)}")
        self.at += 1
        return word

    def seat(self) -> Seat:
        return self.take("a Clan", self.facts.clans)

    def place(self) -> Place:
        """A Province, or a Shrine or the Reserve, from where the rules will refuse."""
        return self.take("a place", reading.places(self.facts))

    def kind(self) -> Kind:
        return self.take("a figure", self.facts.kinds)

    def mandate(self) -> str:
        return self.take("a Mandate", (*self.facts.mandates, UNKNOWN))

    def number(self) -> int:
        word = self.take("a number")
        if not (word.isascii() and word.isdigit() and len(word) <= 4):
            raise NotationError(self.at - 1, "a number of at most four digits")
        return int(word)

    def more(self) -> bool:
        return self.at < len(self.words)

    def end(self) -> None:
        if self.more():
            raise NotationError(self.at, "the end of the line")


class RisingSunNotation:
    """See ``companion.rules.game.Notation``."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def position(self, state: State, reader: Seat | None = None) -> tuple[str, ...]:
        """All lines above ``moves``, ``seats`` and ``option`` lines first; for a ``reader`` with ``?`` for what it may not look at now."""
        return position.write(self._facts, state if reader is None else position.veiled(self._facts, state, reader))

    def read(self, seats: Sequence[Seat], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> State:
        return position.read(self._facts, seats, options, lines)

    def say(self, command: Command) -> str:
        """One line, as people write it."""
        seat = command.seat
        match command:
            case cmd.Choose(_, mandate, declared):
                return f"{seat} choose {mandate} as {declared}" if declared else f"{seat} choose {mandate}"
            case cmd.Summon(_, kind, place):
                return f"{seat} summon {kind} {place}"
            case cmd.Worship(_, kami):
                return f"{seat} worship {kami}"
            case cmd.Move(_, kind, frm, to):
                return f"{seat} move {kind} {frm} {to}"
            case cmd.Build(_, place):
                return f"{seat} build {place}"
            case cmd.Buy(_, card):
                return f"{seat} buy {card}"
            case cmd.Replace(_, victim, kind, place, by):
                return f"{seat} replace {victim} {kind} {place} {by}"
            case cmd.Give(_, to, amounts):
                return f"{seat} give {to} coins {amounts.get('coins', 0)} ronin {amounts.get('ronin', 0)}"
            case cmd.Done():
                return f"{seat} done"
            case cmd.Shuffle(_, what, order):
                return " ".join((seat, "shuffle", what, *order))
            case cmd.Offer(_, to):
                return f"{seat} offer {to}"
            case cmd.Accept(_, to):
                return f"{seat} accept {to}"
            case cmd.Decline(_, to):
                return f"{seat} decline {to}"
            case cmd.Bid(_, of, amounts):
                told = " ".join(f"{name} {amounts.get(name, 0)}" for name in ADVANTAGES)
                return f"{seat} bid {of} {told}" if of else f"{seat} bid {told}"
            case cmd.Seppuku(_, yes) | cmd.Hire(_, yes) | cmd.Spare(_, yes):
                return f"{seat} {type(command).__name__.lower()} {'yes' if yes else 'no'}"
            case cmd.Hostage(_, victim, kind):
                return f"{seat} hostage {victim} {kind}" if victim else f"{seat} hostage none"
            case cmd.Odd(_, to):
                return f"{seat} odd {to}"
            case cmd.Place(_, kind, place):
                return f"{seat} place {kind} {place}"
            case cmd.Kill(_, victim, kind, place):
                return f"{seat} kill {victim} {kind} {place}"
            case cmd.Use(_, card):
                return f"{seat} use {card}"
            case cmd.Order(_, early):
                return f"{seat} {'early' if early else 'late'}"
            case cmd.Share(_, to):
                return f"{seat} share {to}"
            case _:
                return f"{seat} pardon {command.to}"

    def hear(self, words: Sequence[str]) -> Command:
        """One command. Raises NotationError naming the word and what was expected."""
        read = _Words(self._facts, words)
        seat = read.take("a seat", (*self._facts.clans, CHANCE, TABLE))
        if seat == CHANCE:
            read.take("shuffle", ("shuffle",))
            command: Command = _shuffle(read)
        elif seat == TABLE:
            verb = read.take("done or bid", ("done", "bid"))
            command = cmd.Done(TABLE) if verb == "done" else _bid(TABLE, read.seat(), read)
        else:
            verb = read.take("a verb", tuple(_VERBS))
            command = _VERBS[verb](seat, read)
        read.end()
        return command


def _shuffle(read: _Words) -> Command:
    what = read.take("what is shuffled", _SHUFFLED)
    known = {"mandates": read.facts.mandates, "shrines": read.facts.kami, "wars": read.facts.harvest}[what]
    order = []
    while read.more():
        order.append(read.take("what lies next", known))
    return cmd.Shuffle(CHANCE, what, tuple(order))


def _choose(seat: Seat, read: _Words) -> Command:
    mandate = read.mandate()
    if read.more():
        read.take("as", ("as",))
        return cmd.Choose(seat, mandate, read.take("a Mandate", read.facts.mandates))
    # Lotus always plays face down (RS-10.2): a tile named alone stands for itself.
    return cmd.Choose(seat, mandate, mandate) if seat == "lotus" and mandate != UNKNOWN else cmd.Choose(seat, mandate)


def _give(seat: Seat, read: _Words) -> Command:
    to = read.seat()
    amounts: dict[str, int] = {}
    while read.more():
        sort = read.take("coins or ronin", ("coins", "ronin"))
        if sort in amounts:
            raise NotationError(read.at - 1, f"{sort} only once")
        amounts[sort] = read.number()
    if not amounts:
        raise NotationError(read.at, "coins or ronin")
    return cmd.Give(seat, to, {"coins": amounts.get("coins", 0), "ronin": amounts.get("ronin", 0)})


def _bid(seat: Seat, of: Seat, read: _Words) -> Command:
    amounts = dict.fromkeys(ADVANTAGES, 0)
    said: list[str] = []
    while read.more():
        name = read.take("a War Advantage", ADVANTAGES)
        if name in said:
            raise NotationError(read.at - 1, f"{name} only once")
        said.append(name)
        amounts[name] = read.number()
    return cmd.Bid(seat, of, amounts)


def _hostage(seat: Seat, read: _Words) -> Command:
    victim = read.take("a Clan or none", (*read.facts.clans, "none"))
    return cmd.Hostage(seat) if victim == "none" else cmd.Hostage(seat, victim, read.kind())


def _yes(read: _Words) -> bool:
    return read.take("yes or no", ("yes", "no")) == "yes"


_VERBS: Mapping[str, Callable[[Seat, _Words], Command]] = {
    "choose": _choose,
    "summon": lambda seat, read: cmd.Summon(seat, read.kind(), read.place()),
    "worship": lambda seat, read: cmd.Worship(seat, read.take("a Kami", read.facts.kami)),
    "move": lambda seat, read: cmd.Move(seat, read.kind(), read.place(), read.place()),
    "build": lambda seat, read: cmd.Build(seat, read.place()),
    "buy": lambda seat, read: cmd.Buy(seat, read.take("a Season card", read.facts.cards)),
    "replace": lambda seat, read: cmd.Replace(seat, read.seat(), read.kind(), read.place(), read.kind()),
    "give": _give,
    "done": lambda seat, _: cmd.Done(seat),
    "offer": lambda seat, read: cmd.Offer(seat, read.seat()),
    "accept": lambda seat, read: cmd.Accept(seat, read.seat()),
    "decline": lambda seat, read: cmd.Decline(seat, read.seat()),
    "bid": lambda seat, read: _bid(seat, "", read),
    "seppuku": lambda seat, read: cmd.Seppuku(seat, _yes(read)),
    "hostage": _hostage,
    "hire": lambda seat, read: cmd.Hire(seat, _yes(read)),
    "spare": lambda seat, read: cmd.Spare(seat, _yes(read)),
    "odd": lambda seat, read: cmd.Odd(seat, read.seat()),
    "place": lambda seat, read: cmd.Place(seat, read.kind(), read.place()),
    "kill": lambda seat, read: cmd.Kill(seat, read.seat(), read.kind(), read.place()),
    "use": lambda seat, read: cmd.Use(seat, read.take("a Season card", read.facts.cards)),
    "early": lambda seat, _: cmd.Order(seat, True),
    "late": lambda seat, _: cmd.Order(seat, False),
    "share": lambda seat, read: cmd.Share(seat, read.seat()),
    "pardon": lambda seat, read: cmd.Pardon(seat, read.seat()),
}
