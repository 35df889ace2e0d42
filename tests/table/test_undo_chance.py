"""Chance and time under an undo: given again in the same order, never to fish."""

from __future__ import annotations

from pebbles import TILES, Pick, Shuffle, say

from companion.rules.game import CHANCE, TABLE, TIME, Choice, Prompt
from companion.table.chance import ByHand, Chance, again
from companion.table.history import History, Node
from companion.table.referee import Referee


def test_a_shuffle_of_other_things_keeps_the_order_of_those_it_had() -> None:
    kept = Shuffle(CHANCE, ("d", "b", "a", "c"))
    prompt = Prompt(CHANCE, say("x"), "", (Choice(Shuffle(CHANCE), say("x"), shuffle=("a", "b", "e", "d")),))
    for seed in range(20):
        found = again(kept, prompt, Chance.seeded(seed))
        assert sorted(found.order) == ["a", "b", "d", "e"]
        assert [one for one in found.order if one != "e"] == ["d", "b", "a"]
    assert {again(kept, prompt, Chance.seeded(seed)).order.index("e") for seed in range(20)} == {0, 1, 2, 3}
    assert again(kept, prompt, ByHand()) is None
    same = Prompt(CHANCE, say("x"), "", (Choice(Shuffle(CHANCE), say("x"), shuffle=TILES),))
    assert again(kept, same, ByHand()) == kept


def test_chance_answers_anew_what_it_was_not_asked_before(referee: Referee) -> None:
    referee._steward.history.kept = (1,)  # the shuffle
    draw = Prompt(CHANCE, say("x"), "", (Choice(Pick(CHANCE, "a"), say("a")),))
    assert referee._dealt(draw) == (Pick(CHANCE, "a"), None)


def test_chance_that_answered_another_question_is_not_given() -> None:
    draws = Prompt(CHANCE, say("x"), "", (Choice(Pick(CHANCE, "a"), say("a")), Choice(Pick(CHANCE, "b"), say("b"))))
    assert again(Pick(CHANCE, "b"), draws, ByHand()) == Pick(CHANCE, "b")
    assert again(Pick(CHANCE, "c"), draws, ByHand()) is None
    shuffle = Prompt(CHANCE, say("x"), "", (Choice(Shuffle(CHANCE), say("x"), shuffle=TILES),))
    assert again(Pick(CHANCE, "b"), shuffle, ByHand()) is None
    other = Prompt(CHANCE, say("x"), "", (Choice(Shuffle("else"), say("x"), shuffle=TILES),))
    assert again(Shuffle(CHANCE, TILES), other, ByHand()) is None


def test_time_is_a_barrier_to_everybody() -> None:
    history = History(("koi", "lotus"))
    history.play(Node(1, 0, "koi", ("koi",)))
    history.play(Node(2, 1, TIME, ("koi", "lotus")))
    assert not any(alone for _, _, alone in history.reach("koi"))
    assert history.needed("koi", 1) == ("lotus",) and history.needed(TABLE, 1) == ("koi", "lotus")
    assert history.path(7) == () and history.redoable("koi") is None


def test_chance_owed_again_is_given_once_and_a_redo_takes_it_back() -> None:
    history = History(("koi",))
    history.play(Node(1, 0, "koi", ("koi",)))
    history.play(Node(2, 1, CHANCE, ("koi",)))
    history.undo(3, 1, "koi")
    assert (history.at, history.kept) == (0, (2,))
    history.redo(4)
    assert (history.at, history.kept) == (2, ())
    history.undo(5, 1, "koi")
    history.play(Node(6, 0, "koi", ("koi",)))
    history.play(Node(7, 6, CHANCE, ("koi",)), again=2)
    assert (history.at, history.kept, history.undone) == (7, (), ())
    history.undo(8, 6, "koi")
    assert history.kept == (7,)
