"""Battles on the test bench: a War that comes up, and bids of everybody."""

from __future__ import annotations

from rs_rig import GAME, accepted, position

from companion.rules.game import Applied

FOUR = "seats koi lotus turtle dragonfly\nstep war 1\nwars nagato edo oshu kansai kyushu shikoku"
TWO = ("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus coins 2")


def war(*extra, head=FOUR):
    """Nagato comes up; what ``extra`` says stands there, and nothing elsewhere."""
    return accepted(position("\n".join((head, *extra))), "table done")


def bid(state, **coins):
    """Everybody bids; ``koi=(0, 1, 0, 2)`` on Seppuku, Take Hostage, Hire Ronin, Imperial Poets; who is not named bids nothing."""
    if state.battle is None:
        return state
    for seat in [seat for seat in state.battle.seats if not state.battle.bids.get(seat)]:
        told = " ".join(f"{name} {n}" for name, n in zip(("seppuku", "hostage", "ronin", "poets"), coins.get(seat, (0,) * 4), strict=True))
        state = accepted(state, f"{seat} bid {told}")
    return state


def events(state, line):
    result = GAME.apply(state, GAME.notation.hear(line.split()))
    assert isinstance(result, Applied), result
    return [e.text.key.removeprefix("rs.event.") for e in result.events]
