"""Questions of cards: who is asked, what may be answered, and what comes of it. The cards themselves stand in rooms of their own.

``State.asks`` is a queue. Questions of one seat and one moment that stand side by side at its head are asked together, and the seat answers them in
any order; ``done`` gives up the rest of them. A question with no answer goes; one with a single answer that must be given is answered at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.game import Choice, Prompt
from companion.rules.rising_sun import after, entering, fox, recruit, say, spending, warstart
from companion.rules.rising_sun.commands import Command, Kill, Order, Place, Share, Spare, Use
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Ask, Here, Work

COMMANDS = (Place, Kill, Use, Share, Spare, Order)
"""What answers a question of a card; ``Done`` gives it up."""


class _Card(Struct, frozen=True):
    """How one card asks."""

    choices: Callable[[Facts, Here, Ask], tuple[Choice[Command], ...]]
    do: Callable[[Work, Ask, Any], None]
    moment: str
    """the key of its question: cards with the same one are asked together"""
    clause: str
    optional: bool = True


_CARDS: Mapping[str, _Card] = {
    after.KENIN: _Card(after.kenin, after.place, "after_summon", "RS-2.11"),
    after.NINJA: _Card(after.ninja, after.strike, "after_summon", "RS-2.11"),
    after.MONKEY: _Card(after.monkey, after.rob, "after_summon", "RS-2.11"),
    after.LIGHT: _Card(after.light, after.place, "end_recruit", "RS-2.12"),
    after.SAMURAI: _Card(after.samurai, after.place, "end_recruit", "RS-2.12"),
    after.MERCY: _Card(entering.mercy, entering.relent, "mercy", "RS-2.18", optional=False),
    entering.HATE: _Card(entering.hate, entering.devour, "hate", "RS-2.18", optional=False),
    spending.BENEVOLENCE: _Card(spending.choices, spending.share, "benevolence", "RS-2.18"),
    fox.WILY: _Card(fox.choices, after.place, "wily_presence", "RS-10.7"),
    warstart.ORDER: _Card(warstart.choices, warstart.order, "order", "RS-2H.6", optional=False),
    warstart.ACTS: _Card(warstart.choices, warstart.order, "order", "RS-2H.6", optional=False),
}
KNOWN = tuple(_CARDS)
"""What an ``Ask`` may be about."""


def group(s: Here) -> tuple[Ask, ...]:
    """Those asked together now."""
    first = s.asks[0]
    card = _CARDS[first.what]
    n = 1
    if card.optional:
        while n < len(s.asks) and s.asks[n].seat == first.seat and _CARDS[s.asks[n].what].moment == card.moment:
            n += 1
    return s.asks[:n]


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    """The question that is open."""
    asked = group(s)
    card = _CARDS[asked[0].what]
    seat = asked[0].seat
    choices = tuple([choice for one in asked for choice in _CARDS[one.what].choices(facts, s, one)])
    if card.optional or not choices:  # a correction can take away what a card asked for
        choices = (*choices, recruit.done_choice[seat, 0])
    return Prompt(seat, say.text(f"rs.prompt.{card.moment}"), card.clause, choices)


def settle(w: Work) -> None:
    """Drops questions nobody can answer, and answers those that have one answer."""
    while w.asks:
        one = w.asks[0]
        card = _CARDS[one.what]
        choices = card.choices(w.facts, w, one)
        if not choices:
            w.asks = w.asks[1:]
        elif len(choices) == 1 and not card.optional:
            _answered(w, one, choices[0].command)
        else:
            return


def _answered(w: Work, one: Ask, command: Command) -> None:
    at = w.asks.index(one)
    left = (replace(one, n=one.n - 1),) if one.n > 1 else ()
    w.asks = (*w.asks[:at], *left, *w.asks[at + 1 :])
    _CARDS[one.what].do(w, one, command)


def answer(w: Work, command: Command) -> None:
    """An answer that is among the choices."""
    one = next(one for one in group(w) if any(choice.command == command for choice in _CARDS[one.what].choices(w.facts, w, one)))
    _answered(w, one, command)


def decline(w: Work) -> None:
    """The seat gives up what its cards may do now."""
    asked = group(w)
    w.events.append(say.event("rs.event.cards_done", asked_clause(w), seat=asked[0].seat))
    w.asks = w.asks[len(asked) :]


def asked_clause(s: Here) -> str:
    return _CARDS[s.asks[0].what].clause
