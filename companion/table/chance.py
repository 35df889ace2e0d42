"""The digital chance player: deck and dice where the table does not use the cardboard ones.

Here: how a chance prompt is answered, the first time and after an undo. Not here: what is drawn from what (rules), or when (``referee``).
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from companion.rules.game import Prompt


class ChancePlayer(Protocol):
    """Whoever sits on the seat CHANCE."""

    def answer(self, prompt: Prompt[Any]) -> Any | None:
        """The command for a prompt of CHANCE; None leaves it open."""


class Chance:
    """Chooses evenly; by the system's own randomness unless a generator is given."""

    def __init__(self, generator: random.Random | None = None) -> None:
        self._generator = generator or secrets.SystemRandom()

    @classmethod
    def seeded(cls, seed: int) -> Chance:
        """For tests and simulations: the same every time."""
        return cls(random.Random(seed))

    def answer(self, prompt: Prompt[Any]) -> Any | None:
        """One of the choices; where it is a shuffle, in an order of its own."""
        if not prompt.choices:
            return None
        choice = self._generator.choice(prompt.choices)
        if choice.shuffle is None:
            return choice.command
        order = list(choice.shuffle)
        self._generator.shuffle(order)
        return msgspec.structs.replace(choice.command, order=tuple(order))


def again(kept: Any, prompt: Prompt[Any], player: ChancePlayer) -> Any | None:
    """A command that chance gave before an undo, as an answer to this prompt; None: it answers another question.

    A shuffle of other things than before keeps the order of those it had, and the rest come between them as ``player`` has it: to play
    on a little differently is no way to a new deal.
    """
    for choice in prompt.choices:
        if choice.command == kept:
            return kept
        if choice.shuffle is None or type(kept) is not type(choice.command):
            continue
        if msgspec.structs.replace(kept, order=choice.command.order) == choice.command:
            return _merged(kept, choice.shuffle, player.answer(prompt) if Counter(kept.order) != Counter(choice.shuffle) else kept)
    return None


def _merged(kept: Any, shuffle: Sequence[str], fresh: Any | None) -> Any | None:
    """``fresh``, but what both have is in the order of ``kept``."""
    if fresh is None:
        return None
    common = Counter(shuffle) & Counter(kept.order)
    old = (one for one, both in _marked(kept.order, common) if both)
    order = tuple(next(old) if both else one for one, both in _marked(fresh.order, common))
    return msgspec.structs.replace(kept, order=order)


def _marked(items: Iterable[str], wanted: Counter[str]) -> Iterator[tuple[str, bool]]:
    """Each item, and whether it is one of the wanted: the first so many of its name."""
    left = Counter(wanted)
    for one in items:
        yield one, left[one] > 0
        left[one] -= 1


class ByHand:
    """Leaves chance to whoever gives its commands through ``Referee.submit_internal``."""

    def answer(self, prompt: Prompt[Any]) -> Any | None:  # noqa: ARG002 - the protocol's
        return None
