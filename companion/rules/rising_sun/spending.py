"""Benevolence: of the Coins spent on a card or a Stronghold, one a copy may go to another player (yaml sp-benevolence)."""

from __future__ import annotations

from companion.rules.game import Choice, Seat
from companion.rules.rising_sun import gains, honor, say
from companion.rules.rising_sun.commands import Command, Share
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import Ask, Here, Work

BENEVOLENCE, BENEVOLENCE_VP = "sp-benevolence", 2


def copies(s: Here, seat: Seat) -> int:
    """Asked before the purchase: a card bought now saw no Coin spent while it was owned (RS-2.18)."""
    return s.cards[seat].count(BENEVOLENCE)


def spent(w: Work, seat: Seat, coins: int, owned: int) -> None:
    """``coins`` were paid; each copy needs a Coin of its own."""
    n = min(coins, owned)
    if n > 0:
        w.asks = (Ask(seat, BENEVOLENCE, n=n), *w.asks)


@keep
def _share(seats: tuple[Seat, ...], seat: Seat) -> tuple[Choice[Command], ...]:
    return tuple(
        Choice(Share(seat, to), say.text("rs.choice.share", to=to), detail=say.card(f"{BENEVOLENCE}.effect"), mark=f"clan/{to}")
        for to in seats
        if to != seat
    )


def choices(_facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    return _share[s.seats, ask.seat]


def share(w: Work, ask: Ask, command: Command) -> None:
    """The Coin comes out of those spent, not out of the pile or the purse."""
    assert isinstance(command, Share)
    w.earn(command.to, coins=1)
    w.events.append(say.event("rs.event.shares", "RS-2.18", seat=ask.seat, to=command.to, card=BENEVOLENCE))
    honor.gain(w, ask.seat)
    gains.by_card(w, ask.seat, BENEVOLENCE, vp=BENEVOLENCE_VP)
