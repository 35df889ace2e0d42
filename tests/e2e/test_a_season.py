"""A whole Political Phase of five: seven Mandates and three Kami Turns, by taps of tags, touches in the window and clicks on five phones only.

After every Mandate and Kami Turn referee, journal, phones, window, lamps and twin are looked at; in the middle the plug is pulled.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.everything import Everything
from e2e.phones import Browser
from e2e.running import until
from e2e.season import PHONE, TAG, WINDOW, Season, register, step_of, written

pytestmark = pytest.mark.timeout(900)
SEASON = Path(__file__).with_name("season.txt")
TAGGED = {"turtle/bushi": 6, "turtle/shinto": 3, "turtle/daimyo": 1, "turtle/stronghold": 4, "koi/bushi": 6}
PULLED_AFTER = "mandate 4"
STEPS = [
    "mandate 1", "mandate 2", "mandate 3", "kami 1", "mandate 4", "mandate 5", "kami 2", "mandate 6", "mandate 7", "kami 3", "war",
]  # fmt: skip


@pytest.fixture
def season(tmp_path: Path, browser: Browser) -> Iterator[Season]:
    script = written(SEASON)
    whole = Everything(tmp_path, browser, script.record.seats, register(TAGGED))
    yield Season(whole, script)
    whole.close()


def test_a_season_for_five_over_every_wire(season: Season) -> None:
    everything, table = season.all, season.table
    start = table.home / "start.txt"
    start.write_text(season.script.position(), encoding="utf-8")
    table.start("--position", str(start))
    for seat in everything.seats:
        everything.join(seat)
    table.press("begin")
    season.agree()

    seen: list[str] = []
    for given in season.script.given():
        season.play(given)
        if step_of(season.state) != given.step:
            season.agree()
            seen.append(given.step)
            if given.step == PULLED_AFTER:
                pull_the_plug(season)
    assert seen == STEPS
    assert min(season.hands[hand] for hand in (PHONE, TAG, WINDOW)) >= 8, season.hands

    assert step_of(season.state) == "war 1", "the table has begun the War, with the first Province that is fought for"
    until("the window to show the battle", lambda: "Battle: Hokkaido" in (table.widget("title") or {"text": ""})["text"])
    for phone in everything.phones.values():
        assert "Battle: Hokkaido" in phone.page.inner_text("body")


def pull_the_plug(season: Season) -> None:
    """Everything comes back by itself: nothing is scanned or said again."""
    before, twin = season.table.journal(), season.table.twin()
    season.table.kill()
    for phone in season.all.phones.values():
        phone.page.wait_for_selector('body:not([data-status="online"])')
    season.table.start()
    assert season.table.journal() == before, "exactly there"
    assert season.table.twin() == twin
    season.table.press("begin")
    season.agree()
