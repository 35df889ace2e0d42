"""The phone page as it is served: fresh, strict, packed, and nothing but the bundle."""

from pathlib import Path

import pytest
from broker_harness import auth, get, may, spares

from companion.sync.broker import Broker
from companion.sync.broker.packets import Connect
from companion.sync.pages import Pages
from companion.sync.pages import headers as pages_headers
from companion.sync.server import Server

KOI = Connect("koi-1", True, 0, "koi", b"k")


def test_the_page_comes_fresh_and_strict_under_any_name(server: Server) -> None:
    for path in ("/", "/index.html", "/?x=1"):
        status, headers, body = get(server, path, headers={"Host": "table.test:1"})
        assert status == 200 and b"<title>Jinmaku" in body
        assert headers["cache-control"] == "no-store" and headers["content-type"] == "text/html; charset=utf-8"
        csp = headers["content-security-policy"]
        assert csp.startswith("default-src 'self'; connect-src 'self' ws://table.test:1 wss://table.test:1; object-src 'none'; ")
        assert "unsafe" not in csp
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["server"] == "jinmaku"


@pytest.mark.parametrize("host", ["192.168.1.20:8788", "table.local", "x", "Jin-maku.home.arpa:80"])
def test_the_page_may_talk_to_the_name_it_was_called_by_and_to_nobody_else(server: Server, host: str) -> None:
    for path in ("/", "/app.js", "/none", "/mqtt"):
        _, headers, _ = get(server, path, headers={"Host": host})
        assert f"; connect-src 'self' ws://{host} wss://{host}; " in headers["content-security-policy"]


@pytest.mark.parametrize(
    "host", ["", "*", "*.evil.test", "[::1]:8788", "a b", "a;script-src *", "a'", "a,b", "-a", "a:b", "x" * 300, "h\u00e9"]
)
def test_what_is_no_name_opens_nothing(host: str) -> None:
    assert "; connect-src 'self'; " in pages_headers(host)["Content-Security-Policy"]


def test_scripts_come_packed_when_they_may_and_not_again_when_unchanged(server: Server) -> None:
    status, headers, body = get(server, "/app.js")
    assert (status, body, headers["content-type"]) == (200, b"console.log('plain')", "text/javascript; charset=utf-8")
    status, packed, body = get(server, "/app.js", headers={"Accept-Encoding": "br, gzip;q=0.9"})
    assert (status, body, packed["content-encoding"], packed["vary"]) == (200, b"\x1f\x8bpacked", "gzip", "Accept-Encoding")
    assert get(server, "/app.js", headers={"Accept-Encoding": "gzip; q=0"})[2] == b"console.log('plain')"
    assert get(server, "/app.js", headers={"If-None-Match": f'"other", {headers["etag"]}'})[0] == 304
    assert get(server, "/app.js", headers={"If-None-Match": packed["etag"]})[0] == 200
    assert get(server, "/app.js", "HEAD") == (200, get(server, "/app.js", "HEAD")[1], b"")
    assert get(server, "/fonts/f.woff2")[2] == b"font"


@pytest.mark.parametrize(
    "path",
    [
        "/notes.secret",
        "/../notes.secret",
        "/%2e%2e/notes.secret",
        "/fonts",
        "/fonts/../notes.secret",
        "/app.js.gz",
        "/etc/passwd",
        "/%00",
        "/%",
    ],
)
def test_nothing_but_the_bundle_is_served(server: Server, path: str) -> None:
    status, _, body = get(server, path)
    assert status == 404 and b"CANARY" not in body


def test_other_methods_are_told_what_is_allowed(server: Server) -> None:
    status, headers, _ = get(server, "/", "POST")
    assert status == 405 and headers["allow"] == "GET, HEAD"
    assert get(server, "/mqtt", "POST")[0] == 405


def test_without_a_bundle_the_page_says_how_to_build_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(Broker(auth, may, spares=spares), tmp_path / "none", "127.0.0.1", 0)
    server.start()
    try:
        status, headers, body = get(server, "/")
        assert status == 503 and b"make run" in body and "default-src 'self'" in headers["content-security-policy"]
        assert "the phone page has not been built" in caplog.text
        assert server.seen == {}
    finally:
        server.stop()
    assert not Pages(tmp_path).built


def test_a_browser_that_does_not_speak_mqtt_is_told_so(server: Server) -> None:
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    for headers in (
        {},
        upgrade,
        upgrade | {"Sec-WebSocket-Protocol": "chat"},
        upgrade | {"Sec-WebSocket-Protocol": "mqtt", "Sec-WebSocket-Key": "short"},
        upgrade | {"Sec-WebSocket-Protocol": "mqtt", "Sec-WebSocket-Key": "\u00e9" * 24},
    ):
        status, _, body = get(server, "/mqtt", headers=headers)
        assert status == 400 and b"MQTT 3.1.1 over WebSocket" in body
