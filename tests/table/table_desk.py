"""A running desk with a clock of its own, for tests of what hands and screens do."""

from __future__ import annotations

import threading
from typing import Any

from companion.table.desk import Desk, Notice, Update
from companion.table.figures import Figures
from companion.table.referee import Answer, Referee
from companion.words import render


class Table:
    """``settle`` waits until the inbox is empty."""

    def __init__(self, referee: Referee, figures: Figures | None = None) -> None:
        self.now = 100.0
        self.desk = Desk(referee, figures, clock=lambda: self.now)
        self.updates: list[Update] = []
        self.answers: list[Answer] = []
        self.desk.start()
        self.unwatch = self.desk.watch(self.updates.append)

    def settle(self) -> None:
        done = threading.Event()
        self.desk._inbox.put(lambda: None)  # the look at the clock that follows each thing is then over too
        self.desk._inbox.put(done.set)
        assert done.wait(120)

    def play(self, command: Any, seat: str = "") -> Answer:
        self.desk.play(seat or command.seat, command, self.answers.append)
        self.settle()
        return self.answers[-1]

    def pick(self, seat: str = "koi") -> None:
        """That seat has its tile and may put pebbles."""
        choice = self.desk.current.seats[seat].prompts[0].choices[0]
        assert self.play(choice.command).ok

    def tap(self, uid: str, place: str | None = None) -> Notice:
        self.desk.sight(uid, place)
        return self.notice()

    def lift(self, uid: str, place: str) -> None:
        self.desk.lift(uid, place)
        self.settle()

    def touch(self, place: str) -> Notice | None:
        self.desk.touch(place)
        self.settle()
        return self.desk.current.notice

    def notice(self) -> Notice:
        self.settle()
        assert self.desk.current.notice is not None
        return self.desk.current.notice

    def said(self) -> str:
        return render(self.notice().text, "en")

    @property
    def map(self) -> Any:
        return self.desk._referee.state.map

    # what the table itself asks and shows

    def must(self, seat: str = "table") -> list[str]:
        """The table's questions to a seat that it must answer, with their choices."""
        return self._asked(seat, optional=False)

    def may(self, seat: str = "table") -> list[str]:
        return self._asked(seat, optional=True)

    def _asked(self, seat: str, *, optional: bool) -> list[str]:
        from companion.table.commands import is_house

        current = self.desk.current
        prompts = current.table if seat == "table" else current.seats[seat].prompts
        own = [p for p in prompts if is_house(p.choices[0].command) and p.optional is optional]
        return [render(text, "en") for p in own for text in (p.text, *(c.text for c in p.choices))]

    def press(self, words: str, seat: str = "table") -> Answer:
        """Presses the button of the table's own with these words."""
        current = self.desk.current
        prompts = current.table if seat == "table" else current.seats[seat].prompts
        (command,) = [c.command for p in prompts for c in p.choices if render(c.text, "en") == words]
        return self.play(command)

    def shown(self) -> list[str]:
        """The section of figures to move."""
        return [
            render(text, "en")
            for section in self.desk.current.open.sections
            if section.id == "owed"
            for text in (section.text, *(node.text for node in section.nodes))
        ]
