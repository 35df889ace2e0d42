"""What Season cards do in the War, as its rooms call it (RS-2.11 to 2.18).

Here: moments, each a function. Cards that ask somebody put an ``Ask`` on ``w.asks``. Not here: the questions (``asks``), or cards of the Mandates.
"""

from __future__ import annotations

from companion.rules.game import Place, Seat
from companion.rules.rising_sun import after, asks, gains, kills, warstart
from companion.rules.rising_sun.state import Here, Work

RESPECT = "su-respect"
COURAGE, COURAGE_VP = "sp-courage", 2
SOULS, SOULS_VP = "su-oni-of-souls", 2
MERCY_VP = after.MERCY_VP

gain_vp = gains.vp
gain_coins = gains.coins
killed = kills.killed
spared = after.spared


def war_start(w: Work) -> None:
    """The War Phase begins (RS-8.1): War Upgrades and Koi's conversion. May leave questions on ``w.asks``."""
    warstart.begin(w)
    asks.settle(w)


def hostage_limit(s: Here, seat: Seat) -> int:
    """How many figures a winner of Take Hostage may capture: 1, and 1 more a copy of Respect (RS-9.9)."""
    return 1 + s.cards[seat].count(RESPECT)


def may_spare(s: Here, seat: Seat) -> int:
    """Copies of Mercy: who has one may spare those it would kill, all of them."""
    return s.cards[seat].count(after.MERCY)


def won(w: Work, seat: Seat, place: Place) -> None:
    """A War Province token was taken (RS-8.4, 8.5, 9.11), before losers die. Each card is a gain of its own."""
    gains.by_card(w, seat, COURAGE, vp=COURAGE_VP * w.cards[seat].count(COURAGE))
    if SOULS not in w.cards[seat]:
        return
    souls = w.facts.cards[SOULS].monster
    there = souls in w.pieces[seat].get(place, {})
    if w.battle is not None and w.options["won_with_figure"] == "was_there":  # RS-9.12
        there = there or souls in w.battle.there
    if there:
        gains.by_card(w, seat, SOULS, vp=SOULS_VP * sum(w.facts.cards[card].oni for card in w.cards[seat]))
