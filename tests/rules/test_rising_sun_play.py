"""What the given cases leave out: set-up, seasons, prices, blessings, views, lamps, words and taste."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from rs_rig import CLANS, FACTS, GAME, accepted, after_tea, choices, lines, position, rig
from suite import filled, walk

from companion.rules.game import CHANCE, TABLE, Applied, Prompt
from companion.rules.rising_sun import force, marshal, taste, train
from companion.rules.rising_sun.commands import Shuffle
from companion.rules.rising_sun.state import Doing
from companion.rules.view import Card, Curtain, Track, Zone

ORDER = ("recruit", "marshal", "train", "harvest", "betray")


def begun(seats=("koi", "lotus", "turtle", "dragonfly"), options=None, **orders):
    """A new game after chance has paid, with what it was told to deal."""
    s = GAME.start(seats, options or {})
    while s.owed:
        choice = GAME.prompts(s)[0].choices[0]
        order = orders.get(s.owed[0], choice.shuffle)
        result = GAME.apply(s, Shuffle(CHANCE, s.owed[0], tuple(order)))
        assert isinstance(result, Applied)
        s = result.state
    return after_tea(s)


# ------------------------------------------------------------------ set-up and seasons


def test_a_new_game_stands_as_the_rules_say():
    s = GAME.start(("bonsai", "koi", "turtle"), {"ally": "koi bonsai"})
    assert s.seats == ("koi", "turtle", "bonsai")
    assert s.pieces["bonsai"]["kyushu"] == {"daimyo": 1, "bushi": 1, "stronghold": 1}
    assert s.pieces["koi"]["reserve"] == {"shinto": 3, "bushi": 5, "stronghold": 3}
    assert s.allies == {"koi": "bonsai", "bonsai": "koi"}
    assert [p.seat for p in GAME.prompts(s)] == [CHANCE]
    assert s.owed == ("shrines", "mandates", "wars")
    s = begun(("koi", "turtle", "bonsai"), shrines=("raijin", "fujin", "susanoo", "hachiman", "ryujin", "amaterasu", "tsukuyomi"))
    assert s.shrines == ("raijin", "fujin", "susanoo", "hachiman")
    assert len(s.wars) == 5
    assert s.coins == {"koi": 5, "turtle": 6, "bonsai": 4}
    assert len(s.display) == 12
    assert {FACTS.cards[c].season for c in s.display} == {"spring"}


def test_the_cardboard_deck_is_shuffled_by_the_people():
    s = GAME.start(CLANS, {"mandates": "cardboard"})
    assert s.owed == ("shrines", "wars")
    assert s.deck == ("?",) * 10


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("koi", "lotus"), {}),
        (("koi", "lotus", "sun"), {}),
        (("koi", "koi", "lotus"), {}),
        (("koi", "lotus", "turtle"), {"set": "attic"}),
        (("koi", "lotus", "turtle"), {"weather": "fine"}),
        (("koi", "lotus", "turtle"), {"ally": "koi"}),
        (("koi", "lotus", "turtle"), {"ally": "koi koi"}),
        (("koi", "lotus", "turtle"), {"ally": "koi bonsai"}),
        (("koi", "lotus", "turtle"), {"ally": "koi lotus, koi turtle"}),
    ],
)
def test_a_game_that_cannot_be_started_says_why(seats, options):
    with pytest.raises(ValueError, match=r"koi|fox|attic|weather|seats|bonsai|lotus"):
        GAME.start(seats, options)


def test_cleanup_returns_money_and_worshippers_and_keeps_the_rest():
    text = "seats koi lotus turtle\nstep war end\nturn lotus\nally koi lotus\nkoi coins 3 ronin 2 vp 9 cards sp-righteousness\nkoi shrine.1 shinto*2\nkoi edo bushi\n"
    s = accepted(position(text + "shrines raijin fujin\nwars edo kyoto oshu nagato kansai\ndisplay sp-komainu"), "table done")
    assert s.season == "summer"
    assert (s.coins["koi"], s.ronin["koi"], s.vp["koi"]) == (0, 0, 9)
    assert s.pieces["koi"]["reserve"]["shinto"] == 3
    assert s.pieces["koi"]["edo"] == {"bushi": 1}
    assert (s.allied, s.track, s.wars, s.turn, s.deck) == ({"koi": ("spring",), "lotus": ("spring",)}, (), (), "lotus", ())
    assert s.shrines == ("raijin", "fujin")
    assert s.owed == ("mandates", "wars")
    s = accepted(s, "chance shuffle mandates " + " ".join(ORDER * 2), "chance shuffle wars " + " ".join(FACTS.provinces))
    assert s.display[0] == "sp-komainu"
    assert len(s.display) == 13
    assert s.allies == {}  # they end as the Tea Ceremony begins (RS-5.1)
    assert s.tea is not None
    assert s.turn == "lotus"


def test_unbought_cards_may_go_by_option_and_autumn_ends_the_game():
    s = position(
        "seats koi lotus turtle\noption unbought_cards discard\noption mandates cardboard\nseason summer\nstep war end\ndisplay sp-komainu"
    )
    s = accepted(s, "table done")
    assert s.owed == ("wars",)
    s = accepted(s, "chance shuffle wars " + " ".join(FACTS.provinces))
    assert "sp-komainu" not in s.display
    end = accepted(position("seats koi lotus turtle\nseason autumn\nstep war end"), "table done")
    assert GAME.prompts(end) == ()
    assert lines(end)[3] == "step over"


# ------------------------------------------------------------------ the Mandate Turn


def test_three_tiles_go_back_on_top_as_they_lay():
    deck = ("train", "recruit", "betray", "recruit", "harvest", "marshal", "train", "betray", "marshal", "harvest")
    s = begun(mandates=deck)
    assert choices(s, "koi") == ["koi choose train", "koi choose recruit", "koi choose betray"]
    s = accepted(s, "koi choose recruit")
    assert s.deck == ("train", "betray", "recruit", "harvest", "marshal", "train", "betray", "marshal", "harvest")


def test_the_draw_and_the_choice_are_barriers_for_undo_but_a_face_down_tile_shows_nothing():
    s = begun(mandates=ORDER * 2)
    chosen = GAME.apply(s, GAME.notation.hear(["koi", "choose", "harvest"]))
    assert isinstance(chosen, Applied)
    assert [e.text.key for e in chosen.events if e.reveals] == ["rs.event.chosen", "rs.event.draws"]
    down = GAME.apply(chosen.state, GAME.notation.hear(["lotus", "choose", "train", "as", "recruit"]))
    assert isinstance(down, Applied)
    assert not any(e.reveals for e in down.events)


def test_an_unknown_tile_among_known_ones_may_be_what_is_left():
    s = position("seats koi lotus turtle\ndeck recruit recruit ? marshal marshal train train")
    assert choices(s, "koi") == ["koi choose recruit", "koi choose marshal", "koi choose harvest", "koi choose betray"]
    assert accepted(s, "koi choose betray").deck[:3] == ("recruit", "recruit", "marshal")
    lotus = position("seats koi lotus turtle\nturn lotus\ndeck recruit ?")
    assert "lotus choose ? as train" in choices(lotus, "lotus")


# ------------------------------------------------------------------ prices, Force, blessings


def test_prices():
    assert marshal.price(FACTS, "koi") == 3
    assert marshal.price(FACTS, "bonsai") == 1
    plain, both = Doing("train", "koi", "koi"), Doing("train", "koi", "koi", (), ("koi", "bonsai"))
    assert [train.price(FACTS, d, "koi", "sp-oni-of-skulls") for d in (plain, both)] == [2, 1]
    assert [train.price(FACTS, d, "bonsai", "sp-oni-of-skulls") for d in (plain, both)] == [1, 0]
    assert [train.price(FACTS, d, "bonsai", "sp-path-of-the-lion") for d in (plain, both)] == [0, 0]


def strength(text, seat, place):
    s = position("seats koi lotus turtle dragonfly\n" + text)
    return force.total(FACTS, s, seat, place) if place in s.pieces[seat] else 0


def test_force_of_figures_and_cards():
    assert strength("koi edo bushi*2 daimyo stronghold", "koi", "edo") == 3
    assert strength("turtle edo bushi stronghold*2", "turtle", "edo") == 3
    assert strength("koi edo daimyo\nkoi cards sp-path-of-the-lion au-path-of-the-dragon", "koi", "edo") == 5
    assert strength("koi edo yurei\nkoi cards su-yurei sp-path-of-the-lion", "koi", "edo") == 3
    assert strength("koi edo river_dragon\nkoi cards au-river-dragon", "koi", "edo") == 5


def test_the_oni_is_strong_where_its_owner_has_the_lowest_honor_of_those_present():
    skulls = "lotus edo oni_of_skulls\nlotus cards sp-oni-of-skulls\n"
    assert strength(skulls, "lotus", "edo") == 1  # alone: option skulls_alone
    assert strength("option skulls_alone three\n" + skulls, "lotus", "edo") == 3
    assert strength(skulls + "koi edo bushi", "lotus", "edo") == 3
    assert strength(skulls + "koi edo bushi\nturtle edo bushi", "lotus", "edo") == 1
    assert strength(skulls + "koi edo bushi\nturtle edo stronghold", "lotus", "edo") == 1  # Turtle's stronghold is Force (RS-10.4)
    assert strength(skulls + "koi edo bushi\ndragonfly edo stronghold", "lotus", "edo") == 3
    assert strength("lotus edo oni_of_blood\nlotus cards su-oni-of-blood\nkoi edo bushi", "lotus", "edo") == 4


def kami_turn(*extra):
    text = "seats koi lotus turtle dragonfly\nstep mandate 3\nturn turtle\ndeck harvest\ntrack recruit koi recruit as recruit lotus\n"
    return accepted(position(text + "\n".join(extra)), "turtle choose harvest")


def test_blessings_without_a_decision():
    s = kami_turn(
        "shrines amaterasu hachiman tsukuyomi susanoo",
        *(f"dragonfly shrine.{i} shinto" for i in (1, 2, 3)),
        "lotus shrine.4 shinto",
        "lotus edo stronghold*2",
        "lotus oshu stronghold",
    )
    assert s.honor == ("dragonfly", "koi", "lotus", "turtle")
    assert (s.ronin["dragonfly"], s.coins["dragonfly"], s.vp["lotus"]) == (2, 1 + 2, 3)
    assert kami_turn("shrines amaterasu", "koi shrine.1 shinto").honor[0] == "koi"


def test_raijin_summons_one_bushi_anywhere_even_without_a_stronghold():
    s = kami_turn("shrines raijin", "koi shrine.1 shinto")
    assert len(choices(s, "koi")) == 8 + 1
    s = accepted(s, "koi summon bushi shikoku")
    assert s.pieces["koi"]["shikoku"] == {"bushi": 1}
    assert FACTS.steps[s.step] == "mandate 4"
    assert (
        FACTS.steps[kami_turn("shrines raijin", "koi shrine.1 shinto", "koi edo bushi*6").step] == "mandate 4"
    )  # nothing to summon: passed over


def test_ryujin_sells_a_monster_that_is_summoned_at_once():
    s = kami_turn("shrines ryujin", "koi shrine.1 shinto", "koi coins 4", "koi edo stronghold", "display sp-komainu")
    s = accepted(s, "koi buy sp-komainu", "koi summon komainu edo")
    assert s.coins["koi"] == 4 + 1 - 2
    assert choices(s, "koi") == ["koi worship ryujin", "koi done"]
    assert FACTS.steps[accepted(s, "koi worship ryujin").step] == "mandate 4"


def test_fujin_moves_turtle_strongholds_and_dragonfly_anywhere():
    s = kami_turn("shrines fujin", "turtle shrine.1 shinto", "turtle kyoto stronghold")
    assert "turtle move stronghold kyoto edo" in choices(s, "turtle")
    s = kami_turn("shrines fujin", "dragonfly shrine.1 shinto", "dragonfly kyoto bushi")
    assert len(choices(s, "dragonfly")) == 7 + 1
    s = accepted(s, "dragonfly move bushi kyoto shikoku", "dragonfly done")
    assert FACTS.steps[s.step] == "mandate 4"


def test_dragonfly_summons_its_monster_anywhere_once_it_has_a_stronghold():
    text = "seats koi lotus dragonfly\nturn dragonfly\nstep mandate 3\ndeck train\ndisplay sp-oni-of-skulls\ndragonfly coins 3\n"
    s = accepted(position(text + "dragonfly oshu stronghold"), "dragonfly choose train", "dragonfly buy sp-oni-of-skulls")
    assert len(choices(s, "dragonfly")) == 8
    s = accepted(position(text), "dragonfly choose train", "dragonfly buy sp-oni-of-skulls")
    assert s.pieces["dragonfly"]["reserve"]["oni_of_skulls"] == 1


def test_recruit_says_what_done_gives_up():
    s = position("seats koi lotus turtle\ndeck recruit\nlotus edo stronghold*2")
    s = accepted(s, "koi choose recruit")
    done = GAME.prompts(s)[0].choices[-1]
    assert done.detail.key == "rs.detail.gives_up"
    assert done.detail.args == {"n": 2}


# ------------------------------------------------------------------ what screens are told


def test_the_view_shows_the_chooser_alone_the_four_tiles():
    s = begun(mandates=ORDER * 2, wars=FACTS.provinces)
    own = GAME.view(s, "koi")
    assert [x.id for x in own.sections] == ["track", "board", "seats", "private", "more"]
    curtain = own.sections[3].nodes[0]
    assert isinstance(curtain, Curtain)
    assert [n.id for n in curtain.nodes if isinstance(n, Card)] == ["drawn.1", "drawn.2", "drawn.3", "drawn.4"]
    assert own.prompts[0].private
    for seat in (None, "lotus", "table"):
        assert [x.id for x in GAME.view(s, seat).sections] == ["track", "board", "seats", "more"]
    assert GAME.view(s, None).prompts == ()
    after = accepted(s, "koi choose recruit")
    assert [x.id for x in GAME.view(after, "koi").sections] == ["track", "board", "seats", "more"]
    assert own.subtitle.args["number"] == 1
    track = own.sections[0].nodes[0]
    assert isinstance(track, Track)
    assert [t.light for t in track.steps][:4] == ["mandate.1", "mandate.2", "mandate.3", "kami.1"]
    zone = own.sections[1].nodes[0]
    assert isinstance(zone, Zone)
    assert (zone.id, zone.badge) == ("hokkaido", "1")
    assert [x.id for x in own.sections[2].nodes] == list(s.honor)
    assert own.sections[2].nodes[0].lit


def test_an_unknown_tile_is_a_back():
    s = begun(options={"mandates": "cardboard"})
    curtain = GAME.view(s, "koi").sections[3].nodes[0]
    assert isinstance(curtain, Curtain)
    assert [n.face for n in curtain.nodes if isinstance(n, Card)] == [False] * 4


def test_the_table_sees_its_own_question_only_as_the_table():
    s = position("seats koi lotus turtle\nstep war")
    assert [p.seat for p in GAME.view(s, TABLE).prompts] == [TABLE]
    assert [w.seat for w in GAME.view(s, None).waits] == [TABLE]
    lamps = {light.name: light for light in GAME.lights(s)}
    assert lamps["war"].effect == "attention"


def test_lamps_follow_who_played_and_who_must_act():
    s = position(
        "seats koi lotus turtle\nstep mandate 3\ntrack recruit koi train as train lotus\ndeck recruit\nally turtle koi\nkoi vp 7\nlotus edo stronghold"
    )
    s = accepted(s, "turtle choose recruit")
    lamps = {light.name: (light.role, light.effect) for light in GAME.lights(s)}
    assert lamps["mandate.1"] == ("koi", "steady")
    assert lamps["mandate.2"] == ("lotus", "steady")
    assert lamps["mandate.3"] == ("lotus", "now")
    assert lamps["kami.1"] == ("kami", "steady")
    assert lamps["war"] == ("war", "steady")
    assert lamps["chooser"] == ("turtle", "steady")
    assert lamps["ally"] == ("koi", "steady")
    assert next(light for light in GAME.lights(s) if light.name == "vp.koi").value == 7


# ------------------------------------------------------------------ taste


def test_taste_scores_every_choice_of_every_prompt_from_the_view_alone():
    for seed in range(2):
        for state, _, _ in walk(rig(), seed, steps=120):
            for prompt in GAME.prompts(state):
                view = GAME.view(state, prompt.seat)
                assert len(taste.scores(view, prompt)) == len(prompt.choices)


def test_taste_likes_a_contested_war_province_better_than_an_idle_one():
    s = position("seats koi lotus turtle\nwars edo\nlotus edo bushi stronghold\nlotus oshu stronghold*2\nkoi edo bushi\ndeck recruit")
    s = accepted(s, "koi choose recruit")
    prompt: Prompt = GAME.prompts(s)[0]
    scores = dict(zip([GAME.notation.say(c.command) for c in prompt.choices], taste.scores(GAME.view(s, "lotus"), prompt), strict=True))
    assert scores["lotus summon bushi edo"] > scores["lotus summon bushi oshu"] > scores["lotus done"]
    assert all(score < 0 for score in taste.scores(GAME.view(s, "lotus"), replace(prompt, choices=())))


def test_bots_that_follow_taste_reach_the_end():
    rng = random.Random(4)
    s = GAME.start(CLANS, {})
    while prompts := GAME.prompts(s):
        prompt = prompts[0]
        scores = taste.scores(GAME.view(s, prompt.seat), prompt)
        best = max(range(len(scores)), key=lambda i: (scores[i], rng.random()))
        result = GAME.apply(s, filled(prompt.choices[best], rng))
        assert isinstance(result, Applied)
        s = result.state
    assert lines(s)[3] == "step over"
