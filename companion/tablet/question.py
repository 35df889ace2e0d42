"""The question on the panel and what has been half answered: who is asked, which piece is in hand, which place is offered. No Kivy.

Everything lawful comes from the prompts of the newest picture; nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from companion.rules.game import TABLE, Kind, Place, Prompt, Seat
from companion.rules.view import Node, Pieces, Section, Stack, Text, Wait
from companion.tablet import house
from companion.tablet.choosing import Group, groups, landings, sources
from companion.tablet.resting import Rest
from companion.tablet.sides import SOUTH, Spot, seated

JOIN, BOARD = "join", "board"
FIGURE, GREYED = "figure/", 2
"""Marks of what is a figure; and how many of those that may not move are named."""
PINNED = 20.0
"""How long a curtain that was pinned open stays open."""


class Filling(NamedTuple):
    """A choice whose numbers are being filled in."""

    choice: int
    amounts: dict[str, int]


class Question:
    """State and derived facts of the question; ``Session`` adds the rest of the screen."""

    def __init__(self, places: frozenset[Place], clock: Callable[[], float]) -> None:
        self.places, self.clock = places, clock
        self.update: Any = None
        self.page = JOIN
        self.turned = 0
        self.sides: Mapping[Seat, str] = {}
        """Where each seat sits, where the players said so."""
        self.home: Callable[[], None] | None = None
        """Leaves this game for the home screen; None: there is no home to go to."""
        self.side = SOUTH
        self.seat: Seat = ""
        self.chosen = False
        """The seat was chosen by hand, not by the question."""
        self.ask = 0
        self.pick = ""
        self.place: Place = ""
        """The place whose several choices are offered now."""
        self.filling: Filling | None = None
        self.leaf = 0
        self.open = False
        """The curtain is drawn aside."""
        self.pinned = 0.0
        self.rest = Rest(clock)
        self.zoom: tuple[float, float] | None = None
        """The map is drawn larger round this point of the drawing: two lit places were too near to tell apart."""

    # ------------------------------------------------------------------ who is asked

    @property
    def seats(self) -> tuple[Seat, ...]:
        """In the order they sit, clockwise; the seat TABLE, which sits nowhere, is not among them."""
        return tuple(self.update.seats) if self.update is not None else ()

    @property
    def spots(self) -> dict[Seat, Spot]:
        return seated(self.seats, self.turned, self.sides)

    def prompts(self, seat: Seat) -> tuple[Prompt[Any], ...]:
        if self.update is None:
            return ()
        if seat == TABLE:
            return tuple(self.update.table)
        view = self.update.seats.get(seat)
        return view.prompts if view is not None else ()

    def must(self, seat: Seat) -> bool:
        """The game waits for this seat."""
        return any(not prompt.optional for prompt in self.prompts(seat))

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Seats the game waits for; then, where there are none, those that may do something."""
        differs = self.update is not None and house.differs(self.update.open)
        people = tuple(seat for seat in self.seats if not self.bot(seat))
        everybody = (TABLE, *people) if differs else (*people, TABLE)  # moves wait for the figures
        may = (seat for seat in everybody if any(not house.of_house(prompt) for prompt in self.prompts(seat)))
        return tuple(seat for seat in everybody if self.must(seat)) or tuple(may)

    @property
    def prompt(self) -> Prompt[Any] | None:
        """The question on the panel."""
        prompts = self.prompts(self.seat)
        return prompts[min(self.ask, len(prompts) - 1)] if prompts else None

    @property
    def table_asks(self) -> Prompt[Any] | None:
        """What the table itself waits to be told."""
        return next((prompt for prompt in self.prompts(TABLE) if not prompt.optional), None)

    @property
    def waits(self) -> tuple[Wait, ...]:
        return self.update.open.waits if self.update is not None else ()

    @property
    def quiet(self) -> bool:
        """Buttons of the question do nothing for a moment."""
        return self.rest.quiet

    @property
    def asking(self) -> int:
        """The number of the question: it rises with every other one."""
        return self.rest.asking

    # ------------------------------------------------------------------ what can be touched

    @property
    def public(self) -> Prompt[Any] | None:
        """The question, where the board may show it."""
        prompt = self.prompt
        return prompt if prompt is not None and not prompt.private and self.page == BOARD else None

    @property
    def figures(self) -> tuple[Group, ...]:
        """The pieces the question moves on the board."""
        prompt = self.prompt
        return groups(prompt, self.places) if prompt is not None and not prompt.private else ()

    @property
    def greyed(self) -> tuple[Stack, ...]:
        """Figures of the asked seat's reserve that the question, though it asks for some of them, does not move."""
        asked = {group.kind for group in self.figures if not group.frm}
        prompt = self.prompt
        if not asked or prompt is None:
            return ()
        row = self.rows().get(prompt.seat)
        stacks = _stacks(row.nodes) if row is not None else []
        return tuple(stack for stack in stacks if stack.count and stack.kind not in asked and stack.mark.startswith(FIGURE))[:GREYED]

    @property
    def stepwise(self) -> bool:
        """Several pieces on the board may move: first one is taken up, then set down. Else every place that answers is lit at once."""
        return not self.pick and sum(1 for group in self.figures if group.frm) > 1

    @property
    def here(self) -> dict[Place, tuple[int, ...]]:
        """Place -> the choices that end there, of the piece in hand or of all."""
        prompt = self.public
        return landings(prompt, self.places, self.pick) if prompt is not None else {}

    @property
    def lit(self) -> dict[Place, tuple[int, ...]]:
        """Places that set a piece down now."""
        return {} if self.stepwise else self.here

    @property
    def starts(self) -> frozenset[Place]:
        """Places where a piece is taken up first."""
        prompt = self.public
        return frozenset(sources(prompt, self.places)) if prompt is not None and self.stepwise else frozenset()

    def whose(self) -> tuple[Seat, ...]:
        """Seats that could mean the touched place, while nobody has said who."""
        if not self.place or self.chosen:
            return ()
        seats = tuple(seat for seat in self.asked if self._lands(seat, self.place))
        return seats if len(seats) > 1 else ()

    def _lands(self, seat: Seat, place: Place) -> bool:
        return any(place in landings(prompt, self.places) for prompt in self.prompts(seat)[:1] if not prompt.private)

    # ------------------------------------------------------------------ names

    def sections(self) -> Mapping[str, Section]:
        return {section.id: section for section in self.update.open.sections} if self.update is not None else {}

    def rows(self) -> dict[Seat, Section]:
        """The seats' own sections, in the game's order."""
        section = self.sections().get("seats")
        return {node.id: node for node in (section.nodes if section is not None else ()) if isinstance(node, Section)}

    def beside(self) -> dict[Seat, Section]:
        """What the moment is about tells of each seat: its own part of a section that has one a seat, as the sides of a battle."""
        about = (section for section in self.sections().values() if section.id != "seats")
        return {node.seat: node for section in about for node in section.nodes if isinstance(node, Section) and node.seat}

    def name(self, seat: Seat) -> Text:
        """A seat's name as the game says it."""
        if seat == TABLE:
            return Text("tablet.everybody")
        row = self.rows().get(seat)
        return row.text if row is not None else Text("tablet.raw", {"id": seat})

    def who(self, seat: Seat) -> str:
        """The player's name, or that it is a bot; "": nobody typed one."""
        row = self.rows().get(seat)
        return self.speech.say(row.who) if row is not None and isinstance(row.who, Text) else row.who if row is not None else ""

    def bot(self, seat: Seat) -> bool:
        """A bot plays it: nobody at the table is asked its questions."""
        return self.update is not None and seat in self.update.bots

    def place_name(self, place: Place) -> Text:
        section = self.sections().get("board")
        for node in section.nodes if section is not None else ():
            if node.id == place:
                return node.text
        return Text("tablet.raw", {"id": place})

    def stack(self, kind: Kind) -> Stack | None:
        """How a kind is named and drawn, from wherever it lies."""
        return next((stack for section in self.sections().values() for stack in _stacks(section.nodes) if stack.kind == kind), None)

    def _lying(self, place: Place) -> tuple[Stack, ...]:
        """What the open view shows at a place."""
        section = self.sections().get("board")
        node = next((node for node in (section.nodes if section is not None else ()) if node.id == place), None)
        return tuple(getattr(node, "stacks", ()))

    def reserve(self, seat: Seat, kind: Kind) -> int:
        """How many of a kind the seat has left, as the open view says; -1: it does not say."""
        row = self.rows().get(seat)
        for node in row.nodes if row is not None else ():
            if isinstance(node, Pieces):
                for stack in node.stacks:
                    if stack.kind == kind:
                        return stack.count
        return -1

    # ------------------------------------------------------------------ numbers to fill in

    @property
    def filled(self) -> bool:
        """The numbers add up to something that can be sent."""
        prompt, filling = self.prompt, self.filling
        amounts = prompt.choices[filling.choice].amounts if prompt is not None and filling is not None else None
        return filling is not None and amounts is not None and amounts.total[0] <= sum(filling.amounts.values()) <= amounts.total[1]

    def begin_filling(self, index: int) -> None:
        prompt = self.prompt
        amounts = prompt.choices[index].amounts if prompt is not None else None
        if amounts is not None:
            now = house.values(prompt.choices[index].command) if prompt is not None else {}
            self.filling = Filling(index, {name: now.get(name, least) for name, (least, _) in amounts.each.items()})

    def fill(self, name: str, step: int) -> bool:
        """One more or one less of an amount, within its limits; whether it changed."""
        prompt, filling = self.prompt, self.filling
        amounts = prompt.choices[filling.choice].amounts if prompt is not None and filling is not None else None
        if filling is None or amounts is None or name not in filling.amounts:
            return False
        least, most = amounts.each[name]
        value = min(max(filling.amounts[name] + step, least), most)
        others = sum(filling.amounts.values()) - filling.amounts[name]
        if value == filling.amounts[name] or others + value > amounts.total[1]:
            return False
        self.filling = filling._replace(amounts={**filling.amounts, name: value})
        return True

    def filled_command(self) -> Any:
        """The command with its numbers; None: they do not add up."""
        prompt, filling = self.prompt, self.filling
        if prompt is None or filling is None or not self.filled:
            return None
        return msgspec.structs.replace(prompt.choices[filling.choice].command, amounts=dict(filling.amounts))

    # ------------------------------------------------------------------ another question

    def walk(self) -> None:
        """The prompt goes to whom the game waits for, unless somebody has chosen a seat by hand."""
        asked = self.asked
        if not (self.prompts(self.seat) if self.chosen else self.seat in asked):
            self.seat, self.chosen, self.ask = (asked[0] if asked else ""), False, 0
        if self.seat in self.seats:  # the table itself has no side: its question stays where the last one was
            self.side = self.spots[self.seat].side

    def anew(self, *, calm: bool = True) -> None:
        """Nothing half done is kept, but the piece in hand if it can still be played."""
        keys = [group.key for group in self.figures]
        if len(keys) == 1:
            self.pick = keys[0]
        elif self.pick not in keys:
            self.pick = ""
        self.place, self.filling, self.leaf = "", None, 0
        self.ask = min(self.ask, max(0, len(self.prompts(self.seat)) - 1))
        self.open, self.pinned, self.zoom = False, 0.0, None
        if self.seat in self.seats:
            self.side = self.spots[self.seat].side
        if calm:
            self.rest.begin()


def _stacks(nodes: tuple[Node, ...]) -> list[Stack]:
    found: list[Stack] = []
    for node in nodes:
        found += getattr(node, "stacks", ())
        found += _stacks(getattr(node, "nodes", ()))
    return found
