"""The line breaks, sleeps, lies and comes back; the phone says so and loses nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import phone_views as views
import pytest
from phone_stand_in import Table
from playwright.sync_api import Page, expect

from companion.sync import sealing
from companion.sync.sealing import Bond, Channel

Phone = Callable[..., Page]


def joined(table: Table, phone: Phone, view: dict[str, Any], **options: Any) -> Page:
    table.view = view
    page = phone(table.url, **options)
    page.wait_for_selector("body[data-status=online]")
    return page


def seen_as(page: Page, visibility: str) -> None:
    page.evaluate(
        """state => {
            Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => state});
            document.dispatchEvent(new Event('visibilitychange'));
        }""",
        visibility,
    )


def test_every_broken_line_is_mended_and_the_newest_table_shown(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    for lost in range(1, 6):
        table.view = views.view(title=f"Title {lost}")
        table.revision += 1
        table.drop()
        expect(page.locator(".phase")).to_have_text(f"Title {lost}")
        expect(page.locator("body")).to_have_attribute("data-status", "online")
        assert table.said.count("hello") == lost + 1
    assert len({entry["conn"] for entry in table.presence}) == 6


def test_a_choice_made_offline_is_sent_exactly_once(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    table.shut = True
    table.drop()
    page.wait_for_selector("body[data-status=offline]")
    expect(page.locator("[data-line]")).to_have_text("Offline")
    expect(page.locator("[data-banner=offline]")).to_contain_text("keeps trying")
    expect(page.locator(".as-of")).to_contain_text("As of")
    page.locator("[data-choice='0']").click()
    waiting = page.locator("[data-order]")
    expect(waiting).to_contain_text("Bushi to Kansai")
    expect(waiting).to_contain_text("Sent once, when the table is back.")
    assert page.locator("[data-choice='0']").count() == 0, "an answered question asks no more"
    table.shut = False
    page.wait_for_selector("body[data-pending='0']", timeout=15_000)
    expect(page.locator("[data-answer=ok]")).to_contain_text("It is done.")
    table.drop()
    table.wait(lambda: table.said.count("hello") == 3)
    page.wait_for_selector("body[data-status=online]")
    assert table.said.count("order") == 1
    assert len(table.orders) == 1


def test_a_choice_made_offline_outlives_a_reload(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    table.shut = True
    table.drop()
    page.wait_for_selector("body[data-status=offline]")
    page.locator("[data-choice='0']").click()
    page.wait_for_selector("body[data-pending='1']")
    page.reload()
    table.shut = False
    table.wait(lambda: bool(table.orders), 15)
    page.wait_for_selector("body[data-pending='0']")
    assert table.orders[0]["command"]["place"] == "kansai"


def test_a_choice_that_has_not_left_can_be_taken_back(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    table.shut = True
    table.drop()
    page.wait_for_selector("body[data-status=offline]")
    page.locator("[data-choice='0']").click()
    page.locator("[data-take-back]").click()
    expect(page.locator("[data-order]")).to_have_count(0)
    table.shut = False
    page.wait_for_selector("body[data-status=online]", timeout=15_000)
    page.locator("[data-choice='1']").click()
    table.wait(lambda: bool(table.orders))
    assert [order["command"]["place"] for order in table.orders] == ["edo"]


def test_a_secret_choice_on_the_way_does_not_say_what_it_is(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.draw_four())
    table.shut = True
    table.drop()
    page.wait_for_selector("body[data-status=offline]")
    page.locator("[data-pad]").focus()
    page.keyboard.press("Enter")
    page.locator("[data-tile='3']").click()
    page.locator("[data-choice='3']").click()
    expect(page.locator("[data-order]")).to_contain_text("Your secret choice")
    assert "Train" not in page.locator("[data-order]").inner_text()


def test_a_lost_answer_is_asked_for_under_the_same_id_in_a_new_frame(table: Table, phone: Phone) -> None:
    table.judge = lambda _order: None
    page = joined(table, phone, views.recruit())
    page.locator("[data-choice='0']").click()
    table.wait(lambda: bool(table.orders))
    table.orders.clear()
    table.judge = lambda _order: {"ok": True, "events": ["Once."]}
    table.drop()
    expect(page.locator("[data-answer=ok]")).to_contain_text("Once.")
    assert len(table.orders) == 1
    assert len(set(table.frames)) == len(table.frames), "no frame was sent twice"


def test_a_question_that_changed_meanwhile_is_explained(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    table.shut = True
    table.drop()
    page.wait_for_selector("body[data-status=offline]")
    page.locator("[data-choice='0']").click()
    table.view = views.yes_no()
    table.revision = table.stamp = 9
    table.judge = lambda order: {"ok": False, "refusal": {"clause": "", "text": "", "lawful": []}} if order["stamp"] != 9 else {"ok": True}
    table.shut = False
    notice = page.locator("[data-answer=refused]")
    expect(notice).to_contain_text("Bushi to Kansai", timeout=15_000)
    expect(notice).to_contain_text("The question has changed. Nothing was done.")
    expect(page.locator("h1")).to_have_text("Ronin offer their swords")


def test_back_in_the_foreground_the_phone_fetches_the_whole_table(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    seen_as(page, "hidden")
    table.view = views.view(title="While you slept")
    seen_as(page, "visible")
    expect(page.locator(".phase")).to_have_text("While you slept")
    assert table.said.count("hello") == 2
    assert len(table.phones) == 1, "the line that still stands is used"


def test_silence_is_called_catching_up_and_the_absent_table_is_named(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    table.mute = True
    table.away = True
    table.drop()
    page.wait_for_selector("body[data-status=catching]")
    expect(page.locator("[data-line]")).to_have_text("Catching up")
    expect(page.locator("[data-banner=catching]")).to_contain_text("The table program is not running.")
    table.mute = False
    page.wait_for_selector("body[data-status=online]")


@pytest.mark.parametrize(("t", "screen"), [("revoked", "revoked"), ("moved", "moved"), ("reload", "old")])
def test_the_referee_shuts_the_door_and_says_why(table: Table, phone: Phone, t: str, screen: str) -> None:
    page = joined(table, phone, views.hand())
    table.tell(t, text="Because.")
    expect(page.locator(f"[data-screen={screen}]")).to_contain_text("Because.")
    assert "Hidden dagger" not in page.content()
    assert table.said.count("hello") == 1
    if t == "moved":
        page.locator("button").click()
        page.wait_for_selector("body[data-status=online]")


def test_a_seat_that_is_taken_waits_for_the_table_and_comes_in_by_itself(table: Table, phone: Phone) -> None:
    table.waiting = True
    page = joined(table, phone, views.waiting())
    expect(page.locator("[data-screen=waiting]")).to_contain_text("Ask at the tablet")
    table.waiting = False
    table.show(views.waiting())
    expect(page.locator("h1")).to_have_text("Turtle")


def test_a_code_the_broker_does_not_know_is_called_old(table: Table, phone: Phone) -> None:
    table.refusing = True
    page = phone(table.url)
    expect(page.locator("[data-screen=refused]")).to_contain_text("Scan the seat’s code at the tablet")


@pytest.mark.parametrize(
    ("fragment", "screen", "says"),
    [
        ("", "no-code", "needs your seat’s QR code"),
        ("#1.testgame.koi.3.tooshort", "no-code", "cut off or mistyped"),
        ("#2.anything.new", "old", "newer version"),
    ],
)
def test_an_address_without_a_good_code_says_what_to_do(table: Table, phone: Phone, fragment: str, screen: str, says: str) -> None:
    page = phone(table.url.split("#")[0] + fragment)
    expect(page.locator(f"[data-screen={screen}]")).to_contain_text(says)
    assert table.phones == []


def test_frames_of_a_newer_table_make_the_page_ask_whether_it_is_old(table: Table, phone: Phone) -> None:
    table.old_frames = True
    phone(table.url)
    table.wait(lambda: table.requests.count("index.html") == 2)


def test_the_seat_is_remembered_and_the_address_keeps_it(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    assert page.evaluate("location.hash") == "#" + table.url.split("#")[1]
    page.goto("about:blank")
    page.goto(table.url.split("#")[0])
    page.wait_for_selector("body[data-status=online][data-seat=koi]")


def test_the_page_works_where_nothing_may_be_stored(table: Table, phone: Phone) -> None:
    table.view = views.recruit()
    page = phone("about:blank")
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no', 'SecurityError'); }});")
    page.goto(table.url)
    page.wait_for_selector("body[data-status=online]")
    page.locator("[data-set='lang=ru']").click()
    expect(page.locator("[data-line]")).to_have_text("На связи")
    page.locator("[data-choice='0']").click()
    table.wait(lambda: bool(table.orders))


def test_of_two_windows_on_one_phone_the_newer_is_the_seat(table: Table, phone: Phone) -> None:
    first = joined(table, phone, views.waiting())
    second = first.context.new_page()
    second.goto(table.url)
    second.wait_for_selector("body[data-status=online]")
    expect(first.locator("[data-screen=moved]")).to_be_visible()
    first.locator("button").click()
    first.wait_for_selector("body[data-status=online]")
    expect(second.locator("[data-screen=moved]")).to_be_visible()


def test_garbage_changes_nothing(table: Table, phone: Phone) -> None:
    """Bytes nobody sealed, frames of others, cut, flipped, repeated; then sealed nonsense; then the phone still plays."""
    page = joined(table, phone, views.recruit())
    table.show(table.view or {}, new_question=False)
    page.wait_for_selector("body[data-revision='2'][data-locked=false]")
    before = page.locator("body").evaluate("body => body.outerHTML")
    dice = random.Random(20261130)
    live = table.live
    assert live is not None
    nonces = live._nonces
    view = json.dumps({"t": "view", "revision": 99, "stamp": 99, "view": {"title": "Forged"}}).encode()
    stranger = Channel(Bond(table.bond.game_id, table.bond.seat, table.bond.epoch, sealing.fresh_key()), "d", nonces).seal(view)
    other = Channel(table.bond, "d", (nonces[1], nonces[0])).seal(view)
    mirrored = Channel(table.bond, "u", nonces).seal(view)
    good = Channel(table.bond, "d", nonces).seal(view)
    garbage = [b"", b"\0", stranger, other, mirrored, good[:-1], good[:40], good + b"x", *table.frames]
    for _ in range(120):
        flipped = bytearray(good)
        flipped[dice.randrange(len(flipped))] ^= 1 << dice.randrange(8)
        garbage += [bytes(flipped), dice.randbytes(dice.choice((1, 34, 35, 60, 1075, 3000)))]
    for payload in garbage:
        table.raw(payload)
        table.raw(payload, table.topics.presence("table"))
        table.raw(payload, "jinmaku/1/othergam/seat/koi/down")
    nonsense = [
        None,
        [],
        "",
        0,
        True,
        {},
        {"t": None},
        {"t": "view"},
        {"t": "view", "view": []},
        {"t": "order", "id": "x"},
        {"t": "view", "answer": {"id": 3}},
    ]
    for content in nonsense:
        table.say(content)
    table.raw(sealing.seal_welcome(table.bond, nonces[0], view))
    table.show(table.view or {}, new_question=False)  # when this one is seen, so was everything before it
    page.wait_for_selector("body[data-revision='3']")
    assert page.locator("body").evaluate("body => body.outerHTML").replace('data-revision="3"', 'data-revision="2"') == before
    page.locator("[data-choice='0']").click()
    table.wait(lambda: bool(table.orders))
