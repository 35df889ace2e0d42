"""Rising Sun through the whole table: its names, its records E-1 and E-4 through referee and journal, bots, resume, export."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.rules.game import TABLE
from companion.rules.rising_sun.placement import placement
from companion.table import games, record
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.desk import Desk
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.naming import kind_name, listed, place_name, seat_name
from companion.table.referee import Order, Referee
from companion.table.verdict import referee_main
from companion.words import LANGUAGES, Memo, render, rendered

RECORDS = Path(__file__).parents[1] / "rules" / "records"
SEATS = ("koi", "lotus", "turtle", "dragonfly")


@pytest.fixture(scope="module")
def house() -> games.Loaded:
    return games.load("rising_sun")


def example(house: games.Loaded, journal: Journal, name: str) -> tuple[Referee, list[Any], list[str]]:
    """A table in the example's position, its commands, and their lines."""
    rec = record.parse((RECORDS / f"{name}.txt").read_text(encoding="utf-8"))
    state = record.begin(house.game, rec)
    referee = Referee.create(house.game, journal, rec.seats, rec.options, facts_hash=house.facts.digest, state=state)
    return referee, [record.hear(house.game, line) for line in rec.moves], [" ".join(line.words) for line in rec.moves]


@pytest.mark.parametrize("name", ["e_1", "e_2", "e_3", "e_4", "e_5", "e_5b", "e_6"])
def test_an_example_by_record_and_by_orders_is_the_same(house: games.Loaded, journal: Journal, name: str) -> None:
    out = io.StringIO()
    assert referee_main([str(RECORDS / f"{name}.txt"), "--json"], out) == 1
    *told, last = (json.loads(line) for line in out.getvalue().splitlines())
    referee, commands, lines = example(house, journal, name)
    for n, (command, line, verdict) in enumerate(zip(commands, lines, told, strict=True)):
        order = Order(f"n{n}", referee.stamp(command.seat), msgspec.Raw(msgspec.json.encode(command)))
        answer = referee.submit_internal(TABLE, command) if command.seat == TABLE else referee.submit(command.seat, order)
        assert (answer.ok, verdict["command"].split()[:2]) == (verdict["ok"], line.split()[:2])
        if answer.refusal is not None:
            assert (answer.refusal.clause, render(answer.refusal.text, "en")) == (verdict["clause"], verdict["reason"])
            assert [render(t, "en") for t in answer.refusal.lawful] == verdict["lawful"]
    assert list(record.position(house.game, referee.state)) == last["position"]
    back = Referee.resume(house.game, journal, referee.game_id, facts_hash=house.facts.digest)
    assert back.state == referee.state


def test_a_seat_s_position_hides_what_it_may_not_see(house: games.Loaded) -> None:
    positions = {}
    for seat in ("koi", "lotus", "turtle"):
        out = io.StringIO()
        referee_main([str(RECORDS / "e_1.txt"), "--json", "--seat", seat], out)
        positions[seat] = json.loads(out.getvalue().splitlines()[-1])["position"]
        record.begin(house.game, record.parse("\n".join(["jinmaku 1 rising_sun rules 1", *positions[seat]])))  # still a record
    assert "track marshal koi ? as recruit lotus" in positions["koi"]
    assert "track marshal koi recruit as recruit lotus" in positions["lotus"]
    assert "deck ? ? ? ? ? ? ? ?" in positions["koi"]
    assert "deck train harvest betray marshal ? ? ? ?" in positions["turtle"]  # it has drawn these four


def test_whole_games_of_bots_are_exported_and_replayed(house: games.Loaded, journal: Journal) -> None:
    taste = games.GAMES["rising_sun"].taste()
    referee = Referee.create(house.game, journal, SEATS, {}, chance=Chance.seeded(11))
    run(referee, {seat: Bot(seat, 5, taste) for seat in SEATS})
    assert referee.prompts() == () and journal.game(referee.game_id).ended is not None
    rec = record.parse(record.export(house.game, journal, referee.game_id))
    state = record.begin(house.game, rec)
    for step in record.replay(house.game, state, [record.hear(house.game, line) for line in rec.moves]):
        state = step.outcome.state  # type: ignore[union-attr]
    assert state == referee.state
    assert record.parse(record.text(house.game, state)).position


def test_every_view_of_a_game_is_rendered_without_a_gap(house: games.Loaded, journal: Journal) -> None:
    """A missing key logs an error, and an error fails the test."""
    referee = Referee.create(house.game, journal, SEATS, {}, chance=Chance.seeded(3))
    bots = {seat: Bot(seat, 2) for seat in SEATS}
    for _ in range(20):
        memo = Memo()
        for lang in LANGUAGES:
            for reader in (*SEATS, None):
                tree = rendered(referee.view(reader), lang, memo)
        assert json.loads(msgspec.json.encode(tree)) == tree
        run(referee, bots, commands=10)


def test_figures_and_places_have_the_names_the_board_has(house: games.Loaded, journal: Journal) -> None:
    referee, *_ = example(house, journal, "e_1")
    view = referee.view(None)
    assert [render(kind_name(view, "koi/bushi"), lang) for lang in LANGUAGES] == ["Koi Bushi", "Буси (Кои)"]
    assert render(seat_name(view, "lotus"), "en") == "Lotus"
    assert render(kind_name(view, "dragon"), "en") == "dragon"
    assert render(seat_name(view, "fox"), "en") == "fox"
    assert render(place_name(view, "kyushu"), "en") == "Kyushu"
    assert render(place_name(view, "nowhere"), "en") == "nowhere"
    assert render(listed([place_name(view, "edo")]), "en") == "Edo"


def test_a_tag_at_a_place_is_a_summon_and_a_wrong_one_is_told_why(house: games.Loaded, journal: Journal) -> None:
    referee, commands, _ = example(house, journal, "e_1")
    desk = Desk(referee, parse("04000000000001 lotus/bushi 1\n04000000000002 koi/bushi 1\n04000000000003 lotus/shinto 1\n"))
    for command in (commands[1], *commands[2:4], commands[5]):  # up to Lotus's own part
        assert referee.submit(command.seat, Order(str(command), referee.stamp(command.seat), msgspec.Raw(msgspec.json.encode(command)))).ok
    desk.start()
    desk.sight("04000000000001", "kyushu")
    desk.sight("04000000000002", "edo")
    desk.stop()
    notice = desk.current.notice
    assert notice is not None
    assert (notice.tone, notice.clause) == ("refused", "RS-6.7")
    said = render(notice.text, "en")
    assert said.startswith("That was Koi Bushi 1, in ") and "; it is Lotus's turn. Lawful now: Bushi to Nagato" in said
    assert house.game.placement(referee.state)["kyushu"]["lotus/bushi"] == 2


def test_the_shrine_is_worshipped_by_setting_the_shinto_there(house: games.Loaded, journal: Journal) -> None:
    referee, commands, _ = example(house, journal, "e_1")
    desk = Desk(referee, parse("04000000000003 lotus/shinto 1\n0400000000000E place shrine.2\n"))
    for command in (commands[1], *commands[2:4], commands[5]):  # up to Lotus's own part
        assert referee.submit(command.seat, Order(str(command), referee.stamp(command.seat), msgspec.Raw(msgspec.json.encode(command)))).ok
    desk.start()
    desk.sight("04000000000003", "nagato")
    desk.sight("0400000000000E", None)
    desk.sight("04000000000003", None)
    desk.stop()
    assert desk.current.notice is not None and desk.current.notice.tone == "ok"
    assert house.game.placement(referee.state)["shrine.2"]["lotus/shinto"] == 1


def test_where_pieces_lie_is_worked_out_from_the_position_before(house: games.Loaded, journal: Journal) -> None:
    """Two tables share one Game, as positions come and go."""
    tables = [Referee.create(house.game, journal, seats, {}, chance=Chance.seeded(4)) for seats in (SEATS, SEATS[1:], SEATS)]
    for _ in range(60):
        for referee in tables:
            run(referee, {seat: Bot(seat, 2) for seat in SEATS}, commands=1)
            assert house.game.placement(referee.state) == placement(referee.state)


def test_the_war_phase_waits_for_the_table(house: games.Loaded, journal: Journal) -> None:
    bots = {seat: Bot(seat, 5) for seat in SEATS}
    referee = Referee.create(house.game, journal, SEATS, {}, chance=Chance.seeded(1))
    for question, after in (("war_begins", "spring"), ("next_season", "summer")):
        while not any(prompt.seat == TABLE for prompt in referee.prompts()):
            run(referee, bots, commands=1)
        desk = Desk(referee)
        (prompt,) = asked(desk)
        assert (prompt.seat, prompt.text.key, referee.state.season) == (TABLE, f"rs.prompt.{question}", "spring")
        desk.start()
        desk.play(TABLE, prompt.choices[0].command)
        desk.stop()
        assert referee.state.season == after and asked(desk) == []


def asked(desk: Desk) -> list[Any]:
    """What the table must answer."""
    return [prompt for prompt in desk.current.table if not prompt.optional]


def test_a_deck_of_two_mandates_is_an_override(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    deck = {"recruit": 5, "harvest": 5, "marshal": 0, "train": 0, "betray": 0}
    mine.write_text("".join(f"[mandates.{name}]\ncopies = {n}\n" for name, n in deck.items()), encoding="utf-8")
    loaded = games.load("rising_sun", mine)
    referee = Referee.create(
        loaded.game, Journal(tmp_path / "j.sqlite"), SEATS, {}, facts_hash=loaded.facts.digest, facts=loaded.facts.tables
    )
    assert set(referee.state.deck) == {"recruit", "harvest"}
    saved = games.load_saved(referee.journal, referee.game_id)  # without naming the override again
    assert saved.facts.digest == loaded.facts.digest
    assert Referee.resume(saved.game, referee.journal, referee.game_id, facts_hash=saved.facts.digest).state == referee.state
    referee.journal.close()


def test_the_example_of_the_manual_is_a_lawful_record(tmp_path: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "record.md").read_text(encoding="utf-8")
    example = tmp_path / "example.txt"
    example.write_text(manual.split("```\n")[1], encoding="utf-8")
    assert referee_main([str(example)], io.StringIO()) == 0
