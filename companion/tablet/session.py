"""What the tablet knows and what a finger does with it: the state behind the widgets. No Kivy, one thread.

Widgets are drawn from a Session and can be thrown away at any time (resume, theme, language). Commands leave through the desk with the
stamp of the question on the screen; answers come back through the inbox.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from companion.rules.game import TABLE, Choice, Kind, Place, Refusal, Seat
from companion.rules.view import Text
from companion.table.hints import apart
from companion.tablet import house
from companion.tablet.choosing import sources
from companion.tablet.inbox import Answered, Asked
from companion.tablet.question import BOARD, JOIN, PINNED
from companion.tablet.sheets import Sheets
from companion.tablet.sides import SOUTH

LOGGER = logging.getLogger(__name__)

SHOWN = {"ok": 6.0, "waiting": 20.0}
"""How long a notice of that tone stays; the others stay until they are answered, touched or overtaken."""
REFUSED = "refused"


Offers = tuple[tuple[Seat, Choice[Any]], ...]


class Said(NamedTuple):
    """A notice or refusal on the screen."""

    tone: str
    text: Text
    clause: str = ""
    seat: Seat = ""
    lawful: tuple[Text, ...] = ()
    offers: Offers = ()
    until: float = float("inf")


class Session(Sheets):
    """All that may change on the screen. ``changed`` is called after every change."""

    def __init__(
        self,
        table: Any,
        places: frozenset[Place],
        *,
        changed: Callable[[], None],
        later: Callable[[Any], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """``later`` puts an inbox item from any thread."""
        super().__init__(table, places, clock)
        self.changed, self._later = changed, later
        self.touched: Place = ""
        """The place that waits for a tag."""
        self.said: Said | None = None
        self.tray = False
        self._tagged = False
        """Simulated figures were there."""
        self.codes: dict[Seat, str] = {}
        self.phones: dict[Seat, str] = {}
        self.takeovers: tuple[Seat, ...] = ()
        self.health: tuple[Any, ...] = ()
        self.complete = False
        """The table's devices are known."""
        self.shown_code: Seat = ""
        self.tells: Callable[[], None] | None = None
        """Opens the story of the game; None: this table keeps none."""
        self._touched_until = 0.0
        self._placing_until = 0.0
        """A tapped figure waits that long for its place."""
        self._serial = -1
        self._begun = 0
        """The revision of what the table itself last did here."""

    # ------------------------------------------------------------------ what comes in

    def take(self, update: Any) -> None:
        """A newer picture of the table."""
        old = self.update
        if old is not None and old.game_id == update.game_id and update.revision < old.revision:
            return
        before, seat, said = self.prompt, self.seat, self.said
        self.update = update
        self.hear(update.notice)
        if self.prompt != before:
            self.chosen = False
        if self._begun and update.revision >= self._begun:
            self._begun = 0
            if self.must(TABLE):  # what the table has begun, it goes on with
                self.seat, self.chosen, self.ask = TABLE, True, 0
        self.walk()
        if self.prompt != before:
            self.anew()
            self.pins.lock()
            if self.said is not None and self.said.tone == REFUSED and old is not None and update.revision > old.revision:
                self.said = None
        if self.said is not None and self.said.offers and old is not None and update.revision > old.revision and update.notice is None:
            self.said = None  # its offers were for another question
        if self.seat != seat:
            self._next_seat(said)
        if update.over and (old is None or not old.over):
            self.side = SOUTH
            self.open_sheet(("over",))  # what everybody wants to see now
        elif not update.over and self.sheet[:1] == ("over",):
            self.open_sheet(())
        self.changed()

    def _next_seat(self, said: Said | None) -> None:
        """What was said to the player before, and the seat that was looked up, do not stay into the next one's turn."""
        if said is not None and self.said is said and (said.tone == REFUSED or said.offers):
            self.said = None
        if self.sheet[:1] in {("seat",), ("ask",), ("pin",)}:
            self.sheet = self.behind = ()

    def hear(self, notice: Any) -> None:
        """A notice, once."""
        if notice is None or notice.serial <= self._serial:
            return
        self._serial = notice.serial
        self.touched = ""
        self._placing_until = self.clock() + SHOWN["waiting"] if notice.asks_place else 0.0
        until = self.clock() + SHOWN.get(notice.tone, float("inf")) if not notice.offers else float("inf")
        text, lawful = apart(notice.text)
        self.said = Said(notice.tone, text, notice.clause, notice.seat, lawful, notice.offers, until)

    def answered(self, seat: Seat, answer: Any) -> None:
        """The referee's word on a command played here."""
        refusal = None if answer.ok else answer.refusal
        if refusal is not None:
            offers = house.anyway(self.table.desk.current.seats.get(seat), refusal)
            self.said = Said(REFUSED, refusal.text, refusal.clause, seat, refusal.lawful, offers)
        elif self.said is not None and self.said.tone == REFUSED:
            self.said = None
        if answer.ok and seat == TABLE:
            self._begun = answer.revision
        self.changed()

    def tick(self) -> None:
        """Once a second: phones, takeovers, devices; notices and curtains that have been there long enough."""
        now = self.clock()
        if not self._tagged and self.table.tags():
            self._tagged = self.tray = True  # whoever has only simulated figures sees them
            self.changed()
        fresh = (dict(self.table.phones()), tuple(self.table.takeovers()), tuple(self.table.health()), bool(self.table.complete))
        moved = fresh != (self.phones, self.takeovers, self.health, self.complete)
        self.phones, self.takeovers, self.health, self.complete = fresh
        for seat in [seat for seat in self.codes if self.phones.get(seat) == "online" and seat != self.shown_code]:
            del self.codes[seat]
        if self.said is not None and now >= self.said.until:
            self.said, moved = None, True
        if self.touched and now >= self._touched_until:
            self.touched, moved = "", True
        if self.pinned and now >= self.pinned:
            self.close_curtain()
            moved = True
        if moved:
            self.changed()

    # ------------------------------------------------------------------ what a finger does with the question

    def touch(self, place: Place) -> None:
        """A place of the board: plays its one choice, offers its several, and lets a tag tapped next say which."""
        if self.said is not None and not self.said.offers:
            self.said = None
        if self.clock() < self._placing_until:  # it is the tapped figure's place, not an answer to the question
            self._placing_until = 0.0
            self.table.desk.touch(place)
            self.changed()
            return
        whose = [seat for seat in self.asked if self._lands(seat, place)]
        sure = len(whose) <= 1 or self.chosen
        if not sure:
            self.seat = whose[0]
        prompt, here = self.public, self.here.get(place, ())
        begins = sources(prompt, self.places).get(place, ()) if prompt is not None and place in self.starts else ()
        if sure and len(begins) == 1:
            self.press_pick(begins[0].key)
            return
        if sure and not begins and len(here) == 1 and prompt is not None and prompt.choices[here[0]].amounts is None:
            self.press_choice(here[0])
            return
        self.place = place if here or begins or not sure else ""
        self.leaf = 0
        self.touched, self._touched_until = place, self.clock() + SHOWN["waiting"]
        self.table.desk.touch(place)
        if sure and not here and not begins and not self.differs:
            self._why_here(place)
        self.changed()

    # ------------------------------------------------------------------ why not

    def ask_why(self, kind: Kind, place: Place = "") -> None:
        """Why a piece may not go somewhere (or, unnamed, to the first place that answers): the rules are asked, nothing is done."""
        seat = self.seat
        goal = place or next(iter(self.here), "") or next(iter(sorted(self.places)), "")
        self.table.desk.why(kind, goal, lambda refusal, offers: self._later(Asked(partial(self.explained, seat, refusal, offers))))

    def _why_here(self, place: Place) -> None:
        """The question moves pieces, but none to the touched place."""
        kinds = {group.key: group.kind for group in self.figures}
        own = next((stack.kind for stack in self._lying(place) if stack.seat == self.seat), "") if self.stepwise else ""
        kind = kinds.get(self.pick) or own or next(iter(kinds.values()), "")
        if kind:
            self.ask_why(kind, place)

    def explained(self, seat: Seat, refusal: Refusal | None, offers: Offers = ()) -> None:
        """The rules' answer to *Why not?*; ``offers``: what may be done all the same."""
        if refusal is not None:
            self.said = Said(REFUSED, refusal.text, refusal.clause, seat, refusal.lawful, offers)
            self.changed()

    def explain_sum(self) -> None:
        """The numbers cannot be sent yet: what they must come to."""
        prompt, filling = self.prompt, self.filling
        amounts = prompt.choices[filling.choice].amounts if prompt is not None and filling is not None else None
        if prompt is not None and amounts is not None:
            least, most = amounts.total
            self.said = Said("careful", Text("tablet.sum", {"least": least, "most": most}), prompt.clause, self.seat)
            self.changed()

    def press_choice(self, index: int) -> None:
        """A button of the question."""
        prompt = self.prompt
        if prompt is None or not 0 <= index < len(prompt.choices):
            return
        choice = prompt.choices[index]
        if choice.amounts is not None:
            self.begin_filling(index)
            self.changed()
        else:
            self.play(self.seat, choice.command)

    def press_amount(self, name: str, step: int) -> None:
        if self.fill(name, step):
            self.changed()

    def press_filled(self) -> None:
        command = self.filled_command()
        if command is not None:
            self.play(self.seat, command)

    def press_pick(self, key: str) -> None:
        """Takes a piece in hand, or puts it back."""
        self.pick = "" if key == self.pick and len(self.figures) > 1 else key
        self.place, self.leaf = "", 0
        self.changed()

    def press_back(self) -> None:
        """Away from the offered place, the numbers, or a question that may be left alone."""
        if not self.place and self.filling is None and self.ask:
            self.chosen, self.ask = False, 0
            self.walk()
            self.anew(calm=False)
        self.place, self.filling, self.leaf = "", None, 0
        self.changed()

    def press_leaf(self, step: int) -> None:
        self.leaf = max(0, self.leaf + step)
        self.changed()

    def press_seat(self, seat: Seat) -> None:
        """A seat's tab or row: its question, or (if the panel shows it already, or there is none) what the seat holds and may do."""
        if self.must(seat) and not self.bot(seat) and (seat != self.seat or self.whose()):
            place = self.place
            self._ask(seat, 0)
            self.place = place if self._lands(seat, place) else ""
        else:
            self.sheet = () if self.sheet == ("seat", seat) else ("seat", seat)
        self.changed()

    def press_table(self) -> None:
        """The table's own question comes onto the panel, whatever was open."""
        asks = self.table_asks
        if asks is not None:
            self._ask(TABLE, self.prompts(TABLE).index(asks))
            self.changed()

    def press_ask(self, seat: Seat, index: int) -> None:
        """Another question of a seat: on the panel, or as a list where the table itself asks."""
        prompts = self.prompts(seat)
        if index < len(prompts) and house.of_house(prompts[index]):
            self.open_sheet(("ask", seat, prompts[index].text.key), self.sheet if self.sheet[:1] != ("ask",) else self.behind)
            return
        self._ask(seat, index)
        self.changed()

    def press_listed(self, seat: Seat, choice: Choice[Any]) -> None:
        """A choice of the list; one with numbers goes on at the panel."""
        self.sheet = self.behind = ()
        if choice.amounts is None:
            self.play(seat, choice.command)
        else:
            found = [(i, prompt.choices.index(choice)) for i, prompt in enumerate(self.prompts(seat)) if choice in prompt.choices]
            for ask, index in found[:1]:
                self._ask(seat, ask)
                self.begin_filling(index)
        self.changed()

    def _ask(self, seat: Seat, index: int) -> None:
        self.seat, self.chosen, self.ask, self.sheet, self.behind = seat, True, index, (), ()
        self.anew(calm=False)

    # ------------------------------------------------------------------ and with the rest

    def man(self, seat: Seat) -> None:
        """Gives a seat to a bot, or takes it back."""
        self.table.desk.man(seat, bot=not self.bot(seat))

    def press_offer(self, index: int) -> None:
        if self.said is not None and index < len(self.said.offers):
            seat, choice = self.said.offers[index]
            self.said = None
            self.play(seat, choice.command)
            self.changed()

    def dismiss(self) -> None:
        self.said, self.touched = None, ""
        self.changed()

    def open_story(self) -> None:
        if self.tells is not None:
            self.tells()

    def show_page(self, page: str) -> None:
        over = ("over",) if self.update is not None and self.update.over else ()
        self.page, self.sheet, self.behind, self.shown_code = page, over, (), ""
        self.close_curtain()
        self.codes.clear()
        if page == JOIN:
            self.tick()
            for seat in self.seats:
                if self.phones.get(seat, "vacant") == "vacant" and not self.bot(seat):
                    self._code(seat)
        self.changed()

    def show_code(self, seat: Seat) -> None:
        """One seat's code, large; for a seat that has a phone this begins a takeover."""
        if self.shown_code == seat:
            self.shown_code = ""
            if self.phones.get(seat, "vacant") == "online":
                self.codes.pop(seat, None)
        else:
            self.shown_code = seat
            if seat not in self.codes:
                self._code(seat)
        self.changed()

    def decide(self, seat: Seat, *, yes: bool) -> None:
        self.takeovers = tuple(other for other in self.takeovers if other != seat)
        self.table.decide(seat, yes)
        self.changed()

    def toggle_tray(self) -> None:
        self.tray = not self.tray
        self.changed()

    def tap(self, uid: str) -> None:
        """A simulated tag on the simulated reader."""
        self.table.tap(uid)

    # ------------------------------------------------------------------ inside

    def _code(self, seat: Seat) -> None:
        try:
            self.codes[seat] = self.table.join(seat)
        except (OSError, ValueError) as fault:  # no network, no key store: the seat is played from the tablet
            LOGGER.warning("no code for %s: %s", seat, fault)

    def play(self, seat: Seat, command: Any) -> None:
        """A command of a seat, for the question on the screen."""
        self.touched = ""
        stamp = self.update.stamps.get(seat)  # of the question on the screen: a late finger cannot answer the next one
        self.table.desk.play(seat, command, lambda answer: self._later(Answered(seat, answer)), stamp=stamp)


__all__ = ["BOARD", "JOIN", "PINNED", "Said", "Session"]
