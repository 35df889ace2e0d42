"""Notices over the map: what the table has to say, in sign, word and colour; refusals with their clause and what would be lawful; offers."""

from __future__ import annotations

from typing import Any

from companion.rules.view import Text
from companion.tablet import buttons, house, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import BOARD, Said
from companion.tablet.theme import Style

OFFERS, WORDS = 3, 260
"""Most offers at once, and the room in design units that they leave for the sentence."""


class Slip(Part):
    """The screen asks ``depth`` how high it must be and places it by the asked seat's side of the map."""

    solid = False
    _most = 0
    """How wide the screen lets the slip be."""

    def content(self) -> Any:
        s = self.session
        return (s.said, s.touched, s.place, s.takeovers, s.page, s.seat, s.zoom, self._owed())

    def _owed(self) -> tuple[Text, ...]:
        """Figures to move, while nothing differs yet: a reminder, where nothing else is said. While they differ the repair panel says it."""
        s = self.session
        return house.moves(s.update.open) if s.update is not None and not s.differs else ()

    def _moving(self) -> str:
        return self.session.takeovers[0] if self.session.takeovers and self.session.page == BOARD else ""

    def _lines(self, style: Style, wide: int) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """Tone, the sentence, what would be lawful."""
        s, m, said = self.session, style.m, self.session.said
        room = round(wide - m.px(40) - self._signs(style) - self._buttons_width(style))
        if self._moving():
            return "act", lettering.wrapped(s.speech.say("takeover", seat=s.name(self._moving())), BOLD, m.sp(17), room, 2), ()
        if said is not None:
            lawful = self._lawful(said)
            return (
                said.tone,
                lettering.wrapped(s.speech.say(said.text), BOLD, m.sp(17), room, 3),
                lettering.wrapped(lawful, TEXT, m.sp(15), room, 2) if lawful else (),
            )
        if s.zoom is not None:
            return "waiting", lettering.wrapped(s.speech.say("zoomed"), BOLD, m.sp(17), room, 2), ()
        if s.touched and not s.place:
            return "waiting", lettering.wrapped(s.speech.say("touched", place=s.place_name(s.touched)), BOLD, m.sp(17), room, 2), ()
        if owed := self._owed():
            more = s.speech.say("more_moves", n=len(owed) - 1) if len(owed) > 1 else ""
            return "waiting", lettering.wrapped(s.speech.say(owed[0]), BOLD, m.sp(17), room, 2), (more,) if more else ()
        return "", (), ()

    def _lawful(self, said: Said) -> str:
        s = self.session
        if not said.lawful:
            return ""
        return s.speech.say("lawful", choices="; ".join(s.speech.say(text) for text in said.lawful[:6]))

    def _signs(self, style: Style) -> int:
        return style.m.px(48)

    def _fitting(self, style: Style) -> list[Button]:
        """Of the offers only those that leave room for the words; the lit places offer the rest."""
        every = self._buttons()
        if self._moving():
            return every
        room = self._most - style.m.px(40) - self._signs(style) - style.m.px(WORDS)
        out: list[Button] = []
        for button in every:
            room -= buttons.width(button, style) + style.m.gap
            if room < 0:
                break
            out.append(button)
        return out

    def _buttons(self) -> list[Button]:
        s, said = self.session, self.session.said
        seat = self._moving()
        if seat:
            return [
                Button(
                    f"takeover:{seat}:yes",
                    s.speech.say("yes"),
                    lambda: s.decide(seat, yes=True),
                    mark="ui/ok",
                    meaning=seat,
                    question=False,
                ),
                Button(
                    f"takeover:{seat}:no",
                    s.speech.say("no"),
                    lambda: s.decide(seat, yes=False),
                    mark="ui/refused",
                    meaning=seat,
                    question=False,
                ),
            ]
        if said is None:
            return [Button("unzoom", s.speech.say("back"), s.leave_zoom, mark="ui/undo", question=False)] if s.zoom is not None else []
        if said.clause and not said.offers:
            clause = said.clause
            return [Button("rule", s.speech.say("rule"), lambda: s.press_clause(clause), mark="ui/why", meaning=clause, question=False)]
        return [
            Button(f"offer:{i}", s.speech.say(choice.text), lambda i=i: s.press_offer(i), s.speech.say(choice.detail), choice.mark, meaning=(who, choice), question=False)
            for i, (who, choice) in enumerate(said.offers[:OFFERS])
        ]  # fmt: skip

    def _buttons_width(self, style: Style) -> int:
        return sum(buttons.width(b, style) + style.m.gap for b in self._fitting(style))

    def extent(self, style: Style, most: int) -> tuple[int, int]:
        """How wide (at most ``most``) and how high the slip is; 0, 0: there is nothing to say."""
        m = style.m
        self._most = most
        tone, lines, lawful = self._lines(style, most)
        if not tone:
            return 0, 0
        words = max(
            lettering.width(line, face, m.sp(size)) for text, face, size in ((lines, BOLD, 17), (lawful, TEXT, 15)) for line in text
        )
        wide = min(most, max(words, m.px(220)) + self._signs(style) + self._buttons_width(style) + m.px(44))
        return wide, self._depth(style, lines, lawful)

    def _depth(self, style: Style, lines: tuple[str, ...], lawful: tuple[str, ...]) -> int:
        m = style.m
        said = self.session.said
        clause = m.sp(18) if said is not None and said.clause and not self._moving() else 0
        words = m.sp(23) * len(lines) + m.sp(20) * len(lawful) + clause + m.px(24)
        return max(words, m.finger(56), m.finger(76) + m.px(16) if self._fitting(style) else 0)

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        tone, lines, lawful = self._lines(pen.style, self.wide)
        if not tone:
            return
        colour, wash, mark = pen.style.theme.tone(tone)
        h = self.high
        pen.box(0, 0, self.wide, h, wash, colour, m.px(2), m.px(8))
        size = m.px(28)
        pen.mark(mark, m.px(16), (h - size) / 2, size, colour)
        said = s.said if not self._moving() else None
        clause = said.clause if said is not None else ""
        left = m.px(16) + self._signs(pen.style)
        word = s.speech.say(f"tone_{tone}" if tone in {"ok", "careful", "refused", "waiting", "act"} else "tone_waiting")
        block = m.sp(23) * len(lines) + m.sp(20) * len(lawful) + (m.sp(18) if clause else 0)
        top = (h - block) / 2
        for line in lines:
            pen.line(line, left, top + m.sp(23) / 2, BOLD, m.sp(17), "ink")
            top += m.sp(23)
        for line in lawful:
            pen.line(line, left, top + m.sp(20) / 2, TEXT, m.sp(15), "ink")
            top += m.sp(20)
        if clause:
            pen.line(f"{word} · {clause}", left, top + m.sp(9), BOLD, m.sp(13), colour)
        full = " ".join((*lines, *lawful))
        owed = said is None and not s.touched and s.zoom is None
        wid = f"takeover:{self._moving()}" if self._moving() else "notice" if said is not None else "owed" if owed else "touched"
        self.spot(
            wid,
            0,
            0,
            self.wide,
            h,
            text=f"{word}: {full}",
            value={"tone": tone, "clause": clause},
            press=None if self._moving() else (lambda: s.press_sheet("repair")) if owed else s.dismiss,
        )
        x = self.wide - m.px(12)
        for button in reversed(self._fitting(pen.style)):
            w = buttons.width(button, pen.style)
            x -= w
            buttons.paint(self, pen, Placed(button, x, (h - m.finger(76)) / 2, w, m.finger(76)))
            x -= m.gap
