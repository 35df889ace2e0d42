"""What lies over the form of a new game: the choice of a clan, and the keys a name is typed on. Real keyboards type there as well."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.lobby.form import Form
from companion.rules.view import Text
from companion.tablet import buttons, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.home_state import ALPHABETS
from companion.tablet.part import Part
from companion.tablet.pen import Pen


class ClanChoice(Part):
    """Covers the window while a player's clan is chosen: one card a clan; a taken one is swapped."""

    solid = False

    def content(self) -> Any:
        s = self.session
        return (s.choosing, s.form) if s.choosing else None

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        form: Form | None = s.form
        if not s.choosing or form is None:
            return
        pen.rect(0, 0, self.wide, self.high, pen.style.rgba("sunk", 0.95))
        self.spot("clans", 0, 0, self.wide, self.high, press=lambda: s.choose(s.choosing))
        seats = list(form.offer.seats)
        pad, gap = m.px(28), m.px(14)
        rows = -(-len(seats) // 5)
        columns = -(-len(seats) // rows)
        card = min(round((self.wide - 2 * pad - gap * (columns - 1)) / columns), m.px(230))
        high = min(m.px(250), round((self.high - m.px(150)) / rows))
        left = (self.wide - card * columns - gap * (columns - 1)) / 2
        top = (self.high - (high + gap) * rows) / 2 + m.px(20)
        pen.line(s.speech.say(Text("lobby.choose_clan")), self.wide / 2, top - m.px(40), DISPLAY, m.sp(28), "ink", "centre")
        for i, seat in enumerate(seats):
            self._paint_clan(pen, form, seat, left + i % columns * (card + gap), top + i // columns * (high + gap), card, high)

    def _paint_clan(self, pen: Pen, form: Form, seat: str, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        own = seat == s.choosing
        player = form.player(seat)
        pen.box(x, y, w, h, "raised", "ink", m.px(4 if own else 2), m.px(8))
        size = min(m.px(96), w - m.px(40))
        name = s.speech.say(form.offer.seats[seat])
        who = player.name if player is not None else ""
        note = s.speech.say(Text("lobby.guest")) if seat in form.offer.guests else ""
        if player is not None and not own:
            note = s.speech.say(Text("lobby.swaps", {"name": who}) if who else Text("lobby.taken"))
        lines = lettering.wrapped(note, TEXT, m.sp(14), round(w - m.px(16)), 2) if note else ((who,) if who else ())
        block = size + m.px(10) + m.sp(28) + m.sp(18) * 2
        top = y + (h - block) / 2
        pen.mark(f"clan/{seat}", x + (w - size) / 2, top, size)
        px = lettering.fitted(name, DISPLAY, m.sp(22), round(w - m.px(16)), m.sp(12))
        pen.line(name, x + w / 2, top + size + m.px(10) + m.sp(14), DISPLAY, px, "ink", "centre")
        for i, line in enumerate(lines):
            pen.line(line, x + w / 2, top + size + m.px(10) + m.sp(28) + m.sp(18) * (i + 0.5), TEXT, m.sp(14), "ink_soft", "centre")
        self.spot(f"take:{seat}", x, y, w, h, text=f"{name} {note}".strip(), value=own, lit=own, press=lambda: s.take(seat), meaning=seat)


def _in_rows(letters: Sequence[str], most: int) -> Sequence[str]:
    """The alphabet in rows of at most ``most`` keys: as on a real keyboard where there is room."""
    if max(len(row) for row in letters) <= most:
        return letters
    every = "".join(letters)
    step = -(-len(every) // -(-len(every) // most))
    return [every[i : i + step] for i in range(0, len(every), step)]


class Keys(Part):
    """Covers the window while a name is typed: the name above, names of earlier games, letters below."""

    solid = False

    def content(self) -> Any:
        s = self.session
        return (s.typing, s.typed, s.alphabet, s.shift, s.known, self._bot()) if s.typing else None

    def _bot(self) -> bool:
        """A bot plays the seat whose name is typed."""
        player = self.session.form.player(self.session.typing) if self.session.form is not None else None
        return player is not None and player.bot

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        if not s.typing or s.form is None:
            return
        pen.rect(0, 0, self.wide, self.high, pen.style.rgba("sunk", 0.95))
        self.spot("keys", 0, 0, self.wide, self.high, press=s.finish)
        pad = m.px(12)
        letters = _in_rows(ALPHABETS[s.alphabet], max(1, (self.wide - 2 * pad) // m.target))
        longest = max(len(row) for row in letters)
        cell = int(min((self.wide - 2 * pad) / longest, max(m.px(104), m.target)))
        high = min(max(m.target, m.px(84)), round((self.high * 0.64) / (len(letters) + 1)))
        top = self.high - pad - high * (len(letters) + 1)
        pen.box(-m.px(20), top - m.px(16), self.wide + m.px(40), self.high, "paper", "ink", m.px(2), m.px(16))
        self.spot("keys:ground", 0, top - m.px(16), self.wide, self.high - top + m.px(16), press=lambda: None)
        for i, row in enumerate(letters):
            left = (self.wide - cell * len(row)) / 2
            for j, sign in enumerate(row):
                said = sign.upper() if s.shift else sign
                self._key(pen, f"key:{sign}", said, lambda said=said: s.type(said), left + j * cell, top + i * high, cell, high)
        self._paint_last(pen, pad, top + len(letters) * high, high, cell)
        self._paint_name(pen, top - m.px(16))

    def _paint_last(self, pen: Pen, pad: float, y: float, h: float, cell: float) -> None:
        """Other letters, capitals, the space, the way back, and the end."""
        m, s = pen.m, self.session
        done = max(m.px(170), m.target)
        side = max(cell, m.target)
        x = float(pad)
        self._key(pen, "key:other", s.speech.say(Text("lobby.keys_other")) if s.alphabet == "en" else "en", s.other_letters, x, y, side, h)
        x += side
        self._key(pen, "key:shift", "Aa", s.press_shift, x, y, side, h, picked=s.shift)
        x += side
        space = self.wide - 2 * pad - 3 * side - done
        self._key(pen, "key:space", s.speech.say(Text("lobby.keys_space")), lambda: s.type(" "), x, y, space, h, small=True)
        x += space
        self._key(pen, "key:back", "", s.rub, x, y, side, h, mark="ui/undo")
        x += side
        button = Button("key:done", s.speech.say(Text("lobby.keys_done")), s.finish, tone="main")
        rim = m.px(3)
        buttons.paint(self, pen, Placed(button, x + rim, y + rim, done - 2 * rim, h - 2 * rim))
        spot = self.spots[-1]
        spot.x, spot.y, spot.w, spot.h = x, y, done, h  # the gap between keys is a key's too

    def _key(
        self, pen: Pen, wid: str, text: str, press: Any, x: float, y: float, w: float, h: float, *, picked: bool = False, small: bool = False, mark: str = ""
    ) -> None:  # fmt: skip
        m = pen.m
        rim = m.px(3)
        pen.box(
            x + rim,
            y + rim,
            w - 2 * rim,
            h - 2 * rim,
            "vermilion_wash" if picked else "raised",
            "vermilion" if picked else "edge",
            m.px(2),
            m.px(6),
        )
        if mark:
            size = min(m.px(30), h * 0.5)
            pen.mark(mark, x + (w - size) / 2, y + (h - size) / 2, size)
        else:
            pen.line(
                text, x + w / 2, y + h / 2, TEXT if small else BOLD, m.sp(16 if small else 22), "ink_soft" if small else "ink", "centre"
            )
        self.spot(wid, x, y, w, h, text=text or wid, press=press, meaning=(wid, text), value=picked)

    def _paint_name(self, pen: Pen, bottom: float) -> None:
        m, s = pen.m, self.session
        clan = s.speech.say(s.form.offer.seats[s.typing])
        bot = self._bot()
        play = Button(
            "bot", s.speech.say(Text("lobby.bot_play" if bot else "lobby.bot")), s.press_bot, mark="ui/ok" if bot else "ui/bot", tone="pick" if bot else "plain"
        )  # fmt: skip
        first = buttons.width(play, pen.style)
        known = self._fitting(pen, s.known, first + m.gap)
        chip = m.finger(60)
        high = min(m.px(110), round(bottom - chip - m.px(36)))
        w = min(self.wide - m.px(56), m.px(820))
        x = (self.wide - w) / 2
        y = max(m.px(12), (bottom - high - chip - (m.px(14) if chip else 0)) / 2)
        pen.box(x, y, w, high, "raised", "ink", m.px(4), m.px(8))
        size = min(m.px(60), high - m.px(12))
        pen.mark(f"clan/{s.typing}", x + m.px(20), y + (high - size) / 2, size)
        left = x + m.px(20) + size + m.px(18)
        room = round(x + w - m.px(28) - left)
        words = s.typed or clan
        px = lettering.fitted(words, DISPLAY, m.sp(34), room, m.sp(14))
        used = pen.line(lettering.cut(words, DISPLAY, px, room), left, y + high / 2, DISPLAY, px, "ink" if s.typed else "ink_off")
        caret = left + (used if s.typed else 0) + m.px(3)
        pen.rect(caret, y + high / 2 - px * 0.6, m.px(3), px * 1.2, "indigo")
        self.spot("typed", x, y, w, high, text=clan, value=s.typed)
        top = y + high + m.px(14)
        wide = [self._chip(pen, name) for name in known]
        at = (self.wide - first - sum(wide) - m.gap * len(known)) / 2
        buttons.paint(self, pen, Placed(play, at, top, first, chip))
        at += first + m.gap
        for name, each in zip(known, wide, strict=True):
            buttons.paint(self, pen, Placed(Button(f"known:{name}", name, lambda name=name: s.write(name)), at, top, each, chip))
            at += each + m.gap

    def _chip(self, pen: Pen, name: str) -> int:
        return buttons.width(Button("", name, None), pen.style)

    def _fitting(self, pen: Pen, names: Sequence[str], taken: float) -> list[str]:
        """As many names of earlier games as stand in one row, of which something is taken."""
        out: list[str] = []
        room = self.wide - pen.m.px(56) - taken
        for name in names:
            room -= self._chip(pen, name) + pen.m.gap
            if room < 0:
                break
            out.append(name)
        return out
