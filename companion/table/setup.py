"""Who sits at a saved game, beside what its rules know: players' names, which seats bots play, the sides they sit at, how figures are seen,
how strict it is.

Here: the record that the journal keeps, and what a player's name may be. Names are what people typed: bounded, cleaned, never trusted.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from companion.rules.game import Seat
from companion.table.seating import SIDES

LONGEST = 24
"""Characters of a player's name."""
NONE = "none"
"""The layout of a table that wants no readers at all, even if some are attached."""
LAYOUTS = ("single", "places", "readers", "trust", NONE)
"""How figures are seen: one reader and a touched place, place tags, readers that are places, believed, not at all."""

STRICT, ADVISE, RECORD = "strict", "advise", "record"
LEVELS = (STRICT, ADVISE, RECORD)
"""How the rules are kept: refused is refused; refused first, and done all the same if they insist; only written down."""

_JOINERS = "\u200c\u200d"
"""They shape letters of some scripts, and are not seen by themselves."""


class Setup(Struct, frozen=True, omit_defaults=True):
    """All of it may be missing: journals of earlier versions know none of it."""

    names: Mapping[Seat, str] = {}
    sides: Mapping[Seat, str] = {}
    layout: str = ""
    """One of LAYOUTS; "": as the devices are."""
    bots: tuple[Seat, ...] = ()
    """Seats that a bot plays, for as long as nobody takes them back."""
    level: str = STRICT
    """One of LEVELS: the one the game began with. The host may name another during the game."""


def cleaned(name: str) -> str:
    """A name as it may be shown anywhere: one line, no control or direction signs, at most LONGEST characters. Any script."""
    plain = "".join(" " if sign.isspace() else sign for sign in name[: 16 * LONGEST] if sign.isspace() or _may(sign))
    words = " ".join(unicodedata.normalize("NFC", plain).split())
    return words[:LONGEST].strip(f" {_JOINERS}")


def _may(sign: str) -> bool:
    return sign in _JOINERS or unicodedata.category(sign)[0] not in "CZ"


def encoded(setup: Setup) -> str:
    """As the journal keeps it."""
    return msgspec.json.encode(setup).decode()


def decoded(text: str) -> Setup:
    """What the journal kept; what of it makes no sense is left out, for a name is no reason not to go on."""
    try:
        kept = msgspec.json.decode(text, type=Setup)
    except msgspec.MsgspecError:
        return Setup()
    names = {seat: name for seat, given in kept.names.items() if (name := cleaned(given))}
    sides = {seat: side for seat, side in kept.sides.items() if side in SIDES}
    level = kept.level if kept.level in LEVELS else STRICT
    return Setup(names, sides, kept.layout if kept.layout in LAYOUTS else "", kept.bots, level)
