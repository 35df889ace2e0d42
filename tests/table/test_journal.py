"""The journal: what is acknowledged is on disk, and nothing bad is ever overwritten."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.table import journal as journal_module
from companion.table.journal import ENOUGH, Journal, JournalError, Row, SeatKey
from companion.table.migrations import MIGRATIONS
from companion.table.setup import Setup


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "home" / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal(path, clock=lambda: 1000.0, patience=0.05)
    yield opened
    opened.close()


def begin(journal: Journal, game_id: str = "aaaaaaaa") -> None:
    journal.begin(
        game_id,
        b'{"a":1}',
        game="pebbles",
        rules=1,
        seats=("koi", "lotus"),
        options={"rounds": "2"},
        facts_hash="h",
        facts={"deck": {"a": 1}},
    )


def row(revision: int, order_id: str | None = None, seat: str = "koi") -> Row:
    return Row(revision, seat, order_id, b"{}", b'{"a":%d}' % revision, b"[]", b'{"ok":true}', b'{"koi":1}')


def test_what_was_put_in_comes_out(journal: Journal) -> None:
    begin(journal)
    journal.append("aaaaaaaa", row(1, "x"))
    assert journal.last("aaaaaaaa") == Row(1, "koi", "x", b"{}", b'{"a":1}', b"[]", b'{"ok":true}', b'{"koi":1}', 1000)
    assert [r.revision for r in journal.rows("aaaaaaaa")] == [0, 1]
    assert [r.revision for r in journal.rows("aaaaaaaa", 1)] == [1]
    assert journal.answer("aaaaaaaa", "koi", "x") == b'{"ok":true}'
    assert journal.answer("aaaaaaaa", "lotus", "x") is None
    assert journal.facts("aaaaaaaa") == {"deck": {"a": 1}}
    assert journal.facts("bbbbbbbb") is None


def test_rows_without_states_one_row_and_what_is_known_of_figures(journal: Journal) -> None:
    begin(journal)
    undo = msgspec.structs.replace(row(1), sort="undo", base=0, moved=b'[["a","b","c"]]', sealed=True)
    journal.append("aaaaaaaa", undo, row(2), twin=b"{}")
    assert [r.state for r in journal.rows("aaaaaaaa", states=False)] == [b"", b"", b""]
    assert journal.row("aaaaaaaa", 1) == msgspec.structs.replace(undo, made=1000)
    with pytest.raises(JournalError, match="has no row 9 of game aaaaaaaa: go on from an earlier copy"):
        journal.row("aaaaaaaa", 9)
    assert journal.twin("aaaaaaaa") == b"{}" and journal.twin("bbbbbbbb") is None
    with pytest.raises(JournalError):
        journal.append("aaaaaaaa", row(3), row(3), twin=b"[]")
    assert (journal.last("aaaaaaaa").revision, journal.twin("aaaaaaaa")) == (2, b"{}"), "all of it or nothing"
    journal.end("aaaaaaaa")
    journal.reopen("aaaaaaaa")
    assert journal.game("aaaaaaaa").ended is None and journal.now() == 1000


def test_games_are_listed_the_newest_first(journal: Journal) -> None:
    begin(journal)
    journal._clock = lambda: 2000.0
    begin(journal, "bbbbbbbb")
    journal._clock = lambda: 3000.0
    journal.append("aaaaaaaa", row(1))
    journal.end("bbbbbbbb")
    first, second = journal.games()
    assert (first.id, first.revision, first.touched, first.ended) == ("aaaaaaaa", 1, 3000, None)
    assert (second.id, second.revision, second.ended, second.seats, second.options) == (
        "bbbbbbbb",
        0,
        3000,
        ("koi", "lotus"),
        {"rounds": "2"},
    )
    assert journal.game("bbbbbbbb") == second
    with pytest.raises(JournalError, match="has no game 'cccccccc': choose one of its list"):
        journal.game("cccccccc")


def test_who_sits_where_is_kept_and_the_game_opened_last_comes_first(journal: Journal) -> None:
    begin(journal)
    people = Setup({"koi": "Анна"}, {"koi": "south"}, "single")
    journal.begin("bbbbbbbb", b"{}", game="pebbles", rules=1, seats=("koi",), options={}, setup=people)
    assert journal.game("bbbbbbbb").setup == people and journal.game("aaaaaaaa").setup == Setup()
    for game_id in ("bbbbbbbb", "aaaaaaaa"):
        journal._clock = {"bbbbbbbb": lambda: 2000.25, "aaaaaaaa": lambda: 2000.5}[game_id]
        journal.opened(game_id)
    assert [one.id for one in journal.games()] == ["aaaaaaaa", "bbbbbbbb"]
    assert journal.games()[0].touched == 1000, "it was looked at, not played"


def test_seat_keys_are_kept_changed_and_dropped(journal: Journal) -> None:
    begin(journal)
    one, two = SeatKey("koi", 1, b"k" * 32, held=False), SeatKey("koi", 2, b"l" * 32, held=True)
    journal.put_seat_key("aaaaaaaa", two)
    journal.put_seat_key("aaaaaaaa", one)
    held = SeatKey("koi", 1, b"k" * 32, held=True)
    journal.put_seat_key("aaaaaaaa", held)
    assert journal.seat_keys("aaaaaaaa") == (held, two)
    journal.drop_seat_key("aaaaaaaa", "koi", 1)
    assert journal.seat_keys("aaaaaaaa") == (two,)


def test_rows_need_a_game_and_ids_and_revisions_are_unique(journal: Journal) -> None:
    begin(journal)
    for bad in (("bbbbbbbb", row(1)), ("aaaaaaaa", row(0))):
        with pytest.raises(JournalError, match="close the table and open it again"):
            journal.append(*bad)
    journal.append("aaaaaaaa", row(1, "x"))
    with pytest.raises(JournalError):
        journal.append("aaaaaaaa", row(2, "x"))
    journal.append("aaaaaaaa", row(2, "x", "lotus"))
    assert journal.last("aaaaaaaa").revision == 2


def test_it_is_durable_and_for_its_owner_only(journal: Journal, path: Path) -> None:
    begin(journal)
    assert journal._db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert journal._db.execute("PRAGMA synchronous").fetchone()[0] == 2
    assert journal._db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file.name


def test_enough_that_was_written_is_brought_into_the_file_when_nobody_waits(journal: Journal, path: Path) -> None:
    begin(journal)
    journal.tidy()
    size = path.stat().st_size
    for number in range(1, ENOUGH + 1):
        journal.append("aaaaaaaa", row(number))
    assert path.stat().st_size == size, "all of it lies in the log beside it"
    journal.tidy()
    grown = path.stat().st_size
    assert grown > size
    for number in range(ENOUGH + 1, 2 * ENOUGH):
        journal.append("aaaaaaaa", row(number))
    journal.tidy()
    assert path.stat().st_size == grown, "not enough yet"
    assert journal.last("aaaaaaaa").revision == 2 * ENOUGH - 1


def test_what_cannot_be_tidied_is_left_as_it_is(journal: Journal, path: Path) -> None:
    begin(journal)
    for number in range(1, ENOUGH + 1):
        journal.append("aaaaaaaa", row(number))
    journal._db.close()
    journal.tidy()  # SQLite says that it is closed
    journal._db = journal._connect(0.05)
    assert journal.last("aaaaaaaa").revision == ENOUGH


def test_a_wide_open_file_is_closed_up(path: Path) -> None:
    Journal(path).close()
    path.chmod(0o644)
    Journal(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_second_table_on_the_same_directory_is_refused(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalError, match=rf"is in use by process {os.getpid()}: close the other table, or give this one its own --data"):
        Journal(path)
    begin(journal)


def test_the_lock_ends_with_its_holder(path: Path) -> None:
    Journal(path).close()
    code = f"from companion.table.journal import Journal; j = Journal({str(path)!r}); print('open', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(JournalError, match=f"process {other.pid}"):
            Journal(path)
        other.kill()
    Journal(path).close()


def test_a_holder_that_has_not_signed_is_another_process(path: Path) -> None:
    held = Journal(path)
    os.ftruncate(held._lock._handle, 0)
    with pytest.raises(JournalError, match="in use by another process"):
        Journal(path)
    held.close()


@pytest.mark.parametrize("damage", ["garbage", "cut", "hole"])
def test_a_bad_file_is_moved_aside_and_named(path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    made = Journal(path)
    begin(made)
    for n in range(1, 60):
        made.append("aaaaaaaa", row(n))
    made.close()
    whole = path.read_bytes()
    bad = {"garbage": b"this is no database" * 300, "cut": whole[: len(whole) // 2], "hole": whole[:4096] + b"\xff" * 4096 + whole[8192:]}[
        damage
    ]
    for number in (1, 2):
        path.write_bytes(bad)
        opened = Journal(path)
        assert opened.aside == path.with_name(f"journal.sqlite.bad-{number}")
        assert opened.aside.read_bytes() == bad
        assert opened.games() == ()
        opened.close()
    assert "is damaged" in caplog.text and "moved to" in caplog.text


def test_a_sound_file_is_opened_again_and_again(path: Path) -> None:
    for n in range(3):
        opened = Journal(path)
        assert opened.aside is None
        if n == 0:
            begin(opened)
        assert len(opened.games()) == 1
        opened.close()
    assert sorted(f.name for f in path.parent.iterdir()) == ["journal.sqlite", "journal.sqlite.lock"]


def test_an_empty_file_is_a_new_journal(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    opened = Journal(path)
    assert opened.aside is None
    opened.close()


def test_a_newer_journal_is_refused_and_left_alone(path: Path) -> None:
    Journal(path).close()
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(
        JournalError, match=rf"written by a newer Jinmaku \(journal 99, this one knows {len(MIGRATIONS)}\): update this program"
    ):
        Journal(path)
    with pytest.raises(JournalError, match="newer"):  # the lock was given back
        Journal(path)


def test_another_program_s_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE recipes (name)")
    db.close()
    before = path.read_bytes()
    with pytest.raises(JournalError, match="another program's database: choose another --data directory"):
        Journal(path)
    assert path.read_bytes() == before


def test_a_migration_is_all_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Journal(path)
    begin(made)
    made.close()
    monkeypatch.setattr(journal_module, "MIGRATIONS", (*MIGRATIONS, ("CREATE TABLE more (x)", "this is no SQL")))
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal(path)
    monkeypatch.setattr(journal_module, "MIGRATIONS", MIGRATIONS)
    made = Journal(path)
    assert len(made.games()) == 1
    assert made._db.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'more'").fetchone()[0] == 0
    made.close()


def test_a_later_version_migrates_an_older_journal(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Journal(path)
    begin(made)
    made.close()
    monkeypatch.setattr(journal_module, "MIGRATIONS", (*MIGRATIONS, ("ALTER TABLE games ADD COLUMN level TEXT NOT NULL DEFAULT 'strict'",)))
    for _ in range(2):
        made = Journal(path)
        assert made._db.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS) + 1
        assert made.game("aaaaaaaa").seats == ("koi", "lotus")
        made.close()


def test_a_full_disk_is_said_plainly_and_nothing_is_written(journal: Journal) -> None:
    begin(journal)
    pages = journal._db.execute("PRAGMA page_count").fetchone()[0]
    journal._db.execute(f"PRAGMA max_page_count={pages}")
    big = Row(1, "koi", "x", os.urandom(50_000), b"{}", b"[]", b"{}")
    with pytest.raises(JournalError, match="the disk is full; free some space and try again"):
        journal.append("aaaaaaaa", big)
    assert journal.last("aaaaaaaa").revision == 0
    journal._db.execute("PRAGMA max_page_count=100000")
    journal.append("aaaaaaaa", big)
    assert journal.last("aaaaaaaa").revision == 1


def test_a_locked_file_is_said_plainly(journal: Journal, path: Path) -> None:
    begin(journal)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="another program holds it locked; close that program"):
        journal.append("aaaaaaaa", row(1))
    other.execute("ROLLBACK")
    other.close()
    journal.append("aaaaaaaa", row(1))


def test_a_damaged_row_is_named(journal: Journal) -> None:
    begin(journal)
    journal._db.execute("UPDATE rows SET state = x'00'")
    with pytest.raises(JournalError, match="row 0 is damaged"):
        journal.last("aaaaaaaa")


def test_a_directory_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match=r"cannot be used \(.+\): choose another --data directory"):
        Journal(tmp_path / "file" / "journal.sqlite")
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(tmp_path / "file" / "deeper" / "journal.sqlite")


def test_a_journal_that_is_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite" / "x").mkdir(parents=True)
    with pytest.raises(JournalError, match=r"journal\.sqlite cannot be"):
        Journal(tmp_path / "journal.sqlite")
    Journal(tmp_path / "other.sqlite").close()


def test_a_file_that_may_not_be_written_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "chmod", refuses)
        with pytest.raises(JournalError, match=r"cannot be written \(Permission denied\): check its permissions"):
            Journal(path)
    Journal(path).close()


def test_a_disk_that_fails_while_reading_moves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Journal(path).close()
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = sqlite3.SQLITE_IOERR

    def failing(*_: object) -> None:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_refuse_strangers", failing)
        with pytest.raises(JournalError, match="the disk does not answer"):
            Journal(path)
    assert Journal(path).aside is None


def test_a_disk_that_fails_while_opening_moves_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Journal(path).close()
    before = path.read_bytes()

    def failing(*_: object, **__: object) -> sqlite3.Connection:
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", failing)
        with pytest.raises(JournalError, match="the disk does not answer"):
            Journal(path)
    assert path.read_bytes() == before
    Journal(path).close()
