"""The simulated PN532 under nfcpy's own driver, over nfcpy's own serial transport and over ours."""

import random
import select

import ndef
import nfc
import nfc.clf.pn532
import nfc.clf.transport
import nfc.tag
import pytest
import serial
from nfc_bench import until

from hardware.nfc.line import Line
from hardware.sim.tags import Ntag

KOI, LOTUS = bytes.fromhex("04A1B2C3D4E5F6"), bytes.fromhex("0411223344AABB")
MESSAGE = [ndef.UriRecord("urn:nfc:koi"), ndef.TextRecord("Koi Bushi 1", "en")]
ANY = nfc.clf.RemoteTarget("106A")


def opened(line):
    clf = nfc.ContactlessFrontend()
    clf.device = nfc.clf.pn532.init(line)
    clf.device._path = line.port
    return clf


@pytest.fixture(params=[nfc.clf.transport.TTY, Line], ids=["nfcpy transport", "our line"])
def clf(request, sim):
    frontend = opened(request.param(sim.path))
    yield frontend
    frontend.close()


def framed(code, data):
    body = bytes((0xD4, code)) + data
    return b"\x00\x00\xff" + bytes((len(body), -len(body) & 0xFF)) + body + bytes((-sum(body) & 0xFF, 0))


def named(uid):
    return nfc.clf.RemoteTarget("106A", sel_req=bytearray(uid))


def test_an_empty_field_then_a_tag_then_an_empty_field(clf, sim):
    assert str(clf.device).startswith("PN532v1.6 at /")
    assert clf.sense(ANY) is None
    sim.put(KOI.hex())
    assert clf.sense(ANY).sdd_res == KOI
    sim.take(KOI.hex())
    assert clf.sense(ANY) is None


@pytest.mark.parametrize("kind", [213, 215, 216])
def test_a_tag_is_recognised_read_and_rewritten(clf, sim, kind):
    tag = Ntag(KOI, kind, b"".join(ndef.message_encoder(MESSAGE)))
    sim.put(tag)
    active = nfc.tag.activate(clf, clf.sense(ANY))
    assert active.product == f"NXP NTAG{kind}"
    assert list(active.ndef.records) == MESSAGE
    assert len(active.signature) == 32
    active.ndef.records = [ndef.TextRecord("rewritten", "en")]
    again = nfc.tag.activate(clf, clf.sense(ANY))
    assert [record.text for record in again.ndef.records] == ["rewritten"]
    assert again.is_present
    sim.take(tag)
    assert not again.is_present


def test_two_tags_are_told_apart_by_their_numbers(clf, sim):
    for uid in (KOI, LOTUS):
        sim.put(uid.hex())
    assert {bytes(clf.sense(ANY).sdd_res) for _ in range(5)} == {LOTUS}  # anticollision always ends at the same one
    for uid in (KOI, LOTUS):
        assert clf.sense(named(uid)).sdd_res == uid
    assert clf.sense(named(b"\x04" + bytes(6))) is None


def test_a_phone_and_a_classic_card(clf, sim):
    sim.put("phone")
    seen = {bytes(clf.sense(ANY).sdd_res) for _ in range(5)}
    assert len(seen) == 5
    assert {uid[0] for uid in seen} == {8}
    assert nfc.tag.activate(clf, clf.sense(ANY)).type == "Type4Tag"
    sim.take("phone")
    sim.put("11223344")
    assert nfc.tag.activate(clf, clf.sense(ANY)).ndef is None


def test_a_refusing_tag_is_an_error_and_not_a_wrong_answer(clf, sim):
    sim.put(KOI.hex())
    active = nfc.tag.activate(clf, clf.sense(ANY))
    sim.refuse(1)
    with pytest.raises(nfc.tag.tt2.Type2TagCommandError):
        active.read(4)
    assert active.read(4)[:4] == bytes.fromhex("0103A00C")


def test_a_dead_field_finds_nothing(clf, sim):
    sim.put(KOI.hex())
    sim.kill_field()
    assert clf.sense(ANY) is None
    sim.kill_field(False)
    assert clf.sense(ANY) is not None


@pytest.mark.parametrize("line", [nfc.clf.transport.TTY, Line])
def test_closing_leaves_the_chip_so_that_it_opens_again(sim, line):
    for _ in range(3):
        clf = opened(line(sim.path))
        assert sim._chip.speed == 921600
        clf.close()
        assert (sim._chip.speed, sim._chip.asleep) == (115200, True)


def test_at_the_wrong_speed_nothing_is_understood(sim):
    line = Line(sim.path, patience=0.05)
    line.open(sim.path, 9600)
    line.write(bytes(10) + bytes.fromhex("0000ff02fed4022a00"))
    with pytest.raises(TimeoutError):
        line.read(50)
    line.close()
    assert not sim.log


def silent(sim):
    """It has taken all that was sent, and waits for no more."""
    with sim._lock:
        return not sim._decoder.waiting and not select.select([sim._master], [], [], 0)[0]


def test_no_bytes_upset_the_simulated_reader(sim):
    rng = random.Random(11)
    for _ in range(30):
        with serial.Serial(sim.path, 115200, write_timeout=1) as port:
            port.write(rng.randbytes(rng.randrange(1, 300)))
            port.write(framed(rng.randrange(256), rng.randbytes(rng.randrange(30))))
            port.read(port.in_waiting)
    until(lambda: silent(sim))  # half a frame that is left over is given up
    sim._chip.power_up()  # the noise may have told it another speed
    sim.put(KOI.hex())
    clf = opened(Line(sim.path))
    assert clf.sense(ANY).sdd_res == KOI
    clf.close()
