"""Force: who is strongest where (RS-2.2, 2.3, 10.4)."""

from __future__ import annotations

from companion.rules.game import Kind, Place, Seat
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import State, Work

Here = State | Work


def present(s: Here, place: Place) -> tuple[Seat, ...]:
    """Who has Force in a place, highest Honor first: figures, and Turtle's Strongholds (RS-10.4)."""
    found = []
    for seat in s.honor:
        mine = s.pieces[seat].get(place)
        if mine and (seat == "turtle" or len(mine) > 1 or "stronghold" not in mine):
            found.append(seat)
    return tuple(found)


def figure(facts: Facts, s: Here, seat: Seat, kind: Kind, others: tuple[Seat, ...]) -> int:
    """Force of one figure of ``seat`` where ``others`` (it too, in Honor order) are present. Cards: Oni, Path of the Lion, of the Dragon."""
    name = facts.monsters.get(kind)
    if name is None:
        force, daimyo = facts.values.figure_force, kind == "daimyo"
    else:
        card = facts.cards[name]
        force, daimyo = card.force, card.also == "daimyo"
        # Alone outside a Battle nobody is lower or higher: option `skulls_alone` says what then.
        if card.force_lowest and others[-1] == seat and (len(others) > 1 or s.options["skulls_alone"] == "three"):
            force = card.force_lowest
    if daimyo:
        force += sum(facts.cards[owned].daimyo_force for owned in s.cards[seat])
    return force


def total(facts: Facts, s: Here, seat: Seat, place: Place, others: tuple[Seat, ...]) -> int:
    """A seat's Force in a Province or on a Shrine (RS-2.3)."""
    force = 0
    for kind, n in s.pieces[seat].get(place, {}).items():
        if kind != "stronghold":
            force += n * figure(facts, s, seat, kind, others)
        elif seat == "turtle":
            force += n * facts.values.turtle_stronghold_force
    return force


def strongest(facts: Facts, s: Here, place: Place) -> Seat | None:
    """Who has the most Force; a tie goes to the highest Honor now (RS-2H.5); None where nobody has any (RS-6H.3)."""
    best: Seat | None = None
    most = 0
    others = present(s, place)
    for seat in others:  # highest Honor first, so only more Force takes it from an earlier one
        force = total(facts, s, seat, place, others)
        if force > most:
            best, most = seat, force
    return best
