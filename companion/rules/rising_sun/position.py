"""A whole position as lines of a record and back: ``read(write(s)) == s``, also in the middle of a Mandate.

Printed in this order: seats, option, season, step, turn, owed, doing, used, spent, fresh, pending, honor, ally, deck, track, shrines, wars,
display, then each Clan. Lines may be read in any order; what is not said is taken as the game would have it (docs/record.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from companion.rules.game import Kind, Place, PositionError, Seat
from companion.rules.rising_sun import ages, bids, ledger, setup, steps
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.reading import LINES, MANY, Reader, places
from companion.rules.rising_sun.state import ADVANTAGES, RESERVE, UNKNOWN, Battle, Doing, Played, State


def expected_turn(seats: Sequence[Seat], honor: Sequence[Seat], doing: Doing | None, mandate: bool, track: Sequence[Played]) -> Seat:
    """Who takes the Mandate Turn where nobody says (RS-6.2): the one performing it; else as far to the left of the last chooser the track
    names, or of the top of the Honor Track, as tiles were played since.
    """
    if doing is not None and mandate:
        return doing.by
    named = [i for i, p in enumerate(track) if p.by]
    first, since = (track[named[-1]].by, len(track) - named[-1]) if named else (honor[0], len(track))
    return seats[(seats.index(first) + since) % len(seats)]


def write(facts: Facts, s: State) -> tuple[str, ...]:
    """The lines of ``s``."""
    defaults = setup.options_of(facts, {})
    lines = [f"seats {' '.join(s.seats)}"]
    lines.extend(f"option {k} {v}" for k, v in ages.told(s.options).items() if k == "mandates" or v != defaults[k])
    step = steps.name(facts, s)
    lines.extend((f"season {s.season}", f"step {step}"))
    mandate = step.startswith("mandate")
    if s.turn != expected_turn(s.seats, s.honor, s.doing, mandate, s.track):
        lines.append(f"turn {s.turn}")
    if s.owed:
        lines.append(f"owed {' '.join(s.owed)}")
    lines.extend(_doing(facts, s.doing) if s.doing is not None else ())
    lines.extend(_battle(s.seats, s.battle) if s.battle is not None else ())
    lines.extend(ledger.public(s))
    lines.append(f"honor {' '.join(s.honor)}")
    lines.extend(f"ally {a} {s.allies[a]}" for i, a in enumerate(s.seats) if a in s.allies and s.allies[a] in s.seats[i:])
    lines.append(" ".join(("deck", *s.deck)))
    told = s.track[:-1] if s.doing is not None and mandate and s.track[-1] == Played(s.doing.what, s.doing.by) else s.track
    if told:
        lines.append(" ".join(("track", *(_played(p) for p in told))))
    lines.extend(" ".join((word, *ids)) for word, ids in (("shrines", s.shrines), ("wars", s.wars), ("display", s.display)) if ids)
    for seat in s.seats:
        cards = " ".join(("cards", *s.cards[seat])) if s.cards[seat] else ""
        lines.append(f"{seat} coins {s.coins[seat]} ronin {s.ronin[seat]} vp {s.vp[seat]} {cards}".rstrip())
        lines.extend(f"{seat} {place} {_pile(facts, s.pieces[seat][place])}" for place in places(facts)[:-1] if place in s.pieces[seat])
        lines.extend(ledger.of(s, seat))
    return tuple(lines)


def veiled(facts: Facts, s: State, reader: Seat) -> State:
    """``s`` as ``reader`` may tell of it: the deck is unknown but for the tiles it has drawn, and so are others' face-down tiles (RS-6.3, 10.2)."""
    choosing = reader == s.turn and s.doing is None and not s.owed and steps.name(facts, s).startswith("mandate")
    seen = facts.draw if choosing else 0
    track = tuple(replace(p, tile=UNKNOWN) if p.declared and p.by != reader else p for p in s.track)
    battle = s.battle
    if battle is not None and battle.stage == "bids" and not bids.open_to_all(s):
        battle = replace(battle, bids={seat: bid if seat == reader else () for seat, bid in battle.bids.items()})  # RS-9.3
    return replace(s, deck=(*s.deck[:seen], *(UNKNOWN for _ in s.deck[seen:])), track=track, battle=battle)


def _pile(facts: Facts, here: Mapping[Kind, int]) -> str:
    return " ".join(kind if here[kind] == 1 else f"{kind}*{here[kind]}" for kind in facts.kinds if kind in here)


def _played(p: Played) -> str:
    return " ".join(filter(None, (p.tile, f"as {p.declared}" if p.declared else "", p.by)))


def _battle(seats: Sequence[Seat], b: Battle) -> list[str]:
    words = [f"battle {b.place} now {b.stage}"]
    parts = (
        ("seats", b.seats),
        ("taken", b.taken),
        ("hired", (b.hired,)),
        ("winner", (b.winner,)),
        ("dead", (str(b.dead),)),
        ("paid", b.odd),
    )
    words.extend(f"{word} {' '.join(said)}" for word, said in (*parts, ("there", b.there)) if said and said[0] not in ("", "0"))
    return [" ".join(words), *(f"bid {seat} {_bid(b.bids[seat])}" for seat in seats if seat in b.bids)]


def _bid(bid: tuple[int, ...]) -> str:
    return " ".join(f"{name} {n}" for name, n in zip(ADVANTAGES, bid, strict=True)) if bid else UNKNOWN


def _fought(r: Reader, war: int) -> Battle | None:
    """The Battle these lines tell of, with its bids."""
    battle, wars = r.battle, r.rows["wars"]
    if battle is None:
        if r.bids:
            raise PositionError(-1, 0, "a battle line beside the bids")
        return None
    if not 1 <= war <= len(wars) or wars[war - 1] != battle.place:
        raise PositionError(
            r.said["battle"], 1, f"the Province of the step: {wars[war - 1]}" if 1 <= war <= len(wars) else "step war 1, 2, ..."
        )
    for seat in r.bids:
        if seat not in battle.seats:
            raise PositionError(r.said[f"bid {seat}"], 1, f"a Clan of the Battle: one of {', '.join(battle.seats)}")
    return replace(battle, bids={seat: r.bids[seat] for seat in r.seats if seat in r.bids})


def _doing(facts: Facts, d: Doing) -> list[str]:
    words = [f"doing {d.what} by {d.by} now {d.now}"]
    words.extend(f"{word} {' '.join(seats)}" for word, seats in (("left", d.left), ("bonus", d.bonus)) if seats)
    lines = [" ".join(words)]
    if d.used:
        lines.append(" ".join(("used", *(k if n == 1 else f"{k}*{n}" for k, n in d.used.items()))))
    lines.extend(f"spent {place} {_pile(facts, here)}" for place, here in d.moved.items())
    if d.fresh is not None:
        lines.append(f"fresh {d.fresh[0]} {d.fresh[1]}")
    if d.pending:
        lines.append(f"pending {d.pending}")
    if d.stage:
        lines.append(f"stage {d.stage}")
    return lines


def read(facts: Facts, seats: Sequence[Seat], options: Mapping[str, str], lines: Sequence[Sequence[str]]) -> State:
    """The position of these lines. Raises PositionError (line -1: the position as a whole)."""
    try:
        chosen = setup.options_of(facts, options)
        setup.seated(facts, seats)
    except ValueError as fault:
        raise PositionError(-1, 0, str(fault)) from fault
    r = Reader(facts, tuple(seats), lines)
    for i, words in enumerate(lines):
        if words and words[0] in LINES and words[0] not in MANY:
            r.line = i
            r.once(words[0])
        r.read(i, words)
    return _whole(facts, r, chosen)


def _whole(facts: Facts, r: Reader, options: Mapping[str, str]) -> State:
    """Fills in what was not said, and looks at the lines together."""
    name = r.step
    if name not in steps.names(facts, len(r.rows["wars"])):
        raise PositionError(
            r.said["step"], 2, f"at most war {len(r.rows['wars'])}: there is a War Number for each Province of the wars line"
        )
    step, war = steps.find(facts, name, len(r.rows["wars"]))
    before = sum(one.startswith("mandate") for one in facts.steps[:step])
    mandate = name.startswith("mandate")
    doing = r.doing
    if doing is None and (r.used or r.moved or r.fresh or r.pending or r.ledger.stage):
        raise PositionError(-1, 0, "a doing line beside used, spent, fresh, pending or stage")
    if doing is not None:
        blessing = doing.what in facts.kami
        if blessing != name.startswith("kami") or (not blessing and not mandate):
            raise PositionError(r.said["doing"], 1, f"what can be done in step {name}")
        if blessing and doing.what not in r.rows["shrines"]:
            raise PositionError(r.said["doing"], 1, "a Kami with a Shrine in this game")
        if r.owed:
            raise PositionError(r.said["owed"], 0, "no shuffle owed while a Mandate is performed")
        doing = Doing(doing.what, doing.by, doing.now, doing.left, doing.bonus, r.used, r.moved, r.fresh, r.pending, r.ledger.stage)
    # RS-6.1: as many tiles lie on the track as Mandates were chosen; the one being performed need not be said, those nobody names are unknown.
    lie = before + (doing is not None and mandate)
    track = r.track
    if len(track) > lie:
        raise PositionError(r.said["track"], len(r.lines[r.said["track"]]), f"at most {lie} tiles on the track in step {name} (RS-6.1)")
    if doing is not None and mandate and not _performed(track, doing):
        if len(track) == lie:
            raise PositionError(r.said["track"], 1, f"{doing.what} of {doing.by} as the last tile on the track, or {lie - 1} tiles")
        track = (*track, Played(UNKNOWN, doing.by, doing.what) if doing.by == "lotus" else Played(doing.what, doing.by))
    track = (*(Played(UNKNOWN),) * (lie - len(track)), *track)
    # RS-1.6: what is not said of the deck is unknown and lies below.
    deck = r.deck if "mandates" in r.owed else (*r.deck, *(UNKNOWN,) * (facts.tiles - len(track) - len(r.deck)))
    pieces: dict[Seat, dict[Place, dict[Kind, int]]] = {}
    for seat in r.seats:
        box = facts.figures(seat)
        for card in r.cards[seat]:
            if facts.cards[card].monster:
                box[facts.cards[card].monster] = box.get(facts.cards[card].monster, 0) + 1
        for here in r.pieces[seat].values():
            for kind, n in here.items():
                box[kind] = box.get(kind, 0) - n
        pieces[seat] = {RESERVE: {kind: n for kind, n in box.items() if n > 0}, **r.pieces[seat]}
    return State(
        seats=r.seats,
        options=options,
        season=r.season,
        step=step,
        turn=r.turn or expected_turn(r.seats, r.honor, doing, mandate, track),
        honor=r.honor,
        allies=r.allies,
        deck=deck,
        track=track,
        shrines=r.rows["shrines"],
        wars=r.rows["wars"],
        display=r.rows["display"],
        coins=r.counters["coins"],
        ronin=r.counters["ronin"],
        vp=r.counters["vp"],
        cards=r.cards,
        pieces=pieces,
        doing=doing,
        owed=r.owed,
        war=war,
        battle=_fought(r, war),
        **r.ledger.fields(name),
    )


def _performed(track: Sequence[Played], doing: Doing) -> bool:
    """The last tile on the track is the Mandate being performed."""
    return bool(track) and track[-1].mandate == doing.what and track[-1].by == doing.by
