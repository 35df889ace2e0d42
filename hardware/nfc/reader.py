"""One reader with a thread of its own: looks for its device, keeps it open, reports tags placed and removed.

The thread never ends before `stop`: whatever fails is told once and tried again. What a sighting means is the
table's business; where a reader may be is `discovery`'s; what a poll is, `sweep`'s; hysteresis, `presence`'s.
"""

import contextlib
import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec

from hardware.nfc import discovery
from hardware.nfc.claims import PORTS, Claims
from hardware.nfc.discovery import Candidate, Find, Search
from hardware.nfc.frontend import Front, front_for
from hardware.nfc.health import Health
from hardware.nfc.life import OFTEN, Life, State
from hardware.nfc.presence import Presence
from hardware.nfc.said import Said, said
from hardware.nfc.sighting import Sighting
from hardware.nfc.sweep import Sweep
from hardware.nfc.trouble import FrontError, busy, explain, holders
from hardware.nfc.uid import Verdict, check, uid_bytes

LOGGER = logging.getLogger(__name__)

_STRANGERS = "?"  # the track under which all random UIDs are counted as one
_NOISY = 0.95


class Tuning(msgspec.Struct, frozen=True):
    """Times in seconds and counts; the defaults fit a table."""

    pause: float = 0.02
    """Between two polls while something happens."""
    calm: float = 0.15
    after: float = 5.0
    """Between two polls once nothing has happened for so long: a dozen readers must leave a small computer its time."""
    hits: int = 2
    misses: int = 3
    away: float = 0.35
    """With `hits` and `misses`: see `Presence`."""
    tolerate: int = 2
    """Failed polls in a row before the reader is opened anew."""
    rescan: float = 0.5
    """How often to look whether something was plugged in."""
    first: float = 0.25
    cap: float = 5.0
    """Waiting after failed attempts: from the first to the cap."""
    rest: float = 60.0
    """How long, at most, a port that answered no greeting is left alone (unless it was named)."""
    ask: int = 4
    """Known tags asked for by UID in one poll while something lies there."""
    calm_ask: int = 8
    """The same between the rarer polls of a calm reader: a figure set beside another must not wait for it."""


class _Rest(msgspec.Struct):
    """A port that is no reader (yet): until when it is left alone, and why."""

    until: float
    wait: float
    why: Said


class Reader:
    """A reader that may be there or not.

    `find` says where to look (`discovery`): auto, a port, usb, serial:..., socket:... ValueError if it says nothing.
    `on_sighting`, `on_state` and `on_notice` (a tag that is unfit, as `Said`) run on the reader's thread and must not
    block. `known` lists the UIDs worth asking for by name when several tags may lie together. `block` holds patterns of
    ports never to touch, `claimed` lists those that other devices of ours use at the moment.
    """

    def __init__(
        self,
        find: str = "auto",
        *,
        name: str,
        place: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_sighting: Callable[[Sighting], None],
        on_state: Callable[[Health], None] | None = None,
        on_notice: Callable[[Said], None] | None = None,
        known: Callable[[], Iterable[str]] = tuple,
        block: Sequence[str] = (),
        claimed: Callable[[], Iterable[str]] = tuple,
        claims: Claims = PORTS,
        tuning: Tuning | None = None,
        look: Callable[..., Search] = discovery.search,
        fronts: Callable[[Candidate], Front] = front_for,
    ) -> None:
        self.name, self.place = name, place
        self._find, self._block, self._claims, self._look, self._fronts = Find.parse(find), tuple(block), claims, look, fronts
        self._clock, self._known, self._claimed = clock, known, claimed
        self._on_sighting, self._on_state, self._on_notice = on_sighting, on_state, on_notice
        self._tuning = tuning or Tuning()
        self._life = Life(clock, first=self._tuning.first, cap=self._tuning.cap)
        self._presence = Presence(hits=self._tuning.hits, misses=self._tuning.misses, away=self._tuning.away)
        self._unfit = Presence(hits=self._tuning.hits, misses=self._tuning.misses, away=self._tuning.away)
        self._sweep = Sweep(self._tuning.ask)
        self._warned: set[str] = set()
        self._clean: deque[bool] = deque(maxlen=200)
        self._beat: float | None = None
        self._front: Front | None = None
        self._device = self._model = ""
        self._tried: tuple[Said, ...] = ()
        self._resting: dict[str, _Rest] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    # -- from any thread

    def start(self) -> None:
        """Begin to look; returns at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"nfc-{self.name}", daemon=True)
            self._thread.start()

    def stop(self, *, wait: bool = True) -> None:
        """End the thread and leave the device as it was found. Not from a callback, unless `wait` is False."""
        self._stop.set()
        with self._lock:
            front = self._front
        if front is not None:
            front.cancel()
        if wait and self._thread is not None:
            self._thread.join(5)

    @property
    def state(self) -> State:
        return self._life.state

    @property
    def lying(self) -> tuple[str, ...]:
        """What lies here, as far as a working reader knows."""
        with self._lock:
            return self._presence.lying if self._life.state is State.READY else ()

    def strength(self, uid: str) -> float:
        """How reliably this reader sees a tag, 0 to 1."""
        with self._lock:
            return self._presence.strength(uid)

    def seen(self, uid: str) -> float:
        """When this reader saw a tag last, on its clock."""
        with self._lock:
            return self._presence.seen(uid)

    def health(self) -> Health:
        """What to show about this reader now."""
        with self._lock:
            now, life = self._clock(), self._life
            return Health(
                self.name,
                self.place,
                life.state,
                self._noise() or life.said,
                now - life.since,
                device=self._device,
                model=self._model,
                heartbeat=None if self._beat is None else now - self._beat,
                drops=life.drops,
                quality=self._quality(),
                lying=self._presence.lying,
                uncertain=self._presence.uncertain,
                tried=self._tried,
            )

    # -- the thread

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                wait = self._attempt()
            except Exception:
                LOGGER.exception("reader %s: this should not happen; trying again", self.name)
                self._recover()
                wait = self._life.wait()
            self._idle(wait)
        self._move(State.ABSENT, said("stopped"))

    def _recover(self) -> None:
        self._claims.drop(self.name)
        if self._life.state is not State.ABSENT:
            self._move(State.ABSENT, said("failed", device=self._device, error="a fault in the program"))

    def _search(self) -> Search:
        return self._look(self._find, block=self._block)

    def _attempt(self) -> float:
        """Look for a reader and serve it as long as it lives; the seconds to wait before the next look."""
        found = self._search()
        devices = {candidate.device for candidate in found.candidates}
        self._resting = {device: rest for device, rest in self._resting.items() if device in devices}
        passed = list(found.passed_over)
        for candidate in found.candidates:
            why = self._keep_off(candidate) or self._serve(candidate)
            if why is None:  # it was ready and is lost, or we were stopped
                return self._life.wait()
            passed.append(why)
        with self._lock:
            self._tried = tuple(passed)
        if self._life.state is not State.LOST:  # what was here once stays "lost" until something else is tried
            self._move(State.ABSENT, self._verdict(found, passed))
        return self._life.wait() if found.candidates else self._tuning.rescan

    def _verdict(self, found: Search, passed: list[Said]) -> Said:
        """Of all that was passed over, the one thing to say."""
        worth = [why for why in passed if why.key.startswith(("denied", "busy", "silent", "no_libusb"))]
        if self._find.kind == "port" and passed:
            return passed[-1]
        if worth:
            return worth[0]
        return passed[0] if len(found.candidates) == 1 and len(passed) == 1 else said("none")

    def _keep_off(self, candidate: Candidate) -> Said | None:
        """Why not to touch a port at all."""
        device = candidate.device
        rest = self._resting.get(device)
        if rest is not None and self._clock() < rest.until:
            return rest.why
        if os.path.realpath(device) in map(os.path.realpath, self._claimed()):
            return said("held", device=device, holder="another device of this table")
        if not self._claims.take(device, self.name):
            return said("held", device=device, holder=f"the reader {self._claims.holder(device)}")
        if not candidate.named and holders(device):  # opening it could reset what another program talks to
            self._claims.drop(self.name)
            return busy(device)
        return None

    def _serve(self, candidate: Candidate) -> Said | None:
        """Open a device and watch it. The reason if it never became ready, None if it did."""
        device = candidate.device
        front = self._fronts(candidate)
        with self._lock:
            self._front, self._device = front, device
        try:
            self._move(State.OPENING, said("opening", device=device))
            try:
                front.open()
                self._move(State.HANDSHAKING, said("handshaking", device=device))
                front.handshake()
            except Exception as error:  # noqa: BLE001 - a device may fail in any way; it must not end the thread
                why = said("stopped") if self._stop.is_set() else explain(error, device).said
                if not candidate.named:
                    self._leave_alone(device, why)
                self._move(State.ABSENT, why)
                return why
            self._resting.pop(device, None)
            with self._lock:
                self._model, self._tried = front.model, ()
                self._clean.clear()
                self._beat = self._clock()
            self._move(State.READY, said("ready", model=front.model, device=device))
            why = self._watch(front)
            if not self._stop.is_set():
                often = why.key == "lost" and self._life.drops + 1 >= OFTEN
                self._move(State.LOST, said("lost_often", device=device, drops=self._life.drops + 1) if often else why)
            return None
        finally:
            with self._lock:
                self._front = None
            front.close()
            self._claims.drop(self.name)

    def _leave_alone(self, device: str, why: Said) -> None:
        """Ask a port that nobody named ever more rarely: it may be somebody else's, or a reader still waking up."""
        rest = self._resting.get(device)
        most = self._tuning.cap if why.key.startswith(("busy", "held")) else self._tuning.rest
        wait = min(rest.wait * 2, most) if rest else self._tuning.rescan
        self._resting[device] = _Rest(self._clock() + wait, wait, why)

    def _watch(self, front: Front) -> Said:
        """Poll until the device fails for good (why), or until `stop`."""
        failed = 0
        before: set[bytes] = set()
        stirred = self._clock()
        while not self._stop.is_set():
            try:
                calm = self._clock() - stirred >= self._tuning.after
                seen = self._poll(front, self._tuning.calm_ask if calm else self._tuning.ask)
            except FrontError as error:
                failed += 1
                stirred = self._clock()
                with self._lock:
                    self._clean.append(False)
                if error.fatal or failed > self._tuning.tolerate:
                    return error.said
            else:
                failed = 0
                if seen != before:
                    before, stirred = seen, self._clock()
                self._report(seen)
            self._stop.wait(self._tuning.calm if self._clock() - stirred >= self._tuning.after else self._tuning.pause)
        return said("stopped")

    def _poll(self, front: Front, ask: int) -> set[bytes]:
        with self._lock:
            lying = [uid_bytes(uid) for uid in self._presence.lying]
        return self._sweep(front.sense, lying, self._known_bytes, ask)

    def _known_bytes(self) -> list[bytes]:
        known = []
        for uid in self._known():
            with contextlib.suppress(ValueError):  # what cannot be a tag's number cannot lie here
                known.append(uid_bytes(uid))
        return known

    def _report(self, seen: set[bytes]) -> None:
        """Turn one clean poll into sightings and notices."""
        now = self._clock()
        fit, unfit = set(), {}
        for uid in seen:
            judged = check(uid)
            if judged.verdict is Verdict.REFUSED:
                unfit[_STRANGERS] = judged.said
            else:
                fit.add(judged.uid)
        with self._lock:
            self._beat = now
            self._clean.append(True)
            changes = self._presence.poll(fit, now)
        for change in self._unfit.poll(unfit, now):
            if change.placed:
                self._notice(unfit[change.uid])
        for change in changes:
            if change.placed and change.uid not in self._warned:
                self._warned.add(change.uid)
                self._notice(check(uid_bytes(change.uid)).said)
            self._call(self._on_sighting, Sighting(change.uid, self.name, self.place, change.placed, now))

    def _notice(self, about: Said | None) -> None:
        if about is not None:
            LOGGER.info("reader %s: %s", self.name, about)
            self._call(self._on_notice, about)

    def _move(self, state: State, why: Said) -> None:
        with self._lock:
            before = self._life.state
            aloud = self._life.move(state, why)
        level = logging.DEBUG if not aloud or why.key in {"stopped", "none", "absent"} else logging.WARNING
        LOGGER.log(logging.INFO if state is State.READY else level, "reader %s: %s", self.name, why)
        if state is not before or aloud:
            self._call(self._on_state, self.health())

    def _call(self, callback: Callable[..., None] | None, what: object) -> None:
        if callback is None:
            return
        try:
            callback(what)
        except Exception:
            LOGGER.exception("reader %s: who listens failed on %s", self.name, what)

    def _idle(self, seconds: float) -> None:
        """Wait, but not longer than until something is plugged in or out."""
        deadline = time.monotonic() + seconds
        before = self._devices()
        while not self._stop.is_set():
            left = deadline - time.monotonic()
            if left <= 0 or self._stop.wait(min(left, self._tuning.rescan)) or self._devices() != before:
                return

    def _devices(self) -> tuple[Candidate, ...]:
        try:
            return self._search().candidates
        except Exception:  # noqa: BLE001 - the next attempt will say it
            return ()

    def _quality(self) -> float:
        return sum(self._clean) / len(self._clean) if self._clean else 1.0

    def _noise(self) -> Said | None:
        quality = self._quality()
        if self._life.state is not State.READY or len(self._clean) < 50 or quality >= _NOISY:
            return None
        return said("noisy", percent=round(quality * 100), device=self._device)
