"""Language, theme and size of text: the row of buttons at the top of the home screen's pages."""

from __future__ import annotations

from companion.tablet import buttons
from companion.tablet.buttons import Button, Placed
from companion.tablet.part import Part
from companion.tablet.pen import Pen


def settings_row(part: Part, pen: Pen, right: float, y: float, h: float, room: float) -> float:
    """Ends at ``right`` and takes at most ``room``; returns how wide it is."""
    s = part.session
    other = "Русский" if s.speech.following() == "ru" else "English"
    every = [
        Button("lang", other, s.next_language, value=s.speech.lang, question=False),
        Button("theme", s.speech.say("night" if s.theme == "day" else "day"), s.next_theme, value=s.theme, question=False),
        Button("smaller", "A", lambda: s.resize(-1), mark="ui/minus", value=s.scale, question=False),
        Button("bigger", "A", lambda: s.resize(1), mark="ui/plus", value=s.scale, question=False),
    ]
    gap = pen.m.gap
    widths = [buttons.width(button, pen.style) for button in every]
    total = sum(widths) + gap * (len(every) - 1)
    k = min(1.0, room / total)
    x = right - total * k
    for button, wide in zip(every, widths, strict=True):
        buttons.paint(part, pen, Placed(button, x, y, wide * k, h))
        x += (wide + gap) * k
    return total * k
