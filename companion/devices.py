"""The devices of one table: readers and strip, real or simulated, tied to the desk. Here: choosing and wiring. Not here: protocols."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence

from companion.hand import Hand, named
from companion.look.lamps import lamp
from companion.rules.game import Kind, View
from companion.rules.view import Stack, Text, Zone
from companion.settings import Settings
from companion.table import figures, games
from companion.table.desk import Desk, Update
from companion.table.naming import kind_name
from companion.table.referee import Referee
from companion.table.twin import READERS, SINGLE, TRUST
from companion.tablet.port import Health, SimTag
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


class Devices:
    """Starts and stops the devices; none of them being there is no fault."""

    def __init__(self, settings: Settings, desk: Desk, referee: Referee, *, on_change: Callable[[], None]) -> None:
        """Raises figures.FiguresError, ValueError for a reader that is named wrongly."""
        self._settings, self._desk, self._referee, self._on_change = settings, desk, referee, on_change
        self._stops: list[Callable[[], None]] = []
        self._shown: tuple[object, ...] = ()
        self._check_places()
        self.simulated = self._simulates()
        self._reader_sim: PN532Sim | None = None
        self._track_sim: TrackSim | None = None
        self._hand: Hand | None = None
        self.figures = self._figures()

    def start(self) -> None:
        self._desk.know(self.figures, self._layout(), [place for _, place in self._settings.readers if place])
        readers, track = (
            [ReaderPlace(f"reader {n}", port, place or None) for n, (port, place) in enumerate(self._settings.readers, 1)],
            None,
        )
        if self.simulated and not readers:
            self._reader_sim = PN532Sim()
            self._stops.append(self._reader_sim.close)
            self._hand = Hand(self._reader_sim, self._desk.sight)
            readers = [ReaderPlace("simulated reader", self._reader_sim.path)]
        if self._settings.track:
            track = self._settings.track
        elif self.simulated:
            self._track_sim = TrackSim()
            self._stops.append(self._track_sim.close)
            track = self._track_sim.path
        self.strip = Strip(
            Finder(track, claimed=PORTS.ports), layout=layout.load(self._settings.calibration), on_state=lambda _health: self._on_change()
        )
        self.readers = Readers(
            readers or [ReaderPlace("reader")],
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

    def stop(self) -> None:
        while self._stops:
            self._stops.pop()()

    # -- what is told

    def health(self) -> tuple[Health, ...]:
        """One line a device."""
        strip = self.strip.health()
        return (
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

    def lamps(self) -> list[tuple[int, int, int]]:
        """What the simulated strip shows; empty where a real one does."""
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
        """Lays a simulated figure on the simulated reader, for a place if one is named, and lifts it again."""
        if self._hand is not None:
            self._hand.lay(uid, place)

    def typed_tap(self, words: list[str]) -> str:
        """A figure, and perhaps a place, as typed at the console. Returns what to say; what comes of it is a notice of the desk."""
        found = named(words, self.figures, self._places())
        if isinstance(found, str):
            return found
        uid, place = found
        self.tap(uid, place)
        return "" if place else "It is on the reader: touch a place on the tablet, or name one: tap koi bushi edo"

    def _places(self) -> Mapping[str, str]:
        """Every zone by its id, and by what is drawn on it (a shrine by its kami)."""
        found: dict[str, str] = {}
        for zone in (node for section in self._desk.current.open.sections for node in section.nodes if isinstance(node, Zone)):
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

    def _check_places(self) -> None:
        """A reader at a place that does not exist would never be understood."""
        places = games.box(self._referee.game).places
        for port, place in self._settings.readers:
            fault = figures.unknown("place", place, places) if place else ""
            if fault:
                raise ValueError(f"--reader {port}={place}: {fault}")

    def _layout(self) -> str:
        """How figures' places become known. Figures that are only simulated are owed by nobody."""
        if self._settings.figures is None:
            return TRUST
        return READERS if any(place for _, place in self._settings.readers) else SINGLE

    def _simulates(self) -> bool:
        if self._settings.simulate is not None:
            return self._settings.simulate
        if self._settings.readers or self._settings.track:
            return False
        return not (discovery.search(discovery.Find("auto")).candidates or Finder()())

    def _figures(self) -> figures.Figures:
        if self._settings.figures is not None:
            box = games.box(self._referee.game)
            return figures.load(self._settings.figures, box.kinds, box.places)
        if not self.simulated:
            return figures.Figures()
        counts = sorted(_counts(self._referee).items())
        made = [figures.Tag(_uid(f"{kind} {n}"), kind=kind, name=str(n)) for kind, count in counts for n in range(1, count + 1)]
        return figures.Figures(made)


def _uid(name: str) -> str:
    """A simulated NXP tag's number: 04 and six bytes that are the same for the same figure every time."""
    return "04" + hashlib.blake2b(name.encode(), digest_size=6).hexdigest().upper()


def _counts(referee: Referee) -> Mapping[Kind, int]:
    """How many pieces of each kind there are, wherever they are."""
    counts: dict[Kind, int] = {}
    for kinds in referee.game.placement(referee.state).values():
        for kind, n in kinds.items():
            counts[kind] = counts.get(kind, 0) + n
    return counts


def _stacks(view: View) -> Mapping[Kind, Stack]:
    """One stack of every kind the open table shows, for its seat and mark."""
    found: dict[Kind, Stack] = {}

    def walk(nodes: Sequence[object]) -> None:
        for node in nodes:
            walk(getattr(node, "nodes", ()))
            found.update({stack.kind: stack for stack in getattr(node, "stacks", ())})

    walk(view.sections)
    return found
