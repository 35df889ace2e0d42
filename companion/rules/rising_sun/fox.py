"""Fox, Wily Presence: at the start of War it may put a Bushi in every Province where it has no figure (RS-10.7). Not in the base box."""

from __future__ import annotations

from companion.rules.game import Choice, Place, Seat
from companion.rules.rising_sun import after
from companion.rules.rising_sun.commands import Command
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, Ask, Here

FOX = "fox"
WILY = "wily_presence"
"""What the ability is called where a card would stand."""


def places(facts: Facts, s: Here) -> tuple[Place, ...]:
    """Where it has no figure (a Stronghold is none, RS-2.1): on the whole Map, or, by option ``fox_scope``, where there is a War this Season."""
    mine = s.pieces[FOX]
    among = s.wars if s.options["fox_scope"] == "war_provinces" else facts.provinces
    return tuple(place for place in facts.provinces if place in among and not set(mine.get(place, ())) - {"stronghold"})


def owed(facts: Facts, s: Here, seat: Seat) -> tuple[Ask, ...]:
    """Its question at the start of War: one Bushi after another, as many as it has and places there are; nobody else has one."""
    if seat != FOX:
        return ()
    n = min(len(places(facts, s)), s.pieces[FOX][RESERVE].get("bushi", 0))
    return (Ask(FOX, WILY, n=n),) if n else ()


def choices(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """A Bushi from Reserve, which is Placed and not Summoned (RS-2.8)."""
    reserve = s.pieces[ask.seat][RESERVE]
    return after.placings[ask.seat, ("bushi",), places(facts, s), WILY] if "bushi" in reserve and ask.seat == FOX else ()
