"""Do and undo is identity, for every prefix of random games; undo cannot fish; what was acknowledged stays so."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from table_games import SIZES, Player, game_of

from companion.rules.game import CHANCE, Applied
from companion.table import commands as say
from companion.table import games, record
from companion.table.bots import Bot, even, run
from companion.table.referee import Order

SOAK = os.environ.get("JINMAKU_SOAK") == "1"
LENGTH = {"pebbles": 60, "tokens": 12, "blocks": 40, "rising_sun": 2000 if SOAK else 60}
SEEDS = range(40 if SOAK else 2)

pytestmark = [pytest.mark.scaled, pytest.mark.timeout(1200 if SOAK else 60)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SIZES)
def test_do_and_undo_is_identity_after_every_prefix(tmp_path: Path, name: str, seed: int) -> None:
    player = Player.at(name, tmp_path, seed)
    referee = player.referee
    for n in range(LENGTH[name]):
        command = player.some()
        if command is None:
            break
        before, stamps, revision = player.seen(), referee.stamps(), referee.revision
        player.done(command)
        after, after_stamps = player.seen(), referee.stamps()
        player.taken_back(revision + 1)
        assert player.seen() == before, (n, command)
        assert referee.revision > revision + 1
        assert all(referee.stamp(seat) >= after_stamps[seat] >= stamps[seat] for seat in stamps), "stamps only rise"
        assert all(referee.stamp(seat) > stamps[seat] for seat in stamps if after_stamps[seat] != stamps[seat]), "no late tap fits again"
        if n % 3 == 0:
            player.done(command)  # chance deals as it did: undo cannot fish
        else:
            (redo,) = player.asked("table", say.Redo)
            player.done(redo)
            player.everybody_agrees()
        assert player.seen() == after, (n, command)
        if n % 10 == 0:
            assert player.resumed().whole() == player.whole()
    referee.journal.close()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SIZES)
def test_games_with_undos_sprinkled_in_are_sound(tmp_path: Path, name: str, seed: int) -> None:
    """Undos, redos, questions, yes and no at any time, of anybody: the standing line replays to the state, answers stay, nothing is doubled."""
    player = Player.at(name, tmp_path, seed + 100)
    referee, rng = player.referee, player.rng
    for _ in range(LENGTH[name] * 3):
        if rng.random() < 0.35:
            offered = [c for seat in (*referee.seats, "table") for c in player.asked(seat)]
            offered = [c for c in offered if not isinstance(c, say.Correct | say.Mend)]
            if offered:
                player.done(rng.choice(offered))
        else:
            command = player.some()
            if command is not None:
                player.done(command)
        if rng.random() < 0.05:
            player = player.resumed()
            referee = player.referee
    again = player.resumed()
    assert again.whole() == player.whole()
    for (seat, order_id), answer in player.answers.items():
        assert again.referee.submit(seat, Order(order_id, 0, msgspec.Raw(b"{}"))) == answer
    assert_sound(player)
    referee.journal.close()


def assert_sound(player: Player) -> None:
    """The journal's rows tell the state, and the record the standing line."""
    referee = player.referee
    game, rows = referee.game, list(referee.journal.rows(referee.game_id))
    assert [row.revision for row in rows] == list(range(len(rows)))
    orders = [(row.seat, row.order_id) for row in rows if row.order_id is not None]
    assert len(orders) == len(set(orders))
    states: list[Any] = []
    for row in rows:
        state = msgspec.json.decode(row.state, type=game.State)
        if row.sort in {"undo", "redo"}:
            assert state == states[row.base]
        elif row.sort == "note":
            assert state == states[-1]
        elif row.revision and row.sort == "play":
            applied = game.apply(states[-1], msgspec.json.decode(row.command, type=game.Command))
            assert isinstance(applied, Applied) and applied.state == state
        states.append(state)
    assert states[-1] == referee.state
    text = record.export(game, referee.journal, referee.game_id)
    rec = record.parse(text)
    state = record.begin(game, rec)
    for step in record.replay(game, state, [record.hear(game, line) for line in rec.moves]):
        assert isinstance(step.outcome, Applied), step
        state = step.outcome.state
    assert state == referee.state


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ["pebbles", "rising_sun"])
def test_bots_play_on_over_undos(tmp_path: Path, name: str, seed: int) -> None:
    """Self-play by taste; now and then somebody takes something back, and the bots agree and go on."""
    player = Player.at(name, tmp_path, seed + 300)
    referee = player.referee
    taste = games.GAMES[name].taste() if name in games.GAMES else even
    bots = {seat: Bot(seat, seed, taste) for seat in referee.seats}
    for _ in range(LENGTH[name] // 3):
        run(referee, bots, commands=player.rng.randrange(6))
        offered = player.undos(player.rng.choice(referee.seats))
        if offered:
            player.done(player.rng.choice(offered))
        for seat in referee.seats:
            agreed = bots[seat].answer(referee.view(seat))
            if isinstance(agreed, say.Agree):
                player.done(agreed)
    assert any(row.sort == "undo" for row in referee.journal.rows(referee.game_id, states=False))
    assert_sound(player)
    referee.journal.close()


@pytest.mark.parametrize("name", SIZES)
def test_no_game_uses_a_word_of_the_table(name: str) -> None:
    command = game_of(name).Command
    assert not say.NAMES & {kind.__struct_config__.tag for kind in get_args(command) or (command,)}


@pytest.mark.parametrize("name", ["pebbles", "blocks", "rising_sun"])
def test_chance_taken_back_is_given_again_in_the_same_order(tmp_path: Path, name: str) -> None:
    player = Player.at(name, tmp_path, 5)
    referee = player.referee
    player.play(30)
    rows = list(referee.journal.rows(referee.game_id, states=False))[1:]
    commands = [(row.seat, msgspec.json.decode(row.command, type=referee.game.Command)) for row in rows]
    first = next(n for n, (seat, _) in enumerate(commands, 1) if seat != CHANCE)
    end, dealt = referee.state, [c for seat, c in commands[first - 1 :] if seat == CHANCE]
    player.taken_back(first)
    for seat, command in commands[first - 1 :]:
        if seat != CHANCE:
            player.done(command)
    assert referee.state == end
    rows = list(referee.journal.rows(referee.game_id, states=False))
    given = [row for row in rows if row.seat == CHANCE and row.base is not None]
    assert [msgspec.json.decode(row.command, type=referee.game.Command) for row in given] == dealt
    referee.journal.close()
