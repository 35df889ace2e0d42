"""Hostages: kept by their captor until they are returned (RS-2.4, 4.5, 9.9). Who is captured when: ``advantages``."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.game import Kind, Seat
from companion.rules.rising_sun import gains, say
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import HOSTAGE, RESERVE, Here, Work

RETURN_COIN = 1
"""for the captor, a hostage (RS-4.5)"""


def held(s: Here, captor: Seat) -> Iterator[tuple[Seat, Kind, int]]:
    """Whose, what and how many figures a seat keeps."""
    for owner in s.seats:
        for kind, n in s.pieces[owner].get(f"{HOSTAGE}{captor}", {}).items():
            yield owner, kind, n


def none_yet(facts: Facts, s: Here) -> bool:
    """Nobody can be a hostage now: no Battle was fought this Season, and those of the last one have been returned (RS-4.5, 9.9)."""
    if s.owed:
        return s.season == facts.seasons[0]
    return s.step < len(facts.steps) and not s.war


def released(w: Work) -> None:
    """The table goes back to before any could be taken: all go to their owners' Reserves, and nobody gains by it."""
    for captor in w.seats:
        for owner, kind, n in tuple(held(w, captor)):
            for _ in range(n):
                w.carry(owner, kind, f"{HOSTAGE}{captor}", RESERVE)
                w.events.append(
                    say.event("rs.event.corrected_piece", "RS-4.5", seat=owner, kind=kind, frm=f"{HOSTAGE}{captor}", place=RESERVE)
                )


def returned(w: Work) -> None:
    """All hostages go to their owners' Reserves; each captor gains Coins from the pile for its own, all captors at one moment (RS-4.5, 12.1)."""
    coins: dict[Seat, int] = {}
    for captor in w.seats:
        for owner, kind, n in tuple(held(w, captor)):
            for _ in range(n):
                w.carry(owner, kind, f"{HOSTAGE}{captor}", RESERVE)
            w.events.append(say.event("rs.event.returned", "RS-4.5", seat=captor, victim=owner, kind=kind, n=n))
            coins[captor] = coins.get(captor, 0) + n * RETURN_COIN
    for captor, n in coins.items():
        w.events.append(say.event("rs.event.gains_coins", "RS-4.5", seat=captor, n=n))
    gains.coins_at_once(w, coins)
