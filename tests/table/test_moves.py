"""Moves as the difference of two placements."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.moves import Moved, add, back, by_kind, difference, net, off_board, shifted

_places = st.dictionaries(
    st.sampled_from(("edo", "kyoto", "reserve.koi")), st.dictionaries(st.sampled_from(("koi/bushi", "oni")), st.integers(0, 3)).map(Counter)
)


def made(before: dict[str, Counter[str]], moves: tuple[Moved, ...]) -> dict[str, dict[str, int]]:
    """A placement after some moves, kind by kind."""
    found = {kind: dict(places) for kind, places in by_kind(before).items()}
    for move in moves:
        here = found.setdefault(move.kind, {})
        add(here, move.frm, -1)
        add(here, move.to, 1)
    return {kind: places for kind, places in found.items() if places}


@given(_places, _places)
def test_the_moves_make_the_one_of_the_other_and_there_are_none_to_spare(
    before: dict[str, Counter[str]], after: dict[str, Counter[str]]
) -> None:
    moves = difference(before, after)
    assert made(before, moves) == by_kind(after)
    assert all(move.frm != move.to for move in moves)
    assert not ({(m.kind, m.frm) for m in moves if m.frm} & {(m.kind, m.to) for m in moves if m.to}), "no piece goes round about"
    assert made(after, back(moves)) == by_kind(before)


@given(
    st.lists(st.builds(Moved, st.just("koi/bushi"), st.sampled_from(("", "edo", "kyoto", "oshu")), st.sampled_from(("", "edo", "kyoto"))))
)
def test_moves_one_after_the_other_are_one_move(moves: list[Moved]) -> None:
    plenty = {place: Counter({"koi/bushi": 50}) for place in ("edo", "kyoto", "oshu")}
    assert made(plenty, tuple(moves)) == made(plenty, net(moves))


def test_a_hint_says_which_piece_went_where() -> None:
    before = {"a": Counter({"x": 1}), "b": Counter({"x": 1})}
    after = {"c": Counter({"x": 1}), "d": Counter({"x": 1})}
    assert difference(before, after) == (Moved("x", "a", "c"), Moved("x", "b", "d"))
    hints = [("y", "a", "d"), ("x", "a", "d"), ("x", "a", "d")]
    assert difference(before, after, hints) == (Moved("x", "a", "d"), Moved("x", "b", "c"))
    assert back(difference(before, after, hints)) == (Moved("x", "c", "b"), Moved("x", "d", "a"))
    assert difference(before, before) == ()


def test_hints_are_looked_for_only_where_there_is_a_doubt() -> None:
    def never() -> None:
        pytest.fail("nobody had to look")
        yield

    assert difference({"a": Counter({"x": 1})}, {"b": Counter({"x": 1})}, never()) == (Moved("x", "a", "b"),)


def test_the_box_and_the_reserve_are_off_the_board() -> None:
    assert [place for place in ("", "reserve", "reserve.koi", "edo", "reserves") if off_board(place)] == ["", "reserve", "reserve.koi"]
    assert shifted({"a": 1}, "a", "") == {} and shifted({}, "", "a") == {"a": 1}
