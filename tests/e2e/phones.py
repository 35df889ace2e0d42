"""Real Chromium as the players' phones: one browser, a context a phone, on a made-up host name."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from typing import Any, Self

from playwright.sync_api import Page, sync_playwright

from e2e.running import HOST, until

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Browser:
    """Use as a context manager; every console error of every phone is kept in ``errors``."""

    def __enter__(self) -> Self:
        chromium = shutil.which("chromium")
        assert chromium, "the phones are real Chromium: apt-get install chromium"
        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(
            executable_path=chromium, args=[*ARGUMENTS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        )
        self.errors: list[str] = []
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._driver.stop()

    def phone(self, url: str, **how: Any) -> Phone:
        context = self._browser.new_context(
            **({"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True} | how)
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        return Phone(page)


class Phone:
    """One player's thumb and eyes."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def online(self, revision: int | None = None) -> Self:
        """Waits until the page says it is online (and shows this revision)."""
        at = "" if revision is None else f'[data-revision="{revision}"]'
        self.page.wait_for_selector(f'body[data-status="online"]{at}', timeout=20000)
        return self

    def commands(self) -> list[dict[str, Any]]:
        """What the buttons on the screen would do."""
        found = self.page.eval_on_selector_all("[data-command]", "all => all.map(one => one.dataset.command)")
        return [json.loads(one) for one in found]

    def counter(self, section: str, node: str) -> int:
        """A counter's number in the DOM."""
        return int(self.page.get_attribute(f'[data-node="counter"][data-id="{section}.{node}"]', "data-value") or "-1")

    def zone(self, place: str) -> dict[str, int]:
        """kind -> count, as the DOM shows this place."""
        return dict(
            self.page.eval_on_selector_all(
                f'[data-node="zone"][data-id="{place}"] .stack', "all => all.map(one => [one.dataset.kind, Number(one.dataset.count)])"
            )
        )

    def choose_tile(self, mark: str, first: str = "") -> None:
        """Opens the curtain, picks the tile and confirms. ``first``: the tile that lies under another's word, where two things are said."""
        self.opened()
        step = self.page.locator(f'[data-step-tile="{first or mark.rsplit("/", maxsplit=1)[-1]}"]')
        if step.count():  # Lotus says two things: which tile, then as what
            step.click()
        self.page.locator(f'[data-tile][data-mark="{mark}"]').first.click()
        self._play(".main[data-command]")

    def opened(self) -> None:
        """The curtain is open, as a screen reader opens it."""
        if self.page.get_attribute("[data-pad]", "data-pad") == "closed":
            self.page.focus("[data-pad]")
            self.page.keyboard.press("Enter")

    def fill(self, amounts: Mapping[str, int]) -> None:
        """Steps every number of the sheet behind the curtain up, then seals it."""
        self.unlocked()
        self.opened()
        if not self.page.locator("[data-amounts]").count():
            self._unfold_all()
        self._unfold("[data-amounts]")
        for name, n in amounts.items():
            for _ in range(n):
                self.page.click(f'[data-private] [data-amount="{name}"] [data-step="1"]')
        self._play("[data-private] [data-amounts] .main[data-command]")

    def play(self, **command: Any) -> None:
        """Presses the button of this command: first who, where the choice has two steps, then where."""
        self.unlocked()
        if not self._find(command):
            self._unfold_all()
        if not self._find(command):
            for who in self.page.query_selector_all("[data-who]"):
                who.click()
                if self._find(command):
                    break
        until(f"a button for {command}", lambda: self._find(command))
        button = f"[data-e2e='{json.dumps(command, sort_keys=True)}']"
        self._unfold(button)
        self._play(button)

    def unlocked(self) -> None:
        """The page ignores presses for a moment after its question changed; a person does not even notice."""
        self.page.wait_for_selector('body[data-locked="false"]')

    def _unfold_all(self) -> None:
        """Opens every question that need not be answered: nothing of it is on the page before."""
        while (folded := self.page.locator("details[data-optional]:not([open]) > summary").first).count():
            folded.click()

    def _unfold(self, selector: str) -> None:
        """Opens what this is folded away in, as a thumb would."""
        fold = self.page.locator("details:not([open])", has=self.page.locator(selector)).first
        if fold.count():
            fold.locator("summary").first.click()

    def _play(self, selector: str) -> None:
        self.unlocked()
        self.page.click(selector)

    def _find(self, command: Mapping[str, Any]) -> bool:
        name = json.dumps(command, sort_keys=True)
        return bool(
            self.page.evaluate(
                """([wanted, name]) => {
                    for (const marked of document.querySelectorAll("[data-e2e]")) delete marked.dataset.e2e; // a button is used again
                    for (const button of document.querySelectorAll("[data-command]")) {
                        const has = JSON.parse(button.dataset.command);
                        if (Object.entries(wanted).every(([key, value]) => has[key] === value)) { button.dataset.e2e = name; return true; }
                    }
                    return false;
                }""",
                [dict(command), name],
            )
        )
