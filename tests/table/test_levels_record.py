"""A table that only records: nothing is asked or refused, and what hands and the host say is written down."""

from __future__ import annotations

from typing import Any

import pytest
from pebbles import Pebbles, Put, Shuffle
from table_desk import Table
from table_figures import KOI1, KOI2, LOTUS1
from table_levels import SEATS, Open, offers, pressed, row
from table_orders import words

from companion.rules.game import CHANCE, TABLE, MovePiece, Refusal, SetCounter, SetStep
from companion.rules.view import Curtain, Section, Text
from companion.table import commands as say
from companion.table import games, record
from companion.table.chance import Chance
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.setup import RECORD, Setup
from companion.words import LANGUAGES, render


def test_a_table_that_records_asks_nothing_waits_for_nobody_and_knows_no_secrets(opened: Open) -> None:
    table = opened(RECORD)
    update = table.desk.current
    assert update.open.waits == () and update.open.sections
    for seat in SEATS:
        view = update.seats[seat]
        assert (view.prompts, view.waits) == ((), ()) and not any(section.lit for section in view.sections)
        assert not any(isinstance(node, Curtain) for section in view.sections for node in section.nodes)
        assert [s.id for s in view.sections if isinstance(s, Section)] == ["board", "seats"]
    assert update.lights, "the lamps follow"
    assert table.desk._referee.prompts() == () and table.desk._referee.revision == 1, "only chance answers: that is the set-up"


def test_a_figure_that_is_tapped_at_a_place_is_there(opened: Open, game: Pebbles, journal: Journal) -> None:
    table = opened(RECORD)
    table.desk.touch("edo")
    assert table.tap(KOI1).tone == "ok" and table.said() == "Koi pebble 1: Koi pebble comes to Edo."
    assert table.map["koi"] == {"edo": 1} and row(table, journal).sort == "correct"
    assert table.tap(KOI1).tone == "waiting", "again at the same place is no second one"
    assert table.tap(KOI1, "kyoto").tone == "ok"
    assert table.tap(LOTUS1, "edo").tone == "ok"
    assert table.map == {"koi": {"kyoto": 1}, "lotus": {"edo": 1}} and table.shown() == [] and table.must("koi") == []
    assert table.press("Undo: Lotus pebble leaves Edo").ok, "and nobody is asked"
    assert table.map["lotus"] == {}
    assert record.export(game, journal, table.desk._referee.game_id).splitlines()[-2:] == [
        "table correct move koi koi/pebble reserve.koi edo",
        "table correct move koi koi/pebble edo kyoto",
    ]


def test_a_figure_alone_waits_for_its_place(opened: Open) -> None:
    table = opened(RECORD)
    assert table.tap(KOI1).tone == "waiting"
    table.touch("oshu")
    assert table.map["koi"] == {"oshu": 1}


def test_a_figure_that_may_have_come_from_several_places_is_asked_about(opened: Open) -> None:
    table = opened(RECORD)
    table.play(say.Correct(TABLE, (MovePiece("koi", "koi/pebble", "reserve.koi", "edo"),)))
    table.play(say.Correct(TABLE, (MovePiece("koi", "koi/pebble", "reserve.koi", "kyoto"),)))
    assert table.tap(KOI1, "oshu").tone == "waiting"
    assert offers(table) == ["Koi pebble goes from Edo to Oshu", "Koi pebble goes from Kyoto to Oshu"]
    pressed(table, 1)
    assert table.map["koi"] == {"edo": 1, "oshu": 1}


def test_a_correction_the_game_cannot_make_is_refused_with_its_clause(opened: Open, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(RECORD)
    monkeypatch.setattr(game, "correct", lambda *_: Refusal("PB-9", Text("table.nothing")))
    assert (table.tap(KOI1, "edo").tone, table.notice().clause) == ("refused", "PB-9")


def test_a_figure_goes_from_reader_to_reader_and_one_that_is_taken_away_is_missed(opened: Open) -> None:
    table = opened(RECORD, layout="readers")
    for tag in (KOI1, KOI2, "04000000000003"):
        table.tap(tag, "edo")
    assert table.map["koi"] == {"edo": 3}
    table.lift(KOI1, "edo")
    table.tap(KOI1, "kyoto")
    assert table.map["koi"] == {"edo": 2, "kyoto": 1}
    table.lift(KOI2, "edo")
    assert table.map["koi"] == {"edo": 2, "kyoto": 1}, "it may be in a hand"
    table.now += 30
    table.settle()
    assert table.map["koi"] == {"edo": 2, "kyoto": 1}, "this game counts no reserve to put it into: the table says that they differ"
    assert table.shown()


def test_nobody_plays_by_the_rules_there(opened: Open) -> None:
    table = opened(RECORD)
    refused = table.play(Put("koi", "pebble", "edo"))
    assert refused.refusal is not None
    assert words([refused.refusal.text]) == ["This table only keeps the log: move the figure, or set it right on the tablet."]
    assert not table.desk._referee.submit_internal(CHANCE, Shuffle(CHANCE, ("a", "b", "c", "d"))).ok
    heard: list[Any] = []
    table.desk.why("koi/pebble", "edo", lambda *told: heard.append(told))
    table.settle()
    assert heard == [(None, ())]


def test_the_question_what_has_changed_is_always_open_and_nobody_has_to_agree(opened: Open) -> None:
    table = opened(RECORD)
    table.tap(KOI1, "edo")
    assert table.must() == ["What has changed on the table?", "Koi, coins: not 3 but ...", "Lotus, coins: not 3 but ...", "Koi pebble, Edo"]
    assert table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 7),))).ok
    assert table.desk._referee.state.coins["koi"] == 7 and table.must("koi") == []
    table.press("Koi pebble, Edo")
    assert table.must()[0] == "Koi pebble, Edo: where does it go?" and table.must()[-1] == "Back"
    table.press("Back")
    assert table.must()[0] == "What has changed on the table?"
    table.press("Koi pebble, Edo")
    table.press("Oshu")
    assert table.map["koi"] == {"oshu": 1} and "What has changed on the table?" in table.must()


def test_cards_and_steps_of_the_game_are_set_there_too(journal: Journal) -> None:
    house = games.load("rising_sun")
    referee = Referee.create(house.game, journal, ("koi", "lotus", "turtle"), {}, chance=Chance.seeded(1), setup=Setup(level=RECORD))
    (prompt,) = [p for p in referee.table() if not p.optional]
    steps = [c for c in prompt.choices if isinstance(c.command, say.Correct) and isinstance(c.command.what[0], SetStep)]
    assert steps and all(render(c.text, lang) for c in prompt.choices for lang in LANGUAGES)
    cards = [c for c in prompt.choices if isinstance(c.command, say.Mend) and c.command.card]
    assert cards
    assert referee.submit_internal(TABLE, cards[0].command).ok
    (whose,) = [p for p in referee.table() if not p.optional]
    seat = next(s for s in referee.seats if any(isinstance(c.command, say.Correct) and c.command.what[0].seat == s for c in whose.choices))
    given = next(c.command for c in whose.choices if isinstance(c.command, say.Correct) and c.command.what[0].seat == seat)
    assert referee.submit_internal(TABLE, given).ok and cards[0].command.card in referee.state.cards[seat]
    assert referee.submit_internal(TABLE, steps[-1].command).ok
    undo = [c.command for p in referee.table() for c in p.choices if isinstance(c.command, say.Undo)]
    assert referee.submit_internal(TABLE, undo[0]).ok
    back = Referee.resume(house.game, journal, referee.game_id)
    assert back.state == referee.state and back.levels.records


def test_a_figure_taken_away_goes_back_to_the_reserve_the_game_counts(journal: Journal) -> None:
    house = games.load("rising_sun")
    referee = Referee.create(house.game, journal, ("koi", "lotus", "turtle"), {}, chance=Chance.seeded(1), setup=Setup(level=RECORD))
    before = house.game.placement(referee.state)
    place = next(p for p, pile in before.items() if pile["koi/daimyo"] and not p.startswith("reserve"))
    table = Table(referee)
    table.desk.know(parse("04000000000009 koi/daimyo 1\n"), "readers", (place,))
    table.desk.sight("04000000000009", place)
    table.settle()
    table.lift("04000000000009", place)
    table.now += 30
    table.settle()
    after = house.game.placement(referee.state)
    table.desk.stop()
    assert (after.get(place, {}).get("koi/daimyo", 0), after["reserve.koi"]["koi/daimyo"]) == (0, 1)
