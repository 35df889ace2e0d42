"""What lies over the map: why not, undo, repair, the log and its clauses, settings, PINs, the nearer map."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from kivy.core.window import Window
from tablet_picture import Stand, raw, summon, tiles, update
from tablet_rig import Rig
from tablet_scenes import scenes

from companion.rules.game import Choice, MovePiece, Prompt, Refusal
from companion.rules.view import Line, Section, Text
from companion.table.commands import Overrule, Undo
from companion.table.referee import Answer

Open = Callable[..., Rig]


def again(rig: Rig, wid: str) -> None:
    rig.clock.now += 1
    rig.press(wid)


def test_a_greyed_figure_says_why_not(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)))).on_board()
    assert "Why not?" in rig.spot("why:koi/shinto")["text"]
    rig.press("why:koi/shinto")
    assert rig.stand.desk.whys == [("koi/shinto", "edo")] and rig.stand.desk.played == []
    assert rig.spot("notice")["value"]["clause"] == "RS-6R.2"


def test_what_was_refused_can_be_done_anyway_where_the_table_advises(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)))).on_board()
    over = Overrule("table", (MovePiece("koi", "koi/shinto", "reserve.koi", "edo"),))
    rig.stand.desk.anyway = (("table", Choice(over, Text("table.anyway"), detail=raw("Koi Shinto comes to Edo"), mark="ui/careful")),)
    rig.press("why:koi/shinto")
    assert rig.spot("notice")["value"] == {"tone": "refused", "clause": "RS-6R.2"}, "refused first, with its clause"
    assert rig.spot("offer:0")["text"] == "Do it anyway (Koi Shinto comes to Edo)"
    rig.clock.now += 1
    rig.press("offer:0")
    assert rig.stand.desk.played == [("table", over)] and "notice" not in rig.dump


def test_a_seat_s_refused_order_is_offered_beside_its_refusal(open_tablet: Open) -> None:
    refusal = Refusal("RS-6R.2", raw("No."))
    over = Overrule("koi", (MovePiece("koi", "koi/shinto", "reserve.koi", "edo"),))
    asks = Prompt("koi", Text("table.anyway_asks", {"why": raw("No.")}), "RS-6R.2", (Choice(over, Text("table.anyway")),), optional=True)
    rig = open_tablet(update(summon(), asks)).on_board()
    rig.session.answered("koi", Answer("x", ok=False, revision=4, refusal=refusal))
    rig.wait(1)
    rig.press("offer:0")
    assert rig.stand.desk.played == [("koi", over)]
    rig.session.answered("koi", Answer("x", ok=False, revision=4, refusal=Refusal("", Text("table.stale"))))
    rig.wait(1)
    assert "offer:0" not in rig.dump, "what the table itself refuses is refused"


def take_back(seat: str, what: str) -> Prompt:
    choice = Choice(Undo(seat, 4, 4), Text("table.undo", {"what": raw(what)}), mark="ui/undo")
    return Prompt(seat, Text("table.take_back"), "", (choice,), optional=True)


def test_undo_says_what_it_undoes_and_whose_it_is(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(), take_back("lotus", "Lotus Bushi leaves Edo"))).on_board()
    spot = rig.spot("undo")
    assert spot["text"] == "Undo (Lotus Bushi leaves Edo)" and spot["value"] == "lotus"
    rig.press("undo")
    assert rig.stand.desk.played == [("lotus", Undo("lotus", 4, 4))]


def test_an_undo_that_cannot_be_said_on_the_button_is_said_in_the_list(open_tablet: Open) -> None:
    long = "Lotus Bushi leaves Edo; " * 12
    rig = open_tablet(update(summon(), take_back("lotus", long))).on_board()
    rig.press("undo")
    assert rig.stand.desk.played == [] and rig.spot("sheet")["value"] == "ask"
    again(rig, "listed:0")
    assert rig.stand.desk.played == [("lotus", Undo("lotus", 4, 4))] and "sheet" not in rig.dump


def test_while_table_and_app_differ_the_panel_says_where_and_the_table_is_asked(open_tablet: Open) -> None:
    rig = open_tablet(stand=Stand(scenes()["differs"])).on_board()
    assert rig.session.seat == "table" and rig.spot("prompt")["value"] == "table"
    assert "Kyoto: Koi Bushi / nothing" in rig.spot("differs:kyoto")["text"]
    assert "seat:koi" not in rig.dump  # honor makes room
    rig.press("repair")
    assert rig.spot("sheet")["value"] == "repair"
    rig.clock.now += 1
    rig.show(scenes()["recruit"])
    assert "differs:kyoto" not in rig.dump and "seat:koi" in rig.dump


def test_figures_to_move_are_reminded_of_while_nothing_differs(open_tablet: Open) -> None:
    picture = update(summon())
    owed = Section("owed", raw("Figures to move"), (Line(raw("Please: Koi Bushi leaves Edo"), id="owed.0"), Line(raw("b"), id="owed.1")))
    rig = open_tablet(msgspec.structs.replace(picture, open=msgspec.structs.replace(picture.open, sections=(owed, *picture.open.sections))))
    rig.on_board()
    assert "Koi Bushi leaves Edo" in rig.spot("owed")["text"] and "1 more" in rig.spot("owed")["text"]
    rig.press("owed")
    assert rig.spot("sheet")["value"] == "repair"


def test_a_clause_of_the_log_opens_and_the_log_comes_back(rig: Rig) -> None:
    rig.press("title")
    assert rig.spot("clause:0")["text"] == "RS-6.3"
    rig.press("clause:0")
    assert rig.spot("sheet")["value"] == "clause"
    assert [row.text for row in rig.screen.sheet._rows()] == ["RS-6.3 says so (en)."]
    rig.press("sheet:close")
    assert rig.spot("sheet")["value"] == "log"


def test_the_rule_of_the_question_opens_from_the_panel(rig: Rig) -> None:
    rig.press("prompt")
    assert rig.session.sheet == ("clause", "RS-6R.1")
    rig.session.open_sheet(("clause", "XX-1"))
    assert [row.text for row in rig.screen.sheet._rows()] == ["This game has no text for XX-1."]


def test_the_log_turns_back_and_forth(open_tablet: Open) -> None:
    picture = update(summon())
    lines = tuple(Line(raw(f"Sentence {i}"), "RS-6.3") for i in range(60))
    rig = open_tablet(msgspec.structs.replace(picture, open=msgspec.structs.replace(picture.open, log=lines))).on_board()
    rig.press("title")
    for _ in range(20):
        if not rig.spot("sheet:next")["enabled"]:
            break
        again(rig, "sheet:next")
    last = rig.session.sheet_leaf
    assert last > 1
    again(rig, "sheet:prev")
    assert rig.session.sheet_leaf == last - 1


def test_settings_take_effect_at_once(rig: Rig) -> None:
    rig.press("title")
    again(rig, "sheet:settings")
    again(rig, "lang:ru")
    assert rig.spot("seat:koi")["text"] == "Кои"
    again(rig, "theme:night")
    assert rig.screen.sheet.style.theme.dark
    before = rig.screen.measure().text
    again(rig, "scale:1.5")
    assert rig.screen.measure().text > before
    again(rig, "motion:on")
    assert rig.session.motion
    again(rig, "motion:off")
    assert not rig.session.motion
    side = rig.session.side
    again(rig, "turn")
    assert rig.session.turned == 1 and rig.session.side in {side, "west"}


def test_the_whole_screen_turns(rig: Rig) -> None:
    try:
        for turned in (90, 180, 270, 0):
            rig.session.rotate(turned)
            rig.frames()
            assert Window.rotation == turned
    finally:
        Window.rotation = 0


def test_the_devices_are_a_card_each_and_what_needs_a_hand_is_first(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    rig = open_tablet(stand=stand).on_board()
    stand.moving = ("lotus",)
    rig.wait(1)
    rig.session.press_sheet("health")
    rig.frames()
    assert rig.spot("device:phone.lotus")["value"] == "act"
    assert rig.spot("device:reader")["value"] == "ok"
    first = min((wid for wid in rig.dump if wid.startswith("device:")), key=lambda wid: rig.spot(wid)["centre"][::-1])
    assert first == "device:phone.lotus"
    again(rig, "sheet:next")
    assert rig.spot("device:phone.koi")["text"] == "The phone is here."


def pin(rig: Rig, digits: str) -> None:
    for digit in digits:
        again(rig, f"key:{digit}")


def test_a_seat_without_a_phone_keeps_its_curtain_shut_with_a_pin(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles("lotus"))).on_board()
    rig.press("seat:lotus")
    again(rig, "pin:lotus")
    pin(rig, "12341234")
    assert [text.key for _, text, _ in rig.stand.desk.announced] == ["tablet.pin_set"]
    rig.show(update(tiles("lotus"), revision=2))
    rig.show(update(summon(), revision=3))
    rig.show(update(tiles("lotus"), revision=4))
    assert rig.spot("curtain:lotus")["text"] == "Enter the PIN"
    again(rig, "curtain:lotus")
    pin(rig, "4321")
    assert "not the PIN" in rig.spot("pin:typed")["text"] and not rig.session.open
    pin(rig, "1234")
    assert "sheet" not in rig.dump
    touch = rig.hold("curtain:lotus")
    assert rig.session.open
    rig.lift(touch)


def test_the_host_takes_a_forgotten_pin_away_and_everybody_hears(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles("lotus"))).on_board()
    rig.session.press_keypad("lotus")
    pin(rig, "11111111")
    rig.session.pins.lock()
    rig.session.changed()
    again(rig, "curtain:lotus")
    again(rig, "pin:forget")
    assert rig.stand.desk.announced[-1][0] == "careful" and not rig.session.pins.has("lotus")
    assert rig.spot("curtain:lotus")["text"] == "Hold to look"


@pytest.mark.parametrize("back", [False, True])
def test_the_map_comes_nearer_where_two_lit_places_are_too_near(open_tablet: Open, *, back: bool) -> None:
    rig = open_tablet(update(summon(places=("kyoto", "oshu"), kinds=("bushi",)))).on_board()
    board = rig.screen.board
    border = next(edge for edge in board.drawing.border if set(edge.between) == {"kyoto", "oshu"})
    x, y = border.line[len(border.line) // 2]
    wide = board.map.w
    rig.press(board.px((x + 5, y)))
    assert rig.stand.desk.played == [] and board.map.w > 2 * wide and "Two places" in rig.spot("touched")["text"]
    rig.clock.now += 1
    if back:
        rig.press("unzoom")
    else:
        rig.press(board.px((x + 40, y)))
        assert [command["place"] for _, command in rig.stand.desk.played] in (["oshu"], ["kyoto"])
    assert board.map.w == wide


def test_two_presses_within_the_pause_are_one(rig: Rig) -> None:
    rig.press("zone:edo")
    rig.press("back")
    rig.clock.now += 0.1
    rig.press("pick:koi/bushi")
    rig.clock.now += 0.1
    rig.press("pick:koi/bushi")
    assert rig.session.pick == "koi/bushi"


def test_a_dark_place_says_why_not_and_waits_for_a_tag_all_the_same(rig: Rig) -> None:
    rig.press("zone:oshu")
    assert [command for _, command in rig.stand.desk.played] == []
    assert rig.stand.desk.touched == ["oshu"]
    assert rig.stand.desk.whys == [("koi/bushi", "oshu")]
    said = rig.spot("notice")
    assert said["value"] == {"tone": "refused", "clause": "RS-6R.2"} and "Lawful: Bushi to Edo" in said["text"]
    rig.press("rule")
    assert rig.spot("sheet")["value"] == "clause"
    rig.press("sheet:close")
    rig.press("notice")
    assert "notice" not in rig.dump


def test_without_a_piece_to_move_a_touched_place_waits_for_a_tag(open_tablet: Open) -> None:
    rig = open_tablet(update(Prompt("koi", raw("Buy"), "RS-6T.1", (Choice({"do": "done"}, raw("Done"), mark="ui/ok"),)))).on_board()
    rig.press("zone:oshu")
    assert rig.stand.desk.whys == []
    assert "Oshu" in rig.spot("touched")["text"]
    rig.wait(21)
    assert "touched" not in rig.dump


def test_a_question_of_very_many_choices_is_a_list(open_tablet: Open) -> None:
    many = tuple(Choice({"n": i}, raw(f"Choice number {i}")) for i in range(30))
    rig = open_tablet(update(Prompt("koi", raw("Choose"), "X", (*many, Choice({"n": 99}, raw("Done"), mark="ui/ok"))))).on_board()
    assert "choice:30" in rig.dump
    rig.press("list")
    seen: set[str] = set()
    for _ in range(6):
        seen |= {wid for wid in rig.dump if wid.startswith("listed:")}
        if not rig.dump.get("sheet:next", {"enabled": False})["enabled"]:
            break
        rig.press("sheet:next")
        rig.clock.now += 1
    assert len(seen) == 31
    rig.press("listed:30")
    assert [command for _, command in rig.stand.desk.played] == [{"n": 99}] and "sheet" not in rig.dump
