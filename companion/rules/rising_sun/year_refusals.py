"""Why not, in the Tea Ceremony and where cards ask: the clause and one plain sentence.

Here: reasons, as ``refusals`` asks for them. Nothing here decides what is lawful; the prompts do.
"""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import asks, say, serpent, warstart
from companion.rules.rising_sun.commands import Accept, Command, Decline, Done, Give, Offer, Pardon
from companion.rules.rising_sun.state import Doing, State, Tea
from companion.rules.view import Text

Why = tuple[str, Text]


def _no(clause: str, key: str, **args: int | str) -> Why:
    return clause, say.spoken(f"rs.no.{key}", **args)


def tea(s: State, command: Offer | Accept | Decline) -> Why:
    """A word of the Tea Ceremony that is not open to this seat."""
    ceremony, seat, to = s.tea, command.seat, command.to
    if ceremony is None:
        return _no("RS-5.3", "tea_only")
    if seat not in s.seats:
        return _no("RS-3.1", "not_seated", name=seat)
    if to not in s.seats or to == seat:
        return _no("RS-5.2", "ally_other")
    for one in (seat, to):
        if one in s.allies:
            return _no("RS-5.2", "has_ally", seat=one)
    return _offer(ceremony, seat, to) if isinstance(command, Offer) else _answer(ceremony, command)


def _offer(ceremony: Tea, seat: Seat, to: Seat) -> Why:
    if (to, seat) in ceremony.offers:
        return _no("RS-5.2", "offer_waits", to=to)
    if (seat, to) in ceremony.offers:
        return _no("RS-5.2", "offered_already", to=to)
    return _no("RS-5.2", "offer_declined", to=to)


def _answer(_: Tea, command: Accept | Decline) -> Why:
    return _no("RS-5.2", "not_offered" if isinstance(command, Accept) else "no_offer", to=command.to)


def first(s: State, command: Command) -> Why | None:
    """What stands before everything else now: a card that asks, or the Tea Ceremony. None: nothing does. Gifts go on (RS-2N.3)."""
    if isinstance(command, Give):
        return None
    if s.asks:
        one = s.asks[0]
        order = one.what in {warstart.ORDER, warstart.ACTS}
        clause = asks.asked_clause(s)
        if command.seat == one.seat:
            return _no(clause, "answer_order") if order else _no(clause, "answer_card", card=one.what)
        return _no(clause, "order_first", seat=one.seat) if order else _no(clause, "card_first", seat=one.seat, card=one.what)
    if s.tea is None:
        return None
    if isinstance(command, Done) and command.seat in s.seats:
        return _no("RS-5.2", "has_ally", seat=command.seat) if command.seat in s.allies else _no("RS-5.2", "tea_content")
    return _no("RS-4.1", "tea_first")


def card(command: Command) -> Why:
    """No card asks for what was said."""
    return _no("RS-2.18", "nothing_to_waive" if isinstance(command, Pardon) else "no_card_asks")


def toll(s: State, doing: Doing) -> Why:
    """The route costs a Coin the seat has not got."""
    return _no("RS-2.18", "toll", to=serpent.charges(s, doing))
