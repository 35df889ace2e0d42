"""Codes, addresses, and what the table says about a phone that did not arrive."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable

import make_vectors
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sync import join, lan
from companion.sync.join import JoinError, join_url, qr_matrix, qr_text, read_fragment, verdict
from companion.sync.lan import Found
from companion.sync.messages import MessageError, from_b64, to_b64
from companion.sync.sealing import Bond
from companion.table.journal import SeatKey
from companion.words import LANGUAGES, render

VECTORS = json.loads(make_vectors.FILE.read_text(encoding="utf-8"))
KEY = SeatKey("koi", 258, bytes(range(32)), held=False)


def test_a_url_is_read_back_and_agrees_with_the_vectors() -> None:
    url = join_url("192.0.2.7", 8788, "k3y5game", KEY)
    assert url == VECTORS["url"]
    assert read_fragment(url) == read_fragment(VECTORS["fragment"]) == Bond("k3y5game", "koi", 258, KEY.key)
    assert join_url("fe80::1", 80, "k3y5game", KEY).startswith("http://[fe80::1]:80/#1.")


def test_a_guests_code_is_read_too() -> None:
    assert read_fragment(join_url("table.local", 80, "k3y5game", SeatKey("guest", 0, KEY.key, held=True))).seat == "guest"


@pytest.mark.parametrize("fragment", VECTORS["bad_fragments"])
def test_bad_codes_are_refused_without_being_quoted(fragment: str) -> None:
    with pytest.raises(JoinError) as caught:
        read_fragment(fragment)
    assert make_vectors.b64(KEY.key)[:20] not in str(caught.value)


def test_a_code_of_another_protocol_says_so() -> None:
    with pytest.raises(JoinError, match="protocol 2, this table speaks 1"):
        read_fragment("#2.whatever")


@given(st.one_of(st.text(max_size=80), st.lists(st.text(max_size=12), min_size=5, max_size=5).map(".".join)))
def test_no_text_breaks_the_code_reader(text: str) -> None:
    try:
        bond = read_fragment(text)
    except JoinError:
        return
    assert len(bond.key) == 32


@given(st.binary(min_size=16, max_size=16))
def test_base64url_has_one_spelling(data: bytes) -> None:
    text = to_b64(data)
    assert from_b64(text, 16) == data
    for wrong in (text + "=", text + "==", text[:-1], text + "A", " " + text, text[:-1] + "é", text[:-1] + chr(ord(text[-1]) + 1)):
        with pytest.raises(MessageError, match="16 bytes in base64url"):
            from_b64(wrong, 16)


def test_a_code_has_the_corners_readers_look_for_and_error_correction_m() -> None:
    url = VECTORS["url"]
    matrix = qr_matrix(url)
    assert len(matrix) == len(matrix[0]) == 41  # version 6: 106 bytes at level M
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    for rows, columns in [((0, 7), (0, 7)), ((0, 7), (-7, None)), ((-7, None), (0, 7))]:
        corner = ["".join("01"[module] for module in row[columns[0] : columns[1]]) for row in matrix[rows[0] : rows[1]]]
        assert corner == finder
    # format information: the first two bits, unmasked with 10, are 00 for level M
    assert (matrix[8][0] ^ True, matrix[8][1] ^ False) == (False, False)


def test_a_code_as_text_is_the_same_code_with_a_light_border() -> None:
    url = VECTORS["url"]
    matrix, lines = qr_matrix(url), qr_text(url).split("\n")
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows = [[light[sign][half] for sign in line] for line in lines for half in (0, 1)]
    assert len(rows[0]) == 41 + 2 * join.QUIET
    inner = [row[join.QUIET : -join.QUIET] for row in rows[join.QUIET : join.QUIET + 41]]
    assert inner == [[int(not dark) for dark in row] for row in matrix]
    border = rows[: join.QUIET] + rows[join.QUIET + 41 :]
    assert all(all(row) for row in border)
    assert all(all(row[: join.QUIET] + row[-join.QUIET :]) for row in rows)


def test_text_no_code_can_hold_is_refused() -> None:
    with pytest.raises(JoinError, match="use a shorter host name"):
        qr_matrix("x" * 5000)


# -- addresses


def sources(*lists: list[Found]) -> Iterable[Callable[[], Iterable[Found]]]:
    return [lambda found=found: found for found in lists]


def test_addresses_come_likeliest_first_each_once_and_loopback_last() -> None:
    found = lan.addresses(
        sources(
            [("", "192.168.1.20"), ("", "192.168.1.20"), ("", "10.8.0.2")],
            [
                ("lo", "127.0.0.1"),
                ("docker0", "172.17.0.1"),
                ("eth1", "169.254.7.7"),
                ("wlan0", "192.168.1.20"),
                ("eth0", "10.0.0.5"),
                ("tun0", "10.8.0.2"),
                ("ppp0", "203.0.114.9"),
            ],
            [("", "127.0.1.1"), ("", "0.0.0.0"), ("", "224.0.0.1"), ("", "240.0.0.1"), ("", "nonsense"), ("", "10.0.0.5")],
        )
    )
    assert found == ["192.168.1.20", "10.0.0.5", "203.0.114.9", "10.8.0.2", "172.17.0.1", "169.254.7.7", "127.0.0.1"]


def test_a_computer_without_any_network_still_has_loopback() -> None:
    assert lan.addresses(sources([])) == ["127.0.0.1"]


def test_the_system_is_asked_and_never_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lan.addresses()[-1] == "127.0.0.1"
    assert ("lo", "127.0.0.1") in lan.interfaces()

    def refused(*_: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "if_nameindex", refused)
    assert (lan.routed(), lan.interfaces(), lan.named()) == ([], [], [])
    monkeypatch.setitem(__import__("sys").modules, "fcntl", None)
    assert lan.interfaces() == []


def test_what_the_own_name_leads_to_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [(socket.AF_INET, 1, 6, "", ("192.168.9.9", 0))])
    assert lan.named() == [("", "192.168.9.9")]


# -- the self-test


@pytest.mark.parametrize(
    ("seen", "greeted", "stage"),
    [
        ({}, None, "nothing"),
        ({"10.0.0.9": {"page": 99.0, "socket": 99.5}}, None, "nothing"),  # yesterday's
        ({"10.0.0.9": {"page": 101.0}}, None, "page"),
        ({"10.0.0.9": {"page": 101.0, "socket": 102.0}}, None, "greeting"),
        ({"10.0.0.9": {"page": 101.0, "socket": 102.0, "refused": 102.0}}, None, "refused"),
        ({"10.0.0.9": {"page": 101.0, "socket": 102.0, "refused": 102.0, "welcome": 103.0}}, None, "greeting"),
        ({"10.0.0.9": {"page": 101.0, "socket": 102.0}}, 99.0, "greeting"),
        ({"10.0.0.9": {"page": 101.0, "socket": 102.0}}, 103.0, "fine"),
        ({}, 103.0, "fine"),
    ],
)
def test_the_self_test_says_how_far_somebody_came(seen: dict[str, dict[str, float]], greeted: float | None, stage: str) -> None:
    found = verdict(seen, 100.0, greeted)
    assert found.stage == stage
    for language in LANGUAGES:
        assert not render(found.text, language).startswith("sync.")
