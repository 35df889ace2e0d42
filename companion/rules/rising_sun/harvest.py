"""Harvest: a Coin for everybody, Province rewards for chooser and Ally (RS-6H). Nobody decides anything, so it is one act."""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import force, gains, say, turns
from companion.rules.rising_sun.state import Work


def resolve(w: Work, chooser: Seat) -> None:
    """Everything at one moment, one gain a seat (RS-2.12), told in the order of performance (RS-6.5)."""
    bonus = turns.bonus(w, chooser)
    theirs = {place for seat in bonus for place in w.pieces[seat]}  # nobody else can gain anything
    best = {place: force.strongest(w.facts, w, place) for place in w.facts.provinces if place in theirs}
    coin = w.facts.values.harvest_coin
    coins = dict.fromkeys(w.seats, coin)  # RS-6H.1
    points: dict[Seat, int] = {}
    for seat in turns.order(w.facts, w.seats, "harvest", chooser):
        w.events.append(say.harvest_coin[seat, coin])
        if seat not in bonus:
            continue
        for place, winner in best.items():  # RS-6H.2
            if winner == seat:
                pay = w.facts.harvest[place]
                coins[seat] += pay.coins
                points[seat] = points.get(seat, 0) + pay.vp
                w.earn(seat, ronin=pay.ronin)
                w.events.append(say.harvested(seat, place, pay.vp, pay.coins, pay.ronin))
    gains.coins_at_once(w, coins)
    for seat, n in points.items():
        gains.quietly(w, seat, n)
