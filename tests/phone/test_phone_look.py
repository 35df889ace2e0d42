"""How it looks and reaches: narrow phones, large text, both lights, screen readers, thumbs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import phone_views as views
import pytest
from phone_chromium import ARGS, AXE, binary
from phone_stand_in import Table
from playwright.sync_api import Browser, Page, expect

Phone = Callable[..., Page]
NARROW = {"viewport": {"width": 320, "height": 568}}
WIDE = {"viewport": {"width": 390, "height": 844}}
FACES: dict[str, Callable[[], dict[str, Any]]] = {
    "recruit": views.recruit,
    "secret": views.draw_four,
    "bids": views.bids,
    "everything": views.everything,
    "yes_no": views.yes_no,
    "pairs": views.lay_down,
    "betray": views.betray,
    "waits": lambda: views.view(waits=[{"seat": "turtle", "text": "Summons 1 more", "clause": "RS-6R.1"}]),
}


def joined(table: Table, phone: Phone, view: dict[str, Any], *, query: str = "", **options: Any) -> Page:
    table.view = view
    page = phone(table.url.replace("/#", f"/{query}#"), **options)
    page.wait_for_selector("body[data-status=online]")
    return page


def unfold(page: Page) -> None:
    """Opens everything, and waits until it is drawn."""
    page.wait_for_function(
        """() => {
            const folds = [...document.querySelectorAll('details')];
            for (const each of folds) each.open = true;
            return folds.every(each => each.childElementCount > 1);
        }"""
    )


def every_face(table: Table, page: Page, names: Iterable[str] = FACES) -> Iterator[str]:
    """Shows one view after the other, everything unfolded; those with a secret twice, the second time with the curtain open."""
    for name in names:
        table.show(FACES[name]())
        page.wait_for_selector(f"body[data-revision='{table.revision}']")
        unfold(page)
        yield name
        if page.locator("[data-pad]").count():
            page.locator("[data-pad]").focus()
            page.keyboard.press("Enter")
            page.wait_for_selector("body[data-curtain=kept]")
            yield f"{name}, open"
            page.keyboard.press("Enter")


def sticking_out(page: Page) -> list[str]:
    """What is wider than the phone. innerWidth would not tell: a mobile browser zooms out until everything fits."""
    return page.evaluate(
        """width => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll('body, body *')]
            .filter(e => !e.closest('.table, .sr, i, svg') && e.getBoundingClientRect().right > width + 0.5)
            .map(e => `${e.tagName}.${e.className} ${e.textContent.slice(0, 30)}`)""",
        NARROW["viewport"]["width"],
    )


@pytest.fixture(scope="module")
def magnifier(chromium: Browser) -> Iterator[Browser]:
    """A browser whose reader has set text to 200 %."""
    browser = chromium.browser_type.launch(executable_path=binary(), args=[*ARGS, "--blink-settings=defaultFontSize=32"])
    yield browser
    browser.close()


@pytest.mark.parametrize("query", ["", "?lang=xx"], ids=["english", "longer"])
@pytest.mark.parametrize("scale", ["100", "200"])
def test_nothing_sticks_out_at_320_pixels(table: Table, phone: Phone, query: str, scale: str) -> None:
    page = joined(table, phone, views.waiting(), query=query, **NARROW)
    page.locator(f"[data-set='scale={scale}']").click()
    for face in every_face(table, page):
        assert sticking_out(page) == [], face


def test_nothing_sticks_out_at_200_percent_text(table: Table, magnifier: Browser) -> None:
    table.view = views.waiting()
    context = magnifier.new_context(**NARROW, is_mobile=True, has_touch=True, locale="ru-RU")
    page = context.new_page()
    page.goto(table.url)
    page.wait_for_selector("body[data-status=online]")
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)") >= 40
    for face in every_face(table, page):
        assert sticking_out(page) == [], face
    context.close()


@pytest.mark.parametrize("refused", [False, True], ids=["done", "refused"])
def test_an_answer_sticks_out_at_no_size(table: Table, phone: Phone, *, refused: bool) -> None:
    told = "Кои предлагает союз клану Черепаха; Бирмингемскимотделениям"
    refusal = {"clause": "RS-6.3", "text": told, "lawful": [told]}
    table.judge = lambda _order: {"ok": False, "refusal": refusal} if refused else {"ok": True, "events": [told]}
    page = joined(table, phone, views.yes_no(), **NARROW)
    page.locator("[data-set='scale=200']").click()
    page.locator("[data-choice='0'][data-prompt='0']").click()
    page.wait_for_selector("[data-answer]")
    assert sticking_out(page) == []


def test_every_button_is_large_enough_for_a_thumb(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), **NARROW)
    small = """() => [...document.querySelectorAll('button, summary')].filter(e => e.offsetParent !== null && !e.matches('.clause'))
        .map(e => [e.textContent, e.getBoundingClientRect().width, e.getBoundingClientRect().height]).filter(([, w, h]) => w < 55.9 || h < 55.9)"""
    for face in every_face(table, page):
        assert page.evaluate(small) == [], face


@pytest.mark.parametrize("how", [("light", "100", WIDE), ("dark", "100", WIDE), ("dark", "200", NARROW)], ids=["day", "night", "narrow"])
@pytest.mark.parametrize("name", FACES)
def test_axe_finds_nothing(table: Table, phone: Phone, name: str, how: tuple[str, str, dict[str, Any]]) -> None:
    light, scale, size = how
    table.extra = {"clauses": {"RS-6R.1": "A rule."}}
    page = joined(table, phone, views.waiting(), color_scheme=light, reduced_motion="reduce", **size)
    page.locator(f"[data-set='scale={scale}']").click()
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    for face in every_face(table, page, [name]):
        if page.locator("[data-place=edo][data-lit]").count():
            page.locator("[data-place=edo]").focus()
            page.keyboard.press("Enter")
        assert violations(page) == [], face


def violations(page: Page) -> list[Any]:
    return page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations']})).violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 160))])"
    )


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("screen", ["waiting", "revoked", "moved", "refused", "old", "no-code", "bad-code", "connecting"])
def test_axe_finds_nothing_on_the_screens_between_and_each_says_one_thing_to_do(
    table: Table, phone: Phone, screen: str, light: str
) -> None:
    table.waiting = screen == "waiting"
    table.refusing = screen == "refused"
    table.mute = screen == "connecting"
    bare = table.url.split("#")[0]
    url = {"no-code": bare, "bad-code": table.url[:-3], "old": f"{bare}#2.anything"}.get(screen, table.url)
    page = phone(url, color_scheme=light, **NARROW)
    if screen in {"revoked", "moved"}:
        page.wait_for_selector("body[data-status=online]")
        table.tell(screen)
    shown = page.locator(f"[data-screen={screen.replace('bad-code', 'no-code')}]")
    expect(shown).to_be_visible()
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    assert violations(page) == []
    assert sticking_out(page) == []
    assert shown.locator("h1").count() == 1
    assert shown.locator("button").count() <= 1


def test_day_and_night_follow_the_phone_until_somebody_chooses(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), color_scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(21, 23, 28)"
    page.locator("[data-set='theme=day']").click()
    page.wait_for_function(f"{paper} === 'rgb(245, 239, 227)'")
    page.reload()
    page.wait_for_selector("body[data-status=online]")
    assert page.evaluate(paper) == "rgb(245, 239, 227)"
    page.locator("[data-set='theme=auto']").click()
    page.wait_for_function(f"{paper} === 'rgb(21, 23, 28)'")


def test_with_reduced_motion_nothing_moves(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting(), reduced_motion="reduce")
    for face in every_face(table, page):
        assert page.evaluate("document.getAnimations().length") == 0, face


def test_the_text_size_is_the_readers(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.waiting())
    size = "parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)"
    before = page.evaluate(size)
    page.locator("[data-set='scale=150']").click()
    page.wait_for_function(f"{size} === {before} * 1.5")


def test_the_page_brings_its_own_letters(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    loaded = page.evaluate(
        "document.fonts.ready.then(() => [...document.fonts].filter(f => f.status === 'loaded').map(f => [f.family, f.weight]))"
    )
    assert sorted((family.strip('"'), weight) for family, weight in loaded) == [
        ("Noto Sans JP", "400"),
        ("Noto Sans JP", "700"),
        ("Noto Serif JP", "700"),
    ]


def test_a_screen_reader_hears_names_not_pictures(table: Table, phone: Phone) -> None:
    page = joined(table, phone, views.recruit())
    for name in ("Bushi Reserve · 3", "Bushi: Kansai your stronghold, not used yet", "Done gives up 2"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Online")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Harvest").filter(has_text="done")).to_have_count(1)
    page.locator("[data-set='lang=ru']").focus()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
