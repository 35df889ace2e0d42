"""Pictures of the home screen and the form of a new game: ``python home_shots.py WIDTH HEIGHT OUT`` (offscreen or Xvfb)."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from companion.tablet import config  # noqa: E402 - found by the path above

WIDTH, HEIGHT, OUT = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
MM = float(sys.argv[4]) / 25.4 if len(sys.argv) > 4 else 96 / 25.4
config.prepare(Path(tempfile.mkdtemp()), size=(WIDTH, HEIGHT))


def main() -> None:
    from home_rig import LIST, HomeRig, House, raw
    from kivy.core.window import Window

    from companion.lobby.port import Entry, Home

    Window.size = (WIDTH, HEIGHT)
    house = House(Home(LIST, ("Mira", "Jonas", "Айко", "Ines", "Pavel")))
    house.entries = [
        Entry("figures", raw("Figures"), lambda: None, "ui/tag"),
        Entry("sim", raw("Simulated table"), lambda: None, "ui/reader"),
    ]
    rig = HomeRig(house, size=(WIDTH, HEIGHT), mm=MM)
    s = rig.state

    def shot(name: str) -> None:
        s.changed()
        rig.frames(3)
        OUT.mkdir(parents=True, exist_ok=True)
        path = Window.screenshot(name=str(OUT / f"{WIDTH}_{name}.png"))
        Path(path).replace(OUT / f"{WIDTH}_{name}.png")

    for lang, theme in (("en", "day"), ("ru", "night"), ("ru", "day"), ("en", "night")):
        s.speech.lang, s.theme = lang, theme
        tag = f"{lang}_{theme}"
        s.back()
        shot(f"home_{tag}")
        s.new()
        s.put(s.form.with_player().named("koi", "Mira").named("lotus", "Jonas").named("bonsai", "Константин Великий"))
        shot(f"players_{tag}")
        s.edit("turtle")
        s.type("Aiko")
        shot(f"keys_{tag}")
        s.finish()
        s.choose("koi")
        shot(f"clans_{tag}")
        s.choose("koi")
        s.put(s.form.turned("koi", 2))
        shot(f"fault_{tag}")
        s.mend()
        s.turn_to("table")
        s.put(s.form.seen_by("readers"))
        shot(f"table_{tag}")
        s.turn_to("rules")
        s.put(s.form.allied("koi", "turtle"))
        shot(f"rules_{tag}")
    house.list = Home()
    s.speech.lang, s.theme = "en", "day"
    s.back()
    s.read()
    rig.until(lambda: s.home == house.list)
    shot("home_empty")
    rig.close()


main()
