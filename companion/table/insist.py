"""What people at this table may do with a figure though no question asks for it: all the same (*advise*), or because it is so (*record*).

Here: the offers, as ``desk`` says them. Not here: what they rest on (``levels``), tags and fingers (``desk``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from companion.rules.game import Kind, Place, Prompt, Refusal
from companion.table import match
from companion.table.match import Offer
from companion.table.moves import Placement
from companion.table.referee import Referee


def anyway(referee: Referee, kind: Kind, place: Place, believed: Place | None = None) -> tuple[Offer, ...]:
    """What may be done all the same with a figure the game refuses a place; none where refused is refused. ``believed``: where it was."""
    if not referee.levels.advises:
        return ()
    refusal = match.why_not(referee.game, referee.state, referee.seats, kind, place)
    return explained(referee, kind, place, refusal, believed)


def explained(referee: Referee, kind: Kind, place: Place, refusal: Refusal, believed: Place | None = None) -> tuple[Offer, ...]:
    """The same, where the refusal is known already."""
    names = referee.names()
    whence = sources(kind, place, referee.prompts(), referee.game.placement(referee.state), believed) or [referee.levels.home(kind, names)]
    return referee.levels.figure(kind, place, whence, refusal, state=referee.state, names=names)


def moved(referee: Referee, kind: Kind, place: Place, came: Callable[[Place], bool]) -> tuple[Offer, ...]:
    """What a figure that was put at a place has done, at a table that only records; ``came``: it may have come from there."""
    names, placement = referee.names(), referee.game.placement(referee.state)
    here = sorted(one for one, pile in placement.items() if pile.get(kind) and one != place)
    whence = [one for one in here if came(one)] or here or [referee.levels.home(kind, names)]
    return referee.levels.moves(kind, place, whence, names)


def sources(kind: Kind, place: Place, prompts: Iterable[Prompt[Any]], placement: Placement, believed: Place | None) -> list[Place]:
    """Where a figure that is to go to a place may be now, the likeliest first: where it is believed to be, else where the open choices take
    such a figure from, else wherever the app has one.
    """
    here = sorted(one for one, pile in placement.items() if pile.get(kind) and one != place)
    if believed in here:
        return [believed]
    asked = dict.fromkeys(choice.gestures[0].frm for _, choice in match.offers(prompts, kind))
    return [one for one in asked if one != place] or here
