"""The messenger: carries the desk's pictures to phones and phones' orders to the desk, over MQTT, sealed.

Here: threads, and the wiring of link, exchange, keys and desk. Not here: what any message means.

Threads: everything that has state runs on the thread ``messenger``, one piece of work after another from one queue. paho's thread
(``arrived``, ``on_line``, ``taken``) and the referee's (``watch``, replies) only put work there. ``auth`` and ``may`` are asked by
the broker's thread and read pictures that do not change. ``offer``, ``decide`` and ``takeovers`` may be called from any thread and
wait for the messenger; ``status`` and ``counts`` never wait. Callbacks run on ``messenger`` and must not block.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Final, Protocol, TypeVar

import msgspec

from companion.sync.exchange import Exchange, Takeover
from companion.sync.ghosts import Ghosts, read_presence
from companion.sync.keys import Keyring, Store
from companion.sync.link import Link
from companion.sync.patience import LONGEST, Gate
from companion.sync.topics import TABLE, Topics
from companion.table.desk import Update
from companion.table.journal import SeatKey
from companion.table.referee import Answer, Order

LOGGER = logging.getLogger(__name__)

PULSE: Final = 0.5
"""Seconds between two looks at the clock when nothing happens."""
REST: Final = 0.04
"""Seconds without anything to do before the open table is made: phones first, and theirs takes them about half as long to draw."""
BUSY: Final = 32
"""Things done in a row after which it is made all the same."""
PATIENCE: Final = 10.0
"""Seconds another thread waits for the messenger; only a bug makes it that long."""

T = TypeVar("T")
Work = Callable[[], None]


class Desk(Protocol):
    """The part of ``table.desk.Desk`` this room uses."""

    @property
    def current(self) -> Update: ...

    def submit(self, seat: str, order: Order, reply: Callable[[Answer], None]) -> None: ...

    def watch(self, fn: Callable[[Update], None]) -> Callable[[], None]: ...


class Messenger:
    """One game's messenger. ``auth`` and ``may`` are what an embedded ``Broker`` asks."""

    def __init__(
        self,
        desk: Desk,
        store: Store,
        game_id: str,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        password: str = "",
        former: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        on_takeover: Callable[[str, bool], None] = lambda _seat, _asking: None,
        on_change: Work = lambda: None,
        on_gone: Callable[[str], None] = lambda _user: None,
        clauses: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """``former``: ids of this table's earlier games, whose leavings on the broker are swept in any case. ``on_takeover(seat,
        asking)``: a question to the table opened or ended. ``on_change``: ``status()`` differs. ``on_gone(user)``: a broker user may
        do nothing any more (kick it). Without a ``password`` the table makes one up; an embedded broker accepts it by ``auth``.
        """
        self._desk = desk
        self._host, self._port = host, port
        self._on_change = on_change
        self._topics = Topics(game_id)
        seats = tuple(desk.current.seats)
        self._keys = Keyring(store, game_id, seats, password=password, on_gone=on_gone)
        self._exchange = Exchange(self._keys, self._send, self._submit, clock, on_takeover=on_takeover, clauses=clauses)
        self._seats = frozenset(seats)
        self._gate = Gate(clock)
        self._ghosts: Ghosts | None = Ghosts(game_id, former)
        self._link = Link(game_id, self._keys.password, self)
        self._inbox: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="messenger", daemon=True)
        self._unwatch: Work = lambda: None
        self._newest: Update | None = None
        self._shown: Update | None = None
        self._open = b""
        self._since = 0
        """Things done since the open table is another than the one shown; 0: it is not."""
        self._taken: dict[int, Work] = {}
        self._status = self._exchange.status()
        self._counts: Counter[tuple[str, str]] = Counter()
        self.auth: Callable[[str, str, bytes], bool] = self._keys.auth
        self.may: Callable[[str, str, str], bool] = self._keys.may

    # -- for the composer and the screens

    def open(self) -> None:
        """Begins at the table: codes can be offered. Nobody is heard before ``start``."""
        self._thread.start()
        self._unwatch = self._desk.watch(self._saw)

    def start(self, host: str = "", port: int = 0) -> None:
        """Begins, where ``open`` has not, and goes on the line; returns at once, with or without a broker there.

        ``host`` and ``port`` override the ones given before.
        """
        if self._thread.ident is None:
            self.open()
        self._link.start(host or self._host, port or self._port)

    def stop(self) -> None:
        """Says good-bye to the broker and ends both threads. What phones asked before is still answered by the referee, if not heard."""
        self._unwatch()
        self._link.stop()
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(PATIENCE)

    @property
    def guest(self) -> SeatKey:
        """What a guest's code carries: the right to read the open table."""
        return self._keys.guest

    @property
    def online(self) -> bool:
        """Is the table itself on the broker?"""
        return self._link.up

    def offer(self, seat: str) -> SeatKey:
        """Mints the seat's next epoch: what its code shows now. Raises ValueError for an unknown seat, JournalError for a full disk."""
        return self._ask(partial(self._keys.offer, seat))

    def decide(self, seat: str, yes: bool) -> bool:
        """The table's word on a takeover. False: nobody asks for this seat (any more)."""
        return self._ask(partial(self._exchange.decide, seat, yes))

    def takeovers(self) -> tuple[Takeover, ...]:
        """The open questions."""
        return self._ask(self._exchange.takeovers)

    def greetings(self) -> dict[str, float]:
        """Seat -> when a hello of it last opened, for the joining self-test."""
        return self._ask(self._exchange.greetings)

    def status(self) -> Mapping[str, str]:
        """Seat -> vacant | online | asleep"""
        return self._status

    def counts(self) -> Mapping[tuple[str, str], int]:
        """(seat, why) -> frames ignored"""
        return self._counts

    # -- handlers of the link: paho's thread, they only queue

    def on_line(self, up: bool) -> None:
        if up:
            self._inbox.put(self._came_up)

    def taken(self, mid: int) -> None:
        self._inbox.put(partial(self._out, mid))

    def arrived(self, topic: str, payload: bytes, retained: bool) -> None:
        seat = self._topics.seat_of_up(topic)
        if seat is None:
            self._told(topic, payload, retained)
        elif not payload:
            pass  # our own emptying, come back
        elif retained:  # nobody retains orders: a ghost, or mischief on a broker that is not ours
            self._inbox.put(partial(self._empty, topic))
        elif seat in self._seats and self._gate.lets(seat):
            self._inbox.put(partial(self._exchange.heard, seat, payload[:LONGEST]))

    def _told(self, topic: str, payload: bytes, retained: bool) -> None:
        who = self._topics.who_of_presence(topic)
        if who is not None and (who == TABLE or (who in self._seats and self._gate.lets(who))):
            self._inbox.put(partial(self._presence, who, payload))
        elif retained:
            self._inbox.put(partial(self._met, topic, payload))

    # -- handlers of the desk: the referee's thread, they only queue

    def _saw(self, update: Update) -> None:
        self._newest = update
        self._inbox.put(self._show)

    def _reply(self, seat: str, epoch: int, answer: Answer) -> None:
        self._inbox.put(partial(self._exchange.answered, seat, epoch, answer, self._desk.current.revision))

    # -- everything below runs on the messenger's thread

    def _run(self) -> None:
        going = True
        while going:
            work = self._next()
            going = work is not None
            for step in (work or self._nothing, self._exchange.tick, self._settle):
                try:
                    step()
                except Exception:
                    LOGGER.exception("the messenger could not finish something and goes on")

    def _next(self) -> Work | None:
        if self._since > BUSY:
            return self._open_table
        self._since += self._since > 0
        try:
            return self._inbox.get(timeout=REST if self._since else PULSE)
        except queue.Empty:
            return self._open_table if self._since else self._nothing

    def _nothing(self) -> None:
        pass

    def _settle(self) -> None:
        for seat, times in self._gate.dropped().items():
            self._exchange.complaints.add(seat, "flood", "more frames than a phone needs", times)
        if self._counts != self._exchange.complaints.counts:
            self._counts = Counter(self._exchange.complaints.counts)
        status = self._exchange.status()
        if status != self._status:
            self._status = status
            self._on_change()

    def _ask(self, question: Callable[[], T]) -> T:
        """Asks on the messenger's thread and waits; before it runs, or on it, asks at once."""
        if not self._thread.is_alive() or threading.current_thread() is self._thread:
            return question()
        answer: Future[T] = Future()

        def work() -> None:
            try:
                answer.set_result(question())
            except Exception as fault:  # noqa: BLE001 - raised again where it was asked
                answer.set_exception(fault)

        self._inbox.put(work)
        return answer.result(PATIENCE)

    def _show(self) -> None:
        update = self._newest
        if update is None or update is self._shown:
            return  # a newer one has already been shown
        self._shown = update
        self._exchange.update(update)
        self._since = self._since or 1

    def _open_table(self) -> None:
        self._since = 0
        view = self._exchange.open()
        if view != self._open:
            self._open = view
            self._show_open()

    def _show_open(self) -> None:
        if self._shown is not None:
            public = {"game": self._topics.game_id, "revision": self._shown.revision, "view": msgspec.Raw(self._open)}
            self._link.publish(self._topics.open, msgspec.json.encode(public), retain=True)

    def _came_up(self) -> None:
        """The broker may have forgotten everything, and phones may have missed anything."""
        self._taken.clear()
        self._open = b""
        self._open_table()
        self._exchange.refresh(whole=True)

    def _send(self, topic: str, payload: bytes, done: Work | None = None) -> None:
        mid = self._link.publish(topic, payload)
        if mid is not None and done is not None:
            self._taken[mid] = done

    def _out(self, mid: int) -> None:
        done = self._taken.pop(mid, None)
        if done is not None:
            done()

    def _submit(self, seat: str, epoch: int, order: Order) -> None:
        self._desk.submit(seat, order, partial(self._reply, seat, epoch))

    def _presence(self, who: str, payload: bytes) -> None:
        told = read_presence(payload)
        if told is None:
            return
        if who != TABLE:
            self._exchange.presence(who, told.on, told.conn)
        elif told.conn == self._link.conn:
            if told.on:
                self._sweep()  # our own birth came back, and with it all that was retained has been delivered
            else:
                self._link.announce()  # the will of a line we have already replaced

    def _met(self, topic: str, payload: bytes) -> None:
        if self._ghosts is not None:
            self._ghosts.met(topic, payload)

    def _sweep(self) -> None:
        ghosts, self._ghosts = self._ghosts, None
        if ghosts is not None:
            gone = ghosts.banish()
            for topic in gone:
                self._empty(topic)
            if gone:
                LOGGER.info("emptied %d retained topics of tables that are over", len(gone))
            self._link.swept()

    def _empty(self, topic: str) -> None:
        self._link.publish(topic, b"", retain=True)
