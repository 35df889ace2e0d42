"""What Rising Sun offers to those who begin a game. Here: which options are offered, and their words. Not here: what they do."""

from __future__ import annotations

from companion.rules.offer import Offer, Option
from companion.rules.rising_sun import say, setup
from companion.rules.rising_sun.facts import GUESTS, Facts
from companion.rules.view import Text

SETS = frozenset({"archway", "horseman", "teapot"})
"""Sets of season cards that the catalogues name; the owner's facts may name others."""
OFFERED = {
    "mandates": "RS-3.7",
    "set": "RS-1.4",
    "unbought_cards": "RS-4.4",
    "monster_without_stronghold": "RS-6T.4",
    "skulls_alone": "RS-2.2",
    "bids": "RS-9.3",
    "zero_bids": "RS-9.7",
    "won_with_figure": "RS-9.12",
    "koi_conversion_is_gain": "RS-10.1",
    "serpent_dragonfly": "RS-10.3",
    "serpent_turtle": "RS-10.4",
    "loyalty_in_winter": "RS-2.13",
    "fox_scope": "RS-10.7",
}
"""Options of rules that are built, with the clause each is about."""


def offer(facts: Facts) -> Offer:
    """Seats by Starting Honor Rank, clockwise (RS-3.1)."""
    return Offer(
        "rising_sun",
        say.text("rs.offer.title"),
        {clan: say.clan(clan) for clan in facts.order},
        tuple(sorted(facts.wars)),
        tuple(_option(facts, name, clause) for name, clause in OFFERED.items()),
        deck="mandates",
        clockwise="RS-3.1",
        allies="RS-5.2",
        guests=frozenset(GUESTS),
    )


def _option(facts: Facts, name: str, clause: str) -> Option:
    values = facts.sets if name == "set" else setup.READINGS[name]
    key = f"rs.option.{name}"
    said = {value: say.text(f"{key}.{value}") for value in values if name != "set" or value in SETS}
    raw = {value: Text("table.raw", {"id": value}) for value in values if value not in said}
    return Option(name, say.text(key), say.text(f"{key}.why"), {value: (said | raw)[value] for value in values}, clause)
