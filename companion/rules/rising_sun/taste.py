"""What a bot likes: a score for every choice of one prompt, from that seat's view and prompt alone (never from State).

Here: plain liking, higher is better; ``companion.table.bots`` picks. Not here: chance or search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.game import Choice, Prompt, View
from companion.rules.rising_sun.commands import Build, Buy, Choose, Command, Done, Give, Move, Replace, Summon, Worship
from companion.rules.view import Stack, Zone

Zones = Mapping[str, Mapping[str, int]]
"""place -> seat -> how many pieces lie there, as the view shows"""

_MANDATE = {"harvest": 3.0, "recruit": 2.5, "train": 2.0, "marshal": 1.5, "betray": 1.0}
_KIND = {"bushi": 1.0, "shinto": 1.2, "daimyo": 1.5}


def _zones(view: View) -> tuple[Zones, frozenset[str]]:
    """Pieces by place and seat, and the places with a war number."""
    zones = [node for section in view.sections if section.id == "board" for node in section.nodes if isinstance(node, Zone)]
    return {zone.id: _count(zone.stacks) for zone in zones}, frozenset(zone.id for zone in zones if zone.badge)


def _count(stacks: tuple[Stack, ...]) -> dict[str, int]:
    lie: dict[str, int] = {}
    for stack in stacks:
        lie[stack.seat] = lie.get(stack.seat, 0) + stack.count
    return lie


class _Eye:
    """What a seat sees of the board."""

    def __init__(self, view: View, seat: str) -> None:
        self.seat = seat
        self.board, self.wars = _zones(view)

    def worth(self, place: str) -> float:
        """A province is worth a piece where there is war and the lead is near."""
        here = self.board.get(place, {})
        rivals = max((n for seat, n in here.items() if seat != self.seat), default=0)
        lead = here.get(self.seat, 0) - rivals
        return (1.0 if place in self.wars else 0.2) + (1.0 if -1 <= lead <= 1 else 0.0)


def _always(score: float) -> Callable[[_Eye, Any], float]:
    return lambda _eye, _command: score


_SCORE: Mapping[type, Callable[[_Eye, Any], float]] = {
    Choose: lambda _, c: _MANDATE.get(c.declared or c.mandate, 0.0),
    Summon: lambda eye, c: _KIND.get(c.kind, 2.0) + eye.worth(c.place),
    Worship: _always(1.0),
    Move: lambda eye, c: eye.worth(c.to) - eye.worth(c.frm),
    Build: lambda eye, c: 1.0 + eye.worth(c.place),
    Buy: _always(1.5),
    Replace: lambda eye, c: 1.0 + eye.worth(c.place),
    Give: _always(-5.0),
    Done: _always(0.4),
}


def scores(view: View, prompt: Prompt[Command]) -> tuple[float, ...]:
    """One number a choice of ``prompt``, in its order."""
    eye = _Eye(view, prompt.seat)
    return tuple(_one(eye, choice) for choice in prompt.choices)


def _one(eye: _Eye, choice: Choice[Command]) -> float:
    score = _SCORE.get(type(choice.command))
    return score(eye, choice.command) if score is not None else 0.0
