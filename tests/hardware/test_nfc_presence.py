"""Placed and removed, with hysteresis: no single missed poll and no single freak read changes anything."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from hardware.nfc.presence import Change, Presence

KOI, LOTUS = "04A1B2C3D4E5F6", "0411223344AABB"


def test_a_tag_is_placed_once_and_lying_there_is_only_a_refresh():
    presence = Presence(hits=2)
    assert presence.poll({KOI}, 0.0) == ()
    assert presence.poll({KOI}, 0.03) == (Change(KOI, placed=True),)
    assert [presence.poll({KOI}, 0.06 + n * 0.03) for n in range(100)] == [()] * 100
    assert presence.lying == (KOI,)
    assert presence.uncertain == ()


def test_one_freak_read_places_nothing():
    presence = Presence(hits=2, misses=2, away=0.1)
    presence.poll({KOI}, 0.0)
    assert all(presence.poll((), 0.1 * n) == () for n in range(1, 20))
    assert presence.poll({KOI}, 3.0) == ()  # the old hit is forgotten


def test_removal_needs_misses_and_time():
    presence = Presence(hits=1, misses=3, away=0.5)
    presence.poll({KOI}, 0.0)
    assert [presence.poll((), at) for at in (0.1, 0.2, 0.3)] == [()] * 3  # enough misses, too soon
    assert presence.uncertain == (KOI,)
    assert presence.poll((), 0.5) == (Change(KOI, placed=False),)
    presence.poll({KOI}, 1.0)
    assert presence.poll((), 9.0) == ()  # long ago, but only one miss
    assert presence.poll((), 9.1) == ()
    assert presence.poll((), 9.2) == (Change(KOI, placed=False),)


def test_a_tag_that_misses_every_other_poll_does_not_flap():
    presence = Presence()
    changes = [change for n in range(200) for change in presence.poll({KOI} if n % 2 else (), n * 0.03)]
    assert changes == [Change(KOI, placed=True)]
    assert 0.3 < presence.strength(KOI) < 0.7


def test_two_tags_come_and_go_by_themselves():
    presence = Presence(hits=1, misses=1, away=0)
    presence.poll({KOI}, 0)
    assert presence.poll({KOI, LOTUS}, 1) == (Change(LOTUS, placed=True),)
    assert presence.poll({LOTUS}, 2) == (Change(KOI, placed=False),)
    assert presence.lying == (LOTUS,)
    assert presence.strength(KOI) == 0
    assert presence.strength(LOTUS) == 1
    assert presence.seen(KOI) == 0 < presence.seen(LOTUS)


@pytest.mark.parametrize("wrong", [{"hits": 0}, {"misses": 0}, {"away": -1}])
def test_limits_that_mean_nothing_are_refused(wrong):
    with pytest.raises(ValueError, match="hits and misses are at least 1"):
        Presence(**wrong)


class AnyPolls(RuleBasedStateMachine):
    """Whatever the field does, changes alternate and are earned."""

    def __init__(self):
        super().__init__()
        self.presence = Presence(hits=2, misses=3, away=0.35)
        self.at = 0.0
        self.lying, self.missed, self.hit, self.seen_at = set(), {}, {}, {}

    @rule(seen=st.sets(st.sampled_from("ABC")), wait=st.floats(0.0, 0.5))
    def poll(self, seen, wait):
        self.at += wait
        changes = self.presence.poll(seen, self.at)
        for uid in "ABC":
            if uid in seen:
                self.missed[uid], self.seen_at[uid] = 0, self.at
                self.hit[uid] = self.hit.get(uid, 0) + 1
            else:
                self.missed[uid] = self.missed.get(uid, 0) + 1
        gone = {uid for uid in self.seen_at if self.missed[uid] >= 3 and self.at - self.seen_at[uid] >= 0.35}
        expected = {Change(uid, placed=False) for uid in gone & self.lying}
        for uid in gone:
            self.hit.pop(uid), self.seen_at.pop(uid)
        came = {uid for uid in seen if self.hit[uid] >= 2} - self.lying
        expected |= {Change(uid, placed=True) for uid in came}
        assert set(changes) == expected
        assert len(changes) == len(expected)
        self.lying = (self.lying | came) - gone

    @invariant()
    def agrees(self):
        assert set(self.presence.lying) == self.lying
        assert set(self.presence.uncertain) <= self.lying
        assert all(0 <= self.presence.strength(uid) <= 1 for uid in "ABCD")


TestAnyPolls = AnyPolls.TestCase
TestAnyPolls.settings = settings(stateful_step_count=30)
