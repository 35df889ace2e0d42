"""Topics: what is well formed, what matches, what covers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.broker.topics import LEVELS, Tree, covers, filter_fault, matches, topic_fault

level = st.sampled_from(["a", "b", "", "$a"])
topics = st.lists(level, min_size=1, max_size=4).map("/".join).filter(bool)
filters = st.builds(
    lambda levels, rest: "/".join(levels + rest),
    st.lists(st.sampled_from(["a", "b", "", "+", "$a"]), max_size=4),
    st.sampled_from([[], ["#"]]),
).filter(bool)


@pytest.mark.parametrize(
    ("topic_filter", "topic", "expected"),
    [
        ("a/b", "a/b", True),
        ("a/b", "a", False),
        ("a", "a/b", False),
        ("a/#", "a", True),
        ("a/#", "a/b/c", True),
        ("#", "a/b", True),
        ("#", "/", True),
        ("+", "a", True),
        ("+", "/a", False),
        ("+/+", "/a", True),
        ("a/+", "a", False),
        ("a/+", "a/", True),
        ("a/+/c", "a/b/c", True),
        ("A", "a", False),
        ("#", "$SYS/x", False),
        ("+/x", "$SYS/x", False),
        ("$SYS/#", "$SYS/x", True),
        ("a/+", "a/$x", True),
    ],
)
def test_the_standards_own_examples_of_matching(topic_filter: str, topic: str, expected: bool) -> None:
    assert matches(topic_filter, topic) is expected
    tree: Tree[str] = Tree()
    tree.add(topic_filter, "me", 1)
    assert tree.find(topic) == ({"me": 1} if expected else {})


@pytest.mark.parametrize("bad", ["", "a/+/b", "#", "a#", "+a", "/" * LEVELS])
def test_a_topic_that_cannot_be_published_to_says_why(bad: str) -> None:
    assert topic_fault(bad)


@pytest.mark.parametrize("bad", ["", "a/#/b", "a#", "#a", "a/b+", "+a/b", "##", "++", "/" * LEVELS])
def test_a_filter_that_cannot_be_subscribed_to_says_why(bad: str) -> None:
    assert filter_fault(bad)


@pytest.mark.parametrize("good", ["a", "/", "//", "a/b", " ", "#", "+", "+/#", "a/+/#", "$SYS/#", "/" * (LEVELS - 1)])
def test_good_filters_are_taken(good: str) -> None:
    assert not filter_fault(good)


@pytest.mark.parametrize(
    ("allowed", "wanted"),
    [
        ("a/+", "a/#"),
        ("+", "#"),
        ("a/b", "a/+"),
        ("a/b", "#"),
        ("a", "a/#"),
        ("#", "$SYS/#"),
        ("+/x", "$SYS/x"),
        ("a/b/c", "a/b"),
        ("a/b", "a/b/c"),
    ],
)
def test_a_grant_does_not_cover_more_than_itself(allowed: str, wanted: str) -> None:
    assert not covers(allowed, wanted)


@pytest.mark.parametrize(
    ("allowed", "wanted"), [("a/#", "a/#"), ("a/#", "a"), ("a/#", "a/+/b"), ("#", "a/#"), ("a/+", "a/+"), ("a/+", "a/b"), ("$x/#", "$x/y")]
)
def test_a_grant_covers_what_lies_inside_it(allowed: str, wanted: str) -> None:
    assert covers(allowed, wanted)


@given(filters, filters, topics)
def test_what_is_covered_never_matches_a_topic_outside_the_grant(allowed: str, wanted: str, topic: str) -> None:
    if covers(allowed, wanted) and matches(wanted, topic):
        assert matches(allowed, topic)


@given(st.lists(st.tuples(filters, st.integers(0, 3), st.integers(0, 1)), max_size=8), st.data(), topics)
def test_the_tree_finds_what_matching_one_by_one_finds(entries: list[tuple[str, int, int]], data: st.DataObject, topic: str) -> None:
    tree: Tree[int] = Tree()
    held: dict[tuple[str, int], int] = {}
    for topic_filter, who, qos in entries:
        tree.add(topic_filter, who, qos)
        held[topic_filter, who] = qos
    for key in data.draw(st.lists(st.sampled_from(sorted(held)), max_size=4)) if held else []:
        tree.remove(*key)
        held.pop(key, None)
    expected: dict[int, int] = {}
    for (topic_filter, who), qos in held.items():
        if matches(topic_filter, topic):
            expected[who] = max(expected.get(who, 0), qos)
    assert tree.find(topic) == expected
    for key in held:
        tree.remove(*key)
    tree.remove("never/there", 1)
    assert not tree
