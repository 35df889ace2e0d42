"""Joining: the address a code carries, the code as picture and as text, and why a phone that scanned it did not arrive.

Here: URLs and their strict reading, QR codes, the self-test's verdict. Not here: minting keys (``keys``), our addresses (``lan``), the drawing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import segno
from msgspec import Struct

from companion.rules.view import Text
from companion.sync.lan import addresses
from companion.sync.messages import MessageError, from_b64, to_b64
from companion.sync.sealing import KEY, Bond
from companion.sync.topics import GUEST, PROTOCOL, is_game_id, is_seat
from companion.table.journal import SeatKey

__all__ = ["JoinError", "Verdict", "addresses", "join_url", "qr_matrix", "qr_text", "read_fragment", "verdict"]

QUIET: Final = 4
"""Light modules round a code; readers need them."""

MASK: Final = 2
"""Every code says which of eight masks it has. For ours this one is the best or within some hundredths of it (by the standard's penalties, over
many keys), and trying all of them takes as long as everything else that is drawn with a code."""

_EPOCH = re.compile(r"0|[1-9][0-9]{0,4}")


class JoinError(ValueError):
    """A code that is not one of ours: what is wrong, and what to do. Never quotes it: it holds a key."""


def join_url(address: str, port: int, game_id: str, key: SeatKey) -> str:
    """What a seat's code says. ``address`` is a host name or IPv4 address; IPv6 goes in brackets by itself."""
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}:{port}/#{PROTOCOL}.{game_id}.{key.seat}.{key.epoch}.{to_b64(key.key)}"


def read_fragment(text: str) -> Bond:
    """The seat in a code's URL or fragment. Raises JoinError."""
    parts = text.rpartition("#")[2].split(".")
    if parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 5 and int(parts[0]) != PROTOCOL:
        raise JoinError(f"the code is of protocol {int(parts[0])}, this table speaks {PROTOCOL}: update the older of the two")
    if len(parts) != 5 or parts[0] != str(PROTOCOL):
        raise JoinError("the code is not a seat's, or was cut: scan it again")
    _, game_id, seat, epoch, key = parts
    if not is_game_id(game_id) or not (is_seat(seat) or seat == GUEST) or _EPOCH.fullmatch(epoch) is None or int(epoch) > 0xFFFF:
        raise JoinError("the code's game, seat or number is not as it should be: scan it again")
    try:
        return Bond(game_id, seat, int(epoch), from_b64(key, KEY))
    except MessageError:
        raise JoinError("the code's key was cut or changed: scan it again") from None


def qr_matrix(url: str) -> list[list[bool]]:
    """The code's modules, True for dark, without the quiet zone; error correction M. Raises JoinError for text no code can hold."""
    try:
        code = segno.make_qr(url, error="m", boost_error=False, mask=MASK)
    except segno.DataOverflowError:
        raise JoinError(f"an address of {len(url)} characters does not fit into a QR code: use a shorter host name") from None
    return [[bool(module) for module in row] for row in code.matrix]


def qr_text(url: str) -> str:
    """The code for a terminal with light letters on dark: two modules a character, light ones drawn, the quiet zone included."""
    matrix = qr_matrix(url)
    side = len(matrix) + 2 * QUIET
    light = [[True] * side for _ in range(side + side % 2)]
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            light[y + QUIET][x + QUIET] = not dark
    signs = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
    return "\n".join("".join(signs[pair] for pair in zip(*light[y : y + 2], strict=True)) for y in range(0, len(light), 2))


class Verdict(Struct, frozen=True):
    """How far somebody came who scanned a code, in one sentence, and what to do about it."""

    stage: str
    """nothing | page | refused | greeting | fine"""
    text: Text


def verdict(seen: Mapping[str, Mapping[str, float]], since: float, greeted: float | None) -> Verdict:
    """Judges one attempt to join from the table's side.

    ``seen`` is ``Server.seen``, ``since`` the time the code was shown, ``greeted`` when a hello of that seat last opened
    (``Messenger.greetings``), all on one clock.
    """
    if greeted is not None and greeted >= since:
        return Verdict("fine", Text("sync.join.fine"))
    came = {what for times in seen.values() for what, when in times.items() if when >= since}
    if "refused" in came and "welcome" not in came:
        return Verdict("refused", Text("sync.join.refused"))
    if "welcome" in came or "socket" in came:
        return Verdict("greeting", Text("sync.join.greeting"))
    if "page" in came:
        return Verdict("page", Text("sync.join.page"))
    return Verdict("nothing", Text("sync.join.nothing"))
