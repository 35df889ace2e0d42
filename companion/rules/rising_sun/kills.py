"""What cards do when figures are killed (RS-2.10): Righteousness of those who lose them, Justice of who kills.

Here: what follows a kill. Not here: who dies, or the way to the Reserve.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.game import Seat
from companion.rules.rising_sun import gains, say
from companion.rules.rising_sun.commands import Kill
from companion.rules.rising_sun.state import RESERVE, Work

RIGHTEOUSNESS, RIGHTEOUSNESS_VP = "sp-righteousness", 1
JUSTICE, JUSTICE_VP = "su-justice", 3


def killed(w: Work, by: Seat, dead: Mapping[Seat, int], also: Mapping[Seat, int] | None = None) -> None:
    """Figures were killed at one moment and lie in Reserve by now: ``dead`` counts them by owner.

    ``by``: who killed them, ``""`` nobody (own Seppuku). ``also``: points the same act gives; with what cards add they are one gain (RS-2.13).
    """
    won: dict[Seat, int] = dict(also or {})
    for seat, n in won.items():
        w.events.append(say.counted["rs.event.gains_vp", "RS-9.8", seat, n])
    for seat in w.honor:
        more = dead.get(seat, 0) * w.cards[seat].count(RIGHTEOUSNESS) * RIGHTEOUSNESS_VP
        if more:
            w.events.append(say.event("rs.event.card_vp", "RS-2.18", seat=seat, card=RIGHTEOUSNESS, n=more))
            won[seat] = won.get(seat, 0) + more
    for seat, n in won.items():
        gains.quietly(w, seat, n)
    copies = w.cards[by].count(JUSTICE) if by else 0
    if copies:
        below = w.honor[w.honor.index(by) + 1 :]
        for victim in below:  # each victim is a gain of its own
            if dead.get(victim):
                gains.by_card(w, by, JUSTICE, vp=JUSTICE_VP * copies)


def kill(w: Work, command: Kill, card: str) -> None:
    """A card kills one figure on the Map."""
    seat, victim, kind, place = command.seat, command.victim, command.kind, command.place
    w.carry(victim, kind, place, RESERVE)
    w.events.append(say.event("rs.event.card_kills", "RS-2.10", seat=seat, victim=victim, kind=kind, place=place, card=card))
    killed(w, seat, {victim: 1})
