"""Pebbles: a tiny game with everything the table must handle, for tests of the table only.

Chance shuffles tiles; the seat to move picks one of the top two in secret, puts pebbles on the map (or shifts one) and says done; may give
coins away meanwhile; then all bid at once in secret; then the table goes on to the next round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Union

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.rules.game import (
    CHANCE,
    TABLE,
    Amounts,
    Applied,
    Caution,
    Choice,
    Event,
    Gesture,
    MovePiece,
    NotationError,
    PositionError,
    Prompt,
    Refusal,
    Ruling,
    SetCounter,
    View,
)
from companion.rules.view import Card, Curtain, Light, Line, Pieces, Section, Stack, Text, Wait, Zone
from companion.rules.view import Counter as Count

PLACES = ("edo", "kyoto", "oshu")
TILES = ("a", "b", "c", "d")


def say(words: object) -> Text:
    return Text("table.raw", {"id": str(words)})


class _Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    seat: str


class Shuffle(_Command, frozen=True, tag="shuffle"):
    order: tuple[str, ...] = ()


class Pick(_Command, frozen=True, tag="pick"):
    tile: str


class Put(_Command, frozen=True, tag="put"):
    kind: str
    place: str


class Shift(_Command, frozen=True, tag="shift", rename={"frm": "from"}):
    kind: str
    frm: str
    to: str


class Give(_Command, frozen=True, tag="give"):
    to: str
    amounts: dict[str, int] = {}


class Bid(_Command, frozen=True, tag="bid"):
    coins: int


class Done(_Command, frozen=True, tag="done"):
    pass


Command = Union[Shuffle, Pick, Put, Shift, Give, Bid, Done]


class State(Struct, frozen=True):
    seats: tuple[str, ...]
    rounds: int
    phase: str  # shuffle | pick | put | bid | table | over
    turn: int = 0
    left: int = 2
    deck: tuple[str, ...] = ()
    coins: dict[str, int] = {}
    map: dict[str, dict[str, int]] = {}
    bids: dict[str, int] = {}


class Notation:
    def position(self, s: State, reader: str | None = None) -> tuple[str, ...]:
        def bid(seat: str) -> str:
            return f"{seat} bids {s.bids[seat] if reader in {None, seat} else '?'}"

        lines = [f"seats {' '.join(s.seats)}", f"option rounds {s.rounds}", f"phase {s.phase} {s.turn} {s.left}"]
        lines.append(" ".join(("deck", *("?" if reader else tile for tile in s.deck))))
        for seat in s.seats:
            lines.append(f"{seat} coins {s.coins[seat]}")
            lines.extend(f"{seat} {place} {n}" for place, n in sorted(s.map[seat].items()))
        return (*lines, *(bid(seat) for seat in s.bids))

    def read(self, seats: Sequence[str], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> State:
        s = Pebbles().start(seats, options)
        coins, where, bids = dict(s.coins), {seat: {} for seat in seats}, {}
        for i, words in enumerate(lines):
            try:
                if words[0] == "phase":
                    s = replace(s, phase=words[1], turn=int(words[2]), left=int(words[3]))
                elif words[0] == "deck":
                    s = replace(s, deck=tuple(words[1:]))
                elif words[0] not in seats:
                    raise PositionError(i, 0, "expected a seat, phase or deck")
                elif words[1] == "bids":
                    bids[words[0]] = int(words[2])
                elif words[1] == "coins":
                    coins[words[0]] = int(words[2])
                else:
                    where[words[0]][words[1]] = int(words[2])
            except (IndexError, ValueError) as fault:
                if isinstance(fault, PositionError):
                    raise
                raise PositionError(i, 2, "a number") from fault
        if s.phase not in {"shuffle", "pick", "put", "bid", "table", "over"}:
            raise PositionError(-1, 0, "a phase of this game")
        return replace(s, coins=coins, map=where, bids=bids)

    def say(self, c: Command) -> str:
        match c:
            case Shuffle(seat, order):
                return " ".join((seat, "shuffle", *order))
            case Give(seat, to, amounts):
                return f"{seat} give {to} {amounts.get('coins', 0)}"
            case _:
                tree = msgspec.to_builtins(c)
                return " ".join((tree.pop("seat"), tree.pop("do"), *(str(v) for v in tree.values())))

    def hear(self, words: Sequence[str]) -> Command:
        kinds = {"pick": Pick, "put": Put, "shift": Shift, "done": Done}
        if len(words) < 2:
            raise NotationError(1, "a verb")
        seat, verb, *rest = words
        try:
            if verb == "shuffle":
                return Shuffle(seat, tuple(rest))
            if verb == "give":
                return Give(seat, rest[0], {"coins": int(rest[1])})
            if verb == "bid":
                return Bid(seat, int(rest[0]))
            return kinds[verb](seat, *rest)
        except KeyError as fault:
            raise NotationError(1, "a verb") from fault
        except (TypeError, IndexError, ValueError) as fault:
            raise NotationError(len(words), "other words") from fault


class Pebbles:
    id = "pebbles"
    version = 1
    Command = Command
    State = State
    notation = Notation()

    def __init__(self, stuck: bool = False) -> None:
        self.stuck = stuck  # chance is asked for ever
        self.broken: set[str] = set()  # methods that fail, to try the desk's patience

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        if len(seats) < 2:
            raise ValueError("Pebbles is played by two or more: add a seat")
        rounds = int(options.get("rounds", "2"))
        return State(tuple(seats), rounds, "shuffle", coins=dict.fromkeys(seats, 3), map={seat: {} for seat in seats})

    def prompts(self, s: State) -> tuple[Prompt[Any], ...]:
        self._fail("prompts")
        found: list[Prompt[Any]] = []
        seat = s.seats[s.turn]
        match s.phase:
            case "shuffle":
                found.append(Prompt(CHANCE, say("shuffle"), "PB-1", (Choice(Shuffle(CHANCE), say("shuffle"), shuffle=TILES),)))
            case "pick":
                picks = tuple(Choice(Pick(seat, tile), say(f"take {tile}")) for tile in sorted(set(s.deck[:2])))
                found.append(Prompt(seat, say("pick a tile"), "PB-2", picks, private=True))
            case "put":
                found.append(Prompt(seat, say(f"{s.left} more"), "PB-3", (*self._moves(s, seat), Choice(Done(seat), say("done")))))
                found.extend(self._gifts(s))
            case "bid":
                for one in s.seats:
                    bids = tuple(Choice(Bid(one, n), say(f"bid {n}")) for n in range(s.coins[one] + 1))
                    found.append(Prompt(one, say("bid"), "PB-5", bids, optional=one in s.bids, private=True))
            case "table":
                found.append(Prompt(TABLE, say("go on"), "PB-6", (Choice(Done(TABLE), say("go on")),)))
        return tuple(found)

    def _moves(self, s: State, seat: str) -> list[Choice[Any]]:
        if not s.left:
            return []
        puts = [
            Choice(
                Put(seat, "pebble", place),
                say(f"a pebble to {place}"),
                (Gesture(f"{seat}/pebble", f"reserve.{seat}", place),),
                caution=Caution("PB-3", say("far away")) if place == "oshu" else None,
            )
            for place in PLACES
        ]
        shifts = [
            Choice(Shift(seat, "pebble", frm, to), say(f"shift {frm} to {to}"), (Gesture(f"{seat}/pebble", frm, to),))
            for frm in s.map[seat]
            for to in PLACES
            if to != frm
        ]
        crown = Choice(
            Give(seat, s.seats[0]), say("crown"), (Gesture("crown", "reserve", "edo"),), amounts=Amounts({"coins": (0, 1)}, (0, 1))
        )
        return [*puts, *shifts, crown] if s.coins[seat] and seat == s.seats[0] else [*puts, *shifts]

    def _gifts(self, s: State) -> list[Prompt[Any]]:
        return [
            Prompt(
                seat,
                say("give"),
                "PB-4",
                tuple(
                    Choice(Give(seat, to), say(f"to {to}"), amounts=Amounts({"coins": (1, s.coins[seat])}, (1, s.coins[seat])))
                    for to in s.seats
                    if to != seat
                ),
                optional=True,
            )
            for seat in s.seats
            if s.coins[seat]
        ]

    def apply(self, s: State, c: Command) -> Applied[State] | Refusal:
        self._fail("apply")
        clause = self._why_not(s, c)
        if clause:
            return Refusal(clause, say(f"{c.seat} may not"), tuple(say(n) for n in range(12)) if clause == "PB-9" else ())
        return self._done(s, c)

    def _why_not(self, s: State, c: Command) -> str:
        mine = [p for p in self.prompts(s) if p.seat == c.seat]
        blank = replace(c, amounts={}) if isinstance(c, Give) else replace(c, order=()) if isinstance(c, Shuffle) else c
        for prompt in mine:
            for choice in prompt.choices:
                if choice.command != blank:
                    continue
                if isinstance(c, Shuffle):
                    return "" if sorted(c.order) == sorted(TILES) else "PB-1"
                if isinstance(c, Give) and choice.gestures:
                    return "" if c.amounts.get("coins", -1) in (0, 1) else "PB-4"
                return "" if not isinstance(c, Give) or 1 <= c.amounts.get("coins", 0) <= s.coins[c.seat] else "PB-4"
        return mine[0].clause if mine else "PB-9"

    def _done(self, s: State, c: Command) -> Applied[State]:
        everybody = Event(say(f"{c.seat} {type(c).__name__.lower()}"), "PB-0")
        match c:
            case Shuffle(_, order):
                return Applied(s if self.stuck else replace(s, deck=order, phase="pick"), (everybody,))
            case Pick(seat, tile):
                secret = Event(say(f"you took {tile}"), "PB-2", (seat,), reveals=True)
                deck = list(s.deck)
                deck.remove(tile)
                return Applied(replace(s, deck=tuple(deck), phase="put", left=2), (secret, everybody))
            case Put(seat, _, place):
                return Applied(replace(s, left=s.left - 1, map=_moved(s.map, seat, "", place)), (everybody,))
            case Shift(seat, _, frm, to):
                return Applied(replace(s, left=s.left - 1, map=_moved(s.map, seat, frm, to)), (everybody,))
            case Give(seat, to, amounts):
                coins = dict(s.coins)
                coins[seat] -= amounts["coins"]
                coins[to] += amounts["coins"]
                return Applied(replace(s, coins=coins), (everybody,))
            case Bid(seat, n):
                return self._bid(replace(s, bids={**s.bids, seat: n}), seat)
            case Done(seat) if seat == TABLE:
                rounds = s.rounds - 1
                return Applied(replace(s, rounds=rounds, phase="shuffle" if rounds else "over", turn=0, bids={}), (everybody,))
            case _:
                last = s.turn + 1 == len(s.seats)
                return Applied(replace(s, turn=0 if last else s.turn + 1, phase="bid" if last else "pick"), (everybody,))

    @staticmethod
    def _bid(s: State, seat: str) -> Applied[State]:
        events: tuple[Event, ...] = (Event(say(f"you bid {s.bids[seat]}"), "PB-5", (seat,)), Event(say(f"{seat} has bid"), "PB-5"))
        if len(s.bids) < len(s.seats):
            return Applied(s, events)
        return Applied(replace(s, phase="table"), (*events, Event(say(f"bids {sorted(s.bids.items())}"), "PB-5", reveals=True)))

    def view(self, s: State, seat: str | None) -> View:
        self._fail("view")
        board = Section("board", say("board"), tuple(Zone(place, say(place.title()), self._stacks(s, place)) for place in PLACES))
        seats = tuple(
            Section(one, say(one.title()), (Count(f"{one}.coins", say("coins"), s.coins[one]), self._reserve(one))) for one in s.seats
        )
        sections = [board, Section("seats", say("seats"), seats)]
        if seat is not None:
            known: list[Any] = (
                [Card(f"drawn.{i}", say(tile)) for i, tile in enumerate(s.deck[:2])]
                if seat == s.seats[s.turn] and s.phase == "pick"
                else []
            )
            if seat in s.bids:
                known.append(Line(say(f"your bid is {s.bids[seat]}"), "PB-5"))
            sections.append(Section("private", say("private"), (Curtain("own", say("own"), tuple(known)),)))
        prompts = self.prompts(s)
        waits = tuple(Wait(p.seat, p.text) for p in prompts if not p.optional)
        mine = () if seat is None else tuple(sorted((p for p in prompts if p.seat == seat), key=lambda p: p.optional))
        return View(say("Pebbles"), say(s.phase), tuple(sections), mine, waits, ())

    def _stacks(self, s: State, place: str) -> tuple[Stack, ...]:
        crown = (Stack("crown", 1, say("the crown")),) if place == "oshu" else ()
        return (*crown, *(Stack(f"{one}/pebble", s.map[one][place], say("pebble"), seat=one) for one in s.seats if place in s.map[one]))

    @staticmethod
    def _reserve(seat: str) -> Pieces:
        return Pieces(f"reserve.{seat}", say("reserve"), (Stack(f"{seat}/pebble", 9, say("pebble"), seat=seat),))

    def placement(self, s: State) -> Mapping[str, Counter[str]]:
        out: dict[str, Counter[str]] = {}
        for seat, places in s.map.items():
            for place, n in places.items():
                out.setdefault(place, Counter())[f"{seat}/pebble"] = n
        return out

    def lights(self, s: State) -> tuple[Light, ...]:
        return (Light("chooser", s.seats[s.turn]),)

    def correct(self, s: State, correction: Any) -> Applied[State] | Refusal:
        match correction:
            case MovePiece(_, kind, frm, to) if kind.partition("/")[0] in s.seats and to != frm:
                seat = kind.partition("/")[0]
                frm, to = (place if place in PLACES else "" for place in (frm, to))
                if not frm or s.map[seat].get(frm):
                    return Applied(replace(s, map=_moved(s.map, seat, frm, to)), (Event(say(f"{kind} set right"), "PB-9"),))
            case SetCounter(seat, "coins", value) if seat in s.seats and 0 <= value < 100:
                return Applied(replace(s, coins={**s.coins, seat: value}), (Event(say(f"{seat} has {value}"), "PB-9"),))
        return Refusal("PB-9", say(f"no such correction: {correction}"))

    def faults(self, s: State) -> tuple[Ruling, ...]:
        return tuple(Ruling("PB-8", say(f"{seat} has too many coins")) for seat in s.seats if s.coins[seat] > 99)

    def _fail(self, what: str) -> None:
        if what in self.broken:
            raise ZeroDivisionError(what)


def _moved(where: dict[str, dict[str, int]], seat: str, frm: str, to: str) -> dict[str, dict[str, int]]:
    mine = dict(where[seat])
    if frm:
        mine[frm] -= 1
    if to:
        mine[to] = mine.get(to, 0) + 1
    return {**where, seat: {place: n for place, n in mine.items() if n}}
