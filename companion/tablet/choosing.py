"""From one prompt's choices to what a finger can do: figures to pick, places that light up, buttons. Pure.

There is no legality here: everything is sorted from the choices the game gave. A choice belongs to a place of the board when its first
gesture ends there; such choices are grouped by the piece that moves, the rest are buttons.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt


class Group(NamedTuple):
    """All choices that move one kind of piece from one place: the button ``pick:<key>``."""

    key: str
    kind: Kind
    frm: Place
    """A place of the board, or "" (a reserve)."""
    choices: tuple[int, ...]


def gesture(choice: Choice[Any], places: Collection[Place]) -> Gesture | None:
    """The gesture that plays this choice on the board, if one does."""
    first = choice.gestures[0] if choice.gestures else None
    return first if first is not None and first.to in places else None


def groups(prompt: Prompt[Any], places: Collection[Place]) -> tuple[Group, ...]:
    """In the order of the choices."""
    found: dict[str, list[int]] = {}
    first: dict[str, tuple[Kind, Place]] = {}
    for i, choice in enumerate(prompt.choices):
        move = gesture(choice, places)
        if move is not None:
            frm = move.frm if move.frm in places else ""
            key = f"{move.kind}@{frm}" if frm else move.kind
            found.setdefault(key, []).append(i)
            first[key] = (move.kind, frm)
    return tuple(Group(key, *first[key], tuple(choices)) for key, choices in found.items())


def plain(prompt: Prompt[Any], places: Collection[Place]) -> tuple[int, ...]:
    """The choices that are buttons."""
    return tuple(i for i, choice in enumerate(prompt.choices) if gesture(choice, places) is None)


def landings(prompt: Prompt[Any], places: Collection[Place], pick: str = "") -> dict[Place, tuple[int, ...]]:
    """Place -> the choices that end there; with ``pick`` only that group's."""
    found: dict[Place, list[int]] = {}
    for group in groups(prompt, places):
        if pick in {"", group.key}:
            for i in group.choices:
                found.setdefault(prompt.choices[i].gestures[0].to, []).append(i)
    return {place: tuple(sorted(choices)) for place, choices in found.items()}


def sources(prompt: Prompt[Any], places: Collection[Place]) -> dict[Place, tuple[Group, ...]]:
    """Place -> the groups that start there."""
    found: dict[Place, list[Group]] = {}
    for group in groups(prompt, places):
        if group.frm:
            found.setdefault(group.frm, []).append(group)
    return {place: tuple(here) for place, here in found.items()}
