"""Pages of a sheet that are no rows: the list of a question's choices, the devices, the keypad. What is on them comes from the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.game import TABLE, Prompt, Seat
from companion.tablet import buttons, house, ledger, lettering, pills, repair, turning
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.pins import LENGTH
from companion.tablet.session import Session
from companion.tablet.theme import Style

ORDER = ("act", "refused", "careful", "waiting", "ok")
"""What needs a hand first."""
KEYS = "123456789<0"


def title(s: Session) -> str:
    """What stands over a sheet that has no tabs."""
    kind = s.sheet[0]
    if kind == "clause":
        return s.sheet[1]
    if kind == "over":
        return s.speech.say("over")
    if kind == "ask":
        prompt = listed(s)
        return s.speech.say(prompt.text) if prompt is not None else ""
    name = s.speech.say(s.name(s.sheet[1]))
    return s.speech.say("pin_of", seat=name) if kind == "pin" else name


def may(s: Session, seat: Seat) -> list[Button]:
    """The optional questions of a seat as buttons; and a PIN, for whoever has no phone."""
    lock = Button(f"pin:{seat}", s.speech.say("pin_set_one"), lambda: s.press_keypad(seat), mark="ui/lock", meaning=seat, question=False)
    sits = s.bot(seat)
    keypad = [lock] if seat in s.seats and s.phones.get(seat) != "online" and not s.pins.has(seat) and not sits else []
    word = s.speech.say("bot_leave" if sits else "bot_sit")
    bot = [Button(f"bot:{seat}", word, lambda: s.man(seat), mark="ui/bot", meaning=(seat, sits), question=False)] if seat in s.seats else []
    return (
        bot
        + keypad
        + [
            Button(
                f"may:{seat}:{i}",
                s.speech.say(prompt.text),
                lambda i=i: s.press_ask(seat, i),
                mark="ui/undo" if house.takes_back(prompt) else "ui/careful" if seat == TABLE else "ui/plus",
                meaning=prompt,
                question=False,
            )
            for i, prompt in enumerate(s.prompts(seat))
            if prompt.optional
        ]
    )


def lines(style: Style, every: list[Button], wide: float) -> list[list[tuple[Button, int]]]:
    """Buttons in as many lines as they need, each with its width: none is cut while it fits on a line of its own."""
    out: list[list[tuple[Button, int]]] = []
    left = 0.0
    for button in every:
        w = min(buttons.width(button, style, tight=True), round(wide))
        if not out or left < w:
            out.append([])
            left = wide
        out[-1].append((button, w))
        left -= w + style.m.gap
    return out


def paint_lines(part: Part, pen: Pen, every: list[list[tuple[Button, int]]], x: float, y: float, row: int) -> None:
    for r, line in enumerate(every):
        left = x
        for button, w in line:
            buttons.paint(part, pen, Placed(button, left, y + r * (row + pen.m.gap), w, row))
            left += w + pen.m.gap


# A question as a list


def listed(s: Session) -> Prompt[Any] | None:
    """The question of the sheet ``ask``; it may have been answered meanwhile."""
    return next((prompt for prompt in s.prompts(s.sheet[1]) if prompt.text.key == s.sheet[2]), None)


def ask(part: Part, pen: Pen, area: Box) -> None:
    """Every choice a button with its whole sentence, in one column or two, on as many leaves as it takes."""
    s, m = part.session, pen.m
    prompt = listed(s)
    if prompt is None:
        pen.line(s.speech.say("answered"), area.x, area.y + m.sp(24), TEXT, m.sp(17), "ink_soft")
        return
    row = m.finger(64)
    across = 2 if area.w > 2 * m.sp(330) else 1
    wide = (area.w - m.gap * (across - 1)) / across
    foot = row + m.px(12)
    down = max(1, int((area.h - (foot if across * int(area.h // (row + m.gap)) < len(prompt.choices) else 0) + m.gap) // (row + m.gap)))
    leaves = -(-len(prompt.choices) // (across * down))
    first = min(s.sheet_leaf, leaves - 1) * across * down
    for i, choice in enumerate(prompt.choices[first : first + across * down]):
        column, line = divmod(i, down)
        x, y = area.x + column * (wide + m.gap), area.y + line * (row + m.gap)
        text, detail = s.speech.say(choice.text), s.speech.say(choice.detail)
        pen.box(x, y, wide, row, "raised", "ink", m.px(2), m.px(8))
        size, left = m.px(28), x + m.px(14)
        if pen.mark(choice.mark, left, y + (row - size) / 2, size):
            left += size + m.px(12)
        _words(pen, text, detail, left, y, x + wide - m.px(12) - left, row)
        part.spot(
            f"listed:{first + i}", x, y, wide, row, text=f"{text} ({detail})" if detail else text,
            press=lambda choice=choice: s.press_listed(prompt.seat, choice), meaning=choice, question=True,
        )  # fmt: skip
    if leaves > 1:
        turning.turners(part, pen, area, row, leaves)


def _words(pen: Pen, text: str, detail: str, x: float, y: float, w: float, h: float) -> None:
    """A whole sentence, smaller where it must be, and what follows from it under it if that fits."""
    m, room = pen.m, round(w)
    px = m.sp(17)
    lines = lettering.wrapped(text, BOLD, px, room, 9)
    while px > m.sp(12) and len(lines) * px * 1.22 > h - m.px(8):
        px -= 1
        lines = lettering.wrapped(text, BOLD, px, room, 9)
    most = max(1, int((h - m.px(4)) // (px * 1.22)))
    lines = lettering.wrapped(text, BOLD, px, room, most)
    notes = lettering.wrapped(detail, TEXT, m.sp(14), room, 1) if detail and len(lines) * px * 1.22 + m.sp(18) <= h - m.px(6) else ()
    top = y + (h - len(lines) * px * 1.22 - len(notes) * m.sp(18)) / 2
    for line in lines:
        pen.line(line, x, top + px * 0.61, BOLD, px)
        top += px * 1.22
    for line in notes:
        pen.line(line, x, top + m.sp(9), TEXT, m.sp(14), "ink_soft")


# Devices


def _lines(s: Session) -> list[tuple[str, str, str, str, str]]:
    """Id, tone, name, sentence, mark of every device, service and phone; what needs a hand first."""
    out = [(line.id, line.tone, s.speech.say(line.name), s.speech.say(line.text), line.mark) for line in s.health]
    phones = {"online": ("ok", "phone_here"), "asleep": ("waiting", "phone_sleeps"), "vacant": ("ok", "phone_none")}
    for seat in s.seats:
        tone, word = phones.get(s.phones.get(seat, "vacant"), phones["vacant"])
        tone, word = ("act", "phone_moves") if seat in s.takeovers else (tone, word)
        out.append((f"phone.{seat}", tone, s.speech.say(s.name(seat)), s.speech.say(word), f"clan/{seat}"))
    return sorted(out, key=lambda line: ORDER.index(line[1]) if line[1] in ORDER else len(ORDER))


def health(part: Part, pen: Pen, area: Box) -> None:
    """A card each: sign, name, state, and the one sentence that says what to do or that nothing is to be done."""
    s, m = part.session, pen.m
    every = _lines(s)
    across = max(1, min(4, int(area.w // m.sp(250))))
    wide = (area.w - m.gap * (across - 1)) / across
    need = max((_card_high(pen, line, wide) for line in every), default=1)
    foot = m.finger(64) + m.px(12)
    down = max(1, int((area.h + m.gap) // (need + m.gap)))
    if down * across < len(every):
        down = max(1, int((area.h - foot + m.gap) // (need + m.gap)))
    leaves = -(-len(every) // (across * down))
    first = min(s.sheet_leaf, leaves - 1) * across * down
    for i, line in enumerate(every[first : first + across * down]):
        r, c = divmod(i, across)
        _card(part, pen, line, area.x + c * (wide + m.gap), area.y + r * (need + m.gap), wide, need)
    if leaves > 1:
        turning.turners(part, pen, area, m.finger(64), leaves)


def _card_high(pen: Pen, line: tuple[str, str, str, str, str], wide: float) -> int:
    m = pen.m
    room = round(wide - m.px(28))
    return m.px(48) + pills.high(pen.style) + m.px(12) + m.sp(21) * len(lettering.wrapped(line[3], TEXT, m.sp(15), room, 7)) + m.px(20)


def _card(part: Part, pen: Pen, line: tuple[str, str, str, str, str], x: float, y: float, w: float, h: float) -> None:
    m, s = pen.m, part.session
    wid, tone, name, text, mark = line
    pad = m.px(14)
    act = tone in {"act", "refused", "careful"}
    pen.box(x, y, w, h, "raised", pen.style.theme.tone(tone)[0] if act else "line", m.px(3 if act else 2), m.px(8))
    size = m.px(30)
    left = x + pad
    if pen.mark(mark, left, y + m.px(12), size):
        left += size + m.px(10)
    px = lettering.fitted(name, DISPLAY, m.sp(20), round(x + w - pad - left), m.sp(13))
    pen.line(lettering.cut(name, DISPLAY, px, round(x + w - pad - left)), left, y + m.px(12) + size / 2, DISPLAY, px)
    top = y + m.px(48)
    pills.paint(pen, tone, s.speech.say(f"tone_{tone}" if tone != "act" else "tone_todo"), x + pad, top, w - 2 * pad)
    top += pills.high(pen.style) + m.px(10)
    for words in lettering.wrapped(text, TEXT, m.sp(15), round(w - 2 * pad), 7):
        pen.line(words, x + pad, top + m.sp(10.5), TEXT, m.sp(15))
        top += m.sp(21)
    part.spot(f"device:{wid}", x, y, w, h, text=text, value=tone)


# The keypad


def keypad(part: Part, pen: Pen, area: Box) -> None:
    """Digits, what is being typed, and what this is good for: manners, not security."""
    s, m = part.session, pen.m
    seat = s.sheet[1]
    pins, known = s.pins, s.pins.has(seat)
    key = min(m.finger(76), (area.h - 3 * m.gap) // 4)
    pad = 3 * key + 2 * m.gap
    for i, sign in enumerate(KEYS):
        r, c = divmod(i, 3)
        word = {"<": "", "0": "0"}.get(sign, sign)
        button = Button(
            f"key:{sign}", word, lambda sign=sign: s.press_digit(seat, sign), mark="ui/undo" if sign == "<" else "", question=False
        )
        buttons.paint(part, pen, Placed(button, area.right - pad + c * (key + m.gap), area.y + r * (key + m.gap), key, key))
    room = round(area.w - pad - m.px(30))
    head = "pin_type" if known else "pin_again" if pins.first else "pin_new"
    y = float(area.y)
    for line in lettering.wrapped(s.speech.say(head), BOLD, m.sp(19), room, 3):
        pen.line(line, area.x, y + m.sp(13), BOLD, m.sp(19))
        y += m.sp(26)
    y += m.px(10)
    for i in range(LENGTH):
        pen.disc(area.x + m.px(14) + i * m.px(44), y + m.px(14), m.px(13), "ink" if i < len(pins.typed) else "sunk", "ink", m.px(2))
    part.spot("pin:typed", area.x, y, m.px(180), m.px(30), value=len(pins.typed), text=s.speech.say(pins.wrong) if pins.wrong else "")
    y += m.px(44)
    if pins.wrong:
        y += pills.high(pen.style) + m.px(8)
        pills.paint(pen, "refused", s.speech.say(pins.wrong), area.x, y - pills.high(pen.style) - m.px(8), room)
    foot = m.finger(64)
    end = area.bottom - (foot + m.gap if known else 0)
    for line in lettering.wrapped(s.speech.say("pin_note"), TEXT, m.sp(15), room, max(1, int((end - y) // m.sp(21)))):
        pen.line(line, area.x, y + m.sp(11), TEXT, m.sp(15), "ink_soft")
        y += m.sp(21)
    if known:
        gone = Button(
            "pin:forget", s.speech.say("pin_forgot"), lambda: s.forget_pin(seat), s.speech.say("pin_forgot_note"), "ui/lock", question=False
        )
        buttons.paint(part, pen, Placed(gone, area.x, area.bottom - foot, min(buttons.width(gone, pen.style), room), foot))


def mend(part: Part, pen: Pen, area: Box) -> None:
    """Repair: what differs, what hands have to do, and the ways to set right and take back."""
    m, row = pen.m, pen.m.finger(64)
    every = lines(pen.style, may(part.session, TABLE), area.w)
    foot = len(every) * (row + m.gap)
    repair.paint(part, pen, Box(area.x, area.y, area.w, area.h - foot), across=2 if area.w > 2 * m.sp(300) else 1)
    paint_lines(part, pen, every, area.x, area.bottom - foot + m.gap, row)


PAGES: dict[str, Callable[[Part, Pen, Box], None]] = {"ask": ask, "health": health, "over": ledger.over, "pin": keypad, "repair": mend}

__all__ = ["PAGES", "may", "title"]
