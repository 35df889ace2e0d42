"""Kivy's settings, ours alone: made before Kivy is imported, whatever an old ``config.ini`` in somebody's home says.

One input provider for each kind of device: Kivy's mouse for mice, SDL's own touch for fingers. A second provider for the same panel is how
one touch becomes two.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

SMALLEST = (800, 480)


def prepare(data: Path, *, size: tuple[int, int] = (1280, 800), fullscreen: bool = False) -> None:
    """Settles everything; call it once, before anything imports Kivy. Raises RuntimeError when somebody already has."""
    if "kivy" in sys.modules and os.environ.get("KIVY_HOME") != str(data / "kivy"):
        raise RuntimeError("Kivy was imported before the tablet could set it up: start the tablet before anything else uses Kivy")
    home = data / "kivy"
    home.mkdir(parents=True, exist_ok=True)
    os.environ.update(
        KIVY_HOME=str(home),
        KIVY_NO_ARGS="1",  # the command line is ours
        KIVY_NO_CONFIG="1",  # no file is read or written: what stands below is all there is
        KIVY_NO_FILELOG="1",
        KIVY_LOG_MODE="PYTHON",  # our own logging stays as it is
        KIVY_WINDOW="sdl2",  # the others end the program where there is no display
        KIVY_IMAGE="sdl2",  # it reads all we draw; asking the next one what it can read would load the whole of Pillow
        SDL_TOUCH_MOUSE_EVENTS="0",  # a finger is no mouse as well
        SDL_MOUSE_TOUCH_EVENTS="0",
    )
    if sys.platform == "linux":  # else SDL would draw on nothing, and nobody would be told
        os.environ.setdefault("SDL_VIDEODRIVER", "x11,wayland,KMSDRM")
    logging.getLogger("kivy").addFilter(_matters)  # its level is set anew while it is loaded
    from kivy.config import Config  # noqa: PLC0415 - only now may it be imported

    for section, values in _settings(size, fullscreen=fullscreen).items():
        if section == "input":
            Config.remove_section("input")
            Config.add_section("input")
        for key, value in values.items():
            Config.set(section, key, value)


def _matters(record: logging.LogRecord) -> bool:
    """Not where Kivy is installed, and what it has found there: nobody at the table asked."""
    return record.levelno >= logging.WARNING


def display() -> bool:
    """Whether a window can probably be opened here: a look round, before Kivy is loaded at all."""
    if sys.platform != "linux" or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")):
        return True
    return any(Path("/dev/dri").glob("card*")) and os.access("/dev/dri/card0", os.R_OK | os.W_OK)


def _settings(size: tuple[int, int], *, fullscreen: bool) -> dict[str, dict[str, str]]:
    width, height = max(size[0], SMALLEST[0]), max(size[1], SMALLEST[1])
    return {
        "kivy": {"exit_on_escape": "0", "keyboard_mode": "system", "log_level": "warning", "log_enable": "0", "desktop": "1"},
        "graphics": {
            "width": str(width),
            "height": str(height),
            "minimum_width": str(SMALLEST[0]),
            "minimum_height": str(SMALLEST[1]),
            "resizable": "1",
            "fullscreen": "auto" if fullscreen else "0",
            "multisamples": "0",  # every edge is smooth by itself (stroke, marks), on cards that know no multisampling too
            "maxfps": "60",
            "vsync": "0",
            "show_cursor": "0" if fullscreen else "1",
        },
        "input": {"mouse": "mouse,disable_on_activity,disable_multitouch"},
    }
