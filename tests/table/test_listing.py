"""The list of saved games: it only reads, and its order is the order of playing."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from pebbles import Pebbles
from table_games import SIZES, game_of

from companion.console import list_games
from companion.lobby import saved
from companion.table import games
from companion.table.chance import Chance
from companion.table.journal import Journal, JournalError, Row
from companion.table.listing import Listing, SavedGame
from companion.table.referee import Referee
from companion.words import render


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "jinmaku.sqlite"


def begin(journal: Journal, game_id: str, game: str = "pebbles") -> None:
    journal.begin(game_id, b"{}", game=game, rules=1, seats=("koi", "lotus"), options={}, facts_hash="00ff")


def row(revision: int) -> Row:
    return Row(revision, "koi", f"o{revision}", b"{}", b"{}", b"[]", b"{}")


@contextlib.contextmanager
def listing(path: Path) -> Iterator[Listing]:
    with contextlib.closing(Listing(path)) as opened:
        yield opened


def files(path: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in path.parent.iterdir()}


def test_the_game_played_last_comes_first_though_the_clock_went_back(path: Path) -> None:
    now = [2000.0]
    journal = Journal(path, clock=lambda: now[0])
    begin(journal, "tomorrow")
    journal.append("tomorrow", row(1))
    now[0] = 1000.0
    begin(journal, "todayyyy")
    assert [one.id for one in journal.games()] == ["todayyyy", "tomorrow"]
    journal.append("tomorrow", row(2))
    assert [(one.id, one.touched) for one in journal.games()] == [("tomorrow", 1000), ("todayyyy", 1000)]
    journal.close()
    with listing(path) as opened:
        assert [one.id for one in opened.games()] == ["tomorrow", "todayyyy"]


def test_a_list_leaves_every_file_as_it_was(path: Path) -> None:
    journal = Journal(path)
    begin(journal, "aaaaaaaa")
    journal.close()
    before = files(path)
    with listing(path) as opened:
        assert [one.id for one in opened.games()] == ["aaaaaaaa"]
        assert files(path) == before
    assert files(path) == before


def test_a_running_table_is_listed_too_with_what_it_has_just_written(path: Path) -> None:
    journal = Journal(path)
    begin(journal, "aaaaaaaa")
    journal.append("aaaaaaaa", row(1))
    with listing(path) as opened:
        assert [(one.id, one.revision) for one in opened.games()] == [("aaaaaaaa", 1)]
        journal.append("aaaaaaaa", row(2))
        assert opened.games()[0].revision == 2
    journal.append("aaaaaaaa", row(3))
    journal.close()


def test_a_damaged_file_is_said_and_stays_where_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no journal at all" * 100)
    before = files(path)
    with pytest.raises(JournalError, match=r"is damaged .+ Nothing was changed; run would move it aside"):
        Listing(path)
    assert files(path) == before
    journal_bytes = _torn(path)
    with pytest.raises(JournalError, match="is damaged"):
        Listing(path)
    assert path.read_bytes() == journal_bytes


def _torn(path: Path) -> bytes:
    """A journal whose pages are half overwritten."""
    path.unlink()
    journal = Journal(path)
    for n in range(20):
        begin(journal, f"game{n:04}")
    journal.close()
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xaa" * (len(data) - 4096))
    return path.read_bytes()


def test_a_damaged_position_is_said(path: Path) -> None:
    journal = Journal(path)
    begin(journal, "aaaaaaaa")
    journal._db.execute("UPDATE rows SET state = x'00'")
    journal.close()
    with listing(path) as opened, pytest.raises(JournalError, match="is damaged"):
        opened.state("aaaaaaaa")


def test_a_journal_of_an_earlier_version_is_listed_as_it_lies(path: Path) -> None:
    """Reading must not migrate it."""
    path.parent.mkdir()
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript((Path(__file__).parent / "journals/v1.sql").read_text(encoding="utf-8"))
        before = [one.id for one in listing_of(path)]
        assert before
        assert old.execute("PRAGMA user_version").fetchone() == (1,)


def listing_of(path: Path) -> tuple[SavedGame, ...]:
    with listing(path) as opened:
        return opened.games()


def test_what_is_no_journal_of_ours_is_named(path: Path) -> None:
    path.parent.mkdir()
    with pytest.raises(JournalError, match="there is no game yet"):
        Listing(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (x)")
    with pytest.raises(JournalError, match="another program's database"):
        Listing(path)


def test_a_file_that_cannot_be_opened_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(path)
    journal.close()

    def refuses(*_: object, **__: object) -> None:
        fault = sqlite3.OperationalError("unable to open database file")
        fault.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise fault

    monkeypatch.setattr(sqlite3, "connect", refuses)
    with pytest.raises(JournalError, match="cannot be opened; check the path and its permissions"):
        Listing(path)


def test_where_a_game_stands_is_told_by_its_own_view(path: Path) -> None:
    loaded = games.load("rising_sun")
    journal = Journal(path)
    for kept in (loaded.facts.tables, None):
        Referee.create(game_of("rising_sun"), journal, SIZES["rising_sun"], {}, facts=kept, chance=Chance.seeded(1))
    Referee.create(Pebbles(), journal, ("koi", "lotus"), {})
    begin(journal, "oldstate", "rising_sun")
    journal.close()
    with listing(path) as opened:
        told = [[render(part, "en") for part in one.phase] for one in saved.listed(opened)]
    assert told[:2] == [[], []], "another version's state and another program's game are only listed"
    assert told[2] == told[3] != []


def test_a_game_put_on_the_table_again_comes_first_until_another_is_played(path: Path) -> None:
    journal = Journal(path, clock=lambda: 1000.0)
    for game_id in ("aaaaaaaa", "bbbbbbbb", "cccccccc"):
        begin(journal, game_id)
    journal.opened("aaaaaaaa")
    journal.opened("bbbbbbbb")
    assert [one.id for one in journal.games()] == ["bbbbbbbb", "aaaaaaaa", "cccccccc"]
    journal.append("cccccccc", row(1))
    assert [one.id for one in journal.games()] == ["cccccccc", "bbbbbbbb", "aaaaaaaa"]
    journal.close()


def test_the_console_prints_when_and_where(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list_games(path.parent) == 0
    journal = Journal(path, clock=lambda: 1_700_000_000.0)
    begin(journal, "aaaaaaaa")
    Referee.create(game_of("rising_sun"), journal, SIZES["rising_sun"], {}, chance=Chance.seeded(1))
    journal.close()
    assert list_games(path.parent) == 0
    none, first, second = capsys.readouterr().out.splitlines()
    assert none.startswith("No game yet in ")
    assert "Nov 2023" in first
    assert "Tea Ceremony" in first
    assert second.startswith("aaaaaaaa  pebbles")
    path.write_bytes(b"rubbish" * 1000)
    assert list_games(path.parent) == 1
    assert "run would move it aside" in capsys.readouterr().err
    assert path.read_bytes() == b"rubbish" * 1000
    path.write_bytes(b"")
    assert list_games(path.parent) == 0


# Other facts than the game began with


def test_an_override_given_to_a_saved_game_must_be_the_one_it_began_with(path: Path, tmp_path: Path) -> None:
    override = tmp_path / "mine.toml"
    override.write_text("[values.vp_track]\nvalue = 60\n", encoding="utf-8")
    journal = Journal(path)
    ids = {}
    for name, given in (("plain", None), ("mine", override)):
        loaded = games.load("rising_sun", given)
        made = Referee.create(
            loaded.game,
            journal,
            SIZES["rising_sun"],
            {},
            facts_hash=loaded.facts.digest,
            facts=loaded.facts.tables,
            chance=Chance.seeded(1),
        )
        ids[name] = made.game_id
    assert games.load_saved(journal, ids["mine"], override).facts.digest == games.load_saved(journal, ids["mine"]).facts.digest
    with pytest.raises(games.OtherFactsError, match=r"than mine\.toml gives .+: add --new .+, or leave --override away"):
        games.load_saved(journal, ids["plain"], override)
    override.write_text("[values.vp_track]\nvalue = 61\n", encoding="utf-8")
    with pytest.raises(games.OtherFactsError, match=f"game {ids['mine']} began with other facts"):
        games.load_saved(journal, ids["mine"], override)
    begin(journal, "unkeptxx", "rising_sun")
    with pytest.raises(games.OtherFactsError):
        games.load_saved(journal, "unkeptxx", override)
    assert msgspec.json.encode(games.load_saved(journal, "unkeptxx").facts.digest)
    journal.close()
