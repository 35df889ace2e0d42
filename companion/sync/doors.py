"""Who gets a connection to the page's port: so many in all, so many an address. Not here: what is said over them.

A phone needs a handful, and the last of them for hours: its WebSocket. Whoever opens more than an address may have loses the oldest that
is no WebSocket (a page that was read, or a request that is never finished), or, with nothing but WebSockets, gets no further one; every
other address goes on as if nothing were.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from aiohttp import web

from companion.sync.broker.hush import Hush
from companion.sync.wires import peer_of


class Doors:
    """One server's. All on its thread."""

    def __init__(self, connections: int, each: int, hush: Hush) -> None:
        self._connections, self._each, self._hush = connections, each, hush
        self._kept: set[object] = set()

    def open(self, server: web.Server | None) -> asyncio.Protocol:
        """What the loop calls for each connection."""
        return _Door(self, server)

    @contextmanager
    def kept(self, connection: object) -> Iterator[None]:
        """Meanwhile this connection is a WebSocket, and makes room for nobody."""
        self._kept.add(connection)
        try:
            yield
        finally:
            self._kept.discard(connection)

    def answer(self, server: web.Server | None, address: str) -> asyncio.Protocol | None:
        """Who speaks on a new connection from there; None: nobody, there are too many."""
        if server is None or len(server.connections) >= self._connections:
            self._hush.warn(address, "the phone page: too many connections, %s turned away", address)
            return None
        own = [one for one in server.connections if one.transport is not None and peer_of(one.transport) == address]
        if len(own) >= self._each:
            oldest = next((one for one in own if one not in self._kept), None)
            end = "turned away" if oldest is None else "the oldest closed"
            self._hush.warn(address, "the phone page: more than %d connections from %s, %s", self._each, address, end)
            if oldest is None:
                return None
            oldest.force_close()
        return server()


class _Door(asyncio.Protocol):
    """Stands in for a connection until its address is known."""

    def __init__(self, doors: Doors, server: web.Server | None) -> None:
        self._doors, self._server = doors, server

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        speaker = self._doors.answer(self._server, peer_of(transport))
        if speaker is None:
            transport.close()
        else:
            cast("asyncio.Transport", transport).set_protocol(speaker)
            speaker.connection_made(transport)
