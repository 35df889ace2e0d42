"""The exchange: every sealed conversation of one game. Who is heard, who is shown what, who takes a seat over.

Here: the state machine between frames and the desk, without sockets, threads or timers of its own: it is told the time, what
arrived and what changed, and hands out frames through ``send``. Not here: MQTT (``messenger``), keys at rest (``keys``).
One thread calls it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, Protocol

import msgspec
from msgspec import Struct

from companion.sync.keys import Keyring
from companion.sync.messages import (
    Answered,
    Asked,
    Down,
    Hello,
    MessageError,
    Ping,
    Speak,
    Up,
    nonce_of,
    read_up,
    refused,
    said,
    sentence,
    to_b64,
)
from companion.sync.patience import Complaints
from companion.sync.pictures import Pictures, Sight
from companion.sync.sealing import MAX_UP, Bond, Channel, Frame, SealError, fresh_nonce, open_hello, seal_welcome
from companion.sync.topics import PROTOCOL, Topics
from companion.table.desk import Update
from companion.table.journal import JournalError
from companion.table.referee import Answer, Order
from companion.words import nearest

ASKING: Final = 60.0
"""Seconds a takeover waits for the tablet."""
PENDING: Final = 60.0
"""Seconds a hello may take to become ready."""
FAREWELL: Final = 5.0
"""Seconds the last word to a dead epoch may take, if the broker does not say sooner that it is out."""
PENDINGS: Final = 8
"""Unready connections of one seat; the oldest goes when one more says hello."""


class Send(Protocol):
    """Publishes a frame; ``done`` is called on the exchange's thread once the broker has taken it, or never."""

    def __call__(self, topic: str, payload: bytes, done: Callable[[], None] | None = None) -> None: ...


class Takeover(Struct, frozen=True):
    """Somebody with a newer code wants a held seat."""

    seat: str
    epoch: int
    until: float


class _Talk:
    """One connection of one phone."""

    def __init__(self, bond: Bond, hello: Hello, nonce: bytes, now: float) -> None:
        self.bond = bond
        self.nonce = nonce
        self.answer = fresh_nonce()
        self.channel = Channel(bond, "d", (nonce, self.answer))
        self.lang = nearest(hello.lang)
        self.born = now
        self.ready = False
        self.seen: Sight | None = None
        self.told = ""
        """The language its clauses were sent in."""
        """As this phone last got it."""


class _Line:
    """What the exchange knows of one seat."""

    def __init__(self) -> None:
        self.live: _Talk | None = None
        self.pending: list[_Talk] = []
        """Oldest first."""
        self.asking: Takeover | None = None
        self.conn = ""
        self.asleep = False
        self.greeted: float | None = None

    def talks(self) -> Iterator[_Talk]:
        if self.live is not None:
            yield self.live
        yield from self.pending


class Exchange:
    """All conversations of one game. ``submit`` gets what a ready phone orders; its answer comes back through ``answered``."""

    def __init__(
        self,
        keys: Keyring,
        send: Send,
        submit: Callable[[str, int, Order], None],
        clock: Callable[[], float],
        *,
        on_takeover: Callable[[str, bool], None] = lambda _seat, _asking: None,
        clauses: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """``on_takeover(seat, asking)`` is called when a question to the table opens and when it ends. ``clauses``: language -> id -> text."""
        self._clauses = clauses or {}
        self.keys = keys
        self.complaints = Complaints(clock)
        self._topics = Topics(keys.game_id)
        self._send = send
        self._submit = submit
        self._clock = clock
        self._on_takeover = on_takeover
        self._lines = {seat: _Line() for seat in keys.seats}
        self._pictures = Pictures()
        self._answers: list[tuple[str, int, Answer]] = []
        self._farewells: list[tuple[float, str, int]] = []

    # -- what the table tells

    def update(self, update: Update) -> None:
        """A newer picture: shown to every seat that sees a difference."""
        self._pictures.update(update)
        late, self._answers = self._answers, []
        for seat, epoch, answer in late:
            self.answered(seat, epoch, answer, update.revision)
        self.refresh()

    def refresh(self, *, whole: bool = False) -> None:
        """Shows every ready phone what it has not seen; ``whole``: the wire broke, nobody can say what arrived, so everything."""
        for seat, line in self._lines.items():
            if line.live is not None and (whole or line.live.seen != self._pictures.sight(seat, line.live.lang)):
                self._show(line.live)

    def answered(self, seat: str, epoch: int, answer: Answer, newest: int) -> None:
        """The referee's answer to an order of this epoch. It goes out with a picture as new as itself, which the desk is about to tell
        of (``newest`` is the revision the desk can show by now: what it cannot show is not waited for).
        """
        live = self._lines[seat].live
        if live is None or live.bond.epoch != epoch:
            return  # its phone is gone; it asks again with the same id when it is back
        if self._pictures.revision < min(answer.revision, newest):
            self._answers.append((seat, epoch, answer))
            return
        lang = live.lang
        events = said(answer.events, seat, lang)
        self._show(live, Answered(answer.id, answer.ok, answer.revision, events, refused(answer.refusal, lang)))

    def decide(self, seat: str, yes: bool) -> bool:
        """The table's word on a takeover. False: nobody is asking (any more). Raises JournalError where the disk will not have it."""
        line = self._lines.get(seat)
        if line is None or line.asking is None:
            return False
        epoch = line.asking.epoch
        if not yes:
            self._turn_away(seat, "sync.takeover_refused")
            return True
        held = self.keys.held(seat)
        assert held is not None
        self.keys.take(seat, epoch)  # raises JournalError before anything has changed
        line.asking = None
        formers = [talk for talk in line.talks() if talk.bond.epoch == held]
        line.live = None
        line.pending = [talk for talk in line.pending if talk.bond.epoch == epoch]
        self._farewell(seat, held, formers, "sync.seat_moved")
        ready = [talk for talk in line.pending if talk.ready]
        if ready:
            self._promote(line, ready[-1])
        self._on_takeover(seat, False)
        return True

    def tick(self) -> None:
        """Lets what has a deadline run out."""
        now = self._clock()
        for seat, line in self._lines.items():
            if line.asking is not None and now >= line.asking.until:
                self._turn_away(seat, "sync.takeover_late")
            line.pending = [talk for talk in line.pending if talk.ready or now < talk.born + PENDING]
        for until, seat, epoch in list(self._farewells):
            if now >= until:
                self._gone(seat, epoch)

    # -- what can be asked

    def open(self) -> bytes:
        """What everybody may see, as JSON."""
        return self._pictures.open()

    def status(self) -> dict[str, str]:
        """Seat -> vacant | online | asleep"""
        out = {}
        for seat, line in self._lines.items():
            awake = line.live is not None and not line.asleep
            out[seat] = "vacant" if self.keys.held(seat) is None else "online" if awake else "asleep"
        return out

    def takeovers(self) -> tuple[Takeover, ...]:
        return tuple(line.asking for line in self._lines.values() if line.asking is not None)

    def greetings(self) -> dict[str, float]:
        """Seat -> when a hello of it last opened"""
        return {seat: line.greeted for seat, line in self._lines.items() if line.greeted is not None}

    # -- what phones tell

    def presence(self, seat: str, on: bool, conn: str) -> None:
        """A phone's birth or will. A will of a connection that is not the newest says nothing."""
        line = self._lines.get(seat)
        if line is None:
            return
        if on:
            line.conn = conn  # awake it is only when it has said so under seal
        elif conn == line.conn:
            line.asleep = True

    def heard(self, seat: str, payload: bytes) -> None:
        """Bytes from the seat's up topic. Never raises for any bytes: what is no good is counted and forgotten."""
        line = self._lines.get(seat)
        if line is None:
            self.complaints.add("strangers", "seat", "a frame for a seat that is not at this table")
            return
        try:
            frame = Frame.decode(payload, MAX_UP)
            bond = self._bond(seat, frame)
            if frame.counter == 0:
                self._hello(line, bond, open_hello(bond, frame))
            else:
                self._later(line, bond, frame)
        except SealError as fault:
            self.complaints.add(seat, fault.why, str(fault))
        except MessageError as fault:
            self.complaints.add(seat, "message", str(fault))
        except JournalError as fault:  # the seat cannot be kept, so it is not given; the phone says hello again
            self.complaints.add(seat, "disk", f"a hello that waits for the disk: {fault}", level=logging.WARNING)

    def _bond(self, seat: str, frame: Frame) -> Bond:
        bond = self.keys.bond(seat, frame.epoch)
        if bond is None:
            raise SealError("epoch", f"a frame of epoch {frame.epoch}, which is dead or never was: an old code")
        return bond

    def _hello(self, line: _Line, bond: Bond, content: bytes) -> None:
        hello = read_up(content)
        if not isinstance(hello, Hello):
            raise MessageError("a hello frame that says something else")
        nonce = nonce_of(hello)
        seat = bond.seat
        if hello.proto != PROTOCOL:
            lang = nearest(hello.lang)
            down = Down("reload", 0, 0, seat, nonce=to_b64(fresh_nonce()), proto=PROTOCOL, text=sentence("sync.reload", lang))
            self._send(self._topics.down(seat), seal_welcome(bond, nonce, down.encode()))
            raise MessageError(f"protocol {hello.proto} is not {PROTOCOL}: that phone was told to reload its page")
        if line.live is not None and (line.live.bond, line.live.nonce) == (bond, nonce):
            return  # the broker delivered an old hello twice
        talk = next((t for t in line.pending if (t.bond, t.nonce) == (bond, nonce)), None)
        if talk is None:
            talk = _Talk(bond, hello, nonce, self._clock())
            line.pending = [*line.pending[1 - PENDINGS :], talk]
        line.greeted = self._clock()
        late = self._too_late(line, bond)
        self._welcome(talk)
        if late:
            self._die(seat, bond.epoch, "sync.takeover_refused")

    def _too_late(self, line: _Line, bond: Bond) -> bool:
        """Settles what a hello means for the seat: it takes it, asks for it, or (True) comes after a newer code has asked."""
        seat, epoch = bond.seat, bond.epoch
        held = self.keys.held(seat)
        if held is None:
            self.keys.take(seat, epoch)
        elif epoch != held and (line.asking is None or line.asking.epoch != epoch):
            if line.asking is not None and line.asking.epoch > epoch:
                return True
            if line.asking is not None:
                self._turn_away(seat, "sync.takeover_refused")
            line.asking = Takeover(seat, epoch, self._clock() + ASKING)
            self._on_takeover(seat, True)
        return False

    def _welcome(self, talk: _Talk) -> None:
        down = msgspec.structs.replace(self._picture(talk), t="welcome", nonce=to_b64(talk.answer), proto=PROTOCOL)
        self._send(self._topics.down(talk.bond.seat), seal_welcome(talk.bond, talk.nonce, down.encode()))

    def _later(self, line: _Line, bond: Bond, frame: Frame) -> None:
        fault = SealError("counter", "a frame of no connection that is open")
        for talk in line.talks():
            if talk.bond == bond:
                try:
                    content = talk.channel.open(frame)
                except SealError as this:
                    fault = this
                    continue
                self._message(line, talk, read_up(content))
                return
        raise fault

    def _message(self, line: _Line, talk: _Talk, message: Up) -> None:
        if isinstance(message, Hello):
            raise MessageError("a hello inside a connection")
        talk.ready = True
        waiting = self._waits(talk)
        if not waiting:
            line.asleep = False
            if talk is not line.live:
                self._promote(line, talk)
        if isinstance(message, Asked):
            if waiting:
                raise MessageError("an order from a phone that waits for its seat")
            self._submit(talk.bond.seat, talk.bond.epoch, Order(message.id, message.stamp, message.command.copy()))
        elif isinstance(message, Speak):
            talk.lang = nearest(message.lang)
            self._show(talk)
        elif isinstance(message, Ping):
            self._show(talk)

    def _promote(self, line: _Line, talk: _Talk) -> None:
        """The seat is this connection's now; older ones that never became ready will not any more."""
        former, line.live = line.live, talk
        line.pending = line.pending[line.pending.index(talk) + 1 :]
        if former is not None:
            self._last_word(former, "moved", "sync.opened_elsewhere")
        if talk.seen != self._pictures.sight(talk.bond.seat, talk.lang):
            self._show(talk)

    # -- what phones are told

    def _waits(self, talk: _Talk) -> bool:
        return self.keys.held(talk.bond.seat) != talk.bond.epoch

    def _picture(self, talk: _Talk, answer: Answered | None = None) -> Down:
        """What this phone is to see now, noted as seen."""
        seat = talk.bond.seat
        waiting = self._waits(talk)
        talk.seen = None if waiting else self._pictures.sight(seat, talk.lang)
        if talk.seen is None:
            return Down("view", 0, 0, seat, waiting=waiting)
        down = self._pictures.down(seat, talk.seen, answer)
        if talk.told != talk.lang and self._clauses:
            talk.told = talk.lang
            down = msgspec.structs.replace(down, clauses=self._clauses[talk.lang])
        return down

    def _show(self, talk: _Talk, answer: Answered | None = None) -> None:
        self._send(self._topics.down(talk.bond.seat), talk.channel.seal(self._picture(talk, answer).encode()))

    def _last_word(self, talk: _Talk, t: Literal["moved", "revoked"], key: str, done: Callable[[], None] | None = None) -> None:
        down = Down(t, 0, 0, talk.bond.seat, text=sentence(key, talk.lang))
        self._send(self._topics.down(talk.bond.seat), talk.channel.seal(down.encode()), done)

    # -- endings

    def _turn_away(self, seat: str, key: str) -> None:
        """The takeover that is asked for does not happen."""
        line = self._lines[seat]
        assert line.asking is not None
        epoch, line.asking = line.asking.epoch, None
        self._die(seat, epoch, key)
        self._on_takeover(seat, False)

    def _die(self, seat: str, epoch: int, key: str) -> None:
        line = self._lines[seat]
        talks = [talk for talk in line.pending if talk.bond.epoch == epoch]
        line.pending = [talk for talk in line.pending if talk.bond.epoch != epoch]
        self.keys.refuse(seat, epoch)
        self._farewell(seat, epoch, talks, key)

    def _farewell(self, seat: str, epoch: int, talks: list[_Talk], key: str) -> None:
        """Its key is gone already; its broker user goes when the last word is out."""
        self._farewells.append((self._clock() + FAREWELL, seat, epoch))
        for i, talk in enumerate(talks):
            last = i == len(talks) - 1
            self._last_word(talk, "revoked", key, (lambda: self._gone(seat, epoch)) if last else None)
        if not talks:
            self._gone(seat, epoch)

    def _gone(self, seat: str, epoch: int) -> None:
        self._farewells = [one for one in self._farewells if one[1:] != (seat, epoch)]
        self.keys.gone(seat, epoch)
