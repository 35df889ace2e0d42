"""The Political Phase step by step: who performs, when a Mandate ends, what the track says next (RS-6.1, 6.8)."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules.game import Seat
from companion.rules.rising_sun import after, ages, asks, kami, say, steps, war
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Doing, Here, Work, around, left_of

step_name = steps.name


def order(facts: Facts, seats: tuple[Seat, ...], mandate: str, chooser: Seat) -> tuple[Seat, ...]:
    """Left of the chooser first and the chooser last; Train the chooser first; Betray the chooser alone (RS-6.5, 6.7)."""
    datum = facts.mandates[mandate]
    if datum.only:
        return (chooser,)
    return around(seats, chooser if datum.first == "chooser" else left_of(seats, chooser))


def bonus(s: Here, chooser: Seat) -> tuple[Seat, ...]:
    """Chooser and the chooser's Ally (RS-6.7)."""
    ally = s.allies.get(chooser)
    return (chooser,) if ally is None else (chooser, ally)


def begin(w: Work) -> None:
    """The step the track stands at begins. Ends where somebody must decide."""
    name = step_name(w.facts, w)
    if name.startswith("mandate"):
        w.events.append(say.draws[w.turn, min(w.facts.draw, len(w.deck))])
    elif name.startswith("kami"):
        w.events.append(say.event("rs.event.kami_turn", "RS-7.1", number=name.split()[1]))
        kami.run(w, 0)
        if w.doing is None:
            w.step += 1
            begin(w)
    elif ages.waits_for_war(w):
        w.events.append(say.event("rs.event.war_waits", "RS-7.6"))
    else:
        war.begin(w)


def end_mandate(w: Work) -> None:
    """The deck passes to the left and the track moves on (RS-6.8)."""
    w.doing = None
    w.turn = left_of(w.seats, w.turn)
    w.step += 1
    begin(w)


def finish(w: Work) -> None:
    """The one who performs now is through: cards may act on what it Summoned (RS-2.11), then the game goes on."""
    doing = w.doing
    assert doing is not None
    if after.has_summoned(doing):
        after.summoned(w, doing.now)
        if w.asks:
            w.doing = after.closed(doing)
            return
    _next(w)


def go_on(w: Work, asked: bool) -> None:
    """Settles what cards ask. What waited for the answers goes on; ``asked``: something had been asked before this command."""
    if not asked and not w.asks:  # mostly no card has asked anything
        return
    in_war = asked and w.doing is None and steps.in_war(w.facts, w)  # one that only comes now begins by itself, or the table begins it
    asks.settle(w)
    while not w.asks and w.doing is not None and w.doing.stage:
        (_next if w.doing.stage == "after" else end_mandate)(w)
        asks.settle(w)
    if in_war:
        war.resume(w)


def _next(w: Work) -> None:
    """The next performs, or the step ends."""
    doing = w.doing
    assert doing is not None
    if doing.what in w.facts.kami:
        w.doing = None
        kami.run(w, w.shrines.index(doing.what) + 1)
        if w.doing is None:
            w.step += 1
            begin(w)
    elif doing.left:
        w.doing = Doing(doing.what, doing.by, doing.left[0], doing.left[1:], doing.bonus)
    else:
        if doing.what == "recruit":  # RS-2.12
            after.recruited(w)
        if w.asks:
            w.doing = replace(doing, used={}, fresh=None, stage="end")
        else:
            end_mandate(w)
