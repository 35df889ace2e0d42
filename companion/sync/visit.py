"""One connection to the page's port: a request and its answer, or MQTT in the frames of a WebSocket.

Here: HTTP and WebSocket between the socket and whoever answers, and how long either may take. Not here: what is answered (``pages``), who
may come (``doors``), what MQTT means (``broker``). The protocol itself is the ``websockets`` library's, which does no input and output of
its own: bytes in, events and bytes out. One request a connection, and then it is closed: a page is a handful of files, read once.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections.abc import Callable
from email.utils import formatdate
from http import HTTPStatus
from typing import Final
from urllib.parse import unquote

from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from companion.sync.broker import Broker
from companion.sync.doors import Doors
from companion.sync.pages import Answer, headers
from companion.sync.wires import Wire, peer_of

_library_log = logging.getLogger(f"{__name__}.library")
_library_log.setLevel(logging.WARNING)  # at INFO it tells of every connection

FRAME: Final = 64 * 1024
"""A WebSocket frame grows no longer than this by joining packets."""
ASKING: Final = 15.0
"""Seconds that a connection has to say what it wants."""
TAKING: Final = 60.0
"""Seconds that it has to take its answer and close."""
_AUTHORITY: Final = re.compile(r"https?://[^/?]*", re.IGNORECASE)
_LINE: Final = 8192
"""Most of a request's first line that is kept."""
_OTHER: Final = re.compile(rb"(?!GET |HEAD )[A-Z]+ [!-~]+ HTTP/1\.[01]\r?\n")
"""A first line of HTTP that asks for something else than a page."""
_PLAIN: Final = {"Content-Type": "text/plain; charset=utf-8"}
_NO_MQTT: Final = b"This address speaks MQTT 3.1.1 over WebSocket, subprotocol mqtt. The page for people is at /.\n"
_NO_HTTP: Final = b"This address only answers GET.\n"

Page = Callable[[str, str, str, str, str], Answer]
"""(address, method, path, Accept-Encoding, If-None-Match), the path decoded and without its query."""


class Visit(Wire):
    """``page`` is asked for every answer but those of ``/mqtt``; ``note(address, what)`` is told of a ``socket``, and of the ``welcome`` or
    ``refused`` that came of it. A guest of ``doors`` while it lasts.
    """

    def __init__(self, broker: Broker, doors: Doors, page: Page, note: Callable[[str, str], None]) -> None:
        super().__init__(broker)
        self._doors, self._page, self._note = doors, page, note
        # No extensions: sealed bytes do not compress.
        self._speech = ServerProtocol(subprotocols=[Subprotocol("mqtt")], max_size=2 * broker.limits.packet, logger=_library_log)
        self._timer: asyncio.TimerHandle
        self._heard = bytearray()
        self._line = b""
        self._answered = False
        self._told = False
        self.address = ""
        self.stays = False

    # For asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = peer_of(transport)
        self._timer = self._loop.call_later(ASKING, self.leave)
        if not self._doors.enter(self):
            self._transport.close()

    def buffer_updated(self, nbytes: int) -> None:
        if self._answered and not self.stays:
            return  # read and forgotten: to close with unread bytes would take the answer back
        said = bytes(self._inbox[:nbytes])
        if not self._answered and b"\n" not in self._line and len(self._line) < _LINE:
            self._line += said[:_LINE]
        self._speech.receive_data(said)
        for event in self._speech.events_received():
            if isinstance(event, Request):
                self._answer(event)
            elif isinstance(event, Frame) and self.stays:
                self._take(event)
        if self._speech.handshake_exc is not None and not self._answered:
            self._complain(self._speech.handshake_exc)
        if self.stays:
            self._hear()
            self._speak()

    def connection_lost(self, exc: Exception | None) -> None:
        self._doors.left(self)
        self._timer.cancel()
        if self.stays:
            super().connection_lost(exc)

    # For the doors

    def leave(self) -> None:
        self._transport.abort()

    # A request

    def _answer(self, request: Request) -> None:
        path = unquote(_AUTHORITY.sub("", request.path).partition("?")[0]) or "/"
        if path == "/mqtt" and request.method in {"GET", "HEAD"}:
            early = self._speech.data_to_send()  # to frames that did not wait for our answer
            response = self._speech.accept(request)
            if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and not early:
                self._begin(response)
                return
            answer = Answer(400, _PLAIN, _NO_MQTT)
        else:
            said = (_said(request, "Accept-Encoding"), _said(request, "If-None-Match"))
            answer = self._page(self.address, request.method, path, *said)
        self._reply([_response(answer, _said(request, "Host"), request.method).serialize()])

    def _complain(self, fault: Exception) -> None:
        if _OTHER.match(self._line):  # with a body, which the library does not read: nor do we, and the answer is the page's own
            method, path, _ = self._line.decode("ascii", "replace").split(" ", 2)
            self._reply([_response(self._page(self.address, method, path, "", ""), "", method).serialize()])
            return
        why = fault.__cause__ or fault
        self._broker.hush.warn(self.address, "the phone page: not HTTP from %s: %.100r", self.address, str(why))
        own = [data for data in self._speech.data_to_send() if data]  # the library has answered some faults itself
        self._reply(own or [_response(Answer(400, _PLAIN, _NO_HTTP), "", "GET").serialize()])

    def _reply(self, parts: list[bytes]) -> None:
        self._answered = True
        self._timer.cancel()
        self._timer = self._loop.call_later(TAKING, self.leave)
        self._transport.write(b"".join(parts))
        self._finish()

    # A WebSocket

    def _begin(self, response: Response) -> None:
        self._timer.cancel()
        self.stays = self._answered = True
        self._speech.send_response(response)
        self._speak()
        self._note(self.address, "socket")
        self._link = self._broker.open(self, self.address)

    def _take(self, frame: Frame) -> None:
        match frame.opcode:
            case Opcode.BINARY | Opcode.CONT:
                self._heard += frame.data
            case Opcode.TEXT:
                if self._speech.state is OPEN:
                    self._speech.send_close(CloseCode.UNSUPPORTED_DATA)
                self._link.lost("text over the WebSocket; MQTT is binary")

    def _hear(self) -> None:
        if self._heard:
            data, self._heard = bytes(self._heard), bytearray()
            self._feed(data)
            if not self._told and (self._link.refused or self._link.session is not None):
                self._told = True
                self._note(self.address, "refused" if self._link.refused else "welcome")
        if self._speech.parser_exc is not None:
            self._link.lost(f"a fault in the WebSocket: {self._speech.parser_exc}")
        elif self._speech.close_rcvd is not None:
            self._link.lost("the other end closed the connection")

    def _write(self, parts: list[bytes]) -> None:
        frame: list[bytes] = []
        size = 0
        for part in parts:
            if frame and size + len(part) > FRAME:
                self._send(frame)
                frame, size = [], 0
            frame.append(part)
            size += len(part)
        self._send(frame)
        self._speak()

    def _send(self, frame: list[bytes]) -> None:
        if self._speech.state is OPEN:  # else the other end has closed, and hears nothing more
            self._speech.send_binary(b"".join(frame))

    def _end(self) -> None:
        if self._speech.state is OPEN:
            self._speech.send_close(CloseCode.NORMAL_CLOSURE)
        self._speak()

    # Either

    def _speak(self) -> None:
        said = self._speech.data_to_send()
        if self._transport.is_closing():
            return  # nobody is there; asyncio would say so with every write
        if said:
            self._transport.write(b"".join(said))
            if not said[-1]:
                self._finish()
        if self._transport.get_write_buffer_size() > 2 * self._broker.limits.backlog:
            self._transport.abort()  # it asks for pongs and takes none: all else is bounded before it comes here

    def _finish(self) -> None:
        """Nothing more comes from here; the other end closes when it has read it all."""
        with contextlib.suppress(OSError):  # it is gone already
            self._transport.write_eof()


def _said(request: Request, name: str) -> str:
    return ", ".join(request.headers.get_all(name))


def _response(answer: Answer, host: str, method: str) -> Response:
    sent = Headers(headers(host) | answer.headers)
    sent["Date"] = formatdate(usegmt=True)
    sent["Connection"] = "close"
    if answer.status != HTTPStatus.NOT_MODIFIED:
        sent["Content-Length"] = str(len(answer.body))
    return Response(answer.status, HTTPStatus(answer.status).phrase, sent, b"" if method == "HEAD" else answer.body)
