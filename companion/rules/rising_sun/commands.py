"""What a seat can say: one frozen Struct a gesture, a tagged union (tag field ``do``).

Here: the commands and nothing about when they are lawful.
"""

from __future__ import annotations

from typing import Union

from msgspec import Struct

from companion.rules.game import Kind, Place, Seat


class Choose(Struct, frozen=True, gc=False, tag_field="do", tag="choose", forbid_unknown_fields=True, omit_defaults=True):
    """The Mandate Turn: this drawn tile is played; ``declared`` is Lotus's word for its face-down tile (RS-6.3, 10.2)."""

    seat: Seat
    mandate: str
    declared: str = ""


class Summon(Struct, frozen=True, gc=False, tag_field="do", tag="summon", forbid_unknown_fields=True):
    """One figure from Reserve to the Map (RS-2.7)."""

    seat: Seat
    kind: Kind
    place: Place


class Worship(Struct, frozen=True, gc=False, tag_field="do", tag="worship", forbid_unknown_fields=True):
    """The Shinto just summoned goes to this Kami's Shrine (RS-6R.4)."""

    seat: Seat
    kami: str


class Move(Struct, frozen=True, gc=False, tag_field="do", tag="move", forbid_unknown_fields=True, rename={"frm": "from"}):
    """One figure (or Turtle Stronghold) one Move (RS-2.9)."""

    seat: Seat
    kind: Kind
    frm: Place
    to: Place


class Build(Struct, frozen=True, gc=False, tag_field="do", tag="build", forbid_unknown_fields=True):
    """The Marshal bonus: a Stronghold for Coins (RS-6M.2)."""

    seat: Seat
    place: Place


class Buy(Struct, frozen=True, gc=False, tag_field="do", tag="buy", forbid_unknown_fields=True):
    """One displayed Season card (RS-6T.1, 7.5)."""

    seat: Seat
    card: str


class Replace(Struct, frozen=True, gc=False, tag_field="do", tag="replace", forbid_unknown_fields=True):
    """Betray: ``victim``'s figure of ``kind`` in ``place`` gives way to the own ``by`` (RS-6B.2)."""

    seat: Seat
    victim: Seat
    kind: Kind
    place: Place
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


Command = Union[Choose, Summon, Worship, Move, Build, Buy, Replace, Give, Done, Shuffle, Offer, Accept, Decline]
