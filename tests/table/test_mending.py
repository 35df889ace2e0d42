"""Setting right by hand: small, named, announced, agreed to, journaled, undoable, in the record."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebbles import Done, Give, Pebbles, Put
from table_desk import Table
from table_games import Player, fast, game_of
from table_orders import words

from companion.rules.game import MAX_CHOICES, TABLE, GiveCard, MovePiece, SetCounter, SetStep
from companion.rules.view import Text
from companion.table import commands as say
from companion.table import games, record
from companion.table.chance import Chance
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.words import render


@pytest.fixture
def table(referee: Referee) -> Iterator[Table]:
    made = Table(referee)
    made.pick()
    yield made
    made.desk.stop()


def test_a_counter_is_set_when_its_seat_agrees(table: Table, journal: Journal) -> None:
    answer = table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 7),)))
    assert words([e.text for e in answer.events]) == ["The table wants to set right: koi has 7"]
    assert table.desk._referee.state.coins["koi"] == 3
    assert table.must("koi") == ["Do you agree? The table wants to set right: koi has 7", "Yes", "No"]
    assert table.must("lotus") == []
    assert table.must() == ["Do you agree? The table wants to set right: koi has 7", "Yes, for Koi, who is away", "No"]
    assert table.press("Yes", "koi").ok
    assert table.desk._referee.state.coins["koi"] == 7
    for seat in ("koi", "lotus"):
        assert words([line.text for line in table.desk.current.seats[seat].log])[-1] == "koi has 7"
    row = journal.last(table.desk._referee.game_id)
    assert (row.sort, row.seat, row.order_id) == ("correct", TABLE, None)


def test_no_leaves_it_as_it_is(table: Table) -> None:
    table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 7),)))
    assert table.press("No", "koi").ok
    assert table.desk._referee.state.coins["koi"] == 3 and table.must() == []


def test_what_cannot_be_is_refused_by_the_rules_and_nobody_is_asked(table: Table) -> None:
    refused = table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 7), SetCounter("koi", "luck", 7))))
    assert refused.refusal is not None and refused.refusal.clause == "PB-9"
    assert not table.play(say.Correct(TABLE, ())).ok
    assert table.must("koi") == []


def test_several_at_once_are_one_row_and_all_their_seats_agree(table: Table, game: Pebbles, journal: Journal) -> None:
    table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 7), MovePiece("", "lotus/pebble", "reserve.lotus", "edo"))))
    table.press("Yes", "koi")
    assert table.desk._referee.state.coins["koi"] == 3
    table.press("Yes, for Lotus, who is away")
    state = table.desk._referee.state
    assert (state.coins["koi"], state.map["lotus"]) == (7, {"edo": 1})
    text = record.export(game, journal, table.desk._referee.game_id)
    assert text.splitlines()[-2:] == ["table correct koi coins 7", "table correct move - lotus/pebble reserve.lotus edo"]


def test_a_correction_is_undone_like_anything_else_and_its_seat_is_asked_again(table: Table, game: Pebbles, journal: Journal) -> None:
    table.play(Put("koi", "pebble", "edo"))
    table.play(say.Correct(TABLE, (MovePiece("koi", "koi/pebble", "edo", "oshu"),)))
    table.press("Yes", "koi")
    assert table.map["koi"] == {"oshu": 1}
    assert table.may("koi")[1].startswith("Ask to undo: Koi pebble goes from Oshu to Edo"), "a correction is a barrier"
    table.press("Ask to undo: Koi pebble goes from Oshu to Edo")
    table.press("Yes", "koi")
    assert table.map["koi"] == {"edo": 1}
    assert "correct" not in record.export(game, journal, table.desk._referee.game_id)
    table.press("Ask to redo: Koi pebble goes from Edo to Oshu")
    table.press("Yes", "koi")
    assert table.map["koi"] == {"oshu": 1}


@pytest.mark.parametrize(
    ("correction", "whose"),
    [
        (SetCounter("koi", "coins", 1), ("koi",)),
        (SetCounter("koi", "ally.lotus", 1), ("koi", "lotus")),
        (GiveCard("koi", "x"), ("koi", "lotus")),
        (SetStep("x"), ("koi", "lotus")),
        (MovePiece("lotus", "crown", "edo", "oshu"), ("lotus",)),
        (MovePiece("", "koi/pebble", "edo", "oshu"), ("koi",)),
        (MovePiece("fox", "crown", "edo", "oshu"), ()),
    ],
)
def test_those_whose_things_it_touches_are_asked(referee: Referee, correction: Any, whose: tuple[str, ...]) -> None:
    assert referee._steward._affected((correction,)) == whose


def test_a_correction_of_nobody_s_things_is_made_at_once(table: Table, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.rules.game import Applied

    monkeypatch.setattr(game, "correct", lambda state, _: Applied(state, ()))
    answer = table.play(say.Correct(TABLE, (MovePiece("fox", "crown", "edo", "oshu"),)))
    assert answer.ok and table.must() == []
    asked = table.play(say.Correct(TABLE, (SetCounter("koi", "coins", 1),)))
    assert words([e.text for e in asked.events]) == ["The table wants to set right: nothing"]


def test_setting_right_is_a_mode_and_says_every_step(table: Table) -> None:
    table.play(Put("koi", "pebble", "edo"))
    assert table.may()[-2:] == ["Set something right by hand", "Begin; everybody will hear of it"]
    assert table.must() == []
    assert table.press("Begin; everybody will hear of it").ok
    assert table.must() == [
        "What is to be set right?",
        "Koi, coins: not 3 but ...",
        "Lotus, coins: not 3 but ...",
        "Koi pebble, Edo",
        "That is all",
    ]
    (counter,) = [c for p in table.desk.current.table for c in p.choices if render(c.text, "en") == "Koi, coins: not 3 but ..."]
    assert counter.amounts is not None and counter.amounts.each == {"coins": (0, 999)}
    table.play(msgspec.structs.replace(counter.command, amounts={"coins": 5}))
    table.press("Yes", "koi")
    assert table.desk._referee.state.coins["koi"] == 5
    assert "Koi, coins: not 5 but ..." in table.must(), "the next thing may follow"
    table.press("Koi pebble, Edo")
    assert table.must() == ["Koi pebble, Edo: where does it go?", "Kyoto", "Oshu", "reserve", "That is all"]
    assert [g.to for p in table.desk.current.table if not p.optional for c in p.choices for g in c.gestures] == [
        "kyoto",
        "oshu",
        "reserve.koi",
    ]
    table.press("Oshu")
    table.press("Yes", "koi")
    assert table.map["koi"] == {"oshu": 1}
    table.press("That is all")
    assert table.must() == []


def test_the_mode_ends_when_the_game_goes_on(table: Table) -> None:
    table.press("Begin; everybody will hear of it")
    table.play(Done("koi"))
    assert table.must() == []


def test_only_places_that_can_hold_the_piece_are_offered(table: Table, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the rules refuse, and what they would call an impossible position; one that is impossible already stays as it is."""
    from companion.rules.game import Refusal, Ruling

    correct = game.correct
    full = Ruling("PB-8", Text("table.raw", {"id": "Oshu is full"}))
    old = Ruling("PB-8", Text("table.raw", {"id": "a coin is lost"}))
    monkeypatch.setattr(game, "correct", lambda s, c: Refusal("PB-8", full.text) if getattr(c, "to", "") == "kyoto" else correct(s, c))
    monkeypatch.setattr(game, "faults", lambda s: (old, full) if s.map["koi"].get("oshu") else (old,))
    table.play(Put("koi", "pebble", "edo"))
    table.play(say.Mend(TABLE, "koi/pebble", "edo"))
    assert table.must() == ["Koi pebble, Edo: where does it go?", "reserve", "That is all"]


def test_a_piece_that_nobody_owns_goes_to_the_common_reserve(table: Table, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.rules.game import Applied

    monkeypatch.setattr(game, "correct", lambda state, _: Applied(state, ()))
    table.play(say.Mend(TABLE, "crown", "oshu"))
    assert table.must() == ["the crown, Oshu: where does it go?", "Edo", "Kyoto", "Reserve", "That is all"]
    table.play(say.Mend(TABLE, "ghost", "reserve"))
    assert table.must()[:2] == ["ghost, Reserve: where does it go?", "Edo"]


def test_two_pieces_of_a_kind_are_set_right_in_one_go(table: Table) -> None:
    for place in ("edo", "kyoto"):
        table.play(Put("koi", "pebble", place))
    what = (MovePiece("koi", "koi/pebble", "edo", "oshu"), MovePiece("koi", "koi/pebble", "kyoto", "reserve.koi"))
    table.play(say.Correct(TABLE, what))
    table.press("Yes", "koi")
    assert table.map["koi"] == {"oshu": 1}


def test_a_correction_owes_the_figure_too(referee: Referee) -> None:
    table = Table(referee, parse("04000000000001 koi/pebble 1\n04000000000002 koi/pebble 2\n"))
    table.pick()
    table.tap("04000000000001", "edo")
    table.play(say.Correct(TABLE, (MovePiece("koi", "koi/pebble", "edo", "oshu"),)))
    table.press("Yes", "koi")
    assert table.shown()[1] == "Please: Koi pebble goes from Edo to Oshu"
    table.desk.stop()


def test_what_a_restart_finds_of_questions_and_the_mode(table: Table, game: Pebbles, journal: Journal) -> None:
    table.press("Begin; everybody will hear of it")
    table.press("Koi, coins: not 3 but ...")
    shown = table.must(), table.must("koi")
    assert len(shown[1]) == 3
    table.desk.stop()
    back = Table(Referee.resume(game, journal, table.desk._referee.game_id))
    assert (back.must(), back.must("koi")) == shown
    back.play(Give("koi", "lotus", {"coins": 1}))
    assert (back.must(), back.must("koi")) == ([], [])
    back.desk.stop()


# Rising Sun


def test_the_war_s_results_come_in_as_corrections(tmp_path: Path) -> None:
    seats = ("koi", "lotus", "turtle", "dragonfly")
    referee = Referee.create(game_of("rising_sun"), fast(tmp_path / "j"), seats, {}, chance=Chance.seeded(1))
    player = Player(referee, random.Random(3))
    while not any(prompt.seat == TABLE for prompt in referee.prompts()):
        player.done(player.some(0.0))
    before, vp = player.seen(), referee.state.vp["koi"]
    home = next(place for place, kinds in referee.game.placement(referee.state).items() if kinds["koi/daimyo"] and "." not in place)
    for what in ((SetCounter("koi", "vp", vp + 5), MovePiece("koi", "koi/daimyo", home, "reserve.koi")), (SetCounter("koi", "honor", 1),)):
        player.done(say.Correct(TABLE, what))
        player.everybody_agrees()
    assert referee.state.vp["koi"] == vp + 5 and referee.state.honor[0] == "koi"
    text = record.export(referee.game, referee.journal, referee.game_id)
    assert f"table correct koi vp {vp + 5}" in text and f"table correct move koi koi/daimyo {home} reserve.koi" in text
    rec = record.parse(text)
    state = record.begin(referee.game, rec)
    for step in record.replay(referee.game, state, [record.hear(referee.game, line) for line in rec.moves]):
        state = step.outcome.state  # type: ignore[union-attr]
    assert state == referee.state
    assert player.resumed().whole() == player.whole()
    for _ in range(2):
        player.taken_back(referee._steward.history.at)
    assert player.seen() == before
    referee.journal.close()


def test_every_piece_of_a_full_board_can_be_set_right(tmp_path: Path) -> None:
    seats = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
    referee = Referee.create(games.load("rising_sun").game, fast(tmp_path / "j"), seats, {}, chance=Chance.seeded(1))
    player = Player(referee, random.Random(3))
    player.play(120)
    player.done(say.Mend(TABLE))
    (prompt,) = [p for p in referee.table() if isinstance(p.choices[-1].command, say.Mend) and not p.optional]
    assert 45 < len(prompt.choices) < MAX_CHOICES
    for lang in ("en", "ru"):
        said = [render(c.text, lang) for c in prompt.choices]
        assert len(set(said)) == len(said)
    player.done(next(c.command for c in prompt.choices if isinstance(c.command, say.Mend) and c.command.place == "reserve.koi"))
    (prompt,) = [p for p in referee.table() if isinstance(p.choices[-1].command, say.Mend) and not p.optional]
    assert len(prompt.choices) in {9, 13}  # a Shinto may be put on a Shrine too
    referee.journal.close()


def test_a_shrine_is_offered_to_worshippers_only(tmp_path: Path) -> None:
    referee = Referee.create(game_of("rising_sun"), fast(tmp_path / "j"), ("koi", "lotus", "turtle"), {}, chance=Chance.seeded(1))
    for kind, shrines in (("koi/bushi", 0), ("koi/shinto", 4)):
        assert referee.submit_internal(TABLE, say.Mend(TABLE, kind, "reserve.koi")).ok
        (prompt,) = [p for p in referee.table() if p.text.key == "table.mend_where"]
        goals = [g.to for c in prompt.choices for g in c.gestures]
        assert len([goal for goal in goals if goal.startswith("shrine.")]) == shrines
        assert len(goals) == 8 + shrines
        for choice in prompt.choices[:-1]:
            assert referee.submit_internal(TABLE, choice.command).ok, "whatever is offered is taken"
            assert referee.submit_internal(TABLE, say.Object(TABLE, referee.revision)).ok
    referee.journal.close()
