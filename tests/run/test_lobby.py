"""The house between games: opened, left and opened again while the program runs; what phones hear of it; the resume list."""

from __future__ import annotations

import dataclasses
import json
import logging
import sqlite3
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.console import _typed
from companion.lobby import saved
from companion.lobby.form import fresh
from companion.lobby.port import CannotOpenError, Home
from companion.lobby.typed import listing, ordered
from companion.service import CannotStandError, Service
from companion.settings import Settings
from companion.table import games
from companion.table.journal import JournalError
from companion.words import render
from sync.phone import Phone


def settings(home: Path, **more: Any) -> Settings:
    return Settings(data=home, host="127.0.0.1", port=0, simulate=False, headless=True, addresses=("127.0.0.1",), **more)


@pytest.fixture
def open_house(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    houses: list[Service] = []

    def opened(*, home: bool = True, **more: Any) -> Service:
        houses.append(Service(settings(tmp_path, **more)))
        houses[-1].start(home=home)
        return houses[-1]

    yield opened
    for house in houses:
        house.stop()


def until(true: Callable[[], Any], seconds: float = 15) -> Any:
    end = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)
    return value


def named(house: Service, *names: str) -> Any:
    form = fresh(house.offers[0])
    for seat, name in zip(form.seats, names, strict=False):
        form = form.named(seat, name)
    return form.game()


Open = Callable[..., Service]


def test_with_nothing_to_resume_and_a_window_nobody_plays_yet(open_house: Open) -> None:
    house = open_house()
    assert house.table is None and house.home() == Home()
    assert house.told() == {"game": "", "port": house.port, "screen": {}}
    assert _typed(house, ["tap", "koi", "bushi"]).startswith("No game is open: type games")


def test_a_game_is_begun_left_and_another_begun_and_the_first_goes_on(open_house: Open) -> None:
    house = open_house()
    opened: list[str] = []
    house.on_open = lambda sitting: opened.append(sitting.game_id)
    first = house.begin(named(house, "Anna", "Ivan"))
    assert first.seats == ("koi", "lotus", "turtle", "dragonfly") and first.sides["koi"] == "south"
    rows = {node.id: node.who for section in first.desk.current.open.sections if section.id == "seats" for node in section.nodes}
    assert rows == {"koi": "Anna", "lotus": "Ivan", "turtle": "", "dragonfly": ""}
    house.leave()
    assert house.table is None
    second = house.begin(ordered(house.offers, ["koi=Olga", "lotus", "bonsai", "readers=none"]).game())
    assert second.devices.health()[0].id == "track", "no reader is looked for"
    assert house.resume(second.game_id) is second
    again = house.resume(first.game_id)
    assert again is not first and again.resumed and again.game_id == first.game_id
    assert opened == [first.game_id, second.game_id, first.game_id]
    home = house.home()
    assert {one.id for one in home.saved} == set(opened)
    assert set(home.names) == {"Anna", "Ivan", "Olga"}


def test_the_next_start_goes_on_with_the_newest(tmp_path: Path) -> None:
    house = Service(settings(tmp_path))
    house.start(home=True)
    game_id = house.begin(named(house, "Anna")).game_id
    house.stop()
    house = Service(settings(tmp_path))
    house.start(home=True)
    assert house.table is not None and house.table.game_id == game_id and house.table.resumed
    house.stop()


def test_phones_hear_that_the_table_is_away_and_are_back_when_the_game_is(open_house: Open) -> None:
    house = open_house()
    first = house.begin(named(house, "Anna"))
    until(lambda: first.post.online)
    with Phone(first.join("koi"), "127.0.0.1", house._doorway.mqtt_port) as phone:
        phone.wait_online()
        seats = next(section for section in phone.talk.view["sections"] if section["id"] == "seats")
        assert {node["id"]: node.get("who", "") for node in seats["nodes"]}["koi"] == "Anna"
        house.leave()
        phone.wait(lambda p: _table(p) is False)
        assert phone.connects == 1 and not phone.refused, "it stays on the line"
        house.resume(first.game_id)
        phone.wait(lambda p: _table(p) is True)
        phone.greet()
        phone.wait_online()
        assert phone.connects == 1
        house.begin(named(house, "Ivan"))
        phone.wait(lambda p: p.refused, 20)
        assert "koi" not in {seat for seat, state in house.table.phones().items() if state != "vacant"}


def _table(phone: Phone) -> bool | None:
    told = [json.loads(payload)["on"] for topic, payload, _ in phone.heard if topic.endswith("/presence/table")]
    return told[-1] if told else None


def test_what_cannot_be_opened_leaves_no_game_behind(open_house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    house = open_house()
    with pytest.raises(CannotOpenError, match="has no game 'nosuchid'"):
        house.resume("nosuchid")
    monkeypatch.setattr("companion.devices.Devices.start", lambda _self: (_ for _ in ()).throw(OSError(5, "the strip is on fire")))
    with pytest.raises(CannotOpenError, match="the strip is on fire"):
        house.begin(named(house))
    assert house.table is None and house.home().saved == ()
    monkeypatch.undo()
    house.begin(named(house))
    assert len(house.home().saved) == 1


def test_a_damaged_game_says_so_and_hides_no_other(open_house: Open, tmp_path: Path) -> None:
    house = open_house()
    broken, strange, fine = (house.begin(named(house, name)).game_id for name in ("Anna", "Ivan", "Olga"))
    house.leave()
    with sqlite3.connect(tmp_path / "jinmaku.sqlite") as db:
        db.execute("UPDATE rows SET state = x'00' WHERE game = ?", (broken,))
        db.execute("UPDATE rows SET state = ? WHERE game = ?", (zlib.compress(b'{"seats":7}'), strange))
        db.execute("UPDATE games SET game = 'go' WHERE id = ?", (fine,))
        db.execute("UPDATE games SET setup = ? WHERE id = ?", (json.dumps({"names": {"koi": "A\u202e\x1b"}}), strange))
    db.close()
    lines = {one.id: one for one in house.home().saved}
    assert "is damaged" in render(lines[broken].fault, "en") and lines[broken].seats[0].name == "Anna"
    assert "another version of the rules" in render(lines[strange].fault, "en") and lines[strange].seats[0].name == "A"
    assert "no game called go" in render(lines[fine].fault, "en")
    with pytest.raises(CannotOpenError, match="damaged"):
        house.resume(broken)
    with pytest.raises(CannotOpenError, match="another version"):
        house.resume(strange)
    with pytest.raises(CannotOpenError, match="no game called 'go': update it"):
        house.resume(fine)
    assert "no game called go" in listing(house.home(), "en")


def test_a_journal_that_was_moved_aside_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "jinmaku.sqlite").write_bytes(b"SQLite format 3\x00" + b"rubbish" * 999)
    house = Service(settings(tmp_path))
    with caplog.at_level(logging.WARNING):
        house.start(home=True)
    notice = house.home().notice
    assert notice is not None and "lies untouched at" in render(notice, "en")
    assert "lies untouched" in listing(house.home(), "en")
    house.stop()


def test_a_list_that_cannot_be_read_says_so(open_house: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    house = open_house()
    monkeypatch.setattr(house._journal, "games", lambda: (_ for _ in ()).throw(JournalError("the disk is away: plug it in")))
    notice = house.home().notice
    assert notice is not None and notice.key == "lobby.unread"
    assert "cannot be listed" in render(notice, "en")


def test_the_owner_s_broken_facts_are_told_at_the_start(tmp_path: Path) -> None:
    override = tmp_path / "mine.toml"
    override.write_text("[clans.koi]\nincome = 'much'\n")
    with pytest.raises(CannotStandError, match="clans"):
        Service(settings(tmp_path / "data", override=override)).start(home=True)


def test_a_table_that_listens_on_one_address_prints_no_other(tmp_path: Path) -> None:
    house = Service(dataclasses.replace(settings(tmp_path), addresses=(), new=True))
    house.start()
    try:
        assert house.table is not None
        assert house.table.addresses() == ["127.0.0.1"]
        assert house.table.join("koi").startswith(f"http://127.0.0.1:{house.port}/#")
    finally:
        house.stop()


def test_the_open_game_stays_where_another_cannot_be_made(open_house: Open) -> None:
    house = open_house()
    table = house.begin(named(house, "Anna"))
    with pytest.raises(CannotOpenError, match="option mandates cannot be paper"):
        house.begin(msgspec.structs.replace(named(house), options={"mandates": "paper"}))
    with pytest.raises(CannotOpenError, match="no game 'zzz'"):
        house.resume("zzz")
    assert house.table is table and len(house.home().saved) == 1


def test_games_are_typed_begun_listed_and_opened(open_house: Open) -> None:
    house = open_house()
    assert "No game yet" in _typed(house, ["games"])
    assert _typed(house, ["new", "koi=Anna_Maria", "lotus", "turtle", "set=teapot", "ally=koi+turtle"]) == ""
    first = house.table
    assert first is not None and first.seats == ("koi", "lotus", "turtle")
    assert _typed(house, ["new", "rising_sun"]) == "" and house.table is not first
    listed = _typed(house, ["games"])
    assert first.game_id in listed and "Anna Maria (Koi), Lotus, Turtle; today" in listed
    assert _typed(house, ["open", first.game_id]) == "" and house.table.game_id == first.game_id
    with pytest.raises(CannotOpenError, match="no game 'zzz'"):
        _typed(house, ["open", "zzz"])
    assert house.table.game_id == first.game_id, "a slip of the pen puts no game away"
    assert "RS" not in _typed(house, ["list"])
    assert _typed(house, ["table"]) == "The table is asked nothing."
    assert _typed(house, ["dance"]).startswith("Not understood")


def test_what_the_table_must_decide_is_typed_where_there_is_no_window(open_house: Open, tmp_path: Path) -> None:
    start = tmp_path / "war.txt"
    wars = "wars nagato edo oshu kansai kyushu"
    start.write_text(f"jinmaku 1 rising_sun rules 2\nseats koi lotus turtle\nstep war end\n{wars}\nmoves\n", encoding="utf-8")
    house = open_house(home=False, position=start, new=True)
    table = house.table
    assert table is not None
    assert _typed(house, ["table"]) == "table 1   War is over: next season"
    assert _typed(house, ["table", "2"]) == _typed(house, ["table", "x"]) == "There is no such answer: table lists them."
    assert _typed(house, ["table", "1"]) == ""
    until(lambda: render(table.desk.current.open.title, "en") == "Tea Ceremony")


def test_a_table_s_level_is_on_its_health_page_and_the_host_may_name_another(open_house: Open) -> None:
    house = open_house(home=False, level="advise", new=True)
    table = house.table
    assert table is not None
    (line,) = [line for line in table.health() if line.id == "level"]
    assert (line.tone, render(line.text, "en")) == ("careful", "Advise: what the rules refuse can be done all the same, and is marked.")
    assert _typed(house, ["level", "advise"]) == "The level is advise already."
    assert _typed(house, ["LEVEL", "Strict"]) == "Strict: what the rules refuse is refused."
    until(lambda: table.desk.current.level == "strict")
    assert not [line for line in table.health() if line.id == "level"]
    assert _typed(house, ["level", "lax"]) == "The level cannot be 'lax': choose strict, advise, record. It is strict."
    assert _typed(house, ["new", "koi", "lotus", "turtle", "level=record"]) == ""
    assert house.table.desk.current.level == "record"
    assert _typed(house, ["open", table.game_id]) == "" and house.table.desk.current.level == "strict", "as it was left"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("koi koi lotus", "koi is named twice"),
        ("koi lotus sun", "'sun' is no clan and no option"),
        ("koi lotus turtle readers=magic", "readers cannot be 'magic': choose single, places"),
        ("koi lotus turtle level=lax", "level cannot be 'lax': choose strict, advise, record"),
    ],
)
def test_a_wrong_word_is_said_with_what_is_known(words: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        ordered(games.offers(), words.split())


def test_a_wrong_game_is_said_by_its_form() -> None:
    form = ordered(games.offers(), ["turtle", "koi", "ally=koi+fox", "set=spoon"])
    assert {fault.field for fault in form.faults()} == {"players", "allies", "option:set"}
    said = next(render(fault.text, "en") for fault in form.faults() if fault.field == "option:set")
    assert said == "Set of season cards cannot be spoon: choose one of archway, horseman, teapot."
    assert form.seats == ("koi", "turtle")


def test_when_a_game_was_last_played_is_said_as_people_do() -> None:
    from datetime import UTC

    noon = 1_790_000_000
    assert saved.when(noon, noon + 60, "en", UTC).startswith("today, ")
    assert saved.when(noon - 86_400, noon, "ru", UTC).startswith("вчера, ")
    assert saved.when(noon - 9 * 86_400, noon, "en", UTC) == "12 Sept 2026" or "2026" in saved.when(noon - 9 * 86_400, noon, "en", UTC)
    assert "2026" in saved.when(noon - 9 * 86_400, noon, "qps", UTC)
