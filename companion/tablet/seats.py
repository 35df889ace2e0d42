"""Honor: one row a seat, in the game's order: mark, name, what it has, what is left in its reserve. A column, or a strip below the map."""

from __future__ import annotations

from typing import Any

from companion.look import marks as look
from companion.rules.view import Card, Counter, Line, Pieces, Section, Stack, Text
from companion.tablet import lettering
from companion.tablet.fonts import BOLD, DISPLAY
from companion.tablet.part import Part
from companion.tablet.pen import Pen

LEADING = 1.2
"""A line's height, of its letters' size."""


class Honor(Part):
    """``strip`` is set by the screen's layout."""

    strip = False

    @property
    def section(self) -> Section | None:
        return self.session.sections().get("seats")

    def content(self) -> Any:
        return (
            self.section,
            self.session.beside(),
            self.strip,
            self.session.seat,
            tuple(map(self.session.must, self.session.seats)),
            tuple(map(self.session.bot, self.session.seats)),
            tuple(self.session.phones.items()),
        )

    def paint(self, pen: Pen) -> None:
        m, section = pen.m, self.section
        pen.rect(0, 0, self.wide, self.high, "paper")
        edge = m.px(2)
        rows = [node for node in (section.nodes if section is not None else ()) if isinstance(node, Section)]
        if self.strip:
            pen.rect(0, 0, self.wide, edge, "ink")
            w = self.wide / max(1, len(rows))
            for i, row in enumerate(rows):
                self._paint_row(pen, row, i, round(w * i), edge, round(w * (i + 1)) - round(w * i), self.high - edge)
            return
        inner = self.wide - edge if self.turn == 180 else self.wide
        pen.rect(inner if self.turn == 180 else 0, 0, edge, self.high, "ink")
        left = 0 if self.turn == 180 else edge
        head = max(m.px(35), m.sp(20) + m.px(10))
        if (self.high - head) / max(1, len(rows)) < m.target:  # a small window: the rows need the height
            head = 0
        elif section is not None:
            size = m.px(22)
            pen.mark(section.mark or "token/honor", left + m.px(16), (head - size) / 2, size, "ink_soft")
            pen.line(self.session.speech.say(section.text), left + m.px(46), head / 2, BOLD, m.sp(15), "ink_soft")
            self._paint_health(pen, head, inner)
        h = (self.high - head) / max(1, len(rows))
        for i, row in enumerate(rows):
            y = head + round(h * i)
            self._paint_row(pen, row, i, left, y, self.wide - edge, head + round(h * (i + 1)) - y)

    def _paint_health(self, pen: Pen, head: float, right: float) -> None:
        """The devices in small, worst told by their sign; the table page has the words."""
        m = pen.m
        size = m.px(18)
        x = right - m.px(10) - size
        for line in reversed(self.session.health[:5]):
            colour = "ink_off" if line.tone == "ok" else pen.style.theme.tone(line.tone)[0]
            if line.mark and pen.mark(line.mark, x, (head - size) / 2, size, colour):
                x -= size + m.px(7)

    # ------------------------------------------------------------------ one seat

    def _paint_row(self, pen: Pen, row: Section, rank: int, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        must = row.lit or s.must(row.id)
        if must:
            pen.rect(x, y, w, h, "vermilion_wash")
            bar = m.px(6)
            pen.rect(x, y, w if self.strip else bar, bar if self.strip else h, "vermilion")
        if self.strip and rank:
            pen.rect(x, y, 1, h, "line")
        elif not self.strip:
            pen.rect(x, y, w, 1, "line")
        pieces = [node for node in row.nodes if isinstance(node, Pieces)]
        reserve = [stack for node in pieces if node.id.startswith("reserve") or len(pieces) == 1 for stack in node.stacks]
        line1, line2, line3 = m.px(38 if self.strip else 42), m.sp(30), max(m.px(20), m.sp(17))
        rim = m.px(6) if self.strip else 0
        y, h = y + rim, h - rim
        folded = h - line2 < m.px(26)
        line1 = line1 if folded else min(line1, round(h - line2 - m.px(4)))
        beside = s.beside().get(row.id)
        if beside is not None and not folded:  # it is what everybody waits for: the mark makes room
            line3 = m.sp(24)
            line1 = max(m.px(28), min(line1, round(h - line2 - line3 - m.px(8))))
        three = bool(reserve or beside) and h >= line1 + line2 + line3 + m.px(6)
        line1 = min(line1, round(h - m.px(4)))
        block = line1 + (0 if folded else line2) + (line3 if three else 0)
        top = y + max(m.px(2), (h - block) / 2 - (m.px(2) if three else 0))
        left, right = x + m.px(14), x + w - m.px(14)
        said = s.speech.say(row.text)
        pen.line(str(rank + 1), left + m.px(5), top + line1 / 2, DISPLAY, m.sp(17), "ink_soft", "centre")
        mark = left + m.px(20)
        if not pen.mark(row.mark or f"clan/{row.id}", mark, top, line1):
            pen.disc(mark + line1 / 2, top + line1 / 2, line1 / 2, "sunk", "edge", m.px(2))
        if s.phones.get(row.id) == "asleep":
            r = m.px(10)
            pen.disc(mark + line1 - m.px(4), top + line1 - m.px(4), r, "indigo_wash", "indigo", m.px(2))
            pen.mark("ui/wait", mark + line1 - m.px(4) - r * 0.6, top + line1 - m.px(4) - r * 0.6, r * 1.2, "indigo")
        self._paint_won(pen, row, mark + line1, top)
        value = {"rank": rank + 1, "reserve": {stack.kind: stack.count for stack in reserve}, "phone": s.phones.get(row.id, "vacant")}
        self.spot(
            f"seat:{row.id}", x, y - rim, w, h + rim, text=said, value=value, lit=must, press=lambda: s.press_seat(row.id), meaning=row.id
        )
        name = mark + line1 + m.px(9)
        if folded:  # no room for two lines: the mark and the numerals say it
            self._paint_bot(pen, row, mark + line1, top + line1)
            self._paint_counters(pen, row, name, right, top + line1 / 2)
            return
        end = self._paint_signs(pen, row, right, top + line1 / 2)
        if not self._paint_name(pen, row, name, top, round(end - name - m.px(4)), line1):
            self._paint_bot(pen, row, mark + line1, top + line1)
        self._paint_counters(pen, row, left + m.px(6 if self.strip else 18), right, top + line1 + line2 / 2)
        if three and beside is not None:
            self._paint_beside(pen, beside, left + m.px(6 if self.strip else 18), right, top + line1 + line2 + line3 / 2)
        elif three:
            self._paint_reserve(pen, row.id, reserve, left + m.px(6 if self.strip else 18), right, top + line1 + line2 + line3 / 2)

    def _paint_name(self, pen: Pen, row: Section, x: float, y: float, room: int, high: int) -> bool:
        """The clan and who plays it, beside each other or one below the other. False: that a bot plays it has not been said."""
        m, s = pen.m, self.session
        clan, who, small = s.speech.say(row.text), s.who(row.id), m.sp(13)
        below = round(small * LEADING) * 2 <= high
        lines: tuple[str, ...] = (clan,)
        said = not s.bot(row.id)
        for one in (who, s.speech.say(Text("table.bot_plain")) if s.bot(row.id) else ""):
            beside = lettering.width(f"{clan} · {one}", BOLD, small) <= room
            if one and (beside or (below and lettering.width(one, BOLD, small) <= room)):
                lines, said = (f"{clan} · {one}",) if beside else (clan, one), True
                break
        lines = tuple(line for line in lines if lettering.width(line, BOLD, small) <= room)
        most = min(m.sp(18), round(high / LEADING) - small) if lines[1:] else m.sp(18)
        top, sizes = y + high / 2, [lettering.fitted(line, BOLD, (most, small)[i], room, small) for i, line in enumerate(lines)]
        top -= sum(sizes) * LEADING / 2
        for i, (line, px) in enumerate(zip(lines, sizes, strict=True)):
            pen.line(line, x, top + px * LEADING / 2, BOLD, px, "ink_soft" if i else "ink")
            top += px * LEADING
        return said

    def _paint_bot(self, pen: Pen, row: Section, x: float, y: float) -> None:
        """A bot's sign on the crest's lower right corner, where there is no room for the word."""
        m, s = pen.m, self.session
        if not s.bot(row.id):
            return
        r = m.px(10)
        pen.disc(x - m.px(4), y - m.px(4), r, "paper", "ink", m.px(2))
        pen.mark("ui/bot", x - m.px(4) - r * 0.7, y - m.px(4) - r * 0.7, r * 1.4)
        self.spot(f"bot:{row.id}", x - m.px(4) - r, y - m.px(4) - r, 2 * r, 2 * r, text=s.speech.say("bot_here"))

    def _paint_signs(self, pen: Pen, row: Section, right: float, y: float) -> float:
        """Allies, from the right; returns where they begin."""
        m = pen.m
        for node in row.nodes:
            if isinstance(node, Card) and node.seat and node.mark == "ui/alliance":
                size, ring = m.px(22), m.px(18)
                if pen.mark(f"clan/{node.seat}", right - size, y - size / 2, size):
                    pen.mark("ui/alliance", right - size - ring - m.px(3), y - ring / 2, ring, "ink_soft")
                    self.spot(
                        f"ally:{row.id}",
                        right - size - ring,
                        y - size / 2,
                        size + ring,
                        size,
                        text=self.session.speech.say(node.text),
                        value=node.seat,
                    )
                    right -= size + ring + m.px(8)
        return right

    def _paint_won(self, pen: Pen, row: Section, right: float, y: float) -> None:
        """How many tokens it has won: a number on the crest's upper right corner, cut as a war is on the map, so that no row grows by it."""
        won = [node for node in row.nodes if isinstance(node, Card) and node.mark and node.mark != "ui/alliance"]
        if not won:
            return
        m = pen.m
        side = max(m.px(26), m.sp(19))
        x, middle = right - side * 0.24, max(side / 2, y + side * 0.22)  # clear of the name beside the crest
        cut = f'<polygon points="24,0 48,24 24,48 0,24" fill="{pen.style.hex("paper")}"/><polygon points="24,4 44,24 24,44 4,24" fill="{pen.style.hex("ink")}"/>'
        pen.svg(look.sheet(cut), round(x - side / 2), round(middle - side / 2), side, side)
        pen.line(str(len(won)), x, middle, DISPLAY, round(side * 0.52), "paper", "centre")
        said = ", ".join(self.session.speech.say(node.text) for node in won)
        self.spot(f"won:{row.id}", x - side / 2, middle - side / 2, side, side, text=said, value=len(won))

    def _paint_counters(self, pen: Pen, row: Section, left: float, right: float, y: float) -> None:
        m = pen.m
        shown = [node for node in row.nodes if isinstance(node, Counter)]
        if not shown:
            return
        size, gap = m.px(20), m.px(5)
        numbers = ["?" if node.value is None else str(node.value) for node in shown]
        px = m.sp(27)  # as large as two figures each leave room for, so that every row is set alike
        while px > m.sp(14) and (lettering.width("12", DISPLAY, px) + size + gap + m.px(8)) * len(shown) > right - left:
            px -= 1
        wide = [size + gap + lettering.width(n, DISPLAY, px) for n in numbers]
        spare = (right - left - sum(wide)) / max(1, len(shown) - 1) if len(shown) > 1 else 0
        x = left
        for node, number, w in zip(shown, numbers, wide, strict=True):
            pen.mark(node.mark, x, y - size / 2, size, "ink_soft")
            pen.line(number, x + size + gap, y, DISPLAY, px)
            said = self.session.speech.say(node.text)
            self.spot(f"counter:{row.id}:{node.id.split('.')[-1]}", x, y - m.sp(15), w, m.sp(30), text=said, value=node.value)
            x += w + spare

    def _paint_beside(self, pen: Pen, section: Section, left: float, right: float, y: float) -> None:
        """Numbers with their marks, then words: a Force and a bid, all in a row."""
        m, size, x = pen.m, pen.m.px(19), left
        nodes = [node for node in section.nodes if isinstance(node, Counter | Line)]
        cell = (right - left) / max(5, len(nodes))
        widest = max(("?" if node.value is None else str(node.value) for node in nodes if isinstance(node, Counter)), key=len, default="")
        px = lettering.fitted(widest, DISPLAY, m.sp(20), round(cell - size - m.px(6)), 8)
        for node in nodes:
            said = self.session.speech.say(node.text)
            if isinstance(node, Line):
                words = lettering.cut(said, BOLD, m.sp(15), round(right - x))
                pen.line(words, x, y, BOLD, m.sp(15), "ink_soft")
                self.spot(f"beside:{node.id}", x, y - size / 2, right - x, size, text=said)
                continue
            value = "?" if node.value is None else str(node.value)
            pen.mark(node.mark, x, y - size / 2, size, "vermilion" if node is nodes[0] else "ink_soft")
            pen.line(value, x + size + m.px(4), y, DISPLAY, px, "ink" if node.value else "ink_off")
            self.spot(f"beside:{node.id}", x, y - size / 2, cell, size, text=said, value=node.value)
            x += cell

    def _paint_reserve(self, pen: Pen, seat: str, reserve: list[Stack], left: float, right: float, y: float) -> None:
        """What is still off the board, small and soft: foot and number."""
        m = pen.m
        cell = (right - left) / max(4, len(reserve))
        size = min(m.px(15), round(cell * 0.4))
        px = lettering.fitted("12", BOLD, m.sp(14), round(cell - size - m.px(8)), 8)
        for i, stack in enumerate(reserve):
            x = left + cell * i
            role = "ink_soft" if stack.count else "line"
            gap = size + m.px(4) if pen.mark(stack.mark, x, y - size / 2, size, role) else 0
            pen.line(str(stack.count), x + gap, y, BOLD, px, role)
            self.spot(
                f"reserve:{seat}:{stack.kind}", x, y - size / 2, cell, size, text=self.session.speech.say(stack.text), value=stack.count
            )
