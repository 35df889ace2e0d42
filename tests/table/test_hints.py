"""A figure that means nothing now: which one it was, where it is believed to stand, whose turn it is, what would be lawful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pebbles import Done, Pebbles, Put
from table_desk import Table
from table_figures import FIGURES, KOI1, LOTUS1

from companion.rules.game import Prompt
from companion.rules.view import Text
from companion.table import games, record
from companion.table.chance import Chance
from companion.table.desk import Desk
from companion.table.figures import parse
from companion.table.hints import wrong
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.twin import READERS
from companion.words import render

RECORDS = Path(__file__).parents[1] / "rules" / "records"
LOTUS, KOI, SHINTO, ONI = "04000000000001", "04000000000002", "04000000000003", "04000000000004"
TAGS = parse(f"{LOTUS} lotus/bushi 2\n{KOI} koi/bushi 1\n{SHINTO} koi/shinto 1\n{ONI} oni_of_skulls\n")


@pytest.fixture
def table(referee: Referee) -> Iterator[Table]:
    made = Table(referee, FIGURES)
    yield made
    made.desk.stop()


@pytest.fixture
def summoning(journal: Journal) -> Iterator[Desk]:
    """Koi has Recruit open and summons first."""
    loaded = games.load("rising_sun")
    rec = record.parse((RECORDS.parents[2] / "docs" / "examples" / "first-lesson.txt").read_text(encoding="utf-8"))
    referee = Referee.create(loaded.game, journal, rec.seats, rec.options, state=record.begin(loaded.game, rec))
    desk = Desk(referee, TAGS)
    desk.start()
    for line in rec.moves[:1]:
        desk.play(line.words[0], record.hear(loaded.game, line))
    desk.stop()
    desk.start()
    yield desk
    desk.stop()


def said(desk: Desk, lang: str = "en") -> str:
    desk.stop()
    assert desk.current.notice is not None
    text = render(desk.current.notice.text, lang)
    desk.start()
    return text


def test_another_seats_figure_is_named_with_where_it_stands_and_whose_turn_it_is(summoning: Desk) -> None:
    summoning.sight(KOI, None)
    words = said(summoning)
    notice = summoning.current.notice
    assert notice is not None and (notice.tone, notice.clause) == ("refused", "RS-6.5")
    assert words == "That was Koi Bushi 1, in Edo; Koi's reserve; it is Lotus's turn. Lawful now: Bushi to Nagato; Shinto to Nagato."
    assert said(summoning, "ru").startswith("Это Буси (Кои) 1 (место: Эдо; Запас (Кои)), а ходит Лотос. Сейчас можно: ")


def test_a_figure_out_of_play_is_in_the_box(summoning: Desk) -> None:
    summoning.sight(ONI, None)
    assert "oni_of_skulls, in the box." in said(summoning)


def test_it_stands_where_it_was_last_seen(table: Table) -> None:
    table.pick()
    table.tap(KOI1, "edo")
    table.play(Done("koi"))
    table.pick("lotus")
    table.tap(KOI1)
    assert table.said().startswith("That was Koi pebble 1, in Edo; it is Lotus's turn. Lawful now: ")


def test_the_seat_to_move_is_told_why_its_own_figure_does_not_go_there(table: Table) -> None:
    table.pick()
    table.tap(KOI1, "shrine.1")
    assert table.said().startswith("Koi pebble 1, shrine.1: no. ")


def test_where_nobody_places_figures_it_is_said_plainly(table: Table) -> None:
    table.tap(LOTUS1)
    assert table.said() == "That was Lotus pebble 1, in the box; it is Koi's turn."


def test_a_figure_that_is_owed_is_waited_for_and_no_mistake(table: Table) -> None:
    table.desk.know(FIGURES, READERS, ["edo", "kyoto", "oshu"])
    table.pick()
    assert table.play(Put("koi", "pebble", "edo")).ok  # on a phone: the figure itself is still to be moved
    assert table.play(Done("koi")).ok
    table.tap(KOI1)
    assert table.notice().tone == "waiting" and table.said() == "Koi pebble 1: touch where it goes."


def test_of_several_that_are_to_act_all_are_named(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    referee = Referee.create(Pebbles(), journal, ("koi", "lotus", "turtle"), {"rounds": "2"}, chance=Chance.seeded(1))
    monkeypatch.setattr(referee, "prompts", lambda: tuple(Prompt(seat, Text("table.not_now"), "PB-9", ()) for seat in ("koi", "turtle")))
    text, clause = wrong(referee, FIGURES.tags()[3], Text("table.raw", {"id": "this"}), "edo", None)
    assert (render(text, "en"), clause) == ("That was this, in Edo; these are to act: Koi; Turtle.", "PB-2")


def test_a_figure_that_may_be_anywhere_is_so_called(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Pebbles()
    referee = Referee.create(game, journal, ("koi", "lotus"), {"rounds": "2"}, chance=Chance.seeded(1))
    monkeypatch.setattr(game, "placement", lambda _state: {place: Counter({"lotus/pebble": 1}) for place in "abcd"})
    text, _ = wrong(referee, FIGURES.tags()[3], Text("table.raw", {"id": "this"}), None, None)
    assert render(text, "en") == "That was this, in one of 4 places; it is Koi's turn."
