"""What cards do after a Summon and at the end of a Recruit (RS-2.11, 2.12).

Here: what is gained at once, and what may be done then. All a seat Summons in its part is one Summon; Placing is none (RS-2.8).
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import Choice, Gesture, Kind, Place, Seat
from companion.rules.rising_sun import commands, gains, honor, kills, recruit, say
from companion.rules.rising_sun.commands import Command, Kill, Spare, Use
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import RESERVE, Ask, Doing, Here, Work, around, kind_id

WARLORD, WARLORD_COINS = "sp-path-of-the-warlord", 1
PATRON, PATRON_COINS, PATRON_BELOW = "sp-path-of-the-patron", 2, 2
SPIRIT, SPIRIT_COINS, SPIRIT_VP = "au-path-of-the-spirit", 2, 2
KENIN = "sp-path-of-the-kenin"
NINJA = "sp-path-of-the-ninja"
MONKEY, MONKEY_COINS = "su-path-of-the-monkey", 1
LIGHT = "sp-path-of-the-light"
SAMURAI = "su-path-of-the-samurai"
MERCY, MERCY_VP = "su-mercy", 2
SUMMON = "summon"
"""Key of ``Doing.used``: something was Summoned."""


def has_summoned(doing: Doing) -> bool:
    """In this part of its own: a whole Recruit, a Monster just bought, Raijin's Bushi."""
    return bool(doing.used) if doing.what == "recruit" else SUMMON in doing.used


def summoned(w: Work, seat: Seat) -> None:
    """The Summon is over (RS-2.11): first what is simply gained, then what the seat may do in any order."""
    mine = w.cards[seat]
    if not mine:
        return
    if WARLORD in mine:
        gains.by_card(w, seat, WARLORD, coins=WARLORD_COINS * mine.count(WARLORD))
    if PATRON in mine and len(w.honor) - 1 - w.honor.index(seat) >= PATRON_BELOW:
        gains.by_card(w, seat, PATRON, coins=PATRON_COINS * mine.count(PATRON))
    if SPIRIT in mine and w.honor[0] == seat:
        n = mine.count(SPIRIT)
        gains.by_card(w, seat, SPIRIT, coins=SPIRIT_COINS * n, vp=SPIRIT_VP * n)
    w.asks = (*[Ask(seat, card, n=mine.count(card)) for card in (KENIN, NINJA, MONKEY) if card in mine], *w.asks)


def recruited(w: Work) -> None:
    """Everybody has performed a Recruit (RS-2.12): those with higher Honor first (RS-2H.6)."""
    w.asks = tuple([Ask(seat, card, n=w.cards[seat].count(card)) for seat in w.honor for card in (LIGHT, SAMURAI) if card in w.cards[seat]])


# ------------------------------------------------------------------ Placing


@keep
def _place(seat: Seat, kind: Kind, place: Place, card: str) -> Choice[Command]:
    gesture = Gesture(kind_id(seat, kind), f"{RESERVE}.{seat}", place)
    text = say.text("rs.choice.place", kind=kind, place=place)
    return Choice(commands.Place(seat, kind, place), text, (gesture,), detail=say.card(card), mark=recruit.figure_mark(kind))


def _placing(s: Here, seat: Seat, kinds: tuple[Kind, ...], places: tuple[Place, ...], card: str) -> tuple[Choice[Command], ...]:
    reserve = s.pieces[seat][RESERVE]
    return placings[seat, tuple([kind for kind in kinds if kind in reserve]), places, card]


@keep
def placings(seat: Seat, kinds: tuple[Kind, ...], places: tuple[Place, ...], card: str) -> tuple[Choice[Command], ...]:
    return tuple([_place[seat, kind, place, card] for kind in kinds for place in places])


def kenin(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """A Bushi at one of the own Strongholds."""
    homes = recruit.strongholds(s, ask.seat)
    return _placing(s, ask.seat, ("bushi",), tuple(p for p in facts.provinces if p in homes), KENIN)


def samurai(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """A Bushi in any Province."""
    return _placing(s, ask.seat, ("bushi",), facts.provinces, SAMURAI)


def light(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """A Shinto, or what is one too, on a Shrine (RS-2.8: the effect itself puts it there)."""
    return _placing(s, ask.seat, _worshippers(facts), tuple([f"shrine.{i}" for i in range(1, len(s.shrines) + 1)]), LIGHT)


@lru_cache(4)
def _worshippers(facts: Facts) -> tuple[Kind, ...]:
    return tuple(kind for kind in facts.kinds if recruit.worships(facts, kind))


def place(w: Work, ask: Ask, command: Command) -> None:
    assert isinstance(command, commands.Place)
    w.carry(command.seat, command.kind, RESERVE, command.place)
    w.events.append(say.event("rs.event.placed", "RS-2.8", seat=command.seat, kind=command.kind, place=command.place, card=ask.what))


# ------------------------------------------------------------------ Path of the Ninja


@keep
def kill_choice(seat: Seat, victim: Seat, kind: Kind, place: Place, card: str) -> Choice[Command]:
    gesture = Gesture(kind_id(victim, kind), place, f"{RESERVE}.{victim}")
    text = say.text("rs.choice.kill", victim=victim, kind=kind, place=place)
    return Choice(Kill(seat, victim, kind, place), text, (gesture,), detail=say.card(f"{card}.effect"), mark=recruit.figure_mark(kind))


@keep
def spare_choice(seat: Seat, yes: bool, n: int) -> Choice[Command]:
    """Mercy's two answers."""
    if not yes:
        return Choice(Spare(seat, yes), say.text("rs.choice.spare_no"))
    return Choice(Spare(seat, yes), say.text("rs.choice.spare_yes", n=n), detail=say.card(f"{MERCY}.effect"))


def ninja(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """Any one Bushi on the Map. Who has Mercy may spare an opponent's instead."""
    seat = ask.seat
    found = [
        kill_choice[seat, victim, "bushi", place, NINJA]
        for victim in around(s.seats, seat)
        for place in facts.provinces
        if "bushi" in s.pieces[victim].get(place, {})
    ]
    copies = s.cards[seat].count(MERCY)
    if copies and any(isinstance(choice.command, Kill) and choice.command.victim != seat for choice in found):
        found.append(spare_choice[seat, True, MERCY_VP * copies])
    return tuple(found)


def strike(w: Work, ask: Ask, command: Command) -> None:
    """The Bushi dies, or is spared; the Honor is lost either way."""
    if isinstance(command, Kill):
        kills.kill(w, command, NINJA)
    else:
        spared(w, ask.seat)
    honor.lose(w, ask.seat)


def spared(w: Work, seat: Seat) -> None:
    """Mercy was shown: 2 points a copy, one gain."""
    gains.by_card(w, seat, MERCY, vp=MERCY_VP * w.cards[seat].count(MERCY))


# ------------------------------------------------------------------ Path of the Monkey


def richest(s: Here, seat: Seat) -> tuple[Seat, ...]:
    """The opponents with most Coins, all that are tied (RS-2.16: Allies too); nobody where none has any."""
    others = [other for other in around(s.seats, seat) if other != seat]
    most = max(s.coins[other] for other in others)
    return tuple(other for other in others if s.coins[other] == most) if most else ()


@keep
def _monkey(seat: Seat, n: int) -> Choice[Command]:
    return Choice(Use(seat, MONKEY), say.text("rs.choice.monkey", n=n), detail=say.card(f"{MONKEY}.effect"), mark="token/coin")


def monkey(_facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    n = len(richest(s, ask.seat)) * MONKEY_COINS
    return (_monkey[ask.seat, n],) if n else ()


def rob(w: Work, ask: Ask, _command: Command) -> None:
    """A Coin of each of the richest, and Honor is lost once."""
    for other in richest(w, ask.seat):
        w.earn(other, coins=-MONKEY_COINS)
        w.earn(ask.seat, coins=MONKEY_COINS)
        w.events.append(say.event("rs.event.takes_coins", "RS-2.18", seat=ask.seat, victim=other, card=MONKEY, n=MONKEY_COINS))
    honor.lose(w, ask.seat)


def closed(doing: Doing) -> Doing:
    """The part of who performs is over but for its cards."""
    return replace(doing, stage="after", fresh=None)
