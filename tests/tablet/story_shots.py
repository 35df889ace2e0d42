"""Pictures of the story page, the end of a game and bots' seats: ``python tests/tablet/story_shots.py OUT [WORD ...]``. Not a test."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from companion.tablet import config  # noqa: E402 - found by the path above

UPRIGHT = "story_upright" in sys.argv
"""The window cannot grow: pictures of an upright tablet are taken alone."""
config.prepare(Path(tempfile.mkdtemp()), size=(800, 1280) if UPRIGHT else (1280, 800))

from kivy.base import EventLoop  # noqa: E402 - only after prepare
from kivy.core.window import Window  # noqa: E402
from kivy.graphics.opengl import GL_RGB, GL_UNSIGNED_BYTE, glPixelStorei, glReadPixels  # noqa: E402
from tablet_eyes import save, seen  # noqa: E402
from tablet_rig import Rig  # noqa: E402
from tablet_told import Told  # noqa: E402

WAR = 310
"""Commands to a Battle in Autumn."""
MM = {(800, 480): 133 / 25.4, (1280, 800): 149 / 25.4, (800, 1280): 149 / 25.4}


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    only = [word for word in sys.argv[2:] if word != "deutan"]
    going = Told(Path(tempfile.mkdtemp()), commands=120)
    done = Told(Path(tempfile.mkdtemp()), over=True)
    fought = Told(Path(tempfile.mkdtemp()), commands=WAR)
    for name, stand, size, lang, theme, act in (
        ("story", going, (1280, 800), "en", "day", "middle"),
        ("story_ru_night", going, (1280, 800), "ru", "night", "last"),
        ("story_small", going, (800, 480), "ru", "day", "middle"),
        ("story_upright", going, (800, 1280), "en", "day", "middle"),
        ("story_saved", done, (1280, 800), "en", "day", "export"),
        ("over", done, (1280, 800), "en", "day", "over"),
        ("over_small_ru", done, (800, 480), "ru", "night", "over"),
        ("sources", done, (1280, 800), "en", "day", "sources"),
        ("sources_small_ru", done, (800, 480), "ru", "night", "sources"),
        ("over_more", done, (800, 480), "en", "day", "over_more"),
        ("won", fought, (1280, 800), "en", "day", "board"),
        ("won_small_ru", fought, (800, 480), "ru", "night", "board"),
        ("won_upright", fought, (800, 1280), "en", "day", "board"),
        ("log", going, (1280, 800), "en", "day", "log"),
        ("bot_seat", going, (1280, 800), "en", "day", "seat"),
        ("bot_table", going, (1280, 800), "ru", "day", "join"),
    ):
        if (only and name not in only) or (size[1] > size[0]) != UPRIGHT:
            continue
        EventLoop.ensure_window()
        if tuple(Window.size) != size:
            Window.size = size
            for _ in range(3):
                EventLoop.idle()
        rig = Rig(stand, size=size, mm=MM[size])
        s = rig.session
        s.speech.lang, s.theme = lang, theme
        if act != "join":
            rig.on_board()
        s.changed()
        rig.frames(2)
        if act in {"middle", "last", "export", "sources"}:
            s.open_story()
            page = rig.screen.over
            rig.until(lambda page=page: page.session.story is not None, 60)
            if act == "middle":
                page.session.go(page.session.last * 2 // 3)
            if act == "sources":
                while page.session.counter != "sources":
                    page.session.next_counter()
            if act == "export":
                page.export()
                rig.until(lambda page=page: page.session.said is not None, 60)
        elif act == "over_more":
            s.press_sheet_leaf(1)
        elif act == "log":
            s.open_sheet(("log",))
        elif act == "seat":
            s.open_sheet(("seat", "turtle"))
        rig.frames(4)
        glPixelStorei(0x0D05, 1)
        w, h = Window.width, Window.height
        pixels = bytes(glReadPixels(0, 0, w, h, GL_RGB, GL_UNSIGNED_BYTE))
        save(out / f"{name}.png", pixels, (w, h))
        if "deutan" in sys.argv:
            save(out / f"{name}_deutan.png", seen(pixels), (w, h))
        print(name, flush=True)
        rig.close()
    going.stop()
    fought.stop()
    done.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
