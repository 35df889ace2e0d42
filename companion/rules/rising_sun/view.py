"""What one seat, or the open table, may see: built up from nothing, the public part once a position.

Here: sections ``track``, ``board``, ``seats``, ``private``, ``more``. Not here: what is lawful; prompts are shown as they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any, TypeVar, cast

from msgspec import Struct

from companion.rules.game import Kind, Place, Prompt, Seat, View
from companion.rules.rising_sun import battle_view, deck, recruit, say, steps, turns, year_view
from companion.rules.rising_sun.commands import Command
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import OVER, RESERVE, UNKNOWN, State, kind_id
from companion.rules.view import Card, Counter, Curtain, Node, Pieces, Section, Stack, Step, Text, Track, Wait, Zone

T = TypeVar("T")
Here = tuple[Mapping[Kind, int] | None, ...]
"""What lies in one place, seat by seat."""


@lru_cache(MOST)
def _stack(seat: Seat, kind: Kind, n: int) -> Stack:
    return Stack(kind_id(seat, kind), n, say.kind(kind), recruit.figure_mark(kind), seat)


def _stacks(facts: Facts, seats: tuple[Seat, ...], here: Here) -> tuple[Stack, ...]:
    return tuple(
        _stack(seat, kind, pile[kind]) for seat, pile in zip(seats, here, strict=True) if pile for kind in facts.kinds if kind in pile
    )


def _track(facts: Facts, s: State, acting: Seat) -> Section:
    steps = []
    number = 0
    for i, name in enumerate(facts.steps):
        lamp = name.replace(" ", ".")
        state = "done" if i < s.step else "now" if i == s.step else "todo"
        sort = name.split(" ", maxsplit=1)[0]
        actor = acting if state == "now" and acting in s.seats else ""
        if sort == "mandate":
            number += 1
            if number <= len(s.track):
                tile = s.track[number - 1]
                mark = f"mandate/{tile.mandate}" if tile.mandate != UNKNOWN else ""
                text = say.text("rs.track.face_down", mandate=tile.mandate) if tile.declared else say.mandate(tile.mandate)
                steps.append(Step(lamp, text, mark, tile.by or actor, state))
            else:
                steps.append(Step(lamp, say.text("rs.track.mandate", number=number), "", actor, state))
        elif sort == "kami":
            steps.append(Step(lamp, say.text("rs.track.kami"), "place/shrine", actor, state))
        else:
            steps.append(Step(lamp, say.text("rs.track.war"), "war/battle", actor, state))
    return Section(
        "track", say.text("rs.section.track"), (Track("track", say.text("rs.section.track"), tuple(steps)),), f"season/{s.season}"
    )


def _province(facts: Facts, seats: tuple[Seat, ...], place: Place, here: Here, number: str) -> Zone:
    return Zone(place, say.place(place), _stacks(facts, seats, here), number)


def _shrine(facts: Facts, seats: tuple[Seat, ...], place: Place, here: Here, kami: str) -> Zone:
    text = say.text("rs.place.shrine_of", kami=kami) if kami else say.place(place)
    return Zone(place, text, _stacks(facts, seats, here), "", f"kami/{kami}" if kami else "")


def _seat(facts: Facts, s: State, seat: Seat, *, acting: bool) -> Section:
    nodes: list[Node] = [
        Counter(f"{seat}.vp", say.text("rs.counter.vp"), s.vp[seat], "token/victory_point"),
        Counter(f"{seat}.coins", say.text("rs.counter.coins"), s.coins[seat], "token/coin"),
        Counter(f"{seat}.ronin", say.text("rs.counter.ronin"), s.ronin[seat], "token/ronin"),
        Pieces(f"{seat}.reserve", say.text("rs.section.reserve"), _stacks(facts, (seat,), (s.pieces[seat][RESERVE],))),
    ]
    ally = s.allies.get(seat)
    if ally is not None:
        nodes.append(Card(f"{seat}.ally", say.text("rs.line.ally", seat=ally), mark="ui/alliance", seat=ally, clause="RS-5.4"))
    hostages = battle_view.held(s, seat)
    if hostages:
        nodes.append(battle_view.hostage_node(seat, hostages))
    nodes.extend(year_view.held(s, seat))
    nodes.extend(_cards(seat, s.cards[seat], seat))
    return Section(seat, say.clan(seat), tuple(nodes), f"clan/{seat}", seat, acting)


def _cards(prefix: str, cards: Iterable[str], seat: Seat = "") -> Iterable[Card]:
    """Cards face up; copies are told apart by a number in their id."""
    seen: dict[str, int] = {}
    for name in cards:
        seen[name] = seen.get(name, 0) + 1
        yield Card(f"{prefix}.{name}.{seen[name]}", say.card(name), say.card(f"{name}.effect"), seat=seat)


def _more(deck_size: int, display: tuple[str, ...]) -> Section:
    nodes: list[Node] = [Counter("deck", say.text("rs.counter.deck"), deck_size), *_cards("display", display)]
    return Section("more", say.text("rs.section.more"), tuple(nodes))


class Frame(Struct, frozen=True):
    """What every view of one position shares."""

    title: Text
    subtitle: Text
    sections: tuple[Section, ...]
    waits: tuple[Wait, ...]


class Public:
    """The public part of views. It is kept for the newest position; what the next position leaves alone is the same object there."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._frame: tuple[State, Frame] | None = None
        self._parts: dict[str, tuple[object, Any]] = {}

    def frame(self, s: State, prompts: tuple[Prompt[Command], ...]) -> Frame:
        kept = self._frame
        if kept is not None and kept[0] is s:
            return kept[1]
        frame = Frame(
            _title(self._facts, s),
            _subtitle(self._facts, s),
            self._sections(s, tuple(dict.fromkeys([p.seat for p in prompts if not p.optional]))),
            tuple(Wait(p.seat, _wait(p.text.key), p.clause) for p in prompts if not p.optional),
        )
        self._frame = (s, frame)
        return frame

    def _part(self, name: str, key: object, make: Callable[[], T]) -> T:
        """The part made last time, if what it is made of is still the same."""
        kept = self._parts.get(name)
        if kept is not None and kept[0] == key:
            return cast("T", kept[1])
        made = make()
        self._parts[name] = (key, made)
        return made

    def _sections(self, s: State, acting: tuple[Seat, ...]) -> tuple[Section, ...]:
        """``acting``: who must answer now; several at once in the Tea Ceremony and while bids are made."""
        facts, seats, part = self._facts, s.seats, self._part
        actor = acting[0] if len(acting) == 1 else ""
        track = part("track", (seats, s.step, s.track, actor), lambda: _track(facts, s, actor))
        zones = tuple(self._zones(s))
        board = part("board", zones, lambda: Section("board", say.text("rs.section.board"), zones))
        clans = tuple(
            part(
                seat,
                (*_own(s, seat), seat in acting),
                partial(_seat, facts, s, seat, acting=seat in acting),
            )
            for seat in s.honor
        )
        more = part("more", (len(s.deck), s.display), lambda: _more(len(s.deck), s.display))
        fight = () if s.battle is None else (battle_view.section(facts, s),)
        now = (*year_view.tea(s), *fight, *year_view.final(facts, s))  # what the moment is about comes first
        return (*now, track, board, Section("seats", say.text("rs.section.seats"), clans), more)

    def _zones(self, s: State) -> Iterator[Zone]:
        facts, seats = self._facts, s.seats
        mine = [s.pieces[seat] for seat in seats]
        for place in facts.provinces:
            here = tuple([pile.get(place) for pile in mine])
            number = str(s.wars.index(place) + 1) if place in s.wars else ""
            yield self._part(place, (seats, here, number), partial(_province, facts, seats, place, here, number))
        for i in range(facts.shrine_count):
            place = f"shrine.{i + 1}"
            here = tuple([pile.get(place) for pile in mine])
            kami = s.shrines[i] if i < len(s.shrines) else ""
            yield self._part(place, (seats, here, kami), partial(_shrine, facts, seats, place, here, kami))


def _own(s: State, seat: Seat) -> tuple[object, ...]:
    """What a seat's own section is made of."""
    held = battle_view.held(s, seat)
    return (s.vp[seat], s.coins[seat], s.ronin[seat], s.pieces[seat][RESERVE], s.allies.get(seat), s.cards[seat], held, s.tokens.get(seat))


def _private(facts: Facts, s: State, seat: Seat) -> Section | None:
    """The drawn tiles, for the chooser and only while one must be chosen (RS-6.3); the own sealed bid (RS-9.3)."""
    if s.battle is not None:
        return battle_view.own_bid(s, seat)
    if s.owed or s.doing is not None or seat != s.turn or not turns.step_name(facts, s).startswith("mandate"):
        return None
    tiles = tuple(_tile(f"drawn.{i}", tile) for i, tile in enumerate(deck.drawn(facts, s), 1))
    title = say.text("rs.section.private")
    return Section("private", title, (Curtain("drawn", say.text("rs.section.drawn"), tiles),), seat=seat)


def _tile(ident: str, tile: str) -> Card:
    """A drawn tile and what its Mandate does; its back where only the people at the table know it."""
    if tile == UNKNOWN:
        return Card(ident, say.mandate(tile), face=False, clause="RS-6.3")
    return Card(ident, say.mandate(tile), say.mandate(f"{tile}.detail"), f"mandate/{tile}", clause="RS-6.3")


def _title(facts: Facts, s: State) -> Text:
    """What is performed now by its name; else the part of the Season."""
    if s.doing is not None:
        return say.kami(s.doing.what) if s.doing.what in facts.kami else say.mandate(s.doing.what)
    name = turns.step_name(facts, s)
    if s.battle is not None:
        return say.text("rs.battle.title", place=s.battle.place)
    if s.scored:
        return year_view.won(s)
    if name == steps.TEA and not s.owed:
        return say.text("rs.title.tea")
    return say.text(f"rs.title.{'setup' if s.owed else name if name == OVER else 'war' if name.startswith(steps.WAR) else 'political'}")


def _subtitle(facts: Facts, s: State) -> Text:
    name = turns.step_name(facts, s)
    if s.owed:
        return say.text("rs.subtitle.setup", season=s.season)
    if name in (steps.TEA, steps.WAR, steps.END, OVER):
        return say.text(f"rs.subtitle.{name.split()[0]}", season=s.season)
    if name.startswith(steps.WAR):
        return say.text("rs.subtitle.war_number", season=s.season, number=s.war, of=len(s.wars))
    sort, number = name.split()
    return say.text(f"rs.subtitle.{sort}", season=s.season, number=int(number), of=sum(step.startswith(sort) for step in facts.steps))


def _wait(key: str) -> Text:
    """For what the table waits, by the question that is open; never what a secret one offers."""
    return say.text(f"rs.wait.{key.removeprefix('rs.prompt.')}")


def view(facts: Facts, s: State, seat: Seat | None, prompts: tuple[Prompt[Command], ...], frame: Frame) -> View:
    """``seat`` may also be the table itself, which has prompts but no secrets."""
    own = None if seat is None else _private(facts, s, seat)
    sections = frame.sections
    return View(
        title=frame.title,
        subtitle=frame.subtitle,
        sections=sections if own is None else (*sections[:-1], own, *sections[-1:]),
        prompts=() if seat is None else tuple([p for p in prompts if p.seat == seat]),
        waits=frame.waits,
        log=(),
    )
