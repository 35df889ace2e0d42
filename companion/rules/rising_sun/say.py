"""The words of Rising Sun: names and sentences as ``Text`` keys, made once and kept.

Here: keys and their arguments. Not here: any language; the catalogues are ``companion/words/locale/*/rising_sun.po``.
"""

from __future__ import annotations

from functools import lru_cache

from companion.rules.game import Event, Kind, Place, Seat
from companion.rules.rising_sun.kept import MOST, keep
from companion.rules.view import Text


@lru_cache(MOST)
def clan(seat: Seat) -> Text:
    return Text(f"rs.clan.{seat}")


@lru_cache(MOST)
def place(where: Place) -> Text:
    """A province, a shrine or the reserve."""
    return Text(f"rs.place.{where}")


@lru_cache(MOST)
def kind(what: Kind) -> Text:
    return Text(f"rs.kind.{what}")


@lru_cache(MOST)
def mandate(what: str) -> Text:
    return Text("rs.mandate.unknown" if what == "?" else f"rs.mandate.{what}")


@lru_cache(MOST)
def kami(what: str) -> Text:
    return Text(f"rs.kami.{what}")


@lru_cache(MOST)
def card(what: str) -> Text:
    return Text(f"rs.card.{what}")


@lru_cache(MOST)
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


@lru_cache(MOST)
def text(key: str, **args: int | str) -> Text:
    """A sentence. An argument named as in ``_NAMES`` is an id and becomes its name."""
    return spoken(key, **args)


@lru_cache(MOST)
def event(key: str, clause: str, **args: int | str) -> Event:
    """Something everybody sees."""
    return Event(text(key, **args), clause)


@keep
def told(key: str, clause: str, seat: Seat) -> Event:
    """As ``event``, asked without names for its arguments: much the commonest sentences name a seat, or a seat and a number."""
    return event(key, clause, seat=seat)


@keep
def counted(key: str, clause: str, seat: Seat, n: int) -> Event:
    return event(key, clause, seat=seat, n=n)


@keep
def paired(key: str, clause: str, seat: Seat, to: Seat) -> Event:
    return event(key, clause, seat=seat, to=to)


@keep
def claimed(key: str, clause: str, seat: Seat, where: Place) -> Event:
    return event(key, clause, seat=seat, place=where)


@keep
def war_comes(number: int, where: Place) -> Event:
    return event("rs.event.war_comes", "RS-8.3", number=number, place=where)


@lru_cache(MOST)
def reveal(key: str, clause: str, **args: int | str) -> Event:
    """Something by which somebody learned what they did not know: undo does not cross it alone."""
    return Event(text(key, **args), clause, reveals=True)


@keep
def moved(clause: str, seat: Seat, what: Kind, frm: Place, to: Place) -> Event:
    """A figure has moved; one of the commonest sentences, so asked without names for its arguments."""
    return Event(text("rs.event.moved", seat=seat, kind=what, frm=frm, place=to), clause)


@keep
def summoned(clause: str, seat: Seat, what: Kind, to: Place) -> Event:
    return Event(text("rs.event.summoned", seat=seat, kind=what, place=to), clause)


@lru_cache(MOST)
def done(seat: Seat) -> Event:
    return Event(text("rs.event.done", seat=seat), "RS-6.6")


@keep
def draws(seat: Seat, n: int) -> Event:
    return reveal("rs.event.draws", "RS-6.3", seat=seat, n=n)


@keep
def chosen(seat: Seat, what: str) -> Event:
    return reveal("rs.event.chosen", "RS-6.3", seat=seat, mandate=what)


@keep
def harvest_coin(seat: Seat, n: int) -> Event:
    return event("rs.event.harvest_coin", "RS-6H.1", seat=seat, n=n)


@keep
def bought(seat: Seat, what: str, n: int) -> Event:
    return event("rs.event.bought", "RS-6T.1", seat=seat, card=what, n=n)


@keep
def blessed(seat: Seat, by: str) -> Event:
    return event("rs.event.blessed", "RS-7.2", seat=seat, kami=by)


_LISTS = ("rs.amount.nothing", "", "rs.amount.two", "rs.amount.three")


@lru_cache(MOST)
def amounts(vp: int, coins: int, ronin: int) -> Text:
    """*2 points and 1 coin*: what there is of the three."""
    parts = [text(f"rs.amount.{name}", n=n) for name, n in (("vp", vp), ("coins", coins), ("ronin", ronin)) if n]
    return parts[0] if len(parts) == 1 else Text(_LISTS[len(parts)], dict(zip("abc", parts, strict=False)))


@lru_cache(MOST)
def purse(coins: int, ronin: int) -> Text:
    """*1 coin and 0 ronin*: both, also where there are none."""
    return Text("rs.amount.two", {"a": text("rs.amount.coins", n=coins), "b": text("rs.amount.ronin", n=ronin)})


@lru_cache(MOST)
def harvested(seat: Seat, where: Place, vp: int, coins: int, ronin: int) -> Event:
    return Event(Text("rs.event.harvested", {"seat": clan(seat), "place": place(where), "reward": amounts(vp, coins, ronin)}), "RS-6H.2")


@lru_cache(MOST)
def gave(seat: Seat, to: Seat, coins: int, ronin: int) -> Event:
    return Event(Text("rs.event.gave", {"seat": clan(seat), "to": clan(to), "gift": amounts(0, coins, ronin)}), "RS-2N.4")
