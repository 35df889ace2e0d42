"""Tests are run side by side, but whole tables with their phones one after the other."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).parents[2]


def test_whole_tables_are_one_workers_and_the_rest_is_anybodys(tmp_path: Path) -> None:
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
    assert len(ran) == 24 and len({worker for worker, room in ran if room == "e2e"}) == 1
    assert len({worker for worker, _ in ran}) == 2, "nobody waits for them"
