"""One window, two roots: from the home screen to a game and back, set as it was, whoever opened the game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from home_rig import LIST, House
from kivy.base import EventLoop
from kivy.core.window import Window
from tablet_picture import Stand, summon, update

from companion.lobby.port import Home
from companion.tablet.home import HomeScreen
from companion.tablet.screen import Screen
from companion.tablet.window import TabletApp


class Tables(House):
    """Opens a table with nothing behind it."""

    def __init__(self) -> None:
        super().__init__(Home(LIST))
        self.stand = Stand(update(summon()))

    def resume(self, game_id: str) -> Any:
        super().resume(game_id)
        return self.stand


@pytest.fixture
def open_app() -> Iterator[Callable[..., TabletApp]]:
    apps: list[TabletApp] = []

    def opened(table: Any, lobby: Any) -> TabletApp:
        EventLoop.ensure_window()
        EventLoop.status = "started"
        app = TabletApp(table, title="Jinmaku", lobby=lobby)
        Window.add_widget(app.build())
        app.on_start()
        apps.append(app)
        return app

    yield opened
    for app in apps:
        app.on_stop()
        Window.remove_widget(app.screen)
        Window.rotation = 0


def until(true: Callable[[], Any]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end, "it did not happen"
        EventLoop.idle()


def test_from_home_to_a_game_and_back_nothing_is_set_anew(open_app: Callable[..., TabletApp]) -> None:
    house = Tables()
    house.language, house.theme = "ru", "night"
    app = open_app(None, house)
    until(lambda: isinstance(app.screen, HomeScreen) and app.screen.session.home is not None)
    app.screen.session.resize(1)
    app.screen.session.resume("aaaaaaaa")
    until(lambda: isinstance(app.screen, Screen))
    session = app.screen.session
    assert (session.speech.lang, session.theme, session.scale) == ("ru", "night", 1.25)
    app._opened(house.stand)
    assert app.screen.session is session, "it is already there"
    assert session.home is not None
    session.rotation = 180
    session.next_theme()
    session.home()
    until(lambda: house.left == 1 and isinstance(app.screen, HomeScreen) and app.screen.session.busy is None)
    assert app.screen.session.theme == "day" and app.table is None
    app.dump()
    assert Window.rotation == 180, "the glass is still turned"
    app.on_resume()
    assert app.find("saved:aaaaaaaa") is not None and app.find("nothing") is None


def test_a_game_opened_elsewhere_takes_the_window(open_app: Callable[..., TabletApp]) -> None:
    house = Tables()
    app = open_app(house.stand, house)
    other = Stand(update(summon("turtle")))
    threading.Thread(target=app.show, args=(other,)).start()
    until(lambda: app.table is other)
    assert isinstance(app.screen, Screen) and app.screen.table is other


def test_a_table_alone_has_no_home(open_app: Callable[..., TabletApp]) -> None:
    app = open_app(Stand(update(summon())), None)
    assert app.screen.session.home is None
    app._go_home()
    assert isinstance(app.screen, Screen)
