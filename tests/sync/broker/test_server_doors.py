"""Who gets a connection to the page's port, and what the log says of those who behave badly on it."""

import asyncio
import logging
import socket
from pathlib import Path

import aiohttp
import pytest
from aiohttp.http import HttpProcessingError
from broker_harness import Raw, auth, get, may, spares, until

from companion.sync import server as server_module
from companion.sync.broker import Broker, Limits
from companion.sync.server import Server


def _serve(bundle: Path, each: int, limits: Limits | None = None) -> Server:
    server = Server(Broker(auth, may, spares=spares, limits=limits), bundle, "127.0.0.1", 0, each=each)
    server.start()
    return server


def _from(address: str, port: int) -> socket.socket:
    """A connection from another address of this computer."""
    return socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(address, 0))


def _ended(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def _page(connection: socket.socket) -> bytes:
    connection.sendall(b"GET /app.js HTTP/1.1\r\nHost: table.test\r\nConnection: close\r\n\r\n")
    answer = b""
    while data := connection.recv(65536):
        answer += data
    return answer


def test_one_address_keeps_so_many_connections_and_its_oldest_idle_one_makes_room(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _serve(bundle, each=3)
    greedy = [Raw(server.port) for _ in range(3)]
    greedy[1].socket.sendall(b"GET /app.js HTT")  # and never the rest
    other = _from("127.0.0.2", server.port)
    one_more = [Raw(server.port) for _ in range(2)]
    assert _ended(greedy[0].socket) and _ended(greedy[1].socket)
    for connection in (greedy[2].socket, one_more[0].socket, one_more[1].socket, other):
        assert _page(connection).startswith(b"HTTP/1.1 200 OK")
        connection.close()
    assert "the phone page: more than 3 connections from 127.0.0.1, the oldest closed" in caplog.text
    assert "127.0.0.2" not in caplog.text
    for connection in greedy:
        connection.close()
    server.stop()


def test_a_websocket_makes_room_for_nobody(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _serve(bundle, each=2)

    async def phones() -> None:
        async with aiohttp.ClientSession() as client:
            url = f"http://127.0.0.1:{server.port}/mqtt"
            async with client.ws_connect(url, protocols=["mqtt"]) as one, client.ws_connect(url, protocols=["mqtt"]) as two:
                late = await asyncio.to_thread(Raw, server.port)
                assert await asyncio.to_thread(_ended, late.socket)
                late.close()
                assert not one.closed and not two.closed
                other = await asyncio.to_thread(_from, "127.0.0.2", server.port)
                assert b"200 OK" in await asyncio.to_thread(_page, other)
                other.close()

    asyncio.run(phones())
    assert "more than 2 connections from 127.0.0.1, turned away" in caplog.text
    until(lambda: not server._doors._kept)
    assert get(server, "/")[0] == 200
    server.stop()


def test_a_table_bears_hundreds_of_connections_of_one_address_with_a_few_lines(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _serve(bundle, each=32)
    held = [Raw(server.port) for _ in range(300)]
    other = _from("127.0.0.2", server.port)
    assert b"200 OK" in _page(other)
    other.close()
    assert caplog.text.count("the oldest closed") == 5
    for connection in held:
        connection.close()
    server.stop()


def test_a_connection_that_came_while_the_server_ends_is_turned_away(bundle: Path) -> None:
    server = Server(Broker(auth, may), bundle, "127.0.0.1", 0)
    assert server._doors.answer(None, "192.0.2.1") is None


def test_bad_http_again_and_again_is_a_few_lines(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _serve(bundle, each=32, limits=Limits(warnings=2))
    for _ in range(10):
        raw = Raw(server.port)
        raw.socket.sendall(b"GET /app.js HTTP/1.1\r\nHost: table.test\r\n\r\n")
        raw.socket.recv(65536)
        raw.socket.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")
        until(lambda raw=raw: _ended(raw.socket))
        raw.close()
    server.stop()
    lines = [record.getMessage() for record in caplog.records if "not HTTP" in record.getMessage()]
    assert len(lines) == 2 and lines[0].startswith("the phone page: not HTTP from 127.0.0.1: ")


# -- the web library's own records


def _record(fault: Exception | None, *args: object, level: int = logging.ERROR) -> logging.LogRecord:
    info = None if fault is None else (type(fault), fault, None)
    return logging.LogRecord("web", level, "web.py", 1, "Error handling request from %s", args, info)


def test_bad_bytes_are_a_warning_about_whoever_sent_them_without_a_traceback() -> None:
    record = _record(HttpProcessingError(message="Bad status line"), "192.0.2.1")
    assert server_module._calm(record) == "192.0.2.1"
    assert (record.levelname, record.exc_info) == ("WARNING", None)
    assert record.getMessage() == "the phone page: not HTTP from 192.0.2.1: 'Bad status line'"


def test_bad_bytes_of_nobody_in_particular_are_told_all_the_same() -> None:
    record = _record(HttpProcessingError(message="Bad status line"))
    assert server_module._calm(record) == ""
    assert record.getMessage() == "the phone page: not HTTP from : 'Bad status line'"


def test_what_the_library_says_quietly_stays_as_it_is() -> None:
    record = _record(HttpProcessingError(message="Bad status line"), "192.0.2.1", level=logging.DEBUG)
    assert server_module._calm(record) == ""
    assert (record.levelname, record.getMessage()) == ("DEBUG", "Error handling request from 192.0.2.1")


def test_what_the_library_stumbles_over_by_itself_is_no_line(caplog: pytest.LogCaptureFixture) -> None:
    record = _record(asyncio.InvalidStateError("invalid state"), "192.0.2.1")
    assert server_module._calm(record) is None
    server = Server(Broker(auth, may), Path(), "127.0.0.1", 0)
    server._http_log().handle(record)
    assert caplog.records == []


@pytest.mark.logs_errors
def test_a_real_fault_stays_an_error_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    record = _record(ZeroDivisionError("ours"), "192.0.2.1")
    server = Server(Broker(auth, may), Path(), "127.0.0.1", 0)
    server._http_log().handle(record)
    server._http_log().handle(_record(None, "192.0.2.1"))
    assert [one.levelname for one in caplog.records] == ["ERROR", "ERROR"] and caplog.records[0].exc_info
