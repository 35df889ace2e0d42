"""Running servers on free ports of this computer, with the harness's users: ours, and Mosquitto beside it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from broker_harness import PASSWORDS, Raw, auth, may, spares, until

from companion.sync.broker import Broker
from companion.sync.server import Server

ACL = """\
user table
topic readwrite game/#
user koi
topic read game/open/#
topic read game/koi/down/#
topic write game/koi/up/#
user lotus
topic read game/open/#
topic read game/lotus/down/#
topic write game/lotus/up/#
"""
INDEX = b"<!doctype html><title>Jinmaku</title><script type=module src=app.js></script>"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """A phone page of three files, one of them packed."""
    (tmp_path / "fonts").mkdir()
    (tmp_path / "index.html").write_bytes(INDEX)
    (tmp_path / "app.js").write_bytes(b"console.log('plain')")
    (tmp_path / "app.js.gz").write_bytes(b"\x1f\x8bpacked")
    (tmp_path / "fonts" / "f.woff2").write_bytes(b"font")
    (tmp_path / "notes.secret").write_bytes(b"CANARY")
    return tmp_path


@pytest.fixture
def server(bundle: Path) -> Iterator[Server]:
    server = Server(Broker(auth, may, spares=spares), bundle, "127.0.0.1", 0)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Debian's Mosquitto with the harness's users and rights; its port."""
    program = shutil.which("mosquitto", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if program is None or shutil.which("mosquitto_passwd") is None:
        pytest.fail("Mosquitto is the oracle of this test and is not installed: `make test` installs it, or `apt-get install mosquitto`")
    home: Path = tmp_path_factory.mktemp("mosquitto")
    port = _free_port()
    (home / "passwords").write_text("".join(f"{user}:{password.decode()}\n" for user, password in PASSWORDS.items()))
    (home / "passwords").chmod(0o600)
    subprocess.run(["mosquitto_passwd", "-U", home / "passwords"], check=True)
    (home / "acl").write_text(ACL)
    (home / "acl").chmod(0o600)
    lines = [
        f"listener {port} 127.0.0.1",
        "allow_anonymous false",
        f"password_file {home}/passwords",
        f"acl_file {home}/acl",
        "log_type none",
    ]
    (home / "conf").write_text("\n".join([*lines, "user root" if os.geteuid() == 0 else ""]) + "\n")
    with subprocess.Popen([program, "-c", home / "conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: _answers(port) or process.poll() is not None)
            assert process.poll() is None, "Mosquitto did not start"
            yield port
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    try:
        Raw(port).close()
    except OSError:
        return False
    return True


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    server = Server(Broker(auth, may, spares=spares), tmp_path_factory.mktemp("page"), "127.0.0.1", 0)
    server.start()
    try:
        yield server.mqtt_port
    finally:
        server.stop()
