"""What a game is: the only contract between the law and the rest of the house.

Here: the types every game speaks. Not here: any one game's rules. ``rules`` is pure: no I/O, clock, dice, language, Kivy,
MQTT or serial. A Game object is bound to its facts when it is made (``rules.<game>.facts.parse`` -> ``Facts`` -> ``Game``), so
that state holds only what changes; see docs/adr/0006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, Union, runtime_checkable

from msgspec import Struct

from companion.rules.view import Light, Line, Section, Table, Text, Wait

Seat = str
"""A seat's id: the clan that sits there. CHANCE, TIME and TABLE are seats obeyed only from inside the process."""
Kind = str
"""The finest thing the rules can tell apart: ``koi/bushi`` (six of them), ``oni_of_skulls`` (one)."""
Place = str
"""``edo``, ``shrine.2``, ``reserve.koi``; it may carry facing (``crab_c|crab_n>crab_n``)."""

CHANCE: Seat = "chance"
TIME: Seat = "time"
TABLE: Seat = "table"

MAX_CHOICES = 1000
"""No prompt has more; what would, is asked in steps."""

C = TypeVar("C")
S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class Gesture(Struct, frozen=True, gc=False, rename={"frm": "from"}):
    """One piece from one place to one place, as hands do it on the board."""

    kind: Kind
    frm: Place
    to: Place


class Amounts(Struct, frozen=True, gc=False):
    """Named numbers the chooser fills in; the command's field ``amounts`` carries them."""

    each: Mapping[str, tuple[int, int]]
    """name -> (min, max)"""
    total: tuple[int, int]
    """(min, max) of their sum"""


class Caution(Struct, frozen=True, gc=False):
    """Shown to the chooser only: lawful, but it will turn out badly."""

    clause: str
    text: Text


class Choice(Struct, Generic[C], frozen=True, gc=False, omit_defaults=True):
    """A concrete command that would be accepted now."""

    command: C
    text: Text
    gestures: tuple[Gesture, ...] = ()
    detail: Text | None = None
    """The consequence, for the button: *gives up 2*."""
    mark: str = ""
    """Its drawing in ``companion/look/marks``, without ``.svg``."""
    caution: Caution | None = None
    amounts: Amounts | None = None
    shuffle: tuple[str, ...] | None = None
    """For CHANCE only: any order of these is as good; the command's field ``order`` carries it."""


class Prompt(Struct, Generic[C], frozen=True, gc=False, omit_defaults=True):
    """Who must decide what now, with every lawful choice. There is no second list of what is lawful."""

    seat: Seat
    text: Text
    clause: str
    choices: tuple[Choice[C], ...]
    optional: bool = False
    """A gift or a window: the game goes on without it."""
    window: str = ""
    """Id of the timed window that closes it, "" for none."""
    private: bool = False
    """What it offers is secret: screens show it behind the curtain only."""
    detail: Text | None = None
    """One more sentence of help."""


class View(Struct, frozen=True, gc=False):
    """Everything one reader may see at one revision. Public sections are the same objects in every view of a revision."""

    title: Text
    subtitle: Text
    sections: tuple[Section, ...]
    prompts: tuple[Prompt[Any], ...]
    """This seat's open questions, the one that must be answered first; always empty at the open table."""
    waits: tuple[Wait, ...]
    log: tuple[Line, ...]
    """The newest sentences this reader may read, oldest first; filled by the table, not by the game."""


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a command caused, in words of the game."""

    text: Text
    clause: str = ""
    to: tuple[Seat, ...] | None = None
    """Who may read it; None: everybody."""
    reveals: bool = False
    """It showed someone something they did not know: undo does not cross it alone."""


class Applied(Struct, Generic[S], frozen=True, gc=False):
    state: S
    events: tuple[Event, ...]


class Refusal(Struct, frozen=True, gc=False):
    """Why not: the clause, one plain sentence, and what would be lawful instead (may be empty)."""

    clause: str
    text: Text
    lawful: tuple[Text, ...] = ()


class Ruling(Struct, frozen=True, gc=False):
    """One reason why a position is impossible."""

    clause: str
    text: Text


class MovePiece(Struct, frozen=True, gc=False, tag="move", rename={"frm": "from"}):
    """Correction: one piece of ``kind`` (of ``seat``, where the kind does not say) from a place to a place."""

    seat: Seat
    kind: Kind
    frm: Place
    to: Place


class SetCounter(Struct, frozen=True, gc=False, tag="counter"):
    seat: Seat
    counter: str
    value: int


class GiveCard(Struct, frozen=True, gc=False, tag="card"):
    """Correction: ``card`` to ``seat``; "" puts it back on the display."""

    seat: Seat
    card: str


class SetStep(Struct, frozen=True, gc=False, tag="step"):
    """Correction: the game stands at this step, in the record's words (``mandate 4``)."""

    step: str


Correction = Union[MovePiece, SetCounter, GiveCard, SetStep]


class NotationError(ValueError):
    """A record line that is not understood: where (0-based word index in the line) and what was expected."""

    def __init__(self, word: int, expected: str) -> None:
        super().__init__(expected)
        self.word = word
        self.expected = expected


class Notation(Protocol[S, C]):
    """The game's own lines of a record (contract 5): whole positions and commands, ``hear(say(x)) == x``."""

    def position(self, state: S, reader: Seat | None = None) -> tuple[str, ...]:
        """The lines between the header and ``moves``, in the documented order; with ``reader``, what that seat may not look at now is ``?``."""

    def read(self, seats: Sequence[Seat], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> S:
        """Those lines split into words (``seats`` and ``option`` lines already taken out), in any order. Raises PositionError."""

    def say(self, command: C) -> str:
        """``koi summon shinto nagato``"""

    def hear(self, words: Sequence[str]) -> C:
        """Raises NotationError."""


class PositionError(ValueError):
    """``line`` is the 0-based index into the lines given to ``Notation.read`` (-1: the position as a whole)."""

    def __init__(self, line: int, word: int, expected: str) -> None:
        super().__init__(expected)
        self.line = line
        self.word = word
        self.expected = expected


class Game(Protocol[S, C]):
    """One game with its facts. All methods are pure and fast; ``apply`` never raises for any well-formed command."""

    id: str
    version: int
    """Rises when an accepted command could come to mean something else."""
    Command: Any
    """The tagged union (tag field ``do``) of frozen Structs, each with a field ``seat``; decoded strictly."""
    State: Any
    """The frozen Struct that ``msgspec`` encodes and decodes."""
    notation: Notation[S, C]

    def start(self, seats: Sequence[Seat], options: Mapping[str, str]) -> S:
        """A new game. Raises ValueError naming a bad seat or option and the fix."""

    def prompts(self, state: S) -> tuple[Prompt[C], ...]:
        """Every open question; several seats at once. Empty only when the game is over."""

    def apply(self, state: S, command: C) -> Applied[S] | Refusal: ...

    def view(self, state: S, seat: Seat | None) -> View:
        """What this seat may see now (None: the open table). ``log`` is empty: the table fills it."""

    def placement(self, state: S) -> Mapping[Place, Counter[Kind]]: ...

    def lights(self, state: S) -> tuple[Light, ...]: ...

    def correct(self, state: S, correction: Correction) -> Applied[S] | Refusal: ...

    def faults(self, state: S) -> tuple[Ruling, ...]:
        """Why a position set up by hand is impossible; empty: it is possible."""


@runtime_checkable
class Counts(Protocol):
    """A game that can tell what its points came from, of a line of play; not every game has points."""

    def sources(self, start: Any, now: Any, said: Iterable[tuple[Text, str]]) -> Table:
        """``said``: sentence and clause of everything everybody heard between the two states, in order."""


@runtime_checkable
class Aged(Protocol):
    """A game whose rules have changed so that earlier records would not replay by themselves."""

    def former(self, rules: int) -> Mapping[str, str]:
        """Options by which a game of these rules goes on as it did then; what its record says itself comes first."""
