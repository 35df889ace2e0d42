"""What kinds, places and seats are called, as the open view calls them.

Here: a search through a view's nodes, and sentences of moves made of these names. Not here: any list of names: games bring their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.rules.game import TABLE, Kind, Place, Seat, View
from companion.rules.view import Card, Curtain, Node, Pieces, Section, Stack, Text, Zone
from companion.table.moves import RESERVE, Moved, off_board


class Names:
    """The names of one view, looked up once. What the view does not show is called by its id."""

    def __init__(self, view: View) -> None:
        self.stacks: dict[Kind, Stack] = {}
        self.sections: dict[str, Section] = {}
        self.made: dict[int, Text] = {}
        """Sentences made of these names, kept by whoever made them: what a row's undo would do, by its revision."""
        self.asked: dict[tuple[int, tuple[Seat, ...]], tuple[Text, Text | None]] = {}
        """The same, as it is offered to whoever needs these seats' yes: every seat is offered much the same."""
        self._moves: dict[Moved, Text] = {}
        self._places: dict[Place, Text] = {}
        for node in _nodes(view.sections):
            if isinstance(node, Section):
                self.sections.setdefault(node.id, node)
            elif isinstance(node, (Zone, Pieces, Card)):
                self._places.setdefault(node.id, node.text)
            if isinstance(node, (Zone, Pieces)):
                for stack in node.stacks:
                    self.stacks.setdefault(stack.kind, stack)

    def kind(self, kind: Kind) -> Text:
        stack = self.stacks.get(kind)
        if stack is None:
            return Text("table.raw", {"id": kind})
        return Text("table.owned", {"seat": self.seat(stack.seat), "what": stack.text}) if stack.seat else stack.text

    def mark(self, kind: Kind) -> str:
        """Its drawing, where the view shows it."""
        stack = self.stacks.get(kind)
        return stack.mark if stack is not None else ""

    def owner(self, kind: Kind) -> Seat:
        """Whose piece it is, as the view has it; "": nobody's, or it is not seen."""
        stack = self.stacks.get(kind)
        return stack.seat if stack is not None else ""

    def seat(self, seat: Seat) -> Text:
        if seat == TABLE:
            return Text("table.everybody")
        section = self.sections.get(seat)
        return section.text if section is not None else Text("table.raw", {"id": seat})

    def place(self, place: Place) -> Text:
        """The reserve of a seat is called so even where the view has no node of that id."""
        if place not in self._places:
            head, _, seat = place.partition(".")
            if head == RESERVE:
                return Text("table.reserve_of", {"seat": self.seat(seat)}) if seat in self.sections else Text("table.reserve")
        return self._places.get(place, Text("table.raw", {"id": place}))

    def move(self, moved: Moved) -> Text:
        """``Koi Bushi leaves Edo``, ``... comes to Edo``, ``... from Edo to Kyoto``."""
        if moved not in self._moves:
            self._moves[moved] = self._move(moved)
        return self._moves[moved]

    def _move(self, moved: Moved) -> Text:
        args = {"figure": self.kind(moved.kind), "frm": self.place(moved.frm), "place": self.place(moved.to)}
        if off_board(moved.to) and not off_board(moved.frm):
            return Text("table.leaves", args)
        return Text("table.comes" if off_board(moved.frm) else "table.goes", args)


def kind_name(view: View, kind: Kind) -> Text:
    """Its name in the view; its id where no such piece is seen."""
    return Names(view).kind(kind)


def seat_name(view: View, seat: Seat) -> Text:
    """Its name in the view; its id where the view has no section of it."""
    return Names(view).seat(seat)


def place_name(view: View, place: Place) -> Text:
    """Its name in the view; its id where the view has no such place."""
    return Names(view).place(place)


def listed(texts: Sequence[Text]) -> Text:
    """``a; b; c`` as one Text. ``texts`` is not empty."""
    last = texts[-1]
    for text in reversed(texts[:-1]):
        last = Text("table.list", {"first": text, "rest": last})
    return last


def unlisted(text: Text) -> tuple[Text, ...]:
    """The texts of which ``listed`` made one."""
    out: list[Text] = []
    while text.key == "table.list" and isinstance(first := text.args["first"], Text) and isinstance(rest := text.args["rest"], Text):
        out.append(first)
        text = rest
    return (*out, text)


def _nodes(nodes: Iterable[Node]) -> Iterable[Node]:
    for node in nodes:
        yield node
        if isinstance(node, (Section, Curtain)):
            yield from _nodes(node.nodes)
