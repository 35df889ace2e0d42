"""Two tiny games, as unlike Rising Sun and each other as can be: proof that the contract carries them untouched.

``toy_tokens``: hidden simultaneous placement. ``toy_blocks``: a two-hand card battle with hidden blocks and a timed answer.
"""

from __future__ import annotations

from suite import Rig
from toy_blocks import SIDES, Blocks, hostile_blocks, scramble_blocks
from toy_tokens import Tokens, all_tokens, hostile_tokens, scramble_tokens


def rigs() -> tuple[Rig, ...]:
    return (
        Rig(Tokens(), ((("crab", "crane", "lion"), {}), (("crab", "lion"), {})), scramble_tokens, all_tokens, hostile_tokens),
        Rig(Blocks(), ((SIDES, {}),), scramble_blocks, lambda s: {side: len(s.faces[side]) for side in s.seats}, hostile_blocks),
    )
