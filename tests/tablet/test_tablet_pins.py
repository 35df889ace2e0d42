"""PINs, and what the table itself asks, without a window."""

from __future__ import annotations

from tablet_picture import raw, summon, update
from tablet_scenes import scenes

from companion.rules.game import Choice, Prompt, SetCounter
from companion.rules.view import Text
from companion.table.commands import Correct, Undo
from companion.tablet import house
from companion.tablet.drawing import packaged, parse
from companion.tablet.pins import Pins


def typed(pins: Pins, digits: str, seat: str = "koi") -> list[bool]:
    return [pins.digit(seat, sign) for sign in digits]


def test_a_pin_is_typed_twice_and_then_asked_for() -> None:
    pins = Pins()
    assert typed(pins, "1234") == [False] * 4 and not pins.has("koi")
    assert typed(pins, "1234") == [False, False, False, True]
    assert pins.has("koi") and not pins.shut("koi")  # whoever set it may look
    pins.lock()
    assert pins.shut("koi") and not pins.shut("lotus")
    assert typed(pins, "1235")[-1] is False and pins.wrong == "pin_wrong" and pins.shut("koi")
    assert typed(pins, "12<23")[-1] is False and pins.wrong == "" and pins.typed == "123"
    assert typed(pins, "4") == [True] and not pins.shut("koi")


def test_two_different_tries_set_nothing() -> None:
    pins = Pins()
    typed(pins, "1234")
    assert typed(pins, "1243")[-1] is False and pins.wrong == "pin_differ" and not pins.has("koi")


def test_a_forgotten_pin_is_taken_away() -> None:
    pins = Pins()
    typed(pins, "11111111")
    pins.forget("koi")
    assert not pins.has("koi") and not pins.shut("koi") and pins.passed == ""
    pins.forget("koi")  # and again: nothing to take


def undo(seat: str, first: int, *, alone: bool = True) -> Prompt:
    key = "table.undo" if alone else "table.undo_ask"
    choice = Choice(Undo(seat, first, 9), Text(key, {"what": raw(f"row {first}")}), mark="ui/undo")
    return Prompt(seat, Text("table.take_back"), "", (choice,), optional=True)


def test_undo_takes_back_the_newest_command_for_whoever_may_do_so_alone() -> None:
    found = house.newest({"koi": (summon(), undo("koi", 8, alone=False)), "lotus": (undo("lotus", 8),)}, "koi")
    assert found is not None and found.seat == "lotus" and found.alone and found.what == raw("row 8")


def test_where_nobody_may_alone_the_asked_seat_asks_the_others() -> None:
    found = house.newest({"koi": (undo("koi", 8, alone=False),), "lotus": (undo("lotus", 8, alone=False), undo("lotus", 5))}, "koi")
    assert found is not None and found.seat == "koi" and not found.alone
    assert house.newest({"koi": (summon(),)}, "koi") is None
    assert house.newest({"lotus": (undo("lotus", 8, alone=False),)}, "koi") is None


def test_what_differs_is_read_place_by_place() -> None:
    view = scenes()["differs"].open
    assert house.differs(view) and len(house.moves(view)) == 1
    places = house.places(view)
    assert {place.place for place in places} >= {"kyoto"}
    assert not house.differs(update(summon()).open) and house.places(update(summon()).open) == ()


def test_a_number_set_right_begins_where_it_stands() -> None:
    assert house.values(Correct("table", (SetCounter("koi", "coins", 7),))) == {"coins": 7}
    assert house.values(Undo("koi", 1, 2)) == {}


def test_a_finger_means_the_lit_place_beside_a_dark_border_and_two_where_both_are_lit() -> None:
    drawing = parse(packaged("rising_sun"))
    assert drawing is not None
    border = next(edge for edge in drawing.border if set(edge.between) == {"kyoto", "oshu"})
    x, y = border.line[len(border.line) // 2]
    east, west = (x + 12, y), (x - 12, y)
    near = 90.0
    assert {drawing.at(*east, near), drawing.at(*west, near)} == {"oshu", "kyoto"}
    assert drawing.at(*east, near, frozenset({"kyoto"})) == "kyoto" == drawing.at(*west, near, frozenset({"kyoto"}))
    assert len(drawing.meant(*east, near, frozenset({"kyoto", "oshu"}))) == 2
    middle = drawing.zone["oshu"].figures[0]
    assert drawing.meant(*middle, near, frozenset({"kyoto", "oshu"})) == ("oshu",)
    assert drawing.meant(-9999, -9999, near) == ()
