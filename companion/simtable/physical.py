"""The simulated table itself: where every piece lies, and the tags on the readers under it. Hands move pieces, nothing else does.

Here: one lock round pieces and readers. Not here: the board's look (``tablet.simtable``), lines and sockets (``line``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.rules.game import Kind, Place
from companion.simtable.spec import BOX, Piece, Spec
from hardware.sim.bench import Bench

Stand = Mapping[Place, Mapping[Kind, int]]


class Physical:
    """``changed`` is called after every move, on the thread that moved. Any thread."""

    def __init__(self, spec: Spec, changed: Callable[[], None] = lambda: None) -> None:
        self.spec, self.changed = spec, changed
        self.pieces: Mapping[str, Piece] = {piece.uid: piece for piece in spec.pieces}
        self._lock = threading.RLock()
        self._where: dict[str, Place] = dict.fromkeys(self.pieces, BOX)
        self._stand: Stand = {}
        self._bench = Bench(spec.readers, strip=spec.strip)
        for uid, place in spec.placed.items():
            if uid in self.pieces and place in spec.places:
                self._put(uid, place)

    @property
    def ports(self) -> dict[Place, str]:
        """Place -> the port of the reader under it."""
        return self._bench.ports

    @property
    def track(self) -> str:
        return self._bench.track

    @property
    def gone(self) -> bool:
        """It is in this very process."""
        return False

    def where(self) -> dict[str, Place]:
        """UID -> place."""
        with self._lock:
            return dict(self._where)

    def lamps(self) -> list[tuple[int, int, int]]:
        return self._bench.lamps()

    def move(self, uid: str, place: Place) -> None:
        """A hand lifts the piece from wherever it is and sets it down. Raises ValueError naming what there is not."""
        if uid not in self.pieces:
            raise ValueError(f"there is no piece with the tag {uid[:24]!r}; list shows all")
        if place not in self.spec.places:
            raise ValueError(f"there is no place {place[:24]!r}; there are {', '.join(sorted(self.spec.places - {BOX}))}")
        with self._lock:
            self._put(uid, place)
        self.changed()

    def stand(self, stand: Stand) -> None:
        """Where the app has its pieces; nothing moves by that."""
        with self._lock:
            same, self._stand = self._stand == stand, stand
        if not same:
            self.changed()

    def agrees(self) -> bool:
        """Everything lies where the app has it."""
        with self._lock:
            return not self._stand or not self._work()

    def settle(self) -> int:
        """Hands put everything where the app has it; how many pieces were moved."""
        with self._lock:
            work = self._work() if self._stand else []
            for uid, place in work:
                self._put(uid, place)
        if work:
            self.changed()
        return len(work)

    def close(self) -> None:
        self._bench.close()

    # Inside, locked

    def _put(self, uid: str, place: Place) -> None:
        self._where[uid] = place
        if place in self.spec.readers:
            self._bench.lay(uid, place)
        else:
            self._bench.lift(uid)

    def _work(self) -> list[tuple[str, Place]]:
        """The fewest moves by which everything lies as the app has it. A figure on the one reader is in a hand: it is put away too."""
        wanted: dict[Kind, list[Place]] = {}
        for place, pile in self._stand.items():
            if place in self.spec.places:
                for kind, n in pile.items():
                    wanted.setdefault(kind, []).extend([place] * n)
        loose: list[str] = []
        for uid, place in self._where.items():
            places = wanted.get(self.pieces[uid].kind, [])
            if place in places:
                places.remove(place)
            else:
                loose.append(uid)
        work: list[tuple[str, Place]] = []
        for uid in loose:
            places = wanted.get(self.pieces[uid].kind, [])
            goal = places.pop(0) if places else BOX
            if goal != self._where[uid]:
                work.append((uid, goal))
        return work
