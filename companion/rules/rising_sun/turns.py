"""The Political Phase step by step: who performs, when a Mandate ends, what the track says next (RS-6.1, 6.8)."""

from __future__ import annotations

from companion.rules.game import Seat
from companion.rules.rising_sun import kami, say
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import OVER, Doing, Here, Work, around, left_of


def step_name(facts: Facts, s: Here) -> str:
    """``mandate 1`` ... ``kami 3``, ``war``, ``over``: the record's word."""
    return facts.steps[s.step] if s.step < len(facts.steps) else OVER


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
    else:
        w.events.append(say.event("rs.event.war", "RS-8.3"))


def end_mandate(w: Work) -> None:
    """The deck passes to the left and the track moves on (RS-6.8)."""
    w.doing = None
    w.turn = left_of(w.seats, w.turn)
    w.step += 1
    begin(w)


def finish(w: Work) -> None:
    """The one who performs now is through: the next performs, or the step ends."""
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
        end_mandate(w)
