"""What the referee acknowledges is on disk, whatever fails; what is not, may be sent again."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebbles import Done, Give, Pebbles, Pick, Shuffle, say
from table_orders import SEATS, give, order, pick

from companion.rules.game import CHANCE, Choice, Prompt
from companion.table import referee as referee_module
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.commands import Agree, Object, Undo
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.words import render


def test_what_cannot_be_saved_is_not_acknowledged_and_may_be_sent_again(referee: Referee, journal: Journal) -> None:
    pick(referee)
    journal._db.execute("PRAGMA max_page_count=1")
    for n in range(200):  # the last free pages of the file fill up first
        tap = order(
            Give("lotus", "koi", {"coins": 1}) if n % 2 else Give("koi", "lotus", {"coins": 1}),
            referee.stamp("lotus" if n % 2 else "koi"),
            f"n{n}",
        )
        answer = referee.submit("lotus" if n % 2 else "koi", tap)
        if not answer.ok:
            break
    assert answer.refusal is not None
    assert "the disk is full" in render(answer.refusal.text, "en")
    revision = referee.revision
    assert journal.last(referee.game_id).revision == revision == answer.revision
    journal._db.execute("PRAGMA max_page_count=1000000")
    assert referee.submit("lotus" if n % 2 else "koi", tap).ok
    assert referee.revision == revision + 1


class Flaky:
    """A journal whose next writes fail."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.failing: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in self.failing:

            def fails(*_: Any, **__: Any) -> None:
                raise referee_module.JournalError("the disk is full; free some space and try again")

            return fails
        return getattr(self.journal, name)


def test_chance_that_could_not_be_saved_is_asked_again_with_the_next_order(
    journal: Journal, game: Pebbles, caplog: pytest.LogCaptureFixture
) -> None:
    flaky = Flaky(journal)
    flaky.failing = {"append"}
    referee = Referee.create(game, flaky, SEATS, {})  # type: ignore[arg-type]
    assert referee.revision == 0 and "by itself was not accepted" in caplog.text
    flaky.failing = set()
    give(referee, Pick("koi", "a"))
    assert referee.state.deck


def test_an_unreadable_journal_accepts_nothing(referee: Referee, journal: Journal) -> None:
    flaky = Flaky(journal)
    referee.journal = flaky  # type: ignore[assignment]
    flaky.failing = {"append"}
    answer = pick(referee)
    assert answer.refusal is not None and answer.refusal.text.key == "table.unsaved"
    flaky.failing = set()
    assert pick(referee).ok
    flaky.failing = {"answer"}
    again = referee.submit("koi", order(b"{}", 0, "id1"))
    assert again.refusal is not None and again.refusal.text.key == "table.unsaved", "its first answer is not known now"
    flaky.failing = set()
    assert referee.submit("koi", order(b"{}", 0, "id1")).ok


def test_a_game_that_cannot_be_marked_as_ended_has_ended_all_the_same(
    referee: Referee, journal: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    flaky = Flaky(journal)
    flaky.failing = {"end"}
    referee.journal = flaky  # type: ignore[assignment]
    run(referee, {seat: Bot(seat) for seat in SEATS})
    assert referee.prompts() == () and "disk is full" in caplog.text


@pytest.mark.logs_errors
def test_chance_without_end_or_sense_leaves_the_table_open(journal: Journal, caplog: pytest.LogCaptureFixture) -> None:
    Referee.create(Pebbles(stuck=True), journal, SEATS, {})
    assert "asked more than" in caplog.text

    class Wrong:
        def answer(self, prompt: Prompt[Any]) -> Any:
            return Shuffle(CHANCE, ("a",))

    referee = Referee.create(Pebbles(), journal, SEATS, {}, chance=Wrong())
    assert referee.revision == 0 and "chance was refused" in caplog.text


def test_chance_chooses_among_its_choices() -> None:
    chance = Chance.seeded(3)
    prompt = Prompt(CHANCE, say("x"), "", tuple(Choice(Done(str(n)), say(n)) for n in range(3)))
    assert {chance.answer(prompt).seat for _ in range(50)} == {"0", "1", "2"}
    assert chance.answer(Prompt(CHANCE, say("x"), "", ())) is None
    assert Chance().answer(prompt) in [choice.command for choice in prompt.choices]


PLAYER = """
import sys, msgspec
sys.path.insert(0, sys.argv[2])
from pebbles import Give, Pebbles
from companion.table.chance import Chance
from companion.table.journal import Journal
from companion.table.referee import Order, Referee
referee = Referee.create(Pebbles(), Journal(sys.argv[1]), ("koi", "lotus"), {})
first = referee.prompts()[0].choices[0].command
referee.submit("koi", Order("first", referee.stamp("koi"), msgspec.Raw(msgspec.json.encode(first))))
print(referee.game_id, flush=True)
for n in range(100000):
    giver, taker = ("koi", "lotus") if referee.state.coins["koi"] else ("lotus", "koi")
    raw = msgspec.Raw(msgspec.json.encode(Give(giver, taker, {"coins": 1})))
    answer = referee.submit(giver, Order(f"n{n}", referee.stamp(giver), raw))
    assert answer.ok, answer
    print(answer.revision, n, giver, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 40])
def test_what_was_acknowledged_before_a_kill_is_there_after_it(tmp_path: Path, after: int) -> None:
    path = tmp_path / "journal.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path), str(Path(__file__).parent)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as player:
        assert player.stdout is not None
        game_id = player.stdout.readline().strip()
        for _ in range(after):
            acknowledged = player.stdout.readline()
        player.send_signal(signal.SIGKILL)
        acknowledged = (player.stdout.read().splitlines() or [acknowledged])[-1]
    if len(acknowledged.split()) < 3:  # the kill cut the last line
        acknowledged = " ".join((acknowledged.split() or ["3"])[:1])
    journal = Journal(path)
    assert journal.aside is None
    back = Referee.resume(Pebbles(), journal, game_id)
    revision, *rest = acknowledged.split()
    assert back.revision >= int(revision)
    state = back.game.start(SEATS, {})
    for row in list(journal.rows(game_id))[1:]:
        state = back.game.apply(state, msgspec.json.decode(row.command, type=back.game.Command)).state
    assert state == back.state
    if rest:
        n, giver = rest
        assert back.submit(giver, order(b"{}", 0, f"n{n}")).revision == int(revision)
    journal.close()


@pytest.mark.parametrize("old", sorted((Path(__file__).parent / "journals").glob("*.sql")), ids=lambda path: path.stem)
def test_a_journal_of_every_older_schema_is_still_played_on(tmp_path: Path, old: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(old.read_text(encoding="utf-8"))
    db.close()
    for _ in range(2):
        journal = Journal(path)
        assert journal.aside is None
        journal.close()
    journal = Journal(path)
    back = Referee.resume(Pebbles(), journal, "oldgame1", facts_hash="00ff")
    revision, first = {"v1": (3, "id1"), "v2": (7, "n1"), "v3": (7, "n1")}[old.stem]
    assert (back.revision, back.state.map["koi"], journal.facts("oldgame1")) == (revision, {"edo": 1}, {"deck": {"tiles": 4}})
    assert [key.held for key in journal.seat_keys("oldgame1")] == [True]
    assert back.submit("koi", order(b"{}", 0, first)).ok  # the first answer
    assert give(back, Done("koi")).ok
    undo = next(c.command for p in back.view("koi").prompts for c in p.choices if isinstance(c.command, Undo))
    assert give(back, undo).ok and back.state.left == 1, "what an older program accepted is taken back by this one"
    journal.close()


def test_an_undo_a_tick_and_an_open_question_of_schema_2_are_still_there(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript((Path(__file__).parent / "journals" / "v2.sql").read_text(encoding="utf-8"))
    db.close()
    journal = Journal(path)
    back = Referee.resume(Pebbles(), journal, "oldgame1")
    assert [row.sort for row in journal.rows("oldgame1")] == ["play", "play", "play", "play", "note", "play", "undo", "note"]
    assert [c.command for c in back.view("lotus").prompts[0].choices] == [Agree("lotus", 7), Object("lotus", 7)]
    back.hands.know(parse("04000000000001 koi/pebble 1\n04000000000002 koi/pebble 2\n"))
    assert back.differs() is None and back.view("lotus").sections[0].id == "board", "the figure was ticked off"
    assert give(back, Agree("lotus", 7)).ok
    assert back.state.map["koi"] == {} and back.differs() is not None
    journal.close()
