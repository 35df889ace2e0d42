"""A command with amounts, as a game would have one."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Bid(Struct, frozen=True, tag="bid", tag_field="do"):
    seat: str
    amounts: Mapping[str, int]
