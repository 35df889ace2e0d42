"""What the table says over the map can be read whole, and nothing is said twice."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tablet_ink import faults
from tablet_picture import raw, summon, update
from tablet_rig import Rig

from companion.console import _Notices
from companion.rules.game import Choice, Prompt, Refusal
from companion.rules.view import Text
from companion.table.desk import Notice, Update
from companion.table.hints import apart
from companion.table.naming import listed, unlisted
from companion.table.referee import Answer
from companion.words import render

Open = Callable[..., Rig]

SIZES = [((800, 480), 133 / 25.4), ((1280, 800), 149 / 25.4), ((480, 800), 149 / 25.4)]
PLACES = ("Hokkaido", "Kansai", "Kyoto", "Nagato", "Oshu", "Shikoku", "Kyushu", "Edo")
LAWFUL = tuple(raw(f"Move the Daimyo of the Dragonfly from Oshu to {place}") for place in PLACES)
LONG = (
    "A stronghold may only be built in a province where the clan has at least one figure that is not on a fortress, that has no other "
    "stronghold of the same clan, and that is no more than two provinces away from another one of its own; Oshu is four provinces away."
)


def wrong(lawful: tuple[Text, ...] = LAWFUL[:2], offers: int = 0) -> Update:
    names: dict[str, int | str | Text] = {"figure": raw("Koi Bushi 1"), "where": raw("Edo"), "seat": raw("Lotus"), "why": raw("No.")}
    choices = tuple(Choice({"do": i}, text, mark="figure/bushi") for i, text in enumerate(lawful))
    text = Text("table.hint_turn_but", names | {"lawful": listed(lawful)}) if lawful else Text("table.hint_turn", names)
    prompt = Prompt("koi", raw("Move"), "RS-6M", choices)
    return update(prompt, notice=Notice(1, "refused", text, "RS-6M", offers=tuple(("koi", choice) for choice in choices[:offers])))


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize(("size", "mm"), SIZES)
@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_a_refusal_is_whole_on_every_window_and_side(open_tablet: Open, size: tuple[int, int], mm: float, lang: str, turned: int) -> None:
    rig = open_tablet(size=size, mm=mm).on_board()
    rig.session.turned, rig.session.speech.lang = turned, lang
    rig.session.walk()
    rig.session.answered("koi", Answer("x", ok=False, revision=1, refusal=Refusal("RS-6B.1", raw(LONG), LAWFUL)))
    rig.frames()
    assert [fault for fault in faults(rig, cut=True) if "Slip" in fault] == []
    told = rig.spot("notice")["text"]
    assert LONG in told and told.endswith(PLACES[-1])


@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_a_short_sentence_keeps_its_size(open_tablet: Open, size: tuple[int, int], mm: float) -> None:
    rig = open_tablet(size=size, mm=mm).on_board()
    rig.show(wrong(()))
    slip = rig.screen.slip
    assert slip.style is not None and slip._words(slip.style, slip.wide).large == 17
    assert slip.box.h <= rig.screen.board.free.h / 2


def test_a_sentence_without_end_is_cut_where_the_map_ends(open_tablet: Open) -> None:
    rig = open_tablet(size=(800, 480), mm=133 / 25.4).on_board()
    rig.session.answered("koi", Answer("x", ok=False, revision=1, refusal=Refusal("RS-6B.1", raw(LONG * 9), LAWFUL * 9)))
    rig.frames()
    box = rig.screen.slip.box
    assert rig.spot("notice")["text"].endswith("...")
    assert box.y >= rig.screen.rope.box.bottom and box.bottom <= 480
    assert [fault for fault in faults(rig, cut=False) if "Slip" in fault] == []


def test_what_would_be_lawful_is_said_once_on_the_tablet(open_tablet: Open) -> None:
    rig = open_tablet(size=(1280, 800)).on_board()
    rig.show(wrong(offers=1))
    told = rig.spot("notice")["text"]
    first, second = (render(text, "en") for text in LAWFUL[:2])
    assert rig.spot("offer:0")["text"] == first
    assert first not in told and told.count(second) == 1 and told.count("awful") == 1
    rig.show(msgspec.structs.replace(wrong(LAWFUL[:1], offers=1), notice=msgspec.structs.replace(wrong(LAWFUL[:1], 1).notice, serial=2)))
    assert "awful" not in rig.spot("notice")["text"]


def test_and_once_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    _Notices("en")(wrong(offers=2))
    told = capsys.readouterr().out
    assert told.count("Lawful now") == 1 and told.count(PLACES[1]) == 1
    where = Notice(2, "waiting", raw("Where does it go?"), offers=(("koi", Choice({}, LAWFUL[0])),))
    _Notices("en")(update(summon(), notice=where))
    assert capsys.readouterr().out == f"Where does it go? Lawful now: {render(LAWFUL[0], 'en')}\n"


def test_a_sentence_comes_apart_only_where_it_was_put_together() -> None:
    assert unlisted(listed(LAWFUL)) == LAWFUL and unlisted(raw("one")) == (raw("one"),)
    plain = Text("table.hint_turn", {"figure": raw("x")})
    assert apart(plain) == (plain, ())
    assert apart(Text("table.hint_turn_but", {"figure": raw("x"), "lawful": listed(LAWFUL)})) == (plain, LAWFUL)
