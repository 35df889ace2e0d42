"""A home screen under test: a house with nothing behind it, in the offscreen window."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch
from tablet_rig import MM, Clock

from companion.lobby.form import NewGame
from companion.lobby.port import CannotOpenError, Entry, Home
from companion.lobby.saved import SavedTable, Seated
from companion.rules.view import Text
from companion.table import games
from companion.tablet.home import HomeScreen

NAMES = {"koi": "Mira", "lotus": "Jonas", "turtle": "Айко", "dragonfly": "", "bonsai": "Ines"}


def raw(words: str) -> Text:
    return Text("table.raw", {"id": words})


def saved(game_id: str, seats: str = "koi lotus turtle dragonfly", *, ago: float = 0, **more: Any) -> SavedTable:
    people = tuple(Seated(seat, Text(f"rs.clan.{seat}"), NAMES[seat]) for seat in seats.split())
    phase = (Text("rs.title.political"), raw("Spring · Mandate 4 of 7"))
    return SavedTable(game_id, "rising_sun", Text("rs.offer.title"), people, phase, int(time.time() - ago), 12, **more)


LIST = (
    saved("aaaaaaaa", "koi lotus turtle dragonfly bonsai", ago=600),
    saved("bbbbbbbb", "koi lotus bonsai", ago=90_000),
    saved("cccccccc", "lotus turtle dragonfly", ago=3_000_000, ended=True),
    saved("dddddddd", ago=9_000_000, fault=Text("lobby.damaged", {"fault": "row 12 is damaged: go on from an earlier copy of the file"})),
)


class House:
    """Writes down what it is asked."""

    language, theme, readers, table = "en", "day", 0, None

    def __init__(self, home: Home | None = None, fault: str = "") -> None:
        self.data = Path("/nonexistent")
        self.offers = games.offers()
        self.entries: list[Entry] = []
        self.list = home or Home()
        self.fault = fault
        self.begun: list[NewGame] = []
        self.resumed: list[str] = []
        self.left = 0

    def home(self) -> Home:
        return self.list

    def begin(self, game: NewGame) -> str:
        if self.fault:
            raise CannotOpenError(self.fault)
        self.begun.append(game)
        return "a table"

    def resume(self, game_id: str) -> str:
        if self.fault:
            raise CannotOpenError(self.fault)
        self.resumed.append(game_id)
        return "a table"

    def leave(self) -> None:
        self.left += 1


class HomeRig:
    def __init__(self, house: House, *, size: tuple[int, int] = (1280, 800), mm: float = MM) -> None:
        EventLoop.ensure_window()
        EventLoop.status = "started"
        self.house, self.clock, self.opened = house, Clock(), []
        self.screen = HomeScreen(house, title="Jinmaku", opened=self.opened.append, clock=self.clock, millimetre=mm, size_hint=(None, None))
        self.screen.size = size
        self.state = self.screen.session
        Window.add_widget(self.screen)
        self.screen.start()
        self.until(lambda: self.state.home is not None)

    def close(self) -> None:
        self.screen.stop()
        Window.remove_widget(self.screen)

    def frames(self, n: int = 2) -> None:
        for _ in range(n):
            EventLoop.idle()

    def until(self, done: Any, patience: float = 10) -> None:
        end = time.monotonic() + patience
        while not done():
            assert time.monotonic() < end, "it did not happen"
            self.frames(1)
            time.sleep(0.002)

    @property
    def dump(self) -> dict[str, dict[str, Any]]:
        return self.screen.dump()

    def spot(self, wid: str) -> dict[str, Any]:
        found = self.dump
        assert wid in found, f"{wid} is not on the screen: {sorted(found)}"
        return found[wid]

    def press(self, wid: str) -> None:
        self.clock.now += 1
        x, y = self.spot(wid)["centre"]
        touch = UnitTestTouch(x, self.screen.height - y)
        touch.sx, touch.sy = x / (Window.width - 1), (self.screen.height - y) / (Window.height - 1)
        touch.touch_down()
        self.frames(1)
        touch.touch_up()
        self.frames(2)

    def type(self, text: str) -> None:
        """On the screen's own keys."""
        for sign in text:
            self.press("key:space" if sign == " " else f"key:{sign.lower()}")
