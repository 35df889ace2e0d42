"""What each card of the summer does, one test a card by its name."""

from __future__ import annotations

from cards_rig import at, begin_war, summoned, war
from rs_rig import FACTS, GAME, accepted, choices, refused
from rs_said import offered, told

from companion.rules.rising_sun import effects, force, serpent

SEA = ("doing marshal by dragonfly now koi left dragonfly", "lotus cards su-path-of-the-serpent", "koi oshu bushi*3", "dragonfly edo bushi")


def test_path_of_the_serpent_charges_1_coin_a_route_and_marshal():
    """C-117."""
    s = at(*SEA, "koi coins 5")
    s = accepted(s, "koi move bushi oshu hokkaido", "koi move bushi oshu hokkaido", "koi move bushi oshu hokkaido")
    assert (s.coins["koi"], s.coins["lotus"]) == (4, 1)
    s = at("doing marshal by dragonfly now koi left dragonfly", "lotus cards su-path-of-the-serpent", "koi hokkaido bushi", "koi coins 4")
    assert accepted(s, "koi move bushi hokkaido oshu").coins["koi"] == 3


def test_path_of_the_serpent_another_route_is_another_coin_and_its_owner_and_borders_are_free():
    s = at(
        "doing marshal by dragonfly now koi left lotus",
        "lotus cards su-path-of-the-serpent",
        "koi hokkaido bushi*2",
        "koi edo bushi",
        "koi coins 5",
        "lotus oshu bushi",
    )
    s = accepted(s, "koi move bushi hokkaido oshu", "koi move bushi edo kyoto", "koi move bushi hokkaido kansai")
    assert (s.coins["koi"], s.coins["lotus"]) == (3, 2)
    s = accepted(s, "lotus move bushi oshu hokkaido")
    assert s.coins["lotus"] == 2


def test_path_of_the_serpent_without_a_coin_the_route_is_closed_unless_it_is_waived():
    s = at(*SEA)
    assert "koi move bushi oshu hokkaido" not in choices(s, "koi")
    assert refused(s, "koi move bushi oshu hokkaido") == "RS-2.18"
    waived = accepted(s, "lotus pardon koi", "koi move bushi oshu hokkaido")
    assert (waived.coins["lotus"], waived.doing.used) == (0, {serpent.WAIVED: 1})
    gift = accepted(at(*SEA, "turtle coins 1"), "turtle give koi coins 1 ronin 0", "koi move bushi oshu hokkaido")
    assert gift.coins["lotus"] == 1


def test_path_of_the_serpent_who_only_lacks_a_coin_for_the_route_is_not_passed_over():
    s = at("doing marshal by dragonfly now turtle left koi", "lotus cards su-path-of-the-serpent", "koi hokkaido bushi", "turtle edo bushi")
    s = accepted(s, "turtle done")
    assert choices(s, "koi") == ["koi done"]
    assert accepted(s, "lotus pardon koi").doing.now == "koi"


def position_of_the_blessed(*lines):
    return at(
        *("step kami 1", "shrines fujin", "turtle shrine.1 shinto", "turtle hokkaido bushi", "koi coins 1"),
        *("lotus cards su-path-of-the-serpent", *lines),
    )


def test_path_of_the_serpent_the_blessed_of_fujin_who_only_lacks_a_coin_for_the_route_is_not_passed_over():
    s = at(
        "step kami 1",
        "shrines fujin",
        "turtle shrine.1 shinto",
        "turtle hokkaido bushi",
        "koi coins 1",
        "lotus cards su-path-of-the-serpent",
    )
    s = accepted(s, "table done")
    assert choices(s, "turtle") == ["turtle done"]
    assert GAME.prompts(s)[0].detail.key == "rs.detail.by_gift"
    s = accepted(s, "koi give turtle coins 1 ronin 0", "turtle move bushi hokkaido kansai")
    assert s.coins["lotus"] == 1
    assert accepted(s, "turtle done").doing is None
    s = accepted(position_of_the_blessed("turtle kyoto bushi*2"), "table done")
    assert len(choices(s, "turtle")) > 1
    s = accepted(s, "turtle move bushi kyoto oshu", "turtle move bushi kyoto edo")
    assert s.doing is None  # both Moves are made: no gift brings a third


def test_path_of_the_serpent_passes_over_who_has_nothing_to_move():
    s = at("doing marshal by dragonfly now turtle left koi dragonfly", "lotus cards su-path-of-the-serpent", "dragonfly edo bushi")
    assert accepted(s, "turtle done").doing.now == "dragonfly"


def test_path_of_the_serpent_says_beforehand_who_takes_the_coin():
    s = at(*SEA, "koi coins 1")
    assert offered(s, "koi move") == [
        "koi move bushi oshu hokkaido | Bushi from Oshu to Hokkaido | koi/bushi oshu > hokkaido | figure/bushi | Lotus takes 1 coin",
        "koi move bushi oshu kyoto | Bushi from Oshu to Kyoto | koi/bushi oshu > kyoto | figure/bushi",
        "koi move bushi oshu edo | Bushi from Oshu to Edo | koi/bushi oshu > edo | figure/bushi",
    ]
    assert told(s, "koi move bushi oshu hokkaido") == [
        "RS-2.18: Path of the Serpent: Koi pays Lotus 1 coin for the shipping route.",
        "RS-6M.1: Koi moves Bushi from Oshu to Hokkaido.",
    ]


def test_path_of_the_serpent_does_not_charge_wings_but_by_option():
    """C-113."""
    lines = (
        "doing marshal by koi now dragonfly left koi",
        "lotus cards su-path-of-the-serpent",
        "dragonfly oshu bushi",
        "dragonfly coins 3",
        "koi edo bushi",
    )
    assert accepted(at(*lines), "dragonfly move bushi oshu hokkaido").coins["lotus"] == 0
    s = at("option serpent_dragonfly toll", *lines)
    assert accepted(s, "dragonfly move bushi oshu kyushu").coins["lotus"] == 0  # no route between them
    assert accepted(s, "dragonfly move bushi oshu hokkaido").coins["lotus"] == 1


def test_path_of_the_serpent_and_turtles_strongholds():
    lines = (
        "doing marshal by koi now turtle left koi",
        "lotus cards su-path-of-the-serpent",
        "turtle oshu stronghold",
        "turtle coins 3",
        "koi edo bushi",
    )
    assert accepted(at(*lines), "turtle move stronghold oshu hokkaido").coins["lotus"] == 1
    s = at("option serpent_turtle no_toll", *lines)
    assert accepted(s, "turtle move stronghold oshu hokkaido").coins["lotus"] == 0


def test_path_of_the_serpent_charges_fujins_moves_too():
    s = at("step kami 1", "shrines fujin", "koi shrine.1 shinto", "koi oshu bushi", "koi coins 3", "lotus cards su-path-of-the-serpent")
    s = accepted(s, "table done", "koi move bushi oshu hokkaido", "koi move bushi hokkaido oshu")
    assert (s.coins["koi"], s.coins["lotus"]) == (2, 1)


def test_a_third_move_of_fujin_is_refused_as_such():
    s = at("step kami 1", "shrines fujin", "doing fujin by koi now koi", "used move*2", "koi oshu bushi")
    assert refused(s, "koi move bushi oshu edo") == "RS-7.5"


def test_respect_allows_one_more_hostage_a_copy():
    """C-086; the battles are in the tests of the War."""
    s = at("koi cards su-respect su-respect", "lotus cards su-respect")
    assert [effects.hostage_limit(s, seat) for seat in ("koi", "lotus", "turtle")] == [3, 2, 1]


def test_way_of_bushido_gives_2_coins_and_2_points_for_each_different_virtue():
    s = begin_war(war("koi cards su-way-of-bushido sp-courage sp-courage su-mercy su-yurei"))
    assert (s.coins["koi"], s.vp["koi"]) == (2, 4)


def test_way_of_the_ronin_gives_2_ronin():
    s = begin_war(war("lotus cards su-way-of-the-ronin su-way-of-the-ronin"))
    assert s.ronin["lotus"] == 4


def test_way_of_the_ronin_comes_before_kois_conversion():
    s = begin_war(war("koi cards su-way-of-the-ronin", "koi ronin 1"))
    assert (s.ronin["koi"], s.coins["koi"]) == (0, 3)


def test_yurei_counts_as_a_daimyo():
    s = at("deck betray", "lotus edo yurei", "lotus cards su-yurei", "koi cards sp-komainu")
    s = accepted(s, "koi choose betray")
    assert s.doing is None  # nothing could be replaced
    assert refused(s, "koi replace lotus yurei edo komainu") == "RS-2.15"


def test_justice_gives_3_points_for_killing_figures_of_a_player_with_less_honor():
    cards = "dragonfly cards sp-path-of-the-ninja su-justice"
    s = summoned(cards, "koi edo bushi", "turtle edo bushi", "honor koi dragonfly lotus turtle")
    assert accepted(s, "dragonfly kill turtle bushi edo").vp["dragonfly"] == 3
    assert accepted(s, "dragonfly kill koi bushi edo").vp["dragonfly"] == 0


def test_path_of_the_samurai_places_a_bushi_in_any_province_at_the_end_of_a_recruit():
    s = at(
        "doing recruit by koi now koi",
        "koi edo stronghold",
        "koi cards su-path-of-the-samurai",
        "lotus cards sp-path-of-the-light",
        "shrines raijin",
        "honor lotus koi turtle dragonfly",
    )
    s = accepted(s, "koi done")
    assert choices(s, "lotus") == ["lotus place shinto shrine.1", "lotus done"]  # higher Honor first (RS-2H.6)
    s = accepted(s, "lotus done")
    assert len(choices(s, "koi")) == len(FACTS.provinces) + 1
    assert accepted(s, "koi place bushi kyushu").pieces["koi"]["kyushu"] == {"bushi": 1}


def test_oni_of_blood_has_force_2_or_4():
    s = at("honor koi lotus turtle dragonfly", "turtle edo oni_of_blood", "turtle cards su-oni-of-blood", "koi edo bushi")
    assert force.total(FACTS, s, "turtle", "edo") == 4
    s = at("honor turtle koi lotus dragonfly", "turtle edo oni_of_blood", "turtle cards su-oni-of-blood", "koi edo bushi")
    assert force.total(FACTS, s, "turtle", "edo") == 2


def test_oni_of_souls_gives_2_points_for_each_oni_owned_where_it_helps_to_win():
    lines = ("wars edo kyoto oshu nagato kansai kyushu", "koi cards su-oni-of-souls sp-oni-of-skulls sp-komainu")
    assert accepted(war(*lines, "koi edo oni_of_souls"), "table done").vp["koi"] == 4
    assert accepted(war(*lines, "koi edo bushi", "koi shikoku oni_of_souls"), "table done").vp["koi"] == 0


def test_mercy_spares_a_bushi_of_the_ninja_for_2_points_and_the_honor_is_lost_all_the_same():
    cards = "dragonfly cards sp-path-of-the-ninja su-mercy"
    s = summoned(cards, "koi edo bushi", "honor koi dragonfly lotus turtle")
    assert choices(s, "dragonfly") == [
        "dragonfly kill dragonfly bushi hokkaido",
        "dragonfly kill koi bushi edo",
        "dragonfly spare yes",
        "dragonfly done",
    ]
    s = accepted(s, "dragonfly spare yes")
    assert (s.vp["dragonfly"], s.pieces["koi"]["edo"], s.honor[2]) == (2, {"bushi": 1}, "dragonfly")
    assert "dragonfly spare yes" not in choices(summoned(cards), "dragonfly")  # its own Bushi is no opponent's


def test_mercy_spares_all_the_oni_of_hate_would_kill():
    s = at(
        "doing marshal by turtle now turtle",
        "turtle edo oni_of_hate",
        "turtle cards au-oni-of-hate su-mercy su-mercy",
        "koi kyoto bushi shinto",
        "lotus kyoto bushi",
    )
    s = accepted(s, "turtle move oni_of_hate edo kyoto")
    assert choices(s, "turtle") == ["turtle spare yes", "turtle spare no"]
    spared = accepted(s, "turtle spare yes")
    assert (spared.vp["turtle"], spared.pieces["koi"]["kyoto"], spared.asks) == (4, {"bushi": 1, "shinto": 1}, ())
    killed = accepted(s, "turtle spare no")
    assert choices(killed, "turtle") == ["turtle kill koi bushi kyoto", "turtle kill koi shinto kyoto"]
    killed = accepted(killed, "turtle kill koi shinto kyoto")
    assert killed.pieces["koi"]["kyoto"] == {"bushi": 1}
    assert "kyoto" not in killed.pieces["lotus"]  # no choice there: done at once


def test_path_of_the_monkey_takes_a_coin_of_each_of_the_richest_and_loses_honor_once():
    s = summoned(
        "dragonfly cards su-path-of-the-monkey", "koi coins 4", "lotus coins 4", "turtle coins 3", "honor dragonfly koi lotus turtle"
    )
    assert choices(s, "dragonfly") == ["dragonfly use su-path-of-the-monkey", "dragonfly done"]
    s = accepted(s, "dragonfly use su-path-of-the-monkey")
    assert s.coins == {"koi": 3, "lotus": 3, "turtle": 3, "dragonfly": 2}
    assert s.honor == ("koi", "dragonfly", "lotus", "turtle")


def test_path_of_the_monkey_finds_nothing_where_nobody_has_a_coin_and_copies_are_used_one_by_one():
    assert summoned("dragonfly cards su-path-of-the-monkey").doing is None
    s = summoned("dragonfly cards su-path-of-the-monkey su-path-of-the-monkey", "koi coins 1")
    s = accepted(s, "dragonfly use su-path-of-the-monkey")
    assert s.doing is None  # nothing is left to take for the second


def test_loyalty_adds_1_point_to_one_gain_while_allied():
    """C-038: 1 and 2 points of two Provinces in one Harvest are one gain."""
    lines = ("deck harvest", "koi edo bushi", "koi nagato bushi", "koi cards su-loyalty", "koi coins 0")
    assert accepted(at(*lines, "ally koi lotus"), "koi choose harvest").vp["koi"] == 2 + 1 + 1
    assert accepted(at(*lines), "koi choose harvest").vp["koi"] == 3
    both = at(*lines[:-2], "koi cards su-loyalty su-loyalty", "ally koi lotus")
    assert accepted(both, "koi choose harvest").vp["koi"] == 5


def test_loyalty_adds_nothing_where_nothing_is_gained_and_counts_kami_turns():
    s = at("step kami 1", "shrines susanoo", "koi shrine.1 shinto", "koi cards su-loyalty", "ally koi lotus")
    assert accepted(s, "table done").vp["koi"] == 0
    s = at("step kami 1", "shrines susanoo", "koi shrine.1 shinto", "koi edo stronghold*2", "koi cards su-loyalty", "ally koi lotus")
    assert accepted(s, "table done").vp["koi"] == 3


def test_loyalty_adds_nothing_where_a_card_gives_coins_alone():
    s = summoned("dragonfly cards sp-path-of-the-warlord su-loyalty", "ally dragonfly koi")
    assert (s.coins["dragonfly"], s.vp["dragonfly"]) == (1, 0)


def test_way_of_the_merchant_gives_1_coin_when_a_richer_player_gains_coins_from_the_pile():
    lines = ("step kami 1", "shrines tsukuyomi", "koi shrine.1 shinto", "lotus cards su-way-of-the-merchant su-way-of-the-merchant")
    assert accepted(at(*lines, "koi coins 3", "lotus coins 2"), "table done").coins["lotus"] == 4
    assert accepted(at(*lines, "koi coins 2", "lotus coins 2"), "table done").coins["lotus"] == 2


def test_way_of_the_merchant_sees_one_gain_of_each_richer_player_in_a_harvest_and_no_gifts():
    s = at("deck harvest", "koi oshu bushi", "koi coins 5", "lotus coins 2", "turtle coins 3", "lotus cards su-way-of-the-merchant")
    assert accepted(s, "koi choose harvest").coins == {"koi": 9, "lotus": 2 + 1 + 2, "turtle": 4, "dragonfly": 1}
    assert accepted(s, "turtle give koi coins 1 ronin 0").coins["lotus"] == 2


def test_way_of_the_merchant_and_kois_conversion():
    lines = ("koi ronin 2", "koi coins 3", "lotus coins 1", "lotus cards su-way-of-the-merchant")
    assert begin_war(war(*lines)).coins["lotus"] == 1
    assert begin_war(war("option koi_conversion_is_gain yes", *lines)).coins["lotus"] == 2
