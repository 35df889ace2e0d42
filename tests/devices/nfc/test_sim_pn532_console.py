"""The simulated reader and the reader's own trial as programs."""

import subprocess
import sys

import pytest

from hardware.nfc.__main__ import main as try_reader
from hardware.sim.pn532 import PN532Sim
from hardware.sim.pn532_console import main, obey


def test_every_line_is_answered_by_one_line(sim):
    script = [
        ("list", "empty"),
        ("put 04:a1:b2:c3:d4:e5:f6", "put 04A1B2C3D4E5F6"),
        ("PUT 11223344", "put 11223344"),
        ("list", "04A1B2C3D4E5F6 11223344"),
        ("take 04A1B2C3D4E5F6", "took 04A1B2C3D4E5F6"),
        ("take 04A1B2C3D4E5F6", "error: 04A1B2C3D4E5F6 does not lie on this reader; here lies 11223344"),
        ("tap 0411223344AABB 0.001", "tapped 0411223344AABB"),
        ("put koi", "error: 'koi' is no UID: write hex digits such as 04A1B2C3D4E5F6"),
        ("put", "error: put takes 1 word after it, not 0"),
        ("list all of them", "error: list takes 0 words after it, not 3"),
        ("tap 11223344 soon", "error: could not convert string to float: 'soon'"),
        ("dance", "error: 'dance' is no command here; known are put, take, tap, list, vanish, back and quit"),
        ("", ""),
        ("vanish", "unplugged"),
        ("back", f"plugged in at {sim.path}"),
    ]
    assert [obey(sim, line) for line, _ in script] == [answer for _, answer in script]


def test_as_a_program_it_prints_its_path_and_ends_with_its_input(tmp_path):
    link = tmp_path / "ttyReader"
    done = subprocess.run(
        [sys.executable, "-m", "hardware.sim.pn532", "--link", str(link)],
        input="put 04A1B2C3D4E5F6\n\nlist\nquit\nlist\n",
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    assert done.stdout.splitlines() == [str(link), "put 04A1B2C3D4E5F6", "04A1B2C3D4E5F6"]
    assert done.stderr == ""
    assert not link.is_symlink()


def test_a_port_that_exists_is_not_taken_over(tmp_path, capsys):
    (tmp_path / "tty").touch()
    with pytest.raises(SystemExit) as ended:
        main(["--link", str(tmp_path / "tty")])
    assert ended.value.code == 2
    assert "is there already" in capsys.readouterr().err


def test_the_trial_shows_what_a_reader_sees(sim, capsys):
    sim.put("04A1B2C3D4E5F6")
    assert try_reader([sim.path, "--for", "1.0"]) == 0
    printed = capsys.readouterr().out
    assert "PN532v1.6" in printed
    assert "placed  04A1B2C3D4E5F6" in printed


def test_the_trial_without_a_reader_says_so(tmp_path, capsys):
    assert try_reader([str(tmp_path / "none"), "--for", "0.1"]) == 1
    assert "Nothing is plugged in" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        try_reader(["somewhere"])
    assert "does not say where the reader is" in capsys.readouterr().err


def test_closing_removes_the_port_and_its_directory():
    with PN532Sim() as sim:
        path = sim.path
        assert sim.plugged
        with pytest.raises(FileExistsError):
            PN532Sim(link=path)
    with pytest.raises(FileNotFoundError):
        open(path, "rb")  # noqa: PTH123, SIM115 - it must fail
