"""Gifts of Coins and Ronin: at any time of the Political Phase, one-way and at once; promises bind nobody (RS-2N)."""

from __future__ import annotations

from companion.rules.game import Amounts, Choice, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Give
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import Here, Work

SORTS = ("coins", "ronin")


@keep
def _give(seat: Seat, to: Seat) -> Choice[Command]:
    return Choice(Give(seat, to), say.text("rs.choice.give", to=to), mark=f"clan/{to}")


@keep
def _prompt(seats: tuple[Seat, ...], seat: Seat, coins: int, ronin: int) -> Prompt[Command]:
    limits = Amounts({"coins": (0, coins), "ronin": (0, ronin)}, (1, coins + ronin))
    plain = [_give[seat, to] for to in seats if to != seat]
    choices: tuple[Choice[Command], ...] = tuple([Choice(one.command, one.text, mark=one.mark, amounts=limits) for one in plain])
    return Prompt(seat, say.text("rs.prompt.give"), "RS-2N.3", choices, optional=True)


def ask(s: Here) -> tuple[Prompt[Command], ...]:
    """Everybody who has something may give it away (RS-2N.3)."""
    coins, ronin, seats = s.coins, s.ronin, s.seats
    asked = []
    for seat in seats:
        has, hires = coins[seat], ronin[seat]
        if has > 0 or hires > 0:
            asked.append(_prompt[seats, seat, has, hires])
    return tuple(asked)


def give(w: Work, command: Give) -> None:
    coins, ronin = command.amounts.get("coins", 0), command.amounts.get("ronin", 0)
    w.earn(command.seat, coins=-coins, ronin=-ronin)
    w.earn(command.to, coins=coins, ronin=ronin)
    w.events.append(say.gave(command.seat, command.to, coins, ronin))
    # Worship is open only until that seat's next command (RS-6R.4): a gift is one.
    if w.doing is not None and w.doing.now == command.seat:
        w.close_worship()
