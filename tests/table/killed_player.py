"""A program of its own that plays fast until it is killed: ``python killed_player.py JOURNAL GAME_ID GAME SEED``
(with this room and its neighbours on the path).

Prints one line for everything acknowledged: seat, order id, revision. Commands, undos, consent, figures ticked off.
"""

from __future__ import annotations

import random
import sys

import msgspec
from table_games import SIZES, Player, game_of

from companion.table import commands as say
from companion.table.chance import Chance
from companion.table.figures import Figures, Tag
from companion.table.journal import Journal
from companion.table.match import INSIDE
from companion.table.moves import by_kind
from companion.table.referee import Order, Referee


def figures(referee: Referee) -> Figures:
    counts = by_kind(referee.game.placement(referee.game.start(referee.seats, referee.options)))
    kinds = [kind for kind, places in sorted(counts.items()) for _ in range(sum(places.values()))]
    return Figures(Tag(f"04{n:012X}", kind, str(n)) for n, kind in enumerate(kinds))


def main(path: str, game_id: str, name: str, seed: str) -> None:
    journal, rng = Journal(path), random.Random(int(seed))
    if game_id == "new":
        referee = Referee.create(game_of(name), journal, SIZES[name], {}, chance=Chance.seeded(int(seed)))
    else:
        referee = Referee.resume(game_of(name), journal, game_id)
    referee.hands.know(figures(referee))
    player = Player(referee, rng)
    print("game", referee.game_id, referee.revision, flush=True)
    for n in range(100_000):
        offered = [c for seat in (*referee.seats, "table") for c in player.asked(seat, say.Undo | say.Redo | say.Agree | say.Object)]
        ticks = player.asked("table", say.Tick)
        if ticks and (referee.differs() or rng.random() < 0.5):
            command = rng.choice(ticks)
        elif offered and (rng.random() < 0.3 or not referee.prompts()):
            command = rng.choice(offered)
        else:
            command = player.some()
        if command.seat in INSIDE:
            answer = referee.submit_internal(command.seat, command)
            order_id = "-"
        else:
            order_id = f"{seed}-{n}"
            order = Order(order_id, referee.stamp(command.seat), msgspec.Raw(msgspec.json.encode(command)))
            answer = referee.submit(command.seat, order)
        if answer.ok:
            print(command.seat, order_id, answer.revision, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
