"""A Battle from its start to War Reparations (RS-9.1 to 9.16): its stages in order, and its outcome.

Here: what follows what, and who wins. Not here: bids, advantages and reparations themselves, or which Province is next (``war``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import Choice, Place, Prompt, Seat
from companion.rules.rising_sun import advantages, after, bids, effects, force, koi, reparations, say, tokens
from companion.rules.rising_sun.advantages import fighting
from companion.rules.rising_sun.commands import Command, Spare
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import STAGES, Battle, Here, Work

RONIN_FORCE = 1
"""of a hired Ronin (RS-9.10)"""


def start(w: Work, place: Place, seats: tuple[Seat, ...]) -> bool:
    """A Battle begins between ``seats`` (RS-8.6, 9.1). Answers whether it is over at once: nobody had anything to bid or to decide."""
    there: tuple[str, ...] = ()
    if w.options["won_with_figure"] == "was_there":
        there = tuple(kind for seat in seats for kind in w.pieces[seat][place] if kind in w.facts.monsters)
    w.battle = Battle(place, tuple(seat for seat in w.seats if seat in seats), there=there)
    w.events.append(say.event("rs.event.battle", "RS-8.6", place=place))
    bids.begin(w)  # no card of the base box acts before (RS-9.1)
    return bids.complete(fighting(w)) and go_on(w)


def strength(facts: Facts, s: Here, seat: Seat) -> int:
    """A seat's Force in the Battle: what stands in the Province, and hired Ronin, even alone (RS-2.3, 9.10)."""
    battle = fighting(s)
    hired = koi.ronin(s, seat) * RONIN_FORCE if battle.hired == seat else 0
    return hired + (force.total(facts, s, seat, battle.place) if battle.place in s.pieces[seat] else 0)


def go_on(w: Work) -> bool:
    """The stage that has been answered is over; the next ones pass until somebody is asked. Answers whether the Battle is over."""
    if fighting(w).stage == "bids":
        bids.reveal(w)
    for stage in STAGES[STAGES.index(fighting(w).stage) + 1 :]:
        w.battle = replace(fighting(w), stage=stage)
        if _OPEN[stage](w):
            return False
    w.battle = None
    return True


def _outcome(w: Work) -> bool:
    """Most Force wins, a tie by Honor, also where nobody has any left (RS-9.11). Whether the winner may show Mercy."""
    seats = [seat for seat in w.honor if seat in fighting(w).seats]
    forces = {seat: strength(w.facts, w, seat) for seat in seats}
    winner = max(seats, key=forces.__getitem__)  # the first of the strongest: the highest in Honor
    w.battle = battle = replace(fighting(w), winner=winner)
    w.events.append(say.event("rs.event.wins_battle", "RS-9.11", seat=winner, place=battle.place, n=forces[winner]))
    tokens.take(w, winner, battle.place)
    effects.won(w, winner, battle.place)
    if doomed(w) and effects.may_spare(w, winner):
        return True
    _kill(w)
    return False


def doomed(s: Here) -> tuple[Seat, ...]:
    """Losers whose figures are about to die: not the winner's Ally (RS-9.13)."""
    battle = fighting(s)
    spared = (battle.winner, s.allies.get(battle.winner))
    return tuple([seat for seat in battle.seats if seat not in spared and advantages.figures(s, seat, battle.place)])


def _kill(w: Work) -> None:
    dead = {seat: advantages.kill(w, seat) for seat in doomed(w)}
    for seat, n in dead.items():
        w.events.append(say.counted["rs.event.killed", "RS-9.13", seat, n])
    if dead:
        effects.killed(w, fighting(w).winner, dead)


def _ask_spare(_: Facts, s: Here) -> Prompt[Command]:
    seat = fighting(s).winner
    points = after.MERCY_VP * effects.may_spare(s, seat)
    choices: tuple[Choice[Command], ...] = (after.spare_choice[seat, False, 0],)
    if not doomed(s):  # a correction has taken away whom it could kill: nothing is paid for nobody
        choices = (_nobody(seat),)
    elif points:
        choices = (after.spare_choice[seat, True, points], *choices)
    return Prompt(seat, say.text("rs.prompt.spare"), "RS-2.18", choices)


@lru_cache(16)
def _nobody(seat: Seat) -> Choice[Command]:
    return Choice(Spare(seat, False), say.text("rs.choice.spare_nobody"), mark="ui/ok")


def spare(w: Work, command: Spare) -> bool:
    """Mercy: all live, or all die (RS-9.13)."""
    if command.yes:
        w.events.append(say.told["rs.event.spares", "RS-2.18", command.seat])
        effects.spared(w, command.seat)
    elif doomed(w):
        w.events.append(say.told["rs.event.no_mercy", "RS-2.18", command.seat])
        _kill(w)
    return True


def _last(w: Work) -> bool:
    """Imperial Poets sing of the dead (RS-9.14), then Coins change hands; whether an odd one is to be given."""
    poet = advantages.wins(w, "poets", "RS-9.14")
    dead = fighting(w).dead
    if poet and dead:
        effects.gain_vp(w, poet, dead, "RS-9.14")
    elif poet:
        w.events.append(say.event("rs.event.nobody_died", "RS-9.14"))
    return reparations.open_odd(w)


_OPEN: Mapping[str, Callable[[Work], bool]] = {
    "seppuku": advantages.open_seppuku,
    "hostage": advantages.open_hostage,
    "hire": advantages.open_hire,
    "spare": _outcome,
    "odd": _last,
}
"""What happens as a stage begins; whether it asks somebody."""

_ASK: Mapping[str, Callable[[Facts, Here], Prompt[Command]]] = {
    "seppuku": advantages.ask_seppuku,
    "hostage": advantages.ask_hostage,
    "hire": advantages.ask_hire,
    "spare": _ask_spare,
    "odd": reparations.ask,
}


def ask(facts: Facts, s: Here) -> tuple[Prompt[Command], ...]:
    """The open questions of the Battle."""
    stage = fighting(s).stage
    return bids.ask(s) if stage == "bids" else (_ASK[stage](facts, s),)
