"""The Mandate Turn: four drawn, one played, three back on top unshuffled (RS-6.3); Lotus's face-down tile (RS-10.2)."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.rules.game import Choice, Prompt, Seat
from companion.rules.rising_sun import betray, gains, harvest, say, turns
from companion.rules.rising_sun.commands import Choose, Command
from companion.rules.rising_sun.facts import MANDATES, Facts
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import UNKNOWN, Doing, Here, Played, Work

HONESTY, HONESTY_VP = "sp-honesty", 2
"""The card that rewards an allied chooser of anything but Betray."""


def drawn(facts: Facts, s: Here) -> tuple[str, ...]:
    """The tiles the chooser looks at."""
    return s.deck[: facts.draw]


def unseen(facts: Facts, s: Here) -> Counter[str]:
    """How many of each Mandate could still lie under a ``?`` of the deck, by what everybody has seen (RS-1.6).

    A face-down tile of Lotus may be anything, so it rules nothing out.
    """
    left = Counter({m: datum.copies for m, datum in facts.mandates.items()})
    left.subtract(p.tile for p in s.track if not p.declared and p.tile != UNKNOWN)
    left.subtract(tile for tile in s.deck if tile != UNKNOWN)
    return left


def playable(facts: Facts, s: Here) -> tuple[str, ...]:
    """Faces that may be played where not all drawn tiles are known: the known ones, and every face some deck still allows."""
    faces = tuple(dict.fromkeys(tile for tile in drawn(facts, s) if tile != UNKNOWN))
    left = unseen(facts, s)
    likely = tuple(m for m in MANDATES if left[m] > 0 and m not in faces)
    if s.turn != "lotus":
        return (*faces, *likely)
    # Its tile stays face down: nobody tells the app, unless a written position of a digital game leaves the deck open.
    return (*faces, UNKNOWN) if s.options["mandates"] == "cardboard" else (*faces, UNKNOWN, *likely)


@keep
def _face_down(seat: Seat, tile: str, word: str) -> Choice[Command]:
    """Lotus plays ``tile`` and says ``word`` (RS-10.2)."""
    text = say.text("rs.choice.choose_as", mandate=word, tile=tile)
    return Choice(Choose(seat, tile, word), text, detail=say.mandate(f"{word}.detail"), mark=f"mandate/{word}")


@keep
def _face_up(seat: Seat, tile: str) -> Choice[Command]:
    return Choice(Choose(seat, tile), say.mandate(tile), detail=say.mandate(f"{tile}.detail"), mark=f"mandate/{tile}")


@keep
def _prompt(seat: Seat, faces: tuple[str, ...], declared: tuple[str, ...]) -> Prompt[Command]:
    choices: tuple[Choice[Command], ...]
    if declared:
        choices = tuple([_face_down[seat, tile, word] for tile in faces for word in declared])
        return Prompt(seat, say.text("rs.prompt.choose_lotus"), "RS-10.2", choices, private=True)
    choices = tuple([_face_up[seat, tile] for tile in faces])
    return Prompt(seat, say.text("rs.prompt.choose"), "RS-6.3", choices, private=True)


@keep
def _known(seat: Seat, tiles: tuple[str, ...]) -> Prompt[Command]:
    return _prompt[seat, tuple(dict.fromkeys(tiles)), MANDATES if seat == "lotus" else ()]


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    tiles = drawn(facts, s)
    if UNKNOWN not in tiles:
        return _known[s.turn, tiles]
    return _prompt[s.turn, playable(facts, s), MANDATES if s.turn == "lotus" else ()]


def _disprove(w: Work, mandate: str) -> None:
    """A tile was named that, with one written as lying face down, is one too many: what lies there is not known any more (RS-1.6).

    Nobody was told beforehand what it was: the face was offered as long as what all could see allowed it.
    """
    if w.deck.count(mandate) + sum(p.tile == mandate for p in w.track) > w.facts.mandates[mandate].copies:
        at = next(i for i, p in enumerate(w.track) if p.declared and p.tile == mandate)
        w.track = (*w.track[:at], replace(w.track[at], tile=UNKNOWN), *w.track[at + 1 :])


def choose(w: Work, command: Choose) -> None:
    """One drawn tile to the track, the others stay on top as they lay; then the Mandate begins (RS-6.3)."""
    top = list(w.deck[: w.facts.draw])
    named = command.mandate not in top
    top.remove(UNKNOWN if named else command.mandate)
    w.deck = (*top, *w.deck[w.facts.draw :])
    w.track = (*w.track, Played(command.mandate, command.seat, command.declared))
    if named and command.mandate != UNKNOWN:
        _disprove(w, command.mandate)
    mandate = command.declared or command.mandate
    if command.declared:
        w.events.append(say.event("rs.event.chosen_face_down", "RS-10.2", seat=command.seat, mandate=mandate))
    else:
        w.events.append(say.chosen[command.seat, mandate])
    if mandate != "betray" and command.seat in w.allies:
        gains.by_card(w, command.seat, HONESTY, vp=HONESTY_VP * w.cards[command.seat].count(HONESTY))
    if mandate == "harvest":
        harvest.resolve(w, command.seat)
        turns.end_mandate(w)
        return
    if mandate == "betray":
        betray.break_alliance(w, command.seat)
    performers = turns.order(w.facts, w.seats, mandate, command.seat)
    w.doing = Doing(mandate, command.seat, performers[0], performers[1:], () if mandate == "betray" else turns.bonus(w, command.seat))
