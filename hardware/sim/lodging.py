"""A directory for as long as one process lives, and the end of those whose process was killed.

Here: making, keeping and sweeping. Not here: what lies in them. The kernel keeps the lock that says who lives: it is gone with its
process, however that ended, and no number of a process is taken for another one's.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path

OWNER = "owner"
"""The file that is locked as long as the directory is lived in; a directory without it is not ours to judge."""


class Lodging:
    """A new directory whose name begins with ``prefix``, until ``close`` or the end of the process. The first of a process sweeps."""

    def __init__(self, prefix: str) -> None:
        _swept(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        made = self.path / f"{OWNER}.new"
        self._lock = os.open(made, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        made.rename(self.path / OWNER)  # nobody ever sees it unlocked while we live

    def close(self) -> None:
        """Harmless when it is closed already."""
        if self._lock >= 0:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = -1


def sweep(prefix: str) -> list[Path]:
    """Removes this user's directories of that prefix whose process is gone; which. Nobody else's, and none without an owner's file."""
    gone = []
    for path in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        with contextlib.suppress(OSError):  # it is lived in, or somebody else has swept it
            about = path.lstat()
            if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and _deserted(path):
                gone.append(path)
    return gone


def _deserted(path: Path) -> bool:
    """Removes it if it can be locked. Raises OSError where it cannot."""
    lock = os.open(path / OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(path)
    finally:
        os.close(lock)
    return True


@cache
def _swept(prefix: str) -> None:
    """Once a process: whoever simulates a dozen readers need not look round a dozen times."""
    sweep(prefix)
