"""One connection to the page's port: what HTTP and the WebSocket protocol ask of it, how long it may take, and noise of every kind."""

import asyncio
import contextlib
import logging
import os
import re
import socket
import struct
from pathlib import Path

import aiohttp
import pytest
from broker_harness import Raw, auth, get, may, spares, until
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.sync import visit
from companion.sync.broker import Broker, Limits
from companion.sync.broker.packets import Connack, Connect, Pingreq, Pingresp, Publish, Suback, Subscribe, encode
from companion.sync.server import Server

UPGRADE = (
    b"GET /mqtt HTTP/1.1\r\nHost: table.test\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: chat, mqtt\r\n\r\n"
)
KOI = Connect("koi-1", True, 0, "koi", b"k")
BINARY, TEXT, CLOSE, PING, PONG = 2, 1, 8, 9, 10


def frame(opcode: int, data: bytes, *, fin: bool = True) -> bytes:
    """As a client sends it."""
    size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
    mask = os.urandom(4)
    return bytes([opcode | (0x80 if fin else 0)]) + size + mask + bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))


def everything(connection: socket.socket) -> bytes:
    """What comes until the other end closes."""
    heard = b""
    try:
        while data := connection.recv(65536):
            heard += data
    except ConnectionResetError:
        pass
    return heard


def exactly(connection: socket.socket, size: int) -> bytes:
    heard = b""
    while len(heard) < size and (data := connection.recv(size - len(heard))):
        heard += data
    return heard


def say(server: Server, *said: bytes) -> bytes:
    raw = Raw(server.port)
    for piece in said:
        raw.socket.sendall(piece)
    heard = everything(raw.socket)
    raw.close()
    return heard


def opened(server: Server) -> socket.socket:
    """A WebSocket, byte by byte."""
    raw = Raw(server.port)
    raw.socket.sendall(UPGRADE)
    heard = b""
    while not heard.endswith(b"\r\n\r\n"):
        heard += raw.socket.recv(1)
    assert heard.startswith(b"HTTP/1.1 101 ") and b"Sec-WebSocket-Protocol: mqtt\r\n" in heard and b"Extensions" not in heard
    return raw.socket


# -- HTTP


@pytest.mark.parametrize(
    "request_line",
    [b"GET /app.js?v=1 HTTP/1.1", b"GET /%61pp.js HTTP/1.1", b"GET /app.js HTTP/1.0", b"GET http://table.test/app.js HTTP/1.1"],
)
def test_a_file_may_be_asked_for_in_every_way_that_http_has(server: Server, request_line: bytes) -> None:
    head, _, body = say(server, request_line + b"\r\nHost: table.test\r\n\r\n").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n") and body == b"console.log('plain')"
    assert b"\r\nContent-Length: 20\r\n" in head + b"\r\n" and b"\r\nConnection: close" in head
    assert re.search(rb"\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n", head + b"\r\n")


def test_an_address_without_a_path_is_the_page(server: Server) -> None:
    assert b"<title>Jinmaku" in say(server, b"GET http://table.test HTTP/1.1\r\n\r\n")


def test_a_request_may_come_in_pieces(server: Server) -> None:
    raw = Raw(server.port)
    for piece in (b"GE", b"T /app.js HT", b"TP/1.1\r", b"\nHost: table.test\r\n\r", b"\n"):
        raw.socket.sendall(piece)
    assert everything(raw.socket).endswith(b"plain')")
    raw.close()


def test_head_tells_the_length_and_sends_nothing(server: Server) -> None:
    heard = say(server, b"HEAD /app.js HTTP/1.1\r\nHost: table.test\r\n\r\n")
    assert b"Content-Length: 20\r\n" in heard and heard.endswith(b"\r\n\r\n")
    assert say(server, b"HEAD /mqtt HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 400 ")


def test_two_hosts_open_nothing(server: Server) -> None:
    heard = say(server, b"GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n")
    assert b"connect-src 'self'; " in heard


def test_what_comes_after_a_request_is_not_read_and_costs_its_answer_nothing(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    heard = say(server, b"GET /app.js HTTP/1.1\r\n\r\nGET /app.js HTTP/1.1\r\n\r\n", b"\x00" * 1000)
    assert heard.count(b"HTTP/1.1 200 OK") == 1 and heard.endswith(b"plain')")
    raw = Raw(server.port)
    raw.socket.sendall(b"GET /app.js HTTP/1.1\r\n\r\n")
    assert exactly(raw.socket, len(heard)).endswith(b"plain')")
    raw.socket.sendall(b"GET /app.js HTTP/1.1\r\n\r\n")
    assert everything(raw.socket) == b""
    raw.close()
    assert not caplog.records


def test_whoever_does_not_wait_for_the_upgrade_gets_none_if_it_wants_an_answer(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    for early in (frame(PING, b""), frame(CLOSE, b""), b"GET / HTTP/1.1\r\n\r\n"):
        assert say(server, UPGRADE + early).startswith(b"HTTP/1.1 400 ")
    raw = Raw(server.port)
    raw.socket.sendall(UPGRADE + frame(BINARY, encode(KOI)) + frame(BINARY, encode(Pingreq())))
    heard = b""
    while not heard.endswith(b"\xd0\x00"):
        heard += raw.socket.recv(100)
    assert heard.endswith(b"\r\n\r\n\x82\x06" + encode(Connack()) + b"\xd0\x00")
    raw.close()
    assert not caplog.records


@pytest.mark.parametrize(
    ("said", "status", "why"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", b"400", "invalid HTTP request line"),
        (b"GET / HTTP/2\r\n\r\n", b"400", "unsupported protocol"),
        (b"GET /\xff HTTP/1.1\r\n\r\n", b"400", "can't decode byte"),
        (b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", b"400", "unsupported request body"),
        (b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", b"400", "transfer codings"),
        (b"POST / HTTP/2\r\n\r\n", b"400", "unsupported protocol"),
        (b"POST /\xff HTTP/1.1\r\n\r\n", b"400", "can't decode byte"),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n", b"414", "8192"),
        (b"GET / HTTP/1.1\r\nx: " + b"x" * 9000 + b"\r\n\r\n", b"431", "8192"),
        (b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 200 + b"\r\n", b"431", "no more than 128 headers"),
    ],
)
def test_what_is_no_request_for_a_page_is_answered_and_told_in_one_line(
    server: Server, caplog: pytest.LogCaptureFixture, said: bytes, status: bytes, why: str
) -> None:
    heard = say(server, said)
    assert heard.startswith(b"HTTP/1.1 " + status) and heard.count(b"HTTP/1.1") == 1
    (line,) = (record.getMessage() for record in caplog.records)
    assert line.startswith("the phone page: not HTTP from 127.0.0.1: ") and why in line


@pytest.mark.parametrize(
    "said",
    [
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"POST /mqtt?x HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 70_000,
        b"PUT /app.js HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        b"DELETE / HTTP/1.1\r\n\r\n",
    ],
)
def test_what_asks_for_something_else_is_told_what_is_allowed_whatever_it_brings(
    server: Server, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    heard = say(server, said)
    assert heard.startswith(b"HTTP/1.1 405 Method Not Allowed\r\n") and b"\r\nAllow: GET, HEAD\r\n" in heard
    assert heard.count(b"HTTP/1.1") == 1
    assert not caplog.records
    raw = Raw(server.port)
    for piece in (said[:3], said[3:9], said[9:]):
        raw.socket.sendall(piece)
    assert everything(raw.socket).startswith(b"HTTP/1.1 405 ")
    raw.close()


def test_a_body_without_end_is_not_listened_to_for_ever(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "TAKING", 0.2)
    raw = Raw(server.port)
    raw.socket.sendall(b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n")
    with contextlib.suppress(OSError):  # closed, in the midst of it; else the test's own time is over
        while True:
            raw.socket.sendall(b"x" * 65536)
    raw.close()


def test_whoever_asks_for_nothing_is_closed_in_time(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "ASKING", 0.05)
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0)
    server.start()
    assert say(server, b"GET /app.js HTT") == b""
    phone = opened(server)  # which it does not mean
    assert say(server, b"") == b""
    phone.sendall(frame(BINARY, encode(KOI)))
    assert exactly(phone, 4) == b"\x82\x04" + encode(Connack())[:2]
    phone.close()
    server.stop()


def test_whoever_does_not_take_its_answer_is_closed_in_time(bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bundle / "big.js").write_bytes(b"x" * (16 << 20))
    monkeypatch.setattr(visit, "TAKING", 0.05)
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0)
    server.start()
    raw = Raw(server.port)
    raw.socket.sendall(b"GET /big.js HTTP/1.1\r\n\r\n")
    until(lambda: not server._doors.inside)
    assert len(everything(raw.socket)) < 16 << 20
    raw.close()
    assert get(server, "/")[0] == 200
    server.stop()


# -- WebSocket


def test_messages_may_come_in_fragments_with_pings_between_them(server: Server) -> None:
    phone = opened(server)
    data = encode(KOI)
    for piece in (frame(BINARY, data[:3], fin=False), frame(PING, b"there?"), frame(0, data[3:5], fin=False), frame(0, data[5:])):
        phone.sendall(piece)
    expected = b"\x8a\x06there?" + b"\x82\x04" + encode(Connack())
    assert exactly(phone, len(expected)) == expected
    phone.sendall(frame(PONG, b"") + frame(CLOSE, b"\x03\xe8"))
    assert everything(phone) == b"\x88\x02\x03\xe8"
    phone.close()
    until(lambda: server._broker.counts.connected == 0)


def test_what_the_broker_says_before_the_close_arrives_before_it(server: Server) -> None:
    phone = opened(server)
    phone.sendall(frame(BINARY, encode(Connect("koi-1", True, 0, "koi", b"wrong"))))
    assert exactly(phone, 10) == b"\x82\x04" + encode(Connack(5)) + b"\x88\x02\x03\xe8"
    phone.sendall(frame(BINARY, encode(Pingreq())) + frame(CLOSE, b"\x03\xe8"))
    assert everything(phone) == b""
    phone.close()


def test_who_has_closed_hears_nothing_more(server: Server) -> None:
    phone = opened(server)
    phone.sendall(frame(BINARY, encode(KOI)) + frame(CLOSE, b"\x03\xe9"))
    assert everything(phone) == b"\x88\x02\x03\xe9"
    phone.close()


@pytest.mark.parametrize(
    ("said", "code", "why"),
    [
        (frame(TEXT, b"hello") * 2, 1003, "text over the WebSocket"),
        (b"\x82\x01x", 1002, "incorrect masking"),
        (b"\x8f\x80\0\0\0\0", 1002, "invalid opcode"),
        (b"\xc2\x80\0\0\0\0", 1002, "reserved bits"),
        (frame(0, b"x"), 1002, "unexpected continuation"),
        (frame(CLOSE, b"\x03"), 1002, "close frame too short"),
        (frame(CLOSE, b"\x03\xe8\xff"), 1007, "invalid start byte"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_broken_frame_ends_its_connection_with_its_code_and_one_line(
    server: Server, caplog: pytest.LogCaptureFixture, said: bytes, code: int, why: str
) -> None:
    caplog.set_level(logging.INFO)
    phone = opened(server)
    phone.sendall(said)
    heard = exactly(phone, 4)
    assert heard[0] == 0x88 and int.from_bytes(heard[2:4], "big") == code
    phone.shutdown(socket.SHUT_WR)
    everything(phone)
    phone.close()
    until(lambda: any("closed" in record.getMessage() for record in caplog.records))
    assert [why in record.getMessage() for record in caplog.records if "closed" in record.getMessage()] == [True]


def test_whoever_does_not_close_is_closed_in_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.sync.wires.PATIENCE", 0.05)
    phone = opened(server)
    phone.sendall(frame(BINARY, b"\x00\x00"))
    assert everything(phone) == b"\x88\x02\x03\xe8"
    until(lambda: not server._doors.inside)
    phone.close()


def test_whoever_pings_and_takes_no_answer_is_closed(bundle: Path) -> None:
    server = Server(Broker(auth, may, spares=spares, limits=Limits(backlog=1000)), bundle, "127.0.0.1", 0)
    server.start()
    phone = opened(server)
    pings = frame(PING, b"x" * 125) * 1000

    def insist() -> None:
        for _ in range(1000):
            phone.sendall(pings)

    with pytest.raises(ConnectionError):
        insist()
    phone.close()
    assert get(server, "/")[0] == 200
    server.stop()


def test_whoever_pings_and_is_gone_leaves_no_line_for_every_ping(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(5):
        phone = opened(server)
        phone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        phone.sendall(frame(PING, b"hello") * 1200)
        phone.close()
    assert get(server, "/")[0] == 200
    server.stop()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


def test_what_is_said_at_once_leaves_in_few_frames_and_none_is_endless(server: Server) -> None:
    table = Raw(server.mqtt_port)
    table.say(Connect("table-1", True, 0, "table", b"t"))
    said = [Publish(f"game/open/{n}", bytes([n]) * 30_000, retain=True) for n in range(5)]
    table.say(*said, Pingreq())
    assert [table.hear(), table.hear()] == [Connack(), Pingresp()]

    async def talk() -> list[bytes]:
        url = f"http://127.0.0.1:{server.port}/mqtt"
        async with aiohttp.ClientSession() as client, client.ws_connect(url, protocols=["mqtt"]) as ws:
            await ws.send_bytes(encode(KOI) + encode(Subscribe(1, (("game/open/#", 0),))))
            return [(await ws.receive(5)).data for _ in range(3)]

    heard = asyncio.run(talk())
    assert b"".join(heard) == encode(Connack()) + encode(Suback(1, (0,))) + b"".join(map(encode, said))
    assert max(map(len, heard)) <= visit.FRAME
    table.close()


# -- noise

_REQUESTS = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from([b"GET ", b"/", b" HTTP/1.1", b"\r\n", b":", b"Host", b" ", b"\x00", b"\xff", b"mqtt"]), max_size=30).map(
        b"".join
    ),
)
_FRAMES = st.lists(
    st.one_of(
        st.binary(max_size=40),
        st.builds(frame, st.integers(0, 15), st.binary(max_size=130), fin=st.booleans()),
        st.builds(
            lambda packet, cut: frame(BINARY, encode(packet)[:cut]),
            st.sampled_from([KOI, Pingreq(), Publish("a", b"b")]),
            st.integers(1, 40),
        ),
    ),
    max_size=8,
).map(b"".join)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> object:
    server = Server(Broker(auth, may, spares=spares), tmp_path_factory.mktemp("page"), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


@settings(max_examples=60)
@given(start=st.sampled_from([b"", UPGRADE]), noise=st.one_of(_REQUESTS, _FRAMES), cuts=st.lists(st.integers(1, 60), max_size=4))
@example(start=UPGRADE, noise=frame(BINARY, b"") * 50, cuts=[])
def test_no_noise_is_an_error_or_stays_open(noisy: Server, start: bytes, noise: bytes, cuts: list[int]) -> None:
    """Any ERROR in the log fails this test, as every other."""
    raw = Raw(noisy.port)
    try:
        raw.socket.sendall(start)
        for cut in cuts:
            raw.socket.sendall(noise[:cut])
            noise = noise[cut:]
        raw.socket.sendall(noise)
        raw.socket.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    everything(raw.socket)
    raw.close()
    until(lambda: not noisy._doors.inside)
    assert noisy._broker.counts.strangers == noisy._broker.counts.connected == 0
