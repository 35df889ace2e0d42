"""The hand at a simulated reader: lays a tagged figure down until the reader has seen it, and lifts it again.

Here: the lying and lifting, and what is typed for it. Not here: the reader (``hardware.sim``), what a figure at a place means (``table``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from companion.table.figures import Figures, Tag
from hardware.nfc.sighting import Sighting
from hardware.sim.pn532 import PN532Sim

LIES = 0.3
"""Seconds a figure goes on lying once it was seen: a hand that sets it down and lifts it."""
GIVE_UP = 8.0
"""Seconds after which an unseen figure is lifted all the same; only a very busy computer needs more than a tenth."""


class Hand:
    """``uid`` is told with the place it was laid down for, if one was named."""

    def __init__(self, reader: PN532Sim, sight: Callable[[str, str | None], None]) -> None:
        self._reader, self._sight = reader, sight
        self._lock = threading.Lock()
        self._meant: dict[str, str | None] = {}

    def lay(self, uid: str, place: str | None = None) -> None:
        """Lays the figure on the reader, for ``place`` if it is already known where it goes."""
        with self._lock:
            self._meant[uid] = place
        self._reader.put(uid)
        self._after(GIVE_UP, uid)

    def sighted(self, sighting: Sighting) -> None:
        """The simulated reader saw it: now it is the table's."""
        if not sighting.placed:
            return
        with self._lock:
            place = self._meant.pop(sighting.uid, None)
        self._sight(sighting.uid, place or sighting.place)
        self._after(LIES, sighting.uid)

    def _after(self, seconds: float, uid: str) -> None:
        timer = threading.Timer(seconds, self._reader.take, [uid])
        timer.daemon = True
        timer.start()


class Understood(NamedTuple):
    """What was typed: the figures it may mean, and the places behind them."""

    tags: list[Tag]
    places: list[str]


def named(words: Sequence[str], figures: Figures, places: Mapping[str, str]) -> tuple[str, str | None] | str:
    """(uid, place or None) of ``koi bushi 2 edo``, ``oni_of_skulls edo``, ``04A1B2…``; or the sentence why not.

    The number and the place may be left out, capitals do not matter. ``places``: what may be typed -> the place's id.
    """
    found = understood(words, figures, places)
    if isinstance(found, str):
        return found
    if len(found.places) > 1:
        return f"One place is enough, not {' and '.join(found.places)}."
    return found.tags[0].uid, found.places[0] if found.places else None


def understood(words: Sequence[str], figures: Figures, places: Mapping[str, str]) -> Understood | str:
    """The same, with every figure that is called so, and up to two places."""
    said = [word.lower() for word in words]
    tags = {tag.uid.lower(): tag for tag in figures.tags()}
    for length in (2, 1):
        kind, rest = "/".join(said[:length]), said[length:]
        fitting = [tag for tag in tags.values() if tag.kind == kind] or ([tags[kind]] if length == 1 and kind in tags else [])
        if not fitting:
            continue
        if rest and any(tag.name.lower() == rest[0] for tag in fitting):
            fitting, rest = [tag for tag in fitting if tag.name.lower() == rest[0]], rest[1:]
        for i in range(len(rest) + 1):
            parts = [part for part in ("_".join(rest[:i]), "_".join(rest[i:])) if part]
            if all(part in places for part in parts):
                return Understood(fitting, [places[part] for part in parts])
        place = "_".join(rest)
        return f"There is no place called {place!r}{_near(place, places)}."
    return (
        f"No tagged figure is called {' '.join(words)!r}{_near('/'.join(said[:2]), {tag.kind for tag in tags.values()})}; list shows all."
    )


def _near(word: str, known: Iterable[str]) -> str:
    close = get_close_matches(word, known, n=1)
    return f"; did you mean {close[0].replace('/', ' ')}" if close else ""
