"""The window on a real table: desk, referee, journal and the game itself; nothing stands in for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tablet_picture import SEATS, Stand
from tablet_rig import Rig

from companion.rules.view import Text
from companion.table.chance import Chance
from companion.table.desk import Desk
from companion.table.figures import parse
from companion.table.games import load
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.setup import Setup

FIGURES = "04A1B2C3D4E5F6 koi/bushi 1\n04A1B2C3D4E5F7 lotus/bushi 1\n"


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Stand, Referee]]:
    loaded, setup = load("rising_sun"), Setup(level=getattr(request, "param", "strict"))
    journal = Journal(tmp_path / "journal.sqlite")
    referee = Referee.create(loaded.game, journal, SEATS, {}, facts_hash=loaded.facts.digest, chance=Chance.seeded(7), setup=setup)
    desk = Desk(referee, parse(FIGURES))
    desk.start()
    stand = Stand(None, tmp_path, desk=desk)
    stand.board = loaded.facts.tables["board"]
    yield stand, referee
    desk.stop()
    journal.close()


def choose(rig: Rig, mandate: str) -> None:
    """The chooser takes a tile from behind the curtain."""
    prompt = rig.session.prompt
    assert prompt is not None and prompt.private
    wanted = next(i for i, choice in enumerate(prompt.choices) if choice.command.mandate == mandate)
    revision = rig.session.update.revision
    touch = rig.hold(f"curtain:{rig.session.seat}")
    rig.slide(touch, f"choice:{wanted}")
    rig.lift(touch)
    rig.until(lambda: rig.session.update.revision > revision)
    rig.wait(1)


def until_drawn(rig: Rig, mandate: str) -> None:
    """Plays whatever is asked until the chooser holds that tile."""
    for _ in range(200):
        prompt = rig.session.prompt
        assert prompt is not None
        if prompt.private and any(getattr(choice.command, "mandate", "") == mandate for choice in prompt.choices):
            return
        revision = rig.session.update.revision
        rig.session.press_choice(len(prompt.choices) - 1)
        rig.until(lambda revision=revision: rig.session.update.revision > revision)
        rig.wait(1)
    pytest.fail(f"nobody ever drew {mandate}")


@pytest.fixture
def rig(open_tablet: Callable[..., Rig], table: tuple[Stand, Referee]) -> Rig:
    opened = open_tablet(stand=table[0])
    opened.until(lambda: opened.session.update is not None)
    return opened.on_board()


def settled(rig: Rig, act: Callable[[], Any]) -> None:
    revision = rig.session.update.revision
    act()
    rig.until(lambda: rig.session.update.revision > revision)
    rig.wait(1)


def test_a_recruit_by_touch_lands_in_the_referee_and_on_the_board(rig: Rig, table: tuple[Stand, Referee]) -> None:
    referee = table[1]
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    seat = rig.session.seat
    lit = [wid[5:] for wid, spot in rig.dump.items() if wid.startswith("zone:") and spot["lit"]]
    assert lit
    before = rig.dump.get(f"stack:{lit[0]}:{seat}/bushi", {"value": 0})["value"]
    left = rig.session.reserve(seat, f"{seat}/bushi")
    rig.press(f"pick:{seat}/bushi")
    settled(rig, lambda: rig.press(f"zone:{lit[0]}"))
    assert rig.spot(f"stack:{lit[0]}:{seat}/bushi")["value"] == before + 1
    assert referee.game.placement(referee.state)[lit[0]][f"{seat}/bushi"] == before + 1
    assert rig.session.reserve(seat, f"{seat}/bushi") == left - 1
    assert referee.revision == rig.session.update.revision


def test_a_touched_place_and_a_tag_make_the_command(rig: Rig, table: tuple[Stand, Referee]) -> None:
    stand, referee = table
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    for _ in range(30):  # until Koi's turn to summon
        if rig.session.seat == "koi" and rig.session.figures:
            break
        settled(rig, lambda: rig.session.press_choice(len(rig.session.prompt.choices) - 1))
    assert rig.session.seat == "koi"
    place = next(iter(rig.session.lit))
    count = referee.game.placement(referee.state).get(place, {}).get("koi/bushi", 0)
    rig.press(f"zone:{place}")  # offers several kinds, and waits for a tag
    settled(rig, lambda: stand.desk.sight("04A1B2C3D4E5F6", None))
    assert referee.game.placement(referee.state)[place]["koi/bushi"] == count + 1
    assert rig.spot("notice")["value"]["tone"] == "ok"
    assert rig.session.place == ""


def test_a_wrong_figure_is_refused_in_words_with_its_clause(rig: Rig, table: tuple[Stand, Referee]) -> None:
    stand = table[0]
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    for _ in range(30):
        if rig.session.seat == "koi" and rig.session.figures:
            break
        settled(rig, lambda: rig.session.press_choice(len(rig.session.prompt.choices) - 1))
    stand.desk.sight("04A1B2C3D4E5F7", "kyoto")  # Lotus is not asked
    rig.until(lambda: rig.session.said is not None)
    said = rig.spot("notice")
    assert said["value"]["tone"] == "refused" and said["value"]["clause"].startswith("RS-")


def test_a_question_that_has_changed_refuses_the_late_finger(rig: Rig, table: tuple[Stand, Referee]) -> None:
    stand = table[0]
    prompt = rig.session.prompt
    assert prompt is not None
    seat, stale = rig.session.seat, rig.session.update
    settled(rig, lambda: rig.session.press_choice(0))
    rig.session.update, rig.session.seat = stale, seat  # the finger still sees the old question
    rig.session.press_choice(1)
    rig.until(lambda: rig.session.said is not None)
    assert rig.session.said.tone == "refused"
    assert stand.desk.current.revision == table[1].revision


def test_a_whole_season_is_played_from_the_tablet_alone(rig: Rig, table: tuple[Stand, Referee]) -> None:
    referee = table[1]
    seats: set[str] = set()
    for _ in range(400):
        prompt = rig.session.prompt
        if prompt is None or "war" in str(rig.session.update.open.subtitle.key):
            break
        seats.add(rig.session.seat)
        revision = rig.session.update.revision
        rig.session.press_choice(len(prompt.choices) - 1)
        rig.until(lambda revision=revision: rig.session.update.revision > revision)
        rig.clock.now += 1
    assert seats >= set(SEATS)
    assert referee.revision > 7


def test_why_not_is_asked_of_the_rules_and_changes_nothing(rig: Rig, table: tuple[Stand, Referee]) -> None:
    referee = table[1]
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    dark = next(place for place in ("edo", "kyoto", "oshu", "kansai", "nagato") if place not in rig.session.lit)
    revision = referee.revision
    rig.press(f"zone:{dark}")
    rig.until(lambda: rig.session.said is not None)
    said = rig.session.said
    assert said is not None and said.tone == "refused" and said.clause.startswith("RS-") and said.lawful
    assert referee.revision == revision


@pytest.mark.parametrize("table", ["advise"], indirect=True)
def test_a_dark_place_is_refused_and_taken_all_the_same(rig: Rig, table: tuple[Stand, Referee]) -> None:
    referee = table[1]
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    dark = next(place for place in ("edo", "kyoto", "oshu", "kansai", "nagato") if place not in rig.session.lit)
    before = referee.game.placement(referee.state).get(dark, {}).copy()
    rig.press(f"zone:{dark}")
    rig.until(lambda: rig.session.said is not None)
    rig.wait(1)
    clause = rig.session.said.clause
    assert rig.spot("offer:0")["text"].startswith("Do it anyway (")
    settled(rig, lambda: rig.press("offer:0"))
    after = referee.game.placement(referee.state)[dark]
    assert sum(after.values()) == sum(before.values()) + 1
    said = rig.spot("notice")
    assert said["value"] == {"tone": "careful", "clause": clause} and "against the rules" in said["text"]


@pytest.mark.parametrize("table", ["record"], indirect=True)
def test_a_table_that_records_asks_what_has_changed_and_a_tag_says_it(rig: Rig, table: tuple[Stand, Referee]) -> None:
    stand, referee = table
    rig.wait(1)
    assert rig.session.seat == "table" and rig.session.prompt is not None and rig.session.prompt.text.key == "table.record_what"
    assert "What has changed on the table?" in rig.spot("prompt")["text"] and not rig.session.waits
    stand.desk.sight("04A1B2C3D4E5F6", "oshu")
    rig.until(lambda: rig.session.said is not None)
    assert len(rig.session.said.offers) > 1, "from the reserve, or from where Koi begins"
    settled(rig, lambda: rig.session.press_offer(0))
    assert referee.game.placement(referee.state)["oshu"]["koi/bushi"] >= 1


def test_undo_on_the_panel_takes_the_last_summon_back(rig: Rig, table: tuple[Stand, Referee]) -> None:
    referee = table[1]
    until_drawn(rig, "recruit")
    choose(rig, "recruit")
    seat, place = rig.session.seat, next(iter(rig.session.lit))
    before = referee.game.placement(referee.state)
    rig.session.press_pick(f"{seat}/bushi")
    settled(rig, lambda: rig.press(f"zone:{place}"))
    undo = rig.spot("undo")
    assert "Bushi" in undo["text"] and undo["value"] == seat
    settled(rig, lambda: rig.press("undo"))
    assert referee.game.placement(referee.state) == before


def test_what_a_screen_announces_everybody_at_the_table_hears(rig: Rig, table: tuple[Stand, Referee]) -> None:
    table[0].desk.announce("careful", Text("tablet.pin_gone", {"seat": "Koi"}), "koi")
    rig.until(lambda: rig.session.said is not None)
    assert rig.spot("notice")["value"]["tone"] == "careful"


def test_what_the_table_begins_to_set_right_stands_on_the_panel_at_once(rig: Rig) -> None:
    s = rig.session
    s.press_ask("table", [prompt.text.key for prompt in s.prompts("table")].index("table.mend"))
    rig.wait(1)
    rig.press("listed:0")
    rig.until(lambda: s.seat == "table")
    assert s.prompt is not None and not s.prompt.optional and not s.sheet
