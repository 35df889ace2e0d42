"""The lobby as text: a new game from typed words, and the list of saved ones. Here: words in and out. Not here: printing."""

from __future__ import annotations

import time
from collections.abc import Sequence

from companion.lobby.form import ALLY, Form, Player, fresh
from companion.lobby.port import Home
from companion.lobby.saved import SavedTable, when
from companion.rules.offer import Offer
from companion.rules.view import Text
from companion.table.seating import plan
from companion.table.setup import LAYOUTS, LEVELS, cleaned
from companion.words import render

LAYOUT = "readers"
BOT = "bot"
"""A player of this name is none: ``turtle=bot``."""
LEVEL = "level"


def ordered(offers: Sequence[Offer], words: Sequence[str], readers: int = 0) -> Form:
    """``koi=Anna lotus turtle=bot mandates=cardboard ally=koi+turtle readers=none level=advise`` as a form of the first game, if none is named.

    Raises ValueError naming the word and the fix; what is wrong with the game itself the form says.
    """
    named = next((offer for offer in offers if words and words[0] == offer.game), None)
    offer = named or offers[0]
    names: dict[str, str] = {}
    form = Form(offer, (), readers=readers)
    pairs: list[tuple[str, str]] = []
    for word in words[1:] if named else words:
        key, equals, value = word.partition("=")
        key = key.lower()
        if key in offer.seats:
            if key in names:
                raise ValueError(f"{key} is named twice: give each seat its own clan")
            names[key] = cleaned(value.replace("_", " "))
        elif key == ALLY and equals:
            first, _, second = value.partition("+")
            pairs.append((first.lower(), second.lower()))
        elif key == LAYOUT and value in LAYOUTS:
            form = form.seen_by(value)
        elif key == LEVEL and value in LEVELS:
            form = form.kept(value)
        elif key in {LAYOUT, LEVEL} and equals:
            raise ValueError(f"{key} cannot be {value!r}: choose {', '.join(LAYOUTS if key == LAYOUT else LEVELS)}")
        elif any(option.name == key for option in offer.options) and equals:
            form = form.chosen(key, value)
        else:
            known = ", ".join(
                (
                    *offer.seats,
                    *(f"{option.name}=..." for option in offer.options),
                    "ally=A+B",
                    f"{LAYOUT}={'|'.join(LAYOUTS)}",
                    f"{LEVEL}={'|'.join(LEVELS)}",
                )
            )
            raise ValueError(f"{word!r} is no clan and no option; known: {known}")
    if not names:
        players = fresh(offer).players
    else:
        order = [seat for seat in offer.seats if seat in names]
        players = tuple(_player(seat, names[seat], side) for seat, side in zip(order, plan(len(order)), strict=True))
    return Form(offer, players, tuple(pairs), form.options, form.layout, readers, form.level)


def _player(seat: str, name: str, side: str) -> Player:
    bot = name.casefold() == BOT
    return Player(seat, "" if bot else name, side, bot)


def listing(home: Home, lang: str, now: float | None = None) -> str:
    """One line a game: its id, who plays, when it was last played, where it stands."""
    lines = [_line(one, lang, time.time() if now is None else now) for one in home.saved]
    if home.notice is not None:
        lines.insert(0, render(home.notice, lang))
    return "\n".join(lines) or render(Text("lobby.none_saved"), lang)


def _line(one: SavedTable, lang: str, now: float) -> str:
    who = ", ".join(f"{seat.name} ({render(seat.text, lang)})" if seat.name else render(seat.text, lang) for seat in one.seats)
    state = render(one.fault, lang) if one.fault is not None else " · ".join(render(text, lang) for text in one.phase)
    return f"{one.id}  {render(one.text, lang)}: {who}; {when(one.touched, now, lang)}; {state}"
