"""Players' names stand beside their seats in every view, and nowhere else."""

from __future__ import annotations

from companion.rules.view import Counter, Section, Text
from companion.table.nameplates import Nameplates
from companion.table.setup import Setup
from companion.words import render, rendered

ROWS = tuple(Section(seat, Text("table.raw", {"id": seat})) for seat in ("koi", "lotus"))
SECTIONS = (
    Section("seats", Text("table.raw", {"id": "Seats"}), (*ROWS, Counter("n", Text("table.raw", {"id": "N"}), 1))),
    Section("more", Text("x"), ROWS),
)


def test_a_name_stands_beside_its_seat() -> None:
    seats, more = Nameplates(Setup({"koi": "Анна"})).on(SECTIONS)
    assert [getattr(node, "who", "") for node in seats.nodes] == ["Анна", "", ""]
    assert more is SECTIONS[1] and seats.nodes[1] is ROWS[1]


def test_what_has_not_changed_is_the_same_object_again() -> None:
    plates = Nameplates(Setup({"koi": "Анна"}))
    assert plates.on(SECTIONS)[0] is plates.on(SECTIONS)[0]
    assert Nameplates(Setup()).on(SECTIONS) == SECTIONS


def test_a_bot_is_called_one_in_the_reader_s_language() -> None:
    seats, _ = Nameplates(Setup({"koi": "Анна"}, bots=("koi", "lotus"))).on(SECTIONS)
    assert [render(node.who, "en") for node in seats.nodes if isinstance(node, Section)] == ["Анна (bot)", "(bot)"]
    assert render(seats.nodes[1].who, "ru") == "(бот)"
    assert rendered(seats, "ru")["nodes"][0]["who"] == "Анна (бот)", "what a phone is sent"
