"""Writes the golden records of whole games: ``python tests/rules/make_whole.py``. Only when rules mean to change; look at what differs.

A record of a game that bots of taste have played, its commands, and its last position as comments (``#= ``).
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from rs_rig import GAME, RECORDS  # noqa: E402 - found by the path above
from suite import filled  # noqa: E402 - found by the path above

from companion.rules.game import Applied  # noqa: E402 - found by the path above
from companion.rules.rising_sun import taste  # noqa: E402 - found by the path above
from companion.table import record  # noqa: E402 - found by the path above

WHOLE = RECORDS / "whole"
TABLES = {
    "three_teapot": (("koi", "lotus", "turtle"), {"set": "teapot"}),
    "three_archway": (("lotus", "dragonfly", "bonsai"), {"set": "archway", "unbought_cards": "discard"}),
    "four_horseman": (("koi", "turtle", "dragonfly", "bonsai"), {"set": "horseman"}),
    "four_readings": (("koi", "lotus", "turtle", "bonsai"), {"zero_bids": "honor", "skulls_alone": "three", "serpent_dragonfly": "toll"}),
    "five_archway": (("koi", "lotus", "turtle", "dragonfly", "bonsai"), {"set": "archway"}),
    "five_cardboard": (("koi", "lotus", "turtle", "dragonfly", "bonsai"), {"mandates": "cardboard", "bids": "cardboard"}),
}


def played(name: str) -> str:
    """One game as its file."""
    rng = random.Random(name)
    seats, options = TABLES[name]
    start = s = GAME.start(seats, options)
    moves = []
    while prompts := GAME.prompts(s):
        prompt = rng.choice([p for p in prompts if not p.optional or rng.random() < 0.02])
        scores = taste.scores(GAME.view(s, prompt.seat), prompt)
        best = max(range(len(scores)), key=lambda i: scores[i] + rng.random())
        command = filled(prompt.choices[best], rng)
        result = GAME.apply(s, command)
        if isinstance(result, Applied):
            s = result.state
            moves.append(command)
    return record.text(GAME, start, moves) + "".join(f"#= {line}\n" for line in GAME.notation.position(s))


if __name__ == "__main__":
    for name in TABLES:
        (WHOLE / f"{name}.txt").write_text(played(name), encoding="utf-8")
