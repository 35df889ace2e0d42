"""Taking back: alone down to what others did or learned, further only with everybody's yes, and never to fish or to peek."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pebbles import Bid, Done, Give, Pebbles, Put, Shift, say
from table_games import Player, fast
from table_orders import order, pick, words

from companion.rules.game import TABLE, Applied, Event, Refusal
from companion.rules.view import Text
from companion.table import commands as table
from companion.table.chance import Chance
from companion.table.journal import Journal, JournalError
from companion.table.referee import Referee
from companion.words import render


@pytest.fixture
def player(referee: Referee) -> Player:
    """Koi has picked its tile and may put two pebbles."""
    pick(referee)
    return Player(referee, random.Random(1))


def offered(player: Player, seat: str) -> list[str]:
    """What a seat may take back or redo, in words."""
    prompts = player.referee.table() if seat == TABLE else player.referee.view(seat).prompts
    return [render(c.text, "en") for p in prompts for c in p.choices if isinstance(c.command, table.Undo | table.Redo)]


def log(player: Player, seat: str | None = None) -> list[str]:
    return words([line.text for line in player.referee.view(seat).log])


def bidding(player: Player) -> Player:
    """Both bid at once now; koi has put a pebble to edo, lotus one to kyoto."""
    player.done(Put("koi", "pebble", "edo"))
    player.done(Done("koi"))
    pick(player.referee)
    player.done(Put("lotus", "pebble", "kyoto"))
    player.done(Done("lotus"))
    return player


def test_a_seat_takes_back_its_own_newest_commands_and_the_button_says_which(player: Player) -> None:
    before = player.seen()
    player.done(Put("koi", "pebble", "edo"))
    player.done(Put("koi", "pebble", "oshu"))
    assert offered(player, "koi")[:2] == [
        "Undo: Koi pebble leaves Oshu",
        "Undo: Koi pebble leaves Edo; Koi pebble leaves Oshu",
    ]
    assert [c.detail and render(c.detail, "en") for p in player.referee.view("koi").prompts for c in p.choices if c.mark == "ui/undo"][
        1
    ] == ("Takes back 2 commands")
    one, both = player.undos("koi")[:2]
    answer = player.done(both)
    assert player.seen() == before
    assert [render(e.text, "en") for e in answer.events] == ["Koi undoes: Koi pebble leaves Edo; Koi pebble leaves Oshu"]
    assert log(player)[-1] == "Koi undoes: Koi pebble leaves Edo; Koi pebble leaves Oshu"
    late = player.give(one)
    assert late.refusal is not None and late.refusal.text.key == "table.changed"


def test_a_move_goes_back_and_a_command_without_figures_is_quoted(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Shift("koi", "pebble", "edo", "kyoto"))
    assert offered(player, "koi")[0] == "Undo: Koi pebble goes from Kyoto to Edo"
    player.done(Give("koi", "lotus", {"coins": 1}))
    assert offered(player, "koi")[0] == "Undo: “koi give”"


def test_what_showed_a_seat_something_is_a_barrier_even_to_itself(player: Player) -> None:
    (ask,) = [text for text in offered(player, "koi") if "Ask" in text]
    assert ask == "Ask to undo: “koi pick”"
    (undo,) = player.undos("koi")
    answer = player.done(undo)
    assert answer.ok and player.referee.state.phase == "put", "only asked"
    assert player.asked("lotus", table.Agree), "who has peeked cannot allow it to itself"


def test_another_seat_s_command_is_a_barrier(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    assert offered(player, "koi")[:1] == ["Ask to undo: “lotus give”"]
    assert offered(player, "lotus")[:1] == ["Undo: “lotus give”"]
    assert player.referee._steward.history.needed("koi", 3) == ("lotus",)


def test_further_back_needs_everybody_who_acted_or_learned(player: Player) -> None:
    before = player.seen()
    player.done(Put("koi", "pebble", "edo"))
    first = player.referee.revision
    player.done(Give("lotus", "koi", {"coins": 1}))
    stamp = player.referee.stamp("lotus")
    ask = table.Undo("koi", first, player.referee._steward.history.last)
    assert ask in player.undos("koi")
    answer = player.done(ask)
    assert words([e.text for e in answer.events]) == ["Koi asks to undo: Koi pebble leaves Edo"]
    view = player.referee.view("lotus")
    assert render(view.prompts[0].text, "en") == "Do you agree? Koi asks to undo: Koi pebble leaves Edo"
    assert not view.prompts[0].optional
    assert player.referee.stamp("lotus") > stamp, "a phone shakes for a new question"
    assert (view.waits[0].seat, view.waits[0].text.key) == ("lotus", "table.wait_answer")
    assert player.undos("lotus") == [table.Undo("lotus", first + 1, first + 1)], "nothing else is asked for meanwhile"
    player.done(table.Agree("lotus", answer.revision))
    assert player.seen() == before
    assert log(player)[-2:] == ["Lotus agrees.", "Koi undoes: Koi pebble leaves Edo"]


def test_no_is_no_and_who_asked_may_withdraw(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    for who, said in (
        ("lotus", "Lotus does not agree. Nothing changes."),
        ("koi", "Koi no longer asks."),
        (TABLE, "The table does not agree."),
    ):
        state = player.referee.state
        asked = player.done(player.undos("koi")[0]).revision
        own = next(prompt for prompt in player.referee.view("koi").prompts if prompt.choices[0].command == table.Object("koi", asked))
        assert (own.optional, own.text.key) == (True, "table.event_ask_undo"), "nobody is asked to agree to their own wish"
        assert table.Object(who, asked) in player.asked(who)
        player.done(table.Object(who, asked))
        assert player.referee.state is state
        assert said in log(player)[-1]
        assert player.asked("lotus", table.Agree) == []
        gone = player.give(table.Agree("lotus", asked))
        assert gone.refusal is not None and gone.refusal.text.key == "table.changed"
        assert not player.give(table.Object("lotus", asked)).ok


def test_the_table_answers_for_who_is_away_and_the_journal_says_so(player: Player, journal: Journal) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    asked = player.done(player.undos("koi")[0]).revision
    for bad in (
        table.Agree(TABLE, asked, "koi"),
        table.Agree(TABLE, asked),
        table.Agree("lotus", asked, "lotus"),
        table.Agree("koi", asked),
    ):
        assert not player.give(bad).ok
    assert player.referee.table()[0].text.key == "table.asks_undo" and not player.referee.table()[0].optional
    player.done(table.Agree(TABLE, asked, "lotus"))
    marked, done = list(journal.rows(player.referee.game_id))[-2:]
    assert (marked.seat, msgspec.json.decode(marked.command)) == (TABLE, {"do": "agree", "seat": "table", "to": asked, "absent": "lotus"})
    assert (done.seat, done.sort) == ("koi", "undo")
    assert log(player)[-2] == "The table agrees for Lotus, who is away."


def test_a_question_lapses_when_the_game_goes_on(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    asked = player.done(player.undos("koi")[0]).revision
    player.done(Put("koi", "pebble", "edo"))
    assert not player.give(table.Agree("lotus", asked)).ok
    assert player.asked("lotus", table.Agree) == []


def test_one_question_at_a_time_but_who_asks_may_ask_for_something_else(player: Player) -> None:
    player.done(Give("lotus", "koi", {"coins": 1}))
    player.done(Give("koi", "lotus", {"coins": 1}))
    last = player.referee.revision
    player.done(table.Undo("koi", last - 1, last))
    other = player.give(table.Undo("lotus", last, last))
    assert other.refusal is not None and words([other.refusal.text]) == ["First Koi's question has to be answered."]
    assert player.done(table.Undo("koi", 2, last)).ok
    assert player.referee._steward.request is not None
    assert player.referee._steward.request.command.first == 2


@pytest.mark.parametrize("bad", [table.Undo("koi", 0, 3), table.Undo("koi", 1, 3), table.Undo("koi", 9, 3), table.Undo("koi", 3, 2)])
def test_an_undo_of_nothing_is_refused(player: Player, bad: Any) -> None:
    player.done(Put("koi", "pebble", "edo"))
    answer = player.give(bad)
    assert answer.refusal is not None and answer.refusal.text.key == "table.changed"


def test_undo_is_undone_step_by_step_until_the_game_goes_on(player: Player) -> None:
    seen = [player.seen()]
    for place in ("edo", "kyoto"):
        player.done(Put("koi", "pebble", place))
        seen.append(player.seen())
    for step in (1, 0):
        player.done(player.undos("koi")[0])
        assert player.seen() == seen[step]
    assert "Redo: Koi pebble comes to Edo" in offered(player, "koi")
    assert "Ask to redo: Koi pebble comes to Edo" in offered(player, "lotus"), "another seat has to ask who undid it"
    for step in (1, 2):
        (redo,) = player.asked("koi", table.Redo)
        player.done(redo)
        assert player.seen() == seen[step]
        assert not player.give(redo).ok
    player.done(player.undos("koi")[0])
    (redo,) = player.asked("koi", table.Redo)
    player.done(Put("koi", "pebble", "edo"))
    assert player.asked("koi", table.Redo) == [] and not player.give(redo).ok


def test_a_redo_of_what_the_table_agreed_to_is_agreed_to_again(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    after = player.seen()
    player.done(table.Undo("koi", 3, 4))
    player.everybody_agrees()
    (redo,) = player.asked("lotus", table.Redo)
    asked = player.done(redo)
    assert words([e.text for e in asked.events]) == ["Lotus asks to redo: Koi pebble comes to Edo"]
    assert player.resumed().whole() == player.whole()
    player.done(table.Agree("koi", asked.revision))
    assert player.seen() == after


def test_another_seat_s_sealed_answer_is_no_barrier_and_stays(player: Player) -> None:
    bidding(player)
    referee = player.referee
    player.done(Bid("koi", 1))
    player.done(Bid("lotus", 2))
    referee = player.referee
    assert referee.state.phase == "table", "both have bid: it is open"
    player.taken_back(referee.revision)
    assert referee.state.bids == {"koi": 1}
    player.done(Bid("koi", 0))
    assert referee.state.bids == {"koi": 0}
    assert offered(player, "koi")[0] == "Undo: “koi has bid”"


def test_three_bid_and_one_takes_back_under_the_answer_of_another(tmp_path: Path) -> None:
    referee = Referee.create(Pebbles(), fast(tmp_path / "j"), ("koi", "lotus", "turtle"), {}, chance=Chance.seeded(1))
    player = Player(referee, random.Random(1))
    for seat in referee.seats:
        pick(referee)
        player.done(Done(seat))
    player.done(Bid("koi", 1))
    player.done(Bid("lotus", 2))
    player.done(Bid("lotus", 3))
    undo = player.undos("koi")[0]
    answer = player.done(undo)
    assert referee.state.bids == {"lotus": 3}, "Lotus' answer stands, in its newest form"
    assert referee.revision == answer.revision + 2
    rows = list(referee.journal.rows(referee.game_id))[-3:]
    assert [(row.sort, row.seat, row.order_id is None) for row in rows] == [
        ("undo", "koi", False),
        ("play", "lotus", True),
        ("play", "lotus", True),
    ]
    (redo,) = player.asked("koi", table.Redo)
    player.done(redo)
    assert referee.state.bids == {"koi": 1, "lotus": 3}
    referee.journal.close()


def test_a_sealed_answer_that_would_not_be_taken_is_not_given_again(player: Player, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    bidding(player)
    player.done(Bid("koi", 1))
    player.done(Bid("koi", 0))
    referee = player.referee
    node = next(referee._steward.history.upwards())
    stand = referee._stand
    for outcome in (Refusal("PB-5", say("no")), Applied(stand.state, (Event(say("all is shown"), reveals=True),))):
        with monkeypatch.context() as patch:
            patch.setattr(game, "apply", lambda *_, outcome=outcome: outcome)
            assert referee._sealed_again(stand, node) == []
    assert referee._sealed_again(stand, node) != []
    assert referee._sealed_again(msgspec.structs.replace(stand, prompts=()), node) == [], "nor one to another question"


def test_everything_accepted_keeps_its_first_answer(player: Player) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(player.undos("koi")[0])
    player.done(Put("koi", "pebble", "kyoto"))
    player = player.resumed()
    for (seat, order_id), answer in player.answers.items():
        assert player.referee.submit(seat, order(b"{}", 0, order_id)) == answer
    assert player.referee.state.map["koi"] == {"kyoto": 1}


def test_the_end_can_be_taken_back(tmp_path: Path) -> None:
    player = Player.at("pebbles", tmp_path, 3)
    player.play(1000)
    referee = player.referee
    assert referee.prompts() == () and referee.journal.game(referee.game_id).ended is not None
    player.taken_back(referee.revision)
    assert referee.prompts() and referee.journal.game(referee.game_id).ended is None
    player.play(1000)
    assert referee.journal.game(referee.game_id).ended is not None
    referee.journal.close()


def test_what_cannot_be_saved_is_not_undone(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.done(Put("koi", "pebble", "edo"))
    player.done(Give("lotus", "koi", {"coins": 1}))
    asked = player.done(player.undos("koi")[0])
    state, append = player.referee.state, player.referee.journal.append

    def full(game_id: str, *rows: Any, twin: bytes | None = None) -> None:
        if rows[0].sort == "undo":
            raise JournalError("the disk is full; free some space and try again")
        append(game_id, *rows, twin=twin)

    with monkeypatch.context() as patch:
        patch.setattr(player.referee.journal, "append", full)
        assert player.done(table.Agree("lotus", asked.revision)).ok, "the yes is on disk"
        assert player.referee.state is state
    assert player.resumed().referee.state.coins == {"koi": 3, "lotus": 3}, "and what it allows is made up for"


@pytest.mark.logs_errors
def test_what_became_impossible_is_not_done(
    player: Player, game: Pebbles, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = player.done(table.Correct(TABLE, player_coins(7)))
    with monkeypatch.context() as patch:
        patch.setattr(game, "correct", lambda *_: Refusal("PB-9", say("no more")))
        player.done(table.Agree("koi", asked.revision))
    assert "what was agreed to is refused" in caplog.text and player.referee.state.coins["koi"] == 3


def player_coins(value: int) -> Any:
    from companion.rules.game import SetCounter

    return (SetCounter("koi", "coins", value),)


# Chance


def test_chance_waits_for_what_cannot_be_read(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    bidding(player)
    player.done(Bid("koi", 0))
    player.done(Bid("lotus", 0))
    player.done(Done(TABLE))
    deck = player.referee.state.deck
    player.taken_back(player.referee.revision - 1)

    def fails(*_: Any) -> None:
        raise JournalError("the disk does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(player.referee.journal, "row", fails)
        player.done(Done(TABLE))
        assert player.referee.state.phase == "shuffle"
    player.give(Give("koi", "lotus", {"coins": 1}))
    assert player.referee.state.deck == deck


def test_secret_things_are_not_quoted(player: Player, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer nobody may read is taken back without a word of it."""
    done = game._done

    def secretly(s: Any, c: Any) -> Any:
        return Applied(done(s, c).state, (Event(Text("table.raw", {"id": "canary"}), to=("koi",)),))

    monkeypatch.setattr(game, "_done", secretly)
    player.done(Give("koi", "lotus", {"coins": 1}))
    assert offered(player, "koi")[0] == "Undo: a secret answer of Koi"
    undo = player.undos("koi")[0]
    player.done(undo)
    for seat in ("lotus", None):
        assert b"canary" not in msgspec.json.encode(player.referee.view(seat))
    assert b"canary" not in msgspec.json.encode(player.referee.table())
