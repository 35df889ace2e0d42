"""What is offered to those who begin a game: seats in their order, options with their default first, why, and under which clause."""

from __future__ import annotations

from msgspec.structs import replace
from rs_rig import FACTS, GAME
from rs_said import english

from companion.rules.rising_sun.offer import offer
from companion.rules.view import Text

OFFERED = {
    "mandates": ("RS-3.7", ("digital", "cardboard"), "Mandate deck"),
    "set": ("RS-1.4", ("archway", "horseman", "teapot"), "Set of season cards"),
    "unbought_cards": ("RS-4.4", ("keep", "discard"), "Cards nobody bought"),
    "monster_without_stronghold": ("RS-6T.4", ("reserve", "forbidden"), "Monster without a stronghold"),
    "skulls_alone": ("RS-2.2", ("one", "three"), "Oni of Skulls alone"),
    "bids": ("RS-9.3", ("digital", "cardboard"), "Bids in battle"),
    "zero_bids": ("RS-9.7", ("nobody", "honor"), "Advantages nobody bids on"),
    "won_with_figure": ("RS-9.12", ("alive", "was_there"), "Won with this figure"),
    "koi_conversion_is_gain": ("RS-10.1", ("no", "yes"), "Koi turning ronin into coins"),
    "serpent_dragonfly": ("RS-10.3", ("no_toll", "toll"), "Dragonfly and the Path of the Serpent"),
    "serpent_turtle": ("RS-10.4", ("toll", "no_toll"), "Turtle's strongholds and the Path of the Serpent"),
    "loyalty_in_winter": ("RS-2.13", ("yes", "no"), "Loyalty in winter"),
    "fox_scope": ("RS-10.7", ("every_province", "war_provinces"), "Fox's presence"),
}


def test_rising_sun_is_offered_with_its_clans_clockwise_and_3_to_5_players():
    said = offer(FACTS)
    assert (said.game, english(said.text), said.players) == ("rising_sun", "Rising Sun", (3, 4, 5))
    assert {seat: english(name) for seat, name in said.seats.items()} == {seat: seat.title() for seat in FACTS.order}
    assert tuple(said.seats) == ("koi", "lotus", "turtle", "dragonfly", "fox", "bonsai")
    assert (said.deck, said.clockwise, said.allies) == ("mandates", "RS-3.1", "RS-5.2")


def test_every_option_has_its_clause_its_values_the_default_first_and_its_words():
    options = offer(FACTS).options
    assert {o.name: (o.clause, tuple(o.values), english(o.text)) for o in options} == OFFERED
    plain = GAME.start(("koi", "lotus", "turtle"), {}).options
    for option in options:
        assert option.why.key == f"rs.option.{option.name}.why"
        assert {value: text.key for value, text in option.values.items()} == {v: f"rs.option.{option.name}.{v}" for v in option.values}
        assert plain[option.name] == next(iter(option.values))


def test_a_set_the_catalogues_do_not_name_is_offered_by_its_id():
    sets = next(o for o in offer(replace(FACTS, sets=("archway", "tower"))).options if o.name == "set")
    assert sets.values == {"archway": Text("rs.option.set.archway"), "tower": Text("table.raw", {"id": "tower"})}
