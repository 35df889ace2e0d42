"""The referee: accepted exactly once, on disk first, refused with a reason, and nobody learns what they may not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import TILES, Bid, Done, Give, Pebbles, Pick, Put, Shuffle
from table_orders import SEATS, give, order, pick, words

from companion.rules.game import CHANCE, TABLE, TIME
from companion.rules.view import Text
from companion.table import answers as answers_module
from companion.table.bots import Bot, run
from companion.table.chance import ByHand, Chance
from companion.table.journal import Journal
from companion.table.referee import LOG_LINES, Answer, Order, Referee, ResumeError


def test_chance_answers_before_anybody_is_asked(referee: Referee, journal: Journal) -> None:
    assert referee.revision == 1
    assert sorted(referee.state.deck) == sorted(TILES)
    assert [(r.seat, r.order_id) for r in journal.rows(referee.game_id)] == [("table", None), (CHANCE, None)]
    assert len(referee.game_id) == 8 and referee.game_id.isalnum() and referee.game_id.islower() | referee.game_id.isdigit()


def test_an_accepted_command_is_in_the_journal_with_the_state_after_it(referee: Referee, journal: Journal, game: Pebbles) -> None:
    answer = pick(referee)
    assert (answer.ok, answer.revision, answer.refusal) == (True, 2, None)
    row = journal.last(referee.game_id)
    assert msgspec.json.decode(row.state, type=game.State) == referee.state
    assert msgspec.json.decode(row.answer, type=Answer) == answer
    assert (row.seat, row.order_id, row.revision) == ("koi", "id1", 2)


def test_a_repeated_id_gets_the_first_answer_and_does_nothing(referee: Referee) -> None:
    pick(referee)
    first = give(referee, Put("koi", "pebble", "edo"), "tap")
    again = give(referee, Put("koi", "pebble", "edo"), "tap")
    other = give(referee, Done("koi"), "tap")
    assert first == again == other
    assert referee.state.map["koi"] == {"edo": 1}


def test_a_repeated_refused_id_gets_the_first_refusal(referee: Referee) -> None:
    first = give(referee, Put("koi", "pebble", "edo"), "tap")
    assert first.refusal is not None and first.refusal.clause == "PB-2"
    pick(referee)
    assert give(referee, Put("koi", "pebble", "edo"), "tap") == first


def test_ids_of_another_seat_are_no_answers_of_mine(referee: Referee) -> None:
    first = pick(referee)
    answer = referee.submit("lotus", order(Give("lotus", "koi", {"coins": 1}), referee.stamp("lotus"), first.id))
    assert answer.ok and answer != first


def test_a_late_tap_cannot_answer_the_next_question(referee: Referee) -> None:
    pick(referee)
    stamp = referee.stamp("koi")
    assert referee.submit("koi", order(Put("koi", "pebble", "edo"), stamp, "a")).ok
    late = referee.submit("koi", order(Put("koi", "pebble", "edo"), stamp, "b"))
    assert late.refusal is not None and late.refusal.text == Text("table.stale")
    assert words(late.refusal.lawful)[0] == "a pebble to edo"
    assert referee.state.map["koi"] == {"edo": 1}


def test_a_second_tap_is_not_a_second_command_even_where_the_question_reads_the_same(referee: Referee) -> None:
    pick(referee)
    for seat in SEATS:
        give(referee, Done(seat)) if seat == "koi" else (pick(referee), give(referee, Done(seat)))
    stamp = referee.stamp("koi")
    assert referee.submit("koi", order(Bid("koi", 1), stamp, "a")).ok
    assert not referee.submit("koi", order(Bid("koi", 2), stamp, "b")).ok
    assert referee.submit("koi", order(Bid("koi", 2), referee.stamp("koi"), "c")).ok  # meant: it is the new question


def test_simultaneous_answers_do_not_disturb_each_other(referee: Referee) -> None:
    pick(referee)
    give(referee, Done("koi"))
    pick(referee)
    give(referee, Done("lotus"))
    koi, lotus = referee.stamp("koi"), referee.stamp("lotus")
    assert referee.submit("koi", order(Bid("koi", 1), koi)).ok
    assert referee.stamp("lotus") == lotus
    assert referee.submit("lotus", order(Bid("lotus", 1), lotus)).ok


def test_a_command_speaks_for_its_own_seat_only(referee: Referee) -> None:
    answer = referee.submit("lotus", order(Pick("koi", "a"), referee.stamp("lotus")))
    assert answer.refusal is not None
    assert answer.refusal.text == Text("table.command_seat", {"seat": "lotus", "named": "koi"})


@pytest.mark.parametrize("seat", [CHANCE, TIME, TABLE, "fox", ""])
def test_only_seats_of_the_table_may_order(referee: Referee, seat: str) -> None:
    answer = referee.submit(seat, order(Shuffle(seat, TILES), 1))
    assert answer.refusal is not None and answer.refusal.text.key == "table.no_seat"


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (b'{"do":"put","seat":"koi","kind":"pebble","place":7}', "place"),
        (b'{"do":"put","seat":"koi","kind":"pebble"}', "place"),
        (b'{"do":"give","seat":"koi","to":"lotus","amounts":{"coins":"x"}}', "amounts[...]"),
        (b'{"do":"fly","seat":"koi"}', "do"),
        (b'{"seat":"koi"}', "do"),
        (b'{"do":"done","seat":"koi","more":1}', "command"),
        (b"[]", "command"),
        (b"null", "command"),
    ],
)
def test_a_malformed_command_is_refused_by_the_name_of_its_field(referee: Referee, raw: bytes, field: str) -> None:
    answer = referee.submit("koi", order(raw, referee.stamp("koi")))
    assert answer.refusal is not None
    assert (answer.refusal.text.key, answer.refusal.text.args["field"]) == ("table.command_field", field)


@pytest.mark.parametrize(
    ("raw", "key"),
    [
        (b"", "table.command_json"),
        (b"{", "table.command_json"),
        (b'{"do":"put","seat":"\xff"}', "table.command_json"),
        (b'{"do":' + b"[" * 9000, "table.command_"),
        (b'"' + b"x" * 20_000 + b'"', "table.command_long"),
    ],
)
def test_what_is_no_json_is_refused(referee: Referee, raw: bytes, key: str) -> None:
    answer = referee.submit("koi", order(raw, referee.stamp("koi")))
    assert answer.refusal is not None and answer.refusal.text.key.startswith(key)


@pytest.mark.parametrize("order_id", ["", "x" * 65])
def test_an_id_has_a_length(referee: Referee, order_id: str) -> None:
    answer = referee.submit("koi", order(Pick("koi", "a"), referee.stamp("koi"), order_id))
    assert answer.refusal is not None and answer.refusal.text.key == "table.order_id"
    assert all(len(key) <= 64 for _, key in referee._answers._refused)


def test_a_refusal_lists_at_most_eight_lawful_things(referee: Referee) -> None:
    give(referee, Give("lotus", "koi", {"coins": 3}))
    answer = give(referee, Bid("lotus", 1))
    assert answer.refusal is not None and answer.refusal.clause == "PB-9" and len(answer.refusal.lawful) == 8


def test_refusals_kept_for_repeated_ids_are_bounded(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "KEPT_REFUSALS", 3)
    for n in range(10):
        give(referee, Done("koi"), f"n{n}")
    assert [key for _, key in referee._answers._refused] == ["n7", "n8", "n9"]


def test_events_and_log_reach_only_their_readers(referee: Referee) -> None:
    answer = pick(referee)
    tile = answer.events[0].text.args["id"]
    assert words(e.text for e in answer.events) == [tile, "koi pick"]
    assert words(line.text for line in referee.view("koi").log) == ["chance shuffle", tile, "koi pick"]
    for reader in ("lotus", None):
        assert words(line.text for line in referee.view(reader).log) == ["chance shuffle", "koi pick"]
        assert [line.id for line in referee.view(reader).log] == ["log.1.0", "log.2.0"]  # no gap where koi's secret is
    assert [line.id for line in referee.view("koi").log] == ["log.1.0", "log.2.0", "log.2.1"]


def test_views_and_lights_are_made_once_a_revision(referee: Referee) -> None:
    view, lights = referee.view("koi"), referee.lights()
    assert referee.view("koi") is view and referee.lights() is lights
    pick(referee)
    assert referee.view("koi") is not view
    with pytest.raises(ValueError, match="no seat 'fox' at this table: koi, lotus"):
        referee.view("fox")


def test_the_log_is_as_long_as_a_screen(referee: Referee) -> None:
    pick(referee)
    for n in range(LOG_LINES):
        give(referee, Give("koi" if n % 2 else "lotus", "lotus" if n % 2 else "koi", {"coins": 1}))
    assert len(referee.view(None).log) == LOG_LINES


def test_a_game_resumes_exactly_where_it_stood(referee: Referee, journal: Journal, game: Pebbles) -> None:
    answer = pick(referee)
    give(referee, Put("koi", "pebble", "edo"))
    back = Referee.resume(game, journal, referee.game_id, facts_hash="any")
    assert (back.revision, back.state, back.stamps(), back.seats, back.options) == (
        referee.revision,
        referee.state,
        referee.stamps(),
        referee.seats,
        referee.options,
    )
    for reader in (*SEATS, None):
        assert back.view(reader) == referee.view(reader)
    assert back.submit("koi", order(Pick("koi", "a"), 1, answer.id)) == answer


def test_a_game_that_stopped_before_chance_had_answered_goes_on(journal: Journal, game: Pebbles) -> None:
    waiting = Referee.create(game, journal, SEATS, {}, chance=ByHand())
    assert waiting.prompts()[0].seat == CHANCE
    assert Referee.resume(game, journal, waiting.game_id).state.phase == "pick"


def test_a_game_is_resumed_only_by_itself(referee: Referee, journal: Journal, game: Pebbles) -> None:
    journal.begin("bbbbbbbb", b"{}", game="chess", rules=1, seats=SEATS, options={})
    with pytest.raises(ResumeError, match="game bbbbbbbb is chess, not pebbles: choose another"):
        Referee.resume(game, journal, "bbbbbbbb")
    journal.begin("cccccccc", b"{}", game="pebbles", rules=2, seats=SEATS, options={})
    with pytest.raises(ResumeError, match="needs rules 2 of pebbles, this program has 1: update it"):
        Referee.resume(game, journal, "cccccccc")
    journal.begin("dddddddd", b"{}", game="pebbles", rules=1, seats=SEATS, options={}, facts_hash="one")
    with pytest.raises(ResumeError, match=r"began with other facts \(one, not two\)"):
        Referee.resume(game, journal, "dddddddd", facts_hash="two")
    with pytest.raises(ResumeError, match="was saved by another version of pebbles"):
        Referee.resume(game, journal, "dddddddd", facts_hash="one")


def test_bad_seats_begin_nothing(journal: Journal, game: Pebbles) -> None:
    with pytest.raises(ValueError, match="two or more: add a seat"):
        Referee.create(game, journal, ("koi",), {})
    assert journal.games() == ()


def test_a_game_may_begin_in_the_middle(referee: Referee, journal: Journal, game: Pebbles) -> None:
    pick(referee)
    assert Referee.create(game, journal, SEATS, {}, state=referee.state).state == referee.state


def test_the_table_goes_on_only_from_inside_and_only_once(referee: Referee, journal: Journal) -> None:
    pick(referee)
    give(referee, Done("koi"))
    pick(referee)
    give(referee, Done("lotus"))
    give(referee, Bid("koi", 0))
    give(referee, Bid("lotus", 0))
    stamp = referee.stamp(TABLE)
    assert referee.submit_internal(TABLE, Done(TABLE), stamp).ok
    again = referee.submit_internal(TABLE, Done(TABLE), stamp)
    assert again.refusal is not None and again.refusal.text.key == "table.stale"
    refused = referee.submit_internal(TABLE, Done(TABLE))
    assert refused.refusal is not None and refused.refusal.clause == "PB-9"
    for bad in ((TABLE, Done("koi")), ("koi", Done("koi"))):
        with pytest.raises(ValueError, match="is not one of chance, table, time"):
            referee.submit_internal(*bad)


def test_a_finished_game_is_marked_so(referee: Referee, journal: Journal) -> None:
    run(referee, {seat: Bot(seat) for seat in SEATS})
    assert referee.state.phase == "over"
    assert journal.game(referee.game_id).ended == 1000


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(-2, 0), st.integers(0, 40)), max_size=60),
    st.randoms(use_true_random=False),
)
def test_any_interleaving_is_accepted_or_refused_and_applied_once(
    tmp_path_factory: pytest.TempPathFactory, taps: list[Any], rng: random.Random
) -> None:
    """Two phones tap at random, late, twice and out of order: every order has one answer, and the state is that of the accepted ones."""
    game = Pebbles()
    journal = Journal(tmp_path_factory.mktemp("journal") / "j.sqlite")
    referee = Referee.create(game, journal, SEATS, {"rounds": "3"}, chance=Chance.seeded(5))
    referee.journal._db.execute("PRAGMA synchronous=OFF")
    answers: dict[tuple[str, str], Answer] = {}
    sent: list[tuple[str, Order]] = []
    accepted: Counter[str] = Counter()
    for n, (who, which, late, again) in enumerate(taps):
        seat = (*SEATS, "fox")[who]
        choices = [c for p in referee.prompts() if p.seat == seat for c in p.choices]
        if choices and which:
            command = choices[rng.randrange(len(choices))].command
            if isinstance(command, Give):
                command = Give(command.seat, command.to, {"coins": which - 1})
        else:
            command = Done(seat)
        sent.append((seat, order(command, (referee.stamp(seat) if seat in SEATS else 0) + (late if which == 3 else 0), f"id{n}")))
        seat, tap = sent[max(0, n - again)] if again > 30 else sent[-1]  # now and then an old one comes once more
        before = referee.revision
        answer = referee.submit(seat, tap)
        key = (seat, tap.id)
        assert answers.setdefault(key, answer) == answer
        if referee.revision > before:
            accepted[key[1]] += 1
            assert answer.ok and answer.revision == before + 1
        while referee.prompts() and referee.prompts()[0].seat == TABLE:
            referee.submit_internal(TABLE, Done(TABLE))
    assert all(count == 1 for count in accepted.values())
    assert {key[1] for key, answer in answers.items() if answer.ok} == set(accepted)
    state = game.start(SEATS, {"rounds": "3"})
    rows = list(journal.rows(referee.game_id))
    assert [row.revision for row in rows] == list(range(len(rows)))
    for row in rows[1:]:
        state = game.apply(state, msgspec.json.decode(row.command, type=game.Command)).state
        assert msgspec.json.decode(row.state, type=game.State) == state
    assert state == referee.state
    assert sum(row.order_id is not None for row in rows) == len(accepted)
    journal.close()


@given(st.binary(max_size=60))
def test_any_bytes_as_a_command_are_answered(open_table: Referee, raw: bytes) -> None:
    answer = open_table.submit("koi", order(raw, open_table.stamp("koi"), f"{open_table.revision} {raw!r}"[:64]))
    assert answer.refusal is not None


@pytest.fixture(scope="module")
def open_table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Referee]:
    journal = Journal(tmp_path_factory.mktemp("journal") / "j.sqlite")
    yield Referee.create(Pebbles(), journal, SEATS, {})
    journal.close()
