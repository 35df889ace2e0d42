"""Draws on a Kivy canvas: boxes, marks, words, ribbons, in roles of the theme. y runs down from the top of the part, as one reads.

Not here: what is drawn, or any colour.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kivy.graphics import BorderImage, Color, InstructionGroup, Mesh, PopMatrix, PushMatrix, Rectangle, Rotate
from kivy.graphics.texture import Texture

from companion.look import marks as look
from companion.tablet import lettering, marks, stroke
from companion.tablet.fonts import TEXT
from companion.tablet.theme import RGBA, Style

Points = Sequence[tuple[float, float]]
RIM = 0.06
"""Room round a clan mark for its rim, of its size."""


class Pen:
    """One drawing of one part, ``height`` pixels high."""

    def __init__(self, group: InstructionGroup, style: Style, height: float) -> None:
        self.group, self.style, self.height = group, style, height
        self.m = style.m

    # ------------------------------------------------------------------ plain

    def tint(self, role: str | RGBA, alpha: float = 1.0) -> Color:
        colour = Color(*(self.style.rgba(role, alpha) if isinstance(role, str) else (*role[:3], role[3] * alpha)))
        self.group.add(colour)
        return colour

    def rect(self, x: float, y: float, w: float, h: float, role: str | RGBA, alpha: float = 1.0) -> None:
        if w > 0 and h > 0:
            self.tint(role, alpha)
            self.group.add(Rectangle(pos=(round(x), round(self.height - y - h)), size=(round(w), round(h))))

    def image(self, texture: Texture, x: float, y: float, w: float, h: float, tint: str | RGBA = (1, 1, 1, 1), alpha: float = 1.0) -> Color:
        """A texture at its upper left corner; of no size, or less, it is not there."""
        colour = self.tint(tint, alpha)
        if w > 0 and h > 0:
            self.group.add(Rectangle(texture=texture, pos=(round(x), round(self.height - y - h)), size=(w, h)))
        return colour

    def box(
        self, x: float, y: float, w: float, h: float, fill: str | None = None, edge: str | None = None, line: int = 0, radius: int = 0
    ) -> None:
        """A rounded box; colours are roles or ``#RRGGBB``."""
        x, y, w, h = round(x), round(y), round(w), round(h)
        hexes = [self.style.hex(role) if role else None for role in (fill, edge)]
        radius = min(radius, min(w, h) // 2 - 1)
        patch = marks.patch(line, radius)
        if w < 2 * patch or h < 2 * patch:
            if fill:
                self.rect(x, y, w, h, fill)
            return
        self.tint((1, 1, 1, 1))
        texture = marks.box(hexes[0], hexes[1], line, radius)
        self.group.add(
            BorderImage(texture=texture, pos=(x, self.height - y - h), size=(w, h), border=(patch,) * 4, display_border=(patch,) * 4)
        )

    def dashed(self, x: float, y: float, w: float, h: float, edge: str, line: float, radius: float) -> None:
        """The edge of a box that is not there yet."""
        on, off, half = 6 * self.m.unit, 4.5 * self.m.unit, line / 2
        shape = f'x="{half:g}" y="{half:g}" width="{round(w) - line:g}" height="{round(h) - line:g}" rx="{max(radius - half, 0):g}"'
        body = f'<rect {shape} fill="none" stroke="{self.style.hex(edge)}" stroke-width="{line:g}" stroke-dasharray="{on:g} {off:g}"/>'
        self.svg(look.sheet(body, (0, 0, round(w), round(h))), x, y, w, h)

    def dashed_ring(self, x: float, y: float, r: float, edge: str, line: float, on: float, off: float) -> None:
        """A circle that is not there yet."""
        side = 2 * round(r + line)
        circle = f'<circle cx="{side / 2:g}" cy="{side / 2:g}" r="{r:g}" fill="none"'
        body = f'{circle} stroke="{self.style.hex(edge)}" stroke-width="{line:g}" stroke-dasharray="{on:g} {off:g}"/>'
        self.svg(look.sheet(body, (0, 0, side, side)), x - side / 2, y - side / 2, side, side)

    def disc(self, x: float, y: float, r: float, fill: str | None = None, edge: str | None = None, line: float = 0) -> None:
        """A circle round (x, y)."""
        px = max(2, 2 * round(r))
        hexes = [self.style.hex(role) if role else None for role in (fill, edge)]
        self.image(marks.disc(px, hexes[0], hexes[1], line), round(x - px / 2), round(y - px / 2), px, px)

    def mark(self, name: str, x: float, y: float, size: float, role: str = "ink", alpha: float = 1.0) -> bool:
        """A mark with its upper left corner at (x, y); a clan mark at night gets the thin rim that keeps its shape. False: no such mark."""
        if not look.has(name):
            return False
        px = max(6, round(size))
        if name.startswith("clan/"):
            self.image(self._clan(name, px), x - px * RIM, y - px * RIM, *(round(px * (1 + 2 * RIM)),) * 2, alpha=alpha)
        else:
            self.image(marks.mark(name, px, self.style.hex(role)), x, y, px, px, alpha=alpha)
        return True

    def _clan(self, name: str, px: int) -> Texture:
        rim = look.BOX * RIM
        body = look.body(name)
        if self.style.theme.dark:
            body = look.silhouette(name, self.style.theme.clan(name[5:]).base, self.style.hex("ink"), 3.2) + body
        side = look.BOX + 2 * rim
        size = round(px * (1 + 2 * RIM))
        return marks.svg(look.sheet(body, (-rim, -rim, side, side)), size, size)

    def svg(self, source: str, x: float, y: float, w: float, h: float, alpha: float = 1.0) -> None:
        self.image(marks.svg(source, round(w), round(h)), x, y, round(w), round(h), alpha=alpha)

    # ------------------------------------------------------------------ words

    def line(
        self,
        text: str,
        x: float,
        y: float,
        face: str = TEXT,
        px: int = 16,
        role: str | RGBA = "ink",
        align: str = "left",
        alpha: float = 1.0,
    ) -> float:
        """One line of text whose middle stands at height ``y``; returns its width."""
        if not text:
            return 0
        texture = lettering.texture(text, face, px)
        w, h = texture.size
        left = x - {"left": 0, "centre": w / 2, "right": w}[align]
        self.image(texture, left, round(y - h / 2), w, h, role, alpha)
        return float(w)

    # ------------------------------------------------------------------ lines and shapes

    def ribbon(self, points: Points, width: float, role: str, alpha: float = 1.0, *, closed: bool = False) -> Color:
        """A smooth line."""
        colour = self.tint(role, alpha)
        vertices, indices = stroke.ribbon(self._up(points), width / 2 + 1, closed=closed)
        self.group.add(Mesh(vertices=vertices, indices=indices, mode="triangle_strip", texture=marks.soft(width)))
        return colour

    def ribbons(self, lines: Iterable[Points], width: float, role: str, alpha: float = 1.0) -> None:
        """Many smooth lines of one width in one mesh."""
        vertices: list[float] = []
        indices: list[int] = []
        for line in lines:
            ribbon, strip = stroke.ribbon(self._up(line), width / 2 + 1)
            base = len(vertices) // 4
            vertices += ribbon
            for i in range(len(strip) - 2):
                indices += [base + i, base + i + 1, base + i + 2]
        if indices:
            self.tint(role, alpha)
            self._mesh(vertices, indices, marks.soft(width))

    def along(self, spines: Iterable[stroke.Spine], k: float, dx: float, dy: float, width: float, role: str, alpha: float = 1.0) -> None:
        """Smooth lines measured before, drawn ``k`` times as large and moved: their shape need not be looked at again."""
        half = width / 2 + 1
        vertices: list[float] = []
        indices: list[int] = []
        for spine in spines:
            base = len(vertices) // 4
            for x, y, nx, ny in spine:
                cx, cy, ax, ay = dx + x * k, self.height - dy - y * k, nx * half, -ny * half
                vertices += (cx + ax, cy + ay, 0.5, 0.0, cx - ax, cy - ay, 0.5, 1.0)
            for i in range(base, len(vertices) // 4 - 2):
                indices += (i, i + 1, i + 2)
        if indices:
            self.tint(role, alpha)
            self._mesh(vertices, indices, marks.soft(width))

    def beads(self, points: Points, size: float, role: str, alpha: float = 1.0) -> None:
        """A dot of ``size`` pixels at every point, in one mesh."""
        texture = marks.disc(max(4, round(size * 2)), "#FFFFFF", None, 0)
        u0, v0, u1, v1 = texture.tex_coords[0], texture.tex_coords[1], texture.tex_coords[4], texture.tex_coords[5]
        vertices: list[float] = []
        indices: list[int] = []
        r = size / 2
        for x, y in self._up(points):
            base = len(vertices) // 4
            vertices += [x - r, y - r, u0, v0, x + r, y - r, u1, v0, x + r, y + r, u1, v1, x - r, y + r, u0, v1]
            indices += [base, base + 1, base + 2, base, base + 2, base + 3]
        if indices:
            self.tint(role, alpha)
            self._mesh(vertices, indices, texture)

    def _mesh(self, vertices: list[float], indices: list[int], texture: Texture) -> None:
        """Kept as plain numbers: those that a ground is made of stay for as long as it does."""
        self.group.add(Mesh(vertices=array("f", vertices), indices=array("H", indices), mode="triangles", texture=texture))

    def _up(self, points: Points) -> list[tuple[float, float]]:
        return [(x, self.height - y) for x, y in points]

    # ------------------------------------------------------------------ turning

    @contextmanager
    def turned(self, x: float, y: float, degrees: float) -> Iterator[None]:
        """What is drawn inside is turned round (x, y), counter-clockwise."""
        if not degrees:
            yield
            return
        self.group.add(PushMatrix())
        self.group.add(Rotate(angle=degrees, origin=(round(x), round(self.height - y))))
        try:
            yield
        finally:
            self.group.add(PopMatrix())

    def add(self, instruction: Any) -> None:
        self.group.add(instruction)
