"""From a Sighting to the changed page of a phone, beside a raw publish to the same page through the same broker.

The real stack: desk, referee, journal on disk, sealed view, embedded broker, Chromium. The raw publish is what the budgets were made by: 2 kB
of JSON in the clear, QoS 1, by paho over TCP like the referee's own, to a client of the page's own MQTT library in that page, which parses it and
writes a number into the document. Beside it, without a budget, the least there is: 16 bytes, QoS 0, to a socket of that page which only just
understands MQTT. All are timed from the moment before the call to the moment a MutationObserver sees the change. Interleaved; five clans, and two
phones that watch all three, as in that trial: both count.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion
from playwright.sync_api import Browser, Page, sync_playwright

from companion import pace
from companion.sync.broker import Broker
from companion.sync.join import join_url
from companion.sync.link import rest
from companion.sync.messenger import Messenger
from companion.sync.patience import most, spares
from companion.sync.server import Server
from companion.table import games
from companion.table.desk import Desk
from companion.table.figures import Figures, Tag
from companion.table.journal import Journal
from companion.table.match import fits
from companion.table.referee import Referee
from tests.bench.ours import CLANS, chosen

HOST = "table.test"
BARE = "bench/bare"
RAW = "bench/raw"
PAD = "x" * 2000
LIBRARY = Path(__file__).parents[2] / "companion/phone/web/node_modules/mqtt/dist/mqtt.esm.js"
"""The file the page itself is built of."""
STATIC = Path(__file__).parents[2] / "companion/phone/static"
ARGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", f"--host-resolver-rules=MAP {HOST} 127.0.0.1")
PAUSE = 0.12
"""Seconds between two measured things: the earlier one is over, whatever it started."""
WARM = 10
"""Times that are left out in every game: each has pages of its own, whose engine has seen nothing yet."""
PHONES = {"koi": {"width": 390, "height": 844}, "lotus": {"width": 360, "height": 640}}

WATCH = """async (seat) => {
    window.seen = {view: {}, raw: {}, bare: {}};
    const now = () => performance.timeOrigin + performance.now();
    new MutationObserver(() => { window.seen.view[document.body.dataset.revision] ??= now(); }).observe(document.body, {attributes: true, attributeFilter: ['data-revision']});
    const marked = (seen) => {
        const mark = document.body.appendChild(document.createElement('p'));
        new MutationObserver(() => { seen[mark.textContent] ??= now(); }).observe(mark, {childList: true, characterData: true, subtree: true});
        return mark;
    };
    const raw = marked(window.seen.raw);
    const mqtt = (await import('/bench-mqtt.js')).default;
    const client = mqtt.connect(`ws://${location.host}/mqtt`, {protocolVersion: 4, clientId: `bench-raw-${seat}`, username: 'bench', password: 'bench'});
    client.on('message', (topic, payload) => { raw.textContent = String(JSON.parse(new TextDecoder().decode(payload)).number); });
    await client.subscribeAsync('bench/raw', {qos: 1});
    const bare = marked(window.seen.bare);
    const text = (s) => [0, s.length, ...s].map((c) => typeof c === 'string' ? c.charCodeAt(0) : c);
    const packet = (head, body) => new Uint8Array([head, body.length, ...body]);
    const socket = new WebSocket(`ws://${location.host}/mqtt`, 'mqtt');
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => socket.send(packet(0x10, [...text('MQTT'), 4, 0xc2, 0, 0, ...text(`bench-bare-${seat}`), ...text('bench'), ...text('bench')]));
    socket.onmessage = ({data}) => {
        const bytes = new Uint8Array(data);
        if (bytes[0] === 0x20) socket.send(packet(0x82, [0, 1, ...text('bench/bare'), 0]));
        else if (bytes[0] === 0x90) document.body.dataset.bare = 'ready';
        else if (bytes[0] === 0x30) bare.textContent = String(Number(new TextDecoder().decode(bytes.subarray(4 + bytes[3]))));
    };
}"""


class Stack:
    """One game on the real stack, its broker open to the bench's own two connections as well."""

    def __init__(self, home: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        loaded = games.load("rising_sun")
        self.journal = Journal(home / f"{seed}.sqlite")
        self.referee = Referee.create(loaded.game, self.journal, CLANS, {}, facts_hash=loaded.facts.digest, facts=loaded.facts.tables)
        self.desk = Desk(self.referee)
        self.messenger = Messenger(self.desk, self.journal, self.referee.game_id)
        gate = self.messenger
        broker = Broker(
            lambda client, user, password: user == "bench" or gate.auth(client, user, password),
            lambda user, action, topic: topic in {RAW, BARE} if user == "bench" else gate.may(user, action, topic),
            most=lambda user, topic: 4096 if user == "bench" else most(user, topic),
            spares=lambda user: user == "bench" or spares(user),  # the table's own is not slowed down, as in the house
        )
        self.server = Server(broker, STATIC, host="127.0.0.1", port=0)
        self.tags = 0
        self.revision = -1
        self.moved = threading.Event()

    def __enter__(self) -> Self:
        self.desk.start()
        self.server.start()
        self.messenger.start("127.0.0.1", self.server.mqtt_port)
        self.desk.watch(lambda update: self._told(update.revision))
        self.raw = Client(CallbackAPIVersion.VERSION2, client_id="bench-table")
        self.raw.username_pw_set("bench", "bench")
        self.raw.connect("127.0.0.1", self.server.mqtt_port)
        self.raw.loop_start()
        return self

    def __exit__(self, *_: object) -> None:
        self.raw.disconnect()
        rest(self.raw)
        self.messenger.stop()
        self.server.stop()
        self.desk.stop()
        self.journal.close()

    def _told(self, revision: int) -> None:
        if revision != self.revision:
            self.revision = revision
            self.moved.set()

    def url(self, seat: str) -> str:
        return join_url(HOST, self.server.port, self.referee.game_id, self.messenger.offer(seat))

    def sightings(self) -> Iterator[tuple[str, str]]:
        """Plays the game; yields (uid, place) wherever one figure put down says it all. Whoever gets it plays it."""
        while asked := [prompt for prompt in self.referee.prompts() if not prompt.optional]:
            plain = [choice for choice in asked[0].choices if choice.gestures and choice.amounts is None]
            self.rng.shuffle(plain)
            first = next((c for c in plain if len(fits(self.referee.prompts(), c.gestures[0].kind, c.gestures[0].to)) == 1), None)
            if first is not None and self.rng.random() < 0.9:
                self.tags += 1
                uid = f"04{self.tags:012X}"
                self.desk.know(Figures([Tag(uid, first.gestures[0].kind, "1")]))
                time.sleep(PAUSE)  # a register is read long before a figure is put down
                yield uid, first.gestures[0].to
            else:
                self.moved.clear()
                self.desk.play(asked[0].seat, chosen(self.rng.choice(asked[0].choices), self.rng))
                if not self.moved.wait(2):
                    return  # the table waits for hands that move figures, and here are none: another game
                time.sleep(PAUSE)


def measure(samples: int = 200) -> tuple[list[float], list[float], list[float]]:
    """Seconds from each sighting, raw publish and bare one to the change seen in the page of each phone."""
    took: tuple[list[float], list[float], list[float]] = [], [], []
    pace.prompt()  # the console does both
    with tempfile.TemporaryDirectory() as home, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGS))
        seed = 0
        while len(took[0]) < samples * len(PHONES):
            seed += 1
            with Stack(Path(home), seed) as stack:
                pages = [joined(browser, stack, seat) for seat in PHONES]
                pace.settled()
                for all_of_it, some in zip(took, one_game(stack, pages, samples - len(took[0]) // len(PHONES)), strict=True):
                    all_of_it.extend(some)
                for page in pages:
                    page.context.close()
        browser.close()
    return took


def joined(browser: Browser, stack: Stack, seat: str) -> Page:
    context = browser.new_context(viewport=PHONES[seat], is_mobile=True, has_touch=True)
    context.route("**/bench-mqtt.js", lambda route: route.fulfill(path=LIBRARY, content_type="text/javascript"))
    page = context.new_page()
    page.goto(stack.url(seat))
    page.wait_for_selector("body[data-status=online]")
    page.evaluate(WATCH, seat)
    page.wait_for_selector("body[data-bare=ready]")
    return page


def one_game(stack: Stack, pages: list[Page], samples: int) -> tuple[list[float], list[float], list[float]]:
    """Sighting, raw and bare publish in turn, at most so many of each."""
    begun: dict[int, float] = {}
    raw: dict[int, float] = {}
    bare: dict[int, float] = {}
    for number, (uid, place) in enumerate(stack.sightings()):
        if number >= samples + WARM:
            break
        stack.moved.clear()
        before = stack.revision
        at = time.time()
        stack.desk.sight(uid, place)
        if stack.moved.wait(2):
            begun[before + 1] = at
        time.sleep(PAUSE)
        raw[number] = time.time()
        stack.raw.publish(RAW, json.dumps({"number": number, "pad": PAD}), qos=1)
        time.sleep(PAUSE)
        bare[number] = time.time()
        stack.raw.publish(BARE, f"{number:016d}".encode())
        time.sleep(PAUSE)
    seen = [page.evaluate("window.seen") for page in pages]

    def took(times: dict[int, float], what: str) -> list[float]:
        return [one[what][str(key)] / 1e3 - at for one in seen for key, at in [*times.items()][WARM:] if str(key) in one[what]]

    return took(begun, "view"), took(raw, "raw"), took(bare, "bare")


def quantile(values: list[float], part: float) -> float:
    """In milliseconds."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1e3


def report(samples: int = 200) -> str:
    """One line with all three, and their ratios."""
    took = measure(samples)
    (a, b, c), (x, y, z) = ([quantile(side, part) for side in took] for part in (0.5, 0.99))
    return (
        f"sighting to the page of two phones ({len(took[0])} times): p50 {a:.1f} ms, p99 {x:.1f} ms; "
        f"raw publish to them (2 kB, QoS 1, MQTT.js; {len(took[1])}): p50 {b:.1f} ms, p99 {y:.1f} ms; ratios {a / b:.2f} (budget <= 6), {x / y:.2f} (budget <= 4); "
        f"bare bytes to bare sockets of them ({len(took[2])}): p50 {c:.1f} ms, p99 {z:.1f} ms; ratios {a / c:.2f}, {x / z:.2f}"
    )
