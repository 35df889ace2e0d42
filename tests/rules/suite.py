"""The suite every game must pass, whatever it is: one legality, no dead end, records that read back, secrets that stay secret.

A game brings a ``Rig``; ``walk`` plays it with a seeded generator and ``check_*`` look at every position on the way.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.rules.game import CHANCE, MAX_CHOICES, Applied, Choice, Prompt, Refusal
from companion.rules.view import Section, Text

OPTIONAL = 0.05
"""How often a seat uses an optional prompt."""


@dataclass
class Rig:
    """A game and what the suite cannot know of it."""

    game: Any
    starts: Sequence[tuple[Sequence[str], Mapping[str, str]]]
    scramble: Callable[[Any, str | None, random.Random], Any]
    """changes only what this reader may not see"""
    conserved: Callable[[Any], object]
    """never changes while people play"""
    hostile: Callable[[Any, random.Random], Iterable[Any]]
    """well-formed commands, lawful or not"""
    catalogues: Sequence[frozenset[str]] = ()
    ripples: Callable[[Any, Any, Any], bool] = lambda _before, _command, _after: False
    """whether more pieces move with a command than the hand that gave it moves"""
    decoded: list[float] = field(default_factory=list)
    """seconds of encode + decode of a state, measured on the way"""


def filled(choice: Choice[Any], rng: random.Random) -> Any:
    """The choice's command with what it leaves open filled in."""
    if choice.shuffle is not None:
        order = list(choice.shuffle)
        rng.shuffle(order)
        return replace(choice.command, order=tuple(order))
    if choice.amounts is not None:
        low, high = choice.amounts.total
        while True:
            amounts = {name: rng.randint(a, b) for name, (a, b) in choice.amounts.each.items()}
            if low <= sum(amounts.values()) <= high:
                return replace(choice.command, amounts=amounts)
    return choice.command


def pick(prompts: Sequence[Prompt[Any]], rng: random.Random) -> Any:
    must = [p for p in prompts if not p.optional]
    may = [p for p in prompts if p.optional]
    prompt = rng.choice(may) if may and rng.random() < OPTIONAL else rng.choice(must)
    return filled(rng.choice(prompt.choices), rng)


def walk(rig: Rig, seed: int, steps: int = 100_000) -> Iterator[tuple[Any, Any, Applied[Any]]]:
    """Plays one game: each position, the command played in it, and what came of it."""
    rng = random.Random(seed)
    seats, options = rig.starts[seed % len(rig.starts)]
    state = rig.game.start(seats, options)
    for _ in range(steps):
        prompts = rig.game.prompts(state)
        if not prompts:
            return
        command = pick(prompts, rng)
        applied = rig.game.apply(state, command)
        assert isinstance(applied, Applied), (command, applied)
        yield state, command, applied
        state = applied.state


def offered(prompts: Sequence[Prompt[Any]], command: Any) -> bool:
    """The command is one of the choices, by what prompts say alone."""
    for prompt in prompts:
        for choice in prompt.choices:
            if type(choice.command) is not type(command):
                continue
            if choice.amounts is not None:
                amounts = command.amounts
                low, high = choice.amounts.total
                if replace(command, amounts=choice.command.amounts) == choice.command and (
                    low <= sum(amounts.values()) <= high
                    and all(
                        k in choice.amounts.each and choice.amounts.each[k][0] <= n <= choice.amounts.each[k][1] for k, n in amounts.items()
                    )
                ):
                    return True
            elif choice.shuffle is not None:
                if replace(command, order=choice.command.order) == choice.command and Counter(command.order) == Counter(choice.shuffle):
                    return True
            elif choice.command == command:
                return True
    return False


def texts(thing: Any) -> Iterator[Text]:
    """Every Text in a tree."""
    if isinstance(thing, Text):
        yield thing
        for value in thing.args.values():
            yield from texts(value)
    elif isinstance(thing, msgspec.Struct):
        for name in thing.__struct_fields__:
            yield from texts(getattr(thing, name))
    elif isinstance(thing, (tuple, list)):
        for item in thing:
            yield from texts(item)


def ids(nodes: Iterable[Any]) -> Iterator[str]:
    """Ids of all nodes; sections have names of their own."""
    for node in nodes:
        if getattr(node, "id", ""):
            yield f"section {node.id}" if isinstance(node, Section) else node.id
        yield from ids(getattr(node, "nodes", ()))


def check_prompts(rig: Rig, state: Any) -> None:
    """A live game has a question that must be answered; none is empty, doubled or longer than the limit."""
    prompts = rig.game.prompts(state)
    assert not prompts or any(not p.optional for p in prompts)
    assert [p.optional for p in prompts] == sorted(p.optional for p in prompts), "obligatory first"
    for prompt in prompts:
        assert 0 < len(prompt.choices) <= MAX_CHOICES
        said = [msgspec.json.encode(c.command) for c in prompt.choices]
        assert len(set(said)) == len(said)
        assert all(c.command.seat == prompt.seat for c in prompt.choices)
        assert prompt.clause
        if any(c.shuffle is not None for c in prompt.choices):
            assert prompt.seat == CHANCE


def check_one_legality(rig: Rig, state: Any, rng: random.Random) -> None:
    """Accepted == enumerated, both ways; applying changes nothing that was there before and always does the same."""
    prompts = rig.game.prompts(state)
    before = msgspec.json.encode(state)
    choices = [c for p in prompts for c in p.choices]
    for choice in rng.sample(choices, min(len(choices), 4)):
        command = filled(choice, rng)
        applied = rig.game.apply(state, command)
        assert isinstance(applied, Applied), (command, applied)
        assert rig.game.apply(state, msgspec.json.decode(msgspec.json.encode(command), type=rig.game.Command)) == applied
    for command in rig.hostile(state, rng):
        result = rig.game.apply(state, command)
        assert isinstance(result, Applied) == offered(prompts, command), (command, result)
        if isinstance(result, Refusal):
            assert result.clause and result.text.key
            told(rig, result)
    assert msgspec.json.encode(state) == before


def check_record(rig: Rig, state: Any, command: Any) -> None:
    """print -> parse is identity, for positions and commands; the state survives its bytes."""
    notation = rig.game.notation
    lines = [line.split() for line in notation.position(state)]
    seats = next(tuple(words[1:]) for words in lines if words[0] == "seats")
    options = {words[1]: words[2] for words in lines if words[0] == "option"}
    rest = [words for words in lines if words[0] not in ("seats", "option")]
    assert notation.read(seats, options, rest) == state, "\n".join(" ".join(words) for words in lines)
    assert notation.hear(notation.say(command).split()) == command
    start = time.perf_counter()
    again = msgspec.json.decode(msgspec.json.encode(state), type=rig.game.State)
    rig.decoded.append(time.perf_counter() - start)
    assert again == state


def check_gestures(rig: Rig, state: Any, command: Any, after: Any) -> None:
    """What a choice says hands will do is what happens on the board."""
    before = rig.game.placement(state)
    for prompt in rig.game.prompts(state):
        for choice in prompt.choices:
            for gesture in choice.gestures:
                assert before[gesture.frm][gesture.kind] > 0, gesture
            if choice.command == command and choice.gestures:
                expected = {place: Counter(pile) for place, pile in before.items()}
                for gesture in choice.gestures:
                    expected[gesture.frm][gesture.kind] -= 1
                    expected.setdefault(gesture.to, Counter())[gesture.kind] += 1
                if rig.ripples(state, command, after):
                    continue
                assert {p: +pile for p, pile in expected.items() if +pile} == {
                    p: +pile for p, pile in rig.game.placement(after).items() if +pile
                }


def check_secrets(rig: Rig, state: Any, rng: random.Random) -> None:
    """Non-interference: what a reader may not see changes nothing that reader gets."""
    game = rig.game
    for seat in (None, *state.seats):
        other = rig.scramble(state, seat, rng)
        assert game.view(other, seat) == game.view(state, seat)
        assert game.lights(other) == game.lights(state)
        assert game.placement(other) == game.placement(state)
        assert seat is None or game.notation.position(other, seat) == game.notation.position(state, seat)
        own = [p for p in game.prompts(state) if p.seat == seat]
        assert [p for p in game.prompts(other) if p.seat == seat] == own
        for command in rig.hostile(state, rng):
            if command.seat == seat and not offered(own, command):
                assert game.apply(other, command) == game.apply(state, command)


def check_view(rig: Rig, state: Any) -> None:
    """Views hold only known words and ids that are unique; public sections are the same objects for every reader."""
    views = {seat: rig.game.view(state, seat) for seat in (None, *state.seats)}
    for seat, view in views.items():
        found = list(ids(view.sections))
        assert len(found) == len(set(found)), [i for i in found if found.count(i) > 1]
        assert all(p.seat == seat for p in view.prompts)
        assert (not view.waits) == (not rig.game.prompts(state))
        told(rig, view)
    public = {id(s) for s in views[None].sections}
    assert all(public <= {id(s) for s in view.sections} for view in views.values())
    names = [light.name for light in rig.game.lights(state)]
    assert len(names) == len(set(names))


def told(rig: Rig, thing: Any) -> None:
    """Every sentence in it exists in every language."""
    for text in texts(thing):
        for catalogue in rig.catalogues:
            assert text.key in catalogue, text.key


def check_game(rig: Rig, seed: int, stride: int = 1) -> int:
    """One whole game; every ``stride``-th position, others in each game, gets the slow checks too. Answers how many positions there were."""
    rng = random.Random(f"checks {seed}")
    kept: object = None
    n = 0
    for n, (state, command, applied) in enumerate(walk(rig, seed), 1):
        kept = rig.conserved(state) if kept is None else kept
        assert rig.conserved(applied.state) == kept, command
        assert rig.game.faults(applied.state) == ()
        check_prompts(rig, state)
        check_record(rig, state, command)
        told(rig, applied.events)
        for event in applied.events:
            assert event.to is None or set(event.to) <= set(state.seats)
        if (n + seed) % stride == 0:
            check_gestures(rig, state, command, applied.state)
            check_one_legality(rig, state, rng)
            check_secrets(rig, state, rng)
            check_view(rig, state)
    last = applied.state
    assert rig.game.prompts(last) == ()
    check_view(rig, last)
    check_record(rig, last, command)
    for command in rig.hostile(last, rng):
        assert isinstance(rig.game.apply(last, command), Refusal)
    return n
