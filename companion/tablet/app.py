"""Starts the tablet's window. The only module of this room that may be imported before Kivy is set up."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.tablet import config


class NoDisplayError(RuntimeError):
    """There is no display (or no graphics) to open a window on: the table is played from phones."""


def run(
    table: Any,
    *,
    title: str,
    lobby: Any = None,
    on_ready: Callable[[Any], None] | None = None,
    on_shown: Callable[[], None] | None = None,
    size: tuple[int, int] = (1280, 800),
    fullscreen: bool = False,
) -> None:
    """Opens the window and returns when it is closed. Main thread only.

    ``table`` is a ``companion.tablet.port.Table``, or None for the home screen; ``lobby`` a ``companion.lobby.port.Lobby``, or None where there
    is nothing but this table. ``on_ready`` gets the application (``find``, ``dump``, ``screenshot``, ``close``: all
    from any thread) on the main thread, before the first picture; ``on_shown`` is called there when that picture is on the screen. Raises
    NoDisplayError where no window can be opened.
    """
    open_window((lobby or table).data, size=size, fullscreen=fullscreen)
    from companion.tablet.window import TabletApp  # noqa: PLC0415 - as above

    TabletApp(table, title=title, lobby=lobby, on_ready=on_ready, on_shown=on_shown).run()


def open_window(data: Path, *, size: tuple[int, int] = (1280, 800), fullscreen: bool = False) -> None:
    """Sets Kivy up and opens the process's one window, without anything in it. Raises NoDisplayError."""
    config.prepare(data, size=size, fullscreen=fullscreen)
    log = logging.getLogger("kivy")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)  # Kivy shouts where one sentence will do: ours
    try:
        from kivy.core.window import Window  # noqa: PLC0415 - only after prepare
    except Exception as fault:  # SDL raises what it likes
        raise NoDisplayError(f"no window could be opened ({fault})") from fault
    finally:
        log.setLevel(level)
    if Window is None:
        raise NoDisplayError("no window could be opened: there is no display, or its graphics driver is missing")
    from companion.tablet import mouse  # noqa: PLC0415 - as above

    mouse.use()
