"""Season cards in Battles: what dies, who spares, what is one gain (RS-2.13, 9.8 to 9.14)."""

from __future__ import annotations

from rs_rig import accepted, choices, position

HEAD = "seats koi lotus turtle dragonfly\nstep war 1\nwars nagato edo oshu kansai kyushu shikoku\n"


def war(*said):
    return accepted(position(HEAD + "\n".join(said)), "table done")


def bid(s, **coins):
    """``koi=(0, 1, 0, 2)`` on Seppuku, Take Hostage, Hire Ronin, Imperial Poets; who is not named bids nothing."""
    if s.battle is None:  # nobody had a Coin, so it is over
        return s
    for seat in [seat for seat in s.battle.seats if not s.battle.bids.get(seat)]:
        told = " ".join(f"{name} {n}" for name, n in zip(("seppuku", "hostage", "ronin", "poets"), coins.get(seat, (0,) * 4), strict=True))
        s = accepted(s, f"{seat} bid {told}")
    return s


def test_c_098_loyalty_adds_one_at_seppuku_with_righteousness_and_one_at_the_poets():
    s = war(
        "lotus nagato bushi*2",
        "lotus cards su-loyalty sp-righteousness",
        "ally lotus dragonfly",
        "koi nagato bushi*3",
        "turtle nagato bushi*3",
        "lotus coins 4",
        "honor koi turtle lotus dragonfly",
    )
    s = accepted(bid(s, lotus=(1, 0, 0, 1)), "lotus seppuku yes")
    # Seppuku 2 + Righteousness 2 + Loyalty 1; Poets: 2 own and 3 of Turtle's or Koi's, + Loyalty 1
    assert s.vp["lotus"] == 2 + 2 + 1 + (2 + 3) + 1


def test_c_092_oni_of_souls_taken_hostage_gives_nothing_or_by_option_all_the_same():
    said = ("turtle nagato oni_of_souls bushi*3", "turtle cards su-oni-of-souls", "lotus nagato bushi", "lotus coins 2", "turtle vp 5")
    s = accepted(bid(war(*said), lotus=(0, 1, 0, 0)), "lotus hostage turtle oni_of_souls")
    assert s.tokens == {"turtle": ("spring:nagato",)}
    assert s.vp["turtle"] == 4
    s = accepted(bid(war("option won_with_figure was_there", *said), lotus=(0, 1, 0, 0)), "lotus hostage turtle oni_of_souls")
    assert s.vp["turtle"] == 4 + 2


def test_oni_of_souls_alive_gives_2_points_for_each_oni_owned():
    s = bid(war("turtle nagato oni_of_souls bushi*3", "turtle cards su-oni-of-souls sp-oni-of-skulls", "lotus nagato bushi"))
    assert s.vp["turtle"] == 4


def test_justice_gives_3_points_for_each_loser_with_less_honor_a_copy():
    said = (
        "lotus nagato bushi*3",
        "koi nagato bushi",
        "turtle nagato bushi",
        "dragonfly nagato bushi",
        "lotus cards su-justice su-justice",
    )
    assert bid(war(*said)).vp["lotus"] == 2 * 2 * 3  # not for Koi, who has more
    assert bid(war(*said, "ally lotus turtle")).vp["lotus"] == 2 * 3  # an Ally is not killed


def test_mercy_spares_all_losers_and_then_nobody_is_killed():
    said = (
        "lotus nagato bushi*3",
        "turtle nagato bushi",
        "koi nagato bushi",
        "lotus cards su-mercy su-justice",
        "koi cards sp-righteousness",
    )
    s = bid(war(*said))
    assert choices(s, "lotus") == ["lotus spare yes", "lotus spare no"]
    spared = accepted(s, "lotus spare yes")
    assert spared.vp["lotus"] == 2
    assert spared.pieces["turtle"]["nagato"] == {"bushi": 1}
    killed = accepted(s, "lotus spare no")
    assert (killed.vp["lotus"], killed.vp["koi"]) == (3, 1)
    assert "nagato" not in killed.pieces["turtle"]


def test_righteousness_of_losers_counts_every_figure():
    s = bid(war("lotus nagato bushi*3", "koi nagato bushi daimyo", "koi cards sp-righteousness sp-righteousness"))
    assert s.vp["koi"] == 4


def test_way_of_the_katana_wins_a_battle():
    s = position(HEAD.replace("step war 1", "step war") + "koi nagato bushi*2\nkoi cards au-way-of-the-katana\nlotus nagato bushi*3")
    s = bid(accepted(s, "table done"))
    assert s.tokens == {"koi": ("spring:nagato",)}


def test_courage_is_a_gain_of_its_own_beside_the_oni_of_souls():
    s = bid(
        war(
            "turtle nagato oni_of_souls bushi*3",
            "turtle cards su-oni-of-souls sp-courage su-loyalty",
            "ally turtle koi",
            "lotus nagato bushi",
        )
    )
    assert s.vp["turtle"] == 2 + 1 + 2 + 1


def test_benevolence_is_no_matter_of_bids():
    s = bid(war("lotus nagato bushi*3", "koi nagato bushi", "koi coins 3", "koi cards sp-benevolence"), koi=(0, 0, 0, 3))
    assert s.asks == ()
