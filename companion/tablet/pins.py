"""PINs of the players who have no phone: four digits that keep a neighbour from looking by mistake. Manners, not security. Pure.

They live in memory, as long as the table is open, and nowhere else.
"""

from __future__ import annotations

from companion.rules.game import Seat

LENGTH = 4


class Pins:
    """One table's. ``typed`` are the digits so far, of the seat whose keypad is open."""

    def __init__(self) -> None:
        self._known: dict[Seat, str] = {}
        self.passed: Seat = ""
        """Whose curtain may be held open now."""
        self.typed = ""
        self.first = ""
        """While a new PIN is typed the second time: the first."""
        self.wrong = ""
        """Key of what went wrong with the last try, for the keypad to say."""

    def has(self, seat: Seat) -> bool:
        return seat in self._known

    def shut(self, seat: Seat) -> bool:
        """The curtain of this seat asks for its PIN first."""
        return seat in self._known and self.passed != seat

    def begin(self) -> None:
        """An empty keypad."""
        self.typed = self.first = self.wrong = ""

    def digit(self, seat: Seat, sign: str) -> bool:
        """One digit, or ``<`` to take one back; True when this settled it: the PIN was right, or is set."""
        self.wrong = ""
        if sign == "<":
            self.typed = self.typed[:-1]
            return False
        self.typed = (self.typed + sign)[:LENGTH]
        if len(self.typed) < LENGTH:
            return False
        typed, self.typed = self.typed, ""
        return self._try(seat, typed) if seat in self._known else self._set(seat, typed)

    def _try(self, seat: Seat, typed: str) -> bool:
        if self._known[seat] != typed:
            self.wrong = "pin_wrong"
            return False
        self.passed = seat
        return True

    def _set(self, seat: Seat, typed: str) -> bool:
        if not self.first:
            self.first = typed
            return False
        first, self.first = self.first, ""
        if first != typed:
            self.wrong = "pin_differ"
            return False
        self._known[seat] = typed
        self.passed = seat
        return True

    def lock(self) -> None:
        """Whoever comes next types again."""
        self.passed = ""

    def forget(self, seat: Seat) -> None:
        """The host takes a PIN away."""
        self._known.pop(seat, None)
        self.begin()
        if self.passed == seat:
            self.passed = ""
