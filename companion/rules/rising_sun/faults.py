"""Why a position set up by hand is impossible (RS-13.3): every reason, in plain words.

Nothing that play, or a correction, can lead to is ever a fault. Here: seats, pieces, cards, deck and Battle; the part being performed stands in
``part_faults``, what has its time in the year in ``year_faults``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.rules.game import Ruling
from companion.rules.rising_sun import advantages, bids, part_faults, recruit, reparations, say, year_faults
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import HOSTAGE, STAGES, State


def faults(facts: Facts, s: State) -> tuple[Ruling, ...]:
    return (
        *_seats(facts, s),
        *_pieces(facts, s),
        *_monsters(facts, s),
        *_cards(facts, s),
        *_deck(facts, s),
        *part_faults.of(facts, s),
        *_fight(s),
        *year_faults.of(facts, s),
    )


def _ruling(clause: str, key: str, **args: int | str) -> Ruling:
    return Ruling(clause, say.text(f"rs.fault.{key}", **args))


def _seats(facts: Facts, s: State) -> Iterator[Ruling]:
    if sorted(s.honor) != sorted(s.seats):
        yield _ruling("RS-2H.1", "honor")
    for a, b in s.allies.items():
        if s.allies.get(b) != a or a == b:
            yield _ruling("RS-5.2", "allies", seat=a)
    for seat in s.seats:
        for counters in (s.coins, s.ronin, s.vp):
            if counters[seat] < 0:
                yield _ruling("RS-13.3", "below_zero", seat=seat)
    if s.wars and len(s.wars) != facts.wars[len(s.seats)]:
        yield _ruling("RS-3.9", "wars", n=facts.wars[len(s.seats)])
    if len(set(s.wars)) < len(s.wars):
        yield _ruling("RS-4.3", "wars_twice")
    if len(set(s.shrines)) < len(s.shrines):
        yield _ruling("RS-3.5", "shrines_twice")


def _pieces(facts: Facts, s: State) -> Iterator[Ruling]:
    for seat in s.seats:
        have: Counter[str] = Counter()
        for place, here in s.pieces[seat].items():
            have.update(here)
            if place.startswith("shrine."):
                for kind in here:
                    if not recruit.worships(facts, kind):
                        yield _ruling("RS-6R.4", "no_worshipper", seat=seat, kind=kind)
            elif place.startswith(HOSTAGE):
                captor = place.removeprefix(HOSTAGE)
                if captor not in s.seats or captor == seat:
                    yield _ruling("RS-9.9", "captor", seat=seat)
                for kind in here:
                    if not advantages.captive(facts, kind):
                        yield _ruling("RS-9.9", "no_captive", seat=seat, kind=kind)
        for kind, n in facts.figures(seat).items():
            if have[kind] != n:
                yield _ruling("RS-13.3", "pieces", seat=seat, kind=kind, n=n, have=have[kind])


def _monsters(facts: Facts, s: State) -> Iterator[Ruling]:
    for monster, card in facts.monsters.items():
        total = 0
        for seat in s.seats:
            n = sum(here.get(monster, 0) for here in s.pieces[seat].values())
            total += n
            if n > s.cards[seat].count(card):
                yield _ruling("RS-6T.3", "monster_without_card", seat=seat, kind=monster, card=card)
        if total > 1:
            yield _ruling("RS-1.3", "monster_twice", kind=monster)


def _cards(facts: Facts, s: State) -> Iterator[Ruling]:
    out = Counter(s.display)
    for cards in s.cards.values():
        out.update(cards)
    for name, n in out.items():
        if n > facts.cards[name].copies:
            yield _ruling("RS-1.4", "card_copies", card=name, n=facts.cards[name].copies)


def _deck(facts: Facts, s: State) -> Iterator[Ruling]:
    if "mandates" not in s.owed and len(s.deck) + len(s.track) != facts.tiles:
        yield _ruling("RS-13.3", "tiles", n=facts.tiles, have=len(s.deck) + len(s.track))
    seen = Counter(s.deck)
    seen.update(p.tile for p in s.track)
    for mandate, datum in facts.mandates.items():
        if seen[mandate] > datum.copies:
            yield _ruling("RS-1.6", "mandate_copies", mandate=mandate, n=datum.copies)
    for p in s.track:
        if p.declared and p.by not in ("lotus", ""):
            yield _ruling("RS-10.2", "face_down", seat=p.by)


_NOT_BEFORE = {"dead": "hostage", "taken": "hostage", "hired": "spare", "odd": "odd"}
"""From which question of a Battle on something of it can have come about; its winner is looked at apart."""


def _fight(s: State) -> Iterator[Ruling]:
    """What is said of the Battle could have come about, and somebody can answer its question."""
    fight = s.battle
    if fight is None:
        return
    if s.doing is not None or s.owed:
        yield _ruling("RS-8.3", "battle_alone")
    at = STAGES.index(fight.stage)
    if any(getattr(fight, name) and at < STAGES.index(stage) for name, stage in _NOT_BEFORE.items()):
        yield _ruling("RS-9.7", "battle_early")
    if at == 0:
        for seat, coins in fight.bids.items():
            if sum(coins) > s.coins[seat]:
                yield _ruling("RS-9.3", "bid_too_much", seat=seat)
        if bids.complete(fight):
            yield _ruling("RS-9.4", "all_have_bid")
        if fight.winner:
            yield _ruling("RS-9.11", "battle_winner")
        return
    if not bids.complete(fight):
        yield _ruling("RS-9.4", "bids_missing")
        return
    asked = {"seppuku": "seppuku", "hostage": "hostage", "hire": "ronin"}.get(fight.stage)
    if asked is not None and not bids.best(s, fight, asked):
        yield _ruling("RS-9.7", "nobody_asked")
    if (at >= STAGES.index("spare")) != (fight.winner in fight.seats):
        yield _ruling("RS-9.11", "battle_winner")
    elif fight.stage == "odd" and (reparations.odd(fight) <= 0 or not set(fight.odd) <= set(reparations.losers(fight))):
        yield _ruling("RS-9.15", "no_odd")
    for seat in (*fight.taken, *fight.odd, *filter(None, (fight.hired,))):
        if seat not in fight.seats:
            yield _ruling("RS-8.6", "not_in_battle", seat=seat)
