"""A record of the tiny game, and how it is judged, for tests of the table."""

from __future__ import annotations

import io
from pathlib import Path

from pebbles import Pebbles

from companion.table import games
from companion.table.facts import Facts
from companion.table.verdict import referee_main

GAME = Pebbles()
HEAD = "jinmaku 1 pebbles rules 1\n"
RECORD = """# a small game
jinmaku 1 pebbles rules 1
seats koi lotus   # clockwise
option rounds 1
facts 00ff
deck b c d
phase put 0 2
koi edo 1
koi coins 2
moves
koi put pebble edo
lotus put pebble edo     # not its turn
koi shift pebble edo kyoto
koi done
lotus pick b
lotus done
koi bid 1
koi bid 7
lotus bid 2
table done
"""


def load(game_id: str, override: Path | None) -> games.Loaded:
    return games.Loaded(GAME, Facts({}, "00ff"))


def judged(tmp_path: Path, content: str | bytes, *flags: str) -> tuple[int, list[str], str]:
    path = tmp_path / "game.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    out, err = io.StringIO(), io.StringIO()
    code = referee_main([str(path), *flags], out, err, load)
    return code, out.getvalue().splitlines(), err.getvalue().replace(str(tmp_path) + "/", "")
