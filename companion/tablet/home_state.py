"""What the home screen knows and what a finger does with it: the list of games, the form of a new one, the letters being typed. No Kivy.

Whatever takes a moment is handed to ``work``; its answer comes back on the screen's thread.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from companion.lobby.form import Fault, Form, fresh
from companion.lobby.port import CannotOpenError, Home, Lobby
from companion.look.tokens import tokens
from companion.rules.game import Seat
from companion.rules.view import Text
from companion.table.setup import LONGEST, cleaned
from companion.tablet.speech import Speech

LOGGER = logging.getLogger(__name__)

HOME, NEW = "home", "new"
PLAYERS, TABLE, RULES = "players", "table", "rules"
TABS = (PLAYERS, TABLE, RULES)
ALPHABETS = {
    "en": ("qwertyuiop", "asdfghjkl'", "zxcvbnm-"),
    "ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбюё"),
}
"""Letters of the screen's own keys; a real keyboard may type any."""


class Work(Protocol):
    def __call__(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Runs ``job`` somewhere and ``done`` with its value, or with the exception it raised, on the screen's thread."""


class HomeState:
    """``changed`` is called after every change, ``opened`` with the table that was opened."""

    def __init__(
        self,
        lobby: Lobby,
        *,
        changed: Callable[[], None],
        work: Work,
        opened: Callable[[Any], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.lobby, self.changed, self._work, self._opened, self._clock = lobby, changed, work, opened, clock
        self.speech = Speech(lobby.language)
        self.theme = lobby.theme
        self.scale = 1.0
        self.rotation = 0
        """Degrees, counter-clockwise, by which the whole screen is turned on its glass."""
        self.page, self.tab, self.leaf = HOME, PLAYERS, 0
        self.home: Home | None = None
        """None: it is being read."""
        self.form: Form | None = None
        self.busy: Text | None = None
        """Something takes a moment, and nothing else can be pressed."""
        self.trouble: Text | None = None
        self.typing: Seat = ""
        """Whose name is being typed."""
        self.typed = ""
        self.alphabet = "en"
        self.shift = True
        self.choosing: Seat = ""
        """Whose clan is being chosen."""
        self.pairing: Seat = ""
        """The first of two that are to be allied."""

    asking = 0
    """No question is another seat's here."""

    @property
    def quiet(self) -> bool:
        """Nothing can be pressed now."""
        return self.busy is not None

    @property
    def newest(self) -> str:
        """The game that goes on at one press: the one played last that can; "" for none."""
        saved = self.home.saved if self.home is not None else ()
        return next((one.id for one in saved if one.fault is None and not one.ended), "")

    # ------------------------------------------------------------------ the list

    def read(self) -> None:
        """Reads the list anew."""
        self._work(self.lobby.home, self._read)

    def _read(self, home: Any) -> None:
        self.home = home if isinstance(home, Home) else Home(notice=Text("lobby.unread", {"fault": str(home)}))
        self.changed()

    def resume(self, game_id: str) -> None:
        self._open(lambda: self.lobby.resume(game_id))

    def begin(self) -> None:
        """Begins the game of the form, if nothing is wrong with it."""
        form = self.form
        if form is not None and not self.blocking:
            game = form.game()
            self._open(lambda: self.lobby.begin(game))

    def leave(self) -> None:
        """Closes the game that was open, then reads the list."""
        self.busy = Text("lobby.leaving")
        self._work(self.lobby.leave, self._left)

    def _left(self, fault: Any) -> None:
        self.busy = None
        if isinstance(fault, Exception):
            LOGGER.error("a game could not be left cleanly", exc_info=fault)
        self.read()
        self.changed()

    def _open(self, job: Callable[[], Any]) -> None:
        if self.busy is not None:
            return
        self.busy, self.trouble = Text("lobby.opening"), None
        self.changed()
        self._work(job, self._done)

    def _done(self, table: Any) -> None:
        self.busy = None
        if isinstance(table, Exception):
            if not isinstance(table, CannotOpenError):
                LOGGER.error("a game could not be opened", exc_info=table)
            self.trouble = Text("lobby.cannot_open", {"fault": str(table)})
            self.read()
            self.changed()
        else:
            self._opened(table)

    # ------------------------------------------------------------------ pages

    def new(self, index: int = 0) -> None:
        """The form of one of the games offered."""
        offers = self.lobby.offers
        if index < len(offers):
            self.form = fresh(offers[index], self.lobby.readers)
            self.page, self.tab, self.leaf, self.trouble = NEW, PLAYERS, 0, None
        self.changed()

    def back(self) -> None:
        self.page, self.leaf, self.trouble, self.pairing = HOME, 0, None, ""
        self.changed()

    def turn_to(self, tab: str) -> None:
        self.tab, self.leaf, self.pairing = tab, 0, ""
        self.changed()

    def press_leaf(self) -> None:
        self.leaf += 1
        self.changed()

    def next_language(self) -> None:
        self.speech.lang = self.speech.following()
        self.changed()

    def next_theme(self) -> None:
        self.theme = "night" if self.theme == "day" else "day"
        self.changed()

    def resize(self, step: int) -> None:
        """The next larger or smaller text."""
        sizes = tokens().type.user_scale
        nearest = min(range(len(sizes)), key=lambda i: abs(sizes[i] - self.scale))
        self.scale = sizes[min(max(nearest + step, 0), len(sizes) - 1)]
        self.changed()

    # ------------------------------------------------------------------ the form

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self.form.faults() if self.form is not None else ()

    @property
    def blocking(self) -> bool:
        return any(fault.blocks for fault in self.faults)

    def put(self, form: Form) -> None:
        """The form as it is now."""
        self.form, self.trouble = form, None
        self.changed()

    def mend(self) -> None:
        """The first fault that one press puts right."""
        fault = next((fault for fault in self.faults if fault.fix), None)
        if self.form is not None and fault is not None:
            self.put(self.form.mended(fault))

    def ally(self, seat: Seat) -> None:
        """Touching two allies them, or parts them again."""
        if self.form is None:
            return
        first, self.pairing = self.pairing, ""
        if not first and (other := self.form.ally(seat)):
            self.put(self.form.allied(seat, other))
        elif first and first != seat:
            self.put(self.form.allied(first, seat))
        else:
            self.pairing = "" if first else seat
            self.changed()

    def choose(self, seat: Seat) -> None:
        """Opens, or closes, the choice of a player's clan."""
        self.choosing = "" if self.choosing == seat else seat
        self.changed()

    def take(self, to: Seat) -> None:
        seat, self.choosing = self.choosing, ""
        if self.form is not None:
            self.put(self.form.moved(seat, to))

    # ------------------------------------------------------------------ letters

    def edit(self, seat: Seat) -> None:
        """Begins to type a player's name."""
        player = self.form.player(seat) if self.form is not None else None
        if player is not None:
            self.typing, self.typed, self.shift = seat, player.name, not player.name
            self.alphabet = self.speech.lang if self.speech.lang in ALPHABETS else "en"
            self.changed()

    def type(self, text: str) -> None:
        """Letters, from the screen's keys or any keyboard."""
        if self.typing:
            self.typed = _room(self.typed + text)
            self.shift = self.typed.endswith((" ", "-")) or not self.typed
            self.changed()

    def rub(self) -> None:
        """Takes the last letter back."""
        self.typed = self.typed[:-1]
        self.shift = self.typed.endswith((" ", "-")) or not self.typed
        self.changed()

    def clear(self) -> None:
        self.typed, self.shift = "", True
        self.changed()

    def write(self, name: str) -> None:
        """A name of an earlier game."""
        self.typed = name
        self.finish()

    def finish(self) -> None:
        """The name is as it stands."""
        seat, self.typing = self.typing, ""
        if self.form is not None and seat:
            self.put(self.form.named(seat, self.typed))

    def press_bot(self) -> None:
        """A bot plays the seat whose name is being typed, or a person again; the bot needs no letters."""
        player = self.form.player(self.typing) if self.form is not None else None
        if self.form is not None and player is not None:
            self.form = self.form.manned(player.seat, bot=not player.bot)
            if not player.bot:
                self.finish()
            else:
                self.changed()

    def press_shift(self) -> None:
        self.shift = not self.shift
        self.changed()

    def other_letters(self) -> None:
        names = tuple(ALPHABETS)
        self.alphabet = names[(names.index(self.alphabet) + 1) % len(names)]
        self.changed()

    @property
    def known(self) -> tuple[str, ...]:
        """Names of earlier games that nobody has yet."""
        used = {player.name for player in self.form.players} if self.form is not None else set()
        return tuple(name for name in (self.home.names if self.home is not None else ()) if name not in used)


def _room(text: str) -> str:
    """What has been typed so far, a blank at its end still to be followed by a letter."""
    whole = cleaned(text)
    blank = " " if text[-1:].isspace() and whole and len(whole) < LONGEST else ""
    return whole + blank
