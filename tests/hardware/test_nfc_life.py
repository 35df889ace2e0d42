"""The table of a device's states, and when it speaks up."""

import itertools

import pytest

from hardware.nfc.claims import Claims
from hardware.nfc.health import Health
from hardware.nfc.life import MAY, Life, State
from hardware.nfc.said import said

HERE, ABSENT = said("ready", model="PN532v1.6", device="/dev/x"), said("absent", device="/dev/x")
SILENT, LOST = said("silent", device="/dev/x"), said("lost", device="/dev/x")


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def walk(life, *states, why=SILENT):
    return [life.move(State(state), why) for state in states]


def test_ready_comes_only_from_a_handshake():
    assert [state for state, after in MAY.items() if State.READY in after] == [State.HANDSHAKING]
    for state, to in itertools.product(State, State):
        life = Life(Clock())
        life.state = state
        if to in MAY[state]:
            life.move(to, SILENT)
            assert life.state is to
        else:
            with pytest.raises(ValueError, match=f"from {state} to {to}"):
                life.move(to, SILENT)


def test_the_first_failure_of_a_kind_is_loud_then_quiet_until_it_works_again():
    life = Life(Clock())
    assert life.move(State.ABSENT, ABSENT)
    assert not life.move(State.ABSENT, ABSENT)
    assert walk(life, "opening", "handshaking", "absent") == [False, False, True]  # another kind
    assert walk(life, "opening", "absent") == [False, False]
    walk(life, "opening", "handshaking")
    assert life.move(State.READY, HERE)
    assert life.move(State.LOST, LOST)
    assert walk(life, "opening", "absent") == [False, True]


def test_waiting_doubles_to_the_cap_and_starts_anew_after_success():
    life = Life(Clock(), first=0.25, cap=2.0)
    assert [life.wait() for _ in range(5)] == [0.25, 0.5, 1.0, 2.0, 2.0]
    walk(life, "opening", "handshaking", "ready")
    assert life.wait() == 0.25


def test_losses_are_counted_and_times_kept():
    clock = Clock()
    life = Life(clock)
    for losses in (1, 2):
        walk(life, "opening", "handshaking", "ready")
        clock.now += 10
        walk(life, "lost")
        assert (life.drops, life.since) == (losses, clock.now)
    clock.now += 5
    walk(life, "absent")
    since = life.since
    clock.now += 5
    walk(life, "absent")
    assert life.since == since


def test_a_health_line_tells_all_there_is():
    poor = Health("reader-1", None, State.ABSENT, ABSENT, 12.4)
    assert poor.line == "reader-1: absent for 12 s. Nothing is plugged in at /dev/x."
    rich = Health("edo", "edo", State.READY, HERE, 61, heartbeat=0.04, drops=1, lying=("A", "B"), uncertain=("B",))
    assert rich.line == (
        "edo (edo): ready for 61 s, last answer 0.0 s ago, 2 tags lying, 1 uncertain, lost 1 time. PN532v1.6 at /dev/x is ready."
    )


def test_one_port_belongs_to_one_reader_under_any_name(tmp_path):
    port, link = tmp_path / "ttyUSB0", tmp_path / "by-id"
    port.touch()
    link.symlink_to(port)
    claims = Claims()
    assert claims.take(str(link), "left")
    assert claims.take(str(port), "left")
    assert not claims.take(str(port), "right")
    assert claims.holder(str(port)) == "left"
    link.unlink()
    assert claims.ports() == (str(port),)
    claims.drop("left")
    assert claims.holder(str(port)) is None
    assert claims.take(str(port), "right")


@pytest.mark.parametrize(
    ("state", "why", "tone"),
    [
        ("ready", HERE, "ok"),
        ("ready", said("noisy", percent=70, device="x"), "careful"),
        ("absent", ABSENT, "waiting"),
        ("lost", LOST, "careful"),
    ],
)
def test_a_tone_tells_whether_there_is_something_to_do(state, why, tone):
    assert Health("r", None, State(state), why, 0).tone == tone
