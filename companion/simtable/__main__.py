"""``python -m companion.simtable``: one simulated table as a process. Its record comes as the first line of standard input; it ends with it.

The first line it prints says where it is spoken to and which ports its readers and strip have. With a display it opens a window.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.simtable.line import LONGEST, Server
from companion.simtable.physical import Physical
from companion.simtable.spec import Spec, decoded
from hardware.sim.lodging import Lodging


class Process:
    """The table, its socket and, where there is a display, its window."""

    def __init__(self, spec: Spec, home: Path) -> None:
        self._home = home
        self._over = threading.Event()
        self._close: Callable[[], None] = lambda: None
        self._shown: Callable[[], dict[str, Any]] = dict
        self._table = Physical(spec)
        self._server = Server(self._table, home / "socket", {"shown": self._tell})

    def run(self) -> None:
        """Until standard input ends or the window is closed."""
        threading.Thread(target=self._listen, name="input", daemon=True).start()
        try:
            if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or not self._window():
                self._hello()
                self._over.wait()
        finally:
            self._server.close()
            self._table.close()

    def _tell(self) -> dict[str, Any]:
        return self._shown()

    def _hello(self) -> None:
        told = {"socket": str(self._server.path), "readers": self._table.ports, "track": self._table.track}
        print(json.dumps(told), flush=True)  # noqa: T201 - its output is its purpose

    def _listen(self) -> None:
        while sys.stdin.buffer.read(4096):
            pass
        self._over.set()
        self._close()

    def _window(self) -> bool:
        """Opens the window and stays in it; False: there is none. Hello is said once it is drawn: until then the chips would answer too late."""
        from companion.tablet import app  # noqa: PLC0415 - Kivy is loaded only where there is a display

        try:
            app.open_window(self._home, size=(1180, 760))
        except app.NoDisplayError as fault:
            print(f"{fault}; so the simulated table is moved by typed words.", file=sys.stderr)  # noqa: T201 - as above
            return False
        from companion.tablet.simtable import run  # noqa: PLC0415 - only now may Kivy be imported

        def ready(window: Any) -> None:
            self._shown, self._close = window.dump, window.close
            self._hello()
            if self._over.is_set():
                window.close()

        run(self._table, on_ready=ready)
        return True


def main() -> int:
    """Returns the exit code."""
    logging.getLogger("kivy").addFilter(lambda line: line.levelno >= logging.WARNING)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr)
    try:
        spec = decoded(sys.stdin.buffer.readline(16 * LONGEST))
    except ValueError as fault:
        print(f"error: {fault}", file=sys.stderr)  # noqa: T201 - as above
        return 2
    with contextlib.closing(Lodging("jinmaku-simtable-")) as home:
        Process(spec, home.path).run()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
