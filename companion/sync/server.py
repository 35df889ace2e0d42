"""One thread that serves the table to the room: the phone page and ``/mqtt`` on one port, and MQTT over TCP beside it.

Here: listening, the thread, the HTTP front. Not here: what MQTT means (``broker``), the page's files (``pages``), moving bytes (``wires``).
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

from aiohttp import web
from aiohttp.http import HttpProcessingError

from companion.sync.broker import Broker, Link
from companion.sync.doors import Doors
from companion.sync.listening import Doorway, doorway
from companion.sync.pages import Answer, Pages, headers
from companion.sync.wires import TcpWire, WebSocketWire, peer_of

_log = logging.getLogger(__name__)

TICK: Final = 1.0
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
        self._doors = Doors(connections, each, broker.hush)
        self.port, self.mqtt_port = port, mqtt_port
        self._asked = (port, mqtt_port)
        self._doorway: Doorway | None = None
        self._seen: dict[str, dict[str, float]] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop
        self._stopping: asyncio.Event
        self._pages: Pages

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
        app = web.Application()
        app.router.add_get("/mqtt", self._mqtt)
        app.router.add_route("*", "/{path:.*}", self._page)
        runner = web.AppRunner(
            app,
            access_log=None,
            keepalive_timeout=15,
            lingering_time=2,
            shutdown_timeout=1,
            handle_signals=False,
            logger=self._http_log(),
        )
        listeners: list[asyncio.Server] = []
        try:
            try:
                self._pages = Pages(self._static)
                await runner.setup()
                opened = self._doorway or doorway(self._host, self._asked[0], self._asked[1], self._mqtt_host)
                listeners.append(await self._loop.create_server(lambda: self._doors.open(runner.server), sock=opened.page))
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
            await runner.cleanup()
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

    def _http_log(self) -> logging.Logger:
        """The web library's log: its own for each server, as who fills it is that server's to count."""
        log = logging.Logger(f"{__name__}.http")  # noqa: LOG001 -- of the register's it would stay for ever
        log.parent = _log

        def few(record: logging.LogRecord) -> bool:
            about = _calm(record)
            return about is not None and (not about or self._broker.hush.passes(about))

        log.addFilter(few)
        return log

    async def _page(self, request: web.Request) -> web.StreamResponse:
        answer = self._pages.answer(
            request.method, request.path, request.headers.get("Accept-Encoding", ""), request.headers.get("If-None-Match", "")
        )
        if answer.status in {200, 304} and request.path in {"/", "/index.html"}:
            self._note(request, "page")
        return _response(request, answer)

    async def _mqtt(self, request: web.Request) -> web.StreamResponse:
        offered = [name.strip() for name in request.headers.get("Sec-WebSocket-Protocol", "").split(",")]
        key = request.headers.get("Sec-WebSocket-Key", "")
        ws = web.WebSocketResponse(protocols=("mqtt",), max_msg_size=2 * self._broker.limits.packet, compress=False, timeout=2)
        transport = request.transport
        if "mqtt" not in offered or not key.isascii() or not ws.can_prepare(request) or transport is None:
            text = b"This address speaks MQTT 3.1.1 over WebSocket, subprotocol mqtt. The page for people is at /.\n"
            return _response(request, Answer(400, {"Content-Type": "text/plain; charset=utf-8"}, text))
        await ws.prepare(request)
        self._note(request, "socket")
        told = False

        def judged(link: Link) -> None:
            nonlocal told
            if not told and (link.refused or link.session is not None):
                told = True
                self._note(request, "refused" if link.refused else "welcome")

        with self._doors.kept(request.protocol):
            await WebSocketWire(self._broker, ws, transport).run(judged)
        return ws

    def _note(self, request: web.Request, what: str) -> None:
        transport = request.transport
        address = "" if transport is None else peer_of(transport)
        with self._lock:
            times = self._seen.pop(address, {})
            times[what] = self._clock()
            self._seen[address] = times  # newest last
            while len(self._seen) > VISITORS:
                del self._seen[next(iter(self._seen))]


def _calm(record: logging.LogRecord) -> str | None:
    """The web library calls bad bytes from the network an error, with a traceback; they are one line about whoever sent them.

    Whom the record is about; empty: nobody, tell it; None: it says nothing.
    """
    fault = record.exc_info[1] if record.exc_info else None
    if isinstance(fault, HttpProcessingError) and record.levelno >= logging.ERROR:
        (about, *_) = record.args if isinstance(record.args, tuple) and record.args else ("",)
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args = "the phone page: not HTTP from %s: %.100r", (about, fault.message)
        record.exc_info = None
        return str(about)
    # aiohttp tells a handler that outlived its time to stop, then stumbles over having told it; the connection is closed either way.
    return None if isinstance(fault, asyncio.InvalidStateError) else ""


def _response(request: web.Request, answer: Answer) -> web.Response:
    return web.Response(status=answer.status, headers=headers(request.headers.get("Host", "")) | answer.headers, body=answer.body)
