"""Positions in which cards of Rising Sun act: a Recruit about to end, the start of the War."""

from __future__ import annotations

from rs_rig import GAME, accepted, position

from companion.rules.game import Applied

FOUR = "koi lotus turtle dragonfly"


def at(*lines, seats=FOUR):
    return position(f"seats {seats}\n" + "\n".join(lines))


def events(s, line):
    """What a command is told to have done: key and arguments that are numbers."""
    applied = GAME.apply(s, GAME.notation.hear(line.split()))
    assert isinstance(applied, Applied), f"{line}: {applied}"
    return [(e.text.key.removeprefix("rs.event."), e.text.args.get("n")) for e in applied.events]


def war(*lines):
    """The start of the War: the third Kami Turn is begun by the table where no Shrine has worshippers."""
    return at("step war", *lines)


def begin_war(s):
    return accepted(s, "table done")


def recruit(*lines):
    """Dragonfly, the last to perform, is about to finish a Recruit of its own; it has a Stronghold in Hokkaido."""
    return at("doing recruit by dragonfly now dragonfly bonus dragonfly", "dragonfly hokkaido stronghold", *lines)


def summoned(*lines):
    """The same after it has Summoned one Bushi and said it is done."""
    return accepted(recruit(*lines), "dragonfly summon bushi hokkaido", "dragonfly done")
