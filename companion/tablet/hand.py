"""Cards behind the curtain: a private question's choices, with a lock to keep the curtain open and a leaf to turn when there are many."""

from __future__ import annotations

from typing import Any

from companion.rules.game import Choice, Prompt
from companion.tablet import lettering
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen

HAND = 5
"""Cards in one row; more stand in two rows, and what is over on the next leaf."""


def paint(part: Part, pen: Pen, prompt: Prompt[Any], x: float, y: float, w: float, h: float) -> None:
    """The prompt's choices as cards, and what keeps the curtain open or turns the leaf."""
    m, s = pen.m, part.session
    pin, gap = m.finger(64), m.gap
    lines = 1 if len(prompt.choices) <= HAND or h < 2 * m.target + gap else 2
    across = min(len(prompt.choices), HAND) if lines == 2 or len(prompt.choices) <= HAND else max(1, int((w - pin) // (m.target * 1.6)))
    leaves = -(-len(prompt.choices) // (lines * across))
    leaf = s.leaf % leaves
    wide, high = (w - pin - gap * across) / across, (h - gap * (lines - 1)) / lines
    told = all(_fits(pen, s.speech.say(choice.text), s.speech.say(choice.detail), wide, high - m.px(5)) for choice in prompt.choices)
    for i in range(leaf * lines * across, min((leaf + 1) * lines * across, len(prompt.choices))):
        row, column = divmod(i - leaf * lines * across, across)
        _card(part, pen, i, prompt.choices[i], x + column * (wide + gap), y + row * (high + gap), wide, high, told=told)
    tools = [] if s.pinned else [("pin", "ui/lock", "pin", lambda: s.draw_curtain(aside=True, pin=True))]
    tools += [("leaf", "ui/turn", "more", lambda: s.press_leaf(1))] if leaves > 1 else []
    each = (h - gap * (len(tools) - 1)) / max(1, len(tools))
    for i, (wid, mark, word, press) in enumerate(tools):
        top, size = y + i * (each + gap), m.px(28)
        pen.box(x + w - pin, top, pin, each, "raised", "ink", m.px(2), m.px(8))
        pen.mark(mark, x + w - pin / 2 - size / 2, top + each / 2 - size / 2, size)
        part.spot(wid, x + w - pin, top, pin, each, text=s.speech.say(word), press=press)


def _card(part: Part, pen: Pen, index: int, choice: Choice[Any], x: float, y: float, w: float, h: float, *, told: bool) -> None:
    m, s = pen.m, part.session
    pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(2))
    pen.rect(x, y, w, m.px(5), "ink")
    text, detail = s.speech.say(choice.text), s.speech.say(choice.detail)
    beside = w - min(m.px(40), h * 0.6) - m.px(30)
    if w < 1.35 * h or lettering.width(text, DISPLAY, m.sp(14)) > beside:
        _tall(pen, choice.mark, text, x, y + m.px(5), w, h - m.px(5))
    else:
        _flat(pen, choice.mark, text, detail if told else "", x, y + m.px(5), w, h - m.px(5))
    said = f"{text} ({detail})" if detail else text
    part.spot(f"choice:{index}", x, y, w, h, text=said, press=lambda: s.press_choice(index), meaning=choice, question=True)


def _tall(pen: Pen, mark: str, text: str, x: float, y: float, w: float, h: float) -> None:
    m = pen.m
    room, face = round(w - m.px(10)), DISPLAY
    px = lettering.fitted(text, DISPLAY, m.sp(19), room, m.sp(13))
    lines: tuple[str, ...] = (text,)
    if lettering.width(text, DISPLAY, px) > room:  # a name too long for a heading is set as a sentence
        face, px = BOLD, m.sp(12)
        lines = lettering.wrapped(text, BOLD, px, room, 2)
    size = min(m.px(40), h - px * 1.3 * len(lines) - m.px(6), w * 0.7)
    top = y + (h - size - px * 1.3 * len(lines)) / 2
    pen.mark(mark, x + (w - size) / 2, top, size)
    for i, line in enumerate(lines):
        pen.line(line, x + w / 2, top + size + px * (0.68 + 1.3 * i), face, px, "ink", "centre")


def _flat(pen: Pen, mark: str, text: str, detail: str, x: float, y: float, w: float, h: float) -> None:
    m = pen.m
    size, left = min(m.px(40), h * 0.6), x + m.px(12)
    if pen.mark(mark, left, y + (h - size) / 2, size):
        left += size + m.px(10)
    room = round(x + w - left - m.px(8))
    px = lettering.fitted(text, DISPLAY, m.sp(20), room, m.sp(13))
    lines = lettering.wrapped(detail, TEXT, m.sp(13), room, 9) if detail else ()
    top = y + (h - px * 1.25 - m.sp(16) * len(lines)) / 2
    pen.line(lettering.cut(text, DISPLAY, px, room), left, top + px * 0.62, DISPLAY, px)
    for i, line in enumerate(lines):
        pen.line(line, left, top + px * 1.25 + m.sp(16) * (i + 0.5), TEXT, m.sp(13), "ink_soft")


def _fits(pen: Pen, text: str, detail: str, w: float, h: float) -> bool:
    """Whether a card has room for its whole rule: half a rule is worse than none, and so is a rule on one card of four."""
    m = pen.m
    room = round(w - min(m.px(40), h * 0.6) - m.px(30))
    px = lettering.fitted(text, DISPLAY, m.sp(20), room, m.sp(13))
    lines = lettering.wrapped(detail, TEXT, m.sp(13), max(room, 1), 99) if detail else ()
    return len(lines) <= int((h - m.px(4) - px * 1.3) // m.sp(16))
