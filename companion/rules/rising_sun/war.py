"""The War Phase is played on cardboard for now: the table says when it goes on; results come in as corrections (RS-8)."""

from __future__ import annotations

from functools import lru_cache

from companion.rules.game import TABLE, Choice, Prompt
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Command, Done


@lru_cache(4)
def ask(last: bool) -> Prompt[Command]:
    """One choice: on to Cleanup and the next Season, or, after Autumn, to the end."""
    choice: Choice[Command] = Choice(Done(TABLE), say.text("rs.choice.to_winter" if last else "rs.choice.next_season"), mark="ui/turn")
    return Prompt(TABLE, say.text("rs.prompt.war"), "RS-8.3", (choice,), detail=say.text("rs.detail.war"))


@lru_cache(1)
def ask_kami() -> Prompt[Command]:
    """A Kami Turn that was reached by a correction or a written position waits for the table to begin it."""
    choice: Choice[Command] = Choice(Done(TABLE), say.text("rs.choice.begin_kami"), mark="place/shrine")
    return Prompt(TABLE, say.text("rs.prompt.begin_kami"), "RS-7.1", (choice,))
