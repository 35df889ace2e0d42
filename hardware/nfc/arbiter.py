"""Several readers, one truth: a tag is in one place. Pure: time is handed in.

Readers overlap at their edges, tags are copied, hands are quick. So a tag that one reader still holds while another
reports it is *contested*: nothing is said until one of them lets go (it was slid across, or it was a neighbour's field
bleeding over) or until one sees it far more reliably. If both keep holding it, or if it hops to and fro faster
than a hand would, a `Conflict` is handed out: to be asked about, not believed.

For each tag the sightings handed out alternate: placed at one reader, removed from it, placed at the next.
"""

from collections import deque
from collections.abc import Callable
from math import inf

import msgspec

from hardware.nfc.sighting import Sighting

TWO_PLACES = "two_places"
HOPPING = "hopping"
_STRONG = 0.8  # a reader this sure beats one half as sure


class Conflict(msgspec.Struct, frozen=True):
    """A tag cannot be where the readers say: ask the table, then call `Arbiter.answer`."""

    uid: str
    why: str
    """`two_places` or `hopping`."""
    readers: tuple[str, ...]
    places: tuple[str | None, ...]
    """The readers' places, in the same order."""
    at: float


Outcome = Sighting | Conflict


class _Case(msgspec.Struct):
    """What is known about one tag."""

    claims: dict[str, Sighting]
    """Readers that hold it, oldest claim first."""
    places: dict[str, str | None]
    believed: Sighting | None = None
    contested_at: float | None = None
    settled: bool = False
    """The present contest was judged, or answered by the table: silent until the claims change."""
    disputed: bool = False
    hops: deque[float] = msgspec.field(default_factory=deque)
    was_at: str | None = None
    quiet_since: float = 0.0


class Arbiter:
    """Turns the sightings of all readers into believed sightings and conflicts.

    `strength(reader, uid)` tells how reliably a reader sees a tag, 0 to 1 (default: all the same), `seen(reader, uid)` when it
    last saw it (default: it sees it all the time). Where the machine was held up nobody has looked: that is no overlap.
    """

    def __init__(
        self,
        strength: Callable[[str, str], float] = lambda _reader, _uid: 1.0,
        seen: Callable[[str, str], float] = lambda _reader, _uid: inf,
        *,
        overlap: float = 1.5,
        hops: int = 4,
        window: float = 3.0,
    ) -> None:
        self._strength, self._seen, self._overlap, self._hops, self._window = strength, seen, overlap, hops, window
        self._cases: dict[str, _Case] = {}
        self._lost: set[str] = set()

    def where(self, uid: str) -> Sighting | None:
        """Where a tag is believed to lie."""
        case = self._cases.get(uid)
        return case.believed if case else None

    def disputed(self) -> tuple[str, ...]:
        """Tags whose conflict is not over."""
        return tuple(uid for uid, case in self._cases.items() if case.disputed)

    def heard(self, sighting: Sighting) -> tuple[Outcome, ...]:
        """A reader reports; what follows from it."""
        case = self._cases.setdefault(sighting.uid, _Case({}, {}))
        case.places[sighting.reader] = sighting.place
        if sighting.placed:
            case.claims[sighting.reader] = sighting
        else:
            case.claims.pop(sighting.reader, None)
        case.settled = False
        case.quiet_since = sighting.at
        return self._judge(sighting.uid, case, sighting.at)

    def lost(self, reader: str) -> None:
        """A reader is gone: what it held is neither believed anew nor in anyone's way."""
        self._lost.add(reader)

    def back(self, reader: str) -> None:
        """A lost reader works again; what it held, it holds."""
        self._lost.discard(reader)

    def tick(self, at: float) -> tuple[Outcome, ...]:
        """Time has passed (call a few times a second)."""
        return tuple(outcome for uid, case in list(self._cases.items()) for outcome in self._judge(uid, case, at))

    def answer(self, uid: str, reader: str | None, at: float) -> tuple[Outcome, ...]:
        """The table has said which reader is right (None: neither; the tag is not on the table)."""
        case = self._cases.get(uid)
        if case is None:
            return ()
        case.disputed, case.settled = False, True
        case.hops.clear()
        claim = case.claims.get(reader) if reader is not None else None
        return tuple(self._believe(case, claim, at))

    def _judge(self, uid: str, case: _Case, at: float) -> tuple[Outcome, ...]:
        live = [reader for reader in case.claims if reader not in self._lost]
        outcomes: list[Outcome] = []
        if case.disputed and len(live) < 2 and at - case.quiet_since >= self._overlap:
            case.disputed = False  # it has ended by itself: at most one reader holds the tag, and quietly so
        held = case.believed
        if held is not None and held.reader not in case.claims and (case.disputed or len(live) != 1):
            outcomes += self._believe(case, None, at)
        if len(live) < 2:
            case.contested_at = None
        elif case.contested_at is None:
            case.contested_at = at
        if live and not case.disputed and not case.settled:
            winner = live[0] if len(live) == 1 else self._plainly(uid, live)
            if winner is not None:
                outcomes += self._go(uid, case, case.claims[winner], at)
            elif case.contested_at is not None and self._all_saw(uid, live, at) - case.contested_at >= self._overlap:
                outcomes.append(self._dispute(uid, case, TWO_PLACES, live, at))
        if not case.claims and case.believed is None and not case.disputed and at - case.quiet_since > self._window:
            del self._cases[uid]
        return tuple(outcomes)

    def _all_saw(self, uid: str, live: list[str], at: float) -> float:
        """Until when all of them have seen the tag."""
        return min(at, *(self._seen(reader, uid) for reader in live))

    def _plainly(self, uid: str, live: list[str]) -> str | None:
        """The reader that is right although others hold the tag too, if that is plain."""
        ranked = sorted(live, key=lambda reader: self._strength(reader, uid), reverse=True)
        best, second = self._strength(ranked[0], uid), self._strength(ranked[1], uid)
        return ranked[0] if best >= _STRONG and second <= best / 2 else None

    def _go(self, uid: str, case: _Case, claim: Sighting, at: float) -> list[Outcome]:
        """Believe a claim, unless the tag hops."""
        if case.believed is not None and case.believed.reader == claim.reader:
            return []
        if case.was_at is not None and case.was_at != claim.reader:
            case.hops.append(at)
            while at - case.hops[0] > self._window:
                case.hops.popleft()
            if len(case.hops) >= self._hops:
                return [self._dispute(uid, case, HOPPING, [case.was_at, claim.reader], at)]
        return self._believe(case, claim, at)

    @staticmethod
    def _dispute(uid: str, case: _Case, why: str, readers: list[str], at: float) -> Conflict:
        case.disputed = True
        case.hops.clear()
        return Conflict(uid, why, tuple(readers), tuple(case.places[reader] for reader in readers), at)

    @staticmethod
    def _believe(case: _Case, claim: Sighting | None, at: float) -> list[Outcome]:
        outcomes: list[Outcome] = []
        held = case.believed
        if held is not None and (claim is None or claim.reader != held.reader):
            outcomes.append(Sighting(held.uid, held.reader, held.place, placed=False, at=at))
            case.believed = None
        if claim is not None and case.believed is None:
            case.was_at = claim.reader
            case.believed = Sighting(claim.uid, claim.reader, claim.place, placed=True, at=at)
            outcomes.append(case.believed)
        return outcomes
