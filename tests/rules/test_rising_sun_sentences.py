"""What people read, word by word: every step of a Mandate tells who did what where for how much, and every question what it offers.

Each sentence here was read against the clause it stands under. Numbers, places and names are chosen so that no two of them could be swapped
unnoticed.
"""

from __future__ import annotations

import pytest
from rs_rig import accepted, position
from rs_said import asked, offered, refused, told

FOUR = "seats koi lotus turtle dragonfly\n"


# ------------------------------------------------------------------ the Mandate Turn


def test_the_chooser_is_asked_in_secret_once_for_each_face():
    s = position(FOUR + "deck train recruit train betray harvest")
    assert asked(s) == "RS-6.3 koi: Choose a Mandate | secret"
    assert offered(s, "koi") == [
        "koi choose train | Train | mandate/train | Everyone may buy a card, you first; for you and your ally it costs 1 less.",
        "koi choose recruit | Recruit | mandate/recruit | Everyone summons 1 figure per stronghold; you and your ally 1 more.",
        "koi choose betray | Betray | mandate/betray | You leave your alliance and replace up to 2 rival figures.",
    ]
    assert refused(s, "koi choose harvest") == [
        "RS-6.3: Harvest is not among the tiles you drew.",
        "Train",
        "Recruit",
        "Betray",
    ]


def test_lotus_is_asked_in_secret_for_a_tile_and_what_it_stands_for():
    s = position(FOUR + "step mandate 2\ntrack recruit koi\ndeck train harvest train train")
    assert asked(s) == "RS-10.2 lotus: Lay a tile face down and say what it stands for | secret"
    heads = [said.split(" | ")[:3] for said in offered(s, "lotus")]
    names = {"recruit": "Recruit", "marshal": "Marshal", "train": "Train", "harvest": "Harvest", "betray": "Betray"}
    assert heads == [
        [f"lotus choose {tile} as {word}", f"{names[word]} (lay down {names[tile]})", f"mandate/{word}"]
        for tile in ("train", "harvest")
        for word in names
    ]
    assert offered(s, "lotus choose harvest as marshal") == [
        (
            "lotus choose harvest as marshal | Marshal (lay down Harvest) | mandate/marshal"
            " | Everyone moves figures; you and your ally may build a stronghold."
        )
    ]


def test_a_face_down_tile_tells_only_what_was_declared():
    s = position(FOUR + "step mandate 2\ntrack recruit koi\ndeck train harvest\nkoi edo bushi")
    assert told(s, "lotus choose train as marshal") == ["RS-10.2: Lotus lays a tile face down and declares Marshal."]
    after = accepted(s, "lotus choose train as marshal")
    assert after.deck[:1] == ("harvest",)
    assert (after.track[-1].tile, after.track[-1].by, after.track[-1].declared) == ("train", "lotus", "marshal")


def test_a_choice_and_the_next_draw_are_told_as_revelations():
    s = position(FOUR + "deck harvest recruit")
    assert told(s, "koi choose harvest")[0] == "RS-6.3! Koi chooses Harvest."
    assert told(s, "koi choose harvest")[-1] == "RS-6.3! Lotus takes the Mandate deck and looks at the top 4 tiles."


@pytest.mark.parametrize(
    ("seats", "order"),
    [("koi lotus turtle dragonfly", ["Lotus", "Turtle", "Dragonfly", "Koi"]), ("koi lotus dragonfly", ["Lotus", "Dragonfly", "Koi"])],
)
def test_the_chooser_gains_its_coin_last(seats, order):
    said = told(position(f"seats {seats}\ndeck harvest"), "koi choose harvest")
    assert [line.split()[1] for line in said[1:-1]] == order


# ------------------------------------------------------------------ Recruit


def test_recruit_names_figure_province_and_shrine():
    s = position(FOUR + "deck recruit\nlotus kyoto stronghold*2\nlotus cards sp-komainu\nshrines raijin fujin")
    assert told(s, "koi choose recruit") == ["RS-6.3! Koi chooses Recruit."]
    s = accepted(s, "koi choose recruit")
    assert asked(s) == "RS-6R.1 lotus: Summon 2 figures"
    assert offered(s, "lotus") == [
        "lotus summon bushi kyoto | Bushi to Kyoto | lotus/bushi reserve.lotus > kyoto | figure/bushi",
        "lotus summon shinto kyoto | Shinto to Kyoto | lotus/shinto reserve.lotus > kyoto | figure/shinto",
        "lotus summon daimyo kyoto | Daimyo to Kyoto | lotus/daimyo reserve.lotus > kyoto | figure/daimyo",
        "lotus summon komainu kyoto | Komainu to Kyoto | komainu reserve.lotus > kyoto | figure/monster",
        "lotus done | Done | ui/ok | gives up 2",
    ]
    assert told(s, "lotus summon shinto kyoto") == ["RS-6R.1: Lotus summons Shinto to Kyoto."]
    s = accepted(s, "lotus summon shinto kyoto")
    assert asked(s) == "RS-6R.1 lotus: Summon 1 more | The Shinto just summoned in Kyoto may go to a shrine now."
    assert offered(s, "lotus worship", "lotus done") == [
        "lotus worship raijin | Shinto to the shrine of Raijin | lotus/shinto kyoto > shrine.1 | kami/raijin | a Bushi anywhere",
        "lotus worship fujin | Shinto to the shrine of Fujin | lotus/shinto kyoto > shrine.2 | kami/fujin | moves",
        "lotus done | Done | ui/ok | gives up 1",
    ]
    assert told(s, "lotus worship fujin") == ["RS-6R.4: Lotus's Shinto goes to the shrine of Fujin."]
    s = accepted(s, "lotus worship fujin")
    assert s.pieces["lotus"]["shrine.2"] == {"shinto": 1}
    assert asked(s) == "RS-6R.1 lotus: Summon 1 more"
    s = accepted(s, "lotus summon komainu kyoto")
    assert asked(s) == "RS-6R.4 lotus: Send it to worship, or leave it there | The Komainu just summoned in Kyoto may go to a shrine now."
    assert offered(s, "lotus") == [
        "lotus worship raijin | Komainu to the shrine of Raijin | komainu kyoto > shrine.1 | kami/raijin | a Bushi anywhere",
        "lotus worship fujin | Komainu to the shrine of Fujin | komainu kyoto > shrine.2 | kami/fujin | moves",
        "lotus done | Done | ui/ok",
    ]
    assert told(s, "lotus worship raijin") == [
        "RS-6R.4: Lotus's Komainu goes to the shrine of Raijin.",
        "RS-6.3! Lotus takes the Mandate deck and looks at the top 4 tiles.",
    ]


def test_a_refused_summon_says_why_and_what_would_do():
    s = accepted(position(FOUR + "deck recruit\nlotus kyoto stronghold"), "koi choose recruit")
    assert refused(s, "lotus summon bushi edo") == [
        "RS-6R.1: You have no stronghold in Edo.",
        "Bushi to Kyoto",
        "Shinto to Kyoto",
        "Daimyo to Kyoto",
        "Done",
    ]


# ------------------------------------------------------------------ Marshal


PROVINCES = ("hokkaido", "oshu", "kyoto", "edo", "kansai", "nagato", "shikoku", "kyushu")


def test_marshal_names_every_move_and_every_site():
    text = "deck marshal\nally koi turtle\nkoi coins 2\nkoi edo bushi stronghold\nturtle coins 4\n"
    s = position(FOUR + text + "turtle kyoto stronghold bushi oni_of_skulls\nturtle cards sp-oni-of-skulls")
    s = accepted(s, "koi choose marshal")
    assert asked(s) == "RS-6M.1 turtle: Move: 3 figures have not moved | You may also build a stronghold anywhere for 3 coins."
    near = ("oshu", "edo", "kansai")
    assert offered(s, "turtle move") == [
        *(f"turtle move bushi kyoto {p} | Bushi from Kyoto to {p.title()} | turtle/bushi kyoto > {p} | figure/bushi" for p in near),
        *(
            f"turtle move oni_of_skulls kyoto {p} | Oni of Skulls from Kyoto to {p.title()} | oni_of_skulls kyoto > {p} | figure/monster"
            for p in near
        ),
        *(
            f"turtle move stronghold kyoto {p} | Stronghold from Kyoto to {p.title()} | turtle/stronghold kyoto > {p} | place/stronghold"
            for p in near
        ),
    ]
    assert offered(s, "turtle build") == [
        f"turtle build {p} | Stronghold in {p.title()} for 3 coins | turtle/stronghold reserve.turtle > {p} | place/stronghold"
        for p in PROVINCES
    ]
    assert offered(s, "turtle done") == ["turtle done | Done | ui/ok"]
    assert told(s, "turtle move oni_of_skulls kyoto kansai") == ["RS-6M.1: Turtle moves Oni of Skulls from Kyoto to Kansai."]
    assert told(s, "turtle build shikoku") == ["RS-6M.2: Turtle builds a stronghold in Shikoku for 3 coins."]
    s = accepted(s, "turtle move stronghold kyoto edo", "turtle build shikoku")
    assert s.coins["turtle"] == 1
    assert asked(s) == "RS-6M.1 turtle: Move: 3 figures have not moved"  # the built one has had no Move (RS-10.4)
    assert told(s, "turtle done") == ["RS-6.6: Turtle is done."]
    s = accepted(s, "turtle done")
    assert asked(s) == "RS-6M.1 koi: Move: 1 figure has not moved"  # 2 Coins build nothing; no Stronghold of Koi's moves
    s = accepted(s, "koi move bushi edo oshu")
    assert asked(s) == "RS-6M.2 koi: Build a stronghold, or be done | Your own coins are not enough; a gift of another clan may be."


def test_bonsai_builds_for_one_coin():
    s = accepted(position("seats koi turtle bonsai\nturn bonsai\ndeck marshal\nbonsai coins 1"), "bonsai choose marshal")
    assert asked(s) == "RS-6M.2 bonsai: Build a stronghold, or be done | You may also build a stronghold anywhere for 1 coin."
    assert offered(s, "bonsai build edo") == [
        "bonsai build edo | Stronghold in Edo for 1 coin | bonsai/stronghold reserve.bonsai > edo | place/stronghold"
    ]
    assert told(s, "bonsai build edo")[0] == "RS-6M.2: Bonsai builds a stronghold in Edo for 1 coin."


def test_dragonfly_moves_and_summons_everywhere():
    s = accepted(position("seats koi turtle dragonfly\nturn dragonfly\ndeck marshal\ndragonfly edo bushi"), "dragonfly choose marshal")
    others = [p for p in PROVINCES if p != "edo"]
    assert [said.split(" | ")[2] for said in offered(s, "dragonfly move")] == [f"dragonfly/bushi edo > {p}" for p in others]
    s = position("seats koi turtle dragonfly\nturn dragonfly\ndeck recruit\ndragonfly edo stronghold*2\ndragonfly oshu daimyo shinto*3")
    s = accepted(s, "dragonfly choose recruit", "dragonfly summon bushi hokkaido")
    assert asked(s) == "RS-6R.1 dragonfly: Summon 2 more"
    assert [said.split(" | ")[2] for said in offered(s, "dragonfly summon")] == [
        f"dragonfly/bushi reserve.dragonfly > {p}" for p in PROVINCES
    ]
    s = accepted(s, "dragonfly summon bushi hokkaido")
    assert asked(s) == "RS-6R.1 dragonfly: Summon 1 more"
    assert accepted(s, "dragonfly summon bushi kyushu").doing is None


# ------------------------------------------------------------------ Train


SHELF = "display sp-righteousness sp-komainu sp-oni-of-skulls\n"


def test_train_names_card_price_monster_and_shrine():
    text = "deck train\nally koi turtle\nkoi coins 2\nkoi edo stronghold\nkoi nagato stronghold\nshrines raijin fujin\nlotus coins 2\n"
    s = accepted(position(FOUR + text + SHELF), "koi choose train")
    assert asked(s) == "RS-6T.1 koi: Buy one card"
    assert offered(s, "koi") == [
        (
            "koi buy sp-komainu | Komainu for 1 coin | token/coin"
            " | A Monster of Force 1 that is also a Shinto: it may worship when it is summoned."
        ),
        (
            "koi buy sp-oni-of-skulls | Oni of Skulls for 1 coin | token/coin"
            " | A Monster of Force 1; Force 3 where you have the lowest honor of the players there."
        ),
        (
            "koi buy sp-righteousness | Righteousness for 1 coin | token/coin"
            " | 1 point for each figure of yours that is killed, however it dies."
        ),
        "koi done | Done | ui/ok",
    ]
    assert told(s, "koi buy sp-komainu") == ["RS-6T.1: Koi buys Komainu for 1 coin."]
    s = accepted(s, "koi buy sp-komainu")
    assert s.coins["koi"] == 1
    assert s.display == ("sp-oni-of-skulls", "sp-righteousness")
    assert asked(s) == "RS-6T.3 koi: Summon Komainu"
    assert offered(s, "koi") == [
        "koi summon komainu edo | Komainu to Edo | komainu reserve.koi > edo | figure/monster",
        "koi summon komainu nagato | Komainu to Nagato | komainu reserve.koi > nagato | figure/monster",
    ]
    assert told(s, "koi summon komainu nagato") == ["RS-6T.3: Koi summons Komainu to Nagato."]
    s = accepted(s, "koi summon komainu nagato")
    assert asked(s) == "RS-6R.4 koi: Send it to worship, or leave it there"
    assert offered(s, "koi") == [
        "koi worship raijin | Komainu to the shrine of Raijin | komainu nagato > shrine.1 | kami/raijin | a Bushi anywhere",
        "koi worship fujin | Komainu to the shrine of Fujin | komainu nagato > shrine.2 | kami/fujin | moves",
        "koi done | Done | ui/ok",
    ]
    assert told(s, "koi worship fujin") == ["RS-6R.4: Koi's Komainu goes to the shrine of Fujin."]
    s = accepted(s, "koi worship fujin")
    assert offered(s, "lotus buy sp-r")[0].split(" | ")[:2] == ["lotus buy sp-righteousness", "Righteousness for 2 coins"]
    assert told(s, "lotus buy sp-oni-of-skulls") == [
        "RS-6T.1: Lotus buys Oni of Skulls for 2 coins.",
        "RS-6T.4: Lotus has no stronghold on the map: Oni of Skulls waits in the reserve.",
    ]


def test_bonsai_buys_for_one_coin_and_with_the_bonus_for_none():
    s = position("seats koi lotus bonsai\ndeck train\nbonsai coins 1\n" + SHELF)
    s = accepted(s, "koi choose train", "koi done")
    assert [said.split(" | ")[1] for said in offered(s, "bonsai")] == [
        "Komainu for 1 coin",
        "Oni of Skulls for 1 coin",
        "Righteousness for 1 coin",
        "Done",
    ]
    assert told(s, "bonsai buy sp-righteousness")[0] == "RS-6T.1: Bonsai buys Righteousness for 1 coin."
    s = accepted(position("seats koi lotus bonsai\nturn bonsai\ndeck train\n" + SHELF), "bonsai choose train")
    assert told(s, "bonsai buy sp-righteousness")[0] == "RS-6T.1: Bonsai buys Righteousness for 0 coins."


# ------------------------------------------------------------------ Harvest


def test_harvest_names_every_coin_and_every_reward_of_chooser_and_ally():
    text = "deck harvest\nally koi turtle\nkoi edo bushi\nkoi hokkaido bushi\nturtle oshu bushi\nturtle nagato bushi*2\n"
    s = position(FOUR + text + "lotus kyoto bushi\nlotus nagato bushi\nkoi nagato bushi")
    assert told(s, "koi choose harvest") == [
        "RS-6.3! Koi chooses Harvest.",
        "RS-6H.1: Lotus gains 1 coin.",
        "RS-6H.1: Turtle gains 1 coin.",
        "RS-6H.2: Turtle harvests Oshu: 3 coins.",
        "RS-6H.2: Turtle harvests Nagato: 1 point, 1 coin and 1 ronin.",
        "RS-6H.1: Dragonfly gains 1 coin.",
        "RS-6H.1: Koi gains 1 coin.",
        "RS-6H.2: Koi harvests Hokkaido: 2 ronin.",
        "RS-6H.2: Koi harvests Edo: 2 points and 2 coins.",
        "RS-6.3! Lotus takes the Mandate deck and looks at the top 4 tiles.",
    ]
    s = accepted(s, "koi choose harvest")
    assert (dict(s.coins), dict(s.ronin), dict(s.vp)) == (
        {"koi": 3, "lotus": 1, "turtle": 5, "dragonfly": 1},
        {"koi": 2, "lotus": 0, "turtle": 1, "dragonfly": 0},
        {"koi": 2, "lotus": 0, "turtle": 1, "dragonfly": 0},
    )


# ------------------------------------------------------------------ Betray


def test_betray_names_the_former_ally_and_both_figures_of_every_exchange():
    text = "deck betray\nally koi turtle\nlotus nagato bushi daimyo\nturtle edo shinto komainu\nturtle cards sp-komainu\nkoi oshu bushi\n"
    s = position(FOUR + text + "koi cards sp-oni-of-skulls")
    assert told(s, "koi choose betray") == [
        "RS-6.3! Koi chooses Betray.",
        "RS-6B.1: Koi breaks the alliance with Turtle.",
        "RS-2H.3: Koi loses honor.",
    ]
    s = accepted(s, "koi choose betray")
    assert s.allies == {}
    assert asked(s) == "RS-6B.2 koi: Replace up to 2 figures of different players"
    own, theirs = "reserve.koi > edo", "edo > reserve.turtle"
    assert offered(s, "koi") == [
        (
            "koi replace lotus bushi nagato bushi | Bushi for Lotus's Bushi in Nagato"
            " | koi/bushi reserve.koi > nagato, lotus/bushi nagato > reserve.lotus | figure/bushi"
        ),
        (
            f"koi replace turtle komainu edo oni_of_skulls | Oni of Skulls for Turtle's Komainu in Edo | oni_of_skulls {own}, komainu {theirs}"
            " | figure/monster"
        ),
        f"koi replace turtle komainu edo shinto | Shinto for Turtle's Komainu in Edo | koi/shinto {own}, komainu {theirs} | figure/shinto",
        f"koi replace turtle shinto edo shinto | Shinto for Turtle's Shinto in Edo | koi/shinto {own}, turtle/shinto {theirs} | figure/shinto",
        "koi done | Done | ui/ok",
    ]
    assert told(s, "koi replace turtle komainu edo shinto") == ["RS-6B.2: Koi replaces Turtle's Komainu in Edo with its own Shinto."]
    s = accepted(s, "koi replace turtle komainu edo shinto")
    assert s.pieces["turtle"]["reserve"]["komainu"] == 1
    assert asked(s) == "RS-6B.2 koi: Replace 1 more figure"
    assert [said.split(" | ")[0] for said in offered(s, "koi")] == ["koi replace lotus bushi nagato bushi", "koi done"]
    assert refused(s, "koi replace turtle shinto edo shinto") == [
        "RS-6B.2: You have replaced a figure of Turtle already; the second is another player's.",
        "Bushi for Lotus's Bushi in Nagato",
        "Done",
    ]


def test_a_betrayal_without_an_ally_costs_no_honor_and_leaves_other_alliances():
    s = position(FOUR + "deck betray\nally lotus turtle\nlotus edo bushi")
    assert told(s, "koi choose betray") == ["RS-6.3! Koi chooses Betray."]
    assert accepted(s, "koi choose betray").allies == {"lotus": "turtle", "turtle": "lotus"}
    s = position("seats koi lotus turtle dragonfly bonsai\ndeck betray\nally koi dragonfly\nally lotus turtle\nlotus edo bushi")
    assert accepted(s, "koi choose betray").allies == {"lotus": "turtle", "turtle": "lotus"}
    last = position(FOUR + "turn dragonfly\ndeck betray\nally koi dragonfly\nlotus edo bushi")
    assert told(last, "dragonfly choose betray")[1:] == [
        "RS-6B.1: Dragonfly breaks the alliance with Koi.",
        "RS-2H.3: Dragonfly already has the lowest honor.",
    ]
