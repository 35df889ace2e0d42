"""The same script against ours and against Mosquitto, packet by packet: equal outcomes, or a difference that is named here.

Named differences, all on purpose:

* a SUBSCRIBE that is denied gets 0x80 from ours; Mosquitto's file ACL grants it and delivers nothing, so what counts is delivery;
* ours delivers at QoS 1 where Mosquitto would at 2, and its SUBACK says so;
* ours refuses a client id that belongs to another user; Mosquitto gives the newcomer the id and throws the owner out;
* ours ends the connection of a client that sends a SUBACK; Mosquitto takes one, as it may be a bridge itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from broker_harness import Raw, until
from broker_room import Room, said

from companion.sync.broker.packets import (
    Connect,
    Disconnect,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Pubcomp,
    Publish,
    Pubrec,
    Pubrel,
    Unsuback,
    Unsubscribe,
    Will,
    encode,
    length,
    string,
)


def doors(room: Room) -> object:
    """Who gets in."""
    koi = room.connect("koi", "1")
    return [
        room.enter(connect)[1]
        for connect in (
            koi,
            room.connect("koi", "2", password=b"wrong"),
            room.connect("koi", "3", password=b""),
            Connect(f"nobody-{room.name}", True, 60, "nobody", b"x"),
            Connect(f"anonymous-{room.name}"),
            Connect("", True, 60, "koi", b"k"),
            Connect("", False, 60, "koi", b"k"),
        )
    ]


def nobody_hears_anothers_topics(room: Room) -> object:
    lotus = room.come("lotus", "1")
    ghost = room.come("ghost", "1")
    room.publish(room.table, "game/koi/down/r", b"SECRET", 1, retain=True)
    for client in (lotus, ghost):
        for topic_filter in ("#", "+/+/+/+", "game/#", "game/koi/#", "game/koi/down/r", "$SYS/#", "game/lotus/down/#", "game/+/down/+"):
            room.subscribe(client, (topic_filter, 1))
    room.publish(room.table, "game/koi/down/r", b"SECRET live", 1)
    room.publish(room.table, "game/lotus/down/1", b"hers", 1)
    heard = [{entry[:2] for entry in room.mark(client)} for client in (lotus, ghost)]
    room.publish(room.table, "game/koi/down/r", b"", retain=True)
    return heard


def nobody_forges(room: Room) -> object:
    koi, lotus = room.come("koi", "1"), room.come("lotus", "1")
    room.subscribe(koi, ("game/koi/down/#", 1), ("game/open/#", 1))
    answers = [room.publish(lotus, topic, b"forged", qos, retain=True) for topic in ("game/koi/down/1", "game/open/1") for qos in (0, 1, 2)]
    return answers, room.mark(koi), room.mark(lotus)


def retained(room: Room) -> object:
    topic = f"game/open/{room.name}"
    koi = room.come("koi", "1")
    first = room.subscribe(koi, (topic, 1)), room.mark(koi)
    room.publish(room.table, topic, b"one", 1, retain=True)
    room.publish(room.table, topic, b"two", 0, retain=True)
    live = room.mark(koi)
    room.publish(room.table, topic, b"three", 1, retain=True)
    live += room.mark(koi)
    again = [(room.subscribe(koi, (topic, qos)), room.mark(koi)) for qos in (0, 1)]
    room.publish(room.table, topic, b"not kept", 1)
    lotus = room.come("lotus", "1")
    room.subscribe(lotus, (f"game/open/{room.name}/#", 1))
    later = room.mark(lotus)
    room.publish(room.table, topic, b"", 1, retain=True)
    cleared = room.mark(koi), room.mark(lotus)
    room.subscribe(lotus, (topic, 1))
    return first, live, again, later, cleared, room.mark(lotus)


def wills(room: Room) -> object:
    topic = f"game/koi/up/{room.name}"
    room.subscribe(room.table, (topic, 1))
    outcomes = []

    def gone(act: Callable[[Raw], None], will: Will) -> None:
        koi = room.come("koi", "w", will=will)
        act(koi)
        # another client's round trip is no proof that the broker has noticed; a mark of our own after the will's is
        deadline = [room.mark(room.table) for _ in range(3)]
        if will.payload == b"yes":
            until(lambda: bool(deadline.extend([room.mark(room.table)]) or any(deadline)))
        outcomes.append([entry for marks in deadline for entry in marks])

    def goodbye(koi: Raw) -> None:
        koi.say(Disconnect())
        assert koi.hear() is None

    gone(goodbye, Will(topic, b"no", 1))
    gone(lambda koi: koi.close(), Will(topic, b"yes", 1))
    gone(lambda koi: koi.close(), Will(topic, b"yes", 0))
    gone(lambda koi: koi.socket.sendall(b"\xf0\x00"), Will(topic, b"yes", 1))
    gone(lambda koi: room.come("koi", "w").close(), Will(topic, b"yes", 1))
    gone(lambda koi: koi.close(), Will(f"game/lotus/up/{room.name}", b"not allowed", 1))
    gone(lambda koi: koi.close(), Will(topic, b"yes", 1, retain=True))
    room.subscribe(room.table, (topic, 1))
    outcomes.append(room.mark(room.table))
    room.publish(room.table, topic, b"", retain=True)
    return outcomes


def sessions(room: Room) -> object:
    topic = f"game/koi/down/{room.name}"
    outcomes: list[object] = []

    def away(koi: Raw) -> None:
        koi.say(Disconnect())
        assert koi.hear() is None

    koi = room.come("koi", "p", clean=False)
    room.subscribe(koi, (topic, 1))
    away(koi)
    for n, qos in enumerate((1, 0, 1, 1)):
        room.publish(room.table, topic, b"%d" % n, qos)
    koi = room.come("koi", "p", clean=False)
    koi.early = [koi.hear() for _ in range(3)]
    koi.say(Pingreq())
    assert koi.hear() == Pingresp()
    outcomes.append((koi.present, said(koi.early)))
    first = next(p.packet_id for p in koi.early if isinstance(p, Publish))
    koi.say(Puback(first))  # and not the other two
    away(koi)
    koi = room.come("koi", "p", clean=False)
    outcomes.append((koi.present, room.mark(koi)))
    room.publish(room.table, topic, b"live", 1)
    outcomes.append(room.mark(koi))
    away(koi)
    outcomes.append(
        (room.come("koi", "p", clean=True).present, room.come("koi", "p", clean=False).present, room.come("koi", "p", clean=False).present)
    )
    return outcomes


def takeover(room: Room) -> object:
    topic = f"game/koi/down/{room.name}"
    old = room.come("koi", "t", clean=False)
    room.subscribe(old, (topic, 1))
    _, refused = room.enter(room.connect("koi", "t", password=b"wrong"))
    room.publish(room.table, topic, b"still mine", 1)
    kept = room.mark(old)
    new = room.come("koi", "t", clean=False)
    ended = old.hear()
    room.publish(room.table, topic, b"now here", 1)
    return refused, kept, ended, new.present, room.mark(new)


def qos_mix(room: Room) -> object:
    outcomes = []
    for granted in (0, 1):
        koi = room.come("koi", f"q{granted}")
        room.subscribe(koi, (f"game/open/{room.name}", granted))
        outcomes += [(granted, qos, room.publish(room.table, f"game/open/{room.name}", b"m", qos), room.mark(koi)) for qos in (0, 1, 2)]
    return outcomes


def overlapping(room: Room) -> object:
    """One copy or several are both allowed (3.3.5); at least one must come at the highest QoS."""
    koi = room.come("koi", "1")
    room.subscribe(koi, ("game/open/#", 0), (f"game/open/{room.name}/+", 1))
    room.publish(room.table, f"game/open/{room.name}/x", b"m", 1)
    heard = room.mark(koi)
    return {entry[:2] for entry in heard}, max(entry[2] for entry in heard)


def unsubscribing(room: Room) -> object:
    koi = room.come("koi", "1")
    topic = f"game/open/{room.name}"
    room.subscribe(koi, (topic, 1), (f"{topic}/+", 1))
    koi.say(Unsubscribe(3, (topic, "game/open/never")))
    answer = koi.hear()
    room.publish(room.table, topic, b"no", 1)
    room.publish(room.table, f"{topic}/x", b"yes", 1)
    return answer == Unsuback(3), room.mark(koi)


def exactly_once(room: Room) -> object:
    topic = f"game/koi/up/{room.name}"
    room.subscribe(room.table, (topic, 1))
    koi = room.come("koi", "1", clean=False)
    answers = []
    koi.say(Publish(topic, b"once", 2, packet_id=9))
    answers.append(koi.hear())
    koi.say(Publish(topic, b"once", 2, dup=True, packet_id=9))
    answers.append(koi.hear())
    koi.close()
    koi = room.come("koi", "1", clean=False)
    koi.say(Pubrel(9))
    answers.append(koi.hear())
    return answers == [Pubrec(9), Pubrec(9), Pubcomp(9)], room.mark(room.table)


def large(room: Room) -> object:
    koi = room.come("koi", "1")
    room.subscribe(koi, (f"game/open/{room.name}", 1))
    room.publish(room.table, f"game/open/{room.name}", b"x" * 200_000, 1)
    [entry] = room.mark(koi)
    return len(entry[1])


def matching(room: Room) -> object:
    """Mosquitto decides which of many topics many filters match."""
    rng = random.Random(3)
    names = ["a", "b", "", "$c"]
    base = f"game/{room.name}"
    topics = sorted({"/".join([base, *rng.choices(names, k=rng.randint(0, 3))]) for _ in range(50)})
    filters = sorted({"/".join([base, *rng.choices([*names, "+"], k=rng.randint(0, 3)), *rng.choice([[], ["#"]])]) for _ in range(40)})
    outcomes = []
    for n, topic_filter in enumerate([*filters, "game/+/a", "game/#"]):
        listener = room.come("table", f"m{n}")
        room.subscribe(listener, (topic_filter, 0))
        room.table.say(*(Publish(topic, b"m") for topic in topics), Pingreq())
        assert room.table.hear() == Pingresp()
        outcomes.append((topic_filter, sorted({entry[0] for entry in room.mark(listener)})))
        listener.say(Disconnect())
    return outcomes


MALFORMED = {
    "type 0": b"\x00\x00",
    "type 15": b"\xf0\x00",
    "publish qos 3": b"\x36\x05\x00\x01a\x00\x01",
    "publish wildcard": b"\x30\x03\x00\x01#",
    "publish empty topic": b"\x30\x02\x00\x00",
    "publish id 0": b"\x32\x05\x00\x01a\x00\x00",
    "publish topic not utf-8": b"\x30\x03\x00\x01\xff",
    "publish topic with null": b"\x30\x04\x00\x02a\x00",
    "publish topic longer than packet": b"\x30\x03\x00\x09a",
    "subscribe flags": b"\x80\x06\x00\x01\x00\x01a\x00",
    "subscribe without filter": b"\x82\x02\x00\x01",
    "subscribe qos 3": b"\x82\x06\x00\x01\x00\x01a\x03",
    "subscribe id 0": b"\x82\x06\x00\x00\x00\x01a\x00",
    "subscribe a#": b"\x82\x07\x00\x01\x00\x02a#\x00",
    "subscribe empty": b"\x82\x05\x00\x01\x00\x00\x00",
    "unsubscribe flags": b"\xa0\x05\x00\x01\x00\x01a",
    "unsubscribe without filter": b"\xa2\x02\x00\x01",
    "pubrel flags": b"\x60\x02\x00\x01",
    "second connect": b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x3c\x00\x01z",
    "connack from client": b"\x20\x02\x00\x00",
    "length of five bytes": b"\x30\x80\x80\x80\x80\x01",
    "good ping": b"\xc0\x00",
    "unknown puback": b"\x40\x02\x00\x63",
    "unknown pubrel": b"\x62\x02\x00\x63",
}
MALFORMED_CONNECT = {
    "reserved flag": b"\x04MQTT\x04\x03\x00\x3c\x00\x01z",
    "will flags without will": b"\x04MQTT\x04\x0a\x00\x3c\x00\x01z",
    "will qos 3": b"\x04MQTT\x04\x1e\x00\x3c\x00\x01z\x00\x01w\x00\x00",
    "password without user": b"\x04MQTT\x04\x42\x00\x3c\x00\x01z\x00\x01p",
    "name": b"\x04HTTP\x04\x02\x00\x3c\x00\x01z",
    "level 6": b"\x04MQTT\x06\x02\x00\x3c\x00\x01z",
    "client id not utf-8": b"\x04MQTT\x04\x02\x00\x3c\x00\x01\xff",
    "too short": b"\x04MQTT\x04\x02\x00\x3c\x00\x09z",
}


def malformed(room: Room) -> object:
    outcomes = {}
    for what, data in MALFORMED.items():
        koi = room.come("koi", "m")
        koi.socket.sendall(data + encode(Pingreq()))
        heard: list[Packet | None] = []
        while not heard or heard[-1] not in (None, Pingresp()):
            heard.append(koi.hear())
        outcomes[what] = heard
        koi.close()
    for what, body in MALFORMED_CONNECT.items():
        client = Raw(room.port)
        room.clients.append(client)
        data = b"\x00" + body
        client.socket.sendall(b"\x10" + length(len(data)) + data)
        outcomes["connect: " + what] = [client.hear()]
    for packet in (b"\xc0\x00", b"\x30\x03\x00\x01a", b"\x82\x06\x00\x01" + string("a") + b"\x00"):
        client = Raw(room.port)
        room.clients.append(client)
        client.socket.sendall(packet)
        outcomes[f"first {packet[0]:#x}"] = [client.hear()]
    room.publish(room.table, "game/x", b"others go on", 1)
    return outcomes


SCENARIOS = [
    doors, nobody_hears_anothers_topics, nobody_forges, retained, wills, sessions, takeover, qos_mix, overlapping, unsubscribing, exactly_once, large,
    matching, malformed,
]  # fmt: skip


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_ours_does_what_mosquitto_does(scenario: Callable[[Room], object], ours: int, mosquitto: int) -> None:
    outcomes = []
    for port in (ours, mosquitto):
        room = Room(port, scenario.__name__)
        try:
            outcomes.append(scenario(room))
        finally:
            room.end()
    assert outcomes[0] == outcomes[1]
