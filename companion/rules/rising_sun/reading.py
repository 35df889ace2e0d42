"""Position lines, one by one: what each says, and where it is not understood.

Here: the words of single lines. Not here: what they mean together (``position``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.rules.game import Kind, Place, PositionError, Seat
from companion.rules.rising_sun import betray, ledger, serpent, setup, steps
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import ADVANTAGES, HOSTAGE, RESERVE, STAGES, UNKNOWN, Battle, Doing, Played

COUNTERS = ("coins", "ronin", "vp")


def places(facts: Facts) -> tuple[Place, ...]:
    """Where pieces lie, the Reserve last: what is not said of it is what is left."""
    held = (f"{HOSTAGE}{clan}" for clan in facts.order)
    return (*facts.provinces, *(f"shrine.{i}" for i in range(1, facts.shrine_count + 1)), *held, RESERVE)


_BATTLE = {
    "now": (0, 1),
    "seats": (2, 9),
    "taken": (0, 9),
    "hired": (0, 1),
    "winner": (0, 1),
    "dead": (0, 1),
    "paid": (0, 9),
    "there": (0, 9),
}
"""words of a ``battle`` line, and how many stand after each"""


class Reader:
    """Gathers the lines of one position; every complaint names line and word."""

    def __init__(self, facts: Facts, seats: tuple[Seat, ...], lines: Sequence[Sequence[str]]) -> None:
        self.facts = facts
        self.seats = seats
        self.lines = lines
        self.line = 0
        self.words: Sequence[str] = ()
        self.said: dict[str, int] = {}
        self.season = facts.seasons[0]
        self.step = facts.steps[0]
        self.turn = ""
        self.owed: tuple[str, ...] = ()
        self.doing: Doing | None = None
        self.used: dict[str, int] = {}
        self.moved: dict[Place, dict[Kind, int]] = {}
        self.fresh: tuple[Kind, Place] | None = None
        self.pending = ""
        self.honor = seats
        self.allies: dict[Seat, Seat] = {}
        self.deck: tuple[str, ...] = ()
        self.track: tuple[Played, ...] = ()
        self.rows: dict[str, tuple[str, ...]] = {"shrines": (), "wars": (), "display": ()}
        self.counters: dict[str, dict[Seat, int]] = {name: dict.fromkeys(seats, 0) for name in COUNTERS}
        self.cards: dict[Seat, tuple[str, ...]] = dict.fromkeys(seats, ())
        self.pieces: dict[Seat, dict[Place, dict[Kind, int]]] = {seat: {} for seat in seats}
        self.battle: Battle | None = None
        self.bids: dict[Seat, tuple[int, ...]] = {}
        self.ledger = ledger.Ledger()

    def fail(self, word: int, expected: str) -> PositionError:
        return PositionError(self.line, word, expected)

    def word(self, at: int, expected: str, among: Sequence[str] | Mapping[str, object]) -> str:
        if at >= len(self.words) or self.words[at] not in among:
            raise self.fail(at, f"{expected}: one of {', '.join(among)}")
        return self.words[at]

    def number(self, at: int) -> int:
        if at >= len(self.words) or not (self.words[at].isascii() and self.words[at].isdigit() and len(self.words[at]) <= 4):
            raise self.fail(at, "a number of at most four digits")
        return int(self.words[at])

    def end(self, at: int) -> None:
        if at < len(self.words):
            raise self.fail(at, "the end of the line")

    def once(self, key: str) -> None:
        if key in self.said:
            raise self.fail(0, f"{key} only once; it stands in line {self.said[key] + 1} of the position already")
        self.said[key] = self.line

    def all_of(self, expected: str, among: Sequence[str] | Mapping[str, object], first: int = 1) -> tuple[str, ...]:
        return tuple(self.word(at, expected, among) for at in range(first, len(self.words)))

    def distinct(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        for i, name in enumerate(ids):
            if name in ids[:i]:
                raise self.fail(i + 1, f"{name} only once")
        return ids

    def counted(self, first: int, expected: str, among: Sequence[str] | Mapping[str, object]) -> dict[str, int]:
        """``bushi*2 daimyo``"""
        found: dict[str, int] = {}
        for at in range(first, len(self.words)):
            name, star, n = self.words[at].partition("*")
            if name not in among:
                raise self.fail(at, f"{expected}: one of {', '.join(among)}")
            if name in found:
                raise self.fail(at, f"{name} only once; write {name}*2 for two")
            if star and not (n.isascii() and n.isdigit() and 0 < int(n) <= 99):
                raise self.fail(at, f"{name}*2 for two of them")
            found[name] = int(n) if star else 1
        if not found:
            raise self.fail(first, expected)
        return found

    def read(self, line: int, words: Sequence[str]) -> None:
        self.line, self.words = line, words
        head = words[0] if words else ""
        if head in self.seats:
            self._seat(head)
        elif head in LINES:
            LINES[head](self)
        elif head in self.facts.clans:
            raise self.fail(0, f"a Clan that plays: one of {', '.join(self.seats)}")
        else:
            raise self.fail(0, f"a Clan or one of {', '.join(LINES)}")

    def _seat(self, seat: Seat) -> None:
        if len(self.words) > 1 and self.words[1] in (*COUNTERS, "cards"):
            at = 1
            while at < len(self.words):
                name = self.word(at, "coins, ronin, vp or cards", (*COUNTERS, "cards"))
                self.once(f"{seat} {name}")
                if name == "cards":
                    self.cards[seat] = self.all_of("a Season card", self.facts.cards, at + 1)
                    return
                self.counters[name][seat] = self.number(at + 1)
                at += 2
            return
        if len(self.words) > 1 and self.words[1] in ledger.OF_SEATS:
            self.once(f"{seat} {self.words[1]}")
            ledger.OF_SEATS[self.words[1]](self, seat)
            return
        place = self.word(1, f"coins, ronin, vp, cards, {', '.join(ledger.OF_SEATS)} or a place", places(self.facts)[:-1])
        self.once(f"{seat} {place}")
        self.pieces[seat][place] = self.counted(2, "a figure", self.facts.kinds)

    def season_line(self) -> None:
        self.season = self.word(1, "a Season", self.facts.seasons)
        self.end(2)

    def step_line(self) -> None:
        """How many War Numbers there are is said by another line; ``position`` looks at both."""
        self.step = " ".join(self.words[1:])
        known = steps.names(self.facts, len(self.facts.provinces))
        if self.step not in known:
            raise self.fail(1, f"a step: one of {', '.join(known)}")

    def turn_line(self) -> None:
        self.turn = self.word(1, "a Clan", self.seats)
        self.end(2)

    def owed_line(self) -> None:
        self.owed = self.distinct(self.all_of("a shuffle", ("shrines", "mandates", "wars")))
        if not self.owed or self.owed[-1] != "wars":
            raise self.fail(len(self.words), "wars as the last shuffle that is owed")

    def doing_line(self) -> None:
        what = self.word(1, "a Mandate or a Kami", _doable(self.facts))
        seats: dict[str, tuple[Seat, ...]] = {"by": (), "now": (), "left": (), "bonus": ()}
        part = ""
        for at in range(2, len(self.words)):
            if self.words[at] in seats:
                part = self.words[at]
            elif not part:
                raise self.fail(at, f"one of {', '.join(seats)}")
            else:
                seats[part] = (*seats[part], self.word(at, "a Clan", self.seats))
        for part in ("by", "now"):
            if len(seats[part]) != 1:
                raise self.fail(len(self.words), f"one Clan after {part}")
        for part in ("left", "bonus"):
            if len(set(seats[part])) < len(seats[part]):
                raise self.fail(len(self.words), f"each Clan only once after {part}")
        if seats["now"][0] in seats["left"]:
            raise self.fail(len(self.words), "the Clan that performs now not among those left")
        self.doing = Doing(what, seats["by"][0], seats["now"][0], seats["left"], seats["bonus"])

    def used_line(self) -> None:
        self.used = self.counted(1, "what was done", (*self.facts.provinces, *_DONE, *serpent.routes(self.facts), *self.seats))

    def spent_line(self) -> None:
        place = self.word(1, "a Province", self.facts.provinces)
        self.once(f"spent {place}")
        self.moved[place] = self.counted(2, "a figure", self.facts.kinds)

    def fresh_line(self) -> None:
        kind = self.word(1, "a figure", self.facts.kinds)
        self.fresh = (kind, self.word(2, "a Province", self.facts.provinces))
        self.end(3)

    def pending_line(self) -> None:
        self.pending = self.word(1, "a Monster", self.facts.monsters)
        self.end(2)

    def honor_line(self) -> None:
        self.honor = self.distinct(self.all_of("a Clan", self.seats))
        if len(self.honor) < len(self.seats):
            raise self.fail(
                len(self.words), f"every Clan once (RS-2H.1): {', '.join(seat for seat in self.seats if seat not in self.honor)}"
            )

    def ally_line(self) -> None:
        a, b = self.word(1, "a Clan", self.seats), self.word(2, "a Clan", self.seats)
        self.end(3)
        for at, seat in enumerate((a, b), 1):
            if seat in self.allies or a == b:
                raise self.fail(at, "another Clan: each has at most one Ally (RS-5.2)")
        self.allies[a], self.allies[b] = b, a

    def deck_line(self) -> None:
        self.deck = self.all_of("a Mandate or ?", (*self.facts.mandates, UNKNOWN))

    def track_line(self) -> None:
        at = 1
        track = []
        while at < len(self.words):
            tile = self.word(at, "a Mandate or ?", (*self.facts.mandates, UNKNOWN))
            at += 1
            declared = by = ""
            if at < len(self.words) and self.words[at] == "as":
                declared = self.word(at + 1, "a Mandate", self.facts.mandates)
                at += 2
            if at < len(self.words) and self.words[at] in self.seats:
                by = self.words[at]
                at += 1
            track.append(Played(tile, by, declared))
        self.track = tuple(track)

    def battle_line(self) -> None:
        place = self.word(1, "a Province", self.facts.provinces)
        parts: dict[str, list[str]] = {part: [] for part in _BATTLE}
        part = ""
        for at in range(2, len(self.words)):
            if self.words[at] in parts:
                part = self.words[at]
                if parts[part]:
                    raise self.fail(at, f"{part} only once")
            elif not part:
                raise self.fail(at, f"one of {', '.join(parts)}")
            elif part == "dead":
                parts[part].append(str(self.number(at)))
            else:
                known: Sequence[str] | Mapping[str, object] = (
                    STAGES if part == "now" else self.facts.monsters if part == "there" else self.seats
                )
                parts[part].append(self.word(at, {"now": "a stage", "there": "a Monster"}.get(part, "a Clan"), known))
        for part, (least, most) in _BATTLE.items():
            if not least <= len(parts[part]) <= most:
                raise self.fail(len(self.words), f"{least} to {most} words after {part}" if most > 1 else f"one word after {part}")
            if part != "taken" and len(set(parts[part])) < len(parts[part]):
                raise self.fail(len(self.words), f"each only once after {part}")
        first = {part: said[0] if said else "" for part, said in parts.items()}
        fights = tuple(seat for seat in self.seats if seat in parts["seats"])
        self.battle = Battle(
            place,
            fights,
            first["now"] or STAGES[0],
            {},
            tuple(parts["taken"]),
            first["hired"],
            first["winner"],
            int(first["dead"] or 0),
            tuple(parts["paid"]),
            tuple(parts["there"]),
        )

    def bid_line(self) -> None:
        """``bid koi seppuku 1 poets 2``, or ``bid koi ?`` where nobody tells."""
        seat = self.word(1, "a Clan", self.seats)
        self.once(f"bid {seat}")
        if tuple(self.words[2:]) == (UNKNOWN,):
            self.bids[seat] = ()
            return
        said = dict.fromkeys(ADVANTAGES, 0)
        for at in range(2, len(self.words), 2):
            name = self.word(at, "a War Advantage", ADVANTAGES)
            if name in self.words[2:at:2]:
                raise self.fail(at, f"{name} only once")
            said[name] = self.number(at + 1)
        self.bids[seat] = tuple(said.values())

    def row_line(self) -> None:
        name = self.words[0]
        known: Mapping[str, Mapping[str, object]] = {"shrines": self.facts.kami, "wars": self.facts.harvest, "display": self.facts.cards}
        ids = self.all_of({"shrines": "a Kami", "wars": "a Province", "display": "a Season card"}[name], known[name])
        self.rows[name] = setup.in_order(self.facts, ids) if name == "display" else self.distinct(ids)
        if name == "shrines" and len(ids) > self.facts.shrine_count:
            raise self.fail(self.facts.shrine_count + 1, "the end of the line")


LINES: Mapping[str, Callable[[Reader], None]] = {
    "season": Reader.season_line,
    "step": Reader.step_line,
    "turn": Reader.turn_line,
    "owed": Reader.owed_line,
    "doing": Reader.doing_line,
    "used": Reader.used_line,
    "spent": Reader.spent_line,
    "fresh": Reader.fresh_line,
    "pending": Reader.pending_line,
    "honor": Reader.honor_line,
    "ally": Reader.ally_line,
    "deck": Reader.deck_line,
    "track": Reader.track_line,
    "shrines": Reader.row_line,
    "wars": Reader.row_line,
    "display": Reader.row_line,
    "battle": Reader.battle_line,
    "bid": Reader.bid_line,
    **ledger.LINES,
}
MANY = ("ally", "spent", "bid", *ledger.MANY)
_DONE = ("build", "buy", "move", "summon", serpent.WAIVED, betray.EXTRA)
"""keys of ``Doing.used`` beside Provinces, routes and seats"""


def _doable(facts: Facts) -> tuple[str, ...]:
    """What can be in the middle of being performed: Harvest never is."""
    return (*(m for m in facts.mandates if m != "harvest"), *(k for k, datum in facts.kami.items() if datum.optional))
