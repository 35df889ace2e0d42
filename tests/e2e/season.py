"""People who play a written season at a table: each command by the hand its comment names, and only by what the screens offer.

Here: the record read, the hands, the figures as they really lie, and what every screen must show then. Not here: processes and pages
(``running``, ``phones``), nor the story (``test_a_season``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from companion.rules.game import Applied, Choice, Gesture
from companion.table import figures, games, record
from companion.table.sensed import Saved
from companion.table.twin import SINGLE, Twin
from companion.table.whereabouts import whereabouts
from companion.words import render
from e2e.everything import COUNTERS, Everything
from e2e.phones import Phone
from e2e.running import until

GAME = games.load("rising_sun").game
OFF = ("reserve", "hostage")
"""Places off the map."""
PHONE, TAG, WINDOW = "phone", "tag", "window"

TABLE_JS = """() => {
    const all = (query, read, within = document) => [...within.querySelectorAll(query)].map(read);
    return {
        revision: Number(document.body.dataset.revision),
        zones: Object.fromEntries(all('[data-node="zone"]', zone => [
            zone.dataset.id, Object.fromEntries(all(".stack", one => [one.dataset.kind, Number(one.dataset.count)], zone))])),
        counters: Object.fromEntries(all('[data-node="counter"]', one => [one.dataset.id, Number(one.dataset.value)])),
        steps: Object.fromEntries(all("[data-light]", one => [one.dataset.light, [one.dataset.state, one.dataset.seat ?? ""]])),
        honor: all('[data-id="seats"] > .inside > section', one => one.dataset.id),
        waits: all("[data-wait]", one => one.dataset.wait),
        owed: all('[data-node="line"][data-id^="owed."]', one => one.textContent.trim()),
        asked: document.querySelector("[data-question]:not([data-optional])") !== null
            || (document.querySelector("[data-pad]") !== null && document.querySelector(".waiting") === null),
    };
}"""
"""All a phone's page shows of the table, as it stands in the DOM."""


class Given(Struct, frozen=True):
    """One command of the record."""

    command: Any
    hand: str
    step: str
    """Of the track, in the record's words, before it."""
    choice: Choice[Any]
    after: Any
    """The state."""


class Script:
    """The written season, judged once by the rules alone: what must stand after every command."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.record = record.parse(text)
        self.start = record.begin(GAME, self.record)

    def position(self) -> str:
        """The record without its moves."""
        return re.split(r"^moves\b.*$", self.text, maxsplit=1, flags=re.MULTILINE)[0] + "moves\n"

    def given(self) -> Iterator[Given]:
        state, lines = self.start, self.text.splitlines()
        for line in self.record.moves:
            command = record.hear(GAME, line)
            blank = msgspec.structs.replace(command, amounts={}) if hasattr(command, "amounts") else command
            choice = next(one for prompt in GAME.prompts(state) for one in prompt.choices if one.command == blank)
            outcome = GAME.apply(state, command)
            assert isinstance(outcome, Applied), line
            comment = lines[line.line - 1].partition("#")[2].split()
            hand = comment[0].rstrip(":") if comment and comment[0].rstrip(":") in {TAG, WINDOW} else PHONE
            yield Given(command, hand, step_of(state), choice, outcome.state)
            state = outcome.state


def step_of(state: Any) -> str:
    """``mandate 1`` ... ``war``"""
    return next(line for line in GAME.notation.position(state) if line.startswith("step ")).removeprefix("step ")


def register(kinds: Mapping[str, int]) -> list[str]:
    """Lines of a UID file for so many figures of each kind."""
    return [f"04A1{k:02X}{n:02X}22D580 {kind} {n}" for k, (kind, most) in enumerate(kinds.items(), 1) for n in range(1, most + 1)]


class Season:
    """Five players and a table."""

    def __init__(self, everything: Everything, script: Script) -> None:
        self.all, self.table, self.script = everything, everything.table, script
        self.state = script.start
        self.revision = 0
        self.figures = figures.load(everything.register)
        self.lies = self._laid(script.start)
        """UID -> where that figure really lies."""
        self.tagged = {tag.kind for tag in self.figures.tags()}
        self.hands: Counter[str] = Counter()

    def _laid(self, state: Any) -> dict[str, str]:
        free: dict[str, list[str]] = {tag.kind: [] for tag in self.figures.tags()}
        for place, kinds in sorted(GAME.placement(state).items(), key=lambda one: one[0].startswith("reserve")):
            for kind in kinds.keys() & free.keys():
                free[kind] += [place] * kinds[kind]
        return {tag.uid: free[tag.kind].pop(0) for tag in self.figures.tags()}

    # -- a command by a hand

    def play(self, given: Given) -> None:
        """One command, then whatever of it hands still have to do."""
        {PHONE: self._by_phone, WINDOW: self._by_touch, TAG: self._by_tag}[given.hand](given)
        self.hands[given.hand] += 1
        self.state = given.after
        self.revision += 1
        self.all.reached(self.revision)
        for gesture in given.choice.gestures:
            if gesture.kind in self.tagged and not (given.hand == TAG and gesture is given.choice.gestures[0]):
                self._carry_out(gesture)
        while work := self.twin().to_make():  # the dead of a Battle
            self._carry_out(Gesture(work[0].kind, work[0].frm, work[0].to))

    def _by_phone(self, given: Given) -> None:
        command = msgspec.to_builtins(given.command)
        phone = self.all.phones[given.command.seat].online(self.revision)
        if command["do"] == "choose":
            phone.choose_tile(given.choice.mark, command["mandate"])
        elif given.choice.amounts is not None:
            phone.fill(command["amounts"])
        else:
            phone.play(**command)

    def _by_touch(self, given: Given) -> None:
        """A piece is picked in the window and its place touched; what is no piece's move is a button."""
        gesture = given.choice.gestures[0] if given.choice.gestures else None
        if gesture is None:
            words = render(given.choice.text, "en")
            self.table.press(until(f"a button {words!r}", lambda: self._button(words)))
            return
        home = gesture.frm.startswith("reserve")
        key = gesture.kind if home else f"{gesture.kind}@{gesture.frm}"
        if not home:  # of many figures it is taken up where it stands
            self.table.press(f"zone:{gesture.frm}")
        self._take_up(f"pick:{key}", alone=not home and len(self._starting(gesture.frm)) == 1)
        self.table.press(f"zone:{gesture.to}")

    def _starting(self, place: str) -> set[str]:
        """Kinds the question moves from here."""
        return {g.kind for prompt in GAME.prompts(self.state) for choice in prompt.choices for g in choice.gestures[:1] if g.frm == place}

    def _take_up(self, pick: str, *, alone: bool) -> None:
        """The piece is in hand; ``alone``: touching its place was enough."""
        if alone:
            until(f"{pick} to be in hand", lambda: "Touch where it goes" in (self.table.widget("prompt") or {"text": ""})["text"])
        elif not until(pick, lambda: self.table.widget(pick))["lit"]:
            self.table.press(pick)
            until(f"{pick} to be in hand", lambda: (self.table.widget(pick) or {"lit": False})["lit"])

    def _button(self, words: str) -> str | None:
        screen = self.table.look()["screen"]
        return next((wid for wid, one in screen.items() if wid.startswith("choice:") and one["text"].startswith(words)), None)

    def _by_tag(self, given: Given) -> None:
        gesture = given.choice.gestures[0]
        self._tap(self._figure(gesture), gesture.to)

    def _tap(self, uid: str, place: str) -> None:
        """The figure is laid on the reader; the table asks where it goes, and its place is touched."""
        said = self._said()
        asked = lambda: (now := self._said()) != said and "touch where it goes" in now  # noqa: E731
        with self.all.laid(uid):
            until(f"the table to ask where {uid} goes", asked)
        self.table.press(f"zone:{place}")
        self.lies[uid] = place

    def _said(self) -> str:
        return (self.table.widget("notice") or {"text": ""})["text"]

    def _figure(self, gesture: Gesture) -> str:
        return next(tag.uid for tag in self.figures.tags() if tag.kind == gesture.kind and self.lies[tag.uid] == gesture.frm)

    def _carry_out(self, gesture: Gesture) -> None:
        """The app has moved a tagged figure: everybody is told to, then a hand does it. Turtle's are tapped, if they stay on the board."""
        uid, owner = self._figure(gesture), gesture.kind.partition("/")[0]
        self._owed_is_told(gesture)
        if owner == "turtle" and gesture.to in self._zones():
            self._tap(uid, gesture.to)
            until("the move to be settled", lambda: not self.twin().to_make())
        else:
            self.lies[uid] = gesture.to
            self.all.phones[owner].play(do="tick", kind=gesture.kind, to=gesture.to)
            self.revision += 1
            self.all.reached(self.revision)

    def _zones(self) -> set[str]:
        return {wid.removeprefix("zone:") for wid in self.table.look()["screen"] if wid.startswith("zone:")}

    def _owed_is_told(self, gesture: Gesture) -> None:
        """Twin, phones and window name the same move."""
        work = self.twin().to_make()
        assert (gesture.kind, gesture.frm, gesture.to) in [(one.kind, one.frm, one.to) for one in work], (gesture, work)
        for seat, phone in self.all.phones.items():
            sentences = until(f"{seat}'s phone to say it", lambda: len(found := self._please(phone)) == len(work) and found)  # noqa: B023 - asked at once
        until("the window to say it", lambda: self._window_says(sentences))

    def _window_says(self, sentences: list[str]) -> bool:
        """All of them, or one and how many more."""
        told = self._owed_in_window()
        return all(one in told for one in sentences) or (f"and {len(sentences) - 1} more" in told and any(one in told for one in sentences))

    def _please(self, phone: Phone) -> list[str]:
        return [one.removeprefix("Please: ") for one in phone.page.evaluate(TABLE_JS)["owed"]]

    def _owed_in_window(self) -> str:
        screen = self.table.look()["screen"]
        return " ".join(screen[wid]["text"] for wid in ("owed", "notice", "prompt") if wid in screen)

    # -- what must be the same everywhere

    def twin(self) -> Twin:
        """What the table knows of the figures, as its journal has it."""
        saved = msgspec.json.decode(self.table.twin(), type=Saved)
        twin = Twin(SINGLE, self.figures, (), saved)
        twin.stand(GAME.placement(self.state))
        return twin

    def agree(self) -> None:
        """Referee, journal, five phones, window, lamps and twin: all stand as the rules say, and the figures lie so."""
        told = self.all.reached(self.revision)
        placement = {place: {kind: n for kind, n in kinds.items() if n} for place, kinds in GAME.placement(self.state).items()}
        assert told["placement"] == placement
        waits = [prompt.seat for prompt in GAME.prompts(self.state) if not prompt.optional]
        assert told["waits"] == waits
        self._journal_agrees()
        self._twin_agrees()
        self.all.lamps_agree()
        # A figure that is where it is owed makes no revision: who shows this one may still ask for it, or show the table before it.
        for seat, phone in self.all.phones.items():
            phone.online(self.revision)
            until(f"{seat}'s phone to ask for no figure", lambda: not self._please(phone))  # noqa: B023 - asked at once
        steps = next(iter(self.all.phones.values())).page.evaluate(TABLE_JS)["steps"]
        until("the window to show it", lambda: self._window_agrees(placement) and self._steps() == steps)
        for seat, phone in self.all.phones.items():
            self._phone_agrees(seat, phone.page.evaluate(TABLE_JS), placement, waits, steps)

    def _journal_agrees(self) -> None:
        row = next(row for row in reversed(self.table.journal()) if row["state"] is not None)
        state = msgspec.convert(row["state"], GAME.State)
        assert GAME.notation.position(state) == GAME.notation.position(self.state)

    def _twin_agrees(self) -> None:
        twin = self.twin()
        assert not twin.to_make() and not twin.astray()
        known = whereabouts(twin)
        kinds = {tag.uid: tag.kind for tag in self.figures.tags()}
        count = lambda where: Counter((kinds[uid], place) for uid, place in where.items())  # noqa: E731
        assert count(known) == count(self.lies), "the twin's figures lie where they really lie"
        by_app = Counter({(kind, place): n for place, all_ in GAME.placement(self.state).items() for kind, n in all_.items()})
        assert all(by_app[one] == n for one, n in count(self.lies).items()), "and where the game has them"

    def _counters(self) -> dict[str, int]:
        numbers = {"vp": self.state.vp, "coins": self.state.coins, "ronin": self.state.ronin}
        return {f"{seat}.{counter}": numbers[counter][seat] for seat in self.all.seats for counter in COUNTERS}

    def _phone_agrees(self, seat: str, shown: dict[str, Any], placement: Mapping[str, Any], waits: list[str], steps: Any) -> None:
        assert shown["zones"] == {zone: placement.get(zone, {}) for zone in shown["zones"]}, seat
        assert {place for place in placement if not place.startswith(OFF)} <= shown["zones"].keys()
        counters = self._counters()
        assert {name: shown["counters"][name] for name in counters} == counters, seat
        assert shown["honor"] == list(self.state.honor), seat
        assert shown["owed"] == [], seat
        assert shown["waits"] == ([] if seat in waits else waits), seat
        assert shown["asked"] == (seat in waits), seat
        assert shown["steps"] == steps, seat

    def _steps(self) -> dict[str, list[str]]:
        screen = self.table.look()["screen"]
        return {
            wid.removeprefix("step:"): [one["value"]["state"], one["value"]["seat"]]
            for wid, one in screen.items()
            if wid.startswith("step:")
        }

    def _window_agrees(self, placement: Mapping[str, Any]) -> bool:
        screen = self.table.look()["screen"]
        numbers = {name: (screen.get(f"counter:{name.replace('.', ':')}") or {"value": None})["value"] for name in self._counters()}
        zones = {wid.removeprefix("zone:"): one["value"]["stacks"] for wid, one in screen.items() if wid.startswith("zone:")}
        lies = {place: kinds for place, kinds in placement.items() if not place.startswith(OFF)}
        rows = [wid.removeprefix("seat:") for wid in screen if wid.startswith("seat:")]
        return (
            numbers == self._counters()
            and {place: kinds for place, kinds in zones.items() if kinds} == {place: kinds for place, kinds in lies.items() if kinds}
            and rows == list(self.state.honor)
        )


def written(path: Path) -> Script:
    return Script(path.read_text(encoding="utf-8"))
