"""The War Phase: Province by Province in the order of War Numbers, and who fights in each (RS-8).

Here: what is next, Provinces without a Battle, and the table's own word to go on. Not here: the Battle (``battle``), Cleanup (``setup``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from companion.rules.game import TABLE, Choice, Place, Prompt, Seat
from companion.rules.rising_sun import advantages, battle, bids, effects, force, reparations, say, steps, tokens
from companion.rules.rising_sun.commands import Bid, Command, Done, Hire, Hostage, Odd, Seppuku, Spare
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import Here, Work


def begin(w: Work) -> None:
    """The War Phase begins: what happens once at its start (RS-8.1), then the Provinces. Cards may ask first."""
    w.events.append(say.event("rs.event.war", "RS-8.3"))
    effects.war_start(w)
    resume(w)


def waits(s: Here) -> bool:
    """In step ``war``: the Political Phase is over and the table has not begun the War; gifts are still possible (RS-2N.3, 7.6)."""
    return not s.war and s.battle is None and not s.asks


def resume(w: Work) -> None:
    """Goes on where the War stands, unless a card asks something."""
    if not w.asks and w.battle is None:
        w.war = max(w.war, 1)
        _resolve(w)


def _resolve(w: Work) -> None:
    """The Provinces from ``w.war`` on, each judged as it comes up (RS-8.7), until a Battle asks somebody."""
    while w.war <= len(w.wars):
        place = w.wars[w.war - 1]
        w.events.append(say.war_comes[w.war, place])
        if not _province(w, place):
            return
        w.war += 1
    w.events.append(say.event("rs.event.war_over", "RS-8.3"))


def _province(w: Work, place: Place) -> bool:
    """One Province; whether it is through."""
    there = force.present(w, place)
    if not there:  # RS-8.4
        w.events.append(say.event("rs.event.no_war", "RS-8.4", place=place))
    elif len(there) == 1:
        _take(w, there[0], place)
    elif len(there) == 2 and w.allies.get(there[0]) == there[1]:  # RS-8.5
        winner = force.strongest(w.facts, w, place)
        assert winner is not None
        w.events.append(say.claimed["rs.event.allies_alone", "RS-8.5", winner, place])
        _take(w, winner, place)
    else:  # RS-8.6
        return battle.start(w, place, there)
    return True


def _take(w: Work, seat: Seat, place: Place) -> None:
    tokens.take(w, seat, place)
    effects.won(w, seat, place)


_ANSWER: Mapping[type, Callable[[Work, Any], bool]] = {
    Bid: bids.bid,
    Seppuku: advantages.seppuku,
    Hostage: advantages.hostage,
    Hire: advantages.hire,
    Spare: battle.spare,
    Odd: reparations.give,
}
"""What is said in a Battle, and whether that ends its stage."""


def answer(w: Work, command: Command) -> None:
    """Somebody has decided something in a Battle; the Battle and the War go on as far as they can."""
    if _ANSWER[type(command)](w, command) and battle.go_on(w):
        w.war += 1
        _resolve(w)


def close(w: Work) -> None:
    """What the War knew is put away."""
    w.war, w.battle = 0, None


@lru_cache(MOST)
def _table(key: str, number: int = 0, place: Place = "") -> Prompt[Command]:
    """The table itself goes on. ``number`` and ``place`` name the Province that comes next."""
    args: dict[str, int | str] = {"number": number, "place": place} if number else {}
    choice: Choice[Command] = Choice(Done(TABLE), say.text(f"rs.choice.{key}", **args), mark="ui/turn")
    detail = None if number else say.text(f"rs.detail.{key}")
    return Prompt(TABLE, say.text(f"rs.prompt.{key}", **args), "RS-8.3", (choice,), detail=detail)


def ask(facts: Facts, s: Here) -> tuple[Prompt[Command], ...]:
    """The Battle's questions; else the table begins, takes the next Province (after a correction, or in a written position), or ends the War."""
    if s.battle is not None:
        return battle.ask(facts, s)
    if not s.war:
        return (_table("war_begins"),)
    if s.war <= len(s.wars):
        return (_table("war_goes_on", s.war, s.wars[s.war - 1]),)
    return (_table("to_winter" if s.season == facts.seasons[-1] else "next_season"),)


def done(w: Work) -> bool:
    """The table has said to go on; whether the War Phase ends with that."""
    if steps.name(w.facts, w) == steps.END:
        close(w)
        return True
    if w.war:
        resume(w)
    else:
        begin(w)
    return False


@lru_cache(1)
def ask_kami() -> Prompt[Command]:
    """A Kami Turn that was reached by a correction or a written position waits for the table to begin it."""
    choice: Choice[Command] = Choice(Done(TABLE), say.text("rs.choice.begin_kami"), mark="place/shrine")
    return Prompt(TABLE, say.text("rs.prompt.begin_kami"), "RS-7.1", (choice,))
