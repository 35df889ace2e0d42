"""Sentences about rows and moves: what taking back, bringing back or putting right does.

Here: the first few things, and how many more; never what somebody may not read. Not here: names (``naming``), who may do it (``steward``).
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.view import Text
from companion.table.history import Node
from companion.table.moves import Moved, back, net
from companion.table.naming import Names, listed

SHOWN = 3
"""Figures named in one sentence."""


def takes_back(path: Sequence[Node], names: Names) -> Text:
    """What taking these rows back does, in words everybody may read: figures that go back, else what was said of the first row."""
    return _sentence(path, back([one for node in path for one in node.moved]), names)


def brings_back(path: Sequence[Node], names: Names) -> Text:
    """What making these rows stand again does."""
    moved = [one for node in path for one in node.moved]
    return _sentence(path, net(moved, ((one.kind, one.frm, one.to) for one in moved)), names)


def _sentence(path: Sequence[Node], moves: Sequence[Moved], names: Names) -> Text:
    if moves:
        return some([names.move(one) for one in moves])
    said = next((node.said for node in path if node.said is not None), None)
    return Text("table.quoted", {"what": said}) if said else Text("table.secret_answer", {"seat": names.seat(path[0].seat)})


def some(texts: Sequence[Text]) -> Text:
    """The first few, and how many more. ``texts`` is not empty."""
    more = len(texts) - SHOWN
    return listed([*texts[:SHOWN], *([Text("table.more", {"n": more})] if more > 0 else [])])
