"""The Honor Track: a strict order of the Clans in play (RS-2H)."""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.state import Work


def gain(w: Work, seat: Seat) -> None:
    """Swap with the Clan directly above; at the top nothing happens (RS-2H.2)."""
    at = w.honor.index(seat)
    if at == 0:
        w.events.append(say.told["rs.event.honor_top_already", "RS-2H.2", seat])
        return
    order = list(w.honor)
    order[at - 1], order[at] = order[at], order[at - 1]
    w.honor = tuple(order)
    w.events.append(say.told["rs.event.honor_gained", "RS-2H.2", seat])


def lose(w: Work, seat: Seat) -> None:
    """Swap with the Clan directly below; at the bottom nothing happens (RS-2H.3)."""
    at = w.honor.index(seat)
    if at == len(w.honor) - 1:
        w.events.append(say.told["rs.event.honor_bottom_already", "RS-2H.3", seat])
        return
    order = list(w.honor)
    order[at], order[at + 1] = order[at + 1], order[at]
    w.honor = tuple(order)
    w.events.append(say.told["rs.event.honor_lost", "RS-2H.3", seat])


def to_top(w: Work, seat: Seat) -> None:
    """Amaterasu: to the top, everyone who was above moves down one (RS-7.5)."""
    if w.honor[0] == seat:
        w.events.append(say.told["rs.event.honor_top_already", "RS-7.5", seat])
        return
    w.honor = (seat, *(other for other in w.honor if other != seat))
    w.events.append(say.told["rs.event.honor_top", "RS-7.5", seat])
