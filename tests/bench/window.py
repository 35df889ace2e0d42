"""The window against a bare Kivy window with one text: cold start to the first QR code, memory, and frames while five phones tap.

``python -m tests.bench.window`` prints the lines; ``bare``, ``ours`` and ``phones`` are the processes it starts. On SDL's offscreen driver
(software graphics), so that it runs anywhere; a frame's own time is the main thread's, which no other program can lengthen.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

CLANS = "koi,lotus,turtle,dragonfly,bonsai"
ROUNDS = 3
TAPPING = 20.0
"""Seconds the five phones tap."""
REST = 0.15
"""Seconds a phone thinks between two taps."""


def peak() -> float:
    """MB this process has taken at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def on_screen(there: Callable[[], bool], then: Callable[[], object]) -> None:
    """Says ``ready``, and with how much of a processor, once a picture with ``there`` has been handed to the graphics card."""
    from kivy.core.window import Window

    def flipped(*_: Any) -> None:
        if there():
            Window.unbind(on_flip=flipped)
            print("ready", time.process_time(), flush=True)
            then()

    Window.bind(on_flip=flipped)


def bare() -> None:
    """What any program with a window has: the same size, and one text in it."""
    from companion.tablet import config

    config.prepare(Path(tempfile.mkdtemp()))
    from kivy.app import App
    from kivy.clock import Clock
    from kivy.uix.label import Label

    class Bare(App):
        def build(self) -> Any:
            return Label(text="Jinmaku")

        def on_start(self) -> None:
            on_screen(lambda: True, lambda: Clock.schedule_once(lambda _dt: self.stop(), 2))

    Bare().run()
    print(json.dumps({"peak": peak()}), flush=True)


def ours(home: str) -> None:
    """A whole table; when the first code is drawn it says so and plays until nobody taps any more."""
    from companion import pace
    from companion.cli import _parser, _settings
    from companion.service import Service
    from companion.tablet import app

    pace.prompt(coming_up=True)  # as the console does
    service = Service(
        _settings(_parser().parse_args(["run", "--data", home, "--seats", CLANS, "--port", "0", "--host", "127.0.0.1", "--no-sim"]))
    )
    service.start(serve=False)
    table = service.sitting
    assert table is not None
    frames: list[tuple[float, float]] = []

    def ready(window: Any) -> None:
        from kivy.clock import Clock

        last = [time.monotonic(), time.thread_time()]

        def frame(_dt: float) -> None:
            now, used = time.monotonic(), time.thread_time()
            frames.append((now - last[0], used - last[1]))
            last[:] = [now, used]

        def drawn() -> bool:
            return any(spot.wid.startswith("qr:") for part in window.screen.parts for spot in part.spots)

        def shown() -> None:
            urls = [table.join(seat) for seat in CLANS.split(",")]
            print(json.dumps({"port": table.port, "urls": urls}), flush=True)
            window.screen.session.show_page("board")
            Clock.schedule_once(lambda _dt: frames.clear(), 2)

        on_screen(drawn, shown)
        Clock.schedule_interval(frame, 0)
        threading.Thread(target=lambda: (sys.stdin.readline(), window.close()), daemon=True).start()

    def stand() -> None:
        service.serve()
        pace.settled()

    app.run(table, title="Jinmaku", on_ready=ready, on_shown=threading.Thread(target=stand, daemon=True).start)
    revision = table.desk.current.revision
    service.stop()
    wall, own = zip(*(frames or [(0.0, 0.0)]), strict=True)
    print(json.dumps({"peak": peak(), "wall": max(wall), "own": sorted(own), "frames": len(own), "revision": revision}), flush=True)


def phones(port: int, urls: list[str]) -> None:
    """Five phones, in a process of their own, that answer whatever they are asked."""
    from tests.sync.phone import Phone

    def play(phone: Phone, until: float) -> None:
        phone.wait_online(30)
        while time.monotonic() < until:
            asked = [p for p in phone.talk.last["view"].get("prompts", ()) if not p.get("optional")]
            if asked:
                choices = asked[0]["choices"]
                choice = next((c for c in choices if c["command"].get("do") == "done"), choices[0]) if len(choices) > 6 else choices[0]
                phone.order(choice["command"])
            time.sleep(REST)

    end = time.monotonic() + TAPPING
    every = [Phone(url, "127.0.0.1", port, transport="websockets").start() for url in urls]
    threads = [threading.Thread(target=play, args=(phone, end)) for phone in every]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for phone in every:
        phone.stop()


def started(*words: str) -> tuple[subprocess.Popen[str], float, float]:
    """A process of ours, how long it took until it was ready, and how much of a processor."""
    began = time.monotonic()
    # Installed or run before, both halves are compiled; where no bytecode is kept, ours alone would be compiled at every start.
    env = os.environ | {"SDL_VIDEODRIVER": "offscreen", "PYTHONDONTWRITEBYTECODE": ""}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.window", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
    )
    assert process.stdout is not None
    while (line := process.stdout.readline()) and not line.startswith("ready"):
        pass
    return process, time.monotonic() - began, float(line.split()[1])


def one_bare() -> tuple[tuple[float, float], float]:
    process, *took = started("bare")
    assert process.stdout is not None
    told = json.loads(process.stdout.read().splitlines()[-1])
    process.wait()
    return (took[0], took[1]), told["peak"]


def one_ours(*, tap: bool) -> tuple[tuple[float, float], dict[str, Any]]:
    with tempfile.TemporaryDirectory() as home:
        process, *took = started("ours", home)
        assert process.stdout is not None and process.stdin is not None
        joined = json.loads(process.stdout.readline())
        scanned = time.monotonic()
        with urllib.request.urlopen(joined["urls"][0].partition("#")[0], timeout=60) as page:
            page.read()
        answered = time.monotonic() - scanned
        if tap:
            subprocess.run([sys.executable, "-m", "tests.bench.window", "phones", str(joined["port"]), *joined["urls"]], check=True)
        process.stdin.write("\n")
        process.stdin.flush()
        told = json.loads(process.stdout.read().splitlines()[-1])
        process.wait()
        return (took[0], took[1]), told | {"answered": answered}


def report() -> None:
    for once in (lambda: one_ours(tap=False), one_bare):  # what was never run is not compiled yet, nor in memory
        once()
    every = [(one_ours(tap=False), one_bare()[0]) for _ in range(ROUNDS)]
    starts = [(mine[0], theirs) for mine, theirs in every]
    for i, what in enumerate(("on the clock", "of a processor")):
        a, b = (statistics.median(one[i] for one in side) for side in zip(*starts, strict=True))
        ratio = statistics.median(mine[i] / theirs[i] for mine, theirs in starts)
        print(f"cold start to QR visible {what}: {a:.2f} s, bare Kivy window {b:.2f} s, ratio {ratio:.2f} (budget <= 2)", flush=True)
    answered = [mine[1]["answered"] for mine, _ in every]
    print(f"a phone that scans the code at once has its page after {statistics.median(answered):.2f} s, at most {max(answered):.2f} s")
    told = one_ours(tap=True)[1]
    least = one_bare()[1]
    own = told["own"]
    print(
        f"frames while five phones tap ({told['revision']} commands, {told['frames']} frames): longest {own[-1] * 1e3:.0f} ms of the main "
        f"thread, {told['wall'] * 1e3:.0f} ms on the clock (budget 50); above 50 ms of the main thread: {sum(one > 0.05 for one in own)}, "
        f"p99 {own[int(len(own) * 0.99)] * 1e3:.0f} ms"
    )
    print(f"peak memory with five phones: {told['peak']:.0f} MB, bare {least:.0f} MB, ratio {told['peak'] / least:.2f} (budget <= 1.5)")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["bare"]:
            bare()
        case ["ours", home]:
            ours(home)
        case ["phones", port, *urls]:
            phones(int(port), urls)
        case _:
            report()
