"""Ctrl-C at any moment: the program ends, and says nothing that only its makers understand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
FINGER = """
import os, signal, sys

class Finger:
    def find_spec(self, name, path, target=None):
        if name == os.environ["PRESSED_AT"]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finger())
"""
"""Presses Ctrl-C when a module begins to be loaded."""
HAND = """
import os, signal, sys, threading, time
sys.path.insert(0, os.getcwd())
from companion.sitting import Sitting
known = Sitting.addresses

def addresses(sitting):
    if threading.current_thread().name == "stand":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(1.5)
    return known(sitting)

Sitting.addresses = addresses
"""
"""Presses it when the table is served and about to say so, and holds up the thread that says it."""


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """What is started in the background of a shell is deaf to Ctrl-C, and so is all that it starts: not what is asked here."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pressed(at: str, words: list[str], tmp_path: Path, by: str = FINGER, **more: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "sitecustomize.py").write_text(by)
    env = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    env |= {"PYTHONPATH": str(tmp_path), "PRESSED_AT": at} | more
    return subprocess.run(
        [sys.executable, "main.py", *words],
        capture_output=True,
        text=True,
        env=env,
        cwd=TOP,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("at", ["companion", "platformdirs", "companion.console", "companion.service", "msgspec"])
def test_while_it_is_loaded_it_ends_without_a_word(at: str, tmp_path: Path) -> None:
    ended = pressed(at, ["run", "--data", str(tmp_path / "data"), "--port", "0", "--new"], tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
    assert not (tmp_path / "data").exists(), "nothing was begun"


@pytest.mark.parametrize("at", ["companion.devices", "companion.sync.server", "paho.mqtt.client"])
def test_while_the_table_comes_up_it_ends_as_a_table_does(at: str, tmp_path: Path) -> None:
    ended = pressed(at, ["run", "--data", str(tmp_path / "data"), "--port", "0", "--new", "--no-sim"], tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("The table is closed; the game is saved.\n")


@pytest.mark.parametrize("at", ["companion.tablet.app", "kivy", "kivy.core.window", "companion.tablet.window", "companion.sync.server"])
def test_while_the_window_comes_up_too(at: str, tmp_path: Path) -> None:
    words = ["run", "--data", str(tmp_path / "data"), "--port", "0", "--new", "--no-sim"]
    ended = pressed(at, words, tmp_path, DISPLAY=":77", SDL_VIDEODRIVER="offscreen")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.endswith("The table is closed; the game is saved.\n")


def test_while_the_table_says_hello_it_ends_once_that_is_said(tmp_path: Path) -> None:
    words = ["run", "--data", str(tmp_path / "data"), "--port", "0", "--new", "--no-sim"]
    ended = pressed("", words, tmp_path, HAND, DISPLAY=":77", SDL_VIDEODRIVER="offscreen")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "Jinmaku: game " in ended.stdout and ended.stdout.endswith("The table is closed; the game is saved.\n")


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("companion.enrolling", ["enrol", "--figures", "figures.txt", "--sim"]),
        ("companion.table.verdict", ["referee", "docs/examples/first-lesson.txt"]),
        ("companion.exporting", ["export"]),
    ],
)
def test_the_other_commands_end_without_a_word(at: str, words: list[str], tmp_path: Path) -> None:
    ended = pressed(at, words, tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_an_enrolment_still_says_where_everything_is(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    words = [sys.executable, "-u", "main.py", "enrol", "--figures", str(tmp_path / "figures.txt"), "--sim"]
    with subprocess.Popen(
        words, text=True, env=env, cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as table:
        assert table.stdout is not None and table.stdout.readline()
        table.send_signal(signal.SIGINT)
        said, wrong = table.communicate(timeout=30)
    assert (table.returncode, wrong) == (0, "") and said.endswith("holds everything that was tapped.\n")


def test_who_was_told_not_to_mind_it_does_not(tmp_path: Path) -> None:
    """``nohup`` and the background of a script: a signal that is ignored stays so until the table stands."""
    words = f"trap '' INT; exec {sys.executable} main.py games --data {tmp_path}"
    (tmp_path / "sitecustomize.py").write_text(FINGER)
    env = os.environ | {"PYTHONPATH": str(tmp_path), "PRESSED_AT": "companion.console"}
    ended = subprocess.run(["sh", "-c", words], capture_output=True, text=True, env=env, cwd=TOP, timeout=60, check=False)
    assert (ended.returncode, ended.stdout) == (0, f"No game yet in {tmp_path}.\n")
