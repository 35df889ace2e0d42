"""A page of its own: parts over a whole window, or over another screen, with a session that needs no game.

Here: drawing what has changed, sizes, names of spots. Not here: what the parts show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from kivy.clock import Clock
from kivy.metrics import Metrics, mm
from kivy.uix.widget import Widget

from companion.look.theme import Theme
from companion.look.tokens import tokens
from companion.tablet import marks
from companion.tablet.dump import dump
from companion.tablet.inbox import Asked, Inbox, Item
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.part import Part
from companion.tablet.speech import Speech
from companion.tablet.spots import Guard
from companion.tablet.theme import Style


class Plain:
    """What parts and buttons ask of a session: words, looks, time."""

    quiet, asking = False, 0

    def __init__(self, changed: Callable[[], None], *, language: str, theme: str, clock: Callable[[], float] = monotonic) -> None:
        self.changed, self.clock = changed, clock
        self.speech = Speech(language)
        self.theme = theme
        self.scale = 1.0
        self.motion = True

    def next_language(self) -> None:
        self.speech.lang = self.speech.following()
        self.changed()

    def next_theme(self) -> None:
        self.theme = "night" if self.theme == "day" else "day"
        self.changed()


class Page(Widget):
    """Give it ``parts`` and ``arrange``. It takes every touch: nothing below it is pressed."""

    def __init__(
        self,
        *,
        game: str,
        language: str,
        theme: str,
        clock: Callable[[], float] = monotonic,
        millimetre: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.game, self._mm = game, millimetre
        self.dirty = Clock.create_trigger(self._draw, -1)
        self._drain = Clock.create_trigger(lambda _dt: self.inbox.drain())
        self.inbox = Inbox(self._drain, self._handle, lambda _picture: None)
        self.session: Any = self.make_session(language, theme, clock)
        self.guard = Guard(clock, tokens().touch.repeat_ms)
        self.parts: Sequence[Part] = self.make_parts()
        for part in self.parts:
            self.add_widget(part)
        self.drawn = 0
        self.bind(size=lambda *_: self.dirty(), pos=lambda *_: self.dirty())

    def make_session(self, language: str, theme: str, clock: Callable[[], float]) -> Any:
        return Plain(self.dirty, language=language, theme=theme, clock=clock)

    def make_parts(self) -> Sequence[Part]:
        """The parts, the lowest first."""
        raise NotImplementedError

    def arrange(self, style: Style) -> Sequence[tuple[Part, Box]]:
        """Where each of them is."""
        raise NotImplementedError

    # ------------------------------------------------------------------ life

    def start(self) -> None:
        """It is on the screen."""
        self.dirty()

    def stop(self) -> None:
        """It is on the screen no more."""

    def later(self, what: Callable[[], None]) -> None:
        """Runs something on Kivy's thread; call it from any."""
        self.inbox.put(Asked(what))

    def rebuild(self) -> None:
        """Everything anew: after a pause the graphics card has forgotten every texture."""
        marks.clear()
        for part in self.parts:
            part.forget()
        self.dirty()

    def _handle(self, item: Item) -> None:
        if isinstance(item, Asked):
            item.run()

    # ------------------------------------------------------------------ drawing

    def measure(self) -> Measure:
        millimetre = self._mm if self._mm is not None else float(mm(1))
        return Measure(int(self.width), int(self.height), mm=millimetre, density=float(Metrics.density), scale=self.session.scale)

    def _draw(self, _dt: float = 0) -> None:
        if self.width < 2 or self.height < 2:
            return
        style = Style(Theme(self.session.theme, self.game), self.measure())
        for part, box in self.arrange(style):
            part.place(box, 0, style, style.m.height)
        changed = [part.refresh() for part in self.parts]
        self.drawn += any(changed)

    def on_touch_down(self, touch: Any) -> bool:
        super().on_touch_down(touch)
        return bool(self.collide_point(*touch.pos))

    # ------------------------------------------------------------------ for tests

    def dump(self) -> dict[str, dict[str, Any]]:
        """Everything with a name that is on the screen now; see ``dump.dump``."""
        self.dirty.cancel()
        self._draw()
        return dump(self.parts)
