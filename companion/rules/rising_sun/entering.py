"""What happens when an Oni enters a Province, by Summon, Move or Betray: the Oni of Hate and of Spite."""

from __future__ import annotations

from companion.rules.game import Choice, Kind, Place, Seat
from companion.rules.rising_sun import after, force, gains, kills, recruit, say
from companion.rules.rising_sun.commands import Command, Kill, Spare
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Ask, Here, Work

HATE = "au-oni-of-hate"
SPITE, SPITE_VP = "au-oni-of-spite", 2


def entered(w: Work, seat: Seat, kind: Kind, place: Place) -> None:
    """A figure of ``seat`` has just come into a Province; most of them do nothing."""
    if kind not in w.facts.monsters:
        return
    card = w.facts.monsters[kind]
    above = w.honor[: w.honor.index(seat)]
    if card == SPITE:
        _spite(w, seat, place, above)
    elif card == HATE:
        victims = [other for other in above if _prey(w.facts, w, other, place)]
        if victims:
            mercy = (Ask(seat, after.MERCY, place),) if after.MERCY in w.cards[seat] else ()
            w.asks = (*mercy, *(Ask(seat, HATE, place, victim) for victim in victims), *w.asks)


def _spite(w: Work, seat: Seat, place: Place, above: tuple[Seat, ...]) -> None:
    """2 points of each player there with Force and more Honor, as far as they have them."""
    taken = 0
    for victim in force.present(w, place):
        n = min(SPITE_VP, w.vp[victim])
        if victim in above and n:
            w.earn(victim, vp=-n)
            taken += n
            w.events.append(say.event("rs.event.takes_vp", "RS-2.18", seat=seat, victim=victim, card=SPITE, n=n))
    gains.quietly(w, seat, taken)


def _prey(facts: Facts, s: Here, victim: Seat, place: Place) -> tuple[Kind, ...]:
    """Bushi and Shinto, and what counts as a Shinto too; a Daimyo is never picked out (RS-2.15)."""
    here = s.pieces[victim].get(place, {})
    return tuple(kind for kind in facts.kinds if kind in here and (kind == "bushi" or recruit.worships(facts, kind)))


def hate(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """One of the victim's Bushi or Shinto there."""
    return tuple(after.kill_choice[ask.seat, ask.victim, kind, ask.place, HATE] for kind in _prey(facts, s, ask.victim, ask.place))


def devour(w: Work, _ask: Ask, command: Command) -> None:
    assert isinstance(command, Kill)
    kills.kill(w, command, HATE)


def _spares(facts: Facts, s: Here, ask: Ask) -> bool:
    """Somebody would be killed: who comes after Mercy's question is not gone, not by a correction either."""
    hates = [one for one in s.asks if (one.seat, one.what, one.place) == (ask.seat, HATE, ask.place)]
    return any(_prey(facts, s, one.victim, one.place) for one in hates)


def moot(facts: Facts, s: Here, ask: Ask) -> bool:
    """Mercy's question where nobody is left to spare: "could kill" is what it is paid for (RS-2.18)."""
    return ask.what == after.MERCY and not _spares(facts, s, ask)


def mercy(facts: Facts, s: Here, ask: Ask) -> tuple[Choice[Command], ...]:
    """All who would be killed, or none; with nobody to be killed there is no question."""
    if not _spares(facts, s, ask):
        return ()
    points = after.MERCY_VP * s.cards[ask.seat].count(after.MERCY)
    return after.spare_choice[ask.seat, True, points], after.spare_choice[ask.seat, False, 0]


def relent(w: Work, ask: Ask, command: Command) -> None:
    assert isinstance(command, Spare)
    if command.yes:
        w.asks = tuple(a for a in w.asks if (a.seat, a.what, a.place) != (ask.seat, HATE, ask.place))
        after.spared(w, ask.seat)
    else:
        w.events.append(say.told["rs.event.no_mercy", "RS-2.18", ask.seat])
