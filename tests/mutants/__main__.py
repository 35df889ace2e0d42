"""``make mutants``: every small change to the rooms of the game that no test notices must be explained in one of ``explained*.toml``.

A copy of the tree under ``.mutants/`` is mutated there, by mutmut in an environment of its own, and judged by the quick rules tests. ``ARGS``
names some of the rooms (``make mutants ARGS="betray deck"``); without it all of them. mutmut leaves decorated functions alone, and what is
kept would be read, not made: so in the copy ``@keep`` stands behind its function as a call, and ``fresh`` empties what is kept before each test.
A run that plays whole games by chance would kill many mutants too, late and without a word of what is wrong: such tests are left out.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).parents[2]
HOME = TOP / ".mutants"
TREE = HOME / "tree"
LOCK = TOP / "requirements-dev.lock"
MUTMUT = "mutmut==3.8.1"
RULES = Path("companion/rules/rising_sun")
ROOMS = (
    *("betray", "deck", "turns", "harvest", "recruit", "marshal", "train"),
    *("war", "warstart", "battle", "bids", "advantages", "reparations", "hostages", "force", "kills", "koi"),
    *("effects", "after", "asks", "gains", "honor", "serpent", "entering", "spending", "tokens"),
    *("winter", "cleanup", "tea", "gifts", "kami", "offer", "steps"),
)
"""The Political Phase, the War, cards, the year."""
KEEPERS = frozenset({"keep", "lru_cache"})
TESTS = (
    "bids", "blessings", "breakers", "cards", "cards_autumn", "cards_edges", "cards_summer", "cards_told", "cards_war", "cases", "corrections", "edges",
    "examples", "faults", "gifts", "gone", "kept", "named", "offer", "play", "record", "refusals", "refusals_year", "screens", "sentences", "told", "war", "war_cards", "war_no",
    "war_edges", "war_told", "year", "year_kept", "year_told",
)  # fmt: skip
"""Of ``tests/rules/test_rising_sun_*.py``."""
WALKS = (
    "test_every_text_of_a_played_game_fills_its_placeholders",
    "test_taste_scores_every_choice_of_every_prompt_from_the_view_alone",
    "test_bots_that_follow_taste_reach_the_end",
    "test_ceremonies_of_bots_end",
    "test_what_play_and_corrections_lead_to_is_never_a_fault_and_reads_back",
)
QUICK = ("--tb=no", "--assert=plain", "-p", "no:xdist", "-p", "no:cov")
"""Nobody reads why a mutant failed."""
PASSED = frozenset({"killed", "timeout", "segfault"})
"""What becomes of a mutant that somebody noticed."""

TELL = """
import json, pathlib
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.stats import status_by_exit_code
told = []
for meta in sorted(pathlib.Path("mutants").rglob("*.py.meta")):
    for name, code in json.loads(meta.read_text())["exit_code_by_key"].items():
        status = status_by_exit_code[code]
        lost = status not in ("killed", "timeout", "segfault")
        told.append((name, status, get_diff_for_mutant(name, path=str(meta.relative_to("mutants"))[:-5]) if lost else ""))
print(json.dumps(told))
"""
"""What became of every mutant, with the change where nobody noticed it."""


class Mutant(NamedTuple):
    """A change, by what it changes: numbers move with every edit, lines seldom."""

    room: str
    function: str
    was: str
    now: str


def python() -> Path:
    """The interpreter that has mutmut; installed when first needed, and again when the lock has changed."""
    found, stamp = HOME / "venv" / "bin" / "python", HOME / "stamp"
    if not stamp.exists() or stamp.stat().st_mtime < LOCK.stat().st_mtime:
        venv.create(HOME / "venv", with_pip=True)
        pip = [found, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*pip, "--require-hashes", "-r", LOCK], check=True)
        subprocess.run([*pip, MUTMUT], check=True)
        stamp.touch()
    return found


def bare(source: str) -> str:
    """The room with ``@keep`` and ``@lru_cache`` as calls behind the functions they decorate."""
    lines = source.splitlines()
    for node in reversed(ast.parse(source).body):
        if isinstance(node, ast.FunctionDef) and len(node.decorator_list) == 1:
            decorator = ast.unparse(node.decorator_list[0])
            if decorator.partition("(")[0] in KEEPERS:
                assert node.end_lineno is not None
                lines.insert(node.end_lineno, f"{node.name} = {decorator}({node.name})")
                del lines[node.decorator_list[0].lineno - 1]
    return "\n".join(lines) + "\n"


def lay_out(rooms: Iterable[str]) -> None:
    """The tree to be mutated, and mutmut's settings beside it."""
    shutil.rmtree(TREE, ignore_errors=True)
    for part in ("companion/rules", "companion/table", "companion/words", "tests/rules", "tests/mutants"):
        shutil.copytree(TOP / part, TREE / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("companion/__init__.py", "tests/conftest.py", "pyproject.toml"):
        shutil.copy(TOP / part, TREE / part)
    for room in rooms:
        path = TREE / RULES / f"{room}.py"
        path.write_text(bare(path.read_text("utf-8")), "utf-8")
    settings = {
        "source_paths": [f"{RULES}/{room}.py" for room in rooms],
        "also_copy": ["companion"],
        "pytest_add_cli_args": [*QUICK, "-p", "tests.mutants.fresh", "-k", " and ".join(f"not {walk}" for walk in WALKS)],
        "pytest_add_cli_args_test_selection": [f"tests/rules/test_rising_sun_{name}.py" for name in TESTS],
    }
    lines = ["[mutmut]", "use_git_change_detection = false"]
    lines += [f"{name} =\n" + "\n".join(f"    {value}" for value in values) for name, values in settings.items()]
    (TREE / "setup.cfg").write_text("\n".join(lines) + "\n", "utf-8")


def mutate(rooms: Iterable[str]) -> list[tuple[str, str, str]]:
    """Runs the mutants of some rooms: name, what became of it, the change if nobody noticed."""
    executable = python()
    lay_out(rooms)
    environment = {**os.environ, "PYTHONPATH": str(TREE)}
    with (HOME / "log").open("w") as log:
        done = subprocess.run(
            [executable, "-m", "mutmut", "run", "--max-children", str(len(os.sched_getaffinity(0)))],
            cwd=TREE,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if done.returncode:
        sys.exit(f"The mutants did not run; {HOME / 'log'} says why.")
    said = subprocess.run([executable, "-c", TELL], cwd=TREE, env=environment, capture_output=True, text=True, check=True).stdout
    return [tuple(entry) for entry in json.loads(said)]


def read(name: str, change: str) -> Mutant:
    """The mutant of mutmut's name and diff."""
    room, _, rest = name.removeprefix("companion.rules.rising_sun.").partition(".x_")
    lines = [line for line in change.splitlines() if line[:3] not in ("---", "+++")]
    was, now = ("\n".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+")
    return Mutant(room, rest.rpartition("__mutmut_")[0], was, now)


def explained() -> Counter[Mutant]:
    """Those that nobody can notice, each with its reason. One entry stands for one mutant: a line that is there twice needs two."""
    files = sorted(Path(__file__).parent.glob("explained*.toml"))
    entries = [entry for file in files for entry in tomllib.loads(file.read_text("utf-8")).get("survivor", [])]
    assert all(entry["why"] for entry in entries)
    return Counter(Mutant(entry["room"], entry["function"], entry["was"], now) for entry in entries for now in entry["now"])


def main() -> None:
    rooms = sys.argv[1:] or list(ROOMS)
    found = mutate(rooms)
    lost = [(read(name, change), name, status) for name, status, change in found if status not in PASSED]
    known = explained()
    tally = Counter((name.removeprefix("companion.rules.rising_sun.").partition(".")[0], status) for name, status, _ in found)
    for room in rooms:
        print(f"{room}: " + ", ".join(f"{n} {status}" for (where, status), n in sorted(tally.items()) if where == room))
    left = known.copy()
    open_ = []
    for mutant, name, status in lost:
        if left[mutant]:
            left[mutant] -= 1
        else:
            open_.append((mutant, name, status))
    for mutant, name, status in open_:
        print(f"\n{status}: {mutant.room}.{mutant.function} ({name.rpartition('_')[2]})\n- {mutant.was}\n+ {mutant.now}")
    gone = sorted(mutant for mutant in left.elements() if mutant.room in rooms)
    for mutant in gone:
        print(f"\nexplained, and noticed now: {mutant.room}.{mutant.function}\n- {mutant.was}\n+ {mutant.now}")
    print(f"\n{len(found)} mutants, {len(lost)} survive, {len(lost) - len(open_)} of them explained, {len(open_)} not")
    sys.exit(1 if open_ or gone else 0)


if __name__ == "__main__":
    main()
