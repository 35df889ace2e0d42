"""Lines of text as textures: measured, wrapped and cut here, so that every word fits its place.

White on nothing, tinted when drawn: one texture serves every colour.
"""

from __future__ import annotations

from functools import lru_cache

from kivy.core.text import Label
from kivy.graphics.texture import Texture

from companion.tablet.fonts import face
from companion.tablet.marks import kept

ELLIPSIS = "..."
"""Three stops: the single sign stands in mid-air in a Japanese font."""


@lru_cache(maxsize=4096)
def width(text: str, role: str, px: int) -> int:
    """How wide a line of text is."""
    return int(_label(role, px).get_extents(text)[0]) if text else 0


def texture(text: str, role: str, px: int) -> Texture:
    return kept(("text", text, role, px), lambda: _rendered(text, role, px))


@lru_cache(maxsize=1024)
def wrapped(text: str, role: str, px: int, room: int, lines: int) -> tuple[str, ...]:
    """At most ``lines`` lines of at most ``room`` pixels; what does not fit ends in an ellipsis."""
    out: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            longer = f"{line} {word}" if line else word
            if not line or width(longer, role, px) <= room:
                line = longer
            else:
                out.append(line)
                line = word
        out.append(line)
    if len(out) > lines:
        out = [*out[: lines - 1], " ".join(out[lines - 1 :])]
    return tuple(cut(line, role, px, room) for line in out)


def cut(text: str, role: str, px: int, room: int) -> str:
    """The text, or as much of it as fits with an ellipsis."""
    if width(text, role, px) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, role, px) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


def fitted(text: str, role: str, px: int, room: int, least: int) -> int:
    """The largest size from ``px`` down to ``least`` at which the text fits on one line."""
    if px <= least or (wide := width(text, role, px)) <= room:
        return px
    size = max(least, min(px - 1, px * room // wide))  # letters grow evenly, nearly: every size that is tried is a font to be opened
    while size > least and width(text, role, size) > room:
        size -= 1
    while size + 1 < px and width(text, role, size + 1) <= room:
        size += 1
    return size


@lru_cache(maxsize=64)
def _label(role: str, px: int) -> Label:
    found = face(role)
    return Label(font_name=found.font_name, bold=found.bold, font_size=px)


def _rendered(text: str, role: str, px: int) -> Texture:
    found = face(role)
    label = Label(text=text, font_name=found.font_name, bold=found.bold, font_size=px, color=(1, 1, 1, 1))
    label.refresh()
    return label.texture
