"""What the table itself asks and shows, beside the game: taking back, consent, figures that have to be moved, setting right by hand.

Here: prompts, one section, waits; ordinary nodes, so that no screen needs code for them. Not here: what the commands do (``steward``).
Nothing here is secret: it is made of placements and of sentences everybody may read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from companion.rules.game import CHANCE, TABLE, Choice, Kind, Prompt, Seat
from companion.rules.view import Light, Line, Section, Text, Wait
from companion.table import commands as say
from companion.table import mending
from companion.table.history import Node
from companion.table.moves import Moved
from companion.table.naming import Names, listed
from companion.table.scribe import Stand
from companion.table.sentences import brings_back, takes_back
from companion.table.steward import Steward

OWN = 4
"""Own commands offered to be taken back."""
ASKED = 3
"""Commands further back that a seat is offered to ask for; by asking again it comes as far as it likes."""
HOST = 6
"""The same, for the table."""
UNDO = "ui/undo"

Prompts = tuple[tuple[Prompt[Any], ...], tuple[Prompt[Any], ...]]
"""Those that must be answered, those that may."""


def prompts(steward: Steward, seat: Seat, stand: Stand, names: Names) -> Prompts:
    """What this seat, or TABLE, is asked by the table."""
    must = [*_consent(steward, seat, names)]
    may: list[Prompt[Any]] = []
    figures = _figures(steward, seat, stand.revision, names)
    if figures is not None:
        (may if figures.optional else must).append(figures)
    may += steward.levels.prompts(seat, names)
    may += _taking_back(steward, seat, names)
    if seat == TABLE:
        (must if steward.mend is not None else may).append(mending.prompt(steward, stand, names))
        if levels := steward.levels.choices():
            may.append(Prompt(TABLE, Text("table.level_change"), "", levels, optional=True))
    return tuple(must), tuple(may)


def sections(steward: Steward, names: Names) -> tuple[Section, ...]:
    """Which figures have to be moved, and where table and app differ; none while they agree."""
    work = steward.twin.to_make()
    if not work:
        return ()
    differs = steward.differs()
    lines = [Line(Text("table.please", {"what": names.move(one)}), id=f"owed.{i}") for i, one in enumerate(work)]
    if differs:
        for place, (here, due) in sorted(steward.twin.lying().items()):
            args = {"place": names.place(place), "here": _pile(here, names), "due": _pile(due, names)}
            lines.append(Line(Text("table.lies", args), id=f"lies.{place}"))
    title = Text("table.section_differs" if differs else "table.section_owed")
    return (Section("owed", title, tuple(lines), mark="ui/careful" if differs else "ui/tap", lit=differs),)


def waits(steward: Steward) -> tuple[Wait, ...]:
    """For whom the table waits beside the game."""
    if steward.levels.records:
        return ()
    request = steward.request
    asked = () if request is None else tuple(Wait(seat, Text("table.wait_answer")) for seat in request.open)
    hands = {steward.debtor(one.kind): None for one in steward.late()}
    if not hands and steward.differs():
        hands = {TABLE: None}
    return (*asked, *(Wait(seat, Text("table.wait_hands")) for seat in hands))


def lights(steward: Steward, lamps: tuple[Light, ...]) -> tuple[Light, ...]:
    """The chooser's lamp asks for attention while table and app differ."""
    if not steward.differs():
        return lamps
    return tuple(Light(lamp.name, lamp.role, "attention", lamp.value, lamp.max) if lamp.name == "chooser" else lamp for lamp in lamps)


# Consent


def _consent(steward: Steward, seat: Seat, names: Names) -> Iterator[Prompt[Any]]:
    request = steward.request
    if request is None:
        return
    to = request.revision
    kind, about = say.name(request.command), {"seat": names.seat(request.seat), "what": request.what}
    text = Text(f"table.asks_{kind}", about)
    no = Choice[Any](say.Object(seat, to), Text("table.object"), mark="ui/refused")
    if seat in request.open:
        yield Prompt(seat, text, "", (Choice(say.Agree(seat, to), Text("table.agree"), mark="ui/ok"), no))
    elif seat == TABLE:
        absent = tuple(
            Choice[Any](say.Agree(TABLE, to, one), Text("table.agree_absent", {"seat": names.seat(one)}), mark="ui/ok")
            for one in request.open
        )
        yield Prompt(TABLE, text, "", (*absent, no))
    elif seat == request.seat:
        never_mind = Choice[Any](say.Object(seat, to), Text("table.withdraw"), mark="ui/refused")
        yield Prompt(seat, Text(f"table.event_ask_{kind}", about), "", (never_mind,), optional=True)  # nobody is asked for their own wish


# Taking back


def _taking_back(steward: Steward, seat: Seat, names: Names) -> Iterator[Prompt[Any]]:
    own: list[Choice[Any]] = []
    others: list[Choice[Any]] = []
    further = 0 if steward.request is not None and seat != TABLE else HOST if seat == TABLE else ASKED
    for node, needed, alone in steward.history.reach(seat):
        if alone and len(own) < OWN:
            own.append(_undo(steward, seat, node, needed, names))
        elif further and node.seat != CHANCE:
            further -= 1
            choice = _undo(steward, seat, node, needed, names)
            if not needed or steward.may_ask(seat, choice.command):  # what was refused is not offered again and again
                others.append(choice)
        elif not further and (alone or not node.sealed or node.seat == seat):
            break  # there may be more of its own behind sealed answers of others, and behind nothing else
    redo = _redo(steward, seat, names) if steward.request is None or seat == TABLE else None
    choices = (*own, *others, *((redo,) if redo is not None else ()))
    if choices:
        yield Prompt(seat, Text("table.take_back"), "", choices, optional=True)


def _redo(steward: Steward, seat: Seat, names: Names) -> Choice[Any] | None:
    found = steward.history.redoable(seat)
    if found is None:
        return None
    undone, needed = found
    command = say.Redo(seat, undone.to, undone.row)
    if needed and not steward.may_ask(seat, command):
        return None
    text = Text("table.redo_ask" if needed else "table.redo", {"what": brings_back(steward.history.undone_path(), names)})
    return Choice(command, text, detail=_askeds(needed, names), mark=UNDO)


def _undo(steward: Steward, seat: Seat, node: Node, needed: tuple[Seat, ...], names: Names) -> Choice[Any]:
    history = steward.history
    said = names.asked.get((node.revision, needed))
    if said is None:
        said = names.asked[node.revision, needed] = _said(history.path(node.revision), needed, names)
    return Choice(say.Undo(seat, node.revision, history.last), said[0], detail=said[1], mark=UNDO)


def _said(path: Sequence[Node], needed: Sequence[Seat], names: Names) -> tuple[Text, Text | None]:
    """What taking these rows back is called, and what is to be known of it."""
    revision = path[0].revision
    what = names.made.get(revision)
    if what is None:
        what = names.made[revision] = takes_back(path, names)
    if needed:
        return Text("table.undo_ask", {"what": what}), _askeds(needed, names)
    return Text("table.undo", {"what": what}), Text("table.undo_rows", {"n": len(path)}) if len(path) > 1 else None


def _askeds(needed: Sequence[Seat], names: Names) -> Text | None:
    return Text("table.asked", {"seats": listed([names.seat(one) for one in needed])}) if needed else None


# Figures


def _figures(steward: Steward, seat: Seat, revision: int, names: Names) -> Prompt[Any] | None:
    """Moves to tick off: those of this seat, or all for TABLE, which may also end the matter."""
    twin = steward.twin
    work = Counter(one for one in twin.to_make() if seat == TABLE or seat in {steward.debtor(one.kind), one.kind.partition("/")[0]})
    choices: list[Choice[Any]] = [
        Choice(say.Tick(seat, one.kind, one.frm, one.to, left), Text("table.tick", {"what": names.move(one)}), mark="ui/ok")
        for one, left in work.items()
        if twin.by_hand(one)
    ]
    if seat == TABLE and work:
        what = steward.adoption(names) if steward.differs() else ()
        if what:
            text = Text("table.adopt", {"what": steward.follows(names)})
            choices.append(Choice(say.Adopt(TABLE, what), text, mark="ui/careful"))
        choices.append(Choice(say.Waive(TABLE, revision), Text("table.waive"), mark="ui/careful"))
    if not choices:
        return None
    differs = steward.differs()
    return Prompt(
        seat,
        Text("table.figures_differ" if differs else "table.figures"),
        "",
        tuple(choices),
        optional=not differs,
        detail=_moves(work, names),
    )


def _moves(work: Counter[Moved], names: Names) -> Text:
    return listed([names.move(one) for one in work])


def _pile(pile: Counter[Kind], names: Names) -> Text:
    found = [
        Text("table.pile", {"count": n, "figure": names.kind(kind)}) if n > 1 else names.kind(kind) for kind, n in sorted(pile.items()) if n
    ]
    return listed(found or [Text("table.nothing")])
