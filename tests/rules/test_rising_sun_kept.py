"""What is made once and kept."""

from __future__ import annotations

from companion.rules.rising_sun.kept import Kept, keep


def test_what_was_made_is_the_same_object_the_next_time():
    made = []

    @keep
    def pair(a: str, b: int) -> list[object]:
        """A pair."""
        made.append((a, b))
        return [a, b]

    assert pair["a", 1] == ["a", 1]
    assert pair["a", 1] is pair["a", 1]
    assert made == [("a", 1)]
    assert pair.__doc__ == "A pair."


def test_full_it_begins_anew_and_never_grows_beyond():
    kept = Kept(lambda a, b: a + b, most=2)
    assert [kept[1, 1], kept[1, 2], kept[1, 3], kept[1, 1]] == [2, 3, 4, 2]
    assert len(kept) == 2
