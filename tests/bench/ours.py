"""What we measure of ourselves. ``python -m tests.bench.ours WHAT SECONDS`` prints one number."""

from __future__ import annotations

import random
import sys
import time
from typing import Any

import msgspec

from companion.table import games

CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
GAME = games.load("rising_sun").game


def chosen(choice: Any, rng: random.Random) -> Any:
    """The choice's command, with what a person fills in filled in."""
    if choice.shuffle:
        order = list(choice.shuffle)
        rng.shuffle(order)
        return msgspec.structs.replace(choice.command, order=tuple(order))
    return choice.command


def play(seed: int, seats: int | None = None, each: Any = None) -> int:
    """One whole game of random players; the number of decisions. ``each(state)`` is called after every one."""
    rng = random.Random(seed)
    state = GAME.start(rng.sample(CLANS, seats or rng.choice((3, 4, 5))), {})
    decisions = 0
    while prompts := GAME.prompts(state):
        choices = prompts[0].choices  # the question that must be answered comes first
        command = chosen(choices[int(rng.random() * len(choices))], rng)
        state = GAME.apply(state, command).state  # type: ignore[union-attr]
        decisions += 1
        if each is not None:
            each(state)
    return decisions


def decisions(seconds: float) -> float:
    """Decisions a second of CPU: prompts, one of the choices, apply; whole games of 3 to 5 clans."""
    play(1)
    begun, count, seed = time.process_time(), 0, 100
    while time.process_time() - begun < seconds:
        count, seed = count + play(seed), seed + 1
    return count / (time.process_time() - begun)


def views(seconds: float) -> float:
    """Commands a second with six views each (five seats and the open table) as objects."""

    def look(state: Any) -> None:
        GAME.view(state, None)
        for seat in state.seats:
            GAME.view(state, seat)

    play(1, 5, look)
    begun, count, seed = time.perf_counter(), 0, 100
    while time.perf_counter() - begun < seconds:
        count, seed = count + play(seed, 5, look), seed + 1
    return count / (time.perf_counter() - begun)


if __name__ == "__main__":
    print({"decisions": decisions, "views": views}[sys.argv[1]](float(sys.argv[2])))
