"""The page against the real thing: broker, server, messenger, desk, referee and Rising Sun itself. Only the paper is missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from phone_stand_in import HOST
from playwright.sync_api import Page, expect

from companion.sync.broker import Broker
from companion.sync.join import join_url
from companion.sync.messenger import Messenger
from companion.sync.patience import most, spares
from companion.sync.server import Server
from companion.table import games
from companion.table.desk import Desk
from companion.table.journal import Journal
from companion.table.referee import Referee

Phone = Callable[..., Page]


class Table:
    def __init__(self, home: Path, static: Path) -> None:
        self.static = static
        loaded = games.load("rising_sun")
        self.journal = Journal(home / "table.sqlite")
        self.referee = Referee.create(
            loaded.game,
            self.journal,
            ("koi", "lotus", "turtle"),
            {"ally": "koi lotus"},
            facts_hash=loaded.facts.digest,
            facts=loaded.facts.tables,
        )
        self.desk = Desk(self.referee)
        self.desk.start()
        self.messenger = Messenger(self.desk, self.journal, self.referee.game_id, on_gone=self._gone)
        self.port = 0
        self.listen()
        self.messenger.start("127.0.0.1", self.server.mqtt_port)

    def _gone(self, user: str) -> None:
        self.broker.kick(user)

    def listen(self) -> None:
        """A new broker and server, on the same ports as before: the old ones' memory is gone."""
        mqtt = self.server.mqtt_port if self.port else 0
        self.broker = Broker(self.messenger.auth, self.messenger.may, most=most, spares=spares)
        self.server = Server(self.broker, self.static, host="127.0.0.1", port=self.port, mqtt_port=mqtt)
        self.server.start()
        self.port = self.server.port

    def stop(self) -> None:
        self.messenger.stop()
        self.server.stop()
        self.desk.stop()
        self.journal.close()

    def url(self, seat: str) -> str:
        return join_url(HOST, self.port, self.referee.game_id, self.messenger.offer(seat))

    @property
    def chooser(self) -> str:
        """Whose turn it is."""
        return next(prompt.seat for prompt in self.referee.prompts() if not prompt.optional)

    def until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + 15
        while not done():
            assert time.monotonic() < end, "waited 15 s in vain"
            time.sleep(0.02)


@pytest.fixture
def table(static: Path, tmp_path: Path) -> Iterator[Table]:
    it = Table(tmp_path, static)
    yield it
    it.stop()


def online(page: Page, revision: int) -> None:
    page.wait_for_selector(f"body[data-status=online][data-revision='{revision}']", timeout=15_000)


def choose(page: Page, mark: str = "") -> str:
    """Opens the curtain, takes a tile and confirms; which one."""
    page.locator("[data-pad]").focus()
    page.keyboard.press("Enter")
    tile = page.locator(f"[data-tile][data-mark='{mark}']" if mark else "[data-tile]").first
    chosen = tile.get_attribute("data-mark") or ""
    tile.click()
    page.locator("button.main[data-choice]").click()
    return chosen


def test_two_phones_play_a_mandate(table: Table, phone: Phone) -> None:
    chooser = table.chooser
    other = next(seat for seat in table.referee.seats if seat != chooser)
    mine, theirs = phone(table.url(chooser)), phone(table.url(other))
    start = table.referee.revision
    for page in (mine, theirs):
        online(page, start)
    assert mine.evaluate("isSecureContext") is False
    expect(mine.locator("body")).to_have_attribute("data-turn", "mine")
    expect(theirs.locator("[data-waits]")).to_have_attribute("data-waits", chooser)
    assert theirs.locator("[data-pad]").count() == 0, "nothing is secret to who has not drawn"
    chosen = choose(mine)
    table.until(lambda: table.referee.revision > start)
    for page in (mine, theirs):
        online(page, table.referee.revision)
        expect(page.locator("[data-light='mandate.1']")).not_to_have_attribute("data-state", "todo")
    assert chosen.startswith("mandate/")
    assert mine.locator("[data-tile], [data-private]").count() == 0


def test_a_broker_that_dies_and_comes_back_costs_nobody_a_thing(table: Table, phone: Phone) -> None:
    page = phone(table.url(table.chooser), locale="ru-RU")
    start = table.referee.revision
    online(page, start)
    table.server.stop()
    page.wait_for_selector("body[data-status=offline]")
    choose(page)
    page.wait_for_selector("body[data-pending='1']")
    table.listen()
    table.until(lambda: table.referee.revision > start)
    online(page, table.referee.revision)
    page.wait_for_selector("body[data-pending='0']")
    expect(page.locator("[data-line]")).to_have_text("На связи")
    moved = table.referee.revision
    page.reload()
    online(page, moved)


def test_a_seat_moves_to_another_phone_when_the_table_agrees(table: Table, phone: Phone) -> None:
    seat = table.chooser
    old = phone(table.url(seat))
    online(old, table.referee.revision)
    new = phone(table.url(seat))
    expect(new.locator("[data-screen=waiting]")).to_be_visible()
    assert table.messenger.decide(seat, yes=True)
    expect(old.locator("[data-screen=revoked]")).to_be_visible()
    online(new, table.referee.revision)
    expect(new.locator("body")).to_have_attribute("data-door", "open")
    old.reload()
    expect(old.locator("[data-screen=revoked]")).to_be_visible()
    expect(old.locator("body")).to_have_attribute("data-status", "offline")  # it does not even knock


def test_sleep_and_a_second_window_are_no_loss(table: Table, phone: Phone) -> None:
    seat = table.chooser
    address = table.url(seat)
    first = phone(address)
    online(first, table.referee.revision)
    first.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    first.wait_for_selector("body[data-status=catching], body[data-status=online]")
    online(first, table.referee.revision)
    expect(first.locator("body")).to_have_attribute("data-door", "open")
    elsewhere = phone(address)  # the same code on another phone: no shared storage, only the referee can tell
    online(elsewhere, table.referee.revision)
    expect(first.locator("[data-screen=moved]")).to_be_visible()
