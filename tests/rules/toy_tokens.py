"""A toy: everybody places secret tokens on borders at the same time and may think again until the last has answered; then all turn over."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.game import (
    Applied,
    Choice,
    Correction,
    Event,
    Gesture,
    NotationError,
    Prompt,
    Refusal,
    Ruling,
    View,
)
from companion.rules.view import Card, Curtain, Light, Line, Section, Stack, Text, Wait, Zone


class Kept:
    """The public sections of the newest position: the same objects in every view of it."""

    def __init__(self, make: Callable[[Any], tuple[Section, ...]]) -> None:
        self._make = make
        self._kept: tuple[Any, tuple[Section, ...]] = (None, ())

    def __call__(self, state: Any) -> tuple[Section, ...]:
        if self._kept[0] is not state:
            self._kept = (state, self._make(state))
        return self._kept[1]


FACES = ("1", "2", "3")
BORDERS = ("hill|sea>sea", "hill|sea>hill", "hill|moor>moor", "hill|moor>hill")


class Place(Struct, frozen=True, tag_field="do", tag="place", forbid_unknown_fields=True):
    seat: str
    face: str
    border: str


class TokenState(Struct, frozen=True):
    seats: tuple[str, ...]
    options: Mapping[str, str]
    round: int
    hands: Mapping[str, tuple[str, ...]]
    sealed: Mapping[str, tuple[str, str]]
    """what each seat has answered this round: face, border"""
    down: Mapping[str, tuple[tuple[str, str], ...]]
    """border -> (seat, face) turned over"""


class TokenNotation:
    def position(self, s: TokenState, reader: str | None = None) -> tuple[str, ...]:
        return (
            f"seats {' '.join(s.seats)}",
            f"round {s.round}",
            *(" ".join((seat, "hand", *s.hands[seat])) for seat in s.seats),
            *(f"{seat} sealed {face if reader in (None, seat) else '?'} {border}" for seat, (face, border) in s.sealed.items()),
            *(" ".join(("down", border, *(word for pair in pairs for word in pair))) for border, pairs in s.down.items()),
        )

    def read(self, seats: Sequence[str], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> TokenState:
        hands: dict[str, tuple[str, ...]] = {}
        sealed: dict[str, tuple[str, str]] = {}
        down: dict[str, tuple[tuple[str, str], ...]] = {}
        number = 0
        for words in lines:
            if words[0] == "round":
                number = int(words[1])
            elif words[0] == "down":
                down[words[1]] = tuple(zip(words[2::2], words[3::2], strict=True))
            elif words[1] == "hand":
                hands[words[0]] = tuple(words[2:])
            else:
                sealed[words[0]] = (words[2], words[3])
        return TokenState(tuple(seats), dict(options), number, hands, sealed, down)

    def say(self, command: Place) -> str:
        return f"{command.seat} place {command.face} {command.border}"

    def hear(self, words: Sequence[str]) -> Place:
        if len(words) != 4 or words[1] != "place":
            raise NotationError(1, "place, a face and a border")
        return Place(words[0], words[2], words[3])


class Tokens:
    """Hidden simultaneous placement."""

    id = "tokens"
    version = 1
    Command = Place
    State = TokenState
    notation = TokenNotation()

    def __init__(self) -> None:
        self._public = Kept(
            lambda s: (Section("board", Text("board"), tuple(Zone(b, Text("border"), self._stacks(s, b)) for b in BORDERS)),)
        )

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> TokenState:
        return TokenState(tuple(seats), dict(options), 1, dict.fromkeys(seats, FACES), {}, {})

    def prompts(self, s: TokenState) -> tuple[Prompt[Place], ...]:
        return tuple(self._prompt(s, seat) for seat in s.seats if s.hands[seat]) if s.round <= 3 else ()

    def _prompt(self, s: TokenState, seat: str) -> Prompt[Place]:
        # A token face down is a kind of its own that says nothing of its face.
        choices = tuple(
            Choice(Place(seat, face, border), Text("place", {"face": face}), (Gesture(f"{seat}/token", f"reserve.{seat}", border),))
            for face in s.hands[seat]
            for border in BORDERS
            if seat not in s.sealed
        ) or tuple(Choice(Place(seat, face, border), Text("again", {"face": face})) for face in s.hands[seat] for border in BORDERS)
        return Prompt(seat, Text("place_one"), "T-1", choices, private=True)

    def apply(self, s: TokenState, command: Place) -> Applied[TokenState] | Refusal:
        if not any(c.command == command for p in self.prompts(s) for c in p.choices):
            return Refusal("T-1", Text("no"))
        sealed = {**s.sealed, command.seat: (command.face, command.border)}
        events: tuple[Event, ...] = (Event(Text("answered", {"seat": command.seat})),)
        if len(sealed) < len(s.seats):
            return Applied(replace(s, sealed=sealed), events)
        down = dict(s.down)
        hands = dict(s.hands)
        for seat in s.seats:
            face, border = sealed[seat]
            down[border] = (*down.get(border, ()), (seat, face))
            hands[seat] = tuple(f for f in hands[seat] if f != face)
            events = (*events, Event(Text("shown", {"seat": seat, "face": face}), "T-2", reveals=True))
        return Applied(TokenState(s.seats, s.options, s.round + 1, hands, {}, down), events)

    def view(self, s: TokenState, seat: str | None) -> View:
        sections = self._public(s)
        if seat is not None:
            cards: tuple[Any, ...] = tuple(Card(f"hand.{face}", Text("face", {"face": face})) for face in s.hands[seat])
            if seat in s.sealed:
                cards = (*cards, Line(Text("sealed", {"face": s.sealed[seat][0]}), id="sealed"))
            sections = (*sections, Section("private", Text("yours"), (Curtain("hand", Text("hand"), cards),)))
        prompts = self.prompts(s)
        waits = tuple(Wait(p.seat, Text("thinks" if p.seat not in s.sealed else "may_think_again")) for p in prompts)
        return View(Text("tokens"), Text("round", {"n": s.round}), sections, tuple(p for p in prompts if p.seat == seat), waits, ())

    def _stacks(self, s: TokenState, border: str) -> tuple[Stack, ...]:
        hidden = tuple(Stack(f"{seat}/token", 1, Text("token"), seat=seat) for seat, (_, b) in s.sealed.items() if b == border)
        return tuple(Stack(f"{seat}/token.{face}", 1, Text("face"), seat=seat) for seat, face in s.down.get(border, ())) + hidden

    def placement(self, s: TokenState) -> dict[str, Counter[str]]:
        found = {f"reserve.{seat}": Counter({f"{seat}/token": len(s.hands[seat]) - (seat in s.sealed)}) for seat in s.seats}
        for border in BORDERS:
            found[border] = Counter(f"{seat}/token" for seat, _ in s.down.get(border, ()))
            found[border].update(f"{seat}/token" for seat, (_, b) in s.sealed.items() if b == border)
        return found

    def lights(self, s: TokenState) -> tuple[Light, ...]:
        return tuple(Light(f"seat.{seat}", seat, "steady" if seat in s.sealed else "now") for seat in s.seats)

    def correct(self, s: TokenState, correction: Correction) -> Applied[TokenState] | Refusal:
        return Refusal("T-3", Text("no"))

    def faults(self, s: TokenState) -> tuple[Ruling, ...]:
        return () if set(s.hands) == set(s.seats) else (Ruling("T-4", Text("hands")),)


def scramble_tokens(s: TokenState, seat: str | None, rng: random.Random) -> TokenState:
    """Another seat's sealed face may be any face of that seat; where it lies is seen by all."""
    return replace(s, sealed={who: (rng.choice(s.hands[who]) if who != seat else face, border) for who, (face, border) in s.sealed.items()})


def hostile_tokens(s: TokenState, rng: random.Random) -> Iterator[Place]:
    for seat in (*s.seats, "nobody"):
        yield Place(seat, rng.choice((*FACES, "9")), rng.choice((*BORDERS, "")))


def all_tokens(s: TokenState) -> object:
    return sorted((*((seat, f) for seat in s.seats for f in s.hands[seat]), *(pair for pairs in s.down.values() for pair in pairs)))
