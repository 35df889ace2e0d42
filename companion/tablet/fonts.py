"""The one place that knows where letters come from. Any face, one lookup, a fallback that always exists.

The build puts three files of Noto (Latin, Cyrillic, Japanese) beside this module; a system's Noto CJK serves as well; Kivy's own Roboto
is the last resort and knows no Japanese.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

TEXT, BOLD, DISPLAY = "text", "bold", "display"

HOME = Path(__file__).with_name("fonts")
SYSTEM = (Path("/usr/share/fonts/opentype/noto"), Path("/usr/share/fonts/noto-cjk"), Path("/usr/share/fonts/google-noto-cjk"))
_FILES = {
    TEXT: ("NotoSansJP-Regular.ttf", "NotoSansCJK-Regular.ttc"),
    BOLD: ("NotoSansJP-Bold.ttf", "NotoSansCJK-Bold.ttc"),
    DISPLAY: ("NotoSerifJP-Bold.ttf", "NotoSerifCJK-Bold.ttc"),
}


class Face(NamedTuple):
    """What Kivy's text needs."""

    font_name: str
    bold: bool


@cache
def face(role: str) -> Face:
    """The face of a role: ``text`` and ``bold`` for sentences, ``display`` for names, titles and numerals."""
    ours, system = _FILES[role]
    for path in (HOME / ours, *(folder / system for folder in SYSTEM)):
        if path.is_file():
            return Face(str(path), bold=False)
    return Face("Roboto", bold=role != TEXT)
