"""The tablet's tests: one offscreen window for all of them, Kivy set up before anything imports it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")

from companion.tablet import config

HOME = Path(tempfile.mkdtemp(prefix="jinmaku-tablet-"))
config.prepare(HOME, size=(1280, 800))

from tablet_picture import Stand, summon, update  # noqa: E402 - only now may Kivy be imported
from tablet_rig import Rig  # noqa: E402


@pytest.fixture
def open_tablet() -> Iterator[Callable[..., Rig]]:
    """Opens a screen on a stand-in table; closed afterwards."""
    rigs: list[Rig] = []

    def opened(picture: Any = None, *, stand: Any = None, **more: Any) -> Rig:
        rigs.append(Rig(stand or Stand(picture or update(summon())), **more))
        return rigs[-1]

    yield opened
    for rig in rigs:
        rig.close()


@pytest.fixture
def rig(open_tablet: Callable[..., Rig]) -> Rig:
    """The scene of the drawings: Koi summons, the board is shown."""
    return open_tablet().on_board()
