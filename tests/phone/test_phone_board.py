"""The board as a chooser: what glows, what a press on a place offers, by finger, key and screen reader; and questions with many choices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import phone_views as views
import pytest
from phone_stand_in import Table
from playwright.sync_api import Page, expect

Phone = Callable[..., Page]


def joined(table: Table, phone: Phone, view: dict[str, Any], **options: Any) -> Page:
    table.view = view
    page = phone(table.url, **options)
    page.wait_for_selector("body[data-status=online]")
    return page


def opened(page: Page) -> Page:
    page.locator("[data-pad]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("body[data-curtain=kept]")
    return page


def test_the_places_of_the_question_glow_and_no_others(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    lit = "all => all.map(each => [each.dataset.place, each.dataset.lit])"
    assert page.locator("[data-board] [data-lit]").evaluate_all(lit) == [["edo", "3"], ["kansai", "2"], ["shrine.1", "1"]]
    assert page.locator("[data-board]").count() == 1, "one map, wherever the turn is"
    expect(page.locator("[data-place=edo]")).to_have_attribute("role", "button")
    expect(page.locator("[data-place=kyoto]")).to_have_attribute("aria-hidden", "true")


def test_a_press_on_a_place_says_what_lies_there_and_offers_all_that_leads_there(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-place=edo]").click()
    expect(page.locator("[data-lies=edo]")).to_contain_text("Edo")
    expect(page.locator("[data-lies=edo] [data-kind='koi/bushi']")).to_have_attribute("data-count", "2")
    here = page.locator("[data-here=edo] [data-choice]")
    assert here.evaluate_all("all => all.map(each => each.dataset.choice)") == ["1", "3", "5"]
    here.nth(1).click()
    table.wait(lambda: bool(table.orders))
    assert table.orders[0]["command"] == {"do": "summon", "seat": "koi", "kind": "shinto", "place": "edo"}


def test_a_place_where_nothing_leads_only_says_what_lies_there(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-place=kyoto]").click(force=True)
    expect(page.locator("[data-lies=kyoto]")).to_contain_text("Daimyo")
    assert page.locator("[data-here]").count() == 0
    assert page.locator("[data-choice]").count() > 0


def test_the_next_question_begins_with_no_place(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-place=edo]").click()
    expect(page.locator("[data-here=edo]")).to_have_count(1)
    table.show(views.recruit())
    page.wait_for_selector("body[data-revision='2']")
    expect(page.locator("[data-here]")).to_have_count(0)


def test_a_place_pressed_goes_with_its_map_and_with_the_turn(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-place=kyoto]").click(force=True)
    expect(page.locator("[data-lies=kyoto]")).to_have_count(1)
    page.locator(".map-fold summary").click()
    expect(page.locator("[data-lies]")).to_have_count(0)
    page.locator(".map-fold summary").click()
    page.locator("[data-place=edo]").click()
    table.show(views.waiting(), new_question=False)
    page.wait_for_selector("body[data-revision='2']")
    expect(page.locator("[data-lies]")).to_have_count(0)


def test_the_piece_chosen_last_is_chosen_wherever_it_was_chosen(table: Table, phone: Phone) -> None:
    offer = views.recruit()["prompts"][0] | {"optional": True, "text": "Put something right"}
    page = joined(table, phone, views.waiting() | {"prompts": [offer]})
    page.locator("details[data-optional] > summary").click()
    last = page.locator("[data-who]").last
    chosen = last.get_attribute("data-who")
    last.click()
    table.show(views.recruit())
    page.wait_for_selector("body[data-revision='2']")
    assert page.locator("[data-who][aria-pressed=true]").evaluate_all("all => all.map(it => it.dataset.who)") == [chosen]


def test_keys_reach_the_glowing_places_and_press_them(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    edo = page.get_by_role("button", name="Edo. Choices: 3. Koi Bushi 2, Koi Stronghold 1", exact=True)
    edo.focus()
    page.keyboard.press("Enter")
    expect(edo).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Space")
    expect(edo).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.place") == "kansai"


def test_on_a_small_phone_the_map_waits_folded_and_stays_as_it_was_left(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit(), viewport={"width": 320, "height": 568})
    fold = page.locator(".map-fold")
    expect(fold).not_to_have_attribute("open", "")
    fold.locator("summary").click()
    expect(page.locator("[data-place=edo]")).to_be_visible()
    page.reload()
    page.wait_for_selector("body[data-status=online]")
    expect(fold).to_have_attribute("open", "")


def test_on_a_small_phone_the_map_folds_for_a_turn_and_is_the_same_after_it(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), viewport={"width": 360, "height": 640})
    fold = page.locator(".map-fold")
    expect(fold).to_have_attribute("open", "")
    page.evaluate("document.querySelector('[data-board]').mine = true")
    table.show(views.recruit())
    expect(fold).not_to_have_attribute("open", "")
    expect(page.locator("[data-place=edo]")).not_to_be_visible()
    expect(page.locator("[data-choice]").first).to_be_visible()
    table.show(views.waiting())
    expect(fold).to_have_attribute("open", "")
    assert page.evaluate("document.querySelector('[data-board]').mine")
    page.reload()  # nobody has folded it by hand: nothing of that is remembered
    page.wait_for_selector("body[data-status=online]")
    expect(fold).to_have_attribute("open", "")


def test_enlarged_the_map_scrolls_inside_and_shows_what_glows(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit(), viewport={"width": 320, "height": 568})
    page.locator(".map-fold summary").click()
    page.locator("[data-zoom]").click()
    sea = page.locator(".sea")
    assert sea.evaluate("sea => [sea.scrollWidth > 1.9 * sea.clientWidth, sea.scrollLeft > 0]") == [True, True]
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    box = page.locator("[data-place=edo]").bounding_box()
    assert box is not None
    assert box["width"] > 150


def test_the_map_stays_where_it_is_whatever_is_asked(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.evaluate("""() => {
        const fold = document.querySelector('.map-fold');
        document.querySelector('[data-board]').mine = fold.mine = true;
        window.moved = 0;
        new MutationObserver((all) => {
            for (const { addedNodes } of all) for (const it of addedNodes) window.moved += it === fold || (it.contains?.(fold) ?? false) ? 1 : 0;
        }).observe(document.body, { childList: true, subtree: true });
    }""")
    for view in (views.waiting(), views.recruit(), views.lay_down(), views.waiting(), views.betray(), views.recruit()):
        table.show(view)
        page.wait_for_selector(f"body[data-revision='{table.revision}']")
        boards = "() => [...document.querySelectorAll('[data-board]')].map(it => [it.mine, it.closest('.map-fold').mine])"
        assert page.evaluate(boards) == [[True, True]], "nothing of it was made anew"
    assert page.evaluate("window.moved") == 0, "nor was it taken elsewhere"


def test_the_map_stands_above_the_places_it_asks_for_and_below_other_choices(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    order = "all => all.map(it => it.dataset.choice === undefined ? 'map' : 'choice')"
    assert page.locator(".prompt .map-fold, .prompt [data-choice]").evaluate_all(order)[0] == "map"
    plain = {"text": "Take a card", "choices": [{"command": {"do": "take", "n": n}, "text": f"Card {n}"} for n in (1, 2)]}
    table.show(views.recruit() | {"prompts": [views.recruit()["prompts"][0] | plain]})
    page.wait_for_selector("body[data-revision='2']")
    found = page.locator(".prompt .map-fold, .prompt [data-choice]").evaluate_all(order)
    assert found.index("map") == found.count("choice") == 2


def test_of_two_questions_the_one_of_places_has_the_map(table: Table, phone: Phone) -> None:
    first = views.recruit()["prompts"][0]
    plain = {"text": "Take a card", "choices": [{"command": {"do": "take", "n": n}, "text": f"Card {n}"} for n in (1, 2)]}
    page = joined(table, phone, views.recruit() | {"prompts": [first | plain, first]})
    assert page.locator("[data-question]").evaluate_all("all => all.map(it => it.dataset.question)") == ["0", "1"]
    assert page.locator("h1").all_inner_texts() == ["Take a card"]
    expect(page.locator("[data-board]")).to_have_count(1)
    expect(page.locator("[data-question='1'] [data-board] [data-lit]")).to_have_count(3)


def test_enlarged_the_map_shows_what_glows_when_the_turn_comes(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), viewport={"width": 320, "height": 720})
    page.locator("[data-zoom]").click()
    table.show(views.recruit())
    expect(page.locator(".prompt .map.large [data-place=edo][data-lit]")).to_have_count(1)
    assert page.locator(".sea").evaluate("sea => sea.scrollLeft > 0")


def test_two_maps_at_once_are_two_drawings(table: Table, phone: Phone) -> None:
    optional = {"optional": True, "text": "Put something right"}
    page = joined(table, phone, views.waiting() | {"prompts": [views.recruit()["prompts"][0] | optional]})
    page.locator("details[data-optional] > summary").click()
    expect(page.locator("[data-board]")).to_have_count(2)
    page.locator("[data-optional] [data-place=edo]").click()
    expect(page.locator("[data-optional] [data-place=edo]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("section [data-place=edo][aria-pressed=true]")).to_have_count(0)


def test_while_nothing_is_asked_the_map_is_there_to_look_at(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    board = page.locator(".prompt:has(> .waiting)")
    assert board.locator("[data-lit]").count() == 0
    board.locator("[data-place=kansai]").click(force=True)
    expect(board.locator("[data-lies=kansai]")).to_contain_text("Stronghold")


def test_a_board_nobody_has_drawn_is_a_list(table: Table, phone: Phone) -> None:
    view = views.recruit()
    board = next(section for section in view["sections"] if section["id"] == "board")
    board["nodes"].append(views.zone("atlantis", "Atlantis"))
    page = joined(table, phone, view)
    assert page.locator("[data-board]").count() == 0
    expect(page.locator("[data-id=atlantis]")).to_contain_text("Atlantis")


def test_who_waits_reads_for_whom_for_what_and_by_which_rule(table: Table, phone: Phone) -> None:
    table.extra = {"clauses": {"RS-6R.1": "Summon one figure for each of your strongholds, there."}}
    sections = views.sections("turtle")
    next(seat for seat in sections[2]["nodes"] if seat["id"] == "turtle")["who"] = "Mira"
    wait = {"seat": "turtle", "text": "Summons 1 more", "clause": "RS-6R.1"}
    page = joined(table, phone, views.view(sections=sections, waits=[wait]))
    waiting = page.locator("[data-waits=turtle]")
    for words in (
        "Turtle",
        "Mira",
        "Summons 1 more",
        "The rule of this step RS-6R.1",
        "Summon one figure for each of your strongholds, there.",
    ):
        expect(waiting).to_contain_text(words)


def test_many_pairs_are_asked_in_two_steps(table: Table, phone: Phone) -> None:
    page = opened(joined(table, phone, views.lay_down()))
    assert page.locator("[data-tile]").count() == 0
    expect(page.locator("button.main")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-step-tile=train]").click()
    assert page.locator("[data-tile]").count() == 5
    page.locator("[data-tile][data-mark='mandate/betray']").click()
    page.locator("[data-step-tile=harvest]").click()  # another tile after all: nothing is chosen yet
    expect(page.locator("button.main")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-tile][data-mark='mandate/recruit']").click()
    page.locator("button.main").click()
    table.wait(lambda: bool(table.orders))
    assert table.orders[0]["command"] == {"do": "choose", "seat": "koi", "mandate": "harvest", "declared": "recruit"}
    assert page.locator("[data-id='drawn.1']").count() == 0


def test_a_tile_picked_for_one_secret_question_is_not_picked_for_the_next(table: Table, phone: Phone) -> None:
    page = opened(joined(table, phone, views.draw_four()))
    page.locator("[data-tile]").last.click()
    expect(page.locator("button.main")).to_have_attribute("aria-disabled", "false")
    view = views.draw_four()
    view["prompts"][0]["text"] = "Discard one"
    table.show(view)
    page.wait_for_selector("body[data-revision='2'][data-curtain=kept][data-locked=false]")
    expect(page.locator(".tile.pick")).to_have_count(0)
    expect(page.locator("button.main")).to_have_attribute("aria-disabled", "true")


def test_choices_that_share_a_place_stand_under_its_name_with_their_whole_sentence(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.betray())
    expect(page.locator(".list h3")).to_have_text(["Edo", "Kansai"])
    for sentence in ("Bushi for Turtle's Bushi in Edo", "Bushi for Lotus's Bushi in Edo", "Bushi for Lotus's Bushi in Kansai"):
        expect(page.locator(".list")).to_contain_text(sentence)


@pytest.mark.parametrize("view", [views.lay_down, views.betray, views.recruit], ids=["pairs", "betray", "recruit"])
def test_every_choice_can_be_reached(table: Table, phone: Phone, view: Callable[[], dict[str, Any]]) -> None:
    page = joined(table, phone, view())
    if page.locator("[data-pad]").count():
        opened(page)
    found: set[str] = set()
    gather = "all => all.map(each => each.dataset.choice ?? each.dataset.tile)"
    for step in page.locator("[data-who], [data-step-tile]").all():
        step.click()
        found |= set(page.locator("[data-choice], [data-tile]").evaluate_all(gather))
    assert found == {str(index) for index in range(len(table.view["prompts"][0]["choices"]))}
