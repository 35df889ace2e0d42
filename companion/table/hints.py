"""What is said of a figure that means nothing now: which one it was, where it is believed to stand, whose turn it is, and what would be lawful.

Here: the sentence and its clause. Not here: whether a figure fits (``match``), where it is (``twin``), or saying it (``desk``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.game import Kind, Place, Prompt, Refusal, Seat
from companion.rules.view import Text
from companion.table import match
from companion.table.figures import Tag
from companion.table.naming import Names, listed, unlisted
from companion.table.referee import Referee

BUT = "_but"
"""Of the keys of sentences that end with what would be lawful."""
FAR = 3
"""A figure that may be in more places than this is nowhere in particular."""


def wrong(referee: Referee, tag: Tag, figure: Text, believed: Place | None, place: Place | None) -> tuple[Text, str]:
    """The sentence and its clause. ``believed``: where the twin had this figure; ``place``: where it was set down, None: nowhere yet."""
    names = referee.names()
    refusal = _refusal(referee, tag.kind, place)
    where = _where(referee, names, tag.kind, believed)
    asked = _asked(referee)
    owner = tag.kind.partition("/")[0]
    said: dict[str, int | str | Text] = {"figure": figure, "why": refusal.text}
    if refusal.lawful:
        said["lawful"] = listed(refusal.lawful)
    if owner in referee.seats and asked and owner not in asked:
        key = "table.hint_turn" if len(asked) == 1 else "table.hint_turns"
        said |= {"where": where, "seat": listed([names.seat(seat) for seat in asked])}
        clause = refusal.clause or _clause(referee, asked[0])
    elif place is not None:
        key, clause = "table.figure_no", refusal.clause
        said["place"] = names.place(place)
    else:
        key, clause = "table.hint_kind", refusal.clause
        said["where"] = where
    return Text(f"{key}{BUT}" if refusal.lawful else key, said), clause


def apart(text: Text) -> tuple[Text, tuple[Text, ...]]:
    """A sentence, and what it says would be lawful: for whoever sets that apart from it, or shows it already."""
    rest = text.args.get("lawful")
    if not text.key.endswith(BUT) or not isinstance(rest, Text):
        return text, ()
    plain = Text(text.key.removesuffix(BUT), {name: value for name, value in text.args.items() if name != "lawful"})
    return plain, unlisted(rest)


def _refusal(referee: Referee, kind: Kind, place: Place | None) -> Refusal:
    """Why not there; of a figure that was set down nowhere: why not anywhere it may have been meant to go."""
    if place is None:
        gestures = (g for p in referee.prompts() if not p.private for c in p.choices for g in c.gestures[:1])
        place = next((gesture.to for gesture in gestures), "")
    return match.why_not(referee.game, referee.state, referee.seats, kind, place)


def _asked(referee: Referee) -> tuple[Seat, ...]:
    """Whose turn it is, clockwise."""
    must = {prompt.seat for prompt in _must(referee)}
    return tuple(seat for seat in referee.seats if seat in must)


def _must(referee: Referee) -> list[Prompt[Any]]:
    return [prompt for prompt in referee.prompts() if not prompt.optional and prompt.seat not in match.INSIDE]


def _clause(referee: Referee, seat: Seat) -> str:
    return next((prompt.clause for prompt in _must(referee) if prompt.seat == seat and prompt.clause), "")


def _where(referee: Referee, names: Names, kind: Kind, believed: Place | None) -> Text:
    """Where this one was last seen, else where pieces of its kind are."""
    placement: Mapping[Place, Mapping[Kind, int]] = referee.game.placement(referee.state)
    places = [believed] if believed else sorted(place for place, pile in placement.items() if pile.get(kind))
    if not places:
        return Text("table.out_of_play")
    if len(places) > FAR:
        return Text("table.somewhere", {"n": len(places)})
    return listed([names.place(place) for place in places])
