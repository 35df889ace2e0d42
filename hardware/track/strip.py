"""The LED track as the table sees it: tell it what to show; it finds the strip, keeps it showing that, and says how it is.

A device that comes and goes is a small state machine (``NEXT``) on a thread of its own that never ends before ``stop``. What to show is
state, not a queue: whatever happens on the way, the newest picture ends up on the strip, and all of it is sent again after any doubt.
Not here: bytes (``talk``), ports (``ports``, ``wire``), which lamp is which (``layout``), what the state is called (``health``).
"""

from __future__ import annotations

import logging
import random
import threading
from collections.abc import Callable, Mapping, Sequence

from firmware_proto import codec
from firmware_proto.codec import Ack, Bye, Identity, Ping, Pong
from hardware.track import health
from hardware.track.health import Health, Memory, State
from hardware.track.layout import RGB, Lamp, Layout, load
from hardware.track.ports import Candidate
from hardware.track.talk import Clock, RealClock, RefusedError, SilenceError, Talk
from hardware.track.wire import PortError, Wire

LOGGER = logging.getLogger(__name__)

RESTARTABLE = frozenset({State.ABSENT, State.LOST})
"""From these a search may begin."""
NEXT: Mapping[State, frozenset[State]] = {
    State.ABSENT: frozenset({State.OPENING}),
    State.OPENING: frozenset({State.HANDSHAKING, State.ABSENT, State.LOST}),
    State.HANDSHAKING: frozenset({State.READY, State.ABSENT, State.LOST}),
    State.READY: frozenset({State.HANDSHAKING, State.LOST}),
    State.LOST: frozenset({State.OPENING}),
}
"""What may follow what. ``stop`` leads to ABSENT from anywhere."""

LOOK_EVERY = 1.0
"""s between looks for new ports: listing them takes milliseconds, and a strip plugged in should light up while the hand is still there."""
PING_EVERY = 1.0
"""s. The firmware goes calm after five without a word, so four may be lost."""
LISTEN = 0.2
"""s to hear whether something else already talks on a port, before saying anything."""
ROLE = "track"


class _NotOursError(Exception):
    """Somebody answered, but not the track."""


class Strip:
    """``start`` it; ``show`` pictures from any thread; ``stop`` it."""

    def __init__(
        self,
        find: Callable[[], Sequence[Candidate]],
        *,
        clock: Clock | None = None,
        on_state: Callable[[Health], None] = lambda _: None,
        layout: Layout | None = None,
        device: str | None = None,
        pick: random.Random | None = None,
    ) -> None:
        """``find``: the candidates of the moment (``ports.Finder``). ``on_state`` is called on the strip's thread after each change.
        ``device``: the id, in hex, of the only board to use; without one, the first track found.
        """
        self._find = find
        self._clock = clock or RealClock()
        self._on_state = on_state
        self._only = device
        self._pick = pick
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._leaving = False
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._layout = layout or load()
        self._lamps: Mapping[str, Lamp | tuple[RGB, str]] | None = None
        self._wanted: tuple[codec.Settings, codec.Picture | None] = (self._layout.settings, None)
        # What follows belongs to the strip's thread alone.
        self._memory = Memory(self._clock.now())
        self._state = State.ABSENT
        self._wire: Wire | None = None
        self._talk: Talk | None = None
        self._at: Candidate | None = None
        self._told: codec.Settings | None = None
        self._crc: int | None = None
        """Of the picture the device says it shows; None: it has not said."""
        self._spoke = 0.0
        self._identity: Identity | None = None
        self._health = self._judge()

    # ------------------------------------------------------------------------------------------------ from any thread

    def start(self) -> None:
        """Begin to look. Works, and does no harm, without any strip."""
        self._thread = threading.Thread(target=self._run, name="track", daemon=True)
        self._thread.start()

    def stop(self, seconds: float = 3.0) -> None:
        """Say good-bye to the strip (it goes calm) and end."""
        self._stopped.set()
        self._wake.set()
        if self._thread:
            self._thread.join(seconds)

    def show(self, lamps: Mapping[str, Lamp | tuple[RGB, str]] | None) -> None:
        """Show exactly this from now on; None: the calm pattern. The newest wins. ValueError for a colour or rhythm that is none."""
        with self._lock:
            picture = None if lamps is None else self._layout.picture(lamps)
            self._lamps = lamps
            self._wanted = (self._layout.settings, picture)
        self._wake.set()

    def calibrate(self, layout: Layout) -> None:
        """The strip is like this from now on; shows the same lamps on it."""
        with self._lock:
            self._layout = layout
        self.show(self._lamps)

    def health(self) -> Health:
        """How it is now."""
        return self._health

    # ----------------------------------------------------------------------------------------------- the strip's thread

    def turn(self) -> None:
        """One step: one look for ports, one exchange, or one wait. The thread does nothing else; tests call it themselves."""
        if self._state is State.READY:
            self._converse()
        else:
            self._search()

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self.turn()
            except Exception:
                LOGGER.exception("the LED track's thread met something nobody thought of; it goes on")
                self._close()
                self._state = State.LOST
                self._clock.wait(self._stopped, LOOK_EVERY)
        self._leave()

    def _leave(self) -> None:
        if self._talk and self._state is State.READY:
            self._leaving = True
            try:
                self._talk.ask(Bye(0), Ack, tries=2, wait=0.2)
            except (SilenceError, RefusedError, OSError) as error:
                LOGGER.debug("the LED track did not hear the good-bye: %s", error)
        self._close()
        self._memory.off = True
        self._state = State.ABSENT
        self._publish()

    def _search(self) -> None:
        assert self._state in RESTARTABLE
        now = self._clock.now()
        found = self._find()
        self._memory.seen(found)
        for candidate in found:
            if self._memory.due(candidate, now) and not self._stopped.is_set() and self._try(candidate):
                return
        self._publish()
        self._clock.wait(self._stopped, LOOK_EVERY)

    def _try(self, candidate: Candidate) -> bool:
        """It is the track, and shows what it should."""
        began = self._clock.now()
        self._at = candidate
        self._enter(State.OPENING)
        try:
            self._wire = candidate.open()
            self._talk = Talk(self._wire, self._clock, given_up=lambda: self._stopped.is_set() and not self._leaving, pick=self._pick)
            self._enter(State.HANDSHAKING)
            self._listen()
            self._greet()
        except (PortError, SilenceError, RefusedError, _NotOursError, OSError) as error:
            kind, text = health.failure(candidate, error, ours=isinstance(error, _NotOursError))
            if not self._stopped.is_set():
                self._memory.failed(candidate, kind, text, self._clock.now())
            self._close()
            self._rest()
            return False
        self._memory.succeeded(candidate)
        assert self._identity
        LOGGER.info("LED track found on %s in %.1f s: %d lamps", candidate.path, self._clock.now() - began, self._identity.lamps)
        self._enter(State.READY)
        return True

    def _listen(self) -> None:
        """Nothing is written to a port where something else evidently talks."""
        assert self._talk
        assert self._at
        other = health.foreign(self._talk.listen(LISTEN))
        if other:
            raise _NotOursError(f"{self._at.path} is {other}; it is left alone")

    def _greet(self) -> None:
        """Hello, is it the right one, and everything painted."""
        assert self._talk
        assert self._at
        identity = self._talk.hello()
        if identity.role != ROLE:
            raise _NotOursError(f"{self._at.path} is {identity.role}, not the LED track")
        if self._only not in {None, identity.device.hex()}:
            raise _NotOursError(f"{self._at.path} is another LED track ({identity.device.hex()}), not {self._only}")
        if identity.version != codec.VERSION:
            raise RefusedError(codec.WRONG_VERSION, f"it speaks protocol {identity.version}, not {codec.VERSION}")
        self._identity, self._told, self._crc = identity, None, None
        while not self._paint():
            pass

    def _paint(self) -> bool:
        """One step nearer to what is wanted; True when there is nothing left to do."""
        assert self._talk
        settings, picture = self._wanted
        want = picture.crc() if picture else 0
        if self._told is not settings:
            answer = self._talk.ask(settings, Ack)
            self._told = settings
        elif self._crc != want:
            answer = self._talk.ask(picture or Bye(0), Ack)
            if answer.crc != want:
                raise SilenceError("it took the picture and shows another")
        else:
            return True
        self._crc = answer.crc
        self._talk.quality.bad = answer.bad
        self._spoke = self._clock.now()
        return False

    def _converse(self) -> None:
        assert self._talk
        self._wake.clear()
        try:
            if self._paint():
                left = self._spoke + PING_EVERY - self._clock.now()
                if left > 0:
                    self._clock.wait(self._wake, left)
                    return
                self._crc = self._talk.ask(Ping(0), Pong).crc
                self._spoke = self._clock.now()
            if self._talk.quality.poor and self._memory.warn_once():
                LOGGER.warning("%s", health.poor_line(self._talk.quality))
            self._publish()
        except RefusedError as error:
            self._again(error)
        except (SilenceError, OSError) as error:
            self._lose(error)

    def _again(self, error: RefusedError) -> None:
        """The board was reset, or slept through our silence, but its port is still there: greet and paint without closing it."""
        assert self._at
        if error.code != codec.HELLO_FIRST:
            self._lose(error)
            return
        LOGGER.info("the LED track on %s was reset; painting it again", self._at.path)
        self._enter(State.HANDSHAKING)
        try:
            self._greet()
            self._enter(State.READY)
        except (SilenceError, RefusedError, _NotOursError, OSError) as worse:
            self._lose(worse)

    def _lose(self, error: Exception) -> None:
        if self._stopped.is_set():
            return
        assert self._at
        self._memory.lost(self._at, self._identity.device if self._identity else b"", error, self._clock.now())
        self._close()
        self._enter(State.LOST)

    def _close(self) -> None:
        if self._wire:
            self._wire.close()
        self._wire = self._talk = None

    def _rest(self) -> None:
        self._enter(State.LOST if self._memory.had else State.ABSENT)

    def _enter(self, state: State) -> None:
        assert state in NEXT[self._state], f"{self._state} -> {state}"
        self._state = state
        self._publish()

    def _judge(self) -> Health:
        quality = self._talk.quality if self._talk else None
        return health.judge(self._state, self._memory, now=self._clock.now(), at=self._at, identity=self._identity, quality=quality)

    def _publish(self) -> None:
        new = self._judge()
        old, self._health = self._health, new
        if (new.state, new.tone, new.port) != (old.state, old.tone, old.port):
            try:
                self._on_state(new)
            except Exception:
                LOGGER.exception("what watches the LED track failed; the track goes on")
