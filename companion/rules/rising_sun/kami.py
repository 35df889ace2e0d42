"""The Kami Turn: Shrines left to right, each to its strongest worshipper (RS-7)."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from companion.rules.game import Place, Prompt, Seat
from companion.rules.rising_sun import force, gains, honor, recruit, say
from companion.rules.rising_sun.commands import Command, Summon
from companion.rules.rising_sun.facts import KAMI, Facts
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import RESERVE, Doing, Here, Work

SHRINES: tuple[Place, ...] = tuple(f"shrine.{slot}" for slot in range(1, len(KAMI) + 1))
"""Left to right; a game uses the first few."""
SUMMON = "summon"
"""Key of ``Doing.used``."""


def run(w: Work, first: int) -> None:
    """Resolves Shrines from index ``first`` on (RS-7.1) and stops, with ``doing`` set, where the blessed must decide."""
    for place, name in tuple(zip(SHRINES, w.shrines, strict=False))[first:]:
        winner = force.strongest(w.facts, w, place)  # ties by Honor as it is by now (RS-7.2, 7.3)
        if winner is None:
            continue  # RS-7.2: an empty Shrine is skipped
        w.events.append(say.blessed[winner, name])
        if w.facts.kami[name].optional:
            w.doing = Doing(name, winner, winner)
            return
        _bless(w, name, winner)


def _bless(w: Work, name: str, seat: Seat) -> None:
    """Blessings without a decision (RS-7.5)."""
    amount = w.facts.kami[name].amount
    if name == "amaterasu":
        honor.to_top(w, seat)
    elif name == "hachiman":
        w.earn(seat, ronin=amount)
        w.events.append(say.counted["rs.event.gains_ronin", "RS-7.5", seat, amount])
    elif name == "tsukuyomi":
        gains.coins(w, seat, amount, "RS-7.5")
    else:  # susanoo
        points = amount * sum(recruit.strongholds(w, seat).values())
        if not points:
            w.events.append(say.told["rs.event.no_strongholds", "RS-7.5", seat])
        gains.vp(w, seat, points, "RS-7.5")


@lru_cache(MOST)
def _raijin(seat: Seat, places: tuple[Place, ...]) -> Prompt[Command]:
    choices = (*(recruit.summon_choice[seat, "bushi", place] for place in places), recruit.done_choice[seat, 0])
    return Prompt(seat, say.text("rs.prompt.raijin"), "RS-7.5", choices)


def ask_raijin(facts: Facts, s: Here) -> Prompt[Command]:
    """One Bushi to any Province (RS-7.5)."""
    doing = s.doing
    assert doing is not None
    open_ = doing.used.get(SUMMON, 0) < facts.kami["raijin"].amount and "bushi" in s.pieces[doing.now][RESERVE]
    return _raijin(doing.now, facts.provinces if open_ else ())


def summon(w: Work, command: Summon) -> None:
    """Raijin's Bushi (RS-7.5)."""
    doing = w.doing
    assert doing is not None
    w.carry(command.seat, command.kind, RESERVE, command.place)
    w.events.append(say.summoned["RS-7.5", command.seat, command.kind, command.place])
    w.doing = msgspec.structs.replace(doing, used={SUMMON: doing.used.get(SUMMON, 0) + 1})
