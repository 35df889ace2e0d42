"""Pictures that are kept: textures up to a limit, one press for every part, strokes let go once they are drawn."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import pytest
from kivy.core.window import Window
from kivy.graphics import Color, InstructionGroup, Rectangle
from tablet_rig import Rig

from companion.tablet import fonts, lettering, marks, pane
from companion.tablet.pane import PRESS, Pane
from companion.tablet.track import Rope


class Sheet(NamedTuple):
    width: int
    height: int


def test_textures_are_kept_as_long_as_there_is_room_the_ones_used_last() -> None:
    made: list[str] = []
    shelf = marks.Shelf(lambda: 100)

    def get(name: str, width: int = 10, height: int = 4) -> Any:
        def make() -> Any:
            made.append(name)
            return Sheet(width, height)

        return shelf.get((name,), make)

    first = get("a")
    get("b")
    assert get("a") is first and made == ["a", "b"]
    get("c")  # b goes
    get("a")
    get("b")  # c goes
    assert made == ["a", "b", "c", "b"]
    assert get("huge", 1000, 1000) == Sheet(1000, 1000), "what has no room is there all the same"
    get("a")
    assert made == ["a", "b", "c", "b", "huge", "a"]
    shelf.clear()
    get("a")
    assert made[-1] == "a" and len(made) == 7


def pixel(texture: Any, x: int, y: int) -> tuple[int, ...]:
    w, _ = texture.size
    return tuple(texture.pixels[4 * (y * w + x) :][:4])


def drawn(*colour: float, size: tuple[int, int] = (40, 30)) -> tuple[Pane, Any]:
    ink = InstructionGroup()
    shown = Pane(ink)
    shown.resize(*size)
    ink.add(Color(*colour))
    ink.add(Rectangle(pos=(0, 0), size=size))
    shown.print(keep=False)
    assert not ink.children, "how it was drawn is let go"
    return shown, next(one for one in shown.frame.children if isinstance(one, Rectangle)).texture


def test_one_press_draws_pictures_of_every_size_and_they_have_no_holes() -> None:
    assert Window is not None
    PRESS.clear()
    _, small = drawn(1, 0, 0, 1)
    _, large = drawn(0, 1, 0, 0.5, size=(900, 700))  # a larger press is needed
    _, again = drawn(0, 0, 1, 1)
    assert pixel(small, 39, 29) == (255, 0, 0, 255)
    assert pixel(large, 899, 699)[3] == 255, "what is half transparent covers all the same"
    assert pixel(again, 0, 0) == (0, 0, 255, 255) and pixel(small, 0, 0) == (255, 0, 0, 255)


def test_a_pane_that_is_nowhere_keeps_nothing() -> None:
    shown, _ = drawn(1, 1, 1, 1)
    shown.resize(0, 0)
    assert not shown.frame.children
    shown.again()
    shown.renew()
    assert not shown.frame.children


@pytest.mark.parametrize("soft", [True, False])
def test_many_strokes_come_in_portions_only_where_a_program_draws(soft: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[int] = []
    monkeypatch.setattr(pane, "soft", lambda: soft)
    monkeypatch.setattr(pane, "glFinish", lambda: waited.append(1))
    ink = InstructionGroup()
    shown = Pane(ink)
    shown.resize(20, 20)
    for _ in range(pane.PORTION * 2 + 5):
        ink.add(Color(1, 1, 1, 1))
    shown.print(keep=True)
    assert len(waited) == (2 if soft else 0)
    shown.again()
    assert len(waited) == (4 if soft else 0), "kept strokes are drawn as they were the first time"


def test_only_what_moves_keeps_its_strokes(rig: Rig) -> None:
    rig.on_board()
    rig.frames(3)
    kept = {type(part) for part in rig.screen.parts if part.solid and part.ink.children}
    assert kept == {Rope}


def test_the_largest_size_that_fits_is_found_without_trying_all() -> None:
    texts = ("Kyoto", "Send it to worship, or leave it there", "I", "Обменяйтесь предложениями союза")
    for text, role, room in itertools.product(texts, (fonts.TEXT, fonts.DISPLAY), (30, 90, 200, 333)):
        sizes = [px for px in range(9, 34) if lettering.width(text, role, px) <= room]
        assert lettering.fitted(text, role, 33, room, 9) == max(sizes, default=9), (text, role, room)
    assert lettering.fitted("Kyoto", fonts.TEXT, 8, 5, 9) == 8


def test_in_a_hasty_frame_another_size_stands_in_until_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    marks.clear()
    first = marks.mark("ui/ok", 30, "#000000")
    monkeypatch.setattr(marks, "SPELL", 0.0)
    with marks.hasty():
        assert marks.mark("ui/ok", 40, "#000000") is first
        assert (marks.owed(), marks.owed()) == ((True, False), (False, False))
        assert marks.mark("ui/act", 40, "#000000").size == (1, 1), "there is nothing to stand in"
        assert marks.owed() == (False, True)
        with marks.patient():
            assert marks.mark("ui/act", 41, "#000000").size == (41, 41), "whoever keeps it gets it"
        assert marks.owed() == (False, False)
        assert marks.mark("ui/ok", 42, "#000000") is first, "and haste goes on"
    assert marks.mark("ui/ok", 40, "#000000").size == (40, 40)
    marks.owed()
    marks.clear()


def test_what_stands_in_is_drawn_as_it_should_be_in_the_frames_after(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.on_board()
    rig.frames(3)
    monkeypatch.setattr(marks, "SPELL", 1e-9)  # one drawing a frame
    owed: list[marks.Owed] = []
    monkeypatch.setattr(marks, "owed", lambda told=marks.owed: owed.append(told()) or owed[-1])
    rig.session.scale = 2.0
    rig.session.changed()
    rig.frames(1)
    assert any(one.lent for one in owed) and any(one.lacking for one in owed)
    assert not any(part.owing for part in rig.screen.parts)
