"""Nothing is clipped, written over or cut short: every page, at real moments of a game, at the smallest and the largest window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tablet_ink import faults
from tablet_picture import Stand
from tablet_rig import Rig
from tablet_scenes import scenes

Open = Callable[..., Rig]

pytestmark = pytest.mark.timeout(600)

SIZES = [((800, 480), 133 / 25.4), ((1280, 800), 149 / 25.4), ((2560, 1600), 299 / 25.4)]
MOMENTS = ("recruit", "marshal", "train", "draw", "kami", "war", "differs")
PAGES = (
    ("log",),
    ("repair",),
    ("health",),
    ("settings",),
    ("clause", "RS-6R.1"),
    ("ask", "table", "table.take_back"),
    ("seat", "koi"),
    ("pin", "koi"),
)


def looked(rig: Rig, where: str, *, cut: bool) -> list[str]:
    rig.frames()
    return [f"{where}: {fault}" for fault in faults(rig, cut=cut)]


def pages(rig: Rig, *, cut: bool) -> list[str]:
    """Every sheet, upright and turned to a short side."""
    found: list[str] = []
    for turned in (0, 4):
        rig.session.turned = turned
        rig.session.walk()
        for page in PAGES:
            rig.session.open_sheet(page)
            found += looked(rig, f"{turned} " + " ".join(page), cut=cut)
    return found


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_no_word_is_clipped_or_written_over(open_tablet: Open, size: tuple[int, int], mm: float, lang: str) -> None:
    found: list[str] = []
    for moment in MOMENTS:
        rig = open_tablet(stand=Stand(scenes()[moment]), size=size, mm=mm)
        rig.session.speech.lang = lang
        found += looked(rig, f"{moment} table page", cut=True)
        rig.on_board()
        for turned in range(5 if moment in {"recruit", "train"} else 1):
            rig.session.turned = turned
            rig.session.walk()
            rig.session.changed()
            found += looked(rig, f"{moment} {turned}", cut=True)
        if moment == "recruit":
            found += pages(rig, cut=True)
        rig.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("scale", [0.8, 1.5, 2.0])
@pytest.mark.parametrize(("size", "mm"), SIZES[:2])
def test_nor_is_it_at_any_size_of_text(open_tablet: Open, size: tuple[int, int], mm: float, scale: float) -> None:
    found: list[str] = []
    for moment in ("recruit", "differs"):
        rig = open_tablet(stand=Stand(scenes()[moment]), size=size, mm=mm).on_board()
        rig.session.speech.lang = "ru"
        rig.session.size(scale)
        found += looked(rig, f"{moment} {scale}", cut=False)
        found += pages(rig, cut=False)
        rig.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("size", [(480, 800), (800, 1280)])
def test_a_tablet_on_its_short_side_shows_everything_too(open_tablet: Open, size: tuple[int, int]) -> None:
    rig = open_tablet(stand=Stand(scenes()["recruit"]), size=size, mm=149 / 25.4).on_board()
    found = []
    for turned in range(5):
        rig.session.turned = turned
        rig.session.walk()
        rig.session.changed()
        found += looked(rig, f"{size} {turned}", cut=False)
    assert not found, "\n".join(found)
