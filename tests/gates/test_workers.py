"""Tests are run side by side, but a room that needs the machine, or the one window of a process, is one worker's."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_a_room_is_one_workers_and_the_rest_is_anybodys(tmp_path: Path) -> None:
    for room in ("e2e", "tablet", "rules"):
        (tmp_path / "tests" / room).mkdir(parents=True)
        (tmp_path / "tests" / room / f"test_{room}_here.py").write_text(
            "import time, pytest\n@pytest.mark.parametrize('n', range(8))\ndef test_it(n): time.sleep(0.02)\n"
        )
    shutil.copy(TOP / "tests" / "conftest.py", tmp_path / "tests")
    words = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "2",
        "-vv",
        "-p",
        "no:cacheprovider",
        "-o",
        "addopts=",
        "--rootdir",
        str(tmp_path),
        "tests",
    ]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    ran = re.findall(r"\[(gw\d)\] .* PASSED tests/(\w+)/", ended.stdout)
    workers = {room: {worker for worker, where in ran if where == room} for room in ("e2e", "tablet", "rules")}
    assert len(ran) == 24 and len(workers["e2e"]) == len(workers["tablet"]) == 1
    assert workers["e2e"] != workers["tablet"], "neither waits for the other"
