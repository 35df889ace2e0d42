"""The simulated table of one game: made from what lies where, told what the app has, moved by typed words or in its own window.

Here: tying ``simtable`` to a game. Not here: the table itself (``simtable``), readers' drivers, what a sighting means (``devices``, ``table``).
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.hand import Understood, understood
from companion.rules.game import Place
from companion.rules.view import Section, Zone
from companion.simtable.far import Far
from companion.simtable.physical import Physical, Stand
from companion.simtable.spec import BOX, ONE, READER, Piece, Spec
from companion.simtable.spec import Zone as Spot
from companion.table.box import kindred
from companion.table.desk import Desk
from companion.table.figures import Figures, Tag
from companion.table.referee import Referee
from hardware.nfc.readers import Place as ReaderPlace

LOGGER = logging.getLogger(__name__)
PATIENCE = 10.0
"""Seconds the referee's thread may take to say where everything is."""
RESERVE = "reserve."


def zones(desk: Desk) -> tuple[Zone, ...]:
    """Every place of the board."""
    nodes = (node for section in desk.current.open.sections if isinstance(section, Section) for node in section.nodes)
    return tuple(node for node in nodes if isinstance(node, Zone))


def spec(
    desk: Desk, referee: Referee, figures: Figures, layout: str, *, board: Mapping[str, Any] | None, language: str, theme: str, strip: bool
) -> Spec:
    """What there is and where it lies; asks the desk's thread, so the desk must run."""
    kinds = kindred(referee.game, referee.seats)
    names = referee.names()
    pieces = tuple(
        Piece(tag.uid, tag.kind, kinds[tag.kind].text, tag.name, kinds[tag.kind].seat, kinds[tag.kind].mark)
        for tag in figures.tags()
        if tag.kind in kinds
    )
    spots = tuple(Spot(zone.id, zone.text, zone.mark) for zone in zones(desk))
    seats = {seat: names.seat(seat) for seat in referee.seats}
    return Spec(referee.game.id, layout, pieces, spots, seats, _placed(desk), board, language, theme, strip)


def _placed(desk: Desk) -> Mapping[str, Place]:
    found: queue.SimpleQueue[Mapping[str, Place]] = queue.SimpleQueue()
    desk.whereabouts(found.put)
    try:
        return found.get(timeout=PATIENCE)
    except queue.Empty:
        raise OSError("the referee did not say where the figures are: close the table and open it again") from None


class Simulated:
    """Plugged in when made. ``on_gone``: its window was closed; on another thread. Raises OSError."""

    def __init__(self, told: Spec, *, window: bool, on_gone: Callable[[], None]) -> None:
        self.spec = told
        self.windowed = window
        self.table: Physical | Far = Far(told, on_gone) if window else Physical(told)
        self._stands: queue.SimpleQueue[Stand | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._tell, name="simtable stand", daemon=True)
        self._thread.start()

    @property
    def readers(self) -> list[ReaderPlace]:
        """Its readers as the owner's settings would name them."""
        one = self.spec.layout == ONE
        return [
            ReaderPlace("simulated reader" if one else f"simulated {place}", port, None if one else place)
            for place, port in self.table.ports.items()
        ]

    def stand(self, placement: Stand) -> None:
        """Where the app has its pieces now; told from another thread, for the window may be slow."""
        self._stands.put({place: dict(pile) for place, pile in placement.items() if pile})

    def _tell(self) -> None:
        while (stand := self._stands.get()) is not None:
            try:
                self.table.stand(stand)
            except (OSError, ValueError) as fault:
                LOGGER.debug("the simulated table was not told: %s", fault)

    def close(self) -> None:
        self._stands.put(None)
        self._thread.join(5)
        self.table.close()

    # -- typed words

    def typed(self, verb: str, words: Sequence[str], figures: Figures, places: Mapping[str, str]) -> str:
        """``put koi bushi 1 edo``, ``lift koi bushi 1``, ``slide koi bushi edo kyoto``, ``settle``. Returns what to say. Raises OSError, ValueError."""
        if verb == "settle":
            n = self.table.settle()
            return f"{n} figure{'' if n == 1 else 's'} set where the app has {'it' if n == 1 else 'them'}."
        reader = {READER: READER} if self.spec.layout == ONE else {}
        found = understood(words, figures, {**places, **reader, **self._reserves()})
        if isinstance(found, str):
            return found
        where = self.table.where()
        fault = _fault(verb, found)
        if fault:
            return fault
        here = found.places[0] if verb == "slide" and len(found.places) == 2 else None
        tag = _which(found, where, here, verb)
        if tag is None:
            return "No such figure lies there; list shows where each one is."
        place = found.places[-1] if found.places else READER if verb == "put" and reader else BOX
        self.table.move(tag.uid, place if verb != "lift" else self._home(tag))
        return ""

    def _reserves(self) -> Mapping[str, str]:
        return {f"{RESERVE}{seat}": f"{RESERVE}{seat}" for seat in self.spec.seats}

    def _home(self, tag: Tag) -> Place:
        """Where a lifted figure is put away."""
        home = f"{RESERVE}{tag.kind.split('/')[0]}"
        return home if home in self.spec.places else BOX

    def listed(self, names: Mapping[str, str]) -> str:
        """Every piece and where it lies; ``names``: what each UID is called."""
        where = self.table.where()
        order = sorted(where, key=lambda uid: (where[uid], names.get(uid, "")))
        return "\n".join(f"{uid}  {names.get(uid, '')}  {where[uid] or 'box'}" for uid in order)


def _fault(verb: str, found: Understood) -> str:
    if verb == "lift" and found.places:
        return "lift takes a figure and no place: lift koi bushi 1"
    if verb == "slide" and not found.places:
        return "slide takes a figure and where it goes: slide koi bushi 1 kyoto, or slide koi bushi edo kyoto"
    if verb == "put" and len(found.places) > 1:
        return "put takes a figure and one place: put koi bushi 1 edo"
    return ""


def _which(found: Understood, where: Mapping[str, Place], here: Place | None, verb: str) -> Tag | None:
    """Which of several alike: the one at the named place, one from the reserve to be put, one from the board to be lifted or slid."""
    if here is not None:
        return next((tag for tag in found.tags if where.get(tag.uid) == here), None)

    def away(tag: Tag) -> bool:
        place = where.get(tag.uid, BOX)
        return place == BOX or place.startswith(RESERVE)

    wanted = [tag for tag in found.tags if away(tag) == (verb == "put")] or found.tags
    return min(wanted, key=lambda tag: where.get(tag.uid) != READER)
