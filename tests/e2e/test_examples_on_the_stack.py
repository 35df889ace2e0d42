"""The rulebook's worked examples once more, this time over every wire but the window: the real program, broker, journal and sealed phones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.table import games, record
from e2e.running import HOST, TOP, Table, free_ports, until
from sync.phone import Phone

pytestmark = pytest.mark.timeout(120)
RECORDS = TOP / "tests/rules/records"
GAME = games.load("rising_sun").game


def begun(home: Path, text: str) -> tuple[Table, dict[str, Phone]]:
    """A headless table at the record's position with a sealed phone for every seat."""
    start = home / "start.txt"
    start.write_text(re.split(r"^moves\b.*$", text, flags=re.MULTILINE)[0] + "moves\n", encoding="utf-8")
    table = Table(home, free_ports(1)[0], "--position", str(start), "--headless", "--no-sim").start()
    seats = record.parse(text).seats
    urls = until("the codes", lambda: urls if len(urls := table.urls()) == len(seats) else None)
    return table, {seat: Phone(urls[seat], "127.0.0.1", table.port, transport="websockets").start().wait_online() for seat in seats}


def moves(text: str) -> list[tuple[Any, str]]:
    """(command, clause it must be refused with or "")"""
    behind = re.split(r"^moves\b.*$", text, flags=re.MULTILINE)[1]
    found = []
    for line in behind.splitlines():
        said, _, comment = line.partition("#")
        if said.strip():
            clause = re.match(r"\s*(RS-[\w.]*\w)", comment)
            found.append((GAME.notation.hear(said.split()), clause[1] if clause else ""))
    return found


def judged(name: str) -> list[str]:
    """The position ``python main.py referee FILE`` ends with."""
    done = subprocess.run(
        [sys.executable, "main.py", "referee", str(RECORDS / name), "--json"], cwd=TOP, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    position: list[str] = json.loads(done.stdout.splitlines()[-1])["position"]
    return position


@pytest.mark.parametrize("name", ["e_1.txt", "e_4.txt"])
def test_an_example_through_the_stack(name: str, tmp_path: Path) -> None:
    text = (RECORDS / name).read_text(encoding="utf-8")
    table, phones = begun(tmp_path, text)
    try:
        accepted = 0
        for command, clause in moves(text):
            phone = phones[command.seat]
            answer = phone.order(msgspec.to_builtins(command))
            if clause:
                assert not answer["ok"], command
                assert answer["refusal"]["clause"] == clause, (command, answer)
            else:
                assert answer["ok"], (command, answer)
                accepted += 1
            assert table.look()["revision"] == accepted, "a refusal changes nothing"
            phones_at = answer["revision"]
            for other in phones.values():
                other.wait(lambda it, least=phones_at: it.talk.revision >= least)
        rows = table.journal()
        assert len(rows) == accepted + 1
        state = msgspec.convert(rows[-1]["state"], GAME.State)
        assert list(GAME.notation.position(state)) == judged(name)
    finally:
        for phone in phones.values():
            phone.stop()
        assert table.stop() == 0


def test_another_seats_credentials_on_everything_learn_nothing(tmp_path: Path) -> None:
    """Lotus' player turns hostile: its own key, every wildcard there is, while Koi looks at four tiles and plays one."""
    text = (RECORDS / "e_4.txt").read_text(encoding="utf-8")
    table, phones = begun(tmp_path, text)
    try:
        spy, dragonfly = phones["lotus"], phones["dragonfly"]
        for pattern in ("#", "+/+/#", "$SYS/#", "jinmaku/#", "jinmaku/1/+/seat/+/down", "jinmaku/1/+/seat/+/up"):
            spy.client.subscribe(pattern, qos=1)
        assert any(node["id"].startswith("drawn") for node in drawn(dragonfly.talk.view)), "there is a secret to find"
        assert dragonfly.order({"do": "choose", "seat": "dragonfly", "mandate": "harvest"})["ok"]
        turtle = phones["turtle"]
        turtle.wait(lambda it: it.talk.revision >= 1)
        spy.wait(lambda it: it.talk.revision >= 1)
        own = f"jinmaku/1/{spy.talk.bond.game_id}/seat/lotus/down"
        with spy.happened:
            heard = list(spy.heard)
        for topic, payload, _ in heard:
            if topic == own:
                assert b'"view"' not in payload, "sealed"
            else:
                assert topic.endswith("/open") or "/presence/" in topic, f"lotus heard {topic}"
                assert b"drawn" not in payload, f"a secret on {topic}"
        assert drawn(spy.talk.view) == [], "nor does its own view tell"
    finally:
        for phone in phones.values():
            phone.stop()
        assert table.stop() == 0


def drawn(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Every card of drawn tiles anywhere in a view."""
    found: list[dict[str, Any]] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("node") == "card" and str(node.get("id", "")).startswith("drawn"):
                found.append(node)
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(view)
    return found


def test_the_address_is_the_made_up_one(tmp_path: Path) -> None:
    table = Table(tmp_path, free_ports(1)[0], "--new", "--headless", "--no-sim").start()
    try:
        urls = until("the codes", lambda: urls if len(urls := table.urls()) == 4 else None)
        assert all(url.startswith(f"http://{HOST}:{table.port}/#1.") for url in urls.values())
    finally:
        assert table.stop() == 0
