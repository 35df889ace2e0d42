"""What a seat can say: one frozen Struct a gesture, a tagged union (tag field ``do``).

Here: the commands and nothing about when they are lawful.
"""

from __future__ import annotations

from typing import Union

from msgspec import Struct

from companion.rules.game import Kind, Seat
from companion.rules.game import Place as Where


class Choose(Struct, frozen=True, gc=False, tag_field="do", tag="choose", forbid_unknown_fields=True, omit_defaults=True):
    """The Mandate Turn: this drawn tile is played; ``declared`` is Lotus's word for its face-down tile (RS-6.3, 10.2)."""

    seat: Seat
    mandate: str
    declared: str = ""


class Summon(Struct, frozen=True, gc=False, tag_field="do", tag="summon", forbid_unknown_fields=True):
    """One figure from Reserve to the Map (RS-2.7)."""

    seat: Seat
    kind: Kind
    place: Where


class Worship(Struct, frozen=True, gc=False, tag_field="do", tag="worship", forbid_unknown_fields=True):
    """The Shinto just summoned goes to this Kami's Shrine (RS-6R.4)."""

    seat: Seat
    kami: str


class Move(Struct, frozen=True, gc=False, tag_field="do", tag="move", forbid_unknown_fields=True, rename={"frm": "from"}):
    """One figure (or Turtle Stronghold) one Move (RS-2.9)."""

    seat: Seat
    kind: Kind
    frm: Where
    to: Where


class Build(Struct, frozen=True, gc=False, tag_field="do", tag="build", forbid_unknown_fields=True):
    """The Marshal bonus: a Stronghold for Coins (RS-6M.2)."""

    seat: Seat
    place: Where


class Buy(Struct, frozen=True, gc=False, tag_field="do", tag="buy", forbid_unknown_fields=True):
    """One displayed Season card (RS-6T.1, 7.5)."""

    seat: Seat
    card: str


class Replace(Struct, frozen=True, gc=False, tag_field="do", tag="replace", forbid_unknown_fields=True):
    """Betray: ``victim``'s figure of ``kind`` in ``place`` gives way to the own ``by`` (RS-6B.2)."""

    seat: Seat
    victim: Seat
    kind: Kind
    place: Where
    by: Kind


class Give(Struct, frozen=True, gc=False, tag_field="do", tag="give", forbid_unknown_fields=True):
    """A gift: ``amounts`` names ``coins`` and ``ronin`` (RS-2N.3)."""

    seat: Seat
    to: Seat
    amounts: dict[str, int] = {}


class Done(Struct, frozen=True, gc=False, tag_field="do", tag="done", forbid_unknown_fields=True):
    """What is left of this part is given up (RS-6.6); from the table: go on."""

    seat: Seat


class Shuffle(Struct, frozen=True, gc=False, tag_field="do", tag="shuffle", forbid_unknown_fields=True):
    """Chance: how ``what`` (mandates, shrines, wars) lies after the shuffle, top or left first."""

    seat: Seat
    what: str
    order: tuple[str, ...] = ()


class Offer(Struct, frozen=True, gc=False, tag_field="do", tag="offer", forbid_unknown_fields=True):
    """An Alliance is offered; only the Tea Ceremony knows it (RS-5.3)."""

    seat: Seat
    to: Seat


class Accept(Struct, frozen=True, gc=False, tag_field="do", tag="accept", forbid_unknown_fields=True):
    """An offered Alliance is taken (RS-5.2)."""

    seat: Seat
    to: Seat


class Decline(Struct, frozen=True, gc=False, tag_field="do", tag="decline", forbid_unknown_fields=True):
    """An offered Alliance is not wanted (RS-5.2)."""

    seat: Seat
    to: Seat


class Bid(Struct, frozen=True, gc=False, tag_field="do", tag="bid", forbid_unknown_fields=True, omit_defaults=True):
    """Coins on the War Advantages, sealed until everybody has bid: ``amounts`` names ``seppuku``, ``hostage``, ``ronin``, ``poets`` (RS-9.3).

    ``of``: whose bid the table enters, where bids lie behind screens of cardboard.
    """

    seat: Seat
    of: Seat = ""
    amounts: dict[str, int] = {}


class Seppuku(Struct, frozen=True, gc=False, tag_field="do", tag="seppuku", forbid_unknown_fields=True):
    """All own figures in the Province die, or none (RS-9.8)."""

    seat: Seat
    yes: bool


class Hostage(Struct, frozen=True, gc=False, tag_field="do", tag="hostage", forbid_unknown_fields=True, omit_defaults=True):
    """``victim``'s figure of ``kind`` is captured; nobody's: none is (RS-9.9)."""

    seat: Seat
    victim: Seat = ""
    kind: Kind = ""


class Hire(Struct, frozen=True, gc=False, tag_field="do", tag="hire", forbid_unknown_fields=True):
    """The own Ronin fight in this Battle, or not (RS-9.10)."""

    seat: Seat
    yes: bool


class Spare(Struct, frozen=True, gc=False, tag_field="do", tag="spare", forbid_unknown_fields=True):
    """Mercy: the figures that could be killed now all live, or not."""

    seat: Seat
    yes: bool


class Odd(Struct, frozen=True, gc=False, tag_field="do", tag="odd", forbid_unknown_fields=True):
    """A loser gets an odd Coin of the winner's (RS-9.15)."""

    seat: Seat
    to: Seat


class Place(Struct, frozen=True, gc=False, tag_field="do", tag="place", forbid_unknown_fields=True):
    """A card puts a figure from Reserve where it says; not a Summon (RS-2.8)."""

    seat: Seat
    kind: Kind
    place: Where


class Kill(Struct, frozen=True, gc=False, tag_field="do", tag="kill", forbid_unknown_fields=True):
    """A card kills ``victim``'s figure (RS-2.10)."""

    seat: Seat
    victim: Seat
    kind: Kind
    place: Where


class Use(Struct, frozen=True, gc=False, tag_field="do", tag="use", forbid_unknown_fields=True):
    """A card that may act now acts (RS-2.18)."""

    seat: Seat
    card: str


class Share(Struct, frozen=True, gc=False, tag_field="do", tag="share", forbid_unknown_fields=True):
    """Benevolence: one of the Coins just spent goes to another player."""

    seat: Seat
    to: Seat


class Pardon(Struct, frozen=True, gc=False, tag_field="do", tag="pardon", forbid_unknown_fields=True):
    """Path of the Serpent: no toll from ``to`` for the rest of this Marshal or blessing."""

    seat: Seat
    to: Seat


class Order(Struct, frozen=True, gc=False, tag_field="do", tag="order", forbid_unknown_fields=True):
    """The own cards at the start of War act before the others', or after (RS-2H.6)."""

    seat: Seat
    early: bool


Command = Union[
    Choose,
    Summon,
    Worship,
    Move,
    Build,
    Buy,
    Replace,
    Give,
    Done,
    Shuffle,
    Offer,
    Accept,
    Decline,
    Bid,
    Seppuku,
    Hostage,
    Hire,
    Spare,
    Odd,
    Place,
    Kill,
    Use,
    Share,
    Pardon,
    Order,
]
