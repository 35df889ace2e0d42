"""The words of Rising Sun: names and sentences as ``Text`` keys, made once and kept.

Here: keys and their arguments. Not here: any language; the catalogues are ``companion/words/locale/*/rising_sun.po``.
"""

from __future__ import annotations

from functools import lru_cache

from companion.rules.game import Event, Kind, Place, Seat
from companion.rules.view import Text

KEEP = 16384
"""How many made sentences of one sort are kept."""


@lru_cache(KEEP)
def clan(seat: Seat) -> Text:
    return Text(f"rs.clan.{seat}")


@lru_cache(KEEP)
def place(where: Place) -> Text:
    """A province, a shrine or the reserve."""
    return Text(f"rs.place.{where}")


@lru_cache(KEEP)
def kind(what: Kind) -> Text:
    return Text(f"rs.kind.{what}")


@lru_cache(KEEP)
def mandate(what: str) -> Text:
    return Text("rs.mandate.unknown" if what == "?" else f"rs.mandate.{what}")


@lru_cache(KEEP)
def kami(what: str) -> Text:
    return Text(f"rs.kami.{what}")


@lru_cache(KEEP)
def card(what: str) -> Text:
    return Text(f"rs.card.{what}")


@lru_cache(KEEP)
def season(what: str) -> Text:
    return Text(f"rs.season.{what}")


_NAMES = {
    "seat": clan,
    "to": clan,
    "victim": clan,
    "place": place,
    "frm": place,
    "kind": kind,
    "by": kind,
    "mandate": mandate,
    "tile": mandate,
    "kami": kami,
    "card": card,
    "season": season,
}


def spoken(key: str, **args: int | str) -> Text:
    """As ``text``, not kept: for sentences that repeat what somebody sent."""
    return Text(key, {k: _NAMES[k](v) if isinstance(v, str) and k in _NAMES else v for k, v in args.items()})


@lru_cache(KEEP)
def text(key: str, **args: int | str) -> Text:
    """A sentence. An argument named as in ``_NAMES`` is an id and becomes its name."""
    return spoken(key, **args)


@lru_cache(KEEP)
def event(key: str, clause: str, **args: int | str) -> Event:
    """Something everybody sees."""
    return Event(text(key, **args), clause)


@lru_cache(KEEP)
def reveal(key: str, clause: str, **args: int | str) -> Event:
    """Something by which somebody learned what they did not know: undo does not cross it alone."""
    return Event(text(key, **args), clause, reveals=True)


@lru_cache(KEEP)
def moved(clause: str, seat: Seat, what: Kind, frm: Place, to: Place) -> Event:
    """A figure has moved; one of the three commonest sentences, so made without names for its arguments."""
    return Event(text("rs.event.moved", seat=seat, kind=what, frm=frm, place=to), clause)


@lru_cache(KEEP)
def summoned(clause: str, seat: Seat, what: Kind, to: Place) -> Event:
    return Event(text("rs.event.summoned", seat=seat, kind=what, place=to), clause)


@lru_cache(KEEP)
def done(seat: Seat) -> Event:
    return Event(text("rs.event.done", seat=seat), "RS-6.6")


_LISTS = ("rs.amount.nothing", "", "rs.amount.two", "rs.amount.three")


@lru_cache(KEEP)
def amounts(vp: int, coins: int, ronin: int) -> Text:
    """*2 points and 1 coin*: what there is of the three."""
    parts = [text(f"rs.amount.{name}", n=n) for name, n in (("vp", vp), ("coins", coins), ("ronin", ronin)) if n]
    return parts[0] if len(parts) == 1 else Text(_LISTS[len(parts)], dict(zip("abc", parts, strict=False)))


@lru_cache(KEEP)
def harvested(seat: Seat, where: Place, vp: int, coins: int, ronin: int) -> Event:
    return Event(Text("rs.event.harvested", {"seat": clan(seat), "place": place(where), "reward": amounts(vp, coins, ronin)}), "RS-6H.2")


@lru_cache(KEEP)
def gave(seat: Seat, to: Seat, coins: int, ronin: int) -> Event:
    return Event(Text("rs.event.gave", {"seat": clan(seat), "to": clan(to), "gift": amounts(0, coins, ronin)}), "RS-2N.4")
