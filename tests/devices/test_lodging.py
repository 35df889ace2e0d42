"""What a killed table leaves in the temporary directory is swept by the next one; what somebody lives in is not."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.sim import lodging
from hardware.sim.lodging import OWNER, Lodging, sweep
from hardware.sim.pn532 import PN532Sim

TOP = Path(__file__).parents[2]
HELD = """
import sys
from hardware.sim.{module} import {kind}
sim = {kind}()
print(sim.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary directory of one's own, in this process and those it starts, in which nothing has been swept yet."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    lodging._swept.cache_clear()
    yield tmp_path
    lodging._swept.cache_clear()


def held(module: str, kind: str) -> tuple[subprocess.Popen[str], Path]:
    """A process that simulates a device, and the device's directory."""
    words = [sys.executable, "-c", HELD.format(module=module, kind=kind)]
    process = subprocess.Popen(words, cwd=TOP, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip()).parent


@pytest.mark.parametrize(("module", "kind"), [("pn532", "PN532Sim"), ("track", "TrackSim")])
def test_what_was_killed_is_swept_by_the_next_start_and_what_lives_is_not(tmp: Path, module: str, kind: str) -> None:
    (killed, left), (alive, kept) = held(module, kind), held(module, kind)
    with killed, alive:
        killed.send_signal(signal.SIGKILL)
        killed.wait(10)
        assert left.is_dir() and kept.is_dir()
        third, own = held(module, kind)
        with third:
            assert not left.exists() and kept.is_dir() and own.is_dir()
            third.communicate("")
        assert (kept / OWNER).exists()
        alive.kill()
    assert sweep(f"jinmaku-{module}-") != [] and not kept.exists()


def test_a_reader_leaves_nothing_when_it_is_closed(tmp: Path) -> None:
    with PN532Sim() as sim:
        assert os.path.lexists(sim.path)
        assert sweep("jinmaku-pn532-") == []
    assert list(tmp.iterdir()) == []
    made = Lodging("x-")
    made.close()
    made.close()
    assert not made.path.exists()


def test_nobody_elses_is_touched(tmp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Lodging("x-")
    other = tmp / "elsewhere"
    shutil.copytree(made.path, other)
    (tmp / "x-link").symlink_to(other)
    (tmp / "x-file").write_text("")
    (tmp / "x-older").mkdir()
    (tmp / "x-tricked").mkdir()
    (tmp / "x-tricked" / OWNER).symlink_to(other / OWNER)
    assert sweep("x-") == []
    shutil.copytree(other, tmp / "x-deserted")
    me = os.getuid()
    monkeypatch.setattr(lodging.os, "getuid", lambda: me + 1)
    assert sweep("x-") == []
    monkeypatch.setattr(lodging.os, "getuid", lambda: me)
    assert sweep("x-") == [tmp / "x-deserted"]
    assert other.is_dir() and made.path.is_dir() and (tmp / "x-older").is_dir()
    made.close()
