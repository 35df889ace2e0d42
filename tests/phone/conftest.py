"""A built page, one Chromium for all, one stand-in table a test. The host name is made up, so that the page is no secure context."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from phone_chromium import ARGS, STATIC, TOP, binary
from phone_stand_in import Table
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE = 15.0
"""Seconds that anything waited for may take on a busy machine."""
expect.set_options(timeout=PATIENCE * 1000)


@pytest.fixture(scope="session")
def static() -> Path:
    """The page as the sources say now; built if it is not."""
    done = subprocess.run([sys.executable, str(TOP / "hatch_build.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return STATIC


@pytest.fixture(
    scope="module"
)  # while Playwright runs, its event loop is this thread's: asyncio.run in another module's test would be refused
def chromium() -> Iterator[Browser]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=binary(), args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def table(static: Path) -> Iterator[Table]:
    with Table(static) as it:
        yield it


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """``phone(url)`` opens a new phone of its own; errors on its console fail the test, but for lines that a test itself broke."""
    opened: list[tuple[Any, list[str]]] = []

    def open_phone(url: str, **options: Any) -> Page:
        settings = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True, "locale": "en-GB"}
        context = chromium.new_context(**(settings | options))
        context.set_default_timeout(PATIENCE * 1000)
        complaints: list[str] = []
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text) if message.type in {"error", "warning"} else None)
        page.on("pageerror", lambda error: complaints.append(f"{error}"))
        opened.append((context, complaints))
        page.goto(url)
        return page

    yield open_phone
    for context, complaints in opened:
        context.close()
        own = [line for line in complaints if "WebSocket connection to" not in line and "status of 503" not in line]
        assert own == []
