"""How the process shares its time out between its threads, when it looks for garbage, and what it gives back. Not here: what any thread does.

For whoever starts the process, not for rooms: a library has no business with either.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import threading
import time
from typing import Final

SWITCH: Final = 0.001
"""Seconds a thread may compute on while another one waits. A sighting goes through four threads; Python's own 5 ms each time is felt."""
YOUNG: Final = 10_000
"""New objects before the first look for garbage. A picture of the table is thousands; almost nothing of it is garbage only a look finds."""
OLD: Final = 200_000
"""As many of a table that is up: it is looked through now and then (``_sweep``), not in the middle of a move."""
SWEEP: Final = 0.5
"""Seconds between two such moments."""
DUST: Final = 2_000
"""New objects that make one worth it."""
CALM: Final = 0.05
"""Seconds in which this process does next to nothing: then a look is in nobody's way."""
TRIES: Final = 40
"""So many times it is waited for that."""
WHOLE: Final = 200
"""Such looks before one at all that is not there for good."""

ARENAS: Final = (-8, 1)
"""glibc's M_ARENA_MAX: threads that take turns at computing need no store of memory each."""
LARGE: Final = (-3, 128 * 1024)
"""glibc's M_MMAP_THRESHOLD, held where it begins: a picture that is let go goes back to the system and leaves no hole."""


def prompt(*, coming_up: bool = False) -> None:
    """Call it first. ``coming_up``: nothing that is made before ``settled`` is looked through, almost all of it stays."""
    if coming_up:
        gc.disable()
        thrifty()
    sys.setswitchinterval(SWITCH)
    gc.set_threshold(YOUNG, 20, 20)


def thrifty() -> None:
    """Takes less memory where the C library is one that can be told so: some 4 MB of a table with five phones."""
    tell = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if tell is not None:
        for what in (ARENAS, LARGE):
            tell(*what)


def settled() -> None:
    """What is there now stays: it is not looked through for garbage any more, which took longer than a frame may. Call it once all is up."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OLD, 20, 20)
    gc.enable()
    if not any(thread.name == "garbage" for thread in threading.enumerate()):
        threading.Thread(target=_sweep, name="garbage", daemon=True).start()


def _sweep() -> None:
    """A look takes 3 to 5 ms, which a figure on its way to a phone would wait for if it came whenever so many objects have been made."""
    looks = 0
    while True:
        time.sleep(SWEEP)
        if gc.get_count()[0] < DUST:
            continue
        for _ in range(TRIES):
            before = time.process_time()
            time.sleep(CALM)
            if time.process_time() - before < CALM / 10:
                break
        looks += 1
        gc.collect(1 if looks % WHOLE else 2)
