"""What the command line says of devices, looked at before anything is loaded for them: a game that is opened must be able to use it.

Here: the sentence for what is wrong. Not here: devices (``devices``), or what a game knows (``table.games.box``).
"""

from __future__ import annotations

from typing import Any

from companion.rules.game import Game
from companion.settings import Settings
from companion.table import figures, games


def check(settings: Settings, game: Game[Any, Any]) -> None:
    """Raises ValueError for a reader at a place that this game does not have, figures.FiguresError for a UID file it cannot use."""
    known = games.box(game)
    for port, place in settings.readers:
        fault = figures.unknown("place", place, known.places) if place else ""
        if fault:  # it would never be understood
            raise ValueError(f"--reader {port}={place}: {fault}")
    if settings.figures is not None:
        figures.load(settings.figures, known.kinds, known.places)
