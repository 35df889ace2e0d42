"""The tablet's rooms without a window: geometry, layout, drawing, choices, inbox, nodes."""

from __future__ import annotations

import itertools
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tablet_picture import raw, stack, summon

from companion.look.tokens import tokens
from companion.rules.game import Choice, Gesture, Prompt
from companion.rules.view import Card, Counter, Curtain, Line, Pieces, Plot, Section, Step, Table, Track, Zone
from companion.tablet import buttons, choosing, drawing, layout, stroke
from companion.tablet.inbox import Answered, Asked, Inbox, Update
from companion.tablet.measure import Measure
from companion.tablet.nodes import rows
from companion.tablet.speech import Speech
from companion.tablet.spots import Guard, Spot

PLACES = frozenset({"edo", "kansai", "kyoto", "shrine.1"})
points = st.lists(st.tuples(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4)), max_size=12)


# ------------------------------------------------------------------ lines


@settings(max_examples=60)
@given(points, st.floats(0.5, 40), st.booleans())
def test_a_ribbon_is_a_strip_of_finite_points(line: list[tuple[float, float]], half: float, closed: bool) -> None:
    vertices, indices = stroke.ribbon(line, half, closed=closed)
    assert len(vertices) == 4 * len(indices)
    assert all(abs(v) < 1e6 for v in vertices)


def test_a_ribbon_is_as_wide_as_asked() -> None:
    vertices, _ = stroke.ribbon([(0, 0), (10, 0)], 2)
    assert vertices == [0, 2, 0.5, 0, 0, -2, 0.5, 1, 10, 2, 0.5, 0, 10, -2, 0.5, 1]


@settings(max_examples=60)
@given(points, st.floats(1, 50), st.floats(1, 50), st.booleans())
def test_dashes_are_never_longer_than_asked(line: list[tuple[float, float]], on: float, off: float, closed: bool) -> None:
    for dash in list(stroke.dashes(line[:6], max(on, 20), max(off, 20), closed=closed))[:50]:
        length = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in itertools.pairwise(dash))
        assert length <= max(on, 20) * 1.001


def test_beads_stand_a_pitch_apart() -> None:
    assert stroke.beads([(0, 0), (10, 0)], 4) == [(0, 0), (4, 0), (8, 0)]
    assert stroke.beads([(0, 0), (3, 0), (6, 0)], 4) == [(0, 0), (4, 0)]


def test_inside_and_distance() -> None:
    square = [(0, 0), (10, 0), (10, 10), (0, 10)]
    assert stroke.inside(square, 5, 5) and not stroke.inside(square, 15, 5)
    assert stroke.distance(square, 5, 5) == 5
    assert stroke.distance(square, 13, 14) == 5


def test_rings_are_closed_shapes_of_the_right_size() -> None:
    ring = stroke.rounded(0, 0, 40, 20, 5)
    assert (min(x for x, _ in ring), max(x for x, _ in ring), max(y for _, y in ring)) == (0, 40, 20)
    assert len(stroke.circle(0, 0, 30)) >= 12
    assert stroke.wave(0, 0, 10, 5, 2)[-1] == pytest.approx((20, 0))


# ------------------------------------------------------------------ drawing


def test_the_packaged_drawing_is_read_and_every_heart_lies_in_its_zone() -> None:
    board = drawing.parse(drawing.packaged("rising_sun"))
    assert board is not None and len(board.places) == 12
    for name, area in board.zone.items():
        assert board.at(*area.figures[0], near=0) == name
    assert board.at(*board.shrine[1].at, near=0) == "shrine.2"
    assert board.at(8, 990, near=20) == ""


def test_on_open_sea_the_nearest_place_is_meant_and_a_lit_one_first() -> None:
    board = drawing.parse(drawing.packaged("rising_sun"))
    assert board is not None
    between = (500, 690)  # between Shikoku and Kansai's coast
    assert board.at(*between, near=0) == ""
    near = board.at(*between, near=90)
    assert near
    others = {name for name, area in board.zone.items() if stroke.distance(area.outline, *between) <= 90} - {near}
    assert others and board.at(*between, near=90, lit=frozenset(others)) in others


@pytest.mark.parametrize("game", ["", "no_such_game", "../table", "a b"])
def test_a_game_without_a_drawing_has_none(game: str) -> None:
    assert drawing.packaged(game) is None
    assert drawing.parse(None) is None


# ------------------------------------------------------------------ sizes


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1280, 800), (1920, 1080), (2560, 1600), (1000, 1000)])
@pytest.mark.parametrize("scale", tokens().type.user_scale)
def test_the_parts_of_the_screen_never_overlap(size: tuple[int, int], scale: float) -> None:
    m = Measure(*size, mm=5, scale=scale)
    for side in layout.SIDES:
        for asked in (True, False):
            plan = layout.arrange(m, side, 2, asked=asked)
            boxes = [plan.track, plan.honor, plan.free] + ([plan.prompt] if asked else [])
            assert sum(box.w * box.h for box in boxes) == m.width * m.height, (side, asked)
            assert plan.free.w > m.width * 0.35 and plan.free.h > m.height * 0.2
            for box in boxes:
                assert box.x >= 0 and box.y >= 0 and box.right <= m.width and box.bottom <= m.height


def test_text_is_never_too_small_to_read_and_targets_never_too_small_to_hit() -> None:
    small = Measure(800, 480, mm=5.2)
    assert small.sp(15) >= 11
    assert small.finger(20) == small.target == 62
    assert Measure(2560, 1600, mm=11.8).sp(18) == 36
    assert Measure(1280, 800, mm=4) == Measure(1280, 800, mm=4)
    assert hash(Measure(1280, 800, mm=4)) == hash(Measure(1280, 800, mm=4))


def test_a_box_fits_another() -> None:
    assert layout.Box(0, 0, 100, 100).fitted(2, 1) == layout.Box(0, 25, 100, 50)
    assert layout.Box(0, 0, 10, 10).holds(9, 9) and not layout.Box(0, 0, 10, 10).holds(10, 9)


@settings(max_examples=60)
@given(st.lists(st.integers(10, 120), max_size=10), st.lists(st.integers(50, 400), min_size=1, max_size=3))
def test_buttons_flow_in_order_and_within_their_rows(widths: list[int], rooms: list[int]) -> None:
    placed = buttons.flow(widths, rooms, 8)
    if placed is None:
        return
    assert [i for row in placed for i in row] == list(range(len(widths)))
    for row, room in zip(placed, rooms, strict=True):
        assert len(row) <= 1 or sum(widths[i] + 8 for i in row) - 8 <= room


# ------------------------------------------------------------------ choices


def test_choices_are_grouped_by_the_piece_that_moves() -> None:
    prompt = summon()
    groups = choosing.groups(prompt, PLACES)
    assert [(g.key, g.frm, g.choices) for g in groups] == [
        ("koi/bushi", "", (0, 3)),
        ("koi/shinto", "", (1, 4)),
        ("koi/monster", "", (2, 5)),
    ]
    assert choosing.plain(prompt, PLACES) == (6,)
    assert choosing.landings(prompt, PLACES) == {"edo": (0, 1, 2), "kansai": (3, 4, 5)}
    assert choosing.landings(prompt, PLACES, "koi/shinto") == {"edo": (1,), "kansai": (4,)}
    assert choosing.sources(prompt, PLACES) == {}


def test_a_move_on_the_board_has_a_source() -> None:
    choices = (
        Choice(1, raw("a"), (Gesture("koi/bushi", "edo", "kyoto"),)),
        Choice(2, raw("b"), (Gesture("koi/bushi", "kansai", "kyoto"),)),
    )
    prompt = Prompt("koi", raw("Move"), "", choices)
    assert set(choosing.sources(prompt, PLACES)) == {"edo", "kansai"}
    assert choosing.landings(prompt, PLACES) == {"kyoto": (0, 1)}
    assert choosing.groups(prompt, frozenset()) == () and choosing.plain(prompt, frozenset()) == (0, 1)


# ------------------------------------------------------------------ inbox


def test_only_the_newest_picture_is_handled_and_the_others_still_speak() -> None:
    handled: list[object] = []
    passed: list[object] = []
    wakes: list[int] = []
    inbox = Inbox(lambda: wakes.append(1), handled.append, passed.append)
    inbox.put(Update(1))
    inbox.put(Answered("koi", "no"))
    inbox.put(Update(2))
    inbox.put(Asked(print))
    inbox.put(Update(3))
    assert inbox.drain() == 5 and inbox.drain() == 0
    assert passed == [1, 2]
    assert handled == [Answered("koi", "no"), Asked(print), Update(3)]
    assert len(wakes) == 5


def test_items_of_one_thread_keep_their_order() -> None:
    handled: list[Answered] = []
    inbox = Inbox(lambda: None, handled.append, lambda _: None)
    threads = [threading.Thread(target=lambda who=who: [inbox.put(Answered(who, i)) for i in range(200)]) for who in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    inbox.drain()
    for who in "abc":
        assert [item.answer for item in handled if item.seat == who] == list(range(200))


# ------------------------------------------------------------------ nodes


class Strange:
    """A node of a later version."""

    text = raw("Something new")


def test_every_kind_of_node_becomes_rows_of_text() -> None:
    speech = Speech("en")
    nodes = (
        Counter("c", raw("Coins"), None),
        Pieces("p", raw("Reserve"), (stack("koi", "bushi", 2),)),
        Card("k", raw("Card"), raw("Does this"), clause="RS-1"),
        Card("b", raw("A tile"), face=False, mark="mandate/train"),
        Zone("z", raw("Edo"), (stack("koi", "bushi", 1),), "4"),
        Track("t", raw("Track"), (Step("mandate.1", raw("Recruit")),)),
        Table("q", raw("Bids"), (raw("Koi"),), ((raw("x"), 3),)),
        Plot("o", raw("Points"), {"koi": (1, 2)}),
        Line(raw("It happened"), "RS-2"),
        Section("s", raw("More"), (Counter("d", raw("Deck"), 5),)),
        Strange(),
        object(),
    )
    said = [(row.text, row.value, row.note) for row in rows(nodes, speech)]
    assert ("Coins", "?", "") in said and ("Bushi", "2", "") in said and ("Card", "", "Does this") in said
    assert ("Edo", "4", "") in said and ("Recruit", "", "") in said and ("x · 3", "", "") in said and ("koi", "1 2", "") in said
    assert ("It happened", "", "") in said and any(row.clause == "RS-2" for row in rows(nodes, speech))
    assert ("Deck", "5", "") in said and ("Something new", "", "") in said


def test_what_is_behind_a_curtain_is_only_said_when_it_is_open() -> None:
    node = Curtain("c", raw("Your tiles"), (Card("k", raw("Betray")),))
    assert [row.text for row in rows((node,), Speech())] == ["Your tiles"]
    assert [row.text for row in rows((node,), Speech(), opened=True)] == ["Your tiles", "Betray"]


# ------------------------------------------------------------------ fingers


def test_a_guard_ignores_a_second_press_of_the_same_thing_only() -> None:
    now = [0.0]
    guard = Guard(lambda: now[0], 150)
    assert guard.allows("a") and guard.allows("b")
    now[0] = 0.1
    assert not guard.allows("a")
    now[0] = 0.3
    assert guard.allows("a")


def test_a_spot_knows_its_middle_and_what_lies_on_it() -> None:
    spot = Spot("a", 10, 20, 30, 40)
    assert spot.middle == (25, 40) and spot.holds(10, 20) and not spot.holds(9, 20)
    assert Spot("z", 0, 0, 10, 10, hit=lambda x, y: False, centre=(1, 2)).middle == (1, 2)


def test_speech_speaks_the_tables_language() -> None:
    speech = Speech("en")
    assert speech.say("begin_without", n=1) == "Begin without 1 phone" and speech.say("begin_without", n=3) == "Begin without 3 phones"
    assert speech.following() == "ru"
    speech.lang = "ru"
    assert speech.say("begin_without", n=5) == "Начать без 5 телефонов" and speech.following() == "en"
    assert speech.say(None) == ""
