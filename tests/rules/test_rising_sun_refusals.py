"""Every way a command can be wrong has its clause and one sentence, and names what would be lawful."""

from __future__ import annotations

import pytest
from rs_rig import GAME, accepted, keys, position
from suite import texts

from companion.rules.game import CHANCE, TABLE, Refusal
from companion.rules.rising_sun import commands as cmd
from companion.rules.rising_sun.refusals import LAWFUL

WORDS = keys("en") & keys("ru")
BASE = """
seats koi lotus turtle dragonfly
step mandate {n}
turn {turn}
deck {deck}
ally {allies}
shrines raijin hachiman susanoo fujin
display sp-komainu sp-righteousness sp-way-of-the-shogun
koi coins 5
koi edo daimyo bushi*2 stronghold
lotus coins 1
lotus nagato daimyo bushi stronghold
turtle coins 6
turtle kyoto daimyo bushi stronghold
dragonfly coins 6
dragonfly hokkaido daimyo bushi stronghold
{extra}
"""


def standing(mandate, *moves, turn="koi", allies="koi dragonfly", extra="", n=1):
    s = position(BASE.format(n=n, turn=turn, deck=mandate, allies=allies, extra=extra))
    return accepted(s, f"{turn} choose {mandate}", *moves)


def why(s, command):
    """Clause and key; a refusal always has its words and at most so many lawful choices."""
    if isinstance(command, str):
        command = GAME.notation.hear(command.split())
    result = GAME.apply(s, command)
    assert isinstance(result, Refusal), command
    assert all(t.key in WORDS for t in texts(result)), result
    assert len(result.lawful) <= LAWFUL
    return result.clause, result.text.key.removeprefix("rs.no.")


def test_the_mandate_turn():
    s = position(BASE.format(n=1, turn="koi", deck="recruit recruit train train", allies="koi dragonfly", extra=""))
    assert why(s, "lotus choose recruit") == ("RS-6.2", "not_your_mandate_turn")
    assert why(s, "koi choose betray") == ("RS-6.3", "not_drawn")
    assert why(s, "koi choose recruit as betray") == ("RS-10.2", "only_lotus_declares")
    assert why(s, "koi done") == ("RS-6.3", "choose_first")
    assert why(s, cmd.Choose("koi", "sleep")) == ("RS-1.6", "unknown_mandate")
    assert why(accepted(s, "koi choose recruit"), "koi choose train") == ("RS-6.3", "performing")
    s = position(BASE.format(n=1, turn="lotus", deck="recruit recruit train train", allies="koi dragonfly", extra=""))
    assert why(s, cmd.Choose("lotus", "recruit")) == ("RS-10.2", "lotus_declares")
    assert why(s, cmd.Choose("lotus", "recruit", "sleep")) == ("RS-10.2", "unknown_mandate")


def test_cardboard_tiles():
    s = position(
        "seats koi lotus turtle\noption mandates cardboard\nstep mandate 4\ntrack recruit koi recruit as recruit lotus recruit turtle"
    )
    assert accepted(s, "koi choose train").track[-1].tile == "train"
    assert why(s, "koi choose recruit") == ("RS-1.6", "no_copy_left")
    assert why(s, "koi choose ?") == ("RS-6.3", "name_the_face")
    s = position("seats koi lotus turtle\noption mandates cardboard\nstep mandate 2\ntrack recruit koi")
    assert why(s, "lotus choose train") == ("RS-10.2", "lotus_unknown")
    assert accepted(s, "lotus choose ? as harvest").turn == "turtle"


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("dragonfly summon bushi hokkaido", ("RS-6.5", "not_yet")),
        ("lotus summon stronghold nagato", ("RS-2.1", "stronghold_no_figure")),
        ("lotus summon komainu nagato", ("RS-6R.3", "none_in_reserve")),
        ("lotus summon daimyo nagato", ("RS-6R.3", "none_in_reserve")),
        (cmd.Summon("lotus", "ninja", "nagato"), ("RS-6R.3", "unknown_kind")),
        (cmd.Summon("lotus", "bushi", "atlantis"), ("RS-2.7", "not_a_province")),
        ("lotus summon bushi shrine.1", ("RS-2.7", "not_a_province")),
        ("lotus summon bushi edo", ("RS-6R.1", "no_stronghold_there")),
        ("lotus worship raijin", ("RS-6R.4", "worship_only_when_summoned")),
        ("lotus move bushi nagato kansai", ("RS-6M.1", "no_marshal")),
        ("lotus build nagato", ("RS-6M.2", "no_marshal_build")),
        ("lotus buy sp-komainu", ("RS-6T.1", "no_train")),
        ("lotus replace koi bushi edo bushi", ("RS-6B.2", "no_betray")),
        ("turtle done", ("RS-6.5", "not_yet")),
        (cmd.Done(CHANCE), ("RS-6.5", "not_the_table")),
        (cmd.Done(TABLE), ("RS-6.5", "not_the_table")),
        (cmd.Done("fox"), ("RS-3.1", "not_seated")),
        (cmd.Shuffle(CHANCE, "mandates", ()), ("RS-3.7", "no_shuffle")),
        (cmd.Shuffle("koi", "mandates", ()), ("RS-3.7", "not_chance")),
    ],
)
def test_recruit(command, expected):
    assert why(standing("recruit"), command) == expected


def test_recruit_once_summons_are_made():
    s = standing("recruit", extra="lotus oshu stronghold")
    s = accepted(s, "lotus summon bushi nagato")
    assert why(s, "lotus summon bushi nagato") == ("RS-6R.1", "stronghold_used")
    s = accepted(s, "lotus summon shinto oshu")
    assert why(s, "lotus summon bushi oshu") == ("RS-6.7", "no_bonus_summon")
    assert why(s, cmd.Worship("lotus", "odin")) == ("RS-3.5", "no_such_shrine")
    assert why(s, "lotus worship amaterasu") == ("RS-3.5", "kami_not_in_game")
    s = accepted(s, "lotus give koi coins 1 ronin 0")  # a command of its own: the way to worship closes
    assert why(s, "lotus worship raijin") == ("RS-6R.4", "worship_only_when_summoned")


def test_a_gift_of_another_leaves_worship_open():
    s = accepted(standing("recruit"), "lotus summon shinto nagato", "koi give lotus coins 1 ronin 0", "lotus worship raijin")
    assert s.pieces["lotus"]["shrine.1"] == {"shinto": 1}


def test_recruit_when_it_is_over():
    s = standing("recruit", "lotus done", "turtle done", "dragonfly done", "koi done")
    assert why(s, "koi summon bushi edo") == ("RS-6R.1", "no_summon_left")
    assert why(s, "lotus summon bushi nagato") == ("RS-6.7", "no_bonus_summon")
    assert why(s, "koi choose train") == ("RS-6.2", "not_your_mandate_turn")
    bare = position(
        BASE.format(n=1, turn="koi", deck="recruit", allies="koi dragonfly", extra="").replace(
            "bushi stronghold\nturtle coins", "bushi\nturtle coins"
        )
    )
    bare = accepted(bare, "koi choose recruit")
    assert bare.doing.now == "turtle"  # lotus has no stronghold and is passed over
    assert why(bare, "lotus summon bushi nagato") == ("RS-6R.5", "no_stronghold")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (cmd.Move("lotus", "ninja", "nagato", "kansai"), ("RS-2.1", "unknown_kind")),
        ("lotus move stronghold nagato kansai", ("RS-10.4", "strongholds_stay")),
        ("lotus move bushi nagato shrine.1", ("RS-2.6", "shrine_not_on_map")),
        ("lotus move bushi reserve kansai", ("RS-2.9", "not_a_province")),
        (cmd.Move("lotus", "bushi", "nagato", "atlantis"), ("RS-2.9", "not_a_province")),
        ("lotus move shinto nagato kansai", ("RS-6M.1", "none_there")),
        ("lotus move bushi nagato nagato", ("RS-2.9", "stays")),
        ("lotus move bushi nagato edo", ("RS-2.9", "not_adjacent")),
        ("lotus build kansai", ("RS-6.7", "no_bonus_build")),
        ("dragonfly build kansai", ("RS-6.5", "not_yet")),
        ("koi summon bushi edo", ("RS-6R.1", "no_recruit")),
    ],
)
def test_marshal(command, expected):
    assert why(standing("marshal"), command) == expected


def test_marshal_bonus():
    s = standing("marshal", "lotus done", "turtle done")
    assert why(s, cmd.Build("dragonfly", "atlantis")) == ("RS-6M.2", "not_a_province")
    s = accepted(s, "dragonfly build kansai")
    assert why(s, "dragonfly build kansai") == ("RS-6M.2", "built_already")
    s = accepted(s, "dragonfly done")
    assert why(s, "dragonfly build kansai") == ("RS-6M.2", "marshal_over")
    assert why(s, "dragonfly move bushi hokkaido edo") == ("RS-6M.1", "marshal_over")
    poor = standing("marshal", allies="koi lotus")
    assert why(poor, "lotus build kansai") == ("RS-6M.2", "stronghold_costs")
    full = standing("marshal", allies="koi turtle", extra="turtle oshu stronghold*3")
    full = accepted(full, "lotus done")
    assert why(full, "turtle build edo") == ("RS-6M.2", "no_stronghold_in_reserve")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("turtle buy sp-komainu", ("RS-6.5", "not_yet")),
        (cmd.Buy("koi", "sp-nothing"), ("RS-1.4", "unknown_card")),
        ("koi buy su-yurei", ("RS-6T.5", "not_on_display")),
        ("koi summon bushi edo", ("RS-6T.3", "buy_first")),
    ],
)
def test_train(command, expected):
    assert why(standing("train"), command) == expected


def test_train_buys_a_monster_and_summons_it():
    s = accepted(standing("train"), "koi buy sp-komainu")
    assert why(s, "koi done") == ("RS-6T.3", "summon_first")
    assert why(s, "koi buy sp-righteousness") == ("RS-6T.3", "summon_first")
    assert why(s, "koi summon bushi edo") == ("RS-6T.3", "only_the_bought")
    assert why(s, "koi summon komainu kyoto") == ("RS-6T.3", "no_stronghold_for_monster")
    assert why(s, cmd.Summon("koi", "komainu", "atlantis")) == ("RS-6T.3", "no_stronghold_there_monster")
    s = accepted(s, "koi summon komainu edo")
    assert why(s, "koi buy sp-righteousness") == ("RS-6T.2", "one_card")
    s = accepted(s, "koi worship hachiman")  # Komainu is a Shinto too
    assert s.pieces["koi"]["shrine.2"] == {"komainu": 1}
    assert why(s, "koi buy sp-righteousness") == ("RS-6T.2", "train_over")


def test_a_card_too_dear_and_a_monster_without_a_home():
    text = BASE.format(n=1, turn="koi", deck="train", allies="koi dragonfly", extra="").replace(
        "sp-komainu sp-right", "sp-path-of-the-lion sp-right"
    )
    dear = accepted(position(text), "koi choose train", "koi give turtle coins 5 ronin 0")
    assert why(dear, "koi buy sp-righteousness") == ("RS-6T.1", "card_costs")
    text = BASE.format(n=1, turn="koi", deck="train", allies="koi dragonfly", extra="").replace(
        "daimyo bushi*2 stronghold", "daimyo bushi*2"
    )
    homeless = accepted(position("option monster_without_stronghold forbidden" + text), "koi choose train")
    assert why(homeless, "koi buy sp-komainu") == ("RS-6T.4", "monster_needs_stronghold")
    waits = accepted(position(text), "koi choose train", "koi buy sp-komainu")
    assert waits.pieces["koi"]["reserve"]["komainu"] == 1
    assert waits.doing.now == "lotus"  # it cannot pay, but could be given coins (docs/adr/0010)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("lotus replace koi bushi edo bushi", ("RS-6.7", "only_the_betrayer")),
        (cmd.Replace("koi", "lotus", "ninja", "nagato", "bushi"), ("RS-6B.3", "unknown_kind")),
        (cmd.Replace("koi", "fox", "bushi", "nagato", "bushi"), ("RS-6B.2", "other_player")),
        ("koi replace koi bushi edo bushi", ("RS-6B.2", "other_player")),
        ("koi replace lotus stronghold nagato stronghold", ("RS-6B.7", "stronghold_not_replaced")),
        ("koi replace lotus daimyo nagato daimyo", ("RS-6B.3", "daimyo_immune")),
        ("koi replace lotus bushi shrine.1 bushi", ("RS-6B.5", "shrine_not_betrayed")),
        (cmd.Replace("koi", "lotus", "bushi", "atlantis", "bushi"), ("RS-6B.2", "not_a_province")),
        ("koi replace lotus bushi edo bushi", ("RS-6B.2", "victim_not_there")),
        ("koi replace lotus bushi nagato shinto", ("RS-6B.3", "other_type")),
        ("koi replace lotus bushi nagato daimyo", ("RS-6B.3", "other_type")),
    ],
)
def test_betray(command, expected):
    assert why(standing("betray"), command) == expected


def test_betray_when_it_is_over():
    s = standing("betray", "koi done")
    assert why(s, "koi replace lotus bushi nagato bushi") == ("RS-6B.2", "two_victims")
    assert why(s, "turtle replace lotus bushi nagato bushi") == ("RS-6.7", "only_the_betrayer")
    s = accepted(standing("betray"), "koi replace lotus bushi nagato bushi")
    assert why(s, "koi replace turtle bushi kyoto komainu") == ("RS-6B.3", "other_type")


def test_gifts():
    s = standing("recruit")
    assert why(s, "koi give lotus coins 6 ronin 0") == ("RS-2N.3", "gift_too_much")
    assert why(s, "koi give lotus coins 0 ronin 0") == ("RS-2N.3", "gift_nothing")
    assert why(s, cmd.Give("koi", "lotus", {"coins": -1, "ronin": 2})) == ("RS-2N.3", "gift_nothing")
    assert why(s, cmd.Give("koi", "lotus", {"honor": 1})) == ("RS-2N.3", "gift_sort")
    assert why(s, "koi give koi coins 1 ronin 0") == ("RS-2N.3", "gift_to_other")
    assert why(s, "koi give bonsai coins 1 ronin 0") == ("RS-2N.3", "gift_to_other")
    war = position("seats koi lotus turtle\nstep war 1\nwars nagato edo oshu kansai kyushu\nkoi coins 3")
    assert why(war, "koi give lotus coins 1 ronin 0") == ("RS-8.2", "no_gifts_in_war")
    assert why(war, "koi choose recruit") == ("RS-8.3", "war")
    assert why(war, "koi done") == ("RS-8.3", "war")


def kami(*extra):
    text = "seats koi lotus turtle\nstep mandate 3\nturn turtle\ndeck harvest\ntrack recruit koi recruit as recruit lotus\nkoi coins 5\n"
    return accepted(position(text + "\n".join(extra)), "turtle choose harvest")


def test_kami():
    s = kami("shrines raijin", "koi shrine.1 shinto")
    assert why(s, "koi summon shinto edo") == ("RS-7.5", "raijin_bushi")
    assert why(s, cmd.Summon("koi", "bushi", "atlantis")) == ("RS-2.7", "not_a_province")
    assert why(s, "lotus summon bushi edo") == ("RS-7.2", "not_blessed")
    assert why(s, "lotus done") == ("RS-7.2", "not_blessed")
    assert why(s, "turtle choose train") == ("RS-6.8", "kami_first")
    done = position("seats koi lotus turtle\nstep kami 1\nshrines raijin\ndoing raijin by koi now koi\nused summon")
    assert why(done, "koi summon bushi edo") == ("RS-7.5", "raijin_done")
    s = kami("shrines ryujin", "koi shrine.1 shinto", "display su-way-of-bushido su-path-of-the-serpent")
    s = accepted(s, "koi give lotus coins 4 ronin 0")
    assert why(s, "koi buy su-way-of-bushido") == ("RS-7.5", "card_costs")
    s = position("seats koi lotus turtle\nstep kami 1\ntrack recruit koi recruit as recruit lotus recruit turtle")
    assert why(s, "koi choose train") == ("RS-6.8", "kami_first")
    assert why(s, "koi done") == ("RS-7.1", "kami_first")


def test_chance_and_the_end():
    s = GAME.start(("koi", "lotus", "turtle"), {})
    assert why(s, "koi choose train") == ("RS-3.5", "owed_shrines")
    assert why(s, cmd.Shuffle(CHANCE, "shrines", ("raijin",))) == ("RS-3.5", "shuffle_order")
    assert why(s, cmd.Shuffle(CHANCE, "wars", ())) == ("RS-3.7", "no_shuffle")
    over = position("seats koi lotus turtle\nseason autumn\nstep over")
    assert why(over, "koi done") == ("RS-12.5", "over")
    assert why(s, cmd.Offer("koi", "lotus")) == ("RS-5.3", "tea_only")


def test_lawful_choices_are_named():
    s = standing("recruit")
    result = GAME.apply(s, cmd.Summon("lotus", "bushi", "edo"))
    assert isinstance(result, Refusal)
    assert [t.key for t in result.lawful] == ["rs.choice.summon"] * 2 + ["rs.choice.done"]
    other = GAME.apply(s, cmd.Summon("koi", "bushi", "edo"))
    assert isinstance(other, Refusal)
    assert other.lawful == ()
