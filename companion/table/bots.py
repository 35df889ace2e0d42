"""Bots: a seat played by taste and a seeded generator, through the same commands as people.

Here: choosing among the lawful choices of one seat's view. Not here: any game's taste (``rules/<game>/taste.py``), nor State: a bot knows
what its seat knows.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from companion.rules.game import TABLE, Amounts, Choice, Prompt, Seat, View
from companion.table.commands import Agree, is_house
from companion.table.desk import Desk, Update
from companion.table.referee import Answer, Order, Referee

WHIM = 0.05
"""How often a bot answers an optional prompt."""

Taste = Callable[[View, Prompt[Any]], Sequence[float]]
"""A score for every choice of a prompt: one more is liked nearly three times as often (e)."""


def even(view: View, prompt: Prompt[Any]) -> Sequence[float]:  # noqa: ARG001 - another taste looks at the view
    """Likes every choice as much as any other."""
    return (0.0,) * len(prompt.choices)


class Bot:
    """One seat's player. The same seed and the same views give the same commands."""

    def __init__(self, seat: Seat, seed: int | str = 0, taste: Taste = even, whim: float = WHIM) -> None:
        """``whim``: how often it answers an optional prompt; 0 leaves those alone."""
        self.seat = seat
        self._whim = whim
        self._taste = taste
        self._random = random.Random(f"{seat} {seed}")

    def answer(self, view: View) -> Any | None:
        """The command for what this view asks; None: wait. A bot agrees to what others ask for, and takes nothing back itself."""
        for prompt in view.prompts:
            if isinstance(prompt.choices[0].command, Agree):
                return prompt.choices[0].command
        game = [p for p in view.prompts if not is_house(p.choices[0].command)]
        must = [p for p in game if not p.optional]
        may = [p for p in game if p.optional]
        asked = must
        if may and self._random.random() < self._whim:
            asked = may
        if not asked:
            return None
        prompt = self._random.choice(asked)
        return filled(self._liked(view, prompt), self._random)

    def _liked(self, view: View, prompt: Prompt[Any]) -> Choice[Any]:
        scores = self._taste(view, prompt)
        best = max(scores)
        return self._random.choices(prompt.choices, [math.exp(score - best) for score in scores])[0]


def filled(choice: Choice[Any], generator: random.Random) -> Any:
    """The choice's command with its amounts filled in within their limits."""
    if choice.amounts is None:
        return choice.command
    return msgspec.structs.replace(choice.command, amounts=sample(choice.amounts, generator))


def sample(amounts: Amounts, generator: random.Random) -> dict[str, int]:
    """Numbers within ``each`` and ``total``. Raises ValueError where there are none."""
    least = sum(low for low, _ in amounts.each.values())
    most = sum(high for _, high in amounts.each.values())
    low, high = max(least, amounts.total[0]), min(most, amounts.total[1])
    if low > high:
        raise ValueError(f"no amounts have the total {amounts.total} within {dict(amounts.each)}")
    out = {name: low for name, (low, _) in amounts.each.items()}
    for _ in range(generator.randint(low, high) - least):
        out[generator.choice([name for name, (_, most) in amounts.each.items() if out[name] < most])] += 1
    return out


def run(referee: Referee, bots: Mapping[Seat, Bot], commands: int = 10_000) -> int:
    """Plays without a desk until nobody is asked, or ``commands`` were given; says how many. The table goes on whenever it is asked.

    Raises RuntimeError where a choice that was offered is refused: the rules contradict themselves.
    """
    given = 0
    while referee.prompts() and given < commands:
        for seat in _asked(referee.prompts(), bots):
            if seat == TABLE:
                command = next(p for p in referee.prompts() if p.seat == TABLE).choices[0].command
                answer = referee.submit_internal(TABLE, command)
            else:
                command = bots[seat].answer(referee.view(seat))
                if command is None:
                    continue
                raw = msgspec.Raw(msgspec.json.encode(command))
                answer = referee.submit(seat, Order(f"bot-{referee.revision}-{seat}", referee.stamp(seat), raw))
            if answer.refusal is not None:
                raise RuntimeError(f"{command} was offered and refused: {answer.refusal}")
            given += 1
            break
        else:
            return given
    return given


def _asked(prompts: Sequence[Prompt[Any]], bots: Mapping[Seat, Bot]) -> list[Seat]:
    """Seats that may answer, those with a whim first: an optional prompt closes when the game goes on."""
    found = [p.seat for p in sorted(prompts, key=lambda p: not p.optional) if p.seat in bots or p.seat == TABLE]
    return list(dict.fromkeys(found))


def seat_bot(desk: Desk, bot: Bot) -> Callable[[], None]:
    """Lets a bot play its seat at a running desk; call what is returned to let it go. What had to wait for hands it says again."""
    answered: int | None = None

    def heard(command: Any, answer: Answer) -> None:
        nonlocal answered
        if not answer.ok or is_house(command):
            answered = None

    def look(update: Update) -> None:
        nonlocal answered
        stamp = update.stamps[bot.seat]
        if stamp != answered:
            answered = stamp
            command = bot.answer(update.seats[bot.seat])
            if command is not None:
                desk.play(bot.seat, command, partial(heard, command), stamp=stamp)

    return desk.watch(look)
