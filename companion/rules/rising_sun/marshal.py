"""Marshal: every figure one Move, and a Stronghold for the bonus (RS-6M); the Moves of Fujin are the same Moves (RS-7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import recruit, say
from companion.rules.rising_sun.commands import Build, Command, Move
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, Doing, State, Work, kind_id
from companion.rules.view import Text

MOVE = "move"
BUILD = "build"
"""Keys of ``Doing.used``."""


def reach(facts: Facts, seat: Seat, frm: Place) -> tuple[Place, ...]:
    """Where one Move leads: a border or a route (RS-2.9); for Dragonfly anywhere else (RS-10.3)."""
    return tuple(p for p in facts.provinces if p != frm) if seat == "dragonfly" else facts.near[frm]


@lru_cache(say.KEEP)
def _steps(facts: Facts, seat: Seat, kind: Kind, frm: Place) -> tuple[Choice[Command], ...]:
    """Every Move of one figure out of a Province."""
    return tuple(
        Choice(
            Move(seat, kind, frm, place),
            say.text("rs.choice.move", kind=kind, frm=frm, place=place),
            (Gesture(kind_id(seat, kind), frm, place),),
            mark=recruit.figure_mark(kind),
        )
        for place in reach(facts, seat, frm)
    )


def price(facts: Facts, seat: Seat) -> int:
    """Of a Stronghold: 3 Coins; Bonsai at most 1 (RS-6M.2, 10.5)."""
    cost = facts.values.stronghold_cost
    return min(cost, facts.values.bonsai_price_cap) if seat == "bonsai" else cost


@lru_cache(say.KEEP)
def _builds(seat: Seat, provinces: tuple[Place, ...], cost: int) -> tuple[Choice[Command], ...]:
    return tuple(
        Choice(
            Build(seat, place),
            say.text("rs.choice.build", place=place, n=cost),
            (Gesture(kind_id(seat, "stronghold"), f"reserve.{seat}", place),),
            mark="place/stronghold",
        )
        for place in provinces
    )


_Kept = tuple[Mapping[Kind, int], Mapping[Kind, int] | None, list[Choice[Command]], int]


@lru_cache(64)
def _memory(facts: Facts, seat: Seat) -> dict[Place, _Kept]:  # noqa: ARG001 - its arguments are its key
    """What a Clan's Provinces offered last time: one Move changes two of them, the others are the same dicts still."""
    return {}


def _out_of(facts: Facts, seat: Seat, frm: Place, here: Mapping[Kind, int], gone: Mapping[Kind, int] | None) -> _Kept:
    """Moves out of a Province of figures that have not had theirs (``gone`` have, RS-6M.1), and how many figures those are.

    RS-10.4: Turtle's Strongholds move too.
    """
    choices: list[Choice[Command]] = []
    left = 0
    for kind in sorted(here):
        rest = here[kind] - gone.get(kind, 0) if gone else here[kind]
        if rest > 0 and (kind != "stronghold" or seat == "turtle"):
            left += rest
            choices += _steps(facts, seat, kind, frm)
    return (here, gone, choices, left)


def _moving(facts: Facts, s: State, doing: Doing) -> tuple[list[Choice[Command]], int]:
    """Every Move the performer has left, and how many figures have not moved."""
    seat = doing.now
    mine = s.pieces[seat]
    moved = doing.moved
    memory = _memory(facts, seat)
    choices: list[Choice[Command]] = []
    left = 0
    for place in facts.provinces:
        here = mine.get(place)
        if here is None:
            continue
        gone = moved.get(place)
        kept = memory.get(place)
        if kept is None or kept[0] is not here or kept[1] is not gone:
            kept = memory[place] = _out_of(facts, seat, place, here, gone)
        choices += kept[2]
        left += kept[3]
    return choices, left


@lru_cache(say.KEEP)
def _title(left: int) -> Text:
    return say.text("rs.prompt.marshal", n=left) if left else say.text("rs.prompt.build")


def may_build(facts: Facts, s: State, doing: Doing) -> bool:
    """The bonus, once, with a Stronghold in Reserve and the Coins for it (RS-6M.2)."""
    seat = doing.now
    return (
        seat in doing.bonus and BUILD not in doing.used and "stronghold" in s.pieces[seat][RESERVE] and s.coins[seat] >= price(facts, seat)
    )


def ask(facts: Facts, s: State) -> Prompt[Command]:
    doing = s.doing
    assert doing is not None
    choices, left = _moving(facts, s, doing)
    detail = None
    if may_build(facts, s, doing):
        choices.extend(_builds(doing.now, facts.provinces, price(facts, doing.now)))
        detail = say.text("rs.detail.may_build", n=price(facts, doing.now))
    choices.append(recruit.done_choice(doing.now, 0))
    return Prompt(doing.now, _title(left), "RS-6M.1" if left else "RS-6M.2", tuple(choices), detail=detail)


def ask_fujin(facts: Facts, s: State) -> Prompt[Command]:
    """Up to two Moves, of two figures or of one twice (RS-7.5)."""
    doing = s.doing
    assert doing is not None
    left = facts.kami["fujin"].amount - doing.used.get(MOVE, 0)
    choices = _moving(facts, s, doing)[0] if left > 0 else []
    choices.append(recruit.done_choice(doing.now, left if choices else 0))
    return Prompt(doing.now, say.text("rs.prompt.fujin", n=max(left, 0)), "RS-7.5", tuple(choices))


def move(w: Work, command: Move) -> None:
    doing = w.doing
    assert doing is not None
    w.carry(command.seat, command.kind, command.frm, command.to)
    clause = "RS-7.5" if doing.what == "fujin" else "RS-6M.1"
    w.events.append(say.moved(clause, command.seat, command.kind, command.frm, command.to))
    if doing.what == "fujin":
        w.doing = msgspec.structs.replace(doing, used={MOVE: doing.used.get(MOVE, 0) + 1})
        return
    here = doing.moved.get(command.to, {})
    moved = {**doing.moved, command.to: {**here, command.kind: here.get(command.kind, 0) + 1}}
    w.doing = msgspec.structs.replace(doing, moved=moved)


def build(w: Work, command: Build) -> None:
    """One Stronghold from Reserve to any Province (RS-6M.2)."""
    doing = w.doing
    assert doing is not None
    cost = price(w.facts, command.seat)
    w.earn(command.seat, coins=-cost)
    w.carry(command.seat, "stronghold", RESERVE, command.place)
    w.events.append(say.event("rs.event.built", "RS-6M.2", seat=command.seat, place=command.place, n=cost))
    # What is built now has had no Move; Turtle may still move it (RS-10.4).
    w.doing = msgspec.structs.replace(doing, used={**doing.used, BUILD: 1})
