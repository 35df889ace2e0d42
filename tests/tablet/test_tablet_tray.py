"""Simulated figures along the map's edge, when there are more of them than fit."""

from __future__ import annotations

from collections.abc import Callable

from tablet_picture import Stand, raw, update
from tablet_rig import Rig

from companion.tablet.port import SimTag

Open = Callable[..., Rig]


def test_more_tags_than_fit_stand_on_leaves_none_narrower_than_a_finger(open_tablet: Open) -> None:
    stand = Stand(update())
    stand.sims = tuple(SimTag(f"04{i:012X}", raw(f"Bushi {i}"), ("koi", "lotus", "turtle")[i % 3], "figure/bushi") for i in range(57))
    rig = open_tablet(stand=stand)
    rig.press("begin")
    seen: set[str] = set()
    for _ in range(9):
        here = {wid: spot for wid, spot in rig.dump.items() if wid.startswith("sim:")}
        assert here and all(spot["size"][0] >= rig.screen.measure().target for spot in here.values())
        seen |= here.keys()
        rig.press("tray:more")
        rig.clock.now += 0.2
    assert len(seen) == 57
