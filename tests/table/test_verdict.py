"""The command referee: a verdict on every line, and nothing a seat may not know."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table_records import HEAD, RECORD, judged, load

from companion.table.record_file import MAX_BYTES
from companion.table.verdict import referee_main


def test_a_verdict_stands_on_every_line(tmp_path: Path) -> None:
    code, out, err = judged(tmp_path, RECORD)
    assert code == 1
    assert out == [
        "1 ok koi put pebble edo | koi put",
        "2 no lotus put pebble edo | PB-4 lotus may not | lawful: nothing",
        "3 ok koi shift pebble edo kyoto | koi shift",
        "4 ok koi done | koi done",
        "5 ok lotus pick b | you took b; lotus pick",
        "6 ok lotus done | lotus done",
        "7 ok koi bid 1 | you bid 1; koi has bid",
        "8 no koi bid 7 | PB-5 koi may not | lawful: nothing",
        "9 ok lotus bid 2 | you bid 2; lotus has bid; bids [('koi', 1), ('lotus', 2)]",
        "10 ok table done | table done",
        "position",
        "seats koi lotus",
        "option rounds 0",
        "phase over 0 2",
        "deck c d",
        "koi coins 2",
        "koi edo 1",
        "koi kyoto 1",
        "lotus coins 3",
    ]
    assert err == ""


def test_all_lawful_is_nought(tmp_path: Path) -> None:
    assert judged(tmp_path, HEAD + "seats koi lotus\nmoves\nchance shuffle a b c d\nkoi pick a\n")[0] == 0


def test_the_verdict_as_json(tmp_path: Path) -> None:
    code, out, _ = judged(tmp_path, RECORD, "--json")
    told = [json.loads(line) for line in out]
    assert code == 1
    assert told[0] == {"n": 1, "line": 11, "ok": True, "command": "koi put pebble edo", "events": ["koi put"]}
    assert told[1] == {
        "n": 2,
        "line": 12,
        "ok": False,
        "command": "lotus put pebble edo",
        "clause": "PB-4",
        "reason": "lotus may not",
        "lawful": [],
    }
    assert told[-1]["position"][0] == "seats koi lotus"
    assert len(told) == 11


def test_a_seat_is_told_only_what_it_may_know(tmp_path: Path) -> None:
    secret = RECORD.replace("table done\n", "").replace("lotus bid 2\n", "")
    for flags in ((), ("--json",)):
        code, out, _ = judged(tmp_path, secret, "--seat", "lotus", *flags)
        told = "\n".join(out)
        assert code == 1
        assert "bid 1" not in told and "bid 7" not in told
        assert "PB-5" not in told or flags
        assert "koi bids ?" in told and "deck ? ?" in told
        assert "lotus pick b" in told and "you took b" in told
    assert "7 ok koi ? | koi has bid" in judged(tmp_path, secret, "--seat", "lotus")[1]
    assert "8 no koi ? | refused" in judged(tmp_path, secret, "--seat", "lotus")[1]
    hidden = json.loads(judged(tmp_path, secret, "--seat", "lotus", "--json")[1][7])
    assert hidden == {"n": 8, "line": 18, "ok": False, "command": "koi ?", "clause": "", "reason": "refused", "lawful": []}
    koi = judged(tmp_path, secret, "--seat", "koi")[1]
    assert "5 ok lotus ? | lotus pick" in koi and "koi bids 1" in koi
    shuffled = judged(tmp_path, HEAD + "seats koi lotus\nmoves\nchance shuffle a b c d\n", "--seat", "koi")[1]
    assert shuffled[0] == "1 ok chance ? | chance shuffle"


def test_what_another_seat_was_refused_is_not_told_though_its_secret_question_is_closed(tmp_path: Path) -> None:
    """A line written twice by mistake: the second is refused when nobody is asked any more, and still names the tile."""
    twice = RECORD.replace("lotus pick b\n", "lotus pick b\nlotus pick b\n")
    assert "6 no lotus ? | refused" in judged(tmp_path, twice, "--seat", "koi")[1]
    assert not [line for line in judged(tmp_path, twice, "--seat", "koi", "--json")[1] if "pick b" in line]
    assert any(line.startswith("6 no lotus pick b | PB-3") for line in judged(tmp_path, twice, "--seat", "lotus")[1])
    assert any(line.startswith("6 no lotus pick b | PB-3") for line in judged(tmp_path, twice)[1]), "who reads everything reads it too"


def test_what_the_table_does_is_told_to_everybody(tmp_path: Path) -> None:
    out = judged(tmp_path, RECORD + "table done\n", "--seat", "lotus")[1]
    assert "10 ok table done | table done" in out
    assert "11 no table done | PB-9 table may not | lawful: 0; 1; 2; 3; 4; 5; 6; 7" in out


def test_the_prompts_tell_whose_turn_it_is(tmp_path: Path) -> None:
    content = RECORD[: RECORD.index("lotus put pebble")]
    _, out, _ = judged(tmp_path, content, "--prompts")
    assert out[0].startswith("  koi: PB-3 2 more | koi put pebble edo; koi put pebble kyoto; ")
    assert out[1] == "  koi may: PB-4 give | koi give lotus 0"
    assert out[3] == "1 ok koi put pebble edo | koi put"
    _, out, _ = judged(tmp_path, content, "--prompts", "--json", "--seat", "lotus")
    told = json.loads(out[0])
    assert told == {
        "n": 0,
        "prompts": [{"seat": "lotus", "optional": True, "clause": "PB-4", "text": "give", "choices": ["lotus give koi 0"]}],
    }


def test_lawful_things_are_listed_at_most_eight(tmp_path: Path) -> None:
    content = HEAD + "seats koi lotus\nphase bid 0 0\nkoi coins 20\nmoves\nkoi done\n"
    told = json.loads(judged(tmp_path, content, "--json")[1][0])
    assert told["lawful"] == [f"bid {n}" for n in range(8)]


def test_other_facts_are_noted(tmp_path: Path) -> None:
    code, _, err = judged(tmp_path, RECORD.replace("00ff", "aaaa"))
    assert code == 1
    assert err == "note: played with other facts (aaaa) than these (00ff): name its override file\n"


def test_corrections_are_lines_too(tmp_path: Path) -> None:
    code, out, _ = judged(tmp_path, HEAD + "seats koi lotus\nmoves\ntable correct koi luck 3\ntable correct koi coins 4\n", "--seat", "koi")
    assert code == 1
    assert out[0].startswith("1 no table correct koi luck 3 | PB-9 no such correction")
    assert out[1] == "2 ok table correct koi coins 4 | koi has 4"


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        ([], "the following arguments are required: FILE"),
        (["a", "b"], "unrecognized arguments: b"),
        (["--fly", "a"], "unrecognized arguments: --fly"),
        (["nowhere.txt"], "nowhere.txt cannot be read (No such file or directory): check the path"),
        (["a\0b"], "cannot be read"),
    ],
)
def test_bad_arguments_are_said_and_are_no_verdict(argv: list[str], told: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    assert referee_main(argv, out, err) == 2
    assert told in err.getvalue() and out.getvalue() == ""


def test_help_is_said_and_is_no_fault() -> None:
    out = io.StringIO()
    assert referee_main(["--help"], out) == 0
    assert "--prompts" in out.getvalue() and "FILE" in out.getvalue()


def test_a_file_that_is_no_text_or_too_long_is_named(tmp_path: Path) -> None:
    assert judged(tmp_path, b"jinmaku 1\n  \xff")[2] == "game.txt, line 2, column 3: expected UTF-8 text\n"
    assert "is longer than" in judged(tmp_path, b"#" * (MAX_BYTES + 1))[2]


def test_a_seat_that_does_not_play_is_named(tmp_path: Path) -> None:
    assert judged(tmp_path, RECORD, "--seat", "fox")[::2] == (2, "no seat 'fox' in the record: write one of koi, lotus\n")


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(RECORD.encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert referee_main(["-"], io.StringIO(), io.StringIO(), load) == 1


def test_faults_go_to_standard_error_where_nothing_else_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert referee_main([str(tmp_path / "nowhere.txt")], io.StringIO()) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_unknown_game_or_a_bad_override_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("jinmaku 1 chess rules 1\nseats koi\n", encoding="utf-8")
    err = io.StringIO()
    assert referee_main([str(path)], io.StringIO(), err) == 2
    assert "column 11: expected a game this program plays: rising_sun" in err.getvalue()
    path.write_text("jinmaku 1 rising_sun rules 1\nseats koi lotus turtle\n", encoding="utf-8")
    assert referee_main([str(path), "--override", str(tmp_path / "none.toml")], io.StringIO(), err) == 2
    assert "none.toml: it cannot be read" in err.getvalue()


@given(st.binary(max_size=80))
def test_any_bytes_are_judged(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_bytes(data)
    assert referee_main([str(path)], io.StringIO(), io.StringIO(), load) in (0, 1, 2)
