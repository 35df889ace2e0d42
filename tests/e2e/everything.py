"""A table with all its wires: window, phones, a simulated reader and strip; and the look at all of them at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.look.lamps import lamp
from companion.rules.view import Light
from companion.table import figures
from e2e.phones import Browser, Phone
from e2e.running import Display, Table, free_ports, until
from hardware.sim.pn532 import PN532Sim
from hardware.sim.track import TrackSim
from hardware.track import layout

COUNTERS = ("vp", "coins", "ronin")


class Everything:
    """``figures``: lines of the UID file; ``place``: where the reader lies, "" for one to tap figures on."""

    def __init__(self, home: Path, browser: Browser, seats: Sequence[str], register: Sequence[str], place: str = "") -> None:
        self.reader, self.track, self.display, self.browser = PN532Sim(), TrackSim(), Display(), browser
        self.seats = tuple(seats)
        self.register = home / "figures.txt"
        self.register.write_text("".join(f"{line}\n" for line in register), encoding="utf-8")
        assert len(figures.load(self.register)) == len(register)
        reader = f"{self.reader.path}={place}" if place else self.reader.path
        words = ["--reader", reader, "--track", self.track.path, "--figures", str(self.register)]
        self.table = Table(home, free_ports(1)[0], *words, display=self.display)
        self.phones: dict[str, Phone] = {}

    def close(self) -> None:
        code = self.table.stop()
        for device in (self.display, self.reader, self.track):
            device.close()
        assert code == 0, self.table.log.read_text(encoding="utf-8")[-3000:]

    def join(self, seat: str) -> None:
        url = until(f"{seat}'s code on the tablet", lambda: (self.table.widget(f"join:{seat}") or {"value": {"url": ""}})["value"]["url"])
        self.phones[seat] = self.browser.phone(url).online()

    def reached(self, revision: int) -> dict[str, Any]:
        """What the referee tells once it stands there, and no further."""
        told: dict[str, Any] = until(f"revision {revision}", lambda: told if (told := self.table.look())["revision"] >= revision else None)
        assert told["revision"] == revision
        return told

    @contextlib.contextmanager
    def laid(self, uid: str) -> Iterator[None]:
        """A figure lies on the reader; whose hand it is looks what comes of it before it is lifted, and until the reader has missed it.

        However busy the machine is: a figure that was lifted and laid down between two looks of the reader never left it.
        """
        self.reader.put(uid)
        yield
        self.reader.take(uid)
        until(f"the reader to miss {uid}", lambda: uid not in self.table.look()["lying"])

    # -- the same everywhere

    def agree(self, revision: int, seat: str, command: dict[str, Any]) -> dict[str, Any]:
        """Referee, journal, phones, window and lamps all stand after this command."""
        told = self.reached(revision)
        row = self.table.journal()[-1]
        assert (row["revision"], row["seat"]) == (revision, seat)
        assert command.items() <= row["command"].items()
        self.lamps_agree()
        for phone in self.phones.values():
            phone.online(revision)
            for zone, kinds in told["placement"].items():
                if not zone.startswith("reserve"):
                    assert phone.zone(zone) == kinds, f"{zone} on a phone"
        until("the window to show it", self._window_agrees)
        return told

    def lamps_agree(self) -> None:
        """The strip's firmware shows the picture of the referee's lamps, and really drives the first of them."""
        lights = self.table.look()["lights"]
        wanted = {}
        for name, role, effect, value, most in lights:
            look = lamp(Light(name, role, effect), "rising_sun")
            wanted[name] = layout.Lamp(look.rgb, "".join(map(str, look.rhythm)), value, most)
        strip = layout.load()
        picture = strip.picture(wanted)
        until("the firmware to show this picture", lambda: (shown := self.track.picture()) and shown.segments == picture.segments)
        first, _ = strip.lamps["mandate.1"]
        red, green, blue = lamp(Light("mandate.1", next(role for name, role, *_ in lights if name == "mandate.1")), "rising_sun").rgb
        strongest = max(range(3), key=lambda i: (red, green, blue)[i])
        # What is driven follows the picture by a frame: at first it can still be the calm of a strip that waits for its table.
        until(f"mandate.1 to be lit as {(red, green, blue)}", lambda: 0 < (driven := self.track.lamps()[first])[strongest] == max(driven))

    def _window_agrees(self) -> bool:
        screen = self.table.look()["screen"]
        phone = next(iter(self.phones.values()))
        for seat in self.seats:
            for counter in COUNTERS:
                shown = screen.get(f"counter:{seat}:{counter}")
                if shown is None or shown["value"] != phone.counter(seat, counter):
                    return False
        return True
