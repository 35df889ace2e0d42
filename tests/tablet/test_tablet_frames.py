"""No frame takes long: what is much to draw is spread over frames, and what people see is never half of a picture."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.graphics import Rectangle
from tablet_picture import Stand
from tablet_rig import Rig
from tablet_scenes import scenes

from companion.tablet import curtain, marks, part
from companion.tablet.board import Board
from companion.tablet.ground import KEPT
from companion.tablet.layout import Box
from companion.tablet.pane import Pane
from companion.tablet.pen import Pen
from companion.tablet.sides import EAST, NORTH, SOUTH, WEST


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the parts do: ``paint`` or ``print``, and whose ink it was."""
    told: list[tuple[str, str]] = []
    printed, painted = Pane.print, Board.paint

    def paint(self: Board, pen: Pen) -> None:
        told.append(("paint", "Board"))
        painted(self, pen)

    def show(self: Pane, *, keep: bool) -> None:
        told.append(("print", "Board" if len(self._ink.children) > 100 and not keep else ""))
        printed(self, keep=keep)

    monkeypatch.setattr(Board, "paint", paint)
    monkeypatch.setattr(Pane, "print", show)
    return told


def of_board(told: list[tuple[str, str]]) -> list[str]:
    return [what for what, whose in told if whose == "Board"]


def test_the_map_is_painted_in_one_frame_and_shown_in_the_next(rig: Rig, seen: list[tuple[str, str]]) -> None:
    for part_ in rig.screen.parts:
        part_.refresh()
    seen.clear()
    board = rig.screen.board
    board.refresh(force=True, hasty=True)
    assert of_board(seen) == ["paint"] and board.unseen and board.owing
    board.refresh(hasty=True)
    assert of_board(seen) == ["paint", "print"] and not board.unseen and not board.owing
    seen.clear()
    board.refresh(force=True)
    assert of_board(seen) == ["paint", "print"], "who does not hasten gets all of it"


def test_a_map_that_changes_in_every_frame_is_shown_in_every_other_one(rig: Rig, seen: list[tuple[str, str]]) -> None:
    for _ in range(4):
        rig.screen.board.refresh(force=True, hasty=True)
    assert of_board(seen) == ["paint", "paint", "print"] * 2


def test_a_picture_that_lacks_something_is_not_shown_until_nothing_is_missing(
    rig: Rig, seen: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    marks.clear()
    monkeypatch.setattr(marks, "SPELL", 1e-9)  # one drawing a frame
    monkeypatch.setattr(part, "LACKING", 10_000)
    owed = marks.owed

    def told() -> marks.Owed:
        was = owed()
        seen.append((f"lacking {was.lacking}", "Board"))
        return was

    monkeypatch.setattr(marks, "owed", told)
    board, frames = rig.screen.board, 0
    seen.clear()
    while board.owing or not frames:
        with marks.hasty():
            board.refresh(force=not frames, hasty=True)
        frames += 1
        assert frames < 500
    told_ = of_board(seen)
    assert told_.count("lacking True") > 10 and told_[-1] == "print"
    assert all(before == "lacking False" for before, what in itertools.pairwise(told_) if what == "print")


def test_what_can_never_be_complete_is_shown_all_the_same(rig: Rig, seen: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "owed", lambda: marks.Owed(lent=False, lacking=True))
    rig.screen.board.refresh(force=True)
    for _ in range(part.LACKING):
        rig.screen.board.refresh(hasty=True)
    assert of_board(seen).count("print") >= 1


def test_a_page_that_was_never_shown_is_shown_at_once_whatever_is_missing(
    open_tablet: Callable[..., Rig], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = open_tablet()
    marks.clear()
    monkeypatch.setattr(marks, "SPELL", 0.0)
    rig.session.show_page("board")
    EventLoop.idle()
    assert not rig.screen.board.unseen
    monkeypatch.undo()
    rig.frames()
    assert not any(one.owing for one in rig.screen.parts)


def test_a_question_is_not_taken_for_seen_before_its_panel_is(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.session.anew()
    asking = rig.session.asking
    monkeypatch.setattr(type(rig.screen.ask), "unseen", property(lambda _self: True))
    rig.session.changed()
    for _ in range(4):
        EventLoop.idle()
    assert rig.session.rest.unseen
    monkeypatch.undo()
    rig.session.changed()
    rig.frames()
    assert not rig.session.rest.unseen and rig.session.asking == asking


def test_a_frame_is_drawn_once_however_often_it_is_asked_for(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []
    monkeypatch.setattr(rig.screen, "_refresh", lambda *, whole: drawn.append(Clock.frames) or False)
    for _ in range(3):
        rig.session.changed()
        Clock.schedule_once(lambda _dt: rig.session.changed(), 0)
        EventLoop.idle()
    assert len(drawn) == len(set(drawn)) >= 3
    frame = drawn[-1]
    rig.session.changed()
    EventLoop.idle()
    assert drawn[-1] > frame, "and what came too late for one is drawn in the next"


def test_the_ground_is_drawn_once_a_size_and_moved_from_side_to_side(rig: Rig) -> None:
    board = rig.screen.board
    assert isinstance(board, Board)
    ground, pen = board._ground, Pen(board.ink, board.style, board.high)
    window = Box(0, 0, 1280, 800)
    one = ground.sheet(pen, window, Box(50, 90, 940, 590))
    waves = ground._waves
    assert one.move.xy == (50, -90)
    assert ground.sheet(pen, window, Box(20, 200, 940, 590)) is one and one.move.xy == (20, -200)
    other = ground.sheet(pen, window, Box(20, 200, 800, 500))
    assert other is not one and ground._waves is waves, "its waves are drawn once a colour"
    for wide in range(700, 700 + KEPT):
        ground.sheet(pen, window, Box(0, 0, wide, 400))
    assert len(ground._kept) == KEPT
    ground.forget()
    assert not ground._kept and ground._waves is None


@pytest.mark.parametrize("side", [SOUTH, EAST, NORTH, WEST])
def test_a_moved_ground_lies_under_its_places(rig: Rig, side: str) -> None:
    rig.session.side = side
    rig.session.changed()
    rig.frames()
    board = rig.screen.board
    assert isinstance(board, Board)
    sheet = board._ground.sheet(Pen(board.ink, board.style, board.high), board.box, board.map)
    assert sheet.move.xy == (board.map.x, -board.map.y)


def test_the_lights_of_the_map_stay_when_other_drawings_need_the_room(rig: Rig) -> None:
    board = rig.screen.board
    assert isinstance(board, Board)
    colour = board.style.hex("vermilion")
    light = board._light(colour, "edo")
    marks.clear()
    assert board._light(colour, "edo") is light
    rig.session.theme = "night"
    rig.session.changed()
    rig.frames()
    assert {key[0] for key in board._lights} == {board.style.hex("vermilion")} != {colour}


def test_cloth_of_many_folds_is_one_drawing(rig: Rig) -> None:
    rig.screen.board.ink.clear()
    pen = Pen(rig.screen.board.ink, rig.screen.board.style, 800)
    curtain.cloth(pen, "koi", 10.4, 20, 643, 90, hang=9)
    sheets: list[Any] = [one for one in pen.group.children if isinstance(one, Rectangle)]
    assert len(sheets) > 3 and len({sheet.texture.id for sheet in sheets}) == 1
    edges = [(sheet.pos[0], sheet.pos[0] + sheet.size[0]) for sheet in sheets]
    assert edges[0][0] == 10 and edges[-1][1] == 653
    assert all(left[1] == right[0] for left, right in itertools.pairwise(edges)), "no seam between the folds"
    pen.group.clear()
    curtain.cloth(pen, "koi", 10.4, 20, 643, 90, hang=9, share=0.5)
    assert {sheet.size[1] for sheet in pen.group.children if isinstance(sheet, Rectangle)} == {45}


def test_cloth_that_is_let_go_of_while_it_rises_does_not_rise_over_the_closed_one() -> None:
    rig = Rig(Stand(scenes()["draw"]), motion=True).on_board()
    ask = rig.screen.ask
    rig.session.draw_curtain(aside=True)
    rig.until(lambda: bool(ask.over.children))
    rig.session.draw_curtain(aside=False)
    for _ in range(5):
        EventLoop.idle()
        assert not ask.over.children
    rig.close()
