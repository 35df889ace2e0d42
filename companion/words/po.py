"""Reads ``.po`` files, as far as ours go: keys, sentences, plural forms. What is read with every start of the program must be read quickly.

Not here: contexts, flags, obsolete entries, writing; the tests read every catalogue with Babel too, and find the same in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

KEY, OTHER, FORM, MORE = "msgid", "msgid_plural", "msgstr", ""
_LINE: Final = re.compile(r'(?:(msgid|msgid_plural|msgstr)(?:\[(\d)\])?[ \t]+)?"([^"\\]*(?:\\.[^"\\]*)*)"')
_PLURAL: Final = re.compile(r"^Plural-Forms:.*\bplural=([^;\n]+)", re.MULTILINE)
_ESCAPE: Final = re.compile(r"\\(.)")
_SIGNS: Final = {"n": "\n", "t": "\t", "r": "\r"}


class Catalogue(NamedTuple):
    """One file."""

    plural: str
    """Which form a number takes, as ``gettext.c2py`` reads it; "": it does not say."""
    said: tuple[tuple[str, tuple[str, ...]], ...]
    """Every key with its sentence, or with one for each plural form; "" where one is missing. In the file's order."""


def read(source: Iterable[bytes]) -> Catalogue:
    """Raises ValueError naming the line that is none of a catalogue."""
    entries = list(_entries(source))
    head = "".join(forms[0] for key, forms in entries if not key)
    plural = _PLURAL.search(head)
    return Catalogue(plural.group(1).strip() if plural else "", tuple((key, forms) for key, forms in entries if key))


def _entries(source: Iterable[bytes]) -> Iterator[tuple[str, tuple[str, ...]]]:
    key: list[str] = []
    forms: list[list[str]] = []
    into: list[str] | None = None
    for number, raw in enumerate(source, 1):
        line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        if not line or line[0] == "#":
            continue
        found = _LINE.fullmatch(line)
        word = found.group(1) or MORE if found else None
        if found is None or (word == MORE and into is None) or (word == FORM and not key) or (word == OTHER and (not key or forms)):
            raise ValueError(f"line {number} is not of a catalogue: {line:.80}")
        if word == KEY:
            if forms:
                yield "".join(key), tuple(map("".join, forms))
            key = into = []
            forms = []
        elif word == OTHER:
            into = []
        elif word == FORM:
            if int(found.group(2) or 0) != len(forms):
                raise ValueError(f"line {number} is not the form that comes next: {line:.80}")
            into = []
            forms.append(into)
        words = found.group(3)
        assert into is not None, "only the first line could go on with nothing"
        into.append(_ESCAPE.sub(lambda sign: _SIGNS.get(sign.group(1), sign.group(1)), words) if "\\" in words else words)
    if forms:
        yield "".join(key), tuple(map("".join, forms))
