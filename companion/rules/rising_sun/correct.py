"""Corrections: what the table agrees to set right by hand, within what a position can be.

Counters: ``coins``, ``ronin``, ``vp``, ``honor`` (place on the track, 1 is the top) and ``ally.<clan>`` (1 allied, 0 not) and ``token.<season>:<province>`` (1 held, 0 not).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.rules.game import Applied, Correction, GiveCard, MovePiece, Place, Refusal, Seat, SetCounter, SetStep
from companion.rules.rising_sun import (
    advantages,
    bids,
    entering,
    hostages,
    reading,
    recruit,
    say,
    setup,
    steps,
    tea,
    tokens,
    turns,
    warstart,
    winter,
)
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import HOSTAGE, OVER, RESERVE, UNKNOWN, Played, State, Tea, Work, work

HELD = "token."
MOST = 999
"""No counter is set higher."""


def correct(facts: Facts, s: State, c: Correction) -> Applied[State] | Refusal:
    """Nothing is triggered: no Mandate ends and nobody is passed over by a correction. Only what waited for a question that is gone with its card or its prey goes on."""
    w = work(facts, s)
    refusal = _CORRECT[type(c)](w, c)
    if refusal is not None:
        return refusal
    _trim(w)
    # At the start of War only who has something to do is asked (RS-8.1), and for Mercy only who could kill (RS-2.18).
    w.asks = tuple(one for one in w.asks if not warstart.idle(facts, w, one) and not entering.moot(facts, w, one))
    if w.asks != s.asks and not isinstance(c, SetStep):
        turns.go_on(w, True)
    return Applied(w.freeze(), tuple(w.events))


def _no(clause: str, key: str, **args: int | str) -> Refusal:
    return Refusal(clause, say.spoken(f"rs.no.{key}", **args))


def _place(w: Work, name: str) -> Place | None:
    where = RESERVE if name.startswith(f"{RESERVE}.") else name
    if where.startswith(HOSTAGE) and where.removeprefix(HOSTAGE) not in w.seats:
        return None
    return where if where in reading.places(w.facts) else None


def _move(w: Work, c: MovePiece) -> Refusal | None:
    owner, slash, kind = c.kind.rpartition("/")
    seat = owner if slash else c.seat
    frm, to = _place(w, c.frm), _place(w, c.to)
    if not seat:
        return _no("RS-2.1", "whose_figure", name=c.kind)
    if seat not in w.seats:
        return _no("RS-3.1", "not_seated", name=seat)
    if frm is None or to is None:
        return _no("RS-2.6", "unknown_place", name=c.to if frm is not None else c.frm)
    if kind not in w.facts.kinds:
        return _no("RS-2.1", "unknown_kind", name=kind)
    if frm == to or w.pieces[seat].get(frm, {}).get(kind, 0) == 0:
        return _no("RS-2.4", "none_there", kind=kind, place=frm)
    if to.startswith("shrine.") and not recruit.worships(w.facts, kind):
        return _no("RS-6R.4", "only_shinto_worship")
    if to.startswith(HOSTAGE) and (to == f"{HOSTAGE}{seat}" or not advantages.captive(w.facts, kind)):
        return _no("RS-9.9", "no_captive", kind=kind)
    if to.startswith(HOSTAGE) and hostages.none_yet(w.facts, w):
        return _no("RS-9.9", "hostage_early")
    w.carry(seat, kind, frm, to)
    w.events.append(say.event("rs.event.corrected_piece", "RS-2.4", seat=seat, kind=kind, frm=frm, place=to))
    return None


def _trim(w: Work) -> None:
    """What is remembered of the part being performed stays true of the pieces that are left."""
    doing = w.doing
    if doing is None:
        return
    mine = w.pieces[doing.now]
    moved = {}
    for place, here in doing.moved.items():
        kept = {kind: min(n, mine.get(place, {}).get(kind, 0)) for kind, n in here.items()}
        kept = {kind: n for kind, n in kept.items() if n}
        if kept:
            moved[place] = kept
    fresh = doing.fresh if doing.fresh is not None and doing.fresh[0] in mine.get(doing.fresh[1], {}) else None
    pending = doing.pending if doing.pending in mine[RESERVE] else ""
    w.doing = replace(doing, moved=moved, fresh=fresh, pending=pending)


def _counter(w: Work, c: SetCounter) -> Refusal | None:
    if c.seat not in w.seats:
        return _no("RS-3.1", "not_seated", name=c.seat)
    if c.counter.startswith("ally."):
        return _ally(w, c)
    if c.counter.startswith(HELD):
        return _token(w, c)
    if c.counter == "honor":
        if not 1 <= c.value <= len(w.seats):
            return _no("RS-2H.1", "counter_range", name=c.counter, n=len(w.seats))
        order = [seat for seat in w.honor if seat != c.seat]
        order.insert(c.value - 1, c.seat)
        w.honor = tuple(order)
    elif c.counter in reading.COUNTERS:
        if not 0 <= c.value <= MOST:
            return _no("RS-13.3", "counter_range", name=c.counter, n=MOST)
        setattr(w, c.counter, {**getattr(w, c.counter), c.seat: c.value})
        if c.counter == "coins":
            bids.forget(w, c.seat)
        elif c.counter == "vp" and w.scored:
            w.scored = {**w.scored, c.seat: _counted(w.scored.get(c.seat, {}), c.value)}
    else:
        return _no("RS-13.3", "unknown_counter", name=c.counter)
    w.events.append(say.event(f"rs.event.corrected_{c.counter}", "RS-13.3", seat=c.seat, value=c.value))
    return None


def _counted(table: Mapping[str, int], total: int) -> Mapping[str, int]:
    """What Winter counted, once a seat's points are set right: the difference was made in play."""
    play = table.get(winter.PLAY, 0) + total - sum(table.values())
    return {**table, winter.PLAY: play} if play >= 0 else {winter.PLAY: total}


def _token(w: Work, c: SetCounter) -> Refusal | None:
    """A War Province token lies with ``seat`` (1), or does not (0); it lies with one seat at most (RS-1.3)."""
    name = c.counter.removeprefix(HELD)
    if name not in tokens.names(w.facts):
        return _no("RS-1.3", "unknown_token", name=name)
    if c.value not in (0, 1):
        return _no("RS-1.3", "counter_range", name=c.counter, n=1)
    if c.value and not tokens.come(w.facts, w.season, name):
        return _no("RS-8.4", "token_later", season=tokens.parts(name)[0])
    season, place = tokens.parts(name)
    if c.value and tokens.early(w.facts, w, name):
        return _no("RS-8.4", "token_early", place=place)
    for seat in (c.seat,) if c.value == 0 else w.seats:
        tokens.drop(w, seat, name)
    if c.value:
        tokens.add(w, c.seat, name)
    key = "corrected_token" if c.value else "corrected_no_token"
    w.events.append(say.event(f"rs.event.{key}", "RS-1.3", seat=c.seat, place=place, season=season))
    return None


def _ally(w: Work, c: SetCounter) -> Refusal | None:
    """An Alliance made or unmade by the table, as where the Tea Ceremony was held aloud (RS-5.2)."""
    other = c.counter.removeprefix("ally.")
    if other not in w.seats or other == c.seat:
        return _no("RS-5.2", "ally_other")
    if c.value not in (0, 1):
        return _no("RS-5.2", "counter_range", name=c.counter, n=1)
    together = w.allies.get(c.seat) == other
    if c.value == 0:
        if not together:
            return _no("RS-5.2", "not_allies", seat=c.seat, to=other)
        w.allies = {a: b for a, b in w.allies.items() if a not in (c.seat, other)}
        _realigned(w, (c.seat, other))
        w.events.append(say.event("rs.event.corrected_no_ally", "RS-5.2", seat=c.seat, to=other))
        return None
    if c.seat in w.allies or other in w.allies:
        return _no("RS-5.2", "one_ally")
    w.allies = {**w.allies, c.seat: other, other: c.seat}
    _realigned(w, (c.seat, other))
    w.events.append(say.event("rs.event.corrected_ally", "RS-5.2", seat=c.seat, to=other))
    return None


def _realigned(w: Work, both: tuple[Seat, Seat]) -> None:
    """What hung on the Alliance of these two: their words at tea, and the bonus of the Mandate that is performed.

    RS-6.7: the chooser and the chooser's Ally perform it, each in its own place. So who is Ally now has it if it has not performed yet; what was
    done with it before stays done, as after every correction.
    """
    tea.corrected(w, both)
    if w.doing is not None and w.doing.bonus:
        w.doing = replace(w.doing, bonus=turns.bonus(w, w.doing.by))


def _card(w: Work, c: GiveCard) -> Refusal | None:
    """From the display to a seat, else from a seat back to the display. A Monster's figure comes and goes with its card."""
    card = w.facts.cards.get(c.card)
    if card is None:
        return _no("RS-1.4", "unknown_card", name=c.card)
    if c.seat and c.seat not in w.seats:
        return _no("RS-3.1", "not_seated", name=c.seat)
    owner = next((seat for seat in w.seats if c.card in w.cards[seat] and seat != c.seat), "")
    laid = c.card in w.display
    if (not owner and not laid) or (not c.seat and not owner):
        return _no("RS-6T.5", "card_not_there", card=c.card)
    if laid and c.seat:
        left = list(w.display)
        left.remove(c.card)
        w.display = tuple(left)
    else:
        held = list(w.cards[owner])
        held.remove(c.card)
        w.cards = {**w.cards, owner: tuple(held)}
        w.asks = tuple(
            replace(one, n=min(one.n, held.count(c.card))) if (one.seat, one.what) == (owner, c.card) else one
            for one in w.asks
            if (one.seat, one.what) != (owner, c.card) or c.card in held
        )
        if card.monster:
            w.lose_piece(owner, card.monster)
    if c.seat:
        w.cards = {**w.cards, c.seat: (*w.cards[c.seat], c.card)}
        if card.monster:
            w.gain_piece(c.seat, card.monster)
        w.events.append(say.event("rs.event.corrected_card", "RS-6T.5", seat=c.seat, card=c.card))
    else:
        w.display = setup.in_order(w.facts, (*w.display, c.card))
        w.events.append(say.event("rs.event.corrected_display", "RS-6T.5", card=c.card))
    return None


def _step(w: Work, c: SetStep) -> Refusal | None:
    """The track is set; what was being performed is dropped, and tiles nobody named become unknown (RS-6.1)."""
    if c.step not in steps.names(w.facts, len(w.wars)):
        return _no("RS-6.1", "unknown_step", name=c.step)
    if w.owed:
        return _no("RS-4.2", f"owed_{w.owed[0]}")
    if c.step == OVER and w.season != w.facts.seasons[-1]:
        return _no("RS-4.1", "over_season", season=w.facts.seasons[-1])
    mandates = [*(name.startswith("mandate") for name in w.facts.steps), False]
    chosen = len(w.track) - (w.doing is not None and mandates[w.step])
    bids.give_back(w)
    w.battle = None
    w.asks = ()
    if c.step != OVER:  # Winter comes again, and what it gave goes
        for seat, points in w.scored.items():
            w.vp = {**w.vp, seat: points.get(winter.PLAY, 0)}
            w.events.append(say.event("rs.event.corrected_vp", "RS-13.3", seat=seat, value=w.vp[seat]))
        w.scored = {}
    w.tea = Tea() if c.step == steps.TEA else None
    w.step, w.war = steps.find(w.facts, c.step, len(w.wars))
    w.doing = None
    lie = sum(mandates[: w.step])
    w.turn = w.seats[(w.seats.index(w.turn) + lie - chosen) % len(w.seats)]  # the deck passes left with every Mandate (RS-6.2)
    if len(w.track) > lie:
        w.deck = (*(p.tile for p in w.track[lie:]), *w.deck)
        w.track = w.track[:lie]
    else:
        missing = lie - len(w.track)
        w.deck = w.deck[missing:]
        w.track = (*w.track, *(Played(UNKNOWN) for _ in range(missing)))
    _not_yet(w)
    w.events.append(say.event("rs.event.corrected_step", "RS-6.1", name=c.step))
    return None


def _not_yet(w: Work) -> None:
    """What only comes with a War that is to be resolved now is there no more: its tokens (RS-8.4), and before all of them hostages (RS-9.9)."""
    for seat, token in [(seat, token) for seat, mine in w.tokens.items() for token in mine if tokens.early(w.facts, w, token)]:
        season, place = tokens.parts(token)
        tokens.drop(w, seat, token)
        w.events.append(say.event("rs.event.corrected_no_token", "RS-8.4", seat=seat, place=place, season=season))
    if hostages.none_yet(w.facts, w):
        hostages.released(w)


_CORRECT: Mapping[type, Callable[[Work, Any], Refusal | None]] = {MovePiece: _move, SetCounter: _counter, GiveCard: _card, SetStep: _step}
