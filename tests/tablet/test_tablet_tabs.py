"""The way to another seat's question says whose it is and what is asked there, on small windows too."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tablet_ink import faults, written
from tablet_picture import Stand, raw, summon, tiles, update
from tablet_rig import Rig
from tablet_scenes import scenes

from companion.rules.game import Choice, Prompt
from companion.rules.view import Wait
from companion.tablet import choices

Open = Callable[..., Rig]
SIZES = [((800, 480), 133 / 25.4), ((1280, 800), 149 / 25.4)]


@pytest.mark.parametrize(("lang", "words"), [("en", ("Koi", "Summon 3 figures")), ("ru", ("Кои", "Призовите 3 фигуры"))])
@pytest.mark.parametrize(("size", "mm"), SIZES)
def test_while_table_and_app_differ_the_way_on_has_words(
    open_tablet: Open, size: tuple[int, int], mm: float, lang: str, words: tuple[str, str]
) -> None:
    rig = open_tablet(stand=Stand(scenes()["differs"]), size=size, mm=mm).on_board()
    rig.session.speech.lang = lang
    rig.session.changed()
    rig.frames()
    assert rig.spot("prompt")["value"] == "table"
    assert rig.spot("tab:koi")["text"] == f"{words[0]} ({words[1]})"
    assert set(words) <= {line.text for line in written(rig.screen.ask)}, "they are written, not only known"
    assert faults(rig) == []
    rig.press("tab:koi")
    assert rig.spot("prompt")["value"] == "koi"


def test_what_a_private_question_asks_is_not_said_on_its_tab(open_tablet: Open) -> None:
    secret = tiles("lotus")
    rig = open_tablet(
        update(summon(places=("edo",), kinds=("bushi",)), secret, waits=(Wait("lotus", raw("choosing a mandate")),))
    ).on_board()
    assert rig.spot("tab:lotus")["text"] == "Lotus (choosing a mandate)"
    rig.show(update(summon(places=("edo",), kinds=("bushi",)), secret, revision=2))
    assert rig.spot("tab:lotus")["text"] == "Lotus"


@pytest.mark.parametrize("seat", ["koi", "lotus", "turtle", "dragonfly"])
def test_words_on_a_tab_push_no_button_to_another_leaf(open_tablet: Open, monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    bare = choices.all_of
    for many in range(1, 8):
        cards = tuple(Choice({"n": i}, raw(f"A card {i} for 2"), mark="token/coin") for i in range(many))
        own = Prompt(seat, raw("Buy one card"), "RS-6T.1", cards)
        rig = open_tablet(update(own, summon("bonsai", ("kyushu",))), size=(800, 480), mm=133 / 25.4).on_board()
        rig.session._ask(seat, 0)
        rig.session.changed()
        rig.frames()
        assert faults(rig) == []
        said = set(rig.dump)
        with monkeypatch.context() as without:
            without.setattr(choices, "all_of", lambda s, told=0: bare(s))
            rig.screen.rebuild()
            assert set(rig.dump) == said
        rig.close()
