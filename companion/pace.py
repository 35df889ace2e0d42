"""How the process shares its time out between its threads, and when it looks for garbage. Not here: what any thread does.

For whoever starts the process, not for rooms: a library has no business with either.
"""

from __future__ import annotations

import gc
import sys
from typing import Final

SWITCH: Final = 0.001
"""Seconds a thread may compute on while another one waits. A sighting goes through four threads; Python's own 5 ms each time is felt."""
YOUNG: Final = 10_000
"""New objects before the first look for garbage. A picture of the table is thousands; almost nothing of it is garbage only a look finds."""


def prompt(*, coming_up: bool = False) -> None:
    """Call it first. ``coming_up``: nothing that is made before ``settled`` is looked through, almost all of it stays."""
    if coming_up:
        gc.disable()
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(YOUNG, 20, 20)


def settled() -> None:
    """What is there now stays: it is not looked through for garbage any more, which took longer than a frame may. Call it once all is up."""
    gc.collect()
    gc.freeze()
    gc.enable()
