"""The page for giving tags, and the window of the simulated table: in the offscreen window, without readers' time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch
from tablet_rig import MM, Clock

from companion.enrol import Enrol
from companion.simtable.physical import Physical
from companion.simtable.spec import BOX, ONE, READER, ZONES, Piece, Spec, Zone
from companion.table import games
from companion.table.box import contents, kindred, made_up
from companion.table.figures import load
from companion.table.naming import Names
from companion.tablet.enrol import EnrolPage, show_enrol
from companion.tablet.page import Page
from companion.tablet.simtable import SimPage
from companion.words import LANGUAGES

SEATS = ("koi", "lotus", "turtle")
SIZES = [(800, 480), (1280, 800), (2560, 1600)]


class Hands:
    """A page on the window, and fingers."""

    def __init__(self, page: Page, size: tuple[int, int]) -> None:
        self.page = page
        page.size = size
        Window.add_widget(page)
        page.start()
        self.frames()

    def frames(self, n: int = 3) -> None:
        for _ in range(n):
            EventLoop.idle()

    def spot(self, wid: str) -> dict[str, Any]:
        found = self.page.dump()
        assert wid in found, sorted(found)
        return found[wid]

    def touch(self, where: Any) -> UnitTestTouch:
        x, y = self.spot(where)["centre"] if isinstance(where, str) else where
        touch = UnitTestTouch(x, self.page.height - y)
        touch.sx, touch.sy = x / (Window.width - 1), (self.page.height - y) / (Window.height - 1)
        return touch

    def press(self, wid: Any) -> None:
        touch = self.touch(wid)
        touch.touch_down()
        self.frames(1)
        touch.touch_up()
        self.page.guard._last.clear()
        self.frames()

    def drag(self, start: Any, end: Any) -> None:
        goal = self.spot(end)["centre"] if isinstance(end, str) else end
        touch = self.touch(start)
        touch.touch_down()
        self.frames(1)
        touch.touch_move(goal[0], self.page.height - goal[1])
        self.frames(1)
        touch.touch_up()
        self.frames()

    def fits(self) -> None:
        """Nothing with a name is outside the window, and what is pressed is large enough for a finger."""
        target = self.page.measure().target
        for wid, spot in self.page.dump().items():
            (x, y), (w, h) = spot["centre"], spot["size"]
            assert x - w / 2 >= -1 and x + w / 2 <= self.page.width + 1, wid
            assert y - h / 2 >= -1 and y + h / 2 <= self.page.height + 1, wid
            if spot["enabled"] and not wid.startswith(("zone:", "group:")):
                assert min(w, h) >= target - 1, (wid, w, h)


@pytest.fixture
def hands() -> Iterator[Callable[..., Hands]]:
    EventLoop.ensure_window()
    EventLoop.status = "started"
    opened: list[Hands] = []

    def lay(page: Page, size: tuple[int, int] = (1280, 800)) -> Hands:
        opened.append(Hands(page, size))
        return opened[-1]

    yield lay
    for one in opened:
        one.page.stop()
        Window.remove_widget(one.page)


@pytest.fixture
def enrol(tmp_path: Path) -> Iterator[Enrol]:
    made = Enrol(tmp_path / "box.txt", SEATS, simulate=True)
    yield made
    made.stop()


def enrol_page(enrol: Enrol, closed: list[int] | None = None, **more: Any) -> EnrolPage:
    looks = {"language": "en", "theme": "day", "clock": Clock(), "millimetre": MM, "size_hint": (None, None)} | more
    return EnrolPage(enrol, on_close=lambda: (closed if closed is not None else []).append(1), **looks)


def test_the_page_names_the_piece_and_says_what_came_of_the_tag(hands: Callable[..., Hands], enrol: Enrol) -> None:
    at = hands(enrol_page(enrol))
    assert (at.spot("wanted")["text"], at.spot("wanted")["value"]) == ("Tap Koi Daimyo", "koi/daimyo")
    assert at.spot("progress")["text"] == "0 of 62" and "back" not in at.page.dump()
    enrol.tap("04A1B2C3D4E5F6")
    at.frames()
    assert at.spot("said")["text"] == "Koi Daimyo: done." and at.spot("wanted")["value"] == "koi/bushi 1"
    at.press("skip")
    enrol.tap("08112233")
    at.frames()
    assert at.spot("said")["value"] == "refused"
    enrol.tap("04A1B2C3D4E5F7")
    enrol.tap("04A1B2C3D4E5F6")
    at.frames()
    assert at.spot("yes")["text"] == "Make it Koi Bushi 3"
    at.press("no")
    assert at.spot("said")["text"] == "Nothing was changed." and "yes" not in at.page.dump()
    at.press("back")
    assert at.spot("wanted")["value"] == "koi/bushi 2"
    at.press("forget")
    at.press("group:ui/tap")
    assert at.spot("wanted")["text"].startswith("Tap the tag at ")
    enrol.go(0)
    at.press("group:clan/lotus")
    assert at.spot("wanted")["value"] == "lotus/daimyo"


def test_labels_roll_call_and_closing(hands: Callable[..., Hands], enrol: Enrol) -> None:
    closed: list[int] = []
    at = hands(enrol_page(enrol, closed))
    enrol.tap("04A1B2C3D4E5F6")
    enrol.tap("04A1B2C3D4E5F7")
    at.frames()
    at.press("labels")
    assert "box.labels.html" in at.spot("said")["text"]
    at.press("check")
    assert at.spot("absent")["value"] == 2 and "Not seen yet: Koi Daimyo" in at.spot("absent")["text"]
    enrol.tap("04A1B2C3D4E5F6")
    enrol.tap("04A1B2C3D4E5F7")
    at.frames()
    assert at.spot("absent")["text"] == "Every tagged piece is here."
    at.press("enrol")
    at.page.press(lambda: (_ for _ in ()).throw(ValueError("the reader is away")))
    at.frames()
    assert at.spot("said")["text"] == "the reader is away"
    at.press("close")
    assert closed == [1]


def test_when_everything_is_done_it_is_said_and_what_was_left_out_comes_back(hands: Callable[..., Hands], enrol: Enrol) -> None:
    at = hands(enrol_page(enrol))
    for item in enrol.items[:-1]:
        enrol.tap(made_up(item))
    enrol.skip()
    at.frames()
    assert at.spot("wanted")["text"] == "Done, except for what was left out."
    at.press("again")
    enrol.tap("04A1B2C3D4E5F6")
    at.frames()
    assert at.spot("wanted")["text"] == "Every piece has its tag." and len(load(enrol.path)) == 62


def test_it_lies_over_another_screen_and_leaves_it(hands: Callable[..., Hands], enrol: Enrol) -> None:
    under = hands(enrol_page(enrol)).page
    page = show_enrol(under, enrol, language="ru", theme="night")
    for _ in range(3):
        EventLoop.idle()
    assert page.dump()["wanted"]["text"].startswith("Приложите") and page.parent is under
    page.rebuild()
    page.close()
    assert page.parent is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_enrolment_fits_every_window(hands: Callable[..., Hands], enrol: Enrol, size: tuple[int, int], language: str) -> None:
    at = hands(enrol_page(enrol, language=language, theme="night"), size)
    at.fits()
    for uid in ("04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04A1B2C3D4E5F8", "04A1B2C3D4E5F6"):
        enrol.tap(uid)
    at.frames()
    at.fits()
    enrol.check(on=True)
    at.frames()
    at.fits()


# The simulated table


def spec(layout: str, language: str = "en", *, drawn: bool = True) -> Spec:
    loaded = games.load("rising_sun")
    game = loaded.game
    state = game.start(SEATS, {})
    names, kinds = Names(game.view(state, None)), kindred(game, SEATS)
    items = contents(game, SEATS)
    left = {place: dict(pile) for place, pile in sorted(game.placement(state).items())}  # edo comes before reserve.koi
    pieces = tuple(Piece(made_up(i), i.kind, kinds[i.kind].text, i.name, i.seat, i.mark) for i in items if i.kind)
    placed = {}
    for piece in pieces:
        place = next((place for place, pile in left.items() if pile.get(piece.kind)), BOX)
        if place:
            left[place][piece.kind] -= 1
            placed[piece.uid] = place
    zones = tuple(Zone(i.place, i.text, i.mark) for i in items if i.place)
    board = loaded.facts.tables.get("board") if drawn else None
    seats = {seat: names.seat(seat) for seat in SEATS}
    return Spec("rising_sun", layout, pieces, zones, seats, placed, board, language, strip=False)


@pytest.fixture
def sim(hands: Callable[..., Hands]) -> Iterator[Callable[..., Hands]]:
    tables: list[Physical] = []

    def opened(layout: str = ZONES, size: tuple[int, int] = (1280, 800), language: str = "en", **more: Any) -> Hands:
        tables.append(Physical(spec(layout, language, **more)))
        return hands(SimPage(tables[-1], clock=Clock(), millimetre=MM, size_hint=(None, None)), size)

    yield opened
    for table in tables:
        table.close()


def moved(at: Hands) -> dict[str, str]:
    """What lies elsewhere than in the beginning, by name."""
    table = at.page.table
    return {at.page.name(uid): place for uid, place in table.where().items() if place != table.spec.placed.get(uid, BOX)}


def test_a_figure_is_dragged_to_a_place_and_back(sim: Callable[..., Hands]) -> None:
    at = sim()
    at.drag("stack:reserve.koi:koi/bushi", "zone:kyoto")
    assert moved(at) == {"Koi Bushi 6": "kyoto"} and at.spot("stack:kyoto:koi/bushi")["value"] == 1
    at.drag("stack:kyoto:koi/bushi", "zone:shrine.2")
    assert moved(at) == {"Koi Bushi 6": "shrine.2"}
    at.drag("stack:shrine.2:koi/bushi", "zone:reserve.koi")
    assert moved(at) == {}


def test_beside_everything_it_stays_where_it_was(sim: Callable[..., Hands]) -> None:
    at = sim()
    at.drag("stack:edo:koi/daimyo", "how")
    assert moved(at) == {} and at.page.held == ""


def test_a_press_takes_it_up_and_the_next_sets_it_down(sim: Callable[..., Hands]) -> None:
    at = sim()
    at.press("stack:edo:koi/stronghold")
    assert at.spot("how")["text"] == "Koi Stronghold 1: now touch where it goes." and at.page.held
    at.press("zone:oshu")
    assert moved(at) == {"Koi Stronghold 1": "oshu"}


def test_the_app_is_agreed_with_at_a_press(sim: Callable[..., Hands]) -> None:
    at = sim()
    table = at.page.table
    table.stand({"oshu": {"koi/daimyo": 1}})
    at.frames()
    assert at.spot("agrees")["value"] is False
    at.press("settle")
    assert at.spot("agrees")["value"] is True and moved(at)["Koi Daimyo"] == "oshu"


def test_one_reader_has_a_place_of_its_own(sim: Callable[..., Hands]) -> None:
    at = sim(ONE)
    at.drag("stack:reserve.lotus:lotus/shinto", f"zone:{READER}")
    assert moved(at) == {"Lotus Shinto 3": READER} and "reader" in at.spot("how")["text"]


def test_without_a_drawing_the_places_are_listed(sim: Callable[..., Hands]) -> None:
    at = sim(drawn=False)
    at.drag("stack:reserve.koi:koi/bushi", "zone:kyoto")
    assert moved(at) == {"Koi Bushi 6": "kyoto"}


def test_language_and_theme_are_a_press_away(sim: Callable[..., Hands]) -> None:
    at = sim()
    at.press("lang")
    at.press("theme")
    assert at.page.session.theme == "night" and at.spot("agrees")["text"] == "Стоит как в приложении"


def test_the_strip_shows_the_lamps(sim: Callable[..., Hands], monkeypatch: pytest.MonkeyPatch) -> None:
    at = sim()
    monkeypatch.setattr(at.page.table, "lamps", lambda: [(0, 0, 0), (200, 10, 10)])
    at.page._watch()
    at.frames()
    assert at.spot("strip")["value"] == [1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("layout", [ONE, ZONES])
@pytest.mark.parametrize("size", SIZES)
def test_the_simulated_table_fits_every_window(sim: Callable[..., Hands], size: tuple[int, int], layout: str, language: str) -> None:
    at = sim(layout, size, language)
    at.page.table.stand({"oshu": {"koi/daimyo": 1}})
    at.frames()
    at.fits()


def test_the_table_page_opens_the_simulated_table(open_tablet: Callable[..., Any]) -> None:
    rig = open_tablet()
    assert "simtable" not in rig.dump  # a real table
    rig.stand.sim_table = "shut"
    rig.session.next_theme()
    rig.frames()
    rig.press("simtable")
    assert rig.stand.sim_table == "open"
