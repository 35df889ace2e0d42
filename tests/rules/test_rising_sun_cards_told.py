"""What people read where cards act and ask, word by word, each sentence read against its card and clause (RS-2.8 to 2.18)."""

from __future__ import annotations

from cards_rig import at, recruit, war
from rs_rig import GAME, accepted, choices
from rs_said import asked, choice, english, offered, told

MERCY = "When you could kill opposing figures you may spare them all and gain 2 points."
NINJA = "After you summon you may kill any 1 Bushi on the map; then you lose honor."
MONKEY = "After you summon you may take 1 coin from the richest opponent; then you lose honor."
SERPENT = "You may charge others 1 coin for each shipping route they use, once a route and occasion."
BENEVOLENCE = "When you pay for a card or a stronghold you may give 1 of those coins to another player: gain honor and 2 points."
HATE = "A Monster of Force 1 that kills a Bushi or Shinto there of each player with more honor."


def test_cards_after_a_summon_tell_ask_and_act():
    s = recruit(
        "dragonfly cards sp-path-of-the-kenin sp-path-of-the-ninja su-path-of-the-monkey sp-path-of-the-warlord sp-path-of-the-patron"
        " au-path-of-the-spirit su-mercy",
        "koi coins 3",
        "koi edo bushi",
        "honor dragonfly koi lotus turtle",
    )
    s = accepted(s, "dragonfly summon bushi hokkaido")
    assert told(s, "dragonfly done") == [
        "RS-6.6: Dragonfly is done.",
        "RS-2.18: Path of the Warlord: Dragonfly gains 1 coin.",
        "RS-2.18: Path of the Patron: Dragonfly gains 2 coins.",
        "RS-2.18: Path of the Spirit: Dragonfly gains 2 coins.",
        "RS-2.18: Path of the Spirit: Dragonfly gains 2 points.",
    ]
    s = accepted(s, "dragonfly done")
    assert asked(s) == "RS-2.11 dragonfly: Your cards may act after the summon"
    own = "dragonfly/bushi hokkaido > reserve.dragonfly"
    placed = "dragonfly/bushi reserve.dragonfly > hokkaido"
    assert offered(s) == [
        f"dragonfly place bushi hokkaido | Place Bushi in Hokkaido | {placed} | figure/bushi | Path of the Kenin",
        f"dragonfly kill dragonfly bushi hokkaido | Kill Dragonfly's Bushi in Hokkaido | {own} | figure/bushi | {NINJA}",
        f"dragonfly kill koi bushi edo | Kill Koi's Bushi in Edo | koi/bushi edo > reserve.koi | figure/bushi | {NINJA}",
        f"dragonfly spare yes | Spare them: gain 2 points | {MERCY}",
        f"dragonfly use su-path-of-the-monkey | Take 1 coin and lose honor | token/coin | {MONKEY}",
        "dragonfly done | Done | ui/ok",
    ]
    assert told(s, "dragonfly place bushi hokkaido") == ["RS-2.8: Path of the Kenin: Dragonfly places Bushi in Hokkaido."]
    assert told(s, "dragonfly use su-path-of-the-monkey") == [
        "RS-2.18: Path of the Monkey: Dragonfly takes 1 coin from Koi.",
        "RS-2H.3: Dragonfly loses honor.",
    ]
    assert told(s, "dragonfly kill koi bushi edo") == [
        "RS-2.10: Path of the Ninja: Dragonfly kills Koi's Bushi in Edo.",
        "RS-2H.3: Dragonfly loses honor.",
    ]
    assert told(s, "dragonfly spare yes") == ["RS-2.18: Mercy: Dragonfly gains 2 points.", "RS-2H.3: Dragonfly loses honor."]
    assert told(s, "dragonfly done")[0] == "RS-2.11: Dragonfly does nothing more with cards now."


def test_cards_at_the_end_of_a_recruit_ask_and_act():
    s = at(
        "doing recruit by koi now koi",
        "koi edo stronghold",
        "koi cards su-path-of-the-samurai",
        "lotus cards sp-path-of-the-light sp-komainu",
        "shrines raijin fujin",
        "honor lotus koi turtle dragonfly",
    )
    s = accepted(s, "koi done")
    assert asked(s) == "RS-2.12 lotus: Your cards may act at the end of the Recruit"
    assert offered(s) == [
        *(
            f"lotus place {kind} shrine.{n} | Place {kind.title()} in the {name} shrine | {figure} reserve.lotus > shrine.{n} | {mark}"
            " | Path of the Light"
            for kind, figure, mark in (("shinto", "lotus/shinto", "figure/shinto"), ("komainu", "komainu", "figure/monster"))
            for n, name in ((1, "first"), (2, "second"))
        ),
        "lotus done | Done | ui/ok",
    ]
    assert told(s, "lotus place shinto shrine.2") == ["RS-2.8: Path of the Light: Lotus places Shinto in the second shrine."]
    assert told(s, "lotus done")[0] == "RS-2.12: Lotus does nothing more with cards now."
    s = accepted(s, "lotus done")
    assert asked(s) == "RS-2.12 koi: Your cards may act at the end of the Recruit"
    assert offered(s, "koi place bushi kyushu") == [
        "koi place bushi kyushu | Place Bushi in Kyushu | koi/bushi reserve.koi > kyushu | figure/bushi | Path of the Samurai"
    ]
    assert told(s, "koi place bushi kyushu")[0] == "RS-2.8: Path of the Samurai: Koi places Bushi in Kyushu."


def test_the_toll_of_the_serpent_is_told_and_may_be_waived():
    s = at(
        "doing marshal by dragonfly now koi left dragonfly",
        "lotus cards su-path-of-the-serpent",
        "koi oshu bushi*3",
        "dragonfly edo bushi",
        "koi coins 3",
    )
    assert told(s, "koi move bushi oshu hokkaido") == [
        "RS-2.18: Path of the Serpent: Koi pays Lotus 1 coin for the shipping route.",
        "RS-6M.1: Koi moves Bushi from Oshu to Hokkaido.",
    ]
    waive = GAME.prompts(s)[1]
    assert (waive.seat, waive.clause, waive.optional, waive.private) == ("lotus", "RS-2.18", True, False)
    assert english(waive.text) == "Let Koi use the shipping routes for nothing?"
    assert [choice(c) for c in waive.choices] == [f"lotus pardon koi | Let Koi pass for nothing | {SERPENT}"]
    assert told(s, "lotus pardon koi") == ["RS-2.18: Path of the Serpent: Lotus lets Koi pass for nothing."]


def test_benevolence_asks_and_tells():
    s = at("deck train", "display sp-way-of-the-shogun", "lotus coins 5", "turn lotus", "lotus cards sp-benevolence")
    s = accepted(s, "lotus choose train as train", "lotus buy sp-way-of-the-shogun")
    assert asked(s) == "RS-2.18 lotus: Give one of the coins spent to another player?"
    assert offered(s) == [
        *(f"lotus share {to} | Give {to.title()} a coin | clan/{to} | {BENEVOLENCE}" for to in ("koi", "turtle", "dragonfly")),
        "lotus done | Done | ui/ok",
    ]
    assert told(s, "lotus share turtle")[:3] == [
        "RS-2.18: Benevolence: Lotus gives Turtle one of the coins spent.",
        "RS-2H.2: Lotus gains honor.",
        "RS-2.18: Benevolence: Lotus gains 2 points.",
    ]


def test_benevolence_of_the_highest_in_honor_tells_that_it_cannot_rise():
    s = at("deck train", "display sp-way-of-the-shogun", "koi coins 5", "koi cards sp-benevolence", "turtle coins 9")
    s = accepted(s, "koi choose train", "koi buy sp-way-of-the-shogun")
    assert told(s, "koi share turtle")[1:3] == [
        "RS-2H.2: Koi already has the highest honor.",
        "RS-2.18: Benevolence: Koi gains 2 points.",
    ]


def test_oni_that_enter_a_province_ask_and_tell():
    s = at(
        "doing marshal by turtle now turtle",
        "turtle edo oni_of_hate oni_of_spite",
        "turtle cards au-oni-of-hate su-mercy su-mercy au-oni-of-spite su-loyalty",
        "ally turtle dragonfly",
        "koi kyoto bushi shinto",
        "lotus kyoto bushi",
        "koi vp 3",
        "lotus vp 1",
    )
    assert told(s, "turtle move oni_of_spite edo kyoto") == [
        "RS-6M.1: Turtle moves Oni of Spite from Edo to Kyoto.",
        "RS-2.18: Oni of Spite: Turtle steals 2 points from Koi.",
        "RS-2.18: Oni of Spite: Turtle steals 1 point from Lotus.",
        "RS-2.13: Loyalty: Turtle gains 1 more point.",
    ]
    s = accepted(s, "turtle move oni_of_hate edo kyoto")
    assert asked(s) == "RS-2.18 turtle: Kill, or spare them all?"
    assert offered(s) == [f"turtle spare yes | Spare them: gain 4 points | {MERCY}", "turtle spare no | Kill"]
    assert told(s, "turtle spare yes") == ["RS-2.18: Mercy: Turtle gains 4 points.", "RS-2.13: Loyalty: Turtle gains 1 more point."]
    assert told(s, "turtle spare no") == ["RS-2.18: Turtle shows no mercy."]
    s = accepted(s, "turtle spare no")
    assert asked(s) == "RS-2.18 turtle: The Oni of Hate kills one: which?"
    assert offered(s) == [
        f"turtle kill koi {kind} kyoto | Kill Koi's {kind.title()} in Kyoto | koi/{kind} kyoto > reserve.koi | figure/{kind} | {HATE}"
        for kind in ("bushi", "shinto")
    ]
    assert told(s, "turtle kill koi shinto kyoto")[:2] == [
        "RS-2.10: Oni of Hate: Turtle kills Koi's Shinto in Kyoto.",
        "RS-2.10: Oni of Hate: Turtle kills Lotus's Bushi in Kyoto.",
    ]


def test_what_happens_at_the_start_of_war_is_asked_and_told():
    s = war(
        "koi cards sp-way-of-the-righteous su-way-of-the-ronin",
        "lotus cards sp-way-of-the-shogun su-way-of-bushido sp-courage",
        "turtle cards au-way-of-the-moneylender su-way-of-the-merchant",
        "koi ronin 1",
        "lotus coins 2",
    )
    assert told(s, "table done") == ["RS-8.3: The War Phase begins."]
    s = accepted(s, "table done")
    assert asked(s) == "RS-2H.6 koi: Do your cards act first or last?"
    assert offered(s) == ["koi early | Go first", "koi late | Go last"]
    assert told(s, "koi late") == ["RS-2H.6: Koi goes last."]
    s = accepted(s, "koi late")
    assert choices(s, "lotus") == ["lotus early", "lotus late"]
    assert told(s, "lotus early") == [
        "RS-2.18: Way of the Shogun: Lotus gains 3 coins.",
        "RS-2.13: Way of the Merchant: Turtle gains 1 coin.",
        "RS-2.18: Way of Bushido: Lotus gains 2 coins.",
        "RS-2.18: Way of Bushido: Lotus gains 2 points.",
        "RS-2.13: Way of the Merchant: Turtle gains 1 coin.",
        "RS-2.18: Way of the Moneylender: Turtle gains 5 coins.",
        "RS-2.18: Way of the Ronin: Koi gains 2 ronin.",
        "RS-10.1: Koi turns 3 ronin into 3 coins.",
        "RS-2.18: Way of the Righteous: Koi takes 1 coin from Lotus.",
        "RS-2.18: Way of the Righteous: Koi takes 1 coin from Turtle.",
        "RS-8.3: All war provinces are resolved.",
    ]


def test_what_cards_add_to_a_battle_is_told():
    s = at(
        "step war 6",
        "wars edo oshu kansai kyushu shikoku nagato",
        "koi nagato bushi*3",
        "koi cards su-justice su-loyalty sp-courage",
        "koi coins 1",
        "ally koi dragonfly",
        "lotus nagato bushi*2",
        "lotus cards sp-righteousness",
        "turtle nagato bushi",
    )
    s = accepted(s, "table done")
    assert told(s, "koi bid poets 1")[8:] == [
        "RS-9.11: Koi wins the battle of Nagato with Force 3.",
        "RS-8.4: Koi takes the war province token of Nagato.",
        "RS-2.18: Courage: Koi gains 2 points.",
        "RS-2.13: Loyalty: Koi gains 1 more point.",
        "RS-9.13: 2 figures of Lotus are killed.",
        "RS-9.13: 1 figure of Turtle is killed.",
        "RS-2.18: Righteousness: Lotus gains 2 points.",
        "RS-2.18: Justice: Koi gains 3 points.",
        "RS-2.13: Loyalty: Koi gains 1 more point.",
        "RS-2.18: Justice: Koi gains 3 points.",
        "RS-2.13: Loyalty: Koi gains 1 more point.",
        "RS-9.14: Koi wins Imperial Poets.",
        "RS-9.14: Koi gains 3 points.",
        "RS-2.13: Loyalty: Koi gains 1 more point.",
    ]
