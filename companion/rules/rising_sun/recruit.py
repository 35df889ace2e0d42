"""Recruit: Summons by Stronghold, one more for the bonus, and the way of a Shinto to worship (RS-6R)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Done, Summon, Worship
from companion.rules.rising_sun.facts import CLAN_KINDS, Facts
from companion.rules.rising_sun.kept import MOST, keep
from companion.rules.rising_sun.state import RESERVE, Doing, Here, Work, kind_id
from companion.rules.view import Text

NOWHERE: tuple[Place, ...] = ()


def worships(facts: Facts, kind: Kind) -> bool:
    """A Shinto, and what counts as one (RS-6R.4; Komainu)."""
    return kind == "shinto" or (kind in facts.monsters and facts.cards[facts.monsters[kind]].also == "shinto")


def strongholds(s: Here, seat: Seat) -> dict[Place, int]:
    """A seat's Strongholds on the Map by Province."""
    return {place: here["stronghold"] for place, here in s.pieces[seat].items() if place != RESERVE and "stronghold" in here}


def room(facts: Facts, s: Here, doing: Doing) -> tuple[tuple[Place, ...], int]:
    """Where the performer may Summon now, and how many Summons are left (RS-6R.1, 6R.2; Dragonfly RS-10.3)."""
    seat = doing.now
    mine = s.pieces[seat]
    homes = tuple([(place, here["stronghold"]) for place, here in mine.items() if "stronghold" in here and place != RESERVE])
    return _room[facts, seat == "dragonfly", homes, 1 if seat in doing.bonus else 0, tuple(doing.used.items())]


@keep
def _room(
    facts: Facts, anywhere: bool, homes: tuple[tuple[Place, int], ...], extra: int, spent_at: tuple[tuple[Place, int], ...]
) -> tuple[tuple[Place, ...], int]:
    """As ``room``, of Strongholds by Province and Summons already used.

    One Summon for each Stronghold on the Map (RS-6R.1): every one made counts, also where the Stronghold it was made at has been corrected away.
    """
    if not homes:  # RS-6R.5
        return NOWHERE, 0
    mine, used = dict(homes), dict(spent_at)
    left = sum(mine.values()) + extra - sum(used.values())
    if left <= 0:
        return NOWHERE, left
    if anywhere:
        return facts.provinces, left
    over = sum(max(0, spent - mine.get(place, 0)) for place, spent in used.items())
    bonus = over < extra
    return tuple(p for p in facts.provinces if p in mine and (bonus or used.get(p, 0) < mine[p])), left


@keep
def _figures(facts: Facts, reserve: tuple[Kind, ...]) -> tuple[Kind, ...]:
    return tuple(k for k in facts.kinds if k in reserve and k != "stronghold")


def figures(facts: Facts, s: Here, seat: Seat) -> tuple[Kind, ...]:
    """Kinds of figures in Reserve (RS-6R.3)."""
    return _figures[facts, tuple(s.pieces[seat][RESERVE])]


@keep
def summon_choice(seat: Seat, kind: Kind, place: Place) -> Choice[Command]:
    gesture = Gesture(kind_id(seat, kind), f"reserve.{seat}", place)
    return Choice(Summon(seat, kind, place), say.text("rs.choice.summon", kind=kind, place=place), (gesture,), mark=figure_mark(kind))


def figure_mark(kind: Kind) -> str:
    if kind == "stronghold":
        return "place/stronghold"
    return f"figure/{kind}" if kind in CLAN_KINDS else "figure/monster"


@keep
def _worship(seat: Seat, fresh: tuple[Kind, Place], slot: int, kami: str) -> Choice[Command]:
    kind, place = fresh
    return Choice(
        Worship(seat, kami),
        say.text("rs.choice.worship", kind=kind, kami=kami),
        (Gesture(kind_id(seat, kind), place, f"shrine.{slot}"),),
        detail=say.kami(f"{kami}.detail"),
        mark=f"kami/{kami}",
    )


@keep
def worship_choices(seat: Seat, fresh: tuple[Kind, Place], shrines: tuple[str, ...]) -> tuple[Choice[Command], ...]:
    """The Shrines the figure just Summoned may go to (RS-6R.4)."""
    return tuple([_worship[seat, fresh, slot, kami] for slot, kami in enumerate(shrines, 1)])


@keep
def done_choice(seat: Seat, gives_up: int) -> Choice[Command]:
    return Choice(
        Done(seat), say.text("rs.choice.done"), detail=say.text("rs.detail.gives_up", n=gives_up) if gives_up else None, mark="ui/ok"
    )


@keep
def _summoning(  # noqa: PLR0917 - what is kept is asked by position
    facts: Facts, seat: Seat, reserve: tuple[Kind, ...], places: tuple[Place, ...], left: int, first: bool
) -> Prompt[Command]:
    kinds = _figures[facts, reserve]
    choices = (*(summon_choice[seat, kind, place] for place in places for kind in kinds), done_choice[seat, left])
    if not left:
        return Prompt(seat, say.text("rs.prompt.worship"), "RS-6R.4", choices)
    return Prompt(seat, say.text("rs.prompt.recruit" if first else "rs.prompt.recruit_more", n=left), "RS-6R.1", choices)


@lru_cache(MOST)
def _may_worship(fresh: tuple[Kind, Place]) -> Text:
    return say.text("rs.detail.may_worship", kind=fresh[0], place=fresh[1])


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    """Every Summon that is left; before them the way to worship, while it is open."""
    doing = s.doing
    assert doing is not None
    seat = doing.now
    reserve = s.pieces[seat][RESERVE]
    idle = sum(reserve.values()) - reserve.get("stronghold", 0)
    places, left = room(facts, s, doing)
    if idle > 0 and places:
        prompt = _summoning[facts, seat, tuple(reserve), places, min(left, idle), not doing.used]
    else:
        prompt = _summoning[facts, seat, (), NOWHERE, 0, False]
    fresh = doing.fresh
    if fresh is None or not s.shrines:
        return prompt
    choices = worship_choices[seat, fresh, s.shrines] + prompt.choices
    return Prompt(seat, prompt.text, prompt.clause, choices, detail=_may_worship(fresh))


def summon(w: Work, command: Summon) -> None:
    """Recruit's Summon; the Shinto's way to worship opens (RS-6R.1, 6R.4)."""
    doing = w.doing
    assert doing is not None
    w.carry(command.seat, command.kind, RESERVE, command.place)
    w.events.append(say.summoned["RS-6R.1", command.seat, command.kind, command.place])
    used = doing.used.copy()
    used[command.place] = used.get(command.place, 0) + 1
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
