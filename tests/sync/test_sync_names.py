"""Topics and who may what: refused unless listed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sync.topics import Topics, allowed, game_of, is_game_id, is_seat, read_user, seat_user

GAME = "k3y5game"
T = Topics(GAME)


def test_users_are_read_as_they_are_written() -> None:
    assert read_user(seat_user("koi", 3)) == ("koi", 3)
    for text in ("koi", "koi.", ".3", "koi.03", "koi.65536", "koi.-1", "KOI.3", "table.1", "guest.1", "koi.3.4", "koi.3\n", "ko/i.3"):
        assert read_user(text) is None


def test_names_that_could_trip_a_topic_are_none() -> None:
    assert is_game_id(GAME)
    for text in ("", "short", "UPPER123", "with/sla", "with+plu", "k3y5game\n"):
        assert not is_game_id(text)
    assert is_seat("moon_2")
    for text in ("", "table", "guest", "a/b", "#", "+", "Koi", "a" * 33, "koi\n"):
        assert not is_seat(text)


def test_topics_are_read_back() -> None:
    assert T.seat_of_up(T.up("koi")) == "koi"
    assert T.who_of_presence(T.presence("koi")) == "koi"
    assert T.who_of_presence(T.presence("table")) == "table"
    for topic in (T.down("koi"), T.up("a/b"), T.up("+"), T.up(""), T.open, T.base + "/seat/up", Topics("othergam").up("koi"), ""):
        assert T.seat_of_up(topic) is None
        assert T.who_of_presence(topic) is None
    assert T.who_of_presence(T.presence("guest")) is None
    assert T.every_up == T.up("+")


def test_the_game_of_any_topic() -> None:
    assert game_of(T.open) == GAME
    assert game_of(Topics("othergam").down("x")) == "othergam"
    for topic in ("", "jinmaku/1", f"jinmaku/1/{GAME}", f"jinmaku/2/{GAME}/open", f"other/1/{GAME}/open", "jinmaku/1/NOTAGAME/open"):
        assert game_of(topic) is None


EVERYTHING = [
    *(T.up("koi"), T.down("koi"), T.up("lotus"), T.down("lotus"), T.open, T.presence("koi"), T.presence("lotus"), T.presence("table")),
    *("#", "+/+/#", "$SYS/#", f"{T.base}/#", f"{T.base}/seat/#", T.down("+"), T.up("+"), T.every_presence, f"{T.base}/+", f"{T.base}/+/+"),
    *(Topics("othergam").open, Topics("othergam").down("koi"), Topics("othergam").presence("koi"), "$SYS/broker/uptime", "jinmaku/1", ""),
]
SEAT = (
    {("sub", topic) for topic in (T.down("koi"), T.open, T.every_presence)}
    | {(do, T.presence(who)) for who in ("koi", "lotus", "table") for do in ("sub", "get")}
    | {("get", topic) for topic in (T.down("koi"), T.open)}
    | {("pub", topic) for topic in (T.up("koi"), T.presence("koi"))}
)


@pytest.mark.parametrize("action", ["pub", "sub", "get", "will", ""])
@pytest.mark.parametrize("topic", EVERYTHING)
def test_a_seat_and_a_guest_may_exactly_what_is_listed(action: str, topic: str) -> None:
    assert allowed(GAME, "koi.3", action, topic) == ((action, topic) in SEAT)
    assert allowed(GAME, "guest", action, topic) == (action in {"sub", "get"} and topic == T.open)
    assert not allowed(GAME, "", action, topic)
    assert not allowed(GAME, "koi", action, topic)


def test_the_table_may_all_of_ours_and_nothing_else() -> None:
    assert allowed(GAME, "table", "sub", "jinmaku/1/+/open")
    assert allowed(GAME, "table", "pub", T.down("koi"))
    assert not allowed(GAME, "table", "sub", "#")
    assert not allowed(GAME, "table", "sub", "$SYS/#")


@given(st.text(max_size=40), st.sampled_from(["pub", "sub", "get"]), st.text(max_size=60))
def test_no_text_breaks_the_access_list(user: str, action: str, topic: str) -> None:
    assert allowed(GAME, user, action, topic) in {True, False}
    T.seat_of_up(topic)
    T.who_of_presence(topic)
    game_of(topic)
