"""The desk: one inbox, one thread, and it never dies."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from pebbles import Bid, Done, Give, Pebbles, Pick, Put
from table_desk import Table

from companion.rules.game import TABLE, Refusal
from companion.rules.view import Text
from companion.table import desk
from companion.table.bots import Bot, seat_bot
from companion.table.chance import Chance
from companion.table.desk import WINDOW, Desk, Update
from companion.table.figures import parse
from companion.table.journal import Journal
from companion.table.referee import Answer, Order, Referee
from companion.words import render

FIGURES = parse(
    """04000000000001 koi/pebble 1
04000000000002 koi/pebble 2
04000000000003 lotus/pebble
04000000000004 crown
0400000000000E place edo
0400000000000F place kyoto
"""
)
KOI1, KOI2, LOTUS, CROWN, EDO, KYOTO = (tag.uid for tag in FIGURES.tags())


@pytest.fixture
def table(referee: Referee) -> Iterator[Table]:
    made = Table(referee, FIGURES)
    yield made
    made.desk.stop()


def test_a_watcher_hears_the_present_and_then_every_change(table: Table) -> None:
    table.settle()
    assert [u.revision for u in table.updates] == [1]
    table.pick()
    assert [u.revision for u in table.updates] == [1, 2]
    assert table.desk.current is table.updates[-1]
    assert set(table.updates[-1].seats) == {"koi", "lotus"} and table.updates[-1].stamps[TABLE] == 0
    table.unwatch()
    table.play(Put("koi", "pebble", "edo"))
    assert len(table.updates) == 2


def test_the_journal_is_tidied_once_nothing_is_to_be_done(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "REST", 0.01)
    tidied = threading.Semaphore(0)
    monkeypatch.setattr(table.desk._referee.journal, "tidy", tidied.release)
    for _ in range(2):
        table.settle()
        assert tidied.acquire(timeout=30)
        assert not tidied.acquire(timeout=0.1), "once, and then it rests itself"


def test_a_watcher_that_left_at_once_hears_nothing(table: Table) -> None:
    heard: list[Update] = []
    gate = threading.Event()
    table.desk._inbox.put(gate.wait)
    table.desk.watch(heard.append)()
    gate.set()
    table.settle()
    assert heard == []


def test_a_reply_comes_before_the_watchers_and_finds_the_new_revision(table: Table) -> None:
    order: list[str] = []
    table.desk.watch(lambda u: order.append(f"watch {u.revision}"))
    pick = table.desk.current.seats["koi"].prompts[0].choices[0].command
    table.desk.play("koi", pick, lambda a: order.append(f"reply {a.revision} {table.desk.current.revision}"))
    table.settle()
    assert order == ["watch 1", "reply 2 2", "watch 2"]


def test_an_order_is_answered_and_a_refusal_changes_nothing(table: Table) -> None:
    raw = msgspec.Raw(msgspec.json.encode(Put("koi", "pebble", "edo")))
    table.desk.submit("koi", Order("x", table.desk.current.stamps["koi"], raw), table.answers.append)
    table.settle()
    assert table.answers[0].refusal is not None and table.answers[0].refusal.clause == "PB-2"
    assert len(table.updates) == 1


def test_a_screen_answers_the_question_it_showed(table: Table) -> None:
    table.pick()
    shown = table.desk.current.stamps["koi"]
    assert table.play(Put("koi", "pebble", "edo")).ok
    table.desk.play("koi", Put("koi", "pebble", "edo"), table.answers.append, stamp=shown)
    table.settle()
    assert table.answers[-1].refusal is not None and table.answers[-1].refusal.text.key == "table.stale"
    assert not table.play(Done("koi"), "fox").ok


def test_the_table_itself_is_asked_and_goes_on(table: Table) -> None:
    for seat in ("koi", "lotus"):
        table.pick(seat)
        table.play(Done(seat))
    assert asked(table.desk.current) == []
    table.play(Bid("koi", 0))
    table.play(Bid("lotus", 1))
    (prompt,) = asked(table.desk.current)
    assert table.play(prompt.choices[0].command).ok
    assert not table.play(prompt.choices[0].command).ok


def test_a_figure_and_then_its_place_is_the_command(table: Table) -> None:
    table.pick()
    notice = table.tap(KOI1)
    assert (notice.tone, render(notice.text, "en")) == ("waiting", "Koi pebble 1: touch where it goes.")
    assert [c.command.place for _, c in notice.offers if isinstance(c.command, Put)] == ["edo", "kyoto", "oshu"]
    played = table.touch("edo")
    assert played is not None
    assert (played.tone, played.seat, render(played.text, "en")) == ("ok", "koi", "Koi pebble 1: a pebble to edo.")
    assert table.map["koi"] == {"edo": 1}


def test_a_place_and_then_a_figure_is_the_command(table: Table) -> None:
    table.pick()
    assert table.touch("kyoto") is None
    assert table.tap(KOI1).tone == "ok"
    assert table.map["koi"] == {"kyoto": 1}


def test_a_place_tag_is_a_touch(table: Table) -> None:
    table.pick()
    table.desk.sight(EDO.lower(), None)
    assert table.tap(KOI1).tone == "ok"
    table.tap(KOI1)
    assert table.tap(KYOTO).tone == "ok"
    assert table.map["koi"] == {"kyoto": 1}


def test_a_reader_in_a_zone_needs_no_touch(table: Table) -> None:
    table.pick()
    table.touch("kyoto")
    assert table.tap(KOI1, "edo").tone == "ok"
    assert table.tap(KOI2).tone == "waiting"  # the touch before is forgotten
    assert table.map["koi"] == {"edo": 1}


@pytest.mark.parametrize("late", [0.0, WINDOW])
def test_within_the_window_they_belong_together(table: Table, late: float) -> None:
    table.pick()
    table.tap(KOI1)
    table.now += late
    assert table.touch("edo").tone == "ok"  # type: ignore[union-attr]
    table.touch("kyoto")
    table.now += late
    assert table.tap(KOI1).tone == "ok"
    assert table.map["koi"] == {"kyoto": 1}


def test_after_the_window_they_do_not(table: Table) -> None:
    table.pick()
    table.tap(KOI1)
    table.now += WINDOW + 0.1
    table.touch("edo")
    table.now += WINDOW + 0.1
    assert table.tap(KOI2).tone == "waiting"
    assert table.map["koi"] == {}


def test_an_unknown_tag_is_named_with_the_fix(table: Table) -> None:
    notice = table.tap("04:ff:ff:ff:ff:ff:ff")
    assert notice.tone == "careful"
    assert table.said() == "Nobody knows the tag 04FFFFFFFFFFFF. Add it to the file of figures, like: 04FFFFFFFFFFFF koi/bushi 1"
    table.desk.know(parse("04FFFFFFFFFFFF koi/pebble 9"))
    table.tap("04FFFFFFFFFFFF")
    assert table.said().startswith("That was Koi pebble 9, in")  # known now, though nothing can be done with it


def test_without_a_register_every_tag_is_unknown(referee: Referee) -> None:
    desk = Desk(referee)
    desk.start()
    desk.sight(KOI1, "edo")
    desk.stop()
    assert desk.current.notice is not None and desk.current.notice.tone == "careful"


def test_what_may_not_be_is_refused_with_clause_figure_and_what_would_be_lawful(table: Table) -> None:
    table.pick()
    notice = table.tap(LOTUS, "edo")
    assert (notice.tone, notice.clause, notice.offers) == ("refused", "PB-4", ())
    lawful = "a pebble to edo; a pebble to kyoto; a pebble to oshu; crown"
    assert table.said() == f"That was Lotus pebble, in the box; it is Koi's turn. Lawful now: {lawful}."
    assert table.map == {"koi": {}, "lotus": {}}


def test_where_no_figure_moves_a_figure_is_refused(table: Table) -> None:
    notice = table.tap(CROWN, "shrine.1")
    assert (notice.tone, notice.clause) == ("refused", "PB-2")
    assert table.said() == "the crown, shrine.1: no. No figure is placed or moved now."


def test_after_a_refusal_the_same_figure_may_go_elsewhere(table: Table) -> None:
    table.pick()
    assert table.tap(KOI1, "shrine.1").tone == "refused"
    assert table.touch("edo").tone == "ok"  # type: ignore[union-attr]


def test_several_meanings_are_offered_and_one_is_chosen(table: Table) -> None:
    table.pick()
    table.play(Put("koi", "pebble", "edo"))
    notice = table.tap(KOI1, "kyoto")  # from the reserve, or from edo: nobody knows which one this is
    assert (notice.tone, len(notice.offers)) == ("waiting", 2)
    assert table.said() == "Koi pebble 1, Kyoto: which of these is meant?"
    seat, choice = notice.offers[0]
    assert table.play(choice.command, seat).ok
    assert table.desk.current.notice is None  # its offers stand no longer
    assert table.touch("oshu") is None  # and the hand is empty


def test_a_figure_whose_place_is_known_means_the_move_from_there(table: Table) -> None:
    table.pick()
    table.tap(KOI1, "edo")
    assert table.tap(KOI1, "kyoto").tone == "ok"
    assert table.map["koi"] == {"kyoto": 1}


def test_a_figure_lifted_and_set_down_again_is_no_second_figure(table: Table) -> None:
    table.pick()
    table.tap(KOI1, "edo")
    table.touch("edo")
    notice = table.tap(KOI1)
    assert notice.tone == "waiting" and table.said() == "Koi pebble 1 already stands here: Edo. Is another move meant?"
    assert table.map["koi"] == {"edo": 1}
    assert [c.command for _, c in notice.offers] == [Put("koi", "pebble", "edo")]


def test_a_choice_with_amounts_is_offered_never_guessed(table: Table) -> None:
    table.pick()
    notice = table.tap(CROWN, "edo")
    assert notice.tone == "waiting" and notice.offers[0][1].amounts is not None


def test_a_notice_is_said_once_and_stays_until_the_next(table: Table) -> None:
    table.pick()
    first = table.tap(KOI1, "edo")
    table.play(Put("koi", "pebble", "kyoto"))
    assert table.desk.current.notice is first
    assert table.tap("04FFFFFFFFFFFF").serial == first.serial + 1


def test_secret_choices_are_never_offered_at_the_open_table(table: Table) -> None:
    for uid in (KOI1, LOTUS, CROWN):
        assert table.tap(uid).offers == ()


def test_a_tag_that_could_not_be_saved_is_refused(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.pick()
    no = Answer("", ok=False, revision=2, refusal=Refusal("", Text("table.stale")))
    monkeypatch.setattr(table.desk._referee, "submit", lambda *_: no)
    assert table.tap(KOI1, "edo").tone == "refused"


@pytest.mark.logs_errors
def test_an_order_that_breaks_the_rules_engine_is_refused_and_the_next_is_taken(table: Table, game: Pebbles) -> None:
    game.broken = {"apply"}
    pick = table.desk.current.seats["koi"].prompts[0].choices[0].command
    answer = table.play(pick)
    assert answer.refusal is not None and answer.refusal.text == Text("table.fault")
    table.desk.submit("koi", Order("x", 1, msgspec.Raw(msgspec.json.encode(pick))), table.answers.append)
    table.settle()
    assert (table.answers[-1].id, table.answers[-1].ok) == ("x", False)
    game.broken = set()
    assert table.play(pick).ok


@pytest.mark.logs_errors
def test_a_view_that_fails_keeps_the_old_one_and_is_made_up_for(table: Table, game: Pebbles) -> None:
    game.broken = {"view"}
    pick = table.desk.current.seats["koi"].prompts[0].choices[0].command
    assert table.play(pick).ok  # it was accepted: it is on disk
    assert table.desk.current.revision == 1
    game.broken = set()
    table.play(Put("koi", "pebble", "edo"))
    table.desk.play("koi", Put("koi", "pebble", "edo"), table.answers.append, stamp=2)
    table.settle()
    assert table.desk.current.revision == 3


@pytest.mark.logs_errors
def test_replies_watchers_and_surprises_cannot_stop_the_desk(table: Table) -> None:
    def fails(_: Any) -> None:
        raise ZeroDivisionError

    table.desk.watch(fails)
    table.desk._inbox.put(lambda: fails(None))
    table.desk.play("koi", Pick("koi", "z"), fails)
    table.pick()
    assert table.desk.current.revision == 2


def test_what_lies_in_the_inbox_is_done_before_the_desk_stops(referee: Referee) -> None:
    desk, heard = Desk(referee), list[Answer]()
    for n in range(20):
        giver, taker = ("koi", "lotus") if n % 2 else ("lotus", "koi")
        desk.play(giver, Give(giver, taker, {"coins": 1}), heard.append)
    desk.start()
    desk.stop()
    assert len(heard) == 20
    desk.stop()  # twice is no harm


def test_the_desk_may_be_stopped_from_its_own_thread(referee: Referee) -> None:
    desk = Desk(referee)
    desk.start()
    thread = desk._thread
    desk._inbox.put(desk.stop)
    assert thread is not None
    thread.join(5)
    assert not thread.is_alive()


TAPS = 5000 if os.environ.get("JINMAKU_SOAK") == "1" else 100


@pytest.mark.scaled
@pytest.mark.timeout(300)
def test_orders_from_many_threads_are_each_answered_once(table: Table) -> None:
    table.pick()
    answers: list[Answer] = []
    lock = threading.Lock()

    def keep(answer: Answer) -> None:
        with lock:
            answers.append(answer)

    def phone(seat: str, other: str) -> None:
        for n in range(TAPS):
            command = Give(seat, other, {"coins": 1})
            table.desk.submit(seat, Order(f"{n}", table.desk.current.stamps[seat], msgspec.Raw(msgspec.json.encode(command))), keep)

    phones = [threading.Thread(target=phone, args=pair) for pair in (("koi", "lotus"), ("lotus", "koi"))]
    for thread in phones:
        thread.start()
    for thread in phones:
        thread.join()
    table.settle()
    assert len(answers) == 2 * TAPS
    assert table.desk.current.revision == 2 + sum(a.ok for a in answers)
    assert sum(table.desk._referee.state.coins.values()) == 6


def test_bots_play_a_whole_game_at_a_desk(game: Pebbles, journal: Journal) -> None:
    table = Table(Referee.create(game, journal, ("koi", "lotus"), {"rounds": "1"}, chance=Chance.seeded(2)))
    over = threading.Event()
    table.desk.watch(lambda u: over.set() if asked(u) else None)
    leave = [seat_bot(table.desk, Bot(seat, 1, mostly_done)) for seat in ("koi", "lotus")]
    assert over.wait(10)
    for stop in leave:
        stop()
    table.desk.stop()
    assert set(table.desk._referee.state.bids) == {"koi", "lotus"}


def asked(update: Update) -> list[Any]:
    """What the table must answer."""
    return [prompt for prompt in update.table if not prompt.optional]


def mostly_done(view: Any, prompt: Any) -> list[float]:
    return [2.0 if isinstance(choice.command, Done) else 0.0 for choice in prompt.choices]
