"""Orders and answers: what a seat sends and what it is told, and the reading of a command's bytes.

Here: types, limits, and what is wrong with bytes, in words. Not here: whether a command is lawful (``referee``).
"""

from __future__ import annotations

import re
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import Event, Game, Refusal, Seat
from companion.rules.view import Text
from companion.table import commands

MAX_COMMAND = 16_384
"""Bytes of one command; a shuffled deck is a few hundred."""
MAX_ID = 64


class Order(Struct, frozen=True):
    """What a seat sends: its one decision, and the question it answers."""

    id: str
    """Unique; a repeated id gets the first answer again."""
    stamp: int
    """The seat's stamp when it saw the question. A command to the table itself names what it answers and needs none."""
    command: msgspec.Raw


class Answer(Struct, frozen=True):
    """What the seat is answered. ``events`` holds only what that seat may read."""

    id: str
    ok: bool
    revision: int
    events: tuple[Event, ...] = ()
    refusal: Refusal | None = None


class _Verb(Struct):
    do: str = ""


class Reader:
    """Reads the commands of one game and of the table."""

    def __init__(self, game: Game[Any, Any], seats: tuple[Seat, ...]) -> None:
        self.game: msgspec.json.Decoder[Any] = msgspec.json.Decoder(game.Command)
        self._verb = msgspec.json.Decoder(_Verb)
        self._seats = seats

    def read(self, seat: Seat, order: Order) -> tuple[Refusal | None, Any]:
        """The command, or why it is none of this seat's."""
        if seat not in self._seats:
            return _no("table.no_seat", seat=seat), None
        if not 0 < len(order.id) <= MAX_ID:
            return _no("table.order_id", n=MAX_ID), None
        raw = bytes(order.command)
        if len(raw) > MAX_COMMAND:
            return _no("table.command_long", n=MAX_COMMAND), None
        try:
            command = self.command(raw)
        except msgspec.ValidationError as fault:
            return Refusal("", _field(str(fault))), None
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as fault:
            return _no("table.command_json", fault=str(fault)), None
        if command.seat != seat:
            return _no("table.command_seat", seat=seat, named=command.seat), None
        return None, command

    def command(self, raw: bytes) -> Any:
        """Raises msgspec.MsgspecError."""
        try:
            house = self._verb.decode(raw).do in commands.NAMES
        except msgspec.MsgspecError:
            house = False  # the game's decoder says it better
        return commands.DECODER.decode(raw) if house else self.game.decode(raw)


def _no(key: str, **args: int | str | Text) -> Refusal:
    return Refusal("", Text(key, args))


def _field(fault: str) -> Text:
    """Which field of a command is wrong, from what msgspec says."""
    said, _, path = fault.partition(" - at `$")
    missing = re.search(r"missing required field `(.+?)`", said)
    field = path.rstrip("`") + (f".{missing[1]}" if missing else "")
    return Text("table.command_field", {"field": field.lstrip(".") or "command", "fault": said})
