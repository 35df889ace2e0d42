"""What people may say to the table itself, in any game: take back, agree, tick a figure off, set right.

Here: the commands, a tagged union of its own (tag field ``do``). Not here: what they do (``steward``). No game's command has one of
these names. Each names what it answers (a row, how many figures are left), so that a late or doubled press does nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Union

import msgspec
from msgspec import Meta, Struct

from companion.rules.game import Correction, Kind, MovePiece, Place, Seat, SetCounter

MOST_FIGURES = 1000
"""No box holds more pieces, and no command names more."""
MOST_VALUE = 999_999
"""No counter of any game is set higher; games have lower limits of their own."""

At = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A row: what every screen can count exactly."""
Count = Annotated[int, Meta(ge=0, le=MOST_FIGURES)]
Value = Annotated[int, Meta(ge=-MOST_VALUE, le=MOST_VALUE)]


class _House(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True):
    seat: Seat


class Undo(_House, frozen=True, tag="undo"):
    """The rows from revision ``first`` to ``last``, the newest one, are taken back."""

    first: At
    last: At


class Redo(_House, frozen=True, tag="redo"):
    """What an undo took back stands again: the row of revision ``to``. ``last`` is the undo's own row."""

    to: At
    last: At


class Agree(_House, frozen=True, tag="agree"):
    """Yes to the request of row ``to``. The table says it for a seat that is ``absent``."""

    to: At
    absent: Seat = ""


class Object(_House, frozen=True, tag="object"):
    """No to the request of row ``to``; from who asked: never mind."""

    to: At


class Tick(_House, frozen=True, tag="tick", rename={"frm": "from"}):
    """A hand has moved this piece. ``left``: how many such moves were still to be made when it was pressed."""

    kind: Kind
    frm: Place
    to: Place
    left: Count


class Waive(_House, frozen=True, tag="waive"):
    """The figures stay as they lie, and the app no longer minds. ``at`` is the revision it was offered at."""

    at: At


class Adopt(_House, frozen=True, tag="adopt"):
    """What lies on the board is right: these corrections make the app follow it."""

    what: Annotated[tuple[MovePiece, ...], Meta(max_length=MOST_FIGURES)]


class Correct(_House, frozen=True, tag="correct"):
    """Something is set right by hand. ``amounts`` holds the value of its one counter, where a screen asked for it."""

    what: Annotated[tuple[Correction, ...], Meta(max_length=MOST_FIGURES)]
    amounts: dict[str, Value] = {}


class Overrule(_House, frozen=True, tag="overrule"):
    """What the game has just refused is done all the same, as corrections (level *advise*)."""

    what: Annotated[tuple[MovePiece, ...], Meta(max_length=MOST_FIGURES)]
    clause: Annotated[str, Meta(max_length=64)] = ""
    """The clause it overrules; the table writes it down, whatever a screen says."""


class Level(_House, frozen=True, tag="level"):
    """From now on the table keeps the rules like this (``setup.LEVELS``)."""

    level: Annotated[str, Meta(max_length=16)]


class Mend(_House, frozen=True, tag="mend"):
    """Setting right by hand begins: nothing at first, then a piece (``kind`` at ``place``) or a ``card``; or it ends (``begin`` false)."""

    kind: Kind = ""
    place: Place = ""
    begin: bool = True
    card: str = ""


Command = Union[Undo, Redo, Agree, Object, Tick, Waive, Adopt, Correct, Overrule, Level, Mend]
KINDS: Final = (Undo, Redo, Agree, Object, Tick, Waive, Adopt, Correct, Overrule, Level, Mend)
NAMES: Final = frozenset(str(kind.__struct_config__.tag) for kind in KINDS)
"""Values of ``do`` that are the table's."""

DECODER: Final = msgspec.json.Decoder(Command)


def corrections(command: Correct | Adopt | Overrule) -> tuple[Correction, ...]:
    """Its corrections, with the number a screen filled in."""
    if not isinstance(command, Correct) or not command.amounts:
        return command.what
    return tuple(
        msgspec.structs.replace(one, value=command.amounts.get(one.counter, one.value)) if isinstance(one, SetCounter) else one
        for one in command.what
    )


def name(command: Command) -> str:
    """Its value of ``do``."""
    return str(command.__struct_config__.tag)


def is_house(command: Any) -> bool:
    return isinstance(command, KINDS)
