"""The gates that are programs: lint, format, types, import contract. One test each, so that one summary line tells all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
BIN = Path(sys.executable).parent

GATES = {
    "ruff check": [str(BIN / "ruff"), "check", "--no-cache", "."],
    "ruff format": [str(BIN / "ruff"), "format", "--no-cache", "--check", "."],
    "mypy": [sys.executable, "-m", "mypy", "--no-incremental"],
    "import contract": [str(BIN / "lint-imports"), "--no-cache"],
}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("gate", GATES)
def test_gate(gate: str) -> None:
    done = subprocess.run(GATES[gate], cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{gate}:\n{done.stdout[-6000:]}{done.stderr[-2000:]}"
