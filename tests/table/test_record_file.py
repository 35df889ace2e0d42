"""A record as the beginning of a game: every fault names the file, the line and what was expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import Pebbles
from table_records import HEAD, RECORD

from companion.table.record_file import FileError, opening


def test_a_game_begins_from_the_position_of_a_record_whatever_its_moves(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(RECORD, encoding="utf-8")
    begun = opening(Pebbles(), path)
    assert (begun.seats, begun.options, begun.state.phase, begun.state.map["koi"]) == (("koi", "lotus"), {"rounds": "1"}, "put", {"edo": 1})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", r"game\.txt, line 1, column 1: expected a record"),
        (b"\xff", r"game\.txt, line 1, column 1: expected UTF-8 text"),
        ((HEAD + "seats koi lotus\nkoi edo many\n").encode(), r"game\.txt, line 3, column 9: expected a number"),
        ((HEAD + "seats koi lotus\nkoi coins 200\nmoves\n").encode(), r"game\.txt, line 4, column 1: expected a possible position above"),
        ((HEAD + "seats koi\n").encode(), r"game\.txt, line 1, column 1: Pebbles is played by two or more: add a seat"),
        (b"jinmaku 1 chess rules 1\nseats koi lotus\n", r"game\.txt, line 1, column 11: expected the game pebbles"),
    ],
)
def test_what_is_no_position_is_said_with_file_and_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "game.txt"
    path.write_bytes(content)
    with pytest.raises(FileError, match=said):
        opening(Pebbles(), path)
    with pytest.raises(FileError, match=r"none\.txt cannot be read \(No such file or directory\): check the path"):
        opening(Pebbles(), tmp_path / "none.txt")


@given(st.binary(max_size=80))
def test_any_bytes_are_a_position_or_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"any\.txt"):
        opening(Pebbles(), path)
