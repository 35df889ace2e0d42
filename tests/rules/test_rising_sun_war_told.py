"""What people read of a War, word by word, each sentence read against its clause (RS-8, 9, 10.1)."""

from __future__ import annotations

from rs_rig import GAME, accepted, position
from rs_said import asked, english, offered, told

from companion.rules.game import TABLE

FOUR = "seats koi lotus turtle dragonfly\n"
LAST = FOUR + "step war 6\nwars edo oshu kansai kyushu shikoku nagato\n"
"""Only Nagato is left, so nothing is told of other Provinces."""


def begun(*lines, option=""):
    return accepted(position(f"{option}\n{LAST}" + "\n".join(lines)), "table done")


def bidding(s):
    """Everybody who is asked for a bid: who, sentences, whether it must be answered, who may see it, and how much on what."""
    found = []
    for p in GAME.prompts(s):
        for c in p.choices:
            assert set(c.amounts.each.values()) == {c.amounts.total}
            assert tuple(c.amounts.each) == ("seppuku", "hostage", "ronin", "poets")
            least, most = c.amounts.total
            how = f"{'may' if p.optional else 'must'} {'secret' if p.private else 'open'} {least}-{most}"
            found.append(" | ".join([f"{p.clause} {p.seat}: {english(p.text)}", english(p.detail), english(c.text), c.mark, how]))
    return found


# ------------------------------------------------------------------ Provinces


def test_the_table_begins_the_war_and_each_province_is_told():
    s = position(
        FOUR + "step war\nwars nagato edo oshu kansai kyushu shikoku\nkoi nagato bushi\nkoi ronin 2\n"
        "ally turtle dragonfly\nturtle kansai bushi\ndragonfly kansai bushi*2"
    )
    assert (
        asked(s)
        == "RS-8.3 table: Begin the War Phase | Coins and ronin may still be given until then. The provinces are then resolved by their numbers."
    )
    assert offered(s) == ["table done | The war begins | ui/turn"]
    assert told(s, "table done") == [
        "RS-8.3: The War Phase begins.",
        "RS-10.1: Koi turns 2 ronin into 2 coins.",
        "RS-8.3: War 1: Nagato.",
        "RS-8.4: Koi takes the war province token of Nagato.",
        "RS-8.3: War 2: Edo.",
        "RS-8.4: Edo: nobody has Force there; the token is discarded.",
        "RS-8.3: War 3: Oshu.",
        "RS-8.4: Oshu: nobody has Force there; the token is discarded.",
        "RS-8.3: War 4: Kansai.",
        "RS-8.5: Kansai: only two allies are there; Dragonfly is the stronger.",
        "RS-8.4: Dragonfly takes the war province token of Kansai.",
        "RS-8.3: War 5: Kyushu.",
        "RS-8.4: Kyushu: nobody has Force there; the token is discarded.",
        "RS-8.3: War 6: Shikoku.",
        "RS-8.4: Shikoku: nobody has Force there; the token is discarded.",
        "RS-8.3: All war provinces are resolved.",
    ]


def test_the_table_goes_on_with_the_next_province_and_out_of_the_war():
    s = position(FOUR + "step war 2\nwars nagato edo oshu kansai kyushu shikoku")
    assert asked(s) == "RS-8.3 table: Go on with war 2: Edo"
    assert offered(s) == ["table done | War 2: Edo | ui/turn"]
    assert asked(position(LAST)) == "RS-8.3 table: Go on with war 6: Nagato"
    s = accepted(s, "table done")
    assert asked(s) == "RS-8.3 table: The war is over | Look the table over before you go on."
    assert offered(s) == ["table done | War is over: next season | ui/turn"]
    s = position(FOUR + "season autumn\nstep war end")
    assert asked(s) == "RS-8.3 table: The last war is over | Look the table over before you go on."
    assert offered(s) == ["table done | War is over: on to winter | ui/turn"]


# ------------------------------------------------------------------ bids


def test_purses_are_shown_and_bids_asked_for_in_secret():
    s = position(LAST + "koi nagato bushi\nkoi coins 5\nlotus nagato bushi\nlotus coins 3\nlotus ronin 2\nturtle nagato bushi")
    assert told(s, "table done") == [
        "RS-8.3: War 6: Nagato.",
        "RS-8.6: Battle: Nagato.",
        "RS-9.2: Koi shows 5 coins.",
        "RS-9.2: Lotus shows 3 coins and 2 ronin.",
        "RS-9.2: Turtle shows nothing.",
    ]
    s = accepted(s, "table done")
    koi = "Bid in secret for Nagato | You have 5 coins. What you do not bid stays yours. | Bid | war/battle | must secret 0-5"
    lotus = (
        "RS-9.3 lotus: Bid in secret for Nagato | You have 3 coins. What you do not bid stays yours. | Bid | war/battle | must secret 0-3"
    )
    assert bidding(s) == [f"RS-9.3 koi: {koi}", lotus]
    assert told(s, "koi bid hostage 1 poets 2") == [
        "RS-9.3: Koi has bid.",
        "RS-9.3: You bid: Seppuku 0, Take Hostage 1, Hire Ronin 0, Imperial Poets 2.",
    ]
    s = accepted(s, "koi bid hostage 1 poets 2")
    again = "You have bid for Nagato; you may still change it"
    assert bidding(s) == [
        lotus,
        f"RS-9.3 koi: {again} | You have 5 coins. What you do not bid stays yours. | Bid | war/battle | may secret 0-5",
    ]
    assert told(s, "lotus bid seppuku 1 ronin 2")[2:5] == [
        "RS-9.4! Koi has bid: Seppuku 0, Take Hostage 1, Hire Ronin 0, Imperial Poets 2.",
        "RS-9.4! Lotus has bid: Seppuku 1, Take Hostage 0, Hire Ronin 2, Imperial Poets 0.",
        "RS-9.4! Turtle has bid: Seppuku 0, Take Hostage 0, Hire Ronin 0, Imperial Poets 0.",
    ]


def test_bids_behind_cardboard_are_written_down_and_told_at_once():
    s = begun("koi nagato bushi", "koi coins 5", "lotus nagato bushi", "lotus coins 3", option="option bids cardboard")
    mine = "Everybody has shown: write down your bid for Nagato | You have {} coins. What you do not bid stays yours. | Bid | war/battle | must open 0-{}"
    table = "RS-9.4 table: Write down the bids shown for Nagato |  | The bid of "
    assert bidding(s) == [
        "RS-9.3 koi: " + mine.format(5, 5),
        "RS-9.3 lotus: " + mine.format(3, 3),
        table + "Koi | clan/koi | may open 0-5",
        table + "Lotus | clan/lotus | may open 0-3",
    ]
    assert told(s, "table bid koi poets 2") == ["RS-9.4! Koi has bid: Seppuku 0, Take Hostage 0, Hire Ronin 0, Imperial Poets 2."]
    s = accepted(s, "table bid koi poets 2")
    assert [p.seat for p in GAME.prompts(s)] == ["lotus", "koi", TABLE]
    assert told(s, "lotus bid hostage 1")[:2] == [
        "RS-9.4! Lotus has bid: Seppuku 0, Take Hostage 1, Hire Ronin 0, Imperial Poets 0.",
        "RS-9.7: Nobody wins Seppuku: nothing was bid on it.",
    ]


# ------------------------------------------------------------------ a whole Battle


def test_every_step_of_a_battle_is_told():
    s = begun(
        "honor koi turtle lotus dragonfly",
        "koi nagato bushi*2",
        "koi coins 5",
        "koi vp 4",
        "lotus nagato bushi shinto",
        "lotus coins 3",
        "lotus ronin 2",
    )
    s = accepted(s, "koi bid poets 2")
    assert told(s, "lotus bid seppuku 1 hostage 1 ronin 1")[4:] == ["RS-9.8: Lotus wins Seppuku."]
    s = accepted(s, "lotus bid seppuku 1 hostage 1 ronin 1")
    assert asked(s) == "RS-9.8 lotus: Do you commit seppuku?"
    assert offered(s) == ["lotus seppuku yes | Yes: all your 2 figures die | war/seppuku", "lotus seppuku no | No: all live | ui/ok"]
    assert told(s, "lotus seppuku yes") == [
        "RS-9.8: Lotus commits seppuku: 2 figures die.",
        "RS-9.8: Lotus gains 2 points.",
        "RS-2H.2: Lotus gains honor.",
        "RS-2H.2: Lotus gains honor.",
        "RS-9.9: Lotus wins Take Hostage.",
    ]
    assert told(s, "lotus seppuku no")[0] == "RS-9.8: Lotus does not commit seppuku."
    s = accepted(s, "lotus seppuku yes")
    assert asked(s) == "RS-9.9 lotus: Take a hostage"
    assert offered(s) == [
        "lotus hostage koi bushi | Bushi of Koi | koi/bushi nagato > hostage.lotus | figure/bushi",
        "lotus hostage none | Nobody | ui/ok",
    ]
    assert told(s, "lotus hostage none")[0] == "RS-9.9: Lotus takes no hostage."
    assert told(s, "lotus hostage koi bushi") == [
        "RS-9.9: Lotus takes a hostage: Bushi of Koi.",
        "RS-9.9: Koi loses 1 point.",
        "RS-9.9: Lotus gains 1 point.",
        "RS-9.10: Lotus wins Hire Ronin.",
    ]
    s = accepted(s, "lotus hostage koi bushi")
    assert asked(s) == "RS-9.10 lotus: Do your ronin fight?"
    assert offered(s) == ["lotus hire yes | Yes: +2 Force | war/hire_ronin", "lotus hire no | No | ui/ok"]
    assert told(s, "lotus hire no")[:2] == [
        "RS-9.10: Lotus hires no ronin.",
        "RS-9.11: Koi wins the battle of Nagato with Force 1.",
    ]
    assert told(s, "lotus hire yes") == [
        "RS-9.10: Lotus hires ronin: +2 Force.",
        "RS-9.11: Lotus wins the battle of Nagato with Force 2.",
        "RS-8.4: Lotus takes the war province token of Nagato.",
        "RS-9.13: 1 figure of Koi is killed.",
        "RS-9.14: Koi wins Imperial Poets.",
        "RS-9.14: Koi gains 3 points.",
        "RS-9.15: Koi discards the 2 coins it bid.",
        "RS-9.15: Lotus pays Koi 3 coins.",
        "RS-8.3: All war provinces are resolved.",
    ]


def test_a_hostage_of_somebody_without_points_and_one_more_by_respect_are_told():
    s = begun("koi nagato bushi*2", "lotus nagato bushi", "lotus coins 1", "lotus cards su-respect", "koi vp 1")
    s = accepted(s, "lotus bid hostage 1", "lotus hostage koi bushi")
    assert asked(s) == "RS-9.9 lotus: Take one more hostage"
    assert told(s, "lotus hostage koi bushi")[:4] == [
        "RS-9.9: Lotus takes a hostage: Bushi of Koi.",
        "RS-9.9: Koi loses 1 point.",
        "RS-9.9: Koi has no point to lose.",
        "RS-9.9: Lotus gains 1 point.",
    ]


def test_what_nobody_can_use_is_told():
    s = begun("turtle nagato stronghold", "turtle coins 3", "koi nagato daimyo", "koi coins 1")
    s = accepted(s, "koi bid poets 1")
    assert told(s, "turtle bid seppuku 1 hostage 1 ronin 1")[4:11] == [
        "RS-9.8: Turtle wins Seppuku.",
        "RS-9.8: Turtle has no figure there to die.",
        "RS-9.9: Turtle wins Take Hostage.",
        "RS-9.9: Turtle finds nobody to capture.",
        "RS-9.10: Turtle wins Hire Ronin.",
        "RS-9.10: Turtle has no ronin to hire, and nobody else hires any.",
        "RS-9.11: Koi wins the battle of Nagato with Force 1.",
    ]


def test_mercy_is_asked_and_told():
    s = begun("koi nagato bushi*3", "koi cards su-mercy", "koi coins 1", "lotus nagato bushi")
    s = accepted(s, "koi bid poets 1")
    assert asked(s) == "RS-2.18 koi: Do you spare the losers' figures?"
    why = "When you could kill opposing figures you may spare them all and gain 2 points."
    assert offered(s) == [f"koi spare yes | Spare them: gain 2 points | {why}", "koi spare no | Kill"]
    assert told(s, "koi spare yes") == [
        "RS-2.18: Koi shows mercy: nobody is killed.",
        "RS-2.18: Mercy: Koi gains 2 points.",
        "RS-9.14: Koi wins Imperial Poets.",
        "RS-9.14: Nobody was killed; the poets have nothing to sing.",
        "RS-9.15: Koi pays Lotus 1 coin.",
        "RS-8.3: All war provinces are resolved.",
    ]


def test_reparations_and_odd_coins_are_told():
    s = begun(
        "koi nagato bushi*5", "koi coins 5", "lotus nagato bushi", "lotus coins 1", "turtle nagato bushi*2", "dragonfly nagato shinto"
    )
    s = accepted(s, "koi bid poets 5")
    s = accepted(s, "lotus bid hostage 1")
    assert told(s, "lotus hostage none")[-9:] == [
        "RS-9.13: 1 figure of Lotus is killed.",
        "RS-9.13: 2 figures of Turtle are killed.",
        "RS-9.13: 1 figure of Dragonfly is killed.",
        "RS-9.14: Koi wins Imperial Poets.",
        "RS-9.14: Koi gains 4 points.",
        "RS-9.15: Lotus discards the 1 coin it bid.",
        "RS-9.15: Koi pays Lotus 1 coin.",
        "RS-9.15: Koi pays Turtle 1 coin.",
        "RS-9.15: Koi pays Dragonfly 1 coin.",
    ]
    s = accepted(s, "lotus hostage none")
    assert asked(s) == "RS-9.15 koi: Who gets an odd coin? 2 are left"
    assert offered(s) == [f"koi odd {to} | To {to.title()} | clan/{to}" for to in ("lotus", "turtle", "dragonfly")]
    assert told(s, "koi odd turtle") == ["RS-9.15: Koi pays Turtle 1 coin."]
    s = accepted(s, "koi odd turtle")
    assert asked(s) == "RS-9.15 koi: Who gets the odd coin?"
    assert [said.split(" | ")[0] for said in offered(s)] == ["koi odd lotus", "koi odd dragonfly"]
    assert told(s, "koi odd lotus") == ["RS-9.15: Koi pays Lotus 1 coin.", "RS-8.3: All war provinces are resolved."]
