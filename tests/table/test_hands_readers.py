"""Readers that are places: they take stock, they miss a figure, and they know better than a button."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from pebbles import Done, Pebbles, Put, Shift
from table_desk import Table
from table_figures import FIGURES, KOI1, LOTUS1, ZONES

from companion.rules.game import TABLE
from companion.table import commands as say
from companion.table import desk as desk_module
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.twin import GRACE, READERS


@pytest.fixture
def readers(referee: Referee) -> Iterator[Table]:
    """Every place of the board has a reader; koi has its tile and may put pebbles."""
    made = Table(referee, FIGURES)
    made.pick()
    made.desk.know(FIGURES, READERS, ZONES)
    made.settle()
    yield made
    made.desk.stop()


def test_a_reader_takes_stock_without_playing(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.play(Done("koi"))
    readers.pick("lotus")
    readers.desk.know(FIGURES, READERS, ZONES)
    serial = readers.notice().serial
    assert readers.tap(KOI1, "edo").serial == serial, "it lies where it belongs"
    assert readers.shown() == []


def test_a_figure_in_a_hand_is_missed_only_after_a_while(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.lift(KOI1, "edo")
    readers.now += GRACE
    readers.settle()
    assert readers.shown() == []
    readers.now += 1
    readers.settle()
    assert readers.shown() == ["Table and app differ", "Please: Koi pebble comes to Edo", "Edo: here lies nothing; expected: Koi pebble"]
    assert readers.said() == "Table and app differ. First: Koi pebble comes to Edo."
    assert not any("Done" in words for words in readers.must()), "the reader knows better than a button"
    tick = readers.play(say.Tick(TABLE, "koi/pebble", "", "edo", 1))
    assert tick.refusal is not None and tick.refusal.text.key == "table.reader_knows"
    readers.tap(KOI1, "edo")
    assert readers.shown() == [] and readers.said() == "Koi pebble 1 is where it belongs: Edo."


def test_time_alone_finds_a_missing_figure(readers: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "PAUSE", 0.01)
    readers.tap(KOI1, "edo")
    missed = threading.Event()
    readers.desk.watch(lambda u: missed.set() if u.notice and u.notice.tone == "careful" else None)
    readers.lift(KOI1, "edo")
    readers.now += GRACE + 1
    assert missed.wait(10)


def test_a_move_by_readers_is_one_command(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.lift(KOI1, "edo")
    assert readers.tap(KOI1, "kyoto").tone == "ok"
    assert readers.map["koi"] == {"kyoto": 1} and readers.shown() == []


def test_a_figure_on_its_way_between_two_readers_stays_owed(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.play(Shift("koi", "pebble", "edo", "kyoto"))
    readers.lift(KOI1, "edo")
    assert readers.shown() == ["Figures to move", "Please: Koi pebble goes from Edo to Kyoto"]
    readers.now += GRACE + 1
    readers.settle()
    assert readers.shown()[1] == "Please: Koi pebble comes to Kyoto"
    assert readers.tap(KOI1, "kyoto").tone == "ok" and readers.shown() == []


def test_a_figure_makes_no_move_that_is_not_owed(readers: Table) -> None:
    readers.play(Put("koi", "pebble", "kyoto"))
    shown = readers.shown()
    readers.desk._referee.hands._twin.made_by("koi/pebble", "oshu")
    readers.settle()
    assert readers.shown() == shown != []


def test_a_figure_lifted_to_where_nobody_looks_is_believed(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.press("Undo: Koi pebble leaves Edo", "koi")
    readers.lift(KOI1, "edo")
    assert readers.shown() == []


def test_a_reader_that_never_saw_a_tag_may_lose_it(readers: Table) -> None:
    readers.lift(KOI1, "edo")
    readers.lift("04FFFFFFFFFFFF", "edo")
    readers.lift(LOTUS1, "shrine.9")
    readers.now += GRACE + 1
    readers.settle()
    assert readers.shown() == []


def test_a_lost_figure_goes_to_the_reserve_of_games_that_have_one(readers: Table) -> None:
    readers.tap(KOI1, "edo")
    readers.lift(KOI1, "edo")
    readers.now += GRACE + 1
    readers.settle()
    assert not any("The board is right" in words for words in readers.must()), "this game's reserve is no place"


def test_a_lifted_figure_that_is_taken_back_is_off_the_board_after_a_restart_too(readers: Table, game: Pebbles, journal: Journal) -> None:
    readers.tap(KOI1, "edo")
    readers.lift(KOI1, "edo")
    assert readers.press("Undo: Koi pebble leaves Edo", "koi").ok
    assert readers.shown() == []
    referee = Referee.resume(game, journal, readers.desk._referee.game_id)
    referee.hands.know(FIGURES, READERS, ZONES)
    assert referee.hands.where(KOI1) is None and referee.differs() is None
