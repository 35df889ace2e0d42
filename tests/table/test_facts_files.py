"""Facts: data files, the owner's override, and the one hash of both."""

from __future__ import annotations

import contextlib
import io
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.facts import MAX_BYTES, FactsError, _read, digest, facts, load, merged

BASE: dict[str, Any] = {
    "mandates": {"recruit": {"copies": 2, "first": "left"}, "train": {"copies": 2, "first": "chooser", "only": True}},
    "seasons": {"played": {"order": ["spring", "summer"], "source": "x"}, "wars": {"players_3": 5, "source": "y"}, "note": "n"},
    "clans": {"clan": [{"id": "koi", "income": 5, "homes": ["edo"]}, {"id": "fox", "income": 4, "homes": [], "rank": 1.5}]},
    "edges": {"land": {"pairs": [["a", "b"]]}},
}


def over(text: str) -> dict[str, Any]:
    return merged(BASE, tomllib.loads(text), "mine.toml")


def faults(text: str) -> list[str]:
    with pytest.raises(FactsError) as caught:
        over(text)
    assert [str(f) for f in caught.value.faults] == str(caught.value).splitlines()
    return [str(f) for f in caught.value.faults]


def test_scalars_replace_and_all_else_stays() -> None:
    out = over("[mandates.recruit]\ncopies = 5")
    assert out["mandates"] == {"recruit": {"copies": 5, "first": "left"}, "train": BASE["mandates"]["train"]}
    assert out["clans"] == BASE["clans"]
    assert BASE["mandates"]["recruit"]["copies"] == 2


def test_lists_of_tables_merge_by_id_and_other_lists_are_replaced() -> None:
    out = over(
        '[[clans.clan]]\nid = "fox"\nincome = 6\nrank = 2\n[edges.land]\npairs = [["b", "c"], ["c", "a"]]\n[seasons.played]\norder = []'
    )
    assert out["clans"]["clan"] == [BASE["clans"]["clan"][0], {"id": "fox", "income": 6, "homes": [], "rank": 2}]
    assert out["edges"]["land"]["pairs"] == [["b", "c"], ["c", "a"]]
    assert out["seasons"]["played"]["order"] == []


def test_an_empty_list_takes_what_it_is_given() -> None:
    assert over('[[clans.clan]]\nid = "fox"\nhomes = ["oshu"]')["clans"]["clan"][1]["homes"] == ["oshu"]


def test_a_key_of_a_sister_may_be_new_but_not_a_stranger_s() -> None:
    assert over("[mandates.recruit]\nonly = true")["mandates"]["recruit"]["only"] is True
    assert over('[[clans.clan]]\nid = "koi"\nrank = 3.0')["clans"]["clan"][0]["rank"] == 3.0
    assert faults("[seasons.wars]\norder = []") == ["mine.toml, seasons.wars.order: there is no such key; write one of players_3, source"]
    assert "rank: it is Infinity" in faults('[[clans.clan]]\nid = "koi"\nrank = inf')[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[mandate.x]", "mine.toml, mandate: there is no data file of this name; did you mean mandates?"),
        ("zzz = 1", "mine.toml, zzz: there is no data file of this name; write one of clans, edges, mandates, seasons"),
        ("mandates = 1", "mine.toml, mandates: it is a whole number; write a table: [mandates]"),
        ("[mandates.recruit]\ncopys = 1", "mine.toml, mandates.recruit.copys: there is no such key; did you mean copies?"),
        ('[mandates.recruit]\ncopies = "2"', "mine.toml, mandates.recruit.copies: it is text; write a whole number, like 2"),
        ("[mandates.recruit]\ncopies = true", "mine.toml, mandates.recruit.copies: it is true or false; write a whole number, like 2"),
        ("[mandates.recruit]\ncopies = 2.0", "mine.toml, mandates.recruit.copies: it is a number; write a whole number, like 2"),
        (
            "[mandates]\nrecruit = 2",
            'mine.toml, mandates.recruit: it is a whole number; write a table, like {"copies": 2, "first": "left"}',
        ),
        ("[mandates.recruit]\ncopies = 99999999999999999999", "it is 99999999999999999999; write a usual number"),
        ("[seasons.played]\norder = [1]", "mine.toml, seasons.played.order[0]: it is a whole number; write text"),
        ("[seasons.played]\norder = 1979-05-27", "it is a date or time; write a list"),
        ("[edges.land]\npairs = [[nan]]", "mine.toml, edges.land.pairs[0][0]: it is NaN"),
        ("[edges.land]\npairs = [[{x = 1979-05-27}]]", "pairs[0][0].x: it is "),
        ('[[clans.clan]]\nid = "kio"', 'mine.toml, clans.clan[0].id: there is no "kio"; did you mean koi?'),
        ("[[clans.clan]]\nincome = 3", 'mine.toml, clans.clan[0]: it has no id; say which entry it changes: id = "koi"'),
        ("[clans]\nclan = [1]", "mine.toml, clans.clan[0]: it has no id"),
        ('[[clans.clan]]\nid = "koi"\n[[clans.clan]]\nid = "koi"', 'mine.toml, clans.clan[1].id: "koi" stands here twice; write one entry'),
    ],
)
def test_a_bad_override_is_refused_in_plain_words(text: str, told: str) -> None:
    assert told in faults(text)[0]


def test_all_faults_are_told_at_once() -> None:
    assert len(faults('[mandates.recruit]\ncopies = "x"\nzzz = 1\n[nothing]\n[[clans.clan]]\nid = "koi"\nincome = []')) == 4


def test_the_hash_is_of_the_facts_and_not_of_their_order() -> None:
    assert digest({"a": {"x": 1, "y": "ä"}}) == digest({"a": {"y": "ä", "x": 1}})
    assert digest({"a": 1}) != digest({"a": 2})
    assert facts(BASE).digest == digest(BASE)


def test_every_data_file_of_rising_sun_is_read() -> None:
    plain = load("rising_sun")
    assert "board" in plain.tables
    assert len(plain.digest) == 32


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff\xfe", "byte 0 is not UTF-8; save the file as UTF-8"),
        (b"a = ", "it is not TOML (Invalid value (at end of document)); mend that line"),
        (b"x" * (MAX_BYTES + 1), "it is longer than"),
        (b"a = " + b"[" * 20_000, "nested too deep"),
        (b"a = " + b"9" * 5000, "it is not TOML"),
    ],
)
def test_a_file_that_is_no_override_is_named(tmp_path: Path, data: bytes, told: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(data)
    with pytest.raises(FactsError, match=r"^mine\.toml: ") as caught:
        load("rising_sun", mine)
    assert told in str(caught.value)


def test_a_missing_file_or_game_is_named(tmp_path: Path) -> None:
    with pytest.raises(FactsError, match=r"nowhere\.toml: it cannot be read \(No such file or directory\); check the path"):
        load("rising_sun", tmp_path / "nowhere.toml")
    with pytest.raises(FactsError, match="there are no data files; name a game that is installed"):
        load("chess")


_values = st.recursive(
    st.one_of(st.integers(), st.floats(), st.text(max_size=5), st.booleans(), st.dates()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["id", "koi", "copies", "recruit", "clan", "pairs"]), inner, max_size=3),
    ),
    max_leaves=8,
)
_known = {key for table in BASE.values() for key in table} | {"id", "copies", "zzz"}


@given(
    st.dictionaries(
        st.sampled_from([*BASE, "zzz"]), st.one_of(_values, st.dictionaries(st.sampled_from(sorted(_known)), _values)), max_size=4
    )
)
def test_any_override_is_merged_or_refused_and_never_mixed_in(table: dict[str, Any]) -> None:
    before = digest(BASE)
    with contextlib.suppress(FactsError):
        out = merged(BASE, table, "mine.toml")
        assert out.keys() == BASE.keys()
        digest(out)
    assert digest(BASE) == before


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(FactsError):
        assert isinstance(_read(Bytes(data), "mine.toml"), dict)


class Bytes:
    """A file that is not on disk."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def open(self, _: str) -> io.BytesIO:
        return io.BytesIO(self.data)
