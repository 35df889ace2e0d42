"""``make bench``: the budgets, as ratios taken in one run, interleaved on one core, medians. Shown, never asserted: machines differ."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Sequence

from tests.bench import commit, ours, peers, phone_dom, window

ROUNDS = 9
SECONDS = 2.0
WARM = 12.0
"""Seconds of CPU in which caches fill."""


class Side:
    """One of two that are compared: a process that measures itself for so many seconds as a line says, and waits meanwhile for nothing."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.measure(WARM)

    def measure(self, seconds: float = SECONDS) -> float:
        """What it has done a second."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(seconds, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


def against(what: str, ask: str, peer: Sequence[str], name: str, budget: str) -> None:
    """Ours and the peer in turn, both warm: as in the thousands of games that want speed. The median of the ratios pair by pair."""
    mine, theirs = Side([sys.executable, "-m", "tests.bench.ours", ask]), Side(peer)
    pairs = [(mine.measure(), theirs.measure()) for _ in range(ROUNDS)]
    mine.close()
    theirs.close()
    ratio = statistics.median(a / b for a, b in pairs)
    a, b = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(f"{what}: {a:,.0f}/s, {name} {b:,.0f}/s, ratio {ratio:.2f} (budget {budget})", flush=True)


def main() -> None:
    print(phone_dom.report(), flush=True)  # before pinning: a phone and a window have processors of their own
    window.report()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # children inherit it: everything on the same core
    against("random decisions of Political Phases", "political", peers.catanatron(), "catanatron's random actions", ">= 3")
    against("random decisions of whole games", "decisions", peers.catanatron(), "catanatron's random actions", "none")
    against("commands with six views", "views", peers.boardgame_io(), "boardgame.io's moves with six", ">= 3")
    games = Side([sys.executable, "-m", "tests.bench.ours", "whole"])
    print(f"whole random games of Rising Sun: {games.measure():.1f}/s", flush=True)
    games.close()
    for least, most in ((0, 20), (21, 35), (36, 200)):
        prompts, views, count = ours.looks(least, most)
        print(f"{least} to {most} pieces on the map ({count} positions): prompts {prompts:.0f} us, six views {views:.0f} us", flush=True)
    mine, theirs = commit.measure()
    p99 = sorted(mine)[int(len(mine) * 0.99)] * 1e3
    a, b = statistics.median(mine) * 1e3, statistics.median(theirs) * 1e3
    print(
        f"command to acknowledged: p50 {a:.2f} ms, p99 {p99:.2f} ms (budget 5); bare FULL commit p50 {b:.2f} ms, ratio {a / b:.2f} (budget <= 2)"
    )


if __name__ == "__main__":
    main()
