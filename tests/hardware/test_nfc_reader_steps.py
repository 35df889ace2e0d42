"""The reader's decisions, step by step on this thread: devices are fakes, time is the test's."""

import errno
import logging

import pytest

from hardware.nfc import reader as module
from hardware.nfc.claims import Claims
from hardware.nfc.discovery import Candidate, Search
from hardware.nfc.life import State
from hardware.nfc.reader import Reader, Tuning
from hardware.nfc.readers import Place, Readers
from hardware.nfc.said import said
from hardware.nfc.trouble import FrontError, Holder

KOI, CARD, PHONE = "04A1B2C3D4E5F6", "11223344", "08112233"
PORT = Candidate("/dev/ttyUSB0", named=True)
SHY = Candidate("/dev/ttyUSB0", named=False)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


class Fake:
    """A device that follows a script: an exception is raised, a set of UIDs is what one poll finds."""

    model = "PN532v1.6"

    def __init__(self, world):
        self.world, self.closed = world, False

    def open(self):
        self.world.act("open")

    def handshake(self):
        self.world.act("handshake")

    def sense(self, uid):
        if uid is None:
            self.world.clock.now += 0.1
            if not self.world.polls:
                self.world.reader._stop.set()
                raise FrontError(said("garbled", device="x"))  # the script is over: one more poll that says nothing
            self.world.field = self.world.polls.pop(0)
            if isinstance(self.world.field, Exception):
                raise self.world.field
            return bytes.fromhex(self.world.field[0]) if self.world.field else None
        return uid if uid.hex().upper() in self.world.field else None

    def cancel(self):
        self.world.done.append("cancel")

    def close(self):
        self.world.done.append("close")


class World:
    def __init__(self, monkeypatch, found=(PORT,), passed=(), **options):
        self.clock, self.claims = Clock(), Claims()
        self.found, self.passed, self.faults, self.polls, self.done, self.field = list(found), list(passed), {}, [], [], []
        self.sightings, self.states, self.notices = [], [], []
        self.tuning = Tuning(pause=0, hits=1, misses=2, away=0.1, rescan=0, tolerate=1)
        self.reader = Reader(
            options.pop("find", "/dev/ttyUSB0"),
            name="r",
            place="edo",
            clock=self.clock,
            on_sighting=options.pop("on_sighting", lambda sighting: self.sightings.append((sighting.uid, sighting.placed))),
            on_state=lambda health: self.states.append((str(health.state), health.said.key)),
            on_notice=lambda about: self.notices.append(about.key),
            claims=self.claims,
            tuning=self.tuning,
            look=lambda *_, **__: Search(tuple(self.found), tuple(self.passed)),
            fronts=lambda _candidate: Fake(self),
            **options,
        )
        monkeypatch.setattr(module, "holders", lambda _device: self.holders)
        self.holders = ()

    def act(self, what):
        self.done.append(what)
        if self.faults.get(what):
            raise self.faults[what]

    def attempt(self, *polls):
        self.reader._stop.clear()
        self.polls = list(polls)
        return self.reader._attempt()


@pytest.fixture
def world(monkeypatch):
    return World(monkeypatch)


def test_a_tap_is_one_placed_and_one_removed(world):
    world.attempt([], [KOI], [KOI], [KOI], [], [], [])
    assert world.sightings == [(KOI, True), (KOI, False)]
    assert world.done == ["open", "handshake", "close"]
    assert world.claims.holder(PORT.device) is None


def test_a_failed_poll_is_no_poll_and_a_second_in_a_row_ends_the_connection(world):
    broken = FrontError(said("garbled", device="x"))
    world.attempt([KOI], broken, [KOI], broken, [KOI], broken, broken, [KOI])
    assert world.sightings == [(KOI, True)]
    assert world.states[-1] == ("lost", "garbled")
    assert world.attempt([KOI], []) is not None
    assert world.sightings == [(KOI, True)]  # it lay there all the time


def test_a_figure_lifted_while_the_reader_was_gone_is_removed_when_it_is_back(world):
    gone = FrontError(said("lost", device="x"), fatal=True)
    world.attempt([KOI], gone)
    world.attempt([], [], [])
    assert world.sightings == [(KOI, True), (KOI, False)]


def test_the_third_loss_points_at_the_cable(world):
    for _ in range(3):
        world.attempt([], FrontError(said("lost", device="x"), fatal=True))
    assert [said for state, said in world.states if state == "lost"] == ["lost", "lost", "lost_often"]
    world.found = []
    world.attempt()
    assert world.reader.health().said.text.endswith("lost 3 times already: check its cable and hub.")
    assert world.reader.state is State.LOST


def test_a_phone_is_told_of_once_and_never_sighted(world):
    world.attempt([PHONE], ["08AABBCC"], ["08DDEEFF"], [], [], [], [PHONE])
    assert world.sightings == []
    assert world.notices == ["phone", "phone"]


def test_a_four_byte_number_is_warned_of_once_and_used(world):
    world.attempt([CARD], [], [], [CARD])
    assert world.sightings == [(CARD, True), (CARD, False), (CARD, True)]
    assert world.notices == ["four_bytes"]


def test_a_second_figure_is_found_among_the_known_ones(monkeypatch):
    lotus = "0411223344AABB"
    world = World(monkeypatch, known=lambda: ["nonsense", lotus])
    world.attempt([KOI], [KOI, lotus], [lotus])
    assert world.sightings == [(KOI, True), (lotus, True)]


@pytest.mark.logs_errors
def test_what_fails_in_the_listener_is_logged_and_goes_on(monkeypatch, caplog):
    world = World(monkeypatch, on_sighting=lambda _sighting: 1 / 0)
    world.attempt([KOI], [], [], [KOI])
    assert world.reader.state is State.READY
    assert sum("who listens failed" in record.message for record in caplog.records) == 3


@pytest.mark.parametrize(
    ("step", "error", "key"),
    [
        ("open", PermissionError(errno.EACCES, "no"), "denied_here"),
        ("open", ZeroDivisionError(), "failed"),
        ("handshake", FrontError(said("stranger", device="x")), "stranger"),
    ],
)
def test_a_device_that_cannot_be_used_is_left_with_the_reason(world, step, error, key):
    world.faults[step] = error
    assert world.attempt() == world.tuning.first
    assert world.states[-1] == ("absent", key)
    assert world.reader.health().said.key == key
    assert world.done[-1] == "close"
    assert world.claims.holder(PORT.device) is None


def test_the_same_failure_is_told_once(world, caplog):
    world.faults["handshake"] = FrontError(said("silent", device="x"))
    with caplog.at_level(logging.WARNING):
        waits = [world.attempt() for _ in range(8)]
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]
    assert len(caplog.records) == 1


def test_nothing_plugged_in_is_a_calm_state(world):
    world.found, world.passed = [], [said("absent", device="/dev/ttyUSB0")]
    world.attempt()
    assert world.states == [("absent", "absent")]


def test_ports_that_are_not_ours_are_not_touched(monkeypatch):
    world = World(monkeypatch, [SHY], find="auto")
    world.claims.take(SHY.device, "left")
    world.attempt()
    assert [why.text for why in world.reader.health().tried] == ["/dev/ttyUSB0 belongs to the reader left."]
    world.claims.drop("left")
    world.reader._claimed = lambda: [SHY.device]
    world.attempt()
    assert [why.text for why in world.reader.health().tried] == ["/dev/ttyUSB0 belongs to another device of this table."]
    world.reader._claimed = tuple
    world.holders = (Holder(12, "minicom"),)
    monkeypatch.setattr(module, "busy", lambda device: said("busy", device=device, holder="minicom (process 12)"))
    world.attempt()
    assert "minicom" in world.reader.health().said.text
    assert world.done == []
    assert world.claims.holder(SHY.device) is None


def test_a_strange_port_is_asked_ever_more_rarely_until_it_is_plugged_in_anew(monkeypatch):
    world = World(monkeypatch, [SHY], [said("unlikely", device="/dev/ttyACM0")], find="auto")
    world.tuning = world.reader._tuning = Tuning(rescan=1.0, rest=4.0)
    world.faults["handshake"] = FrontError(said("stranger", device="x"))
    asked = []
    for tenth in range(200):
        world.clock.now = tenth / 10
        before = len(world.done)
        world.attempt()
        asked += [world.clock.now] * (len(world.done) > before)
    assert asked == [0.0, 1.0, 3.0, 7.0, 11.0, 15.0, 19.0]
    assert world.reader.health().said.key == "none"
    assert [why.key for why in world.reader.health().tried] == ["unlikely", "stranger"]
    world.found = []
    world.attempt()
    world.found = [SHY]
    world.faults.clear()
    world.attempt([])
    assert world.reader.state is State.READY


def test_a_busy_port_is_tried_again_soon(monkeypatch):
    world = World(monkeypatch, [SHY], find="auto")
    world.tuning = world.reader._tuning = Tuning(rescan=1.0, rest=60.0, cap=2.0)
    world.faults["open"] = FrontError(said("busy_unknown", device="x"))
    asked = []
    for second in range(10):
        world.clock.now = float(second)
        before = len(world.done)
        world.attempt()
        asked += [second] * (len(world.done) > before)
    assert asked == [0, 1, 3, 5, 7, 9]


def test_a_noisy_link_shows_in_the_health_line(world):
    broken = FrontError(said("garbled", device="x"))
    world.attempt(*[[], [], [], broken] * 20)
    assert world.reader.health().quality == pytest.approx(0.75, abs=0.01)
    assert world.reader.health().said.text.startswith("Only 74 %")


@pytest.mark.logs_errors
def test_a_fault_of_our_own_is_logged_and_the_thread_lives(world):
    attempts = []

    def attempt():
        attempts.append(1)
        if len(attempts) == 1:
            world.reader._life.state = State.HANDSHAKING
            raise ZeroDivisionError
        world.reader._stop.set()
        return 0

    world.reader._attempt = attempt
    world.reader._idle = lambda _seconds: None
    world.reader._run()
    assert len(attempts) == 2
    assert world.states[0] == ("absent", "failed")
    world.reader._recover()  # from absent there is nothing to say


def test_waiting_ends_when_something_is_plugged_in(world):
    looks = iter([Search(()), Search(()), Search((PORT,))])
    world.reader._look = lambda *_, **__: next(looks)
    world.reader._idle(60)
    assert next(looks, None) is None

    def broken(*_, **__):
        raise OSError

    world.reader._look = broken
    world.reader._idle(0.001)


def test_stopping_says_good_bye_to_the_open_device(world):
    world.reader._front = Fake(world)
    world.reader.stop()
    assert world.done == ["cancel"]
    world.faults["open"] = OSError(errno.ECANCELED, "cancelled")
    world.reader._stop.set()
    world.reader._serve(PORT)
    assert world.states[-1] == ("absent", "stopped")


def test_several_readers_tell_one_story(monkeypatch):
    clock = Clock()
    told, asked, states, notices = [], [], [], []
    readers = Readers(
        [Place("left", "/dev/ttyUSB0", "edo"), Place("right", "/dev/ttyUSB1", "kyoto")],
        on_sighting=lambda sighting: told.append((sighting.place, sighting.placed)),
        on_conflict=asked.append,
        on_state=lambda health: states.append(health.name),
        on_notice=lambda name, about: notices.append((name, about.key)),
        clock=clock,
        claims=Claims(),
    )
    left, right = readers.readers["left"], readers.readers["right"]
    monkeypatch.setattr(Reader, "strength", lambda _self, _uid: 1.0)

    def sees(reader, at, *uids):
        clock.now = at
        reader._report({bytes.fromhex(uid) for uid in uids})

    for at in (0, 0.1):
        sees(left, at, KOI, PHONE)
    assert told == [("edo", True)]
    assert notices == [("left", "phone")]
    for at in (0.2, 0.3):
        sees(right, at, KOI)
    with readers._lock:
        readers._tell(readers._arbiter.tick(2.0))
    assert not asked, "nobody has looked since"
    sees(left, 2.0, KOI, PHONE)
    sees(right, 2.1, KOI)
    with readers._lock:
        readers._tell(readers._arbiter.tick(2.2))
    assert [conflict.places for conflict in asked] == [("edo", "kyoto")]
    readers.answer(KOI, "right")
    assert told[1:] == [("edo", False), ("kyoto", True)]
    assert readers.where(KOI).place == "kyoto"
    right._move(State.OPENING, said("opening", device="x"))
    right._move(State.HANDSHAKING, said("handshaking", device="x"))
    right._move(State.READY, said("ready", model="m", device="x"))
    right._move(State.LOST, said("lost", device="x"))
    assert states == ["right"] * 4
    assert [health.name for health in readers.health()] == ["left", "right"]
    assert readers._arbiter._lost == {"right"}


def test_two_readers_need_two_names():
    with pytest.raises(ValueError, match="two readers are called 'a'"):
        Readers([Place("a"), Place("a")], on_sighting=print, on_conflict=print)


@pytest.mark.logs_errors
def test_a_listener_that_fails_does_not_end_the_arbiters_clock(monkeypatch):
    told = []

    def fails(sighting):
        told.append(sighting)
        raise ZeroDivisionError

    readers = Readers([], on_sighting=fails, on_conflict=print)
    turns = iter([False, False, True])
    monkeypatch.setattr(readers._stop, "wait", lambda _seconds: next(turns))
    monkeypatch.setattr(readers._arbiter, "tick", fails)
    readers._tick()
    assert len(told) == 2
    readers._notice("a", said("none"))


def test_a_calm_reader_is_asked_less_often_and_for_more_figures_at_once(monkeypatch):
    asked, waited = [], []
    world = World(monkeypatch, known=lambda: [f"0400000000{n:04d}" for n in range(30)])
    world.reader._tuning = Tuning(pause=0.01, calm=0.5, after=1.0, hits=1, misses=2, away=0.1, rescan=0, tolerate=1)
    monkeypatch.setattr(world.reader._stop, "wait", waited.append)
    sweep = world.reader._sweep
    monkeypatch.setattr(world.reader, "_sweep", lambda sense, lying, known, ask: asked.append(ask) or sweep(sense, lying, known, ask))
    world.attempt(*[[KOI]] * 14, *[[]] * 4)
    assert asked[:9] == [4] * 9 and asked[13] == 8 and asked[-1] == 4
    assert waited[:9] == [0.01] * 9 and waited[12] == 0.5 and waited[-1] == 0.01


def test_what_lies_on_another_reader_is_not_asked_for_by_name():
    readers = Readers([Place("a"), Place("b")], on_sighting=print, on_conflict=print, known=lambda: [KOI, CARD])
    a, b = readers.readers["a"], readers.readers["b"]
    a._presence.poll({KOI}, 0)
    a._presence.poll({KOI}, 1)
    for state in (State.OPENING, State.HANDSHAKING, State.READY):
        a._life.move(state, said("opening", device="d"))
    assert readers._worth_asking("b") == [CARD] and list(b._known()) == [CARD] and list(a._known()) == [KOI, CARD]
    a._life.move(State.LOST, said("lost", device="d"))
    assert readers._worth_asking("b") == [KOI, CARD]
