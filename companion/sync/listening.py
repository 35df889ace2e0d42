"""The two ports of a table, bound and listening: who comes before anybody serves them waits a moment, and is not turned away.

Here: binding, and in plain words why it cannot be. Not here: who serves (``server``): it may be loaded while the first phone already waits.
"""

from __future__ import annotations

import errno
import socket
from typing import NamedTuple


class Doorway(NamedTuple):
    """Both ports. Whoever made it closes it, also after a server had it."""

    page: socket.socket
    """Of the phone page and its WebSocket."""
    mqtt: socket.socket
    """MQTT over TCP, for the table's own line."""

    @property
    def port(self) -> int:
        return int(self.page.getsockname()[1])

    @property
    def mqtt_port(self) -> int:
        return int(self.mqtt.getsockname()[1])

    def close(self) -> None:
        """Harmless when they are closed."""
        self.page.close()
        self.mqtt.close()


def doorway(host: str, port: int, mqtt_port: int = 0, mqtt_host: str = "127.0.0.1") -> Doorway:
    """Binds both; port 0: any that is free. Raises OSError in plain words; then neither is bound."""
    page = listen(host, port, "the phone page")
    try:
        return Doorway(page, listen(mqtt_host, mqtt_port, "MQTT over TCP"))
    except BaseException:
        page.close()
        raise


def listen(host: str, port: int, what: str) -> socket.socket:
    """A listening socket. Raises OSError naming ``what`` cannot be served, and the fix."""
    if not 0 <= port <= 65535:
        raise OSError(errno.EINVAL, f"{port} is no port for {what}: choose one from 1024 to 65535, or 0 for any that is free")
    try:
        return socket.create_server((host, port))
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            why = f"port {port} is in use, perhaps by another table: close that, or choose another port (0 takes any that is free)"
        elif fault.errno == errno.EACCES:
            why = f"port {port} is reserved by the system: choose one from 1024 to 65535"
        else:
            why = f"this computer has no address {host!r} to listen on ({fault.strerror}): use 0.0.0.0 for all of its addresses"
        raise OSError(fault.errno, f"cannot serve {what}: {why}") from None
