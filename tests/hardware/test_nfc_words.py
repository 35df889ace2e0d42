"""Tag numbers and sentences."""

import ast
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hardware.nfc
from hardware.nfc import Verdict, check, uid_bytes, uid_text
from hardware.nfc.presence import Presence
from hardware.nfc.said import SENTENCES, Said, said
from hardware.nfc.sweep import Sweep


@pytest.mark.parametrize(
    ("uid", "verdict", "words"),
    [
        ("04A1B2C3D4E5F6", Verdict.GOOD, None),
        ("04A1B2C3D4E5F6A7B8C9", Verdict.GOOD, None),
        ("11223344", Verdict.CAREFUL, "only 4 bytes"),
        ("08112233", Verdict.REFUSED, "random number from a phone"),
        ("8804A1B2", Verdict.REFUSED, "cannot read 7-byte tags"),
        ("0411", Verdict.REFUSED, "0411 has 2 bytes"),
        ("", Verdict.REFUSED, "Nothing has 0 bytes"),
    ],
)
def test_each_kind_of_number_is_judged_with_its_reason(uid, verdict, words):
    judged = check(bytes.fromhex(uid))
    assert (judged.uid, judged.verdict) == (uid, verdict)
    assert (words is None) == (judged.said is None)
    if judged.said:
        assert words in judged.said.text


@given(st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)), st.sampled_from(["", ":", "-", " "]))
def test_a_number_survives_being_written_in_any_usual_way(uid, between):
    assert uid_bytes(uid_text(uid)) == uid
    assert uid_bytes(uid.hex(between) if between else uid.hex()) == uid


@given(st.text(max_size=30))
def test_what_is_no_number_is_refused_in_words(text):
    try:
        uid = uid_bytes(text)
    except ValueError as fault:
        uid, words = None, str(fault)
    assert "tag" in words if uid is None else len(uid) in {4, 7, 10}


def test_every_sentence_is_said_somewhere_and_every_one_said_exists_with_its_arguments():
    used = {}
    for path in Path(hardware.nfc.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "said":
                keys = [leaf.value for leaf in ast.walk(call.args[0]) if isinstance(leaf, ast.Constant)]
                for key in keys:
                    used.setdefault(key, set()).update(keyword.arg for keyword in call.keywords)
    assert set(used) == set(SENTENCES)
    for key, sentence in SENTENCES.items():
        assert {name for _, name, _, _ in string.Formatter().parse(sentence) if name} == used[key], key


def test_something_said_is_its_key_and_reads_as_its_sentence():
    about = said("absent", device="/dev/ttyUSB7")
    assert about == Said("absent", {"device": "/dev/ttyUSB7"})
    assert str(about) == about.text == "Nothing is plugged in at /dev/ttyUSB7."


A, B, C = (bytes([4, n, 0, 0, 0, 0, 0]) for n in (1, 2, 3))


def field(*tags, asked=None):
    """A field that answers the open question with its last tag, as anticollision always would."""

    def sense(uid):
        if asked is not None:
            asked.append(uid)
        return (tags[-1] if tags else None) if uid is None else (uid if uid in tags else None)

    return sense


def test_a_lone_tag_costs_one_question():
    asked = []
    assert Sweep()(field(A, asked=asked), [A]) == {A}
    assert asked == [None]


def test_an_empty_field_asks_only_for_what_lay_there():
    asked = []
    assert Sweep()(field(asked=asked), [A], lambda: [B, C]) == set()
    assert asked == [None, A]


def test_a_second_figure_is_found_by_asking_known_ones_in_turn():
    sweep = Sweep(ask=1)
    found = [sweep(field(A, B), [B], lambda: [C, A]) for _ in range(3)]
    assert found == [{B}, {A, B}, {A, B}]  # one that was met is asked for again at once: two polls in a row make it lie here


def test_a_figure_that_was_met_and_taken_away_is_forgotten():
    sweep = Sweep(ask=1)
    assert [sweep(field(A, B), [B], lambda: [A]), sweep(field(B), [B], lambda: [C]), sweep(field(A, B), [B], lambda: [C])] == [
        {A, B},
        {B},
        {B},
    ]


def test_among_sixty_known_ones_a_second_figure_comes_to_lie_here():
    sweep, presence = Sweep(), Presence()
    known = [bytes((4, 9, 0, 0, 0, 0, n)) for n in range(60)] + [A]
    placed = [
        change.uid for n in range(40) for change in presence.poll({uid.hex() for uid in sweep(field(A, B), [B], lambda: known)}, n * 0.05)
    ]
    assert placed == [B.hex(), A.hex()]
    assert sweep(field(A, B), [A, B], lambda: [C, A]) == {A, B}


@given(st.sets(st.sampled_from([A, B, C])), st.sets(st.sampled_from([A, B, C])), st.integers(0, 5))
def test_a_poll_never_finds_what_is_not_there(here, lying, ask):
    tags = sorted(here)
    found = Sweep(ask)(field(*tags), sorted(lying), lambda: [A, B, C])
    assert found <= here
    assert bool(found) == bool(here)
    assert lying & here <= found
