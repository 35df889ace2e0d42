"""War Reparations: losers discard what they bid, the winner's bid goes to the losers (RS-9.15, 9.16)."""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import Choice, Prompt, Seat
from companion.rules.rising_sun import bids, say
from companion.rules.rising_sun.advantages import fighting
from companion.rules.rising_sun.commands import Command, Odd
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import Battle, Here, Work


def losers(battle: Battle) -> tuple[Seat, ...]:
    """Everybody but the winner, the winner's Ally too (RS-9.15)."""
    winner = battle.winner
    return tuple([seat for seat in battle.seats if seat != winner])


def odd(battle: Battle) -> int:
    """How many odd Coins are not given yet."""
    return sum(battle.bids[battle.winner]) % len(losers(battle)) - len(battle.odd)


def open_odd(w: Work) -> bool:
    """Coins are discarded and split; whether the winner is asked who gets an odd one."""
    battle = fighting(w)
    spent = bids.purses(battle.bids)
    others = losers(battle)
    for seat in others:
        if spent[seat]:
            w.events.append(say.counted["rs.event.discards", "RS-9.15", seat, spent[seat]])
    each = spent[battle.winner] // len(others)
    if each:
        for seat in others:
            w.earn(seat, coins=each)
            w.events.append(say.event("rs.event.repaid", "RS-9.15", seat=battle.winner, to=seat, n=each))
    return odd(battle) > 0


@lru_cache(MOST)
def _prompt(seat: Seat, among: tuple[Seat, ...], n: int) -> Prompt[Command]:
    choices: tuple[Choice[Command], ...] = tuple(Choice(Odd(seat, to), say.text("rs.choice.odd", to=to), mark=f"clan/{to}") for to in among)
    return Prompt(seat, say.text("rs.prompt.odd", n=n), "RS-9.15", choices)


def ask(_: Facts, s: Here) -> Prompt[Command]:
    """One odd Coin at a time, each to another loser, so that the split stays as even as it can be."""
    battle = fighting(s)
    return _prompt(battle.winner, tuple(seat for seat in losers(battle) if seat not in battle.odd), odd(battle))


def give(w: Work, command: Odd) -> bool:
    battle = fighting(w)
    w.earn(command.to, coins=1)
    w.events.append(say.event("rs.event.repaid", "RS-9.15", seat=command.seat, to=command.to, n=1))
    w.battle = battle = replace(battle, odd=(*battle.odd, command.to))
    return odd(battle) == 0
