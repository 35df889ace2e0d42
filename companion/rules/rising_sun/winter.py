"""Winter: hostages go home, Winter Upgrades and War Province tokens score, and somebody has won (RS-12).

Here: what scores, who wins, and the final table. Nothing is decided in Winter, so it is one act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.game import Event, Seat
from companion.rules.rising_sun import gains, hostages, recruit, say, tea, tokens, warstart
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Here, Work

EACH = 3
"""What every Winter Upgrade of the base box gives for each thing it counts."""
PLAY, TOKENS, SETS, LOYALTY = "play", "tokens", "sets", "loyalty"
"""Sources beside the cards."""
SEASON_VP = {"spring": 1, "summer": 2, "autumn": 3}
BONUS = ((7, 30), (5, 20), (3, 10))
"""different Provinces at least -> points (RS-12.4)"""


def _oni(facts: Facts, s: Here, seat: Seat) -> int:
    """Owned, in Reserve too (RS-2.14)."""
    return sum(facts.cards[card].oni for card in s.cards[seat])


def _monsters(facts: Facts, s: Here, seat: Seat) -> int:
    return sum(bool(facts.cards[card].monster) for card in s.cards[seat])


UPGRADES: Mapping[str, Callable[[Facts, Here, Seat], int]] = {
    "au-form-of-the-kitsune": lambda _, s, seat: sum(recruit.strongholds(s, seat).values()),  # on the Map only
    "au-form-of-the-phoenix": warstart.virtues,
    "au-form-of-the-beast": _monsters,
    "au-form-of-the-demon": _oni,
    "au-form-of-the-kindred": lambda _, s, seat: len(tea.seasons(s, seat)),
}
"""What a Winter Upgrade counts."""


def bonus(provinces: int) -> int:
    """The one set bonus for tokens of so many different Provinces (RS-12.4)."""
    return next((vp for least, vp in BONUS if provinces >= least), 0)


def points(facts: Facts, s: Here, seat: Seat) -> dict[str, int]:
    """What Winter gives a seat, by source, without what Loyalty adds."""
    found = {
        card: EACH * s.cards[seat].count(card) * counted(facts, s, seat) for card, counted in UPGRADES.items() if card in s.cards[seat]
    }
    held = [tokens.parts(token) for token in s.tokens.get(seat, ())]
    found[TOKENS] = sum(SEASON_VP[season] for season, _ in held)
    found[SETS] = bonus(len({place for _, place in held}))
    return found


def run(w: Work) -> None:
    """Everything of Winter, in order (RS-12.1 to 12.4); the game is over."""
    w.events.append(say.event("rs.event.winter", "RS-12.1"))
    hostages.returned(w)
    scored = {}
    for seat in w.honor:
        table = {PLAY: w.vp[seat]}
        for source, n in points(w.facts, w, seat).items():
            if not n:
                continue
            table[source] = n
            w.earn(seat, vp=n)
            w.events.append(_scored(seat, source, n))
            extra = gains.loyalty(w, seat) if w.options["loyalty_in_winter"] == "yes" else 0
            if extra:
                table[LOYALTY] = table.get(LOYALTY, 0) + extra
                w.earn(seat, vp=extra)
                w.events.append(say.event("rs.event.card_vp", "RS-2.13", seat=seat, card=gains.LOYALTY, n=extra))
        scored[seat] = table
    w.scored = scored
    w.step = len(w.facts.steps)
    first = winners(w)
    if len(first) > 1:
        w.events.append(say.event("rs.event.share_victory", "RS-12.6", seat=first[0], to=first[1], n=w.vp[first[0]]))
    else:
        w.events.append(say.event("rs.event.wins", "RS-12.5", seat=first[0], n=w.vp[first[0]]))


def _scored(seat: Seat, source: str, n: int) -> Event:
    if source in {TOKENS, SETS}:
        return say.event(f"rs.event.scores_{source}", "RS-12.3" if source == TOKENS else "RS-12.4", seat=seat, n=n)
    return say.event("rs.event.card_vp", "RS-12.2", seat=seat, card=source, n=n)


def winners(s: Here) -> tuple[Seat, ...]:
    """Most points; a tie goes to the higher Honor, and to that Clan's Ally too where it is tied as well (RS-12.5, 12.6)."""
    most = max(s.vp.values())
    tied = [seat for seat in s.honor if s.vp[seat] == most]
    ally = s.allies.get(tied[0])
    return (tied[0], ally) if ally in tied and ally is not None else (tied[0],)
