"""Habits of the repository that no linter knows: links, room sizes, top level, README commands, locks without host names."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
TRACKED = [
    TOP / name
    for name in subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=TOP, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    if (TOP / name).is_file()
]
PROSE = [path for path in TRACKED if path.suffix == ".md"]
MAX_LINES = 420
"""About 400; a little air so that a comment never has to go for a line."""


def test_top_level_is_the_agreed_one() -> None:
    folders = {path.relative_to(TOP).parts[0] for path in TRACKED if len(path.relative_to(TOP).parts) > 1}
    assert folders <= {"companion", "hardware", "firmware_proto", "tests", "docs", ".ci"}


@pytest.mark.parametrize("page", PROSE, ids=lambda path: str(path.relative_to(TOP)))
def test_links_inside_the_repository_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        target = link.split("#")[0]
        if target and "://" not in target and not target.startswith("mailto:"):
            assert (page.parent / target).exists(), f"{page.name} links to {link}, which is not there"


def test_rooms_are_small() -> None:
    large = {
        str(path.relative_to(TOP)): n
        for path in TRACKED
        if path.suffix in {".py", ".ts", ".tsx", ".kv"} and (n := path.read_text(encoding="utf-8").count("\n")) > MAX_LINES
    }
    assert large == {}


def test_locks_name_no_host() -> None:
    for path in TRACKED:
        if path.name.endswith(".lock"):
            assert "://" not in path.read_text(encoding="utf-8"), path.name
        if path.name == "package-lock.json":
            assert '"resolved"' not in path.read_text(encoding="utf-8")


def test_every_adr_has_its_own_number() -> None:
    numbers = [path.name[:4] for path in TRACKED if path.parent.name == "adr"]
    assert len(numbers) == len(set(numbers))


def readme_commands() -> list[str]:
    """Commands of README's `sh` blocks, `make test` itself left out (it is what runs this)."""
    text = (TOP / "README.md").read_text(encoding="utf-8")
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL) for line in block.splitlines()]
    commands = [line.split("  #")[0].strip() for line in lines]
    return [c for c in commands if c and not c.startswith(("make test", "git clone", "cd ", "apt-get", "sudo"))]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("command", readme_commands())
def test_readme_command_runs(command: str, tmp_path: Path) -> None:
    words = shlex.split(command)
    if words[:2] == ["make", "run"]:  # a table stands until it is stopped: give it three seconds and a home of its own
        extra = f"--for 3 --data {tmp_path} --port 0"
        given = next((w.removeprefix("ARGS=") for w in words if w.startswith("ARGS=")), "")
        words = ["make", "run", f"ARGS={given} {extra}"]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
