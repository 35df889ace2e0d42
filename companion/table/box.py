"""The box as a list to go through: every single piece a tag may be stuck on, by name, and every place that may have a tag or reader.

Here: pieces one by one, and what of a register of figures fits them. Not here: tags being read (``enrolment``), files (``figures``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.rules.game import Game, Kind, Place, Seat, View
from companion.rules.view import Stack, Text, Zone
from companion.table.figures import Figures, Tag
from companion.table.naming import Names


class Item(Struct, frozen=True):
    """One piece, or one place."""

    text: Text
    """Its whole name: ``Koi Bushi 1``"""
    kind: Kind = ""
    name: str = ""
    place: Place = ""
    seat: Seat = ""
    mark: str = ""
    group: Text | None = None
    """What it belongs to in the box: the clan, the monsters, the places."""


class Kindred(Struct, frozen=True):
    """What a kind is called and how it is drawn."""

    text: Text
    seat: Seat = ""
    mark: str = ""


def stacks(game: Game[Any, Any], seats: Sequence[Seat]) -> tuple[Stack, ...]:
    """Every piece these seats may bring on the table. Of a game that does not say: what its opening position holds."""
    tell = getattr(game, "box", None)
    if tell is not None:
        told: tuple[Stack, ...] = tell(seats)
        return told
    state = game.start(seats, {})
    names, counts = Names(game.view(state, None)), dict[Kind, int]()
    for pile in game.placement(state).values():
        for kind, n in pile.items():
            counts[kind] = counts.get(kind, 0) + n
    bare = {kind: names.stacks.get(kind) for kind in counts}
    return tuple(
        Stack(kind, n, stack.text, stack.mark, stack.seat) if (stack := bare[kind]) else Stack(kind, n, Text("table.raw", {"id": kind}))
        for kind, n in sorted(counts.items())
    )


def contents(game: Game[Any, Any], seats: Sequence[Seat], *, places: bool = True) -> tuple[Item, ...]:
    """Every piece in the order of the box, then every place. Raises ValueError naming a bad seat and the fix."""
    view = game.view(game.start(seats, {}), None)
    names = Names(view)
    items = [_piece(names, stack, str(n) if stack.count > 1 else "") for stack in stacks(game, seats) for n in range(1, stack.count + 1)]
    return (*items, *(_places(view) if places else ()))


def kindred(game: Game[Any, Any], seats: Sequence[Seat]) -> Mapping[Kind, Kindred]:
    """Names and marks of all kinds, in play or not."""
    names = Names(game.view(game.start(seats, {}), None))
    return {stack.kind: Kindred(_whole(names, stack), stack.seat, stack.mark) for stack in stacks(game, seats)}


def _whole(names: Names, stack: Stack) -> Text:
    return Text("table.owned", {"seat": names.seat(stack.seat), "what": stack.text}) if stack.seat else stack.text


def _piece(names: Names, stack: Stack, name: str) -> Item:
    whole = _whole(names, stack)
    text = Text("table.figure", {"figure": whole, "name": name}) if name else whole
    group = names.seat(stack.seat) if stack.seat else Text("enrol.others")
    return Item(text, stack.kind, name, seat=stack.seat, mark=stack.mark, group=group)


def _places(view: View) -> Iterable[Item]:
    zones = (node for section in view.sections for node in section.nodes if isinstance(node, Zone))
    return (Item(zone.text, place=zone.id, mark=zone.mark, group=Text("enrol.places")) for zone in zones)


def fitting(items: Sequence[Item], figures: Figures) -> dict[int, Tag]:
    """Which tag each item has. A tag that goes by another name (``koi/bushi red``) stands for an item of its kind that has none."""
    exact = {(tag.kind, tag.name): tag for tag in figures.tags() if tag.kind}
    at = {tag.place: tag for tag in reversed(figures.tags()) if tag.place}
    found: dict[int, Tag] = {}
    for i, item in enumerate(items):
        tag = at.get(item.place) if item.place else exact.get((item.kind, item.name))
        if tag is not None:
            found[i] = tag
    used = {tag.uid for tag in found.values()}
    spare: dict[Kind, list[Tag]] = {}
    for tag in figures.tags():
        if tag.kind and tag.uid not in used:
            spare.setdefault(tag.kind, []).append(tag)
    for i, item in enumerate(items):
        if i not in found and not item.place and spare.get(item.kind):
            found[i] = spare[item.kind].pop(0)
    return found


def missing(items: Sequence[Item], figures: Figures) -> tuple[Item, ...]:
    """Pieces that have no tag; places need none."""
    found = fitting(items, figures)
    return tuple(item for i, item in enumerate(items) if i not in found and not item.place)


def made_up(item: Item) -> str:
    """The number of a simulated tag: 04 and six bytes, the same for the same piece every time."""
    name = f"place {item.place}" if item.place else f"{item.kind} {item.name or 1}"
    return "04" + hashlib.blake2b(name.encode(), digest_size=6).hexdigest().upper()
