"""Koi, Eddies in the Stream: Coins count as Ronin (RS-10.1)."""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import gains, say
from companion.rules.rising_sun.state import Here, Work

KOI = "koi"


def ronin(s: Here, seat: Seat) -> int:
    """Ronin that can be hired: the tokens in Reserve, and Koi's Coins there, which are those it did not bid (RS-9.10, 10.1)."""
    return s.ronin[seat] + (s.coins[seat] if seat == KOI else 0)


def convert(w: Work) -> None:
    """At the start of War Koi turns all Ronin into as many Coins; whether that is gaining Coins says option ``koi_conversion_is_gain``."""
    n = w.ronin[KOI]
    if not n:
        return
    w.events.append(say.event("rs.event.koi_converts", "RS-10.1", seat=KOI, n=n))
    w.earn(KOI, ronin=-n)
    if w.options["koi_conversion_is_gain"] == "yes":
        gains.coins_at_once(w, {KOI: n})
    else:
        w.earn(KOI, coins=n)
