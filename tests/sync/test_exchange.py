"""Conversations: who is heard, who is shown what, and that nothing acts twice."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from sync_rig import Rig
from toy import CountTo, Hide

from companion.sync import exchange as rooms
from companion.sync import sealing
from companion.sync.messages import to_b64
from companion.table.journal import JournalError
from companion.table.referee import Answer
from phone import Talk


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def count(phone: Talk) -> int:
    return int(phone.view["sections"][0]["nodes"][0].get("value", 0))


def test_a_hello_is_welcomed_with_the_whole_picture(rig: Rig) -> None:
    phone = rig.seated("koi")
    welcome = phone.messages[0]
    assert welcome["t"] == "welcome"
    assert (welcome["seat"], welcome["revision"], welcome["stamp"], welcome["answer"], welcome["waiting"]) == ("koi", 0, 0, None, False)
    assert welcome["view"]["title"] == "The table"
    assert welcome["view"]["prompts"][0]["choices"][0]["command"] == {"do": "count", "seat": "koi", "n": 1}
    assert len(phone.messages) == 1  # ready brought nothing new, so nothing was sent
    assert rig.exchange.status() == {"koi": "online", "lotus": "vacant", "turtle": "vacant"}


def test_an_order_is_answered_with_the_picture_after_it(rig: Rig) -> None:
    koi, lotus = rig.seated("koi"), rig.seated("lotus", "ru")
    answer = rig.order(koi, CountTo("koi", 1))
    assert answer == {"id": answer["id"], "ok": True, "revision": 1, "events": ["koi counts to 1"], "refusal": None}
    assert (koi.revision, count(koi)) == (1, 1)
    assert len(koi.messages) == 2  # the picture came once, with the answer
    assert lotus.last["answer"] is None
    assert count(lotus) == 1
    assert lotus.view["log"][-1]["text"] == "koi считает до 1"


def test_a_refusal_says_clause_sentence_and_what_is_lawful_in_the_phones_language(rig: Rig) -> None:
    phone = rig.seated("koi", "ru-RU")
    answer = rig.order(phone, CountTo("koi", 7))
    assert not answer["ok"]
    assert answer["refusal"] == {"clause": "T-1", "text": "Дальше 1 никто не считает.", "lawful": ["считать до 1"]}
    assert phone.stamp == 0


def test_only_what_a_seat_sees_changed_is_sent(rig: Rig) -> None:
    koi, lotus = rig.seated("koi"), rig.seated("lotus")
    before = len(lotus.messages)
    rig.exchange.refresh()
    rig.deliver()
    assert (len(lotus.messages), len(koi.messages)) == (before, 1)
    rig.exchange.refresh(whole=True)  # the wire broke
    rig.deliver()
    assert (len(lotus.messages), len(koi.messages)) == (before + 1, 2)


def test_events_reach_only_those_they_are_for(rig: Rig) -> None:
    koi, lotus = rig.seated("koi"), rig.seated("lotus")
    answer = rig.order(koi, Hide("koi", "CANARY"))
    assert answer["events"] == ["koi hides a word", "the word CANARY"]
    assert "CANARY" in json.dumps(koi.view)
    assert "CANARY" not in json.dumps(lotus.messages)


def test_events_the_referee_should_not_have_handed_over_are_held_back_here_too(rig: Rig) -> None:
    koi = rig.seated("koi")
    applied = rig.referee.game.apply(rig.referee.state, Hide("lotus", "CANARY"))
    events = applied.events  # one of them is for lotus only
    rig.exchange.answered("koi", koi.bond.epoch, Answer("x", ok=True, revision=0, events=events), 0)
    rig.deliver()
    assert koi.answers["x"]["events"] == ["lotus hides a word"]


def test_the_language_can_change_at_any_time(rig: Rig) -> None:
    phone = rig.seated("koi", "en")
    rig.say(phone, phone.say({"t": "lang", "lang": "ru"}))
    assert phone.view["title"] == "Стол"
    rig.say(phone, phone.say({"t": "lang", "lang": "tlh"}))
    assert phone.view["title"] == "The table"


def test_a_ping_is_answered_with_the_whole_view(rig: Rig) -> None:
    phone = rig.seated()
    rig.say(phone, phone.say({"t": "ping"}))
    assert [message["t"] for message in phone.messages] == ["welcome", "view"]
    assert phone.messages[1]["view"] == phone.messages[0]["view"]


def test_a_repeated_order_gets_the_first_answer_and_acts_once(rig: Rig) -> None:
    phone = rig.seated()
    first = rig.order(phone, CountTo("koi", 1), order_id="once")
    again = rig.order(phone, CountTo("koi", 1), stamp=0, order_id="once")
    assert again == first
    assert rig.referee.revision == 1


def test_an_answer_waits_for_the_picture_that_is_as_new(rig: Rig) -> None:
    phone = rig.seated()
    rig.exchange.answered("koi", phone.bond.epoch, Answer("late", ok=True, revision=1), 1)
    rig.deliver()
    assert "late" not in phone.answers
    rig.exchange.answered("koi", phone.bond.epoch, Answer("unseen", ok=True, revision=1), 0)  # the desk cannot show revision 1
    rig.deliver()
    assert "unseen" in phone.answers
    rig.order(phone, CountTo("koi", 1))
    assert "late" in phone.answers


def test_an_answer_to_a_phone_that_is_gone_is_forgotten(rig: Rig) -> None:
    rig.exchange.answered("koi", 1, Answer("x", ok=True, revision=0), 0)
    phone = rig.seated()
    rig.exchange.answered("koi", phone.bond.epoch + 1, Answer("x", ok=True, revision=0), 0)
    rig.deliver()
    assert phone.answers == {}


def test_before_the_first_picture_a_phone_is_welcomed_without_one(rig: Rig) -> None:
    other = rooms.Exchange(rig.keys, rig.send, rig.submit, rig.clock)
    rig.exchange = other
    phone = rig.seated()
    assert phone.messages[0]["view"] is None
    assert not phone.messages[0]["waiting"]


# -- reconnecting


def test_a_phone_comes_back_by_a_new_hello_and_sees_what_it_missed(rig: Rig) -> None:
    koi, lotus = rig.seated("koi"), rig.seated("lotus")
    rig.phones.remove(lotus)  # asleep
    rig.order(koi, CountTo("koi", 1))
    rig.phones.append(lotus)
    rig.hello(lotus)
    assert lotus.state == "online"
    assert count(lotus) == 1


def test_what_changed_between_welcome_and_ready_is_shown_when_it_is_ready(rig: Rig) -> None:
    koi, lotus = rig.seated("koi"), rig.phone("lotus")
    rig.exchange.heard("lotus", lotus.hello())
    welcome = rig.wire.pop()[1]
    ready = lotus.take(welcome)
    rig.order(koi, CountTo("koi", 1))
    assert count(lotus) == 0  # not ready: not shown
    rig.say(lotus, *ready)
    assert count(lotus) == 1


def test_any_later_frame_makes_a_connection_ready(rig: Rig) -> None:
    phone = rig.phone()
    rig.exchange.heard("koi", phone.hello())
    phone.take(rig.wire.pop()[1])
    assert rig.order(phone, CountTo("koi", 1))["ok"]


def test_a_second_window_with_the_same_code_takes_over_and_the_first_is_told(rig: Rig) -> None:
    first = rig.seated()
    second = rig.phone(key=rig.store.keys["koi", first.bond.epoch])
    rig.hello(second)
    assert (first.state, second.state) == ("moved", "online")
    assert first.messages[-1]["text"].startswith("This seat was opened in another window")
    rig.say(first, first.say({"t": "ping"}))  # its connection is over
    assert rig.counts("seal") == 1
    rig.hello(first)  # but the player may want it back
    assert (first.state, second.state) == ("online", "moved")


# -- what a bad network does


def test_a_replayed_hello_disturbs_nobody(rig: Rig) -> None:
    phone = rig.phone()
    hello = phone.hello()
    rig.say(phone, hello)
    for _ in range(30):
        rig.say(phone, hello)
    assert phone.state == "online"
    assert rig.order(phone, CountTo("koi", 1))["ok"]
    rig.hello(phone)  # a new connection; now the old hello is a stranger's
    before = phone.ignored
    for _ in range(30):
        rig.say(phone, hello)
    assert phone.state == "online"
    assert phone.ignored > before
    assert rig.order(phone, CountTo("koi", 2))["ok"]


def test_a_hello_delivered_twice_before_ready_is_one_connection(rig: Rig) -> None:
    phone = rig.phone()
    hello = phone.hello()
    rig.exchange.heard("koi", hello)
    rig.exchange.heard("koi", hello)
    rig.deliver()
    assert phone.state == "online"
    assert rig.order(phone, CountTo("koi", 1))["ok"]


def test_a_seat_may_have_few_unready_connections_and_the_newest_wins(rig: Rig) -> None:
    phone = rig.phone()
    hellos = [phone.hello() for _ in range(rooms.PENDINGS + 3)]
    for hello in hellos:
        rig.exchange.heard("koi", hello)
    rig.deliver()
    assert phone.state == "online"
    assert rig.order(phone, CountTo("koi", 1))["ok"]


def test_a_connection_that_never_gets_ready_is_forgotten(rig: Rig) -> None:
    phone = rig.phone()
    rig.exchange.heard("koi", phone.hello())
    ready = phone.take(rig.wire.pop()[1])
    rig.clock.now += rooms.PENDING
    rig.exchange.tick()
    rig.say(phone, *ready)
    assert rig.exchange.status()["koi"] == "asleep"
    rig.hello(phone)
    assert rig.exchange.status()["koi"] == "online"


def test_an_unready_connection_older_than_the_ready_one_cannot_come_after_it(rig: Rig) -> None:
    phone = rig.phone()
    rig.exchange.heard("koi", phone.hello())
    late = phone.take(rig.wire.pop()[1])
    rig.hello(phone)
    rig.say(phone, *late)
    assert phone.state == "online"
    assert rig.order(phone, CountTo("koi", 1))["ok"]


def test_a_hello_inside_a_connection_and_a_late_word_in_a_hello_are_refused(rig: Rig) -> None:
    phone = rig.seated()
    rig.say(phone, phone.say({"t": "hello", "proto": 1, "nonce": to_b64(bytes(16))}))
    rig.say(phone, sealing.seal_hello(phone.bond, b'{"t":"ping"}'))
    assert rig.counts("message") == 2


def test_an_old_page_is_told_to_reload_and_gets_nothing_else(rig: Rig) -> None:
    phone = rig.phone(lang="ru")
    phone.proto = 0
    rig.hello(phone)
    assert phone.state == "reload"
    told = phone.messages[0]
    assert (told["proto"], told["view"]) == (1, None)
    assert told["text"] == "Версия этой страницы не подходит к столу. Обновите её."
    assert rig.exchange.status()["koi"] == "vacant"  # and it has not taken the seat
    phone.proto = 1
    assert rig.hello(phone).state == "online"


def test_frames_of_dead_epochs_and_strangers_are_counted(rig: Rig) -> None:
    first, second = rig.phone(), rig.phone()
    rig.hello(second)
    rig.hello(first)  # its code died when the other took the seat
    assert first.state == "greeting"
    assert rig.counts("epoch") == 1
    rig.exchange.heard("nobody", b"x")
    assert rig.exchange.complaints.counts["strangers", "seat"] == 1


def test_a_bad_phone_is_one_line_a_minute_in_the_log(rig: Rig, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for _ in range(100):
        rig.exchange.heard("koi", b"garbage")
    rig.exchange.heard("lotus", b"garbage")
    rig.clock.now += 61
    rig.exchange.heard("koi", b"garbage")
    lines = [record.getMessage() for record in caplog.records if "ignored from" in record.getMessage()]
    assert [line.split(":")[0] for line in lines] == ["ignored from koi", "ignored from lotus", "ignored from koi"]
    assert "99 more" in lines[2]
    assert rig.exchange.complaints.counts["koi", "version"] == 101


def test_a_full_disk_gives_no_seat_but_breaks_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    phone = rig.phone()

    def full(*_: object) -> None:
        raise JournalError("the disk is full; free some space and try again")

    with monkeypatch.context() as patch:
        patch.setattr(rig.store, "put_seat_key", full)
        rig.hello(phone)
    assert "the disk is full" in caplog.text
    assert (phone.state, rig.exchange.status()["koi"]) == ("greeting", "vacant")
    assert rig.hello(phone).state == "online"


# -- presence


def test_presence_follows_the_newest_connection_only(rig: Rig) -> None:
    phone = rig.seated()

    def status() -> str:
        return rig.exchange.status()["koi"]

    rig.exchange.presence("koi", on=True, conn="a")
    rig.exchange.presence("koi", on=True, conn="b")
    rig.exchange.presence("koi", on=False, conn="a")
    assert status() == "online"  # the will of an older connection
    rig.exchange.presence("koi", on=False, conn="b")
    assert status() == "asleep"
    rig.exchange.presence("koi", on=True, conn="c")
    assert status() == "asleep"  # connected is not yet there
    rig.hello(phone)
    assert status() == "online"
    rig.exchange.presence("nobody", on=True, conn="x")
    assert rig.exchange.greetings() == {"koi": 1000.0}


def test_a_text_is_never_a_view_of_another_seat(rig: Rig) -> None:
    phones = {seat: rig.seated(seat) for seat in ("koi", "lotus", "turtle")}
    for seat, phone in phones.items():
        rig.order(phone, Hide(seat, f"CANARY-{seat}"))
    for seat, phone in phones.items():
        told = json.dumps(phone.messages)
        assert [other for other in phones if f"CANARY-{other}" in told] == [seat]


def test_the_rules_clauses_come_once_a_connection_and_language(tmp_path: Path) -> None:
    rig = Rig(tmp_path, clauses={"en": {"T-1": "One each."}, "ru": {"T-1": "По одному."}})
    phone = rig.seated()
    assert phone.messages[-1]["clauses"] == {"T-1": "One each."}
    rig.say(phone, phone.say({"t": "ping"}))
    assert "clauses" not in phone.messages[-1]
    rig.say(phone, phone.say({"t": "lang", "lang": "ru"}))
    assert phone.messages[-1]["clauses"] == {"T-1": "По одному."}
