"""Text files that are kept parsed: never another thing than the text says, whatever happened to what is kept."""

from __future__ import annotations

import errno
import os
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import Path as Packed
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.compiled import SEAL, compiled

Read = Callable[[], Any]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "map.toml").write_text('[edo]\nx = 1\nk = 48.0\nname = "江戸"\nlist = [1, true]\n', encoding="utf-8")
    return tmp_path / "map.toml"


def read(source: Path, shape: str = "toml") -> tuple[Any, bool]:
    """What is told, and whether the text had to be parsed."""
    parsed: list[Any] = []
    text = source.read_bytes()

    def parse() -> Any:
        parsed.append(tomllib.loads(text.decode()))
        return parsed[-1]

    return compiled(source, text, shape, parse), bool(parsed)


def kept(source: Path) -> list[Path]:
    return sorted((source.parent / "__pycache__").glob("*")) if (source.parent / "__pycache__").exists() else []


def test_a_text_is_parsed_once_and_says_the_same_afterwards(source: Path) -> None:
    first, again = read(source), read(source)
    assert (first[1], again[1]) == (True, False)
    assert first[0] == again[0] and repr(first[0]) == repr(again[0]), "48.0 stays 48.0, true stays true"
    assert again[0] is not read(source)[0], "nobody changes what another has"
    assert [one.suffix for one in kept(source)] == [".kept"], "nothing is left lying about, nor taken for a text by a build"


def test_a_changed_text_or_shape_is_parsed_anew(source: Path) -> None:
    read(source)
    assert read(source, "other")[1]
    source.write_text("[kyoto]\n")
    assert read(source) == ({"kyoto": {}}, True)
    assert read(source) == ({"kyoto": {}}, False)


@given(at=st.integers(min_value=0), bit=st.integers(0, 7), cut=st.booleans())
def test_whatever_happens_to_what_is_kept_the_text_is_told(tmp_path_factory: pytest.TempPathFactory, at: int, bit: int, cut: bool) -> None:
    source = tmp_path_factory.mktemp("data") / "map.toml"
    source.write_text("[edo]\nx = 1\nlist = [1, 2, 3]\n")
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        read(source)
        where = kept(source)[0]
        whole = where.read_bytes()
        at %= len(whole)
        where.write_bytes(whole[:at] if cut else whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        assert read(source) == ({"edo": {"x": 1, "list": [1, 2, 3]}}, True)
        assert where.read_bytes() == whole, "and it is mended"
    finally:
        sys.dont_write_bytecode = before


def test_nothing_is_kept_where_no_bytecode_is(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert read(source)[1] and read(source)[1] and not kept(source)


def test_it_is_kept_where_the_bytecode_is(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "elsewhere"))
    assert read(source)[1] and not read(source)[1] and not kept(source)


def test_a_folder_that_takes_nothing_is_no_trouble(source: Path) -> None:
    (source.parent / "__pycache__").write_text("a file of that name")
    assert read(source)[1] and read(source)[1]


def test_what_a_killed_process_of_the_same_number_left_is_no_obstacle(source: Path) -> None:
    read(source)
    (where,) = kept(source)
    where.unlink()
    where.with_name(f"{where.name}.{os.getpid()}").write_bytes(b"half")
    where.with_name(f"{where.name}.{os.getpid()}.{threading.get_native_id()}").write_bytes(b"half")
    assert read(source)[1] and not read(source)[1]


def test_a_full_disk_leaves_nothing_lying_about(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(part: Path, data: bytes) -> int:
        with part.open("wb") as stream:
            stream.write(data[:5])
        raise OSError(errno.ENOSPC, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        assert read(source)[1] and not kept(source)
    assert read(source)[1] and not read(source)[1], "there is room again"


def test_what_has_no_plain_form_is_parsed_every_time(source: Path) -> None:
    source.write_text("when = 2026-01-01\n")
    assert read(source)[1] and read(source)[1] and not kept(source)


def test_a_fault_of_the_text_is_told_every_time(source: Path) -> None:
    source.write_text("= nothing\n")
    for _ in range(2):
        with pytest.raises(tomllib.TOMLDecodeError):
            read(source)


def test_a_packed_text_is_parsed_every_time(source: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "all.zip", "w") as packed:
        packed.writestr("map.toml", "x = 1")
    inside = Packed(tmp_path / "all.zip", "map.toml")
    assert compiled(inside, b"x = 1", "toml", lambda: {"x": 1}) == {"x": 1}
    assert not kept(source) and SEAL == 16
