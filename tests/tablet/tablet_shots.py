"""Takes pictures of the tablet at real moments of a game, to be opened and judged: ``python tests/tablet/tablet_shots.py OUT [WORD ...]``.

Not a test. With the word ``deutan`` every picture gets a twin as somebody without green cones sees it. ``large``: only those of 2560 x 1600.
Other words choose among the names.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from companion.tablet import config  # noqa: E402 - found by the path above

LARGE = "large" in sys.argv
"""2560 x 1600 needs a window that was opened so large."""
config.prepare(Path(tempfile.mkdtemp()), size=(2560, 1600) if LARGE else (1280, 800))

from kivy.base import EventLoop  # noqa: E402 - only after prepare
from kivy.core.window import Window  # noqa: E402
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glPixelStorei, glReadPixels  # noqa: E402
from tablet_eyes import save, seen  # noqa: E402
from tablet_picture import Stand  # noqa: E402
from tablet_rig import Rig  # noqa: E402
from tablet_scenes import scenes  # noqa: E402

GL_PACK_ALIGNMENT = 0x0D05
MM = {(800, 480): 133 / 25.4, (1280, 800): 149 / 25.4, (2560, 1600): 299 / 25.4}
"""A 7 inch panel and two tablets of 10 inches."""

Act = Callable[[Rig], Any]
SHEETS = {
    "log": ("log",),
    "repair": ("repair",),
    "health": ("health",),
    "settings": ("settings",),
    "clause": ("clause", "RS-6R.1"),
    "ask": ("ask", "table", "table.take_back"),
    "seat": ("seat", "bonsai"),
    "pin": ("pin", "bonsai"),
}


def shot(out: Path, name: str, scene: str, *, size: tuple[int, int] = (1280, 800), lang: str = "en", theme: str = "day",
         turned: int = 0, scale: float = 1.0, seat: str = "", act: Act | None = None, join: bool = False) -> None:  # fmt: skip
    words = [word for word in sys.argv[2:] if word not in {"deutan", "large"}]
    if (size[0] > 1280) != LARGE or (words and not any(name.startswith(word) for word in words)):
        return
    EventLoop.ensure_window()
    if tuple(Window.size) != size:
        Window.size = size
        for _ in range(3):
            EventLoop.idle()
    stand = Stand(scenes()[scene])
    rig = Rig(stand, size=size, mm=MM[size])
    s = rig.session
    s.speech.lang, s.theme, s.scale, s.turned = lang, theme, scale, turned
    if not join:
        rig.on_board()
    s.walk()
    s.changed()
    if seat:
        s._ask(seat, 0)
        s.changed()
    rig.frames(2)
    if act is not None:
        act(rig)
    rig.frames(3)
    glPixelStorei(GL_PACK_ALIGNMENT, 1)
    w, h = Window.width, Window.height
    pixels = bytes(glReadPixels(0, 0, w, h, GL_RGB, GL_UNSIGNED_BYTE))
    save(out / f"{name}.png", pixels, (w, h))
    if "deutan" in sys.argv:
        save(out / f"{name}_deutan.png", seen(pixels), (w, h))
    print(name, flush=True)
    rig.close()


def opened(*sheet: str) -> Act:
    return lambda rig: rig.session.press_sheet(*sheet)


def aside(rig: Rig) -> None:
    rig.session.draw_curtain(aside=True)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for scene in scenes():
        shot(out, f"board_{scene}", scene)
    for name, sheet in SHEETS.items():
        shot(out, f"sheet_{name}", "recruit", act=opened(*sheet))
    shot(out, "sheet_differs", "differs", act=opened("repair"))
    shot(out, "aside", "draw", act=aside)
    shot(out, "join", "recruit", join=True)
    for turned, side in enumerate(("a", "b", "c", "d", "e")):
        shot(out, f"side_{side}", "recruit", turned=turned)
        shot(out, f"side_{side}_small", "train", turned=turned, size=(800, 480))
    for size in MM:
        for lang in ("en", "ru"):
            for theme in ("day", "night"):
                for scene in ("recruit", "draw", "differs", "war"):
                    shot(out, f"all_{size[0]}_{lang}_{theme}_{scene}", scene, size=size, lang=lang, theme=theme)
                for name in ("log", "health", "settings", "ask", "pin"):
                    shot(
                        out,
                        f"all_{size[0]}_{lang}_{theme}_page_{name}",
                        "recruit",
                        size=size,
                        lang=lang,
                        theme=theme,
                        act=opened(*SHEETS[name]),
                    )
                shot(out, f"all_{size[0]}_{lang}_{theme}_join", "recruit", size=size, lang=lang, theme=theme, join=True)
        for scale in (1.5, 2.0):
            shot(out, f"scale_{size[0]}_{scale:g}", "recruit", size=size, scale=scale, lang="ru")
            shot(out, f"scale_{size[0]}_{scale:g}_settings", "recruit", size=size, scale=scale, lang="ru", act=opened("settings"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
