"""One line in, one line out: how a simulated table is moved from another process, or by a test. Bounded, and everything is checked.

    move UID PLACE      lift UID        list        lamps       ports       stand {"edo": {"koi/bushi": 1}}     agrees      settle

Here: the lines, a server and its caller on a Unix socket. Not here: what a move is (``physical``).
"""

from __future__ import annotations

import contextlib
import json
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from companion.rules.game import Kind, Place
from companion.simtable.physical import Physical
from companion.simtable.spec import BOX

LOGGER = logging.getLogger(__name__)

LONGEST = 64_000
"""Bytes of one line."""
MOST = 8
"""Callers at once."""

_STAND = msgspec.json.Decoder(dict[Place, dict[Kind, int]])
PILE = 99
"""No more pieces of one kind lie anywhere."""


More = Mapping[str, Callable[[], Any]]
"""Verbs without words that only the owner of a server knows."""


def obey(table: Physical, line: str, more: More = MappingProxyType({})) -> str:
    """Carries out one line. The answer is one line of JSON, or ``error: ...`` with the reason; then nothing was done."""
    verb, _, rest = line.strip().partition(" ")
    words = rest.split()
    known: dict[str, tuple[int, Callable[..., Any]]] = {
        "move": (2, table.move),
        "lift": (1, lambda uid: table.move(uid, BOX)),
        "list": (0, table.where),
        "lamps": (0, table.lamps),
        "ports": (0, lambda: {"readers": table.ports, "track": table.track}),
        "agrees": (0, table.agrees),
        "settle": (0, table.settle),
        **{name: (0, tell) for name, tell in more.items()},
    }
    try:
        if verb == "stand":
            table.stand(_stand(rest))
            return "null"
        if verb not in known:
            return f"error: {verb[:24]!r} is no command here; known are {', '.join((*known, 'stand'))}"
        count, act = known[verb]
        if len(words) != count:
            return f"error: {verb} takes {count} word{'' if count == 1 else 's'} after it, not {len(words)}"
        return json.dumps(act(*words))
    except ValueError as fault:
        return f"error: {' '.join(str(fault).split())}"


def _stand(rest: str) -> dict[Place, dict[Kind, int]]:
    try:
        stand = _STAND.decode(rest)
    except msgspec.MsgspecError as fault:
        raise ValueError(f"stand takes places with their kinds and counts ({fault})") from fault
    if not all(0 <= n <= PILE for pile in stand.values() for n in pile.values()):
        raise ValueError(f"between 0 and {PILE} pieces of a kind lie at a place")
    return stand


class Server:
    """Answers on a Unix socket of mode 0600, one thread a caller."""

    def __init__(self, table: Physical, path: Path, more: More = MappingProxyType({})) -> None:
        """Raises OSError."""
        self._table, self._more = table, more
        self.path = path
        self._room = threading.BoundedSemaphore(MOST)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.bind(str(path))
            path.chmod(0o600)
            self._socket.listen(MOST)
        except OSError:
            self._socket.close()
            raise
        threading.Thread(target=self._accept, name="simtable", daemon=True).start()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self.path.unlink(missing_ok=True)

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._socket.accept()
            except OSError:
                return  # closed
            if self._room.acquire(blocking=False):
                threading.Thread(target=self._serve, args=(caller,), name="simtable caller", daemon=True).start()
            else:
                caller.close()

    def _serve(self, caller: socket.socket) -> None:
        try:
            with caller, caller.makefile("rwb") as lines:
                while line := lines.readline(LONGEST + 1):
                    if len(line) > LONGEST:
                        lines.write(f"error: a line has at most {LONGEST} bytes\n".encode())
                        return
                    lines.write((self._answer(line) + "\n").encode())
                    lines.flush()
        except OSError:
            LOGGER.debug("a caller of the simulated table has gone")
        finally:
            self._room.release()

    def _answer(self, line: bytes) -> str:
        try:
            return obey(self._table, line.decode(), self._more)
        except UnicodeDecodeError:
            return "error: a line is UTF-8"
        except Exception as fault:
            LOGGER.exception("a line of a caller could not be obeyed")
            return f"error: that could not be done ({type(fault).__name__})"


class Caller:
    """The other end. One question at a time; any thread."""

    def __init__(self, path: Path, timeout: float = 5.0) -> None:
        """Raises OSError."""
        self._lock = threading.Lock()
        self._path, self._timeout = path, timeout
        self._late = False
        """An answer is still to come, for nobody."""
        self._socket, self._lines = self._connected()

    def _connected(self) -> tuple[socket.socket, Any]:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(self._timeout)
        try:
            made.connect(str(self._path))
        except OSError:
            made.close()
            raise
        return made, made.makefile("rwb")

    def ask(self, line: str) -> Any:
        """Raises ValueError with the other end's sentence, OSError when there is no other end any more, TimeoutError when it takes too long.

        An answer that comes too late is nobody's: the next question is asked on a new line.
        """
        with self._lock:
            if self._late:
                self._hang_up()
                self._socket, self._lines = self._connected()
                self._late = False
            try:
                self._lines.write(line.replace("\n", " ").encode() + b"\n")
                self._lines.flush()
                answer = self._lines.readline(LONGEST * 64).decode(errors="replace")
            except TimeoutError:
                self._late = True
                raise TimeoutError(f"the simulated table did not answer for {self._timeout:g} s") from None
        if not answer.endswith("\n"):
            raise OSError("the simulated table is closed")
        if answer.startswith("error: "):
            raise ValueError(answer.removeprefix("error: ").strip())
        return json.loads(answer)

    def close(self) -> None:
        self._hang_up()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):
            self._lines.close()
        self._socket.close()
