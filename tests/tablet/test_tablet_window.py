"""The whole screen: sizes, sides, languages, themes, threads, waking up."""

from __future__ import annotations

import json
import threading
from collections import Counter as Count
from collections.abc import Callable

import msgspec
import pytest
from kivy.clock import Clock as KivyClock
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glReadPixels
from tablet_picture import SEATS, Stand, raw, summon, tiles, update
from tablet_rig import Rig

from companion.rules.game import Choice, Prompt
from companion.rules.view import Counter, Section, Wait
from companion.table.desk import Notice
from companion.tablet import marks, screen
from companion.tablet.dump import spots
from companion.tablet.part import Part
from companion.tablet.sides import seated
from companion.tablet.window import TabletApp

Open = Callable[..., Rig]

SIZES = [((800, 480), 96 / 25.4), ((800, 480), 133 / 25.4), ((1280, 800), 96 / 25.4), ((1280, 800), 149 / 25.4), ((2560, 1600), 299 / 25.4)]
"""Small desk panel, 7 inch panel, desktop, 10 inch tablet, dense 10 inch tablet."""
POLYGONS = ("zone:",)
"""A zone's target is its whole shape, wherever it is; ``Drawing.at`` adds a finger's reach on open sea."""

SMALL_ROWS = "with enlarged text on a small window the rows of the five seats may be 7 mm high: the map needs the rest"


def pressable(rig: Rig) -> dict[str, tuple[float, float, float, float]]:
    out = {}
    for part, spot, _ in spots(rig.screen.parts):
        if (spot.press or spot.hold) and not spot.wid.startswith(POLYGONS):
            corners = [part.outward(spot.x, spot.y), part.outward(spot.x + spot.w, spot.y + spot.h)]
            (x0, x1), (y0, y1) = sorted(c[0] for c in corners), sorted(c[1] for c in corners)
            out[spot.wid] = (x0, y0, x1, y1)
    return out


def check(rig: Rig) -> None:
    target = rig.screen.measure().target
    for wid, (x0, y0, x1, y1) in pressable(rig).items():
        assert x0 >= -1 and y0 >= -1 and x1 <= rig.screen.width + 1 and y1 <= rig.screen.height + 1, (wid, x0, y0, x1, y1)
        least = target * (0.6 if wid.startswith("seat:") and rig.session.scale > 1 else 1) - 1  # SMALL_ROWS
        assert x1 - x0 >= least and y1 - y0 >= least, f"{wid} is {x1 - x0:.0f} x {y1 - y0:.0f}, a finger needs {target}"
    json.dumps(rig.dump)


@pytest.mark.parametrize(("size", "mm"), SIZES)
@pytest.mark.parametrize("seat", SEATS)
def test_every_target_is_a_finger_wide_and_on_the_window(open_tablet: Open, size: tuple[int, int], mm: float, seat: str) -> None:
    rig = open_tablet(update(summon(seat)), size=size, mm=mm)
    check(rig)  # the table page
    rig.on_board()
    check(rig)
    rig.session.touch("edo")
    rig.frames()
    check(rig)
    rig.show(update(tiles(seat), revision=2))
    check(rig)
    rig.session.draw_curtain(aside=True)
    rig.frames()
    check(rig)


@pytest.mark.parametrize("scale", [0.8, 1.25, 1.5, 2.0])
@pytest.mark.parametrize(("size", "mm"), SIZES[1:4])
def test_targets_hold_at_every_size_of_text(open_tablet: Open, size: tuple[int, int], mm: float, scale: float) -> None:
    for seat in ("koi", "bonsai"):
        rig = open_tablet(update(summon(seat)), size=size, mm=mm)
        rig.session.scale = scale
        rig.session.changed()
        check(rig)
        rig.on_board()
        check(rig)
        rig.close()


@pytest.mark.parametrize("lang", ["ru", "qps"])
def test_targets_hold_in_longer_languages(open_tablet: Open, lang: str) -> None:
    for seat in ("koi", "turtle"):
        rig = open_tablet(update(summon(seat), notice=Notice(1, "careful", raw("Look at this long sentence " * 6), "RS-1")))
        rig.session.speech.lang = lang
        rig.session.changed()
        check(rig)
        rig.on_board()
        check(rig)


@pytest.mark.parametrize(("seat", "turn"), [("koi", 0), ("lotus", 0), ("turtle", 270), ("dragonfly", 180), ("bonsai", 90)])
def test_the_prompt_stands_at_its_seats_side_and_faces_it(open_tablet: Open, seat: str, turn: int) -> None:
    rig = open_tablet(update(summon(seat))).on_board()
    assert rig.screen.ask.turn == turn
    x, y = rig.spot("prompt")["centre"]
    w, h = rig.screen.size
    assert {0: y > h * 0.8, 270: x < w * 0.2, 180: y < h * 0.3, 90: x > w * 0.8}[turn]
    # what is read from left to right runs as the reader sees it
    first, last = rig.spot(f"pick:{seat}/bushi")["centre"], rig.spot(f"pick:{seat}/monster")["centre"]
    along = {0: last[0] - first[0], 90: first[1] - last[1], 180: first[0] - last[0], 270: last[1] - first[1]}[turn]
    assert along > 0
    rig.press(f"pick:{seat}/bushi")
    assert rig.session.pick == f"{seat}/bushi"


def test_seats_go_clockwise_and_turn_together() -> None:
    assert [seated(SEATS)[seat].side for seat in SEATS] == ["south", "south", "west", "north", "east"]
    assert seated(SEATS, 1)["koi"].side == "south" and seated(SEATS, 1)["lotus"].side == "west"
    assert [s.side for s in seated(("a", "b")).values()] == ["south", "north"]
    assert len(seated(tuple("abcdefghij"))) == 10


def test_turning_the_seats_moves_prompt_and_codes(rig: Rig) -> None:
    rig.press("table")
    before = rig.spot("join:bonsai")["centre"]
    rig.press("turn")
    assert rig.spot("join:bonsai")["centre"] != before
    rig.clock.now += 1
    rig.press("turn")
    rig.press("begin")
    assert rig.screen.ask.turn == 270  # Koi has moved on from the south, twice


def test_the_language_changes_at_once(rig: Rig) -> None:
    assert rig.spot("zone:edo")["text"] == "Edo" and rig.spot("seat:koi")["text"] == "Koi"
    rig.press("table")
    rig.press("lang")
    rig.press("begin")
    assert rig.spot("zone:edo")["text"] == "Эдо" and rig.spot("seat:koi")["text"] == "Кои"
    assert rig.spot("table")["text"] == "Стол"


def test_the_theme_changes_at_once(rig: Rig) -> None:
    rig.press("table")
    rig.press("theme")
    assert rig.screen.parts[0].style.theme.dark
    assert rig.spot("theme")["value"] == "night"


def test_the_text_grows_and_shrinks_at_once(rig: Rig) -> None:
    before = rig.screen.measure().text
    rig.press("table")
    rig.press("bigger")
    assert rig.screen.measure().text > before
    rig.clock.now += 1
    rig.press("smaller")
    rig.clock.now += 1
    rig.press("smaller")
    assert rig.screen.measure().text < before


def test_what_the_view_says_is_on_the_screen(rig: Rig) -> None:
    assert rig.spot("counter:koi:coins")["value"] == 6
    assert rig.spot("counter:lotus:vp")["value"] == 9
    assert rig.spot("stack:edo:koi/bushi")["value"] == 2
    assert rig.spot("stack:shrine.1:turtle/shinto")["value"] == 1
    assert rig.spot("zone:kansai")["value"]["badge"] == "3"
    assert rig.spot("reserve:koi:koi/shinto")["value"] == 2
    assert rig.spot("seat:bonsai")["value"]["rank"] == 3
    assert rig.spot("ally:koi")["value"] == "dragonfly"
    assert rig.spot("step:mandate.1")["value"] == {"state": "done", "seat": "koi"}
    assert rig.spot("lamp:mandate.4")["value"] == {"rgb": [0, 0, 255], "rhythm": "333333000000"}
    assert rig.spot("lamp:mandate.5")["lit"] is False
    assert rig.spot("title")["text"] == "Political Phase / Spring · Mandate 4 of 7"


def test_the_log_and_a_seats_sheet_open_and_close(rig: Rig) -> None:
    rig.press("title")
    assert rig.spot("sheet")["value"] == "log"
    rig.press("sheet:next")
    rig.press("sheet:close")
    rig.press("seat:turtle")
    assert rig.spot("sheet")["value"] == "seat"
    rig.clock.now += 1
    rig.press("seat:turtle")
    assert "sheet" not in rig.dump


def test_a_seats_private_section_is_behind_the_curtain_in_its_sheet(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    rig.press("seat:koi")  # its question is on the panel already: the row opens the sheet
    assert rig.spot("sheet")["value"] == "seat"
    touch = rig.hold("curtain:koi")
    assert rig.session.open
    rig.lift(touch)
    assert not rig.session.open


def test_the_table_page_shows_phones_codes_takeovers_and_devices(open_tablet: Open) -> None:
    fresh = update(summon())
    stand = Stand(msgspec.structs.replace(fresh, open=msgspec.structs.replace(fresh.open, log=())))
    rig = open_tablet(stand=stand)
    assert rig.spot("join:koi")["value"]["phone"] == "online" and "qr:koi" not in rig.dump
    assert rig.spot("qr:lotus")["text"].startswith("http://192.168.4.20:8788/#1.abcd1234.lotus.")
    assert sorted(stand.asked) == ["bonsai", "dragonfly", "lotus"]  # a code is made once, and only where nobody has a phone
    assert rig.spot("health:phones")["value"] == "waiting"
    assert rig.spot("begin")["text"].startswith("Begin without 3 phones")
    stand.moving = ("koi",)
    rig.wait(1)
    rig.press("takeover:koi:yes")
    assert stand.decided == [("koi", True)]
    stand.state = dict.fromkeys(SEATS, "online")
    rig.wait(1)
    assert not any(wid.startswith("qr:") for wid in rig.dump)
    assert rig.spot("begin")["text"] == "To the board"


def test_a_code_is_shown_large_and_goes_away(open_tablet: Open) -> None:
    rig = open_tablet()
    rig.press("join:dragonfly")
    assert rig.spot("code")["value"] == "dragonfly"
    assert rig.spot("qr:dragonfly")["size"][0] > 400
    rig.press("code")
    assert "code" not in rig.dump
    rig.press("join:koi")  # a seat that has a phone: another may ask for it
    assert rig.spot("qr:koi")["text"]
    rig.clock.now += 1
    rig.press((5, 5))
    assert "qr:koi" not in rig.dump


def test_a_takeover_is_asked_on_the_board_too(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    rig = open_tablet(stand=stand).on_board()
    stand.moving = ("lotus",)
    rig.wait(1)
    assert "Lotus wants to move" in rig.spot("takeover:lotus")["text"]
    rig.press("takeover:lotus:no")
    assert stand.decided == [("lotus", False)]
    assert "takeover:lotus" not in rig.dump


@pytest.mark.filterwarnings("ignore")
def test_a_seat_without_a_code_plays_here(open_tablet: Open, caplog: pytest.LogCaptureFixture) -> None:
    stand = Stand(update(summon()))
    stand.join = lambda seat: (_ for _ in ()).throw(OSError("no network"))
    rig = open_tablet(stand=stand)
    assert "qr:lotus" not in rig.dump
    assert "no network" in caplog.text


def test_the_health_page_has_every_line(rig: Rig) -> None:
    rig.press("table")
    rig.press("health")
    assert rig.spot("sheet")["value"] == "health"
    rig.press("sheet:close")
    rig.press("begin")
    assert "zone:edo" in rig.dump


def test_nobody_asked_means_no_panel_and_waiting_says_for_whom(open_tablet: Open) -> None:
    rig = open_tablet(update()).on_board()
    assert "prompt" not in rig.dump
    rig.show(update(revision=2, waits=(Wait("lotus", raw("choose a mandate")),)))
    assert "Lotus: choose a mandate" in rig.spot("prompt")["text"]


def test_a_game_without_a_drawing_lists_its_places(open_tablet: Open) -> None:
    rig = open_tablet(stand=Stand(update(summon(kinds=("bushi",))), drawn=False)).on_board()
    assert rig.spot("zone:edo")["lit"] and not rig.spot("zone:oshu")["lit"]
    assert rig.spot("stack:edo:koi/bushi")["value"] == 2
    check(rig)
    rig.press("zone:edo")
    assert rig.stand.desk.played[0][1]["place"] == "edo"


def test_a_broken_drawing_is_no_drawing(open_tablet: Open, caplog: pytest.LogCaptureFixture) -> None:
    stand = Stand(update(summon()))
    stand.board = {**stand.board, "zone": {"edo": {"name": "Edo"}}}
    rig = open_tablet(stand=stand).on_board()
    assert rig.spot("zone:edo")["lit"]
    assert "board.toml is no drawing" in caplog.text


def test_fifty_updates_at_once_are_drawn_once_and_the_newest_stands(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    painted: Count[Part] = Count()
    for part in rig.screen.parts:
        monkeypatch.setattr(part, "paint", lambda pen, part=part, paint=part.paint: (painted.update([part]), paint(pen))[1])
    for i in range(2, 52):
        places = {"edo": ([("koi", "bushi", i)], [], "1")}
        rig.stand.desk.show(update(summon(), revision=i, places=places, notice=Notice(i, "ok", raw(f"Number {i}"))))
    rig.frames()
    assert rig.spot("stack:edo:koi/bushi")["value"] == 51
    assert painted[rig.screen.board] and max(painted.values()) <= 2
    assert "Number 51" in rig.spot("notice")["text"]


def test_a_frame_that_has_taken_long_leaves_the_rest_to_the_next(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "LONG", 0.0)
    rig.frames()
    drawn, every = rig.screen.drawn, [part for part in rig.screen.parts if part.box.w > 0]
    rig.session.theme = "night"
    rig.session.changed()
    for _ in range(2 * len(every)):
        rig.frames(1)
    assert rig.screen.drawn - drawn >= len(every) > 2, "one part a frame"
    assert all(part.style is not None and part.style.key in part._shown for part in every)


def test_updates_from_other_threads_arrive_in_order_and_touch_no_widget_there(rig: Rig) -> None:
    seen: list[int] = []
    main = threading.get_ident()
    take = rig.session.take

    def watched(picture: object) -> None:
        assert threading.get_ident() == main
        seen.append(picture.revision)
        take(picture)

    rig.session.take = watched

    def referee() -> None:
        for i in range(2, 302):
            rig.stand.desk.show(update(summon(), revision=i))

    thread = threading.Thread(target=referee)
    thread.start()
    rig.until(lambda: rig.session.update.revision == 301)
    thread.join()
    assert seen == sorted(seen) and seen[-1] == 301


def test_an_older_picture_never_replaces_a_newer(rig: Rig) -> None:
    rig.show(update(summon(), revision=9))
    rig.show(update(summon(), revision=4))
    assert rig.session.update.revision == 9


@pytest.mark.parametrize("times", [3, pytest.param(50, marks=pytest.mark.soak)])
def test_waking_up_draws_everything_anew(rig: Rig, times: int) -> None:
    before = {wid: spot["centre"] for wid, spot in rig.dump.items()}
    app = TabletApp(rig.stand, title="x")
    app.screen = rig.screen
    for _ in range(times):
        assert app.on_pause()
        app.on_resume()
        rig.frames(1)
    assert {wid: spot["centre"] for wid, spot in rig.dump.items()} == before
    assert len(marks._shelf._kept) < 400


def test_the_picture_is_the_same_after_waking_up(rig: Rig) -> None:
    def shot() -> bytes:
        rig.frames(2)
        return bytes(glReadPixels(0, 0, Window.width, Window.height, GL_RGB, GL_UNSIGNED_BYTE))

    before = shot()
    assert len({before[i : i + 3] for i in range(0, len(before), 3001)}) > 20  # it is a picture
    rig.screen.rebuild()
    assert shot() == before


def test_motion_comes_to_rest_where_the_part_belongs(open_tablet: Open) -> None:
    rig = open_tablet(update(summon()), motion=True).on_board()
    rig.show(update(summon("turtle"), revision=2))
    rig.show(update(tiles("bonsai"), revision=3))
    rig.session.draw_curtain(aside=True)
    end = KivyClock.get_boottime() + 0.5
    while KivyClock.get_boottime() < end:
        rig.frames(1)
    ask = rig.screen.ask
    assert tuple(ask._move.xy) == (ask.x + ask.box.w, ask.y)
    assert not ask.over.children


def test_an_idle_table_draws_nothing(rig: Rig) -> None:
    drawn = rig.screen.drawn
    for _ in range(20):
        rig.wait(1)
    assert rig.screen.drawn == drawn


def test_sections_and_nodes_nobody_knows_are_in_the_log_sheet(open_tablet: Open) -> None:
    picture = update(summon())
    extra = Section("weather", raw("Weather"), (Counter("wind", raw("Wind"), 3),))
    picture = msgspec.structs.replace(picture, open=msgspec.structs.replace(picture.open, sections=(*picture.open.sections, extra)))
    rig = open_tablet(picture).on_board()
    rig.press("title")
    rows = rig.screen.sheet._rows()
    assert any(row.text == "Weather" for row in rows) and any(row.text == "Wind" and row.value == "3" for row in rows)


def test_many_choices_fit_by_leaves_on_every_side(open_tablet: Open) -> None:
    for seat in ("koi", "bonsai", "dragonfly", "turtle"):
        choices = tuple(Choice({"n": i}, raw(f"A card with a long name {i} for 2 coins"), mark="token/coin") for i in range(14))
        rig = open_tablet(update(Prompt(seat, raw("Buy one card"), "RS-6T.1", choices)), size=(800, 480)).on_board()
        seen: set[str] = set()
        for _ in range(14):
            check(rig)
            seen |= {wid for wid in rig.dump if wid.startswith("choice:")}
            if "leaf" not in rig.dump:
                break
            rig.session.press_leaf(1)
            rig.frames()
        assert len(seen) == 14 or "list" in rig.dump, (seat, seen)
        rig.close()
