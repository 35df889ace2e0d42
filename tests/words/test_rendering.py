"""Words: sentences in the reader's language, and whole views as finished trees."""

from __future__ import annotations

import contextlib
import logging
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from companion.rules.game import Choice, Gesture, Prompt, View
from companion.rules.view import Card, Counter, Curtain, Line, Section, Stack, Step, Table, Text, Track, Wait, Zone
from companion.words import PSEUDO, Memo, nearest, render, rendered, rendering
from companion.words.catalogue import Book, book, gather, pattern, po_files, read, stretched

RU = "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {}\\n"\n\n'


def a_book(tmp_path: Any, body: str, language: str = "ru", spare: Book | None = None) -> Book:
    path = tmp_path / "toy.po"
    path.write_text(HEAD.format(RU if language == "ru" else "nplurals=2; plural=(n != 1);") + body, encoding="utf-8")
    return gather(language, [path], spare)


def test_a_sentence_takes_numbers_names_and_nested_texts(tmp_path: Any) -> None:
    words = a_book(tmp_path, 'msgid "go"\nmsgstr "{who} идёт в {place}: {n} {{раз}}"\n\nmsgid "edo"\nmsgstr "Эдо"\n')
    assert words.say(Text("go", {"who": "Кои", "place": Text("edo"), "n": 3})) == "Кои идёт в Эдо: 3 {раз}"


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (0, "0 монет"),
        (1, "1 монета"),
        (2, "2 монеты"),
        (5, "5 монет"),
        (11, "11 монет"),
        (21, "21 монета"),
        (-1, "-1 монета"),
        ("?", "? монет"),
    ],
)
def test_russian_chooses_its_plural_by_n(tmp_path: Any, n: int | str, said: str) -> None:
    body = 'msgid "coins"\nmsgid_plural "coins"\nmsgstr[0] "{n} монета"\nmsgstr[1] "{n} монеты"\nmsgstr[2] "{n} монет"\n'
    assert a_book(tmp_path, body).say(Text("coins", {"n": n})) == said


@pytest.mark.logs_errors
def test_a_missing_key_is_said_as_the_key_and_told_once(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    words = a_book(tmp_path, "")
    with caplog.at_level(logging.ERROR):
        assert [words.say(Text("no.such")) for _ in range(3)] == ["no.such"] * 3
    assert [r.getMessage() for r in caplog.records] == ["catalogue ru has no sentence for the key no.such"]


@pytest.mark.logs_errors
def test_a_gap_is_filled_with_english(tmp_path: Any) -> None:
    english = a_book(tmp_path, 'msgid "go"\nmsgstr "Go"\n', "en")
    russian = a_book(tmp_path, 'msgid "stay"\nmsgstr ""\n', "ru", english)
    assert russian.say(Text("go")) == "Go"
    assert russian.say(Text("stay")) == "stay"


@pytest.mark.logs_errors
def test_a_missing_argument_is_said_as_its_name_and_told_once(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    words = a_book(tmp_path, 'msgid "go"\nmsgstr "to {place}"\n', "en")
    assert words.say(Text("go")) == words.say(Text("go")) == "to {place}"
    assert len(caplog.records) == 1


@pytest.mark.logs_errors
def test_a_broken_file_or_sentence_is_left_out_and_told(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    bad = tmp_path / "a.po"
    bad.write_text("this is no catalogue\n", encoding="utf-8")
    good = tmp_path / "b.po"
    good.write_text(
        HEAD.format("nplurals=2; plural=(n != 1);") + 'msgid "x"\nmsgstr "{a!r}"\n\nmsgid "y"\nmsgstr "why"\n', encoding="utf-8"
    )
    again = tmp_path / "c.po"
    again.write_text(HEAD.format("nplurals=2; plural=(n != 1);") + 'msgid "y"\nmsgstr "other"\n', encoding="utf-8")
    words = gather("en", [bad, good, again, tmp_path / "missing.po"])
    assert words.say(Text("y")) == "why"
    told = " ".join(r.getMessage() for r in caplog.records)
    assert "a.po is left out" in told and "missing.po is left out" in told
    assert "placeholder {a}" in told and "the key y twice" in told


def test_a_placeholder_is_a_plain_name() -> None:
    assert pattern("a {b} c {d}") == (("a ", "b"), (" c ", "d"))
    for bad in ("{}", "{0}", "{a.b}", "{a!r}", "{a:3}", "{", "}"):
        with pytest.raises(ValueError, match=r"."):
            pattern(bad)


@pytest.mark.parametrize(
    ("wanted", "got"), [("ru", "ru"), ("ru-RU", "ru"), ("RU_ru", "ru"), ("en-GB", "en"), ("de", "en"), ("", "en"), (PSEUDO, PSEUDO)]
)
def test_the_nearest_language_is_found(wanted: str, got: str) -> None:
    assert nearest(wanted) == got
    assert book(wanted).language == got


def test_no_such_language_has_no_files() -> None:
    assert list(po_files("tlh")) == []


def test_pseudo_is_at_least_forty_percent_longer_and_keeps_placeholders() -> None:
    english, pseudo = book("en"), book(PSEUDO)
    assert set(english.forms) == set(pseudo.forms)
    for key, forms in english.forms.items():
        for plain, long in zip(forms, pseudo.forms[key], strict=True):
            assert [name for _, name in plain] == [name for _, name in long]
            for (words, _), (more, _) in zip(plain, long, strict=True):
                assert len(more) >= len(words) * 1.4 or not words.strip()


@given(st.text())
def test_stretching_never_fails(words: str) -> None:
    assert len(stretched(words)) >= len(words)


@given(st.binary(max_size=200))
def test_a_catalogue_of_any_bytes_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.po"
    path.write_bytes(data)
    with contextlib.suppress(OSError, ValueError):
        read(path)


def test_a_catalogue_that_is_silent_of_plurals_counts_as_english_does(tmp_path: Any) -> None:
    path = tmp_path / "toy.po"
    path.write_text('msgid "x"\nmsgid_plural "x"\nmsgstr[0] "one"\nmsgstr[1] "many"\n', encoding="utf-8")
    assert [gather("en", [path]).say(Text("x", {"n": n})) for n in (1, 2)] == ["one", "many"]


class Place(Struct, frozen=True, tag="place", tag_field="do", omit_defaults=True):
    seat: str
    frm: str = msgspec.field(name="from", default="reserve")
    amounts: dict[str, int] = {}
    flags: tuple[int, ...] = ()


def a_view(log: int = 2) -> View:
    sections = (
        Section("track", Text("T"), (Track("track", Text("T"), (Step("mandate.1", Text("M"), state="now"), Step("kami.1", Text("K")))),)),
        Section("board", Text("B"), (Zone("edo", Text("E"), (Stack("koi/bushi", 2, Text("S"), seat="koi"),), badge="1"),)),
        Section(
            "private", Text("P"), (Curtain("drawn", Text("D"), (Card("t1", Text("C"), face=False), Card("t2", Text("C"), Text("X")))),)
        ),
        Section("more", Text("O"), (Counter("deck", Text("N"), None), Table("t", Text("W"), (Text("H"),), ((Text("R"), 3),)))),
    )
    choice = Choice(Place("koi", amounts={"a": 1}), Text("C"), (Gesture("koi/bushi", "reserve.koi", "edo"),), mark="figure/bushi")
    prompts = (Prompt("koi", Text("Q"), "RS-1", (choice, choice), private=True),)
    return View(Text("V"), Text("U"), sections, prompts, (Wait("koi", Text("Q")),), tuple(Line(Text("L"), "RS-2") for _ in range(log)))


def replaced(tree: Any) -> Any:
    """What ``to_builtins`` says, with every bare Text replaced by its key."""
    if isinstance(tree, dict):
        if tree.keys() <= {"key", "args"} and "key" in tree:
            return tree["key"]
        return {k: replaced(v) for k, v in tree.items()}
    return [replaced(item) for item in tree] if isinstance(tree, (list, tuple)) else tree


@pytest.mark.logs_errors
def test_a_view_is_rendered_as_msgspec_would_write_it() -> None:
    view = a_view()
    assert rendered(view, "en") == replaced(msgspec.to_builtins(view, order="deterministic"))
    assert msgspec.json.decode(msgspec.json.encode(rendered(view, "en"))) == rendered(view, "en")


@pytest.mark.logs_errors
def test_public_sections_are_rendered_once_a_revision_and_language() -> None:
    one, memo = a_view(), Memo()
    other = msgspec.structs.replace(one, prompts=(), log=())
    first, second = rendered(one, "en", memo), rendered(other, "en", memo)
    assert all(a is b for a, b in zip(first["sections"], second["sections"], strict=True))
    assert rendered(one, "ru", memo)["sections"][0] is not first["sections"][0]


@pytest.mark.logs_errors
def test_what_was_rendered_is_kept_over_revisions_and_what_is_not_asked_for_any_more_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "MOST", 8)
    one, memo = a_view(), Memo()
    first = rendered(one, "en", memo)
    again = rendered(msgspec.structs.replace(one, title=Text("other")), "en", memo)
    assert all(a is b for a, b in zip(first["sections"], again["sections"], strict=True))
    for i in range(40):
        rendered([Line(Text("said"), id=f"{i}.{n}") for n in range(4)], "en", memo)
        assert rendered(one, "en", memo)["sections"] == first["sections"]
    for i in range(40):
        rendered([Line(Text("said"), id=f"late.{i}.{n}") for n in range(4)], "en", memo)
    assert len(memo["en"]) + len(memo["en"]._before) <= 2 * (8 + 4)


def test_other_builtins_go_through() -> None:
    assert rendered([{"a": (1, None, 2.5, True)}, MappingProxyType({"b": 1}), b"\x01"], "en") == [
        {"a": [1, None, 2.5, True]},
        {"b": 1},
        "AQ==",
    ]


class Pair(Struct, array_like=True):
    a: int
    b: int


class Plainly(Struct, tag=True):
    a: int = 1


def test_arrays_and_plain_tags_are_written_as_msgspec_has_them() -> None:
    assert rendered((Pair(1, 2), Plainly()), "en") == [[1, 2], {"type": "Plainly", "a": 1}]


def test_render_finds_the_language() -> None:
    assert render(Text("table.stale"), "en") != render(Text("table.stale"), "ru-RU")
