"""What lies beside the board, as lines of a record: tokens, Alliances of past Seasons, Winter's points, the Tea Ceremony, what cards ask.

Here: those lines, written and read. Not here: the board and the Mandate being performed (``position``, ``reading``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.rules.game import PositionError, Seat
from companion.rules.rising_sun import asks, steps, tokens, winter
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Ask, State, Tea

if TYPE_CHECKING:
    from companion.rules.rising_sun.reading import Reader

STAGES = ("after", "end")


class Ledger:
    """What the lines say, gathered."""

    def __init__(self) -> None:
        self.stage = ""
        self.tokens: dict[Seat, tuple[str, ...]] = {}
        self.allied: dict[Seat, tuple[str, ...]] = {}
        self.scored: dict[Seat, dict[str, int]] = {}
        self.asks: tuple[Ask, ...] = ()
        self.offers: tuple[tuple[Seat, Seat], ...] = ()
        self.declined: tuple[tuple[Seat, Seat], ...] = ()
        self.content: tuple[Seat, ...] = ()

    def fields(self, step: str) -> dict[str, Any]:
        """For the State; raises PositionError where the lines do not fit the step."""
        tea = Tea(self.offers, self.declined, self.content) if step == steps.TEA else None
        if tea is None and (self.offers or self.declined or self.content):
            raise PositionError(-1, 0, "step tea beside offers and who is content")
        return {"tokens": self.tokens, "allied": self.allied, "scored": self.scored, "asks": self.asks, "tea": tea}


# ------------------------------------------------------------------ writing


def public(s: State) -> list[str]:
    """Lines of the whole table."""
    lines = [" ".join(("ask", a.seat, a.what, *_parts(a))) for a in s.asks]
    if s.tea is not None:
        lines.extend(f"offered {frm} {to}" for frm, to in s.tea.offers)
        lines.extend(f"declined {frm} {to}" for frm, to in s.tea.declined)
        if s.tea.done:
            lines.append(" ".join(("content", *s.tea.done)))
    return lines


def _parts(a: Ask) -> list[str]:
    said = (("place", a.place), ("victim", a.victim), ("n", str(a.n) if a.n != 1 else ""))
    return [word for name, value in said if value for word in (name, value)]


def of(s: State, seat: Seat) -> list[str]:
    """Lines of one seat."""
    lines = []
    if seat in s.tokens:
        lines.append(" ".join((seat, "tokens", *s.tokens[seat])))
    if seat in s.allied:
        lines.append(" ".join((seat, "allied", *s.allied[seat])))
    if seat in s.scored:
        lines.append(" ".join((seat, "scored", *(f"{source} {n}" for source, n in s.scored[seat].items()))))
    return lines


# ------------------------------------------------------------------ reading


def _stage(r: Reader) -> None:
    r.ledger.stage = r.word(1, "a stage", STAGES)
    r.end(2)


def _ask(r: Reader) -> None:
    seat = r.word(1, "a Clan", r.seats)
    what = r.word(2, "what is asked", asks.KNOWN)
    place = victim = ""
    n = 1
    for at in range(3, len(r.words), 2):
        match r.word(at, "what is told of it", ("place", "victim", "n")):
            case "place":
                place = r.word(at + 1, "a Province", r.facts.provinces)
            case "victim":
                victim = r.word(at + 1, "a Clan", r.seats)
            case _:
                n = r.number(at + 1)
    r.ledger.asks = (*r.ledger.asks, Ask(seat, what, place, victim, n))


def _pair(r: Reader) -> tuple[tuple[Seat, Seat], ...]:
    pair = (r.word(1, "a Clan", r.seats), r.word(2, "another Clan", [seat for seat in r.seats if seat != r.words[1]]))
    r.end(3)
    return (pair,)


def _offered(r: Reader) -> None:
    r.ledger.offers += _pair(r)


def _declined(r: Reader) -> None:
    r.ledger.declined += _pair(r)


def _content(r: Reader) -> None:
    r.ledger.content = r.distinct(r.all_of("a Clan", r.seats))


def _tokens(r: Reader, seat: Seat) -> None:
    said = r.distinct(r.all_of("a War Province token", tokens.names(r.facts), 2))
    r.ledger.tokens[seat] = tokens.in_order(r.facts, said)


def _allied(r: Reader, seat: Seat) -> None:
    said = r.distinct(r.all_of("a Season", r.facts.seasons, 2))
    r.ledger.allied[seat] = tuple(season for season in r.facts.seasons if season in said)


def sources(facts: Facts) -> tuple[str, ...]:
    """What points can come from, as the final table tells them."""
    return (winter.PLAY, *(card for card in winter.UPGRADES if card in facts.cards), winter.TOKENS, winter.SETS, winter.LOYALTY)


def _scored(r: Reader, seat: Seat) -> None:
    r.ledger.scored[seat] = {r.word(at, "a source of points", sources(r.facts)): r.number(at + 1) for at in range(2, len(r.words), 2)}


LINES: Mapping[str, Callable[[Reader], None]] = {
    "stage": _stage,
    "ask": _ask,
    "offered": _offered,
    "declined": _declined,
    "content": _content,
}
MANY = ("ask", "offered", "declined")
OF_SEATS: Mapping[str, Callable[[Reader, Seat], None]] = {"tokens": _tokens, "allied": _allied, "scored": _scored}
