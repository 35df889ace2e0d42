"""Path of the Serpent: its owner's toll for Shipping Routes (yaml su-path-of-the-serpent).

Each route costs another player 1 Coin once an occasion (a Marshal, Fujin's blessing), whatever the number of figures. It is charged at once unless
the owner has waived it for this part; who has no Coin cannot use the route. Dragonfly uses none (option ``serpent_dragonfly``); for Turtle's
Strongholds option ``serpent_turtle`` decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import Choice, Place, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Move, Pardon
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import Newest, keep
from companion.rules.rising_sun.state import Doing, Here, Work

SERPENT, TOLL = "su-path-of-the-serpent", 1
WAIVED = "waived"
"""Key of ``Doing.used``; a route paid for is another, as in ``oshu-hokkaido``."""
MOVING = ("marshal", "fujin")


@keep
def route(facts: Facts, frm: Place, to: Place) -> str:
    """The name of the Shipping Route between two Provinces, "" where there is none."""
    if frozenset((frm, to)) not in facts.routes:
        return ""
    return "-".join(place for place in facts.provinces if place in {frm, to})


@lru_cache(4)
def routes(facts: Facts) -> tuple[str, ...]:
    """All of them, as ``Doing.used`` names them."""
    return tuple(route[facts, a, b] for i, a in enumerate(facts.provinces) for b in facts.provinces[i + 1 :] if route[facts, a, b])


@Newest
def owners(cards: Mapping[Seat, tuple[str, ...]]) -> tuple[Seat, ...]:
    """Who has the card, in the order of seats: asked for every Move, and mostly nobody."""
    return tuple([seat for seat, mine in cards.items() if SERPENT in mine])


def owner(s: Here, seat: Seat) -> Seat:
    """Who may charge ``seat``; "" nobody."""
    for other in owners(s.cards):
        if other != seat:
            return other
    return ""


def charges(s: Here, doing: Doing) -> Seat:
    """Who charges the one that moves now."""
    return "" if WAIVED in doing.used else owner(s, doing.now)


def due(facts: Facts, s: Here, doing: Doing, c: Move) -> str:
    """The route a Move would have to be paid for, "" none: nobody charges, it is paid already, or no route is used."""
    return crossed(facts, s, doing, c) if charges(s, doing) else ""


def crossed(facts: Facts, s: Here, doing: Doing, c: Move) -> str:
    """As ``due``, where somebody charges."""
    by = route[facts, c.frm, c.to]
    if not by or by in doing.used:
        return ""
    if doing.now == "dragonfly" and s.options["serpent_dragonfly"] == "no_toll":
        return ""
    if c.kind == "stronghold" and s.options["serpent_turtle"] == "no_toll":
        return ""
    return by


def pay(w: Work, doing: Doing, by: str) -> Doing:
    """The toll goes to the owner; the route is paid for this occasion."""
    who = charges(w, doing)
    w.earn(doing.now, coins=-TOLL)
    w.earn(who, coins=TOLL)
    w.events.append(say.event("rs.event.toll", "RS-2.18", seat=doing.now, to=who, card=SERPENT, n=TOLL))
    return replace(doing, used={**doing.used, by: 1})


@keep
def _ask(seat: Seat, to: Seat) -> Prompt[Command]:
    choice: Choice[Command] = Choice(Pardon(seat, to), say.text("rs.choice.waive", to=to), detail=say.card(f"{SERPENT}.effect"))
    return Prompt(seat, say.text("rs.prompt.waive", to=to), "RS-2.18", (choice,), optional=True)


def ask(s: Here) -> tuple[Prompt[Command], ...]:
    """The owner may let the one that moves now pass."""
    doing = s.doing
    if doing is None or doing.what not in MOVING or s.asks:
        return ()
    who = charges(s, doing)
    return (_ask[who, doing.now],) if who else ()


def pardon(w: Work, command: Pardon) -> None:
    doing = w.doing
    assert doing is not None
    w.doing = replace(doing, used={**doing.used, WAIVED: 1})
    w.events.append(say.event("rs.event.waived", "RS-2.18", seat=command.seat, to=command.to, card=SERPENT))
