"""Where cards come to their edges: who is asked with whom, what nothing is told of, whose route it is (RS-2.11 to 2.18)."""

from __future__ import annotations

import pytest
from cards_rig import at, summoned
from rs_rig import FACTS, GAME, accepted, choices, lines
from rs_said import told
from war_rig import FOUR, bid, war

from companion.rules.rising_sun import gains, serpent
from companion.rules.rising_sun.state import work

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


def test_copies_act_once_each_at_the_end_of_a_recruit_and_after_a_summon():
    """RS-2.17."""
    s = at("doing recruit by koi now koi", "koi edo stronghold", "koi cards su-path-of-the-samurai su-path-of-the-samurai")
    s = accepted(s, "koi done", "koi place bushi oshu")
    assert [(one.what, one.n) for one in s.asks] == [("su-path-of-the-samurai", 1)]
    s = accepted(s, "koi place bushi oshu")
    assert (s.pieces["koi"]["oshu"], s.asks) == ({"bushi": 2}, ())
    s = summoned("dragonfly cards sp-path-of-the-kenin sp-path-of-the-kenin")
    assert [(one.what, one.n) for one in s.asks] == [("sp-path-of-the-kenin", 2)]
    assert [one.n for one in accepted(s, "dragonfly place bushi hokkaido").asks] == [1]


def test_a_card_that_can_do_nothing_is_passed_over_and_the_next_asks():
    """Lotus has no Shinto left for the Path of the Light."""
    light = ("doing recruit by koi now koi", "koi edo stronghold", "lotus cards sp-path-of-the-light", "lotus kyoto shinto*3")
    s = accepted(at(*light, "koi cards su-path-of-the-samurai", "shrines raijin", "honor lotus koi turtle dragonfly"), "koi done")
    assert [(one.seat, one.what) for one in s.asks] == [("koi", "su-path-of-the-samurai")]
    alone = accepted(at(*light, "shrines raijin"), "koi done")
    assert (alone.asks, alone.doing) == ((), None)


# ------------------------------------------------------------------ gains


def test_no_points_are_no_gain_and_nothing_is_told_of_them():
    s = bid(war("koi nagato bushi*2", "lotus nagato bushi", "lotus coins 1"), lotus=(0, 1, 0, 0))
    assert told(s, "lotus hostage koi bushi")[:3] == [
        "RS-9.9: Lotus takes a hostage: Bushi of Koi.",
        "RS-9.9: Koi has no point to lose.",
        "RS-9.7: Nobody wins Hire Ronin: nothing was bid on it.",
    ]


@pytest.mark.parametrize("sort", ["vp", "coins", "ronin"])
def test_a_card_may_give_just_one_of_anything(sort):
    w = work(FACTS, at("koi edo bushi"))
    gains.by_card(w, "koi", "sp-courage", **{sort: 1})
    assert {name: getattr(w, name)["koi"] for name in ("vp", "coins", "ronin")} == {"vp": 0, "coins": 0, "ronin": 0, sort: 1}
    assert [(e.clause, e.text.key, e.text.args["n"]) for e in w.events] == [("RS-2.18", f"rs.event.card_{sort}", 1)]


def test_no_coins_are_no_gain_for_the_way_of_the_merchant():
    w = work(FACTS, at("koi coins 3", "turtle coins 4", "lotus cards su-way-of-the-merchant"))
    gains.coins_at_once(w, {"koi": 0, "turtle": 2})
    assert (w.coins["koi"], w.coins["lotus"], w.coins["turtle"]) == (3, 1, 6)


# ------------------------------------------------------------------ Oni of Souls

SOULS = ("turtle cards su-oni-of-souls sp-oni-of-skulls", "turtle nagato oni_of_souls")


def test_oni_of_souls_that_died_by_seppuku_gives_nothing_to_who_wins_with_ronin():
    """RS-9.12."""
    s = bid(war(*SOULS, "turtle coins 2", "turtle ronin 3", "koi nagato bushi"), turtle=(1, 0, 1, 0))
    s = accepted(s, "turtle seppuku yes", "turtle hire yes")
    assert (s.tokens, s.vp["turtle"]) == ({"turtle": ("spring:nagato",)}, 1)


@pytest.mark.parametrize("option", ["alive", "was_there"])
def test_oni_of_souls_alone_in_its_province_gives_2_points_for_each_oni_whatever_the_option(option):
    head = f"option won_with_figure {option}\n{FOUR}"
    assert war(*SOULS, head=head).vp["turtle"] == 4
    assert war(SOULS[0], "turtle nagato bushi", "turtle kyoto oni_of_souls", head=head).vp["turtle"] == 0


def test_oni_of_souls_is_named_where_it_gives_points():
    s = at("step war 6", "wars edo oshu kansai kyushu shikoku nagato", *SOULS)
    assert "RS-2.18: Oni of Souls: Turtle gains 4 points." in told(s, "table done")


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
