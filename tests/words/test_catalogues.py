"""Every catalogue is complete: no key, placeholder or plural form of one language is missing in another."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

from companion.words import LANGUAGES
from companion.words.catalogue import pattern, po_files, read

CATALOGUES: dict[str, dict[str, Catalog]] = {}
for _language in LANGUAGES:
    CATALOGUES[_language] = {}
    for _file in po_files(_language):
        with _file.open("rb") as _stream:
            CATALOGUES[_language][_file.name] = read_po(_stream, locale=_language, ignore_obsolete=True, abort_invalid=True)
NAMES = sorted({name for books in CATALOGUES.values() for name in books})


def messages(language: str, name: str) -> dict[str, Message]:
    return {m.id if isinstance(m.id, str) else m.id[0]: m for m in CATALOGUES[language][name] if m.id}


def forms(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string or ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_program_reads_is_what_babel_reads(language: str) -> None:
    for file in po_files(language):
        mine = read(file)
        theirs = CATALOGUES[language][file.name]
        assert mine.plural.strip("()") == theirs.plural_expr.strip("()")
        assert dict(mine.said) == {key: forms(message) for key, message in messages(language, file.name).items()}


@pytest.mark.parametrize("name", NAMES)
def test_every_language_has_the_catalogue_and_the_same_keys(name: str) -> None:
    keys = {language: set(messages(language, name)) for language in LANGUAGES if name in CATALOGUES[language]}
    assert set(keys) == set(LANGUAGES), f"{name} exists only in {sorted(keys)}"
    first = keys[LANGUAGES[0]]
    for language, own in keys.items():
        assert own == first, f"{name} in {language}: missing {sorted(first - own)[:10]}, too many {sorted(own - first)[:10]}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_said_in_every_form(language: str, name: str) -> None:
    plural = get_plural(language)
    for key, message in messages(language, name).items():
        said = forms(message)
        assert said and all(said), f"{language} {name}: {key} is not translated"
        assert not message.fuzzy, f"{language} {name}: {key} is marked fuzzy"
        if message.pluralizable:
            assert len(said) == plural.num_plurals, f"{language} {name}: {key} needs {plural.num_plurals} forms"
        for sentence in said:
            pattern(sentence)
            assert sentence == sentence.strip(), f"{language} {name}: {key} has space at its ends"


@pytest.mark.parametrize("name", NAMES)
def test_placeholders_are_the_same_in_every_language(name: str) -> None:
    for key in messages(LANGUAGES[0], name):
        used = {}
        for language in LANGUAGES:
            message = messages(language, name)[key]
            # A plural form may leave its number out ("one coin"), but never a name.
            used[language] = {p for sentence in forms(message) for _, p in pattern(sentence) if p} - (
                {"n"} if message.pluralizable else set()
            )
        assert len({frozenset(names) for names in used.values()}) == 1, f"{name}: {key} has {used}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_rules_are_the_language_s_own(language: str) -> None:
    plural = get_plural(language)
    for name, catalog in CATALOGUES[language].items():
        assert catalog.num_plurals == plural.num_plurals, f"{language} {name}: Plural-Forms in its header"


def test_keys_are_not_in_two_catalogues() -> None:
    for language in LANGUAGES:
        seen: dict[str, str] = {}
        for name in CATALOGUES[language]:
            for key in messages(language, name):
                assert key not in seen, f"{language}: {key} is in {seen.get(key)} and {name}"
                seen[key] = name


def test_russian_is_russian() -> None:
    for name in CATALOGUES["ru"]:
        for key, message in messages("ru", name).items():
            words = re.sub(r"\{\w+\}", "", "".join(forms(message)))
            latin = re.findall(r"[A-Za-z]", words)
            assert len(latin) <= 6 or re.search(r"[А-Яа-яЁё]", words), f"{name}: {key} is not Russian: {words}"
