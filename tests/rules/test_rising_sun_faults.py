"""Positions that could never be, each with the one fault that says so; and that no position of real play is called so, corrections or not."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from rs_rig import CLANS, FACTS, GAME, STARTS, accepted, keys, lines, position
from suite import pick

from companion.rules.game import GiveCard, MovePiece, Refusal, SetCounter, SetStep
from companion.rules.rising_sun import setup, steps
from companion.rules.rising_sun.state import OVER, Doing
from companion.words import render

HERE = Path(__file__).parent
WARS = "wars edo oshu kansai kyushu shikoku nagato"
KENIN = "koi cards sp-path-of-the-kenin\nkoi edo stronghold"
HUNGRY = "season autumn\nturtle cards au-oni-of-hate\nturtle edo oni_of_hate\nkoi edo bushi"
IMPOSSIBLE = [
    # Whose turn it is: Lotus is on the left of Koi, so Turtle, Dragonfly, Koi perform after it.
    ("doing recruit by koi now turtle left lotus dragonfly koi bonus koi", "RS-6.5", "order"),
    ("doing recruit by koi now turtle left koi bonus koi", "RS-6.5", "order"),
    ("doing train by koi now lotus left koi", "RS-6.5", "order"),
    ("doing betray by koi now lotus", "RS-6.7", "only_chooser"),
    ("turn dragonfly\ndoing marshal by koi now koi", "RS-6.2", "chooser"),
    ("doing recruit by koi now koi left lotus bonus koi", "RS-6.5", "performs_last"),
    ("doing recruit by koi now turtle left dragonfly koi bonus koi lotus", "RS-6.7", "bonus"),
    ("doing betray by koi now koi bonus koi", "RS-6.7", "bonus"),
    ("step kami 1\nshrines fujin\ndoing fujin by koi now lotus", "RS-7.2", "blessed_alone"),
    ("step kami 1\nshrines fujin\ndoing fujin by koi now koi left lotus", "RS-7.2", "blessed_alone"),
    # What has been done.
    ("doing recruit by koi now koi\nused edo*6\nkoi edo stronghold", "RS-6R.1", "summons"),
    ("doing recruit by koi now koi\nused build", "RS-6.6", "used"),
    ("doing recruit by koi now koi\nused summon", "RS-6.6", "used"),
    ("doing marshal by koi now koi\nused build*2", "RS-6.6", "used"),
    ("doing marshal by koi now koi\nused edo", "RS-6.6", "used"),
    ("doing marshal by koi now koi\nused hokkaido-oshu*2", "RS-6.6", "used"),
    ("doing train by koi now dragonfly\nturn koi\nused buy*2", "RS-6.6", "used"),
    ("doing train by koi now dragonfly\nused buy move", "RS-6.6", "used"),
    ("doing train by koi now dragonfly\nused summon", "RS-6T.3", "bought_nothing"),
    ("doing train by koi now dragonfly\npending komainu\ndragonfly cards sp-komainu", "RS-6T.3", "bought_nothing"),
    ("step kami 1\nshrines fujin\ndoing fujin by koi now koi\nused move*3", "RS-6.6", "used"),
    ("step kami 1\nshrines raijin\ndoing raijin by koi now koi\nused summon*2", "RS-6.6", "used"),
    ("doing betray by koi now koi\nused lotus*2", "RS-6.6", "used"),
    ("doing betray by koi now koi\nused lotus turtle dragonfly", "RS-6B.2", "victims"),
    ("doing betray by koi now koi\nused koi", "RS-6B.2", "victims"),
    ("doing betray by koi now koi\nused extra*9", "RS-6.6", "used"),
    ("doing recruit by koi now koi\nspent edo bushi\nkoi edo bushi", "RS-6.6", "part_line"),
    ("doing marshal by koi now koi\nfresh shinto edo\nkoi edo shinto", "RS-6.6", "part_line"),
    ("doing recruit by koi now koi\npending komainu\nused edo\nkoi cards sp-komainu\nkoi edo stronghold", "RS-6.6", "part_line"),
    ("doing marshal by koi now koi\nspent edo bushi*2\nkoi edo bushi", "RS-6M.1", "spent"),
    # When cards ask.
    (f"step war\n{KENIN}\nask koi sp-path-of-the-kenin", "RS-2.18", "ask_moment"),
    (f"step mandate 2\n{KENIN}\nask koi sp-path-of-the-kenin", "RS-2.18", "ask_moment"),
    (f"step tea\n{KENIN}\nask koi sp-path-of-the-kenin", "RS-2.18", "ask_moment"),
    (f"step war 1\n{WARS}\nkoi cards sp-benevolence\nask koi sp-benevolence", "RS-2.18", "ask_moment"),
    (f"doing recruit by koi now koi\nused edo\n{KENIN}\nask koi sp-path-of-the-kenin", "RS-2.18", "ask_moment"),
    ("doing recruit by koi now koi\nkoi cards sp-benevolence\nask koi sp-benevolence", "RS-2.18", "ask_moment"),
    ("doing marshal by koi now koi\nlotus cards sp-benevolence\nask lotus sp-benevolence", "RS-2.18", "ask_moment"),
    (f"doing recruit by koi now koi\nused edo\nstage after\n{KENIN}\nask koi sp-path-of-the-kenin n 0", "RS-2.17", "ask_n"),
    (f"doing recruit by koi now koi\nused edo\nstage after\n{KENIN}\nask koi sp-path-of-the-kenin n 99", "RS-2.17", "ask_n"),
    ("step war\nkoi ronin 1\nask koi acts n 2", "RS-2.17", "ask_n"),
    ("seats koi lotus fox\nstep war\nask fox wily_presence n 7", "RS-2.17", "ask_n"),
    (
        f"doing recruit by koi now koi\nused edo\nstage after\n{KENIN}\nask koi sp-path-of-the-kenin\nask koi sp-path-of-the-kenin",
        "RS-2.18",
        "ask_twice",
    ),
    ("doing marshal by koi now koi\nkoi cards sp-benevolence\nask koi sp-benevolence place edo", "RS-2.18", "ask_of"),
    ("doing marshal by koi now koi\nkoi cards sp-benevolence\nask koi sp-benevolence victim lotus", "RS-2.18", "ask_of"),
    (f"{HUNGRY}\ndoing marshal by koi now turtle left dragonfly koi\nask turtle au-oni-of-hate victim koi", "RS-2.18", "ask_of"),
    (
        f"{HUNGRY}\ndoing marshal by koi now turtle left dragonfly koi\nask turtle au-oni-of-hate place edo victim turtle",
        "RS-2.18",
        "ask_self",
    ),
    ("season summer\ndoing marshal by koi now koi\nkoi cards su-mercy\nask koi su-mercy place edo", "RS-2.18", "ask_mercy"),
    (f"doing recruit by koi now koi\nstage after\n{KENIN}\nask koi sp-path-of-the-kenin", "RS-2.11", "stage_after"),
    (
        "season summer\ndoing marshal by koi now koi\nstage end\nkoi cards su-path-of-the-samurai\nask koi su-path-of-the-samurai",
        "RS-2.12",
        "stage_end",
    ),
    (
        "doing recruit by koi now dragonfly left koi\nstage end\nkoi cards sp-path-of-the-light\nask koi sp-path-of-the-light",
        "RS-2.12",
        "stage_end",
    ),
    (
        "doing recruit by koi now koi\nused edo\nkoi edo stronghold\nstage end\nkoi cards sp-path-of-the-light\nask koi sp-path-of-the-light",
        "RS-2.12",
        "stage_end",
    ),
    # Tea.
    ("step tea\noffered koi lotus\noffered koi lotus", "RS-5.2", "tea_twice"),
    ("step tea\ndeclined koi lotus\ndeclined koi lotus", "RS-5.2", "tea_twice"),
    ("step tea\noffered koi lotus\noffered lotus koi", "RS-5.2", "tea_both"),
    ("step tea\noffered koi lotus\ndeclined koi lotus", "RS-5.2", "tea_declined"),
    ("step tea\ndeclined lotus koi\ndeclined koi lotus\noffered koi lotus", "RS-5.2", "tea_declined"),
    ("step tea\nally koi lotus\ncontent lotus", "RS-5.2", "tea_ally"),
    # Before their time, or at the wrong one.
    ("koi hostage.lotus bushi", "RS-9.9", "hostage_early"),
    ("step tea\nkoi hostage.lotus bushi", "RS-9.9", "hostage_early"),
    ("season summer\nstep war\nkoi hostage.lotus bushi", "RS-9.9", "hostage_early"),
    ("owed mandates wars\nkoi hostage.lotus bushi", "RS-9.9", "hostage_early"),
    ("display su-mercy", "RS-4.4", "card_later"),
    ("season summer\nlotus cards au-oni-of-hate", "RS-4.4", "card_later"),
    ("koi tokens spring:edo", "RS-8.4", "token_early"),
    (f"step war\n{WARS}\nkoi tokens spring:edo", "RS-8.4", "token_early"),
    (f"step war 2\n{WARS}\nkoi tokens spring:oshu", "RS-8.4", "token_early"),
    (f"step war 2\n{WARS}\nkoi tokens spring:nagato", "RS-8.4", "token_early"),
    (f"step war end\n{WARS}\nkoi tokens spring:hokkaido", "RS-8.4", "token_early"),
    (f"step war 1\n{WARS}\nbattle edo seats koi lotus\nkoi coins 1\nlotus coins 1\nlotus tokens spring:edo", "RS-8.4", "token_early"),
    ("season summer\nowed wars\nkoi tokens summer:edo", "RS-8.4", "token_early"),
    ("step mandate 2\nowed wars", "RS-4.2", "owed_step"),
]
POSSIBLE = [
    "step mandate 3\ntrack harvest koi recruit lotus\ndoing recruit by turtle now lotus left turtle",
    "step mandate 6\ntrack ? ? train turtle ? harvest koi\nturn lotus",
    "doing recruit by koi now turtle left dragonfly koi bonus koi lotus\nally koi lotus\nused edo*5",
    "doing train by koi now dragonfly\nused buy summon",
    "doing train by koi now koi left lotus turtle dragonfly bonus koi",
    "step kami 1\nshrines fujin\ndoing fujin by koi now koi\nused move*2 hokkaido-oshu waived",
    "doing betray by koi now koi\nused lotus turtle",
    f"doing recruit by koi now koi\nused edo\nstage after\n{KENIN}\nask koi sp-path-of-the-kenin",
    "season summer\ndoing recruit by koi now koi\nstage end\nlotus cards su-path-of-the-samurai\nask lotus su-path-of-the-samurai",
    f"{HUNGRY} shinto\ndoing marshal by koi now turtle left dragonfly koi\nask turtle au-oni-of-hate place edo victim koi",
    "seats koi lotus fox\nstep war\nask fox wily_presence n 6",
    "step tea\ndeclined koi lotus\ndeclined lotus koi\noffered koi lotus",  # who has declined last may be offered to again
    "season summer\nowed wars\nkoi hostage.lotus bushi\nkoi tokens spring:edo\ndisplay sp-courage",
    f"step war 2\n{WARS}\nkoi hostage.lotus bushi\nkoi tokens spring:edo",
    "step war end\nkoi tokens spring:hokkaido",  # nobody has written down where there was war
    f"step war 1\n{WARS}\nbattle edo now odd seats koi lotus turtle winner koi\nbid koi poets 1\nbid lotus\nbid turtle\nkoi tokens spring:edo",
    "season autumn\nstep over\nkoi tokens autumn:edo",
]


def found(text):
    return GAME.faults(position(text))


@pytest.mark.parametrize(("text", "clause", "fault"), IMPOSSIBLE)
def test_what_could_never_be_is_named_once_with_its_clause_and_what_to_do(text, clause, fault):
    assert [(one.clause, one.text.key) for one in found(text)] == [(clause, f"rs.fault.{fault}")]
    (one,) = found(text)
    for lang in ("en", "ru"):
        said = render(one.text, lang)
        assert said.endswith(".") and not re.search(r"rs\.|\{", said), said


@pytest.mark.parametrize("text", POSSIBLE)
def test_what_can_be_is_believed(text):
    assert found(text) == ()


def test_nothing_else_is_performed_while_a_battle_is_fought():
    s = position(f"step war 1\n{WARS}\nbattle edo seats koi lotus\nkoi coins 1\nlotus coins 1")
    assert GAME.faults(s) == ()
    busy = GAME.faults(replace(s, doing=Doing("marshal", s.turn, s.turn)))
    assert [(one.clause, one.text.key.removeprefix("rs.fault.")) for one in busy] == [("RS-8.3", "battle_alone")]


def test_every_fault_is_named_by_a_test():
    """A new sentence in the catalogues without a position that is refused with it fails here."""
    source = "".join(path.read_text("utf-8") for path in sorted(HERE.glob("test_rising_sun*.py")))
    by_clause = (
        "honor allies below_zero wars_twice shrines_twice pieces no_worshipper monster_without_card monster_twice",
        "card_copies wars",
    )
    named = set(" ".join((*by_clause, "fresh pending tiles mandate_copies face_down")).split())  # in ``corrections``
    named |= set(re.findall(r'"([a-z_]+)"', source))
    assert sorted(key for key in keys("en") if key.startswith("rs.fault.") and key.removeprefix("rs.fault.") not in named) == []


def test_the_sentences_name_the_line_and_the_fix():
    said = [
        render(found(text)[0].text, "en")
        for text in (
            "doing recruit by koi now turtle left koi bonus koi",
            "doing marshal by koi now koi\nused build*2",
            f"step war\n{KENIN}\nask koi sp-path-of-the-kenin",
            f"step war 2\n{WARS}\nkoi tokens spring:oshu",
            "display su-mercy",
        )
    ]
    assert said == [
        "Turtle performs out of turn: those after it are, in order, dragonfly koi. Set the doing line right.",
        "The used line cannot say build*2 of Koi now: at most 1.",
        "Path of the Kenin does not ask Koi at this moment: leave the ask line out.",
        "Koi cannot hold the token Oshu, Spring: its war is not resolved. Take it away, or set the step right.",
        "Mercy is a card of a season that has not come yet: take it away, or write season summer.",
    ]


# ------------------------------------------------------------------ corrections keep to it


def why(s, correction):
    result = GAME.correct(s, correction)
    assert isinstance(result, Refusal)
    return result.clause, result.text.key.removeprefix("rs.no.")


def test_no_correction_takes_a_hostage_or_a_token_before_the_war():
    for step in ("mandate 2", "war"):
        s = position(f"step {step}\n{WARS}\nkoi edo bushi")
        assert why(s, MovePiece("koi", "bushi", "edo", "hostage.lotus")) == ("RS-9.9", "hostage_early")
        assert why(s, SetCounter("koi", "token.spring:edo", 1)) == ("RS-8.4", "token_early")
    s = position(f"step war 2\n{WARS}\nkoi edo bushi")
    assert why(s, SetCounter("koi", "token.spring:oshu", 1)) == ("RS-8.4", "token_early")
    for correction in (MovePiece("koi", "bushi", "edo", "hostage.lotus"), SetCounter("koi", "token.spring:edo", 1)):
        s = GAME.correct(s, correction).state
    assert (s.tokens, s.pieces["koi"]["hostage.lotus"]) == ({"koi": ("spring:edo",)}, {"bushi": 1})


def test_a_table_that_goes_back_before_a_war_has_not_won_it_yet():
    s = position(
        f"season summer\nstep war 3\n{WARS}\nkoi tokens spring:oshu summer:edo\nlotus tokens summer:oshu\nturtle hostage.lotus bushi*2 shinto"
    )
    back = GAME.correct(s, SetStep("war 2"))
    assert (back.state.tokens, GAME.faults(back.state)) == ({"koi": ("spring:oshu", "summer:edo")}, ())
    assert [render(one.text, "en") for one in back.events][-2:] == [
        "Corrected: Lotus has not the token Oshu, Summer.",
        "Correction: the game stands at war 2.",
    ]
    assert back.state.pieces["turtle"] == s.pieces["turtle"]
    back = GAME.correct(s, SetStep("mandate 7"))
    assert [f"{one.clause}: {render(one.text, 'en')}" for one in back.events if one.clause == "RS-4.5"] == [
        *(["RS-4.5: Correction: Bushi of Turtle from Lotus's hostages to the reserve."] * 2),
        "RS-4.5: Correction: Shinto of Turtle from Lotus's hostages to the reserve.",
    ]
    back = back.state
    assert (back.tokens, GAME.faults(back)) == ({"koi": ("spring:oshu",)}, ())
    assert set(back.pieces["turtle"]) == {"reserve"}
    assert (back.pieces["turtle"]["reserve"]["bushi"], back.coins["lotus"]) == (6, 0)
    assert accepted(position("\n".join(lines(GAME.correct(s, SetStep("war 3")).state))), "table done").tokens == s.tokens


def corrections(s, rng):
    """Something the table may set right, lawful or not."""
    seat = rng.choice(s.seats)
    places = [*FACTS.provinces, "shrine.1", "shrine.2", "reserve", *(f"hostage.{other}" for other in s.seats)]
    frm = rng.choice(sorted(s.pieces[seat]))
    cards = [*s.display, *(card for mine in s.cards.values() for card in mine)]
    counters = ["coins", "ronin", "vp", "honor", *(f"ally.{other}" for other in s.seats), f"token.{s.season}:{rng.choice(FACTS.provinces)}"]
    counter = rng.choice(counters)
    made = [SetCounter(seat, counter, rng.randint(0, 1 if "." in counter else 7))]
    made += [MovePiece(seat, rng.choice(sorted(s.pieces[seat][frm])), frm, rng.choice(places))] if s.pieces[seat][frm] else []
    made += [GiveCard(rng.choice((*s.seats, "")), rng.choice(cards))] if cards else []
    made += [SetStep(rng.choice(steps.names(FACTS, len(s.wars))))] if rng.random() < 0.05 else []
    return rng.choice(made)


def seated(seed, rng):
    """Every start of the suite by turns, then Clans drawn, the guest too."""
    if seed % 2:
        return STARTS[seed // 2 % len(STARTS)]
    return rng.sample((*CLANS, "fox"), rng.randint(3, 5)), {name: rng.choice(values) for name, values in setup.READINGS.items()}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.soak) for block in range(1, 100))])
def test_what_play_and_corrections_lead_to_is_never_a_fault_and_reads_back(block):
    for seed in range(block * 15, block * 15 + 15):
        rng = random.Random(f"corrected {seed}")
        s = GAME.start(*seated(seed, rng))
        while prompts := GAME.prompts(s):
            by_hand = not s.owed and rng.random() < 0.15
            said = corrections(s, rng) if by_hand else pick(prompts, rng)
            result = GAME.correct(s, said) if by_hand else GAME.apply(s, said)
            if isinstance(result, Refusal):
                assert by_hand
                continue
            s = result.state
            assert GAME.faults(s) == (), (seed, said, lines(s))
            if by_hand or rng.random() < 0.1:
                assert position("\n".join(lines(s))) == s, (seed, said)
        assert s.step == len(FACTS.steps), OVER


def test_after_the_end_a_hostage_is_put_right_like_any_piece():
    over = position("season autumn\nstep over\nkoi edo bushi")
    taken = GAME.correct(over, MovePiece("koi", "bushi", "edo", "hostage.lotus")).state
    assert (taken.pieces["koi"]["hostage.lotus"], GAME.faults(taken)) == ({"bushi": 1}, ())


def test_a_correction_leaves_the_fox_its_place_at_the_start_of_war():
    s = position(
        "seats koi lotus fox\nstep war\nwars nagato edo oshu kansai kyushu\nkoi cards sp-way-of-the-shogun\nask koi order\nask fox order\nfox edo bushi"
    )
    assert GAME.faults(s) == ()
    assert [(one.seat, one.what) for one in GAME.correct(s, SetCounter("koi", "coins", 3)).state.asks] == [
        ("koi", "order"),
        ("fox", "order"),
    ]


def test_who_is_content_stays_so_while_others_go_on_talking():
    s = position("seats koi lotus turtle dragonfly bonsai\nstep tea\ncontent koi\ndeclined lotus dragonfly\ndeclined turtle bonsai")
    assert s.tea is not None
    for line in ("lotus offer turtle", "turtle decline lotus", "lotus offer bonsai", "lotus decline bonsai"):
        s = accepted(s, line)
        assert s.tea.done == ("koi",), line
    s = accepted(accepted(s, "dragonfly offer lotus"), "lotus accept dragonfly")
    assert (s.tea.done, s.tea.declined) == (("koi",), (("turtle", "bonsai"),))
    s = GAME.correct(s, SetCounter("turtle", "ally.bonsai", 1)).state
    assert s.tea is None or (s.tea.done, s.tea.declined) == (("koi",), ())
