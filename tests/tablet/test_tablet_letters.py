"""Every sentence of every catalogue can be drawn with the fonts the build makes: a box in place of a letter fails here."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from companion.tablet import fonts, lettering
from companion.words import LANGUAGES
from companion.words.catalogue import book

FACES = (fonts.TEXT, fonts.BOLD, fonts.DISPLAY)


def letters(role: str) -> set[int]:
    found = fonts.face(role)
    assert found.font_name != "Roboto", "no font with Japanese: run the build (pip install .), or install fonts-noto-cjk"
    with TTFont(found.font_name, fontNumber=0, lazy=True) as font:
        return set(font.getBestCmap())


@pytest.mark.parametrize("role", FACES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_can_be_drawn(role: str, lang: str) -> None:
    known = letters(role)
    for key, forms in book(lang).forms.items():
        for form in forms:
            missing = {ch for words, _ in form for ch in words if ord(ch) not in known and not ch.isspace()}
            assert not missing, f"{lang} {key}: {missing} is in no {role} face"


@pytest.mark.parametrize("role", FACES)
def test_the_drawings_japanese_names_and_the_tablets_own_signs_can_be_drawn(role: str) -> None:
    known = letters(role)
    board = tomllib.loads((files("companion.rules") / "rising_sun" / "data" / "board.toml").read_text(encoding="utf-8"))
    names = "".join(zone["name"] + zone["name_ja"] for zone in board["zone"].values())
    assert not {ch for ch in names + "+·?/;:…—–’«»0123456789" if ord(ch) not in known}


def test_both_catalogues_have_every_word_of_the_tablet() -> None:
    english, russian = ({key for key in book(lang).forms if key.startswith("tablet.")} for lang in LANGUAGES)
    assert english == russian and len(english) > 30


def test_every_word_the_code_says_is_in_the_catalogue() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in Path(fonts.__file__).parent.glob("*.py"))
    said = set(re.findall(r'say\("([a-z_]+)"', source)) | {"tone_ok", "tone_careful", "tone_refused", "tone_waiting", "tone_act"}
    assert said
    for word in said:
        assert f"tablet.{word}" in book("en").forms, word


def test_the_fallback_face_always_exists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(fonts, "HOME", tmp_path)
    monkeypatch.setattr(fonts, "SYSTEM", (tmp_path,))
    fonts.face.cache_clear()
    try:
        assert fonts.face(fonts.TEXT) == ("Roboto", False) and fonts.face(fonts.DISPLAY) == ("Roboto", True)
        (tmp_path / "NotoSansCJK-Regular.ttc").touch()
        fonts.face.cache_clear()
        assert fonts.face(fonts.TEXT).font_name.endswith("NotoSansCJK-Regular.ttc")
    finally:
        fonts.face.cache_clear()


def test_long_text_is_wrapped_and_cut_within_its_room() -> None:
    lines = lettering.wrapped("one two three four five six seven eight nine", fonts.TEXT, 18, 120, 2)
    assert len(lines) == 2 and lines[1].endswith("...")
    assert all(lettering.width(line, fonts.TEXT, 18) <= 120 for line in lines)
    assert lettering.cut("", fonts.TEXT, 18, 10) == "" and lettering.width("", fonts.TEXT, 18) == 0
    assert lettering.fitted("wide words", fonts.BOLD, 30, 40, 12) == 12
    assert lettering.wrapped("a\nb", fonts.TEXT, 18, 100, 3) == ("a", "b")
