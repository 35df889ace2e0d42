"""A whole simulated bench: several PN532 readers and a strip, and tags that are laid, lifted and slid between the readers.

Here: which tag lies on which reader. Not here: what a reader is called for, or any byte (``pn532``, ``track``).
"""

import threading
from collections.abc import Sequence
from typing import Self

from hardware.sim.pn532 import PN532Sim
from hardware.sim.tags import Tag, tag_of
from hardware.sim.track import TrackSim

SLIDE = 0.15
"""Seconds a tag is in no field while it is slid from one reader to the next."""


class Bench:
    """Plugged in when made; ``close`` it. Readers are known by their names. Any thread."""

    def __init__(self, readers: Sequence[str], *, strip: bool = True) -> None:
        self._lock = threading.Lock()
        self._tags: dict[str, Tag] = {}
        self._lying: dict[str, str] = {}
        self._readers: dict[str, PN532Sim] = {}
        self._strip: TrackSim | None = None
        try:
            for name in readers:
                self._readers[name] = PN532Sim()
            self._strip = TrackSim() if strip else None
        except BaseException:
            self.close()
            raise

    @property
    def ports(self) -> dict[str, str]:
        """Reader -> the port a driver opens."""
        return {name: reader.path for name, reader in self._readers.items()}

    @property
    def track(self) -> str:
        """The strip's port; "": there is none."""
        return self._strip.path if self._strip is not None else ""

    def lay(self, uid: str, reader: str) -> None:
        """Lays a tag on a reader; one that lies elsewhere is slid there. ValueError names an unknown reader or an impossible number."""
        if reader not in self._readers:
            raise ValueError(f"there is no reader {reader!r} here; there are {', '.join(self._readers) or 'none'}")
        with self._lock:
            tag = self._tags.get(uid) or tag_of(uid)
            self._tags[uid] = tag
            before = self._lying.get(uid)
            if before == reader:
                return
            if before is not None:
                self._readers[before].take(tag)
            self._readers[reader].put(tag, after=SLIDE if before is not None else 0.0)
            self._lying[uid] = reader

    def lift(self, uid: str) -> bool:
        """Takes a tag away; False if it lay on no reader."""
        with self._lock:
            reader = self._lying.pop(uid, None)
            return reader is not None and self._readers[reader].take(self._tags[uid])

    def lying(self) -> dict[str, str]:
        """Tag -> reader."""
        with self._lock:
            return dict(self._lying)

    def lamps(self) -> list[tuple[int, int, int]]:
        """What the strip shows, as the firmware drives it."""
        return self._strip.lamps() if self._strip is not None else []

    def close(self) -> None:
        """Everything is unplugged."""
        for reader in self._readers.values():
            reader.close()
        if self._strip is not None:
            self._strip.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
