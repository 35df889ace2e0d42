"""One game being played at this table, from the moment it is opened until it is left: referee, desk, messenger and devices.

Here: who of them is started in which order and stopped in the other, and the facade of ``tablet.port``. Not here: what stands between games
(server, broker, journal: ``service``), or any rule, protocol or widget.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import asked
from companion.rules.game import Seat
from companion.rules.view import Text
from companion.settings import Settings
from companion.sync import join, lan
from companion.sync.listening import Doorway
from companion.sync.messenger import Messenger
from companion.table.bots import even
from companion.table.desk import Desk
from companion.table.games import GAMES, Loaded
from companion.table.journal import Journal
from companion.table.levels import sentence
from companion.table.referee import Referee
from companion.table.setup import STRICT
from companion.table.stand_ins import StandIns
from companion.table.story import Progress, Story
from companion.tablet.port import Health
from companion.words import LANGUAGES

if TYPE_CHECKING:
    from companion.devices import Devices

LOGGER = logging.getLogger(__name__)

EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104 - compared with, not listened on


def clause_texts(tables: Mapping[str, Any], language: str) -> dict[str, str]:
    """The game's clauses (``data/clauses.toml``) in one language, where it has any."""
    return {clause: texts[language] for clause, texts in tables.get("clauses", {}).items() if language in texts}


class Sitting:
    """``open()`` and then ``serve()`` once, ``stop()`` once (also after one of them failed). It is a ``tablet.port.Table``.

    Open, it can be looked at and its codes can be shown; served, phones are heard and devices are there.
    """

    def __init__(
        self,
        settings: Settings,
        doorway: Doorway,
        journal: Journal,
        loaded: Loaded,
        referee: Referee,
        *,
        resumed: bool,
        former: Collection[str],
        on_takeover: Callable[[Seat, bool], None],
        on_change: Callable[[], None],
        on_gone: Callable[[str], None],
    ) -> None:
        """``former``: ids of the table's other games, whose leavings on the broker are swept. The callbacks are the messenger's.

        Raises ValueError, also FiguresError, for a reader's place or a file of figures that this game cannot use.
        """
        asked.check(settings, referee.game)
        self.settings = settings
        self.data = settings.data
        self.resumed = resumed
        self.game_id = referee.game_id
        self.game = referee.game.id
        self.seats: tuple[Seat, ...] = referee.seats
        self.sides: Mapping[Seat, str] = referee.setup.sides
        self.board: Mapping[str, Any] | None = loaded.facts.tables.get("board")
        self._clauses = {language: clause_texts(loaded.facts.tables, language) for language in LANGUAGES}
        self._doorway, self._referee, self._journal = doorway, referee, journal
        self._on_change = on_change
        self._story = Story(referee.game, journal, referee.game_id)
        self._stops: list[Callable[[], None]] = []
        self.desk = Desk(referee)
        self.post = Messenger(
            self.desk,
            journal,
            referee.game_id,
            former=former,
            on_takeover=on_takeover,
            on_change=on_change,
            on_gone=on_gone,
            clauses=self._clauses,
        )
        taste = GAMES[self.game].taste() if self.game in GAMES else even
        self.stand_ins = StandIns(self.desk, taste, seed=referee.game_id)
        self._devices: Devices | None = None

    def open(self) -> None:
        """What a picture needs."""
        self._begin((self.desk.start, self.desk.stop), (self.post.open, self.post.stop))

    def serve(self) -> None:
        """All the rest. Raises OSError, ValueError."""
        from companion.devices import Devices  # noqa: PLC0415 - readers and strips are loaded when codes are shown already

        devices = Devices(
            self.settings, self.desk, self._referee, layout=self._referee.setup.layout, board=self.board, on_change=self._on_change
        )
        self.post.start("127.0.0.1", self._doorway.mqtt_port)
        self._begin((devices.start, devices.stop), (self.stand_ins.start, self.stand_ins.stop))
        self._devices = devices
        self._on_change()

    def _begin(self, *steps: tuple[Callable[[], None], Callable[[], None]]) -> None:
        for begin, end in steps:
            self._stops.append(end)
            begin()

    @property
    def devices(self) -> Devices:
        """Once it is served."""
        assert self._devices is not None, "the table is served before its devices are asked for"
        return self._devices

    def stop(self) -> None:
        while self._stops:
            try:
                self._stops.pop()()
            except Exception:
                LOGGER.exception("something did not stop cleanly; going on")

    # -- the facade of the tablet

    @property
    def port(self) -> int:
        return self._doorway.port

    def addresses(self) -> list[str]:
        """Names or addresses a phone may find this table at, the likeliest first; where it listens on one address only, that one."""
        host = self.settings.host
        return list(self.settings.addresses) or (lan.addresses() if host in EVERYWHERE else [host])

    def join(self, seat: Seat) -> str:
        return join.join_url(self.addresses()[0], self.port, self.game_id, self.post.offer(seat))

    def qr(self, url: str) -> Sequence[Sequence[bool]]:
        return join.qr_matrix(url)

    def clause(self, clause: str, lang: str) -> str:
        """What the rules say there; "": nothing is known of it."""
        return self._clauses.get(lang, {}).get(clause, "")

    def story(self, progress: Progress) -> Story:
        """The game so far, read now; it may take a moment, and is called on a thread of its own. Raises JournalError."""
        self._story.read(progress)
        return self._story

    def export(self, lang: str) -> Sequence[Path]:
        """Writes record and CSV below the data directory; where. As ``story``; raises OSError too."""
        from companion.table import exports  # noqa: PLC0415 - when a game is told, not before its codes are shown

        return exports.save(self._referee.game, self._journal, self._story, self.data, lang=lang)

    def phones(self) -> Mapping[Seat, str]:
        return self.post.status()

    def takeovers(self) -> tuple[Seat, ...]:
        return tuple(asked.seat for asked in self.post.takeovers())

    def decide(self, seat: Seat, yes: bool) -> None:
        self.post.decide(seat, yes)

    def health(self) -> tuple[Health, ...]:
        broker = Health(
            "broker",
            "ok" if self.post.online else "waiting",
            Text("service.broker"),
            Text("service.broker.up" if self.post.online else "service.broker.down", {"port": self.port}),
            "ui/broker",
        )
        return (broker, *self._level(), *(self._devices.health() if self._devices is not None else ()))

    def _level(self) -> tuple[Health, ...]:
        """How the rules are kept, where that is not strictly."""
        level = self.desk.current.level
        return () if level == STRICT else (Health("level", "careful", Text("table.level"), sentence(level), "ui/why"),)

    @property
    def complete(self) -> bool:
        """It is served: its devices are known."""
        return self._devices is not None

    def tags(self) -> tuple[Any, ...]:
        return self._devices.tags() if self._devices is not None else ()

    def tap(self, uid: str) -> None:
        self.devices.tap(uid)

    @property
    def sim_table(self) -> str:
        return self._devices.sim_table if self._devices is not None else ""

    def open_sim_table(self) -> None:
        self.devices.open_sim_table()

    # -- for tests and helpers

    def told(self) -> dict[str, Any]:
        """What the table shows: referee, lamps, phones. JSON-able."""
        update = self.desk.current
        return {
            "game": update.game_id,
            "revision": update.revision,
            "phones": dict(self.phones()),
            "lights": [[light.name, light.role, light.effect, light.value, light.max] for light in update.lights],
            "placement": {
                place: {kind: n for kind, n in kinds.items() if n}
                for place, kinds in self._referee.game.placement(self._referee.state).items()
            },
            "waits": [wait.seat for wait in update.open.waits],
            "devices": [[line.id, line.tone] for line in (self._devices.health() if self._devices is not None else ())],
            "lying": list(self._devices.lying() if self._devices is not None else ()),
        }
