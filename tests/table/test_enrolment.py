"""The box gone through piece by piece: what a tag means, what is asked, and that no number is ever on two things."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pebbles import Pebbles

from companion.rules.view import Text
from companion.table import games
from companion.table.box import Item, contents, fitting, kindred, missing
from companion.table.enrolment import Enrolment, Roll, names
from companion.table.figures import Figures, Tag, parse
from companion.words import render

SEATS = ("koi", "lotus", "turtle")
A, B, C, PHONE, CARD, CUT = "04A1B2C3D4E5F6", "04000000000002", "04000000000003", "08112233", "11223344", "88112233"


@pytest.fixture(scope="module")
def box() -> tuple[Item, ...]:
    return contents(games.load("rising_sun").game, SEATS)


def said(machine: Enrolment | Roll, lang: str = "en") -> str:
    assert machine.said is not None
    return render(machine.said, lang)


def test_the_box_has_every_piece_by_name_and_every_place(box: tuple[Item, ...]) -> None:
    words = [render(item.text, "en") for item in box]
    assert words[:3] == ["Koi Daimyo", "Koi Bushi 1", "Koi Bushi 2"]
    assert ("Lotus Shinto 1" in words and "Edo" in words and len(words) == len(set(words))) or words.count("Shrine 1") <= 1
    assert {render(item.group, "ru") for item in box if item.group} == {"Кои", "Лотос", "Черепаха", "Чудовища", "Места"}
    assert sum(not item.place and not item.seat for item in box) > 5  # the monsters wait in the box
    assert not [item for item in contents(games.load("rising_sun").game, SEATS, places=False) if item.place]


def test_a_game_that_does_not_say_has_what_lies_on_the_table() -> None:
    class Plain(Pebbles):
        def placement(self, _state: object) -> dict[str, dict[str, int]]:
            return {"edo": {"koi/pebble": 2}, "reserve.koi": {"koi/pebble": 1, "fox": 1}}

    items = contents(Plain(), ("koi", "lotus"))
    assert [(item.kind, item.name) for item in items if item.kind] == [
        ("fox", ""),
        ("koi/pebble", "1"),
        ("koi/pebble", "2"),
        ("koi/pebble", "3"),
    ]
    assert kindred(Plain(), ("koi", "lotus"))["fox"].text == Text("table.raw", {"id": "fox"})


def test_each_tap_is_the_piece_that_was_asked_for(box: tuple[Item, ...]) -> None:
    machine = Enrolment.begin(box, Figures())
    assert machine.item == box[0] and (machine.done, machine.total) == (0, len(box))
    machine = machine.tap("04:a1:b2:c3:d4:e5:f6")
    assert (said(machine), machine.tone, machine.item) == ("Koi Daimyo: done.", "ok", box[1])
    machine = machine.tap(B)
    assert machine.figures.text() == f"{A} koi/daimyo\n{B} koi/bushi 1\n"
    assert machine.done == 2 and len(machine.missing()) == len(box) - 2


def test_a_tag_that_still_lies_there_is_no_duplicate(box: tuple[Item, ...]) -> None:
    machine = Enrolment.begin(box, Figures()).tap(A).tap(A)
    assert machine.question is None and said(machine) == "This is Koi Daimyo, and done. Lift it, then tap Koi Bushi 1."


def test_a_tag_of_another_piece_is_asked_about(box: tuple[Item, ...]) -> None:
    machine = Enrolment.begin(box, Figures()).tap(A).tap(B).tap(A)
    assert machine.question is not None and machine.question.uid == A
    assert said(machine) == "This tag is already Koi Daimyo. Is it to be Koi Bushi 2 from now on?"
    kept = machine.answer(yes=False)
    assert kept.question is None and kept.figures.text() == machine.figures.text() and said(kept) == "Nothing was changed."
    taken = machine.answer(yes=True)
    assert taken.figures.text() == f"{B} koi/bushi 1\n{A} koi/bushi 2\n" and taken.done == 2
    assert taken.answer(yes=True) is taken


def test_a_piece_that_has_a_tag_gets_another_only_when_asked(box: tuple[Item, ...]) -> None:
    machine = Enrolment.begin(box, Figures()).tap(A).back().tap(B)
    assert said(machine) == f"Koi Daimyo has the tag {A} already. Use this new one instead?"
    assert machine.answer(yes=True).figures.text() == f"{B} koi/daimyo\n"
    assert machine.answer(yes=False).figures.text() == f"{A} koi/daimyo\n"
    same = Enrolment.begin(box, Figures()).tap(A).back().tap(A)
    assert same.question is None and said(same) == "This is Koi Daimyo." and same.item == box[1]


@pytest.mark.parametrize(
    ("uid", "words"), [(PHONE, "random number from a phone"), (CUT, "first half"), ("XYZ", "no tag number"), ("0" * 6, "no tag")]
)
def test_what_cannot_mark_a_figure_is_explained_and_changes_nothing(box: tuple[Item, ...], uid: str, words: str) -> None:
    machine = Enrolment.begin(box, Figures()).tap(uid)
    assert machine.tone == "refused" and words in said(machine) and machine.done == 0 and machine.item == box[0]
    assert "номер" in said(machine, "ru")


def test_four_bytes_are_taken_with_a_warning(box: tuple[Item, ...]) -> None:
    machine = Enrolment.begin(box, Figures()).tap(CARD)
    assert (machine.tone, machine.done) == ("careful", 1) and "only 4 bytes" in said(machine)


def test_pieces_may_be_left_out_and_come_back(box: tuple[Item, ...]) -> None:
    few = box[:3]
    machine = Enrolment.begin(few, Figures()).skip().tap(A).skip()
    assert machine.item is None and [render(i.text, "en") for i in machine.missing()] == ["Koi Daimyo", "Koi Bushi 2"]
    assert machine.skip().item is None
    assert "on no figure yet" in said(machine.tap(B)) and said(machine.tap(A)) == "This is Koi Bushi 1."
    again = machine.again()
    assert again.item == few[0]
    assert again.go(2).item == few[2] and again.go(9) is again and again.back().item == few[0]
    assert machine.go(1).forget().done == 0 and machine.go(0).forget().done == 1
    assert machine.tap(A).answer(yes=True).done == 1


def test_places_have_tags_too(box: tuple[Item, ...]) -> None:
    edo = next(i for i, item in enumerate(box) if item.place == "edo")
    machine = Enrolment.begin(box, Figures()).go(edo).tap(A)
    assert machine.figures.text() == f"{A} place edo\n"
    machine = machine.go(0).tap(A)
    assert said(machine).startswith("This tag is already Edo.")
    assert machine.answer(yes=True).figures.text() == f"{A} koi/daimyo\n"


def test_a_file_with_names_of_its_own_is_understood(box: tuple[Item, ...]) -> None:
    figures = parse(f"# mine\n{A} koi/bushi red\n{B} koi/daimyo 1  # gold\n{C} fox/bushi 1\n")
    machine = Enrolment.begin(box, figures)
    assert machine.done == 2 and machine.item is not None and machine.item.name == "2"
    assert render(names(missing(box, figures))[0][0], "en") == "Koi Bushi 2" and names(missing(box, figures))[1] > 20
    asked = machine.go(0).tap(C)
    assert said(asked) == f"Koi Daimyo has the tag {B} already. Use this new one instead?" or "already fox/bushi 1" in said(asked)
    replaced = machine.go(1).tap("0400000000000A").answer(yes=True)
    assert replaced.figures.tag("0400000000000A") == Tag("0400000000000A", "koi/bushi", "red")
    assert replaced.figures.text().startswith("# mine\n")


def test_the_roll_call_names_what_nobody_has_seen(box: tuple[Item, ...]) -> None:
    figures = parse(f"{A} koi/daimyo\n{B} koi/bushi 1\n{C} fox/bushi 1\n")
    roll = Roll(box, figures).tap(A)
    assert said(roll) == "Koi Daimyo is here." and [render(i.text, "en") for i in roll.missing()] == ["Koi Bushi 1"]
    assert said(roll.tap(A)) == "Koi Daimyo is here, and was counted before."
    assert "does not play" in said(roll.tap(C)) and "on no figure of the file" in said(roll.tap(CARD))
    assert roll.tap(B).missing() == () and len(roll.untagged()) > 20


STEPS = st.one_of(
    st.tuples(st.just("tap"), st.sampled_from([A, B, C, PHONE, CARD, CUT, *(f"0400000000001{n}" for n in range(6))])),
    st.tuples(st.just("answer"), st.booleans()),
    st.tuples(st.just("go"), st.integers(-1, 8)),
    st.tuples(st.sampled_from(["skip", "back", "again", "forget"]), st.none()),
)


@given(
    st.lists(STEPS, max_size=25), st.sampled_from(["", f"{A} koi/bushi red\n{B} place edo\n", f"{C} fox/bushi 1\n{CARD} koi/daimyo 1\n"])
)
def test_no_number_is_ever_on_two_things_and_beginning_again_goes_on(steps: list[tuple[str, object]], before: str) -> None:
    items = FEW
    machine = Enrolment.begin(items, parse(before))
    for verb, arg in steps:
        old = machine
        if verb == "tap":
            machine = machine.tap(str(arg))
        elif verb == "answer":
            machine = machine.answer(yes=bool(arg))
        elif verb == "go":
            machine = machine.go(int(str(arg)))
        else:
            machine = getattr(machine, verb)()
        assert verb in {"tap", "answer", "forget"} or machine.figures is old.figures
        assert machine.done >= old.done - (1 if verb == "forget" else 0) or machine.question is None
    uids = [tag.uid for tag in machine.figures.tags()]
    assert len(uids) == len(set(uids)) and PHONE not in uids and CUT not in uids
    back = parse(machine.figures.text())  # raises where a UID or figure stands twice
    again = Enrolment.begin(items, back)
    assert (again.done, again.tags, again.missing()) == (machine.done, machine.tags, machine.missing())
    assert again.item == machine.again().item
    assert fitting(items, back) == fitting(items, machine.figures)


FEW = tuple(
    Item(Text("table.raw", {"id": kind + name + place}), kind, name, place)
    for kind, name, place in [
        ("koi/daimyo", "", ""),
        *(("koi/bushi", str(n), "") for n in (1, 2, 3)),
        ("fox", "", ""),
        ("", "", "edo"),
        ("", "", "kyoto"),
    ]
)
