"""What the table itself asks and tells, as the screen places it: taking back, figures to move, places that differ. Pure; judges nothing.

Everything is found in the prompts and the section ``owed`` that ``companion.table.house`` makes; a screen that shows nothing of this module
still shows them as ordinary prompts and lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from companion.rules.game import Choice, Place, Prompt, Refusal, Seat, SetCounter, View
from companion.rules.view import Line, Section, Text
from companion.table.commands import Adopt, Correct, Overrule, Redo, Tick, Undo, Waive, is_house

OWED, LIES = "owed", "lies."


class Back(NamedTuple):
    """One thing that can be taken back by one press."""

    seat: Seat
    choice: Choice[Any]
    what: Text | None
    """What it undoes, without the word *Undo*."""
    alone: bool
    """Nobody has to be asked."""


class Differs(NamedTuple):
    """A place where table and app do not agree."""

    place: Place
    name: Text
    here: Text
    due: Text


def of_house(prompt: Prompt[Any]) -> bool:
    """The table asks this, not the game."""
    return is_house(prompt.choices[0].command)


def takes_back(prompt: Prompt[Any]) -> bool:
    return isinstance(prompt.choices[0].command, (Undo, Redo))


def moves_figures(prompt: Prompt[Any]) -> bool:
    return isinstance(prompt.choices[0].command, (Tick, Adopt, Waive))


def newest(prompts: Mapping[Seat, Iterable[Prompt[Any]]], asked: Seat) -> Back | None:
    """What the panel's *Undo* takes back: the newest command, for whoever may take it back alone; else the asked seat asks the others."""
    every = [
        Back(seat, choice, _what(choice.text), choice.text.key == "table.undo")
        for seat, own in prompts.items()
        for prompt in own
        for choice in prompt.choices
        if isinstance(choice.command, Undo)
    ]
    last = max((back.choice.command.first for back in every), default=0)
    mine = [back for back in every if back.choice.command.first == last and (back.alone or back.seat == asked)]
    return min(mine, key=lambda back: (not back.alone, back.seat != asked), default=None)


def _what(text: Text) -> Text | None:
    what = text.args.get("what")
    return what if isinstance(what, Text) else None


def anyway(view: View | None, refusal: Refusal) -> tuple[tuple[Seat, Choice[Any]], ...]:
    """What a seat may do all the same, where the table offers it for this very refusal."""
    prompts = view.prompts if view is not None else ()
    found = (
        prompt for prompt in prompts if isinstance(prompt.choices[0].command, Overrule) and prompt.text.args.get("why") == refusal.text
    )
    return tuple((prompt.seat, choice) for prompt in found for choice in prompt.choices)


def values(command: Any) -> dict[str, int]:
    """Where a number that is set right by hand stands now; empty: it is no such command."""
    what = command.what if isinstance(command, Correct) else ()
    return {one.counter: one.value for one in what if isinstance(one, SetCounter)}


def owed(view: View) -> Section | None:
    """The section of figures that hands have to move; None: none."""
    return next((section for section in view.sections if section.id == OWED), None)


def differs(view: View) -> bool:
    section = owed(view)
    return section is not None and section.lit


def moves(view: View) -> tuple[Text, ...]:
    """What hands have to do, a sentence each."""
    section = owed(view)
    return tuple(line.text for line in _lines(section) if line.id.startswith(f"{OWED}."))


def places(view: View) -> tuple[Differs, ...]:
    """Place by place, what lies there and what is expected."""
    out = []
    for line in _lines(owed(view)):
        names = [args for key in ("place", "here", "due") if isinstance(args := line.text.args.get(key), Text)]
        if line.id.startswith(LIES) and len(names) == 3:
            out.append(Differs(line.id.removeprefix(LIES), *names))
    return tuple(out)


def _lines(section: Section | None) -> tuple[Line, ...]:
    return tuple(node for node in (section.nodes if section is not None else ()) if isinstance(node, Line))
