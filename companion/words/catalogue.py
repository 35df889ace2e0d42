"""Catalogues: which sentence a key is in one language.

Here: reading ``locale/<language>/*.po`` (msgid = key, ``{name}`` placeholders, plural by the argument ``n``) into books. Not here:
walking views (``rendering``). A fault of a catalogue is a fault of ours: it is logged once and the game goes on.
"""

from __future__ import annotations

import gettext
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Formatter
from typing import Final, NamedTuple, Union

from companion.compiled import compiled
from companion.rules.view import Text

LOGGER = logging.getLogger(__name__)
_PLURAL: Final = re.compile(r"plural=([^;]+)")

LANGUAGES = ("en", "ru")
"""Complete languages. The first one stands in where another has a gap."""

PSEUDO = "qps"
"""English with accents and 40 % longer, for tests of layouts: what is not in it is not translated."""

Pattern = tuple[tuple[str, Union[str, None]], ...]
"""A sentence cut at its placeholders: (words before, name of the argument or None at the end)."""


def pattern(sentence: str) -> Pattern:
    """Cuts ``sentence``; ``{{`` and ``}}`` are braces. Raises ValueError where a placeholder is not a plain ``{name}``."""
    cut: list[tuple[str, str | None]] = []
    for words, name, spec, conversion in Formatter().parse(sentence):
        if name is not None and (not name.isidentifier() or spec or conversion):
            raise ValueError(f"placeholder {{{name}}} in {sentence!r} is not a plain name")
        cut.append((words, name))
    return tuple(cut)


class Book:
    """All sentences of one language. Reading is thread-safe: a book does not change once it is made."""

    def __init__(
        self, language: str, forms: Mapping[str, tuple[Pattern, ...]], plural: Callable[[int], int], spare: Book | None = None
    ) -> None:
        self.language = language
        self.forms = forms
        """key -> its sentence, or one sentence a plural form"""
        self.plural = plural
        self._spare = spare
        self._told: set[str] = set()

    def say(self, text: Text) -> str:
        """The finished words. Never raises: a missing key is said as the key (or in English), a missing argument as its name."""
        forms = self.forms.get(text.key)
        if forms is None:
            self._tell(text.key, "has no sentence for the key")
            return text.key if self._spare is None or text.key not in self._spare.forms else self._spare.say(text)
        chosen = forms[0] if len(forms) == 1 else self._form(forms, text.args.get("n"))
        if len(chosen) == 1 and chosen[0][1] is None:
            return chosen[0][0]  # most of what is said are names
        out: list[str] = []
        for words, name in chosen:
            out.append(words)
            if name is not None:
                out.append(self._argument(text, name))
        return "".join(out)

    def _form(self, forms: tuple[Pattern, ...], n: object) -> Pattern:
        which = self.plural(abs(n)) if isinstance(n, int) else len(forms) - 1
        return forms[min(which, len(forms) - 1)]

    def _argument(self, text: Text, name: str) -> str:
        value = text.args.get(name)
        if value is None:
            self._tell(f"{text.key}.{name}", "was not given the argument")
            return f"{{{name}}}"
        return self.say(value) if isinstance(value, Text) else str(value)

    def _tell(self, what: str, fault: str) -> None:
        if what not in self._told:
            self._told.add(what)
            LOGGER.error("catalogue %s %s %s", self.language, fault, what)


class Catalogue(NamedTuple):
    """One ``.po`` file."""

    plural: str
    """Which form a number takes, as ``gettext.c2py`` reads it; "": it does not say."""
    said: tuple[tuple[str, tuple[str, ...]], ...]
    """Every key with its sentence, or with one for each plural form; "" where one is missing. In the file's order."""


def read(source: Traversable) -> Catalogue:
    """Raises OSError or ValueError where it cannot be read or is no catalogue."""
    text = source.read_text("utf-8")
    return Catalogue(*compiled(source, text.encode(), "po", lambda: _parsed(text)))


def _parsed(text: str) -> tuple[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    import polib  # noqa: PLC0415 - seldom: ours are kept parsed

    found = polib.pofile(text)
    plural = _PLURAL.search(found.metadata.get("Plural-Forms", ""))
    said = [(e.msgid, tuple(e.msgstr_plural[n] for n in sorted(e.msgstr_plural)) or (e.msgstr,)) for e in found if not e.obsolete]
    return plural.group(1) if plural else "", tuple(said)


def po_files(language: str) -> Iterator[Traversable]:
    """The ``.po`` files of a language, in order of name."""
    home = files(__package__) / "locale" / language
    if home.is_dir():
        yield from sorted((f for f in home.iterdir() if f.name.endswith(".po")), key=lambda f: f.name)


def gather(language: str, sources: Iterable[Traversable], spare: Book | None = None) -> Book:
    """One book of several files. A file or sentence that cannot be read is logged and left out."""
    forms: dict[str, tuple[Pattern, ...]] = {}
    plural: Callable[[int], int] = gettext.c2py("n != 1")
    for source in sources:
        try:
            catalogue = read(source)
            plural = gettext.c2py(catalogue.plural) if catalogue.plural else plural
        except (OSError, ValueError) as fault:
            LOGGER.error("catalogue %s %s is left out: %s", language, source.name, fault)  # noqa: TRY400 - the fault is in the file, not the call
            continue
        for key, said in catalogue.said:
            if not all(said):
                continue
            if key in forms:
                LOGGER.error("catalogue %s has the key %s twice, again in %s", language, key, source.name)
                continue
            try:
                forms[key] = tuple(pattern(sentence) for sentence in said)
            except ValueError as fault:
                LOGGER.error("catalogue %s %s, key %s: %s", language, source.name, key, fault)  # noqa: TRY400 - as above
    return Book(language, forms, plural, spare)


_ACCENTS = str.maketrans("AEIOUYaeiouycnsz", "ÀÉÎÕÜÝàéîõüýçñšž")
_PADDING = "lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor invidunt ut labore et dolore magna "


def stretched(words: str) -> str:
    """``words`` accented and at least 40 % longer."""
    if not words.strip():
        return words
    more = -(-len(words) * 2 // 5)
    return words.translate(_ACCENTS) + (_PADDING * (more // len(_PADDING) + 1))[: more - 1].rjust(more)


def _pseudo(english: Book) -> Book:
    forms = {key: tuple(tuple((stretched(words), name) for words, name in cut) for cut in said) for key, said in english.forms.items()}
    return Book(PSEUDO, forms, english.plural)


def nearest(wanted: str) -> str:
    """The language we have for a tag like ``ru-RU``; English where we have none."""
    plain = wanted.replace("_", "-").split("-")[0].lower()
    return plain if plain in LANGUAGES or plain == PSEUDO else LANGUAGES[0]


@cache
def book(wanted: str) -> Book:
    """The book of a language, read once."""
    language = nearest(wanted)
    if language != wanted:
        return book(language)
    if language == PSEUDO:
        return _pseudo(book(LANGUAGES[0]))
    return gather(language, po_files(language), None if language == LANGUAGES[0] else book(LANGUAGES[0]))
