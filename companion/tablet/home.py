"""The home screen: what the window shows while no game is open. A root widget like ``screen.Screen``, with the same outside."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from kivy.clock import Clock
from kivy.core.window import Keyboard, Window
from kivy.metrics import Metrics, mm
from kivy.uix.widget import Widget

from companion.lobby.port import Lobby
from companion.look.theme import Theme
from companion.look.tokens import tokens
from companion.tablet import marks
from companion.tablet.dump import dump
from companion.tablet.home_page import HomePage
from companion.tablet.home_state import HOME, NEW, HomeState
from companion.tablet.inbox import Asked, Inbox, Item
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.newgame import NewGamePage
from companion.tablet.newgame_over import ClanChoice, Keys
from companion.tablet.part import Part
from companion.tablet.spots import Guard
from companion.tablet.theme import Style

NOWHERE = Box(0, 0, 0, 0)
MOST = 1.25
"""The largest text the pages have room for."""


class HomeScreen(Widget):
    """``opened`` is called on Kivy's thread with the table that was opened."""

    def __init__(
        self,
        lobby: Lobby,
        *,
        title: str = "",
        opened: Callable[[Any], None] = lambda _table: None,
        clock: Callable[[], float] = monotonic,
        millimetre: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._dirty = Clock.create_trigger(self._draw, -1)
        self._drain = Clock.create_trigger(lambda _dt: self.inbox.drain())
        self.inbox = Inbox(self._drain, self._handle, lambda _picture: None)
        self.session = HomeState(lobby, changed=self._dirty, work=self._work, opened=opened, clock=clock)
        guard = Guard(clock, tokens().touch.repeat_ms)
        self._page, self._new = HomePage(self.session, guard, title=title), NewGamePage(self.session, guard)
        self._clans, self._keys = ClanChoice(self.session, guard), Keys(self.session, guard)
        self.parts: tuple[Part, ...] = (self._page, self._new, self._clans, self._keys)
        for part in self.parts:
            self.add_widget(part)
        self._mm = millimetre
        self._keyboard: Any = None
        self._minute: Any = None
        self.bind(size=lambda *_: self._dirty())

    # ------------------------------------------------------------------ life

    def start(self) -> None:
        """Call on Kivy's thread."""
        self.session.read()
        Window.bind(on_textinput=self._typed, on_key_down=self._key)
        self._minute = Clock.schedule_interval(lambda _dt: self._dirty(), 30)
        self._dirty()

    def stop(self) -> None:
        Window.unbind(on_textinput=self._typed, on_key_down=self._key)
        self._release()
        if self._minute is not None:
            self._minute.cancel()

    def rebuild(self) -> None:
        """Everything anew: after a pause the graphics card has forgotten every texture."""
        marks.clear()
        for part in self.parts:
            part.forget()
        self._dirty()

    def _work(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """On a thread of its own; the answer comes back through the inbox."""

        def run() -> None:
            try:
                value = job()
            except Exception as fault:  # noqa: BLE001 - it is told on the screen
                value = fault
            self.inbox.put(Asked(lambda: done(value)))

        threading.Thread(target=run, name="lobby", daemon=True).start()

    @staticmethod
    def _handle(item: Item) -> None:
        if isinstance(item, Asked):
            item.run()

    # ------------------------------------------------------------------ letters

    def _typed(self, _window: Any, text: str) -> None:
        if self._keyboard is not None:
            self.session.type(text)

    def _key(self, _window: Any, code: int, *_: Any) -> bool:
        s = self.session
        if not s.typing:
            return False
        if code == Keyboard.keycodes["backspace"]:
            s.rub()
        elif code in {Keyboard.keycodes["enter"], Keyboard.keycodes["numpadenter"], Keyboard.keycodes["escape"]}:
            s.finish()
        return True

    def _ask_keyboard(self) -> None:
        """The system gives letters only to whoever asks; with it any script can be typed."""
        if self.session.typing and self._keyboard is None:
            self._keyboard = Window.request_keyboard(self._lost, self)
        elif not self.session.typing:
            self._release()

    def _release(self) -> None:
        if self._keyboard is not None:
            self._keyboard.release()
            self._keyboard = None

    def _lost(self) -> None:
        self._keyboard = None

    # ------------------------------------------------------------------ drawing

    def measure(self) -> Measure:
        millimetre = self._mm if self._mm is not None else float(mm(1))
        scale = min(self.session.scale, MOST)
        return Measure(int(self.width), int(self.height), mm=millimetre, density=float(Metrics.density), scale=scale)

    def _draw(self, _dt: float = 0) -> None:
        if self.width < 2 or self.height < 2:
            return
        if self.parent is Window and Window.rotation != self.session.rotation:
            Window.rotation = self.session.rotation  # a new size follows, and another drawing
        s, m = self.session, self.measure()
        style = Style(Theme(s.theme, s.form.offer.game if s.form is not None else ""), m)
        whole = Box(0, 0, int(self.width), int(self.height))
        shown = {
            self._page: s.page == HOME,
            self._new: s.page == NEW,
            self._clans: s.page == NEW and bool(s.choosing),
            self._keys: s.page == NEW and bool(s.typing),
        }
        for part, there in shown.items():
            part.place(whole if there else NOWHERE, 0, style, whole.h)
            part.refresh()
        self._ask_keyboard()

    # ------------------------------------------------------------------ for tests and the service

    def dump(self) -> dict[str, dict[str, Any]]:
        """Everything with a name that is on the screen now; see ``dump.dump``."""
        self._dirty.cancel()
        self._draw()
        return dump(self.parts)

    def find(self, wid: str) -> dict[str, Any] | None:
        return self.dump().get(wid)
