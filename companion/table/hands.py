"""What hands do, as readers, taps and buttons tell it: handed to the twin, shown, and kept on disk.

Here: the way of a sighting into the twin and the journal. What a hand does and the command it means are written down at once, in one
transaction (``after``); what no command carried is written by ``save``, before anybody hears of it. Not here: what it means (``twin``),
commands of the game (``desk``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy

import msgspec

from companion.rules.game import Kind, Place
from companion.table.figures import Figures, Tag
from companion.table.journal import Journal, JournalError
from companion.table.moves import Moved, Placement
from companion.table.sensed import Saved
from companion.table.steward import Steward
from companion.table.twin import SINGLE, Told, Twin
from companion.table.whereabouts import whereabouts

LOGGER = logging.getLogger(__name__)


def _encoded(twin: Twin) -> bytes:
    """What the journal keeps of it."""
    return msgspec.json.encode(twin.saved())


class Hands:
    """One table's. ``changed`` is called whenever there is something new to see. One thread, the referee's."""

    def __init__(self, steward: Steward, journal: Callable[[], Journal], game_id: str, changed: Callable[[], None]) -> None:
        self._steward = steward
        self._journal = journal
        self._game_id = game_id
        self._changed = changed
        self._unsaved = False
        """Hands have told something that is not on disk."""
        self._putting: tuple[Tag, Place, Place | None] | None = None

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
        self._news()
        return told

    def lift(self, uid: str, place: Place, now: float) -> None:
        """A tag has left the reader of a place."""
        self._twin.look(now)
        if self._twin.lift(uid, place, self._journal().now()):
            self._news()

    @contextmanager
    def putting(self, tag: Tag, place: Place, frm: Place | None) -> Iterator[None]:
        """Meanwhile a command is given by a figure that was just put there: the move it comes to is made, not owed. ``frm``: where it began,
        of a figure that nothing was told of before.
        """
        self._putting = tag, place, frm
        try:
            yield
        finally:
            self._putting = None

    def came_from(self, uid: str, place: Place) -> None:
        """The figure just told of for the first time made a move from here."""
        self._twin.came_from(uid, place)
        self._news()

    def after(self, twin: Twin, placement: Placement, moved: Iterable[Moved]) -> Twin:
        """What will be known once the game stands so, its pieces having ``moved``; ``twin``: what is known now. Nothing is changed yet."""
        after = copy(twin)
        after.stand(placement, ((one.kind, one.frm, one.to) for one in moved))
        if self._putting is not None:
            tag, place, frm = self._putting
            if _owed(after, tag.kind, place) > _owed(twin, tag.kind, place):
                after.made_by(tag.kind, place)
                after.news = True
            if frm is not None:
                after.came_from(tag.uid, frm)
                after.news = True
        return after

    def unsaved(self, after: Twin, *, told: bool) -> bytes | None:
        """What the journal has to keep of it together with the row that leads to it; ``told``: the row itself tells something of figures."""
        return _encoded(after) if told or self._unsaved or after.news else None

    def saved(self) -> None:
        """The journal has it."""
        self._unsaved, self._putting = False, None

    def save(self) -> None:
        """What hands have told is on disk when this returns, unless the disk is full: then it is known until the table is closed."""
        if self._unsaved:
            self._write()

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

    def strays(self) -> tuple[Moved, ...]:
        """What hands have taken away, as readers saw it that see figures go: by these moves the app would follow. None while any is owed."""
        astray = self._twin.astray()
        return self._twin.adoption() if astray and not any(one.at for one in astray) and not self._twin.owed() else ()

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

    def _news(self) -> None:
        self._unsaved = True
        self._changed()

    def _remember(self) -> None:
        self._changed()
        self._write()

    def _write(self) -> None:
        try:
            self._journal().put_twin(self._game_id, _encoded(self._twin))
        except JournalError as fault:  # it is known until the table is closed
            LOGGER.warning("what is known of the figures is not saved: %s", fault)
        self._unsaved = False


def _owed(twin: Twin, kind: Kind, place: Place) -> int:
    """How many figures of a kind have still to come to a place."""
    return sum((one.kind, one.to) == (kind, place) for one in twin.owed())
