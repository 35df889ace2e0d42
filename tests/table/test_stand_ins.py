"""Bots at a running table: only their own seats, after a pause, never while the table itself must be answered; kept over a restart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pebbles import Bid, Done, Pebbles, Put
from table_desk import Table

from companion.table.chance import Chance
from companion.table.commands import Agree, Undo
from companion.table.figures import parse
from companion.table.journal import Journal, JournalError
from companion.table.referee import Referee
from companion.table.stand_ins import PAUSE, StandIns, by_timer
from companion.words import render

SEATS = ("koi", "lotus")


class Later:
    """A clock that is advanced by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.due: list[tuple[float, Callable[[], object]]] = []

    def __call__(self, seconds: float, what: Callable[[], object]) -> Callable[[], object]:
        entry = (self.now + seconds, what)
        self.due.append(entry)
        return lambda: self.due.remove(entry) if entry in self.due else None

    def wait(self, seconds: float) -> None:
        self.now += seconds
        for entry in [entry for entry in self.due if entry[0] <= self.now]:
            self.due.remove(entry)
            entry[1]()


class Seated(Table):
    def __init__(self, journal: Journal, figures: str = "", game_id: str = "") -> None:
        game = Pebbles()
        referee = Referee.resume(game, journal, game_id) if game_id else Referee.create(game, journal, SEATS, {}, chance=Chance.seeded(1))
        super().__init__(referee, parse(figures) if figures else None)
        self.later = Later()
        self.stand_ins = StandIns(self.desk, mostly_put, seed="1", later=self.later)
        self.stand_ins.start()
        self.settle()

    def man(self, seat: str, *, bot: bool = True) -> str:
        self.desk.man(seat, bot=bot)
        return self.said()

    def wait(self, seconds: float = PAUSE) -> int:
        """Time passes for the bots; which revision the table is at then."""
        self.later.wait(seconds)
        self.settle()
        return self.desk.current.revision

    def end(self) -> None:
        self.stand_ins.stop()
        self.desk.stop()


def mostly_put(_view: Any, prompt: Any) -> list[float]:
    return [float(isinstance(choice.command, Put)) * 9 for choice in prompt.choices]


@pytest.fixture
def table(journal: Journal) -> Any:
    seated = Seated(journal)
    yield seated
    seated.end()


def test_a_bot_answers_its_own_seat_after_a_pause_and_no_other(table: Seated) -> None:
    assert table.later.due == [] and table.desk.current.bots == ()
    assert table.man("koi") == "A bot plays Koi now."
    assert table.desk.current.bots == ("koi",)
    before = table.desk.current.revision
    assert table.wait(PAUSE / 2) == before, "people have not seen yet what it is asked"
    assert table.wait(PAUSE / 2) == before + 1
    assert table.wait() == before + 2, "one gesture a pause"
    while "lotus" not in {wait.seat for wait in table.desk.current.open.waits}:
        table.wait()
    at = table.desk.current.revision
    assert [table.wait() for _ in range(5)] == [at] * 5, "lotus is a person's"
    assert {row.seat for row in table.desk._referee.journal.rows(table.desk._referee.game_id)} <= {"table", "chance", "koi"}


def test_a_sealed_answer_is_given_once(journal: Journal) -> None:
    table = Seated(journal)
    table.man("koi")
    for _ in range(40):
        table.wait()
        prompts = [p for p in table.desk.current.seats["lotus"].prompts if not p.optional]
        if prompts and isinstance(prompts[0].choices[0].command, Bid):
            break
        if prompts:
            table.play(prompts[0].choices[-1].command)
    assert len(table.desk._referee.state.bids) <= 1
    table.wait()
    at = table.desk.current.revision
    assert set(table.desk._referee.state.bids) == {"koi"} and [table.wait() for _ in range(5)] == [at] * 5
    table.end()


def test_everybody_sees_which_seat_is_a_bot_and_it_can_be_taken_back(table: Seated) -> None:
    table.man("lotus")
    rows = {node.id: node.who for section in table.desk.current.open.sections if section.id == "seats" for node in section.nodes}
    assert render(rows["lotus"], "en") == "(bot)" and rows["koi"] == ""
    serial = table.notice().serial
    table.desk.man("lotus", bot=True)
    assert table.notice().serial == serial, "nothing new is not said twice"
    assert table.man("lotus", bot=False) == "The bot has left Lotus: a person plays it again."
    before = table.desk.current.revision
    assert table.later.due == [] and table.wait(60) == before


def test_a_bot_that_was_taken_back_in_its_pause_says_nothing(table: Seated) -> None:
    table.man("koi")
    (_, answer), *_ = table.later.due
    table.man("koi", bot=False)
    before = table.desk.current.revision
    answer()
    table.settle()
    assert table.desk.current.revision == before


def test_bots_are_kept_over_a_restart(journal: Journal) -> None:
    first = Seated(journal)
    first.man("koi")
    first.end()
    again = Seated(journal, game_id=first.desk._referee.game_id)
    assert again.desk.current.bots == ("koi",)
    before = again.desk.current.revision
    assert again.wait() == before + 1
    again.end()


def test_a_bot_says_yes_to_undo_and_plays_nothing_while_it_is_asked_of_others(journal: Journal) -> None:
    table = Seated(journal)
    table.man("lotus")
    table.wait()
    table.pick()
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    at = table.wait()
    lotus = next(row for row in journal.rows(table.desk._referee.game_id) if b'"put"' in row.command and row.seat == "koi")
    history = table.desk._referee._steward.history
    assert table.play(Undo("koi", lotus.revision, history.last), "koi").ok
    assert table.desk.current.revision > at
    asked = [prompt.choices[0].command for prompt in table.desk.current.seats["lotus"].prompts if not prompt.optional]
    assert isinstance(asked[0], Agree)
    table.wait()
    assert "koi" in {wait.seat for wait in table.desk.current.open.waits} and table.map["koi"] == {}, "it agreed, and the pebble is back"
    table.end()


def test_a_bot_waits_while_figures_and_app_differ(journal: Journal) -> None:
    figures = "".join(f"04{n:012X} {seat}/pebble {n}\n" for n, seat in enumerate(SEATS * 9))
    table = Seated(journal, figures)
    table.man("lotus")
    table.wait()
    table.pick()
    table.play(Put("koi", "pebble", "edo"))
    table.play(Done("koi"))
    table.settle()
    before = table.desk.current.revision
    assert table.later.due == [] and table.wait(60) == before, "koi's pebble still has to be put down"
    table.press("Done: Koi pebble comes to Edo")
    table.settle()
    assert table.wait() > before + 1
    table.end()


def test_where_bots_play_every_seat_they_also_go_on_for_the_table(journal: Journal) -> None:
    table = Seated(journal)
    table.man("koi")
    for _ in range(60):
        table.wait()
        if any(not prompt.optional for prompt in table.desk.current.table):
            break
        prompts = [p for p in table.desk.current.seats["lotus"].prompts if not p.optional]
        if prompts:
            command = prompts[0].choices[-1].command
            table.play(Bid("lotus", 0) if isinstance(command, Bid) else command)
    asked = table.desk.current
    assert [p.choices[0].command for p in asked.table if not p.optional] == [Done("table")]
    at = asked.revision
    assert [table.wait() for _ in range(3)] == [at] * 3, "a person sits there, and says when"
    table.man("lotus")
    at = table.desk.current.revision
    assert table.wait(PAUSE / 2) == at, "people who look on see what has happened"
    assert table.wait(PAUSE / 2) > at
    revision = 0
    while not table.desk.current.over and table.desk.current.revision != revision:
        revision = table.desk.current.revision
        table.wait()
    assert table.desk.current.over, "to the end, and nobody touched anything"
    table.end()


def test_a_bot_tries_again_what_the_disk_refused(table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    table.man("koi")
    journal = table.desk._referee.journal
    monkeypatch.setattr(journal, "append", lambda *_a, **_k: (_ for _ in ()).throw(JournalError("the disk is full: make room")))
    before = table.desk.current.revision
    assert table.wait() == before and len(table.later.due) == 1
    monkeypatch.undo()
    assert table.wait() == before + 1


def test_a_seat_that_cannot_be_given_is_said(table: Seated, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = table.desk._referee.journal
    monkeypatch.setattr(journal, "put_setup", lambda *_a: (_ for _ in ()).throw(JournalError("the disk is full: make room")))
    assert "the disk is full" in table.man("lotus")
    assert table.desk.current.bots == ()


def test_a_timer_runs_and_can_be_forgotten() -> None:
    import threading

    rung = threading.Event()
    by_timer(30, rung.set)()
    by_timer(0, rung.set)
    assert rung.wait(10)
