"""The story on the tablet: step by step, plots, files; the end of a game; a seat given to a bot."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from tablet_picture import SEATS, Stand, raw, summon, update
from tablet_rig import Rig
from tablet_told import Told

from companion.look import Theme
from companion.rules.view import Table
from companion.table.journal import JournalError
from companion.tablet import curves, ledger
from companion.tablet.curves import bends, grid, lengths, spread
from companion.tablet.measure import Measure
from companion.tablet.stroke import dashes, rhythm
from companion.tablet.theme import Style

Open = Callable[..., Rig]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    stand = Told(tmp_path_factory.mktemp("told"), commands=60)
    yield stand
    stand.stop()


@pytest.fixture
def page(open_tablet: Open, told: Told) -> Rig:
    rig = open_tablet(stand=told).on_board()
    rig.session.open_sheet(("log",))
    rig.frames()
    rig.press("story")
    rig.until(lambda: rig.screen.over.session.story is not None, 60)
    rig.frames()
    return rig


def test_from_the_log_the_story_opens_at_the_last_step(page: Rig, told: Told) -> None:
    s = page.screen.over.session
    assert page.spot("story:where")["value"] == s.last == len(s.story.moments) - 1
    shown = {wid: spot["value"] for wid, spot in page.dump.items() if wid.startswith("stack:")}
    placement = told.referee.game.placement(told.referee.state)
    assert shown and all(placement[wid.split(":")[1]][wid.split(":")[2]] == count for wid, count in shown.items() if "shrine" not in wid)
    assert "Turtle" in page.spot("story:plot:honor")["text"]
    assert set(page.spot("story:plot:counter")["value"]) == set(SEATS)


def test_one_steps_to_and_fro_and_slides(page: Rig) -> None:
    s = page.screen.over.session
    assert not page.spot("story:forward")["enabled"] and not page.spot("story:last")["enabled"]
    page.press("story:first")
    assert s.index == 0 and page.spot("story:said")["text"] == "The game begins."
    assert not page.spot("story:back")["enabled"]
    page.clock.now += 1
    page.press("story:forward")
    assert s.index == 1 and page.spot("story:where")["value"] == 1
    page.clock.now += 1
    page.press("story:last")
    page.clock.now += 1
    page.press("story:back")
    assert s.index == s.last - 1
    rail = page.spot("story:slider")
    x, y = rail["centre"]
    page.press((x, y))
    assert abs(s.index - s.last / 2) <= 1
    touch = page.finger((x, y))
    touch.touch_down()
    touch.touch_move(x + 4000, page.screen.height - y)
    page.frames(1)
    touch.touch_up()
    assert s.index == s.last
    x, y = page.spot("story:plot:honor")["centre"]
    page.press((x, y))
    assert 0 < s.index < s.last, "a plot is a rail too"


def test_the_past_is_not_played_and_the_game_under_it_is_untouched(page: Rig, told: Told) -> None:
    revision = told.desk.current.revision
    page.press("story:first")
    assert not any(spot["lit"] for wid, spot in page.dump.items() if wid.startswith(("zone:", "seat:")))
    for wid in ("zone:edo", "seat:koi", "zone:kyoto"):
        page.clock.now += 1
        page.press(wid)
    assert told.desk.current.revision == revision and page.session.place == "" and page.session.sheet == ()
    assert not any(wid.startswith(("choice:", "curtain:", "undo")) for wid in page.dump)
    page.press("story:close")
    assert page.screen.over is None and "zone:edo" in page.dump


def test_another_counter_is_plotted(page: Rig) -> None:
    assert page.spot("story:counter")["value"] == "vp"
    page.press("story:counter")
    assert page.spot("story:counter")["value"] == "coins" and "Coins" in page.spot("story:plot:counter")["text"]


def test_the_game_is_written_into_files_and_it_is_said_where(page: Rig, told: Told) -> None:
    page.press("story:export")
    page.until(lambda: page.screen.over.session.said is not None, 60)
    note = page.spot("story:note")
    assert note["value"] == "ok" and str(told.data / "exports") in note["text"] and "hidden" in note["text"]
    assert {path.suffix for path in (told.data / "exports").iterdir()} == {".txt", ".csv"}


def test_what_cannot_be_written_is_said(page: Rig, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "export", lambda _lang: (_ for _ in ()).throw(OSError(28, "no room is left")), raising=False)
    page.press("story:export")
    page.until(lambda: page.screen.over.session.said is not None)
    assert page.spot("story:note")["text"] == "It could not be done: no room is left"


def test_while_it_is_read_a_bar_says_how_far(open_tablet: Open, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = threading.Event()
    monkeypatch.setattr(told, "gate", lambda: gate.wait(20))
    rig = open_tablet(stand=told).on_board()
    rig.session.open_story()
    rig.session.open_story()
    rig.frames()
    page = rig.screen.over
    page._progress(50, 200)
    rig.until(lambda: page.session.progress == (50, 200))
    assert rig.spot("story:reading")["text"] == "Reading the game: step 50 of 200"
    assert rig.spot("story:reading")["value"] == [50, 200]
    page.rebuild()
    gate.set()
    rig.until(lambda: page.session.story is not None, 60)


def test_a_journal_that_cannot_be_read_is_said(open_tablet: Open, told: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "gate", lambda: (_ for _ in ()).throw(JournalError("row 3 is damaged")))
    rig = open_tablet(stand=told).on_board()
    rig.session.open_story()
    rig.until(lambda: rig.screen.over.session.said is not None)
    assert "row 3 is damaged" in rig.spot("story:reading")["text"]


@pytest.mark.parametrize("size", [(800, 480), (1280, 800), (800, 1280)])
def test_it_fits_every_window(open_tablet: Open, told: Told, size: tuple[int, int]) -> None:
    rig = open_tablet(stand=told, size=size, mm=149 / 25.4 if max(size) > 800 else 133 / 25.4).on_board()
    rig.session.speech.lang = "ru"
    rig.session.open_story()
    page = rig.screen.over
    rig.until(lambda: page.session.story is not None, 60)
    page.session.go(20)
    rig.frames()
    least = 12 * (149 / 25.4 if max(size) > 800 else 133 / 25.4) - 1
    for wid, spot in rig.dump.items():
        (x, y), (w, h) = spot["centre"], spot["size"]
        assert 0 <= x <= size[0] and 0 <= y <= size[1], wid
        if spot["enabled"] and wid.startswith("story:"):
            assert min(w, h) >= least * 0.85 and x + w / 2 <= size[0] + 1 and y + h / 2 <= size[1] + 1, (wid, w, h)


# The end of a game


def test_the_end_is_shown_at_once_with_the_game_s_own_counting(open_tablet: Open, tmp_path: Path) -> None:
    stand = Told(tmp_path, over=True)
    state = stand.referee.state
    rig = open_tablet(stand=stand).on_board()
    assert rig.session.sheet == ("over",)
    shown = [rig.spot(f"ledger:points:{i}") for i in range(5)]
    best = max(SEATS, key=lambda seat: state.vp[seat])
    assert shown[0]["text"].startswith(best.capitalize()) and shown[0]["value"][-1] == state.vp[best]
    rows = []
    while True:  # leaf by leaf
        rows += [spot for wid, spot in rig.dump.items() if wid.startswith("ledger:sources:")]
        if not rig.dump.get("sheet:next", {"enabled": False})["enabled"]:
            break
        rig.clock.now += 1
        rig.press("sheet:next")
    assert rows[0]["text"].startswith("Harvest") and rows[-1]["value"] == [state.vp[seat] for seat in state.honor]
    assert [sum(row["value"][i] for row in rows[:-1]) for i in range(5)] == rows[-1]["value"]
    rig.clock.now += 1
    rig.press("story")
    rig.until(lambda: rig.screen.over.session.story is not None, 60)
    rig.clock.now += 1
    rig.press("story:close")
    rig.session.open_sheet(("log",))
    rig.frames()
    rig.press("over")
    assert rig.session.sheet == ("over",)
    stand.stop()


def test_points_by_source_are_shown_at_any_step(open_tablet: Open, tmp_path: Path) -> None:
    stand = Told(tmp_path, over=True)
    rig = open_tablet(stand=stand, size=(800, 480), mm=133 / 25.4).on_board()
    rig.session.scale = 1.25
    rig.session.open_story()
    page = rig.screen.over
    rig.until(lambda: page.session.story is not None, 60)
    while page.session.counter != "sources":
        rig.clock.now += 1
        rig.press("story:counter")
    assert rig.spot("story:counter")["text"] == "Points by source" and "story:plot:honor" not in rig.dump
    first = rig.spot("ledger:sources:0")["text"]
    rig.clock.now += 1
    rig.press("story:rows")
    assert rig.spot("ledger:sources:0")["text"] != first, "the other rows of a long table"
    page.session.go(1)
    rig.frames()
    assert rig.spot("ledger:sources:0")["text"] == "Total 0 0 0 0 0" and "story:rows" not in rig.dump
    rig.clock.now += 1
    rig.press("story:counter")
    assert rig.spot("story:counter")["value"] == "vp" and "story:plot:honor" in rig.dump
    stand.stop()


def test_without_a_counting_of_its_own_everybody_s_counters_stand_there(open_tablet: Open) -> None:
    going = update(summon())
    rig = open_tablet(going).on_board()
    assert rig.session.sheet == ()
    ended = msgspec.structs.replace(update(revision=2), over=True)
    rig.show(ended)
    assert rig.session.sheet == ("over",) and rig.spot("ledger:standings:0")["value"] == [1, 9, 4, 1]
    assert "story" not in rig.dump, "this table keeps no story"
    rig.show(update(summon(), revision=3))
    assert rig.session.sheet == (), "the end was taken back"


def test_a_long_table_goes_on_on_the_next_leaf() -> None:
    style = Style(Theme("day", "rising_sun"), Measure(800, 480, mm=133 / 25.4))
    long = Table("long", raw("Long"), (raw("a"), raw("b")), tuple((raw(str(i)), i) for i in range(40)))
    short = Table("short", raw("Short"), (raw("a"),), ((raw("x"),),))
    whole = ledger.leaves([short, long, short], style, 300)
    assert [(one.id, len(one.rows)) for one in whole[0]] == [("short", 1)]
    rows = [row for leaf in whole for one in leaf if one.id == "long" for row in one.rows]
    assert tuple(rows) == long.rows and all(leaf for leaf in whole)
    assert ledger.leaves([Table("none", raw("None"))], style, 10) == [[Table("none", raw("None"))]]


def test_tokens_won_stand_as_a_number_on_the_crest(open_tablet: Open, tmp_path: Path) -> None:
    stand = Told(tmp_path, commands=260)
    tokens = stand.referee.state.tokens
    rig = open_tablet(stand=stand, size=(800, 480), mm=133 / 25.4).on_board()
    assert {seat: rig.spot(f"won:{seat}")["value"] for seat in tokens} == {seat: len(held) for seat, held in tokens.items()} != {}
    season, place = next(iter(tokens.values()))[0].split(":")
    assert f"{place.capitalize()}, {season.capitalize()}" in rig.spot(f"won:{next(iter(tokens))}")["text"]
    assert "won:koi" not in open_tablet(update(summon("koi"))).on_board().dump, "who has won none has no sign"
    stand.stop()


# Bots


class Manned(Stand):
    def __init__(self, *bots: str) -> None:
        shown = msgspec.structs.replace(update(summon("koi")), bots=bots)
        super().__init__(shown)
        self.desk.man = lambda seat, *, bot: self.manned.append((seat, bot))
        self.manned: list[tuple[str, bool]] = []


def test_a_seat_is_given_to_a_bot_and_taken_back_from_its_sheet(open_tablet: Open) -> None:
    stand = Manned()
    rig = open_tablet(stand=stand).on_board()
    rig.session.open_sheet(("seat", "turtle"))
    rig.frames()
    assert rig.spot("bot:turtle")["text"] == "Let a bot play"
    rig.press("bot:turtle")
    rig.show(msgspec.structs.replace(update(summon("koi"), revision=2), bots=("turtle",)))
    rig.clock.now += 1
    assert rig.spot("bot:turtle")["text"] == "Take back from the bot"
    rig.press("bot:turtle")
    assert stand.manned == [("turtle", True), ("turtle", False)]


def test_nobody_at_the_table_is_asked_a_bot_s_question(open_tablet: Open) -> None:
    rig = open_tablet(stand=Manned("koi")).on_board()
    assert rig.session.asked == () and not any(wid.startswith(("pick:", "choice:")) for wid in rig.dump)
    rig.press("seat:koi")
    assert rig.session.sheet == ("seat", "koi")
    person = open_tablet(stand=Manned("lotus")).on_board()
    assert person.session.asked == ("koi",)


def test_a_bot_s_card_on_the_table_page_asks_for_no_phone(open_tablet: Open) -> None:
    stand = Manned("lotus")
    rig = open_tablet(stand=stand)
    assert "lotus" not in stand.asked and not rig.spot("join:lotus")["lit"] and rig.spot("join:bonsai")["lit"]


# Lines


def test_a_line_bends_only_where_it_changes() -> None:
    assert bends([1, 1, 1, 4, 4, None, 4]) == [(0, 1), (2, 1), (3, 4), (6, 4)]
    assert bends([None, None]) == [] and bends([3]) == [(0, 3)] and bends([None, 2, 2]) == [(1, 2), (2, 2)]


@pytest.mark.parametrize(("low", "high", "ticks"), [(0, 13, [0, 5, 10, 15]), (0, 0, [0]), (-3, 6, [-5, 0, 5, 10]), (0, 100, [0, 50, 100])])
def test_the_grid_has_round_numbers(low: int, high: int, ticks: list[int]) -> None:
    assert grid(low, high) == ticks


def test_labels_keep_apart_and_inside() -> None:
    heights = spread([50, 50, 51, 99], 10, 0, 100)
    assert sorted(heights) == heights and all(b - a >= 10 for a, b in pairwise(heights)) and max(heights) <= 100
    assert spread([], 10, 0, 100) == []


def test_every_clan_has_a_rhythm_of_its_own() -> None:
    known = {seat: lengths(seat, "rising_sun", 1) for seat in ("koi", "lotus", "turtle", "dragonfly", "bonsai")}
    assert len(set(known.values())) == 5 and all(len(one) % 2 == 0 for one in known.values())
    assert lengths("nobody", "rising_sun", 1)[0] > 1e6, "an unbroken line"


def test_a_rhythm_goes_on_round_corners() -> None:
    line = [(0.0, 0.0), (9.0, 0.0), (9.0, 10.0)]
    assert list(rhythm(line, (4, 2))) == list(dashes(line, 4, 2)) == [
        [(0, 0), (4, 0)], [(6, 0), (9, 0), (9, 1)], [(9, 3), (9, 7)], [(9, 9), (9, 10)],
    ]  # fmt: skip
    assert list(rhythm(line, (1, 1, 3, 15))) == [[(0, 0), (1, 0)], [(2, 0), (5, 0)]]
    assert list(rhythm([], (1, 1))) == []


def test_a_plan_finds_the_step_under_a_finger() -> None:
    from companion.tablet.layout import Box

    plan = curves.Plan(Box(100, 0, 200, 50), 11, 0, 10)
    assert [plan.step(x) for x in (0, 100, 211, 999)] == [0, 0, 6, 10] and plan.y(10) == 0 and plan.x(5) == 200
