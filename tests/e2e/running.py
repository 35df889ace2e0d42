"""A whole table as people run it: the program in a process of its own, a real X display, real Chromium phones, simulated devices that
outlive the program as real ones would. Nothing here knows a rule."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from companion.inspection import look

TOP = Path(__file__).parents[2]
HOST = "table.test"
"""A made-up name: on loopback a page would be a secure context, which phones never get over plain http."""
PATIENCE = 20.0
FIRST_PORT = 20_000
"""Above all that a browser refuses to talk to."""


def until(what: str, true: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Waits until ``true()`` is; its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = true()
        if value:
            return value
        assert time.monotonic() < deadline, f"waited {seconds} s in vain: {what}"
        time.sleep(0.04)


class Display:
    """An X server nobody looks at, and a hand that presses on it."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        server = shutil.which("Xvfb")
        assert server, "the window is tested on a virtual X display: apt-get install xvfb xdotool"
        self.size = size
        told, tell = os.pipe()
        command = [server, "-displayfd", str(tell), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-r"]
        # -r: a key that a busy machine lets go of late is not typed again and again
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(tell,))
        os.close(tell)
        with os.fdopen(told, "rb") as number:  # it finds a free one itself, and says so when it stands
            self.number = int(number.readline() or b"-1")
        assert self.number >= 0, "the X server did not start"

    def press(self, x: float, y: float) -> None:
        """One press of a finger at window pixels from the top left."""
        self._do("mousemove", str(round(x)), str(round(y)))
        time.sleep(0.05)
        self._do("mousedown", "1")
        time.sleep(0.1)
        self._do("mouseup", "1")

    def _do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=os.environ | {"DISPLAY": f":{self.number}"}, check=True)

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)


class Table:
    """The program. ``start`` it as often as it was killed; its data stay in ``home``."""

    def __init__(self, home: Path, port: int, *words: str, display: Display | None = None) -> None:
        self.home, self.port, self.display = home, port, display
        self._words = words
        self._process: subprocess.Popen[bytes] | None = None
        self.socket = home / "inspect"
        self.log = home / "output.txt"

    def start(self, *more: str) -> Self:
        words = ["run", "--data", str(self.home / "data"), "--port", str(self.port), "--host", "127.0.0.1", "--address", HOST]
        words += ["--inspect", str(self.socket), *self._words, *more]
        env = {
            name: value
            for name, value in os.environ.items()
            if name not in {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "KIVY_NO_CONSOLELOG"}
        }
        if self.display:
            env["DISPLAY"] = f":{self.display.number}"
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "main.py", *words], cwd=TOP, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
            )
        until("the table to stand", self._coming_up, 40)
        if self.display:  # while the first picture is drawn there may be no answer either
            until("the window", lambda: self._coming_up().get("screen"), 40)
        return self

    def _coming_up(self) -> dict[str, Any]:
        """What it tells; empty before it can."""
        assert self._process is not None and self._process.poll() is None, f"the table ended by itself:\n{self.log.read_text()[-3000:]}"
        try:
            return self._told()
        except OSError:
            return {}

    def look(self) -> dict[str, Any]:
        """What it tells. A window that draws for long is asked again: the table does not wait for it, and says nothing then."""
        told: dict[str, Any] = until("the table's window to answer", self._told)
        return told

    def _told(self) -> dict[str, Any]:
        try:
            return look(self.socket, PATIENCE)
        except json.JSONDecodeError:
            return {}

    def kill(self) -> None:
        """The plug is pulled: no good-bye of any kind."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(60)  # a disk that is busy with others' work holds a dying process
        self.socket.unlink(missing_ok=True)

    def stop(self) -> int:
        """The program is asked to end. Its exit code."""
        if self._process is None or self._process.poll() is not None:
            return 0 if self._process is None else self._process.returncode
        self._process.terminate()
        try:
            return self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise

    # -- what it wrote and printed

    def urls(self) -> dict[str, str]:
        """The newest printed join address of each seat (headless tables print them)."""
        words = self.log.read_text(encoding="utf-8").split()
        urls = [word for word in words if word.startswith(f"http://{HOST}") and "/#" in word]
        return {url.split("/#")[1].split(".")[2]: url for url in urls}

    def journal(self) -> list[dict[str, Any]]:
        """Every row on disk: revision, seat, sort, command, state (None where a note changes none). Read as another program would, while
        the table runs."""
        rows = self._read("SELECT revision, seat, sort, command, state FROM rows ORDER BY revision")
        return [
            {
                "revision": revision,
                "seat": seat,
                "sort": sort,
                "command": json.loads(command) if command else None,
                "state": json.loads(zlib.decompress(state)) if state else None,
            }
            for revision, seat, sort, command, state in rows
        ]

    def twin(self) -> bytes:
        """What is on disk of where the figures are."""
        rows = self._read("SELECT twin FROM twins")
        return bytes(rows[0][0]) if rows else b"{}"

    def _read(self, query: str) -> list[Any]:
        with sqlite3.connect(f"file:{self.home / 'data' / 'jinmaku.sqlite'}?mode=ro", uri=True) as db:
            return db.execute(query).fetchall()

    # -- the window

    def widget(self, wid: str) -> dict[str, Any] | None:
        return self.look()["screen"].get(wid)

    def press(self, wid: str) -> None:
        """Presses the widget where a person sees it: once it stands still and takes touches."""
        assert self.display is not None
        self.display.press(*until(f"the widget {wid} to stand still", lambda: self._still(wid))["centre"])

    def _still(self, wid: str) -> dict[str, Any] | None:
        before = self.widget(wid)
        time.sleep(0.05)  # longer than a frame
        now = self.widget(wid)
        return now if now is not None and now["enabled"] and now == before else None


def free_ports(count: int) -> Sequence[int]:
    """Free ports that the system gives to nobody of its own accord: they stay free until the table comes up, and while it is away."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    ports = range(FIRST_PORT, lowest if lowest > FIRST_PORT else 60_000)  # a system that gives all of them away has no better ones
    found: list[int] = []
    for port in random.sample(ports, len(ports)):
        with socket.socket() as holder, contextlib.suppress(OSError):
            holder.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == count:
            break
    return found
