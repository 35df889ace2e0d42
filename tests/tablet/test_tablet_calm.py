"""Nothing changes under a finger: what is drawn stays where it is, and what is pressed is what was meant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tablet_picture import Stand, raw, summon, update
from tablet_rig import Rig

from companion.tablet.port import Health, SimTag

Open = Callable[..., Rig]
SIZES = [(1280, 800), (800, 480)]


def spots(rig: Rig) -> dict[str, Any]:
    """Where whatever can be pressed on the table page is."""
    return {wid: (spot["centre"], spot["size"]) for wid, spot in rig.dump.items() if not wid.startswith("health:")}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("simulated", [True, False])
def test_no_button_of_the_table_page_moves_when_the_devices_are_known(open_tablet: Open, size: tuple[int, int], simulated: bool) -> None:
    stand = Stand(update(summon()))
    stand.complete, stand.lines = False, stand.lines[:1]
    rig = open_tablet(stand=stand, size=size)
    before = spots(rig)
    assert {"qr:lotus", "join:lotus", "begin"} <= before.keys(), "neither the codes nor the way on wait for a device"
    assert "lang" not in before and "turn" not in before
    stand.complete = True
    stand.lines = (*stand.lines, Health("track", "ok", raw("LED track"), raw("It is there.")))
    if simulated:
        stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig.until(lambda: "home" in rig.dump or "settings" in rig.dump or "turn" in rig.dump)
    after = spots(rig)
    assert before == {wid: box for wid, box in after.items() if wid in before}
    assert ("simtable" in after and "tray" in after) is simulated


def test_the_row_stays_as_it_is_while_the_simulated_table_is_open(open_tablet: Open) -> None:
    stand = Stand(update(summon()))
    stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig = open_tablet(stand=stand)
    before = spots(rig)
    rig.press("simtable")
    stand.sims = ()
    rig.wait(1)
    assert spots(rig) == before
    assert not rig.spot("simtable")["enabled"] and not rig.spot("tray")["enabled"]
    stand.sims, stand.sim_table = (SimTag("04FF", raw("Lotus 1"), "lotus"),), "shut"
    rig.wait(1)
    assert spots(rig) == before and rig.spot("simtable")["enabled"]
