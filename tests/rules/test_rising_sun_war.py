"""The War Phase: the given cases C-064 to C-101 and C-116, each under its id, and what they leave open."""

from __future__ import annotations

from rs_rig import FACTS, GAME, accepted, choices, position, refused
from war_rig import FOUR, bid, events, war

from companion.rules.rising_sun import battle, hostages, steps
from companion.rules.rising_sun.state import work
from companion.rules.view import Counter

# ------------------------------------------------------------------ who fights


def test_c_064_a_province_without_force_discards_its_token():
    s = war()
    assert steps.name(FACTS, s) == "war end"
    assert s.tokens == {}
    assert events(position(FOUR), "table done").count("no_war") == 6


def test_c_065_who_is_alone_takes_the_token_without_bidding():
    s = war("turtle nagato bushi", "turtle coins 3")
    assert s.tokens == {"turtle": ("spring:nagato",)}
    assert s.battle is None
    assert s.coins["turtle"] == 3


def test_two_allies_alone_do_not_fight_and_the_stronger_takes_the_token():
    s = war("ally lotus turtle", "turtle nagato bushi*2", "lotus nagato bushi")
    assert s.tokens == {"turtle": ("spring:nagato",)}
    assert s.pieces["lotus"]["nagato"] == {"bushi": 1}
    tied = war("ally lotus turtle", "turtle nagato bushi", "lotus nagato bushi")
    assert tied.tokens == {"lotus": ("spring:nagato",)}  # the higher honor


def test_c_067_two_allies_and_an_outsider_all_bid():
    s = war(
        "ally koi lotus", "koi nagato bushi", "lotus nagato bushi", "turtle nagato bushi", "koi coins 1", "lotus coins 1", "turtle coins 1"
    )
    assert [p.seat for p in GAME.prompts(s)] == ["koi", "lotus", "turtle"]


def test_c_068_rivals_in_a_province_without_a_war_number_do_not_fight():
    s = war("koi kyoto bushi", "lotus kyoto bushi*2")
    assert s.battle is None
    assert s.tokens == {}
    assert s.pieces["koi"]["kyoto"] == {"bushi": 1}


def test_c_070_a_turtle_stronghold_and_a_bushi_fight():
    s = war("turtle nagato stronghold", "koi nagato bushi", "koi coins 1")
    assert s.battle.seats == ("koi", "turtle")
    assert battle.strength(FACTS, s, "turtle") == 1
    assert war("lotus nagato stronghold", "koi nagato bushi").tokens == {"koi": ("spring:nagato",)}  # another Clan's has no Force


def test_provinces_are_judged_one_by_one_as_they_come_up():
    """RS-8.7: Koi's figures fall in Nagato; what happens in Edo does not depend on that, but its turn comes only afterwards."""
    s = war("koi nagato bushi", "lotus nagato bushi*2", "lotus coins 1", "koi edo bushi", "turtle edo bushi", "turtle coins 2")
    assert steps.name(FACTS, s) == "war 1"
    s = bid(s)
    assert steps.name(FACTS, s) == "war 2"
    assert s.battle.place == "edo"
    assert s.tokens == {"lotus": ("spring:nagato",)}


# ------------------------------------------------------------------ advantages


LOTUS_3 = ("lotus nagato shinto*2 bushi", "lotus coins 3", "koi nagato bushi", "koi coins 8")


def test_c_071_seppuku_is_all_or_none():
    s = bid(war("honor koi turtle dragonfly lotus", *LOTUS_3), lotus=(1, 0, 0, 0))
    assert choices(s, "lotus") == ["lotus seppuku yes", "lotus seppuku no"]
    died = accepted(s, "lotus seppuku yes")
    assert died.vp["lotus"] == 3
    assert died.honor == ("lotus", "koi", "turtle", "dragonfly")  # three steps
    lives = accepted(s, "lotus seppuku no")
    assert lives.vp["lotus"] == 0
    assert lives.tokens == {"lotus": ("spring:nagato",)}


def test_c_073_and_c_116_without_figures_one_may_still_hire_and_win():
    s = bid(war("turtle nagato bushi*2", "lotus nagato bushi", "lotus coins 2", "lotus ronin 3"), lotus=(1, 0, 1, 0))
    s = accepted(s, "lotus seppuku yes")
    assert choices(s, "lotus") == ["lotus hire yes", "lotus hire no"]
    hired = accepted(s, "lotus hire yes")
    assert hired.tokens == {"lotus": ("spring:nagato",)}  # Force 3 against 2
    assert hired.ronin["lotus"] == 3  # kept
    assert accepted(s, "lotus hire no").tokens == {"turtle": ("spring:nagato",)}


def test_c_074_a_stronghold_does_not_die_by_seppuku():
    s = bid(war("turtle nagato stronghold bushi", "turtle coins 1", "koi nagato bushi"), turtle=(1, 0, 0, 0))
    s = accepted(s, "turtle seppuku yes")
    assert s.vp["turtle"] == 1
    assert s.pieces["turtle"]["nagato"] == {"stronghold": 1}


def test_seppuku_with_nothing_but_a_stronghold_is_not_asked():
    s = war("turtle nagato stronghold", "turtle coins 1", "koi nagato bushi", "koi coins 1")
    s = accepted(s, "koi bid poets 0")
    assert "no_figures" in events(s, "turtle bid seppuku 1")


def test_c_076_a_daimyo_is_no_hostage_nor_what_counts_as_one():
    s = bid(war("koi nagato daimyo yurei bushi", "koi cards su-yurei", "lotus nagato bushi", "lotus coins 1"), lotus=(0, 1, 0, 0))
    assert choices(s, "lotus") == ["lotus hostage koi bushi", "lotus hostage none"]
    assert refused(s, "lotus hostage koi daimyo") == "RS-9.9"
    assert refused(s, "lotus hostage koi yurei") == "RS-9.9"


def test_c_077_an_owner_without_points_loses_none_and_the_captor_gains_none():
    s = bid(war("koi nagato bushi", "lotus nagato bushi", "lotus coins 1"), lotus=(0, 1, 0, 0))
    s = accepted(s, "lotus hostage koi bushi")
    assert (s.vp["koi"], s.vp["lotus"]) == (0, 0)
    assert s.pieces["koi"]["hostage.lotus"] == {"bushi": 1}


def test_nobody_need_be_taken_and_an_own_ally_may_be():
    s = bid(war("ally koi lotus", "koi nagato bushi", "lotus nagato bushi", "turtle nagato bushi", "lotus coins 1"), lotus=(0, 1, 0, 0))
    assert choices(s, "lotus") == ["lotus hostage koi bushi", "lotus hostage turtle bushi", "lotus hostage none"]
    assert accepted(s, "lotus hostage none").vp["lotus"] == 0


def test_c_079_and_c_080_hostages_go_home_and_pay_their_captor():
    s = position("koi hostage.lotus bushi*2\nturtle hostage.koi shinto\nlotus coins 1")
    w = work(FACTS, s)
    hostages.returned(w)
    assert w.pieces["koi"]["reserve"]["bushi"] == 6
    assert w.pieces["turtle"]["reserve"]["shinto"] == 3
    assert (w.coins["lotus"], w.coins["koi"]) == (3, 1)
    assert [e.text.key for e in w.events] == ["rs.event.returned"] * 2 + ["rs.event.gains_coins"] * 2


def test_c_082_hire_ronin_without_ronin_only_denies():
    s = war("koi nagato bushi", "lotus nagato bushi", "lotus coins 1", "turtle nagato bushi", "turtle ronin 2")
    assert "no_ronin" in events(s, "lotus bid ronin 1")
    assert bid(s, lotus=(0, 0, 1, 0)).tokens == {"koi": ("spring:nagato",)}


def test_c_083_koi_hires_the_coins_it_did_not_bid_and_keeps_them():
    s = bid(war("koi nagato bushi", "koi coins 8", "lotus nagato bushi*3"), koi=(0, 0, 5, 0))
    hired = accepted(s, "koi hire yes")
    assert hired.tokens == {"koi": ("spring:nagato",)}  # 1 + 3 against 3
    assert hired.coins["koi"] == 3
    assert hired.coins["lotus"] == 5


def test_c_085_nobody_wins_an_advantage_nobody_bid_on():
    s = war("koi nagato bushi*2", "lotus nagato bushi", "koi coins 1")
    after = bid(s)
    assert after.vp == dict.fromkeys(after.seats, 0)
    assert "nobody_poets" in events(s, "koi bid poets 0")


def test_c_085_by_option_honor_decides_it():
    s = war("koi nagato bushi*2", "lotus nagato bushi", "koi coins 1", head=f"option zero_bids honor\n{FOUR}")
    s = accepted(bid(s), "koi seppuku no", "koi hostage none")
    assert choices(s, "koi") == ["koi hire yes", "koi hire no"]  # its coin counts as a ronin
    assert accepted(s, "koi hire no").vp["koi"] == 1  # the poets sing of Lotus's Bushi


def test_c_086_respect_takes_a_second_hostage_and_steals_for_both():
    s = war("koi nagato bushi*3", "koi vp 5", "lotus nagato bushi", "lotus coins 1", "lotus cards su-respect")
    s = accepted(bid(s, lotus=(0, 1, 0, 0)), "lotus hostage koi bushi")
    assert s.vp["koi"] == 5  # stolen together when the last one is taken
    s = accepted(s, "lotus hostage koi bushi")
    assert s.pieces["koi"]["hostage.lotus"] == {"bushi": 2}
    assert (s.vp["koi"], s.vp["lotus"]) == (3, 2)


def test_respect_may_be_left_at_one_hostage():
    s = war("koi nagato bushi*3", "koi vp 5", "lotus nagato bushi", "lotus coins 1", "lotus cards su-respect")
    s = accepted(bid(s, lotus=(0, 1, 0, 0)), "lotus hostage koi bushi", "lotus hostage none")
    assert (s.vp["koi"], s.vp["lotus"]) == (4, 1)


def test_a_tie_on_an_advantage_goes_to_the_honor_of_that_moment():
    """RS-9.6: Lotus rises by Seppuku and so wins the tie on the Poets."""
    s = war("koi nagato bushi*2", "lotus nagato bushi", "koi coins 1", "lotus coins 2")
    s = accepted(bid(s, koi=(0, 0, 0, 1), lotus=(1, 0, 0, 1)), "lotus seppuku yes")
    assert s.vp["lotus"] == 2
    assert s.vp["koi"] == 0


# ------------------------------------------------------------------ outcome, poets, reparations


def test_c_088_the_poets_count_every_death_of_the_battle():
    """E-6 has it in full; here the winner of the Poets wins the Battle too."""
    s = bid(war("koi nagato daimyo bushi*2", "koi coins 1", "lotus nagato bushi", "turtle nagato daimyo"), koi=(0, 0, 0, 1))
    assert s.vp["koi"] == 2
    assert s.pieces["turtle"]["reserve"]["daimyo"] == 1


def test_c_089_at_force_0_the_highest_honor_wins():
    s = war("honor lotus koi turtle dragonfly", "koi nagato bushi", "koi coins 2", "lotus nagato bushi")
    s = accepted(bid(s, koi=(1, 1, 0, 0)), "koi seppuku yes", "koi hostage lotus bushi")
    assert s.honor[0] == "koi"  # it rose by its Seppuku
    assert s.tokens == {"koi": ("spring:nagato",)}


def test_c_091_a_stronghold_of_a_loser_stays():
    s = war("turtle nagato stronghold bushi", "koi nagato bushi*3")
    assert s.tokens == {"koi": ("spring:nagato",)}
    assert s.pieces["turtle"]["nagato"] == {"stronghold": 1}


def test_the_winner_s_ally_lives_and_pays_as_a_loser():
    s = war("ally koi lotus", "koi nagato bushi*3", "koi coins 2", "lotus nagato bushi", "lotus coins 1", "turtle nagato bushi")
    s = bid(s, koi=(0, 0, 0, 2), lotus=(0, 0, 0, 1))
    assert s.pieces["lotus"]["nagato"] == {"bushi": 1}
    assert s.coins == {"koi": 0, "lotus": 1, "turtle": 1, "dragonfly": 0}  # RS-9.15: each loser 1 of Koi's 2


def test_c_094_a_loser_s_bid_is_gone_won_or_not():
    s = war("koi nagato bushi*3", "lotus nagato bushi", "lotus coins 6")
    s = accepted(bid(s, lotus=(2, 2, 0, 0)), "lotus seppuku no", "lotus hostage none")
    assert s.coins["lotus"] == 2


def test_c_095_coins_of_reparations_are_bid_in_the_next_battle():
    s = war("koi nagato bushi*3", "koi coins 2", "lotus nagato bushi", "lotus edo bushi", "koi edo bushi")
    s = bid(s, koi=(0, 0, 0, 2))
    assert s.battle.place == "edo"
    assert s.coins["lotus"] == 2
    assert accepted(s, "lotus bid poets 2").battle is None  # Koi has nothing left to bid


def test_c_100_a_promise_binds_nobody():
    """RS-2N.2: the rules know no promises, so there is none to break."""
    s = war("koi nagato bushi", "koi coins 5", "lotus nagato bushi")
    assert [c.command.seat for p in GAME.prompts(s) for c in p.choices] == ["koi"]


def test_c_101_coins_are_shown_to_everybody_before_the_bids():
    s = war("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus ronin 2")
    for reader in (None, "dragonfly"):
        sections = {section.id: section for section in GAME.view(s, reader).sections}
        assert {side.seat: [n.value for n in side.nodes if isinstance(n, Counter)] for side in sections["battle"].nodes[1:]} == {
            "koi": [1],
            "lotus": [1],
        }
        purses = {row.seat: [n.value for n in row.nodes if isinstance(n, Counter)] for row in sections["seats"].nodes}
        assert (purses["koi"], purses["lotus"]) == ([0, 5, 0], [0, 0, 2])


def test_odd_coins_go_one_by_one_to_different_losers():
    s = war("koi nagato bushi*5", "koi coins 5", "lotus nagato bushi", "turtle nagato bushi", "dragonfly nagato bushi")
    s = bid(s, koi=(0, 0, 0, 5))
    assert choices(s, "koi") == ["koi odd lotus", "koi odd turtle", "koi odd dragonfly"]
    s = accepted(s, "koi odd turtle")
    assert refused(s, "koi odd turtle") == "RS-9.15"
    s = accepted(s, "koi odd dragonfly")
    assert s.coins == {"koi": 0, "lotus": 1, "turtle": 2, "dragonfly": 2}
