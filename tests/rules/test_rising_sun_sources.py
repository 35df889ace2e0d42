"""Points by source: read back from what was told, they are the points that everybody has."""

from __future__ import annotations

import random

import msgspec
import pytest
from rs_rig import FACTS, GAME, STARTS
from suite import pick

from companion.rules.game import Applied, Counts, Event, SetCounter
from companion.rules.rising_sun import say, sources
from companion.words import render


def played(seed, commands=10_000):
    """Start, end and everything told of a game by chance; sentences as a journal gives them back."""
    rng = random.Random(seed)
    seats, options = STARTS[seed % len(STARTS)]
    start = s = GAME.start(seats, options)
    told = []
    for _ in range(commands):
        prompts = GAME.prompts(s)
        if not prompts:
            break
        result = GAME.apply(s, pick(prompts, rng))
        assert isinstance(result, Applied)
        s = result.state
        told += msgspec.json.decode(msgspec.json.encode(result.events), type=tuple[Event, ...])
    return start, s, [(event.text, event.clause) for event in told if event.to is None]


@pytest.mark.parametrize("seed", range(12))
def test_every_point_of_a_whole_game_has_its_source(seed):
    start, end, said = played(seed)
    found = sources.points(start.vp, said)
    assert {seat: sum(mine.values()) for seat, mine in found.items()} == dict(end.vp)
    winter = {"tokens", "sets", "loyalty", *FACTS.cards}
    for seat, mine in end.scored.items():
        assert all(found[seat].get(source, 0) >= n for source, n in mine.items() if source in winter)
    table = GAME.sources(start, end, said)
    assert isinstance(GAME, Counts) and table.heads[1:] == tuple(map(say.clan, end.honor))
    assert table.rows[-1][1:] == tuple(end.vp[seat] for seat in end.honor)
    assert sources.name(FACTS, sources.OTHER) not in [row[0] for row in table.rows]
    for lang in ("en", "ru"):
        names = [render(row[0], lang) for row in table.rows]
        assert len(set(names)) == len(names) and not any("rs." in name for name in names)


def test_in_the_middle_of_a_game_it_is_what_was_gained_till_then():
    start, now, said = played(5, 90)
    assert {seat: sum(mine.values()) for seat, mine in sources.points(start.vp, said).items()} == dict(now.vp)


SEATS = {"koi": 0, "lotus": 0}


@pytest.mark.parametrize(
    ("event", "points"),
    [
        (say.harvested("koi", "edo", 2, 1, 0), {"koi": {"harvest": 2}}),
        (say.harvested("koi", "edo", 3, 0, 0), {"koi": {"harvest": 3}}),
        (say.harvested("koi", "edo", 1, 1, 1), {"koi": {"harvest": 1}}),
        (say.harvested("koi", "edo", 0, 2, 0), {}),
        (say.harvested("koi", "edo", 0, 2, 1), {}),
        (say.counted["rs.event.gains_vp", "RS-7.5", "koi", 2], {"koi": {"susanoo": 2}}),
        (say.counted["rs.event.gains_vp", "RS-9.8", "koi", 2], {"koi": {"seppuku": 2}}),
        (say.counted["rs.event.gains_vp", "RS-9.14", "koi", 2], {"koi": {"poets": 2}}),
        (say.counted["rs.event.gains_vp", "RS-99", "koi", 2], {"koi": {"other": 2}}),
        (say.told["rs.event.robbed", "RS-9.9", "lotus"], {"lotus": {"hostage": -1}}),
        (say.counted["rs.event.loyalty", "RS-2.13", "koi", 1], {"koi": {"loyalty": 1}}),
        (say.event("rs.event.card_vp", "RS-2.13", seat="koi", card="su-loyalty", n=1), {"koi": {"loyalty": 1}}),
        (say.event("rs.event.card_vp", "RS-2.18", seat="koi", card="sp-courage", n=2), {"koi": {"sp-courage": 2}}),
        (
            say.event("rs.event.takes_vp", "RS-2.18", seat="koi", victim="lotus", card="au-oni-of-spite", n=2),
            {"koi": {"au-oni-of-spite": 2}, "lotus": {"au-oni-of-spite": -2}},
        ),
        (say.event("rs.event.scores_tokens", "RS-12.3", seat="koi", n=4), {"koi": {"tokens": 4}}),
        (say.event("rs.event.scores_sets", "RS-12.4", seat="koi", n=10), {"koi": {"sets": 10}}),
        (say.done("koi"), {}),
    ],
)
def test_each_sentence_that_gives_points_says_from_what(event, points):
    found = sources.points(SEATS, [(event.text, event.clause)])
    assert found == {seat: points.get(seat, {}) for seat in SEATS}


def test_a_correction_is_a_source_and_so_is_what_a_written_position_began_with():
    start = msgspec.structs.replace(GAME.start(("koi", "lotus", "turtle"), {}), vp={"koi": 5, "lotus": 0, "turtle": 3})
    said, s = [], start
    for n in (9, 4):
        result = GAME.correct(s, SetCounter("koi", "vp", n))
        said += [(event.text, event.clause) for event in result.events]
        s = result.state
    assert sources.points(start.vp, said) == {"koi": {"before": 5, "corrected": -1}, "lotus": {}, "turtle": {"before": 3}}
    rows = [(row[0].key, *row[1:]) for row in GAME.sources(start, s, said).rows]
    assert rows == [("rs.source.before", 5, 0, 3), ("rs.source.corrected", -1, 0, 0), ("rs.final.total", 4, 0, 3)]


def test_what_no_sentence_tells_is_said_to_be_that():
    start = GAME.start(("koi", "lotus", "turtle"), {})
    now = msgspec.structs.replace(start, vp={"koi": 0, "lotus": 2, "turtle": 0})
    rows = [(row[0].key, *row[1:]) for row in GAME.sources(start, now, ()).rows]
    assert rows == [("rs.source.other", 0, 2, 0), ("rs.final.total", 0, 2, 0)]
