"""The story of the game: step by step the map as it was, what was said, and how points and honor went. Laid over the table's screen.

Here: the page and its parts. Not here: reading (``table.story``), the state (``past``), lines of a plot (``curves``). The game under it goes on
untouched, and nothing on this page plays.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.widget import Widget

from companion.rules.view import Table, Text
from companion.table.journal import JournalError
from companion.tablet import buttons, curves, drawing, layout, ledger, lettering, pills
from companion.tablet.board import Board
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.page import Page
from companion.tablet.part import Part
from companion.tablet.past import SOURCES, Past
from companion.tablet.pen import Pen
from companion.tablet.seats import Honor
from companion.tablet.theme import Style
from companion.tablet.zones import Zones

LOGGER = logging.getLogger(__name__)
NOWHERE = Box(0, 0, 0, 0)
MOST = 1.25
"""The largest text the page has room for."""
TROUBLES = (JournalError, OSError, ValueError)


class Slides(Part):
    """A part on which a finger that lies on ``rails`` moves to another step."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rails: list[tuple[Box, Callable[[float], int]]] = []
        self._rail: Callable[[float], int] | None = None

    def on_touch_down(self, touch: Any) -> bool:
        taken = super().on_touch_down(touch)
        x, y = self.inward(*touch.pos)
        self._rail = next((step for box, step in self.rails if taken and box.holds(x, y)), None)
        self._slide(touch)
        return taken

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self:
            self._slide(touch)
        return super().on_touch_move(touch)

    def on_touch_up(self, touch: Any) -> bool:
        self._rail = None
        return super().on_touch_up(touch)

    def _slide(self, touch: Any) -> None:
        if self._rail is not None:
            index = self._rail(self.inward(*touch.pos)[0])
            if index != self.session.index:
                self.session.go(index)


class Head(Part):
    """Where the game stood, that this is the past, and the way back."""

    def __init__(self, *args: Any, close: Callable[[], None], export: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._close, self._export = close, export

    def content(self) -> Any:
        s = self.session
        moment = s.moment
        return (moment.title, moment.subtitle, s.index, s.last, s.busy) if moment is not None else s.progress

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        pen.rect(0, 0, self.wide, self.high, "paper")
        pen.rect(0, self.high - m.px(2), self.wide, m.px(2), "ink")
        row = min(m.finger(64), self.high - m.px(8))
        x, y = self.wide - m.px(16), (self.high - row) / 2
        close = Button("story:close", s.speech.say("close"), self._close, question=False)
        export = Button(
            "story:export", s.speech.say("story_export"), None if s.busy else self._export, mark="ui/disk", question=False, tone="off" if s.busy else "plain"
        )  # fmt: skip
        for button in (close, export)[: 1 if s.story is None else 2]:
            w = buttons.width(button, pen.style)
            x -= w
            buttons.paint(self, pen, Placed(button, x, y, w, row))
            x -= m.gap
        left, size = m.px(20), m.px(36)
        pen.mark("ui/story", left, (self.high - size) / 2, size)
        left += size + m.px(14)
        moment = s.moment
        if moment is None:
            pen.line(s.speech.say("story"), left, self.high / 2, DISPLAY, m.sp(21))
            return
        pill = s.speech.say("story_now" if s.index == s.last else "story_past")
        wide = min(pills.width(pen.style, pill), round((x - left) * 0.5))
        room = round(x - left - wide - m.px(20))
        where = f"{s.speech.say(moment.title)} · {s.speech.say(moment.subtitle)}"
        step = s.speech.say("story_step", n=s.index, of=s.last)
        for text, middle, face, most, role in (
            (where, self.high / 2 - m.sp(12), DISPLAY, m.sp(21), "ink"),
            (step, self.high / 2 + m.sp(14), TEXT, m.sp(15), "ink_soft"),
        ):
            px = lettering.fitted(text, face, most, room, m.sp(12))
            pen.line(lettering.cut(text, face, px, room), left, middle, face, px, role)
        pills.paint(pen, "ok" if s.index == s.last else "waiting", pill, x - wide, (self.high - pills.high(pen.style)) / 2, wide)
        self.spot("story:where", 0, 0, x - wide, self.high, text=f"{where}. {step}", value=s.index)


class Reel(Slides):
    """What was said at the step, and the ways to other steps: buttons, and a rail to slide on."""

    def content(self) -> Any:
        s = self.session
        return (s.index, s.last, s.lines(), s.said, s.progress if s.story is None else None)

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        pen.rect(0, 0, self.wide, self.high, "raised")
        pen.rect(0, 0, self.wide, m.px(2), "ink")
        self.rails = []
        row = min(m.finger(76), self.high - m.px(12))
        y = self.high - row - m.px(6)
        if s.story is None:
            self._paint_reading(pen)
            return
        self._paint_said(pen, m.px(20), m.px(6), self.wide - m.px(40), y - m.px(10))
        ways = (("first", 0), ("back", s.index - 1), ("forward", s.index + 1), ("last", s.last))
        marks = ("ui/first", "ui/prior", "ui/next", "ui/last")
        made = []
        for (name, to), mark in zip(ways, marks, strict=True):
            there = 0 <= to <= s.last and to != s.index
            press = partial(s.go, to) if there else None
            made.append(Button(f"story:{name}", "", press, mark=mark, tone="plain" if there else "off", question=False, meaning=to))
        wide = max(row, m.finger(76))
        x = float(m.px(20))
        for button in made[:2]:
            self._paint_way(pen, button, x, y, wide, row)
            x += wide + m.gap
        end = self.wide - m.px(20) - 2 * wide - m.gap
        self._paint_rail(pen, Box(round(x), round(y), round(end - x - m.gap), row))
        for button in made[2:]:
            self._paint_way(pen, button, end, y, wide, row)
            end += wide + m.gap

    def _paint_way(self, pen: Pen, button: Button, x: float, y: float, w: float, h: float) -> None:
        buttons.paint(self, pen, Placed(button, x, y, w, h))
        self.spots[-1].text = self.session.speech.say(button.wid.replace(":", "_"))

    def _paint_rail(self, pen: Pen, box: Box) -> None:
        m, s = pen.m, self.session
        rim = m.px(18)
        line = box.inset(rim, 0)
        middle = box.y + box.h / 2
        pen.box(line.x, round(middle - m.px(5)), line.w, m.px(10), "sunk", "edge", m.px(2), m.px(5))
        plan = curves.Plan(line, s.last + 1, 0, 1)
        at = plan.x(s.index)
        pen.rect(line.x + m.px(3), middle - m.px(2), at - line.x - m.px(3), m.px(4), "indigo")
        pen.disc(at, middle, m.px(17), "raised", "indigo", m.px(4))
        self.rails = [(box, plan.step)]
        self.spot("story:slider", *box, text=s.speech.say("story_slider"), value=[s.index, s.last])

    def _paint_said(self, pen: Pen, x: float, y: float, w: float, h: float) -> None:
        """The sentences of the step, each with its clause, as many as there is room for; what was written, instead."""
        m, s = pen.m, self.session
        if s.said is not None:
            tone, text = s.said
            words = s.speech.say(text)
            pills.paint(pen, tone, words, x, y + (h - pills.high(pen.style)) / 2, w)
            self.spot("story:note", x, y, w, h, text=words, value=tone)
            return
        lines = s.lines()
        moment = s.moment
        size = min(m.px(34), int(h))
        left = x
        if moment is not None and pen.mark(f"clan/{moment.seat}", x, y + (h - size) / 2, size):
            left += size + m.px(12)
        pitch = m.sp(24)
        most = max(1, int(h // pitch))
        shown = lines[:most]
        top = y + (h - pitch * len(shown)) / 2
        for line in shown:
            end = x + w
            if line.clause:
                end -= pen.line(line.clause, x + w, top + pitch / 2, BOLD, m.sp(14), "indigo", "right") + m.px(16)
            said = s.speech.say(line.text)
            px = lettering.fitted(said, TEXT, m.sp(18), round(end - left), m.sp(13))
            pen.line(lettering.cut(said, TEXT, px, round(end - left)), left, top + pitch / 2, TEXT, px)
            top += pitch
        self.spot("story:said", x, y, w, h, text=" ".join(s.speech.say(line.text) for line in lines), value=[line.clause for line in lines])

    def _paint_reading(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        done, of = s.progress
        reading = Text("story.reading", {"n": done, "of": of}) if of else Text("story.begun_reading")
        words = s.speech.say(s.said[1] if s.said is not None else reading)
        wide = min(m.px(640), self.wide - m.px(40))
        x, middle = (self.wide - wide) / 2, self.high / 2
        px = lettering.fitted(words, TEXT, m.sp(18), self.wide - m.px(40), m.sp(12))
        pen.line(words, self.wide / 2, middle - m.px(20), TEXT, px, "ink", "centre")
        pen.box(x, middle + m.px(6), wide, m.px(14), "sunk", "edge", m.px(2), m.px(7))
        pen.rect(x + m.px(3), middle + m.px(9), (wide - m.px(6)) * (done / of if of else 0), m.px(8), "indigo")
        self.spot("story:reading", x, middle - m.px(30), wide, m.px(60), text=words, value=[done, of])


class Curves(Slides):
    """Two plots over all steps: a counter of every seat, and its place of honor."""

    def content(self) -> Any:
        s = self.session
        return (s.index, s.last, s.counter, s.leaf) if s.story is not None else None

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        pen.rect(0, 0, self.wide, self.high, "paper")
        pen.rect(0, 0, m.px(2), self.high, "ink")
        self.rails = []
        if s.story is None:
            return
        if s.counter == SOURCES and s.sources is not None:
            self._paint_sources(pen, s.sources)
            return
        beside = self.wide > 2 * self.high
        w = self.wide // 2 if beside else self.wide
        h = self.high if beside else self.high // 2
        name = s.story.names.get(s.counter)
        self._paint_plot(pen, Box(0, 0, w, h), "counter", name.text if name else Text("tablet.story"), name.mark if name else "")
        self._paint_plot(pen, Box(w if beside else 0, 0 if beside else h, w, h), "honor", Text("tablet.story_honor"), "token/honor")

    def _paint_sources(self, pen: Pen, table: Table) -> None:
        """What points came from, up to the step that is looked at: a table over all of the part."""
        m, s = pen.m, self.session
        head = self._paint_counter(pen, m.px(18), m.px(6), table.text, "token/victory_point")
        area = Box(m.px(18), m.px(12) + head, self.wide - m.px(34), self.high - head - m.px(20))
        whole = ledger.leaves([table], pen.style, area.h, named=False)
        at = s.leaf % len(whole)
        if len(whole) > 1:
            turn = Button("story:rows", f"{at + 1} / {len(whole)}", s.next_leaf, mark="ui/turn", question=False, meaning=at)
            w = buttons.width(turn, pen.style)
            buttons.paint(self, pen, Placed(turn, self.wide - m.px(16) - w, m.px(6), w, head))
        ledger.paint(self, pen, whole[at][0], area, named=False)

    def _paint_counter(self, pen: Pen, x: float, y: float, title: Text, mark: str) -> int:
        """The button to the next counter; returns how high it is."""
        s, head = self.session, pen.m.finger(52)
        button = Button("story:counter", s.speech.say(title), s.next_counter, mark=mark or "ui/turn", value=s.counter, question=False)
        buttons.paint(self, pen, Placed(button, x, y, buttons.width(button, pen.style), head))
        return head

    def _paint_plot(self, pen: Pen, box: Box, what: str, title: Text, mark: str) -> None:
        m, s = pen.m, self.session
        story = s.story
        series = story.places() if what == "honor" else story.series(s.counter)
        head = m.finger(52)
        x, size = box.x + m.px(18), m.px(22)
        if what == "counter" and (len(story.names) > 1 or s.sources is not None):
            self._paint_counter(pen, x, box.y + m.px(6), title, mark)
        else:
            if mark and pen.mark(mark, x, box.y + m.px(6) + (head - size) / 2, size, "ink_soft"):
                x += size + m.px(10)
            pen.line(s.speech.say(title), x, box.y + m.px(6) + head / 2, BOLD, m.sp(18))
        inner = Box(box.x + m.px(16), box.y + m.px(12) + head, box.w - m.px(28), box.h - head - m.px(22))
        plan = curves.paint(pen, inner, series, game=s.game, at=s.index, places=what == "honor")
        self.rails.append((inner, plan.step))
        now = {seat: line[s.index] for seat, line in series.items()}
        said = ", ".join(f"{s.speech.say(s.name(seat))} {'?' if value is None else value}" for seat, value in now.items())
        self.spot(f"story:plot:{what}", *inner, text=f"{s.speech.say(title)}: {said}", value=now)


class StoryPage(Page):
    """``table`` is a ``port.Table``; ``on_close`` is called once."""

    def __init__(self, table: Any, *, on_close: Callable[[], None], **kwargs: Any) -> None:
        self.table, self._on_close = table, on_close
        self._drawing = drawing.parse(table.board)
        self._open = True
        super().__init__(game=table.game, **kwargs)

    def make_session(self, language: str, theme: str, clock: Callable[[], float]) -> Past:
        places = self._drawing.places if self._drawing is not None else frozenset()
        return Past(places, self.dirty, language=language, theme=theme, game=self.game, clock=clock)

    def make_parts(self) -> Sequence[Part]:
        s, guard = self.session, self.guard
        self.board: Board | Zones = Zones(s, guard) if self._drawing is None else Board(s, guard, drawing=self._drawing)
        self.honor, self.curves, self.reel = Honor(s, guard), Curves(s, guard), Reel(s, guard)
        self.honor.strip = True
        self.head = Head(s, guard, close=self.close, export=self.export)
        return (self.board, self.honor, self.curves, self.reel, self.head)

    def measure(self) -> Measure:
        full = super().measure()
        return Measure(full.width, full.height, mm=full.mm, density=1.0, scale=min(self.session.scale, MOST))

    def arrange(self, style: Style) -> Sequence[tuple[Part, Box]]:
        m = style.m
        w, h = m.width, m.height
        top, foot = layout.track_height(m), m.finger(76) + m.sp(30) + m.px(24)
        there = self.session.story is not None
        below = max(m.px(104), m.sp(74) + m.px(20)) if h - top - foot > m.px(440) else 0
        middle = h - top - foot
        if h > w:
            high = round((middle - below) * 0.45)
            free, plots = Box(0, top, w, high), Box(0, top + high + below, w, middle - high - below)
            honor = Box(0, top + high, w, below)
        else:
            left = round(w * 0.6)
            free, plots = Box(0, top, left, middle - below), Box(left, top, w - left, middle)
            honor = Box(0, h - foot - below, left, below)
        self.board.settle(free, m)
        boxes = ((self.board, Box(0, 0, w, h)), (self.honor, honor), (self.curves, plots))
        whole = Box(0, top, w, h - top)
        return (
            *((part, box if there and box.h else NOWHERE) for part, box in boxes),
            (self.reel, Box(0, h - foot, w, foot) if there else whole),
            (self.head, Box(0, 0, w, top)),
        )

    # ------------------------------------------------------------------ life

    def start(self) -> None:
        super().start()
        self._work(lambda: self.table.story(self._progress), self.session.tell)

    def stop(self) -> None:
        self._open = False

    def close(self) -> None:
        if self._open:
            self.stop()
            self._on_close()

    def export(self) -> None:
        """Record and CSV into the data directory; says where."""
        s = self.session
        if not s.busy:
            s.busy = True
            s.changed()
            ended = self.table.desk.current.over
            self._work(lambda: self.table.export(s.speech.lang), lambda paths: s.tell_saved(tuple(paths), ended=ended))

    def _progress(self, done: int, of: int) -> None:
        if done % 25 == 0:
            self.later(partial(self._show_progress, (done, of)))

    def _show_progress(self, progress: tuple[int, int]) -> None:
        self.session.progress = progress
        self.dirty()

    def _work(self, job: Callable[[], Any], done: Callable[[Any], None]) -> None:
        def run() -> None:
            try:
                value = job()
            except TROUBLES as fault:
                LOGGER.warning("%s", fault)
                trouble = fault
                self.later(lambda: self.session.tell_fault(trouble))
            else:
                self.later(lambda: done(value))

        threading.Thread(target=run, name="story", daemon=True).start()


def show(over: Widget, table: Any, session: Any, *, on_close: Callable[[], None], **more: Any) -> StoryPage:
    """Lays the page over the table's screen until it is closed, set as that is. Kivy's thread only."""

    def closed() -> None:
        over.unbind(size=resize)
        over.remove_widget(page)
        on_close()

    def resize(_over: Widget, size: tuple[int, int]) -> None:
        page.size = size

    page = StoryPage(
        table,
        on_close=closed,
        language=session.speech.lang,
        theme=session.theme,
        size_hint=(None, None),
        size=over.size,
        pos=over.pos,
        **more,
    )
    page.session.scale = session.scale
    over.bind(size=resize)
    over.add_widget(page)
    page.start()
    return page
