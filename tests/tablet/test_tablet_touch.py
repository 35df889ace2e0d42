"""What a finger on the window does, through the real widgets and a desk that writes down what it is told."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from tablet_orders import Bid
from tablet_picture import Stand, raw, summon, tiles, update
from tablet_rig import Rig

from companion.rules.game import Amounts, Choice, Gesture, Prompt, Refusal
from companion.rules.view import Counter, Section
from companion.table.desk import Notice
from companion.table.referee import Answer
from companion.tablet.choices import all_of
from companion.tablet.port import SimTag

Open = Callable[..., Rig]


def commands(rig: Rig) -> list[dict[str, str]]:
    return [command for _, command in rig.stand.desk.played]


def test_a_lit_place_with_several_choices_offers_them_and_tells_the_desk_for_a_tag(rig: Rig) -> None:
    assert rig.spot("zone:edo")["lit"] and not rig.spot("zone:kyoto")["lit"]
    rig.press("zone:edo")
    assert commands(rig) == []
    assert rig.stand.desk.touched == ["edo"]
    assert rig.spot("choice:0")["text"] == "Bushi to Edo"
    rig.press("choice:1")
    assert commands(rig) == [{"do": "summon", "seat": "koi", "kind": "shinto", "place": "edo"}]


def test_with_a_figure_in_hand_a_touch_plays_at_once(rig: Rig) -> None:
    rig.press("pick:koi/bushi")
    assert rig.spot("pick:koi/bushi")["lit"]
    rig.press("zone:kansai")
    assert commands(rig) == [{"do": "summon", "seat": "koi", "kind": "bushi", "place": "kansai"}]
    assert rig.stand.desk.touched == []  # nothing waits for a tag: the same figure tapped later would be a second one


def test_while_a_tapped_figure_waits_for_its_place_a_touch_is_no_answer_to_the_question(open_tablet: Open) -> None:
    """Turtle taps a figure to put it right, and it is Koi's turn: the touch must not bring Koi's Bushi there."""
    prompt = summon(kinds=("bushi",))
    rig = open_tablet(update(prompt, notice=Notice(1, "waiting", raw("Turtle Bushi 2: touch where it goes."), asks_place=True))).on_board()
    rig.press("zone:edo")
    assert (commands(rig), rig.stand.desk.touched) == ([], ["edo"])
    rig.wait(1)
    rig.press("zone:edo")
    assert [c["place"] for c in commands(rig)] == ["edo"], "one touch, then the question again"
    rig.show(update(prompt, notice=Notice(2, "waiting", raw("Turtle Bushi 2: touch where it goes."), asks_place=True)))
    rig.wait(21)
    rig.press("zone:edo")
    assert rig.stand.desk.touched == ["edo"], "the figure waits no longer than the table remembers it"


def test_a_place_with_exactly_one_choice_plays_it(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)))).on_board()
    rig.press("zone:edo")
    assert [c["place"] for c in commands(rig)] == ["edo"]


def test_a_touch_on_open_sea_takes_the_nearest_place_within_a_finger(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)))).on_board()
    edo = rig.screen.board.drawing.zone["edo"].outline
    x, y = rig.screen.board.px(max(edo, key=lambda p: p[1]))
    rig.press((x, y + 20))
    assert [c["place"] for c in commands(rig)] == ["edo"]


def test_the_middle_of_every_place_lies_in_it(rig: Rig) -> None:
    for place in rig.session.places:
        x, y = rig.spot(f"zone:{place}")["centre"]
        assert rig.screen.board.at(x, rig.screen.height - y).wid == f"zone:{place}"


def test_done_is_a_button_with_its_consequence(rig: Rig) -> None:
    done = rig.spot("choice:6")
    assert done["text"] == "Done (gives up 2)"
    rig.press("choice:6")
    assert commands(rig) == [{"do": "done", "seat": "koi"}]


def test_a_second_press_within_150_ms_is_ignored(rig: Rig) -> None:
    rig.press("choice:6")
    rig.clock.now += 0.1
    rig.press("choice:6")
    assert len(commands(rig)) == 1
    rig.clock.now += 0.2
    rig.press("choice:6")
    assert len(commands(rig)) == 2


def test_buttons_rest_a_moment_when_the_question_changes(rig: Rig) -> None:
    rig.show(update(summon(places=("edo",)), revision=2))
    assert not rig.spot("choice:3")["enabled"]
    rig.press("choice:3")
    assert commands(rig) == []
    rig.clock.now += 0.4
    assert rig.spot("choice:3")["enabled"]
    rig.press("choice:3")
    assert commands(rig) == [{"do": "done", "seat": "koi"}]


def test_a_press_that_began_on_another_meaning_does_nothing(rig: Rig) -> None:
    touch = rig.finger("choice:6")
    touch.touch_down()
    rig.frames(1)
    rig.show(update(summon(places=("edo", "kansai", "oshu")), revision=2))
    rig.clock.now += 1
    touch.touch_up()
    rig.frames(1)
    assert commands(rig) == []


def test_lifting_elsewhere_does_nothing(rig: Rig) -> None:
    touch = rig.finger("choice:6")
    touch.touch_down()
    rig.frames(1)
    rig.slide(touch, "pick:koi/bushi")
    rig.lift(touch)
    assert commands(rig) == []
    assert rig.session.pick == ""


def test_any_seat_is_played_from_its_tab(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(), summon("lotus", ("nagato",)))).on_board()
    assert rig.spot("prompt")["value"] == "koi"
    rig.press("tab:lotus")
    assert rig.spot("prompt")["value"] == "lotus"
    rig.press("pick:lotus/bushi")
    rig.press("zone:nagato")
    assert commands(rig)[0]["seat"] == "lotus"


def test_where_two_seats_could_mean_a_place_it_asks_who_first(open_tablet: Open) -> None:
    rig = open_tablet(update(summon(kinds=("bushi",)), summon("lotus", ("edo",), ("bushi",)))).on_board()
    rig.press("zone:edo")
    assert commands(rig) == []
    rig.press("who:lotus")
    rig.press("choice:0")
    assert [c["seat"] for c in commands(rig)] == ["lotus"]


def test_a_figure_on_the_board_is_taken_up_then_set_down(open_tablet: Open) -> None:
    choices = tuple(
        Choice({"frm": a, "to": b, "kind": kind}, raw(f"{kind} {a} {b}"), (Gesture(f"koi/{kind}", a, b),))
        for a, kind in (("edo", "bushi"), ("edo", "daimyo"), ("kansai", "bushi"))
        for b in ("oshu", "kyoto")
    )
    rig = open_tablet(update(Prompt("koi", raw("Move"), "RS-6M.1", choices))).on_board()
    assert {wid for wid, spot in rig.dump.items() if wid.startswith("zone:") and spot["lit"]} == {"zone:edo", "zone:kansai"}
    rig.press("zone:kansai")
    assert rig.session.pick == "koi/bushi@kansai"
    assert {wid for wid, spot in rig.dump.items() if wid.startswith("zone:") and spot["lit"]} == {"zone:oshu", "zone:kyoto"}
    rig.press("zone:kyoto")
    assert commands(rig) == [{"frm": "kansai", "to": "kyoto", "kind": "bushi"}]
    rig.press("pick:koi/bushi@kansai")  # put back
    rig.press("zone:edo")  # two figures stand there
    rig.press("pick:koi/daimyo@edo")
    rig.press("zone:oshu")
    assert commands(rig)[-1] == {"frm": "edo", "to": "oshu", "kind": "daimyo"}


def test_a_destination_touched_first_offers_who_may_go_there(open_tablet: Open) -> None:
    choices = tuple(Choice({"frm": a}, raw(f"Bushi {a}"), (Gesture("koi/bushi", a, "kyoto"),)) for a in ("edo", "kansai"))
    rig = open_tablet(update(Prompt("koi", raw("Move"), "RS-6M.1", choices))).on_board()
    rig.press("zone:kyoto")
    rig.press("choice:1")
    assert commands(rig) == [{"frm": "kansai"}]


def test_a_refusal_is_shown_with_its_clause_and_what_is_lawful(rig: Rig) -> None:
    rig.press("choice:6")
    reply = rig.stand.desk.replies[-1]
    reply(
        Answer(
            "x",
            ok=False,
            revision=1,
            refusal=Refusal("RS-6R.3", raw("Koi has no stronghold there."), (raw("Bushi to Edo"), raw("Bushi to Kansai"))),
        )
    )
    rig.frames()
    said = rig.spot("notice")
    assert said["value"] == {"tone": "refused", "clause": "RS-6R.3"}
    assert (
        said["text"].startswith("Refused: ")
        and "Koi has no stronghold there." in said["text"]
        and "Bushi to Edo; Bushi to Kansai" in said["text"]
    )
    rig.press("notice")
    assert "notice" not in rig.dump


def test_an_accepted_command_takes_the_refusal_away(rig: Rig) -> None:
    rig.session.answered("koi", Answer("x", ok=False, revision=1, refusal=Refusal("RS-1", raw("No."))))
    rig.session.answered("koi", Answer("y", ok=True, revision=2))
    rig.frames()
    assert "notice" not in rig.dump


def test_a_notice_is_said_once_and_its_offers_are_buttons(rig: Rig) -> None:
    prompt = summon()
    notice = Notice(1, "waiting", raw("Where does Bushi 2 go?"), "", "koi", (("koi", prompt.choices[0]), ("koi", prompt.choices[3])))
    rig.show(update(prompt, notice=notice))
    assert rig.spot("notice")["value"]["tone"] == "waiting"
    rig.press("offer:1")
    assert commands(rig) == [prompt.choices[3].command]
    rig.show(update(prompt, notice=notice))
    assert "notice" not in rig.dump
    rig.show(update(prompt, notice=Notice(2, "ok", raw("Done."))))
    assert "notice" in rig.dump
    rig.wait(7)
    assert "notice" not in rig.dump


def test_a_private_question_is_behind_the_curtain_until_it_is_held(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    assert not any(wid.startswith("choice:") for wid in rig.dump)
    assert "Recruit" not in str([spot["text"] for wid, spot in rig.dump.items() if not wid.startswith("step:")])
    rig.press("curtain:koi")  # too short
    assert not rig.session.open
    touch = rig.hold("curtain:koi")
    assert rig.spot("choice:0")["text"].startswith("Recruit")
    rig.lift(touch)
    assert not any(wid.startswith("choice:") for wid in rig.dump)
    assert commands(rig) == []


def test_a_card_is_chosen_by_sliding_onto_it_and_letting_go(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    touch = rig.hold("curtain:koi")
    rig.slide(touch, "choice:2")
    rig.lift(touch)
    assert [c["tile"] for c in commands(rig)] == ["betray"]
    assert not rig.session.open


def test_a_second_finger_chooses_while_the_first_holds(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    touch = rig.hold("curtain:koi")
    rig.press("choice:1")
    assert [c["tile"] for c in commands(rig)] == ["harvest"]
    rig.lift(touch)
    assert not rig.session.open


def test_a_pinned_curtain_closes_by_itself(open_tablet: Open) -> None:
    rig = open_tablet(update(tiles())).on_board()
    touch = rig.hold("curtain:koi")
    rig.slide(touch, "pin")
    rig.lift(touch)
    assert "choice:0" in rig.dump
    rig.wait(21)
    assert "choice:0" not in rig.dump
    assert commands(rig) == []


def test_many_private_choices_stand_on_leaves(open_tablet: Open) -> None:
    choices = tuple(Choice({"n": i}, raw(f"Tile {i}"), mark="mandate/train") for i in range(20))
    rig = open_tablet(update(Prompt("koi", raw("Lay a tile"), "RS-10.2", choices, private=True))).on_board()
    seen: set[str] = set()
    for _ in range(2):
        touch = rig.hold("curtain:koi")
        seen |= {wid for wid in rig.dump if wid.startswith("choice:")}
        rig.slide(touch, "leaf")
        rig.lift(touch)
        rig.clock.now += 1
    assert len(seen) == 20


def test_numbers_are_filled_in_within_their_limits(open_tablet: Open) -> None:
    choice = Choice(Bid("koi", {}), raw("Bid"), amounts=Amounts({"seppuku": (0, 2), "hostage": (0, 3)}, (1, 3)))
    rig = open_tablet(update(Prompt("koi", raw("Bid"), "RS-8", (choice,)))).on_board()
    rig.press("choice:0")
    assert "Why not?" in rig.spot("fill")["text"]
    rig.press("fill")
    assert commands(rig) == [] and "at least 1 and at most 3" in rig.spot("notice")["text"]
    for _ in range(3):
        rig.press("more:seppuku")
        rig.clock.now += 0.2
    for _ in range(3):
        rig.press("more:hostage")
        rig.clock.now += 0.2
    rig.press("less:seppuku")
    assert rig.spot("amount:seppuku")["value"] == 1 and rig.spot("amount:hostage")["value"] == 1
    rig.press("fill")
    assert commands(rig) == [Bid("koi", {"seppuku": 1, "hostage": 1})]


def test_numbers_are_called_as_the_view_calls_them(open_tablet: Open) -> None:
    limits = dict.fromkeys(("seppuku", "coins", "odd_name"), (0, 1))
    now = update(Prompt("koi", raw("Bid"), "RS-8", (Choice(Bid("koi", {}), raw("Bid"), amounts=Amounts(limits, (0, 1))),)))
    battle = Section("battle", raw("Battle"), (Counter("battle.seppuku", raw("Сэппуку"), None),))
    view = msgspec.structs.replace(now.seats["koi"], sections=(*now.seats["koi"].sections, battle))
    rig = open_tablet(msgspec.structs.replace(now, seats={**now.seats, "koi": view})).on_board()
    rig.press("choice:0")
    names = [button.detail for button in all_of(rig.session) if button.step is not None]
    assert names == ["Сэппуку", "coins", "Odd name"]  # of the battle, of the seat, of nobody


def test_a_question_that_may_be_left_is_in_the_seats_sheet(open_tablet: Open) -> None:
    gift = Prompt("lotus", raw("Give coins"), "RS-5.6", (Choice({"do": "give"}, raw("Give 1 coin to Koi")),), optional=True)
    rig = open_tablet(update(summon(), gift)).on_board()
    assert not rig.spot("seat:lotus")["lit"] and rig.spot("seat:koi")["lit"]
    rig.press("seat:lotus")
    assert rig.spot("sheet")["value"] == "seat"
    rig.press("may:lotus:0")
    assert rig.spot("prompt")["value"] == "lotus"
    rig.press("choice:0")
    assert commands(rig) == [{"do": "give"}]
    rig.show(update(summon(), revision=2))
    assert rig.spot("prompt")["value"] == "koi"


def test_a_question_of_the_table_itself_is_answered_by_anybody(open_tablet: Open) -> None:
    goes_on = Prompt("table", raw("The war is fought."), "RS-8", (Choice({"do": "done"}, raw("Go on"), mark="ui/ok"),))
    rig = open_tablet(msgspec.structs.replace(update(), table=(goes_on,))).on_board()
    assert rig.spot("prompt")["value"] == "table"
    rig.press("choice:0")
    assert rig.stand.desk.played == [("table", {"do": "done"})]


def test_simulated_tags_are_pressed_in_the_tray(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    mine = (SimTag(f"04{i:012X}", raw(f"Bushi {i}"), "koi", "figure/bushi") for i in range(4))
    stand.sims = (*mine, SimTag("04FF", raw("Lotus 1"), "lotus"))
    rig = open_tablet(stand=stand)
    rig.press("begin")
    assert "sim:04FF" not in rig.dump  # Koi is asked
    rig.press("sim:04000000000002")
    assert stand.tapped == ["04000000000002"]
    rig.press("table")
    rig.press("tray")
    rig.press("begin")
    assert not any(wid.startswith("sim:") for wid in rig.dump)


def test_an_unknown_kind_and_mark_still_show(open_tablet: Open) -> None:
    choice = Choice({"k": 1}, raw("The thing to Edo"), (Gesture("the_thing", "reserve.koi", "edo"),), mark="figure/no_such_mark")
    rig = open_tablet(update(Prompt("koi", raw("Summon"), "X", (choice,)))).on_board()
    assert rig.spot("pick:the_thing")["text"] == "the_thing"
    rig.press("zone:edo")
    assert commands(rig) == [{"k": 1}]


def test_no_place_lies_under_the_tray_of_simulated_tags(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    stand.sims = tuple(SimTag(f"04{i:012X}", raw(f"Bushi Koi {i}"), "koi", "figure/bushi") for i in range(4))
    for turned in range(5):
        rig = open_tablet(stand=stand)
        rig.session.turned = turned
        rig.session.walk()
        rig.on_board()
        board, tray = rig.screen.board, rig.screen.tray
        assert tray.box.w > 0
        for name, area in board.drawing.zone.items():
            assert not any(tray.box.holds(*board.px(point)) for point in (*area.outline, area.label)), (turned, name)
        for shrine in board.drawing.shrine:
            x, y = board.px(shrine.at)
            r = 56 * board.k
            points = ((x, y - r), (x, y + r), (x - r, y), (x + r, y), board.px(shrine.label))
            assert not any(tray.box.holds(*point) for point in points), (turned, shrine.slot)
        rig.close()


def test_offers_leave_room_for_what_is_said(open_tablet: Open) -> None:
    rig = open_tablet(update(summon())).on_board()
    offers = tuple(("koi", Choice({"n": i}, raw(f"Take this very long offer number {i} now"), mark="ui/ok")) for i in range(3))
    rig.show(update(summon(), notice=Notice(1, "waiting", raw("Which of these is meant?"), "", "koi", offers)))
    slip = rig.spot("notice")
    shown = [spot for wid, spot in rig.dump.items() if wid.startswith("offer:")]
    assert 0 < len(shown) < 3
    assert min(spot["centre"][0] - spot["size"][0] / 2 for spot in shown) - (slip["centre"][0] - slip["size"][0] / 2) > 240


def test_what_was_said_to_one_player_does_not_stay_for_the_next(open_tablet: Open) -> None:
    rig = open_tablet(update(summon())).on_board()
    rig.press("seat:koi")
    rig.session.answered("koi", Answer("x", ok=False, revision=1, refusal=Refusal("RS-1", raw("No."))))
    rig.frames()
    assert "sheet" in rig.dump and "notice" in rig.dump
    rig.show(update(summon("lotus", ("nagato",)), revision=1))
    assert "sheet" not in rig.dump and "notice" not in rig.dump


def test_the_tags_button_lights_at_once_and_a_game_that_runs_is_not_begun_again(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    stand.sims = (SimTag("04FF", raw("Lotus 1"), "lotus"),)
    rig = open_tablet(stand=stand)
    assert rig.spot("begin")["text"].startswith("To the board")
    assert rig.spot("tray")["lit"]
    rig.press("tray")
    assert not rig.spot("tray")["lit"]
    assert rig.spot("tray")["text"] == "Tags"
