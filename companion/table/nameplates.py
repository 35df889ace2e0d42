"""Players' names beside their seats, in every view, and which of them are bots. Here: putting them there. Not here: what a name may be (``setup``)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.rules.game import Seat
from companion.rules.view import Node, Section, Text
from companion.table.setup import Setup

SEATS = "seats"


class Nameplates:
    """Of one game. An unchanged section stays the same object, so that what is kept by it (rendered views) is kept on."""

    def __init__(self, setup: Setup) -> None:
        plain: dict[Seat, str | Text] = dict(setup.names)
        self._names = plain | {seat: _bot(setup.names.get(seat, "")) for seat in setup.bots}
        self._made: tuple[Section, Section] | None = None

    def on(self, sections: Sequence[Section]) -> tuple[Section, ...]:
        """The sections, with ``who`` of each named seat's own."""
        if not self._names:
            return tuple(sections)
        return tuple(self._named(section) if section.id == SEATS else section for section in sections)

    def _named(self, section: Section) -> Section:
        made = self._made
        if made is None or made[0] is not section:
            made = self._made = section, replace(section, nodes=tuple(map(self._plate, section.nodes)))
        return made[1]

    def _plate(self, node: Node) -> Node:
        name = self._names.get(node.id, "") if isinstance(node, Section) else ""
        return replace(node, who=name) if name else node


def _bot(name: str) -> Text:
    """What stands on a bot's plate, in the reader's language."""
    return Text("table.bot_named", {"name": name}) if name else Text("table.bot_plain")
