"""A running table: composes journal, game, desk, messengers and devices, and is what the tablet sees of them.

Here: who is started in which order and stopped in the other, and the facade of ``tablet.port``. Not here: any rule, protocol or widget.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.devices import Devices
from companion.inspection import Inspection
from companion.rules.game import Seat
from companion.rules.view import Text
from companion.settings import Settings
from companion.sync import join, lan
from companion.sync.broker import Broker
from companion.sync.messenger import Messenger
from companion.sync.patience import most, spares
from companion.sync.server import Server
from companion.table import games, record_file
from companion.table.desk import Desk
from companion.table.journal import Journal, JournalError, SavedGame
from companion.table.referee import Referee, ResumeError
from companion.tablet.port import Health
from companion.words import LANGUAGES

LOGGER = logging.getLogger(__name__)
STATIC = Path(__file__).parent / "phone" / "static"
JOURNAL = "jinmaku.sqlite"
DEFAULT_SEATS = {"rising_sun": ("koi", "lotus", "turtle", "dragonfly")}


class CannotStandError(Exception):
    """The table cannot stand; the message is the sentence to print."""


def clause_texts(tables: Mapping[str, Any], language: str) -> dict[str, str]:
    """The game's clauses (``data/clauses.toml``) in one language, where it has any."""
    return {clause: texts[language] for clause, texts in tables.get("clauses", {}).items() if language in texts}


class Service:
    """``start()`` brings the whole table up or raises CannotStandError; ``stop()`` ends it cleanly and may be called after a failed start."""

    def __init__(self, settings: Settings, on_change: Callable[[], None] = lambda: None) -> None:
        self.settings = settings
        self._on_change = on_change
        self._stops: list[Callable[[], None]] = []
        self.data = settings.data
        self.resumed = False
        self._begun = ""
        """The game this start began, as long as it may fail: the next run must not resume what never stood."""
        self._messenger: Messenger | None = None
        self.on_takeover: Callable[[Seat, bool], None] = lambda _seat, _asking: None
        """Another phone asks for a seat, or does not any more."""
        self.screen: Callable[[], dict[str, Any]] = dict
        """What the window shows, where there is one."""

    def start(self) -> None:
        try:
            self._start()
        except (JournalError, ResumeError, OSError, ValueError) as fault:
            if self._begun:
                self._journal.forget(self._begun)
            self.stop()
            raise CannotStandError(getattr(fault, "strerror", None) or str(fault)) from fault

    def _start(self) -> None:
        settings = self.settings
        # Bound first: a port that is taken must not leave an empty game behind.
        self._broker = Broker(
            lambda client, user, password: self._messenger.auth(client, user, password) if self._messenger else None,
            lambda user, action, topic: self._messenger is not None and self._messenger.may(user, action, topic),
            most=most,
            spares=spares,
        )
        self._server = Server(self._broker, STATIC, host=settings.host, port=settings.port)
        self._server.start()
        self._stops.append(self._server.stop)
        self._journal = Journal(settings.data / JOURNAL)
        self._stops.append(self._journal.close)
        saved = self._saved()
        self._referee = self._resume(saved) if saved else self._begin()
        self.resumed = saved is not None
        self.game = self._referee.game.id
        self.board: Mapping[str, Any] | None = self._loaded.facts.tables.get("board")
        self.desk = Desk(self._referee)
        self._messenger = messenger = Messenger(
            self.desk,
            self._journal,
            self._referee.game_id,
            former=[other.id for other in self._journal.games() if other.id != self._referee.game_id],
            on_takeover=self._asked,
            on_change=self._on_change,
            on_gone=self._broker.kick,
            clauses={language: clause_texts(self._loaded.facts.tables, language) for language in LANGUAGES},
        )
        self.devices = Devices(settings, self.desk, self._referee, on_change=self._on_change)
        for begin, end in (
            (self.desk.start, self.desk.stop),
            (lambda: messenger.start("127.0.0.1", self._server.mqtt_port), messenger.stop),
            (self.devices.start, self.devices.stop),
        ):
            begin()
            self._stops.append(end)
        if settings.inspect:
            inspection = Inspection(settings.inspect, self.told)
            inspection.start()
            self._stops.append(inspection.stop)
        self._begun = ""

    def _asked(self, seat: Seat, asking: bool) -> None:
        self.on_takeover(seat, asking)
        self._on_change()

    def stop(self) -> None:
        while self._stops:
            try:
                self._stops.pop()()
            except Exception:
                LOGGER.exception("something did not stop cleanly; going on")

    # -- which game

    def _saved(self) -> SavedGame | None:
        """The game to resume: the one asked for, or the newest that has not ended."""
        games_here = self._journal.games()
        if self.settings.resume:
            return self._journal.game(self.settings.resume)
        if self.settings.new:
            return None
        return next((one for one in games_here if one.game == self.settings.game and not one.ended), None)

    def _resume(self, saved: SavedGame) -> Referee:
        self._loaded = games.load_saved(self._journal, saved.id, self.settings.override)
        return Referee.resume(self._loaded.game, self._journal, saved.id, facts_hash=self._loaded.facts.digest)

    def _begin(self) -> Referee:
        settings = self.settings
        self._loaded = games.load(settings.game, settings.override)
        game, facts = self._loaded.game, self._loaded.facts
        seats, options, state = settings.seats or DEFAULT_SEATS[settings.game], dict(settings.options), None
        if settings.position:
            written = record_file.opening(game, settings.position)
            seats, options, state = written.seats, dict(written.options), written.state
        referee = Referee.create(game, self._journal, seats, options, facts_hash=facts.digest, facts=facts.tables, state=state)
        self._begun = referee.game_id
        return referee

    @property
    def _post(self) -> Messenger:
        assert self._messenger is not None, "the table has not been started"
        return self._messenger

    # -- the facade of the tablet (companion.tablet.port.Table)

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self._referee.seats

    @property
    def port(self) -> int:
        return self._server.port

    def addresses(self) -> list[str]:
        """Names or addresses a phone may find this table at, the likeliest first."""
        return list(self.settings.addresses) or lan.addresses()

    def join(self, seat: Seat) -> str:
        return join.join_url(self.addresses()[0], self.port, self._referee.game_id, self._post.offer(seat))

    def qr(self, url: str) -> Sequence[Sequence[bool]]:
        return join.qr_matrix(url)

    def phones(self) -> Mapping[Seat, str]:
        return self._post.status()

    def takeovers(self) -> tuple[Seat, ...]:
        return tuple(asked.seat for asked in self._post.takeovers())

    def decide(self, seat: Seat, yes: bool) -> None:
        self._post.decide(seat, yes)

    def health(self) -> tuple[Health, ...]:
        broker = Health(
            "broker",
            "ok" if self._post.online else "waiting",
            Text("service.broker"),
            Text("service.broker.up" if self._post.online else "service.broker.down", {"port": self.port}),
            "ui/broker",
        )
        return (broker, *self.devices.health())

    def tags(self) -> tuple[Any, ...]:
        return self.devices.tags()

    def tap(self, uid: str) -> None:
        self.devices.tap(uid)

    # -- for tests and helpers

    def told(self) -> dict[str, Any]:
        """What the table shows: referee, lamps, phones, window. JSON-able."""
        update = self.desk.current
        return {
            "game": update.game_id,
            "revision": update.revision,
            "port": self.port,
            "phones": dict(self.phones()),
            "lights": [[light.name, light.role, light.effect, light.value, light.max] for light in update.lights],
            "placement": {
                place: {kind: n for kind, n in kinds.items() if n}
                for place, kinds in self._referee.game.placement(self._referee.state).items()
            },
            "waits": [wait.seat for wait in update.open.waits],
            "devices": [[line.id, line.tone] for line in self.devices.health()],
            "screen": self.screen(),
        }
