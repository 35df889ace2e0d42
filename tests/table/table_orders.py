"""Orders as phones send them, for tests of the table."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.table.referee import Answer, Order, Referee
from companion.words import render

SEATS = ("koi", "lotus")


def order(command: Any, stamp: int, order_id: str = "x") -> Order:
    raw = command if isinstance(command, bytes) else msgspec.json.encode(command)
    return Order(order_id, stamp, msgspec.Raw(raw))


def give(referee: Referee, command: Any, order_id: str = "") -> Answer:
    return referee.submit(command.seat, order(command, referee.stamp(command.seat), order_id or f"id{referee.revision}"))


def pick(referee: Referee) -> Answer:
    """The seat to move picks the first tile it may."""
    prompt = next(p for p in referee.prompts() if p.private)
    return give(referee, prompt.choices[0].command)


def words(texts: Any) -> list[str]:
    return [render(t, "en") for t in texts]
