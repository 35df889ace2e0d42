"""One program a data directory: a lock that dies with its holder.

Here: an advisory lock on a file beside the journal. Not here: locks inside the program.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

if sys.platform == "win32":  # pragma: no cover - no Windows where tests run
    import msvcrt

    def _seize(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _seize(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Held from making to ``free``; the system frees it too when the process ends, however it ends."""

    def __init__(self, path: Path) -> None:
        """Raises BlockingIOError when another program holds it (its message says which), OSError when it cannot be made."""
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _seize(self._handle)
        except OSError as fault:
            holder = os.pread(self._handle, 20, 1).decode("ascii", "replace").strip() if hasattr(os, "pread") else ""
            os.close(self._handle)
            raise BlockingIOError(f"process {holder}" if holder else "another process") from fault
        with contextlib.suppress(OSError):  # who holds it is a courtesy, and the disk may be full; byte 0 is the locked one
            os.ftruncate(self._handle, 0)
            os.write(self._handle, f" {os.getpid()}\n".encode())

    def free(self) -> None:
        """The file stays: removing it could free a lock that another program has just taken."""
        os.close(self._handle)
