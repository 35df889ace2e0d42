"""The curtain: cloth in the clan's dye that hides what is private while nobody holds it aside. Manners, not security: who looks, sees."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from companion.look import marks as look
from companion.look.theme import Theme
from companion.tablet import lettering, marks
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen


def fold(theme: Theme, seat: str, w: int, h: int, hang: float) -> str:
    """SVG of one fold of hanging cloth, its scallop ``hang`` deep."""
    base = theme.clan(seat).base
    stops = "".join(
        f'<stop offset="{at}" stop-color="{colour}" stop-opacity="{alpha}"/>'
        for at, colour, alpha in (
            (0, "#000", 0.42),
            (0.05, "#000", 0.12),
            (0.3, "#fff", 0),
            (0.58, "#fff", 0.1),
            (0.75, "#fff", 0),
            (1, "#000", 0.16),
        )
    )
    defs = f'<defs><linearGradient id="f" x1="0" x2="1" y1="0" y2="0">{stops}</linearGradient></defs>'
    shape = f'd="M0,0H{w:g}V{h - hang:g}Q{w / 2:g},{h + hang:g} 0,{h - hang:g}Z"'
    return look.sheet(f'{defs}<path {shape} fill="{base}"/><path {shape} fill="url(#f)"/>', (0, 0, w, h))


def cloth(pen: Pen, seat: str, x: float, y: float, w: float, h: int, *, hang: float, share: float = 1.0) -> None:
    """As many folds as there is room for: one drawing, many times. ``share``: so much of its height is left, it is being drawn up."""
    wide = round(w)
    folds = max(3, round(w / max(h * 0.95, pen.m.px(84))))
    texture = marks.svg(fold(pen.style.theme, seat, ceil(wide / folds), h, hang), ceil(wide / folds), h)
    for left, right in pairwise(round(wide * i / folds) for i in range(folds + 1)):
        pen.image(texture, round(x) + left, y, right - left, h * share)


def crest(theme: Theme, seat: str) -> str:
    """The clan's mark as it is dyed into its own cloth: the shape left white, letter and weave in the dye."""
    if not look.has(f"clan/{seat}"):
        return look.sheet("")
    clan = theme.clan(seat)
    light = clan.on if clan.on != "#1C1815" else "#FFFCF5"
    body = (
        look.body(f"clan/{seat}").replace(clan.on, "@on").replace(clan.base, light).replace("@on", clan.base).replace(clan.weave, clan.base)
    )
    return look.sheet(body)


def paint(pen: Pen, seat: str, x: float, y: float, w: float, h: float, name: str = "") -> None:
    """Closed cloth over a rectangle, with the seat's crest."""
    m = pen.m
    theme = pen.style.theme
    pen.rect(x - m.px(3), y, w + m.px(6), m.px(5), "ink")
    cloth(pen, seat, x, y + m.px(3), w, round(h), hang=m.px(9))
    size = min(h * 0.62, m.px(92))
    middle = y + h / 2
    light = "#FFFCF5"
    px = m.sp(22)
    room = lettering.width(name, DISPLAY, px) + m.px(14) if name else 0
    left = x + (w - size - room) / 2
    pen.svg(crest(theme, seat), left, middle - size / 2, size, size)
    if name:
        pen.line(name, left + size + m.px(14), middle, DISPLAY, px, light if theme.clan(seat).on != "#1C1815" else "#1C1815")


def hem(pen: Pen, seat: str, x: float, y: float, w: float, h: int) -> None:
    """The cloth rolled up: whoever sees it is behind the curtain."""
    m = pen.m
    pen.rect(x - m.px(3), y, w + m.px(6), m.px(4), "ink")
    cloth(pen, seat, x, y + m.px(2), w, h, hang=m.px(5))


def plate(part: Part, pen: Pen, seat: str, x: float, y: float, w: float, h: float) -> None:
    """What is held: dark, with the sign of the curtain."""
    m, s = pen.m, part.session
    held, shut = s.open, s.pins.shut(seat)
    pen.box(x, y, w, h, "vermilion" if held else "ink", None, 0, m.px(8))
    ink = "on_vermilion" if held else "paper"
    size = m.px(32)
    text = s.speech.say("pin_enter" if shut else "close" if s.pinned else "holding" if held else "hold")
    note = "" if s.pinned else s.speech.say("pin_first" if shut else "hold_choose" if held else "hold_note")
    pen.mark("ui/lock" if shut else "ui/curtain", x + m.px(14), y + (h - size) / 2, size, ink)
    left, room = x + m.px(14) + size + m.px(12), w - size - m.px(38)
    lines = lettering.wrapped(note, TEXT, m.sp(14), round(room), 3) if note else ()
    if len(lines) * m.sp(17) + m.sp(22) > h - m.px(6):
        lines = ()
    px = lettering.fitted(text, BOLD, m.sp(18), round(room), m.sp(14))
    heads = lettering.wrapped(text, BOLD, px, round(room), 2)
    if len(heads) * m.sp(22) + len(lines) * m.sp(17) > h - m.px(6):
        lines = ()
    top = y + (h - m.sp(22) * len(heads) - m.sp(17) * len(lines)) / 2
    for i, line in enumerate(heads):
        pen.line(line, left, top + m.sp(22) * (i + 0.5), BOLD, px, ink)
    for i, line in enumerate(lines):
        pen.line(line, left, top + m.sp(22) * len(heads) + m.sp(17) * (i + 0.5), TEXT, m.sp(14), ink)
    if shut:
        part.spot(f"curtain:{seat}", x, y, w, h, text=text, press=lambda: s.press_keypad(seat), meaning=(seat, "pin"))
    elif s.pinned:
        part.spot(f"curtain:{seat}", x, y, w, h, text=text, lit=True, press=lambda: s.draw_curtain(aside=False), meaning=seat)
    else:
        part.spot(f"curtain:{seat}", x, y, w, h, text=text, lit=held, hold=lambda on: _held(part, on), meaning=seat)


def _held(part: Part, on: bool) -> None:
    s = part.session
    if on or not s.pinned:
        s.draw_curtain(aside=on)
