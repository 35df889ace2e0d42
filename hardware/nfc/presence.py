"""From polls to "placed" and "removed", with hysteresis. Pure: time is handed in.

A tag is placed after `hits` polls that saw it. It is removed only after `misses` polls in a row did not see it AND it has
not been seen for `away` seconds. Between the two it is uncertain, and nothing happens. Seeing it again is a
refresh. A poll that failed (a garbled answer, a lost reader) is no poll: then nothing is known, so nothing changes.
"""

from collections.abc import Collection

import msgspec

_WEIGHT = 0.25  # of the newest poll in a tag's strength: about the last eight polls count


class Change(msgspec.Struct, frozen=True):
    """One tag came to lie here, or left."""

    uid: str
    placed: bool


class _Track(msgspec.Struct):
    seen_at: float
    lying: bool = False
    hits: int = 0
    misses: int = 0
    strength: float = 1.0


class Presence:
    """The tags lying on one reader."""

    def __init__(self, *, hits: int = 2, misses: int = 3, away: float = 0.35) -> None:
        if hits < 1 or misses < 1 or away < 0:
            raise ValueError(f"hits and misses are at least 1 and away at least 0 s, not {hits}, {misses}, {away}")
        self._hits, self._misses, self._away = hits, misses, away
        self._tracks: dict[str, _Track] = {}

    @property
    def lying(self) -> tuple[str, ...]:
        """Tags that were placed and not removed, oldest first."""
        return tuple(uid for uid, track in self._tracks.items() if track.lying)

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Lying tags that the last poll missed."""
        return tuple(uid for uid, track in self._tracks.items() if track.lying and track.misses)

    def strength(self, uid: str) -> float:
        """How reliably a tag is seen, 0 to 1: a running mean over the last polls."""
        track = self._tracks.get(uid)
        return track.strength if track else 0.0

    def seen(self, uid: str) -> float:
        """When a tag was seen last; 0 for one of which nothing is known."""
        track = self._tracks.get(uid)
        return track.seen_at if track else 0.0

    def poll(self, seen: Collection[str], at: float) -> tuple[Change, ...]:
        """Take the result of one whole poll; what changed by it."""
        changes = []
        for uid in seen:
            track = self._tracks.setdefault(uid, _Track(at))
            track.seen_at, track.misses = at, 0
            track.hits += 1
            track.strength += (1 - track.strength) * _WEIGHT
            if not track.lying and track.hits >= self._hits:
                track.lying = True
                changes.append(Change(uid, placed=True))
        for uid, track in list(self._tracks.items()):
            if uid in seen:
                continue
            track.misses += 1
            track.strength -= track.strength * _WEIGHT
            if track.misses >= self._misses and at - track.seen_at >= self._away:
                del self._tracks[uid]
                if track.lying:
                    changes.append(Change(uid, placed=False))
        return tuple(changes)
