"""Betray: the Alliance breaks, then up to two figures of two other players change sides (RS-6B)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import entering, honor, recruit, say, tea
from companion.rules.rising_sun.commands import Command, Replace
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST, keep
from companion.rules.rising_sun.state import RESERVE, Doing, Here, Work, around, kind_id

NO_TYPES: tuple[str, ...] = ()
UNRIGHTEOUS = "au-path-of-the-unrighteous"
EXTRA = "extra"
"""Key of ``Doing.used`` beside the victims: what Path of the Unrighteous has replaced."""


def break_alliance(w: Work, seat: Seat) -> None:
    """The chooser's Alliance ends and the chooser loses Honor; unallied nothing happens (RS-6B.1)."""
    ally = w.allies.get(seat)
    if ally is None:
        return
    tea.remember(w, (seat, ally))
    w.allies = {a: b for a, b in w.allies.items() if a not in (seat, ally)}
    w.events.append(say.event("rs.event.alliance_broken", "RS-6B.1", seat=seat, to=ally))
    honor.lose(w, seat)


@lru_cache(MOST)
def types(facts: Facts, kind: Kind) -> tuple[str, ...]:
    """Types that may be exchanged: Bushi, Shinto, Monster; Komainu is two; a Daimyo, or what counts as one, is none (RS-6B.3, 6B.4, 2.15)."""
    if kind in ("bushi", "shinto"):
        return (kind,)
    if kind not in facts.monsters:
        return NO_TYPES
    also = facts.cards[facts.monsters[kind]].also
    if also == "daimyo":
        return NO_TYPES
    return ("monster", also) if also else ("monster",)


@lru_cache(MOST)
def fits(facts: Facts, victim: Kind, by: Kind) -> bool:
    """The same type, on either side of the swap (RS-6B.3)."""
    theirs = types(facts, victim)
    return any(t in theirs for t in types(facts, by))


_Kept = tuple[Mapping[Kind, int], tuple[Kind, ...], tuple[Choice[Command], ...]]


@keep
def _memory(facts: Facts, seat: Seat, victim: Seat) -> dict[Place, _Kept]:  # noqa: ARG001 - its arguments are its key
    """What a victim's Provinces offered last time: most of them are the same dicts still."""
    return {}


@keep
def _typed(facts: Facts, kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Those that may be exchanged at all, in order."""
    return tuple(kind for kind in sorted(kinds) if types(facts, kind))


@keep
def _swaps(  # noqa: PLR0917 - a cache is asked faster by position
    facts: Facts, seat: Seat, victim: Seat, place: Place, kinds: tuple[Kind, ...], own: tuple[Kind, ...]
) -> tuple[Choice[Command], ...]:
    """Every exchange of one of ``victim``'s figures in a Province for one of ``own``."""
    return tuple(_swap[seat, victim, kind, place, by] for kind in kinds for by in own if fits(facts, kind, by))


@keep
def _swap(seat: Seat, victim: Seat, kind: Kind, place: Place, by: Kind) -> Choice[Command]:
    gestures = (
        Gesture(kind_id(seat, by), f"reserve.{seat}", place),
        Gesture(kind_id(victim, kind), place, f"reserve.{victim}"),
    )
    text = say.text("rs.choice.replace", victim=victim, kind=kind, place=place, by=by)
    return Choice(Replace(seat, victim, kind, place, by), text, gestures, mark=recruit.figure_mark(by))


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    """Every swap of a figure on the Map (Shrines are not, RS-6B.5) of a player not yet betrayed (RS-6B.2)."""
    doing = s.doing
    assert doing is not None
    seat = doing.now
    left, more = remaining(facts, s, doing)
    choices: list[Choice[Command]] = []
    if left > 0 or more > 0:
        own = _typed[facts, recruit.figures(facts, s, seat)]
        for victim in around(s.seats, seat)[1:]:
            if more <= 0 and victim in doing.used:
                continue
            theirs = s.pieces[victim]
            memory = _memory[facts, seat, victim]
            for place in facts.provinces:
                if place in theirs:
                    here = theirs[place]
                    kept = memory.get(place)
                    if kept is None or kept[0] is not here or kept[1] is not own:
                        kept = memory[place] = (here, own, _swaps[facts, seat, victim, place, _typed[facts, tuple(here)], own])
                    choices += kept[2]
            if more > 0:
                choices += _on_shrines(facts, s, seat, victim)
    choices.append(recruit.done_choice[seat, 0])
    left, more = max(left, 0), max(more, 0)
    detail = say.text("rs.detail.unrighteous", n=more) if more else None  # those may be of anybody, again too
    return Prompt(seat, say.text("rs.prompt.betray", n=left + more), "RS-6B.2", tuple(choices), detail=detail)


def victims(doing: Doing) -> tuple[Seat, ...]:
    """Those betrayed by the Mandate itself (RS-6B.2)."""
    return tuple(seat for seat in doing.used if seat != EXTRA)


def remaining(facts: Facts, s: Here, doing: Doing) -> tuple[int, int]:
    """How many figures the Mandate may still replace, and how many more Path of the Unrighteous may: of any player, worshippers too."""
    return facts.values.betray_victims - len(victims(doing)), s.cards[doing.now].count(UNRIGHTEOUS) - doing.used.get(EXTRA, 0)


def _on_shrines(facts: Facts, s: Here, seat: Seat, victim: Seat) -> list[Choice[Command]]:
    """Worshippers of ``victim`` for what may worship of the own Reserve."""
    own = [kind for kind in facts.kinds if kind in s.pieces[seat][RESERVE] and recruit.worships(facts, kind)]
    return [
        _swap[seat, victim, kind, place, by]
        for place, here in sorted(s.pieces[victim].items())
        if place.startswith("shrine.")
        for kind in sorted(here)
        for by in own
    ]


def replace(w: Work, command: Replace) -> None:
    """The figure goes to its owner's Reserve; it is not killed, and nothing is Summoned (RS-6B.5)."""
    doing = w.doing
    assert doing is not None
    w.carry(command.victim, command.kind, command.place, RESERVE)
    w.carry(command.seat, command.by, RESERVE, command.place)
    w.events.append(
        say.event(
            "rs.event.replaced",
            "RS-6B.2",
            seat=command.seat,
            victim=command.victim,
            kind=command.kind,
            place=command.place,
            by=command.by,
        )
    )
    plain = command.place in w.facts.harvest and command.victim not in doing.used and remaining(w.facts, w, doing)[0] > 0
    used = {**doing.used, command.victim: 1} if plain else {**doing.used, EXTRA: doing.used.get(EXTRA, 0) + 1}
    w.doing = msgspec.structs.replace(doing, used=used)
    if command.place in w.facts.harvest:
        entering.entered(w, command.seat, command.by, command.place)
