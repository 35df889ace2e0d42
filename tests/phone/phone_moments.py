"""Real moments of Rising Sun, found by letting chance play: what a phone has to show, not what somebody thought it would."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import msgspec

from companion.rules.game import CHANCE, TABLE, TIME
from companion.table import games
from companion.words import LANGUAGES, rendered

CLANS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
WANTED = {
    "RS-6.3": ("choose", 1),
    "RS-10.2": ("pairs", 15),
    "RS-6R.1": ("recruit", 20),
    "RS-6M.1": ("marshal", 30),
    "RS-6M.2": ("build", 5),
    "RS-6B.2": ("betray", 8),
    "RS-6T.1": ("train", 8),
    "RS-6R.4": ("worship", 3),
}
"""Clause of the question -> name of the moment, and with how many choices at least."""
LATE = 60
"""Decisions before the board is worth looking at."""


class Moment(msgspec.Struct, frozen=True):
    seat: str
    views: dict[str, dict[str, Any]]
    """By language, as JSON."""


def _moment(view: Any, seat: str) -> Moment:
    return Moment(seat, {lang: msgspec.json.decode(msgspec.json.encode(rendered(view, lang))) for lang in LANGUAGES})


@lru_cache(maxsize=1)
def moments() -> dict[str, Moment]:
    """Name -> the first such moment; ``waiting`` is that of somebody else during ``recruit``. The same ones every time."""
    game = games.load("rising_sun").game
    found: dict[str, Moment] = {}
    for seed in range(40):
        rng = random.Random(seed)
        state = game.start(rng.sample(CLANS, 5), {})
        decisions = 0
        while prompts := game.prompts(state):
            prompt = next(one for one in prompts if not one.optional)
            name, least = WANTED.get(prompt.clause, ("", 0))
            if (
                name
                and name not in found
                and decisions > LATE
                and len(prompt.choices) >= least
                and prompt.seat not in {CHANCE, TABLE, TIME}
            ):
                found[name] = _moment(game.view(state, prompt.seat), prompt.seat)
                if name == "recruit":
                    other = next(seat for seat in state.seats if seat != prompt.seat)
                    found["waiting"] = _moment(game.view(state, other), other)
            choice = prompt.choices[int(rng.random() * len(prompt.choices))]
            command = choice.command
            if choice.shuffle:
                command = msgspec.structs.replace(command, order=tuple(rng.sample(choice.shuffle, len(choice.shuffle))))
            state = game.apply(state, command).state
            decisions += 1
        if len(found) > len(WANTED):
            break
    return found


def clauses(lang: str) -> dict[str, str]:
    tables = games.load("rising_sun").facts.tables
    return {clause: texts[lang] for clause, texts in tables["clauses"].items() if lang in texts}
