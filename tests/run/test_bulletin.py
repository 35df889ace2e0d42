"""The terminal says how the table is when it is known, not while it is being asked, and again when that changes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from companion.bulletin import Bulletin
from companion.rules.view import Text
from companion.tablet.port import Health

TOP = Path(__file__).parents[2]


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


def test_a_table_that_is_well_says_nothing_else(tmp_path: Path) -> None:
    words = [sys.executable, "main.py", "run", "--headless", "--sim", "--data", str(tmp_path), "--port", "0", "--new", "--for", "1.8"]
    env = os.environ | {"PYTHONIOENCODING": "utf-8"}
    ended = subprocess.run(words, capture_output=True, encoding="utf-8", env=env, cwd=TOP, stdin=subprocess.DEVNULL, timeout=60, check=True)
    told = [text for text in ended.stdout.splitlines() if text.startswith("  ") and ": " in text]
    assert {text.strip().partition(":")[0] for text in told} == {"Phones", "Simulated table", "NFC simulated reader", "LED track"}, (
        ended.stdout
    )
    assert "asking" not in ended.stdout.lower() and " yet" not in ended.stdout and "60 lamps" in ended.stdout
