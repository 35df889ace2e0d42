"""What the tests of readers share: fast times, waiting, and a reader that remembers all it said."""

import time

from hardware.nfc import Reader, Tuning
from hardware.nfc.claims import Claims

FAST = Tuning(pause=0.002, rescan=0.01, first=0.01, cap=0.05, away=0.15)


def until(condition, seconds=15.0):
    """Wait until a condition holds; fail if it does not in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


class Watched:
    """A reader and all it said."""

    def __init__(self, find, **options):
        self.sightings, self.states, self.notices = [], [], []
        options = {"name": "r", "tuning": FAST, "claims": Claims(), "on_sighting": self.sightings.append} | options
        self.reader = Reader(find, on_state=self.states.append, on_notice=lambda about: self.notices.append(about.key), **options)
        self.reader.start()

    def ready(self):
        until(lambda: self.reader.state == "ready")
        return self

    @property
    def told(self):
        return [(sighting.uid, sighting.placed) for sighting in self.sightings]

    def said(self, key):
        return any(health.said.key == key for health in self.states)
