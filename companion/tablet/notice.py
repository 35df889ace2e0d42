"""Notices over the map: what the table has to say, in sign, word and colour; refusals with their clause and what would be lawful; offers."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.rules.view import Text
from companion.tablet import buttons, house, knock, lettering
from companion.tablet.buttons import Button, Placed
from companion.tablet.fonts import BOLD, TEXT
from companion.tablet.part import Part
from companion.tablet.pen import Pen
from companion.tablet.session import Said
from companion.tablet.theme import Style

OFFERS, WORDS = 3, 260
"""Most offers at once, and the room in design units that they leave for the sentence."""


SIZES = ((17, 15), (15, 14))
"""Sizes of a sentence and of what stands below it: as they should be, and the smallest that a player must read."""
LEADING = 1.35
MANY = 99


class Words(NamedTuple):
    """What a slip says, set in lines."""

    tone: str
    lines: tuple[str, ...] = ()
    lighter: tuple[str, ...] = ()
    large: int = 0
    small: int = 0

    def blocks(self, style: Style) -> tuple[tuple[tuple[str, ...], str, int, int], ...]:
        """Lines, face, size and pitch, for the sentence and for what stands below it."""
        sizes = ((self.lines, BOLD, style.m.sp(self.large)), (self.lighter, TEXT, style.m.sp(self.small)))
        return tuple((lines, face, px, round(px * LEADING)) for lines, face, px in sizes if lines)

    def depth(self, style: Style) -> int:
        return sum(pitch * len(lines) for lines, _, _, pitch in self.blocks(style))

    def width(self, style: Style) -> int:
        return max((lettering.width(line, face, px) for lines, face, px, _ in self.blocks(style) for line in lines), default=0)


class Slip(Part):
    """The screen asks ``extent`` how high it must be and places it by the asked seat's side of the map."""

    solid = False
    _most = _tall = 0
    """How wide and how high the screen lets the slip be."""

    def content(self) -> Any:
        s = self.session
        return (s.said, s.touched, s.place, s.takeovers, s.page, s.seat, s.zoom, self._owed(), s.table_asks, s.prompt, s.differs)

    def _owed(self) -> tuple[Text, ...]:
        """Figures to move, while nothing differs yet: a reminder, where nothing else is said. While they differ the repair panel says it."""
        s = self.session
        return house.moves(s.update.open) if s.update is not None and not s.differs else ()

    def _says(self, style: Style) -> tuple[str, str, str]:
        """Tone, the sentence, and what stands in lighter letters below it; no tone: there is nothing to say."""
        s, said = self.session, self.session.said
        knocks = knock.over_map(s)
        if knocks is not None:
            return knock.TONE, knocks.text, ""
        if said is not None:
            return said.tone, s.speech.say(said.text), self._lawful(style, said)
        if s.zoom is not None:
            return "waiting", s.speech.say("zoomed"), ""
        if s.touched and not s.place:
            return "waiting", s.speech.say("touched", place=s.place_name(s.touched)), ""
        if owed := self._owed():
            return "waiting", s.speech.say(owed[0]), s.speech.say("more_moves", n=len(owed) - 1) if len(owed) > 1 else ""
        return "", "", ""

    def _words(self, style: Style, wide: int) -> Words:
        """All of it, in smaller letters where half the map would be hidden otherwise; cut only where the whole map has no room for it."""
        m = style.m
        room = round(wide - m.px(40) - self._signs(style) - self._buttons_width(style))
        tone, sentence, lighter = self._says(style)
        words = Words(tone)
        for large, small in SIZES:
            lines = lettering.wrapped(sentence, BOLD, m.sp(large), room, MANY) if tone else ()
            words = Words(tone, lines, lettering.wrapped(lighter, TEXT, m.sp(small), room, MANY) if lighter else (), large, small)
            if words.depth(style) + self._around(style) <= self._tall // 2:
                break
        while words.lines[1:] and words.depth(style) + self._around(style) > self._tall:
            fewer = max(0, len(words.lighter) - 1), len(words.lines) - (0 if words.lighter else 1)
            words = words._replace(
                lines=lettering.wrapped(sentence, BOLD, m.sp(words.large), room, fewer[1]),
                lighter=lettering.wrapped(lighter, TEXT, m.sp(words.small), room, fewer[0]) if fewer[0] else (),
            )
        return words

    def _lawful(self, style: Style, said: Said) -> str:
        """What would be lawful, but for what the buttons beside it say already."""
        shown = [button.meaning[1].text for button in self._fitting(style) if button.wid.startswith("offer:")]
        rest = [text for text in said.lawful if text not in shown]
        return self.session.speech.say("lawful", choices="; ".join(map(self.session.speech.say, rest))) if rest else ""

    def _signs(self, style: Style) -> int:
        return style.m.px(48)

    def _fitting(self, style: Style) -> list[Button]:
        """Of the offers only those that leave room for the words; the lit places offer the rest."""
        every = self._buttons()
        if knock.over_map(self.session) is not None:
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
        knocks = knock.over_map(s)
        if knocks is not None:
            return list(knocks.buttons)
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

    def extent(self, style: Style, most: int, tall: int) -> tuple[int, int]:
        """How wide and how high, at most, the slip is; 0, 0: there is nothing to say."""
        m = style.m
        self._most, self._tall = most, tall
        words = self._words(style, most)
        if not words.tone:
            return 0, 0
        wide = min(most, max(words.width(style), m.px(220)) + self._signs(style) + self._buttons_width(style) + m.px(44))
        buttons_high = m.finger(76) + m.px(16) if self._fitting(style) else 0
        return wide, max(words.depth(style) + self._around(style), m.finger(56), buttons_high)

    def _around(self, style: Style) -> int:
        """Height of the clause, and of the air above and below."""
        said = self.session.said
        return (style.m.sp(18) if said is not None and said.clause and knock.over_map(self.session) is None else 0) + style.m.px(24)

    def paint(self, pen: Pen) -> None:
        m, s = pen.m, self.session
        words = self._words(pen.style, self.wide)
        tone = words.tone
        if not tone:
            return
        colour, wash, mark = pen.style.theme.tone(tone)
        h = self.high
        pen.box(0, 0, self.wide, h, wash, colour, m.px(2), m.px(8))
        size = m.px(28)
        pen.mark(mark, m.px(16), (h - size) / 2, size, colour)
        knocks = knock.over_map(s)
        said = s.said if knocks is None else None
        clause = said.clause if said is not None else ""
        left = m.px(16) + self._signs(pen.style)
        word = s.speech.say(f"tone_{tone}" if tone in {"ok", "careful", "refused", "waiting", "act"} else "tone_waiting")
        top = (h - words.depth(pen.style) - (m.sp(18) if clause else 0)) / 2
        for lines, face, px, pitch in words.blocks(pen.style):
            for line in lines:
                pen.line(line, left, top + pitch / 2, face, px, "ink")
                top += pitch
        if clause:
            pen.line(f"{word} · {clause}", left, top + m.sp(9), BOLD, m.sp(13), colour)
        full = " ".join((*words.lines, *words.lighter))
        owed = said is None and not s.touched and s.zoom is None
        wid = knocks.wid if knocks is not None else "notice" if said is not None else "owed" if owed else "touched"
        self.spot(
            wid,
            0,
            0,
            self.wide,
            h,
            text=f"{word}: {full}",
            value={"tone": tone, "clause": clause},
            press=None if knocks is not None else (lambda: s.press_sheet("repair")) if owed else s.dismiss,
        )
        x = self.wide - m.px(12)
        for button in reversed(self._fitting(pen.style)):
            w = buttons.width(button, pen.style)
            x -= w
            buttons.paint(self, pen, Placed(button, x, (h - m.finger(76)) / 2, w, m.finger(76)))
            x -= m.gap
