"""The top edge: where the game stands, the rope with its lamps (the same lamps as the strip), the cloths under it, the way to the table page."""

from __future__ import annotations

from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.graphics import Color

from companion.look.lamps import lamp, on_screen, period_ms
from companion.look.tokens import tokens
from companion.rules.view import Light, Section, Step, Track
from companion.tablet import lettering, marks
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD, JOIN

WORST = ("act", "refused", "careful", "waiting", "ok")


class Lit(NamedTuple):
    """A lamp that keeps a rhythm, and what shines of it."""

    rhythm: tuple[int, ...]
    lamp: Color
    halo: Color


class Rope(Part):
    """Title, track, button."""

    moving = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._beats: list[Lit] = []
        self._beat: Any = None

    def content(self) -> Any:
        s = self.session
        if s.update is None:
            return None
        view = s.update.open
        return (view.title, view.subtitle, self.section, s.update.lights, s.page, self.worst, bool(s.takeovers))

    @property
    def section(self) -> Section | None:
        return self.session.sections().get("track")

    @property
    def worst(self) -> str:
        tones = {line.tone for line in self.session.health}
        return next((tone for tone in WORST if tone in tones), "")

    def paint(self, pen: Pen) -> None:
        m = pen.m
        pen.rect(0, 0, self.wide, self.high, "paper")
        pen.rect(0, self.high - m.px(2), self.wide, m.px(2), "ink")
        self._beats = []
        button = m.finger(88)
        title = self._paint_title(pen, round(self.wide * 0.3))
        self._paint_steps(pen, title, self.wide - button)
        self._paint_button(pen, self.wide - button, button)
        self._keep_time()

    # ------------------------------------------------------------------ where the game stands

    def _paint_title(self, pen: Pen, most: int) -> float:
        """Returns where the rope may begin."""
        m, s = pen.m, self.session
        if s.update is None:
            return m.px(262)
        x = m.px(20)
        mark = self.section.mark if self.section is not None else ""
        size = m.px(40)
        if mark and pen.mark(mark, x, (self.high - size) / 2 - m.px(2), size):
            x += size + m.px(12)
        title, subtitle = s.speech.say(s.update.open.title), s.speech.say(s.update.open.subtitle)
        room = most - x
        px = lettering.fitted(title, DISPLAY, m.sp(21), room, m.sp(15 / max(m.scale, 1)))
        small = lettering.fitted(subtitle, TEXT, m.sp(15), room, m.sp(12 / max(m.scale, 1)))
        middle = self.high / 2 - m.px(2)
        w = pen.line(lettering.cut(title, DISPLAY, px, room), x, middle - m.sp(12), DISPLAY, px)
        w = max(w, pen.line(lettering.cut(subtitle, TEXT, small, room), x, middle + m.sp(14), TEXT, small, "ink_soft"))
        self.spot("title", 0, 0, x + w, self.high, text=f"{title} / {subtitle}", press=lambda: s.press_sheet("log"))
        return float(max(x + w + m.px(22), min(m.px(262), most)))

    # ------------------------------------------------------------------ the rope

    def _paint_steps(self, pen: Pen, left: float, right: float) -> None:
        m = pen.m
        node = next((node for node in (self.section.nodes if self.section else ()) if isinstance(node, Track)), None)
        steps = node.steps if node is not None else ()
        rope = m.px(13)
        pen.rect(left - m.px(8), rope - m.px(1), right - left + m.px(2), max(2, m.px(3)), "ink")
        if not steps:
            return
        lights = {light.name: light for light in self.session.update.lights}
        pitch = min((right - left - m.px(8)) / len(steps), m.px(96))
        cloth = min(pitch - m.px(7), m.px(75))
        for i, step in enumerate(steps):
            x = left + pitch * i + (pitch - cloth) / 2
            self._paint_step(pen, step, x, cloth, rope)
            self._paint_lamp(pen, lights.get(step.light), step, x + cloth / 2, rope)

    def _paint_step(self, pen: Pen, step: Step, x: float, w: float, rope: float) -> None:
        m, now, done = pen.m, step.state == "now", step.state == "done"
        top = rope + m.px(8)
        kind = step.light.split(".")[0]
        h = m.px(50)
        if kind == "kami":
            r = m.px(25)
            fill, edge, ink = (
                ("ink", "ink", "paper") if done else ("vermilion_wash", "vermilion", "ink") if now else ("sunk", "edge", "ink_soft")
            )
            pen.disc(x + w / 2, top + r + m.px(3), r, fill, edge, m.px(3) if now else m.px(2))
            size = m.px(26)
            pen.mark(step.mark or "place/shrine", x + w / 2 - size / 2, top + r + m.px(3) - size / 2, size, ink)
        else:
            self._paint_cloth(pen, step, x, top, w, h + (m.px(11) if now else 0), war=kind == "war")
        said = self.session.speech.say(step.text)
        self.spot(f"step:{step.light}", x, 0, w, self.high - m.px(2), text=said, value={"state": step.state, "seat": step.seat}, lit=now)

    def _paint_cloth(self, pen: Pen, step: Step, x: float, y: float, w: float, h: float, *, war: bool) -> None:
        m, now = pen.m, step.state == "now"
        bare = step.state == "todo" and not step.mark and not war
        size = min(m.px(34 if now else 30), round(w * 0.46))
        if bare:
            pen.rect(x, y, w, h, "sunk")
            pen.dashed(x, y, w, h, "edge", max(1.2, 1.6 * m.unit), m.px(2))
            return
        edge = "vermilion" if now else "ink"
        for tie in (x + m.px(8), x + w - m.px(10)):
            pen.rect(tie, y - m.px(8), m.px(2), m.px(8), edge)
        if war and not now:
            pen.rect(x, y, w, h, "ink")
        else:
            pen.box(x, y, w, h, "vermilion_wash" if now else "raised", edge, m.px(3 if now else 2), m.px(2))
        ink = "paper" if war and not now else "ink"
        cx = x + w / 2 - (m.px(7) if step.seat else 0)
        cy = y + h / 2 - (m.px(3) if now else 0)
        sign = step.mark or ("war/battle" if war else "")
        if not sign and step.seat:  # nothing hangs there yet: who will hang it
            pen.mark(f"clan/{step.seat}", x + w / 2 - size / 2, cy - size / 2, size)
            return
        if not pen.mark(sign, cx - size / 2, cy - size / 2, size, ink) and step.state != "todo":
            text = self.session.speech.say(step.text)
            px = lettering.fitted(text, BOLD, m.sp(15), round(w - m.px(6)), 8)
            pen.line(lettering.cut(text, BOLD, px, round(w - m.px(6))), x + w / 2, cy, BOLD, px, ink, "centre")
        if step.seat:
            pen.mark(f"clan/{step.seat}", x + w - m.px(25), y + h - m.px(24), m.px(20))

    def _paint_lamp(self, pen: Pen, light: Light | None, step: Step, x: float, y: float) -> None:
        m = pen.m
        r = m.px(8)
        shine = lamp(light, self.session.table.game) if light is not None else None
        colour = on_screen(shine.rgb) if shine is not None else None
        value: dict[str, Any] | None = None
        if shine is None or colour is None:
            pen.disc(x, y, r, "sunk", "ink", m.px(2))
        else:
            tint = (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255, 1.0)
            value = {"rgb": list(shine.rgb), "rhythm": "".join(map(str, shine.rhythm))}
            wide = round(4.4 * r)
            halo = pen.image(marks.glow(wide), x - wide / 2, y - wide / 2, wide, wide, tint)
            pen.disc(x, y, r, "sunk", "ink", m.px(2))
            inner = r - m.px(2)
            glass = pen.image(marks.disc(2 * inner, "#FFFFFF", None, 0), x - inner, y - inner, 2 * inner, 2 * inner, tint)
            _shine(glass, halo, shine.rhythm[0])
            if len(set(shine.rhythm)) > 1:
                self._beats.append(Lit(shine.rhythm, glass, halo))
                self._paint_rhythm(pen, shine.rhythm, x)
        self.spot(f"lamp:{step.light}", x - r, y - r, 2 * r, 2 * r, value=value, lit=colour is not None)

    def _paint_rhythm(self, pen: Pen, rhythm: tuple[int, ...], x: float) -> None:
        """The bar as twelve small strokes under the cloth: what the lamp says to whoever cannot tell its colour."""
        m = pen.m
        w, gap = max(2, m.px(3)), max(1, m.px(2))
        left = x - (w + gap) * len(rhythm) / 2
        for i, step in enumerate(rhythm):
            h = m.px(3 + 3 * step)
            pen.rect(left + i * (w + gap), self.high - m.px(4) - h, w, h, "vermilion", 0.3 + 0.23 * step)

    # ------------------------------------------------------------------ the way to the table page

    def _paint_button(self, pen: Pen, x: float, w: float) -> None:
        m, s = pen.m, self.session
        pen.rect(x, 0, m.px(2), self.high - m.px(2), "line")
        size = m.px(26)
        middle = x + w / 2
        back = s.page == JOIN
        text = s.speech.say("board" if back else "table")
        pen.mark("ui/log" if not back else "ui/undo", middle - size / 2, self.high / 2 - size - m.px(2), size)
        px = lettering.fitted(text, BOLD, m.sp(15), round(w - m.px(10)), 9)
        pen.line(text, middle, self.high / 2 + m.px(15), BOLD, px, "ink", "centre")
        tone = "act" if s.takeovers else self.worst
        if tone in {"act", "refused", "careful"}:
            colour, _, mark = pen.style.theme.tone(tone)
            pen.mark(mark, x + w - m.px(28), m.px(8), m.px(20), colour)
        self.spot("table", x, 0, w, self.high, text=text, value=s.page, press=lambda: s.show_page(BOARD if back else JOIN))

    # ------------------------------------------------------------------ rhythm

    def _keep_time(self) -> None:
        if self._beat is not None:
            self._beat.cancel()
            self._beat = None
        if self._beats and self.session.motion:
            self._beat = Clock.schedule_interval(self._step, tokens().led.step_ms / 1000)
            self._light_up()

    def _step(self, _dt: float) -> None:
        self._light_up()
        self.moved()

    def _light_up(self) -> None:
        led = tokens().led
        step = int(self.session.clock() * 1000 % period_ms() // led.step_ms)
        for beat in self._beats:
            _shine(beat.lamp, beat.halo, beat.rhythm[step % len(beat.rhythm)])


def _shine(lamp_colour: Color, halo: Color, level: int) -> None:
    """One of the four brightness steps of the strip."""
    lamp_colour.a = (0.12, 0.5, 0.85, 1.0)[level]
    halo.a = (0.0, 0.12, 0.6, 1.0)[level]
