"""The terminal says how the table is when it is known, not while it is being asked, and again when that changes."""

from __future__ import annotations

import gc
import io
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.bulletin import Bulletin
from companion.cli import main
from companion.rules.view import Text
from companion.tablet.port import Health


class Clock:
    now = 50.0

    def __call__(self) -> float:
        return self.now


def line(name: str, tone: str, words: str = "") -> Health:
    return Health(name, tone, Text("service.said", {"text": name}), Text("service.said", {"text": words or tone}))


def said(bulletin: Bulletin, *lines: Health) -> list[tuple[str, str]]:
    return [(one.id, one.tone) for one in bulletin.news(lines)]


def test_what_is_being_asked_is_not_said_before_it_has_had_its_time() -> None:
    clock = Clock()
    bulletin = Bulletin(clock)
    assert said(bulletin, line("broker", "waiting"), line("track", "waiting")) == []
    clock.now += 1
    assert said(bulletin, line("broker", "ok"), line("track", "waiting")) == [("broker", "ok")]
    clock.now += 1
    assert said(bulletin, line("broker", "ok"), line("track", "waiting")) == [("track", "waiting")]
    assert said(bulletin, line("broker", "ok"), line("track", "waiting")) == []
    clock.now += 60
    assert said(bulletin, line("broker", "ok"), line("track", "ok")) == [("track", "ok")]


def test_other_words_in_the_same_tone_are_no_news_and_a_short_gap_is_none() -> None:
    clock = Clock()
    bulletin = Bulletin(clock)
    assert said(bulletin, line("track", "ok", "60 lamps")) == [("track", "ok")]
    assert said(bulletin, line("track", "ok", "61 lamps")) == []
    clock.now += 10
    assert said(bulletin, line("track", "waiting")) == []
    clock.now += 1
    assert said(bulletin, line("track", "ok")) == []
    assert said(bulletin, line("track", "waiting")) == []
    clock.now += 2
    assert said(bulletin, line("track", "waiting")) == [("track", "waiting")]
    assert said(bulletin, line("track", "refused")) == [("track", "refused")]


def test_what_comes_later_and_is_well_is_no_news_but_a_fault_is() -> None:
    clock = Clock()
    bulletin = Bulletin(clock)
    assert said(bulletin, line("broker", "ok")) == [("broker", "ok")]
    clock.now += 10
    assert said(bulletin, line("broker", "ok"), line("reader.edo", "ok"), line("reader.kyoto", "refused")) == [("reader.kyoto", "refused")]
    assert said(bulletin, line("broker", "ok")) == []
    assert said(bulletin, line("reader.kyoto", "refused")) == [("reader.kyoto", "refused")], "it is another one now"


DEVICES = ["LED track", "NFC simulated reader", "Phones", "Simulated table"]


class Hands:
    """Who sits at the console: reads until every device was named, or nothing comes any more, then types ``quit``."""

    def __init__(self) -> None:
        self.said = io.StringIO()

    def named(self) -> list[str]:
        lines = self.said.getvalue().splitlines()
        return sorted(text.strip().partition(":")[0] for text in lines if text.startswith("  ") and ": " in text)

    def __iter__(self) -> Iterator[str]:
        end = time.monotonic() + 20
        while len(self.named()) < len(DEVICES) and time.monotonic() < end:
            time.sleep(0.02)
        yield "quit\n"


@pytest.fixture
def own_pace() -> Iterator[None]:
    """A table sets the pace of its whole process; other tests have their own."""
    switch, threshold = sys.getswitchinterval(), gc.get_threshold()
    yield
    sys.setswitchinterval(switch)
    gc.set_threshold(*threshold)
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("own_pace")
def test_a_table_that_is_well_says_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.bulletin.PATIENCE", 60.0)  # a machine may be busy with more than this table
    hands = Hands()
    monkeypatch.setattr(sys, "stdin", hands)
    monkeypatch.setattr(sys, "stdout", hands.said)
    assert main(["run", "--headless", "--sim", "--host", "127.0.0.1", "--data", str(tmp_path), "--port", "0", "--new"]) == 0
    told = hands.said.getvalue()
    assert hands.named() == DEVICES, told
    assert "asking" not in told.lower() and " yet" not in told and "60 lamps" in told
