"""Records: hand-written positions read as people mean them; every complaint names line, word and what was expected."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rs_rig import FACTS, GAME, accepted, attempt, choices, lines, position, refused

from companion.rules.game import CHANCE, TABLE, NotationError, PositionError
from companion.rules.rising_sun import commands as cmd
from companion.rules.rising_sun.state import Played

CONTRACT = """
jinmaku 1 rising_sun rules 1
seats koi lotus turtle dragonfly bonsai          # clockwise
option mandates digital
season spring
step mandate 2
doing marshal by turtle now koi left lotus turtle bonus turtle koi
honor koi lotus turtle dragonfly bonsai
ally koi turtle
deck recruit ? ? train
track recruit koi
shrines amaterasu hachiman susanoo raijin
display sp-komainu sp-oni-of-skulls
koi coins 5 ronin 0 vp 3 cards sp-benevolence
koi edo daimyo bushi*2 stronghold
koi shrine.2 shinto
"""


def test_the_example_of_the_contract_is_a_possible_position_and_plays():
    s = position(CONTRACT)
    assert GAME.faults(s) == ()
    assert s.pieces["koi"]["reserve"] == {"bushi": 4, "shinto": 2, "stronghold": 3}
    assert s.track == (Played("recruit", "koi"), Played("marshal", "turtle"))
    assert s.deck == ("recruit", "?", "?", "train", "?", "?", "?", "?")
    s = accepted(s, "koi move bushi edo kyoto", "koi build shikoku", "koi done", "koi done")  # the first: no Benevolence
    assert s.doing is None  # lotus has nothing to move, turtle nothing to build with: both are passed over
    assert refused(s, "lotus move bushi edo kyoto") == "RS-6M.1"


def test_lines_may_stand_in_any_order():
    above = [line for line in CONTRACT.strip().splitlines() if line.split()[0] not in ("jinmaku", "seats")]
    assert position("\n".join(["seats koi lotus turtle dragonfly bonsai", *reversed(above)])) == position(CONTRACT)


def test_what_is_not_said_is_taken_as_the_game_would_have_it():
    s = position("seats koi lotus turtle\nstep mandate 4")
    assert s.honor == ("koi", "lotus", "turtle")
    assert s.track == (Played("?"),) * 3
    assert s.deck == ("?",) * 7
    assert GAME.faults(s) == ()
    assert choices(s, "koi") == [f"koi choose {m}" for m in ("recruit", "marshal", "train", "harvest", "betray")]


@pytest.mark.parametrize(
    ("lines_", "turn"),
    [
        ("step mandate 2", "lotus"),
        ("step mandate 4", "koi"),
        ("step mandate 4\nhonor lotus koi turtle", "lotus"),
        ("step mandate 4\ntrack ? recruit turtle ?", "lotus"),
        ("step mandate 4\ntrack ? ? recruit turtle", "koi"),
        ("step kami 1\ntrack recruit turtle", "koi"),
        ("step mandate 4\nturn turtle", "turtle"),
    ],
)
def test_the_mandate_turn_is_counted_from_the_last_chooser_named_or_the_top_of_the_honor_track(lines_, turn):
    s = position(f"seats koi lotus turtle\n{lines_}")
    assert s.turn == turn
    assert position("\n".join(lines(s))) == s


def test_a_tile_lotus_names_is_believed_where_a_digital_deck_is_left_open():
    s = position("seats koi lotus turtle\nstep mandate 2\nkoi edo stronghold")
    assert accepted(s, "lotus choose recruit").track[-1] == Played("recruit", "lotus", "recruit")
    assert refused(position("seats koi lotus turtle\noption mandates cardboard\nstep mandate 2"), "lotus choose recruit") == "RS-10.2"


def test_a_mandate_of_lotus_in_progress_lies_face_down():
    s = position("seats koi lotus turtle\nstep mandate 2\ntrack harvest koi\ndoing recruit by lotus now turtle left koi lotus bonus lotus")
    assert s.track[-1] == Played("?", "lotus", "recruit")
    assert s.turn == "lotus"
    assert position("\n".join(lines(s))) == s


def test_everything_in_the_middle_of_a_part_is_printed():
    s = position(
        "seats koi lotus turtle\nstep mandate 1\ndoing recruit by koi now koi bonus koi\nused edo*2\nfresh shinto edo\nkoi edo shinto stronghold*2\n"
        "shrines raijin"
    )
    assert position("\n".join(lines(s))) == s
    assert "koi worship raijin" in choices(s, "koi")
    s = position(
        "seats koi lotus turtle\nstep mandate 1\ndoing marshal by koi now koi\nused build\nspent edo bushi\nkoi edo bushi stronghold"
    )
    assert position("\n".join(lines(s))) == s
    assert choices(s, "koi") == ["koi done"]
    s = position(
        "seats koi lotus turtle\nstep mandate 1\ndoing train by koi now koi\nused buy\npending komainu\nkoi edo stronghold\nkoi cards sp-komainu"
    )
    assert position("\n".join(lines(s))) == s
    assert choices(s, "koi") == ["koi summon komainu edo"]


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("season monsoon", 1),
        ("season spring summer", 2),
        ("step mandate 9", 1),
        ("step", 1),
        ("turn sun", 1),
        ("owed mandates", 2),
        ("owed wars wars", 2),
        ("doing harvest by koi now koi", 1),
        ("doing marshal koi", 2),
        ("doing marshal by sun", 3),
        ("doing marshal by koi", 4),
        ("doing marshal by koi now koi left lotus lotus", 9),
        ("doing marshal by koi now koi left koi", 8),
        ("doing fujin by koi now koi", 1),
        ("used", 1),
        ("used edo*0", 1),
        ("used edo edo", 2),
        ("spent atlantis bushi", 1),
        ("fresh ninja edo", 1),
        ("fresh shinto edo now", 3),
        ("pending bushi", 1),
        ("honor koi lotus", 3),
        ("honor koi koi turtle", 2),
        ("ally koi koi", 1),
        ("ally koi sun", 2),
        ("deck recruit sleep", 2),
        ("track recruit as sleep lotus", 3),
        ("track recruit koi", 3),
        ("shrines odin", 1),
        ("shrines raijin raijin", 2),
        ("shrines amaterasu fujin hachiman raijin ryujin", 5),
        ("wars edo atlantis", 2),
        ("display sp-nothing", 1),
        ("koi", 1),
        ("koi atlantis bushi", 1),
        ("koi edo", 2),
        ("koi edo ninja", 2),
        ("koi edo bushi*x", 2),
        ("koi coins many", 2),
        ("koi coins 12345", 2),
        ("koi coins 1 gold 2", 3),
        ("koi cards sp-nothing", 2),
        ("koi coins 1 coins 2", 0),
        ("dragonfly coins 1", 0),
        ("weather sunny", 0),
    ],
)
def test_a_line_that_is_not_understood_names_its_word(line, word):
    with pytest.raises(PositionError) as caught:
        position(f"seats koi lotus turtle\nseason spring\n{line}" if not line.startswith("season") else f"seats koi lotus turtle\n{line}")
    assert caught.value.line == (0 if line.startswith("season") else 1)
    assert caught.value.word == word
    assert caught.value.expected


@pytest.mark.parametrize(
    "text",
    [
        "season spring\nseason summer",
        "koi edo bushi\nkoi edo daimyo",
        "used edo",
        "step war\ndoing marshal by koi now koi",
        "step kami 1\ndoing fujin by koi now koi",
        "step kami 1\ndoing marshal by koi now koi",
        "doing marshal by koi now koi\nowed wars",
        "step mandate 2\ntrack harvest koi recruit lotus\ndoing marshal by lotus now koi",
        "option set attic",
        "option weather fine",
    ],
)
def test_lines_that_do_not_fit_together_are_refused(text):
    with pytest.raises(PositionError) as caught:
        position(f"seats koi lotus turtle\n{text}")
    assert caught.value.expected


@pytest.mark.parametrize("seats", [["koi"], ["koi", "lotus", "sun"], ["koi", "koi", "lotus"]])
def test_seats_that_cannot_play_are_refused(seats):
    with pytest.raises(PositionError) as caught:
        GAME.notation.read(seats, {}, [])
    assert caught.value.line == -1


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("", 0),
        ("sun done", 0),
        ("koi", 1),
        ("koi dance", 1),
        ("koi done now", 2),
        ("koi choose sleep", 2),
        ("koi choose train like betray", 3),
        ("lotus choose train as", 4),
        ("koi summon ninja edo", 2),
        ("koi summon bushi atlantis", 3),
        ("koi worship odin", 2),
        ("koi move bushi edo", 4),
        ("koi buy sp-nothing", 2),
        ("koi replace sun bushi edo bushi", 2),
        ("koi give lotus", 3),
        ("koi give lotus gold 1", 3),
        ("koi give lotus coins -1", 4),
        ("koi give lotus coins 1 coins 2", 5),
        ("chance draw", 1),
        ("chance shuffle cards", 2),
        ("chance shuffle wars edo atlantis", 4),
        ("table correct koi coins 3", 1),
    ],
)
def test_a_command_that_is_not_understood_names_its_word(line, word):
    with pytest.raises(NotationError) as caught:
        GAME.notation.hear(line.split())
    assert caught.value.word == word
    assert caught.value.expected


SAID = [
    cmd.Choose("koi", "train"),
    cmd.Choose("lotus", "?", "betray"),
    cmd.Summon("koi", "oni_of_skulls", "edo"),
    cmd.Worship("koi", "raijin"),
    cmd.Move("turtle", "stronghold", "kyoto", "edo"),
    cmd.Build("koi", "shikoku"),
    cmd.Buy("koi", "sp-oni-of-skulls"),
    cmd.Replace("koi", "turtle", "oni_of_skulls", "kyoto", "komainu"),
    cmd.Give("koi", "lotus", {"coins": 2, "ronin": 0}),
    cmd.Done("koi"),
    cmd.Done(TABLE),
    cmd.Shuffle(CHANCE, "shrines", ("raijin", "fujin")),
    cmd.Offer("koi", "lotus"),
    cmd.Accept("koi", "lotus"),
    cmd.Decline("koi", "lotus"),
]


@pytest.mark.parametrize("command", SAID, ids=GAME.notation.say)
def test_a_command_reads_back_as_it_was_said(command):
    assert GAME.notation.hear(GAME.notation.say(command).split()) == command


def test_a_tile_that_lotus_names_alone_stands_for_itself():
    assert GAME.notation.hear(["lotus", "choose", "train"]) == cmd.Choose("lotus", "train", "train")
    assert GAME.notation.hear(["koi", "give", "lotus", "ronin", "1"]) == cmd.Give("koi", "lotus", {"coins": 0, "ronin": 1})


VOCABULARY = sorted(
    {word for line in CONTRACT.split("\n") for word in line.split()}
    | {
        "moves",
        "used",
        "spent",
        "fresh",
        "pending",
        "owed",
        "turn",
        "wars",
        "as",
        "choose",
        "summon",
        "move",
        "give",
        "shuffle",
        "chance",
        "table",
        "done",
    }
    | {"shinto", "edo*2", "kyoto", "war", "over", "kami", "1", "3", "99999", "-1", "*", "é", ""}
)


@given(st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=9), max_size=6))
def test_any_lines_are_a_position_or_a_named_complaint(words):
    s = attempt(GAME.notation.read, PositionError, ("koi", "lotus", "turtle"), {}, words)
    if isinstance(s, PositionError):
        assert -1 <= s.line < len(words)
        assert s.expected
        return
    assert position("\n".join(lines(s))) == s
    GAME.faults(s)
    for seat in (None, *s.seats):
        GAME.view(s, seat)
    GAME.lights(s)
    assert GAME.prompts(s) or s.step == len(FACTS.steps)


@given(st.lists(st.sampled_from(VOCABULARY), max_size=8))
def test_any_words_are_a_command_or_a_named_complaint(words):
    command = attempt(GAME.notation.hear, NotationError, words)
    if isinstance(command, NotationError):
        assert 0 <= command.word <= len(words)
        return
    assert GAME.notation.hear(GAME.notation.say(command).split()) == command
    GAME.apply(position(CONTRACT), command)
