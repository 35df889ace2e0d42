"""What the table itself asks is seen while a curtain is open: nothing private is shown by it, and the curtain stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from tablet_ink import faults, written
from tablet_picture import Stand, raw, tiles, update
from tablet_rig import Rig
from tablet_scenes import scenes

from companion.rules.game import TABLE, Amounts, Choice, Prompt, Refusal
from companion.rules.view import Text
from companion.table.commands import Agree, Object, Waive
from companion.table.desk import Update
from companion.table.referee import Answer

Open = Callable[..., Rig]
SIZES = [((800, 480), 133 / 25.4), ((1280, 800), 149 / 25.4), ((480, 800), 149 / 25.4)]
WHAT = Text("table.asks_undo", {"seat": raw("Lotus"), "what": raw("Bushi from Kyoto to Edo")})
CONSENT: Prompt[Any] = Prompt(
    TABLE, WHAT, "", (Choice(Agree(TABLE, 4, "turtle"), raw("Turtle agrees"), mark="ui/ok"), Choice(Object(TABLE, 4), raw("No")))
)
SAYS = "The table: Do you agree? Lotus asks to undo: Bushi from Kyoto to Edo"


def asked(picture: Update, *table: Prompt[Any], revision: int = 2) -> Update:
    return msgspec.structs.replace(picture, revision=revision, table=table)


def peeking(open_tablet: Open, *, pinned: bool = True, **more: Any) -> Rig:
    rig = open_tablet(update(tiles()), **more).on_board()
    rig.session.draw_curtain(aside=True, pin=pinned)
    rig.frames()
    assert "choice:0" in rig.dump
    return rig


def words(rig: Rig, part: Any) -> str:
    return " ".join(line.text for line in written(part))


@pytest.mark.parametrize("turned", [0, 1, 4])
@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_the_table_s_question_is_seen_beside_an_open_curtain(open_tablet: Open, size: tuple[int, int], mm: float, turned: int) -> None:
    rig = peeking(open_tablet, size=size, mm=mm)
    rig.session.turned = turned
    rig.show(asked(update(tiles()), CONSENT))
    assert rig.session.open and rig.session.pinned and "choice:0" in rig.dump, "the curtain is left as it was"
    assert words(rig, rig.screen.slip) == f"{SAYS} Answer"
    assert rig.spot("prompt")["value"] == "koi"
    rig.press("answer")
    assert rig.spot("prompt")["value"] == TABLE and not rig.session.open and "table_asks" not in rig.dump
    rig.clock.now += 1
    rig.press("choice:0")
    assert rig.stand.desk.played == [(TABLE, Agree(TABLE, 4, "turtle"))]


def test_nothing_private_is_said_by_it(open_tablet: Open) -> None:
    rig = peeking(open_tablet)
    before = words(rig, rig.screen.ask)
    rig.show(asked(update(tiles()), CONSENT))
    assert rig.spot("table_asks")["text"].endswith(SAYS), "only what the table asks"
    rig.session.draw_curtain(aside=False)
    rig.frames()
    assert "Recruit" in before and "Recruit" not in words(rig, rig.screen.ask) + words(rig, rig.screen.slip)
    assert rig.spot("table_asks")["text"].endswith(SAYS), "nor does it come and go with the curtain"


def test_a_held_curtain_stays_under_its_finger(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    touch = rig.hold("curtain:koi")
    rig.show(asked(update(tiles()), CONSENT))
    assert rig.session.open and "table_asks" in rig.dump
    rig.lift(touch)
    assert not rig.session.open and rig.stand.desk.played == []


def test_it_is_seen_while_a_secret_number_is_filled_in(open_tablet: Open) -> None:
    bid = Prompt("koi", raw("Bid"), "RS-8.4", (Choice({"bid": 1}, raw("Bid"), amounts=Amounts({"ronin": (0, 3)}, (0, 3))),), private=True)
    rig = open_tablet(update(bid)).on_board()
    rig.session.begin_filling(0)
    rig.session.draw_curtain(aside=True, pin=True)
    rig.show(asked(update(bid), CONSENT))
    assert rig.session.filling is not None and rig.session.open
    assert "tab:table" not in rig.dump and "answer" in rig.dump, "where there is no tab, this is the only way"


def test_an_answer_to_a_finger_comes_first_and_what_another_panel_says_is_not_said_twice(open_tablet: Open) -> None:
    rig = peeking(open_tablet)
    rig.show(asked(update(tiles()), CONSENT))
    rig.session.answered("koi", Answer("x", ok=False, revision=2, refusal=Refusal("RS-6.3", raw("Not that one."))))
    rig.frames()
    assert "Not that one." in rig.spot("notice")["text"] and "answer" not in rig.dump
    rig.clock.now += 1
    rig.press("notice")
    assert "answer" in rig.dump
    rig.show(asked(update(revision=3), CONSENT, revision=3))
    assert rig.spot("prompt")["value"] == TABLE and "answer" not in rig.dump, "the panel says it"
    differs = scenes()["differs"]
    figures = Prompt(TABLE, raw("Put the figures right"), "", (Choice(Waive(TABLE, 2), raw("All lie as shown")),))
    owed = tuple(section for section in differs.open.sections if section.id == "owed")
    picture = asked(update(tiles()), figures, revision=4)
    picture = msgspec.structs.replace(picture, open=msgspec.structs.replace(picture.open, sections=(*picture.open.sections, *owed)))
    rig.session._ask("koi", 0)
    rig.show(picture)
    assert rig.session.differs and "answer" not in rig.dump and "repair" in rig.dump


@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_it_is_seen_on_a_seat_s_own_sheet_too(open_tablet: Open, size: tuple[int, int], mm: float) -> None:
    rig = open_tablet(update(tiles()), size=size, mm=mm).on_board()
    rig.session.open_sheet(("seat", "koi"))
    rig.session.draw_curtain(aside=True, pin=True)
    rig.show(asked(update(tiles()), CONSENT))
    assert rig.session.sheet == ("seat", "koi") and rig.session.open
    assert SAYS in words(rig, rig.screen.sheet)
    assert [fault for fault in faults(rig, cut=False) if "Sheet" in fault] == []
    rig.press("answer")
    assert rig.spot("prompt")["value"] == TABLE and rig.session.sheet == () and not rig.session.open


@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_so_is_a_phone_that_asks_for_a_seat(open_tablet: Open, size: tuple[int, int], mm: float) -> None:
    stand = Stand(update(tiles()))
    rig = open_tablet(stand=stand, size=size, mm=mm).on_board()
    rig.session.open_sheet(("seat", "koi"))
    rig.session.draw_curtain(aside=True, pin=True)
    stand.moving = ("lotus",)
    rig.wait(1)
    assert "Lotus wants to move to another phone." in words(rig, rig.screen.sheet)
    rig.press("takeover:lotus:yes")
    assert stand.decided == [("lotus", True)]
    assert rig.session.open and rig.session.sheet == ("seat", "koi"), "answered where it stands, with the curtain as it was"
    assert "takeover:lotus" not in rig.dump
