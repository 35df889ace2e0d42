"""From a figure at a place to the choices it can mean.

Here: what fits a seen (figure, place) by the first gesture of the open choices, and why nothing does. Not here: legality (there is one
list of choices, and ``apply``), UIDs (``figures``), or what is done with the answer (``desk``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from companion.rules.game import CHANCE, TABLE, TIME, Choice, Game, Kind, Place, Prompt, Refusal, Seat
from companion.rules.view import Text

MAX_LAWFUL = 8
"""No refusal lists more."""

INSIDE = frozenset({CHANCE, TIME, TABLE})
"""Seats obeyed only from inside the process."""

Offer = tuple[Seat, Choice[Any]]


def offers(prompts: Iterable[Prompt[Any]], kind: Kind) -> tuple[Offer, ...]:
    """Every choice that begins with this figure, wherever it may go, obligatory prompts first."""
    return tuple((seat, choice) for seat, choice in _moves(prompts) if choice.gestures[0].kind == kind)


def fits(prompts: Iterable[Prompt[Any]], kind: Kind, place: Place) -> tuple[Offer, ...]:
    """Every choice that this figure, put there, can mean."""
    return tuple((seat, choice) for seat, choice in offers(prompts, kind) if choice.gestures[0].to == place)


def why_not(game: Game[Any, Any], state: Any, seats: Sequence[Seat], kind: Kind, place: Place) -> Refusal:
    """Why this figure may not go there now: what ``apply`` says of the nearest command, and what would be lawful instead."""
    prompts = game.prompts(state)
    owner = kind.split("/")[0] if kind.split("/")[0] in seats else None

    def distance(offer: Offer) -> tuple[bool, bool, bool]:
        gesture = offer[1].gestures[0]
        return gesture.kind != kind, owner not in {None, offer[0]}, gesture.to != place

    moves = tuple(_moves(prompts))
    lawful = [choice.text for _, choice in offers(prompts, kind)] or [choice.text for _, choice in moves]
    for _, choice in sorted(moves, key=distance):
        outcome = game.apply(state, _changed(choice, kind, place, owner))
        if isinstance(outcome, Refusal):
            return with_lawful(outcome, lawful)
    first = next((p for p in prompts if p.seat not in INSIDE), None)
    return with_lawful(Refusal(first.clause if first else "", Text("table.not_now")), lawful)


def with_lawful(refusal: Refusal, lawful: Sequence[Text]) -> Refusal:
    """At most eight; ``lawful`` where the rules name none."""
    return msgspec.structs.replace(refusal, lawful=tuple((refusal.lawful or tuple(lawful))[:MAX_LAWFUL]))


def _moves(prompts: Iterable[Prompt[Any]]) -> Iterator[Offer]:
    """Choices that a hand on the board can make. A secret one is never made, nor offered, in the open."""
    for prompt in sorted(prompts, key=lambda p: p.optional):
        if prompt.seat not in INSIDE and not prompt.private:
            yield from ((prompt.seat, choice) for choice in prompt.choices if choice.gestures)


def _changed(choice: Choice[Any], kind: Kind, place: Place, owner: Seat | None) -> Any:
    """The choice's command with this figure, place and owner where its own stood."""
    gesture = choice.gestures[0]
    swap = {gesture.kind: kind, gesture.kind.split("/")[-1]: kind.split("/")[-1], gesture.to: place}
    changes: dict[str, Any] = {}
    for field in msgspec.structs.fields(choice.command):
        value = getattr(choice.command, field.name)
        if field.name == "seat":
            changes["seat"] = owner or value
        elif isinstance(value, str) and value in swap:
            changes[field.name] = swap[value]
    return msgspec.structs.replace(choice.command, **changes)
