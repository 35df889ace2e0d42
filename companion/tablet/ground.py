"""The map's ground: sea, waves, routes, land, borders, coast. Measured once in the drawing's units; a size on the window that comes back
is not drawn again, only moved, for the prompt walks from side to side and the map with it.

Not here: anything that changes with the game (``board``).
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from kivy.graphics import Color, InstructionGroup, Mesh, PopMatrix, PushMatrix, Translate
from kivy.graphics.texture import Texture

from companion.look import marks as look
from companion.tablet import area, marks, stroke
from companion.tablet.drawing import Drawing
from companion.tablet.layout import Box
from companion.tablet.pen import Pen
from companion.tablet.stroke import Spine

WAVES = ((78, 0.35), (48, 0.55), (22, 0.9))
MARGIN = 60
"""Room round the drawing for its outermost wave."""
KEPT = 4
"""Sizes of the map that are kept: beside the prompt or above it, one row of buttons or two."""


class Sheet(NamedTuple):
    """One drawn ground, and the colour of each zone's land."""

    group: InstructionGroup
    land: dict[str, Color]
    move: Translate
    """Where the map lies: its upper left corner."""


class Ground:
    """Of one drawing."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self._kept: OrderedDict[Any, Sheet] = OrderedDict()
        self._waves: tuple[str, Texture] | None = None
        """Their colour, and how they look in it."""

    def forget(self) -> None:
        """After a pause nothing that was drawn is left."""
        self._kept.clear()
        self._waves = None

    def sheet(self, pen: Pen, box: Box, place: Box) -> Sheet:
        """The ground over ``box`` with the drawing at ``place``."""
        key = (box, place.w, place.h, pen.style.key)
        found = self._kept.get(key)
        if found is None:
            with marks.patient():  # it is kept
                found = self._kept[key] = self._drawn(pen, box, Box(0, 0, place.w, place.h))
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        found.move.xy = place.x, -place.y
        return found

    def outline(self, pen: Pen, place: Box, zone: str, width: float, role: str) -> None:
        """A smooth line round a zone."""
        self._ribbons(pen, place, [self._outlines[zone]], width, role)

    # ------------------------------------------------------------------ measured once

    @cached_property
    def _outlines(self) -> dict[str, Spine]:
        return {name: stroke.spine(zone.outline, closed=True) for name, zone in self.drawing.zone.items()}

    @cached_property
    def _coasts(self) -> list[Spine]:
        return [stroke.spine(ring, closed=True) for ring in self.drawing.rings]

    @cached_property
    def _borders(self) -> list[Spine]:
        return [stroke.spine(dash) for border in self.drawing.border for dash in stroke.dashes(border.line, 9, 7)]

    @cached_property
    def _signs(self) -> list[Spine]:
        at = self.drawing.decor.get("waves", [])
        waves = [stroke.wave(x - 34, y, 17, 11, 4) for x, y in at] + [stroke.wave(x - 17, y + 13, 17, 11, 2) for x, y in at]
        return [stroke.spine(wave) for wave in waves]

    @cached_property
    def _land(self) -> dict[str, tuple[list[float], list[int]]]:
        """Vertices and triangles, one mesh a zone."""
        return {
            name: ([v for x, y in zone.outline for v in (x, y, 0.0, 0.0)], area.triangles(zone.outline))
            for name, zone in self.drawing.zone.items()
        }

    # ------------------------------------------------------------------ drawn

    def _drawn(self, pen: Pen, box: Box, place: Box) -> Sheet:
        sheet = Sheet(InstructionGroup(), {}, Translate(0, 0))
        ground, d = Pen(sheet.group, pen.style, pen.height), self.drawing
        k = place.w / d.size[0]
        ground.rect(0, 0, box.w, box.h, "sea")
        ground.image(marks.ramp([pen.style.rgba("sea_deep"), pen.style.rgba("sea")]), 0, 0, box.w, pen.m.px(300))
        ground.add(PushMatrix())
        ground.add(sheet.move)
        self._paint_waves(ground, place, k)
        self._ribbons(ground, place, self._signs, max(3.4 * k, 1), "sea_near")
        for route in d.route:
            line = [(place.x + x * k, place.y + y * k) for x, y in route.line]
            ground.beads(stroke.beads(line, max(13 * k, 5)), max(4.6 * k, 2.2), "route", 0.85)
        for name, (vertices, corners) in self._land.items():
            sheet.land[name] = ground.tint("land")
            moved = list(vertices)
            moved[0::4] = [place.x + x * k for x in vertices[0::4]]
            moved[1::4] = [ground.height - place.y - y * k for y in vertices[1::4]]
            ground.add(Mesh(vertices=array("f", moved), indices=array("H", corners), mode="triangles"))
        self._ribbons(ground, place, self._borders, max(2.4 * k, 1.2), "ink", 0.75)
        self._ribbons(ground, place, self._coasts, max(3.4 * k, 1.6), "ink")
        for route in d.route:
            for x, y in (route.line[0], route.line[-1]):
                ground.disc(place.x + x * k, place.y + y * k, max(9 * k, 4), "paper", "route", max(3.6 * k, 1.6))
        ground.add(PopMatrix())
        return sheet

    def _ribbons(self, pen: Pen, place: Box, spines: Iterable[Spine], width: float, role: str, alpha: float = 1.0) -> None:
        k = place.w / self.drawing.size[0]
        pen.along(spines, k, place.x, place.y, width, role, alpha)

    def _paint_waves(self, pen: Pen, place: Box, k: float) -> None:
        """Three soft bands round the coast: one texture a theme, a third as fine as the map, stretched over it."""
        w, h = self.drawing.size
        colour, box = pen.style.hex("sea_near"), (-MARGIN, -MARGIN, w + 2 * MARGIN, h + 2 * MARGIN)
        if self._waves is None or self._waves[0] != colour:
            self._waves = colour, self._washed(colour, box)
        pen.image(self._waves[1], place.x - MARGIN * k, place.y - MARGIN * k, box[2] * k, box[3] * k)

    def _washed(self, colour: str, box: tuple[float, float, float, float]) -> Texture:
        rings = "".join(f'<polygon points="{points(ring)}"/>' for ring in self.drawing.rings)
        bands = "".join(f'<g stroke-width="{width}" stroke-opacity="{alpha}">{rings}</g>' for width, alpha in WAVES)
        body = f'<g fill="none" stroke-linejoin="round" stroke="{colour}">{bands}</g>'
        return marks.drawn(look.sheet(body, box), round(box[2] / 3), round(box[3] / 3))


def points(ring: Iterable[tuple[float, float]]) -> str:
    """As SVG writes them."""
    return " ".join(f"{x:g},{y:g}" for x, y in ring)
