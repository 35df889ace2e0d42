"""The tablet as a process of its own: started, asked from another thread, closed; and where there is no display."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.tablet import config

ALONE = Path(__file__).with_name("tablet_alone.py")


def run(data: Path, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("KIVY_", "SDL_")) and k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    return subprocess.run([sys.executable, str(ALONE), str(data)], env=clean | env, capture_output=True, text=True, timeout=90, check=False)


@pytest.mark.timeout(120)
def test_it_opens_answers_another_thread_and_closes(tmp_path: Path) -> None:
    done = run(tmp_path, SDL_VIDEODRIVER="offscreen")
    assert done.returncode == 0, done.stderr
    said, closed = done.stdout.splitlines()[-2:]
    seen = json.loads(said)
    assert "begin" in seen["table"] and "qr:lotus" in seen["table"]
    assert seen["zone"]["lit"] and seen["zone"]["enabled"] in {True, False}
    assert seen["nothing"] is None
    assert Path(seen["shot"]).read_bytes().startswith(b"\x89PNG")
    assert closed == "closed"
    assert not list(tmp_path.rglob("*.ini")) and not list(tmp_path.rglob("kivy_*.txt"))  # no settings, no log of Kivy's own


@pytest.mark.timeout(120)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_without_a_display_it_says_so_in_one_sentence(tmp_path: Path) -> None:
    done = run(tmp_path, DISPLAY=":4711")
    assert done.returncode == 0
    assert done.stdout.strip().startswith("no display: no window could be opened")
    assert "Traceback" not in done.stderr


def test_kivy_set_up_by_somebody_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="start the tablet before anything else uses Kivy"):
        config.prepare(tmp_path)


def test_a_display_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(config.sys, "platform", "linux")
    monkeypatch.setattr(config.os, "access", lambda *_: False)
    assert not config.display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert config.display()
    monkeypatch.setattr(config.sys, "platform", "darwin")
    assert config.display()


def test_there_is_one_input_provider_for_each_kind_of_device() -> None:
    from kivy.config import Config

    assert dict(Config.items("input")) == {"mouse": "mouse,disable_on_activity,disable_multitouch"}
    assert Config.getint("graphics", "maxfps") == 60
