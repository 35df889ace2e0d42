"""The house: what stands as long as the program runs (server, broker, journal, addresses), and the one game that is open in it, if any.

Here: opening, leaving and opening again; what is asked of the house before a game (``lobby.port``). Not here: what a game is made of
(``sitting``), any rule, protocol or widget.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.inspection import Inspection
from companion.lobby import saved
from companion.lobby.form import NewGame
from companion.lobby.port import CannotOpenError, Entry, Home
from companion.rules.game import Seat
from companion.rules.offer import Offer
from companion.rules.view import Text
from companion.settings import Settings
from companion.sitting import Sitting
from companion.sync.broker import Broker
from companion.sync.listening import doorway
from companion.sync.messenger import Messenger
from companion.sync.patience import most, spares
from companion.sync.topics import GUEST, seat_user
from companion.table import games, record_file
from companion.table.games import Loaded
from companion.table.journal import Journal, JournalError
from companion.table.referee import Referee, ResumeError
from companion.table.setup import Setup

LOGGER = logging.getLogger(__name__)
STATIC = Path(__file__).parent / "phone" / "static"
JOURNAL = "jinmaku.sqlite"
DEFAULT_SEATS = {"rising_sun": ("koi", "lotus", "turtle", "dragonfly")}
TROUBLES = (JournalError, ResumeError, OSError, ValueError, KeyError)
"""What opening a game may raise, always with a sentence; KeyError: a game this program does not have."""


class CannotStandError(Exception):
    """The table cannot stand; the message is the sentence to print."""


class Service:
    """``start()`` brings the house up or raises CannotStandError; ``stop()`` ends it cleanly and may be called after a failed start.

    It stands in two steps where a window is to open: first all that a picture with its codes needs, the ports too, so that a phone that comes
    early only waits; then, by ``serve()``, server and devices, which take longer to load than the picture takes to draw.

    ``begin``, ``resume`` and ``leave`` may be called on any thread; one at a time is done. It is a ``lobby.port.Lobby``.
    """

    def __init__(self, settings: Settings, on_change: Callable[[], None] = lambda: None) -> None:
        self.settings = settings
        self.data, self.language, self.theme = settings.data, settings.language, settings.theme
        self.readers = sum(1 for _, place in settings.readers if place)
        self.entries: list[Entry] = []
        """More ways from the home screen; whoever builds one puts it here."""
        self.sitting: Sitting | None = None
        self._on_change = on_change
        self._stops: list[Callable[[], None]] = []
        self._door: Messenger | None = None
        """Of the open game, or of the one left last: its phones stay on the line and are told that the table is away."""
        self._opening = threading.Lock()
        self._serving = self._ended = False
        self._begun = ""
        """The game that this start began, if it began one."""
        self.on_open: Callable[[Sitting], None] = lambda _sitting: None
        """A game was opened; on the thread that opened it."""
        self.on_takeover: Callable[[Seat, bool], None] = lambda _seat, _asking: None
        """Another phone asks for a seat, or does not any more."""
        self.screen: Callable[[], dict[str, Any]] = dict
        """What the window shows, where there is one."""

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What every game offers. Raises FactsError for the owner's facts."""
        return games.offers(self.settings.override)

    # -- the house

    def start(self, *, home: bool = False, serve: bool = True) -> None:
        """The house, and in it the game that was asked for, or the newest that has not ended, or a new one.

        ``home``: where nothing was asked for and nothing can go on, no game is opened: somebody fills in the form. ``serve``: False leaves
        ``serve()`` to the caller.
        """
        settings = self.settings
        try:
            # Bound first: a port that is taken must not leave an empty game behind.
            self._doorway = doorway(settings.host, settings.port)
            self._stops.append(self._doorway.close)
            self._broker = Broker(
                lambda client, user, password: self._door.auth(client, user, password) if self._door else None,
                lambda user, action, topic: self._door is not None and self._door.may(user, action, topic),
                most=most,
                spares=spares,
            )
            self._journal = Journal(settings.data / JOURNAL)
            self._stops.append(self._journal.close)
            self._begun = self._first(home=home)
            if settings.inspect:
                self._inspect(settings.inspect)
            if serve:
                self._serve()
        except TROUBLES as fault:
            self.stop()
            raise CannotStandError(_sentence(fault)) from fault

    def serve(self) -> None:
        """The rest of a ``start(serve=False)``; any thread. Raises CannotStandError; nothing is done where it is done or the house was ended."""
        try:
            with self._opening:
                self._serve()
        except TROUBLES as fault:
            raise CannotStandError(_sentence(fault)) from fault

    def _serve(self) -> None:
        if self._serving or self._ended:
            return
        self._serving = True
        from companion.sync.server import Server  # noqa: PLC0415 - a phone that is early can wait for it, and people look at the window

        server = Server(self._broker, STATIC)
        try:
            server.start(self._doorway)
            self._stops.append(server.stop)
            if self.sitting is not None:
                self.sitting.serve()
        except TROUBLES:
            self._never_stood()
            raise

    def _never_stood(self) -> None:
        """The next run must not resume a game that this start began in vain."""
        self._close()
        self._journal.forget(self._begun)

    def _inspect(self, path: Path) -> None:
        inspection = Inspection(path, self.told)
        try:
            inspection.start()
        except TROUBLES:
            self._never_stood()
            raise
        self._stops.append(inspection.stop)

    def stop(self) -> None:
        with self._opening:  # what is just being opened is closed as well
            self._ended = True
            self._close()
            while self._stops:
                try:
                    self._stops.pop()()
                except Exception:
                    LOGGER.exception("something did not stop cleanly; going on")

    def tell(self, what: Callable[[Sitting], None]) -> None:
        """``what`` with the open game, which is closed only afterwards; nothing where none is open. Any thread."""
        with self._opening:
            if self.sitting is not None:
                what(self.sitting)

    @property
    def port(self) -> int:
        return self._doorway.port

    # -- which game

    def _first(self, *, home: bool) -> str:
        """Opens the game of this start; returns the id of one that was begun, "" for one that was resumed or none."""
        settings = self.settings
        if settings.resume:
            self._open_saved(settings.resume, settings.bots)
            return ""
        here = [] if settings.new else [one.id for one in self._journal.games() if one.game == settings.game and not one.ended]
        if here:
            self._open_saved(here[0], settings.bots)
            return ""
        if home and not settings.new and not settings.bots:
            assert self.offers, "there is a game to be played"  # read now, so that a fault of the owner's facts is told at the start
            return ""
        return self.open_default()

    def open_default(self) -> str:
        """A new game as the command line has it, or else as most tables play; its id. Raises TROUBLES."""
        settings = self.settings
        loaded = games.load(settings.game, settings.override)
        seats, options, state = settings.seats or DEFAULT_SEATS[settings.game], dict(settings.options), None
        if settings.position:
            written = record_file.opening(loaded.game, settings.position)
            seats, options, state = written.seats, dict(written.options), written.state
        referee = self._created(loaded, seats, options, Setup(level=settings.level), state)
        self._open_new(loaded, referee, settings.bots)
        return referee.game_id

    def _created(self, loaded: Loaded, seats: Sequence[Seat], options: Mapping[str, str], setup: Setup, state: Any = None) -> Referee:
        """A new game in the journal. Raises TROUBLES."""
        facts = loaded.facts
        return Referee.create(
            loaded.game, self._journal, seats, options, facts_hash=facts.digest, facts=facts.tables, state=state, setup=setup
        )

    def _open_new(self, loaded: Loaded, referee: Referee, bots: Sequence[Seat] = ()) -> Sitting:
        """The next run must not resume what never stood."""
        try:
            return self._open(loaded, referee, resumed=False, bots=bots)
        except TROUBLES:
            self._journal.forget(referee.game_id)
            raise

    def _open_saved(self, game_id: str, bots: Sequence[Seat] = ()) -> Sitting:
        """Puts the open game away once it is known that this one can go on."""
        loaded = games.load_saved(self._journal, game_id, self.settings.override)
        referee = Referee.resume(loaded.game, self._journal, game_id, facts_hash=loaded.facts.digest)
        self._close()
        return self._open(loaded, referee, resumed=True, bots=bots)

    def _open(self, loaded: Loaded, referee: Referee, *, resumed: bool, bots: Sequence[Seat]) -> Sitting:
        for seat in bots:
            if seat not in referee.seats:
                raise ValueError(f"--bots {seat}: nobody sits there in game {referee.game_id}, but {', '.join(referee.seats)}")
            referee.man(seat, bot=True)
        former = [other.id for other in self._journal.games() if other.id != referee.game_id]
        sitting = Sitting(
            self.settings,
            self._doorway,
            self._journal,
            loaded,
            referee,
            resumed=resumed,
            former=former,
            on_takeover=self._asked,
            on_change=self._on_change,
            on_gone=self._broker.kick,
        )
        before, self._door = self._door, sitting.post
        try:
            sitting.open()
            if self._serving:
                sitting.serve()
            self._journal.opened(sitting.game_id)
        except BaseException:
            sitting.stop()
            self._door = before
            raise
        if before is not None:
            self._turn_out(former)
        self.sitting = sitting
        self.on_open(sitting)
        return sitting

    def _turn_out(self, former: list[str]) -> None:
        """Phones that still wait for another game: their keys no longer open anything here."""
        for game_id in former:
            for key in self._journal.seat_keys(game_id):
                self._broker.kick(seat_user(key.seat, key.epoch))
        if former:
            self._broker.kick(GUEST)

    def _close(self) -> None:
        sitting, self.sitting = self.sitting, None
        if sitting is not None:
            sitting.stop()

    def _asked(self, seat: Seat, asking: bool) -> None:
        self.on_takeover(seat, asking)
        self._on_change()

    # -- before and between games (companion.lobby.port.Lobby)

    @property
    def table(self) -> Sitting | None:
        return self.sitting

    def home(self) -> Home:
        try:
            aside = self._journal.aside
            notice = Text("lobby.aside", {"path": str(aside)}) if aside is not None else None
            return Home(saved.listed(self._journal), saved.players(self._journal), notice)
        except (JournalError, OSError) as fault:
            return Home(notice=Text("lobby.unread", {"fault": str(fault)}))

    def begin(self, game: NewGame) -> Sitting:
        with self._opening:
            try:
                loaded = games.load(game.game, self.settings.override)
                referee = self._created(loaded, game.seats, game.options, game.setup)
                self._close()  # the open game stays where no other can be made
                return self._open_new(loaded, referee)
            except TROUBLES as fault:
                raise CannotOpenError(_sentence(fault)) from fault

    def resume(self, game_id: str) -> Sitting:
        with self._opening:
            if self.sitting is not None and self.sitting.game_id == game_id:
                return self.sitting
            try:
                return self._open_saved(game_id)
            except TROUBLES as fault:
                raise CannotOpenError(_sentence(fault)) from fault

    def leave(self) -> None:
        with self._opening:
            self._close()

    # -- for tests and helpers

    def told(self) -> dict[str, Any]:
        """What the table shows: the open game, and the window. JSON-able."""
        sitting = self.sitting
        return {**(sitting.told() if sitting is not None else {"game": ""}), "port": self.port, "screen": self.screen()}


def _sentence(fault: BaseException) -> str:
    if isinstance(fault, KeyError):
        return f"this program has no game called {fault}: update it"
    return getattr(fault, "strerror", None) or str(fault)
