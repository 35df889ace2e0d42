"""Simulated figures: pressing one lays its tag on the simulated reader. Only at a table that has simulated tags."""

from __future__ import annotations

from typing import Any

from companion.tablet import counters, lettering
from companion.tablet.fonts import BOLD
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD
from companion.tablet.theme import Style


class Tray(Part):
    """A strip over the map's edge with the asked seat's figures (all, when nobody is asked)."""

    solid = False
    leaf = 0
    """Of more figures than fit, how often others were asked for."""

    def content(self) -> Any:
        s = self.session
        return (s.tray, s.page, s.seat, self.tags, self.leaf)

    @property
    def tags(self) -> tuple[Any, ...]:
        s = self.session
        every = s.table.tags() if s.tray and s.page == BOARD else ()
        mine = tuple(tag for tag in every if tag.seat in {s.seat, ""})
        return mine or every

    def _short(self, seat: str, text: str) -> str:
        """Without the clan's name, which the counter shows."""
        clan = self.session.speech.say(self.session.name(seat)) if seat else ""
        return " ".join(text.replace(clan, "").split()) or text if clan else text

    def depth(self, style: Style) -> int:
        return style.m.finger(76) + style.m.px(12) if self.tags else 0

    def paint(self, pen: Pen) -> None:
        m, s, tags = pen.m, self.session, self.tags
        if not tags:
            return
        pen.box(0, 0, self.wide, self.high, "paper", "edge", m.px(2), m.px(8))
        size = m.px(26)
        pen.mark("ui/reader", m.px(12), (self.high - size) / 2, size, "ink_soft")
        x = float(m.px(48))
        room = self.wide - x - m.px(8)
        if len(tags) * m.target > room:
            room -= m.target
            fits = max(1, int(room // m.target))
            first = self.leaf % -(-len(tags) // fits) * fits
            tags = tags[first : first + fits]
            pen.mark("ui/turn", self.wide - m.px(8) - (m.target + size) / 2, (self.high - size) / 2, size)
            self.spot("tray:more", self.wide - m.px(8) - m.target, 0, m.target, self.high, text=s.speech.say("more"), press=self._turn)
        step = min(room / len(tags), m.finger(92))
        for tag in tags:
            counters.draw(pen, tag.seat, tag.mark, 1, x + step / 2, self.high / 2 - m.px(8), m.px(40))
            text = s.speech.say(tag.text)
            short = self._short(tag.seat, text)
            px = lettering.fitted(short, BOLD, m.sp(13), round(step - m.px(4)), 8)
            pen.line(
                lettering.cut(short, BOLD, px, round(step - m.px(4))), x + step / 2, self.high - m.px(14), BOLD, px, "ink_soft", "centre"
            )
            self.spot(
                f"sim:{tag.uid}", x, 0, step, self.high, text=text, value=tag.uid, press=lambda uid=tag.uid: s.tap(uid), meaning=tag.uid
            )
            x += step

    def _turn(self) -> None:
        self.leaf += 1
        self.session.changed()
