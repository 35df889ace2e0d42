"""Hand-made pictures of a table: the scene of the drawings, so that what is built can be laid beside what was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import segno

from companion.rules.game import Choice, Gesture, Prompt, Refusal, View
from companion.rules.view import Card, Counter, Curtain, Light, Line, Pieces, Section, Stack, Step, Text, Track, Wait, Zone
from companion.table.desk import Notice, Update
from companion.tablet.drawing import packaged
from companion.tablet.port import Health, SimTag

SEATS = ("koi", "lotus", "turtle", "dragonfly", "bonsai")
HONOR = (
    ("lotus", 9, 4, 1, None),
    ("koi", 12, 6, 0, "dragonfly"),
    ("bonsai", 7, 2, 3, "turtle"),
    ("turtle", 10, 5, 0, "bonsai"),
    ("dragonfly", 6, 3, 1, "koi"),
)
PLACES: dict[str, tuple[list[tuple[str, str, int]], list[str], str]] = {
    "hokkaido": ([("dragonfly", "daimyo", 1), ("dragonfly", "bushi", 1)], ["dragonfly"], "6"),
    "oshu": ([("dragonfly", "bushi", 2), ("turtle", "bushi", 1)], ["dragonfly"], "2"),
    "kyoto": (
        [("turtle", "daimyo", 1), ("turtle", "bushi", 3), ("dragonfly", "bushi", 1), ("lotus", "bushi", 1)],
        ["turtle", "turtle"],
        "5",
    ),
    "edo": ([("koi", "daimyo", 1), ("koi", "bushi", 2), ("lotus", "bushi", 1)], ["koi"], "4"),
    "kansai": ([("koi", "bushi", 1), ("bonsai", "bushi", 2), ("turtle", "shinto", 1)], ["koi"], "3"),
    "nagato": ([("lotus", "daimyo", 1), ("lotus", "bushi", 2), ("bonsai", "monster", 1)], ["lotus"], "1"),
    "shikoku": ([("lotus", "bushi", 1), ("bonsai", "bushi", 1)], ["lotus"], ""),
    "kyushu": ([("bonsai", "daimyo", 1), ("bonsai", "bushi", 2)], ["bonsai"], "7"),
}
SHRINES = (("amaterasu", ["koi", "turtle"]), ("hachiman", ["lotus"]), ("raijin", []), ("susanoo", ["bonsai"]))
TRACK = (("mandate.1", "marshal", "koi"), ("mandate.2", "harvest", "lotus"), ("mandate.3", "recruit", "turtle"), ("kami.1", "", ""),
         ("mandate.4", "recruit", "dragonfly"), ("mandate.5", "", ""), ("kami.2", "", ""), ("mandate.6", "", ""), ("mandate.7", "", ""), ("kami.3", "", ""), ("war", "", ""))  # fmt: skip
KINDS = {"bushi": "Bushi", "shinto": "Shinto", "daimyo": "Daimyo", "monster": "Komainu", "stronghold": "Stronghold"}


def raw(words: str) -> Text:
    return Text("table.raw", {"id": words})


def clan(seat: str) -> Text:
    return Text(f"rs.clan.{seat}")


def stack(seat: str, kind: str, count: int) -> Stack:
    mark = "place/stronghold" if kind == "stronghold" else f"figure/{kind}"
    return Stack(f"{seat}/{kind}", count, raw(KINDS[kind]), mark, seat)


def board(places: Mapping[str, Any] = PLACES) -> Section:
    zones = [
        Zone(name, Text(f"rs.place.{name}"), tuple(stack(*f) for f in figures) + tuple(stack(c, "stronghold", castles.count(c)) for c in dict.fromkeys(castles)), badge)
        for name, (figures, castles, badge) in places.items()
    ]  # fmt: skip
    zones += [
        Zone(f"shrine.{i}", raw(k.capitalize()), tuple(stack(c, "shinto", 1) for c in who), "", f"kami/{k}")
        for i, (k, who) in enumerate(SHRINES, 1)
    ]
    return Section("board", raw("Board"), tuple(zones))


def track(acting: str) -> Section:
    steps = []
    for i, (name, mandate, by) in enumerate(TRACK):
        state = "done" if i < 4 else "now" if i == 4 else "todo"
        mark = f"mandate/{mandate}" if mandate else "place/shrine" if name.startswith("kami") else "war/battle" if name == "war" else ""
        steps.append(Step(name, raw(mandate.capitalize() or name), mark, by, state))
    return Section("track", raw("Track"), (Track("track", raw("Track"), tuple(steps)),), mark="season/spring")


def lights(acting: str) -> tuple[Light, ...]:
    out = []
    for i, (name, _, by) in enumerate(TRACK):
        sort = name.split(".")[0]
        role = (by if sort == "mandate" else sort) if i < 4 else acting if i == 4 else {"mandate": "todo"}.get(sort, sort)
        out.append(Light(name, role, "now" if i == 4 else "steady"))
    return tuple(out)


def seats(acting: str) -> Section:
    rows = []
    for seat, vp, coins, ronin, ally in HONOR:
        nodes: list[Any] = [Counter(f"{seat}.{n}", raw(n), v, m) for n, v, m in
                            (("vp", vp, "token/victory_point"), ("coins", coins, "token/coin"), ("ronin", ronin, "token/ronin"))]  # fmt: skip
        nodes.append(
            Pieces(
                f"{seat}.reserve",
                raw("Reserve"),
                (stack(seat, "bushi", 3), stack(seat, "shinto", 2), stack(seat, "stronghold", 3), stack(seat, "monster", 1)),
            )
        )
        if ally:
            nodes.append(Card(f"{seat}.ally", raw("Ally"), mark="ui/alliance", seat=ally))
        rows.append(Section(seat, clan(seat), tuple(nodes), f"clan/{seat}", seat, seat == acting))
    return Section("seats", raw("Honor"), tuple(rows))


class Summon(dict):
    """Any command will do: the stand-in desk only writes it down."""


def summon(
    seat: str = "koi", places: tuple[str, ...] = ("edo", "kansai"), kinds: tuple[str, ...] = ("bushi", "shinto", "monster")
) -> Prompt[Any]:
    choices = [
        Choice({"do": "summon", "seat": seat, "kind": kind, "place": place}, raw(f"{KINDS[kind]} to {place.capitalize()}"), (Gesture(f"{seat}/{kind}", f"reserve.{seat}", place),), mark=f"figure/{kind}")
        for place in places
        for kind in kinds
    ]  # fmt: skip
    choices.append(Choice({"do": "done", "seat": seat}, raw("Done"), detail=raw("gives up 2"), mark="ui/ok"))
    return Prompt(seat, raw("Summon 2 more"), "RS-6R.1", tuple(choices))


def tiles(seat: str = "koi") -> Prompt[Any]:
    choices = tuple(
        Choice({"do": "choose", "seat": seat, "tile": tile}, raw(tile.capitalize()), detail=raw(detail), mark=f"mandate/{tile}")
        for tile, detail in (("recruit", "Each summons one figure a stronghold."), ("harvest", "Everyone takes a coin."), ("betray", "Swap up to two figures."), ("train", "Each may buy a card."))
    )  # fmt: skip
    return Prompt(seat, raw("Choose one of four"), "RS-6.3", choices, private=True, detail=raw("The others go back on top, face down."))


def update(
    *prompts: Prompt[Any],
    revision: int = 1,
    acting: str = "",
    notice: Notice | None = None,
    places: Mapping[str, Any] = PLACES,
    waits: tuple[Wait, ...] = (),
) -> Update:
    acting = acting or (prompts[0].seat if prompts else "")
    sections = (track(acting), board(places), seats(acting), Section("more", raw("More"), (Counter("deck", raw("Tiles left"), 5),)))
    log = tuple(Line(raw(f"Sentence {i} of the log."), "RS-6.3") for i in range(12))

    def view(seat: str | None) -> View:
        own = tuple(p for p in prompts if p.seat == seat)
        secret = tuple(
            Section(
                "private",
                raw("Private"),
                (
                    Curtain(
                        "drawn", raw("Drawn"), tuple(Card(f"d{i}", raw(t), mark=f"mandate/{t}") for i, t in enumerate(("recruit", "train")))
                    ),
                ),
            )
            for p in own
            if p.private
        )
        return View(raw("Political Phase"), raw("Spring · Mandate 4 of 7"), (*sections, *secret), own, waits, log)

    return Update(
        "abcd1234", revision, view(None), {seat: view(seat) for seat in SEATS}, dict.fromkeys(SEATS, revision), lights(acting), notice
    )


class Desk:
    """Writes down what it is told."""

    def __init__(self, current: Update) -> None:
        self.current = current
        self.played: list[tuple[str, Any]] = []
        self.touched: list[str] = []
        self.whys: list[tuple[str, str]] = []
        self.anyway: tuple[Any, ...] = ()
        self.announced: list[tuple[str, Text, str]] = []
        self.replies: list[Any] = []
        self.watchers: list[Any] = []

    def watch(self, fn: Any) -> Any:
        self.watchers.append(fn)
        fn(self.current)
        return lambda: self.watchers.remove(fn)

    def play(self, seat: str, command: Any, reply: Any = None, *, stamp: int | None = None) -> None:
        self.played.append((seat, command))
        self.replies.append(reply)

    def touch(self, place: str) -> None:
        self.touched.append(place)

    def why(self, kind: str, place: str, reply: Any) -> None:
        self.whys.append((kind, place))
        reply(Refusal("RS-6R.2", raw(f"{kind} may not go to {place}"), (raw("Bushi to Edo"),)), self.anyway)

    def announce(self, tone: str, text: Text, seat: str = "") -> None:
        self.announced.append((tone, text, seat))

    def show(self, current: Update) -> None:
        self.current = current
        for fn in self.watchers:
            fn(current)


HEALTH = (
    Health("reader", "ok", raw("Readers"), raw("Two readers answer."), "ui/reader"),
    Health("strip", "ok", raw("Track lamps"), raw("60 lamps, answers in 9 ms."), "ui/strip"),
    Health("phones", "waiting", raw("Phones 4/5"), raw("Turtle's phone is asleep."), "ui/phone"),
    Health("broker", "ok", raw("Messages"), raw("Own broker on port 8788."), "ui/broker"),
    Health("disk", "ok", raw("Record"), raw("Everything is on disk."), "ui/disk"),
)


class Stand:
    """A table facade with nothing behind it."""

    game = "rising_sun"
    sides: Mapping[str, str] = {}

    def __init__(self, current: Update, data: Path = Path("/nonexistent"), *, desk: Any = None, drawn: bool = True) -> None:
        self.desk = desk or Desk(current)
        self.data = data
        self.board = packaged("rising_sun") if drawn else None
        self.asked: list[str] = []
        self.moving: tuple[str, ...] = ()
        self.decided: list[tuple[str, bool]] = []
        self.tapped: list[str] = []
        self.state = {"koi": "online", "lotus": "vacant", "turtle": "asleep", "dragonfly": "vacant", "bonsai": "vacant"}
        self.lines = HEALTH
        self.sims: tuple[SimTag, ...] = ()

    complete = True

    def join(self, seat: str) -> str:
        self.asked.append(seat)
        return f"http://192.168.4.20:8788/#1.abcd1234.{seat}.{len(self.asked)}.{'A' * 43}"

    def qr(self, url: str) -> list[list[bool]]:
        return [[bool(cell) for cell in row] for row in segno.make(url, error="l", micro=False).matrix]

    def phones(self) -> dict[str, str]:
        return dict(self.state)

    def takeovers(self) -> tuple[str, ...]:
        return self.moving

    def decide(self, seat: str, yes: bool) -> None:
        self.decided.append((seat, yes))
        self.moving = tuple(s for s in self.moving if s != seat)

    def health(self) -> tuple[Health, ...]:
        return self.lines

    def clause(self, clause: str, language: str) -> str:
        return f"{clause} says so ({language})." if clause.startswith("RS-6") else ""

    def tags(self) -> tuple[SimTag, ...]:
        return self.sims

    sim_table = ""

    def open_sim_table(self) -> None:
        self.sim_table = "open"

    def tap(self, uid: str) -> None:
        self.tapped.append(uid)
