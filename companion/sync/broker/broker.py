"""The broker: who is connected, who subscribed to what, who may. Pure logic: no sockets, no threads, an injected clock.

MQTT 3.1.1 with QoS 0 and 1 both ways, QoS 2 inward exactly once and outward never (SUBACK grants at most 1), retained messages,
wills, persistent sessions; all in memory and bounded by ``Limits``. Denied unless allowed: ``auth`` is asked before anything else
happens, ``may`` on every SUBSCRIBE, PUBLISH and delivery. Every user may send so much a second (``Limits``), in payloads as long as
``most`` says, but for those that ``spares`` names: the house's own client is neither slowed down nor closed for taking too little.

A rim (``companion.sync.server``) opens a ``Link`` per connection, feeds it, and calls ``tick`` about once a second, all on one thread.
``kick`` and ``purge`` may be called from any thread once the rim has said ``run_on``.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from msgspec import Struct

from companion.sync.broker.hush import Hush
from companion.sync.broker.limits import Limits
from companion.sync.broker.link import Link, Wire
from companion.sync.broker.message import Message
from companion.sync.broker.meter import Meter
from companion.sync.broker.packets import Connect, Will
from companion.sync.broker.retained import Retained
from companion.sync.broker.session import Session
from companion.sync.broker.topics import Tree

_log = logging.getLogger(__name__)

Auth = Callable[[str, str, bytes], bool | None]
"""(client id, user, password): is that user who it says, and may it use that client id? A client id may be empty. None: nobody can say
yet, so that an honest client is asked to come again instead of being told that it is wrong."""
May = Callable[[str, str, str], bool]
"""(user, action, topic): action ``pub`` and ``get`` with a topic, ``sub`` with a filter."""
Most = Callable[[str, str], int]
"""(user, topic): the longest payload it may publish there, in bytes."""
Spares = Callable[[str], bool]
"""(user): is it one of the house's own, which floods nobody and must not be lost to a flood?"""
Run = Callable[[Callable[[], None]], object]


class Counts(Struct, frozen=True):
    """How full the broker is, for the health page."""

    connected: int
    strangers: int
    sessions: int
    retained: int
    queued: int


class Broker:
    """One broker. What it is lent runs on the rim's thread and must neither block nor raise; if one raises, the answer is no."""

    def __init__(
        self,
        auth: Auth,
        may: May,
        *,
        most: Most | None = None,
        spares: Spares = lambda _user: False,
        clock: Callable[[], float] = time.monotonic,
        limits: Limits | None = None,
    ) -> None:
        self.clock = clock
        self.limits = limits or Limits()
        self.hush = Hush(self.limits, clock)
        """Where warnings about one connection are told: not more of them than anybody can read."""
        self._auth, self._may, self._most, self._spares = auth, may, most, spares
        self._meter = Meter(self.limits, clock)
        self._strangers: dict[Link, None] = {}  # oldest first
        self._links: dict[Session, Link] = {}
        self._sessions: dict[str, Session] = {}
        self._tree: Tree[Session] = Tree()
        self._retained = Retained(self.limits)
        self._wills: deque[tuple[str, Will]] = deque()
        self._names = 0
        self._run: Run | None = None

    # For the rim and for whoever owns the broker

    def open(self, wire: Wire, peer: str) -> Link:
        """A connection came; ``peer`` is its address for the log. With too many strangers the oldest has to go."""
        if len(self._strangers) >= self.limits.strangers:
            self.drop(next(iter(self._strangers)), "too many connections that never said CONNECT")
        link = Link(self, wire, peer)
        self._strangers[link] = None
        return link

    def tick(self) -> None:
        """Close what has been silent for too long, forget sessions nobody came back to."""
        now = self.clock()
        for link in [link for link in self._strangers if now - link.opened > self.limits.stranger_wait]:
            self.drop(link, "no CONNECT came")
        for link in list(self._links.values()):
            if link.keepalive and now - link.heard > link.keepalive * 1.5:  # 3.1.2.10
                self.drop(link, f"silent for longer than its keepalive of {link.keepalive} s")
        for session in list(self._sessions.values()):
            if not session.connected and now - session.gone > self.limits.session_life:
                self._forget(session, "nobody came back to it")
        self.settle()
        self._meter.tidy()
        self.hush.tick()

    def run_on(self, run: Run | None) -> None:
        """From now on ``kick`` and ``purge`` do their work by ``run`` (an event loop's ``call_soon_threadsafe``); None: at once."""
        self._run = run

    def kick(self, user: str) -> None:
        """End every connection and session of a user. Withdraw its right to come back (``auth``) before."""

        def work() -> None:
            for session in [session for session in self._sessions.values() if session.user == user]:
                link = self._links.get(session)
                if link is not None:
                    self.drop(link, "access was withdrawn")
                self._forget(session, "access was withdrawn")
            self.settle()

        self._do(work)

    def purge(self, prefix: str) -> None:
        """Forget every retained message whose topic begins with ``prefix``."""

        def work() -> None:
            if gone := self._retained.purge(prefix):
                _log.info("MQTT: %d retained messages under %r forgotten", gone, prefix)

        self._do(work)

    def stop(self) -> None:
        """Close every connection, saying nothing to anybody; sessions and retained messages stay."""
        for link in [*self._strangers, *self._links.values()]:
            link.will = None
            self.drop(link, "the broker stops")

    @property
    def counts(self) -> Counts:
        queued = sum(session.queued for session in list(self._sessions.values()))
        return Counts(len(self._links), len(self._strangers), len(self._sessions), len(self._retained), queued)

    def _do(self, work: Callable[[], None]) -> None:
        if self._run is None:
            work()
        else:
            self._run(work)

    # For links

    def admit(self, link: Link, connect: Connect) -> None:
        """Judge a CONNECT: identity first, so that a wrong password or another's client id disturbs nobody."""
        user, client_id = connect.user, connect.client_id
        if len(client_id) > self.limits.client_id:
            return link.refuse(2, f"a client id of more than {self.limits.client_id} characters")
        if not client_id and not connect.clean:
            return link.refuse(2, "a session to keep, but no client id to keep it under")  # 3.1.3-8
        if not user or connect.password is None:
            return link.refuse(5, "no user name and password")
        known = self._ask(self._auth, client_id, user, connect.password)
        if known is None:
            return link.refuse(3, "nobody is let in yet", level=logging.INFO)
        if not known:
            return link.refuse(5, f"wrong password, or not a client id of user {user[:64]!r}")
        spared = self._ask(self._spares, user) is True
        if not spared and self._meter.wait(user, 0):  # each connection leaves a will behind, so coming and going is sending too
            return link.refuse(3, f"user {user[:64]!r} has sent too much")
        if not client_id:
            self._names += 1
            client_id = f"\0{self._names}"  # no client can say a name with a null character
        old = self._sessions.get(client_id)
        if old is not None and old.user != user:
            return link.refuse(2, f"client id of another user than {user[:64]!r}")
        if old is not None and old in self._links:
            self.drop(self._links[old], "a new connection of the same client took over")
            self.settle()  # the old will goes out before the new birth can come in
        session = None if old is None or old.clean or connect.clean else old
        present = session is not None
        if session is None:
            if old is not None:
                self._forget(old)
            if not self._make_room(user):
                return link.refuse(3, f"{self.limits.sessions} clients are connected, no more are taken")
            session = Session(
                client_id,
                user,
                clean=connect.clean,
                limits=self.limits,
                may_get=lambda topic: self._allows(user, "get", topic),
                spared=spared,
            )
            self._sessions[client_id] = session
        self._strangers.pop(link, None)
        self._links[session] = link
        link.welcome(session, connect, present=present)
        _log.info("MQTT %s connected as %r%s", link, user, ", session resumed" if present else "")
        return None

    def subscribe(self, session: Session, topic_filter: str, qos: int) -> int:
        """The SUBACK code: the QoS granted, or 0x80."""
        if not self._allows(session.user, "sub", topic_filter):
            _log.info("MQTT: user %r may not subscribe to %.100r", session.user, topic_filter)
            return 0x80
        if topic_filter not in session.filters and len(session.filters) >= self.limits.filters:
            return 0x80
        session.filters[topic_filter] = granted = min(qos, 1)
        self._tree.add(topic_filter, session, granted)
        return granted

    def unsubscribe(self, session: Session, topic_filter: str) -> None:
        """End one subscription; none is no fault."""
        if session.filters.pop(topic_filter, None) is not None:
            self._tree.remove(topic_filter, session)

    def tell_retained(self, session: Session, topic_filter: str, granted: int) -> None:
        """What is retained goes to a new subscription, marked as such (3.3.1-8)."""
        for message in self._retained.find(topic_filter):
            self._offer(session, message, granted, retain=True)

    def wait(self, user: str, size: int) -> float:
        """How many seconds before this user may send so many bytes; 0: now, and they are counted."""
        return self._meter.wait(user, size)

    def fits(self, user: str, message: Message) -> bool:
        """Is the message no longer than this user's may be in this place? Whether it may be there at all is another question."""
        most = self._most
        return most is None or self._ask(lambda: len(message.payload) <= most(user, message.topic)) is True

    def publish(self, user: str, message: Message, *, retain: bool) -> bool:
        """Hand a message to everyone who subscribed and may have it. False: this user may not publish it."""
        if not self._allows(user, "pub", message.topic):
            return False
        if retain and not self._retained.keep(message):
            self.hush.warn(user, "MQTT: no room to retain %.100r; it went to those listening now", message.topic)
        for session, granted in self._tree.find(message.topic).items():
            self._offer(session, message, granted, retain=False)
        return True

    def drop(self, link: Link, reason: str, *, level: int = logging.INFO) -> None:
        """Close a connection; its will is published by the next ``settle``. Once closed, it stays closed."""
        if link.closed:
            return
        link.closed = True
        self._strangers.pop(link, None)
        session, link.session = link.session, None
        if session is not None:
            del self._links[session]
            session.detach(self.clock())
            if link.will is not None:
                self._wills.append((session.user, link.will))
            if session.clean:
                self._forget(session)
        link.wire.close()
        if level < logging.WARNING:
            _log.log(level, "MQTT %s closed: %s", link, reason)
        else:
            self.hush.warn(link.peer, "MQTT %s closed: %s", link, reason)

    def settle(self) -> None:
        """Publish the wills of those that went. A will is judged now: a right that was withdrawn is not used any more."""
        while self._wills:
            user, will = self._wills.popleft()
            message = Message(will.topic, will.payload, will.qos)
            if not self.fits(user, message) or not self.publish(user, message, retain=will.retain):
                _log.info("MQTT: the will of user %r to %.100r is not allowed", user, will.topic)

    # Inside

    def _offer(self, session: Session, message: Message, granted: int, *, retain: bool) -> None:
        link = self._links.get(session)
        if link is not None and session.spared and not min(message.qos, granted) and link.wire.backlog() > self.limits.backlog:
            session.lost += 1  # QoS 0 has no queue to be bounded but the wire's, and closing is out of the question
        elif not session.offer(message, granted, retain=retain) and link is not None:
            self.drop(link, f"a slow consumer: {session.queued} messages it has not acknowledged", level=logging.WARNING)

    def _allows(self, user: str, action: str, topic: str) -> bool:
        # There is nothing of ours under $, so nobody has any business there, whatever the access list says.
        return not topic.startswith("$") and self._ask(self._may, user, action, topic) is True

    @staticmethod
    def _ask(question: Callable[..., bool | None], *args: object) -> bool | None:
        try:
            answer = question(*args)
        except Exception:  # noqa: BLE001 -- whatever the callback of another room raises, the answer is no; it is logged whole
            _log.exception("the access list failed, so the answer is no")
            return False
        return None if answer is None else answer is True

    def _make_room(self, user: str) -> bool:
        mine = [session for session in self._sessions.values() if session.user == user]
        if len(mine) >= self.limits.sessions_per_user:
            self._end(min(mine, key=self._last_sign), f"user {user!r} has opened more than {self.limits.sessions_per_user} sessions")
        elif len(self._sessions) >= self.limits.sessions:
            away = [session for session in self._sessions.values() if not session.connected]
            if not away:
                return False
            self._end(min(away, key=self._last_sign), "room was needed")
        return True

    def _last_sign(self, session: Session) -> float:
        link = self._links.get(session)
        return session.gone if link is None else link.heard

    def _end(self, session: Session, reason: str) -> None:
        link = self._links.get(session)
        if link is not None:
            self.drop(link, reason)
        self._forget(session, reason)

    def _forget(self, session: Session, reason: str = "") -> None:
        if self._sessions.get(session.client_id) is session:
            del self._sessions[session.client_id]
            for topic_filter in session.filters:
                self._tree.remove(topic_filter, session)
            session.filters.clear()
            if reason:
                _log.info("MQTT session of %.64r ended: %s", session.client_id, reason)
