"""Rising Sun on the test bench: its facts from the package, records run line by line, and what the suite asks of a game."""

from __future__ import annotations

import random
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from msgspec.structs import replace
from suite import Rig

from companion.rules.game import CHANCE, TABLE, Applied, Refusal
from companion.rules.rising_sun import commands as cmd
from companion.rules.rising_sun.facts import GUESTS, parse
from companion.rules.rising_sun.game import RisingSun
from companion.rules.rising_sun.state import Battle, State

RECORDS = Path(__file__).parent / "records"


def tables() -> dict[str, dict[str, Any]]:
    """The game's own data as ``{file stem: dict}``."""
    home = files("companion.rules.rising_sun") / "data"
    return {f.name.removesuffix(".toml"): tomllib.loads(f.read_text("utf-8")) for f in home.iterdir() if f.name.endswith(".toml")}


@cache
def keys(language: str) -> frozenset[str]:
    """The keys this game's catalogues have a sentence for."""
    names = [f.name for f in (files("companion.words") / "locale" / language).iterdir() if f.name.startswith("rising_sun")]
    return frozenset(key for name in names for key in _keys(language, name))


def _keys(language: str, name: str) -> Iterator[str]:
    source = files("companion.words") / "locale" / language / name
    with source.open("rb") as stream:
        catalogue = read_po(stream, locale=language, abort_invalid=True)
    for m in catalogue:
        if m.id and (all(m.string) if isinstance(m.string, tuple) else m.string):
            yield m.id if isinstance(m.id, str) else m.id[0]


FACTS = parse(tables())
GAME = RisingSun(FACTS)


@dataclass
class Move:
    """One line under ``moves``: what was said, what came of it, and what its comment expects."""

    line: str
    clause: str
    """"" where it must be accepted"""
    result: Applied[State] | Refusal


@dataclass
class Run:
    before: State
    moves: list[Move]
    state: State

    @property
    def events(self) -> list[str]:
        return [e.text.key for m in self.moves if isinstance(m.result, Applied) for e in m.result.events]


def parts(text: str) -> tuple[list[list[str]], list[str]]:
    """Position lines as words, and move lines with their comments."""
    above: list[list[str]] = []
    moves: list[str] = []
    into_moves = False
    for raw in text.splitlines():
        line = raw.split("#", 1)[0].strip()
        if line == "moves":
            into_moves = True
        elif into_moves and line:
            moves.append(raw.strip())
        elif line and not line.startswith("jinmaku"):
            above.append(line.split())
    return above, moves


def position(text: str) -> State:
    """The position of record lines; ``seats`` may be left out (the four of the examples)."""
    above, _ = parts(text)
    seats = next((words[1:] for words in above if words[0] == "seats"), ["koi", "lotus", "turtle", "dragonfly"])
    options = {words[1]: words[2] for words in above if words[0] == "option"}
    return GAME.notation.read(seats, options, [words for words in above if words[0] not in ("seats", "option")])


def run(text: str) -> Run:
    """Plays a record. A line with ``# RS-...`` must be refused with that clause and change nothing; any other must be accepted."""
    state = before = position(text)
    moves = []
    for raw in parts(text)[1]:
        said, _, comment = raw.partition("#")
        expected = next((word.rstrip(":") for word in comment.split() if word.startswith("RS-")), "")
        command = GAME.notation.hear(said.split())
        result = GAME.apply(state, command)
        if isinstance(result, Refusal):
            assert result.clause == expected, f"{said}: refused by {result.clause} {result.text.key}, expected {expected or 'yes'}"
        else:
            assert not expected, f"{said}: accepted, expected {expected}"
            state = result.state
        moves.append(Move(said.strip(), expected, result))
    return Run(before, moves, state)


def refused(state: State, line: str) -> str:
    """The clause that refuses a command."""
    result = GAME.apply(state, GAME.notation.hear(line.split()))
    assert isinstance(result, Refusal), f"{line}: accepted"
    return result.clause


def accepted(state: State, *lines: str) -> State:
    """The position after these commands."""
    for line in lines:
        result = GAME.apply(state, GAME.notation.hear(line.split()))
        assert isinstance(result, Applied), f"{line}: {result}"
        state = result.state
    return state


def after_tea(state: State) -> State:
    """The position once everybody has said in the Tea Ceremony that they want no alliance."""
    for seat in state.seats:
        if state.tea is not None:
            state = accepted(state, f"{seat} done")
    return state


def attempt(call: Callable[..., Any], complaint: type[Exception], *args: Any) -> Any:
    """What the call answers, or its complaint of that kind."""
    try:
        return call(*args)
    except complaint as error:
        return error


def lines(state: State) -> tuple[str, ...]:
    return GAME.notation.position(state)


def choices(state: State, seat: str) -> list[str]:
    """What a seat may answer to its obligatory question, in the record's words."""
    return [GAME.notation.say(c.command) for p in GAME.prompts(state) if p.seat == seat and not p.optional for c in p.choices]


# ------------------------------------------------------------------ what the suite asks


def scramble(state: State, seat: str | None, rng: random.Random) -> State:
    """Swaps deck tiles and Lotus's face-down ones, but for the tiles the chooser looks at."""
    choosing = not state.owed and state.doing is None and state.step < len(FACTS.steps) and FACTS.steps[state.step].startswith("mandate")
    seen = FACTS.draw if choosing and seat == state.turn else 0
    down = [p.declared and p.by != seat for p in state.track]  # Lotus may look at its own
    hidden = [*state.deck[seen:], *(p.tile for p, is_down in zip(state.track, down, strict=True) if is_down)]
    rng.shuffle(hidden)
    below = len(state.deck) - seen
    deck = (*state.deck[:seen], *hidden[:below])
    tiles = iter(hidden[below:])
    track = tuple(replace(p, tile=next(tiles)) if is_down else p for p, is_down in zip(state.track, down, strict=True))
    return replace(state, deck=deck, track=track, battle=_scrambled(state, seat, rng))


def _scrambled(state: State, seat: str | None, rng: random.Random) -> Battle | None:
    """Other seats' sealed bids become others (RS-9.3)."""
    battle = state.battle
    if battle is None or battle.stage != "bids" or state.options["bids"] == "cardboard":
        return battle
    bids = dict(battle.bids)
    for other in bids:
        if other != seat and state.coins[other]:
            bids[other] = (0, 0, rng.randint(0, state.coins[other]), 0)
    return replace(battle, bids=bids)


def conserved(state: State) -> object:
    """Pieces of every Clan, Mandates, cards and Honor (RS-13.3)."""
    pieces = {}
    for seat in state.seats:
        have: Counter[str] = Counter()
        for here in state.pieces[seat].values():
            have.update(here)
        pieces[seat] = {kind: have[kind] for kind in ("daimyo", "shinto", "bushi", "stronghold")}
        owned = Counter(FACTS.cards[card].monster for card in state.cards[seat] if FACTS.cards[card].monster)
        assert +owned == +Counter({kind: n for kind, n in have.items() if kind in FACTS.monsters})
        assert min(state.coins[seat], state.ronin[seat], state.vp[seat]) >= 0
    tiles = FACTS.tiles if "mandates" in state.owed else len(state.deck) + len(state.track)
    return pieces, tiles, sorted(state.honor), tuple(state.options.items())


def hostile(state: State, rng: random.Random) -> Iterator[Any]:
    """Anything anybody could say, and things nobody should."""
    seats = [*state.seats, "sun", CHANCE, TABLE]
    kinds = [*FACTS.kinds, "ninja", ""]
    places = [*FACTS.provinces, "shrine.1", "shrine.9", "reserve", "atlantis"]
    cards = [*rng.sample(tuple(FACTS.cards), 3), *(state.display[:1]), "sp-nothing"]
    mandates = [*FACTS.mandates, "?", "rest", ""]
    one = rng.choice

    def made() -> Iterable[Any]:
        seat = one((*state.seats, one(seats)))
        yield cmd.Choose(seat, one(mandates), one(("", "", one(mandates))))
        yield cmd.Summon(seat, one(kinds), one(places))
        yield cmd.Worship(seat, one((*FACTS.kami, "odin")))
        yield cmd.Move(seat, one(kinds), one(places), one(places))
        yield cmd.Build(seat, one(places))
        yield cmd.Buy(seat, one(cards))
        yield cmd.Replace(seat, one(seats), one(kinds), one(places), one(kinds))
        yield cmd.Give(seat, one(seats), one(({"coins": rng.randint(-1, 3)}, {"ronin": 1, "coins": 1}, {}, {"honor": 1})))
        yield cmd.Done(one(seats))
        yield cmd.Shuffle(
            one((CHANCE, seat)), one(("mandates", "shrines", "wars", "cards")), one(((), tuple(FACTS.kami), ("recruit",) * 10))
        )
        yield one((cmd.Offer, cmd.Accept, cmd.Decline))(seat, one(seats))
        bid = one(({"seppuku": rng.randint(-1, 3)}, {"ronin": 1, "poets": 1}, {}, {"honor": 1}))
        yield cmd.Bid(one((seat, TABLE)), one(("", "", one(seats))), bid)
        yield one((cmd.Seppuku, cmd.Hire, cmd.Spare))(seat, one((True, False)))
        yield cmd.Place(seat, one(kinds), one(places))
        yield cmd.Kill(seat, one(seats), one(kinds), one(places))
        yield cmd.Use(seat, one(("su-path-of-the-monkey", *cards)))
        yield one((cmd.Share, cmd.Pardon))(seat, one(seats))
        yield cmd.Order(seat, one((True, False)))
        yield one((cmd.Hostage(seat), cmd.Hostage(seat, one(seats), one(kinds)), cmd.Odd(seat, one(seats))))

    yield from made()


CLANS = tuple(clan for clan in FACTS.order if clan not in GUESTS)
STARTS = (
    (CLANS, {}),
    (("koi", "lotus", "turtle", "dragonfly"), {"mandates": "cardboard", "ally": "koi dragonfly"}),
    (("lotus", "turtle", "bonsai"), {"set": "horseman", "unbought_cards": "discard", "ally": "lotus bonsai"}),
    (("koi", "dragonfly", "bonsai", "lotus"), {"set": "teapot", "monster_without_stronghold": "forbidden", "skulls_alone": "three"}),
    (CLANS, {"mandates": "cardboard", "bids": "cardboard", "won_with_figure": "was_there", "ally": "koi turtle, lotus bonsai"}),
    (("turtle", "dragonfly", "bonsai"), {"ally": "turtle dragonfly", "zero_bids": "honor", "war_opens": "at_once"}),
    (("koi", "fox", "bonsai"), {}),
    (("lotus", "turtle", "dragonfly", "fox", "bonsai"), {"set": "teapot", "fox_scope": "war_provinces", "ally": "lotus fox"}),
)


def ripples(before: State, command: Any, after: State) -> bool:
    """A Battle goes on after a hostage is taken, the Oni of Hate kills where it enters, and a War begins by itself after the third Kami Turn."""
    hate = "oni_of_hate" in (getattr(command, "kind", ""), getattr(command, "by", ""))
    return isinstance(command, cmd.Hostage) or hate or after.step != before.step


def rig() -> Rig:
    return Rig(GAME, STARTS, scramble, conserved, hostile, (keys("en"), keys("ru")), ripples)
