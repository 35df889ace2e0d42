"""The record: what is printed is read back, what is no record is said by line and column, and a verdict stands on every line."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pebbles import Bid, Pebbles, Put, say
from table_records import GAME, HEAD, RECORD, judged

from companion.rules.game import Applied, GiveCard, MovePiece, NotationError, PositionError, Refusal, SetCounter, SetStep
from companion.table import corrections, games, record
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.facts import FactsError
from companion.table.journal import Journal
from companion.table.record import RecordError, begin, export, hear, parse, replay, text
from companion.table.referee import Referee


def test_a_record_is_taken_apart() -> None:
    rec = parse(RECORD)
    assert (rec.game, rec.rules, rec.seats, rec.options, rec.facts) == ("pebbles", 1, ("koi", "lotus"), {"rounds": "1"}, "00ff")
    assert [words.words for words in rec.position] == [
        ("deck", "b", "c", "d"),
        ("phase", "put", "0", "2"),
        ("koi", "edo", "1"),
        ("koi", "coins", "2"),
    ]
    assert (rec.moves[0].line, rec.moves[0].words, rec.moves[0].columns) == (11, ("koi", "put", "pebble", "edo"), (1, 5, 9, 16, 19))
    state = begin(GAME, rec)
    assert (state.left, state.map["koi"], state.coins) == (2, {"edo": 1}, {"koi": 2, "lotus": 3})


def test_what_is_printed_is_read_back() -> None:
    rec = parse(RECORD)
    state, commands = begin(GAME, rec), [hear(GAME, line) for line in rec.moves]
    again = parse(text(GAME, state, commands, "00ff"))
    assert begin(GAME, again) == state
    assert [hear(GAME, line) for line in again.moves] == commands
    assert again.facts == "00ff"


def test_without_a_position_the_game_begins_at_the_beginning() -> None:
    assert begin(GAME, parse(HEAD + "seats koi lotus\nmoves\n")) == GAME.start(("koi", "lotus"), {})
    assert begin(GAME, parse("\ufeff" + HEAD.replace("\n", "\r\n") + "seats koi lotus")) == GAME.start(("koi", "lotus"), {})


def test_an_option_may_have_several_words() -> None:
    assert parse(HEAD + "seats koi\noption ally koi turtle, lotus bonsai").options == {"ally": "koi turtle, lotus bonsai"}


def test_a_saved_game_is_exported_and_replayed_to_its_last_state(journal: Journal) -> None:
    seats = ("koi", "lotus", "turtle")
    referee = Referee.create(GAME, journal, seats, {"rounds": "2"}, chance=Chance.seeded(1), facts_hash="00ff")
    run(referee, {seat: Bot(seat, 4) for seat in seats})
    rec = parse(export(GAME, journal, referee.game_id))
    *_, last = replay(GAME, begin(GAME, rec), [hear(GAME, line) for line in rec.moves])
    assert isinstance(last.outcome, Applied) and last.outcome.state == referee.state
    assert len(rec.moves) == referee.revision
    assert "facts" not in text(GAME, referee.state)


@pytest.mark.parametrize(
    ("content", "line", "column", "expected"),
    [
        ("", 1, 1, "a record: its first line is like 'jinmaku 1 rising_sun rules 1'"),
        ("# only a comment\n", 1, 1, "a record"),
        ("hello", 1, 1, "'jinmaku'"),
        ("\n  jinmaku 2 pebbles rules 1", 2, 11, "'1'"),
        ("jinmaku 1", 1, 10, "the game's id"),
        ("jinmaku 1 pebbles", 1, 18, "'rules'"),
        ("jinmaku 1 pebbles rules", 1, 24, "the rules version"),
        ("jinmaku 1 pebbles rules one", 1, 25, "the rules version, a number, and nothing behind it"),
        ("jinmaku 1 pebbles rules 1 2", 1, 27, "the rules version, a number, and nothing behind it"),
        ("jinmaku 1 chess rules 1\nseats koi lotus", 1, 11, "the game pebbles"),
        ("jinmaku 1 pebbles rules 2\nseats koi lotus", 1, 25, "rules 1 or lower: this program knows no later ones, update it"),
        (HEAD, 1, 1, "a line 'seats' above this one, with every seat clockwise"),
        (HEAD + "moves\nseats koi", 2, 1, "a line 'seats' above this one"),
        (HEAD + "seats", 2, 6, "the seats, clockwise"),
        (HEAD + "seats koi koi", 2, 11, "each seat once, and koi stands here twice"),
        (HEAD + "seats koi\nseats koi", 3, 1, "one line 'seats' only"),
        (HEAD + "seats koi\noption rounds", 3, 14, "'option', its name and its value"),
        (HEAD + "seats koi\noption a b\noption a b", 4, 8, "each option once, and a stands above already"),
        (HEAD + "seats koi\nfacts", 3, 1, "'facts' and one hash, once"),
        (HEAD + "seats koi\nfacts a b", 3, 9, "'facts' and one hash, once"),
        (HEAD + "seats koi\nfacts a\nfacts b", 4, 7, "'facts' and one hash, once"),
        (HEAD + "seats koi\nmoves now", 3, 7, "nothing behind 'moves'"),
        (HEAD + "seats koi lotus\nkoi edo many", 3, 9, "a number"),
        (HEAD + "seats koi lotus\nkoi edo", 3, 8, "a number"),
        (HEAD + "seats koi lotus\nfox edo 1", 3, 1, "a seat, phase or deck"),
        (HEAD + "seats koi lotus\nphase lost 0 0\nmoves", 4, 1, "a phase of this game"),
        (HEAD + "seats koi\nmoves", 1, 1, "Pebbles is played by two or more: add a seat"),
        (HEAD + "seats koi lotus\nkoi coins 100\nmoves", 4, 1, "a possible position above this line: PB-8 koi has too many coins"),
        (HEAD + "seats koi lotus\nmoves\nkoi", 4, 4, "a verb"),
        (HEAD + "seats koi lotus\nmoves\nkoi fly", 4, 5, "a verb"),
        (HEAD + "seats koi lotus\nmoves\nkoi put pebble", 4, 15, "other words"),
        (HEAD + "seats koi lotus\nmoves\ntable correct koi coins", 4, 24, "a seat, a counter and its value, or move, card, step"),
    ],
)
def test_what_is_no_record_is_said_by_line_and_column(tmp_path: Path, content: str, line: int, column: int, expected: str) -> None:
    code, out, err = judged(tmp_path, content, "--json")
    assert (code, len(out)) == (2, 1)
    told = json.loads(out[0])["error"]
    assert (told["line"], told["column"]) == (line, column)
    assert expected in told["expected"]
    assert err.startswith(f"game.txt, line {line}, column {column}: ")


def test_errors_say_what_was_expected() -> None:
    with pytest.raises(RecordError, match=r"^line 1, column 1: expected 'jinmaku'$"):
        parse("hello")


@pytest.mark.parametrize(
    ("correction", "line"),
    [
        (MovePiece("koi", "bushi", "edo", "kyoto"), "table correct move koi bushi edo kyoto"),
        (MovePiece("", "oni", "edo", "kyoto"), "table correct move - oni edo kyoto"),
        (SetCounter("koi", "coins", -3), "table correct koi coins -3"),
        (GiveCard("koi", "sp-komainu"), "table correct card koi sp-komainu"),
        (GiveCard("", "sp-komainu"), "table correct card display sp-komainu"),
        (SetStep("mandate 4"), "table correct step mandate 4"),
    ],
)
def test_a_correction_is_said_and_heard(correction: Any, line: str) -> None:
    assert corrections.say(correction) == line == record.say(GAME, correction)
    assert corrections.hear(line.split()) == correction


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", 2),
        ("move koi", 4),
        ("move koi bushi edo kyoto now", 7),
        ("card koi", 4),
        ("step", 3),
        ("koi coins", 4),
        ("koi coins x", 4),
        ("koi coins 1 2", 5),
    ],
)
def test_half_a_correction_is_named(line: str, word: int) -> None:
    with pytest.raises(NotationError) as caught:
        corrections.hear(["table", "correct", *line.split()])
    assert caught.value.word == word


def test_the_notation_itself_may_complain_of_the_whole_position() -> None:
    class Sour(Pebbles):
        class notation(Pebbles.notation.__class__):  # noqa: N801 - a Game's field
            def read(self, *_: Any) -> Any:
                raise PositionError(0, 5, "something else")

    sour = Sour()
    sour.notation = Sour.notation()
    with pytest.raises(RecordError, match="line 3, column 8: expected something else"):
        begin(sour, parse(HEAD + "seats koi lotus\nkoi edo"))


_word = st.sampled_from(
    [
        "koi",
        "lotus",
        "put",
        "pebble",
        "edo",
        "kyoto",
        "done",
        "pick",
        "a",
        "bid",
        "1",
        "-1",
        "table",
        "correct",
        "move",
        "#",
        "moves",
        "seats",
        "option",
        "facts",
        "phase",
        "deck",
        "?",
        "give",
        "\u2028",
        "coins",
    ]
)
_lines = st.lists(st.one_of(st.builds(" ".join, st.lists(_word, max_size=6)), st.text(max_size=20)), max_size=12)


@given(_lines, st.booleans())
def test_any_text_is_a_record_or_refused_by_line_and_column(lines: list[str], headed: bool) -> None:
    content = "\n".join(([HEAD.strip(), "seats koi lotus"] if headed else []) + lines)
    rows = content.count("\n") + content.count("\r") + 1
    try:
        rec = parse(content)
        state = begin(GAME, rec)
        commands = [hear(GAME, line) for line in rec.moves]
    except RecordError as fault:
        at = (fault.line, fault.column)
    else:
        at = (1, 1)
        for step in replay(GAME, state, commands):
            assert isinstance(step.outcome, (Applied, Refusal))
    assert 1 <= at[0] <= rows and at[1] >= 1


def test_a_hidden_bid_is_replaced_in_the_position_only_for_others() -> None:
    state = replace(GAME.start(("koi", "lotus"), {}), bids={"koi": 2})
    assert "koi bids 2" in record.position(GAME, state) and "koi bids ?" in record.position(GAME, state, "lotus")
    assert GAME.notation.say(Put("koi", "pebble", "edo")) == "koi put pebble edo" and GAME.notation.say(Bid("koi", 1)) == "koi bid 1"


def test_the_games_of_the_house(journal: Journal, tmp_path: Path) -> None:
    loaded = games.load("rising_sun")
    assert loaded.game.id == "rising_sun"
    journal.begin(
        "aaaaaaaa", b"{}", game="rising_sun", rules=1, seats=(), options={}, facts_hash=loaded.facts.digest, facts=loaded.facts.tables
    )
    journal.begin("bbbbbbbb", b"{}", game="rising_sun", rules=1, seats=(), options={})
    for saved in ("aaaaaaaa", "bbbbbbbb"):
        assert games.load_saved(journal, saved).facts.digest == loaded.facts.digest
    mine = tmp_path / "mine.toml"
    mine.write_text("[mandates.recruit]\ncopies = 0\n", encoding="utf-8")
    with pytest.raises(FactsError, match=r"^mandates\.toml, \*\.copies: the rules cannot use this; "):
        games.load("rising_sun", mine)
    with contextlib.suppress(KeyError):
        games.load("chess")
        pytest.fail("chess is not played here")


def test_say_is_the_toy_s_own_text() -> None:
    assert say(1).args == {"id": "1"}
