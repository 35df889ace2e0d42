"""Where the players said they sit, there the question faces them; and their names stand beside their clans."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from tablet_picture import SEATS, Stand, summon, update
from tablet_rig import Rig

from companion.rules.view import Section


def test_the_question_faces_the_side_that_was_chosen_and_turns_by_quarters(open_tablet: Callable[..., Rig]) -> None:
    stand = Stand(update(summon("koi")))
    stand.sides = dict(zip(SEATS, ("north", "east", "south", "south", "west"), strict=True))
    rig = open_tablet(stand=stand).on_board()
    assert rig.screen.ask.turn == 180
    rig.session.turn_seats()
    rig.frames()
    assert rig.screen.ask.turn == 90


def test_names_stand_beside_the_clans_and_home_is_one_press_away(open_tablet: Callable[..., Rig]) -> None:
    picture = update(summon())
    sections = tuple(
        msgspec.structs.replace(
            section,
            nodes=tuple(msgspec.structs.replace(n, who="Анна") if isinstance(n, Section) and n.id == "koi" else n for n in section.nodes),
        )
        if section.id == "seats"
        else section
        for section in picture.open.sections
    )
    rig = open_tablet(msgspec.structs.replace(picture, open=msgspec.structs.replace(picture.open, sections=sections)))
    assert rig.session.who("koi") == "Анна" and rig.session.who("lotus") == "" and "home" not in rig.dump
    gone: list[int] = []
    rig.session.home = lambda: gone.append(1)
    rig.session.resize(0)
    rig.screen.join.forget()
    rig.press("home")
    assert gone == [1]
    rig.on_board()
    assert rig.spot("seat:koi")["text"] == "Koi"


def test_home_is_on_the_smallest_window_too(open_tablet: Callable[..., Rig]) -> None:
    rig = open_tablet(update(summon()), size=(800, 480), mm=133 / 25.4)
    gone: list[int] = []
    rig.session.home = lambda: gone.append(1)
    rig.session.resize(0)
    rig.screen.join.forget()
    rig.press("home")
    assert gone == [1] and "begin" in rig.dump
