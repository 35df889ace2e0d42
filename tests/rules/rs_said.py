"""What a position says in English, in lines a test can spell out: events, questions, answers and refusals."""

from __future__ import annotations

from rs_rig import GAME

from companion.rules.game import Applied, Refusal
from companion.words import render


def english(text):
    return "" if text is None else render(text, "en")


def told(s, line):
    """Clause and sentence of every event of a command; a ``!`` where somebody learns what was hidden."""
    result = GAME.apply(s, GAME.notation.hear(line.split()))
    assert isinstance(result, Applied), line
    return [f"{e.clause}{'!' if e.reveals else ':'} {english(e.text)}" for e in result.events]


def asked(s):
    """The question that must be answered: who, clause, sentence and what else it says; ``secret`` where only the asked may see it."""
    prompt = GAME.prompts(s)[0]
    assert not prompt.optional
    said = [f"{prompt.clause} {prompt.seat}: {english(prompt.text)}", english(prompt.detail), "secret" if prompt.private else ""]
    return " | ".join(part for part in said if part)


def choice(c):
    """Command, sentence, what the hand does, mark and what it brings."""
    hands = ", ".join(f"{g.kind} {g.frm} > {g.to}" for g in c.gestures)
    assert c.amounts is None
    assert c.shuffle is None
    parts = (GAME.notation.say(c.command), english(c.text), hands, c.mark, english(c.detail))
    return " | ".join(part for part in parts if part)


def offered(s, *start):
    """The answers whose commands begin so; without a beginning all of them."""
    return [choice(c) for c in GAME.prompts(s)[0].choices if GAME.notation.say(c.command).startswith(start or "")]


def why(s, said):
    """Clause and name of the sentence a command, or its words, is refused with."""
    result = GAME.apply(s, GAME.notation.hear(said.split()) if isinstance(said, str) else said)
    assert isinstance(result, Refusal), said
    assert english(result.text)
    return result.clause, result.text.key.removeprefix("rs.no.")


def refused(s, line):
    """Clause and sentence of a refusal, then what would be lawful."""
    result = GAME.apply(s, GAME.notation.hear(line.split()))
    assert isinstance(result, Refusal), line
    return [f"{result.clause}: {english(result.text)}", *map(english, result.lawful)]
