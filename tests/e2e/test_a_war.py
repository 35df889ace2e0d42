"""A War Phase of five on phones: sealed bids, every War Advantage, odd Coins, Winter and the winner; then nobody is asked anything more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.everything import Everything
from e2e.phones import Browser
from e2e.season import Season, register, written

pytestmark = pytest.mark.timeout(400)
WAR = Path(__file__).with_name("war.txt")
TAGGED = {"turtle/bushi": 6, "koi/bushi": 6, "koi/daimyo": 1}


@pytest.fixture
def war(tmp_path: Path, browser: Browser) -> Iterator[Season]:
    script = written(WAR)
    whole = Everything(tmp_path, browser, script.record.seats, register(TAGGED))
    yield Season(whole, script)
    whole.close()


def test_a_war_for_five_to_the_winner(war: Season) -> None:
    everything, table = war.all, war.table
    start = table.home / "start.txt"
    start.write_text(war.script.position(), encoding="utf-8")
    table.start("--position", str(start))
    for seat in everything.seats:
        everything.join(seat)
    table.press("begin")
    for given in war.script.given():
        war.play(given)
        war.agree()
        sealed_bids_are_seen_by_their_seat_only(war)
    assert war.state.scored["koi"] == {"play": 9}
    for phone in everything.phones.values():
        assert "Koi wins" in phone.page.inner_text("body")


def sealed_bids_are_seen_by_their_seat_only(war: Season) -> None:
    """What a phone was sent of a sealed bid is in its own seat's page alone, behind the curtain."""
    battle = war.state.battle
    if battle is None or battle.stage != "bids":
        return
    for seat, phone in war.all.phones.items():
        said = phone.page.inner_text("body")
        assert all(f"{clan.title()} has bid" in said for clan, bid in battle.bids.items() if bid)
        assert battle.place != "nagato" or seat == "koi" or "Imperial Poets 2" not in said, "Koi's, not shown yet"
