"""A toy: two hands of cards, blocks whose faces only their owner knows, and a window for the other side's answer that time ends."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Union

from msgspec import Struct
from msgspec.structs import replace
from toy_tokens import Kept

from companion.rules.game import (
    CHANCE,
    TIME,
    Amounts,
    Applied,
    Choice,
    Correction,
    Event,
    Gesture,
    NotationError,
    Prompt,
    Refusal,
    Ruling,
    SetCounter,
    View,
)
from companion.rules.view import Card, Curtain, Light, Line, Section, Stack, Text, Wait, Zone

SIDES = ("east", "west")
DECK = tuple(f"{side}.{n}" for side in SIDES for n in range(4))
BLOCKS = ("spear", "bow", "horse")


class Deal(Struct, frozen=True, tag_field="do", tag="deal", forbid_unknown_fields=True):
    seat: str
    order: tuple[str, ...] = ()


class Deploy(Struct, frozen=True, tag_field="do", tag="deploy", forbid_unknown_fields=True):
    seat: str
    card: str
    block: str
    """opaque: the owner's first, second, third block"""


class Answer(Struct, frozen=True, tag_field="do", tag="answer", forbid_unknown_fields=True):
    seat: str
    card: str


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    seat: str


class Pay(Struct, frozen=True, tag_field="do", tag="pay", forbid_unknown_fields=True):
    seat: str
    amounts: dict[str, int] = {}


class End(Struct, frozen=True, tag_field="do", tag="end", forbid_unknown_fields=True):
    seat: str


BlockCommand = Union[Deal, Deploy, Answer, Pass, Pay, End]


class BlockState(Struct, frozen=True):
    seats: tuple[str, ...]
    options: Mapping[str, str]
    now: str
    dealt: bool
    hands: Mapping[str, tuple[str, ...]]
    faces: Mapping[str, tuple[str, ...]]
    """whose block number 0, 1, 2 shows what"""
    shown: Mapping[str, tuple[int, ...]]
    window: str
    """who may answer until time is up"""
    paid: Mapping[str, int]
    passed: int


class BlockNotation:
    def position(self, s: BlockState, reader: str | None = None) -> tuple[str, ...]:
        return (
            f"seats {' '.join(s.seats)}",
            f"now {s.now} {int(s.dealt)} {s.window or '-'} {s.passed}",
            *(" ".join((seat, "hand", *(s.hands[seat] if reader in (None, seat) else "?" * len(s.hands[seat])))) for seat in s.seats),
            *(
                " ".join(
                    (seat, "faces", *(f if reader in (None, seat) or n in s.shown[seat] else "?" for n, f in enumerate(s.faces[seat])))
                )
                for seat in s.seats
            ),
            *(" ".join((seat, "shown", *map(str, s.shown[seat]))) for seat in s.seats),
            *(f"{seat} paid {s.paid[seat]}" for seat in s.seats),
        )

    def read(self, seats: Sequence[str], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> BlockState:
        said = {(words[0], words[1]): tuple(words[2:]) for words in lines if words[0] != "now"}
        now = next(words for words in lines if words[0] == "now")
        return BlockState(
            tuple(seats),
            dict(options),
            now[1],
            now[2] == "1",
            {seat: said[seat, "hand"] for seat in seats},
            {seat: said[seat, "faces"] for seat in seats},
            {seat: tuple(map(int, said[seat, "shown"])) for seat in seats},
            "" if now[3] == "-" else now[3],
            {seat: int(said[seat, "paid"][0]) for seat in seats},
            int(now[4]),
        )

    def say(self, c: BlockCommand) -> str:
        match c:
            case Deal(_, order):
                return " ".join(("chance deal", *order))
            case Deploy(seat, card, block):
                return f"{seat} deploy {card} {block}"
            case Answer(seat, card):
                return f"{seat} answer {card}"
            case Pay(seat, amounts):
                return f"{seat} pay {amounts.get('rice', 0)}"
            case Pass(seat):
                return f"{seat} pass"
            case End(seat):
                return f"{seat} end"

    def hear(self, words: Sequence[str]) -> BlockCommand:
        match words:
            case [_, "deal", *order]:
                return Deal(CHANCE, tuple(order))
            case [seat, "deploy", card, block]:
                return Deploy(seat, card, block)
            case [seat, "answer", card]:
                return Answer(seat, card)
            case [seat, "pay", n]:
                return Pay(seat, {"rice": int(n)})
            case [seat, "pass"]:
                return Pass(seat)
            case [seat, "end"]:
                return End(seat)
        raise NotationError(1, "a verb")


class Blocks:
    """A two-hand battle with hidden blocks and a timed answer."""

    id = "blocks"
    version = 1
    Command = BlockCommand
    State = BlockState
    notation = BlockNotation()

    def __init__(self) -> None:
        self._public = Kept(self._open)

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> BlockState:
        none = dict.fromkeys(seats, 0)
        return BlockState(
            tuple(seats), {}, seats[0], False, dict.fromkeys(seats, ()), dict.fromkeys(seats, BLOCKS), dict.fromkeys(seats, ()), "", none, 0
        )

    def prompts(self, s: BlockState) -> tuple[Prompt[BlockCommand], ...]:
        if not s.dealt:
            return (Prompt(CHANCE, Text("deal"), "B-1", (Choice(Deal(CHANCE), Text("deal"), shuffle=DECK),)),)
        if s.passed == 2:
            return ()
        if s.window:
            answers = tuple(Choice[BlockCommand](Answer(s.window, card), Text("answer")) for card in s.hands[s.window])
            timed: Prompt[BlockCommand] = Prompt(TIME, Text("window"), "B-3", (Choice(End(TIME), Text("time_is_up")),), window="answer")
            return (
                (timed, Prompt(s.window, Text("answer"), "B-3", answers, optional=True, window="answer", private=True))
                if answers
                else (timed,)
            )
        seat = s.now
        hidden = [n for n in range(len(BLOCKS)) if n not in s.shown[seat]]
        choices: list[Choice[BlockCommand]] = [
            Choice(Deploy(seat, card, f"{seat}.{n}"), Text("deploy"), (Gesture(f"{seat}/block.{n}", f"reserve.{seat}", "field"),))
            for card in s.hands[seat]
            for n in hidden
        ]
        choices.append(Choice(Pass(seat), Text("pass")))
        if s.paid[seat] < 4:
            left = 4 - s.paid[seat]
            choices.append(Choice(Pay(seat), Text("pay"), amounts=Amounts({"rice": (1, left)}, (1, left))))
        return (Prompt(seat, Text("act"), "B-2", tuple(choices), private=True),)

    def apply(self, s: BlockState, c: BlockCommand) -> Applied[BlockState] | Refusal:
        for prompt in self.prompts(s):
            for choice in prompt.choices:
                if choice.shuffle is not None and isinstance(c, Deal) and c.seat == CHANCE and Counter(c.order) == Counter(choice.shuffle):
                    return Applied(
                        replace(s, dealt=True, hands={"east": c.order[:4], "west": c.order[4:]}), (Event(Text("dealt"), reveals=True),)
                    )
                if choice.amounts is not None and isinstance(c, Pay) and c.seat == prompt.seat:
                    low, high = choice.amounts.each["rice"]
                    if set(c.amounts) == {"rice"} and low <= c.amounts["rice"] <= high:
                        paid = {**s.paid, c.seat: s.paid[c.seat] + c.amounts["rice"]}
                        return Applied(replace(s, paid=paid), (Event(Text("paid")),))
                elif choice.command == c and not isinstance(c, (Deal, Pay)):
                    return self._do(s, c)
        return Refusal("B-2", Text("no"))

    def _do(self, s: BlockState, c: BlockCommand) -> Applied[BlockState]:
        match c:
            case Deploy(seat, card, block):
                n = int(block.rpartition(".")[2])
                hands = {**s.hands, seat: tuple(x for x in s.hands[seat] if x != card)}
                shown = {**s.shown, seat: tuple(sorted((*s.shown[seat], n)))}
                event = Event(Text("shown", {"face": s.faces[seat][n], "card": card}), "B-2", reveals=True)
                return Applied(replace(s, hands=hands, shown=shown, window=_other(seat), passed=0), (event,))
            case Answer(seat, card):
                hands = {**s.hands, seat: tuple(x for x in s.hands[seat] if x != card)}
                return Applied(replace(s, hands=hands, window="", now=seat), (Event(Text("answered", {"card": card}), reveals=True),))
            case End():
                return Applied(replace(s, window="", now=s.window), (Event(Text("time")),))
        return Applied(replace(s, now=_other(s.now), passed=s.passed + 1), (Event(Text("passed")),))

    def _open(self, s: BlockState) -> tuple[Section, ...]:
        field = tuple(
            Stack(f"{side}/block.{n}", 1, Text("face", {"face": s.faces[side][n]}), seat=side) for side in s.seats for n in s.shown[side]
        )
        board = Section("board", Text("board"), (Zone("field", Text("field"), field),))
        count = Section("more", Text("more"), tuple(Line(Text("cards", {"n": len(s.hands[side])}), id=f"{side}.hand") for side in s.seats))
        return (board, count)

    def view(self, s: BlockState, seat: str | None) -> View:
        sections = self._public(s)
        if seat is not None:
            own = (
                *(Card(f"card.{c}", Text("card", {"card": c})) for c in s.hands[seat]),
                *(Card(f"block.{n}", Text(f)) for n, f in enumerate(s.faces[seat])),
            )
            sections = (*sections, Section("private", Text("yours"), (Curtain("own", Text("own"), own),)))
        prompts = self.prompts(s)
        waits = tuple(Wait(p.seat, Text("acts")) for p in prompts if not p.optional)
        return View(Text("blocks"), Text("battle"), sections, tuple(p for p in prompts if p.seat == seat), waits, ())

    def placement(self, s: BlockState) -> dict[str, Counter[str]]:
        found = {f"reserve.{side}": Counter(f"{side}/block.{n}" for n in range(3) if n not in s.shown[side]) for side in s.seats}
        found["field"] = Counter(f"{side}/block.{n}" for side in s.seats for n in s.shown[side])
        return found

    def lights(self, s: BlockState) -> tuple[Light, ...]:
        return (Light("chooser", s.now, "now"), *(Light(f"rice.{side}", side, value=s.paid[side], max=4) for side in s.seats))

    def correct(self, s: BlockState, correction: Correction) -> Applied[BlockState] | Refusal:
        if isinstance(correction, SetCounter) and correction.counter == "rice" and correction.seat in s.paid and 0 <= correction.value <= 4:
            return Applied(replace(s, paid={**s.paid, correction.seat: correction.value}), (Event(Text("corrected")),))
        return Refusal("B-4", Text("no"))

    def faults(self, s: BlockState) -> tuple[Ruling, ...]:
        return ()


def _other(side: str) -> str:
    return SIDES[1 - SIDES.index(side)]


def scramble_blocks(s: BlockState, seat: str | None, rng: random.Random) -> BlockState:
    """What a reader cannot see: the other hands' cards and the faces of blocks still standing away from it."""
    hidden = [card for side in s.seats if side != seat for card in s.hands[side]]
    rng.shuffle(hidden)
    hands = {}
    for side in s.seats:
        n = len(s.hands[side])
        hands[side] = s.hands[side] if side == seat else tuple(hidden[:n])
        hidden = hidden if side == seat else hidden[n:]
    faces = {}
    for side in s.seats:
        away = [f for n, f in enumerate(s.faces[side]) if n not in s.shown[side]]
        rng.shuffle(away)
        turned = iter(away)
        faces[side] = (
            s.faces[side] if side == seat else tuple(f if n in s.shown[side] else next(turned) for n, f in enumerate(s.faces[side]))
        )
    return replace(s, hands=hands, faces=faces)


def hostile_blocks(s: BlockState, rng: random.Random) -> Iterator[BlockCommand]:
    seat = rng.choice((*SIDES, "north", CHANCE, TIME))
    card = rng.choice((*DECK, "joker"))
    yield Deploy(seat, card, f"{rng.choice(SIDES)}.{rng.randint(0, 3)}")
    yield Answer(seat, card)
    yield Pass(seat)
    yield End(seat)
    yield Pay(seat, rng.choice(({}, {"rice": rng.randint(-1, 5)}, {"gold": 1})))
    yield Deal(seat, rng.choice((DECK, (), DECK[1:])))
