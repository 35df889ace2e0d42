"""The Mandate Turn: four drawn, one played, three back on top unshuffled (RS-6.3); Lotus's face-down tile (RS-10.2)."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from companion.rules.game import Choice, Prompt, Seat
from companion.rules.rising_sun import betray, harvest, say, turns
from companion.rules.rising_sun.commands import Choose, Command
from companion.rules.rising_sun.facts import MANDATES, Facts
from companion.rules.rising_sun.state import UNKNOWN, Doing, Played, State, Work


def drawn(facts: Facts, s: State) -> tuple[str, ...]:
    """The tiles the chooser looks at."""
    return s.deck[: facts.draw]


def unseen(facts: Facts, s: State) -> Counter[str]:
    """How many of each Mandate could still lie under a ``?`` of the deck, by what everybody has seen (RS-1.6).

    A face-down tile of Lotus may be anything, so it rules nothing out.
    """
    left = Counter({m: datum.copies for m, datum in facts.mandates.items()})
    left.subtract(p.tile for p in s.track if not p.declared and p.tile != UNKNOWN)
    left.subtract(tile for tile in s.deck if tile != UNKNOWN)
    return left


def playable(facts: Facts, s: State) -> tuple[str, ...]:
    """Faces that may be played now: those drawn, and for an unknown tile every face some deck still allows."""
    tiles = drawn(facts, s)
    faces = tuple(dict.fromkeys(tile for tile in tiles if tile != UNKNOWN))
    if UNKNOWN not in tiles:
        return faces
    left = unseen(facts, s)
    likely = tuple(m for m in MANDATES if left[m] > 0 and m not in faces)
    if s.turn != "lotus":
        return (*faces, *likely)
    # Its tile stays face down: nobody tells the app, unless a written position of a digital game leaves the deck open.
    return (*faces, UNKNOWN) if s.options["mandates"] == "cardboard" else (*faces, UNKNOWN, *likely)


@lru_cache(say.KEEP)
def _prompt(seat: Seat, faces: tuple[str, ...], declared: tuple[str, ...]) -> Prompt[Command]:
    choices: tuple[Choice[Command], ...]
    if declared:
        choices = tuple(
            Choice(
                Choose(seat, tile, word),
                say.text("rs.choice.choose_as", mandate=word, tile=tile),
                detail=say.mandate(f"{word}.detail"),
                mark=f"mandate/{word}",
            )
            for tile in faces
            for word in declared
        )
        return Prompt(seat, say.text("rs.prompt.choose_lotus"), "RS-10.2", choices, private=True)
    choices = tuple(
        Choice(Choose(seat, tile), say.mandate(tile), detail=say.mandate(f"{tile}.detail"), mark=f"mandate/{tile}") for tile in faces
    )
    return Prompt(seat, say.text("rs.prompt.choose"), "RS-6.3", choices, private=True)


def ask(facts: Facts, s: State) -> Prompt[Command]:
    return _prompt(s.turn, playable(facts, s), MANDATES if s.turn == "lotus" else ())


def choose(w: Work, command: Choose) -> None:
    """One drawn tile to the track, the others stay on top as they lay; then the Mandate begins (RS-6.3)."""
    top = list(w.deck[: w.facts.draw])
    top.remove(command.mandate if command.mandate in top else UNKNOWN)
    w.deck = (*top, *w.deck[w.facts.draw :])
    w.track = (*w.track, Played(command.mandate, command.seat, command.declared))
    mandate = command.declared or command.mandate
    if command.declared:
        w.events.append(say.event("rs.event.chosen_face_down", "RS-10.2", seat=command.seat, mandate=mandate))
    else:
        w.events.append(say.reveal("rs.event.chosen", "RS-6.3", seat=command.seat, mandate=mandate))
    if mandate == "harvest":
        harvest.resolve(w, command.seat)
        turns.end_mandate(w)
        return
    if mandate == "betray":
        betray.break_alliance(w, command.seat)
    performers = turns.order(w.facts, w.seats, mandate, command.seat)
    w.doing = Doing(mandate, command.seat, performers[0], performers[1:], () if mandate == "betray" else turns.bonus(w, command.seat))
