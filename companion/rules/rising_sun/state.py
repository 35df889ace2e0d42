"""A position: what changes while people play, nothing else.

Here: the frozen ``State`` that journal and referee keep, and ``Work``, the one mutable copy a single command is worked out on. Not here: rules.
Pieces are counted by seat, place and kind (kinds without their Clan: ``bushi``); places are provinces, ``shrine.1`` .. ``shrine.4`` and
``reserve``. No count is ever 0 and no place is empty but ``reserve``, so equal positions are equal states.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from companion.rules.game import Event, Kind, Place, Seat
from companion.rules.rising_sun.facts import CLAN_KINDS, Facts

RESERVE: Place = "reserve"
UNKNOWN = "?"
"""A tile only the people at the table know."""
OVER = "over"
HOSTAGE = "hostage."
"""``hostage.lotus``: the place where Lotus keeps whom it has captured; neither Reserve nor Map (RS-2.4)"""
ADVANTAGES = ("seppuku", "hostage", "ronin", "poets")
"""The War Advantages in the order they are resolved (RS-9.5)"""
STAGES = ("bids", "seppuku", "hostage", "hire", "spare", "odd")
"""What a Battle can be waiting for, in order; everything between is done at once."""

Pieces = Mapping[Seat, Mapping[Place, Mapping[Kind, int]]]


class Played(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tile on the Political Track. ``declared``: it lies face down and stands for this Mandate (RS-10.2)."""

    tile: str
    by: Seat = ""
    declared: str = ""

    @property
    def mandate(self) -> str:
        """The Mandate that was performed: all the table knows of a face-down tile."""
        return self.declared or self.tile


class Doing(Struct, frozen=True, gc=False, omit_defaults=True):
    """A Mandate or a Kami's blessing while it is performed."""

    what: str
    """the Mandate, or the Kami whose blessing is used"""
    by: Seat
    """who chose the Mandate; who won the Shrine"""
    now: Seat
    left: tuple[Seat, ...] = ()
    """who performs after ``now``, in order (RS-6.5)"""
    bonus: tuple[Seat, ...] = ()
    """who performs the bonus part too (RS-6.7)"""
    used: dict[str, int] = {}
    """what ``now`` has done: Summons by Province, ``build``, ``buy``, ``move``, victims by seat"""
    moved: dict[Place, dict[Kind, int]] = {}
    """figures of ``now`` that have had their Move, where they stand (RS-6M.1)"""
    fresh: tuple[Kind, Place] | None = None
    """the figure just Summoned that may still go to worship (RS-6R.4)"""
    pending: Kind = ""
    """the Monster just bought and not yet Summoned (RS-6T.3)"""
    stage: str = ""
    """``after``: what ``now`` Summoned is being answered by cards; ``end``: everybody has performed, cards of the Mandate's end ask"""


class Tea(Struct, frozen=True, gc=False, omit_defaults=True):
    """The Tea Ceremony while it lasts (RS-5); pairs are (who offered, to whom)."""

    offers: tuple[tuple[Seat, Seat], ...] = ()
    declined: tuple[tuple[Seat, Seat], ...] = ()
    done: tuple[Seat, ...] = ()
    """who wants nothing more of it"""


class Ask(Struct, frozen=True, gc=False, omit_defaults=True):
    """A question a card puts to a seat, waiting for its answer."""

    seat: Seat
    what: str
    """the card; ``order``: who goes first at the start of War (RS-2H.6)"""
    place: Place = ""
    victim: Seat = ""
    n: int = 1


class Battle(Struct, frozen=True, gc=False, omit_defaults=True):
    """The Battle that is fought now (RS-9)."""

    place: Place
    seats: tuple[Seat, ...]
    """who takes part, clockwise; fixed as it begins (RS-9.1)"""
    stage: str = "bids"
    """one of ``STAGES``; ``spare`` is Mercy's question"""
    bids: dict[Seat, tuple[int, ...]] = {}
    """Coins on each of ``ADVANTAGES``: sealed in stage ``bids``, public and out of the Reserve after it;
    ``()``: sealed, and only the people know what (a position told to one seat)"""
    taken: tuple[Seat, ...] = ()
    """whose figures were taken hostage in this Battle (RS-9.9)"""
    hired: Seat = ""
    """whose Ronin fight (RS-9.10)"""
    winner: Seat = ""
    dead: int = 0
    """kills so far, for the Poets (RS-9.14)"""
    odd: tuple[Seat, ...] = ()
    """losers who have got an odd Coin (RS-9.15)"""
    there: tuple[Kind, ...] = ()
    """Monsters that were in the Battle as it began; kept only by option ``won_with_figure was_there``"""


class State(Struct, frozen=True, gc=False):
    seats: tuple[Seat, ...]
    """clockwise"""
    options: Mapping[str, str]
    season: str
    step: int
    """index into ``Facts.steps``; one past the end: the game is over"""
    turn: Seat
    """who takes this or the next Mandate Turn (RS-6.2)"""
    honor: tuple[Seat, ...]
    """top first"""
    allies: Mapping[Seat, Seat]
    deck: tuple[str, ...]
    """top first; the tiles drawn in a Mandate Turn are its top ones until one is chosen (RS-6.3)"""
    track: tuple[Played, ...]
    shrines: tuple[str, ...]
    wars: tuple[Place, ...]
    """Provinces with War Numbers 1, 2, ... (RS-4.3)"""
    display: tuple[str, ...]
    coins: Mapping[Seat, int]
    ronin: Mapping[Seat, int]
    vp: Mapping[Seat, int]
    cards: Mapping[Seat, tuple[str, ...]]
    pieces: Pieces
    doing: Doing | None = None
    owed: tuple[str, ...] = ()
    """shuffles that chance owes, in order: shrines, mandates, wars"""
    war: int = 0
    """in step ``war`` only. 0: not begun; 1 .. n: that War Number is being resolved or comes next; n + 1: all are resolved (RS-8.3)"""
    battle: Battle | None = None
    tokens: Mapping[Seat, tuple[str, ...]] = {}
    """War Province tokens taken, ``spring:kyoto``, in the order of seasons and Provinces; who has none is not in it"""
    tea: Tea | None = None
    """the Tea Ceremony before the first Mandate, while it lasts"""
    asks: tuple[Ask, ...] = ()
    """what cards have asked and nobody answered; the first is asked now"""
    allied: Mapping[Seat, tuple[str, ...]] = {}
    """Seasons over or broken in which a seat had an Alliance, in order (RS-12.7); who had none is not in it"""
    scored: Mapping[Seat, Mapping[str, int]] = {}
    """points by source once Winter has scored (RS-12)"""


class Work(Struct, gc=False):
    """One command's own copy of a State, field by field the same; dicts are copied before they are changed (``copy`` is much the quickest way). Events gather beside it."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    season: str
    step: int
    turn: Seat
    honor: tuple[Seat, ...]
    allies: Mapping[Seat, Seat]
    deck: tuple[str, ...]
    track: tuple[Played, ...]
    shrines: tuple[str, ...]
    wars: tuple[Place, ...]
    display: tuple[str, ...]
    coins: dict[Seat, int]
    ronin: dict[Seat, int]
    vp: dict[Seat, int]
    cards: dict[Seat, tuple[str, ...]]
    pieces: dict[Seat, dict[Place, dict[Kind, int]]]
    doing: Doing | None
    owed: tuple[str, ...]
    war: int
    battle: Battle | None
    tokens: Mapping[Seat, tuple[str, ...]]
    tea: Tea | None
    asks: tuple[Ask, ...]
    allied: Mapping[Seat, tuple[str, ...]]
    scored: Mapping[Seat, Mapping[str, int]]
    facts: Facts
    events: list[Event]

    def freeze(self) -> State:
        return State(*astuple(self)[:_FIELDS])

    def carry(self, seat: Seat, kind: Kind, frm: Place, to: Place) -> None:
        """Moves one piece of a seat; it must be there."""
        self.pieces = pieces = self.pieces.copy()
        pieces[seat] = mine = pieces[seat].copy()
        source = mine[frm].copy()
        if source[kind] > 1:
            source[kind] -= 1
        else:
            del source[kind]
        if source or frm == RESERVE:
            mine[frm] = source
        else:
            del mine[frm]
        if to in mine:
            mine[to] = target = mine[to].copy()
            target[kind] = target.get(kind, 0) + 1
        else:
            mine[to] = {kind: 1}

    def gain_piece(self, seat: Seat, kind: Kind) -> None:
        """A piece comes from the box to a seat's Reserve."""
        self.pieces = pieces = self.pieces.copy()
        pieces[seat] = mine = pieces[seat].copy()
        mine[RESERVE] = reserve = mine[RESERVE].copy()
        reserve[kind] = reserve.get(kind, 0) + 1

    def lose_piece(self, seat: Seat, kind: Kind) -> None:
        """A piece goes back into the box, from the Reserve if it is there."""
        mine = dict(self.pieces[seat])
        place = RESERVE if kind in mine[RESERVE] else next(p for p, here in mine.items() if kind in here)
        here = {k: n - (k == kind) for k, n in mine[place].items()}
        mine[place] = {k: n for k, n in here.items() if n}
        if not mine[place] and place != RESERVE:
            del mine[place]
        self.pieces = {**self.pieces, seat: mine}

    def close_worship(self) -> None:
        """The figure just Summoned stays where it is (RS-6R.4)."""
        if self.doing is not None and self.doing.fresh is not None:
            self.doing = replace(self.doing, fresh=None)

    def earn(self, seat: Seat, coins: int = 0, ronin: int = 0, vp: int = 0) -> None:
        """Adds (or takes) counters of a seat."""
        if coins:
            self.coins = self.coins.copy()
            self.coins[seat] += coins
        if ronin:
            self.ronin = self.ronin.copy()
            self.ronin[seat] += ronin
        if vp:
            self.vp = self.vp.copy()
            self.vp[seat] += vp


Here = State | Work
"""A position, or one that is being worked out: what a question is asked about."""

_FIELDS = len(State.__struct_fields__)


def work(facts: Facts, state: State) -> Work:
    """A copy of ``state`` to work on."""
    fields: tuple[Any, ...] = (*astuple(state), facts, [])
    return Work(*fields)


@lru_cache(1024)
def kind_id(seat: Seat, kind: Kind) -> Kind:
    """The kind as the whole house names it: ``koi/bushi``, ``oni_of_skulls``."""
    return f"{seat}/{kind}" if kind in CLAN_KINDS else kind


def left_of(seats: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next seat clockwise (RS-6.2)."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def around(seats: tuple[Seat, ...], first: Seat) -> tuple[Seat, ...]:
    """All seats clockwise from ``first``."""
    at = seats.index(first)
    return seats[at:] + seats[:at]
