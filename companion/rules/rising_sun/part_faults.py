"""Why what is said of the part being performed, and of what cards ask, could never be: whose turn it is, what has been done, when a card asks.

Here: the lines ``doing``, ``used``, ``spent``, ``fresh``, ``pending``, ``stage`` and ``ask``. Corrections move pieces, cards and Alliances in the
middle of a part, so what was done is held against the box and not against what stands there now. Not here: the rest (``faults``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.game import Ruling, Seat
from companion.rules.rising_sun import after, betray, entering, fox, kami, marshal, recruit, say, serpent, spending, train, turns, warstart
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import RESERVE, Ask, Doing, State

AT_WAR = frozenset({warstart.ORDER, warstart.ACTS, fox.WILY})
SUMMONED = frozenset({after.KENIN, after.NINJA, after.MONKEY})
RECRUITED = frozenset({after.LIGHT, after.SAMURAI})
BUYING = ("train", "ryujin")
ENTERING = frozenset({"recruit", "marshal", "betray", "fujin", *BUYING})
"""Where a Monster can enter a Province."""
SPENDING = frozenset({"marshal", *BUYING})
SUMMONING = frozenset({"recruit", "raijin", *BUYING})


def _ruling(clause: str, key: str, **args: int | str) -> Ruling:
    return Ruling(clause, say.text(f"rs.fault.{key}", **args))


def of(facts: Facts, s: State) -> Iterator[Ruling]:
    """Every reason."""
    if s.doing is not None:
        yield from _turn(facts, s, s.doing)
        yield from _used(facts, s.doing)
        yield from _pieces(facts, s, s.doing)
        yield from _stage(s, s.doing)
    for i, one in enumerate(s.asks):
        yield from _ask(facts, s, one)
        if any((one.seat, one.what, one.victim) == (other.seat, other.what, other.victim) for other in s.asks[:i]):
            yield _ruling("RS-2.18", "ask_twice", seat=one.seat, what=one.what)


# ------------------------------------------------------------------ whose turn


def _turn(facts: Facts, s: State, doing: Doing) -> Iterator[Ruling]:
    """Who performs, and who after, follows from who chose; who chose from whose Mandate Turn it is (RS-6.2, 6.5, 6.7, 7.2)."""
    if doing.what in facts.kami:
        if doing.now != doing.by or doing.left or doing.bonus:
            yield _ruling("RS-7.2", "blessed_alone", seat=doing.by)
        return
    if doing.by != s.turn:
        yield _ruling("RS-6.2", "chooser", seat=doing.by, to=s.turn)
    order = turns.order(facts, s.seats, doing.what, doing.by)
    rest = order[order.index(doing.now) + 1 :] if doing.now in order else ()
    if doing.now not in order:
        yield _ruling("RS-6.7", "only_chooser", seat=doing.now, to=doing.by)
    elif doing.left != rest and rest:
        yield _ruling("RS-6.5", "order", seat=doing.now, name=" ".join(rest))
    elif doing.left != rest:
        yield _ruling("RS-6.5", "performs_last", seat=doing.now)
    may = () if doing.what == "betray" else turns.bonus(s, doing.by)
    for seat in doing.bonus:
        if seat not in may:
            yield _ruling("RS-6.7", "bonus", seat=seat)


# ------------------------------------------------------------------ what has been done


def _most(facts: Facts, doing: Doing) -> Mapping[str, int]:
    """How often each thing can have been done in such a part, by its key in ``Doing.used``."""
    moving = {**dict.fromkeys(serpent.routes(facts), 1), serpent.WAIVED: 1}
    match doing.what:
        case "recruit":
            return dict.fromkeys(facts.provinces, _summons(facts, doing.now))
        case "marshal":
            return {**moving, marshal.BUILD: 1}
        case "fujin":
            return {**moving, marshal.MOVE: facts.kami["fujin"].amount}
        case "raijin":
            return {kami.SUMMON: facts.kami["raijin"].amount}
        case "betray":
            return {betray.EXTRA: _copies(facts, betray.UNRIGHTEOUS), **{seat: 1 for seat in facts.clans if seat != doing.now}}
        case _:
            return {train.BUY: 1, train.SUMMON: 1}


def _copies(facts: Facts, card: str) -> int:
    """Of the box; the owner's facts may know no such card."""
    return facts.cards[card].copies if card in facts.cards else 0


def _summons(facts: Facts, seat: Seat) -> int:
    """Strongholds, and an Ally's bonus, may have been corrected away since; but the box never had more, and there is one bonus."""
    return facts.figures(seat)["stronghold"] + 1


def _used(facts: Facts, doing: Doing) -> Iterator[Ruling]:
    most = _most(facts, doing)
    if doing.what == "recruit" and doing.used.keys() <= most.keys() and sum(doing.used.values()) > _summons(facts, doing.now):
        yield _ruling("RS-6R.1", "summons", seat=doing.now, n=_summons(facts, doing.now))
        return
    if doing.what == "betray" and (doing.now in doing.used or len(betray.victims(doing)) > facts.values.betray_victims):
        yield _ruling("RS-6B.2", "victims", seat=doing.now)
        return
    for name, n in doing.used.items():
        if n > most.get(name, 0):
            yield _ruling("RS-6.6", "used", seat=doing.now, name=f"{name}*{n}", n=most.get(name, 0))
    if train.SUMMON in doing.used and doing.what in BUYING and train.BUY not in doing.used:
        yield _ruling("RS-6T.3", "bought_nothing", seat=doing.now)


def _pieces(facts: Facts, s: State, doing: Doing) -> Iterator[Ruling]:
    """Figures that have moved, were just Summoned or bought are where they are said to be, in a part that knows of such."""
    mine = s.pieces[doing.now]
    known = {"spent": doing.what == "marshal", "fresh": doing.what in ("recruit", *BUYING), "pending": doing.what in BUYING}
    for name, said in (("spent", doing.moved), ("fresh", doing.fresh), ("pending", doing.pending)):
        if said and not known[name]:
            yield _ruling("RS-6.6", "part_line", seat=doing.now, name=name)
    for place, here in doing.moved.items():
        for kind, n in here.items():
            if n > mine.get(place, {}).get(kind, 0):
                yield _ruling("RS-6M.1", "spent", seat=doing.now, kind=kind, place=place)
    if doing.fresh is not None:
        kind, place = doing.fresh
        if kind not in mine.get(place, {}):
            yield _ruling("RS-6R.4", "fresh", seat=doing.now, kind=kind, place=place)
        if not recruit.worships(facts, kind):
            yield _ruling("RS-6R.4", "no_worshipper", seat=doing.now, kind=kind)
    if doing.pending and doing.pending not in mine[RESERVE]:
        yield _ruling("RS-6T.3", "pending", seat=doing.now, kind=doing.pending)
    if doing.pending and doing.what in BUYING and train.BUY not in doing.used:
        yield _ruling("RS-6T.3", "bought_nothing", seat=doing.now)


# ------------------------------------------------------------------ what cards ask


def _stage(s: State, doing: Doing) -> Iterator[Ruling]:
    """A part waits for cards after a Summon, or at the end of a Recruit whose last one has performed."""
    if not doing.stage:
        return
    if not s.asks:
        yield _ruling("RS-2.18", "stage")
    if doing.stage == "after" and not after.has_summoned(doing):
        yield _ruling("RS-2.11", "stage_after")
    if doing.stage == "end" and (doing.what != "recruit" or doing.left or doing.used):
        yield _ruling("RS-2.12", "stage_end")


def _ask(facts: Facts, s: State, one: Ask) -> Iterator[Ruling]:
    if one.what in AT_WAR:
        begins = s.step == len(facts.steps) - 1 and not s.war and s.battle is None
        if not begins or warstart.idle(facts, s, one):
            yield _ruling("RS-8.1", "ask_war", seat=one.seat)
            return
    elif one.what not in s.cards[one.seat]:
        yield _ruling("RS-2.18", "ask", seat=one.seat)
        return
    elif not _moment(s, one):
        yield _ruling("RS-2.18", "ask_moment", seat=one.seat, card=one.what)
        return
    yield from _asked(facts, s, one)


def _moment(s: State, one: Ask) -> bool:
    """Whether its card asks in such a part."""
    doing = s.doing
    if doing is None:
        return False
    if one.what in RECRUITED:
        return doing.stage == "end"
    if doing.now != one.seat:
        return False
    if one.what in SUMMONED:
        return doing.stage == "after" and doing.what in SUMMONING
    return not doing.stage and doing.what in (SPENDING if one.what == spending.BENEVOLENCE else ENTERING)


def _asked(facts: Facts, s: State, one: Ask) -> Iterator[Ruling]:
    """Of whom, where and how often it asks."""
    if one.what == fox.WILY:
        most = facts.figures(one.seat)["bushi"]
    else:
        most = 1 if one.what in {warstart.ORDER, warstart.ACTS, entering.HATE, after.MERCY} else s.cards[one.seat].count(one.what)
    if not 1 <= one.n <= most:
        yield _ruling("RS-2.17", "ask_n", seat=one.seat, name=one.what, n=most)
    if bool(one.place) != (one.what in {entering.HATE, after.MERCY}) or bool(one.victim) != (one.what == entering.HATE):
        yield _ruling("RS-2.18", "ask_of", seat=one.seat, name=one.what)
    elif one.victim == one.seat:
        yield _ruling("RS-2.18", "ask_self", seat=one.seat)
    elif entering.moot(facts, s, one):
        yield _ruling("RS-2.18", "ask_mercy", seat=one.seat)
