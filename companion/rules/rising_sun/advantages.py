"""Seppuku, Take Hostage and Hire Ronin: what their winners may do (RS-9.8 to 9.10).

Here: questions and acts. An act answers whether its part is over. Not here: the order of a Battle (``battle``).
"""

from __future__ import annotations

from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import Choice, Gesture, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import bids, effects, honor, koi, recruit, say
from companion.rules.rising_sun.commands import Command, Hire, Hostage, Seppuku
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import HOSTAGE, RESERVE, Battle, Here, Work, kind_id


def fighting(s: Here) -> Battle:
    assert s.battle is not None
    return s.battle


def figures(s: Here, seat: Seat, place: Place) -> int:
    """How many figures a seat has in a Province; Strongholds are none (RS-2.1, 10.4)."""
    here = s.pieces[seat].get(place)
    return sum(here.values()) - here.get("stronghold", 0) if here else 0


def kill(w: Work, seat: Seat) -> int:
    """All figures of a seat in the Province of the Battle go to its Reserve and count as killed (RS-2.10, 9.14)."""
    battle = fighting(w)
    dead = 0
    for kind, n in w.pieces[seat].get(battle.place, {}).items():
        if kind != "stronghold":
            for _ in range(n):
                w.carry(seat, kind, battle.place, RESERVE)
            dead += n
    w.battle = replace(battle, dead=battle.dead + dead)
    return dead


def wins(w: Work, advantage: str, clause: str) -> Seat:
    """Who has won this advantage, told to everybody (RS-9.6)."""
    winner = bids.best(w, fighting(w), advantage)
    if winner:
        w.events.append(say.told[f"rs.event.wins_{advantage}", clause, winner])
    else:
        w.events.append(say.event(f"rs.event.nobody_{advantage}", "RS-9.7"))
    return winner


@lru_cache(MOST)
def yes_or_no(seat: Seat, what: str, clause: str, mark: str, n: int) -> Prompt[Command]:
    """A question about all or nothing; ``n`` says how much yes is."""
    make = Seppuku if what == "seppuku" else Hire
    commands: tuple[Command, Command] = (make(seat, True), make(seat, False))
    yes = Choice(commands[0], say.text(f"rs.choice.{what}_yes", n=n), mark=mark)
    no = Choice(commands[1], say.text(f"rs.choice.{what}_no"), mark="ui/ok")
    return Prompt(seat, say.text(f"rs.prompt.{what}"), clause, (yes, no))


# ------------------------------------------------------------------ Seppuku


def open_seppuku(w: Work) -> bool:
    """Whether the winner of Seppuku is asked."""
    winner = wins(w, "seppuku", "RS-9.8")
    if winner and not figures(w, winner, fighting(w).place):
        w.events.append(say.told["rs.event.no_figures", "RS-9.8", winner])
        return False
    return bool(winner)


def ask_seppuku(_: Facts, s: Here) -> Prompt[Command]:
    battle = fighting(s)
    winner = bids.best(s, battle, "seppuku")
    return yes_or_no(winner, "seppuku", "RS-9.8", "war/seppuku", figures(s, winner, battle.place))


def seppuku(w: Work, command: Seppuku) -> bool:
    """All figures or none: 1 point and one step of Honor for each (RS-9.8)."""
    seat = command.seat
    if not command.yes:
        w.events.append(say.told["rs.event.no_seppuku", "RS-9.8", seat])
        return True
    dead = kill(w, seat)
    w.events.append(say.counted["rs.event.seppuku", "RS-9.8", seat, dead])
    effects.killed(w, "", {seat: dead}, {seat: dead})
    for _ in range(dead):
        if w.honor[0] != seat:
            honor.gain(w, seat)
    return True


# ------------------------------------------------------------------ Take Hostage


def captive(facts: Facts, kind: Kind) -> bool:
    """Figures that can be captured: all but Daimyo and what counts as one (RS-2.15, 9.9)."""
    return kind not in ("daimyo", "stronghold") and (kind not in facts.monsters or facts.cards[facts.monsters[kind]].also != "daimyo")


@lru_cache(4)
def _captives(facts: Facts) -> tuple[Kind, ...]:
    return tuple(kind for kind in facts.kinds if captive(facts, kind))


def targets(facts: Facts, s: Here, seat: Seat) -> tuple[tuple[Seat, Kind], ...]:
    """Whom the winner may capture: any other participant's figures in the Province, the Ally's too (RS-9.9)."""
    battle = fighting(s)
    theirs = [(other, s.pieces[other].get(battle.place)) for other in battle.seats if other != seat]
    kinds = _captives(facts)
    return tuple([(other, kind) for other, here in theirs if here for kind in kinds if kind in here])


def open_hostage(w: Work) -> bool:
    winner = wins(w, "hostage", "RS-9.9")
    if winner and not targets(w.facts, w, winner):
        w.events.append(say.told["rs.event.no_targets", "RS-9.9", winner])
        return False
    return bool(winner)


@lru_cache(MOST)
def _capture(seat: Seat, place: Place, victim: Seat, kind: Kind) -> Choice[Command]:
    gesture = Gesture(kind_id(victim, kind), place, f"{HOSTAGE}{seat}")
    text = say.text("rs.choice.hostage", victim=victim, kind=kind)
    return Choice(Hostage(seat, victim, kind), text, (gesture,), mark=recruit.figure_mark(kind))


@lru_cache(MOST)
def _none(seat: Seat) -> Choice[Command]:
    return Choice(Hostage(seat), say.text("rs.choice.hostage_none"), mark="ui/ok")


def ask_hostage(facts: Facts, s: Here) -> Prompt[Command]:
    battle = fighting(s)
    seat = bids.best(s, battle, "hostage")
    choices = (*[_capture(seat, battle.place, victim, kind) for victim, kind in targets(facts, s, seat)], _none(seat))
    return Prompt(seat, say.text("rs.prompt.hostage_more" if battle.taken else "rs.prompt.hostage"), "RS-9.9", choices)


def hostage(w: Work, command: Hostage) -> bool:
    """One figure is captured, which is no kill; the points are stolen together as the last one is taken (RS-9.9, 2.13)."""
    seat = command.seat
    if command.victim:
        battle = fighting(w)
        w.carry(command.victim, command.kind, battle.place, f"{HOSTAGE}{seat}")
        w.events.append(say.event("rs.event.hostage", "RS-9.9", seat=seat, victim=command.victim, kind=command.kind))
        w.battle = battle = replace(battle, taken=(*battle.taken, command.victim))
        if len(battle.taken) < effects.hostage_limit(w, seat) and targets(w.facts, w, seat):
            return False
    elif not fighting(w).taken:
        w.events.append(say.told["rs.event.no_hostage", "RS-9.9", seat])
    _steal(w, seat)
    return True


def _steal(w: Work, seat: Seat) -> None:
    """A point for each hostage from its owner, who may have none to lose (RS-9.9)."""
    stolen = 0
    for victim in fighting(w).taken:
        if w.vp[victim] > 0:
            w.earn(victim, vp=-1)
            stolen += 1
            w.events.append(say.told["rs.event.robbed", "RS-9.9", victim])
        else:
            w.events.append(say.told["rs.event.nothing_to_rob", "RS-9.9", victim])
    effects.gain_vp(w, seat, stolen, "RS-9.9")


# ------------------------------------------------------------------ Hire Ronin


def open_hire(w: Work) -> bool:
    """With no Ronin, winning only denies others (RS-9.10)."""
    winner = wins(w, "ronin", "RS-9.10")
    if winner and not koi.ronin(w, winner):
        w.events.append(say.told["rs.event.no_ronin", "RS-9.10", winner])
        return False
    return bool(winner)


def ask_hire(_: Facts, s: Here) -> Prompt[Command]:
    winner = bids.best(s, fighting(s), "ronin")
    return yes_or_no(winner, "hire", "RS-9.10", "war/hire_ronin", koi.ronin(s, winner))


def hire(w: Work, command: Hire) -> bool:
    """The Ronin add their Force in this Battle and are kept (RS-9.10)."""
    seat = command.seat
    if command.yes:
        w.battle = replace(fighting(w), hired=seat)
        w.events.append(say.event("rs.event.hires", "RS-9.10", seat=seat, n=koi.ronin(w, seat)))
    else:
        w.events.append(say.told["rs.event.no_hire", "RS-9.10", seat])
    return True
