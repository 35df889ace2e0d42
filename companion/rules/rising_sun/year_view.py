"""How the year is shown: the Tea Ceremony, the tokens of a seat, the final table.

Here: sections ``tea`` and ``score``, and the nodes of tokens. Not here: the rest of a view (``view``).
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.game import Seat
from companion.rules.rising_sun import ledger, say, tokens, winter
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import Here
from companion.rules.view import Card, Line, Node, Section, Table, Text


def tea(s: Here) -> tuple[Section, ...]:
    """Offers and who is content, as everybody has heard them."""
    ceremony = s.tea
    if ceremony is None:
        return ()
    nodes: list[Node] = [Line(say.text("rs.line.offer", seat=frm, to=to), "RS-5.2", id=f"offer.{frm}.{to}") for frm, to in ceremony.offers]
    nodes.extend(Line(say.text("rs.line.content", seat=seat), "RS-5.2", id=f"content.{seat}") for seat in ceremony.done)
    return (Section("tea", say.text("rs.section.tea"), tuple(nodes), "ui/alliance"),)


def held(s: Here, seat: Seat) -> Iterable[Card]:
    """War Province tokens of a seat."""
    for token in s.tokens.get(seat, ()):
        season, place = tokens.parts(token)
        text = say.text("rs.line.token", place=place, season=season)
        yield Card(f"{seat}.token.{token}", text, mark=f"season/{season}", seat=seat, clause="RS-12.3")


def final(facts: Facts, s: Here) -> tuple[Section, ...]:
    """Points by source, the first on top, once Winter has scored."""
    if not s.scored:
        return ()
    used = [source for source in ledger.sources(facts) if any(source in table for table in s.scored.values())]
    heads = (say.text("rs.final.clan"), *(_source(source) for source in used), say.text("rs.final.total"))
    order = sorted(s.honor, key=lambda seat: -s.vp[seat])  # ties by Honor: the sort keeps their order
    rows: tuple[tuple[Text | int, ...], ...] = tuple(
        (say.clan(seat), *(s.scored.get(seat, {}).get(source, 0) for source in used), s.vp[seat]) for seat in order
    )
    clause = "RS-12.6" if len(winter.winners(s)) > 1 else "RS-12.5"
    nodes: tuple[Node, ...] = (Line(won(s), clause, id="winner"), Table("points", say.text("rs.section.final"), heads, rows))
    return (Section("score", say.text("rs.section.final"), nodes, "token/victory_point"),)


def won(s: Here) -> Text:
    """Who has won."""
    first = winter.winners(s)
    return say.text("rs.line.share_victory", seat=first[0], to=first[1]) if len(first) > 1 else say.text("rs.line.wins", seat=first[0])


def _source(source: str) -> Text:
    return say.card(source) if source in winter.UPGRADES else say.text(f"rs.final.{source}")
