"""The desk: the table's thread-safe front. Everything that is to happen lies in one inbox, and one thread takes it in order.

Here: the referee thread, watchers, and the pairing of a touched place with a figure's tag. Not here: judging (``referee``), what a figure
at a place can mean (``match``), where figures are (``twin``), devices, screens. Whatever goes wrong in one order, the desk answers it and takes the next.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

import msgspec

from companion.rules.game import TABLE, Choice, Gesture, Kind, MovePiece, Place, Refusal, Seat
from companion.rules.view import Text
from companion.table import commands as say
from companion.table import hints, insist, match
from companion.table.figures import Figures, Tag, plain_uid
from companion.table.journal import JournalError
from companion.table.referee import Answer, Order, Referee
from companion.table.twin import READER, SINGLE, TAP
from companion.table.update import Notice, Offers, Update

__all__ = ["Desk", "Notice", "Offers", "Reply", "Update"]

LOGGER = logging.getLogger(__name__)

WINDOW = 20.0
"""Seconds in which a touched place and a tapped figure belong together, in either order."""

PAUSE = 1.0
"""Seconds between two looks at the clock while a lifted figure is in a hand."""

REST = 0.25
"""Seconds without anything to do before the journal is tidied: nobody waits."""

OVERRULED = "table.event_overruled"
"""The sentence by which everybody hears that a refusal was overruled."""

Reply = Callable[[Answer], None]


class Desk:
    """Any thread may call its methods; replies and watchers run on the referee thread and must not block."""

    current: Update
    """The newest; replaced whole, never changed. When a reply runs it is already the new one; watchers hear of it after the reply."""

    def __init__(self, referee: Referee, figures: Figures | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._referee = referee
        self._figures = Figures()
        self._clock = clock
        self._inbox: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._watchers: tuple[Callable[[Update], None], ...] = ()
        self._watching = threading.Lock()
        self._serial = 0
        self._notice: Notice | None = None
        self._place: tuple[Place, float] | None = None
        self._hand: tuple[Tag, float] | None = None
        """The figure tapped last, until it is played."""
        self._first = False
        """It had not been told of before: where it was is a guess."""
        self._differs: Text | None = None
        """Where table and app differed when it was last looked."""
        self._warned = False
        self._rested = False
        if figures is not None:
            self._know(figures, SINGLE, ())
        self._shown = referee.picture
        self.current = self._update()

    def start(self) -> None:
        """Begins to take from the inbox; what came before is taken first."""
        self._thread = threading.Thread(target=self._run, name="referee", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Takes what is already in the inbox, then ends. What comes later is not answered."""
        self._inbox.put(None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    # From any thread

    def submit(self, seat: Seat, order: Order, reply: Reply) -> None:
        """An order of a seat, as it came over the wire."""
        self._inbox.put(partial(self._order, seat, order, reply))

    def play(self, seat: Seat, command: Any, reply: Reply | None = None, *, stamp: int | None = None) -> None:
        """A command (a Struct of the game) from a trusted screen. It answers the question ``current`` shows now, or that of ``stamp``."""
        seen = self.current.stamps.get(seat, -1) if stamp is None else stamp
        self._inbox.put(partial(self._play, seat, command, seen, reply))

    def touch(self, place: Place) -> None:
        """A place was touched: it belongs to a figure tapped within the window, before or after."""
        self._inbox.put(partial(self._touch, place, self._clock()))

    def sight(self, uid: str, place: Place | None) -> None:
        """A tag was placed; ``place`` from its reader's zone, None where the reader is no place."""
        self._inbox.put(partial(self._sight, plain_uid(uid), place, self._clock()))

    def lift(self, uid: str, place: Place) -> None:
        """A tag has left the reader of a place."""
        self._inbox.put(partial(self._lift, plain_uid(uid), place, self._clock()))

    def why(self, kind: Kind, place: Place, reply: Callable[[Refusal | None, Offers], None]) -> None:
        """Why a figure may not go there now, with what would be lawful, and what may be done all the same; None: it may, or nobody minds.

        Only asked: nothing is done or said.
        """
        self._inbox.put(lambda: reply(*self._why(kind, place)))

    def announce(self, tone: str, text: Text, seat: Seat = "") -> None:
        """A screen of this table tells everybody at it something."""
        self._inbox.put(lambda: self._say(tone, text, "", seat))

    def know(self, figures: Figures, layout: str = SINGLE, zones: Collection[Place] = ()) -> None:
        """Another register of figures from now on, and how their places become known (the layouts of ``twin``); ``zones`` have readers of their own."""
        self._inbox.put(partial(self._know, figures, layout, zones))

    def man(self, seat: Seat, *, bot: bool) -> None:
        """The host gives a seat to a bot, or takes it back; everybody hears of it. Who then plays the seat is ``stand_ins``."""
        self._inbox.put(partial(self._man, seat, bot))

    def whereabouts(self, reply: Callable[[Mapping[str, Place]], None]) -> None:
        """``reply`` hears where every tagged figure is believed to be, by UID; on the referee thread."""
        self._inbox.put(lambda: reply(self._referee.hands.whereabouts()))

    def watch(self, fn: Callable[[Update], None]) -> Callable[[], None]:
        """``fn`` hears the current Update at once and then every new one. Call what is returned to stop watching."""
        with self._watching:
            self._watchers = (*self._watchers, fn)
        self._inbox.put(lambda: self._tell(fn) if fn in self._watchers else None)

        def unwatch() -> None:
            with self._watching:
                self._watchers = tuple(other for other in self._watchers if other is not fn)

        return unwatch

    # On the referee thread

    def _run(self) -> None:
        while (item := self._next()) is not None:
            serial = self._serial
            try:
                item()
                self._compare(serial)
            except Exception:
                LOGGER.exception("the desk could not do one thing and goes on")

    def _next(self) -> Callable[[], object] | None:
        """What comes next; when nothing does, once what can wait, and while a figure is in a hand time itself now and then."""
        idle = PAUSE if self._referee.hands.in_hand() else None
        rested, self._rested = self._rested, False
        try:
            return self._inbox.get(timeout=idle if rested else REST)
        except queue.Empty:
            self._rested = True
            return self._referee.journal.tidy

    def _compare(self, serial: int) -> None:
        """Says once when table and app begin or cease to differ; ``serial``: of the notice before this thing was done."""
        self._referee.hands.save()
        self._referee.hands.look(self._clock())
        self._follow()
        differs = self._referee.differs()
        quiet = self._serial == serial
        if differs is not None and differs != self._differs and quiet:
            self._warned = True
            self._say("careful", differs)
        elif differs is None and self._warned and quiet:
            self._say("ok", Text("table.agree_now"))
        elif self._refresh():
            self._publish()
        self._differs = differs
        self._warned = self._warned and differs is not None

    def _order(self, seat: Seat, order: Order, reply: Reply | None) -> None:
        self._answer(seat, self._judged(order.id, partial(self._referee.submit, seat, order)), reply)

    def _answer(self, seat: Seat, answer: Answer, reply: Reply | None) -> None:
        changed = self._refresh()
        overruled = next((one for one in answer.events if one.text.key == OVERRULED), None)
        if reply is not None:
            try:
                reply(answer)
            except Exception:
                LOGGER.exception("a reply to %s failed", seat)
        if overruled is not None:
            self._say("careful", overruled.text, overruled.clause, seat)
        elif changed:
            self._publish()

    def _judged(self, order_id: str, judge: Callable[[], Answer]) -> Answer:
        try:
            return judge()
        except Exception:
            LOGGER.exception("an order failed")
            return Answer(order_id, ok=False, revision=self._referee.revision, refusal=Refusal("", Text("table.fault")))

    def _own(self, seat: Seat, command: Any, stamp: int) -> Answer:
        """A command that this process gives for a seat."""
        if seat in match.INSIDE:
            return self._referee.submit_internal(seat, command, stamp)
        return self._referee.submit(seat, Order(uuid.uuid4().hex, stamp, msgspec.Raw(msgspec.json.encode(command))))

    def _play(self, seat: Seat, command: Any, stamp: int, reply: Reply | None) -> None:
        carried = self._carried(seat, command)
        answer = self._judged("", partial(self._own, seat, command, stamp))
        if answer.ok:
            self._hand = self._place = None  # whatever was begun by hand was finished on the screen
            if carried is not None:
                self._made(*carried)
        self._answer(seat, answer, reply)

    def _carried(self, seat: Seat, command: Any) -> tuple[str, Gesture] | None:
        """The figure tapped a moment ago and its way, where this command of a screen moves it."""
        if self._hand is None or self._clock() - self._hand[1] > WINDOW:
            return None
        tag = self._hand[0]
        found = (
            choice.gestures[0]
            for who, choice in match.offers(self._referee.prompts(), tag.kind)
            if (who, choice.command) == (seat, command)
        )
        gesture = next(found, None)
        if gesture is None or not (self._first or self._referee.hands.may_come_from(tag.uid, gesture.frm)):
            return None
        return tag.uid, gesture

    def _made(self, uid: str, gesture: Gesture) -> None:
        """The figure in hand has made an accepted move."""
        self._referee.hands.sight(uid, gesture.to, TAP, self._clock())
        if self._first:
            self._referee.hands.came_from(uid, gesture.frm)

    def _touch(self, place: Place, now: float) -> None:
        if self._hand is not None and now - self._hand[1] <= WINDOW:
            self._resolve(self._hand[0], place, TAP, now)
        else:
            self._place = (place, now)

    def _sight(self, uid: str, place: Place | None, now: float) -> None:
        tag = self._figures.tag(uid)
        if tag is None:
            self._say("careful", Text("table.tag_unknown", {"uid": uid}))
            return
        if tag.place:
            self._touch(tag.place, now)
            return
        source = TAP if place is None else READER
        if self._hand is None or self._hand[0] != tag:
            self._first = self._referee.hands.where(tag.uid) is None
        if place is None and self._place is not None and now - self._place[1] <= WINDOW:
            place = self._place[0]
        self._hand = (tag, now)
        if place is not None:
            self._resolve(tag, place, source, now)
            return
        offers = match.offers(self._referee.prompts(), tag.kind)
        if not offers and not self._referee.hands.expects(tag.kind) and not self._referee.levels.records:
            self._refuse(tag, None, self._referee.hands.where(tag.uid))
            return
        self._say("waiting", Text("table.figure_where", {"figure": self._figure(tag)}), offers=offers, asks_place=True)

    def _lift(self, uid: str, place: Place, now: float) -> None:
        if self._figures.tag(uid) is not None:
            self._referee.hands.lift(uid, place, now)

    def _man(self, seat: Seat, bot: bool) -> None:
        try:
            new = self._referee.man(seat, bot=bot)
        except JournalError as fault:
            self._say("refused", Text("table.unsaved", {"fault": str(fault)}), seat=seat)
            return
        if new:
            text = Text("table.bot_sits" if bot else "table.bot_leaves", {"seat": self._referee.names().seat(seat)})
            self._say("careful", text, seat=seat)

    def _know(self, figures: Figures, layout: str, zones: Collection[Place]) -> None:
        self._figures = figures
        self._referee.hands.know(figures, layout, zones)

    def _resolve(self, tag: Tag, place: Place, source: str, now: float) -> None:
        """A figure and a place: an owed move made, else played where it can mean one thing, offered where several, explained where nothing."""
        self._place = None
        self._hand = (tag, now)  # after a refusal the same figure may go elsewhere
        names = {"figure": self._figure(tag), "place": self._referee.names().place(place)}
        last = self._referee.hands.where(tag.uid)
        found = match.fits(self._referee.prompts(), tag.kind, place)
        likely = tuple((seat, choice) for seat, choice in found if self._referee.hands.may_come_from(tag.uid, choice.gestures[0].frm))
        if self._referee.levels.records:
            likely = insist.moved(self._referee, tag.kind, place, partial(self._referee.hands.may_come_from, tag.uid))
        told = self._referee.hands.sight(tag.uid, place, source, now)
        if told == "settled":
            self._hand = None
            self._say("ok", Text("table.figure_settled", names))
            return
        if told != "astray" and source == READER and self._referee.hands.follows(tag.kind):
            return  # it lies where it belongs
        if last == place and self._referee.game.placement(self._referee.state).get(place, Counter())[tag.kind]:
            # Lifted and set down again is no second figure; but a figure that had died may well come back here.
            self._say("waiting", Text("table.figure_again", names), offers=found)
            return
        found = likely or found
        if not found:
            self._refuse(tag, place, last)
        elif len(found) > 1 or found[0][1].amounts is not None:
            self._say("waiting", Text("table.figure_which", names), offers=found)
        else:
            self._put(tag, place, *found[0])

    def _follow(self) -> None:
        """A table that only records believes readers that saw a figure go."""
        moves = self._referee.hands.strays() if self._referee.levels.records else ()
        if moves:
            what = tuple(MovePiece(self._referee.names().owner(one.kind), one.kind, one.frm, one.to) for one in moves)
            self._judged("", partial(self._own, TABLE, say.Adopt(TABLE, what), self._referee.stamp(TABLE)))

    def _why(self, kind: Kind, place: Place) -> tuple[Refusal | None, Offers]:
        referee = self._referee
        if referee.levels.records or match.fits(referee.prompts(), kind, place):
            return None, ()
        refusal = match.why_not(referee.game, referee.state, referee.seats, kind, place)
        return refusal, insist.explained(referee, kind, place, refusal)

    def _put(self, tag: Tag, place: Place, seat: Seat, choice: Choice[Any]) -> None:
        frm = choice.gestures[0].frm if self._first and choice.gestures else None
        with self._referee.hands.putting(tag, place, frm):
            answer = self._judged("", partial(self._own, seat, choice.command, self._referee.stamp(seat)))
        if answer.refusal is not None:
            self._say("refused", answer.refusal.text, answer.refusal.clause, seat)
            return
        self._hand = None
        self._say("ok", Text("table.figure_played", {"figure": self._figure(tag), "what": choice.text}), seat=seat)

    def _refuse(self, tag: Tag, place: Place | None, last: Place | None) -> None:
        text, clause = hints.wrong(self._referee, tag, self._figure(tag), last, place)
        anyway = insist.anyway(self._referee, tag.kind, place, last) if place else ()
        self._say("refused", text, clause, offers=(*anyway, *match.offers(self._referee.prompts(), tag.kind)))

    def _figure(self, tag: Tag) -> Text:
        name = self._referee.names().kind(tag.kind)
        return Text("table.figure", {"figure": name, "name": tag.name}) if tag.name else name

    def _say(self, tone: str, text: Text, clause: str = "", seat: Seat = "", offers: Offers = (), *, asks_place: bool = False) -> None:
        self._referee.hands.save()
        self._refresh()
        self._serial += 1
        self._notice = Notice(self._serial, tone, text, clause, seat, offers[: match.MAX_LAWFUL], asks_place)
        self.current = msgspec.structs.replace(self.current, notice=self._notice)
        self._publish()

    def _refresh(self) -> bool:
        """Makes ``current`` new where there is something new to see; offers of an older revision no longer stand."""
        picture = self._referee.picture
        if self._shown == picture:
            return False
        if self._notice is not None and self._notice.offers and self.current.revision != self._referee.revision:
            self._notice = None
        try:
            self.current = self._update()
        except Exception:
            LOGGER.exception("revision %s cannot be shown", self._referee.revision)
            return False
        self._shown = picture
        return True

    def _update(self) -> Update:
        referee = self._referee
        return Update(
            referee.game_id,
            referee.revision,
            referee.view(None),
            {seat: referee.view(seat) for seat in referee.seats},
            referee.stamps(),
            referee.lights(),
            self._notice,
            referee.table(),
            referee.setup.bots,
            not referee.prompts(),
            referee.levels.level,
        )

    def _publish(self) -> None:
        for fn in self._watchers:
            self._tell(fn)

    def _tell(self, fn: Callable[[Update], None]) -> None:
        try:
            fn(self.current)
        except Exception:
            LOGGER.exception("a watcher failed")
