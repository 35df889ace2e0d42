"""The home screen and the form of a new game, by fingers: every target on every window, and what comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from home_rig import LIST, HomeRig, House, raw, saved
from kivy.core.window import Keyboard, Window
from kivy.tests.common import UnitTestTouch

from companion.lobby.port import Entry, Home
from companion.table.setup import Setup
from companion.tablet.dump import spots
from companion.tablet.home_state import TABS

Open = Callable[..., HomeRig]
SIZES = [
    ((800, 1280), 149 / 25.4),
    ((800, 480), 96 / 25.4),
    ((800, 480), 133 / 25.4),
    ((1280, 800), 96 / 25.4),
    ((1280, 800), 149 / 25.4),
    ((2560, 1600), 299 / 25.4),
]


@pytest.fixture
def open_home() -> Iterator[Open]:
    rigs: list[HomeRig] = []

    def opened(house: House | None = None, **more: object) -> HomeRig:
        rigs.append(HomeRig(house or House(), **more))
        return rigs[-1]

    yield opened
    for rig in rigs:
        rig.close()


def check(rig: HomeRig) -> None:
    """Every target is on the window and a finger wide."""
    target = rig.screen.measure().target
    for part, spot, _ in spots(rig.screen.parts):
        if not (spot.press or spot.hold):
            continue
        (x0, y0), (x1, y1) = part.outward(spot.x, spot.y), part.outward(spot.x + spot.w, spot.y + spot.h)
        assert x0 >= -1 and y0 >= -1 and x1 <= rig.screen.width + 1 and y1 <= rig.screen.height + 1, (spot.wid, x0, y0, x1, y1)
        assert x1 - x0 >= target - 1 and y1 - y0 >= target - 1, f"{spot.wid} is {x1 - x0:.0f} x {y1 - y0:.0f}, a finger needs {target}"
    json.dumps(rig.dump)


def turned_to(rig: HomeRig, wid: str) -> None:
    """Turns the leaf until it is there."""
    for _ in range(9):
        if wid in rig.dump:
            return
        rig.press("leaf")


@pytest.mark.parametrize("lang", ["en", "ru", "qps"])
@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_every_target_is_a_finger_wide_and_on_the_window(open_home: Open, size: tuple[int, int], mm: float, lang: str) -> None:
    house = House(Home(LIST, ("Mira", "Константин Великий"), raw("The journal was damaged.")))
    house.entries = [Entry("figures", raw("Figures"), lambda: None, "ui/tag"), Entry("sim", raw("Simulated table"), lambda: None)]
    rig = open_home(house, size=size, mm=mm)
    s = rig.state
    s.speech.lang = lang
    for scale in (0.8, 1.0, 2.0):
        s.scale = scale
        s.back()
        check(rig)
        s.new()
        s.put(s.form.with_player().named("koi", "W" * 24).named("lotus", "Анна").turned("koi", 2).allied("koi", "turtle"))
        for tab in TABS:
            s.turn_to(tab)
            check(rig)
            if "leaf" in rig.dump:
                s.press_leaf()
                check(rig)
        s.edit("koi")
        check(rig)
        s.other_letters()
        check(rig)
        s.finish()
        s.choose("koi")
        check(rig)
        s.choose("koi")


def test_without_a_game_the_first_thing_to_press_is_a_new_one(open_home: Open) -> None:
    rig = open_home()
    assert rig.spot("new:rising_sun")["lit"] and "three touches" in rig.spot("saved:none")["text"]
    rig.press("new:rising_sun")
    assert [wid for wid in rig.dump if wid.startswith("name:")] == ["name:koi", "name:lotus", "name:turtle", "name:dragonfly"]
    rig.press("begin")
    rig.until(lambda: rig.opened)
    assert rig.opened == ["a table"]
    (new,) = rig.house.begun
    assert new.seats == ("koi", "lotus", "turtle", "dragonfly") and new.setup.names == {}


def test_a_form_is_filled_in_by_fingers(open_home: Open) -> None:
    rig = open_home(House(Home(names=("Pavel",))))
    rig.press("new:rising_sun")
    rig.press("name:koi")
    rig.type("anna")
    assert rig.spot("typed")["value"] == "Anna"
    rig.press("key:space")
    rig.press("key:other")
    rig.type("ив")
    rig.press("key:back")
    rig.press("key:shift")
    rig.type("о")
    rig.press("key:done")
    assert rig.spot("name:koi")["value"] == "Anna ИО"
    rig.press("name:lotus")
    rig.press("known:Pavel")
    rig.press("clan:dragonfly")
    rig.press("take:bonsai")
    rig.press("remove:turtle")
    rig.press("add")
    rig.press("remove:turtle")
    rig.press("side:koi")
    rig.press("round:lotus")
    rig.press("tab:table")
    rig.press("deck:cardboard")
    rig.press("layout:none")
    rig.press("tab:rules")
    rig.press("option:skulls_alone:three")
    assert (
        rig.spot("option:level:strict")["value"] and "nobody has to keep watch" in rig.spot("why:How strictly the rules are kept")["text"]
    )
    rig.press("option:level:advise")
    assert rig.spot("option:level:advise")["value"] and "and is marked" in rig.spot("why:How strictly the rules are kept")["text"]
    turned_to(rig, "ally:koi")
    rig.press("ally:koi")
    rig.press("ally:bonsai")
    assert rig.spot("ally:koi")["text"] == "Koi and Bonsai"
    rig.press("begin")
    rig.until(lambda: rig.opened)
    (new,) = rig.house.begun
    assert new.seats == ("koi", "lotus", "bonsai")
    assert new.setup == Setup(
        {"koi": "Anna ИО", "lotus": "Pavel"}, {"koi": "west", "lotus": "north", "bonsai": "east"}, "none", level="advise"
    )
    assert new.options["mandates"] == "cardboard" and new.options["skulls_alone"] == "three" and new.options["ally"] == "koi bonsai"


def test_what_is_wrong_is_said_and_put_right_at_one_press(open_home: Open) -> None:
    rig = open_home()
    rig.press("new:rising_sun")
    rig.press("side:koi")
    rig.press("side:koi")
    assert rig.spot("fault")["value"] == "refused" and "Koi, Lotus, Turtle, Dragonfly" in rig.spot("fault")["text"]
    assert not rig.spot("begin")["enabled"]
    rig.state.begin()
    rig.press("mend")
    assert "fault" not in rig.dump and rig.spot("begin")["enabled"] and not rig.house.begun
    rig.press("tab:table")
    rig.press("layout:readers")
    assert rig.spot("fault")["value"] == "careful" and rig.spot("begin")["enabled"]
    rig.press("mend")
    assert rig.spot("layout:single")["value"] and "fault" not in rig.dump


def test_allies_are_parted_by_another_touch_and_a_first_touch_is_taken_back(open_home: Open) -> None:
    rig = open_home()
    rig.press("new:rising_sun")
    rig.press("tab:rules")
    turned_to(rig, "ally:koi")
    rig.press("ally:koi")
    assert rig.spot("ally:koi")["lit"]
    rig.press("ally:koi")
    assert not rig.spot("ally:koi")["lit"]
    rig.press("ally:lotus")
    rig.press("ally:turtle")
    assert rig.spot("ally:lotus")["value"] == "turtle"
    rig.press("ally:turtle")
    assert rig.state.form.pairs == ()


def test_a_real_keyboard_types_any_script(open_home: Open) -> None:
    rig = open_home()
    rig.press("new:rising_sun")
    Window.dispatch("on_textinput", "nobody is typing")
    assert not rig.screen._key(None, Keyboard.keycodes["backspace"])
    rig.press("name:koi")
    Window.dispatch("on_textinput", "李小龍!")
    rig.screen._key(None, Keyboard.keycodes["backspace"])
    rig.screen._key(None, Keyboard.keycodes["a"])
    rig.screen._key(None, Keyboard.keycodes["enter"])
    assert rig.spot("name:koi")["value"] == "李小龍"
    rig.press("name:koi")
    rig.state.clear()
    rig.screen._lost()
    rig.press("typed") if rig.spot("typed")["enabled"] else rig.state.finish()
    assert rig.state.form.player("koi").name == ""


def test_a_saved_game_goes_on_at_one_press(open_home: Open) -> None:
    rig = open_home(House(Home(LIST)))
    first = rig.spot("saved:aaaaaaaa")
    assert first["lit"] and first["text"].startswith("Mira, Jonas, Айко, Dragonfly, Ines. Rising Sun · Political Phase")
    assert not rig.spot("new:rising_sun")["lit"]
    assert not rig.spot("saved:dddddddd")["enabled"] and "row 12 is damaged" in rig.spot("saved:dddddddd")["text"]
    rig.press("saved:bbbbbbbb")
    rig.until(lambda: rig.opened)
    assert rig.house.resumed == ["bbbbbbbb"]


def test_a_long_list_has_leaves(open_home: Open) -> None:
    rig = open_home(House(Home(tuple(saved(f"game{i:04}") for i in range(11)))), size=(800, 480), mm=133 / 25.4)
    seen: set[str] = set()
    for _ in range(11):
        seen |= {wid for wid in rig.dump if wid.startswith("saved:")}
        rig.press("leaf")
    assert len(seen) == 11


def test_what_cannot_be_opened_is_said_and_nothing_is_lost(open_home: Open) -> None:
    rig = open_home(House(Home(LIST), fault="port 8788 is in use"))
    rig.press("saved:aaaaaaaa")
    rig.until(lambda: "said" in rig.dump and rig.state.busy is None)
    assert rig.spot("said")["value"] == "refused" and "port 8788 is in use" in rig.spot("said")["text"]
    rig.press("new:rising_sun")
    rig.press("name:koi")
    rig.type("anna")
    rig.press("key:done")
    rig.press("begin")
    rig.until(lambda: rig.state.trouble is not None)
    assert "port 8788" in rig.spot("fault")["text"] and rig.spot("name:koi")["value"] == "Anna"


@pytest.mark.logs_errors
def test_a_house_that_breaks_is_survived(open_home: Open) -> None:
    house = House(Home(LIST))
    rig = open_home(house)

    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    house.resume = house.home = house.leave = broken
    rig.press("saved:aaaaaaaa")
    rig.until(lambda: rig.state.trouble is not None)
    rig.until(lambda: rig.state.home.notice is not None)
    rig.state.leave()
    rig.until(lambda: rig.state.busy is None)
    assert "a bug" in rig.spot("said")["text"]


def test_while_a_table_is_opened_nothing_else_is_pressed(open_home: Open) -> None:
    rig = open_home(House(Home(LIST)))
    jobs: list[object] = []
    rig.state._work = lambda job, done: jobs.append((job, done))
    rig.press("saved:aaaaaaaa")
    assert rig.spot("said")["value"] == "waiting"
    rig.press("saved:bbbbbbbb")
    rig.press("new:rising_sun")
    rig.state.resume("bbbbbbbb")
    assert len(jobs) == 1 and rig.state.page == "home"


def test_entries_and_settings_answer_and_the_picture_survives_a_pause(open_home: Open) -> None:
    house = House()
    pressed: list[int] = []
    house.entries = [Entry("figures", raw("Figures"), lambda: pressed.append(1))]
    rig = open_home(house)
    rig.press("entry:figures")
    assert pressed == [1]
    rig.press("lang")
    assert rig.spot("new:rising_sun")["text"].startswith("Новая партия")
    rig.press("theme")
    assert rig.spot("theme")["value"] == "night"
    before = rig.screen.measure().text
    rig.press("bigger")
    assert rig.screen.measure().text > before
    rig.press("smaller")
    found = rig.dump
    rig.screen.rebuild()
    assert rig.dump == found
    rig.press("new:rising_sun")
    rig.press("back")
    assert "entry:figures" in rig.dump and rig.screen.find("nowhere") is None


def test_a_press_beside_the_choice_or_the_keys_closes_them(open_home: Open) -> None:
    rig = open_home()
    rig.press("new:rising_sun")
    rig.press("clan:koi")
    corner = UnitTestTouch(5, 5)
    corner.sx = corner.sy = 0.01
    corner.touch_down()
    corner.touch_up()
    assert rig.state.choosing == ""
    rig.press("name:koi")
    rig.type("a")
    corner = UnitTestTouch(5, rig.screen.height - 5)
    corner.touch_down()
    corner.touch_up()
    assert rig.state.typing == "" and rig.state.form.player("koi").name == "A"


def test_a_player_of_the_new_game_may_be_a_bot(open_home: Open) -> None:
    rig = open_home(House(Home(names=("Pavel",))))
    rig.press("new:rising_sun")
    rig.press("name:lotus")
    assert not rig.spot("bot")["lit"]
    rig.press("bot")
    assert "typed" not in rig.dump and rig.state.form.player("lotus").bot
    assert rig.spot("round:lotus")["text"] == "Bot"
    rig.press("name:lotus")
    assert rig.spot("bot")["lit"]
    rig.press("bot")
    assert rig.spot("typed")["value"] == "" and not rig.state.form.player("lotus").bot
    rig.press("key:done")
    rig.press("name:turtle")
    rig.type("hal")
    rig.press("key:done")
    rig.press("name:turtle")
    rig.press("bot")
    rig.press("begin")
    rig.until(lambda: rig.house.begun)
    assert rig.house.begun[0].setup.bots == ("turtle",) and rig.house.begun[0].setup.names == {"turtle": "Hal"}
