"""What every point of a game came from, read back from the sentences in which it was told.

Here: which sentence gives whom how much, from what; the table of it. Not here: the gains themselves (``gains``, ``winter``), or the line of play
that stands (``table``). A position keeps no such thing: everything told is in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.rules.game import Seat
from companion.rules.rising_sun import say, winter
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.gains import LOYALTY
from companion.rules.rising_sun.state import State
from companion.rules.view import Table, Text

BEFORE, CORRECTED, OTHER = "before", "corrected", "other"
"""Points a written position began with; points set by hand; what no sentence tells, as of rules that told it otherwise."""
BY_CLAUSE = {"RS-7.5": "susanoo", "RS-9.8": "seppuku", "RS-9.9": "hostage", "RS-9.14": "poets"}
"""What plainly *gains points*, by the clause it rests on."""

Gain = tuple[Seat, str, int]
"""seat, source, points"""
Points = dict[Seat, dict[str, int]]


def _name(text: Text, what: str) -> str:
    """The id behind a name in a sentence."""
    named = text.args[what]
    assert isinstance(named, Text)
    return named.key.split(".", 2)[2]


def _number(text: Text, what: str = "n") -> int:
    n = text.args[what]
    assert isinstance(n, int)
    return n


def _harvested(text: Text, _clause: str) -> Iterator[Gain]:
    reward = text.args["reward"]
    assert isinstance(reward, Text)
    first = reward.args.get("a", reward)  # points stand first in a list
    if isinstance(first, Text) and first.key == "rs.amount.vp":
        yield _name(text, "seat"), "harvest", _number(first)


def _gained(text: Text, clause: str) -> Iterator[Gain]:
    yield _name(text, "seat"), BY_CLAUSE.get(clause, OTHER), _number(text)


def _by_card(text: Text, _clause: str) -> Iterator[Gain]:
    card = _name(text, "card")
    yield _name(text, "seat"), winter.LOYALTY if card == LOYALTY else card, _number(text)


def _taken(text: Text, _clause: str) -> Iterator[Gain]:
    card, n = _name(text, "card"), _number(text)
    yield _name(text, "seat"), card, n
    yield _name(text, "victim"), card, -n


def _fixed(source: str, n: int = 0) -> Callable[[Text, str], Iterator[Gain]]:
    def read(text: Text, _clause: str) -> Iterator[Gain]:
        yield _name(text, "seat"), source, n or _number(text)

    return read


_READ: Mapping[str, Callable[[Text, str], Iterator[Gain]]] = {
    "rs.event.harvested": _harvested,
    "rs.event.gains_vp": _gained,
    "rs.event.card_vp": _by_card,
    "rs.event.takes_vp": _taken,
    "rs.event.robbed": _fixed("hostage", -1),
    "rs.event.loyalty": _fixed(winter.LOYALTY),
    "rs.event.scores_tokens": _fixed(winter.TOKENS),
    "rs.event.scores_sets": _fixed(winter.SETS),
}
SET = "rs.event.corrected_vp"


def points(start: Mapping[Seat, int], said: Iterable[tuple[Text, str]]) -> Points:
    """By seat and source, after everything ``said`` (sentence and clause) since the seats had ``start``. What came to nothing is left out."""
    found: Points = {seat: {BEFORE: n} if n else {} for seat, n in start.items()}
    for text, clause in said:
        read = _READ.get(text.key)
        if read is not None:
            for seat, source, n in read(text, clause):
                found[seat][source] = found[seat].get(source, 0) + n
        elif text.key == SET:
            mine = found[_name(text, "seat")]
            mine[CORRECTED] = mine.get(CORRECTED, 0) + _number(text, "value") - sum(mine.values())
    return {seat: {source: n for source, n in mine.items() if n} for seat, mine in found.items()}


def order(facts: Facts) -> tuple[str, ...]:
    """Every source, as the year brings them."""
    return (BEFORE, "harvest", *BY_CLAUSE.values(), *facts.cards, winter.LOYALTY, winter.TOKENS, winter.SETS, CORRECTED, OTHER)


def name(facts: Facts, source: str) -> Text:
    """What a source is called."""
    if source == "harvest":
        return say.mandate(source)
    if source in facts.kami:
        return say.kami(source)
    return say.card(source) if source in facts.cards else say.text(f"rs.source.{source}")


def table(facts: Facts, start: State, now: State, said: Iterable[tuple[Text, str]]) -> Table:
    """A row a source, a column a seat, the first on top of the Honor Track first; below, what each has."""
    found = points(start.vp, said)
    for seat, mine in found.items():
        rest = now.vp[seat] - sum(mine.values())
        if rest:
            mine[OTHER] = mine.get(OTHER, 0) + rest
    used = [source for source in order(facts) if any(source in mine for mine in found.values())]
    rows: list[tuple[Text | int, ...]] = [(name(facts, source), *(found[seat].get(source, 0) for seat in now.honor)) for source in used]
    heads = (say.text("rs.source"), *map(say.clan, now.honor))
    rows.append((say.text("rs.final.total"), *(now.vp[seat] for seat in now.honor)))
    return Table("sources", say.text("rs.section.sources"), heads, tuple(rows))
