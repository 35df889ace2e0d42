"""Hands and app: figures that are owed, ticked off, astray, put back, adopted or waived; and what waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pebbles import Bid, Done, Give, Pebbles, Put, Shift
from table_desk import Table
from table_figures import EDO, FIGURES, KOI1, KOI2, LOTUS1, ZONES

from companion.rules.game import TABLE, MovePiece
from companion.rules.view import Text
from companion.table import commands as say
from companion.table.desk import Desk, Update
from companion.table.figures import parse
from companion.table.journal import Journal, JournalError
from companion.table.referee import Referee
from companion.table.twin import GRACE, PLACES, READERS, SINGLE, TRUST
from companion.words import render


@pytest.fixture
def table(referee: Referee) -> Iterator[Table]:
    """One reader; koi has its tile and may put pebbles."""
    made = Table(referee, FIGURES)
    made.pick()
    yield made
    made.desk.stop()


def test_what_is_played_on_a_screen_is_owed_by_hands(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    assert table.shown() == ["Figures to move", "Please: Koi pebble comes to Edo"]
    assert table.may("koi")[:2] == ["Figures to move", "Done: Koi pebble comes to Edo"]
    assert table.desk.current.notice is None, "nothing is wrong yet"
    assert table.play(Put("koi", "pebble", "edo")).ok, "its own part goes on"
    assert table.shown()[1:] == ["Please: Koi pebble comes to Edo"] * 2


def test_a_tap_at_the_place_is_the_owed_move_and_no_other(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    notice = table.tap(KOI2, "edo")
    assert (notice.tone, table.said()) == ("ok", "Koi pebble 2 is where it belongs: Edo.")
    assert table.shown() == [] and table.map["koi"] == {"edo": 1}
    assert table.touch("kyoto") is notice, "the hand is empty"


def test_a_figure_that_was_tapped_and_then_played_on_a_screen_is_not_owed(table: Table) -> None:
    asked = table.tap(KOI1)
    assert asked.asks_place and asked.offers, "the next touch of a place is this figure's"
    assert table.play(Put("koi", "pebble", "edo")).ok
    assert table.shown() == [] and table.desk.current.notice is None
    table.tap(KOI2)
    table.now += 30
    assert table.play(Put("koi", "pebble", "edo")).ok
    assert table.shown()[1:] == ["Please: Koi pebble comes to Edo"], "that tap was too long ago"


def test_a_figure_tapped_for_the_first_time_came_from_where_its_move_began(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.press("Done: Koi pebble comes to Edo", "koi")
    table.tap(KOI1, "kyoto")
    offered = table.notice().offers
    shift = next(choice.command for _, choice in offered if isinstance(choice.command, Shift))
    assert table.play(shift).ok
    assert table.map["koi"] == {"kyoto": 1}
    assert table.shown() == [], "it was the one in Edo, not another one from the reserve"


def test_a_tick_is_as_good_as_a_tap_and_counts_once(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.play(Put("koi", "pebble", "edo"))
    (tick,) = [c.command for p in table.desk.current.seats["koi"].prompts for c in p.choices if isinstance(c.command, say.Tick)]
    assert tick == say.Tick("koi", "koi/pebble", "", "edo", 2)
    assert table.play(tick).ok
    doubled = table.play(tick)
    assert doubled.refusal is not None and doubled.refusal.text.key == "table.changed"
    assert table.shown()[1:] == ["Please: Koi pebble comes to Edo"]
    assert table.press("Done: Koi pebble comes to Edo", "koi").ok
    assert table.shown() == []


def test_at_the_end_of_its_part_what_is_owed_is_a_difference(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    assert (table.notice().tone, table.said()) == ("careful", "Table and app differ. First: Koi pebble comes to Edo.")
    assert table.shown() == [
        "Table and app differ",
        "Please: Koi pebble comes to Edo",
        "Edo: here lies nothing; expected: Koi pebble",
    ]
    for seat in ("koi", TABLE):
        assert "Done: Koi pebble comes to Edo" in table.must(seat)
    current = table.desk.current
    assert [(w.seat, w.text.key) for w in current.open.waits][:1] == [("koi", "table.wait_hands")]
    assert [light.effect for light in current.lights if light.name == "chooser"] == ["attention"]
    table.pick("lotus")
    assert "pick" not in str(table.must("lotus"))
    refused = table.play(Put("lotus", "pebble", "edo"))
    assert refused.refusal is not None
    assert render(refused.refusal.text, "en") == "Table and app differ. First: Koi pebble comes to Edo."
    assert table.play(Give("lotus", "koi", {"coins": 1})).ok, "money goes on"
    assert table.press("Done: Koi pebble comes to Edo").ok
    assert (table.notice().tone, table.said()) == ("ok", "Table and app agree again.")
    assert table.play(Put("lotus", "pebble", "edo")).ok


def test_secret_answers_go_on_while_they_differ(table: Table) -> None:
    table.play(Done("koi"))
    table.pick("lotus")
    table.play(Put("lotus", "pebble", "edo"))
    table.play(Done("lotus"))
    assert table.desk.current.notice is not None
    assert table.play(Bid("koi", 1)).ok


def test_a_figure_where_it_may_not_be_is_a_difference(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.touch("oshu")
    notice = table.tap(LOTUS1)
    assert notice.tone == "refused", "why not is said first"
    assert table.shown() == [
        "Table and app differ",
        "Please: Lotus pebble leaves Oshu",
        "Oshu: here lies Lotus pebble; expected: nothing",
    ]
    assert not table.play(Put("koi", "pebble", "kyoto")).ok
    assert "Done: Lotus pebble leaves Oshu" in table.must("lotus")
    assert table.press("Done: Lotus pebble leaves Oshu", "lotus").ok
    assert table.shown() == []
    assert table.play(Put("koi", "pebble", "kyoto")).ok


def test_the_command_by_which_they_agree_again_does_not_wait(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.touch("kyoto")
    table.tap(KOI2)  # from the reserve, or the other one, mistaken? nobody asks: it is lawful
    assert table.map["koi"] == {"edo": 1, "kyoto": 1}
    table.touch("oshu")
    assert table.tap(KOI1).tone == "refused", "koi has put its two pebbles"
    assert not table.play(Done("koi")).refusal, "no piece is moved by it"
    assert table.shown()[1] == "Please: Koi pebble goes from Oshu to Edo"
    table.touch("edo")
    assert (table.tap(KOI1).tone, table.shown()) == ("ok", [])


def test_what_lies_there_is_adopted_when_its_owner_agrees(table: Table, journal: Journal) -> None:
    table.tap(KOI1, "edo")
    table.play(Put("koi", "pebble", "kyoto"))
    table.tap(KOI2, "kyoto")
    table.tap(KOI1, "oshu")
    assert table.press("The board is right: Koi pebble goes from Edo to Oshu").ok
    assert table.map["koi"] == {"edo": 1, "kyoto": 1}, "not before its owner agrees"
    assert table.must("koi")[:1] == ["Do you agree? The table wants the app to follow the board: koi/pebble set right"]
    assert table.press("Yes", "koi").ok
    assert table.map["koi"] == {"oshu": 1, "kyoto": 1} and table.shown() == []
    row = journal.last(table.desk._referee.game_id)
    assert (row.sort, row.seat) == ("correct", TABLE)
    assert any(render(line.text, "en") == "koi/pebble set right" for line in table.desk.current.open.log)
    table.press("Ask to undo: Koi pebble goes from Oshu to Edo")
    assert table.press("Yes", "koi").ok
    assert table.map["koi"] == {"edo": 1, "kyoto": 1} and table.shown()[1] == "Please: Koi pebble goes from Oshu to Edo"


def test_an_adoption_of_something_else_meanwhile_is_refused(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.play(Put("koi", "pebble", "kyoto"))
    table.tap(KOI2, "kyoto")
    table.tap(KOI1, "oshu")
    wrong = table.play(say.Adopt(TABLE, (MovePiece("koi", "koi/pebble", "kyoto", "oshu"),)))
    assert wrong.refusal is not None and wrong.refusal.text.key == "table.changed"


def test_the_table_may_leave_it_at_that(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.tap(LOTUS1, "oshu")
    assert table.press("All figures lie as the app shows them").ok
    assert table.shown() == []
    assert [render(line.text, "en") for line in table.desk.current.open.log][-1].startswith("The table leaves it at that: Koi pebble")
    again = table.play(say.Waive(TABLE, 3))
    assert again.refusal is not None and again.refusal.text.key == "table.changed"


# Undo


def test_an_undo_owes_the_figures_back_and_nothing_else_goes_on(table: Table) -> None:
    table.tap(KOI1, "edo")
    assert table.press("Undo: Koi pebble leaves Edo", "koi").ok
    assert (table.notice().tone, table.said()) == ("careful", "Table and app differ. First: Koi pebble leaves Edo.")
    for command in (Put("koi", "pebble", "edo"), Give("koi", "lotus", {"coins": 1})):
        refused = table.play(command)
        assert refused.refusal is not None
        assert render(refused.refusal.text, "en") == "First the figures go back: Koi pebble leaves Edo."
    assert table.press("Done: Koi pebble leaves Edo", "koi").ok
    assert table.play(Give("koi", "lotus", {"coins": 1})).ok


def test_an_undo_of_what_no_hand_had_done_owes_nothing(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    assert table.press("Undo: Koi pebble leaves Edo", "koi").ok
    assert table.shown() == [] and table.play(Put("koi", "pebble", "kyoto")).ok


def test_a_redo_settles_what_the_undo_owed(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.press("Undo: Koi pebble leaves Edo", "koi")
    assert table.press("Redo: Koi pebble comes to Edo", "koi").ok
    assert table.shown() == [] and table.map["koi"] == {"edo": 1}


def test_a_move_is_owed_back_the_way_it_came(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.tap(KOI1, "kyoto")
    assert table.map["koi"] == {"kyoto": 1}
    table.press("Undo: Koi pebble goes from Kyoto to Edo", "koi")
    assert table.shown()[1] == "Please: Koi pebble goes from Kyoto to Edo"
    table.tap(KOI1, "edo")
    assert table.shown() == []


# Layouts


def test_without_figures_nothing_is_owed(referee: Referee) -> None:
    table = Table(referee)
    table.pick()
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    assert table.shown() == [] and table.desk.current.notice is None
    table.desk.stop()


@pytest.mark.parametrize("layout", [TRUST, SINGLE, PLACES, READERS])
def test_in_trust_a_tap_still_plays_and_nothing_is_owed(table: Table, layout: str) -> None:
    table.desk.know(FIGURES, layout, ZONES)
    table.desk.sight(EDO, None)
    assert table.tap(KOI1).tone == "ok"
    table.play(Put("koi", "pebble", "kyoto"))
    assert table.map["koi"] == {"kyoto": 1, "edo": 1}
    assert (table.shown() == []) is (layout == TRUST)
    table.lift(KOI1, "edo")
    table.now += GRACE + 1
    table.settle()
    assert ("Please: Koi pebble leaves Edo" in str(table.shown())) is False


def test_a_kind_of_which_one_has_no_tag_is_believed(table: Table) -> None:
    table.desk.know(parse("04000000000001 koi/pebble 1"))
    table.play(Put("koi", "pebble", "edo"))
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    assert table.shown() == []
    notice = table.tap(KOI1, "oshu")
    assert notice.tone == "refused" and table.shown()[1] == "Please: Koi pebble goes from Oshu to Edo"


def test_a_figure_nobody_has_told_of_is_not_taken_for_the_one_that_is_tapped(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.press("All figures lie as the app shows them")  # it stands there, and no tag has told so
    table.touch("edo")
    assert table.tap(KOI2).tone == "ok"
    assert table.map["koi"] == {"edo": 2} and table.shown() == []


def test_an_owed_move_by_a_tap_leaves_the_figure_that_stands_there_untold(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.press("All figures lie as the app shows them")
    table.play(Put("koi", "pebble", "edo"))
    table.touch("edo")
    table.tap(KOI2)
    assert table.said() == "Koi pebble 2 is where it belongs: Edo." and table.shown() == []


# Restart, and trouble


def test_what_is_known_survives_a_restart(table: Table, game: Pebbles, journal: Journal) -> None:
    table.tap(KOI1, "edo")
    table.play(Put("koi", "pebble", "kyoto"))
    table.tap(LOTUS1, "oshu")
    shown = table.shown()
    table.desk.stop()
    back = Desk(Referee.resume(game, journal, table.desk._referee.game_id))
    back.know(FIGURES)
    back.start()
    back.stop()
    table.desk = back
    assert table.shown() == shown != []
    assert back._referee.hands.where(KOI1) == "edo"


def test_figures_are_followed_though_the_disk_is_full(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any) -> None:
        raise JournalError("the disk is full")

    table.play(Put("koi", "pebble", "edo"))
    monkeypatch.setattr(table.desk._referee.journal, "put_twin", full)
    table.tap(KOI1, "edo")
    assert table.shown() == [] and "is not saved: the disk is full" in caplog.text


def test_what_a_figure_told_and_the_command_it_gave_are_on_disk_together_and_before_anybody_hears(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, game = table.desk._referee.journal, table.desk._referee.game_id
    revision, written, told = table.desk.current.revision, [], []
    append = journal.append
    monkeypatch.setattr(journal, "append", lambda *rows, **more: (written.append((len(rows) - 1, more["twin"])), append(*rows, **more))[1])

    def hear(update: Update) -> None:
        if update.revision > revision:
            told.append((journal.last(game).revision, b"edo" in (journal.twin(game) or b"")))

    table.desk.watch(hear)
    table.settle()
    table.tap(KOI1, "edo")
    ((rows, twin),) = written
    assert (rows, twin) == (1, journal.twin(game)) and KOI1.encode() in (twin or b"")
    assert told[0] == (revision + 1, True)


def test_of_a_figure_whose_command_cannot_be_saved_nothing_is_played(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise JournalError("the disk is full")

    revision = table.desk.current.revision
    with monkeypatch.context() as broken:
        broken.setattr(table.desk._referee.journal, "append", full)
        assert table.tap(KOI1, "edo").tone == "refused" and table.desk.current.revision == revision
        assert "is not saved: the disk is full" in caplog.text and table.map["koi"] == {}
    table.touch("kyoto")
    assert table.map["koi"] == {"kyoto": 1}, "the figure is still in the hand"


def test_what_cannot_be_read_of_the_figures_is_forgotten(referee: Referee, journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    journal.put_twin(referee.game_id, b"not JSON")
    desk = Desk(referee, FIGURES)
    assert "what was known of the figures is forgotten" in caplog.text
    assert desk.current.open.sections[0].id == "board"


def test_a_table_that_differs_by_chance_alone_still_deals(table: Table) -> None:
    """What no hand does never waits for hands."""
    table.play(Done("koi"))
    table.pick("lotus")
    table.play(Put("lotus", "pebble", "edo"))
    table.play(Done("lotus"))
    table.play(Bid("koi", 0))
    table.play(Bid("lotus", 0))
    assert table.desk._referee.differs() == Text("table.differs", {"what": table.desk._referee._steward.work(table.desk._referee.names())})
    assert table.play(Done(TABLE)).ok
    assert table.desk._referee.state.phase == "pick"


def test_shifts_by_screen_are_owed_from_where_the_figure_is(table: Table) -> None:
    table.tap(KOI1, "edo")
    table.play(Shift("koi", "pebble", "edo", "kyoto"))
    assert table.shown() == ["Figures to move", "Please: Koi pebble goes from Edo to Kyoto"]
    assert table.press("Done: Koi pebble goes from Edo to Kyoto", "koi").ok
    assert table.desk._referee.hands.where(KOI1) == "kyoto"
