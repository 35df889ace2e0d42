"""The UID file: read with every fault named, written back as it was."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import Pebbles

from companion.table import games
from companion.table.figures import MAX_BYTES, Figures, FiguresError, Tag, load, parse

FILE = """# our box

04A1B2C3D4E5F6 koi/bushi 1
04:a1:b2:c3:d4:e5:f7 koi/bushi 2  # chipped
0411223344AABB place edo
0411223344AABC place edo
04AA11BB22CC33 oni_of_skulls
DEADBEEF koi/daimyo the old one
"""


def test_a_register_knows_figures_and_places() -> None:
    figures = parse(FILE)
    assert figures.tag("04a1b2c3d4e5f6") == Tag("04A1B2C3D4E5F6", "koi/bushi", "1")
    assert figures.tag("04-A1-B2-C3-D4-E5-F7") == Tag("04A1B2C3D4E5F7", "koi/bushi", "2", note="chipped")
    assert figures.tag("0411223344AABB") == Tag("0411223344AABB", place="edo")
    assert figures.tag("04AA11BB22CC33") == Tag("04AA11BB22CC33", "oni_of_skulls")
    assert figures.tag("DEADBEEF") == Tag("DEADBEEF", "koi/daimyo", "the old one")
    assert figures.tag("00000000000000") is None
    assert (len(figures), len(figures.tags())) == (6, 6)


def test_four_byte_uids_are_warned_about() -> None:
    assert [str(w) for w in parse(FILE).warnings] == [
        "line 8: DEADBEEF has only 4 bytes, and such UIDs are not unique: better use NTAG tags (7 bytes)"
    ]


def test_comments_and_order_are_written_back() -> None:
    text = parse(FILE).text()
    assert text == FILE.replace("04:a1:b2:c3:d4:e5:f7", "04A1B2C3D4E5F7")
    assert parse(text).text() == text


def test_tags_are_added_changed_and_removed() -> None:
    figures = parse(FILE)
    more = figures.with_tag(Tag("04000000000001", "lotus/bushi", "1"))
    assert more.text() == figures.text() + "04000000000001 lotus/bushi 1\n"
    changed = figures.with_tag(Tag("04A1B2C3D4E5F6", "koi/shinto", "1"))
    assert changed.text().splitlines()[2] == "04A1B2C3D4E5F6 koi/shinto 1"
    assert len(figures.without("04:A1:B2:C3:D4:E5:F6")) == 5
    with pytest.raises(FiguresError, match="the figure koi/bushi 2 stands in line 4 too"):
        figures.with_tag(Tag("04000000000001", "koi/bushi", "2"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("koi/bushi 1", "line 1: 'KOI/BUSHI' is no UID: write its 14 hex digits"),
        ("04A1 koi/bushi 1", "line 1: '04A1' is no UID"),
        ("\n08A1B2C3 koi/bushi 1", "line 2: 08A1B2C3 is random, a phone or bank card makes a new one each time: stick an NTAG tag"),
        ("04A1B2C3D4E5F6", "line 1: 04A1B2C3D4E5F6 names nothing: write the figure behind it, like 04A1B2C3D4E5F6 koi/bushi 1"),
        ("04A1B2C3D4E5F6 place", "is at a place: write one word for it, like place edo"),
        ("04A1B2C3D4E5F6 place edo 1", "is at a place: write one word for it"),
        (
            "04A1B2C3D4E5F6 koi/bushi 1\n# x\n04A1B2C3D4E5F6 koi/bushi 2",
            "line 3: the UID 04A1B2C3D4E5F6 stands in line 1 too: keep one of the two",
        ),
        (
            "04A1B2C3D4E5F6 koi/bushi 1\n04A1B2C3D4E5F7 koi/bushi 1",
            "line 2: the figure koi/bushi 1 stands in line 1 too: keep one of the two",
        ),
        ("04A1B2C3D4E5F6 koi/bishi 1", "line 1: there is no figure 'koi/bishi': did you mean koi/bushi?"),
        ("04A1B2C3D4E5F6 zzz", "line 1: there is no figure 'zzz': write one of koi/bushi, oni"),
        ("04A1B2C3D4E5F6 place oshi", "line 1: there is no place 'oshi': did you mean oshu?"),
    ],
)
def test_every_fault_is_named_by_its_line(text: str, told: str) -> None:
    with pytest.raises(FiguresError) as caught:
        parse(text, "tags.txt", kinds=("koi/bushi", "oni"), places=("edo", "oshu"))
    assert str(caught.value).startswith("tags.txt, line")
    assert told in str(caught.value)


def test_the_whole_box_may_be_written_down_whoever_plays() -> None:
    loaded = games.load("rising_sun")
    box = games.box(loaded.game)
    assert {"koi/bushi", "bonsai/daimyo", "turtle/stronghold", "oni_of_skulls"} <= set(box.kinds) and "koi/oni_of_skulls" not in box.kinds
    assert {"edo", "shrine.4", "reserve.dragonfly"} <= set(box.places) and "reserve" not in box.places
    state = loaded.game.start(("koi", "lotus", "turtle"), {})
    for place, kinds in loaded.game.placement(state).items():
        assert place in box.places and set(kinds) <= set(box.kinds)
    with pytest.raises(FiguresError, match=r"line 1: there is no figure 'koi/bushy': did you mean koi/bushi\?"):
        parse("04A1B2C3D4E5F6 koi/bushy 1", "tags.txt", box.kinds, box.places)
    with pytest.raises(FiguresError, match=r"line 1: there is no place 'qq': write one of .+, \.\.\."):
        parse("04A1B2C3D4E5F6 place qq", "tags.txt", box.kinds, box.places)


def test_of_a_game_that_is_not_this_house_s_nothing_is_known() -> None:
    assert games.box(Pebbles()) == games.Box()
    assert len(parse("04A1B2C3D4E5F6 anything at all", "tags.txt", *games.box(Pebbles()).kinds)) == 1


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(FiguresError) as caught:
        parse("x\ny\n04A1B2C3D4E5F6\n")
    assert [f.line for f in caught.value.faults] == [1, 2, 3]


def test_a_random_looking_long_uid_is_a_uid() -> None:
    assert len(parse("08A1B2C3D4E5F6 koi/bushi 1")) == 1


def test_a_file_is_loaded_and_saved_whole(tmp_path: Path) -> None:
    path = tmp_path / "tags.txt"
    path.write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    figures = load(path)
    figures.without("DEADBEEF").save(path)
    assert load(path).tag("DEADBEEF") is None
    assert [f.name for f in tmp_path.iterdir()] == ["tags.txt"]


def test_saving_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        parse(FILE).save(tmp_path / "nowhere" / "tags.txt")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        parse(FILE).save(tmp_path / "folder")
    assert [f.name for f in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"# fine\n\xff", "tags.txt, line 2: it is not UTF-8: save the file as UTF-8"),
        (b"#" * (MAX_BYTES + 1), "tags.txt: it is longer than"),
        (None, "tags.txt: it cannot be read (No such file or directory): check the path"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, data: bytes | None, told: str) -> None:
    path = tmp_path / "tags.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(FiguresError) as caught:
        load(path)
    assert str(caught.value).startswith(told)


_line = st.one_of(
    st.text(max_size=30),
    st.builds(
        " ".join,
        st.lists(
            st.sampled_from(["04A1B2C3D4E5F6", "04:A1:B2:C3:D4:E5:F7", "DEADBEEF", "place", "edo", "koi/bushi", "1", "#", "2"]), max_size=5
        ),
    ),
)


@given(st.lists(_line, max_size=8))
def test_any_text_is_read_or_refused_and_what_is_read_is_written_back(lines: list[str]) -> None:
    with contextlib.suppress(FiguresError):
        figures = parse("\n".join(lines))
        assert parse(figures.text()).tags() == figures.tags()
        assert parse(figures.text()).text() == figures.text()


def test_an_empty_register_knows_nothing() -> None:
    assert Figures().tag("04A1B2C3D4E5F6") is None
    assert (Figures().text(), len(parse("\n\n"))) == ("", 0)
