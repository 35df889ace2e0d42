"""The settings page: language, theme, size of text, motion, and how the screen lies. Everything takes effect at once."""

from __future__ import annotations

from companion.look.tokens import tokens
from companion.tablet import buttons, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.sheets import ROTATIONS

NAMES = {"en": "English", "ru": "Русский"}
"""Languages are called by their own names, in every language."""


def _rows(part: Part) -> list[tuple[str, list[Button]]]:
    s = part.session
    say = s.speech.say

    def one(wid: str, text: str, press: object, *, on: bool) -> Button:
        return Button(wid, text, press, tone="pick" if on else "plain", value=on, question=False)  # type: ignore[arg-type]

    return [
        (
            "language",
            [one(f"lang:{lang}", name, lambda lang=lang: s.speak(lang), on=s.speech.lang == lang) for lang, name in NAMES.items()],
        ),
        ("light", [one(f"theme:{name}", say(name), lambda name=name: s.wear(name), on=s.theme == name) for name in ("day", "night")]),
        ("text_size", []),
        (
            "motion",
            [
                one("motion:on", say("motion_on"), lambda: s.calm(still=False), on=s.motion),
                one("motion:off", say("motion_off"), lambda: s.calm(still=True), on=not s.motion),
            ],
        ),
        (
            "lies",
            [
                one("rotate", say("rotate"), lambda: s.rotate(ROTATIONS[(ROTATIONS.index(s.rotation) + 1) % 4]), on=False),
                one("turn", say("turn_seats"), s.turn_seats, on=False),
            ],
        ),
    ]


def paint(part: Part, pen: Pen, area: Box) -> None:
    m, s = pen.m, part.session
    every = _rows(part)
    gap = m.gap
    high = max(m.target, min(m.finger(76), (area.h - gap * (len(every) - 1)) // len(every)))
    label = max(lettering.width(s.speech.say(name), BOLD, m.sp(17)) for name, _ in every)
    label = min(label, round(area.w * 0.34))
    left = area.x + label + m.px(24)
    room = area.right - left
    for i, (name, row) in enumerate(every):
        y = area.y + i * (high + gap)
        words = lettering.wrapped(s.speech.say(name), BOLD, m.sp(17), label, 2)
        for r, line in enumerate(words):
            pen.line(line, area.x, y + high / 2 + (r - (len(words) - 1) / 2) * m.sp(21), BOLD, m.sp(17))
        if not row:
            _slider(part, pen, left, y, min(room, m.px(620)), high)
            continue
        each = min(max(buttons.width(b, pen.style) for b in row), (room - gap * (len(row) - 1)) / len(row))
        for c, button in enumerate(row):
            buttons.paint(part, pen, Placed(button, left + c * (each + gap), y, each, high))


def _slider(part: Part, pen: Pen, x: float, y: float, w: float, h: float) -> None:
    """Stops on a rail, each as wide as a finger; the letter at each end shows what it does."""
    m, s = pen.m, part.session
    sizes = tokens().type.user_scale
    step = w / len(sizes)
    rail = y + h * 0.42
    at = min(range(len(sizes)), key=lambda i: abs(sizes[i] - s.scale))
    pen.rect(x + step / 2, rail - m.px(2), w - step, m.px(4), "edge")
    pen.rect(x + step / 2, rail - m.px(3), step * at, m.px(6), "ink")
    for i, size in enumerate(sizes):
        cx = x + step * (i + 0.5)
        pen.disc(cx, rail, m.px(15 if i == at else 9), "ink" if i <= at else "raised", "ink", m.px(2))
        word = f"{round(size * 100)} %"
        px = lettering.fitted(word, BOLD, m.sp(15), round(step - m.px(4)), 8)
        pen.line(word, cx, y + h * 0.82, BOLD, px, "ink" if i == at else "ink_soft", "centre")
        part.spot(
            f"scale:{size:g}",
            cx - step / 2,
            y,
            step,
            h,
            text=word,
            value=size,
            lit=i == at,
            press=lambda size=size: s.size(size),
            meaning=size,
        )
