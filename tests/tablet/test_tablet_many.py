"""Questions of more choices than the panel has room for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tablet_picture import raw, update
from tablet_rig import Rig

from companion.rules.game import Choice, Gesture, Prompt

Open = Callable[..., Rig]


@pytest.mark.parametrize("size", [(1280, 800), (800, 480)])
def test_what_was_taken_up_on_the_map_is_shown_in_hand(open_tablet: Open, size: tuple[int, int]) -> None:
    """Of many figures the panel has no room for all; the one in hand is among those it shows."""
    froms = ("edo", "kansai", "oshu", "kyoto", "nagato", "shikoku")
    choices = tuple(
        Choice(
            {"do": "move", "kind": kind, "from": frm, "to": "kyushu"},
            raw(f"{kind} from {frm}"),
            (Gesture(f"turtle/{kind}", frm, "kyushu"),),
        )
        for frm in froms
        for kind in ("bushi", "daimyo")
    )
    prompt = Prompt("turtle", raw("Move"), "RS-6M.1", (*choices, Choice({"do": "done"}, raw("Done"), mark="ui/ok")))
    rig = open_tablet(update(prompt), size=size).on_board()
    for frm in froms:
        rig.press(f"zone:{frm}")
        rig.wait(1)
        rig.press(f"pick:turtle/daimyo@{frm}")
        assert rig.spot(f"pick:turtle/daimyo@{frm}")["lit"], frm
        rig.wait(1)
        rig.press(f"pick:turtle/daimyo@{frm}")  # put back
        rig.wait(1)


def test_what_ends_a_question_of_many_choices_is_on_every_leaf(open_tablet: Open) -> None:
    many = tuple(Choice({"n": i}, raw(f"Choice number {i}")) for i in range(11))
    rig = open_tablet(update(Prompt("koi", raw("Choose"), "X", (*many, Choice({"n": 99}, raw("Done"), mark="ui/ok"))))).on_board()
    seen: set[str] = set()
    for _ in range(2):
        assert "choice:11" in rig.dump
        seen |= {wid for wid in rig.dump if wid.startswith("choice:")}
        rig.press("leaf")
        rig.clock.now += 1
    assert len(seen) == 12
