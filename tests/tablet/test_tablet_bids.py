"""Secret numbers on the tablet: whoever bids beside others who bid too must reach every number and the button that seals them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tablet_orders import Bid
from tablet_picture import SEATS, Stand, raw, update
from tablet_rig import Rig

from companion.rules.game import Amounts, Choice, Prompt

Open = Callable[..., Rig]
NAMES = ("seppuku", "hostage", "ronin", "poets")


def bid(seat: str) -> Prompt[Bid]:
    amounts = Amounts(dict.fromkeys(NAMES, (0, 5)), (0, 5))
    detail = raw("You have 5 coins. What you do not bid stays yours.")
    return Prompt(
        seat, raw("Bid in secret for Edo"), "RS-9.3", (Choice(Bid(seat, {}), raw("Bid"), amounts=amounts),), detail=detail, private=True
    )


def turned_to(rig: Rig, wid: str) -> None:
    for _ in range(8):
        if wid in rig.dump:
            return
        rig.press("leaf")
        rig.clock.now += 0.2
    raise AssertionError(f"{wid} is on no leaf")


@pytest.mark.parametrize("size", [(1280, 800), (1024, 600)], ids=str)
@pytest.mark.parametrize("side", ["south", "west", "north"])
@pytest.mark.parametrize("others", [0, 1, 4])
def test_a_secret_bid_can_be_made_beside_others_who_bid_too(open_tablet: Open, others: int, side: str, size: tuple[int, int]) -> None:
    stand = Stand(update(*map(bid, SEATS[: others + 1])))
    stand.sides = dict.fromkeys(SEATS, side)
    rig = open_tablet(stand=stand, size=size).on_board()
    touch = rig.hold(f"curtain:{SEATS[0]}")
    rig.slide(touch, "pin")
    rig.lift(touch)
    rig.press("choice:0")
    for name in NAMES:
        turned_to(rig, f"more:{name}")
        rig.press(f"more:{name}")
        rig.clock.now += 0.2
    turned_to(rig, "fill")
    rig.press("fill")
    assert [command for _, command in rig.stand.desk.played] == [Bid(SEATS[0], dict.fromkeys(NAMES, 1))]


def test_a_curtain_that_fell_while_numbers_are_filled_in_can_be_kept_open_again(open_tablet: Open) -> None:
    rig = open_tablet(update(*map(bid, SEATS[:2]))).on_board()
    for _ in range(2):
        touch = rig.hold(f"curtain:{SEATS[0]}")
        turned_to(rig, "pin")
        rig.slide(touch, "pin")
        rig.lift(touch)
        if "choice:0" in rig.dump:
            rig.press("choice:0")
        assert "more:seppuku" in rig.dump and "pin" not in rig.dump
        rig.wait(21)
        assert "more:seppuku" not in rig.dump
