"""Why a moment of the year could never be: tokens, hostages and cards before their time, words at tea, an end that is none.

Not here: pieces, deck and Battle (``faults``), the part being performed (``part_faults``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.rules.game import Ruling
from companion.rules.rising_sun import hostages, say, tokens
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import HOSTAGE, State, Tea
from companion.rules.rising_sun.tea import refused_by


def _ruling(clause: str, key: str, **args: int | str) -> Ruling:
    return Ruling(clause, say.text(f"rs.fault.{key}", **args))


def of(facts: Facts, s: State) -> Iterator[Ruling]:
    """Every reason."""
    yield from _tokens(facts, s)
    yield from _later(facts, s)
    yield from _hostages(facts, s)
    yield from _ended(facts, s)
    if s.owed and (s.step or s.track):
        yield _ruling("RS-4.2", "owed_step")
    if s.tea is not None:
        if s.step or s.doing is not None or s.owed or s.track:
            yield _ruling("RS-4.1", "tea_step")
        yield from _tea(s, s.tea)


def _tokens(facts: Facts, s: State) -> Iterator[Ruling]:
    """A token lies with one seat, and once its War is resolved (RS-8.4)."""
    held = Counter(token for mine in s.tokens.values() for token in mine)
    if any(n > 1 for n in held.values()):
        yield _ruling("RS-1.3", "token_twice")
    for seat in s.seats:
        mine = s.tokens.get(seat, ())
        if not all(tokens.come(facts, s.season, token) for token in mine):
            yield _ruling("RS-8.4", "token_later", seat=seat)
        for token in mine:
            if tokens.early(facts, s, token):
                season, place = tokens.parts(token)
                yield _ruling("RS-8.4", "token_early", seat=seat, place=place, season=season)


def _later(facts: Facts, s: State) -> Iterator[Ruling]:
    """Nothing of a Season to come is there (RS-4.4, 12.7)."""
    yet = facts.seasons[: facts.seasons.index(s.season) + 1]
    for card in dict.fromkeys((*s.display, *(card for mine in s.cards.values() for card in mine))):
        if facts.cards[card].season not in yet:
            yield _ruling("RS-4.4", "card_later", card=card, name=facts.cards[card].season)
    for seat in s.seats:
        if any(season not in yet for season in s.allied.get(seat, ())):
            yield _ruling("RS-12.7", "allied_later", seat=seat)


def _hostages(facts: Facts, s: State) -> Iterator[Ruling]:
    """Taken in a Battle, and returned before the next Political Phase (RS-4.5, 9.9)."""
    if hostages.none_yet(facts, s):
        for seat in s.seats:
            if any(place.startswith(HOSTAGE) for place in s.pieces[seat]):
                yield _ruling("RS-9.9", "hostage_early", seat=seat)


def _ended(facts: Facts, s: State) -> Iterator[Ruling]:
    """The game is over after the last Season only, and what Winter has counted is what everybody has."""
    over = s.step >= len(facts.steps)
    if over and s.season != facts.seasons[-1]:
        yield _ruling("RS-4.1", "over_season")
    if s.scored and not over:
        yield _ruling("RS-12.1", "scored_early")
    for seat in s.seats if s.scored and over else ():
        have = sum(s.scored.get(seat, {}).values())
        if have != s.vp[seat]:
            yield _ruling("RS-12.1", "scored", seat=seat, n=s.vp[seat], have=have)


def _tea(s: State, tea: Tea) -> Iterator[Ruling]:
    """One offer at a time between two who have no Ally (RS-5.2)."""
    if any(seat in tea.done for pair in tea.offers for seat in pair):
        yield _ruling("RS-5.2", "tea_content")
    for pair in (*tea.offers, *tea.declined):
        if any(seat in s.allies for seat in pair):
            yield _ruling("RS-5.2", "tea_offer")
    for seat in tea.done:
        if seat in s.allies:
            yield _ruling("RS-5.2", "tea_ally", seat=seat)
    for sort, pairs in (("offered", tea.offers), ("declined", tea.declined)):
        for frm, to in dict.fromkeys(pair for pair in pairs if pairs.count(pair) > 1):
            yield _ruling("RS-5.2", "tea_twice", name=f"{sort} {frm} {to}")
    for frm, to in tea.offers:
        if to in refused_by(tea.declined, frm):
            yield _ruling("RS-5.2", "tea_declined", seat=frm, to=to)
        if (to, frm) in tea.offers and s.seats.index(frm) < s.seats.index(to):
            yield _ruling("RS-5.2", "tea_both", seat=frm, to=to)
