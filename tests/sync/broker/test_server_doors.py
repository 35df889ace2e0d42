"""Who gets a connection to the page's port, and what the log says of those who behave badly on it."""

import asyncio
import socket
from pathlib import Path

import aiohttp
import pytest
from broker_harness import Raw, auth, get, may, spares, until

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
    until(lambda: not server._doors.inside)
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


def test_bad_http_again_and_again_is_a_few_lines(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = _serve(bundle, each=32, limits=Limits(warnings=2))
    for _ in range(10):
        raw = Raw(server.port)
        raw.socket.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n")
        until(lambda raw=raw: _ended(raw.socket))
        raw.close()
    server.stop()
    lines = [record.getMessage() for record in caplog.records if "not HTTP" in record.getMessage()]
    assert len(lines) == 2 and lines[0].startswith("the phone page: not HTTP from 127.0.0.1: ")


def test_many_addresses_together_keep_no_newcomer_out(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0, connections=12, each=6)
    server.start()
    lone = _from("127.0.0.9", server.port)
    held = [_from(f"127.0.0.{2 + i % 2}", server.port) for i in range(11)]  # six from the one, five from the other
    for connection in held:
        connection.sendall(b"GET /app.js HTT")  # and never the rest
    for n in range(3):
        newcomer = _from(f"127.0.0.{20 + n}", server.port)
        assert b"200 OK" in _page(newcomer)
        newcomer.close()
    until(lambda: len(server._doors.inside) < 12)
    assert _ended(held[0]), "the oldest of who had most"
    assert b"200 OK" in _page(lone), "whoever had one keeps it"
    assert "too many connections, the oldest from 127.0.0.2 closed" in caplog.text
    for connection in (*held, lone):
        connection.close()
    server.stop()


def test_where_all_places_are_phones_a_newcomer_is_turned_away(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0, connections=1)
    server.start()

    async def phone() -> None:
        async with aiohttp.ClientSession() as client, client.ws_connect(f"http://127.0.0.1:{server.port}/mqtt", protocols=["mqtt"]) as one:
            late = await asyncio.to_thread(_from, "127.0.0.2", server.port)
            assert await asyncio.to_thread(_ended, late)
            late.close()
            assert not one.closed

    asyncio.run(phone())
    assert "too many connections, 127.0.0.2 turned away" in caplog.text
    server.stop()
