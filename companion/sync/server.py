"""One thread that serves the table to the room: the phone page and ``/mqtt`` on one port, and MQTT over TCP beside it.

Here: listening, the thread, who came how far. Not here: what MQTT means (``broker``), the page's files (``pages``), moving bytes (``wires``,
``visit``).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Final

from companion.sync.broker import Broker
from companion.sync.doors import Doors
from companion.sync.listening import Doorway, doorway
from companion.sync.pages import Answer, Pages
from companion.sync.visit import Visit
from companion.sync.wires import TcpWire

_log = logging.getLogger(__name__)

TICK: Final = 1.0
GOODBYE: Final = 1.0
"""Seconds that WebSockets have to close when the server ends."""
VISITORS: Final = 256
"""Addresses remembered for the join self-test."""


class Server:
    """The page, ``/mqtt`` (WebSocket, subprotocol ``mqtt``) and a TCP listener for the referee's own client, on one thread of their own.

    ``port`` and ``mqtt_port`` 0 choose a free port; both read as bound after ``start``. The page answers whatever name it is called by.
    TCP is for this computer only unless ``mqtt_host`` says otherwise. ``connections`` caps the page's port, ``each`` what one address may
    have of them; MQTT clients are capped by the broker's ``Limits`` wherever they come from.
    """

    def __init__(
        self,
        broker: Broker,
        static: Path,
        host: str = "0.0.0.0",  # noqa: S104 -- phones come from the network; that is what it is for
        port: int = 8788,
        mqtt_port: int = 0,
        *,
        mqtt_host: str = "127.0.0.1",
        connections: int = 512,
        each: int = 32,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._broker, self._static, self._clock = broker, static, clock
        self._host, self._mqtt_host = host, mqtt_host
        self._connections, self._each = connections, each
        self.port, self.mqtt_port = port, mqtt_port
        self._asked = (port, mqtt_port)
        self._doorway: Doorway | None = None
        self._seen: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stopping: asyncio.Event
        self._pages: Pages
        self._doors: Doors

    def start(self, opened: Doorway | None = None) -> None:
        """Serve; returns when both ports are bound. OSError in plain words when one cannot be.

        ``opened``: ports bound before, in the place of host and port; whoever waits there is served now.
        """
        if self._thread is not None:
            raise RuntimeError("the server is already running")
        self._doorway = opened
        bound: Future[None] = Future()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve(bound)), name="sync", daemon=True)
        self._thread.start()
        try:
            bound.result()
        except BaseException:
            self._thread.join()
            self._thread = None
            raise

    def stop(self) -> None:
        """Close every connection and both ports; returns when all is closed. Harmless when it does not run."""
        if self._thread is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
            self._thread = None

    @property
    def seen(self) -> Mapping[str, Mapping[str, float]]:
        """Who came how far, by address: when it last fetched the ``page``, opened the ``socket``, was ``refused`` by the broker or
        made ``welcome``; times of ``clock`` (``time.monotonic``). A copy; the join self-test judges by it.
        """
        with self._lock:
            return {address: dict(times) for address, times in self._seen.items()}

    # On the server's own thread

    async def _serve(self, bound: Future[None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._stopping = asyncio.Event()
        self._doors = Doors(self._connections, self._each, self._broker.hush)
        listeners: list[asyncio.Server] = []
        try:
            try:
                self._pages = Pages(self._static)
                opened = self._doorway or doorway(self._host, self._asked[0], self._asked[1], self._mqtt_host)
                listeners.append(
                    await self._loop.create_server(lambda: Visit(self._broker, self._doors, self._page, self._note), sock=opened.page)
                )
                listeners.append(await self._loop.create_server(lambda: TcpWire(self._broker), sock=opened.mqtt))
            except BaseException as fault:  # noqa: BLE001 -- whatever it is, whoever called start must hear it
                bound.set_exception(fault)
                return
            self.port, self.mqtt_port = opened.port, opened.mqtt_port
            self._broker.run_on(self._loop.call_soon_threadsafe)
            if not self._pages.built:
                _log.warning("the phone page has not been built: %s has no index.html; `make run` builds it", self._static)
            bound.set_result(None)
            await self._tick_until_stopped()
        finally:
            await self._deafen(listeners)
            for listener in listeners:
                listener.close()
            self._broker.stop()
            await self._see_off()
            self._broker.run_on(None)

    async def _deafen(self, listeners: list[asyncio.Server]) -> None:
        """Accept nobody more, and let those just accepted become connections: asyncio loses their sockets when a server closes meanwhile."""
        for listener in listeners:
            for sock in listener.sockets:
                with contextlib.suppress(NotImplementedError):  # the loop of Windows accepts in another way
                    self._loop.remove_reader(sock.fileno())
        for _ in range(3):
            await asyncio.sleep(0)

    async def _tick_until_stopped(self) -> None:
        while True:
            try:
                async with asyncio.timeout(TICK):
                    await self._stopping.wait()
                    return
            except TimeoutError:
                pass
            try:
                self._broker.tick()
            except Exception:  # noqa: BLE001 -- a fault of ours must not end the table; it is logged whole
                _log.exception("a fault in the broker's tick")

    async def _see_off(self) -> None:
        """Let WebSockets say goodbye; nobody else has anything to wait for."""
        for guest in self._doors.inside:
            if not guest.stays:
                guest.leave()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._doors.deserted.wait(), GOODBYE)
        for guest in self._doors.inside:
            guest.leave()
        await asyncio.sleep(0.01)  # asyncio closes a connection in the turn after

    def _page(self, address: str, method: str, path: str, accept_encoding: str, if_none_match: str) -> Answer:
        answer = self._pages.answer(method, path, accept_encoding, if_none_match)
        if answer.status in {200, 304} and path in {"/", "/index.html"}:
            self._note(address, "page")
        return answer

    def _note(self, address: str, what: str) -> None:
        with self._lock:
            times = self._seen.pop(address, {})
            times[what] = self._clock()
            self._seen[address] = times  # newest last
            while len(self._seen) > VISITORS:
                del self._seen[next(iter(self._seen))]
