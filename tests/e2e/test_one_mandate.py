"""Every wire, one Recruit and one Harvest: a tag's tap, a touch in the real window, clicks on two real phones; the plug is pulled between.

After every command the same is checked everywhere: referee, phones' DOM, the window's widgets, the firmware's lamps, the journal.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.everything import COUNTERS, Everything
from e2e.phones import Browser
from e2e.running import TOP, Table, until

pytestmark = pytest.mark.timeout(300)
TURTLE_BUSHI = "04A1B2C3D4E501"
LESSON = TOP / "docs/examples/first-lesson.txt"


@pytest.fixture
def everything(tmp_path: Path, browser: Browser) -> Iterator[Everything]:
    whole = Everything(tmp_path, browser, ("koi", "lotus", "turtle"), [f"{TURTLE_BUSHI} turtle/bushi 1"], place="kyoto")
    yield whole
    whole.close()


def test_a_recruit_and_a_harvest_over_every_wire(everything: Everything) -> None:
    table = everything.table
    table.start("--position", str(lesson_start(table.home)))
    everything.join("koi")
    everything.join("lotus")
    koi, lotus = everything.phones["koi"], everything.phones["lotus"]
    assert koi.page.evaluate("isSecureContext") is False, "the made-up name keeps this as poor as a phone on the LAN"
    table.press("begin")

    koi.choose_tile("mandate/recruit")
    everything.agree(1, "koi", {"do": "choose", "mandate": "recruit"})

    lotus.play(do="summon", kind="bushi", place="nagato")
    everything.agree(2, "lotus", {"do": "summon", "kind": "bushi", "place": "nagato"})

    with everything.laid(TURTLE_BUSHI):
        everything.reached(3)
    everything.agree(3, "turtle", {"do": "summon", "kind": "bushi", "place": "kyoto"})

    table.kill()
    before = table.journal()
    koi.page.wait_for_selector('body:not([data-status="online"])')
    table.start()
    assert table.journal() == before, "exactly there"
    table.press("begin")
    everything.agree(3, "turtle", {"do": "summon", "kind": "bushi", "place": "kyoto"})

    touch_bushi_into_kyoto(table)
    everything.agree(4, "turtle", {"do": "summon", "kind": "bushi", "place": "kyoto"})

    koi.play(do="summon", kind="bushi", place="edo")
    everything.agree(5, "koi", {"do": "summon", "kind": "bushi", "place": "edo"})
    koi.play(do="summon", kind="shinto", place="edo")
    everything.agree(6, "koi", {"do": "summon", "kind": "shinto", "place": "edo"})
    koi.play(do="worship", kami="hachiman")
    told = everything.agree(7, "koi", {"do": "worship"})
    assert told["placement"]["shrine.1"] == {"koi/shinto": 1}

    lotus.choose_tile("mandate/harvest")
    told = everything.agree(8, "lotus", {"do": "choose", "mandate": "harvest"})
    assert {seat: [koi.counter(seat, counter) for counter in COUNTERS] for seat in ("koi", "lotus", "turtle")} == {
        "koi": [0, 6, 0],
        "lotus": [1, 9, 1],
        "turtle": [0, 7, 0],
    }, "a coin each (RS-6H.1), and Nagato's reward to Lotus, who chose (RS-6H.2)"
    assert told["waits"] == ["turtle"], "the deck passes left (RS-6.8)"


def touch_bushi_into_kyoto(table: Table) -> None:
    """Turtle has no phone: its Bushi is picked and Kyoto touched in the window."""
    until("the window to ask Turtle", lambda: any(wid.startswith("pick:") for wid in table.look()["screen"]))
    pick = next(wid for wid in table.look()["screen"] if wid.startswith("pick:") and "bushi" in wid)
    table.press(pick)
    until("the Bushi to be in hand", lambda: (table.widget(pick) or {"lit": False})["lit"])
    table.press("zone:kyoto")


def lesson_start(home: Path) -> Path:
    """The lesson's position without its moves."""
    start = home / "start.txt"
    start.write_text(LESSON.read_text(encoding="utf-8").split("moves\n")[0] + "moves\n", encoding="utf-8")
    return start


def test_the_lesson_as_a_record_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    from companion.cli import main

    assert main(["referee", str(LESSON), "--json"]) == 0
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert "lotus coins 9 ronin 1 vp 1" in last["position"], last
