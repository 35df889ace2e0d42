"""The Kivy application: the window, which of its two roots is in it (the home screen or a game), and the thread that may touch widgets."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.core.window import Window

from companion.lobby.port import Lobby
from companion.tablet.inbox import Asked
from companion.tablet.screen import Screen

if TYPE_CHECKING:
    from companion.tablet.home import HomeScreen

KEPT = ("theme", "scale", "motion", "rotation")
"""How a screen is set, beside its language: taken along from one to the next."""


class TabletApp(App):
    """What ``run`` starts and hands to ``on_ready``. With a ``lobby`` it goes home and back; without, it shows ``table`` for good."""

    def __init__(
        self,
        table: Any,
        *,
        title: str,
        lobby: Lobby | None = None,
        on_ready: Callable[[TabletApp], None] | None = None,
        on_shown: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.table, self.title, self.lobby, self._on_ready = table, title, lobby, on_ready
        self._on_shown = on_shown
        self.screen: Screen | HomeScreen | None = None
        self._set: dict[str, Any] = {}
        """How the screen was set, of KEPT."""
        self._thread = threading.get_ident()

    def build(self) -> Screen | HomeScreen:
        Window.clearcolor = (0, 0, 0, 1)
        if self.table is not None or self.lobby is None:
            self.screen = self._at_table(self.table)
        else:
            self.screen = self._home(self.lobby)
        if self.lobby is not None:
            self.screen.session.speech.lang, self.screen.session.theme = self.lobby.language, self.lobby.theme
        return self.screen

    def on_start(self) -> None:
        if self.screen is not None:
            self.screen.start()
        if self._on_ready is not None:
            self._on_ready(self)
        if self._on_shown is not None:
            Window.bind(on_flip=self._flipped)

    def _flipped(self, *_: object) -> None:
        """The first picture is on the screen."""
        Window.unbind(on_flip=self._flipped)
        if self._on_shown is not None:
            self._on_shown()

    def on_stop(self) -> None:
        if self.screen is not None:
            self.screen.stop()

    def on_pause(self) -> bool:
        return True

    def on_resume(self) -> None:
        if self.screen is not None:
            self.screen.rebuild()

    # ------------------------------------------------------------------ home and away

    def _at_table(self, table: Any) -> Screen:
        screen = Screen(table, title=self.title)
        if self.lobby is not None:
            screen.session.home = self._go_home
        return screen

    def _home(self, lobby: Lobby) -> HomeScreen:
        from companion.tablet.home import HomeScreen  # noqa: PLC0415 - a table that goes on at once needs none of it

        return HomeScreen(lobby, title=self.title, opened=self._opened)

    def _opened(self, table: Any) -> None:
        """A game was opened; on Kivy's thread."""
        if self.table is not table or not isinstance(self.screen, Screen):
            self.table = table
            self._change(self._at_table(table))

    def _go_home(self) -> None:
        """Leaves the open game; it is saved, and the list shows it."""
        if self.lobby is None:
            return
        self.table = None
        home = self._home(self.lobby)
        self._change(home)
        home.session.leave()

    def _change(self, screen: Screen | HomeScreen) -> None:
        """Another root, set as the one before was."""
        before = self.screen
        if before is not None:
            before.stop()
            screen.session.speech.lang = before.session.speech.lang
            self._set |= {name: getattr(before.session, name) for name in KEPT if hasattr(before.session, name)}
            for name, value in self._set.items():
                if hasattr(screen.session, name):
                    setattr(screen.session, name, value)
            Window.remove_widget(before)
        Window.add_widget(screen)
        self.root = self.screen = screen
        screen.start()

    # ------------------------------------------------------------------ from any thread

    def show(self, table: Any) -> None:
        """A game was opened elsewhere (typed at the console): the window follows."""
        if self.screen is not None:
            self.screen.inbox.put(Asked(lambda: self._opened(table)))

    def find(self, wid: str) -> dict[str, Any] | None:
        """One spot of ``dump``, or None: it is not on the screen."""
        return self.dump().get(wid)

    def dump(self) -> dict[str, dict[str, Any]]:
        """Everything with a name that is on the screen now (``Screen.dump``)."""
        return self._ask(lambda: self.screen.dump() if self.screen is not None else {})

    def screenshot(self, path: str) -> str:
        """Saves the window as PNG; returns the path it got."""
        return str(self._ask(lambda: Window.screenshot(name=path)))

    def do(self, what: Callable[[], Any]) -> Any:
        """Runs something on Kivy's thread and returns what it returned."""
        return self._ask(what)

    def close(self) -> None:
        """Ends the application."""
        if self.screen is not None:
            self.screen.inbox.put(Asked(self.stop))

    def _ask(self, what: Callable[[], Any]) -> Any:
        if threading.get_ident() == self._thread or self.screen is None:
            return what()
        done = threading.Event()
        out: list[Any] = []

        def run() -> None:
            try:
                out.append(what())
            finally:
                done.set()

        self.screen.inbox.put(Asked(run))
        if not done.wait(10) or not out:
            raise TimeoutError("the tablet's window does not answer")
        return out[0]
