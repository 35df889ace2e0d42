"""A simulated table in a process of its own, with a window where there is a display: started, asked and ended from here.

Here: the process and its pipes. Not here: what runs in it (``__main__``), the lines (``line``).
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.rules.game import Place
from companion.simtable.line import Caller
from companion.simtable.physical import Stand
from companion.simtable.spec import BOX, Spec, encoded

ROOT = Path(__file__).parents[2]
PATIENCE = 40.0
"""Seconds until its window must be there."""


class Far:
    """The same to its user as a ``Physical``. ``on_gone``: somebody has closed it; on a thread of its own, once."""

    def __init__(self, spec: Spec, on_gone: Callable[[], None] = lambda: None) -> None:
        """Raises OSError in plain words."""
        self.spec = spec
        self._on_gone = on_gone
        self._closing = False
        paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion.simtable"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        )
        try:
            told = self._begin()
            self._caller = Caller(Path(told["socket"]))
        except (OSError, ValueError, KeyError) as fault:
            self.close()
            raise OSError(f"the simulated table did not come up ({fault})") from fault
        self.socket = Path(told["socket"])
        self.ports: Mapping[Place, str] = told["readers"]
        self.track: str = told["track"]
        threading.Thread(target=self._wait, name="simtable watch", daemon=True).start()

    def _begin(self) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        stdout = self._process.stdout
        self._process.stdin.write(encoded(self.spec) + b"\n")
        self._process.stdin.flush()
        first: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=lambda: first.put(stdout.readline()), name="simtable start", daemon=True).start()
        try:
            told: dict[str, Any] = json.loads(first.get(timeout=PATIENCE))
        except queue.Empty:
            raise OSError(f"it said nothing for {PATIENCE:g} s") from None
        return told

    @property
    def gone(self) -> bool:
        return self._process.poll() is not None

    def _wait(self) -> None:
        self._process.wait()
        if not self._closing:
            self._on_gone()

    def where(self) -> dict[str, Place]:
        found: dict[str, Place] = self._caller.ask("list")
        return found

    def lamps(self) -> list[tuple[int, int, int]]:
        return [(r, g, b) for r, g, b in self._caller.ask("lamps")]

    def move(self, uid: str, place: Place) -> None:
        self._caller.ask(f"lift {uid}" if place == BOX else f"move {uid} {place}")

    def stand(self, stand: Stand) -> None:
        self._caller.ask(f"stand {json.dumps(stand)}")

    def agrees(self) -> bool:
        return bool(self._caller.ask("agrees"))

    def settle(self) -> int:
        return int(self._caller.ask("settle"))

    def shown(self) -> dict[str, Any]:
        """What its window shows; empty where it has none yet."""
        found: dict[str, Any] = self._caller.ask("shown")
        return found

    def close(self) -> None:
        """It ends when nobody holds its input any more."""
        self._closing = True
        if hasattr(self, "_caller"):
            self._caller.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)
