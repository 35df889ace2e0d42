"""Gifts of Coins and Ronin: at any time of the Political Phase, one-way and at once; promises bind nobody (RS-2N)."""

from __future__ import annotations

from functools import lru_cache

from companion.rules.game import Amounts, Choice, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Give
from companion.rules.rising_sun.state import State, Work

SORTS = ("coins", "ronin")


@lru_cache(say.KEEP)
def _prompt(seat: Seat, others: tuple[Seat, ...], coins: int, ronin: int) -> Prompt[Command]:
    limits = Amounts({"coins": (0, coins), "ronin": (0, ronin)}, (1, coins + ronin))
    choices: tuple[Choice[Command], ...] = tuple(
        Choice(Give(seat, to), say.text("rs.choice.give", to=to), mark=f"clan/{to}", amounts=limits) for to in others
    )
    return Prompt(seat, say.text("rs.prompt.give"), "RS-2N.3", choices, optional=True)


@lru_cache(64)
def _others(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(other for other in seats if other != seat)


class Gifts:
    """The open gifts of the newest position: kept for as long as nobody's purse changes."""

    def __init__(self) -> None:
        self._kept: tuple[object, object, tuple[Prompt[Command], ...]] | None = None

    def prompts(self, s: State) -> tuple[Prompt[Command], ...]:
        """Everybody who has something may give it away (RS-2N.3)."""
        kept = self._kept
        if kept is not None and kept[0] is s.coins and kept[1] is s.ronin:
            return kept[2]
        made = tuple(
            _prompt(seat, _others(s.seats, seat), s.coins[seat], s.ronin[seat])
            for seat in s.seats
            if s.coins[seat] > 0 or s.ronin[seat] > 0
        )
        self._kept = (s.coins, s.ronin, made)
        return made


def give(w: Work, command: Give) -> None:
    coins, ronin = command.amounts.get("coins", 0), command.amounts.get("ronin", 0)
    w.earn(command.seat, coins=-coins, ronin=-ronin)
    w.earn(command.to, coins=coins, ronin=ronin)
    w.events.append(say.gave(command.seat, command.to, coins, ronin))
    # Worship is open only until that seat's next command (RS-6R.4): a gift is one.
    if w.doing is not None and w.doing.now == command.seat:
        w.close_worship()
