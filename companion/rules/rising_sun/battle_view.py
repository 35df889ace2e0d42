"""How a Battle is shown: to everybody what everybody may know, to a seat its own sealed bid (RS-9.2 to 9.4).

Here: the section ``battle`` and the curtain before a sealed bid. Not here: the rest of a view (``view``).
"""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import battle, bids, hostages, recruit, say
from companion.rules.rising_sun.advantages import fighting
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import ADVANTAGES, HOSTAGE, Here, kind_id
from companion.rules.view import Counter, Curtain, Line, Node, Pieces, Section, Stack

_MARK = {"seppuku": "war/seppuku", "hostage": "war/take_hostage", "ronin": "war/hire_ronin", "poets": "war/imperial_poets"}


def section(facts: Facts, s: Here) -> Section:
    """Where, who, with what Force; who has bid, then all bids."""
    fight = fighting(s)
    nodes: list[Node] = [Line(say.text(f"rs.battle.{fight.stage}"), "RS-9.5", id="battle.stage")]
    nodes.extend(_side(facts, s, seat) for seat in s.honor if seat in fight.seats)
    if fight.winner:
        nodes.append(Line(say.text("rs.battle.won", seat=fight.winner), "RS-9.11", id="battle.winner"))
    if fight.dead:
        nodes.append(Counter("battle.dead", say.text("rs.battle.dead"), fight.dead))
    return Section("battle", say.text("rs.battle.title", place=fight.place), tuple(nodes), "war/battle")


def _side(facts: Facts, s: Here, seat: Seat) -> Section:
    """One who fights. A bid is told once all are shown, before that only whether it is made (RS-9.4)."""
    fight = fighting(s)
    done = bids.answered(fight, seat)
    nodes: list[Node] = [Counter(f"battle.{seat}.force", say.text("rs.battle.force"), battle.strength(facts, s, seat), "war/battle")]
    if done and (fight.stage != "bids" or bids.open_to_all(s)):
        nodes.extend(_bid(f"battle.{seat}", fight.bids[seat]))
    else:
        nodes.append(Line(say.text(f"rs.battle.{'sealed' if done else 'open'}"), "RS-9.3", id=f"battle.{seat}.bid"))
    return Section(f"battle.{seat}", say.clan(seat), tuple(nodes), f"clan/{seat}", seat)


def _bid(name: str, coins: tuple[int, ...]) -> tuple[Counter, ...]:
    told = zip(ADVANTAGES, coins, strict=True)
    return tuple(Counter(f"{name}.{advantage}", say.text(f"rs.advantage.{advantage}"), n, _MARK[advantage]) for advantage, n in told)


def own_bid(s: Here, seat: Seat) -> Section | None:
    """A seat's own bid while it is sealed."""
    fight = s.battle
    if fight is None or fight.stage != "bids" or not fight.bids.get(seat) or bids.open_to_all(s):
        return None
    nodes = _bid("bid", fight.bids[seat])
    return Section("private", say.text("rs.section.private"), (Curtain("bid", say.text("rs.section.bid"), nodes),), seat=seat)


def held(s: Here, captor: Seat) -> tuple[Stack, ...]:
    """A seat's hostages as stacks."""
    return tuple(
        Stack(kind_id(owner, kind), n, say.kind(kind), recruit.figure_mark(kind), owner) for owner, kind, n in hostages.held(s, captor)
    )


def hostage_node(captor: Seat, stacks: tuple[Stack, ...]) -> Pieces:
    return Pieces(f"{HOSTAGE}{captor}", say.place(f"{HOSTAGE}{captor}"), stacks)
