"""Force: who is strongest where (RS-2.2, 2.3, 10.4)."""

from __future__ import annotations

from companion.rules.game import Kind, Place, Seat
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Here

KATANA = "au-way-of-the-katana"
"""Gives its owner's Bushi 1 more Force, a copy, during the War Phase."""


def present(s: Here, place: Place) -> tuple[Seat, ...]:
    """Who has Force in a place, highest Honor first: figures, and Turtle's Strongholds (RS-10.4)."""
    found = []
    pieces = s.pieces
    for seat in s.honor:
        mine = pieces[seat].get(place)
        if mine and (seat == "turtle" or len(mine) > 1 or "stronghold" not in mine):
            found.append(seat)
    return tuple(found)


def _daimyo(facts: Facts, s: Here, seat: Seat) -> int:
    """What a seat's cards add to its Daimyo, and to what counts as one. Cards: Path of the Lion, of the Dragon."""
    return sum([facts.cards[owned].daimyo_force for owned in s.cards[seat]])


def _monster(facts: Facts, s: Here, seat: Seat, kind: Kind, place: Place) -> int:
    """Force of a Monster of ``seat`` in a place. Cards: the Oni."""
    card = facts.cards[facts.monsters[kind]]
    force = card.force
    if card.force_lowest:
        battle = s.battle
        # In a Battle all who take part count, also who has no figure left.
        fights = battle is not None and battle.place == place
        others = tuple([one for one in s.honor if one in battle.seats]) if battle is not None and fights else present(s, place)
        # Alone outside a Battle nobody is lower or higher: option `skulls_alone` says what then.
        if others[-1] == seat and (len(others) > 1 or s.options["skulls_alone"] == "three"):
            force = card.force_lowest
    return force + _daimyo(facts, s, seat) if card.also == "daimyo" else force


def total(facts: Facts, s: Here, seat: Seat, place: Place) -> int:
    """A seat's Force in a Province or on a Shrine (RS-2.2, 2.3)."""
    force = 0
    each = facts.values.figure_force
    for kind, n in s.pieces[seat][place].items():
        if kind in {"bushi", "shinto"}:
            force += n * each
            if kind == "bushi" and KATANA in s.cards[seat] and s.war:
                force += n * s.cards[seat].count(KATANA)
        elif kind == "daimyo":
            force += n * (each + _daimyo(facts, s, seat))
        elif kind != "stronghold":
            force += n * _monster(facts, s, seat, kind, place)
        elif seat == "turtle":  # RS-10.4
            force += n * facts.values.turtle_stronghold_force
    return force


def strongest(facts: Facts, s: Here, place: Place) -> Seat | None:
    """Who has the most Force; a tie goes to the highest Honor now (RS-2H.5); None where nobody has any (RS-6H.3)."""
    best: Seat | None = None
    most = 0
    pieces = s.pieces
    for seat in s.honor:  # highest Honor first, so only more Force takes it from an earlier one
        if place in pieces[seat]:
            force = total(facts, s, seat, place)
            if force > most:
                best, most = seat, force
    return best
