"""The facts of the game as the code uses them: read from plain dicts, checked whole, frozen.

Here: ``parse`` and what it makes. Not here: files (``companion.table.facts`` reads ``data/*.toml``, merges the owner's override and hands
``{file stem: dict}``), positions, or rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from companion.rules.game import Kind, Place, Seat

Number = Annotated[int, Meta(ge=0, le=999)]
Few = Annotated[int, Meta(ge=0, le=20)]

CLAN_KINDS: tuple[Kind, ...] = ("daimyo", "bushi", "shinto", "stronghold")
"""The kinds every Clan has of its own; any other kind is a monster, one in the box."""
CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
"""Those of the base box."""
GUESTS = ("fox",)
"""Clans of other boxes whose abilities are built: facts may leave them away, as those of older games do."""
PROVINCES = ("hokkaido", "oshu", "kyoto", "edo", "kansai", "nagato", "shikoku", "kyushu")
MANDATES = ("recruit", "marshal", "train", "harvest", "betray")
KAMI = ("amaterasu", "fujin", "hachiman", "raijin", "ryujin", "susanoo", "tsukuyomi")
DECIDED = ("fujin", "raijin", "ryujin")
"""Kami whose blessing asks the blessed something (RS-7.5)."""
IGNORED = ("board", "clauses")
"""Tables of the same folder that other rooms read: the drawing and the words of the clauses."""


class Reward(Struct, frozen=True):
    vp: Few
    coins: Few
    ronin: Few


class Province(Struct, frozen=True):
    harvest: Reward


class Edges(Struct, frozen=True):
    pairs: tuple[tuple[str, str], ...]


class Starts(Struct, frozen=True):
    daimyo: Few
    bushi: Few
    stronghold: Few


class Clan(Struct, frozen=True):
    rank: Number
    home: str
    income: Few
    daimyo: Few
    shinto: Few
    bushi: Few
    strongholds: Few
    starts: Starts


class Kami(Struct, frozen=True):
    amount: Few
    optional: bool


class Mandate(Struct, frozen=True):
    copies: Few
    first: Literal["left", "chooser"]
    only: bool


class Track(Struct, frozen=True):
    steps: tuple[Literal["mandate", "kami", "war"], ...]
    draw: Annotated[int, Meta(ge=1, le=10)]


class Shrines(Struct, frozen=True):
    count: Annotated[int, Meta(ge=1, le=7)]


class Value(Struct, frozen=True):
    value: Number


class Played(Struct, frozen=True):
    order: tuple[Literal["spring", "summer", "autumn"], ...]


class Wars(Struct, frozen=True):
    players_3: Annotated[int, Meta(ge=1, le=8)]
    players_4: Annotated[int, Meta(ge=1, le=8)]
    players_5: Annotated[int, Meta(ge=1, le=8)]


class Sets(Struct, frozen=True):
    names: tuple[str, ...]
    core: str


class Card(Struct, frozen=True):
    season: Literal["spring", "summer", "autumn"]
    sets: tuple[str, ...]
    type: Literal["enhancement", "virtue", "monster", "war_upgrade", "winter_upgrade"]
    cost: Few
    copies: Few
    monster: str = ""
    force: Few = 0
    force_lowest: Few = 0
    also: Literal["", "shinto", "daimyo"] = ""
    oni: bool = False
    daimyo_force: Few = 0


class Values(Struct, frozen=True):
    stronghold_cost: int
    train_discount: int
    harvest_coin: int
    figure_force: int
    turtle_stronghold_force: int
    bonsai_price_cap: int
    betray_victims: int
    vp_track: int


class Facts(Struct, frozen=True, eq=False):
    """Everything a rule asks the box about. Equal only to itself, so that what is worked out from it can be kept by it."""

    provinces: tuple[Place, ...]
    harvest: Mapping[Place, Reward]
    near: Mapping[Place, tuple[Place, ...]]
    """province -> its neighbours by border or shipping route, in the order of ``provinces`` (RS-2.9)"""
    routes: frozenset[frozenset[Place]]
    """pairs of Provinces with a shipping route between them"""
    clans: Mapping[Seat, Clan]
    order: tuple[Seat, ...]
    """Clans by Starting Honor Rank (RS-3.1)"""
    kami: Mapping[str, Kami]
    mandates: Mapping[str, Mandate]
    steps: tuple[str, ...]
    """``mandate 1`` ... ``kami 3``, ``war``: the track, one name a step (RS-6.1)"""
    draw: int
    shrine_count: int
    values: Values
    seasons: tuple[str, ...]
    wars: Mapping[int, int]
    """players -> Province tokens a Season (RS-3.9)"""
    sets: tuple[str, ...]
    core: str
    cards: Mapping[str, Card]
    monsters: Mapping[Kind, str]
    """monster -> the card that brings it"""
    kinds: tuple[Kind, ...]
    """every kind, in the order prompts list them"""
    tiles: int
    """how many Mandates the deck holds (RS-1.6)"""

    def figures(self, clan: Seat) -> dict[Kind, int]:
        """How many of each kind a Clan has in the box (RS-1.2)."""
        c = self.clans[clan]
        return {"daimyo": c.daimyo, "bushi": c.bushi, "shinto": c.shinto, "stronghold": c.strongholds}


class Fault(Struct, frozen=True):
    """One thing wrong with the facts: where and what to write instead."""

    file: str
    key: str
    fix: str


class FactsError(ValueError):
    """The facts cannot be used; ``faults`` names every reason."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{f.file}.toml, {f.key}: {f.fix}" for f in self.faults))


T = TypeVar("T", bound=Struct)

_TABLES: Mapping[str, type[Struct]] = {
    "provinces": Province,
    "edges": Edges,
    "clans": Clan,
    "kami": Kami,
    "mandates": Mandate,
    "values": Value,
    "cards": Card,
}
_SINGLE: Mapping[str, Mapping[str, type[Struct]]] = {
    "track": {"track": Track, "shrines": Shrines},
    "seasons": {"played": Played, "wars": Wars, "sets": Sets},
}
_NOTES = ("source", "confidence", "note")


@cache
def _fields(shape: type[Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """Their types are worked out anew at every asking, which takes longer than reading all the tables."""
    return {f.name: f for f in msgspec.structs.fields(shape)}


def _entry(file: str, key: str, raw: object, shape: type[T], faults: list[Fault]) -> T | None:
    """One entry, field by field, so that every fault in it is named."""
    if not isinstance(raw, Mapping):
        faults.append(Fault(file, key, "write a table of fields here"))
        return None
    fields = _fields(shape)
    good: dict[str, Any] = {}
    before = len(faults)
    for name, value in raw.items():
        if name in _NOTES or name.endswith(("_confidence", "_note")):
            continue
        if name not in fields:
            faults.append(Fault(file, f"{key}.{name}", f"unknown field; known: {', '.join(fields)}"))
            continue
        try:
            good[name] = msgspec.convert(value, fields[name].type)
        except msgspec.ValidationError as fault:
            faults.append(Fault(file, f"{key}.{name}", str(fault).removesuffix(" - at `$`")))
    faults.extend(Fault(file, f"{key}.{f.name}", "is missing; add it") for f in fields.values() if f.required and f.name not in raw)
    return shape(**good) if len(faults) == before else None


def _read(tables: Mapping[str, Mapping[str, object]], faults: list[Fault]) -> dict[str, dict[str, Any]]:
    read: dict[str, dict[str, Any]] = {}
    known = (*_TABLES, *_SINGLE)
    faults.extend(
        Fault(stem, "*", f"unknown table; known: {', '.join(known)}") for stem in tables if stem not in known and stem not in IGNORED
    )
    for stem in known:
        entries = tables.get(stem)
        if not isinstance(entries, Mapping):
            faults.append(Fault(stem, "*", "the table is missing; restore the file"))
            continue
        shapes = _SINGLE.get(stem)
        read[stem] = {}
        for key, raw in entries.items():
            shape = _TABLES[stem] if shapes is None else shapes.get(key)
            if shape is None:
                faults.append(Fault(stem, key, f"unknown key; known: {', '.join(shapes or ())}"))
            elif (made := _entry(stem, key, raw, shape, faults)) is not None:
                read[stem][key] = made
        if shapes is not None:
            faults.extend(Fault(stem, key, "is missing; add it") for key in shapes if key not in entries)
    return read


def _known(file: str, have: Iterable[str], want: Iterable[str], faults: list[Fault], also: Iterable[str] = ()) -> None:
    """The code plays exactly these ids, and those of ``also`` where they are there."""
    have, want = tuple(have), tuple(want)
    every = (*want, *also)
    faults.extend(Fault(file, key, f"the rules know no such thing; known: {', '.join(every)}") for key in have if key not in every)
    faults.extend(Fault(file, key, "is missing; add it") for key in want if key not in have)


def _check(read: Mapping[str, Mapping[str, Any]], faults: list[Fault]) -> None:
    """What fields alone cannot show."""
    provinces = read["provinces"]
    for sort, edges in read["edges"].items():
        for a, b in edges.pairs:
            faults.extend(
                Fault("edges", f"{sort}.pairs", f"{p} is no Province; write one of provinces.toml") for p in (a, b) if p not in provinces
            )
            if a == b:
                faults.append(Fault("edges", f"{sort}.pairs", f"{a} cannot touch itself; remove the pair"))
    for clan, c in read["clans"].items():
        if c.home not in provinces:
            faults.append(Fault("clans", f"{clan}.home", f"{c.home} is no Province; write one of provinces.toml"))
        faults.extend(
            Fault("clans", f"{clan}.starts.{kind}", "starts with more than the Clan has; lower it")
            for kind, n, of in (
                ("daimyo", c.starts.daimyo, c.daimyo),
                ("bushi", c.starts.bushi, c.bushi),
                ("stronghold", c.starts.stronghold, c.strongholds),
            )
            if n > of
        )
    ranks = [c.rank for c in read["clans"].values()]
    if len(set(ranks)) < len(ranks):
        faults.append(Fault("clans", "*.rank", "two Clans have the same rank; make them differ (RS-3.1)"))
    _known("provinces", provinces, PROVINCES, faults)
    _known("clans", read["clans"], CLANS, faults, GUESTS)
    _known("mandates", read["mandates"], MANDATES, faults)
    _known("kami", read["kami"], KAMI, faults)
    _known("values", read["values"], Values.__struct_fields__, faults)
    _known("edges", read["edges"], ("land", "sea"), faults)
    faults.extend(
        Fault("kami", f"{name}.optional", f"must be {str(name in DECIDED).lower()}: the rules decide who is asked (RS-7.5)")
        for name, kami in read["kami"].items()
        if kami.optional != (name in DECIDED)
    )
    track: Track = read["track"]["track"]
    need = track.steps.count("mandate") - 1 + track.draw
    have = sum(m.copies for m in read["mandates"].values())
    if have < need:
        faults.append(
            Fault(
                "mandates",
                "*.copies",
                f"the deck has {have} tiles and needs {need}, so that four can be drawn each turn (RS-6.4); add copies",
            )
        )
    if not track.steps or track.steps[-1] != "war" or track.steps.count("war") != 1:
        faults.append(Fault("track", "track.steps", "the last step, and only it, is war (RS-6.1)"))
    seasons: Played = read["seasons"]["played"]
    if not seasons.order or len(set(seasons.order)) < len(seasons.order):
        faults.append(Fault("seasons", "played.order", "name each Season that is played once, and at least one"))
    sets: Sets = read["seasons"]["sets"]
    if not sets.names:
        faults.append(Fault("seasons", "sets.names", "name at least one Set"))
    monsters: dict[str, str] = {}
    for key, card in read["cards"].items():
        faults.extend(
            Fault("cards", f"{key}.sets", f"{s} is no Set; write one of seasons.toml")
            for s in card.sets
            if s not in (*sets.names, sets.core)
        )
        if (card.type == "monster") != bool(card.monster):
            faults.append(Fault("cards", f"{key}.monster", "a monster card names its figure, and no other card does"))
        if card.monster in CLAN_KINDS or (card.monster and card.monster in monsters):
            faults.append(Fault("cards", f"{key}.monster", f"{card.monster} is another figure already; choose another id"))
        monsters[card.monster] = key


def parse(tables: Mapping[str, Mapping[str, object]]) -> Facts:
    """Facts from ``{file stem: table}``. Raises FactsError naming every fault with file, key and fix."""
    faults: list[Fault] = []
    read = _read(tables, faults)
    if not faults:
        _check(read, faults)
    if faults:
        raise FactsError(faults)
    provinces = tuple(read["provinces"])
    touching = {frozenset(pair) for edges in read["edges"].values() for pair in edges.pairs}
    clans: dict[Seat, Clan] = read["clans"]
    cards: dict[str, Card] = read["cards"]
    track: Track = read["track"]["track"]
    counts = {"mandate": 0, "kami": 0}
    steps: list[str] = []
    for step in track.steps:
        if step in counts:
            counts[step] += 1
        steps.append(f"{step} {counts[step]}" if step in counts else step)
    wars: Wars = read["seasons"]["wars"]
    sets: Sets = read["seasons"]["sets"]
    monsters = {card.monster: key for key, card in cards.items() if card.monster}
    return Facts(
        provinces=provinces,
        harvest={p: read["provinces"][p].harvest for p in provinces},
        near={p: tuple(q for q in provinces if q != p and frozenset((p, q)) in touching) for p in provinces},
        routes=frozenset(frozenset(pair) for pair in read["edges"]["sea"].pairs),
        clans=clans,
        order=tuple(sorted(clans, key=lambda c: clans[c].rank)),
        kami={k: read["kami"][k] for k in KAMI},
        mandates={m: read["mandates"][m] for m in MANDATES},
        steps=tuple(steps),
        draw=track.draw,
        shrine_count=cast("Shrines", read["track"]["shrines"]).count,
        values=Values(**{k: v.value for k, v in read["values"].items()}),
        seasons=cast("Played", read["seasons"]["played"]).order,
        wars={3: wars.players_3, 4: wars.players_4, 5: wars.players_5},
        sets=sets.names,
        core=sets.core,
        cards=cards,
        monsters=monsters,
        kinds=("bushi", "shinto", "daimyo", "stronghold", *monsters),
        tiles=sum(m.copies for m in read["mandates"].values()),
    )
