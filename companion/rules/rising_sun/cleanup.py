"""Cleanup after the War Phase: money back, worshippers home, the Mandates shuffled (RS-11); then the next Season, or Winter (RS-4.1)."""

from __future__ import annotations

from companion.rules.rising_sun import say, tea, winter
from companion.rules.rising_sun.state import RESERVE, UNKNOWN, Work


def run(w: Work) -> None:
    """What is not put back stays as it is (RS-11.4): figures and Strongholds on the Map, cards, tokens, points, Honor, Shrines, hostages."""
    w.doing = None
    seasons = w.facts.seasons
    at = seasons.index(w.season) + 1
    if at == len(seasons):  # RS-12: no Cleanup comes between, and Autumn's Alliances still stand
        winter.run(w)
        return
    nothing = dict.fromkeys(w.seats, 0)
    w.coins, w.ronin = nothing, dict(nothing)  # RS-11.1
    for seat in w.seats:  # RS-11.2
        for place, here in w.pieces[seat].items():
            if place.startswith("shrine."):
                for kind, n in here.items():
                    for _ in range(n):
                        w.carry(seat, kind, place, RESERVE)
    tea.remember(w, w.allies)  # they end as the next Tea Ceremony begins (RS-5.1)
    w.season = seasons[at]
    w.step = 0
    # RS-6.2, 11.3: the deck goes to the left of the last Mandate player; `turn` has already passed there after the last Mandate.
    cardboard = w.options["mandates"] == "cardboard"
    w.deck = (UNKNOWN,) * w.facts.tiles if cardboard else ()
    w.owed = ("wars",) if cardboard else ("mandates", "wars")
    w.track = ()
    w.wars = ()
    w.events.append(say.event("rs.event.season_begins", "RS-4.1", season=w.season))
