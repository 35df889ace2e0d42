"""The command line and the console: every wrong word gets one sentence, and nothing is changed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import _parser, _settings, main
from companion.hand import named
from companion.table.figures import Figures, Tag

PLACES = {"edo": "edo", "shrine.1": "shrine.1", "hachiman": "shrine.1"}
FIGURES = Figures(
    [
        Tag("04AAAAAAAAAA01", kind="koi/bushi", name="1"),
        Tag("04AAAAAAAAAA02", kind="koi/bushi", name="2"),
        Tag("04AAAAAAAAAA03", kind="oni_of_skulls"),
    ]
)


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("koi bushi edo", ("04AAAAAAAAAA01", "edo")),
        ("Koi Bushi 2 Edo", ("04AAAAAAAAAA02", "edo")),
        ("koi bushi", ("04AAAAAAAAAA01", None)),
        ("oni_of_skulls hachiman", ("04AAAAAAAAAA03", "shrine.1")),
        ("04aaaaaaaaaa02 edo", ("04AAAAAAAAAA02", "edo")),
        ("koi bushi edoo", "There is no place called 'edoo'; did you mean edo."),
        ("koi bush edo", "No tagged figure is called 'koi bush edo'; did you mean koi bushi; list shows all."),
        ("", "No tagged figure is called ''; list shows all."),
    ],
)
def test_a_typed_figure_is_found_or_said_why_not(typed: str, found: object) -> None:
    assert named(typed.split(), FIGURES, PLACES) == found


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["run", "--port", "99999"], "is no port"),
        (["run", "--address", "foo bar"], "is no name or address"),
        (["run", "--option", "mandates"], "is not NAME=VALUE"),
        (["run", "--figures", "nowhere.txt"], "there is no file"),
        (["run", "--for", "ever"], "is no number of seconds"),
        (["run", "--reader", "=edo"], "names no port"),
        (["run", "--seats", "koi,,lotus"], "has an empty name"),
        (["run", "--data", ""], "no directory is named"),
        (["run", "--resume", "abcdefgh", "--new"], "give one or the other"),
        (["run", "--resume", "abcdefgh", "--option", "a=b"], "give one or the other"),
        (["run", "--resume", "abcdefgh", "--level", "advise"], "give one or the other"),
        (["run", "--level", "lax"], "invalid choice: 'lax'"),
        (["dance"], "invalid choice"),
    ],
)
def test_a_wrong_command_line_is_explained(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_level_begins_a_new_game_that_keeps_it() -> None:
    told = _settings(_parser().parse_args(["run", "--level", "advise"]))
    assert (told.level, told.new) == ("advise", True)
    told = _settings(_parser().parse_args(["run"]))
    assert (told.level, told.new) == ("strict", False)


def test_a_taken_port_is_said_and_leaves_no_game_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path / "data")]) == 1
    said = capsys.readouterr().err
    assert "is in use" in said
    assert "Errno" not in said
    assert main(["games", "--data", str(tmp_path / "data")]) == 0
    assert "No game yet" in capsys.readouterr().out


def test_a_start_that_fails_late_leaves_no_game_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calibration = tmp_path / "track.toml"
    calibration.write_text("a = " + "[" * 5000)
    data = str(tmp_path / "data")
    begin = ["run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", "0", "--data", data, "--calibration", str(calibration)]
    assert main(begin) == 1
    assert "nested too deep" in capsys.readouterr().err
    assert main(["games", "--data", data]) == 0
    assert capsys.readouterr().out == ""


def test_a_file_at_the_inspection_socket_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = tmp_path / "work.txt"
    work.write_text("mine")
    begin = ["run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data")]
    assert main([*begin, "--inspect", str(work)]) == 1
    assert "name a socket that is free" in capsys.readouterr().err
    assert work.read_text() == "mine"


def test_a_console_without_the_letters_and_a_reader_that_left_end_no_table(tmp_path: Path) -> None:
    """Cyrillic to an ASCII console; then ``| head``."""
    begin = [sys.executable, "main.py", "run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", "0", "--language", "ru"]
    plain = os.environ | {"PYTHONIOENCODING": "ascii"}
    told = subprocess.run([*begin, "--data", str(tmp_path), "--for", "0.2"], env=plain, capture_output=True, text=True, check=True)
    assert "?????" in told.stdout
    assert told.stderr == ""
    with subprocess.Popen([*begin, "--data", str(tmp_path)], env=plain, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as left:
        assert left.stdout is not None
        assert left.stderr is not None
        left.stdout.close()
        assert left.stderr.read() == b""
    assert left.returncode == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seats", "koi,lotus"], "3 to 5"),
        (["--seats", "koi,lotus,tortoise"], "tortoise"),
        (["--option", "mandates=wooden"], "wooden"),
        (["--resume", "nosuchid"], "nosuchid"),
    ],
)
def test_a_table_that_cannot_stand_says_why(words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--headless", "--no-sim", "--host", "127.0.0.1", "--port", "0", "--data", str(tmp_path), *words]) == 1
    assert sentence in capsys.readouterr().err
