"""The thin rim between sockets and the broker: MQTT over TCP and over WebSocket, on an asyncio loop.

Here: moving bytes, backpressure, closing. Not here: anything that knows what the bytes mean (``companion.sync.broker``).
What the broker says within one turn of the loop leaves in one write.
"""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Callable
from typing import Final, cast

from aiohttp import WSMsgType, web

from companion.sync.broker import Broker, Link

CHUNK: Final = 16 * 1024
"""Bytes of one client handled before the others have their turn."""
FRAME: Final = 64 * 1024
"""A WebSocket frame grows no longer than this by joining packets."""
PAUSE: Final = 0.25
"""Seconds that a client which sent too much is left alone before it is looked at again."""
PATIENCE: Final = 5.0
"""Seconds that a closed connection has to take its last bytes."""


class TcpWire(asyncio.BufferedProtocol):
    """One MQTT connection over TCP: the protocol asyncio drives and the wire the broker sends by."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._loop = asyncio.get_running_loop()
        self._inbox = memoryview(bytearray(CHUNK))
        self._outbox: list[bytes] = []
        self._pending = 0
        self._closing: asyncio.TimerHandle | None = None
        self._pause: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport
        self._link: Link

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        _prompt(transport)
        self._link = self._broker.open(self, peer_of(transport))

    def get_buffer(self, sizehint: int) -> memoryview:  # noqa: ARG002 -- asyncio's name and signature
        return self._inbox

    def buffer_updated(self, nbytes: int) -> None:
        if wait := self._link.feed(bytes(self._inbox[:nbytes])):
            self._transport.pause_reading()
            self._pause = self._loop.call_later(min(wait, PAUSE), self._go_on)

    def _go_on(self) -> None:
        if wait := self._link.feed(b""):
            self._pause = self._loop.call_later(min(wait, PAUSE), self._go_on)
        else:
            self._pause = None
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
            self._transport.write(b"".join(self._outbox))
            self._outbox.clear()
            self._pending = 0

    def close(self) -> None:
        if not self._transport.is_closing():  # by either end
            self._flush()
            self._transport.close()
            self._closing = self._loop.call_later(PATIENCE, self._transport.abort)

    def backlog(self) -> int:
        return self._pending + self._transport.get_write_buffer_size()


class WebSocketWire:
    """One MQTT connection over an aiohttp WebSocket; ``run`` is its life."""

    def __init__(self, broker: Broker, ws: web.WebSocketResponse, transport: asyncio.Transport) -> None:
        self._ws, self._transport = ws, transport
        self._loop = asyncio.get_running_loop()
        self._outbox: deque[bytes] = deque()
        self._pending = 0
        self._wake = asyncio.Event()
        self._closing = False
        self._deadline: asyncio.TimerHandle
        _prompt(transport)
        self.link = broker.open(self, peer_of(transport))

    async def run(self, judged: Callable[[Link], None]) -> None:
        """Carry bytes until either end closes; ``judged`` is called after each message, to see what became of the CONNECT."""
        pump = self._loop.create_task(self._pump())
        reason = "the other end closed the connection"
        try:
            while not self.link.closed:
                message = await self._ws.receive()
                if message.type is WSMsgType.BINARY:
                    for start in range(0, len(message.data), CHUNK):
                        wait = self.link.feed(message.data[start : start + CHUNK])
                        await asyncio.sleep(min(wait, PAUSE))
                        while wait:
                            wait = self.link.feed(b"")
                            await asyncio.sleep(min(wait, PAUSE))
                    judged(self.link)
                    continue
                if message.type is WSMsgType.TEXT:
                    reason = "text over the WebSocket; MQTT is binary"
                elif message.type is WSMsgType.ERROR:
                    reason = f"a fault in the WebSocket: {message.data}"
                break
        finally:
            self.link.lost(reason)
            self.close()
            await pump
            self._deadline.cancel()

    def send(self, data: bytes) -> None:
        self._outbox.append(data)
        self._pending += len(data)
        self._wake.set()

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._deadline = self._loop.call_later(PATIENCE, self._transport.abort)
            self._wake.set()

    def backlog(self) -> int:
        return self._pending + self._transport.get_write_buffer_size()

    async def _pump(self) -> None:
        try:
            while self._outbox or not self._closing:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    await self._ws.send_bytes(self._take())
            await self._ws.close()
        except ConnectionError:
            self._transport.abort()  # the reader sees it too, and ends

    def _take(self) -> bytes:
        frame = [self._outbox.popleft()]
        size = len(frame[0])
        while self._outbox and size + len(self._outbox[0]) <= FRAME:
            frame.append(self._outbox.popleft())
            size += len(frame[-1])
        self._pending -= size
        return b"".join(frame)


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
