"""The devices of one table: readers and strip, real or simulated, tied to the desk. Here: choosing and wiring. Not here: protocols."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import simulated
from companion.hand import Hand, named
from companion.look.lamps import lamp
from companion.rules.game import Kind, View
from companion.rules.view import Stack, Text
from companion.settings import Settings
from companion.simtable.spec import ZONES
from companion.simulated import Simulated
from companion.table import box, figures, games
from companion.table.desk import Desk, Update
from companion.table.naming import kind_name
from companion.table.referee import Referee
from companion.table.setup import NONE
from companion.table.twin import PLACES, READERS, SINGLE, TRUST
from companion.tablet.port import Health, SimTag
from companion.words import render
from hardware.nfc import discovery
from hardware.nfc.arbiter import Conflict
from hardware.nfc.claims import PORTS
from hardware.nfc.readers import Place as ReaderPlace
from hardware.nfc.readers import Readers
from hardware.nfc.sighting import Sighting
from hardware.sim.pn532 import PN532Sim
from hardware.sim.track import TrackSim
from hardware.track import layout
from hardware.track.ports import Finder
from hardware.track.strip import Strip

LOGGER = logging.getLogger(__name__)


FIGURES = "figures.txt"
"""The UID file that the home screen's enrolment writes, in the data directory."""


def simulates(settings: Settings) -> bool:
    """Whether devices are simulated: as asked, or when none is attached."""
    if settings.simulate is not None:
        return settings.simulate
    if settings.readers or settings.track:
        return False
    return not (discovery.search(discovery.Find("auto")).candidates or Finder()())


class Devices:
    """Starts and stops the devices; none of them being there is no fault."""

    def __init__(
        self,
        settings: Settings,
        desk: Desk,
        referee: Referee,
        *,
        on_change: Callable[[], None],
        layout: str = "",
        board: Mapping[str, Any] | None = None,
    ) -> None:
        """``layout``: one of ``table.setup.LAYOUTS``, or "" for what the devices make likely; ``board``: the game's drawing, for a
        simulated table. Raises figures.FiguresError. What else was asked for has been checked (``asked``).
        """
        self._wanted, self._board = layout, board
        self._settings, self._desk, self._referee, self._on_change = settings, desk, referee, on_change
        self._stops: list[Callable[[], None]] = []
        self._shown: tuple[object, ...] = ()
        self.simulated = simulates(settings)
        self._reader_sim: PN532Sim | None = None
        self._track_sim: TrackSim | None = None
        self._hand: Hand | None = None
        self._mode = settings.sim_table if self.simulated and settings.headless else ""
        """The layout of the simulated table that is wanted; "": none is."""
        self._table: Simulated | None = None
        self._trouble = ""
        self._switching = threading.Lock()
        self._asked = self._stopped = False
        self.figures = self._figures()

    def start(self) -> None:
        self._desk.know(self.figures, self._layout(), [place for _, place in self._settings.readers if place])
        readers, track = (
            [ReaderPlace(f"reader {n}", port, place or None) for n, (port, place) in enumerate(self._settings.readers, 1)],
            None,
        )
        table = self._set_up() if self._mode and not readers and self._wanted != NONE else None
        if self._wanted == NONE:
            readers = []
        elif table is not None:
            readers, track = table.readers, table.table.track or None
        elif self.simulated and not readers:
            self._reader_sim = PN532Sim()
            self._stops.append(self._reader_sim.close)
            self._hand = Hand(self._reader_sim, self._desk.sight)
            readers = [ReaderPlace("simulated reader", self._reader_sim.path)]
        if self._settings.track:
            track = self._settings.track
        elif self.simulated and track is None:
            self._track_sim = TrackSim()
            self._stops.append(self._track_sim.close)
            track = self._track_sim.path
        self.strip = Strip(
            Finder(track, claimed=PORTS.ports), layout=layout.load(self._settings.calibration), on_state=lambda _health: self._on_change()
        )
        self.readers = Readers(
            readers or ([] if self._wanted == NONE else [ReaderPlace("reader")]),
            on_sighting=self._sighted,
            on_conflict=self._disputed,
            on_state=lambda _health: self._on_change(),
            known=lambda: [tag.uid for tag in self.figures.tags()],
            claimed=lambda: [port for port in (track, self.strip.health().port) if port],
        )
        self._stops.append(self._desk.watch(self._show))
        self._stops.append(self.strip.stop)
        self._stops.append(self.readers.stop)
        self.strip.start()
        self.readers.start()
        if self._settings.sim_table and not self._settings.headless and not self._asked and self.simulated:
            self._asked = True
            self.open_sim_table(self._settings.sim_table)  # its window takes its time, and the table need not wait for it

    def stop(self) -> None:
        self._stopped = True
        with self._switching:
            self._unplug()

    def _unplug(self) -> None:
        while self._stops:
            self._stops.pop()()
        self._reader_sim = self._track_sim = self._hand = self._table = None
        self._shown = ()

    # -- the simulated table

    @property
    def sim_table(self) -> str:
        """``open``, ``shut``, or "": there is a real reader, so there is none."""
        if not self.simulated or self._settings.readers or self._wanted == NONE:
            return ""
        return "open" if self._table is not None else "shut"

    def open_sim_table(self, mode: str = ZONES) -> None:
        """Opens the simulated table's window, or closes it ("") ; returns at once, and the health page says what came of it."""
        threading.Thread(target=self._switch, args=(mode,), name="simtable switch", daemon=True).start()

    def _switch(self, mode: str) -> None:
        with self._switching:
            if self._stopped or (mode == self._mode and self._table is not None):
                return
            self._mode, self._trouble = mode, ""
            self._unplug()
            try:
                self.start()
            except (OSError, ValueError):
                LOGGER.exception("the devices could not be started again")
        self._on_change()

    def _set_up(self) -> Simulated | None:
        """The simulated table with everything where it lies; None: it did not come up, and the health page says why."""
        settings = self._settings
        if self._mode == ZONES:
            self._desk.know(self.figures, READERS, [zone.id for zone in simulated.zones(self._desk)])
        try:
            told = simulated.spec(
                self._desk, self._referee, self.figures, self._mode,
                board=self._board, language=settings.language, theme=settings.theme, strip=not settings.track,
            )  # fmt: skip
            table = Simulated(told, window=not settings.headless, on_gone=lambda: self._switch(""))
        except OSError as fault:
            LOGGER.warning("simulated table: %s", fault)
            self._trouble = str(fault)
            self._desk.know(self.figures, self._layout(), ())
            return None
        self._stops.append(table.close)
        self._table = table
        return table

    # -- what is told

    def health(self) -> tuple[Health, ...]:
        """One line a device."""
        strip = self.strip.health()
        return (
            *self._table_health(),
            *(
                Health(
                    f"reader.{one.name}",
                    one.tone,
                    Text("service.reader", {"name": one.name}),
                    Text("service.said", {"text": one.said.text}),
                    "ui/reader",
                )
                for one in self.readers.health()
            ),
            Health(
                "track",
                strip.tone,
                Text("service.track"),
                Text("service.said", {"text": strip.line.removeprefix("LED track: ")}),
                "ui/strip",
            ),
        )

    def lying(self) -> tuple[str, ...]:
        """UIDs of all that lies on a reader."""
        return tuple(uid for one in self.readers.health() for uid in one.lying)

    def _table_health(self) -> tuple[Health, ...]:
        if not self.sim_table:
            return ()
        text = Text("simtable.failed", {"fault": self._trouble}) if self._trouble else Text(f"simtable.{self.sim_table}")
        return (Health("simtable", "careful" if self._trouble else "ok", Text("simtable.health"), text, "ui/tap"),)

    def lamps(self) -> list[tuple[int, int, int]]:
        """What the simulated strip shows; empty where a real one does."""
        if self._table is not None:
            return self._table.table.lamps()
        return self._track_sim.lamps() if self._track_sim else []

    # -- simulated figures

    def tags(self) -> tuple[SimTag, ...]:
        """Figures for the simulated reader; none where a real reader is."""
        if self._reader_sim is None:
            return ()
        view = self._desk.current.open
        stacks = _stacks(view)
        return tuple(
            SimTag(tag.uid, Text("service.figure", {"what": kind_name(view, tag.kind), "name": tag.name}), stack.seat, stack.mark)
            for tag in self.figures.tags()
            if (stack := stacks.get(tag.kind))
        )

    def tap(self, uid: str, place: str | None = None) -> None:
        """Lays a simulated figure on the simulated reader, for a place if one is named, and lifts it again. Raises OSError, ValueError."""
        if self._table is not None and place is not None:
            self._table.table.move(uid, place)
        elif self._hand is not None:
            self._hand.lay(uid, place)

    def typed_tap(self, words: list[str]) -> str:
        """A figure, and perhaps a place, as typed at the console. Returns what to say; what comes of it is a notice of the desk."""
        if self._table is not None:
            return self.typed("put", words)
        found = named(words, self.figures, self._places())
        if isinstance(found, str):
            return found
        uid, place = found
        self.tap(uid, place)
        return "" if place else "It is on the reader: touch a place on the tablet, or name one: tap koi bushi edo"

    def typed(self, verb: str, words: list[str]) -> str:
        """``put``, ``lift``, ``slide`` and ``settle`` as typed. Returns what to say. Raises OSError, ValueError."""
        if self._table is None:
            return f"{verb} is for the simulated table: run with --sim-table, or type simtable."
        return self._table.typed(verb, words, self.figures, self._places())

    def listed(self) -> str:
        """Every simulated figure, at a simulated table with where it lies."""
        language = self._settings.language
        kinds = box.kindred(self._referee.game, self._referee.seats)
        names = {
            tag.uid: f"{render(kinds[tag.kind].text, language)} {tag.name}".rstrip() for tag in self.figures.tags() if tag.kind in kinds
        }
        if self._table is not None:
            return self._table.listed(names)
        return "\n".join(f"{tag.uid}  {names.get(tag.uid, '')}" for tag in self.tags())

    def _places(self) -> Mapping[str, str]:
        """Every zone by its id, and by what is drawn on it (a shrine by its kami)."""
        found: dict[str, str] = {}
        for zone in simulated.zones(self._desk):
            found[zone.id] = zone.id
            if zone.mark:
                found[zone.mark.split("/")[-1]] = zone.id
        return found

    # -- wiring

    def _sighted(self, sighting: Sighting) -> None:
        if self._hand is not None:
            self._hand.sighted(sighting)
        elif sighting.placed:
            self._desk.sight(sighting.uid, sighting.place)
        elif sighting.place is not None:
            self._desk.lift(sighting.uid, sighting.place)

    def _disputed(self, conflict: Conflict) -> None:
        LOGGER.warning("tag %s is in two places: %s; lift it and set it down again", conflict.uid, ", ".join(conflict.readers))

    def _show(self, update: Update) -> None:
        """The newest picture for the strip; on the referee thread, so it only hands it over."""
        if self._table is not None:
            self._table.stand(self._referee.game.placement(self._referee.state))
        lights = update.lights
        if lights == self._shown:
            return
        self._shown = lights
        picture: dict[str, layout.Lamp] = {}
        for light in lights:
            look = lamp(light, self._referee.game.id)
            picture[light.name] = layout.Lamp(look.rgb, "".join(map(str, look.rhythm)), light.value, light.max)
        self.strip.show(picture)

    # -- choosing

    def _layout(self) -> str:
        """How figures' places become known. Figures that are only simulated are owed by nobody."""
        if self._register() is None or self._wanted in {NONE, TRUST}:
            return TRUST
        if self._wanted in {SINGLE, PLACES}:
            return self._wanted
        return READERS if any(place for _, place in self._settings.readers) else SINGLE

    def _register(self) -> Path | None:
        """The UID file: the one that was named, or, with real readers, the one that was made from the home screen."""
        own = self._settings.data / FIGURES
        return self._settings.figures or (own if not self.simulated and own.is_file() else None)

    def _figures(self) -> figures.Figures:
        file = self._register()
        if file is not None:
            known = games.box(self._referee.game)
            return figures.load(file, known.kinds, known.places)
        if not self.simulated or self._wanted == NONE:
            return figures.Figures()
        items = box.contents(self._referee.game, self._referee.seats, places=False)
        return figures.Figures([figures.Tag(box.made_up(item), kind=item.kind, name=item.name) for item in items])


def _stacks(view: View) -> Mapping[Kind, Stack]:
    """One stack of every kind the open table shows, for its seat and mark."""
    found: dict[Kind, Stack] = {}

    def walk(nodes: Sequence[object]) -> None:
        for node in nodes:
            walk(getattr(node, "nodes", ()))
            found.update({stack.kind: stack for stack in getattr(node, "stacks", ())})

    walk(view.sections)
    return found
