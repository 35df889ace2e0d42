"""What the broker remembers of one client: subscriptions, messages on the way to it, QoS 2 messages it has not released.

Here: the QoS bookkeeping of one client, connected or not. Not here: sockets (it is lent a ``send``), other clients, the clock.
Delivery asks ``may_get`` for every message at the moment it is queued and again when it is sent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.sync.broker.limits import Limits
from companion.sync.broker.message import Message

Send = Callable[[bytes], None]


class Session:
    """One client id, owned by one user for as long as it lives."""

    def __init__(
        self, client_id: str, user: str, *, clean: bool, limits: Limits, may_get: Callable[[str], bool], spared: bool = False
    ) -> None:
        self.client_id, self.user, self.clean, self.spared = client_id, user, clean, spared
        self.filters: dict[str, int] = {}
        self.gone = 0.0
        """When its connection went; means nothing while it is connected."""
        self.lost = 0
        """Messages dropped because it was away for too long, or is spared and takes too little."""
        self._limits = limits
        self._may_get = may_get
        self._send: Send | None = None
        self._sent: dict[int, tuple[Message, bool]] = {}  # by packet id, in order of sending
        self._waiting: deque[tuple[Message, bool]] = deque()
        self._bytes = 0
        self._last_id = 0
        self._unreleased: set[int] = set()

    @property
    def connected(self) -> bool:
        return self._send is not None

    @property
    def queued(self) -> int:
        """QoS 1 messages it has not acknowledged."""
        return len(self._sent) + len(self._waiting)

    def attach(self, send: Send) -> None:
        """Its connection is here: what was sent but not acknowledged is sent again, in order, then what waits (4.4)."""
        self._send = send
        for packet_id, (message, retain) in list(self._sent.items()):
            if not self._may_get(message.topic):
                del self._sent[packet_id]
                self._bytes -= message.size
            elif self._send is not None:  # sending may end the connection
                self._send(message.acknowledged(packet_id, retain=retain, dup=True))
        self._pump()

    def detach(self, now: float) -> None:
        """Its connection is gone; ``now`` starts the time until it is forgotten."""
        self._send = None
        self.gone = now

    def offer(self, message: Message, granted: int, *, retain: bool) -> bool:
        """Deliver, queue or (not allowed, or QoS 0 and away) drop. False: connected, but it takes too little to go on with."""
        if not self._may_get(message.topic):
            return True
        if not min(message.qos, granted):
            if self._send is not None:
                self._send(message.unacknowledged(retain=retain))
            return True
        self._bytes += message.size
        if self._send is not None and not self._waiting and len(self._sent) < self._limits.inflight:
            self._dispatch(self._send, message, retain=retain)
        else:
            self._waiting.append((message, retain))
        if self.queued <= self._limits.queue and self._bytes <= self._limits.queue_bytes:
            return True
        if self._send is not None and not self.spared:
            return False
        self._trim()
        return True

    def acknowledge(self, packet_id: int) -> None:
        """PUBACK: the place is free for the next one. An unknown id is a repeated acknowledgement and changes nothing."""
        entry = self._sent.pop(packet_id, None)
        if entry is not None:
            self._bytes -= entry[0].size
            self._pump()

    def expects(self, packet_id: int) -> bool:
        """Is an acknowledgement of this id due: of what was sent to it, or of what it sent at QoS 2?"""
        return packet_id in self._sent or packet_id in self._unreleased

    def receive_once(self, packet_id: int) -> bool | None:
        """A QoS 2 PUBLISH came in: True the first time, False when repeated, None when too many were never released."""
        if packet_id in self._unreleased:
            return False
        if len(self._unreleased) >= self._limits.inflight:
            return None
        self._unreleased.add(packet_id)
        return True

    def release(self, packet_id: int) -> None:
        """PUBREL: the id may be used for a new message."""
        self._unreleased.discard(packet_id)

    def _pump(self) -> None:
        while self._send is not None and self._waiting and len(self._sent) < self._limits.inflight:
            message, retain = self._waiting.popleft()
            if self._may_get(message.topic):
                self._dispatch(self._send, message, retain=retain)
            else:
                self._bytes -= message.size

    def _dispatch(self, send: Send, message: Message, *, retain: bool) -> None:
        packet_id = self._next_id()
        self._sent[packet_id] = (message, retain)  # first: sending may end the connection
        send(message.acknowledged(packet_id, retain=retain, dup=False))

    def _trim(self) -> None:
        # Away (or spared) and full: newest is what is needed on return, so the oldest go. What was sent once must be sent again.
        while self._waiting and (self.queued > self._limits.queue or self._bytes > self._limits.queue_bytes):
            message, _ = self._waiting.popleft()
            self._bytes -= message.size
            self.lost += 1

    def _next_id(self) -> int:
        self._last_id = self._last_id % 65535 + 1
        while self._last_id in self._sent:
            self._last_id = self._last_id % 65535 + 1
        return self._last_id
