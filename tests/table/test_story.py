"""The story of a game: the line that stands, as everybody saw it; and the game as files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from pebbles import Pebbles

from companion.rules.game import CHANCE
from companion.table import exports, record
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.commands import Undo
from companion.table.games import load
from companion.table.journal import Journal, JournalError
from companion.table.listing import Listing
from companion.table.referee import Referee
from companion.table.setup import Setup
from companion.table.story import KEPT, Story
from companion.words import render

SEATS = ("koi", "lotus", "turtle")


def pebbles(journal: Journal, commands: int = 10_000) -> Referee:
    referee = Referee.create(Pebbles(), journal, SEATS, {}, chance=Chance.seeded(1), setup=Setup({"koi": "Anna"}))
    run(referee, {seat: Bot(seat, 1) for seat in SEATS}, commands)
    return referee


def told(referee: Referee, journal: Journal) -> Story:
    story = Story(referee.game, journal, referee.game_id)
    story.read()
    return story


def test_every_step_says_who_did_what_and_what_everybody_had(journal: Journal) -> None:
    referee = pebbles(journal)
    story = told(referee, journal)
    first, *rest = story.moments
    assert (first.revision, first.said) == (0, ()) and [one.revision for one in rest] == list(range(1, referee.revision + 1))
    assert {one.seat for one in rest} == {*SEATS, "chance", "table"}
    assert first.counters == {seat: {"coins": n} for seat, n in referee.game.start(SEATS, {}).coins.items()}
    last = story.moments[-1]
    assert last.counters == {seat: {"coins": n} for seat, n in referee.state.coins.items()}
    assert render(last.title, "en") == "Pebbles" and last.made == 1000
    assert all(line.text.key for one in rest for line in one.said)
    assert list(story.names) == ["coins"]
    assert set(story.series("coins")) == set(SEATS) and len(story.series("coins")["koi"]) == len(story.moments)
    assert story.places() == {seat: (place,) * len(story.moments) for place, seat in enumerate(SEATS, 1)}
    assert story.series("ronin")["koi"] == (None,) * len(story.moments)


def test_a_step_is_shown_as_the_open_table_saw_it_with_nothing_to_play(journal: Journal) -> None:
    referee = pebbles(journal, 12)
    story = told(referee, journal)
    shown = story.view(len(story.moments) - 1)
    lit = msgspec.json.encode(referee.view(None).sections)
    assert msgspec.json.encode(shown.sections) == lit.replace(b',"lit":true', b""), "names and all; but nobody must act in the past"
    assert shown.prompts == () and shown.waits == () and shown.log == story.moments[-1].said
    assert story.view(len(story.moments) - 1) is shown, "kept"
    assert story.score() is None
    assert not {section.id for section in shown.sections} & {"private"}


def test_only_so_many_views_are_kept(journal: Journal) -> None:
    referee = pebbles(journal)
    story = told(referee, journal)
    for i in range(len(story.moments)):
        story.view(i)
    assert len(story._views) == min(KEPT, len(story.moments))


def test_what_was_taken_back_is_not_part_of_it_and_only_new_rows_are_read(journal: Journal) -> None:
    referee = pebbles(journal, 3)
    story = Story(referee.game, journal, referee.game_id)
    heard: list[tuple[int, int]] = []
    story.read(lambda done, of: heard.append((done, of)))
    assert heard[0] == (0, len(story.moments)) and heard[-1] == (len(story.moments),) * 2
    before = [one.revision for one in story.moments]
    node = next(node for node in referee._steward.history.upwards() if node.seat != CHANCE)
    assert referee.submit_internal("table", Undo("table", node.revision, referee._steward.history.last)).ok
    while referee._steward.request is not None:
        from companion.table.commands import Agree

        request = referee._steward.request
        assert referee.submit_internal("table", Agree("table", request.revision, request.open[0])).ok
    heard.clear()
    story.read(lambda done, of: heard.append((done, of)))
    assert [one.revision for one in story.moments] == [revision for revision in before if revision < node.revision] and heard == []
    run(referee, {seat: Bot(seat, 2) for seat in SEATS}, 2)
    story.read()
    assert story.moments[-1].revision == referee.revision > before[-1]
    assert [one.revision for one in story.moments] == sorted({one.revision for one in story.moments})


def test_an_ended_game_is_exported_whole_and_its_record_replays(journal: Journal, tmp_path: Path) -> None:
    referee = pebbles(journal)
    story = told(referee, journal)
    paths = exports.save(referee.game, journal, story, tmp_path)
    assert [path.parent for path in paths] == [tmp_path / "exports"] * 2 and {path.suffix for path in paths} == {".txt", ".csv"}
    assert set((tmp_path / "exports").iterdir()) == set(paths), "no half file is left"
    written = record.parse(paths[0].read_text(encoding="utf-8"))
    state = record.begin(referee.game, written)
    for step in record.replay(referee.game, state, [record.hear(referee.game, line) for line in written.moves]):
        state = step.outcome.state
    assert state == referee.state
    rows = list(csv.DictReader(io.StringIO(paths[1].read_text(encoding="utf-8"))))
    assert len(rows) == len(story.moments)
    assert rows[-1]["koi.coins"] == str(referee.state.coins["koi"]) and rows[-1]["turtle.honor"] == "3"
    assert rows[0]["time"] == "1970-01-01T00:16:40Z"
    whole = json.loads(exports.json_text(story, referee.game, journal))
    assert whole["ended"] and whole["names"] == {"koi": "Anna"} and len(whole["steps"]) == len(rows)
    moves = [move for step in whole["steps"] for move in step.get("moves", ())]
    assert moves == [" ".join(line.words) for line in written.moves] and whole["score"] == []
    assert whole["sources"] is None and exports.points_text(story) == "", "this game counts no points"


def test_a_running_game_s_files_tell_no_secret(tmp_path: Path) -> None:
    loaded = load("rising_sun")
    with contextlib.closing(Journal(tmp_path / "jinmaku.sqlite")) as journal:
        referee = Referee.create(loaded.game, journal, SEATS, {}, facts_hash=loaded.facts.digest, chance=Chance.seeded(3))
        run(referee, {seat: Bot(seat, 1) for seat in SEATS}, 30)
        story = told(referee, journal)
        assert len(story.moments) > 30 and next(iter(story.names)) == "vp"
        text = exports.record_text(loaded.game, journal, referee.game_id)
        written = record.parse(text)
        assert written.moves == () and " ?" in text and text.splitlines()[1].startswith("# The game is running")
        deck = next(line for line in text.splitlines() if line.startswith("deck"))
        assert set(deck.split()[1:]) == {"?"}
        assert record.position(loaded.game, record.begin(loaded.game, written)) == record.position(loaded.game, referee.state, "nobody")
        whole = json.loads(exports.json_text(story, loaded.game, journal))
        assert not whole["ended"] and not any("moves" in step for step in whole["steps"])
        with contextlib.closing(Listing(tmp_path / "jinmaku.sqlite")) as listing:
            again = Story(loaded.game, listing, referee.game_id)
            again.read()
            assert again.moments == story.moments, "also read while the table has it open"


def test_what_was_told_to_one_seat_alone_is_in_no_file(journal: Journal) -> None:
    referee = pebbles(journal, 30)
    story = told(referee, journal)
    private = [event for row in journal.rows(referee.game_id) for event in json.loads(row.events) if event.get("to") is not None]
    assert any("you took" in json.dumps(event) for event in private)
    assert "you " not in exports.csv_text(story) + exports.json_text(story, referee.game, journal)


def test_a_damaged_row_is_said(journal: Journal) -> None:
    referee = pebbles(journal, 5)
    journal._db.execute("UPDATE rows SET state = x'00' WHERE revision = 3")
    with pytest.raises(JournalError, match="row 3 is damaged"):
        told(referee, journal)


def test_points_by_source_are_the_same_in_the_story_the_files_and_at_the_end(tmp_path: Path) -> None:
    loaded = load("rising_sun")
    with contextlib.closing(Journal(tmp_path / "jinmaku.sqlite")) as journal:
        referee = Referee.create(loaded.game, journal, SEATS, {}, chance=Chance.seeded(3))
        bots = {seat: Bot(seat, 1) for seat in SEATS}
        run(referee, bots, 60)
        assert not any(section.id == "score" for section in referee.view(None).sections), "while it is played, the story tells"
        run(referee, bots, 10_000)
        story = told(referee, journal)
        last = len(story.moments) - 1
        table = story.sources(last)
        assert table is not None and story.sources(last) is table
        for reader in ("koi", None):
            score = next(section for section in referee.view(reader).sections if section.id == "score")
            assert score.nodes[-1] == table
        rows = list(csv.reader(io.StringIO(exports.points_text(story))))
        assert rows[0][0] == "Source" and [int(n) for n in rows[-1][1:]] == [referee.state.vp[seat] for seat in referee.state.honor]
        assert json.loads(exports.json_text(story, loaded.game, journal))["sources"]["rows"][-1][0] == "Total"
        names = sorted(path.name for path in exports.save(loaded.game, journal, story, tmp_path))
        assert [name.rsplit("-", 1)[-1] for name in names if name.endswith("points.csv")] == ["points.csv"] and len(names) == 3
        early = story.sources(0)
        assert early is not None and [row[1:] for row in early.rows] == [(0, 0, 0)]


def test_where_the_journal_cannot_be_read_the_end_is_shown_without_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    loaded = load("rising_sun")
    with contextlib.closing(Journal(tmp_path / "jinmaku.sqlite")) as journal:
        referee = Referee.create(loaded.game, journal, SEATS, {}, chance=Chance.seeded(3))
        run(referee, {seat: Bot(seat, 1) for seat in SEATS}, 10_000)
        journal._db.execute("UPDATE rows SET state = x'00' WHERE revision = 0")
        referee._look_anew()
        score = next(section for section in referee.view(None).sections if section.id == "score")
        assert [node.id for node in score.nodes] == ["winner", "points"]
        assert "row 0 is damaged" in caplog.text
