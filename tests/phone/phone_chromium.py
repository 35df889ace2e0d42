"""Where Chromium is, how it is started, what is put into its pages. Debian's own browser; nothing is downloaded."""

from __future__ import annotations

import shutil
from pathlib import Path

from phone_stand_in import HOST

TOP = Path(__file__).parents[2]
STATIC = TOP / "companion/phone/static"
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {HOST} 127.0.0.1",
]
AXE = TOP / "companion/phone/web/node_modules/axe-core/axe.min.js"


def binary() -> str:
    found = shutil.which("chromium")
    assert found is not None, "the phone's tests drive Debian's Chromium: apt-get install chromium"
    return found
