"""The map: sea, land, routes, names, numbers, figures; the places that answer the question glow. One touch target a place.

Drawn from the game's own drawing and from the view; knows no rules. Where a game has no drawing, ``zones`` lists its places instead.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.graphics import Color
from kivy.graphics.texture import Texture

from companion.look import marks as look
from companion.look.tokens import tokens
from companion.rules.view import Section, Stack, Zone
from companion.tablet import counters, house, lettering, marks, stroke
from companion.tablet.drawing import REWARDS, Area, Drawing, Shrine
from companion.tablet.fonts import BOLD, DISPLAY
from companion.tablet.ground import Ground, points
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.sides import NORTH, TURN

BREATHS = 3
"""How often the glow breathes after a question has come; then it stays, and an idle table draws nothing."""
GLOW = ((34, 0.10), (22, 0.16), (13, 0.28))
SOFT = 4
"""A glow's texture is so much coarser than the drawing: it is all softness, and a fine one took longer than a frame may."""
ZOOM = 2.2
RING = stroke.spine(stroke.circle(0, 0, 47), closed=True)
"""Inside a shrine's rim."""


class Light(NamedTuple):
    """The glow of a zone, and where it lies in the drawing's units."""

    box: tuple[float, float, float, float]
    texture: Texture


class Board(Part):
    """Covers the window; the map stands in ``free``."""

    heavy = True

    def __init__(self, *args: Any, drawing: Drawing, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.drawing = drawing
        self.free = Box(0, 0, 0, 0)
        self.map = Box(0, 0, 0, 0)
        self._ground = Ground(drawing)
        self._glow: list[tuple[Color, float]] = []
        self._breath: Any = None
        self._born = 0.0
        self._finger = (0.0, 0.0)
        self._halo: Any = None
        self._warmed = ""
        self._lights: dict[tuple[str, str], Light] = {}
        """By colour and zone: kept here, where no other drawing takes their room."""
        self._lit: dict[str, tuple[int, ...]] = {}
        self._starts: frozenset[str] = frozenset()
        self._apart: tuple[str, ...] = ()
        """What the session has lit, where pieces are taken up, where table and app differ: looked up once a painting."""

    # ------------------------------------------------------------------ what it shows

    @property
    def zones(self) -> dict[str, Zone]:
        section = self.session.sections().get("board", Section("", None))  # type: ignore[arg-type]
        return {node.id: node for node in section.nodes if isinstance(node, Zone)}

    def content(self) -> Any:
        s = self.session
        lit = {place: self._ghost(choices) for place, choices in s.lit.items()}
        return (self.zones, lit, s.starts, s.place, s.touched, TURN[s.side], s.seat, self.map, s.page, self._differing())

    def _differing(self) -> tuple[str, ...]:
        """Places where table and app do not agree, in the order of the repair panel."""
        s = self.session
        return tuple(one.place for one in house.places(s.update.open)) if s.update is not None and s.differs else ()

    def _ghost(self, choices: tuple[int, ...]) -> str | None:
        """The foot of the figure that would land: known when all choices move one kind; None: no figure lands."""
        prompt = self.session.prompt
        if prompt is None:
            return None
        kinds = {prompt.choices[i].gestures[0].kind for i in choices}
        stack = self.session.stack(next(iter(kinds))) if len(kinds) == 1 else None
        return stack.mark if stack is not None else ""

    def forget(self) -> None:
        super().forget()
        self._ground.forget()
        self._warmed = ""
        self._lights.clear()

    def settle(self, free: Box, m: Measure) -> None:
        """The map stands in what the panels leave."""
        self.free = free
        self.map = free.inset(m.px(6), m.px(4)).fitted(*self.drawing.size)
        zoom = self.session.zoom
        if zoom is not None:
            w, h = round(self.map.w * ZOOM), round(self.map.h * ZOOM)
            k = w / self.drawing.size[0]
            x = min(max(round(free.x + free.w / 2 - zoom[0] * k), free.right - w), free.x)
            y = min(max(round(free.y + free.h / 2 - zoom[1] * k), free.bottom - h), free.y)
            self.map = Box(x, y, w, h)

    # ------------------------------------------------------------------ from the drawing's units to pixels

    @property
    def k(self) -> float:
        return self.map.w / self.drawing.size[0]

    def px(self, point: tuple[float, float]) -> tuple[float, float]:
        return self.map.x + point[0] * self.k, self.map.y + point[1] * self.k

    def line(self, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        k, x0, y0 = self.k, self.map.x, self.map.y
        return [(x0 + x * k, y0 + y * k) for x, y in points]

    def letters(self, pen: Pen, size: float) -> int:
        """A text size of the drawing; larger text is larger here too, as far as the places allow."""
        return max(8, round(min(max(size * self.k, pen.m.sp(size * 0.42)), size * 1.1 * self.k)))

    def _place(self, x: float, y: float) -> str:
        return next(iter(self._meant(x, y)), "")

    def _meant(self, x: float, y: float) -> tuple[str, ...]:
        """The places a finger at a point of the part may mean."""
        near = self.style.m.target / self.k if self.style is not None and self.k else 0.0
        return self.drawing.meant(*self._inside(x, y), near, frozenset(self.session.lit) | self.session.starts)

    def _inside(self, x: float, y: float) -> tuple[float, float]:
        """A point of the part in the drawing's units."""
        return (x - self.map.x) / self.k, (y - self.map.y) / self.k

    def on_touch_down(self, touch: Any) -> bool:
        self._finger = self.inward(*touch.pos)
        return super().on_touch_down(touch)

    def _touch(self, place: str) -> None:
        """A place, unless two that answer are too near to be told apart: then the map comes nearer first."""
        s = self.session
        if s.zoom is None and len(self._meant(*self._finger)) > 1:
            s.zoom = self._inside(*self._finger)
            s.changed()
            return
        if s.zoom is not None:
            s.leave_zoom()
        s.touch(place)

    def sights(self) -> list[tuple[float, float]]:
        """Points of the lit places that a notice had better not hide, in window pixels."""
        where = [self.drawing.zone[place] for place in {*self.session.lit, *self.session.starts} if place in self.drawing.zone]
        return [self.px(point) for area in where for point in (*area.figures, *area.outline[::6])]

    # ------------------------------------------------------------------ painting

    def paint(self, pen: Pen) -> None:
        zones, s = self.zones, self.session
        self._lit, self._starts, self._apart = s.lit, s.starts, self._differing()
        lit, starts = self._lit, self._starts
        ground = self._ground.sheet(pen, self.box, self.map)
        pen.add(ground.group)
        for name, colour in ground.land.items():
            shown = "land_lit" if name in lit or name in starts else "land_dim" if lit or starts else "land"
            colour.rgba = pen.style.rgba(shown)
        self._glow = []
        self.over.clear()  # what breathes lies over the kept picture: it is not drawn anew for a breath
        self._halo = Pen(self.over, pen.style, pen.height)
        for name in sorted(set(lit) | starts):
            if name in self.drawing.zone:
                self._paint_lit(pen, name, firm=name == s.place)
        if s.touched in self.drawing.zone and s.touched not in lit:
            self._ground.outline(pen, self.map, s.touched, 6 * self.k, "indigo")
        for name in self._apart:
            if name in self.drawing.zone:
                self._ground.outline(pen, self.map, name, max(9 * self.k, 3), "ochre")
        names, discs = (180 if s.side == NORTH else 0), TURN[s.side]
        for shrine in self.drawing.shrine:
            self._paint_shrine(pen, shrine, zones.get(f"shrine.{shrine.slot}"), names, discs)
        for name, area in self.drawing.zone.items():
            self._paint_area(pen, name, area, zones.get(name), names, discs)
        self._breathe()
        self._warm(pen.style.hex("vermilion"))

    def _paint_lit(self, pen: Pen, name: str, *, firm: bool) -> None:
        box, texture = self._light(pen.style.hex("vermilion"), name)
        x, y = self.px(box[:2])
        self._glow.append((self._halo.image(texture, x, y, box[2] * self.k, box[3] * self.k), 1.0))
        self._ground.outline(pen, self.map, name, max((13 if firm else 10) * self.k, 4), "land_lit")
        self._ground.outline(pen, self.map, name, max((8 if firm else 6) * self.k, 2.4), "vermilion")

    def _light(self, colour: str, name: str) -> Light:
        found = self._lights.get((colour, name))
        if found is None:
            found = self._lights[colour, name] = self._glowing(colour, name)
        return found

    def _glowing(self, colour: str, name: str) -> Light:
        outline = self.drawing.zone[name].outline
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        box = (min(xs) - 30, min(ys) - 30, max(xs) - min(xs) + 60, max(ys) - min(ys) + 60)
        rings = "".join(f'<polygon points="{points(outline)}" stroke-width="{width}" stroke-opacity="{alpha}"/>' for width, alpha in GLOW)
        body = f'<g fill="none" stroke-linejoin="round" stroke="{colour}">{rings}</g>'
        return Light(box, marks.drawn(look.sheet(body, box), round(box[2] / SOFT), round(box[3] / SOFT)))

    def _warm(self, colour: str) -> None:
        """Makes the glows of a theme one a frame, before a question needs eight of them in one."""
        if colour == self._warmed:
            return
        self._warmed = colour
        self._lights = {key: light for key, light in self._lights.items() if key[0] == colour}
        names = iter(tuple(self.drawing.zone))

        def one(_dt: float) -> bool:
            name = next(names, None) if colour == self._warmed else None
            if name is not None:
                self._light(colour, name)
            return name is not None

        Clock.schedule_interval(one, 0)

    def _paint_shrine(self, pen: Pen, shrine: Shrine, zone: Zone | None, names: int, discs: int) -> None:
        place = f"shrine.{shrine.slot}"
        k, (x, y), lit = self.k, self.px(shrine.at), place in self._lit
        r = 56 * k
        if lit:
            for width, alpha in GLOW:
                self._glow.append((self._halo.ribbon(stroke.circle(x, y, r), width * k, "vermilion", alpha, closed=True), alpha))
        pen.disc(x, y, r, "land_lit" if lit else "raised", "vermilion" if lit else "ink", max((6 if lit else 2.8) * k, 1.4))
        pen.along([RING], k, x, y, max(2.2 * k, 1), "line")
        kami = self.session.speech.say(zone.text) if zone is not None else ""
        with pen.turned(x, y, names):
            if zone is not None and zone.mark:
                pen.mark(zone.mark, x - 29 * k, y - 29 * k, 58 * k)
        lx, ly = self.px(shrine.label)
        with pen.turned(lx, ly, names):
            self._paint_shrine_name(pen, kami, lx, ly)
        for stack, at in zip(zone.stacks if zone is not None else (), shrine.worshippers, strict=False):
            wx, wy = self.px(at)
            wx, wy = wx + 4 * k, wy + 14 * k  # clear of a name in two lines
            counters.draw(pen, stack.seat, stack.mark, stack.count, wx, wy, max(50 * k, 18), turn=discs)
            self._stack_spot(place, stack, wx, wy, 50 * k)
        reach = max(r, pen.m.target / 2)
        self._zone_spot(place, zone, kami, (x - reach, y - reach, 2 * reach, 2 * reach), (x, y))

    def _paint_shrine_name(self, pen: Pen, name: str, x: float, y: float) -> None:
        """On one line, or what leads up to the last word small above it."""
        room = round(178 * self.k)
        size = self.letters(pen, 26)
        if lettering.width(name, DISPLAY, size) <= room or " " not in name:
            pen.line(name, x, y, DISPLAY, lettering.fitted(name, DISPLAY, size, room, 8), "ink", "centre")
            return
        lead, last = name.rsplit(" ", 1)
        small = lettering.fitted(lead, BOLD, max(round(19 * self.k), pen.m.sp(10)), room, 7)
        pen.line(lead, x, y - size * 0.62, BOLD, small, "ink_soft", "centre")
        pen.line(last, x, y + small * 0.5, DISPLAY, lettering.fitted(last, DISPLAY, size, room, 8), "ink", "centre")

    def _paint_area(self, pen: Pen, name: str, area: Area, zone: Zone | None, names: int, discs: int) -> None:
        said = self.session.speech.say(zone.text) if zone is not None else area.name
        lx, ly = self.px(area.label)
        with pen.turned(lx, ly, names):
            used = pen.line(said, lx, ly, DISPLAY, self.letters(pen, 31), "ink", "centre")
            if name in self._apart:
                r = max(17 * self.k, 9)
                pen.disc(lx - used / 2 - r * 1.4, ly, r, "ochre")
                number = str(self._apart.index(name) + 1)
                pen.line(number, lx - used / 2 - r * 1.4, ly, BOLD, round(r * 1.2), "on_ochre", "centre")
        if zone is not None and zone.badge and area.war is not None:
            self._paint_war(pen, zone.badge, *self.px(area.war), discs)
        if area.reward_at is not None:
            self._paint_reward(pen, area, *self.px(area.reward_at), discs)
        stacks = zone.stacks if zone is not None else ()
        castles = [stack for stack in stacks if stack.mark == counters.STRONGHOLD]
        self._paint_castles(pen, name, area, castles, discs)
        self._paint_figures(pen, name, area, [stack for stack in stacks if stack.mark != counters.STRONGHOLD], discs)
        ring = self.line(area.outline)
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        self._zone_spot(name, zone, said, (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)), self.px(area.figures[0]))

    def _paint_war(self, pen: Pen, badge: str, x: float, y: float, discs: int) -> None:
        k = self.k
        side = min(max(54 * k, pen.m.sp(15) * 1.5), 66 * k)
        with pen.turned(x, y, discs):
            body = f'<polygon points="24,0 48,24 24,48 0,24" fill="{pen.style.hex("ink")}"/>'
            pen.svg(look.sheet(body), round(x - side / 2), round(y - side / 2), side, side)
            pen.line(badge, x, y, DISPLAY, round(side * 0.58), "paper", "centre")

    def _paint_reward(self, pen: Pen, area: Area, x: float, y: float, discs: int) -> None:
        k = self.k
        items = [(REWARDS[name], amount) for name, amount in area.reward.items() if amount and name in REWARDS]
        spots = {1: [(0, -4)], 2: [(-19, -4), (19, -4)], 3: [(-17, -13), (17, -13), (0, 15)]}.get(len(items), [])
        with pen.turned(x, y, discs):
            for (mark, amount), (dx, dy) in zip(items, spots, strict=False):
                size = max({1: 40, 2: 33, 3: 30}[len(items)] * k, 11)
                cx, cy = x + dx * k, y + (dy - (6 if len(items) < 3 else 0)) * k
                pen.mark(mark, cx - size / 2, cy - size / 2, size)
                if len(items) < 3:
                    pen.line(str(amount), cx, y + (dy + 26) * k, DISPLAY, self.letters(pen, 29), "ink", "centre")

    def _paint_castles(self, pen: Pen, name: str, area: Area, castles: list[Stack], discs: int) -> None:
        each = [stack for stack in castles for _ in range(stack.count)]
        for stack, at in zip(each, area.strongholds, strict=False):
            x, y = self.px(at)
            counters.stronghold(pen, stack.seat, x, y, max(46 * self.k, 17), turn=discs)
        for stack in castles:
            x, y = self.px(area.strongholds[min(each.index(stack), len(area.strongholds) - 1)] if area.strongholds else area.label)
            self._stack_spot(name, stack, x, y, 46 * self.k)

    def _paint_figures(self, pen: Pen, name: str, area: Area, stacks: list[Stack], discs: int) -> None:
        ghost = self._ghost(self._lit[name]) if name in self._lit else None
        wanted = len(stacks) + (ghost is not None)
        few = wanted <= len(area.few)
        if few:
            anchors, size = area.few, area.few_pitch * 0.84
        else:
            anchors, size = area.figures, min(64, area.pitch * 0.96)
            if wanted > len(anchors):
                stacks = _by_seat(stacks)
        size *= self.k
        for stack, at in zip(stacks, anchors, strict=False):
            x, y = self.px(at)
            counters.draw(pen, stack.seat, stack.mark, stack.count, x, y, size, turn=discs)
            self._stack_spot(name, stack, x, y, size)
        if ghost is not None and len(stacks) < len(anchors):
            x, y = self.px(anchors[len(stacks)])
            counters.draw(pen, self.session.seat, ghost or counters.PLAIN, 1, x, y, size, turn=discs, alpha=0.42)
            pen.dashed_ring(x, y, size * 0.64, "vermilion", max(4.6 * self.k, 2), 9 * self.k, 6.2 * self.k)

    # ------------------------------------------------------------------ spots

    def _stack_spot(self, place: str, stack: Stack, x: float, y: float, size: float) -> None:
        self.spot(
            f"stack:{place}:{stack.kind}",
            x - size / 2,
            y - size / 2,
            size,
            size,
            text=self.session.speech.say(stack.text),
            value=stack.count,
        )

    def _zone_spot(
        self, place: str, zone: Zone | None, text: str, rect: tuple[float, float, float, float], centre: tuple[float, float]
    ) -> None:
        s = self.session
        self.spot(
            f"zone:{place}",
            *rect,
            text=text,
            value={"badge": zone.badge, "stacks": {stack.kind: stack.count for stack in zone.stacks}} if zone is not None else None,
            lit=place in self._lit or place in self._starts,
            press=lambda: self._touch(place),
            hit=lambda x, y: self._place(x, y) == place,
            centre=centre,
            meaning=(s.seat, s.pick, s.here.get(place)),
            question=True,
        )

    # ------------------------------------------------------------------ breath

    def _breathe(self) -> None:
        if self._breath is not None:
            self._breath.cancel()
            self._breath = None
        if self._glow and self.session.motion:
            self._born = self.session.clock()
            self._breath = Clock.schedule_interval(self._pulse, 1 / 12)

    def _pulse(self, _dt: float) -> None:
        period = tokens().motion.pulse / 1000
        age = self.session.clock() - self._born
        over = age >= BREATHS * period
        depth = 1.0 if over else 0.55 + 0.45 * (abs((age / period) % 1 * 2 - 1))
        for colour, alpha in self._glow:
            colour.a = alpha * depth
        if over and self._breath is not None:
            self._breath.cancel()
            self._breath = None


def _by_seat(stacks: list[Stack]) -> list[Stack]:
    """One stack a seat with its total, where more lie than there are anchors."""
    found: dict[str, Stack] = {}
    for stack in stacks:
        had = found.get(stack.seat)
        count = stack.count + (had.count if had is not None else 0)
        found[stack.seat] = Stack(had.kind if had else stack.kind, count, had.text if had else stack.text, counters.PLAIN, stack.seat)
    return list(found.values())
