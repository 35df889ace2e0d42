"""Real moments of Rising Sun on the smallest phone with the largest text, in both languages: nothing lost, everything in reach."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from phone_chromium import AXE
from phone_moments import WANTED, clauses, moments
from phone_stand_in import Table
from playwright.sync_api import Page
from test_phone_look import NARROW, sticking_out, unfold, violations

Phone = Callable[..., Page]
LOCALES = {"en": "en-GB", "ru": "ru-RU"}


def test_chance_finds_them_all() -> None:
    assert set(moments()) == {"waiting", *(name for name, _ in WANTED.values())}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", ["waiting", *(name for name, _ in WANTED.values())])
def test_real_moments_fit_the_smallest_phone_with_the_largest_text(static: Path, phone: Phone, name: str, lang: str) -> None:
    moment = moments()[name]
    with Table(static, moment.seat) as table:
        table.view = moment.views[lang]
        table.extra = {"clauses": clauses(lang)}
        page = phone(table.url, locale=LOCALES[lang], color_scheme="dark", reduced_motion="reduce", **NARROW)
        page.wait_for_selector("body[data-status=online]")
        page.locator("[data-set='scale=200']").click()
        if page.locator("[data-pad]").count():
            page.locator("[data-pad]").focus()
            page.keyboard.press("Enter")
            page.wait_for_selector("body[data-curtain=kept]")
        unfold(page)
        page.locator("[data-step-tile], h1").first.click()
        assert sticking_out(page) == []
        if lang == "en":
            page.evaluate(Path(AXE).read_text(encoding="utf-8"))
            assert violations(page) == []
