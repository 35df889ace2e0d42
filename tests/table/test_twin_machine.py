"""The twin against a board of real figures: hands that follow the app, hands that do not, readers, taps, ticks, undos, restarts.

What the machine knows and the twin must find out: where every figure really is. Hands tell everything they do (by reader, tap or tick), so
table and app differ exactly when the twin says that something is still to be moved.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from table_games import Player

from companion.rules.game import TABLE
from companion.table import commands as say
from companion.table.figures import Figures, Tag
from companion.table.moves import Moved, by_kind
from companion.table.naming import off_board
from companion.table.twin import GRACE, READER, READERS, SINGLE, TAP

SOAK = os.environ.get("JINMAKU_SOAK") == "1"
PEBBLES = 12


class Table(RuleBasedStateMachine):
    """Figures lie on a board; the twin sees what hands tell."""

    name = "pebbles"
    layout = SINGLE
    zones: tuple[str, ...] = ("edo", "kyoto", "oshu")

    @initialize(seed=st.integers(0, 10_000))
    def begin(self, seed: int) -> None:
        self.home = tempfile.TemporaryDirectory()
        self.player = Player.at(self.name, Path(self.home.name), seed)
        self.rng = random.Random(seed)
        self.now = 0.0
        self.board: dict[str, str] = {}
        tags = []
        for kind, places in self.kinds().items():
            lying = [place for place, n in sorted(places.items()) for _ in range(n)]
            for n, place in enumerate(lying):
                uid = f"04{len(tags):012X}"
                tags.append(Tag(uid, kind, str(n + 1)))
                self.board[uid] = place
        self.figures = Figures(tags)
        self.know()
        for uid, place in self.board.items():
            if place in self.zones:
                self.tell(uid)

    def kinds(self) -> dict[str, dict[str, int]]:
        """Every figure there is, and where it lies at the beginning."""
        if self.name == "pebbles":  # its reserve is no place of the game
            return {f"{seat}/pebble": {"": PEBBLES} for seat in self.player.referee.seats}
        return by_kind(self.placement())

    def placement(self) -> Any:
        referee = self.player.referee
        return referee.game.placement(referee.state)

    def know(self) -> None:
        self.player.referee.hands.know(self.figures, self.layout, self.zones)

    def teardown(self) -> None:
        if hasattr(self, "player"):
            self.player.referee.journal.close()
            self.home.cleanup()

    # Hands

    def kind(self, uid: str) -> str:
        tag = self.figures.tag(uid)
        assert tag is not None
        return tag.kind

    def tell(self, uid: str) -> None:
        """The reader of the place, or a tap, tells where a figure is."""
        place = self.board[uid]
        if self.layout == SINGLE or place in self.zones:
            self.player.referee.hands.sight(uid, place, TAP if self.layout == SINGLE else READER, self.now)

    def put(self, uid: str, place: str) -> None:
        """A hand takes a figure and sets it down."""
        if self.board[uid] == place:
            return
        if self.board[uid] in self.zones:
            self.player.referee.hands.lift(uid, self.board[uid], self.now)
        self.board[uid] = place
        self.tell(uid)

    def figure(self, kind: str, place: str) -> str | None:
        return next((uid for uid, where in self.board.items() if where == place and self.kind(uid) == kind), None)

    # What happens

    @rule(optional=st.booleans())
    def somebody_plays(self, optional: bool) -> None:
        command = self.player.some(0.3 if optional else 0.0)
        if command is None:
            return
        referee = self.player.referee
        before, differed = self.placement(), referee.differs() is not None
        answer = self.player.give(command)
        moved = before != self.placement()
        if answer.ok:
            assert not moved or not differed or referee.differs() is None, "only what makes them agree does not wait"
        else:
            assert answer.refusal is not None and answer.refusal.text.key in {"table.differs", "table.repair_first"}
            assert not self.agree(), "never a false difference"

    @rule(n=st.integers(0, 5))
    def somebody_takes_back(self, n: int) -> None:
        offered = [c for seat in self.player.referee.seats for c in self.player.asked(seat, say.Undo | say.Redo)]
        offered += self.player.asked(TABLE, say.Undo | say.Redo)
        if offered:
            self.player.done(offered[n % len(offered)])
            if n % 2:
                self.player.everybody_agrees()

    @rule(by_tick=st.booleans())
    def hands_follow(self, by_tick: bool) -> None:
        """Everything that is asked for is done, and told; whichever figure of the kind is nearest."""
        for _ in range(60):
            twin = self.player.referee._steward.twin
            work = twin.to_make()
            if not work:
                break
            moved = work[0]
            frm = moved.frm if self.figure(moved.kind, moved.frm) else self.lost(moved)
            uid = self.figure(moved.kind, frm)
            assert uid is not None, (moved, self.board)
            here = [uid for uid, sensed in twin._of(moved.kind) if sensed.place == frm]
            known = here[0] if here and (twin._is_astray(here[0]) or not twin.anon[moved.kind].get(frm)) else None
            if known and twin.by_hand(moved) and (by_tick or (self.layout == SINGLE and not moved.to)):
                self.board[known] = moved.to  # a button does not say which figure: it is one the twin knows there
                self.player.done(say.Tick(TABLE, moved.kind, moved.frm, moved.to, work.count(moved)))
            else:
                self.put(uid, moved.to)
        assert work == ()
        assert self.agree()

    def lost(self, moved: Moved) -> str:
        """A figure that was lifted and never seen again lies in its reserve."""
        return next(place for uid, place in self.board.items() if self.kind(uid) == moved.kind and off_board(place))

    @rule(n=st.integers(0, 200), place=st.integers(0, 20))
    def a_hand_strays(self, n: int, place: int) -> None:
        """Any figure goes to any place of the board."""
        self.put(sorted(self.board)[n % len(self.board)], self.zones[place % len(self.zones)])

    @rule(n=st.integers(0, 200))
    def two_figures_of_a_kind_are_swapped(self, n: int) -> None:
        here = [uid for uid, place in self.board.items() if place in self.zones]
        if not here:
            return
        one = here[n % len(here)]
        others = [uid for uid in here if self.kind(uid) == self.kind(one) and self.board[uid] != self.board[one]]
        if others:
            agreed = self.agree()
            first, second = self.board[one], self.board[others[0]]
            self.put(one, second)
            self.put(others[0], first)
            assert self.agree() == agreed

    @precondition(lambda self: self.layout == READERS)
    @rule(n=st.integers(0, 200))
    def a_figure_is_taken_off(self, n: int) -> None:
        here = [uid for uid, place in self.board.items() if place in self.zones]
        if here:
            uid = here[n % len(here)]
            owner = self.kind(uid).partition("/")[0]
            self.put(uid, "" if self.name == "pebbles" else f"reserve.{owner}")

    @rule()
    def a_lifted_figure_is_set_down_again(self) -> None:
        """A hand that touches and leaves: nothing has happened."""
        here = sorted(uid for uid, place in self.board.items() if place in self.zones)
        if here and self.layout == READERS:
            before = self.ends()
            self.player.referee.hands.lift(here[0], self.board[here[0]], self.now)
            self.tell(here[0])
            assert self.ends() == before

    def ends(self) -> tuple[Counter[Any], Counter[Any]]:
        """Where figures have to leave, and where they have to come."""
        work = self.player.referee._steward.twin.to_make()
        return Counter((one.kind, one.frm) for one in work), Counter((one.kind, one.to) for one in work)

    @rule()
    def the_table_waives(self) -> None:
        """Hands make the board as the app has it without telling, and the table says so."""
        waive = self.player.asked(TABLE, say.Waive)
        if not waive:
            return
        self.player.done(waive[0])
        due = {kind: Counter(places) for kind, places in by_kind(self.placement()).items()}
        known = self.player.referee._steward.twin._sensed
        for uid in sorted(
            self.board, key=lambda uid: uid not in known or not known[uid].place
        ):  # those of which the twin still thinks something stay there
            place = known[uid].place if uid in known else ""
            left = due.get(self.kind(uid), Counter())
            goal = place if left[place] else next((goal for goal in sorted(left) if left[goal]), "")
            left[goal] -= 1
            self.board[uid] = goal
        for uid, place in self.board.items():  # readers see what lies there now
            if place in self.zones:
                self.tell(uid)

    @rule()
    def the_app_follows_the_table(self) -> None:
        """What lies there is adopted, if the rules can have it so."""
        adopt = self.player.asked(TABLE, say.Adopt)
        if adopt:
            answer = self.player.give(adopt[0])
            if answer.ok:
                self.player.everybody_agrees()
                assert self.agree()

    @rule()
    def the_program_starts_again(self) -> None:
        before = self.ends()
        self.player.referee.hands.save()  # as the desk does after each thing
        self.player = self.player.resumed()
        self.know()
        assert self.ends() == before

    # What must be true

    def agree(self) -> bool:
        """The board is as the app has it."""
        lying: dict[str, Counter[str]] = {}
        for uid, place in self.board.items():
            if place in self.zones:
                lying.setdefault(place, Counter())[self.kind(uid)] += 1
        kinds = {self.kind(uid) for uid in self.board}
        app = {
            place: Counter({k: n for k, n in pile.items() if k in kinds}) for place, pile in self.placement().items() if place in self.zones
        }
        return {p: +c for p, c in lying.items() if +c} == {p: +c for p, c in app.items() if +c}

    @invariant()
    def the_twin_knows(self) -> None:
        if not hasattr(self, "board"):
            return
        self.now += GRACE + 1
        self.player.referee.hands.look(self.now)
        twin = self.player.referee._steward.twin
        assert bool(twin.to_make()) is not self.agree(), (twin.to_make(), twin.astray(), self.board, self.placement())
        if self.agree():
            assert self.player.referee.differs() is None


class ReadersOfPebbles(Table):
    layout = READERS


class TapsOfRisingSun(Table):
    name = "rising_sun"
    zones = ("hokkaido", "oshu", "kyoto", "edo", "kansai", "nagato", "shikoku", "kyushu", "shrine.1", "shrine.2", "shrine.3", "shrine.4")


class ReadersOfRisingSun(TapsOfRisingSun):
    layout = READERS


@pytest.mark.scaled
@pytest.mark.timeout(3600 if SOAK else 120)
@pytest.mark.parametrize("machine", [Table, ReadersOfPebbles, TapsOfRisingSun, ReadersOfRisingSun], ids=lambda one: one.__name__)
def test_table_and_app_differ_exactly_when_the_twin_says_so(machine: Any) -> None:
    from hypothesis.stateful import run_state_machine_as_test

    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=400 if SOAK else 20, stateful_step_count=50 if SOAK else 30, phases=(Phase.generate, Phase.shrink)),
    )
