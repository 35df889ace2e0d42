"""The table page: one code a seat, turned to that seat; phones, takeovers, devices; language, theme, size of text; and the way on."""

from __future__ import annotations

from typing import Any

from companion.look import marks as look
from companion.rules.view import Text
from companion.tablet import buttons, lettering, marks, pills
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, DISPLAY, TEXT
from companion.tablet.layout import Box
from companion.tablet.measure import Measure
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD, JOIN
from companion.tablet.sides import EAST, NORTH, SOUTH, TURN, WEST
from companion.tablet.theme import Style, mixed

QUIET_ZONE = 4
"""Modules of white round a code."""
PHONES = {"online": ("ok", "phone_joined"), "asleep": ("waiting", "phone_asleep"), "vacant": ("act", "scan_me")}


def seat_depth(m: Measure) -> int:
    """How high a seat's card is: as drawn, or what a small window's code needs to be read by a phone."""
    return round(max(0.215 * m.height * min(1.0, m.width / m.height / 1.5), min(0.27 * m.height, 32 * m.mm)))


class Join(Part):
    """Covers the window. ``title`` is the game's name."""

    def __init__(self, *args: Any, title: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.title = title

    def content(self) -> Any:
        s = self.session
        if s.page != JOIN:
            return None
        return (
            s.seats,
            s.turned,
            tuple(s.codes.items()),
            tuple(s.phones.items()),
            s.takeovers,
            s.health,
            s.complete,
            bool(s.table.tags()),
            s.table.sim_table,
            s.shown_code,
            s.tray,
            self._played(),
            s.theme,
            s.scale,
            s.sections().get("seats"),
            s.update.bots if s.update is not None else (),
        )

    def _played(self) -> bool:
        """The game has begun: nobody begins it again without somebody."""
        return self.session.update is not None and bool(self.session.update.open.log)

    def paint(self, pen: Pen) -> None:
        s = self.session
        if s.page != JOIN:
            return
        self._paint_cloth(pen)
        for seat, place in s.spots.items():
            box = self._card(pen.m, place.side, place.slot, place.slots)
            self._paint_seat(pen, seat, box, TURN[place.side])
        self._paint_middle(pen)
        if s.shown_code and s.shown_code in s.codes:
            self._paint_code(pen, s.shown_code)

    def _paint_cloth(self, pen: Pen) -> None:
        """Paper, with the folds of the camp's curtain just to be seen."""
        pen.rect(0, 0, self.wide, self.high, "paper")
        paper, shade = pen.style.hex("paper"), pen.style.hex("sunk" if pen.style.theme.dark else "ink")
        deep = 9 if pen.style.theme.dark else 1
        stops = "".join(
            f'<stop offset="{at}" stop-color="{mixed(paper, shade, alpha * deep)}"/>'
            for at, alpha in ((0, 0.055), (0.1, 0.012), (0.47, 0), (0.93, 0.02), (1, 0.045))
        )
        body = f'<defs><linearGradient id="f" x1="0" x2="1" y1="0" y2="0">{stops}</linearGradient></defs><rect width="256" height="8" fill="url(#f)"/>'
        fold = pen.m.px(256)
        texture = marks.svg(look.sheet(body, (0, 0, 256, 8)), fold, 8)
        for i in range(self.wide // fold + 1):
            pen.image(texture, i * fold, 0, fold, self.high)

    # ------------------------------------------------------------------ seats

    def _card(self, m: Measure, side: str, slot: int, slots: int) -> Box:
        """Where a seat's card stands, as it lies on the window."""
        d = seat_depth(m)
        long, gap, rim = 2 * d, m.px(28), m.px(20)
        along = m.width if side in {SOUTH, NORTH} else m.height
        if side in {SOUTH, NORTH}:  # the corners belong to the short sides
            sides = {place.side for place in self.session.spots.values()}
            along -= 2 * (rim + d + m.px(8)) if sides & {EAST, WEST} else 0
        step = min(long + gap, (along - 2 * rim) / slots)
        long = min(long, round(step - m.px(8)))
        first = (m.width if side in {SOUTH, NORTH} else m.height) / 2 - step * (slots - 1) / 2
        # clockwise: along the south edge from right to left, up the west, along the north from left to right, down the east
        at = first + step * (slots - 1 - slot) if side in {SOUTH, WEST} else first + step * slot
        start = round(at - long / 2)
        if side == SOUTH:
            return Box(start, m.height - rim - d, long, d)
        if side == NORTH:
            return Box(start, rim, long, d)
        if side == WEST:
            return Box(rim, start, d, long)
        return Box(m.width - rim - d, start, d, long)

    def _paint_seat(self, pen: Pen, seat: str, box: Box, turn: int) -> None:
        m, s = pen.m, self.session
        w, h = (box.h, box.w) if turn in {90, 270} else (box.w, box.h)
        cx, cy = box.x + box.w / 2, box.y + box.h / 2
        x, y = round(cx - w / 2), round(cy - h / 2)
        phone = s.phones.get(seat, "vacant")
        moving = seat in s.takeovers
        bot = s.bot(seat) and not moving
        scan = ((phone == "vacant" and seat in s.codes) or moving) and not bot
        with self.facing(pen, cx, cy, turn):
            pen.box(x, y, w, h, "raised", "vermilion" if scan else "ink", m.px(4 if scan else 2), m.px(8))
            pad = m.px(14)
            side = h - 2 * pad
            name = s.speech.say(s.name(seat))
            self.spot(
                f"join:{seat}", x, y, w, h, text=name, value={"phone": phone, "url": s.codes.get(seat, "")}, lit=scan,
                press=lambda: s.show_code(seat), meaning=(seat, phone, moving),
            )  # fmt: skip
            if seat in s.codes:
                rim = m.px(10)  # its white ground is margin enough: the longest addresses still get three pixels a module on ten inches
                self._paint_qr(pen, seat, x + rim, y + rim, h - 2 * rim)
            else:
                pen.box(x + pad, y + pad, side, side, "sunk", None, 0, m.px(4))
                self._paint_phone(pen, "bot" if bot else phone, x + pad + side / 2, y + h / 2)
            left = x + pad + side + m.px(16)
            room = x + w - left - pad
            if moving:
                self._paint_takeover(pen, seat, left, y, room, h)
                return
            size = m.px(48)
            pill = pills.high(pen.style)
            gap = m.px(16)
            top = y + (h - size - gap - pill) / 2
            pen.mark(f"clan/{seat}", left, top, size)
            px = lettering.fitted(name, DISPLAY, m.sp(20), round(room - size - m.px(10)), m.sp(10))
            who = s.who(seat)
            middle = top + size / 2 - (m.sp(10) if who else 0)
            pen.line(lettering.cut(name, DISPLAY, px, round(room - size - m.px(10))), left + size + m.px(10), middle, DISPLAY, px)
            if who:
                small = lettering.fitted(who, TEXT, m.sp(16), round(room - size - m.px(10)), m.sp(11))
                who = lettering.cut(who, TEXT, small, round(room - size - m.px(10)))
                pen.line(who, left + size + m.px(10), middle + m.sp(22), TEXT, small, "ink_soft")
            tone, word = PHONES.get(phone, PHONES["vacant"])
            if phone == "vacant" and seat not in s.codes:
                tone, word = "ok", "play_here"
            if bot:
                tone, word = "ok", "bot_here"
            pills.paint(pen, tone, s.speech.say(word), left, top + size + gap, room)

    def _paint_phone(self, pen: Pen, phone: str, x: float, y: float) -> None:
        m = pen.m
        if phone in {"vacant", "bot"}:
            size = m.px(56)
            pen.mark("ui/bot" if phone == "bot" else "ui/curtain", x - size / 2, y - size / 2, size)
            return
        size = m.px(44)
        pen.mark("ui/phone", x - size, y - size / 2, size)
        small = m.px(30)
        pen.mark("ui/ok" if phone == "online" else "ui/wait", x + m.px(6), y - small / 2, small, "pine" if phone == "online" else "indigo")

    def _paint_takeover(self, pen: Pen, seat: str, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        row = m.finger(56)
        text = s.speech.say("takeover", seat=s.name(seat))
        lines = lettering.wrapped(text, BOLD, m.sp(15), round(w), 3)
        top = y + (h - row - m.gap - m.sp(20) * len(lines)) / 2
        for i, line in enumerate(lines):
            pen.line(line, x, top + m.sp(20) * (i + 0.5), BOLD, m.sp(15))
        each = (w - m.gap) / 2
        for i, (yes, word) in enumerate(((True, "yes"), (False, "no"))):
            button = Button(
                f"takeover:{seat}:{word}", s.speech.say(word), lambda yes=yes: s.decide(seat, yes=yes), meaning=seat, question=False
            )
            buttons.paint(self, pen, Placed(button, x + i * (each + m.gap), top + m.sp(20) * len(lines) + m.gap, each, row))

    def _paint_qr(self, pen: Pen, seat: str, x: float, y: float, side: float) -> None:
        """White ground in every theme; modules of whole pixels."""
        url = self.session.codes[seat]
        matrix = self.session.table.qr(url)
        cells = len(matrix) + 2 * QUIET_ZONE
        module = max(1, int(side // cells))
        px = module * len(matrix)
        pen.box(x, y, side, side, "#FFFFFF", None, 0, pen.m.px(4))
        pen.image(marks.modules(matrix), round(x + (side - px) / 2), round(y + (side - px) / 2), px, px)
        self.spot(f"qr:{seat}", x, y, side, side, text=url)

    def _paint_code(self, pen: Pen, seat: str) -> None:
        """One code as large as the window allows, turned to its seat."""
        m, s = pen.m, self.session
        pen.rect(0, 0, self.wide, self.high, pen.style.rgba("sunk", 0.82))
        turn = TURN[s.spots[seat].side]
        side = round(min(self.wide, self.high) * 0.62)
        h = side + m.px(96)
        w = side + m.px(40)
        cx, cy = self.wide / 2, self.high / 2
        self.spot("code", 0, 0, self.wide, self.high, text=s.codes[seat], value=seat, press=lambda: s.show_code(seat))
        with self.facing(pen, cx, cy, turn):
            x, y = cx - w / 2, cy - h / 2
            pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(16))
            self._paint_qr(pen, seat, x + m.px(20), y + m.px(20), side)
            size = m.px(48)
            pen.mark(f"clan/{seat}", x + m.px(24), y + h - m.px(16) - size, size)
            middle = y + h - m.px(16) - size / 2
            name = s.speech.say(s.name(seat))
            used = pen.line(name, x + m.px(86), middle, DISPLAY, m.sp(22))
            note = s.speech.say("code_note")
            pen.line(
                lettering.cut(note, TEXT, m.sp(15), round(w - used - m.px(120))), x + m.px(100) + used, middle, TEXT, m.sp(15), "ink_soft"
            )

    # ------------------------------------------------------------------ the middle

    def _paint_middle(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        d, rim, gap = seat_depth(m), m.px(20), m.px(24)
        sides = {place.side for place in s.spots.values()}
        left = rim + d + gap if WEST in sides else rim
        right = m.width - (rim + d + gap if EAST in sides else rim)
        top = rim + d + gap if NORTH in sides else rim
        bottom = m.height - rim - d - gap
        w, h = min(right - left, m.px(820)), min(bottom - top, m.px(400))
        x, y = (left + right - w) / 2, (top + bottom - h) / 2
        pen.box(x, y, w, h, "raised", "ink", m.px(2), m.px(16))
        pad = min(m.px(28), h * 0.08)
        pill = pills.high(pen.style)
        least = m.px(8)
        row = min(m.finger(76), max(m.target, round((h - 2 * pad - m.px(58) - pill - 3 * least) / 2.1)))
        last = min(m.finger(84), round(row * 1.1))
        size = min(m.px(58), h - 2 * pad - row - last - pill - 3 * least)
        spare = (h - 2 * pad - max(size, m.sp(30)) - row - last - pill) / 3
        inner = w - 2 * pad
        cy = y + pad
        if spare < max(least, (m.target - pill) / 2) * 0.9:  # too low for two rows: settings and devices are a press away
            name = m.sp(30)
            self._paint_name(pen, x + pad, cy, inner, name)
            self._paint_pills(pen, x + pad, cy + name + m.px(6), inner)
            on = round(inner / 3)  # its own share, whatever stands beside it
            self._paint_row(pen, self._few(), x + pad, y + h - pad - m.target, inner - on - m.gap, m.target)
            buttons.paint(self, pen, Placed(self._begin(), x + pad + inner - on, y + h - pad - m.target, on, m.target))
            return
        self._paint_name(pen, x + pad, cy, inner, max(size, m.sp(30)))
        cy += max(size, m.sp(30)) + spare
        self._paint_health(pen, x + pad, cy, inner, spare)
        cy += pill + spare
        self._paint_row(pen, self._settings(), x + pad, cy, inner, row)
        cy += row + spare
        buttons.paint(self, pen, Placed(self._begin(), x + pad, cy, inner, last))

    def _few(self) -> list[Button]:
        s = self.session
        few = [
            Button("settings", s.speech.say("settings"), lambda: s.press_sheet("settings"), mark="ui/settings", question=False),
            Button("health", s.speech.say("health"), lambda: s.press_sheet("health"), mark="ui/wifi", question=False),
        ]
        every = self._settings()
        home = [button for button in every if button.wid == "home"]
        return home + few + [button for button in every if button.wid in {"tray", "simtable"}]

    def _begin(self) -> Button:
        s = self.session
        without = sum(1 for seat in s.seats if s.phones.get(seat, "vacant") == "vacant" and not s.bot(seat))
        return Button(
            "begin",
            s.speech.say("begin_without", n=without) if without and not self._played() else s.speech.say("begin"),
            lambda: s.show_page(BOARD),
            s.speech.say("join_later") if without else "",
            tone="plain" if without and not self._played() else "main",
            question=False,
        )

    def _paint_name(self, pen: Pen, x: float, y: float, w: float, h: float) -> None:
        m, s = pen.m, self.session
        pen.mark("ui/curtain", x, y, h)
        left = x + h + m.px(18)
        room = round(w - h - m.px(18))
        view = s.update.open if s.update is not None else None
        subtitle = f"{s.speech.say(view.title)} · {s.speech.say(view.subtitle)}" if view is not None else ""
        big = h > m.sp(52)
        px = lettering.fitted(self.title, DISPLAY, m.sp(34) if big else m.sp(26), room, m.sp(16))
        if big:
            top = y + (h - m.sp(40) - m.sp(24)) / 2
            pen.line(self.title, left, top + m.sp(19), DISPLAY, px)
            pen.line(lettering.cut(subtitle, TEXT, m.sp(17), room), left, top + m.sp(40) + m.sp(12), TEXT, m.sp(17), "ink_soft")
        else:
            used = pen.line(self.title, left, y + h / 2, DISPLAY, px)
            if room - used > m.px(80):
                pen.line(
                    lettering.cut(subtitle, TEXT, m.sp(15), round(room - used - m.px(18))),
                    left + used + m.px(18),
                    y + h / 2 + m.px(3),
                    TEXT,
                    m.sp(15),
                    "ink_soft",
                )

    def _paint_health(self, pen: Pen, x: float, y: float, w: float, below: float) -> None:
        m, s, high = pen.m, self.session, pills.high(pen.style)
        end = y + high + min(max(0, (m.target - high) // 2 + 1), below)
        tall = max(high, m.target + 1)
        self.spot("health", x, end - tall, w, tall, text=s.speech.say("health"), press=lambda: s.press_sheet("health"))
        self._paint_pills(pen, x, y, w)

    def _paint_pills(self, pen: Pen, x: float, y: float, w: float) -> None:
        """What needs a hand first, then what is well, as many as fit; the page behind has all of them."""
        m, s = pen.m, self.session
        order = ("act", "refused", "careful", "waiting", "ok")
        lines = sorted(s.health, key=lambda line: order.index(line.tone) if line.tone in order else len(order))
        end = x + w
        for i, line in enumerate(lines):
            name = s.speech.say(line.name)
            wide = pills.width(pen.style, name)
            if x + wide > end - (m.px(44) if i < len(lines) - 1 else 0):
                pen.line(f"+{len(lines) - i}", x + m.px(6), y + pills.high(pen.style) / 2, BOLD, m.sp(15), "ink_soft")
                break
            pills.paint(pen, line.tone, name, x, y)
            self.spot(f"health:{line.id}", x, y, wide, pills.high(pen.style), text=s.speech.say(line.text), value=line.tone)
            x += wide + m.px(8)

    def _settings(self) -> list[Button]:
        s = self.session
        other = "Русский" if s.speech.following() == "ru" else "English"
        every = [
            Button("turn", s.speech.say("turn_seats"), s.turn_seats, mark="ui/turn", question=False),
            Button("lang", other, s.next_language, value=s.speech.lang, question=False),
            Button("theme", s.speech.say("night" if s.theme == "day" else "day"), s.next_theme, value=s.theme, question=False),
            Button("smaller", "A", lambda: s.resize(-1), mark="ui/minus", value=s.scale, question=False),
            Button("bigger", "A", lambda: s.resize(1), mark="ui/plus", value=s.scale, question=False),
        ]
        if s.home is not None:
            every.insert(0, Button("home", s.speech.say(Text("lobby.home")), s.home, mark="ui/curtain", question=False))
        tags, simulated = bool(s.table.tags()), s.table.sim_table
        if tags or simulated:  # while the simulated table is open both keep their places, and cannot be pressed
            tone = "off" if not tags else "pick" if s.tray else "plain"
            every.append(Button("tray", s.speech.say("tags"), s.toggle_tray if tags else None, mark="ui/tag", tone=tone, question=False))
        if simulated:
            shut = simulated == "shut"
            words, press, tone = s.speech.say(Text("simtable.title")), s.table.open_sim_table if shut else None, "plain" if shut else "off"
            every.append(Button("simtable", words, press, mark="ui/tap", tone=tone, question=False))
        return every

    def _paint_row(self, pen: Pen, every: list[Button], x: float, y: float, w: float, h: float) -> None:
        """All of them in one row; nothing before the devices are known, for some are there because of them, and none may move under a finger."""
        if not self.session.complete:
            return
        gap = pen.m.gap
        widths = [self._settled(pen.style, button) for button in every]
        room = w - gap * (len(every) - 1)
        shown = every
        if sum(widths) > room:  # larger text: what has a sign goes without its word
            shown = [button._replace(text="") if button.mark else button for button in every]
            widths = [self._settled(pen.style, button) for button in shown]
        k = room / sum(widths)
        for button, said, wide in zip(shown, every, widths, strict=True):
            buttons.paint(self, pen, Placed(button, x, y, wide * k, h))
            self.spots[-1].text = said.text
            x += wide * k + gap

    def _settled(self, style: Style, button: Button) -> int:
        return buttons.width(button, style)
