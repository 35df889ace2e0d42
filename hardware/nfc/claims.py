"""Which reader holds which port, so that no two ask the same one, and other devices of ours can keep off.

Only a ledger in memory: it opens nothing. Other processes are kept out by the exclusive lock on the port.
"""

import os
import threading


class Claims:
    """Ports in use by readers. Thread-safe; two names of one port (links) are one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._holders: dict[str, str] = {}

    def take(self, port: str, name: str) -> bool:
        """Claim a port for the reader called `name`; False while another holds it."""
        with self._lock:
            return self._holders.setdefault(os.path.realpath(port), name) == name

    def drop(self, name: str) -> None:
        """Give back whatever `name` holds (by its name, because a port's name vanishes with the cable)."""
        with self._lock:
            self._holders = {port: holder for port, holder in self._holders.items() if holder != name}

    def ports(self) -> tuple[str, ...]:
        """All ports held now (for the search of another kind of device)."""
        with self._lock:
            return tuple(self._holders)

    def holder(self, port: str) -> str | None:
        """Name of the reader that holds the port."""
        with self._lock:
            return self._holders.get(os.path.realpath(port))


PORTS = Claims()
"""The ledger of this process."""
