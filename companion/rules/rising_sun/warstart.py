"""The start of the War Phase (RS-8.1): War Upgrades, Koi's conversion and Fox's presence, seat by seat.

Those with higher Honor go first. Where two could get in each other's way each, from the top, says whether it goes first or last of those left
(RS-2H.6): that is so where somebody takes Coins (Way of the Righteous) or gains by another's (Way of the Merchant).
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.game import Choice, Seat
from companion.rules.rising_sun import fox, gains, koi, say
from companion.rules.rising_sun.commands import Command, Order
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import Ask, Here, Work

SHOGUN, SHOGUN_COINS = "sp-way-of-the-shogun", 3
RIGHTEOUS, RIGHTEOUS_COINS = "sp-way-of-the-righteous", 1
BUSHIDO, BUSHIDO_COINS, BUSHIDO_VP = "su-way-of-bushido", 2, 2
RONIN, RONIN_TOKENS = "su-way-of-the-ronin", 2
MONEYLENDER, MONEYLENDER_COINS = "au-way-of-the-moneylender", 5
UPGRADES = (SHOGUN, RIGHTEOUS, BUSHIDO, RONIN, MONEYLENDER)
ORDER = "order"
"""Asked whether first or last."""
ACTS = "acts"
"""Its place is settled."""


def begin(w: Work) -> None:
    """Puts everybody who has something to do in line; what needs no answer is done at once by who settles the questions."""
    line = [seat for seat in w.honor if acts(w.facts, w, seat)]
    conflict = any(RIGHTEOUS in w.cards[seat] or gains.MERCHANT in w.cards[seat] for seat in w.seats)
    w.asks = tuple(Ask(seat, ORDER if conflict else ACTS) for seat in line)


def acts(facts: Facts, s: Here, seat: Seat) -> bool:
    """It has something to do at the start of War."""
    return any(card in UPGRADES for card in s.cards[seat]) or (seat == koi.KOI and s.ronin[seat] > 0) or bool(fox.owed(facts, s, seat))


def idle(facts: Facts, s: Here, ask: Ask) -> bool:
    """A question of the start of War to a seat that has nothing to do there, or not any more."""
    if ask.what == fox.WILY:
        return not fox.owed(facts, s, ask.seat)
    return ask.what in {ORDER, ACTS} and not acts(facts, s, ask.seat)


@keep
def _order(seat: Seat, early: bool) -> Choice[Command]:
    return Choice(Order(seat, early), say.text("rs.choice.early" if early else "rs.choice.late"))


def choices(_facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """First or last; the last whose place is open has no choice."""
    open_ = sum(a.what == ORDER for a in s.asks)
    return (_order[ask.seat, True],) if ask.what == ACTS or open_ < 2 else (_order[ask.seat, True], _order[ask.seat, False])


def order(w: Work, ask: Ask, command: Command) -> None:
    """It acts now, or after all whose place is open and before those who chose last already."""
    assert isinstance(command, Order)
    if command.early:
        act(w, ask.seat)
        return
    rest = tuple(a for a in w.asks if a.what == ORDER)
    w.asks = (*rest, replace(ask, what=ACTS), *w.asks[len(rest) :])
    w.events.append(say.event("rs.event.goes_last", "RS-2H.6", seat=ask.seat))


def act(w: Work, seat: Seat) -> None:
    """Everything of one seat. Each card is a gain of its own, its copies together."""
    mine = w.cards[seat]
    gains.by_card(w, seat, SHOGUN, coins=SHOGUN_COINS * mine.count(SHOGUN))
    gains.by_card(w, seat, MONEYLENDER, coins=MONEYLENDER_COINS * mine.count(MONEYLENDER))
    gains.by_card(w, seat, RONIN, ronin=RONIN_TOKENS * mine.count(RONIN))
    bushido = mine.count(BUSHIDO)
    gains.by_card(w, seat, BUSHIDO, coins=BUSHIDO_COINS * bushido, vp=BUSHIDO_VP * bushido * virtues(w.facts, w, seat))
    if seat == koi.KOI:  # after its own Way of the Ronin: those are Ronin too (RS-10.1)
        koi.convert(w)
    _righteous(w, seat, RIGHTEOUS_COINS * mine.count(RIGHTEOUS))
    w.asks = (*fox.owed(w.facts, w, seat), *w.asks)


def _righteous(w: Work, seat: Seat, each: int) -> None:
    """A Coin a copy from each player with less Honor, as far as they have them."""
    for victim in w.honor[w.honor.index(seat) + 1 :]:
        n = min(each, w.coins[victim])
        if n:
            w.earn(victim, coins=-n)
            w.earn(seat, coins=n)
            w.events.append(say.event("rs.event.takes_coins", "RS-2.18", seat=seat, victim=victim, card=RIGHTEOUS, n=n))


def virtues(facts: Facts, s: Here, seat: Seat) -> int:
    """How many different Virtues a seat has."""
    return len({card for card in s.cards[seat] if facts.cards[card].type == "virtue"})
