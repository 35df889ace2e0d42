"""One tag is in one place, and what cannot be is asked about."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from hardware.nfc.arbiter import Arbiter, Conflict
from hardware.nfc.sighting import Sighting

TAG = "04A1B2C3D4E5F6"
PLACES = {"left": "edo", "right": "kyoto", "box": None}


def put(reader, at, uid=TAG):
    return Sighting(uid, reader, PLACES[reader], placed=True, at=at)


def gone(reader, at, uid=TAG):
    return Sighting(uid, reader, PLACES[reader], placed=False, at=at)


def test_with_one_reader_everything_passes_at_once():
    arbiter = Arbiter()
    assert arbiter.heard(put("left", 1.0)) == (put("left", 1.0),)
    assert arbiter.where(TAG) == put("left", 1.0)
    assert arbiter.tick(5.0) == ()
    assert arbiter.heard(gone("left", 6.0)) == (gone("left", 6.0),)
    assert arbiter.where(TAG) is None


def test_a_repeated_report_says_nothing_new():
    arbiter = Arbiter()
    arbiter.heard(put("left", 1.0))
    assert arbiter.heard(put("left", 2.0)) == ()
    assert arbiter.heard(gone("right", 3.0)) == ()


def test_a_figure_slid_across_is_where_it_stopped():
    arbiter = Arbiter()
    arbiter.heard(put("left", 1.0))
    assert arbiter.heard(put("right", 1.5)) == ()  # the left one has not missed it yet
    assert arbiter.heard(gone("left", 1.8)) == (gone("left", 1.8), put("right", 1.8))


def test_a_neighbours_field_bleeding_over_changes_nothing():
    arbiter = Arbiter()
    arbiter.heard(put("left", 1.0))
    assert arbiter.heard(put("right", 1.5)) == ()
    assert arbiter.heard(gone("right", 1.9)) == ()
    assert arbiter.tick(9.0) == ()
    assert arbiter.where(TAG) == put("left", 1.0)


def test_the_reader_that_sees_it_far_better_wins_without_asking():
    strengths = {"left": 1.0, "right": 1.0}
    arbiter = Arbiter(lambda reader, _uid: strengths[reader])
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.2))
    strengths["left"] = 0.4
    assert arbiter.tick(1.4) == (gone("left", 1.4), put("right", 1.4))
    assert arbiter.tick(60.0) == ()  # the weak one is not asked about
    assert arbiter.heard(gone("left", 61.0)) == ()


def test_a_tag_in_two_places_is_asked_about_once_and_not_believed():
    arbiter = Arbiter(overlap=1.5)
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.2))
    assert arbiter.tick(2.6) == ()
    assert arbiter.tick(2.8) == (Conflict(TAG, "two_places", ("left", "right"), ("edo", "kyoto"), 2.8),)
    assert arbiter.tick(3.0) == ()
    assert arbiter.disputed() == (TAG,)
    assert arbiter.where(TAG) == put("left", 1.0)
    assert arbiter.answer(TAG, "right", 4.0) == (gone("left", 4.0), put("right", 4.0))
    assert arbiter.tick(60.0) == ()  # answered: silent until something changes
    assert arbiter.disputed() == ()
    assert arbiter.answer("04FFFFFFFFFFFF", "left", 61.0) == ()


def test_the_answer_may_be_neither():
    arbiter = Arbiter(overlap=1.0)
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.0))
    arbiter.tick(2.0)
    assert arbiter.answer(TAG, None, 3.0) == (gone("left", 3.0),)
    assert arbiter.tick(30.0) == ()


def test_a_conflict_ends_by_itself_when_one_reader_lets_go():
    arbiter = Arbiter(overlap=1.0)
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.0))
    arbiter.tick(2.0)
    assert arbiter.heard(gone("left", 3.0)) == (gone("left", 3.0),)
    assert arbiter.tick(3.5) == ()
    assert arbiter.tick(4.0) == (put("right", 4.0),)
    assert arbiter.disputed() == ()


def test_a_tag_that_hops_faster_than_a_hand_is_asked_about():
    arbiter = Arbiter(hops=4, window=3.0)
    heard, at = [], 0.0
    for hop in range(5):
        reader = ("left", "right")[hop % 2]
        heard += arbiter.heard(put(reader, at))
        heard += arbiter.heard(gone(reader, at + 0.3))
        at += 0.4
    conflicts = [outcome for outcome in heard if isinstance(outcome, Conflict)]
    assert conflicts == [Conflict(TAG, "hopping", ("right", "left"), ("kyoto", "edo"), 1.6)]
    # and a slow player moving it to and fro is not
    slow = Arbiter(hops=4, window=3.0)
    told = [slow.heard(report(("left", "right")[n % 2], n * 2.0 + extra)) for n in range(9) for report, extra in ((put, 0), (gone, 1))]
    assert not any(isinstance(outcome, Conflict) for outcomes in told for outcome in outcomes)


def test_three_readers_one_lets_go_and_the_tag_is_nowhere_until_it_is_clear():
    arbiter = Arbiter(overlap=1.0)
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.0))
    arbiter.heard(put("box", 1.1))
    assert arbiter.heard(gone("left", 1.5)) == (gone("left", 1.5),)
    assert arbiter.where(TAG) is None
    assert arbiter.heard(gone("box", 1.6)) == (put("right", 1.6),)


def test_where_nobody_could_look_nothing_is_asked():
    seen = {"left": 1.5, "right": 1.6}
    arbiter = Arbiter(seen=lambda reader, _uid: seen[reader], overlap=1.5)
    arbiter.heard(put("left", 1.0))
    arbiter.heard(put("right", 1.5))
    assert arbiter.tick(9.0) == (), "the machine was held up, and the left one has yet to miss it"
    seen |= {"left": 9.1, "right": 9.1}
    assert arbiter.tick(9.2) == (Conflict(TAG, "two_places", ("left", "right"), ("edo", "kyoto"), 9.2),), "they both still see it"
    assert arbiter.heard(gone("left", 9.4)) == (gone("left", 9.4),)


def test_what_a_lost_reader_held_is_in_nobodys_way():
    arbiter = Arbiter()
    arbiter.heard(put("left", 1.0))
    arbiter.lost("left")
    assert arbiter.tick(9.0) == ()
    assert arbiter.where(TAG) == put("left", 1.0)  # nobody has said otherwise
    assert arbiter.heard(put("right", 10.0)) == (gone("left", 10.0), put("right", 10.0))
    arbiter.back("left")  # and it still sees the tag: a copy
    arbiter.tick(11.0)
    assert arbiter.tick(13.0) == (Conflict(TAG, "two_places", ("left", "right"), ("edo", "kyoto"), 13.0),)


class AnyReports(RuleBasedStateMachine):
    """Whatever readers report, what is handed out is one consistent story."""

    def __init__(self):
        super().__init__()
        self.arbiter = Arbiter(lambda reader, uid: self.strengths.get((reader, uid), 1.0))
        self.strengths, self.claims, self.told, self.at = {}, set(), {}, 0.0
        self.open = set()

    uids, readers = st.sampled_from("AB"), st.sampled_from(sorted(PLACES))

    def take(self, outcomes):
        for outcome in outcomes:
            if isinstance(outcome, Conflict):
                assert outcome.uid not in self.open
                assert len(outcome.readers) >= 2
                assert outcome.places == tuple(PLACES[reader] for reader in outcome.readers)
                if outcome.why == "two_places":
                    assert all((reader, outcome.uid) in self.claims for reader in outcome.readers)
                self.open.add(outcome.uid)
            elif outcome.placed:
                assert outcome.uid not in self.told
                assert (outcome.reader, outcome.uid) in self.claims
                self.told[outcome.uid] = outcome.reader
            else:
                assert self.told.pop(outcome.uid) == outcome.reader
        self.open &= set(self.arbiter.disputed())

    @rule(uid=uids, reader=readers, wait=st.floats(0, 1))
    def placed(self, uid, reader, wait):
        self.at += wait
        self.claims.add((reader, uid))
        self.take(self.arbiter.heard(put(reader, self.at, uid)))

    @rule(uid=uids, reader=readers, wait=st.floats(0, 1))
    def removed(self, uid, reader, wait):
        self.at += wait
        self.claims.discard((reader, uid))
        self.take(self.arbiter.heard(gone(reader, self.at, uid)))

    @rule(wait=st.floats(0, 4))
    def time_passes(self, wait):
        self.at += wait
        self.take(self.arbiter.tick(self.at))

    @rule(uid=uids, reader=readers, strength=st.floats(0, 1))
    def couples(self, uid, reader, strength):
        self.strengths[reader, uid] = strength

    @rule(reader=readers, lost=st.booleans())
    def cable(self, reader, lost):
        (self.arbiter.lost if lost else self.arbiter.back)(reader)

    @rule(uid=uids, reader=readers | st.none())
    def answered(self, uid, reader):
        outcomes = self.arbiter.answer(uid, reader, self.at)
        self.open.discard(uid)
        self.take(outcomes)

    @rule()
    def all_lifted(self):
        for reader, uid in sorted(self.claims):
            self.take(self.arbiter.heard(gone(reader, self.at, uid)))
        self.claims.clear()
        for _ in range(3):
            self.at += 4
            self.take(self.arbiter.tick(self.at))
        assert not self.told
        assert not self.arbiter.disputed()
        assert not self.arbiter._cases  # nothing is kept for tags that are gone

    @rule(uid=uids, reader=readers)
    def one_stays(self, uid, reader):
        self.all_lifted()
        self.arbiter.back(reader)
        self.claims.add((reader, uid))
        self.take(self.arbiter.heard(put(reader, self.at, uid)))
        assert self.told[uid] == reader

    @invariant()
    def one_story(self):
        for uid in "AB":
            believed = self.arbiter.where(uid)
            assert (believed.reader if believed else None) == self.told.get(uid)


TestAnyReports = AnyReports.TestCase
TestAnyReports.settings = settings(stateful_step_count=30)
