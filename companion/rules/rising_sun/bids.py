"""Bids of a Battle: secret and simultaneous, on phones or behind screens of cardboard (RS-9.2 to 9.6).

Here: who is asked, sealing, showing, and who won what. Not here: what the War Advantages do (``advantages``), or where bid Coins go
(``reparations``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec.structs import replace

from companion.rules.game import TABLE, Amounts, Choice, Event, Place, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Bid, Command
from companion.rules.rising_sun.kept import MOST
from companion.rules.rising_sun.state import ADVANTAGES, Battle, Here, Work
from companion.rules.view import Text

NOTHING: tuple[int, ...] = (0,) * len(ADVANTAGES)


def open_to_all(s: Here) -> bool:
    """Bids lie behind cardboard screens and are only written down when everybody has shown them (option ``bids``)."""
    return s.options.get("bids") == "cardboard"


def answered(battle: Battle, seat: Seat) -> bool:
    """The app knows the seat's bid."""
    return bool(battle.bids.get(seat))


def complete(battle: Battle) -> bool:
    bids = battle.bids
    return not [seat for seat in battle.seats if not bids.get(seat)]


@lru_cache(MOST)
def _choice(by: Seat, seat: Seat, coins: int) -> Choice[Command]:
    limits = Amounts(dict.fromkeys(ADVANTAGES, (0, coins)), (0, coins))
    if by == TABLE:
        return Choice(Bid(TABLE, seat), say.text("rs.choice.bid_of", seat=seat), mark=f"clan/{seat}", amounts=limits)
    return Choice(Bid(seat), say.text("rs.choice.bid"), mark="war/battle", amounts=limits)


@lru_cache(MOST)
def _prompt(seat: Seat, place: Place, coins: int, again: bool, secret: bool) -> Prompt[Command]:
    return Prompt(
        seat,
        say.text("rs.prompt.bid_again" if again else "rs.prompt.bid" if secret else "rs.prompt.bid_shown", place=place),
        "RS-9.3",
        (_choice(seat, seat, coins),),
        optional=again,
        private=secret,
        detail=say.text("rs.detail.bid", n=coins),
    )


@lru_cache(MOST)
def _table(place: Place, purses: tuple[tuple[Seat, int], ...]) -> Prompt[Command]:
    choices = tuple(_choice(TABLE, seat, coins) for seat, coins in purses)
    return Prompt(TABLE, say.text("rs.prompt.bids_shown", place=place), "RS-9.4", choices, optional=True)


def ask(s: Here) -> tuple[Prompt[Command], ...]:
    """Everybody who takes part; who has answered may answer again until the last one has (RS-9.3)."""
    battle = s.battle
    assert battle is not None
    secret = not open_to_all(s)
    bids, coins, place = battle.bids, s.coins, battle.place
    first = [seat for seat in battle.seats if not bids.get(seat)]
    again = [seat for seat in battle.seats if bids.get(seat) and coins[seat]]
    asked = [_prompt(seat, place, coins[seat], False, secret) for seat in first]
    asked += [_prompt(seat, place, coins[seat], True, secret) for seat in again]
    if not secret:
        asked.append(_table(place, tuple([(seat, coins[seat]) for seat in first])))
    return tuple(asked)


def begin(w: Work) -> None:
    """Coins and Ronin are shown (RS-9.2). Who has no Coin can bid nothing else than nothing, and everybody sees that."""
    battle = w.battle
    assert battle is not None
    for seat in battle.seats:
        w.events.append(_shows(seat, w.coins[seat], w.ronin[seat]))
    w.battle = replace(battle, bids={seat: NOTHING for seat in battle.seats if w.coins[seat] == 0})


@lru_cache(MOST)
def _shows(seat: Seat, coins: int, ronin: int) -> Event:
    return Event(Text("rs.event.shows", {"seat": say.clan(seat), "purse": say.amounts(0, coins, ronin)}), "RS-9.2")


def bid(w: Work, command: Bid) -> bool:
    """Seals a bid, or replaces one. Answers whether it was the last (RS-9.4)."""
    battle = w.battle
    assert battle is not None
    seat = command.of or command.seat
    coins = tuple(command.amounts.get(name, 0) for name in ADVANTAGES)
    w.battle = battle = replace(battle, bids={**battle.bids, seat: coins})
    if open_to_all(w):
        w.events.append(_said(seat, coins))
        return complete(battle)
    w.events.append(say.told["rs.event.sealed", "RS-9.3", seat])
    w.events.append(_own(seat, coins))
    return complete(battle)


def _text(key: str, seat: Seat, coins: tuple[int, ...]) -> Text:
    return Text(key, {"seat": say.clan(seat), **dict(zip(ADVANTAGES, coins, strict=True))})


@lru_cache(MOST)
def _said(seat: Seat, coins: tuple[int, ...]) -> Event:
    return Event(_text("rs.event.bids", seat, coins), "RS-9.4", reveals=True)


@lru_cache(MOST)
def _own(seat: Seat, coins: tuple[int, ...]) -> Event:
    return Event(_text("rs.event.own_bid", seat, coins), "RS-9.3", to=(seat,))


def reveal(w: Work) -> None:
    """All bids are shown together and leave the Reserves; what was not bid stays there (RS-9.4)."""
    battle = w.battle
    assert battle is not None
    for seat in battle.seats:
        if not open_to_all(w):
            w.events.append(_said(seat, battle.bids[seat]))
        w.earn(seat, coins=-sum(battle.bids[seat]))


def best(s: Here, battle: Battle, advantage: str) -> Seat:
    """Who won a War Advantage: the highest bid, a tie by Honor now (RS-9.6); on bids of 0 nobody, or by option Honor (RS-9.7)."""
    at = ADVANTAGES.index(advantage)
    most = 0 if s.options["zero_bids"] == "nobody" else -1
    found = ""
    for seat in s.honor:
        if seat in battle.seats and battle.bids[seat][at] > most:
            found, most = seat, battle.bids[seat][at]
    return found


def forget(w: Work, seat: Seat) -> None:
    """A seat's Coins were set right by hand: a bid it has sealed may be more than it has, so it bids anew."""
    battle = w.battle
    if battle is not None and battle.stage == "bids":
        w.battle = replace(battle, bids={other: coins for other, coins in battle.bids.items() if other != seat})


def give_back(w: Work) -> None:
    """A Battle that is dropped by a correction gives shown bids back."""
    battle = w.battle
    if battle is not None and battle.stage not in ("bids", "odd"):
        for seat, coins in battle.bids.items():
            w.earn(seat, coins=sum(coins))


def purses(bids: Mapping[Seat, tuple[int, ...]]) -> dict[Seat, int]:
    """How many Coins everybody has bid in all."""
    return {seat: sum(coins) for seat, coins in bids.items()}
