"""The steps of a Season in the record's words: ``tea``, ``mandate 4``, ``kami 1``, ``war``, ``war 3``, ``war end``, ``over``.

Here: names and where they stand. Not here: what happens in them.
"""

from __future__ import annotations

from functools import lru_cache

from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import OVER, Here

TEA = "tea"
WAR = "war"
END = "war end"
"""All Provinces are resolved; the table has not gone on yet."""


def name(facts: Facts, s: Here) -> str:
    """Where the game stands."""
    if s.step >= len(facts.steps):
        return OVER
    if s.tea is not None:
        return TEA
    if s.war:
        return f"war {s.war}" if s.war <= len(s.wars) else END
    return facts.steps[s.step]


def in_war(facts: Facts, s: Here) -> bool:
    """The track stands at the War Phase, begun or not."""
    return s.step < len(facts.steps) and facts.steps[s.step] == WAR


@lru_cache(16)
def names(facts: Facts, wars: int) -> tuple[str, ...]:
    """Every step that a position with so many War Numbers can stand at."""
    return (TEA, *facts.steps, *(f"war {i}" for i in range(1, wars + 1)), END, OVER)


def find(facts: Facts, step: str, wars: int) -> tuple[int, int]:
    """Index into ``Facts.steps`` and ``State.war`` of one of ``names``."""
    if step == OVER:
        return len(facts.steps), 0
    if step == TEA:
        return 0, 0
    if step in facts.steps:
        return facts.steps.index(step), 0
    return facts.steps.index(WAR), wars + 1 if step == END else int(step.split()[1])
