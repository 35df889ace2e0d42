"""Stand-ins: bots that play seats of a running table, at a pace people can follow.

Here: when a bot may answer and when it waits. Not here: what it answers (``bots``), which seats it has (the setup, by ``Desk.man``), or any
rule. A stand-in knows what its seat is shown and sends what a phone might send; it is told nothing else. Where bots play every seat nobody sits
at the table, so they also say for it that the game goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import msgspec

from companion.rules.game import TABLE, Seat
from companion.table.bots import Bot, Taste, even
from companion.table.commands import Agree, is_house
from companion.table.desk import Desk, Update
from companion.table.referee import Answer

PAUSE = 1.2
"""Seconds between a question and a bot's answer: long enough to see what happened before."""

Later = Callable[[float, Callable[[], object]], Callable[[], object]]
"""Runs something after so many seconds, on any thread; calling what is returned forgets it."""


def by_timer(seconds: float, what: Callable[[], object]) -> Callable[[], object]:
    timer = threading.Timer(seconds, what)
    timer.daemon = True
    timer.start()
    return timer.cancel


class StandIns:
    """Of one desk. ``start`` once, ``stop`` once."""

    def __init__(self, desk: Desk, taste: Taste = even, *, seed: str = "", pause: float = PAUSE, later: Later = by_timer) -> None:
        self._desk, self._taste, self._seed, self._pause, self._later = desk, taste, seed, pause, later
        self._guard = threading.RLock()
        self._bots: dict[Seat, Bot] = {}
        self._asked: dict[Seat, Hashable] = {}
        """What each bot is thinking about, or has answered."""
        self._forget: dict[Seat, Callable[[], object]] = {}
        self._leave: Callable[[], None] = lambda: None

    def start(self) -> None:
        self._leave = self._desk.watch(self._look)

    def stop(self) -> None:
        """Whatever was being thought about is not said any more."""
        self._leave()
        with self._guard:
            for seat in list(self._asked):
                self._drop(seat)
            self._bots.clear()

    def _look(self, update: Update) -> None:
        with self._guard:
            for seat in [seat for seat in self._asked if seat not in playing(update)]:
                self._drop(seat)
            for seat in playing(update):
                question = asked(update, seat)
                if question != self._asked.get(seat):
                    self._drop(seat)
                    if question is not None:
                        self._think(seat, question)

    def _think(self, seat: Seat, question: Hashable) -> None:
        self._asked[seat] = question
        self._forget[seat] = self._later(self._pause, partial(self._answer, seat, question))

    def _drop(self, seat: Seat) -> None:
        self._asked.pop(seat, None)
        self._forget.pop(seat, lambda: None)()

    def _answer(self, seat: Seat, question: Hashable) -> None:
        """The pause is over; meanwhile the question may have changed, or the seat been taken back."""
        with self._guard:
            update = self._desk.current
            if self._asked.get(seat) != question or seat not in playing(update) or asked(update, seat) != question:
                return
            bot = self._bots.get(seat)
            if bot is None:
                bot = self._bots[seat] = Bot(seat, self._seed, self._taste, whim=0)
            command = bot.answer(update.seats[seat] if seat != TABLE else msgspec.structs.replace(update.open, prompts=update.table))
        self._desk.play(seat, command, partial(self._heard, seat, question), stamp=update.stamps[seat])

    def _heard(self, seat: Seat, question: Hashable, answer: Answer) -> None:
        """What was refused (a full disk, hands that are late) is thought over, as long as it is still asked."""
        with self._guard:
            if not answer.ok and self._asked.get(seat) == question:
                self._think(seat, question)


def playing(update: Update) -> tuple[Seat, ...]:
    """Seats that bots answer for: their own, and the table's where nobody else is there."""
    alone = bool(update.bots) and set(update.bots) == set(update.seats)
    return (*update.bots, TABLE) if alone else update.bots


def asked(update: Update, seat: Seat) -> Hashable:
    """What a bot at this seat has to answer now; None: nothing, or it has to wait. Equal questions are one question.

    It agrees to what others ask for. Everything else waits while the table itself must be answered: figures that differ, a request that
    is open, something being set right by hand.
    """
    must = [prompt for prompt in (update.table if seat == TABLE else update.seats[seat].prompts) if not prompt.optional]
    for prompt in must:
        command: Any = prompt.choices[0].command
        if isinstance(command, Agree):
            return ("agree", command.to)
    held = any(not prompt.optional and is_house(prompt.choices[0].command) for prompt in update.table)
    # A seat that has given its sealed answer may change it, but nobody waits for it any more.
    waited = any(wait.seat == seat for wait in update.open.waits)
    if held or not waited or all(is_house(prompt.choices[0].command) for prompt in must):
        return None
    return ("play", update.stamps[seat])
