"""Enrolment at work: the machine of ``table.enrolment`` tied to readers and to the file. Whatever shows it asks here and is told of changes.

Here: readers, the file, one lock. Not here: what a tag means (``table.enrolment``), words on a screen, typed words (``companion.enrolling``).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from companion import labels
from companion.rules.game import Seat
from companion.rules.view import Text
from companion.table import games
from companion.table.box import Item, contents, fitting, made_up
from companion.table.enrolment import Enrolment, Roll, Tone
from companion.table.figures import Figures, load
from hardware.nfc.readers import Place as ReaderPlace
from hardware.nfc.readers import Readers
from hardware.nfc.said import Said
from hardware.nfc.sighting import Sighting
from hardware.sim.pn532 import PN532Sim

ENROL, CHECK = "enrol", "check"
TAP = 0.3
"""Seconds a simulated tag goes on lying once the simulated reader has seen it."""
AWAY = 0.7
"""Seconds until a reader has surely noticed that a tag was lifted."""
HEAD = "# Figures of one box: the tag's number, the piece, its number. Written by Jinmaku; comments and order are kept.\n"
_UNFIT = {"phone": "08000000", "cut_uid": "88000000"}


class Shown(Struct, frozen=True):
    """Everything there is to show, at one moment."""

    mode: str
    machine: Enrolment
    roll: Roll
    reader: str
    """The reader's state in one sentence: without a heartbeat nobody waits for a tag."""
    tone: str
    said: Text | None
    said_tone: Tone
    simulated: bool
    taps: int
    """How many tags were laid down, and told of, so far."""


class Enrol:
    """One box at one reader. Its methods may be called on any thread; ``on_change`` runs on whichever it was."""

    def __init__(
        self,
        path: Path,
        seats: Sequence[Seat],
        *,
        game: str = "rising_sun",
        override: Path | None = None,
        ports: Sequence[str] = (),
        simulate: bool = False,
        places: bool = True,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """A file that is not there yet is begun. Raises FiguresError, FactsError, ValueError naming what is wrong and the fix."""
        loaded = games.load(game, override)
        self.path, self.game = path, game
        self.items: tuple[Item, ...] = contents(loaded.game, seats, places=places)
        figures = load(path) if path.exists() else Figures([HEAD.rstrip()])
        self._machine, self._roll = Enrolment.begin(self.items, figures), Roll(self.items, figures)
        self._mode = ENROL
        self._lock = threading.RLock()
        self._fault: Text | None = None
        self._taps = 0
        self._timers: list[threading.Timer] = []
        self.on_change = on_change
        self._sim = PN532Sim() if simulate else None
        found = [self._sim.path] if self._sim else list(ports) or ["auto"]
        self._readers = Readers(
            [ReaderPlace(f"reader {n}", port) for n, port in enumerate(found, 1)],
            on_sighting=self._sighted,
            on_conflict=lambda _conflict: None,
            on_state=lambda _health: self.on_change(),
            on_notice=self._noticed,
        )

    def start(self) -> None:
        self._readers.start()

    def stop(self) -> None:
        self._readers.stop()
        if self._sim is not None:
            self._sim.close()

    # -- what is shown

    def shown(self) -> Shown:
        health = min(self._readers.health(), key=lambda one: one.tone != "ok")
        with self._lock:
            part = self._machine if self._mode == ENROL else self._roll
            said, tone = (self._fault, "refused") if self._fault is not None else (part.said, part.tone)
            return Shown(
                self._mode, self._machine, self._roll, health.said.text, health.tone, said, tone, self._sim is not None, self._taps
            )

    # -- what hands do

    def tap(self, uid: str) -> None:
        """A tag, from a reader or typed."""
        with self._lock:
            if self._mode == CHECK:
                self._roll = self._roll.tap(uid)
            else:
                self._take(self._machine.tap(uid))
        self.on_change()
        self._taps += 1  # whoever waits for it finds everything said

    def simulate(self, uid: str = "") -> str:
        """Lays a simulated tag on the simulated reader: this one, or the one made for the piece at hand. Returns its number. Raises ValueError."""
        if self._sim is None:
            raise ValueError("the reader here is a real one: lay a tag on it")
        if not uid:
            uid = self._at_hand()
        return self._swap(self._sim, uid)

    def _swap(self, sim: PN532Sim, uid: str) -> str:
        """One hand: what lay there is lifted first, and the same tag comes back only after the reader has missed it."""
        tag = sim.tag(uid)
        while self._timers:
            self._timers.pop().cancel()
        for lying in sim.lying():
            sim.take(lying)
        again = any(tag.name in health.lying for health in self._readers.health())
        return sim.put(tag, after=AWAY if again else 0.0).name

    def _lift(self) -> None:
        """The simulated hand has seen enough."""
        if self._sim is None:
            return
        for uid in self._sim.lying():
            timer = threading.Timer(TAP, self._sim.take, [uid])
            timer.daemon = True
            self._timers.append(timer)
            timer.start()

    def _at_hand(self) -> str:
        """The number of the simulated tag that is wanted now."""
        with self._lock:
            if self._mode == CHECK:
                tags = fitting(self.items, self._roll.figures)
                unseen = [tag.uid for i, tag in tags.items() if i not in self._roll.seen and tag.kind]
                return next(iter(unseen), next((tag.uid for tag in tags.values()), made_up(self.items[0])))
            return made_up(self._machine.item or self.items[0])

    def answer(self, *, yes: bool) -> None:
        self._do(lambda machine: machine.answer(yes=yes))

    def skip(self) -> None:
        self._do(Enrolment.skip)

    def back(self) -> None:
        self._do(Enrolment.back)

    def again(self) -> None:
        self._do(Enrolment.again)

    def forget(self) -> None:
        self._do(Enrolment.forget)

    def go(self, index: int) -> None:
        self._do(lambda machine: machine.go(index))

    def check(self, *, on: bool) -> None:
        """The roll-call instead of giving tags, or the other way round."""
        with self._lock:
            self._mode = CHECK if on else ENROL
            self._roll = Roll(self.items, self._machine.figures)
        self.on_change()

    def labels(self, lang: str) -> Path:
        """Writes the label sheet beside the file; its path. Raises OSError."""
        path = self.path.with_suffix(".labels.html")
        labels.save(path, labels.sheet(self.items, self._machine.figures, lang, self.game))
        return path

    # -- inside

    def _do(self, step: Callable[[Enrolment], Enrolment]) -> None:
        with self._lock:
            self._take(step(self._machine))
        self.on_change()

    def _take(self, machine: Enrolment) -> None:
        """The new machine, on disk before it is said; what the disk refuses is kept, and tried again by the next step."""
        changed = machine.figures is not self._machine.figures or self._fault is not None
        self._machine, self._fault = machine, None
        if changed:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                machine.figures.save(self.path)
            except OSError as fault:
                self._fault = Text("enrol.not_saved", {"file": self.path.name, "fault": fault.strerror or str(fault)})

    def _sighted(self, sighting: Sighting) -> None:
        if sighting.placed:
            self._lift()
            self.tap(sighting.uid)

    def _noticed(self, _reader: str, about: Said) -> None:
        """The reader has refused a tag: the machine says why."""
        self._lift()
        if about.key in _UNFIT:
            self.tap(str(about.args.get("uid", _UNFIT[about.key])))
