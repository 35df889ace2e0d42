"""Before the first Mandate of a Season: the new game (RS-3) and Seasonal Setup (RS-4). The Tea Ceremony: ``tea``; Cleanup: ``cleanup``.

Shuffles are commands of chance: one holds the whole order. Until chance has paid what it owes, nobody else acts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.rules.game import CHANCE, Choice, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import ages, gains, hostages, say, tea, turns
from companion.rules.rising_sun.commands import Command, Shuffle
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, UNKNOWN, Here, State, Work

READINGS: Mapping[str, tuple[str, ...]] = {
    "mandates": ("digital", "cardboard"),
    "unbought_cards": ("keep", "discard"),
    "zero_bids": ("nobody", "honor"),
    "monster_without_stronghold": ("reserve", "forbidden"),
    "skulls_alone": ("one", "three"),
    "won_with_figure": ("alive", "was_there"),
    "serpent_dragonfly": ("no_toll", "toll"),
    "serpent_turtle": ("toll", "no_toll"),
    "loyalty_in_winter": ("yes", "no"),
    "koi_conversion_is_gain": ("no", "yes"),
    "fox_scope": ("every_province", "war_provinces"),
    "bids": ("digital", "cardboard"),
}
"""Options and their values, the default first: readings where the facts know another one."""


def options_of(facts: Facts, given: Mapping[str, str]) -> dict[str, str]:
    """All options with their values. Raises ValueError naming the option and the fix."""
    known = {**READINGS, "set": facts.sets, **ages.OPTIONS}
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"option {name} is unknown; known: {', '.join(known)}")
        if value not in known[name]:
            raise ValueError(f"option {name} cannot be {value}; choose one of {', '.join(known[name])}")
    return {name: given.get(name, values[0]) for name, values in known.items()}


def seated(facts: Facts, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The Clans clockwise, by Starting Honor Rank (RS-3.1). Raises ValueError naming the seat and the fix."""
    for seat in seats:
        if seat not in facts.clans:
            raise ValueError(f"there is no Clan {seat}; choose among {', '.join(facts.order)}")
        if seats.count(seat) > 1:
            raise ValueError(f"the Clan {seat} sits twice; give each seat its own Clan")
    if len(seats) not in facts.wars:
        raise ValueError(f"{len(seats)} seats; Rising Sun is played by {min(facts.wars)} to {max(facts.wars)} Clans")
    return tuple(clan for clan in facts.order if clan in seats)


def allied(seats: Sequence[Seat], pairs: str) -> dict[Seat, Seat]:
    """``koi turtle, lotus bonsai`` as Allies both ways (RS-5.2). Raises ValueError naming the pair and the fix."""
    allies: dict[Seat, Seat] = {}
    for pair in filter(None, (p.strip() for p in pairs.split(","))):
        both = pair.split()
        if len(both) != 2 or both[0] == both[1]:
            raise ValueError(f"allies {pair!r}: write two Clans, as in koi turtle")
        for seat in both:
            if seat not in seats:
                raise ValueError(f"allies {pair!r}: {seat} does not play; choose among {', '.join(seats)}")
            if seat in allies:
                raise ValueError(f"allies {pair!r}: {seat} has an Ally already; at most one each (RS-5.2)")
        allies[both[0]], allies[both[1]] = both[1], both[0]
    return allies


@lru_cache(64)
def _at_home(facts: Facts, clan: Seat) -> Mapping[Place, Mapping[Kind, int]]:
    """A Clan's pieces as a game begins (RS-3.4)."""
    begin = facts.clans[clan].starts
    home = {k: n for k, n in (("daimyo", begin.daimyo), ("bushi", begin.bushi), ("stronghold", begin.stronghold)) if n}
    rest = {k: n - home.get(k, 0) for k, n in facts.figures(clan).items() if n > home.get(k, 0)}
    return {RESERVE: rest} | ({facts.clans[clan].home: home} if home else {})


def start(facts: Facts, seats: Sequence[Seat], options: Mapping[str, str]) -> State:
    """A new game: Daimyo, Bushi and Stronghold at home (RS-3.4), everything else in Reserve, chance owing the shuffles."""
    chosen = options_of(facts, {k: v for k, v in options.items() if k != "ally"})
    clans = seated(facts, seats)
    cardboard = chosen["mandates"] == "cardboard"
    return State(
        seats=clans,
        options=chosen,
        season=facts.seasons[0],
        step=0,
        turn=clans[0],  # the top of the Honor Track, RS-3.8
        honor=clans,  # RS-3.2
        allies=allied(clans, options.get("ally", "")),
        deck=(UNKNOWN,) * facts.tiles if cardboard else (),
        track=(),
        shrines=(),
        wars=(),
        display=(),
        coins=dict.fromkeys(clans, 0),
        ronin=dict.fromkeys(clans, 0),
        vp=dict.fromkeys(clans, 0),
        cards=dict.fromkeys(clans, ()),
        pieces={clan: _at_home(facts, clan) for clan in clans},
        owed=("shrines", "wars") if cardboard else ("shrines", "mandates", "wars"),
    )


def tiles(facts: Facts) -> tuple[str, ...]:
    """The whole Mandate deck (RS-1.6)."""
    return tuple(m for m, datum in facts.mandates.items() for _ in range(datum.copies))


@lru_cache(64)
def _prompt(what: str, of: tuple[str, ...], clause: str) -> Prompt[Command]:
    choice: Choice[Command] = Choice(Shuffle(CHANCE, what), say.text(f"rs.choice.shuffle_{what}"), shuffle=of)
    return Prompt(CHANCE, say.text(f"rs.prompt.shuffle_{what}"), clause, (choice,))


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    """What chance owes first."""
    what = s.owed[0]
    if what == "shrines":
        return _prompt(what, tuple(facts.kami), "RS-3.5")
    if what == "mandates":
        return _prompt(what, tiles(facts), "RS-3.7")
    return _prompt(what, facts.provinces, "RS-4.3")


def shuffle(w: Work, command: Shuffle) -> None:
    """Chance pays: the order is a permutation of what was asked for."""
    w.owed = w.owed[1:]
    if command.what == "shrines":  # RS-3.5: left to right, for the whole game
        w.shrines = command.order[: w.facts.shrine_count]
        w.events.extend(say.reveal("rs.event.shrine", "RS-3.5", number=i, kami=k) for i, k in enumerate(w.shrines, 1))
    elif command.what == "mandates":  # RS-3.7
        w.deck = command.order
        w.events.append(say.event("rs.event.mandates_shuffled", "RS-3.7"))
    else:  # RS-4.3: the first players + 2 are turned up and numbered
        w.wars = command.order[: w.facts.wars[len(w.seats)]]
        w.events.extend(say.reveal("rs.event.war_will_be", "RS-4.3", number=i, place=p) for i, p in enumerate(w.wars, 1))
        _season_cards(w)
        _income(w)
        hostages.returned(w)
        tea.begin(w)
        if w.tea is None:
            turns.begin(w)


def _season_cards(w: Work) -> None:
    """All cards of this Season face up; what nobody bought before stays or goes by option `unbought_cards` (RS-4.4)."""
    kept = w.display if w.options["unbought_cards"] == "keep" else ()
    laid = _cards_of(w.facts, w.season, w.options["set"])
    w.display = in_order(w.facts, (*kept, *laid)) if kept else laid
    w.events.append(say.event("rs.event.season_cards", "RS-4.4", season=w.season, n=len(laid)))


@lru_cache(64)
def _cards_of(facts: Facts, season: str, chosen: str) -> tuple[str, ...]:
    """The cards of a Season: the core ones and those of the chosen Set, in the order of the facts (RS-4.4)."""
    return tuple(
        name
        for name, card in facts.cards.items()
        if card.season == season and (facts.core in card.sets or chosen in card.sets)
        for _ in range(card.copies)
    )


@lru_cache(4)
def _rank(facts: Facts) -> Mapping[str, int]:
    return {name: i for i, name in enumerate(facts.cards)}


def in_order(facts: Facts, cards: Sequence[str]) -> tuple[str, ...]:
    """Cards as the facts list them, copies side by side: where a card lies on the display means nothing."""
    return tuple(sorted(cards, key=_rank(facts).__getitem__))


def _income(w: Work) -> None:
    """Seasonal Income (RS-4.5), all at one moment."""
    income = {seat: w.facts.clans[seat].income for seat in w.seats}
    for seat, n in income.items():
        w.events.append(say.counted["rs.event.income", "RS-4.5", seat, n])
    gains.coins_at_once(w, income)
