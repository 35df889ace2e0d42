"""What the process asks of its C library, where there is one to be asked."""

from __future__ import annotations

import ctypes
import gc
import sys
from types import SimpleNamespace

import pytest

from companion import pace


@pytest.mark.parametrize(("platform", "asked"), [("linux", [(-8, 1), (-3, 131072)]), ("win32", []), ("darwin", [])])
def test_memory_is_given_back_where_the_library_can_be_told_so(
    platform: str, asked: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(mallopt=lambda *what: told.append(what)))
    pace.thrifty()
    assert told == asked


def test_a_library_that_knows_nothing_of_it_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace())
    pace.thrifty()


def test_only_a_table_that_comes_up_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []
    before, switch, enabled = gc.get_threshold(), sys.getswitchinterval(), gc.isenabled()
    monkeypatch.setattr(pace, "thrifty", lambda: asked.append(True))
    try:
        pace.prompt()
        assert not asked
        pace.prompt(coming_up=True)
        assert asked and not gc.isenabled()
    finally:
        gc.set_threshold(*before)
        sys.setswitchinterval(switch)
        if enabled:
            gc.enable()


class SeenEnoughError(Exception):
    """The test has seen what it wants."""


def test_garbage_is_looked_for_when_nothing_is_done_and_now_and_then_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    new = iter((pace.DUST - 1, pace.DUST, 0, pace.DUST, pace.DUST))
    spent = iter((0.0, 1.0, 1.0, 1.001, 2.0, 2.0, *range(10, 10 + 2 * pace.TRIES)))  # busy, calm; calm; busy for ever

    def sleep(seconds: float) -> None:
        told.append({pace.SWEEP: "sweep", pace.CALM: "calm"}[seconds])
        if told.count("1") + told.count("2") == 3:
            raise SeenEnoughError

    monkeypatch.setattr(pace, "WHOLE", 2)
    monkeypatch.setattr(pace, "time", SimpleNamespace(sleep=sleep, process_time=lambda: next(spent)))
    monkeypatch.setattr(pace, "gc", SimpleNamespace(get_count=lambda: (next(new), 0, 0), collect=lambda which: told.append(str(which))))
    with pytest.raises(SeenEnoughError):
        pace._sweep()
    assert told == [*["sweep", "sweep", "calm", "calm", "1", "sweep", "sweep", "calm", "2", "sweep"], *["calm"] * pace.TRIES, "1", "sweep"]
