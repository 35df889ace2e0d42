"""Who plays a clan is told in its row, whatever else stands there: above all that it is a bot."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from tablet_ink import faults, written
from tablet_picture import SEATS, summon, update
from tablet_rig import Rig

from companion.rules.game import View
from companion.rules.view import Card, Section, Text
from companion.table.desk import Update

Open = Callable[..., Rig]
SIZES = [
    ((800, 480), 133 / 25.4),
    ((1280, 800), 149 / 25.4),
    ((2560, 1600), 299 / 25.4),
    ((800, 1280), 149 / 25.4),
    ((480, 800), 149 / 25.4),
]
WORD = {"en": "(bot)", "ru": "(бот)"}


def played(names: dict[str, str], bots: tuple[str, ...], *, allied: bool) -> Update:
    """The picture with names beside the clans, and with or without an ally in every row."""

    def plate(seat: str) -> str | Text:
        name = names.get(seat, "")
        return name if seat not in bots else Text("table.bot_named", {"name": name}) if name else Text("table.bot_plain")

    def row(node: Section) -> Section:
        nodes = tuple(one for one in node.nodes if allied or not isinstance(one, Card))
        if allied and nodes == tuple(one for one in node.nodes if not isinstance(one, Card)):
            nodes = (*nodes, Card(f"{node.id}.ally", Text("table.raw", {"id": "Ally"}), mark="ui/alliance", seat="koi"))
        return msgspec.structs.replace(node, nodes=nodes, who=plate(node.id))

    def view(old: View) -> View:
        sections = (
            msgspec.structs.replace(section, nodes=tuple(map(row, section.nodes))) if section.id == "seats" else section
            for section in old.sections
        )
        return msgspec.structs.replace(old, sections=tuple(sections))

    picture = update(summon())
    return msgspec.structs.replace(picture, open=view(picture.open), bots=bots)


def told(rig: Rig) -> str:
    rig.frames()
    return " ".join(line.text for line in written(rig.screen.honor))


@pytest.mark.parametrize("allied", [True, False])
@pytest.mark.parametrize("lang", WORD)
@pytest.mark.parametrize(("size", "mm"), SIZES[:4])
def test_a_bot_is_told_with_an_ally_and_without(open_tablet: Open, size: tuple[int, int], mm: float, lang: str, allied: bool) -> None:
    rig = open_tablet(played({}, SEATS[1:], allied=allied), size=size, mm=mm).on_board()
    rig.session.speech.lang = lang
    rig.session.changed()
    assert told(rig).count(WORD[lang]) == len(SEATS) - 1
    assert [fault for fault in faults(rig) if "Honor" in fault] == []


@pytest.mark.parametrize("allied", [True, False])
def test_a_long_name_never_takes_the_word_s_place(open_tablet: Open, allied: bool) -> None:
    names = {"turtle": "Константин Великий Победоносный", "lotus": "Айко"}
    rig = open_tablet(played(names, ("turtle", "lotus"), allied=allied), mm=149 / 25.4).on_board()
    assert told(rig).count("(bot)") == 2 and "Айко (bot)" in told(rig)
    assert not [wid for wid in rig.dump if wid.startswith("bot:")], "nothing is said twice"


@pytest.mark.parametrize("allied", [True, False])
@pytest.mark.parametrize(("size", "mm"), [*SIZES, ((640, 320), 133 / 25.4), ((400, 300), 96 / 25.4)])
def test_where_there_is_no_room_for_the_word_there_is_the_sign(open_tablet: Open, size: tuple[int, int], mm: float, allied: bool) -> None:
    rig = open_tablet(played({"koi": "Mira"}, SEATS[1:], allied=allied), size=size, mm=mm).on_board()
    signs = sum(wid.startswith("bot:") for wid in rig.dump)
    assert told(rig).count("(bot)") + signs == len(SEATS) - 1
    assert "bot:koi" not in rig.dump
    assert [fault for fault in faults(rig, cut=False) if "Honor" in fault and "(bot)" in fault] == []


def test_the_row_changes_when_a_bot_comes_or_goes(open_tablet: Open) -> None:
    rig = open_tablet(played({}, (), allied=True)).on_board()
    assert "(bot)" not in told(rig)
    rig.show(msgspec.structs.replace(played({}, ("turtle",), allied=True), revision=2))
    assert told(rig).count("(bot)") == 1
