"""What is in the box: every kind of figure and every place there is, whoever plays.

Here: names for the house to know a written one by. Not here: where anything is (``placement``).
"""

from __future__ import annotations

from companion.rules.game import Kind, Place
from companion.rules.rising_sun import reading
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, kind_id


def kinds(facts: Facts) -> tuple[Kind, ...]:
    return tuple(dict.fromkeys(kind_id(clan, kind) for clan in facts.clans for kind in facts.kinds))


def places(facts: Facts) -> tuple[Place, ...]:
    return (*(place for place in reading.places(facts) if place != RESERVE), *(f"{RESERVE}.{clan}" for clan in facts.clans))
