"""Recruit: Summons by Stronghold, one more for the bonus, and the way of a Shinto to worship (RS-6R)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Done, Summon, Worship
from companion.rules.rising_sun.facts import CLAN_KINDS, Facts
from companion.rules.rising_sun.state import RESERVE, Doing, State, Work, kind_id

NOWHERE: tuple[Place, ...] = ()


def worships(facts: Facts, kind: Kind) -> bool:
    """A Shinto, and what counts as one (RS-6R.4; Komainu)."""
    return kind == "shinto" or (kind in facts.monsters and facts.cards[facts.monsters[kind]].also == "shinto")


def strongholds(s: State | Work, seat: Seat) -> dict[Place, int]:
    """A seat's Strongholds on the Map by Province."""
    return {place: here["stronghold"] for place, here in s.pieces[seat].items() if place != RESERVE and "stronghold" in here}


def room(facts: Facts, s: State, doing: Doing) -> tuple[tuple[Place, ...], int]:
    """Where the performer may Summon now, and how many Summons are left (RS-6R.1, 6R.2; Dragonfly RS-10.3)."""
    seat = doing.now
    mine = strongholds(s, seat)
    if not mine:  # RS-6R.5
        return NOWHERE, 0
    extra = 1 if seat in doing.bonus else 0
    used = doing.used
    if seat == "dragonfly":  # any Province, as many as Strongholds
        left = sum(mine.values()) + extra - sum(used.values())
        return (facts.provinces if left > 0 else NOWHERE), left
    free = 0
    over = 0
    for place, n in mine.items():
        spent = used.get(place, 0)
        if spent <= n:
            free += n - spent
        else:
            over += spent - n
    bonus = over < extra
    places = tuple(p for p in facts.provinces if p in mine and (bonus or used.get(p, 0) < mine[p]))
    return places, free + extra - over


@lru_cache(say.KEEP)
def _figures(facts: Facts, reserve: tuple[Kind, ...]) -> tuple[Kind, ...]:
    return tuple(k for k in facts.kinds if k in reserve and k != "stronghold")


def figures(facts: Facts, s: State, seat: Seat) -> tuple[Kind, ...]:
    """Kinds of figures in Reserve (RS-6R.3)."""
    return _figures(facts, tuple(s.pieces[seat][RESERVE]))


@lru_cache(say.KEEP)
def summon_choice(seat: Seat, kind: Kind, place: Place) -> Choice[Command]:
    gesture = Gesture(kind_id(seat, kind), f"reserve.{seat}", place)
    return Choice(Summon(seat, kind, place), say.text("rs.choice.summon", kind=kind, place=place), (gesture,), mark=figure_mark(kind))


def figure_mark(kind: Kind) -> str:
    if kind == "stronghold":
        return "place/stronghold"
    return f"figure/{kind}" if kind in CLAN_KINDS else "figure/monster"


@lru_cache(say.KEEP)
def _worship(seat: Seat, fresh: tuple[Kind, Place], slot: int, kami: str) -> Choice[Command]:
    kind, place = fresh
    return Choice(
        Worship(seat, kami),
        say.text("rs.choice.worship", kind=kind, kami=kami),
        (Gesture(kind_id(seat, kind), place, f"shrine.{slot}"),),
        detail=say.kami(f"{kami}.detail"),
        mark=f"kami/{kami}",
    )


def worship_choices(seat: Seat, fresh: tuple[Kind, Place], shrines: tuple[str, ...]) -> tuple[Choice[Command], ...]:
    """The Shrines the figure just Summoned may go to (RS-6R.4)."""
    return tuple([_worship(seat, fresh, slot, kami) for slot, kami in enumerate(shrines, 1)])


@lru_cache(say.KEEP)
def done_choice(seat: Seat, gives_up: int) -> Choice[Command]:
    return Choice(
        Done(seat), say.text("rs.choice.done"), detail=say.text("rs.detail.gives_up", n=gives_up) if gives_up else None, mark="ui/ok"
    )


@lru_cache(say.KEEP)
def _summoning(seat: Seat, kinds: tuple[Kind, ...], places: tuple[Place, ...], left: int) -> Prompt[Command]:
    choices = (*(summon_choice(seat, kind, place) for place in places for kind in kinds), done_choice(seat, left))
    return Prompt(
        seat, say.text("rs.prompt.recruit", n=left) if left else say.text("rs.prompt.worship"), "RS-6R.1" if left else "RS-6R.4", choices
    )


def ask(facts: Facts, s: State) -> Prompt[Command]:
    """Every Summon that is left; before them the way to worship, while it is open."""
    doing = s.doing
    assert doing is not None
    seat = doing.now
    kinds = figures(facts, s, seat)
    places, left = room(facts, s, doing)
    if kinds and places:
        reserve = s.pieces[seat][RESERVE]
        prompt = _summoning(seat, kinds, places, min(left, sum(reserve.values()) - reserve.get("stronghold", 0)))
    else:
        prompt = _summoning(seat, (), NOWHERE, 0)
    fresh = doing.fresh
    if fresh is None or not s.shrines:
        return prompt
    detail = say.text("rs.detail.may_worship", kind=fresh[0], place=fresh[1])
    return Prompt(seat, prompt.text, prompt.clause, worship_choices(seat, fresh, s.shrines) + prompt.choices, detail=detail)


def summon(w: Work, command: Summon) -> None:
    """Recruit's Summon; the Shinto's way to worship opens (RS-6R.1, 6R.4)."""
    doing = w.doing
    assert doing is not None
    w.carry(command.seat, command.kind, RESERVE, command.place)
    w.events.append(say.summoned("RS-6R.1", command.seat, command.kind, command.place))
    used = {**doing.used, command.place: doing.used.get(command.place, 0) + 1}
    fresh = (command.kind, command.place) if worships(w.facts, command.kind) else None
    w.doing = Doing(doing.what, doing.by, doing.now, doing.left, doing.bonus, used, doing.moved, fresh)


def worship(w: Work, command: Worship) -> None:
    """The Shinto just Summoned goes to a Shrine and stays till Cleanup (RS-6R.4)."""
    doing = w.doing
    assert doing is not None
    assert doing.fresh is not None
    kind, place = doing.fresh
    w.carry(command.seat, kind, place, f"shrine.{w.shrines.index(command.kami) + 1}")
    w.events.append(say.event("rs.event.worships", "RS-6R.4", seat=command.seat, kind=kind, kami=command.kami))
    w.doing = msgspec.structs.replace(doing, fresh=None)
