"""Who gets a connection to the page's port: so many in all, so many an address. Not here: what is said over them.

A phone needs a handful, and the last of them for hours: its WebSocket. Whoever opens more than an address may have loses the oldest that
is no WebSocket (a page that was read, or a request that is never finished), or, with nothing but WebSockets, gets no further one; every
other address goes on as if nothing were. Where all places are taken, the address that has most of them without a WebSocket loses its
oldest such one to whoever comes: many addresses together cannot keep a newcomer out either.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Protocol

from companion.sync.broker.hush import Hush


class Guest(Protocol):
    """One connection. ``stays``: it is a WebSocket, and makes room for nobody."""

    address: str
    stays: bool

    def leave(self) -> None:
        """It has to go, whatever it is about."""


class Doors:
    """One run of one server. All on its thread."""

    def __init__(self, connections: int, each: int, hush: Hush) -> None:
        self._connections, self._each, self._hush = connections, each, hush
        self._inside: dict[Guest, None] = {}  # oldest first
        self.deserted = asyncio.Event()
        """Nobody is inside."""
        self.deserted.set()

    @property
    def inside(self) -> tuple[Guest, ...]:
        """Who has a connection now."""
        return tuple(self._inside)

    def enter(self, guest: Guest) -> bool:
        """May it come in? It then has to be told of by ``left``. False: there are too many."""
        own = [one for one in self._inside if one.address == guest.address]
        if len(own) >= self._each:
            oldest = next((one for one in own if not one.stays), None)
            end = "turned away" if oldest is None else "the oldest closed"
            self._hush.warn(guest.address, "the phone page: more than %d connections from %s, %s", self._each, guest.address, end)
            if oldest is None:
                return False
            self._turn_out(oldest)
        if len(self._inside) >= self._connections:
            lingering = Counter(one.address for one in self._inside if not one.stays)
            if not lingering:
                self._hush.warn(guest.address, "the phone page: too many connections, %s turned away", guest.address)
                return False
            most = max(lingering.values())
            oldest = next(one for one in self._inside if not one.stays and lingering[one.address] == most)
            self._hush.warn(oldest.address, "the phone page: too many connections, the oldest from %s closed", oldest.address)
            self._turn_out(oldest)
        self._inside[guest] = None
        self.deserted.clear()
        return True

    def _turn_out(self, guest: Guest) -> None:
        self.left(guest)
        guest.leave()

    def left(self, guest: Guest) -> None:
        """It is gone. Harmless when it never came in."""
        self._inside.pop(guest, None)
        if not self._inside:
            self.deserted.set()
