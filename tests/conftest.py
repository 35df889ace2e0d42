"""What every test lives under: no unexpected error log, seeded hypothesis, no display, no window system of the developer's."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports Kivy: draw without a screen, and leave logging to Python so that errors are seen here.
os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")
os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("KIVY_NO_CONSOLELOG", "1")
os.environ.setdefault("KIVY_LOG_MODE", "PYTHON")

SOAK = os.environ.get("JINMAKU_SOAK") == "1"
"""Full scale: ``make soak``."""

# The sample is the same on every machine and every run; the soak looks further each time.
_CALM = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("sample", derandomize=True, deadline=None, max_examples=50, suppress_health_check=_CALM, database=None)
settings.register_profile("soak", deadline=None, max_examples=5000, suppress_health_check=_CALM)
settings.load_profile("soak" if SOAK else "sample")


WHOLE = ("e2e",)
"""Rooms that one worker has all of: a whole table with its phones needs most of a small machine, and gets it from nobody but itself."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Who runs what. By paths: the groups that xdist marks are lost where pytest keeps its ids in another attribute than xdist sets."""
    from xdist.scheduler import LoadScopeScheduling  # only where tests are run side by side

    class Rooms(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            folders = nodeid.partition("::")[0].split("/")
            return next((room for room in WHOLE if room in folders), nodeid)

    return Rooms(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Soak tests run only in ``make soak``."""
    keep, drop = [], []
    for item in items:
        (drop if item.get_closest_marker("soak") and not SOAK else keep).append(item)
    if drop:
        config.hook.pytest_deselected(items=drop)
        items[:] = keep


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(f"{record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_error_logs(request: pytest.FixtureRequest) -> Iterator[None]:
    """An error log nobody asked for fails the test that caused it."""
    handler = _Errors()
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    if handler.seen and not request.node.get_closest_marker("logs_errors"):
        pytest.fail("unexpected error log: " + "; ".join(handler.seen[:5]))
