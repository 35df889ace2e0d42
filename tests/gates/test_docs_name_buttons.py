"""What README and docs set in italics as something on a screen is called so there, in English."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest

TOP = Path(__file__).parents[2]
ITALIC = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])")
PHONE = re.compile(r'^  \w+: "(.*)",$', re.MULTILINE)
ELSEWHERE = {"jinmaku", "Battle for Rokugan", "Sekigahara", "are"}
"""Words in italics that are on no screen."""
FILLED = re.compile(r"\\\{\w+\\\}")


def on_screens() -> list[str]:
    """Every English sentence of the catalogues and of the phone, as patterns for what fills its places."""
    said = [
        text
        for catalogue in (TOP / "companion/words/locale/en").glob("*.po")
        for entry in polib.pofile(str(catalogue))
        for text in (entry.msgstr, *entry.msgstr_plural.values())
    ]
    said += PHONE.findall((TOP / "companion/phone/web/src/words.ts").read_text(encoding="utf-8"))
    own = (text for text in said if len(re.sub(r"{\w+}|\W", "", text)) > 2)  # what is nothing but a place to be filled would be anything
    return [FILLED.sub(".+", re.escape(text.rstrip("."))) for text in own]


def shown(words: str, every: list[str]) -> bool:
    """Whole, or, with three dots, as far as that."""
    begins, dots, _ = words.partition(" ...")
    if dots:
        return any(re.match(f"{re.escape(begins)} ", pattern.replace("\\ ", " ")) for pattern in every)
    return any(re.fullmatch(pattern, words.rstrip(".")) for pattern in every)


@pytest.mark.parametrize("file", ["README.md", "docs/record.md", "docs/security.md"])
def test_what_is_pressed_is_called_as_on_its_button(file: str) -> None:
    every = on_screens()
    named = [words for words in ITALIC.findall((TOP / file).read_text(encoding="utf-8")) if words not in ELSEWHERE]
    buttons = [words for words in named if file == "README.md" or words[:1].isupper()]
    assert buttons
    assert [words for words in buttons if not shown(words, every)] == []
