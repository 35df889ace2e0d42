"""A window into a running table for tests and helpers: one Unix socket, one JSON answer a connection.

Here: the socket. Not here: what is told (the service hands in a function), and no way to act: it only looks.
"""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

LOGGER = logging.getLogger(__name__)


class Inspection:
    """Answers every connection on ``path`` with ``tell()`` as JSON and closes it. The socket file has mode 0600."""

    def __init__(self, path: Path, tell: Callable[[], dict[str, Any]]) -> None:
        self.path = path
        self._tell = tell
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._thread = threading.Thread(target=self._serve, name="inspection", daemon=True)

    def start(self) -> None:
        """Raises OSError; a file that is no socket is somebody's work and stays."""
        if self.path.is_socket():
            self.path.unlink()
        try:
            self._socket.bind(str(self.path))
        except OSError as fault:
            self._socket.close()
            raise OSError(
                fault.errno, f"cannot tell tests anything at {self.path} ({fault.strerror or fault}): name a socket that is free"
            ) from None
        self.path.chmod(0o600)
        self._socket.listen()
        self._thread.start()

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(2)
        self.path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return  # closed by stop()
            with connection:
                try:
                    connection.sendall(json.dumps(self._tell()).encode())
                except OSError:
                    LOGGER.info("somebody stopped looking before the answer was out")


def look(path: Path, timeout: float = 5) -> dict[str, Any]:
    """What a table tells at ``path``. Raises OSError when nobody answers."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(timeout)
        client.connect(str(path))
        chunks = []
        while chunk := client.recv(65536):
            chunks.append(chunk)
    told: dict[str, Any] = json.loads(b"".join(chunks))
    return told
