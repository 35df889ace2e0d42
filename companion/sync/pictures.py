"""What each seat is shown now, in its language: rendered once, and comparable, so that nobody is sent the same twice.

Here: ``Pictures``. Not here: who is shown it (``exchange``), how words are found (``words``).
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.sync.messages import Answered, Down
from companion.table.desk import Update
from companion.words import Memo, rendered


class Sight(Struct, frozen=True):
    """What a phone has on its screen; equal sights need no frame."""

    stamp: int
    view: bytes


class Pictures:
    """The newest update, as bytes for phones. One thread."""

    def __init__(self) -> None:
        self._update: Update | None = None
        self._memo: Memo = {}
        self._views: dict[tuple[str, str], Sight] = {}

    @property
    def revision(self) -> int:
        """Of the newest update; -1 before the first."""
        return -1 if self._update is None else self._update.revision

    def update(self, update: Update) -> None:
        """What was rendered stays good where only the open table's notice changed."""
        if self._update is None or self._update.seats is not update.seats or self._update.stamps is not update.stamps:
            self._views = {}
        self._update = update

    def sight(self, seat: str, lang: str) -> Sight | None:
        """None before the first update."""
        if self._update is None:
            return None
        known = self._views.get((seat, lang))
        if known is None:
            view = msgspec.json.encode(rendered(self._update.seats[seat], lang, self._memo))
            known = self._views[seat, lang] = Sight(self._update.stamps[seat], view)
        return known

    def open(self) -> bytes:
        """The open table's view, in English."""
        return b"" if self._update is None else msgspec.json.encode(rendered(self._update.open, "en", self._memo))

    def down(self, seat: str, sight: Sight, answer: Answered | None) -> Down:
        """A ``view`` message that shows ``sight``."""
        return Down("view", self.revision, sight.stamp, seat, msgspec.Raw(sight.view), answer)
