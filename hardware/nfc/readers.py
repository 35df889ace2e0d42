"""All readers of a table as one: started and stopped together, their sightings arbitrated before anyone believes them."""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from hardware.nfc.arbiter import Arbiter, Conflict, Outcome
from hardware.nfc.health import Health
from hardware.nfc.life import State
from hardware.nfc.reader import Reader
from hardware.nfc.said import Said
from hardware.nfc.sighting import Sighting

LOGGER = logging.getLogger(__name__)

_TICK = 0.1


class Place(msgspec.Struct, frozen=True):
    """One reader as the owner's settings name it."""

    name: str
    find: str = "auto"
    place: str | None = None
    """The place it is bound to; None for a reader to tap figures on."""


class Readers:
    """The readers of a table.

    Callbacks come one at a time, from the readers' threads or the ticking one, and must not block. `options` go to every
    `Reader` (known, block, claims, tuning ...).
    """

    def __init__(
        self,
        places: Iterable[Place],
        *,
        on_sighting: Callable[[Sighting], None],
        on_conflict: Callable[[Conflict], None],
        on_state: Callable[[Health], None] | None = None,
        on_notice: Callable[[str, Said], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        **options: Any,
    ) -> None:
        self._clock = clock
        self._on_sighting, self._on_conflict = on_sighting, on_conflict
        self._on_state, self._on_notice = on_state, on_notice
        self._known: Callable[[], Iterable[str]] = options.pop("known", tuple)
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._ticking: threading.Thread | None = None
        self.readers: dict[str, Reader] = {}
        for place in places:
            if place.name in self.readers:
                raise ValueError(f"two readers are called {place.name!r}: give each its own name")
            self.readers[place.name] = self._reader(place, options)
        self._arbiter = Arbiter(lambda reader, uid: self.readers[reader].strength(uid), lambda reader, uid: self.readers[reader].seen(uid))

    def _reader(self, place: Place, options: dict[str, Any]) -> Reader:
        return Reader(
            place.find,
            name=place.name,
            place=place.place,
            clock=self._clock,
            on_sighting=self._heard,
            on_state=self._state,
            on_notice=lambda about: self._notice(place.name, about),
            known=lambda: self._worth_asking(place.name),
            **options,
        )

    def _worth_asking(self, name: str) -> list[str]:
        """Known tags that may be set down here: not those that lie on another reader, which has to miss them first."""
        elsewhere = {uid for other, reader in list(self.readers.items()) if other != name for uid in reader.lying}
        return [uid for uid in self._known() if uid not in elsewhere]

    def start(self) -> None:
        """Begin to look for all readers; returns at once."""
        for reader in self.readers.values():
            reader.start()
        if self._ticking is None:
            self._ticking = threading.Thread(target=self._tick, name="nfc-arbiter", daemon=True)
            self._ticking.start()

    def stop(self) -> None:
        """Leave all readers."""
        self._stop.set()
        for reader in self.readers.values():  # all at once, then wait for each
            reader.stop(wait=False)
        for reader in self.readers.values():
            reader.stop()
        if self._ticking is not None:
            self._ticking.join(5)

    def health(self) -> tuple[Health, ...]:
        """One snapshot for each reader, in the order they were named."""
        return tuple(reader.health() for reader in self.readers.values())

    def where(self, uid: str) -> Sighting | None:
        """Where a tag is believed to lie."""
        with self._lock:
            return self._arbiter.where(uid)

    def answer(self, uid: str, reader: str | None) -> None:
        """The table has settled a conflict: this reader is right, or none."""
        with self._lock:
            self._tell(self._arbiter.answer(uid, reader, self._clock()))

    def _heard(self, sighting: Sighting) -> None:
        with self._lock:
            self._tell(self._arbiter.heard(sighting))

    def _state(self, health: Health) -> None:
        with self._lock:
            if health.state is State.READY:
                self._arbiter.back(health.name)
            elif health.state is State.LOST:
                self._arbiter.lost(health.name)
            if self._on_state is not None:
                self._on_state(health)

    def _notice(self, name: str, about: Said) -> None:
        if self._on_notice is not None:
            with self._lock:
                self._on_notice(name, about)

    def _tick(self) -> None:
        while not self._stop.wait(_TICK):
            try:
                with self._lock:
                    self._tell(self._arbiter.tick(self._clock()))
            except Exception:
                LOGGER.exception("telling about the readers failed")

    def _tell(self, outcomes: tuple[Outcome, ...]) -> None:
        for outcome in outcomes:
            if isinstance(outcome, Sighting):
                self._on_sighting(outcome)
            else:
                self._on_conflict(outcome)
