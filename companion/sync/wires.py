"""The thin rim between sockets and the broker, on an asyncio loop.

Here: moving bytes, backpressure, closing; all of it for MQTT over TCP. Not here: anything that knows what the bytes mean
(``companion.sync.broker``), HTTP and WebSocket frames (``visit``). What the broker says within one turn of the loop leaves in one write.
"""

from __future__ import annotations

import asyncio
import socket
from abc import ABC, abstractmethod
from typing import Final, cast

from companion.sync.broker import Broker, Link

CHUNK: Final = 16 * 1024
"""Bytes of one client handled before the others have their turn."""
TABLE_CHUNK: Final = 64 * 1024
"""The same over TCP, where the table's own client is: what it says to a phone is read in one piece."""
PAUSE: Final = 0.25
"""Seconds that a client which sent too much is left alone before it is looked at again."""
PATIENCE: Final = 5.0
"""Seconds that a closed connection has to take its last bytes."""


class Wire(asyncio.BufferedProtocol, ABC):
    """One connection that carries MQTT, as it is over TCP or in frames: the protocol asyncio drives and the wire the broker sends by.

    Whoever derives from it opens ``_link`` and feeds it by ``_feed``.
    """

    def __init__(self, broker: Broker, chunk: int = CHUNK) -> None:
        self._broker = broker
        self._loop = asyncio.get_running_loop()
        self._inbox = memoryview(bytearray(chunk))
        self._outbox: list[bytes] = []
        self._pending = 0
        self._closing: asyncio.TimerHandle | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport
        self._link: Link

    @abstractmethod
    def _write(self, parts: list[bytes]) -> None:
        """Give these, in this order, to the transport."""

    @abstractmethod
    def _end(self) -> None:
        """Close, behind what was written."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        _prompt(transport)

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 -- asyncio's name and signature
        return self._inbox

    def _feed(self, data: bytes) -> None:
        if (wait := self._link.feed(data)) and self._pause is None:
            self._transport.pause_reading()
            self._pause = self._loop.call_later(min(wait, PAUSE), self._go_on)

    def _go_on(self) -> None:
        self._pause = None
        self._feed(b"")
        if self._pause is None:
            self._transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        self._outbox.clear()
        for timer in (self._closing, self._pause):
            if timer is not None:
                timer.cancel()
        self._link.lost(f"the connection was lost ({exc})" if exc else "the other end closed the connection")

    def send(self, data: bytes) -> None:
        if not self._outbox:
            self._loop.call_soon(self._flush)
        self._outbox.append(data)
        self._pending += len(data)

    def _flush(self) -> None:
        if self._outbox:
            parts, self._outbox, self._pending = self._outbox, [], 0
            self._write(parts)

    def close(self) -> None:
        if self._closing is None and not self._transport.is_closing():  # by either end
            self._flush()
            self._closing = self._loop.call_later(PATIENCE, self._transport.abort)
            self._end()

    def backlog(self) -> int:
        return self._pending + self._transport.get_write_buffer_size()


class TcpWire(Wire):
    """MQTT over TCP."""

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker, TABLE_CHUNK)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._link = self._broker.open(self, peer_of(transport))

    def buffer_updated(self, nbytes: int) -> None:
        self._feed(bytes(self._inbox[:nbytes]))

    def _write(self, parts: list[bytes]) -> None:
        self._transport.write(b"".join(parts))

    def _end(self) -> None:
        self._transport.close()


def _prompt(transport: asyncio.BaseTransport) -> None:
    # Without TCP_NODELAY every second small packet waits 40 ms for the other end's delayed acknowledgement. asyncio sets it only on sockets
    # made with an explicit protocol number, which those of socket.create_server are not.
    connection: socket.socket = transport.get_extra_info("socket")
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)


def peer_of(transport: asyncio.BaseTransport) -> str:
    """The address at the other end, as text; empty when it is already gone."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
