"""A Battle through the whole table: sealed bids and undo, resuming in the middle, what a record tells one seat, bots behind cardboard screens."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from table_games import Player, fast

from companion.rules.game import TABLE
from companion.rules.rising_sun.commands import Bid, Done, Seppuku
from companion.table import games, record
from companion.table.bots import Bot, run
from companion.table.chance import Chance
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.table.verdict import referee_main

RECORDS = Path(__file__).parents[1] / "rules" / "records"
SEATS = ("koi", "lotus", "turtle", "dragonfly")


@pytest.fixture(scope="module")
def house() -> games.Loaded:
    return games.load("rising_sun")


def fought(house: games.Loaded, journal: Journal, commands: int) -> Player:
    """The table of E-6 after so many of its lawful commands."""
    rec = record.parse((RECORDS / "e_6.txt").read_text(encoding="utf-8"))
    state = record.begin(house.game, rec)
    referee = Referee.create(house.game, journal, rec.seats, rec.options, facts_hash=house.facts.digest, state=state)
    player = Player(referee, random.Random(1))
    said: list[Any] = [
        Bid("lotus", "", {"seppuku": 1, "hostage": 2, "ronin": 2, "poets": 0}),
        Bid("koi", "", {"seppuku": 0, "hostage": 1, "ronin": 0, "poets": 2}),
        Bid("turtle", "", {"seppuku": 0, "hostage": 0, "ronin": 1, "poets": 0}),
        Seppuku("lotus", True),
    ]
    assert referee.submit_internal(TABLE, Done(TABLE)).ok
    for command in said[: commands - 1]:
        player.done(command)
    return player


def test_a_sealed_bid_is_taken_back_over_another_s_and_that_one_stays(house: games.Loaded, journal: Journal) -> None:
    player = fought(house, journal, 3)
    referee = player.referee
    assert set(referee.state.battle.bids) == {"koi", "lotus"}
    first = player.undos("lotus")[0].first
    player.taken_back(first)
    assert set(referee.state.battle.bids) == {"koi"}
    assert referee.state.battle.bids["koi"] == (0, 1, 0, 2)


def test_shown_bids_cannot_be_taken_back_alone(house: games.Loaded, journal: Journal) -> None:
    player = fought(house, journal, 4)
    assert player.referee.state.battle.stage == "seppuku"
    player.done(player.undos("koi")[0])
    assert player.referee.state.battle.stage == "seppuku"  # the others are asked first
    player.everybody_agrees()
    assert set(player.referee.state.battle.bids) == {"koi", "lotus"}


@pytest.mark.parametrize("commands", [1, 2, 3, 4, 5])
def test_a_battle_resumes_where_it_was(house: games.Loaded, journal: Journal, commands: int) -> None:
    player = fought(house, journal, commands)
    assert player.resumed().whole() == player.whole()


def test_a_record_told_to_one_seat_hides_other_bids() -> None:
    out = io.StringIO()
    referee_main([str(RECORDS / "e_6.txt"), "--json", "--seat", "koi"], out)
    told = [json.loads(line) for line in out.getvalue().splitlines()]
    said = [one["command"] for one in told if "command" in one]
    assert "koi bid seppuku 0 hostage 1 ronin 0 poets 2" in said
    assert "lotus ?" in said and "turtle ?" in said
    assert not any(line.startswith("lotus bid") for line in said)
    events = [event for one in told for event in one.get("events", ())]
    assert "Lotus has bid: Seppuku 1, Take Hostage 2, Hire Ronin 2, Imperial Poets 0." in events  # once they are shown
    assert not any(event.startswith("You bid: Seppuku 1") for event in events)


@pytest.mark.parametrize(
    "options", [{"bids": "cardboard", "mandates": "cardboard"}, {"zero_bids": "honor", "won_with_figure": "was_there"}]
)
def test_bots_play_whole_games_with_every_way_of_bidding(house: games.Loaded, tmp_path: Path, options: dict[str, str]) -> None:
    taste = games.GAMES["rising_sun"].taste()
    referee = Referee.create(house.game, fast(tmp_path / "j"), SEATS, options, chance=Chance.seeded(4))
    run(referee, {seat: Bot(seat, 6, taste) for seat in SEATS})
    assert referee.prompts() == ()
    assert sum(len(tokens) for tokens in referee.state.tokens.values()) > 5
    referee.journal.close()


def test_a_position_of_the_first_rules_still_reads() -> None:
    """A journal of version 1 has none of the newer fields, and its options lack the newer ones."""
    game = games.load("rising_sun").game
    state = game.start(SEATS, {})
    old = msgspec.to_builtins(state)
    for name in ("war", "battle", "tokens", "tea", "asks", "allied", "scored"):
        old.pop(name, None)
    for name in ("bids", "war_opens"):
        old["options"].pop(name)
    war = {**old, "step": len(game.facts.steps) - 1, "owed": [], "wars": ["edo", "oshu", "kyoto", "kansai", "nagato", "shikoku"]}
    war["coins"] = dict.fromkeys(SEATS, 2)
    resumed = msgspec.json.decode(msgspec.json.encode(war), type=game.State)
    prompt, *gifts = game.prompts(resumed)
    assert all(gift.optional for gift in gifts) and prompt.text.key == "rs.prompt.war_begins"
    after = game.apply(resumed, prompt.choices[0].command).state
    assert game.prompts(after) and game.view(after, None)
