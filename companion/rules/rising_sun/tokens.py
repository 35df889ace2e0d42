"""War Province tokens: who holds which (RS-8.4, 12.3). A token is named ``spring:kyoto``.

Here: taking them and reading them. Not here: who wins a Province (the War), or what they score (Winter).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.rules.game import Place, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Here, Work


@lru_cache(4)
def names(facts: Facts) -> tuple[str, ...]:
    """All tokens of the box, Season by Season (RS-1.3)."""
    return tuple(f"{season}:{place}" for season in facts.seasons for place in facts.provinces)


@lru_cache(4)
def _rank(facts: Facts) -> Mapping[str, int]:
    return {name: i for i, name in enumerate(names(facts))}


def parts(token: str) -> tuple[str, Place]:
    """Season and Province of a token."""
    season, _, place = token.partition(":")
    return season, place


def come(facts: Facts, season: str, token: str) -> bool:
    """Whether tokens of its Season have come into play by ``season``."""
    return facts.seasons.index(parts(token)[0]) <= facts.seasons.index(season)


def early(facts: Facts, s: Here, token: str) -> bool:
    """Whether the War a token of this Season is taken in has not been resolved, or never will be (RS-8.4): nobody can have it yet."""
    season, place = parts(token)
    if season != s.season or s.step >= len(facts.steps):
        return False
    if not s.war or not s.wars:  # no War yet; or one whose Provinces nobody has written down
        return not s.war
    if place not in s.wars:
        return True
    at = s.wars.index(place) + 1
    won = s.battle is not None and bool(s.battle.winner)  # the token is taken with the outcome, the Battle goes on (RS-9.11)
    return at > s.war or (at == s.war and not won)


def in_order(facts: Facts, tokens: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(tokens, key=_rank(facts).__getitem__))


def add(w: Work, seat: Seat, token: str) -> None:
    w.tokens = {**w.tokens, seat: in_order(w.facts, (*w.tokens.get(seat, ()), token))}


def drop(w: Work, seat: Seat, token: str) -> None:
    """Nothing happens where the seat has not got it."""
    left = tuple(held for held in w.tokens.get(seat, ()) if held != token)
    w.tokens = {**{other: held for other, held in w.tokens.items() if other != seat}, **({seat: left} if left else {})}


def take(w: Work, seat: Seat, place: Place) -> None:
    """``seat`` takes this Season's token of ``place`` (RS-8.4, 9.11)."""
    add(w, seat, f"{w.season}:{place}")
    w.events.append(say.claimed["rs.event.token", "RS-8.4", seat, place])
