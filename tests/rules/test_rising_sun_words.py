"""Every key of the rules has its sentence in every language, and every sentence is used and filled."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from babel.messages.pofile import read_po
from rs_rig import FACTS, GAME, keys, rig
from suite import texts, walk

from companion.rules.rising_sun import offer, setup
from companion.rules.rising_sun.state import ADVANTAGES, STAGES

TABLE_SAYS = ("war_begins", "war_goes_on", "next_season", "to_winter")
"""How the table goes on in the War Phase."""
WHEN = {"before": STAGES[2:], "over": STAGES[1:-1], "others": STAGES[1:]}
"""Which stages of a Battle can be named as not begun, as over, and as somebody else's: Seppuku comes first, and Reparations end it."""


MOMENTS = ("wily_presence", "after_summon", "end_recruit", "mercy", "hate", "benevolence", "order")
"""What cards ask about."""
YEAR = (
    ("prompt", MOMENTS),
    ("event", ("card_vp", "card_coins", "card_ronin", "scores_tokens", "scores_sets", "corrected_token", "corrected_no_token")),
    ("final", ("play", "tokens", "sets", "loyalty")),
    ("source", ("before", "seppuku", "hostage", "poets", "loyalty", "tokens", "sets", "corrected", "other")),
    ("no", ("card_first", "order_first", "answer_card", "answer_order", "no_card_asks", "no_offer")),
)


def sentences():
    """Every literal key of the package, and every name it makes keys from."""
    source = "".join(f.read_text("utf-8") for f in files("companion.rules.rising_sun").iterdir() if f.name.endswith(".py"))
    yield from re.findall(r'"(rs\.[a-z_.]+[a-z_])"', source)
    yield from (f"rs.no.{key}" for key in re.findall(r'_no\(\s*"RS-[^"]+"(?: if [^,]+ else "RS-[^"]+")?,\s*"([a-z_]+)"', source))
    yield from (f"rs.fault.{key}" for key in re.findall(r'_ruling\(\s*"RS-[^"]+",\s*"([a-z_]+)"', source))
    for sort, names in (
        ("clan", FACTS.clans),
        ("place", (*FACTS.provinces, "reserve", *(f"shrine.{i}" for i in range(1, 8)))),
        ("kind", FACTS.kinds),
        ("mandate", (*FACTS.mandates, "unknown", *(f"{m}.detail" for m in FACTS.mandates))),
        ("kami", (*FACTS.kami, *(f"{k}.detail" for k in FACTS.kami))),
        ("season", FACTS.seasons),
        ("amount", ("vp", "coins", "ronin")),
        ("card", ("wily_presence", *FACTS.cards, *(f"{c}.effect" for c in FACTS.cards))),
        ("title", ("setup", "political", "war", "over", "tea")),
        ("subtitle", ("setup", "mandate", "kami", "war", "over", "tea")),
        *YEAR,
        ("choice", ("shuffle_shrines", "shuffle_mandates", "shuffle_wars")),
        ("prompt", ("shuffle_shrines", "shuffle_mandates", "shuffle_wars")),
        ("no", ("owed_shrines", "owed_mandates", "owed_wars", "shuffle_order")),
        ("event", ("corrected_coins", "corrected_ronin", "corrected_vp", "corrected_honor")),
        ("place", tuple(f"hostage.{clan}" for clan in FACTS.clans)),
        ("advantage", ADVANTAGES),
        ("event", tuple(f"{what}_{name}" for what in ("wins", "nobody") for name in ADVANTAGES)),
        ("battle", (*STAGES, "sealed", "open")),
        ("no", tuple(f"{when}_{stage}" for when, stages in WHEN.items() for stage in stages)),
        ("prompt", (*TABLE_SAYS, "seppuku", "hire")),
        ("choice", (*TABLE_SAYS, *(f"{what}_{said}" for what in ("seppuku", "hire") for said in ("yes", "no")))),
        ("detail", tuple(name for name in TABLE_SAYS if name != "war_goes_on")),
    ):
        yield from (f"rs.{sort}.{name}" for name in names)
    for name in offer.OFFERED:
        values = sorted(offer.SETS) if name == "set" else setup.READINGS[name]
        yield from (f"rs.option.{end}" for end in (name, f"{name}.why", *(f"{name}.{value}" for value in values)))


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_key_has_its_sentence_and_no_sentence_is_unused(language):
    used = set(sentences())
    prompts = {key for key in used if key.startswith("rs.prompt.")} - {"rs.prompt.give", "rs.prompt.waive"}
    used |= {key.replace("rs.prompt.", "rs.wait.") for key in prompts}
    have = keys(language)
    assert used - have == set()
    assert have - used == set()


def holes(language):
    """The placeholders of every key."""
    found = {}
    for source in (files("companion.words") / "locale" / language).iterdir():
        if source.name.startswith("rising_sun"):
            with source.open("rb") as stream:
                catalogue = read_po(stream, locale=language)
            for m in catalogue:
                said = m.string if isinstance(m.string, tuple) else (m.string,)
                if m.id:
                    found[m.id if isinstance(m.id, str) else m.id[0]] = set(re.findall(r"{(\w+)}", " ".join(said)))
    return found


def test_sentences_of_two_languages_have_the_same_placeholders():
    assert holes("en") == holes("ru")


def test_every_text_of_a_played_game_fills_its_placeholders():
    need = holes("en")
    for seed in range(3):
        for state, _, applied in walk(rig(), seed):
            for thing in (applied.events, GAME.prompts(state), GAME.view(state, state.seats[0])):
                for text in texts(thing):
                    assert need[text.key] <= set(text.args), text
