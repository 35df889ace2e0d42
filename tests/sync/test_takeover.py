"""Seats belong to people: claiming, taking over with the table's yes, dying codes, and a restart in between."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import pytest
from sync_rig import GAME, Memory, Rig
from toy import SEATS, CountTo

from companion.sync.exchange import ASKING, FAREWELL, Exchange
from companion.sync.keys import OFFERS, Keyring
from companion.sync.sealing import mqtt_password
from companion.sync.topics import Topics
from companion.table.journal import Journal, JournalError, SeatKey

T = Topics(GAME)


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


def enters(keys: Keyring, seat: str, key: SeatKey) -> bool:
    user = f"{seat}.{key.epoch}"
    return keys.auth(f"{user}-abc", user, mqtt_password(key.key).encode())


# -- the ring


def test_each_showing_of_a_code_is_the_next_epoch_with_its_own_key() -> None:
    keys = Keyring(Memory(), GAME, SEATS)
    first, second, other = keys.offer("koi"), keys.offer("koi"), keys.offer("lotus")
    assert [first.epoch, second.epoch, other.epoch] == [1, 2, 1]
    assert len({first.key, second.key, other.key}) == 3
    assert enters(keys, "koi", first) and enters(keys, "koi", second)


def test_unknown_seats_and_names_that_cannot_stand_in_a_topic_are_refused() -> None:
    keys = Keyring(Memory(), GAME, SEATS)
    with pytest.raises(ValueError, match="no seat 'moon' at this table; there are koi, lotus, turtle"):
        keys.offer("moon")
    with pytest.raises(ValueError, match="cannot stand in a topic"):
        Keyring(Memory(), GAME, ["a/b"])
    with pytest.raises(ValueError, match="cannot stand in a topic"):
        Keyring(Memory(), "GAME", SEATS)


def test_codes_end_before_their_numbers_do() -> None:
    store = Memory()
    store.put_seat_key(GAME, SeatKey("koi", 0xFFFF, bytes(32), held=True))
    with pytest.raises(ValueError, match="start a new game"):
        Keyring(store, GAME, SEATS).offer("koi")


def test_only_so_many_codes_of_a_seat_wait_to_be_scanned() -> None:
    gone: list[str] = []
    keys = Keyring(Memory(), GAME, SEATS, on_gone=gone.append)
    offers = [keys.offer("koi") for _ in range(OFFERS + 2)]
    assert gone == ["koi.1", "koi.2"]
    assert [enters(keys, "koi", key) for key in offers] == [False] * 2 + [True] * OFFERS


def test_who_may_connect_is_decided_by_user_password_and_client_id() -> None:
    keys = Keyring(Memory(), GAME, SEATS, password="of the table")
    koi, lotus = keys.offer("koi"), keys.offer("lotus")
    password = mqtt_password(koi.key).encode()
    assert keys.auth("koi.1-x", "koi.1", password)
    for client, user, word in [
        ("koi.1", "koi.1", password),  # no session of its own
        ("lotus.1-x", "koi.1", password),  # another's session
        ("", "koi.1", password),
        ("koi.1-x", "koi.1", mqtt_password(lotus.key).encode()),
        ("koi.1-x", "koi.1", b""),
        ("koi.1-x", "koi.1", bytes(64)),
        ("koi.2-x", "koi.2", password),
        ("-x", "", b""),
        ("x-x", "x", bytes(64)),
        ("guest-x", "guest", b"guest"),
        ("table-x", "table", b""),
    ]:
        assert not keys.auth(client, user, word), (client, user)
    assert keys.auth("table-x", "table", b"of the table")
    assert keys.auth("guest-x", "guest", mqtt_password(keys.guest.key).encode())
    assert len(Keyring(Memory(), GAME, SEATS).password) == 64  # made up, never empty


def test_a_user_may_do_its_own_things_while_its_epoch_lives() -> None:
    keys = Keyring(Memory(), GAME, SEATS)
    keys.offer("koi")
    assert keys.may("koi.1", "get", T.down("koi"))
    assert keys.may("koi.1", "pub", T.up("koi"))
    assert not keys.may("koi.1", "get", T.down("lotus"))
    assert not keys.may("koi.2", "get", T.down("koi"))
    assert keys.may("guest", "get", T.open)
    assert keys.may("table", "pub", T.open)
    keys.refuse("koi", 1)
    for action, topic in [("get", T.open), ("sub", T.down("koi")), ("pub", T.up("koi")), ("get", T.down("lotus"))]:
        assert not keys.may("koi.1", action, topic)
    assert keys.may("koi.1", "get", T.down("koi"))  # its last word
    keys.gone("koi", 1)
    assert not keys.may("koi.1", "get", T.down("koi"))
    keys.refuse("koi", 1)  # dead already
    keys.gone("koi", 7)


def test_the_holder_cannot_be_refused() -> None:
    keys = Keyring(Memory(), GAME, SEATS)
    keys.offer("koi")
    keys.take("koi", 1)
    keys.take("koi", 1)
    keys.refuse("koi", 1)
    assert keys.held("koi") == 1


def test_a_restart_keeps_seats_offers_and_the_guest(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    journal, game_id = rig.referee.journal, rig.referee.game_id
    keys = Keyring(journal, game_id, SEATS)
    held, offered = keys.offer("koi"), keys.offer("lotus")
    keys.take("koi", held.epoch)
    guest = keys.guest
    journal.close()
    again = Journal(tmp_path / "toy.journal")
    keys = Keyring(again, game_id, SEATS)
    assert (keys.held("koi"), keys.held("lotus")) == (held.epoch, None)
    assert enters(keys, "koi", held) and enters(keys, "lotus", offered)
    assert keys.guest == guest
    assert keys.offer("koi").epoch == held.epoch + 1
    again.close()


def test_a_crash_between_the_two_rows_of_a_takeover_leaves_the_new_phone_seated() -> None:
    store = Memory()
    old, new = SeatKey("koi", 1, b"a" * 32, held=True), SeatKey("koi", 4, b"b" * 32, held=True)
    for key in (
        old,
        new,
        SeatKey("koi", 3, b"c" * 32, held=False),
        SeatKey("koi", 5, b"d" * 32, held=False),
        SeatKey("gone", 1, b"e" * 32, held=True),
    ):
        store.put_seat_key(GAME, key)
    keys = Keyring(store, GAME, SEATS)
    assert keys.held("koi") == 4
    assert keys.bond("koi", 1) is None and keys.bond("koi", 3) is None
    assert keys.bond("koi", 5) is not None
    assert keys.bond("gone", 1) is None
    assert ("koi", 1) not in store.keys


def test_a_dead_code_is_dead_even_when_the_disk_cannot_say_so(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    store = Memory()
    keys = Keyring(store, GAME, SEATS)
    first, second = keys.offer("koi"), keys.offer("koi")

    def full(*_: object) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(store, "drop_seat_key", full)
    keys.take("koi", second.epoch)
    assert not enters(keys, "koi", first)
    assert "koi.1 stays in the journal: the disk is full" in caplog.text
    monkeypatch.undo()
    assert not enters(Keyring(store, GAME, SEATS), "koi", first)  # and the next start finds it older than the holder


# -- claiming a vacant seat


def test_the_first_valid_hello_takes_a_vacant_seat_and_its_other_codes_die(rig: Rig) -> None:
    first, second, third = rig.phone(), rig.phone(), rig.phone()
    rig.hello(second)
    assert second.state == "online"
    assert rig.asked == []
    assert sorted(rig.gone) == ["koi.1", "koi.3"]
    for loser in (first, third):
        rig.hello(loser)
        assert loser.state == "greeting"
    assert rig.exchange.status()["koi"] == "online"


# -- taking over


def test_a_newer_code_waits_for_the_table_and_sees_nothing(rig: Rig) -> None:
    old = rig.seated()
    new = rig.hello(rig.phone())
    assert new.state == "waiting"
    assert (new.last["view"], new.last["revision"], new.last["stamp"]) == (None, 0, 0)
    assert rig.asked == [("koi", True)]
    [asking] = rig.exchange.takeovers()
    assert (asking.seat, asking.epoch, asking.until) == ("koi", 2, rig.clock.now + ASKING)
    assert rig.order(old, CountTo("koi", 1))["ok"]
    rig.say(new, new.order(CountTo("koi", 2), stamp=1)[1], new.say({"t": "ping"}), new.say({"t": "lang", "lang": "ru"}))
    assert rig.referee.revision == 1
    assert new.answers == {}
    assert all(message["view"] is None for message in new.messages)
    assert rig.exchange.status()["koi"] == "online"


def test_yes_moves_the_seat_and_tells_the_old_phone_last(rig: Rig) -> None:
    old, new = rig.seated(lang="ru"), rig.hello(rig.phone())
    rig.hold = True
    assert rig.exchange.decide("koi", yes=True)
    rig.deliver()
    assert old.state == "revoked"
    assert old.messages[-1]["text"].startswith("Это место перешло")
    assert old.messages[-1]["view"] is None
    assert (new.state, new.view["title"]) == ("online", "The table")
    assert rig.asked == [("koi", True), ("koi", False)]
    assert rig.order(new, CountTo("koi", 1))["ok"]
    # the old phone's broker user lives until the broker has its last word, and can do nothing with it
    assert rig.gone == []
    assert not rig.keys.may("koi.1", "pub", T.up("koi"))
    for done in rig.held:
        done()
    assert rig.gone == ["koi.1"]
    rig.say(old, old.say({"t": "ping"}))
    assert rig.counts("epoch") == 1
    assert not rig.exchange.decide("koi", yes=True)


def test_an_approved_phone_is_shown_changes_without_having_to_ask(rig: Rig) -> None:
    rig.seated()
    lotus, new = rig.seated("lotus"), rig.hello(rig.phone())
    rig.exchange.decide("koi", yes=True)
    rig.deliver()
    rig.order(lotus, CountTo("lotus", 1))
    assert new.revision == 1


def test_yes_before_the_new_phone_is_ready_shows_it_when_it_is(rig: Rig) -> None:
    rig.seated()
    new = rig.phone()
    rig.exchange.heard("koi", new.hello())
    rig.exchange.decide("koi", yes=True)
    rig.deliver()
    assert (new.state, new.revision) == ("online", 0)


def test_yes_to_a_seat_whose_old_phone_is_gone_ends_its_user_at_once(rig: Rig) -> None:
    old = rig.seated()
    exchange = Exchange(rig.keys, rig.send, rig.submit, rig.clock)  # a restart: nobody has come back yet
    rig.exchange = exchange
    new = rig.hello(rig.phone())
    assert new.state == "waiting"
    assert exchange.decide("koi", yes=True)
    assert rig.gone == ["koi.1"]
    rig.hello(old)
    assert old.state == "greeting"


@pytest.mark.parametrize("how", ["no", "silence"])
def test_no_or_silence_ends_the_new_code_and_leaves_the_seat(rig: Rig, how: str) -> None:
    old, new = rig.seated(), rig.hello(rig.phone())
    if how == "no":
        assert rig.exchange.decide("koi", yes=False)
    else:
        rig.clock.now += ASKING - 1
        rig.exchange.tick()
        assert rig.exchange.takeovers()
        rig.clock.now += 1
        rig.exchange.tick()
    rig.deliver()
    assert new.state == "revoked"
    assert rig.gone == ["koi.2"]
    assert rig.asked == [("koi", True), ("koi", False)]
    assert not rig.exchange.decide("koi", yes=True)
    rig.hello(new)
    assert new.state == "greeting"  # dead
    assert rig.order(old, CountTo("koi", 1))["ok"]


def test_yes_on_a_full_disk_changes_nothing_and_can_be_said_again(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = rig.seated(), rig.hello(rig.phone())

    def full(*_: object) -> None:
        raise JournalError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rig.store, "put_seat_key", full)
        with pytest.raises(JournalError, match="the disk is full"):
            rig.exchange.decide("koi", yes=True)
    assert rig.order(old, CountTo("koi", 1))["ok"]
    assert new.state == "waiting"
    assert rig.exchange.decide("koi", yes=True)
    rig.deliver()
    assert (old.state, new.state) == ("revoked", "online")


def test_an_old_phone_that_was_just_coming_back_is_told_too(rig: Rig) -> None:
    old = rig.seated()
    rig.hello(rig.phone())
    rig.exchange.heard("koi", old.hello())
    welcome = rig.wire.pop()[1]
    rig.exchange.decide("koi", yes=True)
    old.take(welcome)
    rig.deliver()
    assert old.state == "revoked"


def test_a_last_word_the_broker_never_takes_ends_by_time(rig: Rig) -> None:
    rig.seated()
    rig.hello(rig.phone())
    rig.hold = True
    rig.exchange.decide("koi", yes=True)
    rig.exchange.tick()
    assert rig.gone == []
    rig.clock.now += FAREWELL
    rig.exchange.tick()
    assert rig.gone == ["koi.1"]
    for done in rig.held:
        done()
    assert rig.gone == ["koi.1"]


def test_a_waiting_phone_that_reconnects_asks_no_second_time(rig: Rig) -> None:
    rig.seated()
    new = rig.hello(rig.phone())
    rig.clock.now += 30
    rig.hello(new)
    assert new.state == "waiting"
    assert rig.asked == [("koi", True)]
    assert rig.exchange.takeovers()[0].until == 1000 + ASKING
    rig.exchange.decide("koi", yes=True)
    rig.deliver()
    assert new.state == "online"


def test_a_waiting_phone_may_wait_longer_than_an_unready_one(rig: Rig) -> None:
    rig.seated()
    new = rig.phone()
    rig.hello(new)
    rig.clock.now += ASKING - 0.5
    rig.exchange.tick()
    rig.exchange.decide("koi", yes=True)
    rig.deliver()
    assert new.state == "online"


def test_the_newest_code_asks_and_an_older_one_is_turned_away(rig: Rig) -> None:
    rig.seated()
    second, third, fourth = rig.phone(), rig.phone(), rig.phone()
    rig.hello(third)
    rig.hello(fourth)
    assert (third.state, fourth.state) == ("revoked", "waiting")
    rig.hello(second)
    assert second.state == "revoked"
    assert [t.epoch for t in rig.exchange.takeovers()] == [4]
    assert rig.asked == [("koi", True), ("koi", False), ("koi", True)]


def test_deciding_about_a_seat_nobody_asks_for_says_so(rig: Rig) -> None:
    assert not rig.exchange.decide("koi", yes=True)
    assert not rig.exchange.decide("moon", yes=False)


def test_a_replayed_hello_of_a_dead_code_asks_nothing(rig: Rig) -> None:
    old = rig.seated()
    new = rig.phone()
    hello = new.hello()
    rig.say(new, hello)
    rig.exchange.decide("koi", yes=False)
    rig.deliver()
    rig.exchange.heard("koi", hello)
    assert rig.exchange.takeovers() == ()
    assert rig.order(old, CountTo("koi", 1))["ok"]


def test_a_restart_in_the_middle_of_a_question_keeps_the_seat_and_asks_again(tmp_path: Path) -> None:
    rig = Rig(tmp_path)
    old, new = rig.seated(), rig.hello(rig.phone())
    (tmp_path / "again").mkdir()
    again = Rig(tmp_path / "again", rig.store)
    again.phones = [old, new]
    again.hello(old)
    again.hello(new)
    assert (old.state, new.state) == ("online", "waiting")
    assert again.asked == [("koi", True)]


def test_any_order_of_events_leaves_at_most_one_phone_a_seat(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A walk through offers, hellos, decisions and time: whoever is online holds the only living held key."""
    caplog.set_level(logging.WARNING)
    rng = random.Random(7)
    rig = Rig(tmp_path)
    for _ in range(400):
        match rng.randrange(6):
            case 0:
                rig.phone()
            case 1 | 2 if rig.phones:
                rig.hello(rng.choice(rig.phones))
            case 3:
                rig.exchange.decide("koi", yes=rng.random() < 0.5)
            case 4:
                rig.clock.now += rng.choice([1.0, 30.0])
                rig.exchange.tick()
            case _ if rig.phones:
                phone = rng.choice(rig.phones)
                if phone.state == "online":
                    rig.say(phone, phone.say({"t": "ping"}))
        rig.deliver()
        held = rig.keys.held("koi")
        assert [key.epoch for key in rig.store.keys.values() if key.seat == "koi" and key.held] == ([] if held is None else [held])
        for phone in rig.phones:
            assert phone.state != "online" or phone.bond.epoch == held
        assert len(rig.exchange.takeovers()) <= 1
