"""The Tea Ceremony: who becomes whose Ally this Season (RS-5).

Everybody unallied is asked at once: offer an Alliance, answer an offer, or be content. Offers may be taken back by declining them oneself. It ends
when everybody is allied or content; an offer to somebody content asks that seat again.

RS-5.2 lets *any two willing* players become Allies, so no word shuts a pair (docs/adr/0013): who declines an offer, or is content while one is open,
says no to that offer alone. It is not made again by the same seat, so that nobody is asked without end, but who has said no may offer in turn as
long as the ceremony lasts, content or not; and where that is declined, the first may offer again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.rules.game import TABLE, Choice, Prompt, Seat
from companion.rules.rising_sun import say
from companion.rules.rising_sun.commands import Accept, Command, Decline, Done, Offer
from companion.rules.rising_sun.kept import MOST, keep
from companion.rules.rising_sun.state import Here, Tea, Work

Pairs = tuple[tuple[Seat, Seat], ...]
NOBODY: tuple[Seat, ...] = ()


def remember(w: Work, seats: Iterable[Seat]) -> None:
    """These seats have had an Alliance this Season, even if it ends now (RS-12.7)."""
    allied = dict(w.allied)
    for seat in seats:
        before = allied.get(seat, ())
        if w.season not in before:
            allied[seat] = tuple(season for season in w.facts.seasons if season in {*before, w.season})
    w.allied = allied


def seasons(s: Here, seat: Seat) -> tuple[str, ...]:
    """Seasons in which a seat has had an Alliance, this one included."""
    before = s.allied.get(seat, ())
    return (*before, s.season) if seat in s.allies and s.season not in before else before


def begin(w: Work) -> None:
    """All old Alliances end (RS-5.1), and everybody is asked. In the first Season Alliances agreed at set-up are the ceremony's outcome."""
    if w.allies and w.season == w.facts.seasons[0]:
        return
    if w.allies:
        w.allies = {}
        w.events.append(say.event("rs.event.alliances_end", "RS-5.1"))
    w.tea = Tea()
    w.events.append(say.event("rs.event.tea", "RS-5.2"))


def _free(s: Here) -> tuple[Seat, ...]:
    """Those without an Ally."""
    allies = s.allies
    return tuple([seat for seat in s.seats if seat not in allies]) if allies else s.seats


def over(w: Work) -> bool:
    """The ceremony has ended, and is put away."""
    tea = w.tea
    assert tea is not None
    free = _free(w)
    if len(free) > 1:
        done = tea.done
        for seat in free:
            if seat not in done:
                return False
    w.tea = None
    w.events.append(say.event("rs.event.tea_over", "RS-5.2"))
    return True


@keep
def _prompt(seat: Seat, others: tuple[Seat, ...], offered: tuple[Seat, ...], got: tuple[Seat, ...]) -> Prompt[Command]:
    """``others`` may be offered an Alliance, ``offered`` have been, of ``got`` there are offers."""
    choices = [_said[how, seat, other] for other in got for how in ("rs.choice.accept", "rs.choice.decline")]
    choices += [_said["rs.choice.offer", seat, other] for other in others]
    choices += [_said["rs.choice.take_back", seat, other] for other in offered]
    choices.append(_content(seat, len(got)))
    return Prompt(seat, say.text("rs.prompt.tea_answer" if got else "rs.prompt.tea"), "RS-5.2", tuple(choices))


_SAID: Mapping[str, type[Accept | Decline | Offer]] = {
    "rs.choice.accept": Accept,
    "rs.choice.decline": Decline,
    "rs.choice.offer": Offer,
    "rs.choice.take_back": Decline,
}


@keep
def _again(free: tuple[Seat, ...], seat: Seat, refused: tuple[Seat, ...]) -> Prompt[Command] | None:
    """Who is content may change its mind; None: whom it could offer anything has declined."""
    choices = tuple([_said["rs.choice.offer", seat, other] for other in free if other != seat and other not in refused])
    return Prompt(seat, say.text("rs.prompt.tea_again"), "RS-5.2", choices, optional=True) if choices else None


@keep
def _said(how: str, seat: Seat, other: Seat) -> Choice[Command]:
    return Choice(_SAID[how](seat, other), say.text(how, to=other), mark=f"clan/{other}")


@lru_cache(MOST)
def _content(seat: Seat, declines: int) -> Choice[Command]:
    detail = say.text("rs.detail.tea_declines", n=declines) if declines else say.text("rs.detail.tea_done")
    return Choice(Done(seat), say.text("rs.choice.tea_done"), detail=detail, mark="ui/ok")


def refused_by(declined: Pairs, seat: Seat) -> tuple[Seat, ...]:
    """Who has declined an offer of this seat, and has not been declined by it since."""
    refused: dict[Seat, bool] = {}
    for frm, to in declined:
        if frm == seat:
            refused[to] = True
        elif to == seat:
            refused.pop(frm, None)
    return tuple(refused)


def ask(s: Here) -> tuple[Prompt[Command], ...]:
    """One question each for all who are not content, in the order of seats; those who are may still offer."""
    tea = s.tea
    assert tea is not None
    free, done, offers, declined = _free(s), tea.done, tea.offers, tea.declined
    if len(free) < 2:
        return (_nobody(),)
    found, may = [], []
    for seat in free:
        refused = refused_by(declined, seat) if declined else NOBODY
        if seat in done:
            again = _again[free, seat, refused]
            if again is not None:
                may.append(again)
            continue
        offered = got = NOBODY
        for frm, to in offers:
            if frm == seat:
                offered += (to,)
            elif to == seat:
                got += (frm,)
        found.append(_asked[free, seat, offered, got, refused])
    return (*found, *may) if found else (_nobody(),)


@keep
def _asked(
    free: tuple[Seat, ...], seat: Seat, offered: tuple[Seat, ...], got: tuple[Seat, ...], refused: tuple[Seat, ...]
) -> Prompt[Command]:
    """The question to one of ``free``, those without an Ally; ``refused`` have declined an offer of this seat."""
    shut = (seat, *offered, *got, *refused)
    return _prompt[seat, tuple([other for other in free if other not in shut]), offered, got]


@lru_cache(1)
def _nobody() -> Prompt[Command]:
    """A correction or a written position can leave nobody to ask: the table goes on."""
    choice: Choice[Command] = Choice(Done(TABLE), say.text("rs.choice.tea_over"), mark="ui/turn")
    return Prompt(TABLE, say.text("rs.prompt.tea_over"), "RS-5.2", (choice,))


def offer(w: Work, command: Offer) -> None:
    """An offer to somebody who was content asks that seat again; who was content and offers is so no more."""
    tea = w.tea
    assert tea is not None
    done = tuple(seat for seat in tea.done if seat not in (command.seat, command.to))
    w.tea = Tea((*tea.offers, (command.seat, command.to)), tea.declined, done)
    w.events.append(say.paired["rs.event.offers", "RS-5.2", command.seat, command.to])


def accept(w: Work, command: Accept) -> None:
    """Two become Allies; all other offers of and to them are void."""
    tea = w.tea
    assert tea is not None
    both = (command.seat, command.to)
    w.allies = {**w.allies, command.seat: command.to, command.to: command.seat}
    w.tea = Tea(_without(tea.offers, both), _without(tea.declined, both), tuple(seat for seat in tea.done if seat not in both))
    w.events.append(say.paired["rs.event.allies", "RS-5.2", command.to, command.seat])


def _without(pairs: Pairs, seats: tuple[Seat, ...]) -> Pairs:
    return tuple([pair for pair in pairs if pair[0] not in seats and pair[1] not in seats])


def corrected(w: Work, seats: tuple[Seat, Seat]) -> None:
    """The table has made or unmade an Alliance while the ceremony lasts: what these two have said is void."""
    if w.tea is not None:
        done = tuple(seat for seat in w.tea.done if seat not in seats)
        w.tea = Tea(_without(w.tea.offers, seats), _without(w.tea.declined, seats), done)


def decline(w: Work, command: Decline) -> None:
    """An offer got is turned down, and not made again by the same seat until the other has offered; an offer made is taken back."""
    tea = w.tea
    assert tea is not None
    got = (command.to, command.seat)
    if got in tea.offers:
        w.tea = Tea(tuple(pair for pair in tea.offers if pair != got), _last(tea.declined, (got,)), tea.done)
        w.events.append(say.paired["rs.event.declines", "RS-5.2", command.seat, command.to])
    else:
        w.tea = Tea(tuple(pair for pair in tea.offers if pair != (command.seat, command.to)), tea.declined, tea.done)
        w.events.append(say.paired["rs.event.takes_back", "RS-5.2", command.seat, command.to])


def _last(declined: Pairs, now: Pairs) -> Pairs:
    """What is declined now stands behind what was declined before: of a pair the last word counts."""
    return (*[pair for pair in declined if pair not in now], *now)


def content(w: Work, command: Done) -> None:
    """A seat wants nothing more of it: it declines the offers it got, and takes back those it made."""
    tea = w.tea
    assert tea is not None
    if command.seat == TABLE:
        return
    seat = command.seat
    declined = tuple([pair for pair in tea.offers if pair[1] == seat])
    for frm, to in tea.offers:
        if to == seat:
            w.events.append(say.paired["rs.event.declines", "RS-5.2", seat, frm])
        elif frm == seat:
            w.events.append(say.paired["rs.event.takes_back", "RS-5.2", seat, to])
    left = tuple([pair for pair in tea.offers if seat not in pair])
    w.tea = Tea(left, _last(tea.declined, declined), (*tea.done, seat))
    w.events.append(say.told["rs.event.tea_done", "RS-5.2", seat])
