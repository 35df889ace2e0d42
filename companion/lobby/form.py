"""The form of a new game: who plays, where they sit, which options, how figures are seen, how strict it is; what is wrong with it, and what comes of it.

Here: one frozen record, changed by making another, and its faults as sentences with a fix. Not here: widgets, files, or what an option means
(the game's ``Offer`` says). Whatever is done to a form gives a form; only a form without blocking faults gives a ``NewGame``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.rules.game import Seat
from companion.rules.offer import Offer, Option
from companion.rules.view import Text
from companion.table.seating import SIDES, is_clockwise, plan, turn
from companion.table.setup import LAYOUTS, LEVELS, LONGEST, STRICT, Setup, cleaned

ALLY = "ally"
USUAL = 4
"""Players of a fresh form, where the game allows it."""
Fix = Literal["", "seat", "name", "allies", "layout", "level"]
"""What ``Form.mended`` puts right at one press; ``""``: only a person can."""


class Player(Struct, frozen=True):
    seat: Seat
    name: str = ""
    side: str = SIDES[0]
    bot: bool = False
    """A bot plays it, for as long as nobody takes the seat back."""


class Fault(Struct, frozen=True):
    """One thing that is wrong, and what to do: ``text`` says both."""

    field: str
    """``players``, ``sides``, ``allies``, ``layout``, ``level``, ``name:<seat>``, ``option:<name>``"""
    text: Text
    fix: Fix = ""
    blocks: bool = True
    """False: it may be begun all the same."""


class NewGame(Struct, frozen=True):
    """A game as it is to begin. ``seats`` are clockwise."""

    game: str
    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    setup: Setup


class FormError(ValueError):
    """The form cannot begin a game; ``faults`` say why."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.field for fault in faults))


class Form(Struct, frozen=True):
    """Players are kept in the order they sit clockwise, as the game has its seats."""

    offer: Offer
    players: tuple[Player, ...]
    pairs: tuple[tuple[Seat, Seat], ...] = ()
    """Who begins allied."""
    options: Mapping[str, str] = {}
    """What differs from the defaults, and what makes no sense."""
    layout: str = ""
    """One of LAYOUTS; "": as the devices are."""
    readers: int = 0
    """How many readers are bound to a place of the board."""
    level: str = STRICT
    """One of LEVELS: how the rules are kept."""

    # ------------------------------------------------------------------ what is so

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(player.seat for player in self.players)

    @property
    def free(self) -> tuple[Seat, ...]:
        """Seats nobody has taken, those of another box last."""
        return tuple(sorted((seat for seat in self.offer.seats if seat not in self.seats), key=self.offer.guests.__contains__))

    @property
    def more(self) -> bool:
        """One more may play."""
        return bool(self.free) and len(self.players) < max(self.offer.players)

    @property
    def fewer(self) -> bool:
        """One fewer may play."""
        return len(self.players) > min(self.offer.players)

    def player(self, seat: Seat) -> Player | None:
        return next((player for player in self.players if player.seat == seat), None)

    def value(self, name: str) -> str:
        """Of an option: what was chosen, or its default."""
        given = self.options.get(name)
        return next(iter(_option(self.offer, name).values), "") if given is None else given

    def ally(self, seat: Seat) -> Seat:
        """With whom this seat begins allied; ``""``: nobody."""
        return next((b if a == seat else a for a, b in self.pairs if seat in {a, b}), "")

    # ------------------------------------------------------------------ what is done to it

    def named(self, seat: Seat, name: str) -> Form:
        return self._with(seat, lambda player: replace(player, name=cleaned(name)))

    def manned(self, seat: Seat, *, bot: bool) -> Form:
        """A bot plays this seat, or a person."""
        return self._with(seat, lambda player: replace(player, bot=bot))

    def moved(self, seat: Seat, to: Seat) -> Form:
        """The player takes another seat, whoever has it takes this one, and everybody sits down in the order of the seats: the sides that
        were taken stay taken.
        """
        if to not in self.offer.seats or self.player(seat) is None:
            return self
        swap = {seat: to, to: seat}
        pairs = tuple((swap.get(a, a), swap.get(b, b)) for a, b in self.pairs)
        return replace(self, players=self._ordered(replace(p, seat=swap.get(p.seat, p.seat)) for p in self.players), pairs=pairs)

    def turned(self, seat: Seat, quarters: int = 1) -> Form:
        """The player sits down at the next side, clockwise."""
        return self._with(seat, lambda player: replace(player, side=turn(player.side, quarters)))

    def sat(self, seat: Seat, side: str) -> Form:
        """The player sits at that side."""
        return self._with(seat, lambda player: replace(player, side=side)) if side in SIDES else self

    def with_player(self) -> Form:
        """One more, at the first free seat; everybody sits as is usual for so many."""
        if not self.more:
            return self
        return replace(self, players=_at_usual_sides(self._ordered([*self.players, Player(self.free[0])])))

    def without(self, seat: Seat) -> Form:
        """One fewer; the others keep their names, and sit as is usual for so many."""
        if not self.fewer or self.player(seat) is None:
            return self
        pairs = tuple(pair for pair in self.pairs if seat not in pair)
        return replace(self, players=_at_usual_sides([p for p in self.players if p.seat != seat]), pairs=pairs)

    def allied(self, seat: Seat, other: Seat) -> Form:
        """These two begin allied, and with nobody else; if they were already, they are not any more."""
        if seat == other or self.player(seat) is None or self.player(other) is None or not self.offer.allies:
            return self
        rest = tuple(pair for pair in self.pairs if not {seat, other} & set(pair))
        return replace(self, pairs=rest if self.ally(seat) == other else (*rest, (seat, other)))

    def chosen(self, name: str, value: str) -> Form:
        return replace(self, options={**self.options, name: value})

    def seen_by(self, layout: str) -> Form:
        return replace(self, layout=layout)

    def kept(self, level: str) -> Form:
        return replace(self, level=level)

    def mended(self, fault: Fault) -> Form:
        """The form with that fault put right, where one press can."""
        if fault.fix == "seat":
            return replace(self, players=_at_usual_sides(self.players))
        if fault.fix == "allies":
            kept = [pair for i, pair in enumerate(self.pairs) if not _busy(self, i)]
            return replace(self, pairs=tuple(kept))
        if fault.fix == "layout":
            return replace(self, layout="single")
        if fault.fix == "level":
            return replace(self, level=STRICT)
        if fault.fix == "name":
            return self.named(fault.field.partition(":")[2], "")
        return self

    # ------------------------------------------------------------------ what comes of it

    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong, those that block first."""
        found = [*self._of_players(), *self._of_sides(), *self._of_allies(), *self._of_options(), *self._of_layout(), *self._of_level()]
        return tuple(sorted(found, key=lambda fault: not fault.blocks))

    def game(self) -> NewGame:
        """Raises FormError while something blocks."""
        blocking = [fault for fault in self.faults() if fault.blocks]
        if blocking:
            raise FormError(blocking)
        options = {option.name: self.value(option.name) for option in self.offer.options}
        if self.pairs:
            options[ALLY] = ", ".join(" ".join(pair) for pair in self.pairs)
        names = {player.seat: player.name for player in self.players if player.name}
        sides = {player.seat: player.side for player in self.players}
        bots = tuple(player.seat for player in self.players if player.bot)
        return NewGame(self.offer.game, self.seats, options, Setup(names, sides, self.layout, bots, self.level))

    # ------------------------------------------------------------------ inside

    def _of_players(self) -> list[Fault]:
        out = []
        few, many = min(self.offer.players), max(self.offer.players)
        if len(self.players) not in self.offer.players:
            out.append(Fault("players", Text("lobby.fault_players", {"n": len(self.players), "few": few, "many": many})))
        strangers = [seat for seat in self.seats if seat not in self.offer.seats or self.seats.count(seat) > 1]
        out += [Fault("players", Text("lobby.fault_seat", {"seat": seat})) for seat in dict.fromkeys(strangers)]
        seen: dict[str, Seat] = {}
        for player in self.players:
            name = player.name.casefold()
            if player.name != cleaned(player.name):
                out.append(Fault(f"name:{player.seat}", Text("lobby.fault_name", {"n": LONGEST}), "name"))
            elif name and name in seen:
                out.append(Fault(f"name:{player.seat}", Text("lobby.fault_twice", {"name": player.name}), blocks=False))
            seen.setdefault(name, player.seat)
        return out

    def _of_sides(self) -> list[Fault]:
        sides = [player.side for player in self.players]
        if any(side not in SIDES for side in sides):
            return [Fault("sides", Text("lobby.fault_side"), "seat")]
        if self.offer.clockwise and not is_clockwise(sides):
            return [Fault("sides", Text("lobby.fault_clockwise", {"order": _list([self._say(seat) for seat in self.seats])}), "seat")]
        return []

    def _of_allies(self) -> list[Fault]:
        if any(_busy(self, i) for i in range(len(self.pairs))):
            return [Fault("allies", Text("lobby.fault_allies"), "allies")]
        return []

    def _of_options(self) -> list[Fault]:
        out = []
        for name, value in self.options.items():
            option = _option(self.offer, name)
            if value not in option.values:
                known = ", ".join(option.values)
                out.append(Fault(f"option:{name}", Text("lobby.fault_option", {"option": option.text, "value": value, "known": known})))
        return out

    def _of_layout(self) -> list[Fault]:
        if self.layout and self.layout not in LAYOUTS:
            return [Fault("layout", Text("lobby.fault_layout", {"layout": self.layout}), "layout")]
        if self.layout == "readers" and not self.readers:
            return [Fault("layout", Text("lobby.fault_readers"), "layout", blocks=False)]
        return []

    def _of_level(self) -> list[Fault]:
        return [] if self.level in LEVELS else [Fault("level", Text("lobby.fault_level", {"level": self.level}), "level")]

    def _say(self, seat: Seat) -> Text:
        return self.offer.seats.get(seat) or Text("table.raw", {"id": seat})

    def _with(self, seat: Seat, change: Callable[[Player], Player]) -> Form:
        return replace(self, players=tuple(change(player) if player.seat == seat else player for player in self.players))

    def _ordered(self, players: Iterable[Player]) -> tuple[Player, ...]:
        """As they sit: by the game's order, round the same sides as before."""
        rank = {seat: i for i, seat in enumerate(self.offer.seats)}
        found = tuple(players)
        order = sorted(found, key=lambda player: rank.get(player.seat, len(rank)))
        return tuple(replace(player, side=before.side) for player, before in zip(order, found, strict=True))


def fresh(offer: Offer, readers: int = 0) -> Form:
    """As many players as is usual, without names, at the first seats."""
    count = min((n for n in offer.players if n >= USUAL), default=max(offer.players))
    players = tuple(Player(seat, "", side) for seat, side in zip(offer.seats, plan(count), strict=False))
    return Form(offer, players, readers=readers)


def _at_usual_sides(players: Sequence[Player]) -> tuple[Player, ...]:
    """Everybody sits as is usual for so many."""
    return tuple(replace(player, side=side) for player, side in zip(players, plan(len(players)), strict=True))


def _option(offer: Offer, name: str) -> Option:
    raw = Text("table.raw", {"id": name})
    return next((option for option in offer.options if option.name == name), Option(name, raw, raw, {}))


def _busy(form: Form, index: int) -> bool:
    """A pair that cannot be: of one, of somebody who does not play, or of somebody who has an ally before."""
    a, b = form.pairs[index]
    before = {seat for pair in form.pairs[:index] for seat in pair}
    return a == b or not {a, b} <= set(form.seats) or bool({a, b} & before) or not form.offer.allies


def _list(texts: Sequence[Text]) -> Text:
    last = texts[-1]
    for text in reversed(texts[:-1]):
        last = Text("lobby.then", {"first": text, "rest": last})
    return last
