"""The whole screen: parts, their rectangles, what lies over what. Draws again what has changed, once a frame at most."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import Metrics, mm
from kivy.uix.widget import Widget

from companion.look.theme import Theme
from companion.look.tokens import tokens
from companion.tablet import drawing, layout, marks
from companion.tablet.board import Board
from companion.tablet.dump import dump
from companion.tablet.inbox import Answered, Asked, Inbox, Item, Update
from companion.tablet.join import Join
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.notice import Slip
from companion.tablet.part import Part
from companion.tablet.prompt import Ask
from companion.tablet.repair import Repair
from companion.tablet.seats import Honor
from companion.tablet.session import BOARD, Session
from companion.tablet.sheet import Sheet
from companion.tablet.sides import EAST, NORTH, TURN, WEST
from companion.tablet.spots import Guard
from companion.tablet.theme import Style
from companion.tablet.track import Rope
from companion.tablet.tray import Tray
from companion.tablet.zones import Zones

if TYPE_CHECKING:
    from companion.tablet.story import StoryPage

NOWHERE = Box(0, 0, 0, 0)
SOON = 0.1
"""Seconds between two looks whether the devices of a table that has just been opened are known."""
LONG = 0.006
"""Seconds of drawing after which the rest waits for the next frame."""


class Screen(Widget):
    """Root widget of the window."""

    def __init__(
        self, table: Any, *, title: str = "", clock: Callable[[], float] = monotonic, millimetre: float | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.table = table
        board = drawing.parse(table.board)
        self._dirty = Clock.create_trigger(self._draw, -1)
        self._rest = Clock.create_trigger(lambda _dt: self._dirty(), 0)
        """The next frame's; what is asked for before a frame is still done in this one."""
        self._frame = -1
        """The one that was drawn in: what is asked for again in it waits for the next, else its time would be spent twice."""
        self._drawn = 0
        """The question that is drawn."""
        self._look = Clock.create_trigger(lambda _dt: self.session.rest.seen(self._drawn), 0)
        """The next frame begins when this one is on the screen."""
        self._drain = Clock.create_trigger(lambda _dt: self.inbox.drain())
        self.inbox = Inbox(self._drain, self._handle, lambda picture: self.session.hear(picture.notice))
        self.session = Session(table, self._places(board), changed=self._dirty, later=self.inbox.put, clock=clock)
        self.listed = board is None
        self.session.rest.shown = True
        guard = Guard(clock, tokens().touch.repeat_ms)
        self.board: Board | Zones = Zones(self.session, guard) if board is None else Board(self.session, guard, drawing=board)
        self.rope, self.honor, self.ask = Rope(self.session, guard), Honor(self.session, guard), Ask(self.session, guard)
        self.slip, self.tray = Slip(self.session, guard), Tray(self.session, guard)
        self.repair = Repair(self.session, guard)
        self.join, self.sheet = Join(self.session, guard, title=title), Sheet(self.session, guard)
        self.parts: tuple[Part, ...] = (
            self.board,
            self.rope,
            self.honor,
            self.ask,
            self.repair,
            self.tray,
            self.slip,
            self.join,
            self.sheet,
        )
        self.in_turn = sorted(self.parts, key=lambda part: part is self.board)
        """The order they are drawn in: the map, which takes longest, last."""
        for part in self.parts:
            self.add_widget(part)
        self.drawn = 0
        self._mm = millimetre
        self._clock = clock
        self.over: StoryPage | None = None
        """A page that lies over all of it."""
        if hasattr(table, "story"):
            self.session.tells = self.tell
        self._stop: Callable[[], None] | None = None
        self._poll: Any = None
        self._await: Any = None
        self.bind(size=lambda *_: self._dirty())

    @staticmethod
    def _places(board: Any) -> frozenset[str]:
        return board.places if board is not None else frozenset()

    # ------------------------------------------------------------------ life

    def start(self) -> None:
        """Listens to the table. Call on Kivy's thread."""
        self.inbox.put(Update(self.table.desk.current))  # the watch tells it too, but on the referee thread, and codes need the seats now
        self._stop = self.table.desk.watch(lambda update: self.inbox.put(Update(update)))
        self._poll = Clock.schedule_interval(lambda _dt: self.session.tick(), 1)
        self._await = Clock.schedule_interval(lambda _dt: self._completed(), SOON)
        self.inbox.drain()
        self.session.tick()
        self.session.show_page(self.session.page)

    def _completed(self) -> bool:
        """The devices are shown as soon as they are known; False, to Kivy's clock: nothing more to wait for."""
        if self.table.complete and not self.session.complete:
            self.session.tick()
        return not self.session.complete

    def stop(self) -> None:
        if self.over is not None:
            self.over.close()
        if self._stop is not None:
            self._stop()
            self._stop = None
        if self._poll is not None:
            self._poll.cancel()
            self._await.cancel()

    def tell(self) -> None:
        """The story of the game, until it is closed."""
        from companion.tablet import story  # noqa: PLC0415 - plots and ledgers are not looked at in every game

        def closed() -> None:
            self.over = None
            self._dirty()

        if self.over is None:
            self.session.close_sheet()
            self.over = story.show(self, self.table, self.session, on_close=closed, clock=self._clock, millimetre=self._mm)

    def rebuild(self) -> None:
        """Everything anew from the session: after a pause the graphics card has forgotten every texture."""
        marks.clear()
        if self.over is not None:
            self.over.rebuild()
        for part in self.parts:
            part.forget()
        self._dirty()

    def _handle(self, item: Item) -> None:
        if isinstance(item, Update):
            if self.listed:
                self.session.places = _listed(item.picture.open)
            self.session.take(item.picture)
        elif isinstance(item, Answered):
            self.session.answered(item.seat, item.answer)
        elif isinstance(item, Asked):
            item.run()

    # ------------------------------------------------------------------ drawing

    def measure(self, most: float = 9.0) -> Measure:
        """The window's sizes; ``most``: the largest text this page has room for."""
        millimetre = self._mm if self._mm is not None else float(mm(1))
        return Measure(
            int(self.width), int(self.height), mm=millimetre, density=float(Metrics.density), scale=min(self.session.scale, most)
        )

    def _draw(self, _dt: float = 0, *, whole: bool = False) -> None:
        """Draws what has changed; a frame that has taken long already leaves the rest to the next one, unless ``whole``."""
        if self.session.update is None or self.width < 2 or self.height < 2:
            return
        if self._frame == Clock.frames and not whole:
            self._rest()
            return
        self._frame = Clock.frames
        if self.parent is Window and Window.rotation != self.session.rotation:
            Window.rotation = self.session.rotation  # a new size follows, and another drawing
        s, m = self.session, self.measure()
        style = Style(Theme(s.theme, self.table.game), m)
        top = layout.track_height(m)
        rows = self.ask.wanted(style, s.side, m.height - top if s.side in {EAST, WEST} else m.width)
        plan = layout.arrange(m, s.side, rows or 1, asked=rows > 0)
        self.ask.rows, self.honor.strip = max(rows, 1), plan.strip
        plan, mend = layout.beside(plan, m) if s.differs and s.page == BOARD else (plan, NOWHERE)
        free = self._place_tray(style, plan.free, on_board=s.page == BOARD)
        self.board.settle(free, m)
        window = Box(0, 0, m.width, m.height)
        on_board = s.page == BOARD
        turn = TURN[s.side]
        boxes: list[tuple[Part, Box, int]] = [
            (self.board, window if on_board else NOWHERE, 0),
            (self.rope, plan.track if on_board else NOWHERE, 0),
            (self.honor, plan.honor if on_board else NOWHERE, 180 if s.side == NORTH else 0),
            (self.ask, plan.prompt if on_board and rows else NOWHERE, turn),
            (self.repair, mend, 180 if s.side == NORTH else 0),
            (self.join, NOWHERE if on_board else window, 0),
            (self.sheet, self._sheet(m, plan.free, turn, on_board=on_board) if s.sheet else NOWHERE, turn if on_board else 0),
        ]
        table = Style(style.theme, self.measure(1.25))  # codes and buttons there have no room for more
        for part, box, angle in boxes:
            part.place(box, angle, table if part is self.join else style, m.height)
        self._place_slip(style, free, turn)
        with nullcontext() if whole else marks.hasty():
            self.drawn += self._refresh(whole=whole)

    def _refresh(self, *, whole: bool) -> bool:
        """Whether anything had changed."""
        began, changed = perf_counter(), False
        for part in self.in_turn:
            if changed and not whole and perf_counter() - began > LONG:
                self._rest()
                break
            changed = part.refresh(hasty=not whole) or changed
            if part.owing:
                self._rest()
            if part is self.ask and self.session.rest.unseen and not part.unseen:
                self._drawn = self.session.asking
                self._look()
        return changed

    def _sheet(self, m: Measure, free: Box, turn: int, *, on_board: bool) -> Box:
        room = Box(m.width // 8, m.height // 10, m.width * 3 // 4, m.height * 4 // 5)
        if on_board:
            wide, high = (free.h, free.w) if turn in {90, 270} else (free.w, free.h)
            low = high < m.finger(76) * 6 + m.finger(64) or wide < m.finger(64) * 7
            room = (Box(0, 0, m.width, m.height) if low else free).inset(m.px(20), m.px(14))
        if self.session.sheet[0] in {"clause", "pin"}:  # a few words and keys
            w, h = min(m.sp(620), room.w), min(m.finger(64) + m.sp(70) + 4 * m.finger(76), room.h)
            if self.session.sheet[0] == "clause":
                h = min(m.finger(64) + m.sp(190), room.h)
            w, h = (min(h, room.w), min(m.sp(620), room.h)) if turn in {90, 270} else (w, h)
            room = Box(room.x + (room.w - w) // 2, room.y + (room.h - h) // 2, w, h)
        return room

    def _place_tray(self, style: Style, free: Box, *, on_board: bool) -> Box:
        """The tray along the far edge from the asked seat; returns what it leaves of the map's room."""
        m = style.m
        self.tray.style = style
        depth = self.tray.depth(style) if on_board else 0
        if not depth:
            self.tray.place(NOWHERE, 0, style, m.height)
            return free
        taken = depth + m.px(12)
        north = self.session.side == NORTH
        y = free.bottom - depth - m.px(8) if north else free.y + m.px(8)
        self.tray.place(Box(free.x + m.px(16), y, free.w - m.px(32), depth), 0, style, m.height)
        return Box(free.x, free.y if north else free.y + taken, free.w, free.h - taken)

    def _place_slip(self, style: Style, free: Box, turn: int) -> None:
        """Notices along the asked seat's side of the map, facing it."""
        m = style.m
        rim = m.px(14)
        along = free.h if turn in {90, 270} else free.w
        most = min(along - 2 * rim, m.px(880))
        deep = (free.w if turn in {90, 270} else free.h) - 2 * rim
        wide, depth = self.slip.extent(style, most, deep) if self.session.page == BOARD else (0, 0)
        if not depth:
            self.slip.place(NOWHERE, turn, style, m.height)
            return
        start = self._clear(free, turn, along, wide, depth, rim)
        if turn in {90, 270}:
            x = free.right - rim - depth if turn == 90 else free.x + rim
            box = Box(x, free.y + start, depth, wide)
        else:
            y = free.bottom - rim - depth if turn == 0 else free.y + rim
            box = Box(free.x + start, y, wide, depth)
        self.slip.place(box, turn, style, m.height)

    def _clear(self, free: Box, turn: int, along: int, wide: int, depth: int, rim: int) -> int:
        """Where along its side a slip hides least of what is lit: the middle, or one of the ends."""

        def hidden(start: int) -> int:
            if turn in {90, 270}:
                box = Box(free.right - rim - depth if turn == 90 else free.x + rim, free.y + start, depth, wide)
            else:
                box = Box(free.x + start, free.bottom - rim - depth if turn == 0 else free.y + rim, wide, depth)
            return sum(box.holds(*spot) for spot in self.board.sights())

        return min(((along - wide) // 2, rim, along - wide - rim), key=hidden)

    # ------------------------------------------------------------------ for tests and the service

    @property
    def unfinished(self) -> bool:
        """Something is still to be drawn, in this frame or the next, or has just been."""
        return bool(self._dirty.is_triggered or self._rest.is_triggered or self._look.is_triggered)

    def find(self, wid: str) -> dict[str, Any] | None:
        """The topmost spot of that name, as ``dump`` has it."""
        return self.dump().get(wid)

    def dump(self) -> dict[str, dict[str, Any]]:
        """Everything with a name that is on the screen now; see ``dump.dump``."""
        self._dirty.cancel()
        self._rest.cancel()
        self._draw(whole=True)
        return dump(self.parts) if self.over is None else self.over.dump()


def _listed(view: Any) -> frozenset[str]:
    """Without a drawing every zone of the view is a place."""
    return frozenset(node.id for section in view.sections if section.id == "board" for node in section.nodes)
