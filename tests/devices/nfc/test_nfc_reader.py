"""Readers on simulated chips, through nfcpy's driver: the whole way from a tag on the antenna to a sighting."""

import logging
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
import serial
from nfc_bench import FAST, until

from hardware.nfc import Place, Readers, Tuning, frontend
from hardware.nfc.claims import Claims
from hardware.nfc.discovery import Candidate, Search
from hardware.sim.pn532 import PN532Sim
from hardware.sim.pn532_wire import ACK

KOI, LOTUS = "04A1B2C3D4E5F6", "0411223344AABB"


def test_a_figure_is_placed_once_while_it_lies_there_and_removed_once(sim, watch):
    watched = watch(sim.path, place="edo").ready()
    sim.put(KOI)
    until(lambda: watched.told)
    served = len(sim.log)
    until(lambda: len(sim.log) > served + 200)  # many polls later
    assert watched.told == [(KOI, True)]
    sim.take(KOI)
    until(lambda: len(watched.told) == 2)
    assert watched.told == [(KOI, True), (KOI, False)]
    first = watched.sightings[0]
    assert (first.reader, first.place) == ("r", "edo")
    until(lambda: watched.reader.health().heartbeat < 1)
    health = watched.reader.health()
    assert health.drops == 0
    assert health.line.startswith("r (edo): ready for ")


def test_a_tap_of_a_tenth_of_a_second_is_enough(watch):
    """By the chip's time, which passes while it works and not while this machine does something else: a command takes it 12 ms."""
    with PN532Sim(clock=lambda: len(sim.log) * 0.012) as sim:
        watched = watch(sim.path).ready()
        for _ in range(5):
            before = len(watched.told)
            sim.tap(KOI, 0.1)
            until(lambda before=before: len(watched.told) == before + 2)
        watched.reader.stop()
    assert watched.told == [(KOI, True), (KOI, False)] * 5


def test_a_badly_coupled_tag_does_not_flap(sim, watch):
    watched = watch(sim.path).ready()
    sim.weaken(KOI, 1, 2)
    sim.put(KOI)
    until(lambda: watched.told)
    sim.weaken(KOI, 2, 4)  # now whole polls miss it
    served = len(sim.log)
    until(lambda: len(sim.log) > served + 400)
    assert watched.told == [(KOI, True)]


def test_two_figures_on_one_reader_are_both_seen_when_both_are_known(sim, watch):
    watched = watch(sim.path, known=lambda: [KOI, LOTUS]).ready()
    sim.put(KOI)
    until(lambda: (KOI, True) in watched.told)
    sim.put(LOTUS)
    until(lambda: (LOTUS, True) in watched.told)
    sim.take(LOTUS)
    until(lambda: (LOTUS, False) in watched.told)
    sim.put(LOTUS)
    sim.take(KOI)
    until(lambda: (KOI, False) in watched.told)
    assert watched.told.count((KOI, True)) == 1
    assert set(watched.reader.health().lying) <= {LOTUS}


def test_a_phone_is_refused_and_a_four_byte_card_warned_of(sim, watch):
    watched = watch(sim.path).ready()
    sim.put("phone")
    until(lambda: watched.notices == ["phone"])
    sim.take("phone")
    sim.put("11223344")
    until(lambda: watched.told)
    assert watched.notices == ["phone", "four_bytes"]
    assert watched.told == [("11223344", True)]


@pytest.mark.parametrize(
    "offsets",
    [
        *(range(1 + start * 29, 1900, 4 * 59) for start in range(4)),
        *(pytest.param(range(start, start + 100), marks=[pytest.mark.soak, pytest.mark.timeout(600)]) for start in range(1, 1901, 100)),
    ],
    ids=lambda offsets: f"{offsets.start}..{offsets.stop} by {offsets.step}",
)
def test_the_cable_pulled_at_any_byte_is_survived_without_a_restart(sim, watch, offsets):
    """Bytes 1 to 1900 cover the whole handshake and some polls."""
    watched = watch(sim.path).ready()
    sim.put(KOI)
    until(lambda: watched.told)
    for offset in offsets:
        drops, plugs = watched.reader.health().drops, sim.plugs
        sim.vanish()
        until(lambda drops=drops: watched.reader.health().drops == drops + 1)
        sim.vanish(after=offset, back=0.01)  # once more, `offset` bytes after it is back
        sim.come_back()
        until(lambda plugs=plugs: sim.plugs == plugs + 2)
        watched.ready()
    until(lambda: watched.reader.health().uncertain == ())
    assert watched.told == [(KOI, True)]  # it lay there all the time
    sim.take(KOI)
    until(lambda: watched.told == [(KOI, True), (KOI, False)])
    assert watched.said("lost_often")


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_no_file_stays_open_after_many_losses(sim, watch):
    watched = watch(sim.path).ready()
    before = open_files()
    for drops in range(1, 6):
        sim.vanish(after=40 * drops, back=0.01)
        until(lambda drops=drops: watched.reader.health().drops == drops)
        watched.ready()
    assert open_files() <= before


def test_a_reader_plugged_in_later_is_taken_up(tmp_path, watch):
    path = tmp_path / "ttyLate"
    watched = watch(str(path))
    until(lambda: watched.said("absent"))
    with PN532Sim(link=path) as sim:
        watched.ready()
        sim.put(KOI)
        until(lambda: watched.told == [(KOI, True)])


def test_garbage_on_the_wire_loses_no_figure_and_invents_none(sim, watch):
    watched = watch(sim.path).ready()
    sim.put(KOI)
    until(lambda: watched.told)
    rng = random.Random(7)
    for _ in range(60):
        sim.say(rng.randbytes(rng.randrange(1, 40)))
        if rng.random() < 0.1:
            sim.garble(1)
        if rng.random() < 0.1:
            sim.lose_acks(1)
        served = len(sim.log)
        until(lambda served=served: len(sim.log) > served + 3)
    watched.ready()
    sim.take(KOI)
    until(lambda: watched.told[-1] == (KOI, False))
    assert watched.told == [(KOI, True), (KOI, False)]


def test_a_chip_that_falls_silent_is_lost_and_found_again(sim, watch):
    watched = watch(sim.path).ready()
    sim.silent = True
    until(lambda: watched.reader.health().drops == 1)
    until(lambda: watched.said("silent"))
    sim.silent = False
    watched.ready()


def noise(chunk):
    return bytes(octet ^ 0xA5 for octet in chunk)


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        (lambda _chunk: b"", "silent"),
        (lambda chunk: chunk, "stranger"),  # an echo
        (lambda _chunk: b"ok\r\n", "stranger"),
        (noise, "stranger"),
        (lambda _chunk: ACK * 30, "stranger"),
        (lambda _chunk: ACK + b"\x00\x00\xff\x06\xfa\xd5\x03\x33\x01\x02\x07\xeb\x00", "stranger"),  # another chip
        (lambda _chunk: b"\x00\x00\xff\xff\xff\xff\xff\x02" * 8, "stranger"),
    ],
)
def test_another_device_is_not_taken_for_a_reader(device, watch, answer, key):
    watched = watch(device(answer))
    until(lambda: watched.said(key))
    assert all(health.state not in {"ready", "lost"} for health in watched.states)


def test_a_device_that_talks_unasked_is_left_alone_unless_named(device, watch, monkeypatch):
    monkeypatch.setattr(frontend, "_UNASKED", 2.0)  # a busy machine may let it talk late
    heard = []
    path = device(lambda chunk: heard.append(chunk) or b"", unasked=b"$GPGGA,")
    watched = watch("auto", look=lambda *_, **__: Search((Candidate(path, named=False),)))
    until(lambda: watched.said("talker"))
    assert heard == []


def test_a_reader_left_at_high_speed_by_a_killed_program_is_called_back(sim, watch):
    code = (
        "import sys, time; from hardware.nfc import Reader\n"
        "Reader(sys.argv[1], name='r', on_sighting=print, on_state=lambda h: print(h.state, flush=True)).start(); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code, sim.path], stdout=subprocess.PIPE, text=True) as program:
        until(lambda: program.stdout.readline().strip() == "ready", 20)
        program.send_signal(signal.SIGKILL)
    assert sim._chip.speed == 921600
    watched = watch(sim.path).ready()
    sim.put(KOI)
    until(lambda: watched.told)


def test_no_permission_prints_the_one_command(sim, watch, monkeypatch, caplog):
    def refuse(self):
        raise serial.SerialException(13, "could not open port: permission denied")

    caplog.set_level(logging.WARNING)
    with monkeypatch.context() as patch:
        patch.setattr(serial.Serial, "open", refuse)
        watched = watch(sim.path)
        until(lambda: watched.reader.state == "absent" and len(watched.states) > 4)
    (told,) = [record.getMessage() for record in caplog.records]
    assert told.startswith(f"reader r: No permission for {sim.path}: run `sudo ")
    watched.ready()  # and needs no restart when the permission is there


def test_a_port_another_program_holds_names_the_program(sim, watch):
    code = "import serial, sys; port = serial.Serial(sys.argv[1], exclusive=True); print('held', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code, sim.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        until(lambda: other.stdout.readline() == "held\n")
        watched = watch(sim.path)
        until(lambda: watched.said("busy"))
        assert f"(process {other.pid})" in watched.reader.health().said.text
        other.stdin.close()
        watched.ready()


def test_two_readers_that_look_for_anything_take_one_each(watch):
    with PN532Sim() as first, PN532Sim() as second:
        claims = Claims()
        found = Search((Candidate(first.path, named=True), Candidate(second.path, named=True)))
        both = [watch("auto", name=name, claims=claims, look=lambda *_, **__: found) for name in ("a", "b")]
        for watched in both:
            watched.ready()
        assert {watched.reader.health().device for watched in both} == {first.path, second.path}


def test_a_figure_slid_from_zone_to_zone_is_in_one_place_and_a_copy_is_asked_about():
    told, asked = [], []
    with PN532Sim() as edo, PN532Sim() as kyoto:
        readers = Readers(
            [Place("left", edo.path, "edo"), Place("right", kyoto.path, "kyoto")],
            on_sighting=lambda sighting: told.append((sighting.place, sighting.placed)),
            on_conflict=asked.append,
            tuning=FAST,
            claims=Claims(),
        )
        readers._arbiter._overlap = 0.4
        readers.start()
        until(lambda: all(health.state == "ready" for health in readers.health()))
        edo.put(KOI)
        until(lambda: told == [("edo", True)])
        edo.slide(KOI, kyoto, 0.05)
        until(lambda: len(told) == 3)
        kyoto.slide(KOI, edo, -0.1)  # the fields overlap
        until(lambda: len(told) == 5)
        assert told == [("edo", True), ("edo", False), ("kyoto", True), ("kyoto", False), ("edo", True)]
        assert not asked
        kyoto.put(KOI)  # a second tag with the same number
        until(lambda: asked)
        assert asked[0].places == ("edo", "kyoto")
        assert len(told) == 5
        readers.answer(KOI, "right")
        assert readers.where(KOI).place == "kyoto"
        readers.stop()
    assert not readers._ticking.is_alive()


def test_stopping_leaves_the_chip_asleep_at_its_usual_speed(sim, watch):
    watched = watch(sim.path).ready()
    began = time.monotonic()
    watched.reader.stop()
    assert time.monotonic() - began < 2
    assert (sim._chip.speed, sim._chip.asleep) == (115200, True)
    assert watched.reader.state == "absent"
    assert watched.reader.health().said.key == "stopped"


@pytest.mark.parametrize("real_time", [False, True])
def test_a_tap_is_sighted_well_within_a_tenth_of_a_second(watch, real_time, record_property):
    """Default tuning; printed with -s."""
    delays = []
    with PN532Sim(real_time=real_time) as sim:
        watched = watch(sim.path, tuning=Tuning(away=0.05), clock=time.monotonic).ready()
        for _ in range(8):
            seen = len(watched.sightings)
            laid = time.monotonic()
            sim.put(KOI)
            until(lambda seen=seen: len(watched.sightings) > seen)
            delays.append(watched.sightings[seen].at - laid)
            sim.take(KOI)
            until(lambda seen=seen: len(watched.sightings) > seen + 1)
    median = statistics.median(delays)
    record_property("tap_to_sighting_ms", round(median * 1000))
    print(
        f"tap to sighting, {'115,200..921,600 baud and RF time' if real_time else 'no wire time'}: "
        f"median {median * 1000:.0f} ms, worst {max(delays) * 1000:.0f} ms"
    )
    assert median < 0.3
