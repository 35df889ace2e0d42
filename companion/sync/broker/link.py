"""One connection: bytes in, protocol order kept, answers out. Not here: sockets (a ``Wire`` is lent), other clients (the broker's).

Whatever comes in, the worst that happens is that this one connection is closed with one log line saying why. Whoever sends more than its
user may is not read any further until it may again, which is TCP's own way of slowing a sender down: an honest burst loses nothing, and
what is not read costs nothing. Who goes on like that is closed, so that nobody leaves hours of unread bytes behind.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from companion.sync.broker.message import Message
from companion.sync.broker.packets import (
    Connack,
    Connect,
    Disconnect,
    Foreign,
    Packet,
    Pingreq,
    Pingresp,
    Puback,
    Pubcomp,
    Publish,
    Pubrec,
    Pubrel,
    Suback,
    Subscribe,
    Unsuback,
    Unsubscribe,
    Will,
    encode,
)
from companion.sync.broker.parser import Malformed, Parser

if TYPE_CHECKING:
    from companion.sync.broker.broker import Broker
    from companion.sync.broker.session import Session

_log = logging.getLogger(__name__)
_PONG = encode(Pingresp())


class Wire(Protocol):
    """What a connection's bytes go out by. Nothing here blocks or raises, whatever became of the other end."""

    def send(self, data: bytes) -> None:
        """Give bytes on their way, in order."""

    def close(self) -> None:
        """End it. What was given leaves first, if it does so within seconds. The rim then calls ``Link.lost``."""

    def backlog(self) -> int:
        """Bytes given that have not left."""


class Link:
    """The broker's end of one connection. Made by ``Broker.open``; fed by the rim; closed by either."""

    def __init__(self, broker: Broker, wire: Wire, peer: str) -> None:
        self.broker, self.wire, self.peer = broker, wire, peer
        self.opened = self.heard = broker.clock()
        self.keepalive = 0
        self.closed = False
        self.refused = False
        """A CONNECT came and was turned down for what it said; for want of room or of time is another thing."""
        self.session: Session | None = None
        self.will: Will | None = None
        self._client_id = ""
        self._spared = False
        self._warned = False
        self._held: Packet | None = None
        self._held_since: float | None = None
        self._parser = Parser(broker.limits.stranger_packet)

    def __str__(self) -> str:
        return f"{self._client_id[:64]!r} at {self.peer}" if self._client_id else self.peer

    def feed(self, data: bytes) -> float:
        """Take what arrived; never raises. More than 0: its user has sent too much, so read nothing from it for so many seconds, and
        then feed again, with no bytes if you like.
        """
        if self.closed:
            return 0.0
        self.heard = self.broker.clock()
        wait = 0.0
        try:
            self._parser.receive(data)
            while not self.closed and (packet := self._held or self._parser.next_packet()) is not None:
                wait = self._wait(packet)
                self._held = packet if wait else None
                if wait:
                    break
                self._take(packet)
            self._bear(wait)
        except Malformed as fault:
            self.broker.drop(self, f"not MQTT: {fault}", level=logging.WARNING)
        except Exception:  # noqa: BLE001 -- a fault of ours must cost this connection, not the table; it is logged whole
            _log.exception("MQTT %s: a fault of the broker", self)
            self.broker.drop(self, "a fault of the broker", level=logging.WARNING)
        self.broker.settle()
        return 0.0 if self.closed else wait

    def _wait(self, packet: Packet) -> float:
        session = self.session
        if session is None or self._spared or isinstance(packet, Disconnect):
            return 0.0
        if isinstance(packet, Puback | Pubrel) and session.expects(packet.packet_id):
            return 0.0  # how many of those there are is for the sender of what they answer to say
        return self.broker.wait(session.user, len(packet.payload) + len(packet.topic) if isinstance(packet, Publish) else 0)

    def _bear(self, wait: float) -> None:
        if not wait:
            self._held_since = None
        elif self._held_since is None:
            self._held_since = self.heard
        elif self.heard - self._held_since >= self.broker.limits.patience:
            limits = self.broker.limits
            reason = f"it kept sending more than {limits.rate:g} packets or {limits.byte_rate:g} bytes a second"
            self.broker.drop(self, reason, level=logging.WARNING)

    def lost(self, reason: str = "the connection was lost") -> None:
        """The other end is gone. Harmless when it was closed from here before."""
        self.broker.drop(self, reason)
        self.broker.settle()

    def send(self, data: bytes) -> None:
        """Give bytes to the wire; a client that takes too little is closed instead of eating the memory, unless it is spared."""
        if self.closed:
            return
        waiting = self.wire.backlog() + len(data)
        if waiting > self.broker.limits.backlog and not self._spared:
            self.broker.drop(self, f"a slow consumer: {waiting} bytes wait for it", level=logging.WARNING)
        else:
            self.wire.send(data)

    def welcome(self, session: Session, connect: Connect, *, present: bool) -> None:
        """The broker has accepted this CONNECT and lends the link its session."""
        self.session, self.will, self.keepalive = session, connect.will, connect.keepalive
        self._client_id = connect.client_id
        self._spared = session.spared
        self._parser.limit = self.broker.limits.packet
        self.send(encode(Connack(0, present)))
        if not self.closed:
            session.attach(self.send)

    def refuse(self, code: int, reason: str, answer: bytes = b"", *, level: int = logging.WARNING) -> None:
        """Say no to a CONNECT and close."""
        self.refused = code != 3
        self.send(answer or encode(Connack(code)))
        self.broker.drop(self, f"refused: {reason}", level=level)

    def _take(self, packet: Packet) -> None:
        session = self.session
        if session is None:
            self._meet(packet)
            return
        match packet:
            case Publish():
                self._publish(session, packet)
            case Puback():
                session.acknowledge(packet.packet_id)
            case Pubrel():
                session.release(packet.packet_id)
                self.send(encode(Pubcomp(packet.packet_id)))
            case Subscribe():
                self._subscribe(session, packet)
            case Unsubscribe():
                for topic_filter in packet.filters:
                    self.broker.unsubscribe(session, topic_filter)
                self.send(encode(Unsuback(packet.packet_id)))
            case Pingreq():
                self.send(_PONG)
            case Disconnect():
                self.will = None
                self.broker.drop(self, "said goodbye")
            case _:
                raise Malformed(f"{type(packet).__name__.upper()} is not what a connected client sends")

    def _meet(self, packet: Packet) -> None:
        match packet:
            case Connect():
                self._client_id = packet.client_id
                self.broker.admit(self, packet)
            case Foreign(level=5):
                self.refuse(1, "it speaks MQTT 5, only 3.1.1 is spoken here", b"\x20\x03\x00\x84\x00")  # as MQTT 5 wants to hear it
            case Foreign():
                self.refuse(1, f"it speaks protocol level {packet.level}, only MQTT 3.1.1 is spoken here")
            case _:
                raise Malformed(f"{type(packet).__name__.upper()} before CONNECT")

    def _publish(self, session: Session, packet: Publish) -> None:
        if packet.qos == 2:
            first = session.receive_once(packet.packet_id)
            if first is None:
                raise Malformed("too many QoS 2 messages that were never released")
            if first:
                self._forward(session, packet)
            self.send(encode(Pubrec(packet.packet_id)))
            return
        self._forward(session, packet)
        if packet.qos:
            self.send(encode(Puback(packet.packet_id)))

    def _forward(self, session: Session, packet: Publish) -> None:
        # 3.3.5: a message that may not be published is acknowledged all the same; 3.1.1 has no way to say no. Closing would be no better:
        # at QoS 1 the client would come back with the same message, for ever.
        message = Message(packet.topic, packet.payload, packet.qos)
        fits = self.broker.fits(session.user, message)
        if not (fits and self.broker.publish(session.user, message, retain=packet.retain)) and not self._warned:
            self._warned = True
            words = "MQTT %s may not publish %sto %.100r; its further attempts are dropped without a word"
            self.broker.hush.warn(self.peer, words, self, "" if fits else f"{len(packet.payload)} bytes ", packet.topic)

    def _subscribe(self, session: Session, packet: Subscribe) -> None:
        codes = [self.broker.subscribe(session, topic_filter, qos) for topic_filter, qos in packet.filters]
        self.send(encode(Suback(packet.packet_id, tuple(codes))))
        for (topic_filter, _), granted in zip(packet.filters, codes, strict=True):
            if granted != 0x80 and not self.closed:
                self.broker.tell_retained(session, topic_filter, granted)
