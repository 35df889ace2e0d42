"""Gaining points and Coins, and what cards add to a gain (RS-2.12, 2.13).

Here: the only ways to points, and to Coins from the pile. One call is one gain: what one act gives a seat is summed up before. Not here: paying,
giving and stealing, which take from somebody.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.game import Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.state import Here, Work

LOYALTY = "su-loyalty"
MERCHANT = "su-way-of-the-merchant"


def loyalty(s: Here, seat: Seat) -> int:
    """What Loyalty adds to every gain of points of a seat: 1 a copy while it is allied."""
    return s.cards[seat].count(LOYALTY) if seat in s.allies else 0


def quietly(w: Work, seat: Seat, n: int) -> None:
    """``n`` points that somebody has told of already; Loyalty adds to them as to any gain."""
    if n > 0:
        w.earn(seat, vp=n)
        extra = loyalty(w, seat)
        if extra:
            w.earn(seat, vp=extra)
            w.events.append(say.counted["rs.event.loyalty", "RS-2.13", seat, extra])


def vp(w: Work, seat: Seat, n: int, clause: str) -> None:
    """One gain of ``n`` points."""
    if n > 0:
        w.events.append(say.counted["rs.event.gains_vp", clause, seat, n])
        quietly(w, seat, n)


def by_card(w: Work, seat: Seat, card: str, *, vp: int = 0, coins: int = 0, ronin: int = 0) -> None:
    """What a card gives at one moment, Coins and Ronin from the pile."""
    if vp <= 0 and coins <= 0 and ronin <= 0:  # mostly nobody has the card
        return
    for key, n in (("coins", coins), ("ronin", ronin), ("vp", vp)):
        if n > 0:
            w.events.append(say.event(f"rs.event.card_{key}", "RS-2.18", seat=seat, card=card, n=n))
    if coins > 0:
        coins_at_once(w, {seat: coins})
    if ronin > 0:
        w.earn(seat, ronin=ronin)
    quietly(w, seat, vp)


def coins(w: Work, seat: Seat, n: int, clause: str) -> None:
    """One gain of ``n`` Coins from the pile."""
    w.events.append(say.counted["rs.event.gains_coins", clause, seat, n])
    coins_at_once(w, {seat: n})


def coins_at_once(w: Work, gained: Mapping[Seat, int]) -> None:
    """Coins from the pile to several at one moment (RS-2.12), told of already. Way of the Merchant: 1 for each richer player who gains, a copy."""
    before = w.coins
    w.coins = {seat: n + gained.get(seat, 0) for seat, n in before.items()}
    for owner in w.honor:
        if MERCHANT not in w.cards[owner]:
            continue
        copies = w.cards[owner].count(MERCHANT)
        richer = sum(n > 0 and before[seat] > before[owner] for seat, n in gained.items())
        if richer:
            w.earn(owner, coins=richer * copies)
            w.events.append(say.event("rs.event.merchant", "RS-2.13", seat=owner, n=richer * copies))
