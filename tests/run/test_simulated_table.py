"""The simulated table: figures put down, lifted and slid over simulated chips, in this process and in one with a window of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.devices import Devices
from companion.rules.view import Text
from companion.settings import Settings
from companion.simtable.far import Far
from companion.simtable.line import LONGEST, Caller, Server, obey
from companion.simtable.physical import Physical
from companion.simtable.spec import BOX, ONE, READER, ZONES, Piece, Spec, Zone, decoded, encoded
from companion.table import games, record
from companion.table.desk import Desk
from companion.table.journal import Journal
from companion.table.referee import Referee
from companion.words import render
from e2e.running import Display

TOP = Path(__file__).parents[2]
K1, K2, L1 = "04000000000001", "04000000000002", "04000000000003"


def raw(words: str) -> Text:
    return Text("table.raw", {"id": words})


def small(layout: str = ZONES, **more: Any) -> Spec:
    pieces = (
        Piece(K1, "koi/bushi", raw("Koi Bushi"), "1", "koi"),
        Piece(K2, "koi/bushi", raw("Koi Bushi"), "2", "koi"),
        Piece(L1, "fox", raw("Fox")),
    )
    placed = {K1: "edo", K2: "reserve.koi", "04FF": "edo", L1: "nowhere"}
    zones = (Zone("edo", raw("Edo")), Zone("kyoto", raw("Kyoto")))
    return Spec("rising_sun", layout, pieces, zones, {"koi": raw("Koi")}, placed, strip=False, **more)


@pytest.fixture(scope="module")
def still() -> Iterator[Physical]:
    table = Physical(small())
    yield table
    table.close()


def until(what: str, true: Callable[[], Any], seconds: float = 20, tell: Callable[[], object] = str) -> Any:
    end = time.monotonic() + seconds
    while not (found := true()):
        assert time.monotonic() < end, f"in vain: {what}; {tell()}"
        time.sleep(0.02)
    return found


# The table by itself


def test_pieces_lie_where_they_are_put_and_readers_have_those_above_them() -> None:
    heard: list[int] = []
    table = Physical(small(), lambda: heard.append(1))
    try:
        assert table.where() == {K1: "edo", K2: "reserve.koi", L1: BOX}
        assert set(table.ports) == {"edo", "kyoto"} and table.track == "" and table.lamps() == []
        table.move(K1, "kyoto")
        table.move(K2, "edo")
        table.move(K2, BOX)
        assert table.where() == {K1: "kyoto", K2: BOX, L1: BOX} and len(heard) == 3
        assert table._bench.lying() == {K1: "kyoto"} and not table.gone
    finally:
        table.close()


def test_hands_put_everything_where_the_app_has_it() -> None:
    table = Physical(small())
    try:
        assert table.agrees() and table.settle() == 0  # the app has said nothing yet
        table.stand({"kyoto": {"koi/bushi": 2}, "elsewhere": {"fox": 1}})
        assert not table.agrees()
        assert table.settle() == 2 and table.agrees() and table.where() == {K1: "kyoto", K2: "kyoto", L1: BOX}
        table.stand({"edo": {"fox": 1}})
        assert table.settle() == 3 and table.where() == {K1: BOX, K2: BOX, L1: "edo"}
    finally:
        table.close()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("list", '"edo"'),
        ("ports", "ttyPN532"),
        ("agrees", "true"),
        ("lamps", "[]"),
        ("jump", "error: 'jump' is no command here"),
        ("move 04", "error: move takes 2 words after it, not 1"),
        ("lift", "error: lift takes 1 word after it, not 0"),
        ("move 0400 edo", "error: there is no piece with the tag '0400'"),
        (f"move {K1} osaka", "error: there is no place 'osaka'"),
        ("stand nonsense", "error: stand takes places"),
        ('stand {"edo": {"fox": 100}}', "error: between 0 and 99"),
        ('stand {"edo": {"fox": "1"}}', "error: stand takes places"),
        ("", "error: '' is no command"),
    ],
)
def test_every_line_has_one_answer(still: Physical, line: str, answer: str) -> None:
    assert answer in obey(still, line)


@given(
    st.one_of(
        st.text(),
        st.builds(lambda *words: " ".join(words), *[st.sampled_from(["move", "lift", "stand", "list", K1, "edo", "{}", "7"])] * 3),
    )
)
def test_whatever_is_typed_is_answered_on_one_line(still: Physical, line: str) -> None:
    answer = obey(still, line)
    assert "\n" not in answer and (answer.startswith("error: ") or json.loads(answer) is not Ellipsis)
    assert set(still.where()) == {K1, K2, L1}


@given(st.binary(max_size=200))
def test_rubbish_is_no_table(data: bytes) -> None:
    with pytest.raises(ValueError, match="no simulated table"):
        decoded(data)


def test_the_record_comes_back_as_it_was() -> None:
    assert decoded(encoded(small(ONE))) == small(ONE) and small(ONE).readers == (READER,)
    with pytest.raises(ValueError, match="no layout 'two'"):
        decoded(encoded(small("two")))


def test_callers_are_served_bounded_and_rubbish_does_no_harm(still: Physical, tmp_path: Path) -> None:
    server = Server(still, tmp_path / "s", {"shown": lambda: {"a": 1}})
    try:
        assert (tmp_path / "s").stat().st_mode & 0o777 == 0o600
        caller = Caller(tmp_path / "s")
        assert caller.ask("shown") == {"a": 1}
        with pytest.raises(ValueError, match="no place"):
            caller.ask(f"move {K1} osaka")
        for rubbish in (b"\xff\xfe\n", b"x" * (LONGEST + 10) + b"\n"):
            with socket.socket(socket.AF_UNIX) as other:
                other.connect(str(tmp_path / "s"))
                other.sendall(rubbish)
                assert other.makefile("rb").readline().startswith(b"error: ")
        crowd = [socket.socket(socket.AF_UNIX) for _ in range(12)]
        for one in crowd:
            one.connect(str(tmp_path / "s"))
        assert caller.ask("agrees") is True
        for one in crowd:
            one.close()
    finally:
        server.close()
    caller.close()
    with pytest.raises(OSError, match="No such file"):
        Caller(tmp_path / "s")


@pytest.mark.logs_errors
def test_a_fault_of_ours_is_an_answer_too(still: Physical, tmp_path: Path) -> None:
    server = Server(still, tmp_path / "s", {"shown": lambda: {}["nothing"]})
    try:
        caller = Caller(tmp_path / "s")
        with pytest.raises(ValueError, match="KeyError"):
            caller.ask("shown")
        caller.close()
    finally:
        server.close()


def test_an_answer_that_comes_too_late_is_nobodys_and_the_next_question_has_its_own(still: Physical, tmp_path: Path) -> None:
    """A window that was held up, by a machine that slept or draws slowly, is spoken to again."""
    busy = threading.Event()
    server = Server(still, tmp_path / "s", {"shown": lambda: busy.wait(20)})
    caller = Caller(tmp_path / "s", timeout=0.2)
    try:
        with pytest.raises(TimeoutError, match=r"did not answer for 0\.2 s"):
            caller.ask("shown")
        busy.set()
        assert caller.ask("list") == still.where() and caller.ask("shown") is True
    finally:
        caller.close()
        server.close()


# With a game


class Game:
    """A referee, a desk and the devices with a simulated table."""

    def __init__(self, home: Path, mode: str = ZONES, **more: Any) -> None:
        loaded = games.load("rising_sun")
        rec = record.parse((TOP / "docs" / "examples" / "first-lesson.txt").read_text(encoding="utf-8"))
        self.journal = Journal(home / "journal.sqlite")
        self.referee = Referee.create(loaded.game, self.journal, rec.seats, rec.options, state=record.begin(loaded.game, rec))
        self.choose = record.hear(loaded.game, rec.moves[0])
        self.game = loaded.game
        settings = Settings(data=home, simulate=True, sim_table=mode, **({"headless": True} | more))
        self.desk = Desk(self.referee)
        self.devices = Devices(settings, self.desk, self.referee, on_change=lambda: None, board=loaded.facts.tables.get("board"))
        self.desk.start()
        self.devices.start()

    def choose_recruit(self) -> None:
        self.desk.play("koi", self.choose)
        until("Lotus to act", lambda: "lotus" in {wait.seat for wait in self.desk.current.open.waits})

    def ready(self) -> None:
        until("the readers", lambda: all(health.state == "ready" for health in self.devices.readers.health()))

    def seen(self) -> int:
        """How many figures the desk has been told of by the readers."""
        return sum(self.devices.readers.where(tag.uid) is not None for tag in self.devices.figures.tags())

    def lies(self, place: str) -> dict[str, int]:
        return {kind: n for kind, n in self.game.placement(self.referee.state).get(place, {}).items() if n}

    def said(self) -> str:
        notice = self.desk.current.notice
        return "" if notice is None else render(notice.text, "en")

    def close(self) -> None:
        self.devices.stop()
        self.desk.stop()
        self.journal.close()


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Game]]:
    opened: list[Game] = []

    def begin(*words: Any, **more: Any) -> Game:
        opened.append(Game(tmp_path, *words, **more))
        return opened[-1]

    yield begin
    for game in opened:
        game.close()


def test_a_figure_slid_between_readers_is_a_command(play: Callable[..., Game]) -> None:
    game = play()
    game.ready()
    assert game.devices.sim_table == "open" and game.devices.tags() == ()
    assert len(game.devices.readers.health()) == 12
    until("everything to be seen where it lies", lambda: game.seen() == 9)
    game.choose_recruit()
    assert game.devices.typed("put", ["lotus", "bushi", "nagato"]) == ""
    until("the summons", lambda: game.lies("nagato").get("lotus/bushi") == 2)
    until("the notice", lambda: game.said() == "Lotus Bushi 2: Bushi to Nagato.")
    assert game.devices.typed("slide", ["lotus", "bushi", "nagato", "edo"]) == ""
    until("a difference", game.referee.differs, tell=lambda: (game.said(), game.devices.listed()))
    assert "set where the app has" in game.devices.typed("settle", [])
    until("agreement", lambda: game.referee.differs() is None)


def test_typed_words_are_explained(play: Callable[..., Game]) -> None:
    game = play()
    typed = game.devices.typed
    assert "takes a figure and no place" in typed("lift", ["koi", "bushi", "edo"])
    assert "takes a figure and where it goes" in typed("slide", ["koi", "bushi"])
    assert "takes a figure and one place" in typed("put", ["koi", "bushi", "edo", "kyoto"])
    assert "There is no place called 'osaka'" in typed("put", ["koi", "bushi", "osaka"])
    assert "No tagged figure is called" in typed("put", ["fox"])
    assert typed("slide", ["koi", "bushi", "kyoto", "edo"]) == "No such figure lies there; list shows where each one is."
    assert typed("lift", ["koi", "bushi"]) == ""
    assert game.devices.listed().count("Koi Bushi") == 6 and "Koi Bushi 1  reserve.koi" in game.devices.listed()
    assert game.devices.typed_tap(["koi", "bushi", "1", "hachiman"]) == ""
    assert "Koi Bushi 1  shrine.1" in game.devices.listed()


def test_one_reader_and_a_touched_place(play: Callable[..., Game]) -> None:
    game = play(ONE)
    game.ready()
    game.choose_recruit()
    assert game.devices.typed("put", ["lotus", "bushi", "2"]) == ""  # onto the reader
    until("the figure", lambda: "touch where it goes" in game.said())
    game.desk.touch("nagato")
    until("the summons", lambda: game.lies("nagato").get("lotus/bushi") == 2)
    assert [line.id for line in game.devices.health()][:2] == ["simtable", "reader.simulated reader"]


def test_it_is_opened_while_a_game_goes_on_and_closed_again(play: Callable[..., Game]) -> None:
    game = play("")
    assert game.devices.sim_table == "shut" and game.devices.tags()
    assert "--sim-table" in game.devices.typed("put", ["koi", "bushi"])
    game.devices.open_sim_table()
    until("the table", lambda: game.devices.sim_table == "open")
    until("twelve readers", lambda: len(game.devices.readers.health()) == 12)
    game.devices._switch("")
    assert game.devices.sim_table == "shut" and len(game.devices.readers.health()) == 1
    assert all(render(line.text, "ru") for line in game.devices.health())


def test_figures_stand_after_a_resume_where_they_were_told_to_be(play: Callable[..., Game]) -> None:
    game = play()
    game.ready()
    game.choose_recruit()
    game.devices.typed("put", ["lotus", "bushi", "5", "nagato"])
    until("the summons", lambda: game.lies("nagato").get("lotus/bushi") == 2)
    game.devices.stop()
    game.devices._stopped = False
    game.devices.start()
    assert "Lotus Bushi 5  nagato" in game.devices.listed()
    game.ready()
    until("every figure to be seen again", lambda: game.seen() == 10)
    game.desk.announce("ok", raw("heard"))
    until("all that was seen to be judged", lambda: game.said() == "heard")
    assert game.referee.differs() is None


# With a window


@pytest.fixture
def display() -> Iterator[str]:
    made = Display()
    yield f":{made.number}"
    made.close()


def drag(display: str, start: tuple[float, float], end: tuple[float, float]) -> None:
    """A finger on the window, which stands in the middle of the display."""
    dx, dy = (1280 - 1180) / 2, (800 - 760) / 2

    def do(*words: object) -> None:
        subprocess.run(["xdotool", *map(str, words)], env=os.environ | {"DISPLAY": display}, check=True)
        time.sleep(0.05)

    do("mousemove", round(start[0] + dx), round(start[1] + dy))
    do("mousedown", 1)
    for i in range(1, 7):
        do("mousemove", *(round(a + (b - a) * i / 6 + o) for a, b, o in zip(start, end, (dx, dy), strict=True)))
    do("mouseup", 1)


@pytest.mark.timeout(120)
def test_a_counter_dragged_in_the_window_is_a_command(play: Callable[..., Game], display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    game = play(headless=False)
    until("the table", lambda: game.devices.sim_table == "open", 60)
    table = game.devices._table.table
    assert isinstance(table, Far)
    game.ready()
    game.choose_recruit()
    shown = until("the window", table.shown, 40)
    until("the lamps", lambda: table.shown()["strip"]["value"])
    table._process.send_signal(signal.SIGSTOP)  # a frame that is late: all of the drag comes at once
    drag(display, shown["stack:reserve.lotus:lotus/bushi"]["centre"], shown["zone:nagato"]["centre"])
    table._process.send_signal(signal.SIGCONT)
    until("the summons", lambda: game.lies("nagato").get("lotus/bushi") == 2)
    until("the notice", lambda: "Lotus Bushi" in game.said() and "Bushi to Nagato" in game.said())
    until("the window to know", lambda: table.shown()["agrees"]["value"])
    shown = table.shown()
    assert shown["stack:nagato:lotus/bushi"]["value"] == 2 and shown["stack:reserve.lotus:lotus/bushi"]["value"] == 4
    drag(display, shown["stack:reserve.lotus:lotus/shinto"]["centre"], (shown["how"]["centre"]))
    until("it to stay", lambda: table.shown()["stack:reserve.lotus:lotus/shinto"]["value"] == 3)  # beside everything it is where it was
    drag(display, shown["stack:reserve.turtle:turtle/bushi"]["centre"], shown["zone:oshu"]["centre"])
    until("the hint", lambda: "it is Lotus's turn" in game.said() or "no." in game.said())
    until("the button", lambda: "settle" in table.shown())
    centre = table.shown()["settle"]["centre"]
    drag(display, centre, centre)
    until("agreement", lambda: table.agrees() and game.referee.differs() is None)
    table._process.terminate()  # somebody closes it
    until("the way back", lambda: game.devices.sim_table == "shut" and game.devices.tags())


@pytest.mark.logs_errors
def test_a_table_that_does_not_come_up_leaves_the_simple_reader(play: Callable[..., Game], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.simtable.far.PATIENCE", 0.01)
    monkeypatch.setenv("DISPLAY", "")
    game = play(headless=False)
    until("its failure", lambda: game.devices._trouble)
    assert game.devices.sim_table == "shut"
    until("the simple reader", game.devices.tags)
    line = game.devices.health()[0]
    assert line.tone == "careful" and "did not come up" in render(line.text, "en")


def test_the_process_refuses_what_is_no_record() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "companion.simtable"], input=b"{}\n", capture_output=True, cwd=TOP, check=False, timeout=20
    )
    assert told.returncode == 2 and b"no simulated table" in told.stderr
