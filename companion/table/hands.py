"""What hands do, as readers, taps and buttons tell it: handed to the twin, shown, and kept on disk.

Here: the way of a sighting into the twin and the journal. Not here: what it means (``twin``), commands of the game (``desk``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping

import msgspec

from companion.rules.game import Kind, Place
from companion.table.figures import Figures
from companion.table.journal import Journal, JournalError
from companion.table.steward import Steward
from companion.table.twin import SINGLE, Saved, Told, Twin
from companion.table.whereabouts import whereabouts

LOGGER = logging.getLogger(__name__)


def encoded(twin: Twin) -> bytes:
    """What the journal keeps of it."""
    return msgspec.json.encode(twin.saved())


class Hands:
    """One table's. ``changed`` is called whenever there is something new to see. One thread, the referee's."""

    def __init__(self, steward: Steward, journal: Callable[[], Journal], game_id: str, changed: Callable[[], None]) -> None:
        self._steward = steward
        self._journal = journal
        self._game_id = game_id
        self._changed = changed

    @property
    def _twin(self) -> Twin:
        return self._steward.twin

    def know(self, figures: Figures, layout: str = SINGLE, zones: Collection[Place] = ()) -> None:
        """The register of figures, and how their places become known. Without figures the app is believed."""
        kept = self._kept() if not len(self._twin.figures) else self._twin.saved()
        self._steward.know(Twin(layout, figures, zones, kept))
        self._remember()

    def sight(self, uid: str, place: Place, source: str, now: float) -> Told:
        """A tag of the register is at a place. See ``Twin.sight``."""
        self._twin.look(now)
        told = self._twin.sight(uid, place, source, self._journal().now())
        self._remember()
        return told

    def lift(self, uid: str, place: Place, now: float) -> None:
        """A tag has left the reader of a place."""
        self._twin.look(now)
        if self._twin.lift(uid, place, self._journal().now()):
            self._remember()

    def made_by(self, kind: Kind, place: Place) -> None:
        """The figure that was just tapped made the move of the command that was just accepted."""
        self._twin.made_by(kind, place)
        self._remember()

    def owed(self, kind: Kind, place: Place) -> int:
        """How many figures of a kind have still to come to a place."""
        return sum((one.kind, one.to) == (kind, place) for one in self._twin.owed())

    def expects(self, kind: Kind) -> bool:
        """A figure of this kind has still to be moved, or put right."""
        return any(one.kind == kind for one in self._twin.to_make())

    def whereabouts(self) -> Mapping[str, Place]:
        """Every tagged figure that is in play with the place it is at, for all that is known: one individual is as good as another."""
        return whereabouts(self._twin)

    def follows(self, kind: Kind) -> bool:
        """Every piece of this kind has a tag."""
        return self._twin.follows(kind)

    def look(self, now: float) -> None:
        """Time has passed: a figure may have been lifted too long ago."""
        before = self._twin.astray()
        self._twin.look(now)
        if self._twin.astray() != before:
            self._changed()

    def where(self, uid: str) -> Place | None:
        """The last place a tag was told to be at."""
        return self._twin.where(uid)

    def may_come_from(self, uid: str, place: Place) -> bool:
        """The tag may have been there, for all that is known."""
        return self._twin.may_come_from(uid, place)

    def follow(self) -> None:
        """The game moved on."""
        if self._twin.news:
            self._remember()

    def in_hand(self) -> bool:
        """A figure was lifted a moment ago: ``look`` again soon."""
        return self._twin.in_hand()

    def _kept(self) -> Saved:
        try:
            kept = self._journal().twin(self._game_id)
            return Saved() if kept is None else msgspec.json.decode(kept, type=Saved)
        except (JournalError, msgspec.MsgspecError) as fault:
            LOGGER.warning("what was known of the figures is forgotten: %s", fault)
            return Saved()

    def _remember(self) -> None:
        self._changed()
        try:
            self._journal().put_twin(self._game_id, encoded(self._twin))
        except JournalError as fault:  # it is known until the table is closed
            LOGGER.warning("what is known of the figures is not saved: %s", fault)
