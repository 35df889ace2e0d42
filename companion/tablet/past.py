"""A step of a game that has been: what the parts of a board ask of a session, answered from its story. No Kivy. Nothing can be played here.

Here: which step is looked at, which counter is plotted, how far reading is. Not here: reading (a thread of the page), drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.rules.game import Place, Seat
from companion.rules.view import Line, Table, Text
from companion.table.desk import Update
from companion.table.story import Moment, Story
from companion.tablet.question import BOARD, Question
from companion.tablet.speech import Speech

SOURCES = "sources"
"""In place of a counter: the table of what points came from."""


class Past(Question):
    """``changed`` is called after every change. A ``Question`` that nobody is asked."""

    differs = False

    def __init__(
        self, places: frozenset[Place], changed: Callable[[], None], *, language: str, theme: str, game: str, clock: Callable[[], float]
    ) -> None:
        super().__init__(places, clock)
        self.changed, self.game = changed, game
        self.speech, self.theme, self.scale, self.motion = Speech(language), theme, 1.0, False
        self.page = BOARD
        self.phones: Mapping[Seat, str] = {}
        self.health: tuple[Any, ...] = ()
        self.touched: Place = ""
        self.story: Story | None = None
        self.index = 0
        self.counter = ""
        self.progress = (0, 0)
        """Steps read, of how many."""
        self.said: tuple[str, Text] | None = None
        """What came of reading or writing: tone and sentence."""
        self.busy = False
        """Files are being written."""

    # ------------------------------------------------------------------ the story

    def tell(self, story: Story) -> None:
        """It is read: the last step is shown."""
        self.story = story
        self.counter = next(iter(story.names), "")
        self.go(self.last)

    @property
    def last(self) -> int:
        return len(self.story.moments) - 1 if self.story is not None else 0

    @property
    def moment(self) -> Moment | None:
        return self.story.moments[self.index] if self.story is not None else None

    def go(self, index: int) -> None:
        """Looks at a step; beyond the ends at the first or last."""
        if self.story is None:
            return
        self.index, self.said = min(max(index, 0), self.last), None
        self.update = Update(self.story.game_id, self.index, self.story.view(self.index), {}, {}, (), None)
        self.changed()

    def next_counter(self) -> None:
        """Another counter is plotted; behind the last, what points came from."""
        if self.story is None:
            return
        names = (*self.story.names, *((SOURCES,) if self.sources is not None else ()))
        self.leaf = 0
        if names:
            self.counter = names[(names.index(self.counter) + 1) % len(names)]
            self.changed()

    @property
    def sources(self) -> Table | None:
        """What every point until this step came from; None: the game counts none."""
        return self.story.sources(self.index) if self.story is not None else None

    def next_leaf(self) -> None:
        """The next rows of a long table."""
        self.leaf += 1
        self.changed()

    def lines(self) -> tuple[Line, ...]:
        """What is told of the step."""
        moment = self.moment
        if moment is None:
            return ()
        if moment.said:
            return moment.said
        if not moment.revision:
            return (Line(Text("story.begins")),)
        return (Line(Text("story.secret", {"seat": self.name(moment.seat) if moment.seat in self.seats else Text("story.table")})),)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.story.seats if self.story is not None else ()

    def tell_saved(self, paths: tuple[Path, ...], *, ended: bool) -> None:
        """The files are written."""
        files = ", ".join(path.name for path in paths)
        where = str(paths[0].parent)
        self.said = "ok", Text("tablet.story_saved" if ended else "tablet.story_saved_open", {"where": where, "files": files})
        self.busy = False
        self.changed()

    def tell_fault(self, fault: Exception) -> None:
        self.said = "refused", Text("tablet.story_fault", {"fault": getattr(fault, "strerror", None) or str(fault)})
        self.busy = False
        self.changed()

    # ------------------------------------------------------------------ what a board asks, and nobody answers here

    def touch(self, place: Place) -> None:
        """The past is not played."""

    def leave_zoom(self) -> None:
        """It is never drawn larger."""

    def press_seat(self, seat: Seat) -> None:
        """Nothing can be asked of it."""

    def press_sheet(self, *what: str) -> None:
        """There is none."""
