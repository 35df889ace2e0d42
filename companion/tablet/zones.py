"""A game without a drawing: its places as cards in a grid. The same names, the same touches."""

from __future__ import annotations

from math import ceil
from typing import Any

from companion.rules.view import Section, Zone
from companion.tablet import counters, lettering
from companion.tablet.fonts import DISPLAY
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.part import Part
from companion.tablet.pen import Pen


class Zones(Part):
    """Covers the window; the cards stand in ``free``."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.free = Box(0, 0, 0, 0)

    @property
    def zones(self) -> tuple[Zone, ...]:
        section = self.session.sections().get("board")
        return tuple(node for node in (section.nodes if isinstance(section, Section) else ()) if isinstance(node, Zone))

    def settle(self, free: Box, m: Measure) -> None:  # noqa: ARG002 - as the board has it
        """The cards stand in what the panels leave."""
        self.free = free

    def content(self) -> Any:
        s = self.session
        return (self.zones, s.lit, s.starts, s.place, s.touched, s.seat, self.free, s.page)

    def sights(self) -> list[tuple[float, float]]:
        """The middles of the lit places, in window pixels."""
        return [spot.middle for spot in self.spots if spot.lit]

    def paint(self, pen: Pen) -> None:
        m, zones = pen.m, self.zones
        pen.rect(0, 0, self.wide, self.high, "sea")
        if not zones:
            return
        area = self.free.inset(m.px(16))
        columns = max(1, min(len(zones), round((len(zones) * area.w / max(1, area.h) / 1.6) ** 0.5), area.w // max(1, 2 * m.target)))
        lines = ceil(len(zones) / columns)
        w, h = (area.w - m.gap * (columns - 1)) / columns, (area.h - m.gap * (lines - 1)) / lines
        for i, zone in enumerate(zones):
            self._paint_zone(pen, zone, area.x + (i % columns) * (w + m.gap), area.y + (i // columns) * (h + m.gap), w, h)

    def _paint_zone(self, pen: Pen, zone: Zone, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        lit = zone.id in s.lit or zone.id in s.starts
        pen.box(x, y, w, h, "land_lit" if lit else "land", "vermilion" if lit else "ink", m.px(4 if lit else 2), m.px(8))
        name = s.speech.say(zone.text)
        left, size = x + m.px(14), m.px(30)
        if zone.mark and pen.mark(zone.mark, left, y + m.px(10), size):
            left += size + m.px(8)
        pen.line(lettering.cut(name, DISPLAY, m.sp(20), round(x + w - left - m.px(40))), left, y + m.px(25), DISPLAY, m.sp(20))
        pen.line(zone.badge, x + w - m.px(16), y + m.px(25), DISPLAY, m.sp(22), "ink", "right")
        step = min(m.px(66), (w - m.px(28)) / max(1, len(zone.stacks)))
        each = min(m.px(54), h * 0.4, step * 0.84)
        for i, stack in enumerate(zone.stacks):
            cx, cy = x + m.px(14) + each / 2 + step * i, y + (h + m.px(44)) / 2
            if stack.mark == counters.STRONGHOLD and stack.count == 1:
                counters.stronghold(pen, stack.seat, cx, cy, each * 0.8)
            else:
                counters.draw(pen, stack.seat, stack.mark, stack.count, cx, cy, each)
            self.spot(
                f"stack:{zone.id}:{stack.kind}", cx - each / 2, cy - each / 2, each, each, text=s.speech.say(stack.text), value=stack.count
            )
        self.spot(
            f"zone:{zone.id}", x, y, w, h, text=name, lit=lit, press=lambda: s.touch(zone.id),
            value={"badge": zone.badge, "stacks": {stack.kind: stack.count for stack in zone.stacks}},
            meaning=(s.seat, s.pick, s.here.get(zone.id)), question=True,
        )  # fmt: skip
