"""Giving tags on the screen: which piece to tap now, what came of the last one, how far the box is; and the roll-call before a game.

Here: the page and its part. Not here: readers, the file, or what a tag means (``companion.enrol`` is handed in).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from kivy.uix.widget import Widget

from companion.rules.view import Text
from companion.table.box import Item
from companion.table.enrolment import names
from companion.table.naming import listed
from companion.tablet import buttons, counters, lettering, pills
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.page import Page
from companion.tablet.page_app import PageApp
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.theme import Style

LOGGER = logging.getLogger(__name__)
CHECK = "check"
SIDE = 300
"""Width of the list of what is in the box, in design units."""


class Chest(Part):
    """Covers the page."""

    def __init__(self, *args: Any, page: EnrolPage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._page = page

    def content(self) -> Any:
        shown = self._page.enrol.shown()
        machine, roll = shown.machine, shown.roll
        return (
            shown.mode,
            machine.at,
            machine.figures,
            machine.question,
            roll.seen,
            shown.said,
            shown.reader,
            self._page.note,
            self.session.theme,
        )

    def tell(self, key: str, **args: int | str | Text) -> str:
        return self.session.speech.say(Text(f"enrol.{key}", args))

    def paint(self, pen: Pen) -> None:
        m = pen.m
        shown = self._page.enrol.shown()
        pen.rect(0, 0, self.wide, self.high, "paper")
        pad = m.px(24)
        bottom = self.high - pad - m.finger(76)
        self._paint_head(pen, shown, pad)
        top = pad + m.px(112)
        side = min(m.px(SIDE), self.wide // 3)
        left = self.wide - pad - side
        self._paint_groups(pen, shown, left, top, side, bottom - m.px(16) - top)
        room = left - m.px(24) - pad
        if shown.mode == CHECK:
            self._paint_roll(pen, shown, pad, top, room, bottom - m.px(16) - top)
        else:
            self._paint_wanted(pen, shown, pad, top, room, bottom - m.px(16) - top)
        self._paint_buttons(pen, self._buttons(shown), pad, bottom, self.wide - 2 * pad)

    # ------------------------------------------------------------------ the head

    def _paint_head(self, pen: Pen, shown: Any, pad: int) -> None:
        m = pen.m
        size = m.px(48)
        pen.mark("ui/tag", pad, pad, size)
        title = self.tell("roll" if shown.mode == CHECK else "title")
        x = pad + size + m.px(14)
        done, total = self._done(shown)
        count = self.tell("progress", n=done, total=total)
        wide = lettering.width(count, DISPLAY, m.sp(26))
        room = round(self.wide - pad - wide - m.px(24) - x)
        px = lettering.fitted(title, DISPLAY, m.sp(30), room, m.sp(16))
        pen.line(lettering.cut(title, DISPLAY, px, room), x, pad + size / 2, DISPLAY, px)
        pen.line(count, self.wide - pad, pad + size / 2, DISPLAY, m.sp(26), "ink", "right")
        y, h = pad + size + m.px(10), m.px(10)
        full = self.wide - 2 * pad
        pen.box(pad, y, full, h, "sunk", None, 0, h // 2)
        if done:
            pen.box(pad, y, max(h, full * done / max(total, 1)), h, "pine", None, 0, h // 2)
        self.spot("progress", pad, y, full, h, text=count, value=[done, total])
        y += h + m.px(10)
        used = pills.paint(pen, shown.tone, shown.reader, pad, y, full)
        self.spot("reader", pad, y, used, pills.high(pen.style), text=shown.reader, value=shown.tone)

    @staticmethod
    def _done(shown: Any) -> tuple[int, int]:
        if shown.mode == CHECK:
            absent = len(shown.roll.missing())
            return len(shown.roll.seen), len(shown.roll.seen) + absent
        return shown.machine.done, shown.machine.total

    # ------------------------------------------------------------------ the piece that is wanted

    def _paint_wanted(self, pen: Pen, shown: Any, x: float, y: float, w: float, h: float) -> None:
        m, item = pen.m, shown.machine.item
        pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(16))
        size = min(m.px(190), h * 0.36)
        middle = y + m.px(28) + size / 2
        centre = x + w / 2
        if item is not None:
            self._draw_item(pen, item, centre, middle, size)
            words = self.tell("tap_place" if item.place else "tap", what=item.text)
        else:
            pen.mark("ui/ok", centre - size / 2, middle - size / 2, size, "pine")
            words = self.tell("finished_but" if shown.machine.missing() else "finished")
        px = lettering.fitted(words, DISPLAY, m.sp(38), round(w - m.px(48)), m.sp(20))
        at = middle + size / 2 + m.px(24) + px / 2
        for line in lettering.wrapped(words, DISPLAY, px, round(w - m.px(48)), 2):
            pen.line(line, centre, at, DISPLAY, px, "ink", "centre")
            at += px * 1.25
        self.spot("wanted", x, y, w, at - y, text=words, value=_key(item))
        question = shown.machine.question
        row = m.finger(76) if question is not None else 0
        self._paint_said(pen, shown, x + m.px(24), at, w - m.px(48), y + h - m.px(20) - row - (m.px(14) if row else 0) - at)
        if question is not None:
            self._paint_question(pen, question, x + m.px(24), y + h - m.px(20) - row, w - m.px(48), row)

    def _draw_item(self, pen: Pen, item: Item, x: float, y: float, size: float) -> None:
        if item.kind:
            counters.draw(pen, item.seat, item.mark, 1, x, y, size * 0.8)
        elif not pen.mark(item.mark, x - size * 0.35, y - size * 0.35, size * 0.7):
            pen.mark("ui/tap", x - size * 0.35, y - size * 0.35, size * 0.7)

    def _paint_said(self, pen: Pen, shown: Any, x: float, y: float, w: float, h: float) -> None:
        """What came of the last tag; before the first one, what to do."""
        m = pen.m
        said = self._page.note or (self.session.speech.say(shown.said) if shown.said is not None else "")
        tone = "ok" if self._page.note else shown.said_tone
        if not said:
            for i, key in enumerate(("how", "why_phone")):
                line = lettering.wrapped(self.tell(key), TEXT, m.sp(17), round(w), 1)[0]
                if (i + 1) * m.sp(26) <= h:
                    pen.line(line, x + w / 2, y + m.sp(26) * (i + 0.5), TEXT, m.sp(17), "ink_soft", "centre")
            return
        colour, wash, mark = pen.style.theme.tone(tone)
        lines = lettering.wrapped(said, BOLD, m.sp(18), round(w - m.px(64)), 3)
        high = max(m.sp(25) * len(lines) + m.px(20), m.px(48))
        top = y + max(0, (h - high) / 2)
        pen.box(x, top, w, high, wash, None, 0, m.px(8))
        pen.mark(mark, x + m.px(14), top + (high - m.px(26)) / 2, m.px(26), colour)
        for i, line in enumerate(lines):
            pen.line(line, x + m.px(52), top + (high - m.sp(25) * len(lines)) / 2 + m.sp(25) * (i + 0.5), BOLD, m.sp(18), colour)
        self.spot("said", x, top, w, high, text=said, value=tone)

    def _paint_question(self, pen: Pen, question: Any, x: float, y: float, w: float, h: float) -> None:
        enrol = self._page.enrol
        each = (w - pen.m.gap) / 2
        for i, (wid, text, yes, tone) in enumerate((("no", question.no, False, "plain"), ("yes", question.yes, True, "main"))):
            button = Button(
                wid,
                self.session.speech.say(text),
                lambda yes=yes: enrol.answer(yes=yes),
                tone=tone,
                meaning=question.uid,
                question=False,
            )
            buttons.paint(self, pen, Placed(button, x + i * (each + pen.m.gap), y, each, h))

    # ------------------------------------------------------------------ the roll-call

    def _paint_roll(self, pen: Pen, shown: Any, x: float, y: float, w: float, h: float) -> None:
        """Every tagged piece nobody has seen yet, drawn; the first of them by name."""
        m, roll = pen.m, shown.roll
        pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(16))
        absent = roll.missing()
        first, more = names(absent, 4)
        words = self.tell("absent", what=listed(first)) if absent else self.tell("roll_done" if roll.seen else "how")
        if more:
            words += f" {self.tell('missing_more', n=more)}"
        inner = round(w - m.px(48))
        top = y + m.px(20)
        for line in lettering.wrapped(words, BOLD, m.sp(20), inner, 3):
            pen.line(line, x + m.px(24), top + m.sp(14), BOLD, m.sp(20))
            top += m.sp(28)
        self.spot("absent", x, y, w, top - y, text=words, value=len(absent))
        said_high = m.px(64)
        size, gap = m.px(52), m.px(26)
        across = max(1, int((inner + gap) // (size + gap)))
        down = max(1, int((y + h - said_high - m.px(24) - top) // (size + gap)))
        for i, item in enumerate(absent[: across * down]):
            cx, cy = x + m.px(24) + size / 2 + (i % across) * (size + gap), top + m.px(20) + size / 2 + (i // across) * (size + gap)
            counters.draw(pen, item.seat, item.mark, 1, cx, cy, size)
            if item.name:
                pen.disc(cx + size * 0.4, cy - size * 0.4, m.sp(10), "ink")
                pen.line(item.name, cx + size * 0.4, cy - size * 0.4, DISPLAY, m.sp(13), "paper", "centre")
        self._paint_said(pen, shown, x + m.px(24), y + h - said_high - m.px(12), inner, said_high)

    # ------------------------------------------------------------------ the box, group by group

    def _paint_groups(self, pen: Pen, shown: Any, x: float, y: float, w: float, h: float) -> None:
        m = pen.m
        groups = self._groups(shown)
        high = min(m.finger(76), (h - m.px(8) * (len(groups) - 1)) / max(1, len(groups)))
        size = min(m.px(40), high * 0.6)
        for text, mark, done, total, index in groups:
            pen.box(x, y, w, high, "raised", "pine" if done == total else "edge", m.px(2), m.px(8))
            pen.mark(mark, x + m.px(14), y + (high - size) / 2, size)
            count = f"{done} / {total}"
            wide = lettering.width(count, DISPLAY, m.sp(20))
            room = round(w - size - wide - m.px(54))
            px = lettering.fitted(text, BOLD, m.sp(18), room, m.sp(12))
            pen.line(lettering.cut(text, BOLD, px, room), x + m.px(24) + size, y + high / 2, BOLD, px)
            pen.line(count, x + w - m.px(14), y + high / 2, DISPLAY, m.sp(20), "pine" if done == total else "ink", "right")
            self.spot(
                f"group:{mark}", x, y, w, high, text=f"{text} {count}", value=[done, total],
                press=None if shown.mode == CHECK else lambda index=index: self._page.enrol.go(index),
            )  # fmt: skip
            y += high + m.px(8)

    def _groups(self, shown: Any) -> list[tuple[str, str, int, int, int]]:
        """Words, mark, done, all, and the first piece to go to."""
        out: list[tuple[str, str, int, int, int]] = []
        machine = shown.machine
        tags = machine.tags
        whole: dict[tuple[str, bool], list[int]] = {}
        for i, item in enumerate(machine.items):
            if shown.mode == CHECK and (item.place or i not in tags):
                continue
            whole.setdefault((item.seat, bool(item.place)), []).append(i)
        for indexes in whole.values():
            first = machine.items[indexes[0]]
            mark = f"clan/{first.seat}" if first.seat else "figure/monster" if first.kind else "ui/tap"
            have = shown.roll.seen if shown.mode == CHECK else tags
            open_ = [i for i in indexes if i not in have]
            text = self.session.speech.say(first.group)
            out.append((text, mark, len(indexes) - len(open_), len(indexes), (open_ or indexes)[0]))
        return out

    # ------------------------------------------------------------------ buttons

    def _buttons(self, shown: Any) -> list[Button]:
        page, enrol = self._page, self._page.enrol

        def button(wid: str, press: Callable[[], object], mark: str = "", tone: str = "plain", *, last: bool = False) -> Button:
            return Button(
                wid, self.tell(wid), lambda: page.press(press), mark=mark, tone=tone, meaning=shown.mode, question=False, last=last
            )

        sim = [button("sim", enrol.simulate, "ui/tag")] if shown.simulated else []
        ends = [button("close", page.close, last=True)]
        if shown.mode == CHECK:
            return [button("enrol", lambda: enrol.check(on=False), "ui/tag"), *sim, *ends]
        machine = shown.machine
        every = [button("back", enrol.back, "ui/undo")] if machine.at else []
        if machine.item is not None:
            every.append(
                button("forget", enrol.forget, "ui/minus") if machine.at in machine.tags else button("skip", enrol.skip, "ui/wait")
            )
        elif machine.missing():
            every.append(button("again", enrol.again, "ui/plus"))
        if machine.done:
            every += [button("check", lambda: enrol.check(on=True), "ui/ok"), button("labels", page.labels, "ui/log")]
        return [*every, *sim, *ends]

    def _paint_buttons(self, pen: Pen, every: Sequence[Button], x: float, y: float, w: float) -> None:
        m = pen.m
        widths = [buttons.width(button, pen.style) for button in every]
        if sum(widths) + m.gap * (len(every) - 1) > w:  # what has a sign goes without its word
            every = [button._replace(text="") if button.mark and not button.last else button for button in every]
            widths = [buttons.width(button, pen.style) for button in every]
        for button, wide in zip(every, widths, strict=True):
            at = x if not button.last else max(x, self.wide - m.px(24) - wide)
            buttons.paint(self, pen, Placed(button, at, y, wide, m.finger(76)))
            if not self.spots[-1].text:
                self.spots[-1].text = self.tell(button.wid)
            x += wide + m.gap


def _key(item: Item | None) -> str:
    return "" if item is None else item.place or f"{item.kind} {item.name}".rstrip()


class EnrolPage(Page):
    """``enrol`` is a ``companion.enrol.Enrol`` that was started; ``on_close`` is called once, when somebody is done."""

    def __init__(self, enrol: Any, *, on_close: Callable[[], None], **kwargs: Any) -> None:
        self.enrol, self._on_close = enrol, on_close
        self.note = ""
        super().__init__(game=enrol.game, **kwargs)

    def make_parts(self) -> Sequence[Part]:
        return (Chest(self.session, self.guard, page=self),)

    def arrange(self, style: Style) -> Sequence[tuple[Part, Box]]:
        return ((self.parts[0], Box(0, 0, style.m.width, style.m.height)),)

    def start(self) -> None:
        self.enrol.on_change = lambda: self.later(self._changed)
        super().start()

    def stop(self) -> None:
        self.enrol.on_change = lambda: None

    def _changed(self) -> None:
        self.note = ""
        self.dirty()

    def press(self, what: Callable[[], object]) -> None:
        self.note = ""
        try:
            what()
        except (OSError, ValueError) as fault:
            LOGGER.warning("%s", fault)
            self.note = str(fault)
        self.dirty()

    def labels(self) -> None:
        path = self.enrol.labels(self.session.speech.lang)
        self.note = self.session.speech.say(Text("enrol.labels_saved", {"file": str(path)}))

    def close(self) -> None:
        self.stop()
        self._on_close()


def show_enrol(over: Widget, enrol: Any, *, language: str, theme: str, on_close: Callable[[], None] = lambda: None) -> EnrolPage:
    """Lays the page over ``over`` (a home screen) until it is closed. ``enrol`` is started and stopped here. Kivy's thread only."""

    def closed() -> None:
        over.remove_widget(page)
        enrol.stop()
        on_close()

    page = EnrolPage(enrol, on_close=closed, language=language, theme=theme, size=over.size, pos=over.pos)
    over.bind(size=lambda _over, size: setattr(page, "size", size))
    over.add_widget(page)
    enrol.start()
    page.start()
    return page


def run(enrol: Any, *, language: str, theme: str, on_ready: Callable[[Any], None] | None = None) -> None:
    """A window of its own until it is closed. ``enrol`` was started."""

    def made() -> EnrolPage:
        return EnrolPage(enrol, on_close=app.stop, language=language, theme=theme)

    app = PageApp(made, title="Jinmaku", on_ready=on_ready)
    app.run()
