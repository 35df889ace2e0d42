"""What lies over the map and how the screen is set: sheets, the curtain and its PINs, language, theme, size of text, rotation. No Kivy.

Not here: the question (``question``), what leaves for the desk (``session``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.look.tokens import tokens
from companion.rules.game import Place, Seat
from companion.rules.view import Text
from companion.tablet import house
from companion.tablet.pins import Pins
from companion.tablet.question import PINNED, Question
from companion.tablet.speech import Speech

TABS = ("log", "repair", "health", "settings")
"""Sheets that are one press from each other."""
ROTATIONS = (0, 90, 180, 270)


class Sheets(Question):
    """State of everything over the map. ``changed`` is called after every change."""

    changed: Callable[[], None]

    def __init__(self, table: Any, places: frozenset[Place], clock: Callable[[], float]) -> None:
        super().__init__(places, clock)
        self.table = table
        self.sides = table.sides
        self.speech = Speech()
        self.theme = "day"
        self.scale = 1.0
        self.motion = True
        """False: nothing moves or breathes (tests, or somebody who wants it so)."""
        self.rotation = 0
        """Degrees, counter-clockwise, by which the whole screen is turned on its glass."""
        self.sheet: tuple[str, ...] = ()
        self.behind: tuple[str, ...] = ()
        """The sheet that comes back when a clause is closed."""
        self.sheet_leaf = 0
        self.pins = Pins()

    # ------------------------------------------------------------------ sheets

    def press_sheet(self, *what: str) -> None:
        """Opens a sheet, or closes it where it is open."""
        self.open_sheet(() if self.sheet == what else what)

    def open_sheet(self, what: tuple[str, ...], behind: tuple[str, ...] = ()) -> None:
        self.sheet, self.behind, self.sheet_leaf = what, behind, 0
        self.close_curtain()
        self.pins.begin()
        self.changed()

    def close_sheet(self) -> None:
        """Back to what lay under it."""
        self.open_sheet(self.behind)

    def press_clause(self, clause: str) -> None:
        """What the rules say there."""
        if clause and self.sheet[:1] != ("clause",):
            self.open_sheet(("clause", clause), self.sheet)

    def press_sheet_leaf(self, step: int) -> None:
        self.sheet_leaf = max(0, self.sheet_leaf + step)
        self.changed()

    def clause(self, clause: str) -> str:
        """Its text in the language of the table; "": the game gives none."""
        found = getattr(self.table, "clause", None)
        return str(found(clause, self.speech.lang)) if found is not None else ""

    # ------------------------------------------------------------------ the curtain

    def draw_curtain(self, *, aside: bool, pin: bool = False) -> None:
        """Opens or closes the curtain; pinned it closes by itself."""
        self.open, self.pinned = aside, self.clock() + PINNED if aside and pin else 0.0
        self.changed()

    def close_curtain(self) -> None:
        self.open, self.pinned = False, 0.0

    def press_keypad(self, seat: Seat) -> None:
        """The keypad of a seat, to open its curtain or to give it a PIN."""
        self.open_sheet(("pin", seat), self.sheet)

    def press_digit(self, seat: Seat, sign: str) -> None:
        fresh = not self.pins.has(seat)
        if self.pins.digit(seat, sign):
            self.sheet, self.behind = self.behind, ()
            if fresh:
                self.announce("ok", Text("tablet.pin_set", {"seat": self.name(seat)}), seat)
        self.changed()

    def forget_pin(self, seat: Seat) -> None:
        """The host takes a forgotten PIN away, and everybody hears of it."""
        self.pins.forget(seat)
        self.sheet, self.behind = self.behind, ()
        self.announce("careful", Text("tablet.pin_gone", {"seat": self.name(seat)}), seat)
        self.changed()

    def announce(self, tone: str, text: Text, seat: Seat = "") -> None:
        self.table.desk.announce(tone, text, seat)

    # ------------------------------------------------------------------ how the screen is set

    def next_language(self) -> None:
        self.speech.lang = self.speech.following()
        self.changed()

    def speak(self, lang: str) -> None:
        self.speech.lang = lang
        self.changed()

    def next_theme(self) -> None:
        self.wear("night" if self.theme == "day" else "day")

    def wear(self, theme: str) -> None:
        self.theme = theme
        self.changed()

    def resize(self, step: int) -> None:
        """The next larger or smaller text."""
        sizes = tokens().type.user_scale
        nearest = min(range(len(sizes)), key=lambda i: abs(sizes[i] - self.scale))
        self.size(sizes[min(max(nearest + step, 0), len(sizes) - 1)])

    def size(self, scale: float) -> None:
        self.scale = scale
        self.changed()

    def calm(self, *, still: bool) -> None:
        self.motion = not still
        self.changed()

    def rotate(self, degrees: int) -> None:
        """Turns the whole screen: the tablet lies the other way round."""
        self.rotation = degrees
        self.changed()

    def turn_seats(self) -> None:
        self.turned = (self.turned + 1) % max(1, len(self.seats))
        self.walk()
        self.changed()

    def leave_zoom(self) -> None:
        self.zoom = None
        self.changed()

    # ------------------------------------------------------------------ table and app

    @property
    def differs(self) -> bool:
        return self.update is not None and house.differs(self.update.open)
