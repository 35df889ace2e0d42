"""What the strip's tests stand on."""

from __future__ import annotations

import random

import pytest
from track_pretend import Clock, Pretend

from hardware.track import talk


@pytest.fixture(autouse=True)
def quick_hello(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for a calm hello takes milliseconds each; here one is as good as any."""
    hello = talk.quiet_hello(random.Random(1))
    monkeypatch.setattr(talk, "quiet_hello", lambda pick: hello)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board(clock: Clock) -> Pretend:
    return Pretend(clock)
