"""The question: who is asked, what, and every choice. It stands at the asked seat's side and faces it.

Choices that move a piece on the board are a button for the piece and a lit place; the others are buttons. A private question stands
behind the curtain. No choice comes from anywhere but the prompt.
"""

from __future__ import annotations

from typing import Any

from companion.look.tokens import tokens
from companion.rules.game import TABLE
from companion.tablet import buttons, choices, curtain, hand, house, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.choosing import plain
from companion.tablet.fonts import DISPLAY, TEXT
from companion.tablet.layout import BAR, Box
from companion.tablet.measure import Measure
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.sides import EAST, WEST
from companion.tablet.theme import Style

MOST = 0.36
"""Of the panel's width, for who and what."""
MOST_BESIDE_CARDS = 0.27
ENDS = 3
"""Most buttons that are repeated on every leaf."""
TURNS = 2
"""More leaves than this are a list."""
MANY = 4
"""With more buttons than this they are set narrower."""


class Ask(Part):
    """The panel. ``rows`` is set by the screen from ``wanted``."""

    rows = 1
    _aside = False
    _stood: Any = None

    def place(self, box: Box, turn: int, style: Style, window: int) -> None:
        """At another side it comes in from the edge."""
        super().place(box, turn, style, window)
        stands = (turn, box.w > 0)
        if stands != self._stood and box.w > 0 and self.session.motion and self._stood is not None:
            dx, dy = {0: (0, -1), 90: (1, 0), 180: (0, 1), 270: (-1, 0)}[turn]
            deep = self.high
            self.animate(tokens().motion.turn, lambda share: self.shift(dx * deep * (1 - share), dy * deep * (1 - share)))
        self._stood = stands

    def content(self) -> Any:
        s = self.session
        prompt = s.prompt
        secret = (s.open, bool(s.pinned)) if prompt is not None and prompt.private else None
        filling = (s.filling.choice, tuple(s.filling.amounts.items())) if s.filling is not None else None
        figures = tuple(s.stack(group.kind) for group in s.figures)
        return (
            s.seat,
            s.asked,
            prompt,
            len(s.prompts(s.seat)),
            s.ask,
            s.pick,
            s.place,
            s.whose(),
            filling,
            s.leaf,
            secret,
            s.waits,
            self.rows,
            figures,
            s.greyed,
            s.pins.shut(s.seat),
            house.newest({seat: s.prompts(seat) for seat in (*s.seats, TABLE)}, s.seat),
        )

    # ------------------------------------------------------------------ how much room it wants

    def wanted(self, style: Style, side: str, wide: int) -> int:
        """Rows of buttons; 0: nothing to show."""
        s = self.session
        if s.prompt is None and not s.waits:
            return 0
        if side in {EAST, WEST}:
            return 2
        if s.prompt is None:
            return 1
        if s.prompt.private and s.filling is None:
            return 1 if len(s.prompt.choices) <= hand.HAND else 2
        self.style = style
        widths = [self._width(button, style) for button in choices.all_of(self.session)]
        return 1 if buttons.flow(widths, [self._room(style, wide)], style.m.gap) is not None else 2

    def _width(self, button: Button, style: Style) -> int:
        return buttons.width(button, style, tight=self._tight)

    @property
    def _tight(self) -> bool:
        """Many choices: narrower buttons, so that more of them stand side by side."""
        s = self.session
        return s.prompt is not None and len(plain(s.prompt, s.places)) + len(s.figures) > MANY

    def _room(self, style: Style, wide: int) -> int:
        m = style.m
        return round(wide - self._who_width(style, wide) - m.px(20))

    def _who_width(self, style: Style, wide: int) -> float:
        m = style.m
        title, detail, _ = self._said()
        private = self.session.prompt is not None and self.session.prompt.private
        most = wide * (MOST_BESIDE_CARDS if private else MOST) - m.px(96)
        text = min(max(lettering.width(title, DISPLAY, m.sp(25)), min(lettering.width(detail, TEXT, m.sp(17)), m.sp(230))), most)
        return m.px(20 + 64 + 14 + 16) + max(text, m.px(150))

    # ------------------------------------------------------------------ what it says

    def _said(self) -> tuple[str, str, str]:
        """Title, sentence, clause."""
        s, prompt = self.session, self.session.prompt
        if prompt is None:
            waits = " ".join(s.speech.say("waits", seat=s.name(wait.seat), text=wait.text) for wait in s.waits[:2])
            return s.speech.say("waiting"), waits, ""
        if s.whose():
            return s.speech.say("who"), self._place_name(), prompt.clause
        if s.place:
            return self._place_name(), s.speech.say(prompt.text), prompt.clause
        detail = s.speech.say(prompt.detail)
        if not detail and (s.lit or s.starts):
            detail = s.speech.say("take_up" if s.starts else "set_down" if s.pick and len(s.figures) > 1 else "touch_or_tap")
        return s.speech.say(prompt.text), detail, prompt.clause

    def _place_name(self) -> str:
        return self.session.speech.say(self.session.place_name(self.session.place))

    # ------------------------------------------------------------------ painting

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        bar = m.px(BAR)
        asked = s.prompt is not None
        pen.rect(0, 0, self.wide, self.high, "raised")
        pen.rect(0, 0, self.wide, bar if asked else m.px(2), "vermilion" if asked else "ink")
        side = self.turn in {90, 270}
        who = self._who_width(pen.style, self.wide)
        depth = self.high - bar
        row = m.finger(76)
        first = bar + (depth - 2 * row - m.gap) / 2 if side else bar + (depth - row) / 2
        if not side and asked and not (s.prompt is not None and s.prompt.private):  # what the buttons leave is for the words
            rooms = [self._room(pen.style, self.wide)] * self.rows
            widths = [self._width(button, pen.style) + m.gap for button in self._every(rooms, pen.style, side=False)]
            who = max(who, min(self.wide * 0.6, self.wide - sum(widths) - m.px(20))) if self.rows == 1 else who
        words = min(self.wide * 0.6, self._tabs(pen.style, side=True)[1]) if side else who
        self._paint_who(pen, words, bar, first - bar + row + m.gap // 2 if side else depth)
        if s.prompt is not None and s.prompt.private:
            self._paint_curtain(pen, who, bar, side=side)
        elif asked:
            self._paint_buttons(pen, who, bar, row, side=side)

    def _paint_who(self, pen: Pen, w: float, y: float, h: float) -> None:
        m, s = pen.m, self.session
        size = m.px(64)
        left = m.px(20)
        if s.seat and s.prompt is not None:
            if not pen.mark(f"clan/{s.seat}", left, y + (h - size) / 2, size):  # the table itself
                pen.mark("ui/careful" if s.differs else "ui/tap", left, y + (h - size) / 2, size)
            left += size + m.px(14)
        else:
            pen.mark("ui/wait", left, y + (h - m.px(40)) / 2, m.px(40), "indigo")
            left += m.px(54)
        title, detail, clause = self._said()
        room = round(w - left - m.px(8))
        px = lettering.fitted(title, DISPLAY, m.sp(25), room, m.sp(18))
        titles = (title,)
        if lettering.width(title, DISPLAY, px) > room:
            px, titles = _set(title, room, h - m.px(8) - (m.sp(20) if clause else 0), m.sp(22), m.sp(15), DISPLAY)
        note = m.sp(14) + m.px(4) if clause and h >= px * 1.24 * len(titles) + m.sp(14) + m.px(10) else 0
        left_over = h - m.px(8) - round(px * 1.24) * len(titles)
        small, details = _set(detail, room, left_over - note, m.sp(17), m.sp(12))
        if note and " ".join(details) != detail:  # rather the sentence whole than its clause, which a press on it opens all the same
            note, (small, details) = 0, _set(detail, room, left_over, m.sp(17), m.sp(12))
        pitch = round(small * 1.24)
        block = round(px * 1.24) * len(titles) + pitch * len(details) + note
        top = y + (h - block) / 2
        for line in titles:
            pen.line(line, left, top + px * 0.62, DISPLAY, px)
            top += round(px * 1.24)
        for line in details:
            pen.line(line, left, top + pitch / 2, TEXT, small, "ink_soft")
            top += pitch
        if note:
            middle = top + m.px(4) + m.sp(13) * 0.55
            used = pen.line(clause, left, middle, TEXT, m.sp(13), "indigo")
            pen.rect(left, middle + m.sp(13) * 0.62, used, 1, "indigo")
        self.spot(
            "prompt", 0, y, w, h, text=" ".join(part for part in (title, detail, clause) if part), value=s.seat, lit=s.prompt is not None,
            press=(lambda: s.press_clause(clause)) if clause else None, meaning=clause,
        )  # fmt: skip

    def _paint_buttons(self, pen: Pen, who: float, bar: float, row: int, *, side: bool) -> None:
        m, gap = pen.m, pen.m.gap
        if side:
            rows = [(self.wide * 0.6, self.wide * 0.4 - m.px(20)), (m.px(20), self.wide - m.px(40))]
        else:
            rows = [(who, self.wide - who - m.px(20))] * self.rows
        every = self._every([round(room) for _, room in rows], pen.style, side=side)
        top = bar + (self.high - bar - row * len(rows) - gap * (len(rows) - 1)) / 2
        for placed in self._spread(every, rows, row, top, gap, pen.style, side=side):
            buttons.paint(self, pen, placed)

    def _every(self, rooms: list[int], style: Style, *, side: bool) -> list[Button]:
        """All buttons of the question; the tabs of the others say as much as leaves every button its place."""
        for told in (choices.WHAT, choices.WHOSE):
            every = choices.all_of(self.session, told)
            if self._at_once(every, rooms, style, side=side) is not None:
                return every
        return choices.all_of(self.session)

    def _spread(
        self, every: list[Button], rows: list[tuple[float, float]], high: int, top: float, gap: int, style: Style, *, side: bool
    ) -> list[Placed]:
        """Every button its place; what does not fit waits on the next leaf."""
        leaves = self._leaves(every, rows, gap, style, side=side)
        held = next((i for i, each in enumerate(leaves) if any(self._held(b) for row in each for b in row)), 0)
        leaf = leaves[(held + self.session.leaf) % len(leaves)]  # what is in hand is shown
        out = []
        for r, (left, room) in enumerate(rows):
            here = leaf[r] if r < len(leaf) else []
            widths = [min(self._width(button, style), round(room)) for button in here]
            spare = room - sum(widths) - gap * (len(here) - 1)
            stretch = min(spare / len(here), style.m.px(60)) if here and side and r else 0
            x = left + (spare if not (side and r) else 0)
            for button, w in zip(here, widths, strict=True):
                out.append(Placed(button, x, top + r * (high + gap), w + stretch, high))
                x += w + stretch + gap
        return out

    def _whole(self) -> Button:
        s = self.session
        key = s.prompt.text.key if s.prompt is not None else ""
        press = lambda: s.press_sheet("ask", s.seat, key)  # noqa: E731 - a button wants one thing to call
        return Button("list", s.speech.say("all"), press, mark="ui/log", last=True, question=False)

    def _leaves(
        self, every: list[Button], rows: list[tuple[float, float]], gap: int, style: Style, *, side: bool
    ) -> list[list[list[Button]]]:
        rooms = [round(room) for _, room in rows]
        found = self._at_once(every, rooms, style, side=side)
        if found is not None:
            return [found]
        s, flat = self.session, _ending(every, side=side)
        turn = Button("leaf", s.speech.say("more"), lambda: s.press_leaf(1), mark="ui/turn", last=True, question=False)
        leaves = self._cut(flat, turn, rooms, gap, style)
        if len(leaves) <= TURNS or s.filling is not None:  # a list has no steppers
            return leaves
        flat.sort(key=lambda button: not self._held(button))
        return self._cut(flat, self._whole(), rooms, gap, style)[:1]  # rather a list than many leaves

    def _at_once(self, every: list[Button], rooms: list[int], style: Style, *, side: bool) -> list[list[Button]] | None:
        """Their rows, where all of them fit."""
        gap, flat = style.m.gap, _ending(every, side=side)
        if side:  # what ends the question stands beside it, the rest nearest to the player
            last, rest = [b for b in every if b.last], [b for b in every if not b.last]
            fits = sum(self._width(b, style) + gap for b in last) - gap <= rooms[0]
            if fits and buttons.flow([self._width(b, style) for b in rest], rooms[1:], gap) is not None:
                return [last, rest]
        placed = buttons.flow([self._width(b, style) for b in flat], rooms, gap)
        return [[flat[i] for i in row] for row in placed] if placed is not None else None

    def _held(self, button: Button) -> bool:
        return button.wid == f"pick:{self.session.pick}"

    def _cut(self, flat: list[Button], turn: Button, rooms: list[int], gap: int, style: Style) -> list[list[list[Button]]]:
        ends = [button for button in flat if button.last]
        rest = [button for button in flat if not button.last]
        if (
            not rest
            or len(ends) > ENDS
            or any(not buttons.flow([self._width(b, style) for b in (one, *ends, turn)], rooms, gap) for one in rest)
        ):
            ends, rest = [], flat
        always = [*ends, turn]  # what ends the question is on every leaf
        out: list[list[list[Button]]] = []
        start = 0
        while start < len(rest):
            count = 1
            while start + count < len(rest) and buttons.flow(
                [self._width(b, style) for b in [*rest[start : start + count + 1], *always]], rooms, gap
            ):
                count += 1
            page = [*rest[start : start + count], *always]
            placed = buttons.flow([self._width(b, style) for b in page], rooms, gap) or [list(range(len(page)))]
            out.append([[page[i] for i in row] for row in placed])
            start += count
        return out

    # ------------------------------------------------------------------ behind the curtain

    def _tabs(self, style: Style, *, side: bool) -> tuple[list[Button], float]:
        """Who else is asked, the next one first, and where they begin: on the narrow side only as many as leave half of it to the words.

        None while numbers are filled in.
        """
        s, m = self.session, style.m
        end = self.wide - m.px(20) - self._plate(m)
        private = s.prompt is not None and s.prompt.private
        if s.filling is not None or not private:
            return [], end if private else self.wide
        at = s.asked.index(s.seat) + 1 if s.seat in s.asked else 0
        tabs = [choices.tab(s, seat) for seat in (*s.asked[at:], *s.asked[:at]) if seat != s.seat]
        if side:
            wide = max((self._width(tab, style) for tab in tabs), default=1) + m.gap
            tabs = tabs[: max(1, int((end - self.wide / 2) // wide))]
            end -= wide * len(tabs)
        return tabs, end

    def _plate(self, m: Measure) -> float:
        return min(m.px(236), self.wide * 0.34)

    def _paint_curtain(self, pen: Pen, who: float, bar: float, *, side: bool) -> None:
        m, s = pen.m, self.session
        row = m.finger(76)
        tabs, _ = self._tabs(pen.style, side=side)
        plate = self._plate(m)
        depth = self.high - bar
        if side:
            top = bar + (depth - 2 * row - m.gap) / 2
            x, y, w, h = m.px(20), top + row + m.gap, self.wide - m.px(40), row
            px, py = self.wide - m.px(20) - plate, top
        else:
            py = bar + (depth - row) / 2
            px = self.wide - m.px(20) - plate
            x, y, w, h = who, bar + m.px(4), px - m.gap * 2 - who, depth - m.px(14)
        for tab in reversed(tabs):
            wide = self._width(tab, pen.style)
            if side:
                buttons.paint(self, pen, Placed(tab, px - m.gap - wide, py, wide, row))
                px -= wide + m.gap
            else:
                buttons.paint(self, pen, Placed(tab, x + w - wide, py, wide, row))
                w -= wide + m.gap
        if side:
            px = self.wide - m.px(20) - plate
        prompt = s.prompt
        if s.open and prompt is not None:
            self._draw_aside(pen, x, y, w, h)
            hem = min(m.px(16), m.gap + m.px(4)) if side else m.px(16)
            top, room = (y, h) if side else (y + hem + m.px(2), h - hem - m.px(2))
            curtain.hem(pen, s.seat, x, y - hem + m.px(2) if side else y, w, hem)
            if s.filling is not None:
                lines = 1 if side else self.rows
                high = round((room - m.gap * (lines - 1)) / lines)
                for placed in self._spread(
                    choices.steppers(s, prompt) + choices.pin(s), [(x, w)] * lines, high, top, m.gap, pen.style, side=False
                ):
                    buttons.paint(self, pen, placed)
            else:
                hand.paint(self, pen, prompt, x, top, w, room)
        else:
            self._aside = False
            self.over.clear()
            curtain.paint(pen, s.seat, x, y, w, h, s.speech.say(s.name(s.seat)))
        curtain.plate(self, pen, s.seat, px, py, plate, row)

    def _draw_aside(self, pen: Pen, x: float, y: float, w: float, h: float) -> None:
        """The cloth goes up when the curtain opens; it falls at once."""
        s = self.session
        if self._aside or not s.motion:
            return
        self._aside = True
        seat, rising = s.seat, Pen(self.over, pen.style, self.high)

        def rise(share: float) -> None:
            self.over.clear()
            if share < 1 and s.open:  # let go of meanwhile, or another question: nothing rises over that
                curtain.cloth(rising, seat, x, y, w, round(h), hang=pen.m.px(9), share=1 - share)

        self.animate(tokens().motion.curtain_open, rise)


def _ending(every: list[Button], *, side: bool) -> list[Button]:
    """In order; at a short side what ends the question comes last, wherever it stood."""
    return sorted(every, key=lambda button: button.last) if side else every


def _set(text: str, room: int, high: float, most: int, least: int, face: str = TEXT) -> tuple[int, tuple[str, ...]]:
    """A sentence in as many lines as there is room for, smaller where it must be; only then it is cut."""
    for px in range(most, least - 1, -1):
        lines = int(high // round(px * 1.24))
        found = lettering.wrapped(text, face, px, room, 99) if text and lines > 0 else ()
        if len(found) <= lines:
            return px, found
    return least, lettering.wrapped(text, face, least, room, max(1, int(high // round(least * 1.24)))) if high >= least * 1.24 else ()
