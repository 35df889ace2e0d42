"""An exchange without wires: phones of paper, a clock of ours, a real referee of a toy game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from toy import SEATS, toy_referee, update_of

from companion.sync.exchange import Exchange
from companion.sync.keys import Keyring
from companion.sync.sealing import Bond
from companion.sync.topics import Topics, seat_user
from companion.table.journal import SeatKey
from companion.table.referee import Answer, Order
from phone import Talk

GAME = "k3y5game"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Memory:
    """The journal's part that keeps keys."""

    def __init__(self) -> None:
        self.keys: dict[tuple[str, int], SeatKey] = {}

    def seat_keys(self, game_id: str) -> tuple[SeatKey, ...]:
        return tuple(self.keys[name] for name in sorted(self.keys))

    def put_seat_key(self, game_id: str, key: SeatKey) -> None:
        self.keys[key.seat, key.epoch] = key

    def drop_seat_key(self, game_id: str, seat: str, epoch: int) -> None:
        self.keys.pop((seat, epoch), None)


class Rig:
    """``wire`` is everything that left the exchange; ``deliver`` hands it to the phones, ``hold`` keeps the broker from taking it."""

    def __init__(self, home: Path, store: Memory | None = None, *, clauses: dict[str, dict[str, str]] | None = None) -> None:
        self.clock = Clock()
        self.store = store or Memory()
        self.referee = toy_referee(home)
        self.wire: list[tuple[str, bytes, Callable[[], None] | None]] = []
        self.asked: list[tuple[str, bool]] = []
        self.gone: list[str] = []
        self.orders: list[tuple[str, int, Order]] = []
        self.hold = False
        self.held: list[Callable[[], None]] = []
        self.phones: list[Talk] = []
        self.topics = Topics(GAME)
        self.keys = Keyring(self.store, GAME, SEATS, on_gone=self.gone.append)
        self.exchange = Exchange(
            self.keys,
            self.send,
            self.submit,
            self.clock,
            on_takeover=lambda seat, asking: self.asked.append((seat, asking)),
            clauses=clauses,
        )
        self.exchange.update(update_of(self.referee))

    def send(self, topic: str, payload: bytes, done: Callable[[], None] | None = None) -> None:
        self.wire.append((topic, payload, done))

    def submit(self, seat: str, epoch: int, order: Order) -> None:
        self.orders.append((seat, epoch, order))
        self.answer(seat, epoch, self.referee.submit(seat, order))

    def answer(self, seat: str, epoch: int, answer: Answer) -> None:
        self.exchange.answered(seat, epoch, answer, self.referee.revision)
        self.exchange.update(update_of(self.referee))

    def phone(self, seat: str = "koi", lang: str = "en", key: SeatKey | None = None) -> Talk:
        """A phone that has scanned the seat's newest code, and said nothing yet."""
        shown = key or self.keys.offer(seat)
        talk = Talk(Bond(GAME, shown.seat, shown.epoch, shown.key), lang)
        self.phones.append(talk)
        return talk

    def say(self, phone: Talk, *frames: bytes) -> None:
        for frame in frames:
            self.exchange.heard(phone.bond.seat, frame)
            self.deliver()

    def hello(self, phone: Talk) -> Talk:
        self.say(phone, phone.hello())
        return phone

    def seated(self, seat: str = "koi", lang: str = "en") -> Talk:
        """A phone that is online."""
        phone = self.hello(self.phone(seat, lang))
        assert phone.state == "online"
        return phone

    def order(self, phone: Talk, command: Any, stamp: int | None = None, order_id: str = "") -> dict[str, Any]:
        named, frame = phone.order(command, stamp, order_id)
        self.say(phone, frame)
        return phone.answers[named]

    def deliver(self) -> None:
        """Like the broker: to every phone whose user may have it."""
        while self.wire:
            topic, payload, done = self.wire.pop(0)
            for phone in self.phones:
                if topic == self.topics.down(phone.bond.seat) and self.keys.may(seat_user(phone.bond.seat, phone.bond.epoch), "get", topic):
                    for frame in phone.take(payload):
                        self.exchange.heard(phone.bond.seat, frame)
            if done is not None:
                self.held.append(done) if self.hold else done()

    def counts(self, why: str) -> int:
        return sum(n for (_, what), n in self.exchange.complaints.counts.items() if what == why)
