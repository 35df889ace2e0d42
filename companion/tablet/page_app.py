"""A window with one page in it, for a command that needs no table. Not here: the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.tablet.page import Page
from companion.tablet.window import TabletApp


class PageApp(TabletApp):
    """A window with one page in it."""

    def __init__(self, made: Callable[[], Page], *, title: str, on_ready: Callable[[Any], None] | None = None) -> None:
        super().__init__(None, title=title, on_ready=on_ready)
        self._made = made

    def build(self) -> Any:
        page: Any = self._made()
        self.screen = page
        return page
