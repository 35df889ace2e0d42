"""The ring of keys: which epochs of which seats live, and what a broker user may therefore do.

Here: minting, claiming, taking over, dying; kept in the journal before it counts, so that a restart keeps every seat. Not here: frames,
who asks whom (``exchange``). Changes come from one thread; ``auth`` and ``may`` read immutable pictures and can be asked from any.
"""

from __future__ import annotations

import hmac
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol

from companion.sync.sealing import Bond, fresh_key, mqtt_password
from companion.sync.topics import GUEST, TABLE, Topics, allowed, is_game_id, is_seat, read_user, seat_user
from companion.table.journal import JournalError, SeatKey

LOGGER = logging.getLogger(__name__)

OFFERS: Final = 8
"""Codes of one seat that may wait to be scanned; the oldest dies when one more is shown."""


class Store(Protocol):
    """The part of the journal this room uses."""

    def seat_keys(self, game_id: str) -> tuple[SeatKey, ...]: ...

    def put_seat_key(self, game_id: str, key: SeatKey) -> None: ...

    def drop_seat_key(self, game_id: str, seat: str, epoch: int) -> None: ...


class Keyring:
    """The living keys of one game. An epoch is *offered* (shown as a code, nobody came yet), *held* (it is the seat) or dead."""

    def __init__(
        self,
        store: Store,
        game_id: str,
        seats: Iterable[str],
        *,
        password: str = "",
        on_gone: Callable[[str], None] = lambda _user: None,
    ) -> None:
        """Raises ValueError for a game id or seat that could not stand in a topic. ``password`` is the table's own broker password;
        ``on_gone`` hears of every broker user that may do nothing any more.
        """
        self.game_id = game_id
        self.seats = tuple(seats)
        bad = [seat for seat in self.seats if not is_seat(seat)]
        if bad or not is_game_id(game_id):
            raise ValueError(f"game id {game_id!r} or seats {bad} cannot stand in a topic: use [a-z0-9]{{8}} and clan ids")
        self.password = password or secrets.token_hex(32)
        self._store = store
        self._on_gone = on_gone
        self._alive: dict[tuple[str, int], SeatKey] = {}
        self._newest = dict.fromkeys(self.seats, 0)
        self._leaving: set[str] = set()
        self._doors: Mapping[str, bytes] = {}
        self._ears: frozenset[str] = frozenset()
        self._load()

    def _load(self) -> None:
        guest: SeatKey | None = None
        for key in self._store.seat_keys(self.game_id):
            if key.seat == GUEST:
                guest = key
            elif key.seat in self._newest:
                self._alive[key.seat, key.epoch] = key
                self._newest[key.seat] = max(self._newest[key.seat], key.epoch)
        if guest is None:
            guest = SeatKey(seat=GUEST, epoch=0, key=fresh_key(), held=True)
            self._store.put_seat_key(self.game_id, guest)
        self.guest = guest
        # A crash between two rows of a takeover leaves the loser behind: the newest held epoch is the seat, what is older is dead.
        for seat in self.seats:
            held = max((key.epoch for key in self._of(seat) if key.held), default=0)
            for key in self._of(seat):
                if key.epoch < held:
                    self._drop(key)
        self._publish()

    def offer(self, seat: str) -> SeatKey:
        """Mints the seat's next epoch: what a code shows. Raises ValueError for a seat that is not at this table."""
        if seat not in self._newest:
            raise ValueError(f"no seat {seat!r} at this table; there are {', '.join(self.seats)}")
        if self._newest[seat] >= 0xFFFF:
            raise ValueError(f"seat {seat} has had all 65,535 codes it can have: start a new game from this one's record")
        self._newest[seat] += 1
        key = SeatKey(seat=seat, epoch=self._newest[seat], key=fresh_key(), held=False)
        self._put(key)
        offered = [old for old in self._of(seat) if not old.held]
        for old in offered[:-OFFERS]:
            self._drop(old)
        self._publish()
        return key

    def bond(self, seat: str, epoch: int) -> Bond | None:
        """What a frame of this epoch is sealed with, while the epoch lives."""
        key = self._alive.get((seat, epoch))
        return None if key is None else Bond(self.game_id, seat, epoch, key.key)

    def held(self, seat: str) -> int | None:
        """The epoch that is the seat, None: vacant."""
        return max((key.epoch for key in self._of(seat) if key.held), default=None)

    def take(self, seat: str, epoch: int) -> None:
        """A living epoch becomes the seat. Every other one dies; a former holder may still be *told* so, until ``gone``."""
        key = self._alive[seat, epoch]
        former = self.held(seat)
        self._put(SeatKey(seat=seat, epoch=epoch, key=key.key, held=True))  # first: a crash now leaves two, never none
        for other in self._of(seat):
            if other.epoch != epoch:
                self._drop(other)
        if former is not None and former != epoch:
            self._leaving.add(seat_user(seat, former))
        self._publish()

    def refuse(self, seat: str, epoch: int) -> None:
        """An offered epoch dies; its phone may still be told so, until ``gone``."""
        key = self._alive.get((seat, epoch))
        if key is not None and not key.held:
            self._drop(key)
            self._leaving.add(seat_user(seat, epoch))
            self._publish()

    def gone(self, seat: str, epoch: int) -> None:
        """The last word to a dead epoch is out (or will never be): its broker user ends."""
        self._leaving.discard(seat_user(seat, epoch))
        self._publish()

    def auth(self, client_id: str, user: str, password: bytes) -> bool:
        """May this client connect? Any thread. The client id must begin with the user, so that nobody can take over another's session."""
        wanted = self._doors.get(user)
        same = hmac.compare_digest(wanted or bytes(64), password)
        return same and wanted is not None and client_id.startswith(f"{user}-")

    def may(self, user: str, action: str, topic: str) -> bool:
        """May this user do this now? Any thread. A dead epoch may nothing, but hear its last word."""
        if user in self._doors:
            return allowed(self.game_id, user, action, topic)
        who = read_user(user)
        return who is not None and user in self._ears and action == "get" and topic == Topics(self.game_id).down(who[0])

    def _of(self, seat: str) -> list[SeatKey]:
        return sorted((key for key in self._alive.values() if key.seat == seat), key=lambda key: key.epoch)

    def _put(self, key: SeatKey) -> None:
        self._store.put_seat_key(self.game_id, key)
        self._alive[key.seat, key.epoch] = key

    def _drop(self, key: SeatKey) -> None:
        """Dead it is at once, whatever the disk says: what stays behind there is older than the seat's holder and dies with the next start."""
        del self._alive[key.seat, key.epoch]
        try:
            self._store.drop_seat_key(self.game_id, key.seat, key.epoch)
        except JournalError as fault:
            LOGGER.warning("the dead code %s.%d stays in the journal: %s", key.seat, key.epoch, fault)

    def _publish(self) -> None:
        doors = {seat_user(key.seat, key.epoch): mqtt_password(key.key).encode() for key in self._alive.values()}
        doors[GUEST] = mqtt_password(self.guest.key).encode()
        doors[TABLE] = self.password.encode()
        before = self._doors.keys() | self._ears
        self._doors, self._ears = doors, frozenset(self._leaving)
        for user in sorted(before - doors.keys() - self._ears):
            self._on_gone(user)
