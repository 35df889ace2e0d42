"""Train: one displayed card each, Monsters Summoned at once (RS-6T); Ryujin sells the same way without discount (RS-7.5)."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.rules.game import Choice, Kind, Place, Prompt, Seat
from companion.rules.rising_sun import recruit, say, spending
from companion.rules.rising_sun.commands import Buy, Command, Summon
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.kept import keep
from companion.rules.rising_sun.state import RESERVE, Doing, Here, Work

BUY = "buy"
SUMMON = "summon"
"""Keys of ``Doing.used``."""


def price(facts: Facts, doing: Doing, seat: Seat, card: str) -> int:
    """The printed cost; Bonsai at most 1; then 1 less for the Train bonus, never below 0 (RS-6T.2, 10.5)."""
    return _price(facts, seat, card, seat in doing.bonus)


def _price(facts: Facts, seat: Seat, card: str, discount: bool) -> int:
    cost = facts.cards[card].cost
    if seat == "bonsai":
        cost = min(cost, facts.values.bonsai_price_cap)
    return max(0, cost - facts.values.train_discount) if discount else cost


def monster_places(facts: Facts, s: Here, seat: Seat) -> tuple[Place, ...]:
    """Provinces with an own Stronghold; for Dragonfly, once it has one, any (RS-6T.3, 10.3)."""
    mine = recruit.strongholds(s, seat)
    if mine and seat == "dragonfly":
        return facts.provinces
    return tuple(p for p in facts.provinces if p in mine)


@keep
def _shelf(facts: Facts, seat: Seat, discount: bool) -> Mapping[str, tuple[int, bool, Choice[Command]]]:
    """What each card would cost a seat, whether it is a Monster, and the choice to buy it."""
    shelf = {}
    for name, card in facts.cards.items():
        cost = _price(facts, seat, name, discount)
        choice: Choice[Command] = Choice(
            Buy(seat, name), say.text("rs.choice.buy", card=name, n=cost), detail=say.card(f"{name}.effect"), mark="token/coin"
        )
        shelf[name] = (cost, bool(card.monster), choice)
    return shelf


def _within(facts: Facts, s: Here, doing: Doing, purse: int) -> list[Choice[Command]]:
    """Cards the performer could buy with ``purse`` Coins, each with its price (RS-6T.1); by option no Monsters without a Stronghold."""
    seat = doing.now
    shelf = map(_shelf[facts, seat, seat in doing.bonus].__getitem__, dict.fromkeys(s.display))
    if s.options["monster_without_stronghold"] == "forbidden" and not recruit.strongholds(s, seat):  # RS-6T.4
        return [choice for cost, monster, choice in shelf if cost <= purse and not monster]
    return [choice for cost, _, choice in shelf if cost <= purse]


def by_gift(facts: Facts, s: Here) -> bool:
    """The performer could buy with what others have (RS-2N.3)."""
    doing = s.doing
    return doing is not None and not doing.pending and BUY not in doing.used and bool(_within(facts, s, doing, sum(s.coins.values())))


@keep
def _summoning(seat: Seat, kind: Kind, places: tuple[Place, ...]) -> Prompt[Command]:
    choices = tuple(recruit.summon_choice[seat, kind, place] for place in places) or (recruit.done_choice[seat, 0],)
    return Prompt(seat, say.text("rs.prompt.summon_monster", kind=kind), "RS-6T.3", choices)


@keep
def _worshipping(seat: Seat, fresh: tuple[Kind, Place] | None, shrines: tuple[str, ...]) -> Prompt[Command]:
    choices = (*(recruit.worship_choices[seat, fresh, shrines] if fresh else ()), recruit.done_choice[seat, 0])
    return Prompt(seat, say.text("rs.prompt.worship"), "RS-6R.4", choices)


def ask(facts: Facts, s: Here) -> Prompt[Command]:
    """First the purchase, then the Monster's Province, then its way to worship."""
    doing = s.doing
    assert doing is not None
    seat = doing.now
    if doing.pending:
        return _summoning[seat, doing.pending, monster_places(facts, s, seat)]
    if BUY in doing.used:
        return _worshipping[seat, doing.fresh, s.shrines if doing.fresh else ()]
    choices = _within(facts, s, doing, s.coins[seat])
    detail = None if choices or not by_gift(facts, s) else say.text("rs.detail.by_gift")
    choices.append(recruit.done_choice[seat, 0])
    ryujin = doing.what == "ryujin"
    text = say.text("rs.prompt.ryujin" if ryujin else "rs.prompt.train")
    return Prompt(seat, text, "RS-7.5" if ryujin else "RS-6T.1", tuple(choices), detail=detail)


def buy(w: Work, command: Buy) -> None:
    """The card leaves the display (RS-6T.5); a Monster is Summoned next, or waits in Reserve (RS-6T.3, 6T.4)."""
    doing = w.doing
    assert doing is not None
    seat, name = command.seat, command.card
    cost = price(w.facts, doing, seat, name)
    benevolence = spending.copies(w, seat)
    w.earn(seat, coins=-cost)
    at = w.display.index(name)
    w.display = w.display[:at] + w.display[at + 1 :]
    w.cards = w.cards.copy()
    w.cards[seat] += (name,)
    w.events.append(say.bought[seat, name, cost])
    monster = w.facts.cards[name].monster
    pending = ""
    if monster:
        w.gain_piece(seat, monster)
        if recruit.strongholds(w, seat):
            pending = monster
        else:
            w.events.append(say.event("rs.event.monster_waits", "RS-6T.4", seat=seat, kind=monster))
    w.doing = msgspec.structs.replace(doing, used={BUY: 1}, pending=pending)
    spending.spent(w, seat, cost, benevolence)


def summon(w: Work, command: Summon) -> None:
    """The bought Monster comes to the Map (RS-6T.3)."""
    doing = w.doing
    assert doing is not None
    w.carry(command.seat, command.kind, RESERVE, command.place)
    w.events.append(say.summoned["RS-6T.3", command.seat, command.kind, command.place])
    fresh = (command.kind, command.place) if recruit.worships(w.facts, command.kind) else None
    w.doing = msgspec.structs.replace(doing, used={**doing.used, SUMMON: 1}, pending="", fresh=fresh)
