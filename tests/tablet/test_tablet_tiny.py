"""A window may be smaller than anything fits in, while somebody drags its edge or a desktop tiles it: what does not fit is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from home_rig import LIST, HomeRig, House
from tablet_picture import Stand, raw
from tablet_rig import Rig
from tablet_scenes import scenes

from companion.lobby.port import Home
from companion.rules.game import Refusal
from companion.table.referee import Answer
from companion.tablet.home_state import TABS
from companion.tablet.port import SimTag

Open = Callable[..., Rig]
Size = tuple[int, int]

MOST, RANDOM = 400, 24
EDGES: tuple[Size, ...] = ((1, 1), (2, 2), (2, 400), (400, 2), (60, 400), (400, 60), (120, 90), (205, 156), (240, 180), (390, 8))
SCALES = (0.8, 1.0, 2.0)
MM = (96 / 25.4, 299 / 25.4)
SHEETS = (("log",), ("repair",), ("health",), ("settings",), ("clause", "RS-6R.1"), ("ask", "table", "table.take_back"), ("pin", "koi"))

pytestmark = pytest.mark.timeout(600)


def sizes(seed: int, more: int = RANDOM) -> Iterator[Size]:
    """The same on every machine; small ones as often as larger ones."""
    yield from EDGES
    dice = Random(seed)
    for i in range(more):
        most = (30, 200, MOST)[i % 3]
        yield dice.randint(1, most), dice.randint(1, most)


@pytest.mark.parametrize("mm", MM)
@pytest.mark.parametrize("moment", ["recruit", "draw", "differs", "war"])
def test_the_board_is_laid_out_in_any_window(open_tablet: Open, moment: str, mm: float) -> None:
    stand = Stand(scenes()[moment])
    stand.sims, stand.moving = (SimTag("04FF", raw("Koi 1"), "koi"), SimTag("04FE", raw("Lotus 1"), "lotus")), ("lotus",)
    rig = open_tablet(stand=stand, mm=mm).on_board()
    s = rig.session
    for i, size in enumerate(sizes(len(moment))):
        s.turned, s.scale, s.rotation = i % 5, SCALES[i % len(SCALES)], 90 * (i % 4)
        s.walk()
        s.open_sheet(SHEETS[i % len(SHEETS)] if i % 3 == 0 else ())
        s.open = i % 2 == 0
        s.answered("koi", Answer("x", ok=False, revision=1, refusal=Refusal("RS-6B.1", raw("A stronghold stands there. " * 4))))
        rig.screen.size = size
        s.changed()
        rig.frames(3)
    s.rotation, s.scale, s.turned = 0, 1.0, 0
    s.walk()
    rig.screen.size = (1280, 800)
    s.changed()
    assert max(rig.spot("prompt")["size"]) > 200, "and is whole again when there is room again"


def test_so_is_the_table_page(open_tablet: Open) -> None:
    rig = open_tablet()
    for i, size in enumerate(sizes(5)):
        rig.session.scale = SCALES[i % len(SCALES)]
        rig.screen.size = size
        rig.session.show_code("koi")
        rig.frames()
    rig.screen.size = (1280, 800)
    assert "begin" in rig.dump


def test_and_the_home_screen_with_the_form_of_a_new_game() -> None:
    rig = HomeRig(House(Home(LIST, ("Mira", "Jonas"))))
    s = rig.state
    for i, size in enumerate(sizes(7)):
        s.scale = SCALES[i % len(SCALES)]
        s.back()
        if i % 4:
            s.new()
            s.turn_to(TABS[i % len(TABS)])
        if i % 4 == 3:
            s.edit("turtle")
        rig.screen.size = size
        s.changed()
        rig.frames()
    s.back()
    rig.screen.size = (1280, 800)
    assert rig.dump
    rig.close()
