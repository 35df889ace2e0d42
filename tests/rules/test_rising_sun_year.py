"""The year: Tea Ceremony, the way from Season to Season, Winter and who has won, and how all of it is written, shown and set right."""

from __future__ import annotations

import itertools
import random

import pytest
from rs_rig import FACTS, GAME, accepted, after_tea, choices, lines, position, refused

from companion.rules.game import TABLE, Refusal
from companion.rules.rising_sun import taste, tea, winter
from companion.rules.rising_sun.state import Tea
from companion.rules.view import Line, Table
from companion.table.bots import Bot, even

FOUR = "seats koi lotus turtle dragonfly\n"
DECK = "chance shuffle mandates recruit recruit marshal marshal train train harvest harvest betray betray"
WARS = "chance shuffle wars edo kyoto oshu kansai nagato shikoku kyushu hokkaido"


def at(*said):
    return position(FOUR + "\n".join(said))


def drinking(*said):
    return at("step tea", *said)


def asked(s):
    return [p.seat for p in GAME.prompts(s) if not p.optional]


# ------------------------------------------------------------------ Tea Ceremony


def test_everybody_is_asked_at_once_and_two_become_allies():
    s = drinking()
    assert asked(s) == ["koi", "lotus", "turtle", "dragonfly"]
    assert choices(s, "koi") == ["koi offer lotus", "koi offer turtle", "koi offer dragonfly", "koi done"]
    s = accepted(s, "koi offer lotus")
    assert choices(s, "lotus") == ["lotus accept koi", "lotus decline koi", "lotus offer turtle", "lotus offer dragonfly", "lotus done"]
    assert choices(s, "koi") == ["koi offer turtle", "koi offer dragonfly", "koi decline lotus", "koi done"]
    s = accepted(s, "lotus accept koi")
    assert s.allies == {"koi": "lotus", "lotus": "koi"}
    assert asked(s) == ["turtle", "dragonfly"]
    s = accepted(s, "dragonfly offer turtle", "turtle accept dragonfly")
    assert s.tea is None
    assert choices(s, "koi")[0].startswith("koi choose")


def test_an_accepted_offer_voids_all_others_of_the_two():
    s = accepted(drinking(), "koi offer lotus", "turtle offer lotus", "koi offer dragonfly", "lotus accept turtle")
    assert s.tea == Tea(offers=(("koi", "dragonfly"),))


def test_a_declined_offer_is_not_made_again_but_the_other_may_offer():
    s = accepted(drinking(), "koi offer lotus", "lotus decline koi")
    assert s.tea == Tea(declined=(("koi", "lotus"),))
    assert refused(s, "koi offer lotus") == "RS-5.2"
    s = accepted(s, "lotus offer koi", "koi accept lotus")
    assert s.allies["koi"] == "lotus"


def test_an_offer_is_taken_back_by_declining_it_and_may_be_made_again():
    s = accepted(drinking(), "koi offer lotus", "koi decline lotus")
    assert s.tea == Tea()
    assert "koi offer lotus" in choices(s, "koi")


def test_who_is_content_is_asked_again_by_an_offer():
    s = accepted(drinking(), "koi done")
    assert "koi" not in asked(s)
    assert refused(s, "koi done") == "RS-5.2"
    s = accepted(s, "lotus offer koi")
    assert asked(s)[0] == "koi"
    s = accepted(s, "koi done")
    assert s.tea == Tea(declined=(("lotus", "koi"),), done=("koi",))


@pytest.mark.parametrize("no", ["lotus decline koi", "lotus done"])
def test_no_word_shuts_a_pair_and_who_has_declined_last_may_offer(no):
    """RS-5.2: any two willing players; each no closes one offer, and always one of the two may offer."""
    s = accepted(drinking(), "koi offer lotus", no)
    for frm, to in (("lotus", "koi"), ("koi", "lotus"), ("lotus", "koi")):
        assert refused(s, f"{to} offer {frm}") == "RS-5.2"
        s = accepted(s, f"{frm} offer {to}")
        assert (frm in s.tea.done, frm in asked(s)) == (False, True)
        s = accepted(s, f"{to} done" if no == "lotus done" else f"{to} decline {frm}")
        assert len(s.tea.declined) <= 2
        assert position("\n".join(lines(s))) == s
    assert accepted(s, "koi offer lotus", "lotus accept koi").allies["koi"] == "lotus"


def test_who_is_content_and_declined_by_all_has_nothing_to_say():
    s = accepted(
        position("seats koi lotus turtle\nstep tea"),
        "koi offer lotus",
        "koi offer turtle",
        "lotus decline koi",
        "turtle decline koi",
        "koi done",
    )
    assert [p.seat for p in GAME.prompts(s)] == ["lotus", "turtle"]


@pytest.mark.parametrize("liked", [taste.scores, even])
def test_ceremonies_of_bots_end(liked):
    for seed in range(100):
        s = drinking()
        bots = [Bot(seat, seed, liked, 0.5) for seat in s.seats]  # ten times as fickle as they are
        for n in itertools.count():
            assert n < 400
            seat = random.Random(f"{seed} {n}").choice(bots)
            said = seat.answer(GAME.view(s, seat.seat))
            if said is not None:
                s = GAME.apply(s, said).state
            if s.tea is None:
                break


def test_c_112_pairs_only_with_three_players_one_at_least_is_alone():
    s = position("seats koi lotus turtle\nstep tea")
    s = accepted(s, "koi offer lotus", "lotus accept koi")
    assert s.tea is None
    assert s.allies == {"koi": "lotus", "lotus": "koi"}


def test_everybody_may_stay_alone():
    s = accepted(drinking(), "koi done", "dragonfly done", "lotus done")
    assert s.tea is not None  # Turtle may still offer
    s = accepted(s, "turtle done")
    assert (s.tea, s.allies) == (None, {})


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("koi offer koi", "RS-5.2"),
        ("koi offer bonsai", "RS-5.2"),
        ("bonsai offer koi", "RS-3.1"),
        ("koi accept lotus", "RS-5.2"),
        ("koi decline turtle", "RS-5.2"),
        ("lotus offer koi", "RS-5.2"),
        ("koi offer lotus", "RS-5.2"),
        ("koi choose recruit", "RS-4.1"),
        ("table done", "RS-4.1"),
    ],
)
def test_what_the_tea_ceremony_refuses(line, clause):
    s = accepted(drinking(), "koi offer lotus")
    if line == "table done":
        result = GAME.apply(s, GAME.notation.hear(line.split()))
        assert isinstance(result, Refusal)
    else:
        assert refused(s, line) == clause


def test_allies_say_nothing_more():
    s = accepted(drinking(), "koi offer lotus", "lotus accept koi")
    assert refused(s, "turtle offer koi") == "RS-5.2"
    assert refused(s, "koi offer turtle") == "RS-5.2"
    assert refused(s, "koi done") == "RS-5.2"


def test_outside_the_ceremony_no_alliance_is_formed():
    for line in ("koi offer lotus", "koi accept lotus", "koi decline lotus"):
        assert refused(at("step mandate 3"), line) == "RS-5.3"


def test_gifts_are_given_at_tea():
    s = accepted(drinking("koi coins 3"), "koi give lotus coins 2 ronin 0")
    assert s.coins["lotus"] == 2


def test_a_game_begins_with_tea_unless_alliances_were_agreed_at_set_up():
    def set_up(options):
        s = GAME.start(("koi", "lotus", "turtle"), options)
        return accepted(s, "chance shuffle shrines " + " ".join(FACTS.kami), DECK, WARS)

    assert set_up({}).tea == Tea()
    s = set_up({"ally": "koi turtle"})
    assert (s.tea, s.allies) == (None, {"koi": "turtle", "turtle": "koi"})


def test_the_view_tells_of_offers_and_marks_all_who_are_asked():
    s = accepted(drinking(), "koi offer lotus", "turtle done")
    view = GAME.view(s, None)
    section = next(x for x in view.sections if x.id == "tea")
    assert [(node.id, node.text.key) for node in section.nodes if isinstance(node, Line)] == [
        ("offer.koi.lotus", "rs.line.offer"),
        ("content.turtle", "rs.line.content"),
    ]
    seats = next(x for x in view.sections if x.id == "seats").nodes
    assert [x.id for x in seats if x.lit] == ["koi", "lotus", "dragonfly"]
    assert (view.title.key, view.subtitle.key) == ("rs.title.tea", "rs.subtitle.tea")
    assert [w.seat for w in view.waits] == ["koi", "lotus", "dragonfly"]
    assert (GAME.lights(s)[0].role, GAME.lights(s)[0].effect) == ("todo", "attention")


def test_where_nobody_is_left_to_ask_the_table_goes_on():
    s = drinking("ally koi lotus", "ally turtle dragonfly")
    assert asked(s) == [TABLE]
    s = accepted(s, "table done")
    assert s.tea is None


# ------------------------------------------------------------------ from Season to Season


def test_c_103_figures_on_the_map_stay_and_worshippers_go_home():
    s = at("step war end", "koi edo bushi*2", "koi shrine.1 shinto*2", "shrines raijin", "koi tokens spring:edo")
    s = accepted(s, "table done")
    assert s.pieces["koi"]["edo"] == {"bushi": 2}
    assert s.pieces["koi"]["reserve"]["shinto"] == 3
    assert s.tokens == {"koi": ("spring:edo",)}


def test_c_079_and_c_080_hostages_return_at_the_next_seasonal_setup_and_pay_their_captor():
    s = at("step war end", "turtle hostage.lotus bushi*2", "koi coins 5")
    s = accepted(s, "table done")
    assert s.pieces["turtle"]["hostage.lotus"] == {"bushi": 2}  # not in Cleanup
    s = accepted(s, DECK, WARS)
    assert "hostage.lotus" not in s.pieces["turtle"]
    assert s.pieces["turtle"]["reserve"]["bushi"] == 6
    assert s.coins["lotus"] == FACTS.clans["lotus"].income + 2


def test_c_118_cards_nobody_bought_stay_on_offer_or_go():
    for kept in ("keep", "discard"):
        s = at(f"option unbought_cards {kept}", "step war end", "display sp-komainu sp-righteousness")
        s = accepted(s, "table done", DECK, WARS)
        assert ("sp-komainu" in s.display) == (kept == "keep")


def test_old_alliances_end_as_the_next_ceremony_begins_and_are_remembered():
    s = accepted(at("step war end", "ally koi lotus"), "table done")
    assert (s.allies, s.allied) == ({"koi": "lotus", "lotus": "koi"}, {"koi": ("spring",), "lotus": ("spring",)})
    s = accepted(s, DECK, WARS)
    assert (s.allies, s.tea) == ({}, Tea())
    s = after_tea(s)
    assert tea.seasons(s, "koi") == ("spring",)


def test_the_deck_goes_on_to_the_left_in_the_next_season():
    s = accepted(at("step war end", "turn turtle"), "table done", DECK, WARS)
    assert after_tea(s).turn == "turtle"


def test_a_season_with_two_alliances_is_one_season():
    s = at("step war end", "ally koi lotus", "koi allied spring")
    assert accepted(s, "table done").allied == {"koi": ("spring",), "lotus": ("spring",)}


# ------------------------------------------------------------------ Winter


def final(*said):
    return accepted(at("season autumn", "step war end", *said), "table done")


def test_c_104_tokens_score_by_season_and_different_provinces_once():
    s = final("koi tokens spring:kyoto autumn:kyoto summer:edo summer:oshu", "koi vp 5")
    assert s.vp["koi"] == 5 + 8 + 10
    assert s.scored["koi"] == {"play": 5, "tokens": 8, "sets": 10}


def test_the_set_bonus():
    assert [winter.bonus(n) for n in range(9)] == [0, 0, 0, 10, 10, 20, 20, 30, 30]


def test_c_106_a_tie_goes_to_the_higher_honor():
    s = final("koi vp 7", "turtle vp 7", "honor turtle koi lotus dragonfly")
    assert winter.winners(s) == ("turtle",)


def test_c_107_tied_allies_share_the_victory():
    s = final("koi vp 7", "turtle vp 7", "ally koi turtle")
    assert winter.winners(s) == ("koi", "turtle")
    section = next(x for x in GAME.view(s, None).sections if x.id == "score")
    assert section.nodes[0].text.key == "rs.line.share_victory"


def test_tied_allies_below_a_third_in_honor_do_not_win():
    s = final("koi vp 7", "turtle vp 7", "lotus vp 7", "ally koi turtle", "honor lotus koi turtle dragonfly")
    assert winter.winners(s) == ("lotus",)
    s = final("koi vp 7", "turtle vp 7", "lotus vp 7", "ally koi turtle")
    assert winter.winners(s) == ("koi", "turtle")


def test_an_ally_behind_shares_nothing():
    assert winter.winners(final("koi vp 8", "turtle vp 7", "ally koi turtle")) == ("koi",)


def test_hostages_go_home_in_winter_too_and_income_is_not_paid():
    s = final("turtle hostage.lotus bushi")
    assert s.pieces["turtle"]["reserve"]["bushi"] == 6
    assert s.coins["lotus"] == 1


@pytest.mark.parametrize(("option", "vp"), [("yes", 20 + 3 + 2), ("no", 20 + 3)])
def test_loyalty_in_winter_by_option(option, vp):
    s = final(
        f"option loyalty_in_winter {option}",
        "koi tokens spring:kyoto spring:edo spring:oshu",
        "koi vp 10",
        "ally koi lotus",
        "koi cards su-loyalty",
    )
    assert s.vp["koi"] == vp
    assert sum(s.scored["koi"].values()) == vp


def test_the_final_table_shows_points_by_source_the_first_on_top():
    s = final("koi vp 5", "lotus vp 9", "lotus cards au-form-of-the-kitsune", "lotus edo stronghold*2", "koi tokens spring:edo")
    section = next(x for x in GAME.view(s, "koi").sections if x.id == "score")
    assert section.nodes[0].text.key == "rs.line.wins"
    table = section.nodes[1]
    assert isinstance(table, Table)
    assert [h.key for h in table.heads] == [
        "rs.final.clan",
        "rs.final.play",
        "rs.card.au-form-of-the-kitsune",
        "rs.final.tokens",
        "rs.final.total",
    ]
    assert [(row[0].key, *row[1:]) for row in table.rows] == [
        ("rs.clan.lotus", 9, 6, 0, 15),
        ("rs.clan.koi", 5, 0, 1, 6),
        ("rs.clan.turtle", 0, 0, 0, 0),
        ("rs.clan.dragonfly", 0, 0, 0, 0),
    ]
    assert GAME.prompts(s) == ()
    assert refused(s, "koi done") == "RS-12.5"


def test_an_old_game_that_ended_before_winter_was_scored_has_no_table():
    assert all(x.id != "score" for x in GAME.view(at("season autumn", "step over"), None).sections)
