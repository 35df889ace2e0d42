"""Setting right by hand, as the table asks it: counters and pieces; at a table that only records, cards and steps as well.

Here: the one prompt, step by step, of what the open view shows. Not here: what a correction does (the game says), who must agree (``steward``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.rules.game import TABLE, Amounts, Choice, Correction, Gesture, GiveCard, MovePiece, Prompt, SetCounter, SetStep
from companion.rules.view import Card, Curtain, Node, Section, Text, Track, Zone
from companion.rules.view import Counter as Count
from companion.table import commands as say
from companion.table.moves import RESERVE, Placement, by_kind, off_board
from companion.table.naming import Names
from companion.table.scribe import Stand
from companion.table.steward import Steward

MOST = 999
"""No counter is set higher by hand."""


def prompt(steward: Steward, stand: Stand, names: Names) -> Prompt[Any]:
    """It begins with a button of its own, so that nothing is changed by a stray touch; a table that only records is always at it."""
    mend, records = steward.mend, steward.levels.records
    if mend is None:
        return Prompt(TABLE, Text("table.mend"), "", (Choice(say.Mend(TABLE), Text("table.mend_begin"), mark="ui/careful"),), optional=True)
    end = Choice[Any](say.Mend(TABLE, begin=False), Text("table.mend_back" if records else "table.mend_end"), mark="ui/ok")
    if mend.kind:
        where = Text("table.mend_where", {"figure": names.kind(mend.kind), "place": names.place(mend.place)})
        return Prompt(TABLE, where, "", (*_goals(steward, mend, stand.state, names), end))
    if mend.card:
        whose = Text("table.mend_whose", {"card": _cards(names).get(mend.card, Text("table.raw", {"id": mend.card}))})
        return Prompt(TABLE, whose, "", (*_owners(steward, mend.card, stand.state, names), end))
    counters, pieces = _counters(steward, names), _pieces(stand.placement, names)
    if records:
        what = Text("table.record_what")
        return Prompt(TABLE, what, "", (*counters, *pieces, *_held(names), *_steps(steward, stand.state, names)))
    return Prompt(TABLE, Text("table.mend_what"), "", (*counters, *pieces, end))


def _counters(steward: Steward, names: Names) -> Iterator[Choice[Any]]:
    for seat in steward.seats:
        section = names.sections.get(seat)
        for node in section.nodes if section is not None else ():
            counter = node.id.removeprefix(f"{seat}.") if isinstance(node, Count) else ""
            if isinstance(node, Count) and counter != node.id and node.value is not None:
                text = Text("table.mend_counter", {"seat": names.seat(seat), "counter": node.text, "value": node.value})
                command = say.Correct(TABLE, (SetCounter(seat, counter, node.value),))
                yield Choice(command, text, mark=node.mark, amounts=Amounts({counter: (0, MOST)}, (0, MOST)))


def _pieces(placement: Placement, names: Names) -> Iterator[Choice[Any]]:
    for kind, places in sorted(by_kind(placement).items()):
        for place in places:
            text = Text("table.mend_piece", {"figure": names.kind(kind), "place": names.place(place)})
            yield Choice(say.Mend(TABLE, kind, place), text, mark=names.mark(kind))


def _goals(steward: Steward, mend: say.Mend, state: Any, names: Names) -> Iterator[Choice[Any]]:
    """Where this piece can be put; only what the game itself calls possible, which knows what a place can hold."""
    kind, place = mend.kind, mend.place
    owner = names.owner(kind)
    board = names.sections.get("board")
    zones = [node.id for node in board.nodes if isinstance(node, Zone)] if board is not None else []
    home = f"{RESERVE}.{owner}" if owner else RESERVE
    goals = [goal for goal in (*zones, *([] if off_board(place) else [home])) if goal != place]
    for move in (MovePiece(owner, kind, place, goal) for goal in goals):
        if steward.levels.possible(state, (move,)):
            yield Choice(say.Correct(TABLE, (move,)), names.place(move.to), (Gesture(kind, place, move.to),), mark=names.mark(kind))


# Cards and steps, as the open view shows them: a card's id is ``<whose>.<card>.<which>``, a step's lamp ``<word>.<number>``


def _held(names: Names) -> Iterator[Choice[Any]]:
    for card, text in _cards(names).items():
        yield Choice(say.Mend(TABLE, card=card), Text("table.mend_card", {"card": text}), mark="mandate/train")


def _owners(steward: Steward, card: str, state: Any, names: Names) -> Iterator[Choice[Any]]:
    for seat in (*steward.seats, ""):
        text = names.seat(seat) if seat else Text("table.mend_display")
        yield from _possible(steward, state, GiveCard(seat, card), text, f"clan/{seat}" if seat else "")


def _steps(steward: Steward, state: Any, names: Names) -> Iterator[Choice[Any]]:
    for node in _nodes(names.sections.values()):
        for step in node.steps if isinstance(node, Track) else ():
            if step.state != "now":
                text = Text("table.mend_step", {"step": step.text})
                yield from _possible(steward, state, SetStep(step.light.replace(".", " ")), text, step.mark)


def _possible(steward: Steward, state: Any, one: Correction, text: Text, mark: str) -> Iterator[Choice[Any]]:
    if steward.levels.possible(state, (one,)):
        yield Choice(say.Correct(TABLE, (one,)), text, mark=mark)


def _cards(names: Names) -> dict[str, Text]:
    """Every card that lies open, by the game's own name of it."""
    found: dict[str, Text] = {}
    for node in _nodes(names.sections.values()):
        parts = node.id.split(".") if isinstance(node, Card) else []
        if len(parts) == 3:
            found.setdefault(parts[1], node.text)
    return found


def _nodes(nodes: Iterable[Node]) -> Iterator[Node]:
    """``Names.sections`` holds the nested ones too."""
    for node in nodes:
        yield from (one for one in node.nodes if not isinstance(one, Section | Curtain)) if isinstance(node, Section) else ()
