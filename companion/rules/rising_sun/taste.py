"""What a bot likes: a score for every choice of one prompt, from that seat's view and prompt alone (never from State).

Here: plain liking, higher is better; ``companion.table.bots`` picks. Not here: chance or search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.game import Choice, Prompt, View
from companion.rules.rising_sun.commands import (
    Accept,
    Bid,
    Build,
    Buy,
    Choose,
    Command,
    Decline,
    Done,
    Give,
    Hire,
    Hostage,
    Kill,
    Move,
    Odd,
    Offer,
    Order,
    Pardon,
    Replace,
    Seppuku,
    Share,
    Spare,
    Summon,
    Use,
    Worship,
)
from companion.rules.rising_sun.commands import Place as Put
from companion.rules.view import Counter, Section, Stack, Zone

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


def _forces(view: View) -> Mapping[str, int]:
    """The Force of each seat in the Battle that is fought now, as the view shows."""
    sides = [node for section in view.sections if section.id == "battle" for node in section.nodes if isinstance(node, Section)]
    return {side.seat: node.value or 0 for side in sides for node in side.nodes if isinstance(node, Counter) and node.id.endswith(".force")}


class _Eye:
    """What a seat sees of the board."""

    def __init__(self, view: View, seat: str) -> None:
        self.seat = seat
        self.board, self.wars = _zones(view)
        self.forces = _forces(view)

    def worth(self, place: str) -> float:
        """A province is worth a piece where there is war and the lead is near."""
        here = self.board.get(place, {})
        rivals = max((n for seat, n in here.items() if seat != self.seat), default=0)
        lead = here.get(self.seat, 0) - rivals
        return (1.0 if place in self.wars else 0.2) + (1.0 if -1 <= lead <= 1 else 0.0)

    def leads(self) -> bool:
        """Nobody in the Battle is stronger."""
        return self.forces.get(self.seat, 0) >= max(self.forces.values(), default=0)


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
    Bid: _always(1.0),
    # Who would lose the figures anyhow dies with honor.
    Seppuku: lambda eye, c: 1.5 if c.yes is not eye.leads() else 0.0,
    Hostage: lambda _, c: 1.0 + _KIND.get(c.kind, 2.0) if c.victim else 0.0,
    Hire: lambda _, c: 3.0 if c.yes else 0.0,
    Spare: lambda _, c: 0.5 if c.yes else 0.0,
    Offer: _always(0.8),
    Accept: _always(1.5),
    Decline: _always(0.0),
    Put: lambda eye, c: 1.0 + eye.worth(c.place),
    Kill: lambda eye, c: 1.0 + eye.worth(c.place) if c.victim != eye.seat else -1.0,
    Use: _always(0.6),
    Share: _always(0.9),
    Pardon: _always(-1.0),
    Order: lambda _, c: 0.5 if c.early else 0.2,
    Odd: lambda eye, c: -0.1 * eye.forces.get(c.to, 0),
}


def scores(view: View, prompt: Prompt[Command]) -> tuple[float, ...]:
    """One number a choice of ``prompt``, in its order."""
    eye = _Eye(view, prompt.seat)
    return tuple(_one(eye, choice) for choice in prompt.choices)


def _one(eye: _Eye, choice: Choice[Command]) -> float:
    score = _SCORE.get(type(choice.command))
    return score(eye, choice.command) if score is not None else 0.0
