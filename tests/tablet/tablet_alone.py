"""Runs the tablet as its own process: ``python tablet_alone.py DATA``; another thread looks, presses nothing, and closes it."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from companion.tablet.app import NoDisplayError, run  # noqa: E402 - found by the path above


def main(data: Path) -> None:
    from tablet_picture import Stand, summon, update

    def look(app: Any) -> None:
        def elsewhere() -> None:
            table = sorted(app.dump())
            app.do(lambda: app.screen.session.show_page("board"))
            zone = app.find("zone:edo")
            shot = app.screenshot(str(data / "shot.png"))
            print(json.dumps({"table": table, "zone": zone, "shot": shot, "nothing": app.find("no such thing")}))
            app.close()

        threading.Thread(target=elsewhere).start()

    try:
        run(Stand(update(summon()), data), title="Rising Sun", on_ready=look)
        print("closed")
    except NoDisplayError as fault:
        print(f"no display: {fault}")


main(Path(sys.argv[1]))
