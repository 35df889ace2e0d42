"""Where cards come to their edges: who is asked with whom, what nothing is told of, whose route it is (RS-2.11 to 2.18)."""

from __future__ import annotations

from cards_rig import at
from rs_rig import FACTS, GAME, accepted, choices, lines
from rs_said import told
from war_rig import bid, war

from companion.rules.rising_sun import serpent

SERPENT = ("doing marshal by dragonfly now koi left lotus dragonfly", "lotus cards su-path-of-the-serpent", "dragonfly edo bushi")


def asked(s):
    """Who is asked what: the seats and keys of all questions but gifts."""
    return [(p.seat, p.text.key) for p in GAME.prompts(s) if p.text.key != "rs.prompt.give"]


def test_cards_of_one_seat_are_asked_together_and_those_of_the_next_only_then():
    s = at(
        "doing recruit by koi now koi",
        "koi edo stronghold",
        "lotus cards sp-path-of-the-light su-path-of-the-samurai",
        "koi cards sp-path-of-the-light",
        "shrines raijin",
        "honor lotus koi turtle dragonfly",
    )
    s = accepted(s, "koi done")
    assert choices(s, "lotus") == [
        "lotus place shinto shrine.1",
        *(f"lotus place bushi {place}" for place in FACTS.provinces),
        "lotus done",
    ]
    assert choices(s, "koi") == []
    assert choices(accepted(s, "lotus done"), "koi") == ["koi place shinto shrine.1", "koi done"]


def test_no_points_are_no_gain_and_nothing_is_told_of_them():
    s = bid(war("koi nagato bushi*2", "lotus nagato bushi", "lotus coins 1"), lotus=(0, 1, 0, 0))
    assert told(s, "lotus hostage koi bushi")[:3] == [
        "RS-9.9: Lotus takes a hostage: Bushi of Koi.",
        "RS-9.9: Koi has no point to lose.",
        "RS-9.7: Nobody wins Hire Ronin: nothing was bid on it.",
    ]


# ------------------------------------------------------------------ Path of the Serpent


def test_the_six_routes_of_the_board_have_a_name_each():
    """Facts, province_edges: sea."""
    assert sorted(serpent.routes(FACTS)) == [
        "hokkaido-kansai",
        "hokkaido-kyushu",
        "hokkaido-oshu",
        "kansai-kyushu",
        "kansai-shikoku",
        "shikoku-kyushu",
    ]


def test_the_owner_of_the_serpent_pays_nobody_and_needs_no_coin():
    s = at("doing marshal by koi now lotus left koi", "lotus cards su-path-of-the-serpent", "lotus oshu bushi", "koi edo bushi")
    assert asked(s) == [("lotus", "rs.prompt.marshal")]  # it has nobody to let pass
    s = accepted(s, "lotus move bushi oshu hokkaido")
    assert s.pieces["lotus"]["hokkaido"] == {"bushi": 1}


def test_a_route_that_was_paid_stands_in_the_record():
    s = accepted(at(*SERPENT, "koi oshu bushi*2", "koi coins 2"), "koi move bushi oshu hokkaido")
    assert "used hokkaido-oshu" in lines(s)
    assert accepted(s, "koi move bushi oshu hokkaido").coins["koi"] == 1


def test_the_owner_of_the_serpent_is_asked_while_others_move_until_it_has_let_them_pass():
    s = at(*SERPENT, "koi oshu bushi*2", "koi coins 2")
    assert asked(s) == [("koi", "rs.prompt.marshal"), ("lotus", "rs.prompt.waive")]
    assert asked(accepted(s, "lotus pardon koi")) == [("koi", "rs.prompt.marshal")]
    recruit = at("doing recruit by koi now koi", "lotus cards su-path-of-the-serpent", "koi edo stronghold")
    assert asked(recruit) == [("koi", "rs.prompt.recruit")]


def test_the_owner_of_the_serpent_is_not_asked_while_a_card_asks():
    s = at(
        "doing marshal by koi now koi bonus koi",
        "lotus cards su-path-of-the-serpent",
        "koi edo bushi",
        "koi coins 5",
        "koi cards sp-benevolence",
    )
    s = accepted(s, "koi build oshu")
    assert asked(s) == [("koi", "rs.prompt.benevolence")]
