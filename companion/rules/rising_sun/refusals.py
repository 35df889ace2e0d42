"""Why not: the most fitting clause and one plain sentence for a command that is not among the choices.

Here: explanations only, slow and careful. What is lawful is decided by the choices alone; nothing here lets a command through.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.game import CHANCE, TABLE, Kind, Place, Prompt, Refusal, Seat
from companion.rules.rising_sun import asks, betray, deck, kami, marshal, recruit, say, train, turns, war, war_refusals, year_refusals
from companion.rules.rising_sun.commands import (
    Accept,
    Build,
    Buy,
    Choose,
    Command,
    Decline,
    Done,
    Give,
    Move,
    Offer,
    Pardon,
    Replace,
    Shuffle,
    Spare,
    Summon,
    Worship,
)
from companion.rules.rising_sun.facts import CLAN_KINDS, Facts
from companion.rules.rising_sun.state import RESERVE, UNKNOWN, Doing, State
from companion.rules.view import Text

LAWFUL = 8
"""How many lawful choices a refusal names."""

Why = tuple[str, Text]
"""clause and sentence"""


def explain(facts: Facts, s: State, command: Command, prompts: tuple[Prompt[Command], ...]) -> Refusal:
    """The refusal of a command that none of ``prompts`` offers."""
    clause, text = _why(facts, s, command, prompts)
    own = next((p for p in prompts if p.seat == command.seat and not p.optional), None)
    return Refusal(clause, text, tuple(choice.text for choice in own.choices[:LAWFUL]) if own else ())


def _no(clause: str, key: str, **args: int | str) -> Why:
    return clause, say.spoken(f"rs.no.{key}", **args)


def _why(facts: Facts, s: State, command: Command, prompts: tuple[Prompt[Command], ...]) -> Why:
    if not prompts:
        return _no("RS-12.5", "over")
    seat = command.seat
    if isinstance(command, Shuffle):
        if seat != CHANCE:
            return _no("RS-3.7", "not_chance")
        return _no(prompts[0].clause, "shuffle_order") if s.owed and command.what == s.owed[0] else _no("RS-3.7", "no_shuffle")
    if isinstance(command, (Offer, Accept, Decline)):
        return year_refusals.tea(s, command)
    if s.owed:
        return prompts[0].clause, say.text(f"rs.no.owed_{s.owed[0]}")
    going_on = seat == TABLE and isinstance(command, Done)
    if (seat in s.seats or going_on) and (why := year_refusals.first(s, command)) is not None:
        return why
    if going_on and s.battle is not None:
        return war_refusals.busy(s)
    if isinstance(command, (*asks.COMMANDS, Pardon)) and not (isinstance(command, Spare) and s.battle is not None) and seat in s.seats:
        return year_refusals.card(command)
    if type(command) in war_refusals.SAID and seat in (*s.seats, TABLE):
        return war_refusals.why(facts, s, command)
    if seat in (CHANCE, TABLE):
        return _no("RS-6.5", "not_the_table")
    if seat not in s.seats:
        return _no("RS-3.1", "not_seated", name=seat)
    return _REASONS[type(command)](facts, s, command)


# ------------------------------------------------------------------ whose turn


def _timing(
    facts: Facts, s: State, seat: Seat, whats: tuple[str, ...], *, after: Callable[[bool], Why], never: Why
) -> tuple[Doing | None, Why | None]:
    """The part ``seat`` performs now, or why it performs none of ``whats``.

    ``after`` says why not once it has performed (its argument: it had the bonus); ``never``: nothing of the kind is going on.
    """
    doing = s.doing
    if doing is not None and doing.what in whats:
        if doing.now == seat:
            return doing, None
        if seat in doing.left:
            return None, _no("RS-6.5", "not_yet", seat=doing.now)
        if doing.what in facts.kami:
            return None, _no("RS-7.2", "not_blessed", seat=doing.now, kami=doing.what)
        return None, after(seat in doing.bonus)
    if doing is None and s.track and s.track[-1].mandate in whats and s.track[-1].by:
        # The Mandate has just ended: who asks for more than it gave is told so.
        return None, after(seat in turns.bonus(s, s.track[-1].by))
    return None, never


def _here(s: State, seat: Seat, place: Place, kind: Kind) -> int:
    return s.pieces[seat].get(place, {}).get(kind, 0)


# ------------------------------------------------------------------ the Mandate Turn


def _choose(facts: Facts, s: State, c: Choose) -> Why:
    name = turns.step_name(facts, s)
    if name.startswith("war"):
        return war_refusals.busy(s)
    if name.startswith("kami"):
        return _no("RS-6.8", "kami_first")
    if s.doing is not None:
        return _no("RS-6.3", "performing", mandate=s.doing.what)
    if c.seat != s.turn:
        return _no("RS-6.2", "not_your_mandate_turn", seat=s.turn)
    if c.seat == "lotus" and not c.declared:
        return _no("RS-10.2", "lotus_declares")
    if c.seat != "lotus" and c.declared:
        return _no("RS-10.2", "only_lotus_declares")
    if c.declared and c.declared not in facts.mandates:
        return _no("RS-10.2", "unknown_mandate", name=c.declared)
    if c.mandate not in facts.mandates and c.mandate != UNKNOWN:
        return _no("RS-1.6", "unknown_mandate", name=c.mandate)
    if UNKNOWN in deck.drawn(facts, s):
        if c.seat == "lotus" and s.options["mandates"] == "cardboard":
            return _no("RS-10.2", "lotus_unknown")
        if c.mandate == UNKNOWN:
            return _no("RS-6.3", "name_the_face")
        return _no("RS-1.6", "no_copy_left", mandate=c.mandate, n=facts.mandates[c.mandate].copies)
    return _no("RS-6.3", "not_drawn", mandate=c.mandate)


# ------------------------------------------------------------------ Summons


def _summon(facts: Facts, s: State, c: Summon) -> Why:
    def after(bonus: bool) -> Why:
        if not recruit.strongholds(s, c.seat):
            return _no("RS-6R.5", "no_stronghold")
        return _no("RS-6R.1", "no_summon_left") if bonus else _no("RS-6.7", "no_bonus_summon")

    whats = ("recruit", "raijin") if s.doing is None or s.doing.what not in ("train", "ryujin") else ("train", "ryujin")
    doing, why = _timing(facts, s, c.seat, whats, after=after, never=_no("RS-6R.1", "no_recruit"))
    if why is not None or doing is None:
        return why or after(False)
    if whats == ("train", "ryujin"):
        if not doing.pending:
            return _no("RS-6T.3", "buy_first")
        if c.kind != doing.pending:
            return _no("RS-6T.3", "only_the_bought", kind=doing.pending)
        return (
            _no("RS-6T.3", "no_stronghold_there_monster", name=c.place)
            if c.place not in facts.provinces
            else _no("RS-6T.3", "no_stronghold_for_monster", place=c.place, kind=c.kind)
        )
    if doing.what == "raijin" and c.kind != "bushi":
        return _no("RS-7.5", "raijin_bushi")
    if c.kind == "stronghold":
        return _no("RS-2.1", "stronghold_no_figure")
    if _here(s, c.seat, RESERVE, c.kind) == 0:
        return _no("RS-6R.3", "none_in_reserve", kind=c.kind) if _is_kind(facts, c.kind) else _no("RS-6R.3", "unknown_kind", name=c.kind)
    if c.place not in facts.provinces:
        return _no("RS-2.7", "not_a_province", name=c.place)
    if doing.what == "raijin":
        return _no("RS-7.5", "raijin_done")
    return _no_room(facts, s, doing, c, after)


def _no_room(facts: Facts, s: State, doing: Doing, c: Summon, after: Callable[[bool], Why]) -> Why:
    if recruit.room(facts, s, doing)[1] <= 0:
        return after(c.seat in doing.bonus)
    if c.place not in recruit.strongholds(s, c.seat):
        return _no("RS-6R.1", "no_stronghold_there", place=c.place)
    return _no("RS-6R.1", "stronghold_used", place=c.place)


def _is_kind(facts: Facts, kind: Kind) -> bool:
    return kind in CLAN_KINDS or kind in facts.monsters


def _worship(facts: Facts, s: State, c: Worship) -> Why:
    doing = s.doing
    if doing is None or doing.now != c.seat or doing.fresh is None:
        return _no("RS-6R.4", "worship_only_when_summoned")
    return _no("RS-3.5", "no_such_shrine", name=c.kami) if c.kami not in facts.kami else _no("RS-3.5", "kami_not_in_game", kami=c.kami)


# ------------------------------------------------------------------ Marshal and Fujin


def _move(facts: Facts, s: State, c: Move) -> Why:
    doing, why = _timing(
        facts, s, c.seat, ("marshal", "fujin"), after=lambda _: _no("RS-6M.1", "marshal_over"), never=_no("RS-6M.1", "no_marshal")
    )
    if why is not None or doing is None:
        return why or _no("RS-6M.1", "no_marshal")
    if not _is_kind(facts, c.kind):
        return _no("RS-2.1", "unknown_kind", name=c.kind)
    if c.kind == "stronghold" and c.seat != "turtle":
        return _no("RS-10.4", "strongholds_stay")
    if c.frm.startswith("shrine.") or c.to.startswith("shrine."):
        return _no("RS-2.6", "shrine_not_on_map")
    for place in (c.frm, c.to):
        if place not in facts.provinces:
            return _no("RS-2.9", "not_a_province", name=place)
    if _here(s, c.seat, c.frm, c.kind) == 0:
        return _no("RS-6M.1", "none_there", kind=c.kind, place=c.frm)
    if doing.what == "marshal" and doing.moved.get(c.frm, {}).get(c.kind, 0) >= _here(s, c.seat, c.frm, c.kind):
        return _no("RS-6M.1", "moved_already", kind=c.kind, place=c.frm)
    if c.frm == c.to:
        return _no("RS-2.9", "stays", place=c.frm)
    if doing.what == "fujin" and doing.used.get(marshal.MOVE, 0) >= facts.kami["fujin"].amount:
        return _no("RS-7.5", "fujin_over")
    if c.to in marshal.reach(facts, c.seat, c.frm):
        return year_refusals.toll(s, doing)
    return _no("RS-2.9", "not_adjacent", frm=c.frm, place=c.to)


def _build(facts: Facts, s: State, c: Build) -> Why:
    def after(bonus: bool) -> Why:
        return _no("RS-6M.2", "marshal_over") if bonus else _no("RS-6.7", "no_bonus_build")

    if s.doing is not None and s.doing.what == "marshal" and c.seat not in s.doing.bonus:
        return after(False)
    doing, why = _timing(facts, s, c.seat, ("marshal",), after=after, never=_no("RS-6M.2", "no_marshal_build"))
    if why is not None or doing is None:
        return why or after(True)
    if marshal.BUILD in doing.used:
        return _no("RS-6M.2", "built_already")
    if _here(s, c.seat, RESERVE, "stronghold") == 0:
        return _no("RS-6M.2", "no_stronghold_in_reserve")
    cost = marshal.price(facts, c.seat)
    if s.coins[c.seat] < cost:
        return _no("RS-6M.2", "stronghold_costs", n=cost)
    return _no("RS-6M.2", "not_a_province", name=c.place)


# ------------------------------------------------------------------ Train and Ryujin


def _buy(facts: Facts, s: State, c: Buy) -> Why:
    if c.card not in facts.cards:
        return _no("RS-1.4", "unknown_card", name=c.card)
    doing, why = _timing(
        facts, s, c.seat, ("train", "ryujin"), after=lambda _: _no("RS-6T.2", "train_over"), never=_no("RS-6T.1", "no_train")
    )
    if why is not None or doing is None:
        return why or _no("RS-6T.1", "no_train")
    if doing.pending:
        return _no("RS-6T.3", "summon_first", kind=doing.pending)
    if train.BUY in doing.used:
        return _no("RS-7.5" if doing.what == "ryujin" else "RS-6T.2", "one_card")
    if c.card not in s.display:
        return _no("RS-6T.5", "not_on_display", card=c.card)
    cost = train.price(facts, doing, c.seat, c.card)
    if s.coins[c.seat] < cost:
        return _no("RS-7.5" if doing.what == "ryujin" else "RS-6T.1", "card_costs", card=c.card, n=cost)
    return _no("RS-6T.4", "monster_needs_stronghold")


# ------------------------------------------------------------------ Betray


def _replace(facts: Facts, s: State, c: Replace) -> Why:
    def after(_: bool) -> Why:
        if c.seat != s.track[-1].by:
            return _no("RS-6.7", "only_the_betrayer", seat=s.track[-1].by)
        return _no_swap(facts, s, c) or _no("RS-6B.2", "two_victims", most=facts.values.betray_victims)

    doing, why = _timing(facts, s, c.seat, ("betray",), after=after, never=_no("RS-6B.2", "no_betray"))
    if why is not None or doing is None:
        return why or _no("RS-6B.2", "no_betray")
    if betray.remaining(facts, s, doing)[1] > 0:  # Path of the Unrighteous
        return _no_swap(facts, s, c, worshippers=True) or _no("RS-6B.2", "two_victims", most=facts.values.betray_victims)
    return _no_swap(facts, s, c, betray.victims(doing)) or _no("RS-6B.2", "two_victims", most=facts.values.betray_victims)


def _no_swap(facts: Facts, s: State, c: Replace, victims: tuple[str, ...] = (), *, worshippers: bool = False) -> Why | None:
    """What is wrong with this exchange, whoever asks for it when."""
    for kind in (c.kind, c.by):
        if not _is_kind(facts, kind):
            return _no("RS-6B.3", "unknown_kind", name=kind)
    if c.kind == "stronghold":
        return _no("RS-6B.7", "stronghold_not_replaced")
    if c.kind == "daimyo":
        return _no("RS-6B.3", "daimyo_immune")
    if not betray.types(facts, c.kind):
        return _no("RS-2.15", "counts_as_daimyo", kind=c.kind)
    if c.victim not in s.seats or c.victim == c.seat:
        return _no("RS-6B.2", "other_player")
    if c.victim in victims:
        return _no("RS-6B.2", "victim_twice", victim=c.victim)
    shrine = c.place.startswith("shrine.")
    if shrine and not worshippers:
        return _no("RS-6B.5", "shrine_not_betrayed")
    if shrine and not recruit.worships(facts, c.by):
        return _no("RS-6B.3", "not_on_that_shrine")
    if c.place not in facts.provinces and not (shrine and c.place in kami.SHRINES):
        return _no("RS-6B.2", "not_a_province", name=c.place)
    if _here(s, c.victim, c.place, c.kind) == 0:
        return _no("RS-6B.2", "victim_not_there", victim=c.victim, kind=c.kind, place=c.place)
    if not betray.fits(facts, c.kind, c.by):
        return _no("RS-6B.3", "other_type", kind=c.kind, by=c.by)
    return _no("RS-6B.3", "none_to_replace", kind=c.by) if _here(s, c.seat, RESERVE, c.by) == 0 else None


# ------------------------------------------------------------------ gifts and done


def _give(facts: Facts, s: State, c: Give) -> Why:
    if turns.step_name(facts, s).startswith("war") and not war.waits(s):
        return _no("RS-8.2", "no_gifts_in_war")
    if c.to == c.seat or c.to not in s.seats:
        return _no("RS-2N.3", "gift_to_other")
    for sort in c.amounts:
        if sort not in ("coins", "ronin"):
            return _no("RS-2N.3", "gift_sort")
    coins, ronin = c.amounts.get("coins", 0), c.amounts.get("ronin", 0)
    if coins < 0 or ronin < 0 or coins + ronin == 0:
        return _no("RS-2N.3", "gift_nothing")
    return "RS-2N.3", Text("rs.no.gift_too_much", {"have": say.purse(s.coins[c.seat], s.ronin[c.seat])})


def _done(facts: Facts, s: State, c: Done) -> Why:
    doing = s.doing
    name = turns.step_name(facts, s)
    if doing is None:
        if name.startswith("war"):
            return war_refusals.busy(s)
        if name.startswith("kami"):
            return _no("RS-7.1", "kami_first")
        return _no("RS-6.3", "choose_first", seat=s.turn)
    if doing.now == c.seat:
        return _no("RS-6T.3", "summon_first", kind=doing.pending)
    return (
        _no("RS-6.5", "not_yet", seat=doing.now)
        if doing.what in facts.mandates
        else _no("RS-7.2", "not_blessed", seat=doing.now, kami=doing.what)
    )


_REASONS: Mapping[type, Callable[[Facts, State, Any], Why]] = {
    Choose: _choose,
    Summon: _summon,
    Worship: _worship,
    Move: _move,
    Build: _build,
    Buy: _buy,
    Replace: _replace,
    Give: _give,
    Done: _done,
}
