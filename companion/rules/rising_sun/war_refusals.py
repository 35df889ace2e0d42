"""Why not, in the War Phase: the clause and one plain sentence for what a Battle does not allow (RS-8, 9).

Here: reasons, as ``refusals`` asks for them. Nothing here decides what is lawful; the prompts do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.game import TABLE, Seat
from companion.rules.rising_sun import advantages, bids, say, war
from companion.rules.rising_sun.commands import Bid, Command, Hire, Hostage, Odd, Seppuku, Spare
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import ADVANTAGES, STAGES, Battle, State
from companion.rules.view import Text

Why = tuple[str, Text]


def _no(clause: str, key: str, **args: int | str) -> Why:
    return clause, say.spoken(f"rs.no.{key}", **args)


def why(facts: Facts, s: State, command: Command) -> Why:
    """Why this word of a Battle is not said now. ``command`` is one of those in ``SAID``."""
    fight = s.battle
    if fight is None:
        return _no("RS-8.6", "no_battle")
    seat = command.seat
    if seat in s.seats and seat not in fight.seats:
        return _no("RS-8.6", "not_in_battle", seat=seat, place=fight.place)
    return SAID[type(command)](facts, s, fight, command)


def _bid(_: Facts, s: State, fight: Battle, c: Bid) -> Why:
    if fight.stage != "bids":
        return _no("RS-9.4", "bids_shown")
    if c.seat == TABLE and not bids.open_to_all(s):
        return _no("RS-9.3", "bids_are_secret")
    if c.seat != TABLE and c.of:
        return _no("RS-9.3", "own_bid_only")
    seat = c.of or c.seat
    if seat not in fight.seats:
        if seat in s.seats:
            return _no("RS-8.6", "not_in_battle", seat=seat, place=fight.place)
        return _no("RS-8.6", "not_in_battle_name", name=seat)
    for name, n in c.amounts.items():
        if name not in ADVANTAGES:
            return _no("RS-9.3", "unknown_advantage", name=name)
        if n < 0:
            return _no("RS-9.3", "bid_below_zero")
    if sum(c.amounts.values()) > s.coins[seat]:
        return (
            _no("RS-9.3", "bid_too_much", n=s.coins[seat])
            if c.seat == seat
            else _no("RS-9.3", "bid_too_much_of", seat=seat, n=s.coins[seat])
        )
    return _no("RS-9.3", "bid_known")


def _turn(fight: Battle, seat: Seat, stage: str, asked: Callable[[], Seat]) -> Why | None:
    """Why ``seat`` is not asked about ``stage`` now; None: it is."""
    if fight.stage == "bids":
        return _no("RS-9.5", "bids_first")
    now, at = STAGES.index(fight.stage), STAGES.index(stage)
    if now != at:
        return _no("RS-9.5", f"over_{stage}" if now > at else f"before_{stage}")
    other = asked()
    return None if other == seat else _no("RS-9.6" if at < STAGES.index("spare") else "RS-9.11", f"others_{stage}", seat=other)


def _asked(what: str) -> Callable[[Facts, State, Battle, Any], Why]:
    def said(facts: Facts, s: State, fight: Battle, c: Any) -> Why:
        return _turn(fight, c.seat, what, lambda: _winner(s, fight, what)) or _wrong(facts, fight, c)

    return said


def _winner(s: State, fight: Battle, stage: str) -> Seat:
    """Who is asked in this stage."""
    return fight.winner if stage in ("spare", "odd") else bids.best(s, fight, "ronin" if stage == "hire" else stage)


def _wrong(facts: Facts, fight: Battle, c: Any) -> Why:
    """What is wrong with the answer of the seat that is asked; of yes and no only Mercy for nobody is."""
    if isinstance(c, Spare):
        return _no("RS-2.18", "nobody_to_spare")
    if isinstance(c, Odd):
        return _no("RS-9.15", "odd_twice", to=c.to) if c.to in fight.odd else _no("RS-9.15", "odd_to_loser")
    if c.victim == c.seat:
        return _no("RS-9.9", "own_hostage")
    if c.victim not in fight.seats:
        return _no("RS-9.9", "hostage_of_fighter", name=c.victim)
    if c.kind not in facts.kinds:
        return _no("RS-2.1", "unknown_kind", name=c.kind)
    if c.kind == "stronghold":
        return _no("RS-10.4", "stronghold_no_hostage")
    if not advantages.captive(facts, c.kind):
        return _no("RS-9.9", "no_captive", kind=c.kind)
    return _no("RS-9.9", "hostage_not_there", victim=c.victim, kind=c.kind, place=fight.place)


SAID: Mapping[type, Callable[[Facts, State, Battle, Any], Why]] = {
    Bid: _bid,
    **{said: _asked(said.__name__.lower()) for said in (Seppuku, Hostage, Hire, Spare, Odd)},
}


def busy(s: State) -> Why:
    """Why nothing of the Political Phase is said in step ``war``."""
    fight = s.battle
    if war.waits(s):
        return _no("RS-7.6", "war_waits")
    return _no("RS-8.3", "war") if fight is None else _no("RS-9.5", "battle_first", place=fight.place)
