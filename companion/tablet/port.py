"""What the tablet needs of a running table: one small facade that ``companion.service`` (or a test) implements.

Every method but ``story`` and ``export`` may be called on the Kivy thread and must not block. Updates come through ``desk.watch`` on the referee thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from companion.rules.game import Kind, Place, Refusal, Seat
from companion.rules.view import Text
from companion.table.desk import Offers, Update
from companion.table.referee import Answer
from companion.table.story import Progress, Story

PhoneState = Literal["vacant", "online", "asleep"]


class Health(Struct, frozen=True):
    """One line of the health page: a device or service, its state in one word and one sentence."""

    id: str
    tone: str
    """``ok careful refused waiting`` or ``act`` (someone must do something)"""
    name: Text
    text: Text
    mark: str = ""


class SimTag(Struct, frozen=True):
    """A simulated tagged figure: pressing it on the screen lays it on the simulated reader."""

    uid: str
    text: Text
    seat: Seat = ""
    mark: str = ""
    """The foot of its counter, e.g. ``figure/bushi``."""


class DeskLike(Protocol):
    """``companion.table.desk.Desk``, as far as a screen needs it."""

    current: Update

    def watch(self, fn: Callable[[Update], None]) -> Callable[[], None]: ...
    def play(self, seat: Seat, command: Any, reply: Callable[[Answer], None] | None = None, *, stamp: int | None = None) -> None: ...
    def touch(self, place: Place) -> None: ...
    def why(self, kind: Kind, place: Place, reply: Callable[[Refusal | None, Offers], None]) -> None: ...
    def announce(self, tone: str, text: Text, seat: Seat = "") -> None: ...
    def man(self, seat: Seat, *, bot: bool) -> None: ...


class Table(Protocol):
    """The facade. ``board`` is the game's drawing (``data/board.toml`` with the owner's override), or None."""

    desk: DeskLike
    game: str
    """Id of the game, e.g. ``rising_sun``: names the clans' dyes and lamps."""
    data: Path
    """The directory the table keeps its data in; Kivy's own files go below it."""
    board: Mapping[str, Any] | None

    sides: Mapping[Seat, str]
    """The side of the tablet each seat sits at (``table.seating``), where the players said so; empty where not."""

    @property
    def complete(self) -> bool:
        """Its devices are known: what can be pressed because of them can be pressed now, or never will be."""

    def join(self, seat: Seat) -> str:
        """A fresh URL for this seat's QR code; every call makes the ones before it useless."""

    def qr(self, url: str) -> Sequence[Sequence[bool]]:
        """The code's modules, row by row, without a quiet zone; True is dark."""

    def story(self, progress: Progress) -> Story:
        """The game so far. Not on the Kivy thread: it may take a moment. Raises JournalError, msgspec.MsgspecError."""

    def export(self, lang: str) -> Sequence[Path]:
        """Writes the game into files; where. As ``story``, and raises OSError."""

    def phones(self) -> Mapping[Seat, str]:
        """Each seat's phone: ``vacant``, ``online`` or ``asleep``."""

    def takeovers(self) -> tuple[Seat, ...]:
        """Seats that another phone asks for."""

    def decide(self, seat: Seat, yes: bool) -> None: ...

    def health(self) -> tuple[Health, ...]: ...

    def clause(self, clause: str, language: str) -> str:
        """What the rules say there, in one language; "": nothing is known of it."""

    def tags(self) -> tuple[SimTag, ...]:
        """Simulated tags; empty at a real table, and while the simulated table is open."""

    def tap(self, uid: str) -> None:
        """Lays a simulated tag on the simulated reader."""

    @property
    def sim_table(self) -> str:
        """The simulated table's window: ``open``, ``shut``, or "" at a real table, which has none."""

    def open_sim_table(self) -> None:
        """Opens it; the health page says what came of it."""
