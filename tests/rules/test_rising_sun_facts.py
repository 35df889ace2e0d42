"""Facts: the box as data, every datum with its source; a fault is named with file, key and fix, and all of them at once."""

from __future__ import annotations

import copy
import re
import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rs_rig import FACTS, attempt, tables

from companion.rules.game import Applied
from companion.rules.rising_sun import setup
from companion.rules.rising_sun.commands import Done
from companion.rules.rising_sun.facts import Facts, FactsError, parse
from companion.rules.rising_sun.game import RisingSun

BOX = tables()
DATA = {stem: table for stem, table in BOX.items() if stem not in ("board", "clauses")}
CONFIDENCES = {"high", "medium", "low"}


def changed(path, value):
    """The box with one value replaced (or, with ``...``, removed)."""
    data = copy.deepcopy(DATA)
    *way, last = path
    place = data
    for key in way:
        place = place[key]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return data


def faults(path, value):
    with pytest.raises(FactsError) as caught:
        parse(changed(path, value))
    return [(f.file, f.key) for f in caught.value.faults]


def test_the_box_is_whole():
    assert FACTS.tiles == 10
    assert FACTS.order == ("koi", "lotus", "turtle", "dragonfly", "fox", "bonsai")
    assert {s: sum(c.copies for c in FACTS.cards.values() if c.season == s and "core" in c.sets) for s in FACTS.seasons} == dict.fromkeys(
        FACTS.seasons, 7
    )
    for one in FACTS.sets:
        assert {s: sum(c.copies for c in FACTS.cards.values() if c.season == s and one in c.sets) for s in FACTS.seasons} == dict.fromkeys(
            FACTS.seasons, 5
        )
    assert len(FACTS.monsters) == 8
    assert FACTS.steps[-1] == "war"
    assert FACTS.steps.count("kami 3") == 1
    assert FACTS.near["kansai"] == ("hokkaido", "kyoto", "nagato", "shikoku", "kyushu")


@pytest.mark.parametrize("stem", sorted(DATA))
def test_every_datum_has_a_source_and_a_confidence(stem):
    for key, entry in BOX[stem].items():
        assert entry["source"], key
        assert entry["confidence"] in CONFIDENCES, key
        assert all(v in CONFIDENCES for k, v in entry.items() if k.endswith("_confidence")), key


def test_the_drawing_knows_the_same_places():
    board = BOX["board"]
    assert set(board["zone"]) == set(FACTS.provinces)
    drawn = {frozenset(e["between"]) for sort in ("border", "route") for e in board[sort]}
    assert drawn == {frozenset((p, q)) for p in FACTS.provinces for q in FACTS.near[p]}
    for p in FACTS.provinces:
        pay = FACTS.harvest[p]
        assert board["zone"][p]["reward"] == {"vp": pay.vp, "coins": pay.coins, "ronin": pay.ronin}


def test_every_clause_the_rules_cite_has_words_in_both_languages():
    clauses = tomllib.loads((files("companion.rules.rising_sun") / "data" / "clauses.toml").read_text("utf-8"))
    source = "".join(f.read_text("utf-8") for f in files("companion.rules.rising_sun").iterdir() if f.name.endswith(".py"))
    cited = set(_clauses(source))
    assert cited <= set(clauses), cited - set(clauses)
    for clause in clauses.values():
        assert set(clause) == {"en", "ru"}
        assert all(text.endswith(".") for text in clause.values())


def _clauses(source):
    return re.findall(r"\bRS-\d+[A-Z]?\.\d+", source)


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (("provinces",), ..., ("provinces", "*")),
        (("provinces", "edo", "harvest", "vp"), "many", ("provinces", "edo.harvest")),
        (("provinces", "edo", "harvest"), ..., ("provinces", "edo.harvest")),
        (("provinces", "atlantis"), {"harvest": {"vp": 1, "coins": 1, "ronin": 1}}, ("provinces", "atlantis")),
        (("provinces", "edo"), 3, ("provinces", "edo")),
        (("edges", "land", "pairs"), [["edo", "atlantis"]], ("edges", "land.pairs")),
        (("edges", "land", "pairs"), [["edo", "edo"]], ("edges", "land.pairs")),
        (("edges", "sea"), ..., ("edges", "sea")),
        (("clans", "koi", "home"), "atlantis", ("clans", "koi.home")),
        (("clans", "koi", "income"), -1, ("clans", "koi.income")),
        (("clans", "koi", "starts"), {"daimyo": 1, "bushi": 7, "stronghold": 1}, ("clans", "koi.starts.bushi")),
        (("clans", "koi", "rank"), 3, ("clans", "*.rank")),
        (("clans", "koi", "colour"), "blue", ("clans", "koi.colour")),
        (("clans", "koi"), ..., ("clans", "koi")),
        (("kami", "fujin", "amount"), 99, ("kami", "fujin.amount")),
        (("kami", "odin"), {"amount": 1, "optional": False}, ("kami", "odin")),
        (("kami", "hachiman", "optional"), True, ("kami", "hachiman.optional")),
        (("mandates", "train"), ..., ("mandates", "train")),
        (("mandates", "train", "copies"), 1, ("mandates", "*.copies")),
        (("mandates", "train", "first"), "nobody", ("mandates", "train.first")),
        (("track", "track", "steps"), ["mandate", "kami"], ("track", "track.steps")),
        (("track", "shrines"), ..., ("track", "shrines")),
        (("track", "weather"), {"sun": 1}, ("track", "weather")),
        (("values", "harvest_coin", "value"), 1.5, ("values", "harvest_coin.value")),
        (("seasons", "played", "order"), [], ("seasons", "played.order")),
        (("seasons", "sets", "names"), [], ("seasons", "sets.names")),
        (("seasons", "wars", "players_4"), 9, ("seasons", "wars.players_4")),
        (("cards", "sp-komainu", "sets"), ["attic"], ("cards", "sp-komainu.sets")),
        (("cards", "sp-komainu", "monster"), "", ("cards", "sp-komainu.monster")),
        (("cards", "sp-komainu", "monster"), "bushi", ("cards", "sp-komainu.monster")),
        (("wishes",), {}, ("wishes", "*")),
    ],
)
def test_a_fault_is_named_with_file_and_key(path, value, expected):
    assert expected in faults(path, value)


def test_every_fault_is_named_at_once_each_with_a_fix():
    data = changed(("clans", "koi", "income"), "lots")
    data["clans"]["koi"]["home"] = 7
    del data["kami"]["fujin"]["amount"]
    with pytest.raises(FactsError) as caught:
        parse(data)
    assert len(caught.value.faults) == 3
    assert all(f.fix for f in caught.value.faults)
    assert "clans.toml, koi.income: " in str(caught.value)


def test_an_owner_may_play_a_deck_of_recruit_and_harvest():
    data = copy.deepcopy(BOX)
    for mandate in data["mandates"]:
        data["mandates"][mandate]["copies"] = 5 if mandate in ("recruit", "harvest") else 0
    game = RisingSun(parse(data))
    s = game.start(("koi", "lotus", "turtle"), {})
    assert setup.tiles(game.facts) == ("recruit",) * 5 + ("harvest",) * 5
    while s.owed:
        choice = game.prompts(s)[0].choices[0]
        applied = game.apply(s, type(choice.command)(choice.command.seat, choice.command.what, choice.shuffle))
        assert isinstance(applied, Applied)
        s = applied.state
    for seat in s.seats:
        if s.tea is not None:
            s = game.apply(s, Done(seat)).state
    assert [c.command.mandate for c in game.prompts(s)[0].choices] == ["recruit"]


LEAVES = [(stem, key, field) for stem in DATA for key in DATA[stem] for field in DATA[stem][key]]


@given(
    st.sampled_from(LEAVES),
    st.one_of(st.none(), st.integers(), st.text(max_size=5), st.booleans(), st.lists(st.text(max_size=3), max_size=2)),
)
def test_any_single_wrong_value_is_facts_or_named_faults(leaf, value):
    outcome = attempt(parse, FactsError, changed(leaf, value))
    if isinstance(outcome, FactsError):
        assert outcome.faults
        assert all(f.file and f.key and f.fix for f in outcome.faults)
    else:
        assert isinstance(outcome, Facts)
