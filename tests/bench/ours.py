"""What we measure of ourselves. ``python -m tests.bench.ours WHAT`` reads seconds, line by line, and answers each with one number."""

from __future__ import annotations

import itertools
import random
import sys
import time
from typing import Any

import msgspec

from companion import pace
from companion.table import games

CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
GAME = games.load("rising_sun").game


def chosen(choice: Any, rng: random.Random) -> Any:
    """The choice's command, with what a person fills in filled in."""
    if choice.shuffle:
        return msgspec.structs.replace(choice.command, order=tuple(sorted(choice.shuffle, key=lambda _: rng.random())))
    if choice.amounts is not None:
        least, most = choice.amounts.total
        left, told = least + int(rng.random() * (most - least + 1)), {}
        for name in sorted(choice.amounts.each, key=lambda _: rng.random()):
            low, high = choice.amounts.each[name]
            told[name] = n = low + int(rng.random() * (min(high, max(left, low)) - low + 1))
            left -= n
        return msgspec.structs.replace(choice.command, amounts=told)
    return choice.command


def play(seed: int, seats: int | None = None, each: Any = None, until: int = 99) -> int:
    """One game of random players, whole or up to a step of its first Season; the number of decisions. ``each(state)`` is called after every one."""
    rng = random.Random(seed)
    state = GAME.start(rng.sample(CLANS, seats or rng.choice((3, 4, 5))), {})
    decisions = 0
    while state.step < until and (prompts := GAME.prompts(state)):
        choices = prompts[0].choices  # the question that must be answered comes first
        command = chosen(choices[int(rng.random() * len(choices))], rng)
        state = GAME.apply(state, command).state  # type: ignore[union-attr]
        decisions += 1
        if each is not None:
            each(state)
    return decisions


SEEDS = itertools.count(100)


def decisions(seconds: float, until: int = 99) -> float:
    """Decisions a second of CPU: prompts, one of the choices, apply; games of 3 to 5 clans."""
    begun, count = time.process_time(), 0
    while time.process_time() - begun < seconds:
        count += play(next(SEEDS), until=until)
    return count / (time.process_time() - begun)


def political(seconds: float) -> float:
    """As ``decisions``, in Political Phases: from set-up to the War."""
    return decisions(seconds, GAME.facts.steps.index("war"))


def views(seconds: float) -> float:
    """Commands a second with six views each (five seats and the open table) as objects."""

    def look(state: Any) -> None:
        GAME.view(state, None)
        for seat in state.seats:
            GAME.view(state, seat)

    begun, count = time.perf_counter(), 0
    while time.perf_counter() - begun < seconds:
        count += play(next(SEEDS), 5, look)
    return count / (time.perf_counter() - begun)


def whole(seconds: float) -> float:
    """Whole random games a second of CPU, from set-up to the winner."""
    begun, count = time.process_time(), 0
    while time.process_time() - begun < seconds:
        play(next(SEEDS))
        count += 1
    return count / (time.process_time() - begun)


def looks(least: int, most: int) -> tuple[float, float, int]:
    """Microseconds for the prompts and for six views of a position with so many pieces on the map, made anew; and of how many positions."""
    found: list[Any] = []

    def keep(state: Any) -> None:
        pieces = sum(n for kinds in (GAME.placement(state).get(p, {}) for p in GAME.facts.provinces) for n in kinds.values())
        if least <= pieces <= most and len(found) < 400:
            found.append(state)

    for seed in range(20):
        play(seed, 5, keep)
    costs = []
    for look in (GAME.prompts, _all_views):
        begun = time.process_time()
        for state in found:
            look(state)
        costs.append((time.process_time() - begun) / max(1, len(found)) * 1e6)
    return costs[0], costs[1], len(found)


def _all_views(state: Any) -> None:
    for seat in (None, *state.seats):
        GAME.view(state, seat)


if __name__ == "__main__":
    pace.prompt()  # as every process of ours begins
    measure = {"decisions": decisions, "political": political, "views": views, "whole": whole}[sys.argv[1]]
    for line in sys.stdin:
        print(measure(float(line)), flush=True)
