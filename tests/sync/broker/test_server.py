"""The server: page, WebSocket and TCP on one thread; what it says when it cannot, and how it ends."""

import asyncio
import http.client
import logging
import socket
import struct
import time
from pathlib import Path

import aiohttp
import pytest
from broker_harness import Raw, auth, get, may, spares, until

from companion.sync import server as server_module
from companion.sync import visit
from companion.sync.broker import Broker, Limits
from companion.sync.broker.packets import Connack, Connect, Disconnect, Packet, Pingreq, Pingresp, Publish, Suback, Subscribe, encode
from companion.sync.broker.parser import Parser
from companion.sync.server import Server

KOI = Connect("koi-1", True, 0, "koi", b"k")


def test_tcp_speaks_mqtt_and_says_goodbye(server: Server) -> None:
    koi = Raw(server.mqtt_port)
    koi.say(KOI, Subscribe(1, (("game/open/#", 1), ("#", 1))), Pingreq())
    assert [koi.hear() for _ in range(3)] == [Connack(), Suback(1, (1, 0x80)), Pingresp()]
    koi.say(Disconnect())
    assert koi.hear() is None
    koi.close()
    until(lambda: server._broker.counts.connected == 0)


def test_small_packets_do_not_wait_for_each_other_on_either_transport(server: Server) -> None:
    """Without TCP_NODELAY a burst takes 40 ms more, and no other test sees it."""

    async def both() -> None:
        raw = Raw(server.mqtt_port)
        raw.say(KOI)
        assert raw.hear() == Connack()
        async with aiohttp.ClientSession() as client, await _ws(server, client) as ws:
            await ws.send_bytes(encode(Connect("lotus-1", True, 0, "lotus", b"l")))
            await ws.receive(5)
            wires = [link.wire for link in server._broker._links.values()]
            options = [wire._transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for wire in wires]
            assert options == [1, 1]
        raw.close()

    asyncio.run(both())


def test_a_refused_client_hears_why_before_the_end(server: Server) -> None:
    koi = Raw(server.mqtt_port)
    koi.say(Connect("koi-1", True, 0, "koi", b"wrong"))
    assert koi.hear() == Connack(5) and koi.hear() is None
    koi.close()


async def _ws(server: Server, client: aiohttp.ClientSession) -> aiohttp.ClientWebSocketResponse:
    return await client.ws_connect(f"http://127.0.0.1:{server.port}/mqtt", protocols=["mqtt"])


async def _hear(ws: aiohttp.ClientWebSocketResponse, parser: Parser) -> Packet | None:
    while (packet := parser.next_packet()) is None:
        message = await ws.receive(5)
        if message.type is not aiohttp.WSMsgType.BINARY:
            return None
        parser.receive(message.data)
    return packet


def test_packets_may_span_frames_and_share_frames(server: Server) -> None:
    async def talk() -> None:
        async with aiohttp.ClientSession() as client, await _ws(server, client) as ws:
            assert ws.protocol == "mqtt"
            stream = encode(KOI) + encode(Subscribe(1, (("game/open/#", 0),))) + encode(Pingreq())
            for at in range(0, len(stream), 7):
                await ws.send_bytes(stream[at : at + 7])
            parser = Parser(1 << 28)
            assert [await _hear(ws, parser) for _ in range(3)] == [Connack(), Suback(1, (0,)), Pingresp()]
            table = Raw(server.mqtt_port)
            table.say(Connect("table-1", True, 0, "table", b"t"), Publish("game/open/big", b"x" * 200_000))
            assert await _hear(ws, parser) == Publish("game/open/big", b"x" * 200_000)
            table.say(*(Publish("game/open/n", str(n).encode()) for n in range(3000)))
            for n in range(3000):
                assert await _hear(ws, parser) == Publish("game/open/n", str(n).encode())
            table.close()
            await ws.send_bytes(encode(Disconnect()))
            assert await _hear(ws, parser) is None and ws.close_code == 1000

    asyncio.run(talk())
    until(lambda: server._broker.counts.connected == 0)


def test_text_and_oversized_frames_end_that_connection_with_one_line(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)

    async def talk() -> None:
        async with aiohttp.ClientSession() as client:
            async with await _ws(server, client) as ws:
                await ws.send_str("hello")
                assert (await ws.receive(5)).type is aiohttp.WSMsgType.CLOSE
            async with await _ws(server, client) as ws:
                await ws.send_bytes(b"x" * (2 * Limits().packet + 1))
                message = await ws.receive(5)
                assert message.type is aiohttp.WSMsgType.CLOSE and message.data == 1009
            async with await _ws(server, client) as ws:
                await ws.send_bytes(b"\x00garbage")
                assert (await ws.receive(5)).type is aiohttp.WSMsgType.CLOSE

    asyncio.run(talk())
    until(lambda: caplog.text.count(" closed: ") == 3)
    ends = [record.getMessage() for record in caplog.records if "closed" in record.getMessage()]
    assert "text over the WebSocket" in ends[0] and "a fault in the WebSocket" in ends[1] and "packet type 0 does not exist" in ends[2]


def test_seen_tells_how_far_a_phone_came(bundle: Path) -> None:
    clock = iter(range(1, 100))
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0, clock=lambda: float(next(clock)))
    server.start()

    async def knock(connect: Connect) -> None:
        async with aiohttp.ClientSession() as client, await _ws(server, client) as ws:
            await ws.send_bytes(encode(connect))
            await ws.receive(5)

    try:
        assert server.seen == {}
        get(server, "/app.js")
        assert server.seen == {}
        get(server, "/")
        assert server.seen == {"127.0.0.1": {"page": 1.0}}
        asyncio.run(knock(Connect("koi-1", True, 0, "koi", b"old QR")))
        until(lambda: "refused" in server.seen["127.0.0.1"])
        assert server.seen == {"127.0.0.1": {"page": 1.0, "socket": 2.0, "refused": 3.0}}
        asyncio.run(knock(KOI))
        until(lambda: "welcome" in server.seen["127.0.0.1"])
        assert server.seen == {"127.0.0.1": {"page": 1.0, "socket": 4.0, "refused": 3.0, "welcome": 5.0}}
    finally:
        server.stop()


def test_seen_does_not_grow_without_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "VISITORS", 2)
    addresses = iter(["192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.3"])
    monkeypatch.setattr(visit, "peer_of", lambda _: next(addresses))
    for _ in range(4):
        get(server, "/")
    assert list(server.seen) == ["192.0.2.1", "192.0.2.3"]


def test_a_busy_port_is_said_in_plain_words_and_nothing_is_left_running(server: Server, bundle: Path) -> None:
    for kind, again in (
        ("the phone page", Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", server.port)),
        ("MQTT over TCP", Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0, server.mqtt_port)),
    ):
        with pytest.raises(
            OSError, match=rf"cannot serve {kind}: port \d+ is in use, perhaps by another table: close that, or choose another"
        ):
            again.start()
        again.stop()
        assert again._thread is None
    assert get(server, "/")[0] == 200


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("192.0.2.1", 0, "this computer has no address '192.0.2.1'"),
        ("no.such.host.invalid", 0, "no address"),
        ("127.0.0.1", 70000, "70000 is no port"),
    ],
)
def test_an_impossible_address_is_said_in_plain_words(bundle: Path, host: str, port: int, words: str) -> None:
    with pytest.raises(OSError, match=words):
        Server(Broker(auth, may, spares=spares), bundle, host, port).start()


def test_a_reserved_port_is_said_in_plain_words(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_address: object) -> socket.socket:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", denied)
    with pytest.raises(OSError, match="port 80 is reserved by the system: choose one from 1024 to 65535"):
        Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 80).start()


def test_it_stops_with_clients_connected_and_starts_again(bundle: Path) -> None:
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0)
    for _ in range(2):
        server.start()
        with pytest.raises(RuntimeError, match="already running"):
            server.start()
        raw, silent, page = Raw(server.mqtt_port), Raw(server.mqtt_port), Raw(server.port)
        raw.say(KOI)
        assert raw.hear() == Connack()

        async def phone(server: Server = server) -> None:
            async with aiohttp.ClientSession() as client, await _ws(server, client) as ws:
                await ws.send_bytes(encode(Connect("lotus-1", True, 0, "lotus", b"l")))
                await ws.receive(5)
                began = time.monotonic()
                await asyncio.get_running_loop().run_in_executor(None, server.stop)
                assert time.monotonic() - began < 4

        asyncio.run(phone())
        assert raw.hear() is None
        with pytest.raises(OSError, match="refused"):
            Raw(server.port)
        for connection in (raw, silent, page):
            connection.close()
    server.stop()


def test_kick_from_another_thread_ends_the_connection(server: Server) -> None:
    koi = Raw(server.mqtt_port)
    koi.say(KOI)
    assert koi.hear() == Connack()
    server._broker.kick("koi")
    assert koi.hear() is None
    koi.close()


def test_silence_is_noticed_by_the_servers_own_tick(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(server_module, "TICK", 0.01)
    now = [0.0]
    server = Server(Broker(auth, may, spares=spares, clock=lambda: now[0]), bundle, "127.0.0.1", 0)
    server.start()
    stranger = Raw(server.mqtt_port)
    until(lambda: server._broker.counts.strangers == 1)
    now[0] = 11.0
    assert stranger.hear() is None
    assert "no CONNECT came" in caplog.text
    stranger.close()
    server.stop()


@pytest.mark.logs_errors
def test_a_fault_in_the_tick_does_not_end_the_table(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server_module, "TICK", 0.01)
    broker = Broker(auth, may, spares=spares)
    monkeypatch.setattr(broker, "tick", lambda: 1 / 0)
    server = Server(broker, bundle, "127.0.0.1", 0)
    server.start()
    until(lambda: caplog.text.count("a fault in the broker's tick") > 1)
    assert get(server, "/")[0] == 200
    server.stop()


def test_too_many_connections_to_the_page_make_room_for_each_other_and_mqtt_goes_on(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0, connections=2)
    server.start()
    held = [Raw(server.port), Raw(server.port)]
    assert _open(server)
    assert "the phone page: too many connections, the oldest from 127.0.0.1 closed" in caplog.text
    koi = Raw(server.mqtt_port)
    koi.say(KOI)
    assert koi.hear() == Connack()
    for connection in (*held, koi):
        connection.close()
    assert _open(server)
    server.stop()


def _open(server: Server) -> bool:
    try:
        return get(server, "/")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def test_garbage_on_either_port_is_no_error_and_disturbs_nobody(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    koi = Raw(server.mqtt_port)
    koi.say(KOI)
    assert koi.hear() == Connack()
    for port in (server.port, server.mqtt_port):
        for noise in (
            b"\x00" * 50,
            b"GET / HTTP/1.1\r\n\r\n",
            b"GET /\x00 \r\n\r\n",
            bytes(range(256)),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
            b"\xff" * 9000,
        ):
            raw = Raw(port)
            raw.socket.sendall(noise)
            raw.socket.shutdown(socket.SHUT_WR)
            raw.close()
    reset = Raw(server.mqtt_port)
    reset.socket.sendall(encode(Connect("lotus-1", True, 0, "lotus", b"l")))
    reset.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    reset.close()
    until(lambda: server._broker.counts.strangers == 0 and server._broker.counts.connected == 1)
    koi.say(Pingreq())
    assert koi.hear() == Pingresp()
    assert get(server, "/")[0] == 200
    koi.close()
    assert not [record for record in caplog.records if record.levelno > logging.WARNING]


def test_a_subscriber_that_stops_reading_is_closed_and_the_others_go_on(bundle: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Broker(auth, may, spares=spares, limits=Limits(backlog=300_000)), bundle, "127.0.0.1", 0)
    server.start()
    table, deaf, lotus = Raw(server.mqtt_port), Raw(server.mqtt_port), Raw(server.mqtt_port)
    deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    table.say(Connect("table-1", True, 0, "table", b"t"))
    for client, name in ((deaf, "koi"), (lotus, "lotus")):
        client.say(Connect(f"{name}-1", True, 0, name, name[:1].encode()), Subscribe(1, (("game/open/#", 0),)))
        assert [client.hear(), client.hear()] == [Connack(), Suback(1, (0,))]
    for n in range(200):
        message = Publish("game/open/x", bytes((n,)) * 100_000)
        table.say(message)
        assert lotus.hear() == message
        if "a slow consumer" in caplog.text:
            break
    assert "MQTT 'koi-1' at 127.0.0.1 closed: a slow consumer" in caplog.text
    table.say(Publish("game/open/x", b"after"))
    assert lotus.hear() == Publish("game/open/x", b"after")
    for client in (table, deaf, lotus):
        client.close()
    server.stop()
