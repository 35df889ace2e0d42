"""A table that does what it is told: page, MQTT over WebSocket and a scripted referee in one small server.

It lets a test drop lines, keep silent, refuse, forge and answer late, which the real server rightly does not. The seal is the real one
(``companion.sync.sealing``). Tests against the real server stand in test_real_table.py.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from aiohttp import WSMsgType, web

from companion.sync import sealing
from companion.sync.sealing import Bond, Channel, Frame
from companion.sync.topics import Topics

CSP = "default-src 'self'; connect-src 'self' ws: wss:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
GAME = "testgame"
HOST = "table.test"
"""A made-up name: loopback would count as a secure context and hide what phones lack."""


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _packet(kind: int, body: bytes) -> bytes:
    size, n = b"", len(body)
    while True:
        n, digit = divmod(n, 128)
        size += bytes([digit | (0x80 if n else 0)])
        if not n:
            return bytes([kind]) + size + body


def _publish(topic: str, payload: bytes, *, retain: bool = False) -> bytes:
    name = topic.encode()
    return _packet(0x30 | int(retain), len(name).to_bytes(2, "big") + name + payload)


class Phone:
    """One connection: the few MQTT 3.1.1 packets MQTT.js sends."""

    def __init__(self, table: Table, ws: web.WebSocketResponse) -> None:
        self.table = table
        self.ws = ws
        self.buffer = b""
        self.client_id = ""
        self.will: tuple[str, bytes] | None = None

    async def feed(self, data: bytes) -> None:
        self.buffer += data
        while len(self.buffer) >= 2:
            size, shift, at = 0, 0, 1
            while True:
                if at >= len(self.buffer):
                    return
                size |= (self.buffer[at] & 0x7F) << shift
                shift += 7
                at += 1
                if not self.buffer[at - 1] & 0x80:
                    break
            if len(self.buffer) < at + size:
                return
            head, body, self.buffer = self.buffer[0], self.buffer[at : at + size], self.buffer[at + size :]
            await self.packet(head, body)

    async def packet(self, head: int, body: bytes) -> None:
        kind = head >> 4
        if kind == 1:
            await self.connect(body)
        elif kind == 8:
            await self.ws.send_bytes(_packet(0x90, body[:2] + b"\1" * body.count(b"jinmaku/")))
            if self.table.away:
                await self.ws.send_bytes(_publish(self.table.topics.presence("table"), b'{"on":false}', retain=True))
        elif kind == 12:
            await self.ws.send_bytes(b"\xd0\0")
        elif kind == 3:
            n = int.from_bytes(body[:2], "big")
            topic, rest = body[2 : 2 + n].decode(), body[2 + n :]
            if head & 0x06:
                await self.ws.send_bytes(b"\x40\x02" + rest[:2])
                rest = rest[2:]
            await self.table.heard(self, topic, rest)

    async def connect(self, body: bytes) -> None:
        flags, self.table.keepalive = body[7], int.from_bytes(body[8:10], "big")
        fields, at = [], 10
        while at < len(body):
            n = int.from_bytes(body[at : at + 2], "big")
            fields.append(body[at + 2 : at + 2 + n])
            at += 2 + n
        self.client_id = fields.pop(0).decode()
        if flags & 4:
            self.will = (fields[0].decode(), fields[1])
            del fields[:2]
        user, password = fields[0].decode(), fields[1].decode()
        bond = self.table.bond
        good = user == f"{bond.seat}.{bond.epoch}" and password == sealing.mqtt_password(bond.key) and self.client_id.startswith(user + "-")
        code = 0 if good and not self.table.refusing else 5
        await self.ws.send_bytes(bytes([0x20, 2, 0, code]))
        if code:
            await self.ws.close()


class Table:
    """Set the attributes, read the lists; ``say`` and the like may be called from the test's thread."""

    def __init__(self, static: Path, seat: str = "koi") -> None:
        self.static = static
        self.bond = Bond(GAME, seat, 3, sealing.fresh_key())
        self.topics = Topics(GAME)
        self.view: dict[str, Any] | None = None
        self.render: Callable[[str], dict[str, Any] | None] | None = None
        """lang -> view, where a test speaks two languages."""
        self.revision, self.stamp = 1, 1
        self.extra: dict[str, Any] = {}
        """Goes into every message down: ``clauses``."""
        self.judge: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda order: {"ok": True, "events": ["It is done."]}
        """order -> answer without id and revision; None: no answer at all."""
        self.waiting = False
        self.away = False
        self.mute = False
        self.refusing = False
        self.shut = False
        self.old_frames = False
        self.orders: list[dict[str, Any]] = []
        self.frames: list[bytes] = []
        self.said: list[str] = []
        """Every message up by its ``t``."""
        self.langs: list[str] = []
        self.presence: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.keepalive = 0
        self.phones: list[Phone] = []
        self.live: Channel | None = None
        self._pending: Channel | None = None
        self._answers: dict[str, dict[str, Any]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.port = 0

    # ---------------------------------------------------------------- life

    def __enter__(self) -> Self:
        self._thread.start()
        self._do(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _start(self) -> None:
        app = web.Application()
        app.router.add_get("/mqtt", self._mqtt)
        app.router.add_get("/{name:.*}", self._page)
        self._runner = web.AppRunner(app, shutdown_timeout=2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def _close(self) -> None:
        # The sockets first: aiohttp complains aloud of a handler that ends after it has given up waiting for it.
        for phone in list(self.phones):
            with contextlib.suppress(ConnectionError):
                await phone.ws.close()
        await self._runner.cleanup()

    def _do(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(10)

    @property
    def url(self) -> str:
        bond = self.bond
        return f"http://{HOST}:{self.port}/#1.{bond.game_id}.{bond.seat}.{bond.epoch}.{b64(bond.key)}"

    # ---------------------------------------------------------------- server

    async def _page(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"] or "index.html"
        self.requests.append(name)
        path = self.static / name
        if not path.is_file():
            return web.Response(status=404)
        return web.FileResponse(path, headers={"Content-Security-Policy": CSP, "Cache-Control": "no-store"})

    async def _mqtt(self, request: web.Request) -> web.StreamResponse:
        if self.shut:
            return web.Response(status=503)
        ws = web.WebSocketResponse(protocols=("mqtt",))
        await ws.prepare(request)
        phone = Phone(self, ws)
        self.phones.append(phone)
        try:
            async for message in ws:
                if message.type is WSMsgType.BINARY:
                    await phone.feed(message.data)
        finally:
            if phone in self.phones:
                self.phones.remove(phone)
        return ws

    async def heard(self, phone: Phone, topic: str, payload: bytes) -> None:
        if topic == self.topics.presence(self.bond.seat):
            self.presence.append(json.loads(payload))
            return
        self.frames.append(payload)
        frame = Frame.decode(payload)
        try:
            hello = json.loads(sealing.open_hello(self.bond, frame))
        except sealing.SealError:
            await self._later(phone, frame)
            return
        self.said.append("hello")
        self.langs.append(hello["lang"])
        if self.mute:
            return
        nonce = base64.urlsafe_b64decode(hello["nonce"] + "==")
        mine = sealing.fresh_nonce()
        self._pending = Channel(self.bond, "d", (nonce, mine))
        content = self._content("welcome", None) | {"nonce": b64(mine)}
        sealed = sealing.seal_welcome(self.bond, nonce, json.dumps(content).encode())
        await self._send(phone, bytes([sealing.VERSION + 1]) + sealed[1:] if self.old_frames else sealed)

    async def _later(self, phone: Phone, frame: Frame) -> None:
        for channel in (self._pending, self.live):
            if channel is None:
                continue
            try:
                message = json.loads(channel.open(frame))
            except sealing.SealError:
                continue
            self.live, self._pending = channel, None
            break
        else:
            return
        self.said.append(message["t"])
        if message["t"] == "lang":
            self.langs.append(message["lang"])
            await self._view(phone, None)
        elif message["t"] == "ping":
            await self._view(phone, None)
        elif message["t"] == "order":
            known = message["id"] in self._answers
            if not known:
                self.orders.append(message)
                verdict = self.judge(message)
                if verdict is not None:
                    self._answers[message["id"]] = verdict
            verdict = self._answers.get(message["id"])
            if verdict is not None:
                await self._view(phone, {"id": message["id"], "revision": self.revision, "refusal": None, "events": []} | verdict)

    def _content(self, t: str, answer: dict[str, Any] | None) -> dict[str, Any]:
        view = self.render(self.langs[-1]) if self.render is not None and self.langs else self.view
        return {
            "t": t,
            "revision": self.revision,
            "stamp": self.stamp,
            "seat": self.bond.seat,
            "view": None if self.waiting else view,
            "answer": answer,
            "waiting": self.waiting,
        } | self.extra

    async def _view(self, phone: Phone, answer: dict[str, Any] | None) -> None:
        assert self.live is not None
        await self._send(phone, self.live.seal(json.dumps(self._content("view", answer)).encode()))

    async def _send(self, phone: Phone, payload: bytes, topic: str = "") -> None:
        if not phone.ws.closed:
            await phone.ws.send_bytes(_publish(topic or self.topics.down(self.bond.seat), payload))

    # ---------------------------------------------------------------- what tests do

    def show(self, view: dict[str, Any], *, new_question: bool = True) -> None:
        """The game went on."""
        self.view = view
        self.revision += 1
        if new_question:
            self.stamp = self.revision
        self._do(self._view(self.phones[-1], None))

    def say(self, content: object) -> None:
        """Any JSON, properly sealed."""
        assert self.live is not None
        self._do(self._send(self.phones[-1], self.live.seal(json.dumps(content).encode())))

    def raw(self, payload: bytes, topic: str = "") -> None:
        """Any bytes on the seat's topic."""
        self._do(self._send(self.phones[-1], payload, topic))

    def tell(self, t: str, **more: object) -> None:
        self.say(self._content(t, None) | {"view": None} | more)

    def drop(self) -> None:
        """Every line breaks, as when the broker dies."""

        async def cut() -> None:
            for phone in list(self.phones):
                transport = phone.ws._req.transport if phone.ws._req is not None else None
                if transport is not None:
                    transport.abort()

        self._do(cut())

    def wait(self, ready: Callable[[], bool], seconds: float = 15.0) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if time.monotonic() > end:
                raise AssertionError(f"waited {seconds} s in vain; heard {self.said}")
            time.sleep(0.01)
