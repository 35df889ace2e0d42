"""What the table is told: every act has its sentence, in order, under its clause."""

from __future__ import annotations

from rs_rig import FACTS, GAME, accepted, choices, position, refused

from companion.rules.game import Applied
from companion.rules.rising_sun import honor, say
from companion.rules.rising_sun.state import work

FOUR = "seats koi lotus turtle dragonfly\n"


def told(s, line):
    """Key and clause of every event of one command."""
    result = GAME.apply(s, GAME.notation.hear(line.split()))
    assert isinstance(result, Applied), line
    return [(e.text.key.removeprefix("rs.event."), e.clause) for e in result.events]


def kami(*extra):
    text = FOUR + "step mandate 3\nturn turtle\ndeck harvest\ntrack recruit koi recruit as recruit lotus\n"
    return position(text + "\n".join(extra))


def test_a_harvest_tells_coin_and_rewards_in_the_order_of_performance():
    s = position(FOUR + "deck harvest\nally koi turtle\nkoi edo bushi\nturtle oshu bushi\nlotus kyoto bushi")
    result = GAME.apply(s, GAME.notation.hear(["koi", "choose", "harvest"]))
    assert isinstance(result, Applied)
    said = [
        (e.text.key.removeprefix("rs.event."), e.text.args["seat"].key.removeprefix("rs.clan."))
        for e in result.events
        if "seat" in e.text.args
    ]
    assert said == [
        ("chosen", "koi"),
        ("harvest_coin", "lotus"),
        ("harvest_coin", "turtle"),
        ("harvested", "turtle"),
        ("harvest_coin", "dragonfly"),
        ("harvest_coin", "koi"),
        ("harvested", "koi"),
        ("draws", "lotus"),
    ]
    reward = result.events[6].text.args["reward"]
    assert reward.key == "rs.amount.two"
    assert [reward.args[x].args["n"] for x in "ab"] == [2, 2]


def test_betray_tells_the_broken_alliance_the_honor_and_every_replacement():
    s = position(FOUR + "deck betray\nally koi turtle\nlotus nagato bushi\nturtle edo bushi\nkoi oshu bushi")
    assert told(s, "koi choose betray") == [("chosen", "RS-6.3"), ("alliance_broken", "RS-6B.1"), ("honor_lost", "RS-2H.3")]
    s = accepted(s, "koi choose betray")
    assert told(s, "koi replace lotus bushi nagato bushi") == [("replaced", "RS-6B.2")]
    s = accepted(s, "koi replace lotus bushi nagato bushi")
    assert told(s, "koi replace turtle bushi edo bushi") == [("replaced", "RS-6B.2"), ("draws", "RS-6.3")]


def test_honor_that_cannot_change_is_told_too():
    w = work(FACTS, position(FOUR))
    for change, seat in (
        (honor.gain, "koi"),
        (honor.gain, "lotus"),
        (honor.lose, "dragonfly"),
        (honor.to_top, "lotus"),
        (honor.to_top, "koi"),
    ):
        change(w, seat)
    assert [e.text.key.removeprefix("rs.event.") for e in w.events] == [
        "honor_top_already",
        "honor_gained",
        "honor_bottom_already",
        "honor_top_already",
        "honor_top",
    ]
    assert w.honor == ("koi", "lotus", "turtle", "dragonfly")


def test_amaterasu_raises_the_second_as_well_as_the_last():
    w = work(FACTS, position(FOUR))
    honor.to_top(w, "lotus")
    assert w.honor == ("lotus", "koi", "turtle", "dragonfly")


def test_a_kami_turn_tells_every_shrine_and_goes_on_behind_a_decision():
    s = kami("shrines hachiman fujin tsukuyomi susanoo", *(f"koi shrine.{i} shinto" for i in (1, 2, 3)), "koi edo bushi")
    assert told(s, "turtle choose harvest")[5:] == [
        ("kami_turn", "RS-7.1"),
        ("blessed", "RS-7.2"),
        ("gains_ronin", "RS-7.5"),
        ("blessed", "RS-7.2"),
    ]
    s = accepted(s, "turtle choose harvest")
    assert s.doing.what == "fujin"
    assert told(s, "koi move bushi edo kyoto") == [("moved", "RS-7.5")]
    assert told(s, "koi done") == [
        ("done", "RS-6.6"),
        ("blessed", "RS-7.2"),
        ("gains_coins", "RS-7.5"),
        ("draws", "RS-6.3"),
    ]


def test_the_blessing_behind_a_decision_is_given_once():
    s = kami("shrines raijin tsukuyomi", "koi shrine.1 shinto", "koi shrine.2 shinto")
    s = accepted(s, "turtle choose harvest", "koi summon bushi edo")
    assert s.coins["koi"] == 1 + 2
    assert FACTS.steps[s.step] == "mandate 4"
    s = kami("shrines susanoo raijin", "koi shrine.1 shinto", "koi shrine.2 shinto", "koi edo stronghold")
    assert accepted(s, "turtle choose harvest", "koi done").vp["koi"] == 1


def test_susanoo_gives_nothing_without_a_stronghold():
    assert told(kami("shrines susanoo", "koi shrine.1 shinto"), "turtle choose harvest")[-2:] == [
        ("no_strongholds", "RS-7.5"),
        ("draws", "RS-6.3"),
    ]


def test_the_third_kami_turn_leads_to_the_war():
    track = "track recruit koi recruit as recruit lotus marshal turtle marshal dragonfly train koi train as train lotus"
    s = position(FOUR + f"step mandate 7\ndeck harvest harvest betray betray\n{track}\nshrines raijin")
    assert told(s, "turtle choose harvest")[-1] == ("war_waits", "RS-7.6")
    s = accepted(s, "turtle choose harvest")
    assert choices(s, "table") == ["table done"]
    assert told(s, "table done") == [("war", "RS-8.3"), ("war_over", "RS-8.3")]
    s = accepted(s, "table done")
    assert told(s, "table done") == [("season_begins", "RS-4.1")]


def test_lotus_tells_what_it_declares():
    s = position(FOUR + "step mandate 2\ndeck train\nturtle edo bushi\nkoi edo stronghold")
    assert told(s, "lotus choose train as marshal") == [("chosen_face_down", "RS-10.2")]
    assert GAME.prompts(s)[0].private


def test_a_face_down_tile_rules_nothing_out_and_the_last_copy_may_be_played():
    s = position("seats koi lotus turtle\nstep mandate 3\ntrack recruit koi recruit as train lotus")
    assert "turtle choose recruit" in choices(s, "turtle")
    s = position("seats koi lotus turtle\nstep mandate 3\ntrack recruit koi ? as train lotus\ndeck recruit train train ?")
    assert refused(position("seats koi lotus turtle\nstep mandate 3\ntrack recruit koi recruit turtle"), "koi choose recruit") == "RS-1.6"
    assert choices(s, "turtle") == [f"turtle choose {m}" for m in ("recruit", "train", "marshal", "harvest", "betray")]


def test_a_figure_beside_a_stronghold_is_force():
    text = FOUR + "deck harvest\nkoi edo bushi\nlotus edo bushi*2 stronghold"
    assert accepted(position(text), "koi choose harvest").vp["koi"] == 0
    assert accepted(position(FOUR + "deck harvest\nkoi edo bushi\nlotus edo stronghold*2"), "koi choose harvest").vp["koi"] == 2


def test_a_purchase_a_build_a_gift_and_worship_are_told():
    s = position(FOUR + "deck train\ndisplay sp-komainu\nkoi coins 3\nkoi edo stronghold\nshrines raijin")
    s = accepted(s, "koi choose train")
    assert told(s, "koi buy sp-komainu") == [("bought", "RS-6T.1")]
    s = accepted(s, "koi buy sp-komainu")
    assert told(s, "koi summon komainu edo") == [("summoned", "RS-6T.3")]
    s = accepted(s, "koi summon komainu edo")
    assert told(s, "koi worship raijin")[0] == ("worships", "RS-6R.4")
    assert told(s, "koi give lotus coins 1 ronin 0")[0] == ("gave", "RS-2N.4")
    s = accepted(position(FOUR + "deck marshal\nkoi coins 3"), "koi choose marshal")
    assert told(s, "koi build edo")[0] == ("built", "RS-6M.2")
    homeless = accepted(position(FOUR + "deck train\ndisplay sp-komainu\nkoi coins 3"), "koi choose train")
    assert told(homeless, "koi buy sp-komainu")[:2] == [("bought", "RS-6T.1"), ("monster_waits", "RS-6T.4")]


def test_setup_tells_shrines_wars_cards_and_income():
    s = GAME.start(("koi", "lotus", "turtle"), {})
    assert told(s, "chance shuffle shrines " + " ".join(FACTS.kami)) == [("shrine", "RS-3.5")] * 4
    s = accepted(s, "chance shuffle shrines " + " ".join(FACTS.kami))
    deck = "chance shuffle mandates " + " ".join(tuple(FACTS.mandates) * 2)
    assert told(s, deck) == [("mandates_shuffled", "RS-3.7")]
    s = accepted(s, deck)
    wars = "chance shuffle wars " + " ".join(FACTS.provinces)
    assert told(s, wars) == [("war_will_be", "RS-4.3")] * 5 + [("season_cards", "RS-4.4")] + [("income", "RS-4.5")] * 3 + [
        ("tea", "RS-5.2")
    ]
    over = position("seats koi lotus turtle\nseason autumn\nstep war end\nally koi lotus")
    assert told(over, "table done") == [("winter", "RS-12.1"), ("share_victory", "RS-12.6")]
    allied = position("seats koi lotus turtle\nstep war end\nally koi lotus")
    assert told(allied, "table done") == [("season_begins", "RS-4.1")]
    allied = accepted(allied, "table done", deck)
    assert told(allied, wars)[-2:] == [("alliances_end", "RS-5.1"), ("tea", "RS-5.2")]


def test_amounts_name_what_there_is():
    assert say.amounts(0, 0, 0).key == "rs.amount.nothing"
    assert say.amounts(1, 0, 0).key == "rs.amount.vp"
    assert say.amounts(1, 1, 1).key == "rs.amount.three"


def asked(s):
    """Key, number and clause of the question that must be answered."""
    prompt = GAME.prompts(s)[0]
    return prompt.text.key.removeprefix("rs.prompt."), prompt.text.args.get("n"), prompt.clause


def test_questions_say_how_much_is_left():
    s = position(
        FOUR
        + "deck marshal\nally koi turtle\nkoi coins 3\nkoi edo bushi*2 daimyo stronghold\nturtle coins 9\nturtle kyoto stronghold bushi"
    )
    s = accepted(s, "koi choose marshal")
    assert asked(s) == ("marshal", 2, "RS-6M.1")  # Turtle's stronghold counts
    s = accepted(s, "turtle move stronghold kyoto edo", "turtle move bushi kyoto edo")
    assert asked(s) == ("build", None, "RS-6M.2")
    s = accepted(s, "turtle done")
    assert asked(s) == ("marshal", 3, "RS-6M.1")
    assert GAME.prompts(s)[0].detail.args == {"n": 3}
    assert asked(accepted(s, "koi move bushi edo kyoto")) == ("marshal", 2, "RS-6M.1")
    s = position(FOUR + "deck betray\nlotus edo bushi\nturtle kyoto bushi")
    s = accepted(s, "koi choose betray")
    assert asked(s) == ("betray", 2, "RS-6B.2")
    assert GAME.prompts(s)[0].choices[-1].detail is None
    assert asked(accepted(s, "koi replace lotus bushi edo bushi")) == ("betray", 1, "RS-6B.2")
    s = accepted(kami("shrines fujin", "koi shrine.1 shinto", "koi edo bushi"), "turtle choose harvest")
    assert asked(s) == ("fujin", 2, "RS-7.5")
    assert GAME.prompts(s)[0].choices[-1].detail.args == {"n": 2}
    assert asked(accepted(s, "koi move bushi edo kyoto")) == ("fujin", 1, "RS-7.5")
    s = accepted(position(FOUR + "deck recruit\nlotus edo stronghold*2\nlotus oshu bushi*4\nshrines raijin"), "koi choose recruit")
    assert asked(s) == ("recruit", 2, "RS-6R.1")
    s = accepted(s, "lotus summon shinto edo", "lotus summon shinto edo")
    assert asked(s) == ("worship", None, "RS-6R.4")
    assert GAME.prompts(s)[0].choices[-1].detail is None


def test_no_more_is_asked_for_than_the_reserve_holds():
    s = position(FOUR + "deck recruit\nlotus edo stronghold*4\nlotus oshu bushi*6 shinto*2 daimyo")
    assert asked(accepted(s, "koi choose recruit")) == ("recruit", 1, "RS-6R.1")
    s = position(FOUR + "deck recruit\nlotus edo stronghold*2\nlotus oshu bushi*6 shinto*2 daimyo")
    assert asked(accepted(s, "koi choose recruit")) == ("recruit", 1, "RS-6R.1")  # strongholds in reserve are no figures


def test_a_figure_that_moved_in_one_marshal_moves_in_the_next():
    s = position(FOUR + "deck marshal marshal\nkoi edo bushi daimyo\nlotus nagato bushi")
    s = accepted(s, "koi choose marshal", "lotus done", "koi move bushi edo kyoto")
    assert not any(said.startswith("koi move bushi") for said in choices(s, "koi"))
    s = accepted(s, "koi done", "lotus choose marshal as marshal")
    assert s.doing.now == "koi"
    assert "koi move bushi kyoto kansai" in choices(s, "koi")


def test_summons_left_count_strongholds_bonus_and_what_was_used():
    s = position(FOUR + "step mandate 2\ndeck recruit\nlotus kyushu stronghold*2\nlotus nagato stronghold")
    s = accepted(s, "lotus choose recruit")
    assert asked(s) == ("recruit", 4, "RS-6R.1")
    assert told(s, "lotus summon bushi kyushu") == [("summoned", "RS-6R.1")]
    s = accepted(s, *["lotus summon bushi kyushu"] * 3)
    assert asked(s) == ("recruit_more", 1, "RS-6R.1")
    assert choices(s, "lotus") == ["lotus summon bushi nagato", "lotus summon shinto nagato", "lotus summon daimyo nagato", "lotus done"]
    assert [c.mark for c in GAME.prompts(s)[0].choices] == ["figure/bushi", "figure/shinto", "figure/daimyo", "ui/ok"]


def test_a_worshipper_is_asked_about_before_the_next_summon():
    s = position(FOUR + "step mandate 2\ndeck recruit\nlotus nagato stronghold\nshrines raijin fujin")
    s = accepted(s, "lotus choose recruit", "lotus summon shinto nagato")
    assert choices(s, "lotus")[:3] == ["lotus worship raijin", "lotus worship fujin", "lotus summon bushi nagato"]
    assert [c.gestures[0].to for c in GAME.prompts(s)[0].choices[:2]] == ["shrine.1", "shrine.2"]
    assert GAME.prompts(s)[0].detail.key == "rs.detail.may_worship"


def test_cards_are_offered_at_their_price_by_train_and_by_ryujin():
    display = "display sp-righteousness sp-komainu sp-oni-of-skulls\nkoi coins 2\nkoi edo stronghold"
    s = accepted(position(FOUR + "deck train\n" + display), "koi choose train")
    prompt = GAME.prompts(s)[0]
    assert asked(s) == ("train", None, "RS-6T.1")
    assert [c.text.args["n"] for c in prompt.choices[:-1]] == [1, 1, 1]
    assert prompt.choices[-1].detail is None
    s = accepted(s, "koi buy sp-oni-of-skulls")
    assert asked(s) == ("summon_monster", None, "RS-6T.3")
    assert [c.mark for c in GAME.prompts(s)[0].choices] == ["figure/monster"]
    s = accepted(kami("shrines ryujin", "koi shrine.1 shinto", *display.split("\n")), "turtle choose harvest")
    assert asked(s) == ("ryujin", None, "RS-7.5")
    assert [c.text.args["n"] for c in GAME.prompts(s)[0].choices[:-1]] == [2, 2, 2]
