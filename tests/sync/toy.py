"""A game of one rule, for tests of what carries games: everybody hides a word and counts aloud.

Each seat's word is a secret; ``say`` lets everybody read it. Enough to see secrets leak, stamps change and answers come back.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import msgspec
from msgspec import Struct

from companion.rules.game import Applied, Choice, Event, Prompt, Refusal, View
from companion.rules.view import Card, Counter, Curtain, Light, Section, Text
from companion.table.desk import Update
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.words.catalogue import book, pattern

SENTENCES = {
    "toy.table": ("The table", "Стол"),
    "toy.word": ("the word {word}", "слово {word}"),
    "toy.hidden": ("{who} hides a word", "{who} прячет слово"),
    "toy.count": ("count to {n}", "считать до {n}"),
    "toy.counted": ("{who} counts to {n}", "{who} считает до {n}"),
    "toy.too_far": ("Nobody counts beyond {n}.", "Дальше {n} никто не считает."),
}
for index, language in enumerate(("en", "ru")):
    forms = book(language).forms
    assert isinstance(forms, dict)
    forms.update({key: (pattern(said[index]),) for key, said in SENTENCES.items()})

SEATS = ("koi", "lotus", "turtle")
END = 1000


class Hide(Struct, frozen=True, tag="hide", tag_field="do"):
    seat: str
    word: str


class CountTo(Struct, frozen=True, tag="count", tag_field="do"):
    seat: str
    n: int


class State(Struct, frozen=True):
    words: dict[str, str]
    count: int = 0


class Toy:
    id = "toy"
    version = 1
    Command = Union[Hide, CountTo]
    State = State
    notation: Any = None

    def start(self, seats: Sequence[str], options: Mapping[str, str]) -> State:
        return State(dict.fromkeys(seats, ""))

    def prompts(self, state: State) -> tuple[Prompt[Any], ...]:
        n = state.count + 1
        return tuple(
            Prompt(seat, Text("toy.count", {"n": n}), "T-1", (Choice(CountTo(seat, n), Text("toy.count", {"n": n})),))
            for seat in state.words
        )

    def apply(self, state: State, command: Any) -> Applied[State] | Refusal:
        who = {"who": command.seat}
        if isinstance(command, Hide):
            words = {**state.words, command.seat: command.word}
            mine = Event(Text("toy.word", {"word": command.word}), to=(command.seat,))
            return Applied(State(words, state.count), (Event(Text("toy.hidden", who)), mine))
        if command.n != state.count + 1 or command.n > END:
            return Refusal("T-1", Text("toy.too_far", {"n": state.count + 1}))
        return Applied(State(state.words, command.n), (Event(Text("toy.counted", {**who, "n": command.n}), "T-1"),))

    def view(self, state: State, seat: str | None) -> View:
        public = Section("seats", Text("toy.table"), (Counter("count", Text("toy.table"), state.count),))
        word = state.words.get(seat or "")
        mine = Section(
            "private",
            Text("toy.table"),
            (Curtain("word", Text("toy.table"), (Card("word", Text("toy.word", {"word": word or ""}), mark=word or ""),)),),
        )
        sections = (public,) if seat is None else (public, mine)
        prompts = tuple(prompt for prompt in self.prompts(state) if prompt.seat == seat)
        return View(Text("toy.table"), Text("toy.table"), sections, prompts, (), ())

    def placement(self, state: State) -> Mapping[str, Count[str]]:
        return {}

    def lights(self, state: State) -> tuple[Light, ...]:
        return ()

    def correct(self, state: State, correction: Any) -> Refusal:
        return Refusal("T-1", Text("toy.table"))

    def faults(self, state: State) -> tuple[()]:
        return ()


def toy_referee(home: Path, seats: Sequence[str] = SEATS) -> Referee:
    return Referee.create(Toy(), Journal(home / "toy.journal"), seats, {})


def update_of(referee: Referee) -> Update:
    """What the desk tells of the referee's revision."""
    views = {seat: referee.view(seat) for seat in referee.seats}
    return Update(referee.game_id, referee.revision, referee.view(None), views, referee.stamps(), (), None)


def raw(command: Struct) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(command))
