"""The Kivy application round the screen: window, pause and resume, the thread that may touch widgets."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.core.window import Window

from companion.tablet.inbox import Asked
from companion.tablet.screen import Screen


class TabletApp(App):
    """What ``run`` starts and hands to ``on_ready``."""

    def __init__(self, table: Any, *, title: str, on_ready: Callable[[TabletApp], None] | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.table, self.title, self._on_ready = table, title, on_ready
        self.screen: Screen | None = None
        self._thread = threading.get_ident()

    def build(self) -> Screen:
        Window.clearcolor = (0, 0, 0, 1)
        self.screen = Screen(self.table, title=self.title)
        return self.screen

    def on_start(self) -> None:
        if self.screen is not None:
            self.screen.start()
        if self._on_ready is not None:
            self._on_ready(self)

    def on_stop(self) -> None:
        if self.screen is not None:
            self.screen.stop()

    def on_pause(self) -> bool:
        return True

    def on_resume(self) -> None:
        if self.screen is not None:
            self.screen.rebuild()

    # ------------------------------------------------------------------ from any thread

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
