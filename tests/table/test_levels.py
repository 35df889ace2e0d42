"""How strictly a table keeps the rules: strict refuses, advise lets it be done all the same and marks it, record only writes down."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from pebbles import Bid, Done, Give, Pebbles, Pick, Put, Shift
from table_figures import KOI1, KOI2, LOTUS1
from table_levels import SEATS, Open, log, offers, pressed, row
from table_orders import give, order, words

from companion.rules.game import TABLE, Gesture, MovePiece, Refusal
from companion.rules.view import Text
from companion.table import commands as say
from companion.table import levels, record
from companion.table.chance import Chance
from companion.table.desk import Offers
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.setup import ADVISE, LEVELS, RECORD, STRICT, Setup, decoded, encoded
from companion.words import render

CHANGED = "That has changed meanwhile. Look again, then choose."


# ---------------------------------------------------------------------- the word for it


def test_a_game_keeps_its_level_and_one_nobody_knows_is_strict() -> None:
    for level in LEVELS:
        assert decoded(encoded(Setup(level=level))).level == level
    assert encoded(Setup()) == "{}" and decoded('{"level":"lax"}').level == STRICT and decoded("{}").level == STRICT


def test_a_table_that_is_not_strict_says_so_in_its_log(opened: Open) -> None:
    assert log(opened(STRICT))[0][0] != "Strict: what the rules refuse is refused."
    assert log(opened(ADVISE))[0][0] == "Advise: what the rules refuse can be done all the same, and is marked."
    assert log(opened(RECORD))[0][0] == "Record: nothing is asked or refused; what hands do is written down."
    assert opened(RECORD).desk.current.level == RECORD


# ---------------------------------------------------------------------- strict


def test_strict_offers_nothing_but_what_is_lawful(opened: Open, journal: Journal) -> None:
    table = opened(STRICT)
    notice = table.tap(LOTUS1, "edo")
    assert notice.tone == "refused" and notice.clause == "PB-2" and notice.offers == ()
    heard: list[tuple[Refusal | None, Offers]] = []
    table.desk.why("lotus/pebble", "edo", lambda *told: heard.append(told))
    table.settle()
    assert heard[0][0] is not None and heard[0][1] == ()
    what = (MovePiece("lotus", "lotus/pebble", "reserve.lotus", "edo"),)
    for seat in (TABLE, "lotus"):
        refused = table.play(say.Overrule(seat, what, "PB-2"))
        assert words([refused.refusal.text]) == [CHANGED], refused
    assert table.map["lotus"] == {} and row(table, journal).revision == 1


def test_a_strict_table_asks_what_it_always_asked(opened: Open) -> None:
    table = opened(STRICT)
    table.pick()
    assert not table.play(Put("lotus", "pebble", "edo")).ok
    assert table.may()[-2:] == ["Set something right by hand", "Begin; everybody will hear of it"]
    assert not [p for seat in SEATS for p in table.desk.current.seats[seat].prompts if isinstance(p.choices[0].command, say.Overrule)]


# ---------------------------------------------------------------------- advise


def test_a_figure_that_may_not_go_there_is_refused_first_and_can_go_all_the_same(opened: Open, game: Pebbles, journal: Journal) -> None:
    table = opened(ADVISE)
    table.pick()
    notice = table.tap(LOTUS1, "edo")
    assert (notice.tone, notice.clause) == ("refused", "PB-4") and table.map["lotus"] == {}
    assert offers(table)[0] == "Do it anyway"
    detail = notice.offers[0][1].detail
    assert detail is not None and render(detail, "en") == "Lotus pebble comes to Edo"
    answer = pressed(table)
    assert answer.ok and table.map["lotus"] == {"edo": 1}
    told = ("The table, against the rules: Lotus pebble comes to Edo. Overruled: lotus may not", "PB-4")
    for reader in (None, *SEATS):
        assert told in log(table, reader), "everybody hears of it"
    assert (table.notice().tone, table.said(), table.notice().clause) == ("careful", *told)
    assert table.must("koi") == table.must("lotus") == [], "nobody is asked: they chose the level"
    written = row(table, journal)
    assert (written.sort, written.seat) == ("correct", TABLE)
    assert json.loads(written.command) == {
        "do": "overrule",
        "seat": "table",
        "what": [{"type": "move", "seat": "lotus", "kind": "lotus/pebble", "from": "reserve.lotus", "to": "edo"}],
        "clause": "PB-4",
    }
    text = record.export(game, journal, table.desk._referee.game_id)
    assert text.splitlines()[-1] == "table correct move lotus lotus/pebble reserve.lotus edo  # table overrules PB-4"
    again = record.parse(text)
    steps = list(record.replay(game, record.begin(game, again), [record.hear(game, line) for line in again.moves]))
    assert steps[-1].outcome.state == table.desk._referee.state


def test_it_is_undone_by_one_press_and_brought_back(opened: Open) -> None:
    table = opened(ADVISE)
    table.pick()
    table.tap(LOTUS1, "edo")
    pressed(table)
    assert table.press("Undo: Lotus pebble leaves Edo").ok
    assert table.map["lotus"] == {}
    assert table.press("Redo: Lotus pebble comes to Edo").ok
    assert table.map["lotus"] == {"edo": 1}


def test_the_game_goes_on_with_the_same_question(opened: Open) -> None:
    table = opened(ADVISE)
    table.pick()
    asked = table.desk.current.seats["koi"].prompts[0]
    table.tap(LOTUS1, "edo")
    pressed(table)
    assert table.desk.current.seats["koi"].prompts[0] == asked
    assert table.play(Put("koi", "pebble", "edo")).ok


def test_the_figure_goes_from_where_it_is_believed_to_be(opened: Open) -> None:
    table = opened(ADVISE)
    table.pick()
    table.tap(KOI1, "edo")
    table.tap(KOI2, "kyoto")
    assert table.map["koi"] == {"edo": 1, "kyoto": 1}, "no more this turn"
    table.tap(KOI2, "oshu")
    assert [render(c.detail, "en") for _, c in table.notice().offers if c.detail] == ["Koi pebble goes from Kyoto to Oshu"]
    pressed(table)
    assert table.map["koi"] == {"edo": 1, "oshu": 1}
    heard: list[Any] = []
    table.desk.why("koi/pebble", "kyoto", lambda _, may: heard.append([render(c.detail, "en") for _, c in may]))
    table.settle()
    assert heard == [["Koi pebble goes from Edo to Kyoto", "Koi pebble goes from Oshu to Kyoto"]], "nobody says which: both are offered"


def test_an_offer_does_not_outlive_the_game_going_on(opened: Open) -> None:
    table = opened(ADVISE)
    table.pick()
    seat, choice = table.tap(LOTUS1, "edo").offers[0]
    assert table.play(Give("koi", "lotus", {"coins": 1})).ok
    late = table.play(choice.command, seat)
    assert late.refusal is not None and words([late.refusal.text]) == [CHANGED]
    table.tap(LOTUS1, "edo")
    pressed(table)
    assert not table.play(choice.command, seat).ok, "a second press is not a second pebble"
    assert table.map["lotus"] == {"edo": 1}


def test_a_figure_that_cannot_be_there_at_all_is_offered_nothing(opened: Open, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(ADVISE)
    table.pick()
    monkeypatch.setattr(game, "correct", lambda *_: Refusal("PB-9", Text("table.nothing")))
    assert all(isinstance(c.command, Put | Shift) for _, c in table.tap(LOTUS1, "edo").offers)


def test_one_that_makes_the_position_impossible_is_not_offered(opened: Open, game: Pebbles, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.rules.game import Ruling

    table = opened(ADVISE)
    table.pick()
    monkeypatch.setattr(game, "faults", lambda s: tuple(Ruling("PB-8", Text("table.nothing")) for n in s.map["lotus"].values() if n))
    assert table.tap(LOTUS1, "edo").offers == ()


def test_what_chance_between_judging_and_doing_makes_impossible_is_refused(
    opened: Open, game: Pebbles, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(ADVISE)
    table.pick()
    seat, choice = table.tap(LOTUS1, "edo").offers[0]
    monkeypatch.setattr(game, "correct", lambda *_: Refusal("PB-9", Text("table.nothing")))
    refused = table.play(choice.command, seat)
    assert refused.refusal is not None and refused.refusal.clause == "PB-9"


def test_where_no_place_is_known_nothing_is_offered(opened: Open) -> None:
    table = opened(ADVISE)
    assert table.tap(LOTUS1).tone == "refused"
    assert offers(table) == []


# a seat's own order, as from its phone


def referee_at(game: Pebbles, journal: Journal, level: str) -> Referee:
    return Referee.create(game, journal, SEATS, {"rounds": "2"}, chance=Chance.seeded(1), setup=Setup(level=level))


def mine(referee: Referee, seat: str) -> list[Any]:
    return [p for p in referee.view(seat).prompts if isinstance(p.choices[0].command, say.Overrule)]


def test_a_seat_whose_order_is_refused_is_offered_it_in_its_own_view(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    give(referee, referee.prompts()[0].choices[0].command)
    before = referee.picture
    refused = give(referee, Shift("koi", "pebble", "kyoto", "oshu"), "no such pebble")
    assert refused.refusal is not None and not mine(referee, "koi") and referee.picture == before, "there is no pebble to shift"
    give(referee, Put("koi", "pebble", "edo"))
    give(referee, Put("koi", "pebble", "edo"))
    give(referee, Done("koi"))
    refused = give(referee, Put("lotus", "pebble", "edo"), "early")
    assert refused.refusal is not None and refused.refusal.clause == "PB-2"
    assert mine(referee, "lotus") == [], "nobody moves pebbles now, so nobody knows what it would have moved"
    give(referee, Pick("lotus", referee.state.deck[0]))
    asked, stamps = referee.prompts(), referee.stamps()
    refused = give(referee, Put("koi", "pebble", "kyoto"), "too late")
    assert refused.refusal is not None and refused.refusal.clause == "PB-4"
    (prompt,) = mine(referee, "koi")
    assert prompt.optional and prompt.clause == "PB-4" and not mine(referee, "lotus") and not referee.table()[0].private
    assert words([prompt.text, prompt.choices[0].text, prompt.choices[0].detail]) == [
        "Refused: koi may not It can be done all the same.",
        "Do it anyway",
        "Koi pebble comes to Kyoto",
    ]
    assert (referee.prompts(), referee.stamps()) == (asked, stamps)
    forged = msgspec.structs.replace(prompt.choices[0].command, clause="PB-1")
    answer = give(referee, forged)
    assert answer.ok and referee.state.map["koi"] == {"edo": 2, "kyoto": 1}
    assert words([answer.events[0].text]) == ["Koi, against the rules: Koi pebble comes to Kyoto. Overruled: koi may not"]
    assert json.loads(journal.last(referee.game_id).command)["clause"] == "PB-4", "the rules say which, not the phone"
    assert mine(referee, "koi") == []
    back = [c.command for p in referee.view("koi").prompts for c in p.choices if isinstance(c.command, say.Undo)]
    assert give(referee, back[0]).ok and referee.state.map["koi"] == {"edo": 2}, "its own may be taken back alone"


def test_a_seat_overrules_only_with_figures_of_its_own(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    give(referee, referee.prompts()[0].choices[0].command)
    refused = give(referee, Give("koi", "koi", {"coins": 2}), "a crown")
    assert refused.refusal is not None and mine(referee, "koi") == [], "the crown is nobody's"
    what = (MovePiece("lotus", "lotus/pebble", "reserve.lotus", "edo"),)
    assert not give(referee, say.Overrule("koi", what)).ok
    assert referee.state.map == {"koi": {}, "lotus": {}}


def test_only_the_newest_refusals_may_be_overruled_and_the_last_is_asked(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    give(referee, referee.prompts()[0].choices[0].command)
    for n in range(2 * levels.MOST):
        give(referee, Put("lotus", "pebble", ("edo", "kyoto", "oshu")[n % 3]), f"n{n}")
    kept = referee.levels._refused["lotus"]
    assert len(kept) == 3 and len(mine(referee, "lotus")) == 1
    assert mine(referee, "lotus")[0].choices[0].command.what == kept[-1].what


def test_a_resumed_table_advises_and_old_refusals_are_forgotten(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    give(referee, referee.prompts()[0].choices[0].command)
    give(referee, Put("lotus", "pebble", "edo"), "x1")
    command = mine(referee, "lotus")[0].choices[0].command
    back = Referee.resume(game, journal, referee.game_id)
    assert back.levels.advises and not mine(back, "lotus") and not give(back, command, "x2").ok
    give(back, Put("lotus", "pebble", "edo"), "x3")
    assert give(back, mine(back, "lotus")[0].choices[0].command, "x4").ok
    assert Referee.resume(game, journal, referee.game_id).state == back.state


def test_what_a_refused_order_would_have_moved_is_read_off_the_choice_most_like_it(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    assert levels.meant(referee.prompts(), Put("koi", "pebble", "edo")) == (), "a secret question tells nothing"
    give(referee, referee.prompts()[0].choices[0].command)
    give(referee, Put("koi", "pebble", "edo"))
    prompts = referee.prompts()
    assert levels.meant(prompts, Put("lotus", "stone", "nara")) == (Gesture("lotus/stone", "reserve.lotus", "nara"),)
    assert levels.meant(prompts, Shift("koi", "pebble", "kyoto", "edo")) == (Gesture("koi/pebble", "kyoto", "edo"),)
    assert levels.meant(prompts, Bid("koi", 1)) == () == levels.meant(prompts, Done("koi"))


# ---------------------------------------------------------------------- another level during the game


def test_the_host_may_name_another_level_and_everybody_hears_it(opened: Open, game: Pebbles, journal: Journal) -> None:
    table = opened(STRICT)
    assert not table.play(say.Level("koi", ADVISE)).ok, "no phone may"
    assert not table.play(say.Level(TABLE, STRICT)).ok and not table.play(say.Level(TABLE, "lax")).ok
    assert table.play(say.Level(TABLE, RECORD)).ok
    text = "The table decides: Record: nothing is asked or refused; what hands do is written down."
    assert (text, "") in log(table, "koi") and row(table, journal).sort == "note"
    assert table.desk.current.level == RECORD and table.desk.current.open.waits == ()
    table.tap(KOI1, "edo")
    assert "How strictly the rules are kept" in table.may()
    assert table.press("Strict: what the rules refuse is refused.").ok
    assert "How strictly the rules are kept" not in table.may()
    assert table.desk.current.seats["koi"].prompts and table.desk.current.open.waits
    back = Referee.resume(game, journal, table.desk._referee.game_id)
    assert back.levels.level == STRICT and back.state == table.desk._referee.state


def test_a_phone_cannot_make_up_a_level_or_an_overrule(game: Pebbles, journal: Journal) -> None:
    referee = referee_at(game, journal, ADVISE)
    for raw in (
        b'{"do":"overrule","seat":"koi","what":[]}',
        b'{"do":"overrule","seat":"koi","what":[{"type":"counter","seat":"koi","counter":"coins","value":9}]}',
        b'{"do":"overrule","seat":"lotus","what":[]}',
        b'{"do":"level","seat":"koi","level":"record"}',
        b'{"do":"level","seat":"koi"}',
        b'{"do":"overrule","seat":"koi","what":[],"clause":"' + b"x" * 65 + b'"}',
    ):
        answer = referee.submit("koi", order(raw, referee.stamp("koi"), str(raw)[:60]))
        assert answer.refusal is not None, raw
    assert referee.revision == 1 and referee.levels.level == ADVISE
