"""Why a position set up by hand is impossible (RS-13.3): every reason, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.rules.game import Ruling
from companion.rules.rising_sun import advantages, betray, bids, entering, fox, recruit, reparations, say, tokens, warstart
from companion.rules.rising_sun.facts import Facts
from companion.rules.rising_sun.state import HOSTAGE, RESERVE, STAGES, State


def faults(facts: Facts, s: State) -> tuple[Ruling, ...]:
    return (
        *_seats(facts, s),
        *_pieces(facts, s),
        *_monsters(facts, s),
        *_cards(facts, s),
        *_deck(facts, s),
        *_part(facts, s),
        *_fight(s),
        *_year(facts, s),
    )


def _ruling(clause: str, key: str, **args: int | str) -> Ruling:
    return Ruling(clause, say.text(f"rs.fault.{key}", **args))


def _seats(facts: Facts, s: State) -> Iterator[Ruling]:
    if sorted(s.honor) != sorted(s.seats):
        yield _ruling("RS-2H.1", "honor")
    for a, b in s.allies.items():
        if s.allies.get(b) != a or a == b:
            yield _ruling("RS-5.2", "allies", seat=a)
    for seat in s.seats:
        for counters in (s.coins, s.ronin, s.vp):
            if counters[seat] < 0:
                yield _ruling("RS-13.3", "below_zero", seat=seat)
    if s.wars and len(s.wars) != facts.wars[len(s.seats)]:
        yield _ruling("RS-3.9", "wars", n=facts.wars[len(s.seats)])
    if len(set(s.wars)) < len(s.wars):
        yield _ruling("RS-4.3", "wars_twice")
    if len(set(s.shrines)) < len(s.shrines):
        yield _ruling("RS-3.5", "shrines_twice")


def _pieces(facts: Facts, s: State) -> Iterator[Ruling]:
    for seat in s.seats:
        have: Counter[str] = Counter()
        for place, here in s.pieces[seat].items():
            have.update(here)
            if place.startswith("shrine."):
                for kind in here:
                    if not recruit.worships(facts, kind):
                        yield _ruling("RS-6R.4", "no_worshipper", seat=seat, kind=kind)
            elif place.startswith(HOSTAGE):
                captor = place.removeprefix(HOSTAGE)
                if captor not in s.seats or captor == seat:
                    yield _ruling("RS-9.9", "captor", seat=seat)
                for kind in here:
                    if not advantages.captive(facts, kind):
                        yield _ruling("RS-9.9", "no_captive", seat=seat, kind=kind)
        for kind, n in facts.figures(seat).items():
            if have[kind] != n:
                yield _ruling("RS-13.3", "pieces", seat=seat, kind=kind, n=n, have=have[kind])


def _monsters(facts: Facts, s: State) -> Iterator[Ruling]:
    for monster, card in facts.monsters.items():
        total = 0
        for seat in s.seats:
            n = sum(here.get(monster, 0) for here in s.pieces[seat].values())
            total += n
            if n > s.cards[seat].count(card):
                yield _ruling("RS-6T.3", "monster_without_card", seat=seat, kind=monster, card=card)
        if total > 1:
            yield _ruling("RS-1.3", "monster_twice", kind=monster)


def _cards(facts: Facts, s: State) -> Iterator[Ruling]:
    out = Counter(s.display)
    for cards in s.cards.values():
        out.update(cards)
    for name, n in out.items():
        if n > facts.cards[name].copies:
            yield _ruling("RS-1.4", "card_copies", card=name, n=facts.cards[name].copies)


def _deck(facts: Facts, s: State) -> Iterator[Ruling]:
    if "mandates" not in s.owed and len(s.deck) + len(s.track) != facts.tiles:
        yield _ruling("RS-13.3", "tiles", n=facts.tiles, have=len(s.deck) + len(s.track))
    seen = Counter(s.deck)
    seen.update(p.tile for p in s.track)
    for mandate, datum in facts.mandates.items():
        if seen[mandate] > datum.copies:
            yield _ruling("RS-1.6", "mandate_copies", mandate=mandate, n=datum.copies)
    for p in s.track:
        if p.declared and p.by not in ("lotus", ""):
            yield _ruling("RS-10.2", "face_down", seat=p.by)


def _part(facts: Facts, s: State) -> Iterator[Ruling]:
    """What is said of the part being performed fits the pieces."""
    doing = s.doing
    if doing is None:
        return
    mine = s.pieces[doing.now]
    for place, here in doing.moved.items():
        for kind, n in here.items():
            if n > mine.get(place, {}).get(kind, 0):
                yield _ruling("RS-6M.1", "spent", seat=doing.now, kind=kind, place=place)
    if doing.fresh is not None and doing.fresh[0] not in mine.get(doing.fresh[1], {}):
        yield _ruling("RS-6R.4", "fresh", seat=doing.now, kind=doing.fresh[0], place=doing.fresh[1])
    if doing.fresh is not None and not recruit.worships(facts, doing.fresh[0]):
        yield _ruling("RS-6R.4", "no_worshipper", seat=doing.now, kind=doing.fresh[0])
    if doing.pending and doing.pending not in mine[RESERVE]:
        yield _ruling("RS-6T.3", "pending", seat=doing.now, kind=doing.pending)
    # Strongholds, and the Ally's bonus, may have been corrected away since; but there were never more than the box has, and one bonus.
    most = facts.figures(doing.now)["stronghold"] + 1
    if doing.what == "recruit" and sum(doing.used.values()) > most:
        yield _ruling("RS-6R.1", "summons", seat=doing.now, n=most)
    if doing.what == "betray" and (min(betray.remaining(facts, s, doing)) < 0 or doing.now in doing.used):
        yield _ruling("RS-6B.2", "victims", seat=doing.now)


def _fight(s: State) -> Iterator[Ruling]:
    """What is said of the Battle could have come about, and somebody can answer its question."""
    fight = s.battle
    if fight is None:
        return
    if s.doing is not None or s.owed:
        yield _ruling("RS-8.3", "battle_alone")
    at = STAGES.index(fight.stage)
    if at == 0:
        for seat, coins in fight.bids.items():
            if sum(coins) > s.coins[seat]:
                yield _ruling("RS-9.3", "bid_too_much", seat=seat)
        if bids.complete(fight):
            yield _ruling("RS-9.4", "all_have_bid")
        return
    if not bids.complete(fight):
        yield _ruling("RS-9.4", "bids_missing")
        return
    asked = {"seppuku": "seppuku", "hostage": "hostage", "hire": "ronin"}.get(fight.stage)
    if asked is not None and not bids.best(s, fight, asked):
        yield _ruling("RS-9.7", "nobody_asked")
    if (at >= STAGES.index("spare")) != (fight.winner in fight.seats):
        yield _ruling("RS-9.11", "battle_winner")
    elif fight.stage == "odd" and (reparations.odd(fight) <= 0 or not set(fight.odd) <= set(reparations.losers(fight))):
        yield _ruling("RS-9.15", "no_odd")
    for seat in (*fight.taken, *fight.odd, *filter(None, (fight.hired,))):
        if seat not in fight.seats:
            yield _ruling("RS-8.6", "not_in_battle", seat=seat)


def _ended(facts: Facts, s: State) -> Iterator[Ruling]:
    """The game is over after the last Season only, and what Winter has counted is what everybody has."""
    over = s.step >= len(facts.steps)
    if over and s.season != facts.seasons[-1]:
        yield _ruling("RS-4.1", "over_season")
    if s.scored and not over:
        yield _ruling("RS-12.1", "scored_early")
    for seat in s.seats if s.scored and over else ():
        have = sum(s.scored.get(seat, {}).values())
        if have != s.vp[seat]:
            yield _ruling("RS-12.1", "scored", seat=seat, n=s.vp[seat], have=have)


def _year(facts: Facts, s: State) -> Iterator[Ruling]:
    """Tokens, the Tea Ceremony and what cards ask."""
    held = Counter(token for mine in s.tokens.values() for token in mine)
    if any(n > 1 for n in held.values()):
        yield _ruling("RS-1.3", "token_twice")
    yet = facts.seasons[: facts.seasons.index(s.season) + 1]
    for seat in s.seats:
        if not all(tokens.come(facts, s.season, token) for token in s.tokens.get(seat, ())):
            yield _ruling("RS-8.4", "token_later", seat=seat)
        if any(season not in yet for season in s.allied.get(seat, ())):
            yield _ruling("RS-12.7", "allied_later", seat=seat)
    yield from _ended(facts, s)
    if s.tea is not None:
        if any(seat in s.tea.done for pair in s.tea.offers for seat in pair):
            yield _ruling("RS-5.2", "tea_content")
        if s.step or s.doing is not None or s.owed or s.track:
            yield _ruling("RS-4.1", "tea_step")
        for pair in (*s.tea.offers, *s.tea.declined):
            if any(seat in s.allies for seat in pair):
                yield _ruling("RS-5.2", "tea_offer")
    for one in s.asks:
        if one.what in {warstart.ORDER, warstart.ACTS, fox.WILY}:
            begins = s.step == len(facts.steps) - 1 and not s.war and s.battle is None
            if not begins or warstart.idle(facts, s, one):
                yield _ruling("RS-8.1", "ask_war", seat=one.seat)
        elif one.what not in s.cards[one.seat] or (one.what == entering.HATE and not {one.victim} <= s.pieces.keys()):
            yield _ruling("RS-2.18", "ask", seat=one.seat)
    if s.doing is not None and s.doing.stage and not s.asks:
        yield _ruling("RS-2.18", "stage")
