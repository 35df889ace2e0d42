"""The last and the first of everything, and what is kept from one question to the next."""

from __future__ import annotations

from rs_rig import FACTS, accepted, choices, lines, position
from rs_said import asked, offered, refused

from companion.rules.rising_sun import betray, turns
from companion.rules.rising_sun.state import UNKNOWN

FOUR = "seats koi lotus turtle dragonfly\n"


# ------------------------------------------------------------------ what is kept


def test_other_figures_in_the_same_province_are_other_exchanges():
    for figures in ("bushi", "shinto", "bushi shinto"):
        s = accepted(position(FOUR + f"deck betray\nlotus edo {figures}"), "koi choose betray")
        assert choices(s, "koi") == [*(f"koi replace lotus {kind} edo {kind}" for kind in figures.split()), "koi done"]


def test_the_last_of_a_kind_in_reserve_is_offered_once():
    s = accepted(position(FOUR + "deck betray\nlotus edo shinto bushi\nturtle oshu shinto\nkoi kyushu shinto*2"), "koi choose betray")
    assert "koi replace lotus shinto edo shinto" in choices(s, "koi")
    s = accepted(s, "koi replace turtle shinto oshu shinto")
    assert choices(s, "koi") == ["koi replace lotus bushi edo bushi", "koi done"]


def test_a_move_changes_what_two_provinces_offer_and_no_third():
    s = accepted(position(FOUR + "deck marshal\nlotus nagato bushi\nlotus edo bushi daimyo\nlotus shikoku shinto"), "koi choose marshal")
    s = accepted(s, "lotus move bushi nagato kansai")
    stays = ["oshu", "kyoto"], ["kansai", "kyushu"]
    assert choices(s, "lotus") == [
        *(f"lotus move {kind} edo {place}" for kind in ("bushi", "daimyo") for place in stays[0]),
        *(f"lotus move shinto shikoku {place}" for place in stays[1]),
        "lotus done",
    ]
    s = accepted(s, "lotus move daimyo edo kyoto")
    assert choices(s, "lotus")[:2] == ["lotus move bushi edo oshu", "lotus move bushi edo kyoto"]
    s = accepted(s, "lotus move bushi edo kyoto", "lotus move shinto shikoku kansai")
    assert s.doing is None
    assert s.pieces["lotus"]["kyoto"] == {"daimyo": 1, "bushi": 1}


def test_a_figure_that_moved_stands_beside_others_that_have_not():
    s = position(FOUR + "deck marshal\nlotus nagato bushi\nlotus kansai bushi*2 daimyo shinto\nlotus edo shinto*2")
    s = accepted(s, "koi choose marshal")
    assert asked(s) == "RS-6M.1 lotus: Move: 7 figures have not moved"
    s = accepted(s, "lotus move bushi nagato kansai")
    assert asked(s) == "RS-6M.1 lotus: Move: 6 figures have not moved"
    out = [said.split()[2] for said in choices(s, "lotus") if said.split()[3:4] == ["kansai"]]
    assert sorted(set(out)) == ["bushi", "daimyo", "shinto"]
    s = accepted(s, "lotus move bushi kansai kyoto", "lotus move bushi kansai kyoto")
    assert asked(s) == "RS-6M.1 lotus: Move: 4 figures have not moved"
    out = [said.split()[2] for said in choices(s, "lotus") if said.split()[3:4] == ["kansai"]]
    assert sorted(set(out)) == ["daimyo", "shinto"]


# ------------------------------------------------------------------ what a record says of a part


def part(s):
    """The lines of the part being performed; the position reads back from its record."""
    assert position("\n".join(lines(s))) == s
    return [line for line in lines(s) if line.startswith(("doing", "used", "spent", "fresh", "pending"))]


def test_a_record_says_what_the_performer_has_done():
    s = accepted(
        position(FOUR + "deck betray\nlotus edo bushi\nturtle oshu bushi"), "koi choose betray", "koi replace lotus bushi edo bushi"
    )
    assert part(s) == ["doing betray by koi now koi", "used lotus"]
    s = position(FOUR + "deck recruit\nally koi turtle\nlotus edo stronghold*2\nlotus oshu stronghold\nkoi edo stronghold\nshrines raijin")
    s = accepted(s, "koi choose recruit", "lotus summon bushi edo", "lotus summon shinto edo")
    assert part(s)[1:] == ["used edo*2", "fresh shinto edo"]
    s = position(FOUR + "deck marshal\nally koi lotus\nlotus coins 3\nlotus edo bushi*3 daimyo")
    s = accepted(s, "koi choose marshal", "lotus move bushi edo oshu", "lotus move bushi edo oshu", "lotus build kyushu")
    assert part(s)[1:] == ["used build", "spent oshu bushi*2"]
    s = position(FOUR + "deck train\nkoi coins 3\nkoi edo stronghold\ndisplay sp-komainu\nshrines raijin")
    s = accepted(s, "koi choose train", "koi buy sp-komainu")
    assert part(s)[1:] == ["used buy", "pending komainu"]
    s = accepted(s, "koi summon komainu edo")
    assert part(s)[1:] == ["used buy summon", "fresh komainu edo"]
    s = position(FOUR + "step kami 1\nshrines fujin\nkoi shrine.1 shinto\nkoi edo bushi")
    s = accepted(s, "table done", "koi move bushi edo oshu")
    assert part(s) == ["doing fujin by koi now koi", "used move"]


# ------------------------------------------------------------------ numbers at their ends


def test_who_has_nothing_to_do_gives_up_nothing():
    s = position(FOUR + "step kami 1\nshrines fujin\ndoing fujin by koi now koi")  # no figure on the map
    assert offered(s, "koi") == ["koi done | Done | ui/ok"]
    s = position(FOUR + "koi cards sp-komainu\ntrack train koi\ndoing train by koi now koi\nused buy\npending komainu")  # no stronghold
    assert asked(s) == "RS-6T.3 koi: Summon Komainu"
    assert offered(s, "koi") == ["koi done | Done | ui/ok"]


def test_a_part_written_as_used_up_asks_for_nothing_more():
    kami = FOUR + "step kami 1\nkoi edo bushi\n"
    s = position(kami + "shrines fujin\ndoing fujin by koi now koi\nused move*2")
    assert asked(s) == "RS-7.5 koi: Fujin: 0 moves left"
    assert choices(s, "koi") == ["koi done"]
    s = position(kami + "shrines raijin\ndoing raijin by koi now koi\nused summon")
    assert choices(s, "koi") == ["koi done"]
    s = position(
        FOUR + "lotus edo bushi\nturtle edo bushi\ndragonfly edo bushi\ntrack betray koi\ndoing betray by koi now koi\nused lotus turtle"
    )
    assert asked(s) == "RS-6B.2 koi: Replace up to 0 figures of different players"
    assert choices(s, "koi") == ["koi done"]


def test_types_that_may_be_exchanged():
    assert betray.types(FACTS, "oni_of_skulls") == ("monster",)
    assert betray.types(FACTS, "komainu") == ("monster", "shinto")
    assert betray.types(FACTS, "yurei") == betray.types(FACTS, "daimyo") == betray.types(FACTS, "stronghold") == ()


def test_the_step_after_the_last_is_over():
    assert turns.step_name(FACTS, position("seats koi lotus turtle\nseason autumn\nstep over")) == "over"
    assert turns.step_name(FACTS, position("seats koi lotus turtle\nstep war")) == "war"


def test_a_named_tile_disproves_a_face_down_one_only_when_it_is_one_too_many():
    cardboard = "seats koi lotus turtle\noption mandates cardboard\nstep mandate 3\ntrack train koi recruit as train lotus\n"
    s = accepted(position(cardboard), "turtle choose recruit")
    assert [p.tile for p in s.track] == ["train", "recruit", "recruit"]  # two there are
    known = "seats koi lotus turtle\nstep mandate 3\ntrack train koi recruit as train lotus\n"
    s = accepted(position(known + "deck ? ? ? ? ? recruit ?"), "turtle choose recruit")
    assert [p.tile for p in s.track] == ["train", UNKNOWN, "recruit"]  # a third lies deeper
    assert s.track[1].declared == "train"


def test_lotus_may_name_what_may_lie_in_a_written_deck_but_not_on_the_table():
    deck = "turn lotus\ndeck train ?\ntrack recruit koi recruit turtle\nstep mandate 3\n"
    s = position("seats koi lotus turtle\n" + deck)
    faces = ("train", UNKNOWN, "marshal", "harvest", "betray")
    words = ("recruit", "marshal", "train", "harvest", "betray")
    assert choices(s, "lotus") == [f"lotus choose {face} as {word}" for face in faces for word in words]
    s = position("seats koi lotus turtle\noption mandates cardboard\nturn lotus\n")
    assert choices(s, "lotus") == [f"lotus choose ? as {word}" for word in words]


def test_without_shrines_nobody_is_asked_about_worship():
    s = accepted(position(FOUR + "deck recruit\nlotus edo stronghold*2"), "koi choose recruit", "lotus summon shinto edo")
    assert asked(s) == "RS-6R.1 lotus: Summon 1 more"


def test_cards_gather_and_a_purse_may_be_emptied():
    text = "option monster_without_stronghold forbidden\ndeck train\ndisplay sp-righteousness sp-komainu\nkoi cards sp-path-of-the-lion\n"
    s = accepted(position(FOUR + text + "koi coins 1"), "koi choose train")
    assert choices(s, "koi") == ["koi buy sp-righteousness", "koi done"]
    s = accepted(s, "koi buy sp-righteousness")
    assert s.cards["koi"] == ("sp-path-of-the-lion", "sp-righteousness")
    assert s.coins["koi"] == 0


def test_a_written_performer_without_a_stronghold_is_told_so():
    s = position(FOUR + "track recruit koi\ndoing recruit by koi now lotus left turtle koi")
    assert choices(s, "lotus") == ["lotus done"]
    assert refused(s, "lotus summon bushi edo")[0] == "RS-6R.5: You have no stronghold on the map, so you summon nothing."
