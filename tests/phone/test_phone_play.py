"""A phone joins, shows its question, and what is pressed arrives once."""

from __future__ import annotations

import json
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


def hold(page: Page) -> None:
    """A thumb on the pad, kept there."""
    box = page.locator("[data-pad]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    page.wait_for_selector("body[data-curtain=held]")


def keep(page: Page) -> None:
    """Held, then slid onto "keep" and let go."""
    hold(page)
    box = page.locator(".keep").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.up()
    page.wait_for_selector("body[data-curtain=kept]")


def test_a_phone_joins_and_shows_its_question(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    expect(page.locator("h1")).to_have_text("Summon 2 more")
    expect(page).to_have_title("● Your turn · Koi")
    assert page.evaluate("[isSecureContext, 'serviceWorker' in navigator, 'randomUUID' in crypto, crypto.subtle]") == [
        False,
        False,
        False,
        None,
    ]
    body = page.locator("body")
    for name, value in {"revision": "1", "stamp": "1", "seat": "koi", "turn": "mine", "door": "open", "game": "testgame"}.items():
        expect(body).to_have_attribute(f"data-{name}", value)
    assert table.said[:2] == ["hello", "ready"]
    assert table.presence[0]["on"] is True
    assert table.keepalive == 25
    assert table.phones[0].will is not None
    assert json.loads(table.phones[0].will[1]) == {"on": False, "conn": table.presence[0]["conn"]}


def test_who_then_where_is_one_order(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-who='koi/shinto reserve.koi']").click()
    assert page.locator("[data-choice]").evaluate_all("all => all.map(each => each.dataset.choice)") == ["2", "3", "4", "6"]
    page.locator("[data-choice='4']").click()
    expect(page.locator("[data-answer=ok]")).to_contain_text("It is done.")
    (order,) = table.orders
    assert order["stamp"] == 1
    assert order["command"] == {"do": "summon", "seat": "koi", "kind": "shinto", "place": "shrine.1"}


def test_the_piece_stays_chosen_and_the_way_out_is_a_button_of_its_own(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    page.locator("[data-who='komainu reserve.koi']").click()
    expect(page.locator("[data-choice='5']")).to_contain_text("Two monsters in one province fight. RS-8.2")
    table.show(views.recruit())
    page.wait_for_selector("body[data-revision='2']")
    expect(page.locator("[data-who='komainu reserve.koi']")).to_have_attribute("aria-pressed", "true")
    page.locator(".bar [data-choice='6']").click()
    table.wait(lambda: bool(table.orders))
    assert table.orders[0]["command"] == {"do": "done", "seat": "koi"}
    assert table.orders[0]["stamp"] == 2


def test_a_secret_question_is_on_the_page_only_while_the_curtain_is_open(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.draw_four())
    for secret in ("Harvest", "Betray", "Train", "You drew"):
        assert secret not in page.locator("main").inner_text().replace("Harvest\n", "").replace("Lotus plays", "")
    assert page.locator("[data-tile], [data-private], [data-id='drawn.1'], [data-id='log.private']").count() == 0
    expect(page.locator("h1")).to_have_text("Choose one of four")
    hold(page)
    assert page.locator("[data-tile]").count() == 4
    expect(page.locator("[data-id='log.private']")).to_contain_text("You drew Recruit")
    page.mouse.up()
    page.wait_for_selector("body[data-curtain=closed]")
    assert page.locator("[data-tile], [data-private]").count() == 0


def test_a_secret_choice_is_a_tile_then_a_confirmation_and_closes_the_curtain(table: Table, phone: Phone) -> None:
    table.judge = lambda _order: {"ok": True, "events": ["You keep Harvest.", views.LOG[0]["text"]]}
    page = joined(table, phone, views.draw_four())
    keep(page)
    confirm = page.locator("button.main")
    expect(confirm).to_have_attribute("aria-disabled", "true")
    page.locator("[data-tile='1']").click()
    expect(page.locator("[data-tile='1'] small")).to_have_text(views.MANDATES["harvest"][1])
    expect(confirm).to_have_text("Play Harvest")
    page.locator("[data-choice='1']").click()
    table.wait(lambda: bool(table.orders))
    assert table.orders[0]["command"] == {"do": "choose", "seat": "koi", "mandate": "harvest"}
    expect(page.locator("body")).to_have_attribute("data-curtain", "closed")
    answer = page.locator("[data-answer=ok]")
    expect(answer).to_have_text("Lotus plays Recruit.")  # what the open log says; the rest stays behind the curtain


@pytest.mark.parametrize("how", ["hidden", "pagehide", "blur"])
def test_the_curtain_closes_whenever_the_phone_leaves_the_eyes(table: Table, phone: Phone, how: str) -> None:
    page = joined(table, phone, views.draw_four())
    keep(page)
    # in one breath, with no drawing between: what is closed must be hidden already, not only soon
    shown = page.evaluate(
        """how => {
            if (how === 'hidden') {
                Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'});
                document.dispatchEvent(new Event('visibilitychange'));
            } else window.dispatchEvent(new Event(how));
            const secret = document.querySelector('[data-private]');
            return secret !== null && getComputedStyle(secret).display !== 'none';
        }""",
        how,
    )
    assert shown is False
    expect(page.locator("body")).to_have_attribute("data-curtain", "closed")
    expect(page.locator("[data-tile]")).to_have_count(0)


def test_a_tap_opens_nothing_and_a_key_opens_for_a_while(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.draw_four())
    page.locator("[data-pad]").click()
    assert page.locator("[data-tile]").count() == 0
    page.locator("[data-pad]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-curtain", "kept")
    expect(page.locator("[data-tile]")).to_have_count(4)
    page.locator("[data-pad]").click()
    expect(page.locator("body")).to_have_attribute("data-curtain", "closed")


def test_a_second_finger_may_press_what_the_thumb_uncovers(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.draw_four())
    hold(page)
    box = page.locator("[data-tile='2']").bounding_box()
    assert box is not None
    touch = {"x": box["x"] + 30, "y": box["y"] + 30}
    for event in ("pointerdown", "pointerup"):
        page.evaluate(
            """([event, {x, y}]) => document.elementFromPoint(x, y).dispatchEvent(
                new PointerEvent(event, {bubbles: true, pointerId: 77, isPrimary: false, pointerType: 'touch', clientX: x, clientY: y}))""",
            [event, touch],
        )
    expect(page.locator("[data-tile='2']")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("body")).to_have_attribute("data-curtain", "held")


def test_a_secret_that_asks_nothing_waits_under_the_table(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.hand())
    assert "Hidden dagger" not in page.content()
    hold(page)
    expect(page.locator("[data-node=card][data-id='hand.1']")).to_contain_text("Hidden dagger")
    expect(page.locator("[data-id='hand.2']")).to_contain_text("face down")
    table.show(views.waiting())  # the secret is gone: the curtain has nothing to hide
    expect(page.locator("[data-pad]")).to_have_count(0)
    expect(page.locator("body")).to_have_attribute("data-curtain", "closed")


def test_numbers_stay_within_their_total_and_travel_in_the_command(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.bids())
    keep(page)
    expect(page.locator("[data-amount=ronin]")).to_contain_text("Hire Ronin")
    hostage = page.locator("[data-amount=hostage]")
    for _ in range(8):
        hostage.locator("[data-step='1']").click(force=True)
    page.locator("[data-amount=hostage] [data-step='-1']").click()
    page.locator("[data-amount=poets] [data-step='1']").click()
    expect(hostage).to_have_attribute("data-value", "5")
    expect(page.locator("[data-total]")).to_have_text("Total 6 of 6")
    expect(page.locator("[data-amount=seppuku] [data-step='1']")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-choice='0']").click()
    table.wait(lambda: bool(table.orders))
    assert table.orders[0]["command"] == {"do": "bid", "seat": "koi", "amounts": {"seppuku": 0, "hostage": 5, "ronin": 0, "poets": 1}}


def test_what_is_optional_is_folded_and_never_the_turn(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    expect(page.locator("body")).to_have_attribute("data-turn", "others")
    expect(page.locator("[data-waits]")).to_have_attribute("data-waits", "turtle dragonfly")
    expect(page.locator("h1")).to_have_text("Turtle")
    gift = page.locator("details[data-question='0']")
    assert gift.locator("button").count() == 0, "nobody draws what nobody looks at"
    gift.locator("summary").click()
    gift.locator("[data-sheet='1']").click()
    assert gift.locator("[data-amount]").count() == 1, "nobody steps a number that can only be 0"
    give = gift.locator("[data-choice='1']")
    expect(give).to_have_attribute("aria-disabled", "true")
    expect(give).to_have_css("border-style", "dashed")
    gift.locator("[data-amount=coins] [data-step='1']").click()
    expect(give).to_have_css("border-style", "solid")
    give.click()
    table.wait(lambda: bool(table.orders))
    expect(gift.locator("[data-amount=coins]")).to_have_attribute("data-value", "0")
    expect(give).to_have_css("border-style", "dashed")  # a second tap gives nothing again
    assert table.orders[0]["command"] == {"do": "give", "seat": "koi", "to": "dragonfly", "amounts": {"coins": 1, "ronin": 0}}


def test_what_is_unfolded_stays_so_when_a_turn_comes_and_nothing_else_unfolds(table: Table, phone: Phone) -> None:
    back = {"command": {"do": "undo", "seat": "koi", "to": 1, "now": 2}, "text": "Take it back"}
    undo = {"seat": "koi", "text": "Take something back", "optional": True, "choices": [back]}
    page = joined(table, phone, views.waiting() | {"prompts": [views.gift(), undo]})
    page.locator("details[data-question='0'] > summary").click()
    page.locator("[data-sheet='1']").click()
    page.locator("[data-amount=coins] [data-step='1']").click()
    for prompts, at in (([*views.recruit()["prompts"], views.gift(), undo], 1), ([undo, views.gift()], 1)):
        table.show(views.recruit() | {"prompts": prompts})
        page.wait_for_selector(f"body[data-revision='{table.revision}']")
        expect(page.locator("details[data-optional][open]")).to_have_count(1)
        expect(page.locator(f"details[data-question='{at}'] [data-amount=coins]")).to_have_attribute("data-value", "1")


def test_a_button_that_changed_its_meaning_under_the_finger_does_nothing(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.yes_no())
    expect(page.locator("body")).to_have_attribute("data-locked", "false")
    page.evaluate(
        """() => new MutationObserver((_, self) => {
            if (document.body.dataset.stamp !== '1') { self.disconnect(); document.querySelector('[data-prompt="0"][data-choice="0"]').click(); }
        }).observe(document.body, {attributes: true})"""
    )
    table.show(views.recruit())
    expect(page.locator("body")).to_have_attribute("data-locked", "false")
    assert table.orders == []
    page.locator("[data-prompt='0'][data-choice='0']").dblclick()
    table.wait(lambda: bool(table.orders))
    assert len(table.orders) == 1


def test_a_refusal_says_what_why_and_what_instead_until_it_is_read(table: Table, phone: Phone) -> None:
    refusal = {"clause": "RS-6R.4", "text": "That summon is over.", "lawful": ["Bushi to Edo", "Done"]}
    table.judge = lambda _order: {"ok": False, "refusal": refusal}
    page = joined(table, phone, views.recruit())
    page.locator("[data-choice='0']").click()
    notice = page.locator("[data-answer=refused]")
    expect(notice).to_contain_text("Bushi to Kansai")
    expect(notice).to_contain_text("That summon is over. RS-6R.4")
    expect(notice).to_contain_text("Possible instead: Bushi to Edo; Done")
    page.locator("[data-dismiss]").click()
    expect(notice).to_have_count(0)


def test_a_refused_secret_is_explained_behind_the_curtain_only(table: Table, phone: Phone) -> None:
    table.judge = lambda _order: {"ok": False, "refusal": {"clause": "RS-6.3", "text": "You do not hold Train.", "lawful": []}}
    page = joined(table, phone, views.draw_four())
    keep(page)
    page.locator("[data-tile='3']").click()
    page.locator("[data-choice='3']").click()
    notice = page.locator("[data-answer=refused]")
    expect(notice).to_contain_text("refused your secret choice")
    assert "Train" not in notice.inner_text()
    hold(page)
    expect(notice).to_contain_text("You do not hold Train.")


def test_a_clause_opens_its_rule_where_the_text_is_given(table: Table, phone: Phone) -> None:
    table.extra = {"clauses": {"RS-6R.1": "Each player summons one figure per stronghold."}}
    page = joined(table, phone, views.recruit())
    page.locator("button[data-clause='RS-6R.1']").first.click()
    expect(page.locator(".rule")).to_have_text("Each player summons one figure per stronghold.")
    assert page.locator("span[data-clause='RS-6.3']").count() == 1, "a clause without a text is a number, not a button"


def test_every_node_is_drawn_an_unknown_one_as_its_text_and_markup_as_letters(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.everything())
    for node in ("section", "counter", "pieces", "card", "zone", "track", "table", "plot", "line", "hologram"):
        assert page.locator(f"[data-node={node}]").count() > 0, node
    expect(page.locator("[data-id=new]")).to_contain_text("A node from the future <b>&amp;</b>")
    expect(page.locator("[data-id=markup]")).to_contain_text("<script>")
    expect(page.locator("[data-id=edo]")).to_have_attribute("data-value", "2")
    expect(page.locator("[data-id='koi.coins']")).to_have_attribute("data-value", "6")
    expect(page.locator("[data-id=edo] [data-kind='koi/bushi']")).to_have_attribute("data-count", "2")
    expect(page.locator("[data-light='mandate.3']")).to_have_attribute("data-state", "now")
    expect(page.locator("[data-node=section][data-id=turtle]")).to_have_attribute("data-lit", "true")
    expect(page).to_have_title("Koi · Jinmaku")


def test_the_language_changes_at_once_and_stays(table: Table, phone: Phone) -> None:
    table.render = lambda lang: views.view(title={"en": "War", "ru": "Война"}[lang], waits=[])
    page = joined(table, phone, {})
    expect(page.locator("[data-line]")).to_have_text("Online")
    page.locator("[data-set='lang=ru']").click()
    expect(page.locator("[data-line]")).to_have_text("На связи")
    expect(page.locator(".phase")).to_have_text("Война")
    assert table.langs == ["en", "ru"]
    assert page.locator("html").get_attribute("lang") == "ru"
    page.reload()
    expect(page.locator("[data-line]")).to_have_text("На связи")
    assert table.langs[-1] == "ru"


def test_a_russian_phone_starts_in_russian(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), locale="ru-RU")
    expect(page.locator(".waiting")).to_contain_text("Ждём")
    assert table.langs == ["ru"]


def test_the_phone_shakes_once_a_question(table: Table, phone: Phone) -> None:
    table.view = views.waiting()
    page = phone("about:blank")
    page.add_init_script("window.shakes = 0; navigator.vibrate = () => { window.shakes += 1; return true; };")
    page.goto(table.url)
    page.wait_for_selector("body[data-status=online]")
    page.mouse.click(5, 5)
    table.show(views.recruit())
    page.wait_for_selector("body[data-revision='2']")
    assert page.evaluate("window.shakes") == 1
    table.show(views.recruit(), new_question=False)
    page.wait_for_selector("body[data-revision='3']")
    assert page.evaluate("window.shakes") == 1
