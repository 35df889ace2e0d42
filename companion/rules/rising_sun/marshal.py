"""Marshal: every figure one Move, and a Stronghold for the bonus (RS-6M); the Moves of Fujin are the same Moves (RS-7.5)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import entering, recruit, say, serpent, spending
from companion.rules.rising_sun.commands import Build, Command, Move
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST, keep
from companion.rules.rising_sun.state import RESERVE, Doing, Here, Work, kind_id
from companion.rules.view import Text

MOVE = "move"
BUILD = "build"
"""Keys of ``Doing.used``."""


def reach(facts: Facts, seat: Seat, frm: Place) -> tuple[Place, ...]:
    """Where one Move leads: a border or a route (RS-2.9); for Dragonfly anywhere else (RS-10.3)."""
    return tuple(p for p in facts.provinces if p != frm) if seat == "dragonfly" else facts.near[frm]


@keep
def _step(seat: Seat, kind: Kind, frm: Place, place: Place) -> Choice[Command]:
    gesture = Gesture(kind_id(seat, kind), frm, place)
    text = say.text("rs.choice.move", kind=kind, frm=frm, place=place)
    return Choice(Move(seat, kind, frm, place), text, (gesture,), mark=recruit.figure_mark(kind))


def price(facts: Facts, seat: Seat) -> int:
    """Of a Stronghold: 3 Coins; Bonsai at most 1 (RS-6M.2, 10.5)."""
    cost = facts.values.stronghold_cost
    return min(cost, facts.values.bonsai_price_cap) if seat == "bonsai" else cost


@keep
def _builds(facts: Facts, seat: Seat) -> tuple[tuple[Choice[Command], ...], Text]:
    """Every Stronghold it may build, and the sentence that says so."""
    cost = price(facts, seat)
    choices: tuple[Choice[Command], ...] = tuple(
        Choice(
            Build(seat, place),
            say.text("rs.choice.build", place=place, n=cost),
            (Gesture(kind_id(seat, "stronghold"), f"reserve.{seat}", place),),
            mark="place/stronghold",
        )
        for place in facts.provinces
    )
    return choices, say.text("rs.detail.may_build", n=cost)


@keep
def _steps(facts: Facts, seat: Seat, frm: Place, kinds: tuple[Kind, ...]) -> tuple[Choice[Command], ...]:
    """Every Move of one figure of these kinds out of a Province; of Turtle's Strongholds too (RS-10.4)."""
    movable = sorted(kind for kind in kinds if kind != "stronghold" or seat == "turtle")
    return tuple([step for kind in movable for step in _steps_of[facts, seat, frm, kind]])


@keep
def _steps_of(facts: Facts, seat: Seat, frm: Place, kind: Kind) -> tuple[Choice[Command], ...]:
    return tuple([_step[seat, kind, frm, place] for place in reach(facts, seat, frm)])


_Kept = tuple[Mapping[Kind, int], Mapping[Kind, int] | None, tuple[Choice[Command], ...], int]


@keep
def _memory(facts: Facts, seat: Seat) -> dict[Place, _Kept]:  # noqa: ARG001 - its arguments are its key
    """What a Clan's Provinces offered last time: one Move changes two of them, the others are the same dicts still."""
    return {}


def _out_of(facts: Facts, seat: Seat, frm: Place, here: Mapping[Kind, int], gone: Mapping[Kind, int] | None) -> _Kept:
    """Moves out of a Province of figures that have not had theirs (``gone`` have, RS-6M.1), and how many figures those are."""
    rest = {kind: n - gone.get(kind, 0) for kind, n in here.items() if n > gone.get(kind, 0)} if gone else here
    left = sum(rest.values())
    if "stronghold" in rest and seat != "turtle":
        left -= rest["stronghold"]
    return (here, gone, _steps[facts, seat, frm, tuple(rest)], left)


def _moving(facts: Facts, s: Here, doing: Doing) -> tuple[list[Choice[Command]], int]:
    """Every Move the performer has left, and how many figures have not moved."""
    seat = doing.now
    mine = s.pieces[seat]
    moved = doing.moved
    memory = _memory[facts, seat]
    choices: list[Choice[Command]] = []
    left = 0
    for place in facts.provinces:
        if place in mine:
            here = mine[place]
            gone = moved.get(place)
            kept = memory.get(place)
            if kept is None or kept[0] is not here or kept[1] is not gone:
                kept = memory[place] = _out_of(facts, seat, place, here, gone)
            choices += kept[2]
            left += kept[3]
    who = serpent.charges(s, doing) if serpent.owners(s.cards) else ""
    return (_tolled(facts, s, doing, choices, who) if who else choices), left


def _tolled(facts: Facts, s: Here, doing: Doing, choices: list[Choice[Command]], to: Seat) -> list[Choice[Command]]:
    """The same Moves where routes cost a Coin: those that do say so, or are not offered to who has none."""
    found: list[Choice[Command]] = []
    can_pay = s.coins[doing.now] >= serpent.TOLL
    for choice in choices:
        c = choice.command
        assert isinstance(c, Move)
        if not serpent.crossed(facts, s, doing, c):
            found.append(choice)
        elif can_pay:
            found.append(_paid_step[doing.now, c.kind, c.frm, c.to, to])
    return found


@keep
def _paid_step(seat: Seat, kind: Kind, frm: Place, place: Place, to: Seat) -> Choice[Command]:
    return msgspec.structs.replace(_step[seat, kind, frm, place], detail=say.text("rs.detail.toll", to=to, n=serpent.TOLL))


def _stopped(facts: Facts, s: Here, doing: Doing) -> bool:
    """A figure that has not moved could only use a route it cannot pay: a gift or the owner could open it (RS-2N.3)."""
    return bool(serpent.charges(s, doing)) and s.coins[doing.now] < serpent.TOLL and bool(_moving(facts, s, doing)[1])


@lru_cache(MOST)
def _title(left: int) -> Text:
    return say.text("rs.prompt.marshal", n=left) if left else say.text("rs.prompt.build")


def may_build(facts: Facts, s: Here, doing: Doing, purse: int) -> bool:
    """The bonus, once, with a Stronghold in Reserve and the Coins for it in ``purse`` (RS-6M.2)."""
    seat = doing.now
    return seat in doing.bonus and BUILD not in doing.used and "stronghold" in s.pieces[seat][RESERVE] and purse >= price(facts, seat)


def by_gift(facts: Facts, s: Here) -> bool:
    """The performer could build with what others have (RS-2N.3)."""
    doing = s.doing
    return doing is not None and (may_build(facts, s, doing, sum(s.coins.values())) or _stopped(facts, s, doing))


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    doing = s.doing
    assert doing is not None
    seat = doing.now
    choices, left = _moving(facts, s, doing)
    detail = None
    if may_build(facts, s, doing, s.coins[seat]):
        builds, detail = _builds[facts, seat]
        choices += builds
    elif not left and by_gift(facts, s):
        detail = say.text("rs.detail.by_gift")
    choices.append(recruit.done_choice[seat, 0])
    return Prompt(seat, _title(left), "RS-6M.1" if left else "RS-6M.2", tuple(choices), detail=detail)


def _blessed(facts: Facts, doing: Doing) -> int:
    """How many Moves of Fujin's are left."""
    return facts.kami["fujin"].amount - doing.used.get(MOVE, 0)


def fujin_by_gift(facts: Facts, s: Here) -> bool:
    """The blessed has a Move left for which it could only not pay (RS-2N.3)."""
    doing = s.doing
    return doing is not None and _blessed(facts, doing) > 0 and _stopped(facts, s, doing)


def ask_fujin(facts: Facts, s: Here) -> Prompt[Command]:
    """Up to two Moves, of two figures or of one twice (RS-7.5)."""
    doing = s.doing
    assert doing is not None
    left = _blessed(facts, doing)
    choices = _moving(facts, s, doing)[0] if left > 0 else []
    detail = say.text("rs.detail.by_gift") if not choices and fujin_by_gift(facts, s) else None
    choices.append(recruit.done_choice[doing.now, left if choices else 0])
    return Prompt(doing.now, say.text("rs.prompt.fujin", n=max(left, 0)), "RS-7.5", tuple(choices), detail=detail)


def move(w: Work, command: Move) -> None:
    doing = w.doing
    assert doing is not None
    by = serpent.due(w.facts, w, doing, command) if serpent.owners(w.cards) else ""
    if by:
        doing = serpent.pay(w, doing, by)
    w.carry(command.seat, command.kind, command.frm, command.to)
    clause = "RS-7.5" if doing.what == "fujin" else "RS-6M.1"
    w.events.append(say.moved[clause, command.seat, command.kind, command.frm, command.to])
    if doing.what == "fujin":
        w.doing = msgspec.structs.replace(doing, used={**doing.used, MOVE: doing.used.get(MOVE, 0) + 1})
        entering.entered(w, command.seat, command.kind, command.to)
        return
    kind, to = command.kind, command.to
    moved = doing.moved.copy()
    here = moved[to] = moved[to].copy() if to in moved else {}
    here[kind] = here.get(kind, 0) + 1
    w.doing = Doing(doing.what, doing.by, doing.now, doing.left, doing.bonus, doing.used, moved)
    entering.entered(w, command.seat, command.kind, command.to)


def build(w: Work, command: Build) -> None:
    """One Stronghold from Reserve to any Province (RS-6M.2)."""
    doing = w.doing
    assert doing is not None
    cost = price(w.facts, command.seat)
    benevolence = spending.copies(w, command.seat)
    w.earn(command.seat, coins=-cost)
    w.carry(command.seat, "stronghold", RESERVE, command.place)
    w.events.append(say.event("rs.event.built", "RS-6M.2", seat=command.seat, place=command.place, n=cost))
    # What is built now has had no Move; Turtle may still move it (RS-10.4).
    w.doing = msgspec.structs.replace(doing, used={**doing.used, BUILD: 1})
    spending.spent(w, command.seat, cost, benevolence)
