"""What people read of Kami Turns and gifts, word by word, each sentence read against its clause."""

from __future__ import annotations

from rs_rig import GAME, accepted, position
from rs_said import asked, english, offered, refused, told

KAMI = "seats koi lotus turtle dragonfly\nstep mandate 3\nturn turtle\ndeck harvest\ntrack recruit koi recruit as recruit lotus\n"
PROVINCES = ("hokkaido", "oshu", "kyoto", "edo", "kansai", "nagato", "shikoku", "kyushu")


# ------------------------------------------------------------------ the Kami Turn


def test_blessings_without_a_decision_are_told_with_their_amounts():
    text = "shrines amaterasu hachiman tsukuyomi susanoo\nlotus shrine.1 shinto\nturtle shrine.2 shinto\n"
    s = position(KAMI + text + "turtle shrine.3 shinto\ndragonfly shrine.4 shinto\ndragonfly oshu stronghold*2\ndragonfly edo stronghold")
    assert told(s, "turtle choose harvest")[5:] == [
        "RS-7.1: Kami Turn 1 begins.",
        "RS-7.2: Amaterasu blesses Lotus.",
        "RS-7.5: Lotus rises to the top of the Honor Track.",
        "RS-7.2: Hachiman blesses Turtle.",
        "RS-7.5: Turtle gains 2 ronin.",
        "RS-7.2: Tsukuyomi blesses Turtle.",
        "RS-7.5: Turtle gains 2 coins.",
        "RS-7.2: Susanoo blesses Dragonfly.",
        "RS-7.5: Dragonfly gains 3 points.",
        "RS-6.3! Dragonfly takes the Mandate deck and looks at the top 4 tiles.",
    ]
    s = position(KAMI + "shrines amaterasu\nkoi shrine.1 shinto")
    assert "RS-7.5: Koi already has the highest honor." in told(s, "turtle choose harvest")


def test_blessings_to_decide_are_told_asked_and_carried_out():
    text = "shrines raijin fujin ryujin\nlotus edo stronghold\nlotus oshu bushi\nlotus coins 1\ndisplay sp-righteousness sp-komainu\n"
    s = position(KAMI + text + "\n".join(f"lotus shrine.{i} shinto" for i in (1, 2, 3)))
    assert told(s, "turtle choose harvest")[5:] == ["RS-7.1: Kami Turn 1 begins.", "RS-7.2: Raijin blesses Lotus."]
    s = accepted(s, "turtle choose harvest")
    assert asked(s) == "RS-7.5 lotus: Raijin: summon a Bushi to any province"
    assert offered(s, "lotus") == [
        *(f"lotus summon bushi {p} | Bushi to {p.title()} | lotus/bushi reserve.lotus > {p} | figure/bushi" for p in PROVINCES),
        "lotus done | Done | ui/ok",
    ]
    assert told(s, "lotus summon bushi kyushu") == ["RS-7.5: Lotus summons Bushi to Kyushu.", "RS-7.2: Fujin blesses Lotus."]
    s = accepted(s, "lotus summon bushi kyushu")
    assert asked(s) == "RS-7.5 lotus: Fujin: 2 moves left"
    assert offered(s, "lotus move bushi oshu kyoto", "lotus done") == [
        "lotus move bushi oshu kyoto | Bushi from Oshu to Kyoto | lotus/bushi oshu > kyoto | figure/bushi",
        "lotus done | Done | ui/ok | gives up 2",
    ]
    assert told(s, "lotus move bushi oshu kyoto") == ["RS-7.5: Lotus moves Bushi from Oshu to Kyoto."]
    s = accepted(s, "lotus move bushi oshu kyoto")
    assert asked(s) == "RS-7.5 lotus: Fujin: 1 move left"
    assert told(s, "lotus move bushi kyoto edo") == ["RS-7.5: Lotus moves Bushi from Kyoto to Edo.", "RS-7.2: Ryujin blesses Lotus."]
    s = accepted(s, "lotus move bushi kyoto edo")
    assert asked(s) == "RS-7.5 lotus: Ryujin: buy a card at its full cost"
    assert [said.split(" | ")[1] for said in offered(s, "lotus")] == ["Komainu for 2 coins", "Righteousness for 2 coins", "Done"]
    assert told(s, "lotus buy sp-righteousness") == [
        "RS-6T.1: Lotus buys Righteousness for 2 coins.",
        "RS-6.3! Dragonfly takes the Mandate deck and looks at the top 4 tiles.",
    ]
    s = accepted(s, "lotus buy sp-komainu", "lotus summon komainu edo")
    assert told(s, "lotus worship raijin")[0] == "RS-6R.4: Lotus's Komainu goes to the shrine of Raijin."


# ------------------------------------------------------------------ gifts


def test_gifts_are_offered_to_all_others_within_what_one_has():
    s = accepted(
        position("seats koi lotus turtle\ndeck recruit\nkoi coins 3\nkoi ronin 1\nturtle ronin 2\nlotus edo stronghold"),
        "koi choose recruit",
    )
    first, second = GAME.prompts(s)[1:]
    for prompt, seat, coins, ronin in ((first, "koi", 3, 1), (second, "turtle", 0, 2)):
        assert (prompt.seat, prompt.clause, prompt.optional, prompt.private) == (seat, "RS-2N.3", True, False)
        assert english(prompt.text) == "Give coins or ronin"
        for c in prompt.choices:
            assert dict(c.amounts.each) == {"coins": (0, coins), "ronin": (0, ronin)}
            assert c.amounts.total == (1, coins + ronin)
            assert c.mark == f"clan/{c.command.to}"
    assert [english(c.text) for c in first.choices] == ["To Lotus", "To Turtle"]
    assert told(s, "koi give turtle coins 2 ronin 1") == ["RS-2N.4: Koi gives Turtle 2 coins and 1 ronin."]
    assert told(s, "koi give lotus coins 3 ronin 0") == ["RS-2N.4: Koi gives Lotus 3 coins."]
    s = accepted(s, "koi give turtle coins 2 ronin 1")
    assert (s.coins["koi"], s.coins["turtle"], s.ronin["koi"], s.ronin["turtle"]) == (1, 2, 0, 3)
    assert refused(s, "koi give lotus coins 2 ronin 0") == ["RS-2N.3: You have 1 coin and 0 ronin to give."]
