"""Names that the owner wrote wrongly, in files or on the command line: one sentence with the nearest right one, and no table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

BEGIN = ["run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", "0", "--for", "0.1"]


@pytest.mark.parametrize(
    ("flag", "content", "said"),
    [
        (
            "--figures",
            "04A1B2C3D4E5F6 koi/bushi 1\n04A1B2C3D4E5F7 koi/bishi 1\n",
            "line 2: there is no figure 'koi/bishi': did you mean koi/bushi?",
        ),
        ("--figures", "04A1B2C3D4E5F6 place edoo\n", "line 1: there is no place 'edoo': did you mean edo?"),
        (
            "--position",
            "jinmaku 1 rising_sun rules 1\nseats koi lotus turtle\nkoi edo bushy\n",
            ", line 3, column 9: expected a figure: one of ",
        ),
        (
            "--position",
            "jinmaku 1 rising_sun rules 1\nseats koi lotus turtle\nkoi edo bushi*99\nmoves\n",
            ", line 4, column 1: expected a possible position",
        ),
    ],
)
def test_a_name_in_a_file_is_said_with_file_and_line(
    flag: str, content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "written.txt"
    written.write_text(content, encoding="utf-8")
    assert main([*BEGIN, "--data", str(tmp_path / "data"), flag, str(written)]) == 1
    told = capsys.readouterr().err
    assert "written.txt, line" in told and said in told


def test_a_reader_s_place_is_one_of_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BEGIN, "--data", str(tmp_path / "data"), "--reader", "/dev/ttyUSB0=kioto"]) == 1
    assert "--reader /dev/ttyUSB0=kioto: there is no place 'kioto': did you mean kyoto?" in capsys.readouterr().err


def table(*words: str) -> tuple[int, str]:
    """A table of its own process: one that stands reads standard input."""
    done = subprocess.run(
        [sys.executable, "main.py", *BEGIN, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.timeout(120)  # six programs start one after the other
def test_a_saved_game_does_not_go_on_with_another_override(tmp_path: Path) -> None:
    data, mine = str(tmp_path / "data"), tmp_path / "mine.toml"
    mine.write_text("[values.vp_track]\nvalue = 60\n", encoding="utf-8")
    assert table("--data", data) == (0, "")
    code, said = table("--data", data, "--override", str(mine))
    assert code == 1 and "add --new to begin a game with that file, or leave --override away" in said
    for more in (["--new", "--override", str(mine)], ["--override", str(mine)], []):
        assert table("--data", data, *more) == (0, "")


def test_games_are_listed_with_when_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    assert table("--data", str(data)) == (0, "")
    assert main(["games", "--data", str(data)]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "; today, " in line and line.endswith("; Tea Ceremony · Spring · alliances")
