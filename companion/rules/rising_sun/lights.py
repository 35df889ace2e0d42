"""The lamps of the Political Track, from public knowledge only."""

from __future__ import annotations

from companion.rules.game import TABLE, Prompt
from companion.rules.rising_sun.commands import Command
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import State
from companion.rules.view import Light


def lights(facts: Facts, s: State, prompt: Prompt[Command] | None) -> tuple[Light, ...]:
    """One lamp a step: colour of who played it; the step now in the rhythm of who must act. Then chooser, ally and points."""
    found = []
    played = 0
    for i, name in enumerate(facts.steps):
        lamp = name.replace(" ", ".")
        sort = name.split(" ", maxsplit=1)[0]
        rest = sort if sort in ("kami", "war") else "todo"
        if sort == "mandate":
            played += 1
        if i == s.step and s.battle is not None and s.battle.stage == "bids":
            found.append(Light(lamp, rest, "now"))  # nobody alone must act
        elif i == s.step and s.tea is not None and not s.owed:
            found.append(Light(lamp, rest, "attention"))  # all are asked
        elif i == s.step and prompt is not None:
            acts = prompt.seat in s.seats
            found.append(Light(lamp, prompt.seat if acts else rest, "now" if acts else "attention" if prompt.seat == TABLE else "steady"))
        elif sort == "mandate" and i < s.step and played <= len(s.track) and s.track[played - 1].by:
            found.append(Light(lamp, s.track[played - 1].by))
        else:
            found.append(Light(lamp, rest))
    if s.battle is not None:  # the Province that is fought for
        found.append(Light(f"province.{s.battle.place}", "war", "now"))
    chooser = s.doing.by if s.doing is not None else s.turn
    over = s.step >= len(facts.steps)
    found.append(Light("chooser", "todo" if over else chooser))
    found.append(Light("ally", "todo" if over else s.allies.get(chooser, "todo")))
    found.extend(Light(f"vp.{seat}", seat, value=min(s.vp[seat], facts.values.vp_track), max=facts.values.vp_track) for seat in s.seats)
    return tuple(found)
