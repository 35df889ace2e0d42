"""What screens are told of a Mandate in play: its name, who chose it, what the drawn tiles do."""

from __future__ import annotations

from rs_rig import FACTS, GAME, accepted, position

from companion.rules.view import Card, Curtain, Track

THREE = "seats koi lotus turtle\n"
SHRINES = "step kami 1\nshrines fujin\nlotus shrine.1 shinto\n"


def heads(s):
    view = GAME.view(s, None)
    return view.title.key, view.subtitle.key


def test_the_title_names_the_mandate_or_the_blessing_in_play():
    s = position(THREE + "deck recruit harvest\nkoi edo stronghold\nlotus nagato bushi")
    assert heads(s) == ("rs.title.political", "rs.subtitle.mandate")
    assert heads(accepted(s, "koi choose recruit")) == ("rs.mandate.recruit", "rs.subtitle.mandate")
    blessed = accepted(position(THREE + SHRINES + "lotus nagato bushi"), "table done")
    assert heads(blessed) == ("rs.kami.fujin", "rs.subtitle.kami")
    assert heads(accepted(blessed, "lotus done"))[0] == "rs.title.political"


def test_a_face_down_tile_is_titled_by_its_word():
    s = position(THREE + "step mandate 2\ndeck harvest\nlotus nagato stronghold")
    assert heads(accepted(s, "lotus choose harvest as recruit"))[0] == "rs.mandate.recruit"


def test_the_step_in_play_bears_the_seat_that_chose_it_not_the_one_that_acts():
    s = accepted(position(THREE + "deck recruit\nkoi edo stronghold\nlotus nagato stronghold"), "koi choose recruit")
    assert s.doing.now == "lotus"
    track = GAME.view(s, None).sections[0].nodes[0]
    assert isinstance(track, Track)
    assert (track.steps[0].seat, track.steps[0].state) == ("koi", "now")
    open_ = GAME.view(accepted(s, "lotus done", "koi done"), None).sections[0].nodes[0]
    assert isinstance(open_, Track)
    assert [(step.seat, step.state) for step in open_.steps[:3]] == [("koi", "done"), ("lotus", "now"), ("", "todo")]


def test_every_drawn_tile_says_what_its_mandate_does():
    s = position(THREE + "deck " + " ".join(FACTS.mandates))
    for seat, state in (("koi", s), ("lotus", position(THREE + "step mandate 2\ndeck " + " ".join(FACTS.mandates)))):
        curtain = next(x for x in GAME.view(state, seat).sections if x.id == "private").nodes[0]
        assert isinstance(curtain, Curtain)
        tiles = [node for node in curtain.nodes if isinstance(node, Card)]
        assert [tile.detail.key for tile in tiles] == [f"{tile.text.key}.detail" for tile in tiles]


def test_the_first_summon_is_not_called_one_more():
    s = accepted(position(THREE + "deck recruit\nkoi edo stronghold\nlotus nagato stronghold*2"), "koi choose recruit")
    assert GAME.prompts(s)[0].text.key == "rs.prompt.recruit"
    s = accepted(s, "lotus summon bushi nagato")
    assert GAME.prompts(s)[0].text.key == "rs.prompt.recruit_more"
    assert GAME.view(s, None).waits[0].text.key == "rs.wait.recruit_more"


def test_a_tile_named_once_too_often_makes_a_written_face_down_one_unknown():
    """What all could see allowed it, so it is offered; the position stays possible (RS-1.6)."""
    s = position(THREE + "step mandate 3\ntrack harvest koi harvest as train lotus\ndeck ? ? ? ?")
    before = [choice.command.mandate for choice in GAME.prompts(s)[0].choices]
    assert "harvest" in before
    after = accepted(s, "turtle choose harvest")
    assert GAME.faults(after) == ()
    assert [(p.tile, p.declared) for p in after.track] == [("harvest", ""), ("?", "train"), ("harvest", "")]
